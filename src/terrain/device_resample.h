// Fields brought to another number of cells on a device, in the bytes of the processor (resample.c).
#ifndef SILT_TERRAIN_DEVICE_RESAMPLE_H
#define SILT_TERRAIN_DEVICE_RESAMPLE_H

#include "silt/device.h"
#include "silt/terrain.h"

// For each new index: the old indices first[t] .. first[t] + taps - 1 and their weights. All have the same
// number of taps (some weigh nothing), and all lie within the old grid.
typedef struct SiltResampleAxis {
    int from, to, taps;
    bool wider; // more cells than before
    int32_t *first;
    double *weight; // `taps` of them for each new index
} SiltResampleAxis;

typedef struct SiltDeviceResample SiltDeviceResample;

// For fields of one size, brought to another. Fails where the device is short of memory, does not count in
// double precision or fails itself.
SiltStatus silt_device_resample_create(SiltDevice *device, const SiltResampleAxis *columns,
                                       const SiltResampleAxis *rows, SiltDeviceResample **out);
void silt_device_resample_destroy(SiltDeviceResample *resample); // NULL: nothing
SiltStatus silt_device_resample_run(SiltDeviceResample *resample, const SiltField *from, SiltField *to);

#endif
