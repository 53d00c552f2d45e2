// Rock that particles of water hand on to each other: settling and diffusion (Kataev 1.5.4, 1.5.5).
#ifndef SILT_COUPLE_SEDIMENT_H
#define SILT_COUPLE_SEDIMENT_H

#include "couple/loads.h"
#include "sph/sph.h"

// The factor `settle` for a spacing and a support.
float silt_sediment_factor(double spacing, double support);
// The same for what falls onto the ground: layers of a lattice above it lose C times the speed, together.
float silt_sediment_ground_factor(double spacing, double support);
// Numbers of a step: the pace of diffusion, and the dithers of settling and diffusion.
float silt_sediment_spread(const SiltSediment *sediment, float dt);
void silt_sediment_dithers(int64_t step, float dither[2]);
// Step `number`: particles sorted, loads in sph->now.sediment. Sums are exact: nothing is lost.
void silt_sediment_step(const SiltSediment *sediment, SiltSph *sph, float dt, int64_t number);

#endif
