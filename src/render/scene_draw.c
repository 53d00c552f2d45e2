// A scene's pictures: in a framebuffer, whole or in part, as a draft, or in memory.
#include "silt/base.h"

#ifdef SILT_HAS_GL
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "render/scene_inside.h"

enum { TILE_SIDE = 2048, TILE_PIXELS = 2300000 };

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
                     .coarse = scene->coarse && scene->quick,
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

static SiltStatus begin_post(SiltPost *post, const SiltRenderOptions *options, int width, int height)
{
    SiltStatus status = silt_post_begin(post, width, height);
    post->bloom_strength = options->bloom;
    post->bloom_above = options->bloom_above;
    post->bloom_white = options->bloom_white;
    return status;
}

static SiltStatus draw_tile(SiltScene *scene, SiltPost *post, const SiltCamera *camera,
                            const SiltRenderOptions *options, const int size[2], const SiltTile *tile)
{
    SiltView view = make_view(scene, camera, options, size, tile, post->is_draft);
    SiltStatus status = begin_post(post, options, tile->width, tile->height);
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

// ---- drafts ----

static void size_of_draft(const int size[2], double scale, int drawn[2])
{
    for (int k = 0; k < 2; k++)
        drawn[k] = (int)fmax(floor(size[k] * scale + 0.5), 1.0);
}

SiltStatus silt_scene_sketch(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                             const int size[2], double scale, bool keeps_glow, int drawn[2],
                             unsigned *framebuffer)
{
    SiltPost *post = &scene->sketch;
    SiltStatus status = post->array ? SILT_OK : silt_post_create_draft(post);
    size_of_draft(size, scale, drawn);
    SiltTile whole = {0, 0, drawn[0], drawn[1]};
    bool has_glow = keeps_glow && post->width == drawn[0] && post->height == drawn[1];
    if (status == SILT_OK)
        status = draw_tile(scene, post, camera, options, drawn, &whole);
    if (status != SILT_OK)
        return status;
    if (!has_glow)
        silt_post_make_bloom(post);
    post->is_soft = scale < 0.5;
    silt_post_finish(post, &whole, drawn[0], drawn[1], post->shown);
    *framebuffer = post->shown;
    return silt_gl_check("a picture");
}

bool silt_scene_can_wash(const SiltScene *scene)
{
    return scene->has_ground && !scene->has_solid && !scene->has_drops && silt_wash_fits(&scene->ground);
}

// The ground, its glow, and both as they are shown.
static SiltStatus keep_ground(SiltScene *scene, const SiltView *view, double scale)
{
    SiltPost *post = &scene->sketch;
    SiltWash *wash = &scene->wash;
    SiltStatus status = silt_wash_begin(wash, view->width, view->height);
    if (status != SILT_OK)
        return status;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    status = silt_ground_draw(&scene->ground, view);
    silt_wash_leave_land(wash);
    if (status != SILT_OK)
        return status;
    draw_sky(scene, view);
    GLuint own = post->light;
    post->light = wash->kept;
    silt_post_make_bloom(post);
    post->is_soft = scale < 0.5;
    silt_post_finish(post, &view->tile, view->width, view->height, wash->finished);
    post->light = own;
    return SILT_OK;
}

SiltStatus silt_scene_wash(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           const int size[2], double scale, bool renews, int drawn[2], unsigned *framebuffer)
{
    SiltPost *post = &scene->sketch;
    SiltWash *wash = &scene->wash;
    SiltStatus status = post->array ? SILT_OK : silt_post_create_draft(post);
    size_of_draft(size, scale, drawn);
    SiltTile whole = {0, 0, drawn[0], drawn[1]};
    SiltView view = make_view(scene, camera, options, drawn, &whole, true);
    view.keeps = true;
    bool fits = wash->is_kept && wash->width == drawn[0] && wash->height == drawn[1] &&
                post->width == drawn[0] && post->height == drawn[1];
    if (status == SILT_OK && (renews || !fits))
        status = begin_post(post, options, drawn[0], drawn[1]);
    if (status == SILT_OK && (renews || !fits))
        status = keep_ground(scene, &view, scale);
    if (status == SILT_OK)
        status = silt_wash_draw(wash, &scene->ground, &view, post);
    *framebuffer = wash->shown;
    return status == SILT_OK ? silt_gl_check("a picture") : status;
}

SiltStatus silt_scene_draw_draft(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                 const int size[2], double scale, unsigned framebuffer)
{
    int drawn[2];
    unsigned small;
    SiltStatus status = silt_scene_sketch(scene, camera, options, size, scale, false, drawn, &small);
    if (status != SILT_OK)
        return status;
    bool is_whole = drawn[0] == size[0] && drawn[1] == size[1];
    glBindFramebuffer(GL_READ_FRAMEBUFFER, small);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, drawn[0], drawn[1], 0, 0, size[0], size[1], GL_COLOR_BUFFER_BIT,
                      is_whole ? GL_NEAREST : GL_LINEAR);
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
