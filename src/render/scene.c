#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/scene_inside.h"

#include <math.h>

#include "core/memory.h"
#include "render/palette.h"
#include "render/shaders.h"
#include "render/speckle.h"
#include "render/visible.h"
#include "silt/particles.h"
#include "volume/volume.h"

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
    silt_shade_destroy(&scene->dusk);
    silt_post_destroy(&scene->post);
    silt_post_destroy(&scene->sketch);
    silt_wash_destroy(&scene->wash);
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
    silt_solid_forget(&scene->solid);
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
    SiltStatus status = scene->solid.screen_array ? SILT_OK : silt_solid_create(&scene->solid);
    if (status == SILT_OK)
        status = silt_solid_set(&scene->solid, pose->mesh, has_tint(pose, options) ? pose->volume : NULL,
                                options, range, &clip);
    clip.shore = scene->solid.clip.shore;
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
    SiltClip clip = {.sea = -1e30f};
    if (pose->is_solid)
        clip = silt_clip(options, range, anywhere);
    return status == SILT_OK ? silt_drops_set(&scene->drops, pose->particles, options, range, &clip) : status;
}

// Shadows of the sun have edges that one sees: of a picture that rests they are cast by all triangles.
static bool cast_sun(const void *context, const SiltLightView *light, int *at)
{
    const SiltScene *scene = context;
    bool is_whole = !scene->has_solid || silt_solid_cast(&scene->solid, light, scene->casts_coarse, at);
    if (is_whole && scene->has_drops)
        silt_drops_cast(&scene->drops, light);
    return is_whole;
}

static bool cast_sky(const void *context, const SiltLightView *light, int *at)
{
    const SiltScene *scene = context;
    return silt_solid_cast(&scene->solid, light, scene->coarse, at);
}

void silt_scene_set_coarse(SiltScene *scene, bool coarse)
{
    scene->coarse = coarse;
}

size_t silt_scene_triangles(const SiltScene *scene, bool coarse)
{
    return scene->has_solid ? silt_solid_triangles(&scene->solid, coarse) : 0;
}

static void begin_shade(SiltScene *scene, SiltShade *shade, const SiltRenderOptions *options, bool quick)
{
    bool is_coarse = scene->coarse && scene->has_solid && scene->solid.coarse.triangle_count > 0;
    scene->casts_coarse = quick && is_coarse;
    shade->sky_blur = is_coarse ? scene->solid.coarse_cell : 0.0;
    shade->sun_blur = scene->casts_coarse ? scene->solid.coarse_cell : 0.0;
    silt_shade_begin(shade, options, &scene->range, quick, scene->has_solid);
}

SiltStatus silt_scene_shade(SiltScene *scene, const SiltRenderOptions *options, bool quick)
{
    silt_shade_clear(&scene->shade);
    if (!scene->has_solid && !scene->has_drops)
        return SILT_OK;
    begin_shade(scene, &scene->shade, options, quick);
    silt_shade_go_on(&scene->shade, INFINITY, cast_sun, cast_sky, scene);
    return silt_gl_check("shadows");
}

SiltStatus silt_scene_begin_shade(SiltScene *scene, const SiltRenderOptions *options, bool quick)
{
    SiltStatus status = scene->dusk.frame ? SILT_OK : silt_shade_create(&scene->dusk);
    if (status == SILT_OK)
        begin_shade(scene, &scene->dusk, options, quick);
    return status;
}

SiltStatus silt_scene_go_on_with_shade(SiltScene *scene, double seconds, bool *done)
{
    *done = !scene->has_solid || silt_shade_go_on(&scene->dusk, seconds, cast_sun, cast_sky, scene);
    if (*done && scene->has_solid) {
        SiltShade before = scene->shade;
        scene->shade = scene->dusk;
        scene->dusk = before;
    }
    return silt_gl_check("shadows");
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

SiltStatus silt_scene_update_shared(SiltScene *scene, const SiltRange *range, const SiltSharedLand *land)
{
    scene->range = *range;
    return scene->has_ground ? silt_ground_update_shared(&scene->ground, range, land)
                             : silt_fail(SILT_BAD_ARGUMENT, "render: there is no land to be drawn");
}

bool silt_scene_set_thin(SiltScene *scene, int thin)
{
    int before = silt_ground_thin(&scene->ground);
    silt_ground_set_thin(&scene->ground, scene->has_ground ? thin : 1);
    return silt_ground_thin(&scene->ground) != before;
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

#endif
