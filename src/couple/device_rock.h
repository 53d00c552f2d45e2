// The rock of `voxel` in the memory of a device: bricks in a pool, and what upkeep knows of each. The volume
// of the run is then a copy that is brought up to date on demand; which bricks it has is always as here.
#ifndef SILT_COUPLE_DEVICE_ROCK_H
#define SILT_COUPLE_DEVICE_ROCK_H

#include "couple/device_bricks.h"
#include "couple/voxel_ground.h"
#include "opencl/device.h"

enum { SILT_DEVICE_SHARED = 2 }; // places of the pool that uniform bricks share

typedef struct SiltDeviceRock {
    SiltVoxelGround *ground;
    SiltDevice *device;
    const char *owner;
    SiltBuffer *size;       // SiltRockSize
    SiltBuffer *table;      // of each brick: its place in the pool
    SiltBuffer *flags;      // of each brick, as the volume has them
    SiltBuffer *activity;   // and as the ground has them
    SiltBuffer *phi, *soft; // of each voxel of the pool
    SiltBuffer *sums;       // change of phi in this step
    SiltBuffer *touched;    // of each place: whether any of its sums is not zero
    SiltBuffer *brick;      // whose it is
    SiltBuffer *totals;     // SILT_ROCK_TOTALS whole numbers
    int64_t found[SILT_ROCK_TOTALS];
    int32_t *place; // of each brick: the table as it is there
    void *staging;  // bricks on their way
    int places, capacity;
    bool is_known; // the volume's phi, and what upkeep knows, are as they are here
} SiltDeviceRock;

SiltStatus silt_device_rock_create(SiltDevice *device, const char *owner, SiltVoxelGround *ground,
                                   SiltDeviceRock *out);
void silt_device_rock_destroy(SiltDeviceRock *rock);
// Takes all from the volume and the ground; brings it there.
SiltStatus silt_device_rock_push(SiltDeviceRock *rock);
SiltStatus silt_device_rock_fetch(SiltDeviceRock *rock);
// How soft the rock is has changed.
SiltStatus silt_device_rock_push_soft(SiltDeviceRock *rock);

#endif
