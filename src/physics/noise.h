// Gradient noise: a random slope at every point of a square lattice, blended in between (Perlin 1985, 2002).
// A place is a lattice point and a float from there, so that noise far from the origin is as fine as at it.
#ifndef SILT_PHYSICS_NOISE_H
#define SILT_PHYSICS_NOISE_H

#include "silt_fn.h"

// What the two coordinates of a lattice point give to its number; the numbers of neighbours differ by a
// constant, so four corners cost two multiplications.
#define SILT_NOISE_X 0x9D2C3A65u
#define SILT_NOISE_Y 0x5B1E7F2Bu

SILT_FN silt_u32 silt_noise_mix(silt_u32 bits)
{
    bits = (bits ^ (bits >> 16)) * 0x783C2F53u;
    bits = (bits ^ (bits >> 15)) * 0x47142699u;
    return bits ^ (bits >> 16);
}

// sin of an angle whose full turn is 2^32, by a parabola a half turn: exact at quarter turns, 0.06 off at
// most.
SILT_FN float silt_noise_sine(silt_u32 angle)
{
    float t = (float)(silt_i32)angle * (1.0f / 2147483648.0f);
    return t * (4.0f - 4.0f * silt_absf(t));
}

// Height at (x, y) from a corner, of the plane through it that slopes in the corner's own direction.
SILT_FN float silt_noise_corner(silt_u32 number, float x, float y)
{
    silt_u32 angle = silt_noise_mix(number);
    return silt_noise_sine(angle) * x + silt_noise_sine(angle + 0x40000000u) * y;
}

// 0 to 1 with no slope and no curvature at either end.
SILT_FN float silt_noise_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

// Noise at (x, y) from the lattice point (column, row): mean 0, within -0.75 and 0.75. |x|, |y| < 2^30.
SILT_FN float silt_noise(silt_u32 column, silt_u32 row, float x, float y, silt_u32 seed)
{
    float left = silt_floorf(x), top = silt_floorf(y);
    float u = x - left, v = y - top;
    silt_u32 number = (column + (silt_u32)(silt_i32)left) * SILT_NOISE_X +
                      (row + (silt_u32)(silt_i32)top) * SILT_NOISE_Y + seed;
    float a = silt_noise_corner(number, u, v);
    float b = silt_noise_corner(number + SILT_NOISE_X, u - 1.0f, v);
    float c = silt_noise_corner(number + SILT_NOISE_Y, u, v - 1.0f);
    float d = silt_noise_corner(number + SILT_NOISE_X + SILT_NOISE_Y, u - 1.0f, v - 1.0f);
    float s = silt_noise_fade(u), t = silt_noise_fade(v);
    float north = a + s * (b - a), south = c + s * (d - c);
    return north + t * (south - north);
}

// One octave of a ridged multifractal: crests where the noise crosses zero, and detail only on what is high
// already (Musgrave 1994). `weight` is 1 before the first octave.
SILT_FN float silt_noise_ridge(float noise, float weight)
{
    float crest = 1.0f - silt_absf(noise) * (1.0f / 0.75f);
    return crest * crest * weight;
}

SILT_FN float silt_noise_ridge_weight(float ridge)
{
    return silt_clampf(ridge * 2.0f, 0.0f, 1.0f);
}

#endif
