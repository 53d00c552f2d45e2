// Heights and depths in grains: whole multiples of a power of two of a metre, in 32-bit integers. What leaves
// one cell is exactly what arrives in the next, sums have no order, and a lake that is level is level to the
// bit. An amount that is no whole number of grains is rounded up or down so that it is right on average over
// the steps: floor(amount + dither), with a dither that runs through [0, 1) evenly (multiples of an
// irrational number, modulo one) and is the same for all cells of a step.
#ifndef SILT_PHYSICS_GRAINS_H
#define SILT_PHYSICS_GRAINS_H

#include "silt_fn.h"

// Ground lies above the floor, ground and water together below the wall; a wall is a cell without data, or
// the world beyond a closed border: too high for any water and dry itself, so that nothing passes.
#define SILT_GRAINS_FLOOR (-1073741824)
#define SILT_GRAINS_WALL  1073741823
#define SILT_GRAINS_MOVE  6.0e7f    // what goes from a cell to a neighbour in one step, at the most
#define SILT_GRAINS_LOAD  200000000 // what the water over a cell carries, at the most

SILT_FN silt_i32 silt_mini(silt_i32 a, silt_i32 b)
{
    return a < b ? a : b;
}

SILT_FN silt_i32 silt_maxi(silt_i32 a, silt_i32 b)
{
    return a > b ? a : b;
}

SILT_FN silt_i32 silt_clampi(silt_i32 value, silt_i32 low, silt_i32 high)
{
    return silt_mini(silt_maxi(value, low), high);
}

// `amount` is zero or more; amounts beyond the range of grains are cut.
SILT_FN silt_i32 silt_grains(float amount, float dither)
{
    return (silt_i32)(silt_minf(amount, 1.0e9f) + dither);
}

// The same for what goes to a neighbour: eight of these and what is there already can be counted.
SILT_FN silt_i32 silt_grains_moved(float amount, float dither)
{
    return (silt_i32)(silt_minf(amount, SILT_GRAINS_MOVE) + dither);
}

// What must go because the water would stand above the wall.
SILT_FN silt_i32 silt_grains_over(silt_i32 ground, silt_i32 water)
{
    return water - silt_mini(water, silt_maxi(SILT_GRAINS_WALL - 1 - ground, 0));
}

// How deep water may dig: as far below its lowest direct neighbour as its speed lifts it, v^2 / 2g, and in a
// step `share` of the way down to there.
typedef struct SiltDigging {
    float head;    // grains for a speed squared; no speed lifts by more than SILT_GRAINS_LIFT
    float share;   // up to 0.75
    silt_i32 free; // all that can be counted may go, as in the papers
} SiltDigging;
#define SILT_GRAINS_LIFT 500000000
#define SILT_GRAINS_ALL  100000000

// How much may be dug from a cell in one step. Water carries nothing out of a hole from which it cannot get,
// and a step cannot turn a slope round; but a level bed is not safe from water that runs over it.
SILT_FN silt_i32 silt_grains_to_dig(silt_i32 ground, silt_i32 east, silt_i32 west, silt_i32 south,
                                    silt_i32 north, float speed_square, SiltDigging dig)
{
    silt_i32 lowest = silt_mini(silt_mini(east, west), silt_mini(south, north));
    float above = (float)(ground - silt_maxi(lowest, SILT_GRAINS_FLOOR)) + speed_square * dig.head;
    return (silt_i32)(silt_clampf(above, 0.0f, 2.0e9f) * dig.share);
}

// How much may settle on a cell in one step: a heap rises above its lowest direct neighbour by `rest` at the
// most.
SILT_FN silt_i32 silt_grains_to_heap(silt_i32 ground, silt_i32 east, silt_i32 west, silt_i32 south,
                                     silt_i32 north, silt_i32 rest)
{
    silt_i32 lowest = silt_mini(silt_mini(east, west), silt_mini(south, north));
    silt_i32 top = silt_mini(lowest, SILT_GRAINS_WALL - 2 - rest) + rest;
    return silt_maxi(top - ground, 0);
}

// The lower of `above` and `other`, if `other` is higher than the ground at all: over all neighbours, the
// lowest of those that are higher.
SILT_FN silt_i32 silt_grains_above(silt_i32 above, silt_i32 ground, silt_i32 other)
{
    return other > ground ? silt_mini(above, other) : above;
}

// Wear adds up for ever: it stops at what can be counted.
SILT_FN silt_i32 silt_grains_worn(silt_i32 wear, silt_i32 more)
{
    silt_u32 sum = (silt_u32)wear + (silt_u32)more;
    return (silt_i32)(sum < 0x7FFFFFFFu ? sum : 0x7FFFFFFFu);
}

// The dither of step `step` for the process with the odd multiplier `irrational` (2^32 times an irrational
// number).
SILT_FN float silt_dither(silt_u64 step, silt_u32 irrational)
{
    return (float)((silt_u32)(step * irrational + 0x80000000u) >> 8) * (1.0f / 16777216.0f);
}

#endif
