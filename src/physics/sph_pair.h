// What two particles of water do to each other: the pressure and viscosity of Kataev eq. 1.33 and 1.35, the
// surface of eq. 1.38 to 1.40, and, for water that hardly gives way, Monaghan's artificial viscosity and the
// rate of density with the diffusion of Molteni and Colagrossi (2009).
#ifndef SILT_PHYSICS_SPH_PAIR_H
#define SILT_PHYSICS_SPH_PAIR_H

#include "sph_kernels.h"

// The constants of a fluid, mass and kernel factors multiplied out.
typedef struct SiltSphLaw {
    float h, h2;
    float closest2;   // m2: particles nearer than this count as so far apart
    float poly6;      // kg/m9: density is poly6 * sum (h2 - r2)^3
    float gradient;   // kg/m6 * ...: m times the factor of the spiky gradient
    float laplacian;  // m mu times the factor of the viscous Laplacian
    float artificial; // alpha c h/2 / rho0
    float diffusion;  // 2 delta c h/2 m
    float still;      // kg/m3 per m2/s2: rho0 / c2, how density follows depth at rest
    float normal;     // m times the factor of the poly6 gradient
    int means;        // whether pressures of a pair count by silt_sph_mean_pressure
} SiltSphLaw;

typedef struct SiltSphPair {
    float push; // m/s2 per m: acceleration along the vector from the neighbour
    float drag; // 1/s: acceleration per relative velocity u_j - u_i, times rho_i
    float rate; // kg/m3/s: what the neighbour adds to the rate of density
} SiltSphPair;

// r2 the squared distance, vd = (u_i - u_j).(r_i - r_j), fall = g.(r_j - r_i); pressures divided by the
// square of the density.
SILT_FN SiltSphPair silt_sph_pair(SiltSphLaw law, float r2, float vd, float fall, float pressures,
                                  float density_gap, float volume_j)
{
    SiltSphPair pair;
    float r = silt_sqrtf(r2), inverse = 1.0f / r, gap = silt_maxf(law.h - r, 0.0f);
    float slope = law.gradient * gap * gap * inverse; // -m grad W = slope (r_i - r_j)
    float inverse2 = inverse * inverse;
    float shock = law.artificial * silt_maxf(-vd, 0.0f) * inverse2;
    pair.push = (pressures + shock) * slope; // eq. 1.33 divided by rho_i
    pair.drag = law.laplacian * gap * volume_j;
    // d rho / dt = sum m (u_i - u_j).grad W, and a flow of density towards what rest would have it be
    pair.rate = slope * (law.diffusion * (density_gap - law.still * fall) * volume_j - vd);
    return pair;
}

// Pressure over the square of the density. Weakly compressible (Tait, exponent 7) or the soft gas of
// eq. 1.32. `stiffness` is rho0 c2 / 7, or k. Water without pull: no pressure below zero unless `pulls`.
SILT_FN float silt_sph_pressure(float density, float rest, float stiffness, int gas, int pulls)
{
    float ratio = density / rest, r2 = ratio * ratio;
    float p = gas ? stiffness * (density - rest) : stiffness * (r2 * r2 * r2 * ratio - 1.0f);
    p = pulls ? p : silt_maxf(p, 0.0f);
    return p / (density * density);
}

// Mass of a particle as Weiss eq. 3.11 has it, as a share of that of a new one: what has not evaporated, and
// its load.
SILT_FN float silt_sph_heft(float load, float age, float by_load, float by_age)
{
    return silt_maxf(1.0f - by_age * age, 0.0f) + by_load * load;
}

// What stands for the sum of two such in a pair as Weiss eq. 3.21 has it: (p_i + p_j) / (2 rho_i rho_j).
SILT_FN float silt_sph_mean_pressure(float mine, float theirs, float my_density, float their_density)
{
    float ratio = my_density / their_density;
    return 0.5f * (mine * ratio + theirs / ratio);
}

#endif
