// How much rock moves when phi does: the volume that the surface encloses changes by the integral of phi's
// change over phi's slope, taken over the surface (the derivative of what volume/measure.c measures). For C
// and OpenCL.
#ifndef SILT_COUPLE_VOXEL_AREA_H
#define SILT_COUPLE_VOXEL_AREA_H

#include "core/both.h"
#include "physics/voxel_exchange.h"

enum { SILT_AREA_SIDE = 4, SILT_AREA_ROOM = 64 }; // phi around a cell: from one voxel before it to one behind

// phi of the voxels around cell (i, j, k) of the block, one of its 27.
static inline void silt_area_corners(const float *phi, int i, int j, int k, float c[8])
{
    for (int n = 0; n < 8; n++)
        c[n] = phi[i + (n & 1) + SILT_AREA_SIDE * (j + (n >> 1 & 1) + SILT_AREA_SIDE * (k + (n >> 2)))];
}

// A cell of the block in eight parts. Each stands for the surface next to its middle, and phi's change there
// counts.
static inline float silt_area_of_cell(const float c[8], int i, int j, int k, const float *rest)
{
    float sum = 0.0f, d0 = c[1] - c[0], d1 = c[3] - c[2], d2 = c[5] - c[4], d3 = c[7] - c[6];
    for (int n = 0; n < 8; n++) {
        float px = n & 1 ? 0.75f : 0.25f, py = n & 2 ? 0.75f : 0.25f, pz = n & 4 ? 0.75f : 0.25f;
        float a0 = c[0] + px * d0, a1 = c[2] + px * d1, a2 = c[4] + px * d2, a3 = c[6] + px * d3;
        float b0 = a0 + py * (a1 - a0), b1 = a2 + py * (a3 - a2);
        float e0 = d0 + py * (d1 - d0), e1 = d2 + py * (d3 - d2);
        float gx = e0 + pz * (e1 - e0), gy = (a1 - a0) + pz * ((a3 - a2) - (a1 - a0)), gz = b1 - b0;
        float value = b0 + pz * (b1 - b0), slope2 = silt_maxf(gx * gx + gy * gy + gz * gz, 1e-6f);
        float out = -value / slope2; // from the middle to the surface, along the gradient
        float weight = silt_voxel_spread((float)(i - 1) + px + out * gx, rest[0]) *
                       silt_voxel_spread((float)(j - 1) + py + out * gy, rest[1]) *
                       silt_voxel_spread((float)(k - 1) + pz + out * gz, rest[2]);
        sum += weight * silt_voxel_area_of_part(value, 0.5f * silt_sqrtf(slope2));
    }
    return 0.125f * sum;
}

// Cubic voxels of rock that moving phi by one at a place moves, and less around it by trilinear weights.
// `rest` is the place in the middle cell; low and high are the first and last of the three cells along each
// axis that lie in the grid.
static inline float silt_area_moved(const float *phi, const float *rest, const int *low, const int *high)
{
    float sum = 0.0f;
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                float c[8];
                silt_area_corners(phi, i, j, k, c);
                sum += silt_area_of_cell(c, i, j, k, rest);
            }
    return sum;
}

#endif
