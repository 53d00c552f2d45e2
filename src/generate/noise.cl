// Fractal noise, an item for each cell: see noise_at.h.
#include "generate/noise_at.h"

// Half a span of a row for each group, from row `first` on. The spans of all octaves are worked out once for
// the group, in double.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
make_noise(__constant const SiltNoiseSum *n, int width, int first, __global float *out)
{
    __local SiltNoiseSpan octaves[SILT_NOISE_OCTAVES], warps[2 * SILT_NOISE_WARPS];
    int i = get_global_id(0), j = get_global_id(1), item = get_local_id(0), k = i % SILT_NOISE_SPAN;
    if (item < n->octave_count)
        octaves[item] = silt_noise_span(&n->octaves[item], n->cell, i - k, first + j);
    if (item < n->warp_count)
        warps[item] = silt_noise_span(&n->warps[item], n->cell, i - k, first + j);
    barrier(CLK_LOCAL_MEM_FENCE);
    float push[2] = {0.0f, 0.0f}, sum = 0.0f, weight = 1.0f;
    for (int w = 0; w < n->warp_count; w++)
        push[2 * w < n->warp_count ? 0 : 1] +=
            warps[w].amplitude * silt_noise_sample(warps[w], k, 0.0f, 0.0f);
    for (int o = 0; o < n->octave_count; o++) {
        float noise = silt_noise_sample(octaves[o], k, push[0], push[1]);
        if (n->kind == SILT_NOISE_RIDGED) {
            noise = silt_noise_ridge(noise, weight);
            weight = silt_noise_ridge_weight(noise);
        }
        sum += octaves[o].amplitude * (n->kind == SILT_NOISE_BILLOW ? silt_absf(noise) : noise);
    }
    if (i < width)
        out[(long)j * width + i] = n->low + n->scale * sum;
}
