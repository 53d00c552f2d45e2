// Particles into a block and back.
#ifndef SILT_IO_PARTICLES_H
#define SILT_IO_PARTICLES_H

#include "core/pack.h"
#include "silt/particles.h"

// Those that silt_particles_clone made. When reading, *particles are made, and destroyed again by the caller
// also after a failure; they may be NULL then.
void silt_particles_pack(SiltParticles **particles, SiltPack *pack);

#endif
