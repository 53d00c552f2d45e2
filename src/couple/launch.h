// Launches on a device beside its particles: kernels, and the arrays that they are given.
#ifndef SILT_COUPLE_LAUNCH_H
#define SILT_COUPLE_LAUNCH_H

#include "sph/device_join.h"

#define LAUNCH_BY(group, kernel, items, ...)                                                                 \
    silt_sph_launch_by(group, (kernel), (size_t)(items), (const SiltKernelArg[]){__VA_ARGS__},               \
                       (int)(sizeof((const SiltKernelArg[]){__VA_ARGS__}) / sizeof(SiltKernelArg)))
#define LAUNCH(kernel, items, ...) LAUNCH_BY(128, kernel, items, __VA_ARGS__)
#define BUFFER                     SILT_ARG_BUFFER
#define VALUE                      SILT_ARG_VALUE
#define ARRAY(d, which)            BUFFER(silt_sph_device_array((d)->water, which))
#define PLACES(d)                  ARRAY(d, SILT_AT_X), ARRAY(d, SILT_AT_Y), ARRAY(d, SILT_AT_Z)
#define VELOCITIES(d)              ARRAY(d, SILT_AT_U), ARRAY(d, SILT_AT_V), ARRAY(d, SILT_AT_W)
#define CELLS(b)                   BUFFER((b).grid), BUFFER((b).rows), BUFFER((b).start)

#endif
