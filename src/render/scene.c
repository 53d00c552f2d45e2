#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/scene.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "render/drops.h"
#include "render/palette.h"
#include "render/post.h"
#include "render/rays.h"
#include "render/shaders.h"
#include "render/speckle.h"
#include "render/visible.h"
#include "silt/particles.h"
#include "volume/volume.h"

enum { TILE_SIDE = 2048, TILE_PIXELS = 2300000 };

struct SiltScene {
    SiltGround ground;
    SiltSolid solid;
    SiltRays rays;
    SiltRays veil; // the rock as it was
    SiltDrops drops;
    SiltShade shade;
    SiltPost post;
    SiltPost sketch;                                           // of drafts
    bool has_ground, has_solid, has_rays, has_veil, has_drops; // what is shown
    SiltRange range;
    double unit; // metres that textures take for a cell
    GLuint sky_program;
    GLuint speckle, tint, array, query;
    bool is_seen; // something of it was drawn since the last picture began
    bool quick;
    bool is_live, lights_later;
    int longest_side; // 0: as the graphics card has it
};

void silt_scene_set_longest_side(SiltScene *scene, int cells)
{
    scene->longest_side = cells;
}

void silt_scene_set_quick(SiltScene *scene, bool quick)
{
    if (scene->quick == quick)
        return;
    scene->quick = quick;
    silt_post_set_quick(&scene->post, quick);
    // one level of the speckle in place of two: half of what texturing costs
    glBindTexture(GL_TEXTURE_2D, scene->speckle);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    quick ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
}

static SiltStatus make_speckle(GLuint *texture)
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, true, true};
    uint8_t *rgba;
    SiltStatus status =
        silt_alloc_for("the speckle of the ground", SILT_SPECKLE_SIDE * SILT_SPECKLE_SIDE, 4, (void **)&rgba);
    if (status == SILT_OK)
        status = silt_speckle_make(rgba);
    if (status == SILT_OK)
        silt_gl_texture(texture, &form, SILT_SPECKLE_SIDE, SILT_SPECKLE_SIDE, rgba);
    silt_free(rgba);
    return status;
}

SiltStatus silt_scene_create(SiltScene **out)
{
    static const char *const sky[] = {silt_shader_common_glsl, silt_shader_sky_frag, NULL};
    SiltScene *scene;
    *out = NULL;
    SiltStatus status = silt_alloc_for("a scene", 1, sizeof *scene, (void **)&scene);
    if (status != SILT_OK)
        return status;
    glGenVertexArrays(1, &scene->array);
    glGenQueries(1, &scene->query);
    silt_palette_upload(&scene->tint, NULL);
    status = silt_gl_program("sky", "", silt_shader_screen_vert, sky, &scene->sky_program);
    if (status == SILT_OK)
        status = make_speckle(&scene->speckle);
    if (status == SILT_OK)
        status = silt_shade_create(&scene->shade);
    if (status == SILT_OK)
        status = silt_post_create(&scene->post);
    if (status != SILT_OK) {
        silt_scene_destroy(scene);
        return status;
    }
    *out = scene;
    return SILT_OK;
}

void silt_scene_destroy(SiltScene *scene)
{
    if (!scene)
        return;
    silt_ground_destroy(&scene->ground);
    silt_solid_destroy(&scene->solid);
    silt_rays_destroy(&scene->rays);
    silt_rays_destroy(&scene->veil);
    silt_drops_destroy(&scene->drops);
    silt_shade_destroy(&scene->shade);
    silt_post_destroy(&scene->post);
    silt_post_destroy(&scene->sketch);
    GLuint textures[] = {scene->speckle, scene->tint};
    glDeleteProgram(scene->sky_program);
    glDeleteTextures(2, textures);
    glDeleteVertexArrays(1, &scene->array);
    glDeleteQueries(1, &scene->query);
    silt_free(scene);
}

void silt_scene_forget(SiltScene *scene)
{
    if (!scene)
        return;
    silt_ground_forget(&scene->ground);
    silt_drops_forget(&scene->drops);
    silt_free(scene);
}

// ---- what is shown; shaders of a drawable are compiled when it is needed first ----

static SiltRenderOptions ground_options(const SiltScene *scene, const SiltRenderOptions *options)
{
    SiltRenderOptions shown = *options;
    shown.water = options->water && !scene->has_drops; // the particles are the water
    return shown;
}

static SiltStatus set_ground(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                             const SiltRange *range)
{
    SiltStatus status = scene->ground.patch_array ? SILT_OK : silt_ground_create(&scene->ground);
    if (status == SILT_OK && scene->longest_side > 0)
        scene->ground.longest = scene->longest_side;
    scene->ground.is_live = scene->is_live;
    scene->ground.lights_later = scene->lights_later;
    SiltRenderOptions shown = ground_options(scene, options);
    return status == SILT_OK ? silt_ground_set(&scene->ground, pose->terrain, &shown, range) : status;
}

// A volume is cut at the edges of its grid, so that both ways of drawing it show the same sides.
static SiltClip clip_of(const SiltPose *pose, const SiltRenderOptions *options, const SiltRange *range)
{
    const SiltVolume *volume = pose->volume;
    if (!volume)
        return silt_clip(options, range, NULL);
    double whole[2][3], thin = 1e-4 * volume->cell;
    for (int k = 0; k < 3; k++) {
        whole[0][k] = thin + (k == 2 ? volume->origin[2] : 0.0);
        whole[1][k] = whole[0][k] + (volume->size[k] - 1) * volume->cell - 2.0 * thin;
    }
    return silt_clip(options, range, (const double(*)[3])whole);
}

static bool has_tint(const SiltPose *pose, const SiltRenderOptions *options)
{
    return options->worn != SILT_WORN_PLAIN && pose->volume && pose->volume->former;
}

static bool has_shape(const SiltPose *pose, const SiltRenderOptions *options)
{
    return options->worn == SILT_WORN_SHAPE && pose->is_solid && pose->volume && pose->volume->former;
}

// The rock as it was, for rays; the volume it is read from is not kept.
static SiltStatus set_veil(SiltScene *scene, const SiltVolume *volume, const SiltClip *clip)
{
    SiltVolume *was;
    SiltStatus status = silt_volume_recall(volume, &was);
    if (status != SILT_OK)
        return status;
    if (!scene->veil.array)
        silt_rays_create(&scene->veil);
    status = silt_rays_set(&scene->veil, was, false, clip);
    silt_volume_destroy(was);
    return status;
}

static SiltStatus set_solid(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range)
{
    SiltClip clip = clip_of(pose, options, range);
    if (clip.is_cut && !pose->volume)
        clip.sea = -1e30f; // for the same reason
    SiltStatus status = scene->solid.array ? SILT_OK : silt_solid_create(&scene->solid);
    if (status == SILT_OK)
        status = silt_solid_set(&scene->solid, pose->mesh, has_tint(pose, options) ? pose->volume : NULL,
                                options, range, &clip);
    if (scene->has_rays && !scene->rays.array)
        silt_rays_create(&scene->rays);
    if (status == SILT_OK && scene->has_rays)
        status = silt_rays_set(&scene->rays, pose->volume, has_tint(pose, options), &clip);
    if (status == SILT_OK && scene->has_veil)
        status = set_veil(scene, pose->volume, &clip);
    return status;
}

static SiltStatus set_drops(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range)
{
    SiltStatus status = scene->drops.array ? SILT_OK : silt_drops_create(&scene->drops);
    // heights are not cut, nor is the water on them; and water may fly beyond the volume
    static const double anywhere[2][3] = {{-1e12, -1e12, -1e12}, {1e12, 1e12, 1e12}};
    SiltClip clip = {0};
    if (pose->is_solid)
        clip = silt_clip(options, range, anywhere);
    return status == SILT_OK ? silt_drops_set(&scene->drops, pose->particles, options, range, &clip) : status;
}

static void cast_sun(const void *context, const SiltLightView *light)
{
    const SiltScene *scene = context;
    if (scene->has_solid)
        silt_solid_cast(&scene->solid, light);
    if (scene->has_drops)
        silt_drops_cast(&scene->drops, light);
}

static void cast_sky(const void *context, const SiltLightView *light)
{
    const SiltScene *scene = context;
    silt_solid_cast(&scene->solid, light);
}

SiltStatus silt_scene_shade(SiltScene *scene, const SiltRenderOptions *options, bool quick)
{
    silt_shade_clear(&scene->shade);
    if (!scene->has_solid && !scene->has_drops)
        return SILT_OK;
    return silt_shade_make(&scene->shade, options, &scene->range, quick, cast_sun,
                           scene->has_solid ? cast_sky : NULL, scene);
}

SiltStatus silt_scene_set_unshaded(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                                   const SiltRange *range)
{
    scene->range = *range;
    scene->has_solid = pose->is_solid;
    scene->has_ground = pose->terrain && !pose->is_solid;
    scene->has_drops = pose->particles && pose->particles->count > 0;
    scene->has_veil = has_shape(pose, options);
    // triangles know the colour of a cut, but not its depth, and water behind it would shine through
    scene->has_rays =
        scene->has_solid && pose->volume &&
        (options->volume == SILT_VOLUME_RAYS ||
         (silt_is_cut(options) && (scene->has_drops || has_tint(pose, options) || !isnan(options->sea))));
    double widest = fmax(range->east - range->west, range->north - range->south);
    scene->unit = scene->has_ground ? pose->terrain->cell : widest / 300.0;
    SiltStatus status = SILT_OK;
    if (scene->has_ground)
        status = set_ground(scene, pose, options, range);
    if (status == SILT_OK && scene->has_solid)
        status = set_solid(scene, pose, options, range);
    if (status == SILT_OK && scene->has_drops)
        status = set_drops(scene, pose, options, range);
    scene->post.smooths = scene->has_rays || scene->has_drops;
    return status;
}

SiltStatus silt_scene_set(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                          const SiltRange *range)
{
    SiltStatus status = silt_scene_set_unshaded(scene, pose, options, range);
    return status == SILT_OK ? silt_scene_shade(scene, options, scene->quick) : status;
}

void silt_scene_set_heights(SiltScene *scene, const SiltTerrain *terrain)
{
    if (scene->has_ground)
        silt_ground_set_heights(&scene->ground, terrain);
}

void silt_scene_set_live(SiltScene *scene, bool later)
{
    scene->is_live = true;
    scene->lights_later = later;
}

SiltStatus silt_scene_update(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                             const SiltRange *range, const SiltChange *change)
{
    SiltRenderOptions shown = ground_options(scene, options);
    scene->range = *range;
    return scene->has_ground ? silt_ground_update(&scene->ground, pose->terrain, &shown, range, change)
                             : SILT_OK;
}

void silt_scene_exchange_light(SiltScene *scene, SiltField *sky, SiltField *shadow)
{
    silt_ground_exchange_light(&scene->ground, sky, shadow);
}

SiltStatus silt_scene_set_particles(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                                    const SiltRange *range)
{
    scene->range = *range;
    return set_drops(scene, pose, options, range);
}

// ---- drawing ----

static SiltView make_view(const SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                          const int size[2], const SiltTile *tile, bool draft)
{
    SiltView view = {.camera = camera,
                     .options = options,
                     .range = &scene->range,
                     .shade = &scene->shade,
                     .speckle = scene->speckle,
                     .tint = scene->tint,
                     .unit = scene->unit,
                     .quick = scene->quick,
                     .draft = draft,
                     .width = size[0],
                     .height = size[1],
                     .tile = *tile};
    silt_camera_matrix(camera, size[0], size[1], tile, view.matrix);
    return view;
}

// Where nothing was drawn.
static void draw_sky(const SiltScene *scene, const SiltView *view)
{
    glUseProgram(scene->sky_program);
    silt_view_uniforms(view, scene->sky_program);
    glDepthFunc(GL_LEQUAL);
    glBindVertexArray(scene->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDepthFunc(GL_LESS);
}

static SiltStatus draw_tile(SiltScene *scene, SiltPost *post, const SiltCamera *camera,
                            const SiltRenderOptions *options, const int size[2], const SiltTile *tile)
{
    SiltView view = make_view(scene, camera, options, size, tile, post->is_draft);
    SiltStatus status = silt_post_begin(post, tile->width, tile->height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, scene->query);
    if (status == SILT_OK && scene->has_ground)
        status = silt_ground_draw(&scene->ground, &view);
    if (status == SILT_OK && scene->has_rays)
        status = silt_rays_draw(&scene->rays, &view);
    else if (status == SILT_OK && scene->has_solid)
        status = silt_solid_draw(&scene->solid, &view);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    if (status == SILT_OK && scene->has_solid)
        status = silt_solid_draw_sea(&scene->solid, &view);
    if (status != SILT_OK)
        return status;
    GLuint passed = 0;
    if (!scene->quick && !scene->is_seen)
        glGetQueryObjectuiv(scene->query, GL_QUERY_RESULT, &passed);
    scene->is_seen = scene->is_seen || passed || scene->quick || scene->has_drops;
    draw_sky(scene, &view);
    if (scene->has_veil)
        status = silt_rays_draw_veil(&scene->veil, &view);
    if (status == SILT_OK && scene->has_drops)
        status = silt_drops_draw(&scene->drops, &view, post);
    silt_post_resolve(post);
    return status;
}

SiltStatus silt_scene_draw(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           int width, int height, unsigned framebuffer)
{
    SiltTile whole = {0, 0, width, height};
    SiltStatus status = draw_tile(scene, &scene->post, camera, options, (int[2]){width, height}, &whole);
    if (status != SILT_OK)
        return status;
    silt_post_make_bloom(&scene->post);
    silt_post_finish(&scene->post, &whole, width, height, framebuffer);
    return silt_gl_check("a picture");
}

SiltStatus silt_scene_draw_draft(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                 const int size[2], double scale, unsigned framebuffer)
{
    SiltPost *post = &scene->sketch;
    SiltStatus status = post->array ? SILT_OK : silt_post_create_draft(post);
    int small[2];
    for (int k = 0; k < 2; k++)
        small[k] = (int)fmax(floor(size[k] * scale + 0.5), 1.0);
    SiltTile whole = {0, 0, small[0], small[1]};
    if (status == SILT_OK)
        status = draw_tile(scene, post, camera, options, small, &whole);
    if (status != SILT_OK)
        return status;
    bool is_whole = small[0] == size[0] && small[1] == size[1];
    silt_post_make_bloom(post);
    silt_post_finish(post, &whole, small[0], small[1], is_whole ? framebuffer : post->shown);
    if (!is_whole) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, post->shown);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        glBlitFramebuffer(0, 0, small[0], small[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT, GL_LINEAR);
    }
    return silt_gl_check("a picture");
}

SiltStatus silt_scene_draw_part(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                const int size[2], const SiltTile *tile, unsigned framebuffer)
{
    SiltPost *post = &scene->post;
    int margin = silt_post_smooths(post) ? 8 : 0; // smoothing looks at the pixels around
    SiltTile drawn = {tile->x - margin, tile->y - margin, tile->width + 2 * margin,
                      tile->height + 2 * margin};
    SiltStatus status = draw_tile(scene, post, camera, options, size, &drawn);
    if (status != SILT_OK)
        return status;
    GLuint own = post->bloom_light[0];
    if (scene->sketch.bloom_light[0])
        post->bloom_light[0] = scene->sketch.bloom_light[0];
    silt_post_finish(post, &drawn, size[0], size[1], post->shown);
    post->bloom_light[0] = own;
    int right = tile->x + tile->width < size[0] ? tile->x + tile->width : size[0];
    int top = tile->y + tile->height < size[1] ? tile->y + tile->height : size[1];
    glBindFramebuffer(GL_READ_FRAMEBUFFER, post->shown);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(margin, margin, margin + right - tile->x, margin + top - tile->y, tile->x, tile->y,
                      right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return silt_gl_check("a picture");
}

// ---- pictures in memory ----

// Rows come from the lower edge up, and go to the image from its upper edge down. What was drawn is larger
// than the tile by the margin.
static SiltStatus read_tile(const SiltScene *scene, const SiltTile *tile, int margin, SiltImage *image)
{
    uint8_t *rows;
    size_t row = (size_t)tile->width * 4, stride = (size_t)image->width * 4;
    SiltStatus status = silt_alloc_for("a picture", (size_t)tile->height, row, (void **)&rows);
    if (status != SILT_OK)
        return status;
    glBindFramebuffer(GL_FRAMEBUFFER, scene->post.shown);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(margin, margin, tile->width, tile->height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int j = 0; j < tile->height; j++)
        memcpy(image->rgba + (size_t)(image->height - 1 - tile->y - j) * stride + (size_t)tile->x * 4,
               rows + (size_t)j * row, row);
    silt_free(rows);
    return SILT_OK;
}

// The glow of a large picture comes from a small one of the same view, so that tiles have no seams.
static SiltStatus bloom_from_small(SiltScene *scene, const SiltCamera *camera,
                                   const SiltRenderOptions *options, const SiltImage *image, SiltPost *small)
{
    double scale = 640.0 / (image->width > image->height ? image->width : image->height);
    int size[2] = {(int)ceil(image->width * scale), (int)ceil(image->height * scale)};
    SiltTile whole = {0, 0, size[0], size[1]};
    SiltStatus status = silt_post_create(small);
    if (status == SILT_OK)
        status = draw_tile(scene, small, camera, options, size, &whole);
    if (status == SILT_OK)
        silt_post_make_bloom(small);
    return status;
}

static SiltStatus draw_by_tiles(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                SiltImage *image)
{
    SiltPost small = {0};
    SiltStatus status = bloom_from_small(scene, camera, options, image, &small);
    int side = 1024, margin = silt_post_smooths(&scene->post) ? 8 : 0;
    int size[2] = {image->width, image->height};
    for (int y = 0; status == SILT_OK && y < image->height; y += side)
        for (int x = 0; status == SILT_OK && x < image->width; x += side) {
            SiltTile tile = {x, y, image->width - x < side ? image->width - x : side,
                             image->height - y < side ? image->height - y : side};
            // smoothing looks at the pixels around
            SiltTile drawn = {x - margin, y - margin, tile.width + 2 * margin, tile.height + 2 * margin};
            status = draw_tile(scene, &scene->post, camera, options, size, &drawn);
            if (status != SILT_OK)
                break;
            GLuint own = scene->post.bloom_light[0];
            scene->post.bloom_light[0] = small.bloom_light[0];
            silt_post_finish(&scene->post, &drawn, image->width, image->height, scene->post.shown);
            scene->post.bloom_light[0] = own;
            status = read_tile(scene, &tile, margin, image);
        }
    silt_post_destroy(&small);
    return status == SILT_OK ? silt_gl_check("a picture") : status;
}

bool silt_scene_is_seen(const SiltScene *scene)
{
    return scene->is_seen;
}

SiltStatus silt_scene_picture(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                              SiltImage *image)
{
    scene->is_seen = false;
    if (image->width > TILE_SIDE || image->height > TILE_SIDE ||
        (int64_t)image->width * image->height > TILE_PIXELS)
        return draw_by_tiles(scene, camera, options, image);
    // draws into the targets of this size, which silt_scene_draw makes
    SiltStatus status = silt_post_begin(&scene->post, image->width, image->height);
    if (status == SILT_OK)
        status = silt_scene_draw(scene, camera, options, image->width, image->height, scene->post.shown);
    SiltTile whole = {0, 0, image->width, image->height};
    return status == SILT_OK ? read_tile(scene, &whole, 0, image) : status;
}

#endif
