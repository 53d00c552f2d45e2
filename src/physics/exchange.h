// What water takes up of the ground and lays down on it, for every model whose water carries rock; all
// amounts in grains (grains.h).
#ifndef SILT_PHYSICS_EXCHANGE_H
#define SILT_PHYSICS_EXCHANGE_H

#include "grains.h"

// ---- erosion and deposition ----

typedef struct SiltExchange {
    silt_i32 ground;  // the change of the bed, in grains; what the water carries changes by minus that
    silt_i32 deposit; // the change of the loose layer
    silt_i32 wear;    // what was dissolved
} SiltExchange;

// What all cells of a step share. The bounds are handed in because compilers make one instruction of a bound
// that they do not know.
typedef struct SiltRates {
    float dissolve, settle; // below one, but in Neidhold's own way, which divides by the step
    float loose, per_loose; // how many times as fast as rock deposit goes, and one over that
    float dither;
    float none, most; // 0, and SILT_GRAINS_CHANGE
} SiltRates;

// What a cell takes up or lays down in one step, at the most.
#define SILT_GRAINS_CHANGE 1.0e8f

// Erosion and deposition (Mei, Decaudin, Hu 2007, eq. 11-12). Loose deposit goes first, and `loose` times as
// fast as rock; rock goes by its erodibility (`plain`: by one). Water digs for `capacity` and lets fall what
// is beyond `hold`. No more than `room` goes, and no more than `heap` settles.
SILT_FN SiltExchange silt_exchange_rock(float capacity, float hold, silt_i32 sediment, silt_i32 deposit,
                                        silt_i32 room, silt_i32 heap, float erodibility, int plain,
                                        SiltRates rates)
{
    float lack = silt_minf(capacity, rates.most) - (float)sediment;
    float wanted = silt_maxf(lack * rates.dissolve, rates.none);
    silt_i32 at_hand = silt_mini(deposit, room);
    float from_deposit = silt_minf(wanted * rates.loose, (float)at_hand);
    float rest = silt_maxf(wanted - from_deposit * rates.per_loose, rates.none);
    float from_rock = plain ? rest : silt_minf(rest * silt_maxf(erodibility, rates.none), rates.most);
    float surplus = silt_maxf(((float)sediment - hold) * rates.settle, rates.none);
    surplus = silt_minf(surplus, (float)sediment); // it can be counted
    silt_i32 loosened = silt_mini((silt_i32)(from_deposit + rates.dither), at_hand);
    silt_i32 worn = loosened + silt_mini((silt_i32)(from_rock + rates.dither), room - loosened);
    silt_i32 settled = silt_mini((silt_i32)(surplus + rates.dither), sediment);
    settled = silt_maxi(settled, sediment - SILT_GRAINS_LOAD); // more than can be counted falls out at once
    settled = silt_mini(settled, heap);
    SiltExchange change;
    change.ground = settled - worn;
    change.deposit = settled - loosened;
    change.wear = worn;
    return change;
}

// ---- what water can carry, evened out ----

// Shares of one step: of the cell's P, of C, and of each of the four neighbours' P. They make one.
typedef struct SiltEvening {
    float keep, blend, spread;
} SiltEvening;

// One step of tau dP/dt = C - P + reach^2 lap(P): what water can carry at a place follows what it could carry
// there and around. Erosion that goes by discharge is unstable: every dent draws water and deepens, the
// narrowest fastest, so that gullies would be one cell wide on any grid. Evened out over a length in metres
// they are as wide as that length. `around` is the sum of the neighbours.
SILT_FN float silt_exchange_even(float here, float could, float around, SiltEvening evening)
{
    return (evening.keep * here + evening.blend * could) + evening.spread * around;
}

// P in a cell and around it. Beside a wall water could carry as much as here.
typedef struct SiltAround {
    float here, east, west, south, north;
} SiltAround;

SILT_FN float silt_exchange_beside(silt_i32 ground, float around, float here)
{
    return ground == SILT_GRAINS_WALL ? here : around;
}

typedef struct SiltEvened {
    float even;            // P after the step
    float digs_for, holds; // what water digs for, and beyond which it lets fall
} SiltEvened;

// No water digs for more than it can hold by its depth, `most`, not even beside a river: a film on a hillside
// that did would lose it in the first stream it meets, and fill the valley.
SILT_FN SiltEvened silt_exchange_evened(SiltAround p, float could, float most, SiltEvening evening)
{
    SiltEvened evened;
    evened.even = silt_exchange_even(p.here, could, (p.east + p.west) + (p.south + p.north), evening);
    evened.digs_for = silt_minf(evened.even, most);
    evened.holds = silt_maxf(evened.digs_for, could);
    return evened;
}

#endif
