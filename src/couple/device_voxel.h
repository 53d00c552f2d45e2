// `voxel` on a device: what its particles and its rock do there in a step. The arrays of the particles, of
// the maps and of the volume are then copies that are brought up to date on demand.
#ifndef SILT_COUPLE_DEVICE_VOXEL_H
#define SILT_COUPLE_DEVICE_VOXEL_H

#include "couple/device_fluid.h"
#include "couple/voxel_model.h"
#include "couple/voxel_pour.h"

typedef struct SiltVoxelDevice SiltVoxelDevice;

// Once the water has begun: moves it and the rock to the device of the run, if that has one. Sweeps
// (reinit) have none: they are refused there, or, `or_cpu`, run on the processor.
SiltStatus silt_voxel_use_device(SiltVoxel *v, bool or_cpu);
void silt_voxel_device_destroy(SiltVoxelDevice *device); // NULL: nothing

// Brings what shows a layer (silt_shallow_layers), or all, or the particles, where it lies on a device.
SiltStatus silt_voxel_bring(void *state, int layer);
// Takes all back there.
SiltStatus silt_voxel_send(void *state);
// The rock alone, and the ground that rain knows.
SiltStatus silt_voxel_bring_rock(SiltVoxel *v);
SiltStatus silt_voxel_send_rock(SiltVoxel *v);
// How soft it is.
SiltStatus silt_voxel_send_soft(SiltVoxel *v);

// ---- a step; failures stay with the device ----

// Up to where particles have met the rock and moved it, and the maps know of it.
void silt_voxel_device_step(SiltVoxel *v, double dt);
// Particles from a source, from number `first` on, as many as `owed` has whole ones, until one finds no
// place.
SiltDropped silt_voxel_device_pour(SiltVoxelDevice *device, const SiltPour *pour, int64_t first, double owed);
// silt_voxel_clear_rock there.
void silt_voxel_device_leave(SiltVoxelDevice *device, int old);
// What voxel_upkeep.c asks for where the rock is there, and silt_voxel_read_tops.
void silt_voxel_device_look(SiltVoxelDevice *device);
void silt_voxel_device_smooth(SiltVoxelDevice *device, double amount);
SiltStatus silt_voxel_device_redistance(SiltVoxelDevice *device);
double silt_voxel_device_rock(SiltVoxelDevice *device);
void silt_voxel_device_note(SiltVoxelDevice *device);
void silt_voxel_device_give_back(SiltVoxelDevice *device);
void silt_voxel_device_level(SiltVoxelDevice *device, double rock);
void silt_voxel_device_tops(SiltVoxelDevice *device);
// Whether any rock there hangs on nothing.
bool silt_voxel_device_has_loose(SiltVoxelDevice *device);
// After the sort that follows: what has been counted there is known.
void silt_voxel_counted(SiltVoxel *v);

#endif
