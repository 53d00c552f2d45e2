// Which particles are the surface of their water.
#ifndef SILT_RENDER_WATER_TOP_H
#define SILT_RENDER_WATER_TOP_H

#include "silt/particles.h"

// A copy whose load is 1 for particles of the surface and 0 for those inside: a particle is of the surface
// where no other within two spacings lies in a cone around "up" above it (Weiss eq. 3.39). The caller
// destroys it.
SiltStatus silt_particles_mark_top(const SiltParticles *particles, SiltParticles **out);

#endif
