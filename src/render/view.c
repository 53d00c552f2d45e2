#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/view.h"

#include <math.h>
#include <stdio.h>

#include "render/light.h"
#include "render/scale.h"

unsigned silt_view_key(const SiltView *view, unsigned own)
{
    return own | (view->shade->has_sun ? SILT_WITH_SUN_MAP : 0) |
           (view->shade->sky_count > 0 ? SILT_WITH_SKY_MAPS : 0) | (view->quick ? SILT_WITH_QUICK : 0) |
           (unsigned)view->options->look * SILT_WITH_LOOK;
}

SiltStatus silt_view_program(SiltVariants *variants, unsigned key, const char *name, const char *vertex,
                             const char *const fragment[], GLuint *out)
{
    static const char *const names[] = {"HAS_WATER",    "HAS_COVER", "HAS_OVERLAY", "HAS_SUN_MAP",
                                        "HAS_SKY_MAPS", "QUICK",     "HAS_ICE",     "DRAFT",
                                        "CUT",          "KEPT"};
    char defines[320];
    int length = snprintf(defines, sizeof defines, "#define LOOK %u\n", key / SILT_WITH_LOOK);
    for (int k = 0; k < 10; k++)
        length += snprintf(defines + length, sizeof defines - (size_t)length, "#define %s %u\n", names[k],
                           key >> k & 1u);
    return silt_gl_variant(variants, key, name, defines, vertex, fragment, out);
}

static void set_air(const SiltView *view, GLuint program)
{
    const SiltCamera *camera = view->camera;
    const SiltRange *range = view->range;
    SiltSun sun = silt_sun(view->options);
    float towards[3] = {sun.east, -sun.south, sun.up};
    // near the horizon light comes through more air: weaker and redder
    float low = 1.0f - sun.up, red = low * low * low;
    float sun_light[3] = {3.05f - 0.55f * red, 2.72f - 1.30f * red, 2.30f - 1.80f * red};
    float sky_light[3] = {0.30f, 0.40f, 0.58f};
    float eye[3] = {(float)camera->eye[0], (float)camera->eye[1], (float)camera->eye[2]};
    double reach = hypot(range->east - range->west, range->north - range->south);
    double away = hypot(camera->eye[0], camera->eye[1]);
    silt_gl_vec3(program, "sun", towards);
    silt_gl_vec3(program, "sun_light", sun_light);
    silt_gl_vec3(program, "sky_light", sky_light);
    silt_gl_vec3(program, "eye", eye);
    silt_gl_vec4(program, "air", fmax(away - 0.5 * reach, 0.0), 1.0 / reach, view->options->haze,
                 view->options->transparent);
}

// The ray through the middle of the tile, and from there to its right and upper edge.
static void set_rays(const SiltView *view, GLuint program)
{
    const SiltCamera *camera = view->camera;
    const SiltTile *tile = &view->tile;
    double high = camera->slope, wide = high * view->width / view->height;
    double middle_x = wide * ((2.0 * tile->x + tile->width) / view->width - 1.0);
    double middle_y = high * ((2.0 * tile->y + tile->height) / view->height - 1.0);
    float forward[3], right[3], up[3];
    for (int k = 0; k < 3; k++) {
        forward[k] = (float)(camera->forward[k] + middle_x * camera->right[k] + middle_y * camera->up[k]);
        right[k] = (float)(wide * tile->width / view->width * camera->right[k]);
        up[k] = (float)(high * tile->height / view->height * camera->up[k]);
    }
    silt_gl_vec3(program, "ray_forward", forward);
    silt_gl_vec3(program, "ray_right", right);
    silt_gl_vec3(program, "ray_up", up);
}

void silt_view_uniforms(const SiltView *view, GLuint program)
{
    const SiltRange *range = view->range;
    double span = range->high - range->low, least = span > 0.0 ? span : 1.0;
    double rise = view->options->exaggeration;
    float scale[3] = {(float)(1.0 / view->unit), (float)(1.0 / view->unit), (float)(1.0 / view->unit / rise)};
    set_air(view, program);
    set_rays(view, program);
    silt_gl_mat4(program, "camera", view->matrix);
    silt_gl_vec4(program, "relief", range->low, 1.0 / least,
                 (silt_snow_line(view->options, range) - range->low) / least, least);
    silt_gl_float(program, "relief_rise", rise);
    silt_gl_float(program, "arid", view->options->arid);
    silt_gl_vec3(program, "texture_scale", scale);
    silt_gl_float(program, "contour", silt_contour_interval(span));
    silt_gl_sampler(program, "tint_map", SILT_UNIT_TINT, view->tint);
    silt_gl_sampler(program, "noise_map", SILT_UNIT_SPECKLE, view->speckle);
    silt_shade_uniforms(view->shade, program, SILT_UNIT_SUN, SILT_UNIT_SKY);
}

#endif
