// Rock taken apart into what hangs together: for loose.c.
#ifndef SILT_VOLUME_PARTS_H
#define SILT_VOLUME_PARTS_H

#include "volume/brick.h"

// In each brick by itself, voxels of rock that touch are a part of it; a uniform brick of rock is one. Parts
// that touch across the faces of bricks have one leader, the lowest of them.
typedef struct SiltParts {
    SiltVolume *volume;
    uint32_t *bricks;  // those that are not uniform
    uint32_t *first;   // of each brick: its first part
    size_t *labels_at; // of each brick that is not uniform: where its labels begin
    uint16_t *labels;  // of each voxel of such a brick, if it is rock: which part of the brick it belongs to
    uint32_t *leader;  // of each part
    size_t count;
    uint8_t *is_held; // of leaders: joined to the floor
    uint32_t *fall;   // of leaders: layers it may go down; 0 also for those that are held
} SiltParts;

// Fills all but `fall`. To be freed also after a failure, and after SILT_CANCELLED: who listens wants the run
// to stop.
SiltStatus silt_parts_find(SiltVolume *volume, SiltParts *out);
void silt_parts_free(SiltParts *parts);

static inline uint32_t silt_parts_leader(const SiltParts *parts, uint32_t part)
{
    uint32_t *leader = parts->leader;
    while (leader[part] != part) {
        leader[part] = leader[leader[part]];
        part = leader[part];
    }
    return part;
}

// The part that a voxel of rock belongs to.
static inline uint32_t silt_parts_at(const SiltParts *parts, int i, int j, int k)
{
    const SiltVolume *volume = parts->volume;
    size_t brick = silt_volume_brick(volume, i, j, k);
    if (silt_volume_is_uniform(volume, brick))
        return parts->first[brick];
    return parts->first[brick] + parts->labels[parts->labels_at[brick] + silt_volume_offset(volume, i, j, k)];
}

static inline bool silt_volume_is_rock(const SiltVolume *volume, int i, int j, int k)
{
    return silt_volume_at(volume, i, j, k) > 0.0f;
}

static inline bool silt_volume_is_within(const SiltVolume *volume, int i, int j, int k)
{
    return i < volume->size[0] && j < volume->size[1] && k < volume->size[2];
}

#endif
