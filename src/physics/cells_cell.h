// One cell of Olsen's automaton (Fritz 3.5.1, after Olsen 2004). Heights and depths are in grains (grains.h);
// the altitude of a cell is its ground and its water together.
#ifndef SILT_PHYSICS_CELLS_CELL_H
#define SILT_PHYSICS_CELLS_CELL_H

#include "grains.h"

// What a cell gives to a neighbour that lies d lower: share * d + even, whole grains of it.
typedef struct SiltCellsFlow {
    float share, even;
} SiltCellsFlow;

// A hair less than all: then rounding cannot take more than there is.
#define SILT_CELLS_HAIR 0.9999990463256836f

// How a cell with `water` parts with it. `straight` and `diagonal` are the sums of the drops to its lower
// neighbours and `count` their number; `weight` is what a diagonal drop counts for, being longer.
// The mean altitude of the cell and its lower neighbours lies (straight + diagonal) / (count + 1) below it.
// Case 1: it holds more water than that, gives that much and is level with the mean. Case 2: it holds less
// and is emptied. Either is shared out by the drops, or (evenly) case 2 in equal parts.
SILT_FN SiltCellsFlow cells_flow(float water, float straight, float diagonal, float count, float weight,
                                 int evenly)
{
    float above_mean = (straight + diagonal) / (count + 1.0f);
    float drops = straight + weight * diagonal;
    int empties = water < above_mean;
    float leaves = (empties ? water : above_mean) * SILT_CELLS_HAIR;
    SiltCellsFlow flow;
    flow.even = empties && evenly ? leaves / silt_maxf(count, 1.0f) : 0.0f;
    flow.share = empties && evenly ? 0.0f : leaves / silt_maxf(drops, 1.0f);
    return flow;
}

// What a cell gains from a neighbour (negative: gives to it). Whoever is higher gives, but no more than
// `most` of the drop: one part in as many as there are neighbours and itself, so that all of them together
// cannot raise a cell above the highest of them, and lakes come to rest.
SILT_FN silt_i32 cells_gain(silt_i32 own, silt_i32 other, SiltCellsFlow own_flow, SiltCellsFlow other_flow,
                            float weight, float most)
{
    silt_i32 drop = other - own;
    float share = drop > 0 ? other_flow.share : own_flow.share;
    float even = drop > 0 ? other_flow.even : own_flow.even;
    float fall = (float)(drop < 0 ? -drop : drop);
    silt_i32 grains = (silt_i32)silt_minf(fall * (weight * share) + even, fall * most);
    return drop > 0 ? grains : -grains;
}

// Sediment that goes with `water` grains gained or given: the giver's load (sediment per water) and dither.
SILT_FN silt_i32 cells_carry(silt_i32 water, float own_load, float other_load, float own_dither,
                             float other_dither)
{
    float load = water > 0 ? other_load : own_load, dither = water > 0 ? other_dither : own_dither;
    silt_i32 grains = (silt_i32)((float)(water < 0 ? -water : water) * load + dither);
    grains = water == 0 ? 0 : grains;
    return water > 0 ? grains : -grains;
}

// Hardness by steepness: the sine of the slope, not below `least`.
SILT_FN float cells_steepness(float rise_x, float rise_y, float least)
{
    float square = rise_x * rise_x + rise_y * rise_y;
    return silt_maxf(silt_sqrtf(square / (1.0f + square)), least);
}

// Which share of its capacity water holds where its surface has this slope: all of it from the slope `still`
// on, less in proportion where it is flatter, and none where it stands.
SILT_FN float cells_calm(float rise_x, float rise_y, float still)
{
    float slope = silt_sqrtf(rise_x * rise_x + rise_y * rise_y);
    return slope < still ? slope / still : 1.0f;
}

// Grains of rock that water can hold; no more than a quarter of what can be counted, so that waters may meet.
SILT_FN float cells_holds(float water, float capacity)
{
    return silt_minf(capacity * water, 0.25f * (float)SILT_GRAINS_LOAD);
}

// Grains of deposit and of rock that the water dissolves. It takes `wanted` and `room` at the most, and loose
// deposit first, which goes `loose` times as fast.
typedef struct SiltCellsDissolved {
    silt_i32 deposit, rock;
} SiltCellsDissolved;

SILT_FN SiltCellsDissolved cells_dissolve(float wanted, silt_i32 deposit, silt_i32 room, float loose,
                                          float erodibility, float dither)
{
    float from_deposit = silt_minf(wanted * loose, (float)deposit);
    float from_rock = (wanted - from_deposit / loose) * erodibility;
    SiltCellsDissolved dissolved;
    dissolved.deposit = silt_mini(silt_grains(from_deposit, dither), silt_mini(deposit, room));
    dissolved.rock = silt_mini(silt_grains(silt_maxf(from_rock, 0.0f), dither), room - dissolved.deposit);
    return dissolved;
}

#endif
