// silt/particles.h — water made of particles, as models and silt/fluid.h show it and as files hold it.
#ifndef SILT_PARTICLES_H
#define SILT_PARTICLES_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A look at the particles of a model; valid until its next step.
typedef struct SiltParticles {
    int count;
    const float *x, *y, *z; // m east and south of the terrain's north-western corner, and above `low`
    const float *u, *v, *w; // m/s along these
    const float *density;   // kg/m3
    const float *sediment;  // rock, in shares of `load`
    const int64_t *id;
    double low;         // m above sea level
    double load;        // share of a particle's volume that one unit of sediment takes
    double west, south; // m from the north-western corner to the centre of the south-western cell
    double spacing;     // m between particles at rest; 0: not known
    int64_t left_out;   // of a file: particles that were no finite numbers, and are not among these
} SiltParticles;

// A copy with arrays of its own, which the caller destroys.
SILT_API SiltStatus silt_particles_clone(const SiltParticles *particles, SiltParticles **out);
SILT_API void silt_particles_destroy(SiltParticles *particles);

#ifdef __cplusplus
}
#endif
#endif
