// Rock that two particles of water hand on to each other: settling and diffusion (Kataev 1.5.4, 1.5.5). For C
// and OpenCL.
#ifndef SILT_COUPLE_LOADS_H
#define SILT_COUPLE_LOADS_H

#include "core/both.h"

#include "physics/power.h"
#include "physics/sph_sediment.h"

enum { SILT_HINDERED_ZAKI, SILT_HINDERED_PAPER };
#define SILT_LOAD_LEAST 512.0f // units that move at all (silt_load_part)

typedef struct SiltSediment {
    float stokes; // m/s, of a grain alone
    float full;   // units in a particle that holds as much as it can
    float most;   // share of its volume that is
    float exponent;
    int hindering;
    float volume;    // m3 of a particle
    float diffusion; // m2/s
    float settle;    // makes eq. 1.64 exact on a lattice
    int is_printed;  // whether diffusion is eq. 1.68 as it is printed, and not a Laplacian
    float density;   // kg/m3 at rest, for that
} SiltSediment;

// Speed of settling in water that holds `load` units: Richardson and Zaki (1 - C)^e, or eq. 1.66.
static inline float silt_load_speed(SiltSediment s, float load)
{
    double share = (double)(load / s.full); // C / C_max
    if (share >= 1.0)
        return 0.0f;
    if (share <= 0.0)
        return s.stokes;
    double left = s.hindering == SILT_HINDERED_PAPER
                      ? 1.0 - silt_power(share, (double)s.exponent)
                      : silt_power(1.0 - share * (double)s.most, (double)s.exponent);
    return s.stokes * (float)left;
}

// The pace of settling onto a particle with this load, in a step.
static inline float silt_load_pace(SiltSediment s, float load, float dt)
{
    float factor = dt * s.volume * s.settle;
    return factor * silt_load_speed(s, load);
}

// What a particle gains from another that lies at (dx, dy, dz) before it, or loses to it, in units: whole
// numbers, so sums of them are exact in any order.
SILT_INLINE float silt_load_gain(float mine, float my_pace, float theirs, float their_pace, float dx,
                                 float dy, float dz, float h, int is_printed, float spread, float dither,
                                 float spread_dither)
{
    float r = silt_maxf(silt_sqrtf(dx * dx + dy * dy + dz * dz), 0.1f * h), gap = theirs - mine;
    float fall = silt_spline_fall(r, h);
    float down = silt_settling(mine, dz, fall, their_pace, dither); // from me to those below
    float up = silt_settling(theirs, -dz, fall, my_pace, dither);   // from those above
    float flow = silt_diffusion(silt_absf(gap), is_printed ? fall * r : fall, spread, spread_dither);
    return up - down + (gap > 0.0f ? 1.0f : -1.0f) * flow;
}

#endif
