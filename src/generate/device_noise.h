// A map of fractal noise made on the device of a run, in the bytes of the processor.
#ifndef SILT_GENERATE_DEVICE_NOISE_H
#define SILT_GENERATE_DEVICE_NOISE_H

#include "generate/noise_at.h"
#include "silt/terrain.h"

// Fails where the device is short of memory, does not count in double precision or fails itself.
SiltStatus silt_noise_on_device(const SiltRun *run, const SiltNoiseSum *noise, SiltField *field);

#endif
