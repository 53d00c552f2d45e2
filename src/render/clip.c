#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/clip.h"

#include <math.h>

#include "render/camera.h"
#include "render/view.h"
#include "render/visible.h"

void silt_clip_uniforms(const SiltClip *clip, GLuint program)
{
    silt_gl_vec3(program, "box_low", clip->low);
    silt_gl_vec3(program, "box_high", clip->high);
    silt_gl_vec4(program, "plane", (double)clip->plane[0], (double)clip->plane[1], (double)clip->plane[2],
                 (double)clip->plane[3]);
    silt_gl_int(program, "is_cut", clip->is_cut);
    silt_gl_float(program, "sea_level", (double)clip->sea);
    silt_gl_sampler(program, "shore_map", SILT_UNIT_MORE, clip->shore); // no unit has samplers of two kinds
}

// From the motif's metres to the world's, where heights are drawn taller: normals shrink as heights grow.
static void set_plane(const SiltRenderOptions *options, const SiltRange *range, SiltClip *clip)
{
    double at[3], place[3], length = 0.0, normal[3];
    silt_cut_place(options, range, at);
    silt_world_place(range, options->exaggeration, at, place);
    for (int k = 0; k < 3; k++) {
        normal[k] = options->cut[k] / (k == 2 ? options->exaggeration : 1.0);
        length += normal[k] * normal[k];
    }
    double distance = 0.0;
    for (int k = 0; k < 3; k++) {
        clip->plane[k] = (float)(normal[k] / sqrt(length));
        distance += normal[k] / sqrt(length) * place[k];
    }
    clip->plane[3] = (float)distance;
    clip->is_cut = true;
}

SiltClip silt_clip(const SiltRenderOptions *options, const SiltRange *range, const double whole[2][3])
{
    double low[3] = {range->west, range->south, range->low},
           high[3] = {range->east, range->north, range->high};
    const double *wanted[3] = {options->clip_east, options->clip_north, options->clip_height};
    double margin = 0.01 * (high[0] - low[0] + high[1] - low[1] + high[2] - low[2]) + 1e-6;
    SiltClip clip = {.has_walls = whole != NULL};
    for (int k = 0; k < 3; k++) {
        double from = k == 2 ? 0.0 : low[k]; // counted from the edges, and from sea level
        low[k] = whole ? whole[0][k] : low[k] - margin;
        high[k] = whole ? whole[1][k] : high[k] + margin;
        if (isnan(wanted[k][0]))
            continue;
        low[k] = fmax(low[k], from + wanted[k][0]);
        high[k] = fmin(high[k], from + wanted[k][1]);
        clip.is_cut = true;
    }
    double world[2][3];
    silt_world_place(range, options->exaggeration, low, world[0]);
    silt_world_place(range, options->exaggeration, high, world[1]);
    for (int k = 0; k < 3; k++) {
        clip.low[k] = (float)world[0][k];
        clip.high[k] = (float)world[1][k];
    }
    clip.sea = isnan(options->sea) ? -1e30f : (float)((options->sea - range->low) * options->exaggeration);
    if (!isnan(options->cut[0]))
        set_plane(options, range, &clip);
    return clip;
}

bool silt_clip_keeps(const SiltClip *clip, const float place[3])
{
    if (!clip->is_cut)
        return true;
    float beyond = -clip->plane[3];
    for (int k = 0; k < 3; k++) {
        if (place[k] < clip->low[k] || place[k] > clip->high[k])
            return false;
        beyond += clip->plane[k] * place[k];
    }
    return beyond <= 0.0f;
}

#endif
