// The rock of `voxel` in the memory of a device: bricks in a pool, and what upkeep knows of each. The volume
// of the run is then a copy that is brought up to date on demand; which bricks it has is always as here.
#ifndef SILT_COUPLE_DEVICE_ROCK_H
#define SILT_COUPLE_DEVICE_ROCK_H

#include "couple/device_bricks.h"
#include "couple/voxel_ground.h"
#include "opencl/device.h"

enum { SILT_DEVICE_SHARED = 2 }; // places of the pool that uniform bricks share

// Buffers of each brick.
enum {
    SILT_BRICK_TABLE, // its place in the pool
    SILT_BRICK_FLAGS, // as the volume has them
    SILT_BRICK_ACTIVITY,
    SILT_BRICK_WORN,
    SILT_BRICK_STALE,
    SILT_BRICK_MOVED, // as the ground has them
    SILT_BRICK_DUE,
    SILT_BRICK_ROCK,  // voxels of rock
    SILT_BRICK_KEPT,  // those before smoothing
    SILT_BRICK_ROLE,  // in a re-initialisation
    SILT_BRICK_MARK,  // whether it is in the list of those to come
    SILT_BRICK_FRESH, // that list
    SILT_BRICK_SLOT,  // how many before it have voxels
    SILT_BRICK_LIST,  // those to measure
    SILT_BRICK_BUFFERS
};

// Buffers of each place of the pool.
enum {
    SILT_PLACE_PHI,
    SILT_PLACE_SOFT,
    SILT_PLACE_SUMS,    // change of phi in this step, of each voxel
    SILT_PLACE_SCRATCH, // phi to come, or distances that voxels keep
    SILT_PLACE_TOUCHED, // whether any of its sums is not zero
    SILT_PLACE_BRICK,   // whose it is; below zero: nobody's
    SILT_PLACE_SOURCE,  // SiltReinitSource
    SILT_PLACE_SOURCES, // lists of places
    SILT_PLACE_DONE,
    SILT_PLACE_RELEASED,
    SILT_PLACE_GONE,  // pairs of brick and place
    SILT_PLACE_SLOTS, // bricks that have voxels, in their order
    SILT_PLACE_AREA,  // of each of those
    SILT_PLACE_BUFFERS
};

typedef struct SiltDeviceRock {
    SiltVoxelGround *ground;
    SiltDevice *device;
    const char *owner;
    SiltBuffer *size;   // SiltRockSize
    SiltBuffer *totals; // SILT_ROCK_TOTALS whole numbers
    SiltBuffer *of_brick[SILT_BRICK_BUFFERS], *of_place[SILT_PLACE_BUFFERS];
    int64_t found[SILT_ROCK_TOTALS];
    int32_t *brick; // of each place, as there
    int32_t *spare; // places that nobody has
    void *staging;  // bricks on their way
    int places, spare_count, capacity;
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
// Makes room for so many more bricks.
SiltStatus silt_device_rock_reserve(SiltDeviceRock *rock, int more);
// A place for a brick, of which there is room; and back.
int silt_device_rock_take(SiltDeviceRock *rock, int32_t brick);
void silt_device_rock_give(SiltDeviceRock *rock, int place);

#endif
