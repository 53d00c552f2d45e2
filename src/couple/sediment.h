// Rock that particles of water hand on to each other: settling and diffusion (Kataev 1.5.4, 1.5.5).
#ifndef SILT_COUPLE_SEDIMENT_H
#define SILT_COUPLE_SEDIMENT_H

#include "sph/sph.h"

enum { SILT_HINDERED_ZAKI, SILT_HINDERED_PAPER };

typedef struct SiltSediment {
    float stokes; // m/s, of a grain alone
    float full;   // units in a particle that holds as much as it can
    float most;   // share of its volume that is
    float exponent;
    int hindering;
    float volume;    // m3 of a particle
    float diffusion; // m2/s
    float settle;    // makes eq. 1.64 exact on a lattice
} SiltSediment;

// The factor `settle` for a spacing and a support.
float silt_sediment_factor(double spacing, double support);
// The same for what falls onto the ground: layers of a lattice above it lose C times the speed, together.
float silt_sediment_ground_factor(double spacing, double support);
// Speed of settling in water that holds `load` units: Richardson and Zaki (1 - C)^e, or eq. 1.66.
float silt_sediment_speed(const SiltSediment *sediment, float load);
// Step `number`: particles sorted, loads in sph->now.sediment. Sums are exact: nothing is lost.
void silt_sediment_step(const SiltSediment *sediment, SiltSph *sph, float dt, int64_t number);

#endif
