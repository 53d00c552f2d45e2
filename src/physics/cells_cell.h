// One cell of Olsen's automaton (Fritz 3.5.1, after Olsen 2004). Heights and depths are in grains (grains.h);
// the altitude of a cell is its ground and its water together.
#ifndef SILT_PHYSICS_CELLS_CELL_H
#define SILT_PHYSICS_CELLS_CELL_H

#include "grains.h"

// What all cells of a step share.
typedef struct SiltCellsStep {
    float per_metre;      // grains
    float over_two;       // slope over two cells for a grain of height
    float rate, capacity; // shares of the water's depth: what it dissolves at most, and holds
    float least, loose;   // the least steepness; how much faster deposit goes than rock
    float still;          // slope of the surface below which water holds less
    float rain_dither, rock_dither, load_dither, loss_dither;
    float dt, volume, top_speed; // s, m3 of a grain, m/s
    SiltDigging dig;
    float most;        // of a drop that goes to one neighbour
    silt_i32 wet, fan; // grains: a depth that counts, and what settles above the lowest neighbour at the most
} SiltCellsStep;

// A hair less than all: then rounding cannot take more than there is.
#define SILT_CELLS_HAIR 0.9999990463256836f
// What a diagonal drop counts for, being longer.
#define SILT_CELLS_ACROSS 0.70710678f

// ---- step 1: rain ----

typedef struct SiltCellsRained {
    silt_i32 water, taken;
    silt_i32 full; // 1 where there was no room for all of it
} SiltCellsRained;

// `rain` metres of water; a wall takes none.
SILT_FN SiltCellsRained silt_cells_rain(silt_i32 ground, silt_i32 water, float rain, SiltCellsStep step)
{
    SiltCellsRained rained;
    silt_i32 room = SILT_GRAINS_WALL - 1 - ground - water;
    silt_i32 wanted = silt_grains(rain * step.per_metre, step.rain_dither);
    rained.taken = silt_maxi(silt_mini(wanted, room), 0);
    rained.water = water + rained.taken;
    rained.full = rained.taken < wanted && ground != SILT_GRAINS_WALL;
    return rained;
}

// ---- step 2: water dissolves the ground ----

// The rise between the cells on both sides; a wall counts as high as the cell itself.
SILT_FN float silt_cells_rise(silt_i32 here, silt_i32 one, silt_i32 other, float over_two)
{
    one = one == SILT_GRAINS_WALL ? here : one;
    other = other == SILT_GRAINS_WALL ? here : other;
    return (float)(other - one) * over_two;
}

// How steeply the ground falls along one axis: from the cell on one side to that on the other, or from the
// cell itself to the lower of both, which is more on summits and crests.
SILT_FN float silt_cells_fall(silt_i32 here, silt_i32 one, silt_i32 other, float over_two)
{
    float through = silt_cells_rise(here, one, other, over_two);
    float down = (float)(here - silt_mini(one, other)) * (2.0f * over_two);
    return silt_maxf(through < 0.0f ? -through : through, down);
}

// Hardness by steepness: the sine of the slope, not below `least`.
SILT_FN float silt_cells_steepness(float rise_x, float rise_y, float least)
{
    float square = rise_x * rise_x + rise_y * rise_y;
    return silt_maxf(silt_sqrtf(silt_over(square, 1.0f + square)), least);
}

// Which share of its capacity water holds where its surface has this slope: all of it from the slope `still`
// on, less in proportion where it is flatter, and none where it stands.
SILT_FN float silt_cells_calm(float rise_x, float rise_y, float still)
{
    float slope = silt_sqrtf(rise_x * rise_x + rise_y * rise_y);
    return slope < still ? silt_over(slope, still) : 1.0f;
}

// The same from the levels here and around.
SILT_FN float silt_cells_calm_of(silt_i32 level, silt_i32 w, silt_i32 e, silt_i32 n, silt_i32 s,
                                 SiltCellsStep step)
{
    return silt_cells_calm(silt_cells_fall(level, w, e, step.over_two),
                           silt_cells_fall(level, n, s, step.over_two), step.still);
}

// Grains of rock that water can hold; no more than a quarter of what can be counted, so that waters may meet.
SILT_FN float silt_cells_holds(float water, float capacity)
{
    return silt_minf(capacity * water, 0.25f * (float)SILT_GRAINS_LOAD);
}

// Grains of deposit and of rock that the water dissolves. It takes `wanted` and `room` at the most, and loose
// deposit first, which goes `loose` times as fast.
typedef struct SiltCellsDissolved {
    silt_i32 deposit, rock;
} SiltCellsDissolved;

SILT_FN SiltCellsDissolved silt_cells_dissolve(float wanted, silt_i32 deposit, silt_i32 room, float loose,
                                               float erodibility, float dither)
{
    float from_deposit = silt_minf(wanted * loose, (float)deposit);
    float from_rock = (wanted - silt_over(from_deposit, loose)) * erodibility;
    SiltCellsDissolved dissolved;
    dissolved.deposit = silt_mini(silt_grains(from_deposit, dither), silt_mini(deposit, room));
    dissolved.rock = silt_mini(silt_grains(silt_maxf(from_rock, 0.0f), dither), room - dissolved.deposit);
    return dissolved;
}

typedef struct SiltCellsGround {
    silt_i32 ground, sediment, deposit, altitude;
} SiltCellsGround;

// The ground after water of depth `water` has taken up what it can. All that neighbours carry can be counted
// beside its own load.
SILT_FN SiltCellsGround silt_cells_wear(silt_i32 here, silt_i32 w, silt_i32 e, silt_i32 n, silt_i32 s,
                                        silt_i32 water, silt_i32 sediment, silt_i32 deposit,
                                        float erodibility, float calm, SiltCellsStep step)
{
    float steepness = silt_cells_steepness(silt_cells_fall(here, w, e, step.over_two),
                                           silt_cells_fall(here, n, s, step.over_two), step.least);
    float depth = (float)water;
    float room = silt_cells_holds(depth, step.capacity * calm) - (float)sediment;
    float wanted = silt_clampf(step.rate * depth * steepness, 0.0f, silt_maxf(room, 0.0f));
    silt_i32 room_below = silt_grains_to_dig(here, e, w, s, n, 0.0f, step.dig);
    silt_i32 to_floor = silt_mini(silt_maxi(here, SILT_GRAINS_FLOOR) - SILT_GRAINS_FLOOR, SILT_GRAINS_ALL);
    silt_i32 below = silt_mini(step.dig.free ? to_floor : room_below, SILT_GRAINS_LOAD - sediment);
    SiltCellsDissolved dissolved =
        silt_cells_dissolve(wanted, deposit, below, step.loose, erodibility, step.rock_dither);
    silt_i32 gone = water > 0 ? dissolved.deposit + dissolved.rock : 0;
    SiltCellsGround after;
    after.ground = here - gone;
    after.deposit = deposit - (water > 0 ? dissolved.deposit : 0);
    after.sediment = sediment + gone;
    after.altitude = after.ground + water;
    return after;
}

// All that was ever dissolved, up to as much as can be counted.
SILT_FN silt_i32 silt_cells_worn(silt_i32 wear, silt_i32 before, silt_i32 after)
{
    return wear + silt_mini(before - after, 0x7FFFFFFF - wear);
}

// Grains of rock that come with the water of the sources, as `brought` metres.
SILT_FN silt_i32 silt_cells_bring(silt_i32 ground, silt_i32 sediment, float brought, float grain,
                                  SiltCellsStep step)
{
    silt_i32 grains = silt_mini(silt_grains(brought / grain, step.rock_dither), SILT_GRAINS_LOAD - sediment);
    return ground == SILT_GRAINS_WALL ? 0 : grains;
}

// ---- step 3: water moves to lower neighbours, and takes its sediment along ----

// What a cell gives to a neighbour that lies d lower: share * d + even, whole grains of it.
typedef struct SiltCellsFlow {
    float share, even;
} SiltCellsFlow;

// How a cell with `water` parts with it. `straight` and `diagonal` are the sums of the drops to its lower
// neighbours and `count` their number; `weight` is what a diagonal drop counts for, being longer.
// The mean altitude of the cell and its lower neighbours lies (straight + diagonal) / (count + 1) below it.
// Case 1: it holds more water than that, gives that much and is level with the mean. Case 2: it holds less
// and is emptied. Either is shared out by the drops, or (evenly) case 2 in equal parts.
SILT_FN SiltCellsFlow silt_cells_flow(float water, float straight, float diagonal, float count, float weight,
                                      int evenly)
{
    float above_mean = silt_over(straight + diagonal, count + 1.0f);
    float drops = straight + weight * diagonal;
    int empties = water < above_mean;
    float leaves = (empties ? water : above_mean) * SILT_CELLS_HAIR;
    SiltCellsFlow flow;
    flow.even = empties && evenly ? silt_over(leaves, silt_maxf(count, 1.0f)) : 0.0f;
    flow.share = empties && evenly ? 0.0f : silt_over(leaves, silt_maxf(drops, 1.0f));
    return flow;
}

SILT_FN silt_i32 silt_cells_drop(silt_i32 here, silt_i32 other)
{
    return silt_maxi(here - other, 0);
}

// The drops to the lower of two opposite pairs of neighbours, and how many there are. Sums go by pairs: a
// turned map gives the same bits.
typedef struct SiltCellsDrops {
    float sum, count;
} SiltCellsDrops;

SILT_FN SiltCellsDrops silt_cells_drops(silt_i32 here, silt_i32 a, silt_i32 opposite_a, silt_i32 b,
                                        silt_i32 opposite_b)
{
    silt_i32 to_a = silt_cells_drop(here, a), back_a = silt_cells_drop(here, opposite_a);
    silt_i32 to_b = silt_cells_drop(here, b), back_b = silt_cells_drop(here, opposite_b);
    SiltCellsDrops drops;
    drops.sum = ((float)to_a + (float)back_a) + ((float)to_b + (float)back_b);
    drops.count =
        (float)(silt_mini(to_a, 1) + silt_mini(back_a, 1) + silt_mini(to_b, 1) + silt_mini(back_b, 1));
    return drops;
}

// A cell as its neighbours see it when water moves.
typedef struct SiltCellsSide {
    silt_i32 altitude;
    SiltCellsFlow flow;
    float load, dither; // sediment per water, and how what goes with it is rounded
} SiltCellsSide;

// How a cell parts with its water and its sediment, from the drops to direct and to diagonal neighbours (none
// of these where only `four` count).
SILT_FN SiltCellsSide silt_cells_part(silt_i32 altitude, SiltCellsDrops straight, SiltCellsDrops diagonal,
                                      silt_i32 water, silt_i32 sediment, int eight, int evenly,
                                      SiltCellsStep step)
{
    float depth = (float)water, held = (float)sediment;
    float weight = eight ? SILT_CELLS_ACROSS : 0.0f, neighbours = eight ? 8.0f : 4.0f;
    float across = eight ? diagonal.sum : 0.0f;
    float count = eight ? straight.count + diagonal.count : straight.count;
    SiltCellsSide side;
    side.altitude = altitude;
    side.flow = silt_cells_flow(depth, straight.sum, across, count, weight, evenly);
    float leaves = side.flow.share * (straight.sum + weight * across) + side.flow.even * count;
    float load = silt_over(held, silt_maxf(depth, 1.0f)) * SILT_CELLS_HAIR;
    side.load = depth > 0.0f ? load : 0.0f;
    side.dither = leaves * load + neighbours <= held ? step.load_dither : 0.0f;
    return side;
}

// What a cell gains from a neighbour (negative: gives to it). Whoever is higher gives, but no more than
// `most` of the drop: one part in as many as there are neighbours and itself, so that all of them together
// cannot raise a cell above the highest of them, and lakes come to rest.
SILT_FN silt_i32 silt_cells_gain(silt_i32 own, silt_i32 other, SiltCellsFlow own_flow,
                                 SiltCellsFlow other_flow, float weight, float most)
{
    silt_i32 drop = other - own;
    float share = drop > 0 ? other_flow.share : own_flow.share;
    float even = drop > 0 ? other_flow.even : own_flow.even;
    float fall = (float)(drop < 0 ? -drop : drop);
    silt_i32 grains = (silt_i32)silt_minf(fall * (weight * share) + even, fall * most);
    return drop > 0 ? grains : -grains;
}

// Sediment that goes with `water` grains gained or given: the giver's load (sediment per water) and dither.
SILT_FN silt_i32 silt_cells_carry(silt_i32 water, float own_load, float other_load, float own_dither,
                                  float other_dither)
{
    float load = water > 0 ? other_load : own_load, dither = water > 0 ? other_dither : own_dither;
    silt_i32 grains = (silt_i32)((float)(water < 0 ? -water : water) * load + dither);
    grains = water == 0 ? 0 : grains;
    return water > 0 ? grains : -grains;
}

// What a cell gains from all its neighbours; `given` is what it gives.
typedef struct SiltCellsNet {
    silt_i32 water, sediment, given;
} SiltCellsNet;

SILT_FN SiltCellsNet silt_cells_exchange(SiltCellsNet net, SiltCellsSide own, SiltCellsSide other,
                                         float weight, float most)
{
    silt_i32 gain = silt_cells_gain(own.altitude, other.altitude, own.flow, other.flow, weight, most);
    net.water += gain;
    net.sediment += silt_cells_carry(gain, own.load, other.load, own.dither, other.dither);
    net.given -= silt_mini(gain, 0);
    return net;
}

// The same where all goes by the drops, which takes two thirds of the instructions on a processor: what a
// cell gives to a direct and to a diagonal neighbour for each grain that these lie lower, `most` at the most.
// Rounding keeps order, so that the lesser of two products is that with the lesser.
typedef struct SiltCellsShares {
    float straight, diagonal;
} SiltCellsShares;

SILT_FN SiltCellsShares silt_cells_shares(float share, float most)
{
    SiltCellsShares shares;
    shares.straight = silt_minf(share, most);
    shares.diagonal = silt_minf(SILT_CELLS_ACROSS * share, most);
    return shares;
}

typedef struct SiltCellsGiver {
    silt_i32 altitude;
    float share, load, dither; // that of the direction; the dither is below one, so that no water takes none
} SiltCellsGiver;

SILT_FN SiltCellsNet silt_cells_trade(SiltCellsNet net, SiltCellsGiver own, SiltCellsGiver other)
{
    silt_i32 drop = other.altitude - own.altitude;
    silt_i32 water = (silt_i32)((float)(drop < 0 ? -drop : drop) * (drop > 0 ? other.share : own.share));
    silt_i32 gain = drop > 0 ? water : -water;
    float load = gain > 0 ? other.load : own.load, dither = gain > 0 ? other.dither : own.dither;
    silt_i32 rock = (silt_i32)((float)water * load + dither);
    net.water += gain;
    net.sediment += gain > 0 ? rock : -rock;
    net.given -= silt_mini(gain, 0);
    return net;
}

// ---- step 4: water evaporates and drops what it cannot hold ----

// How much may settle on a cell in one step: half of what it lies below the lowest of the neighbours that
// are higher, which is `above` (a wall: there is none).
SILT_FN silt_i32 silt_cells_to_fill(silt_i32 ground, silt_i32 above)
{
    return above == SILT_GRAINS_WALL ? 0 : (above - ground) / 2;
}

typedef struct SiltCellsDone {
    silt_i32 ground, water, sediment, deposit;
    silt_i32 dried; // water that has evaporated
} SiltCellsDone;

// A cell after `water` and `sediment` have come to it. `heap` is what may settle without making needles,
// `fill` what may settle in still water: there it may lie steeper, but turns no slope round and stays well
// below the surface.
SILT_FN SiltCellsDone silt_cells_dry(SiltCellsGround cell, silt_i32 water, silt_i32 sediment, silt_i32 heap,
                                     silt_i32 fill, float calm, float loss, SiltCellsStep step)
{
    SiltCellsDone done;
    done.dried = silt_mini(silt_grains((float)water * loss, step.loss_dither), water);
    done.water = water - done.dried;
    float depth = (float)done.water;
    silt_i32 holds = silt_grains(silt_cells_holds(depth, step.capacity), 0.0f);
    silt_i32 still = silt_grains(silt_cells_holds(depth, step.capacity * calm), 0.0f);
    silt_i32 room = SILT_GRAINS_WALL - 1 - cell.ground - done.water;
    // more than can be counted falls all the same
    silt_i32 dries = silt_maxi(silt_mini(sediment - holds, heap), sediment - SILT_GRAINS_LOAD);
    dries = silt_maxi(silt_mini(dries, room), 0);
    silt_i32 sinks = silt_mini(sediment - still, silt_mini(fill, silt_maxi(heap, done.water / 8)));
    silt_i32 dropped = silt_maxi(dries, silt_mini(sinks, room));
    done.ground = cell.ground + dropped;
    done.deposit = cell.deposit + dropped;
    done.sediment = sediment - dropped;
    return done;
}

// Ground that stands as high as can be counted takes nothing more; what no load can hold either leaves the
// map.
SILT_FN silt_i32 silt_cells_surplus(silt_i32 sediment)
{
    return silt_maxi(sediment - SILT_GRAINS_LOAD, 0);
}

#endif
