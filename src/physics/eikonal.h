// The eikonal equation |grad u| = 1 in one voxel, for distances that are handed on from voxel to voxel
// (Weiss 2016, eq. 3.4).
#ifndef SILT_PHYSICS_EIKONAL_H
#define SILT_PHYSICS_EIKONAL_H

#include "silt_fn.h"

// The u for which max(u - a, 0)^2 + max(u - b, 0)^2 + max(u - c, 0)^2 = 1, with the smaller neighbour along
// each axis (Godunov's differences, in voxels): one axis, two or all three, as many as lie below u.
SILT_FN float silt_eikonal(float a, float b, float c)
{
    float less = silt_minf(a, b), more = silt_maxf(a, b);
    float low = silt_minf(less, c), high = silt_maxf(more, c);
    float p = silt_maxf(less, silt_minf(more, c)) - low, q = high - low; // from the lowest on
    float u = 1.0f;
    if (u > p)
        u = 0.5f * (p + silt_sqrtf(silt_maxf(2.0f - p * p, 0.0f)));
    if (u > q) {
        float sum = p + q;
        u = (sum + silt_sqrtf(silt_maxf(sum * sum - 3.0f * (p * p + q * q - 1.0f), 0.0f))) / 3.0f;
    }
    return low + u;
}

#endif
