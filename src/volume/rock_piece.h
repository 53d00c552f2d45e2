// How much of a cell is rock, and what smoothing makes of a voxel. For C and OpenCL.
#ifndef SILT_VOLUME_ROCK_PIECE_H
#define SILT_VOLUME_ROCK_PIECE_H

#include "core/both.h"

enum { SILT_PIECE_SIDE = 4, SILT_PIECES = 64 }; // of a cell that the surface passes

// The part of piece n that is rock: what is on the rock's side of the plane through it; phi and its gradient
// in the middle tell. `c` is phi at the cell's corners.
SILT_INLINE float silt_rock_piece(const float *c, int n)
{
    const float small = 1.0f / SILT_PIECE_SIDE;
    float d0 = c[1] - c[0], d1 = c[3] - c[2], d2 = c[5] - c[4], d3 = c[7] - c[6];
    float x = ((float)(n % SILT_PIECE_SIDE) + 0.5f) * small,
          y = ((float)(n / SILT_PIECE_SIDE % SILT_PIECE_SIDE) + 0.5f) * small,
          z = ((float)(n / (SILT_PIECE_SIDE * SILT_PIECE_SIDE)) + 0.5f) * small;
    float a0 = c[0] + x * d0, a1 = c[2] + x * d1, a2 = c[4] + x * d2, a3 = c[6] + x * d3;
    float b0 = a0 + y * (a1 - a0), b1 = a2 + y * (a3 - a2);
    float e0 = d0 + y * (d1 - d0), e1 = d2 + y * (d3 - d2);
    float gx = e0 + z * (e1 - e0), gy = (a1 - a0) + z * ((a3 - a2) - (a1 - a0)), gz = b1 - b0;
    float phi = b0 + z * (b1 - b0), slope = silt_sqrtf(gx * gx + gy * gy + gz * gz) * small;
    float above = 0.5f + phi / (slope > 1e-20f ? slope : 1e-20f);
    return above > 0.0f ? above < 1.0f ? above : 1.0f : 0.0f;
}

// phi moves towards the mean of its six neighbours, or away from it (Taubin
// 1995); only near the surface: farther out phi follows from there.
SILT_INLINE float silt_smooth_voxel(float phi, float east, float west, float north, float south, float up,
                                    float down, float amount)
{
    float mean = (((east + west) + (north + south)) + (up + down)) * (1.0f / 6.0f);
    float near = silt_absf(phi) < 1.5f ? amount : 0.0f;
    return phi + near * (mean - phi);
}

#endif
