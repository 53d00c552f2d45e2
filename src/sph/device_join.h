// Newcomers among the particles of a device, once a kernel has given them their places (join.h): what they
// and those around have in each other's density.
#ifndef SILT_SPH_DEVICE_JOIN_H
#define SILT_SPH_DEVICE_JOIN_H

#include "sph/device_water.h"

enum { SILT_JOIN_ITEMS = 256 }; // of the group that finds places: SILT_JOIN_GROUP there

typedef struct SiltSphJoin SiltSphJoin;

SiltStatus silt_sph_join_create(SiltDevice *device, const char *owner, int capacity, SiltSphJoin **out);
void silt_sph_join_destroy(SiltSphJoin *join); // NULL: nothing
// Behind the particles that SiltSph counts, at most `most` newcomers: *placed, an int, says how many.
void silt_sph_join_run(SiltSphJoin *join, SiltSphDevice *water, const SiltSph *sph, int most,
                       SiltBuffer *placed);

#endif
