// Rock in particle water: how grains settle from one particle to the next and spread (Kataev 1.5.4, 1.5.5),
// and what running water takes off the ground (1.5.2). Amounts are whole units of rock; what one particle
// gives is computed alike by the one that takes it.
#ifndef SILT_PHYSICS_SPH_SEDIMENT_H
#define SILT_PHYSICS_SPH_SEDIMENT_H

#include "grains.h"
#include "sph_kernels.h"

// Stokes' speed of a ball of radius r_s (eq. 1.65 without the hindering), m/s.
SILT_FN float silt_stokes_speed(float radius, float rock, float water, float viscosity, float gravity)
{
    return 2.0f / 9.0f * radius * radius * (rock - water) / viscosity * gravity;
}

// The speed at which a grain of any size settles: Ferguson and Church 2004, eq. 4, with their figures for
// natural grains, R g D^2 / (18 nu + sqrt(0.75 C_2 R g D^3)), C_2 = 1. Small ones fall as Stokes says, large
// ones as stones do, and lighter ones than water rise so.
SILT_FN float silt_grain_speed(float radius, float rock, float water, float viscosity, float gravity)
{
    float size = 2.0f * radius, weight = (rock - water) / water * gravity;
    float drag = 18.0f * viscosity / water + silt_sqrtf(0.75f * silt_absf(weight) * size * size * size);
    return weight * size * size / drag;
}

// A share of a load in whole units, right on average over the steps (grains.h). A pair moves at most 1/512 of
// the load and one unit, and loads below 512 rest: all neighbours together never take more than there is.
SILT_FN float silt_load_part(float load, float share, float dither)
{
    float moving = load >= 512.0f ? load : 0.0f; // a dither is below one: nothing of nothing is nothing
    return (float)(silt_i32)(silt_clampf(share, 0.0f, 1.0f / 512.0f) * moving + dither);
}

// -F / r of eq. 1.64 and 1.68 for the cubic spline.
SILT_FN float silt_spline_fall(float r, float h)
{
    return -silt_spline_derivative(r, h) / r;
}

// Units that settle in a step from a particle that holds `load` onto one that lies `drop` metres lower;
// `fall` as above. `pace` is dt times the speed of settling at the acceptor, the particle's volume and a
// factor that makes a lattice exact (eq. 1.64 alone, with neighbours on one side only, would settle at half
// the speed).
SILT_FN float silt_settling(float load, float drop, float fall, float pace, float dither)
{
    return silt_load_part(load, pace * drop * fall, dither);
}

// Units that diffuse between two loads that differ by `gap` (above zero): eq. 1.68 as a Laplacian. `pace` is
// 2 dt D times the volume.
SILT_FN float silt_diffusion(float gap, float fall, float pace, float dither)
{
    return silt_load_part(gap, pace * fall, dither);
}

// Power-law shear stress (eq. 1.54) over the critical one, times the strength: eq. 1.56, kg/m2/s. `root` is
// the shear rate of eq. 1.55, speed over distance, to the power n.
SILT_FN float silt_shear_erosion(float root, float shear, float critical, float strength)
{
    float stress = shear * root;
    return strength * silt_maxf(stress - critical, 0.0f);
}

#endif
