#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/shade.h"

#include <math.h>
#include <stdio.h>

#include "core/parallel.h"
#include "render/light.h"

enum { SUN_SIDE = 2048, SKY_SIDE = 512, QUICK_SKIES = 12 };

// ---- where the light comes from ----

// Looks along `towards` reversed at a ball of radius `reach` / 2 around a point `middle` above the origin.
static SiltLightView look_from(const double towards[3], double reach, double middle)
{
    SiltLightView view;
    double right[3] = {1.0, 0.0, 0.0};
    double flat = hypot(towards[0], towards[1]);
    if (flat > 1e-6) {
        right[0] = -towards[1] / flat;
        right[1] = towards[0] / flat;
    }
    double up[3] = {towards[1] * right[2] - towards[2] * right[1],
                    towards[2] * right[0] - towards[0] * right[2],
                    towards[0] * right[1] - towards[1] * right[0]};
    for (int k = 0; k < 3; k++) {
        view.towards[k] = (float)towards[k];
        view.rows[0][k] = (float)(right[k] / reach);
        view.rows[1][k] = (float)(up[k] / reach);
        view.rows[2][k] = (float)(-towards[k] / reach);
    }
    for (int r = 0; r < 3; r++)
        view.rows[r][3] = (float)(0.5 - (double)view.rows[r][2] * middle);
    return view;
}

// Even over the upper half of a sphere: heights at equal steps, and round by the golden angle.
static void sky_direction(int k, int count, double out[3])
{
    double up = (k + 0.5) / count, flat = sqrt(1.0 - up * up), angle = 2.399963229728653 * k + 0.4;
    out[0] = flat * cos(angle);
    out[1] = flat * sin(angle);
    out[2] = up;
}

// ---- maps ----

static void set_depth_map(GLenum target)
{
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(target, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

static void make_maps(SiltShade *shade, int sun_side, int sky_side, int sky_count)
{
    if (shade->sun_side != sun_side) {
        glBindTexture(GL_TEXTURE_2D, shade->sun_map);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, sun_side, sun_side, 0, GL_DEPTH_COMPONENT,
                     GL_UNSIGNED_INT, NULL);
        set_depth_map(GL_TEXTURE_2D);
    }
    if (shade->sky_side != sky_side || shade->sky_layers != sky_count) {
        glBindTexture(GL_TEXTURE_2D_ARRAY, shade->sky_maps);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT16, sky_side, sky_side, sky_count, 0,
                     GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
        set_depth_map(GL_TEXTURE_2D_ARRAY);
    }
    shade->sun_side = sun_side;
    shade->sky_side = sky_side;
    shade->sky_layers = sky_count;
}

SiltStatus silt_shade_create(SiltShade *out)
{
    *out = (SiltShade){0};
    glGenTextures(1, &out->sun_map);
    glGenTextures(1, &out->sky_maps);
    glGenFramebuffers(1, &out->frame);
    make_maps(out, 1, 1, 1); // samplers want something to look at
    return silt_gl_check("shadows");
}

void silt_shade_destroy(SiltShade *shade)
{
    GLuint textures[] = {shade->sun_map, shade->sky_maps};
    glDeleteTextures(2, textures);
    glDeleteFramebuffers(1, &shade->frame);
    *shade = (SiltShade){0};
}

void silt_shade_clear(SiltShade *shade)
{
    shade->has_sun = false;
    shade->sky_count = 0;
}

// Small pictures need no finer maps.
static int part_of(const SiltRenderOptions *options, bool quick)
{
    int longest = options->width > options->height ? options->width : options->height;
    return longest > 0 && longest <= 320 ? 4 : quick || (longest > 0 && longest <= 800) ? 2 : 1;
}

void silt_shade_begin(SiltShade *shade, const SiltRenderOptions *options, const SiltRange *range, bool quick,
                      bool has_sky)
{
    double high = (range->high - range->low) * options->exaggeration;
    double wide = range->east - range->west, deep = range->north - range->south;
    double reach = 1.02 * sqrt(wide * wide + deep * deep + high * high);
    int count = !has_sky ? 0 : quick ? QUICK_SKIES : SILT_MOST_SKIES, part = part_of(options, quick);
    make_maps(shade, SUN_SIDE / part, count == 0 ? 1 : SKY_SIDE / part, count == 0 ? 1 : count);
    shade->reach = reach;
    shade->has_sun = options->shadows;
    shade->sky_count = count;
    SiltSun sun = silt_sun(options);
    double towards[3] = {(double)sun.east, -(double)sun.south, (double)sun.up};
    shade->sun = look_from(towards, reach, 0.5 * high);
    for (int k = 0; k < count; k++) {
        sky_direction(k, count, towards);
        shade->skies[k] = look_from(towards, reach, 0.5 * high);
    }
    shade->light = options->shadows ? 0 : 1;
    shade->part = 0;
}

// The map of the light that is next, or a part of it.
static void cast_next(SiltShade *shade, SiltCastFn cast_sun, SiltCastFn cast_sky, const void *context)
{
    int sky = shade->light - 1, side = sky < 0 ? shade->sun_side : shade->sky_side;
    if (sky < 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shade->sun_map, 0);
    else
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, shade->sky_maps, 0, sky);
    glViewport(0, 0, side, side);
    if (shade->part == 0)
        glClear(GL_DEPTH_BUFFER_BIT);
    bool is_whole = sky < 0 ? cast_sun(context, &shade->sun, &shade->part)
                            : cast_sky(context, &shade->skies[sky], &shade->part);
    if (is_whole) {
        shade->light++;
        shade->part = 0;
    }
}

bool silt_shade_go_on(SiltShade *shade, double seconds, SiltCastFn cast_sun, SiltCastFn cast_sky,
                      const void *context)
{
    double begun = silt_wall_clock();
    GLint before;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_FRAMEBUFFER, shade->frame);
    GLenum none = GL_NONE;
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 4.0f);
    bool in_turn = seconds < 1e9;
    while (shade->light <= shade->sky_count && (!in_turn || silt_wall_clock() - begun < seconds)) {
        cast_next(shade, cast_sun, cast_sky, context);
        if (in_turn)
            glFinish(); // or it would seem to take no time
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
    return shade->light > shade->sky_count;
}

void silt_shade_uniforms(const SiltShade *shade, GLuint program, int sun_unit, int sky_unit)
{
    silt_gl_int(program, "sky_count", shade->sky_count);
    silt_gl_rows(program, "sun_rows", 3, &shade->sun.rows[0][0]);
    for (int k = 0; k < shade->sky_count; k++) {
        char name[32];
        snprintf(name, sizeof name, "sky_rows[%d]", 3 * k);
        silt_gl_rows(program, name, 3, &shade->skies[k].rows[0][0]);
    }
    // so far from the surface its own shadow is left behind
    float texels[3] = {(float)fmax(shade->reach / shade->sun_side, 0.6 * shade->sun_blur),
                       (float)fmax(shade->reach / shade->sky_side, 0.6 * shade->sky_blur),
                       1.0f / (float)shade->sun_side};
    silt_gl_vec3(program, "map_texels", texels);
    silt_gl_sampler(program, "sun_map", sun_unit, shade->sun_map);
    silt_gl_sampler_of(program, "sky_maps", sky_unit, GL_TEXTURE_2D_ARRAY, shade->sky_maps);
}

#endif
