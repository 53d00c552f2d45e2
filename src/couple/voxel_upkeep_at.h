// Where the upkeep of `voxel`'s rock is due, and what levelling does to a voxel. For C and OpenCL.
#ifndef SILT_COUPLE_VOXEL_UPKEEP_AT_H
#define SILT_COUPLE_VOXEL_UPKEEP_AT_H

#include "core/both.h"
#include "volume/flags.h"

#define SILT_UPKEEP_STALE  0.02f // voxels: a slope of phi is off by so much at the most
#define SILT_UPKEEP_SMOOTH 0.2f  // voxels of change that ask for all of the smoothing
#define SILT_UPKEEP_SHIFT  0.05f // voxels that levelling moves phi by at the most
#define SILT_UPKEEP_LEAST  1e-4  // voxels of rock that are given back
enum { SILT_UPKEEP_GROUP = 8 };  // columns of bricks along a side of those that are done together

// How far the surface of a brick has moved since the last look; from outside: all of it.
SILT_INLINE float silt_upkeep_moved(int flags, float activity)
{
    return flags & SILT_BRICK_TOUCHED ? 1.0f : activity;
}

// Bricks of a group are done together, so that what lies between them is looked at once: when one is due,
// those that are a quarter as stale are due, too.
SILT_INLINE bool silt_upkeep_is_due(float stalest, float stale)
{
    return stalest > SILT_UPKEEP_STALE && stale > 0.25f * SILT_UPKEEP_STALE;
}

// What is known of a brick, as SiltVoxelGround has it.
typedef struct SiltUpkeep {
    float activity, worn, moved;
} SiltUpkeep;

// What share of the smoothing a brick takes, as its activity from here on: of those not due none, and they go
// on adding up.
SILT_INLINE SiltUpkeep silt_upkeep_share(SiltUpkeep brick, bool is_due)
{
    SiltUpkeep next;
    float worn = brick.worn + brick.activity;
    next.moved = 0.5f * brick.moved + brick.activity;
    next.activity = is_due ? silt_minf(worn * (1.0f / SILT_UPKEEP_SMOOTH), 1.0f) : 0.0f;
    next.worn = is_due ? 0.0f : worn;
    return next;
}

// By how much levelling moves phi of a brick, and a voxel of it.
SILT_INLINE float silt_upkeep_shift(float shift, float moved)
{
    return silt_clampf(shift * moved, -SILT_UPKEEP_SHIFT, SILT_UPKEEP_SHIFT);
}

// By how much it moves for so many voxels of rock that smoothing and re-initialisation took from a brick
// whose surface is so large; nothing where there is little of it or next to nothing to give back.
SILT_INLINE float silt_upkeep_given(double taken, float area)
{
    bool is_worth = (taken > SILT_UPKEEP_LEAST) | (-taken > SILT_UPKEEP_LEAST);
    float by = (float)taken / silt_maxf(area, 1.0f);
    return (is_worth & (area >= 4.0f)) ? silt_clampf(by, -SILT_UPKEEP_SHIFT, SILT_UPKEEP_SHIFT) : 0.0f;
}

SILT_INLINE float silt_upkeep_shifted(float phi, float by)
{
    return phi + (silt_absf(phi) < 2.0f ? by : 0.0f);
}

#endif
