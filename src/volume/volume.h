// The inside of a volume: its bricks, and how a voxel is found.
#ifndef SILT_VOLUME_VOLUME_H
#define SILT_VOLUME_VOLUME_H

#include "silt/volume.h"
#include "volume/flags.h"

struct SiltVolume {
    int size[3];        // voxels east, north and up
    int bricks[3];      // bricks along each axis, the last of them perhaps beyond the last voxel
    int side, shift;    // voxels along a brick, and their logarithm
    double cell;        // metres from one voxel to the next
    double origin[3];   // metres of voxel (0, 0, 0)
    double frame[3];    // metres that its meshes count from in files: see silt_volume_place_mesh
    bool is_placed;     // whether the origin is a place on a map
    char crs[64];       // of that map, as SiltGeoreference has it
    float band;         // |phi| at the most
    float **table;      // of each brick, x fastest: side^3 phi, then side^3 erodibility
    float *solid;       // shared by all bricks within rock
    float *empty;       // shared by all bricks in the air
    uint8_t *flags;     // of each brick
    size_t brick_count; // bricks that are not uniform
    SiltRock rock;
    uint64_t rock_seed;
    SiltField
        rock_map; // factor of erodibility by column, row 0 the northern one; data NULL when there is none
    struct SiltBrickPool *pool;
    struct SiltFormerRock *former; // where its surface was before water came to it; NULL: not remembered
};

static inline size_t silt_volume_brick(const SiltVolume *volume, int i, int j, int k)
{
    size_t a = (size_t)(i >> volume->shift), b = (size_t)(j >> volume->shift),
           c = (size_t)(k >> volume->shift);
    return (c * (size_t)volume->bricks[1] + b) * (size_t)volume->bricks[0] + a;
}

static inline size_t silt_volume_offset(const SiltVolume *volume, int i, int j, int k)
{
    size_t mask = (size_t)volume->side - 1;
    return ((((size_t)k & mask) << volume->shift | ((size_t)j & mask)) << volume->shift) | ((size_t)i & mask);
}

static inline float silt_volume_at(const SiltVolume *volume, int i, int j, int k)
{
    return volume->table[silt_volume_brick(volume, i, j, k)][silt_volume_offset(volume, i, j, k)];
}

static inline bool silt_volume_is_uniform(const SiltVolume *volume, size_t brick)
{
    return volume->table[brick] == volume->solid || volume->table[brick] == volume->empty;
}

// Gives a brick memory of its own.
SiltStatus silt_volume_require(SiltVolume *volume, size_t brick);

#endif
