// Which particles are the surface of their water.
#ifndef SILT_RENDER_WATER_TOP_H
#define SILT_RENDER_WATER_TOP_H

#include "silt/particles.h"

// A copy whose load is 1 for particles of the surface and 0 for those inside: a particle is of the surface
// where no other within two spacings lies in a cone around "up" above it (Weiss eq. 3.39). The caller
// destroys it. By its `normal` (fig. 3.17a, which the thesis gives up) it is where the gradient of the colour
// field, which points into the water, points down: not where nothing lies below, and so not at thin rims.
SiltStatus silt_particles_mark_top(const SiltParticles *particles, bool by_normal, SiltParticles **out);

#endif
