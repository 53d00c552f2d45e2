// One cell and one pipe of the virtual pipe model: Mei, Decaudin, Hu 2007, "Fast hydraulic erosion simulation
// and visualization on GPU". Heights and depths are in grains (grains.h), fluxes in m3/s.
//
// Mei keeps two outflows for each pipe, one from either end. Here a pipe has one signed flux: its positive
// part is the outflow of the first cell, its negative part that of the second. That is the pipe of O'Brien
// and Hodgins 1995, from which Mei starts; it slows down as fast as it speeds up, so waves have the right
// period.
#ifndef SILT_PHYSICS_PIPES_CELL_H
#define SILT_PHYSICS_PIPES_CELL_H

#include "grains.h"

// What one kind of pipe (straight or diagonal) needs in a step of dt. Most work is done in grains, so that a
// constant stands here instead of a multiplication in every cell.
typedef struct SiltPipe {
    float push;  // dt * g * width * grain^2 / length: m3/s for a grain of depth and a grain of fall
    float drag;  // grains: dt * friction, and never zero, so that dry pipes divide by something
    float thick; // 1 + the drag of deep water
    float swift; // m3/s a grain of depth may bring at the most: the CFL condition
    float full;  // grains of depth, beyond which a pipe brings no more: SILT_GRAINS_MOVE in a step
} SiltPipe;

// Grains of water that can pass from one cell into the other: from the higher surface down to the higher bed.
SILT_FN silt_i32 silt_pipe_depth(silt_i32 surface_a, silt_i32 surface_b, silt_i32 ground_a, silt_i32 ground_b)
{
    return silt_maxi(surface_a, surface_b) - silt_maxi(ground_a, ground_b);
}

// The flux from a to b after the step, for each grain of depth and before the limits: pressure drives it (eq.
// 2-3) and the bed holds it back, at the end of the step so that drag never turns the flow round. The drag is
// friction * u * (1 / depth + 2 / m): linear in u, because then water on a plane runs down the line of fall
// whichever way that lies on the grid; more for films; and bounded for deep water, so that steep torrents do
// not run off. `across` is the depth of the pipe: that of its water, or one (and all of it in `push`) when
// its cross-section is constant.
SILT_FN float silt_pipe_flow(float flux, silt_i32 fall, float depth, float across, SiltPipe pipe)
{
    float pushed = flux + pipe.push * across * (float)fall;
    return pushed / (pipe.thick * depth + pipe.drag);
}

// Bounds the speed in the pipe.
SILT_FN float silt_pipe_bound(float flow, SiltPipe pipe)
{
    return silt_clampf(flow, -pipe.swift, pipe.swift);
}

// Water over an open border, in m2/s: it falls freely (critical depth) or runs on down the slope, whichever
// is faster. `fall` is the slope towards the border, `friction` as in the pipes.
SILT_FN float silt_pipe_overfall(float depth, float fall, float gravity, float friction)
{
    float falling = silt_sqrtf(gravity * depth);
    float drag = friction * (1.0f + 2.0f * depth);
    float running = fall > 0.0f && drag > 0.0f ? gravity * depth * fall / drag : 0.0f;
    return depth * silt_maxf(falling, running);
}

// Every amount that leaves a cell is rounded up or down by the dither, and each of its pipes and the border
// may take a grain more than wanted. So that many grains stay; and a hair, so that rounding of floats cannot
// give away more than there is either.
#define SILT_PIPE_STAY(pipes) ((float)(pipes) + 1.0f)
#define SILT_PIPE_HAIR        0.9999990463256836f

// What a cell may give away of what it holds, in grains. `none` is zero; it is handed in because compilers
// make one instruction of a bound that they do not know.
SILT_FN float silt_pipe_spare(float held, float stay, float none)
{
    return silt_maxf(held * SILT_PIPE_HAIR - stay, none);
}

// K of eq. 4: a cell never gives away more water than it holds. One where nothing is wanted.
SILT_FN float silt_pipe_share(float wanted, float spare, float one)
{
    return silt_minf(spare / wanted, one);
}

// Whole grains through a pipe. The dither takes the sign of the amount and numbers are cut towards zero, so
// one way is the mirror of the other.
SILT_FN silt_i32 silt_pipe_grains(float amount, float dither)
{
    return (silt_i32)(amount + silt_copysignf(dither, amount));
}

// Speed of the water in a cell, squared (eq. 8-9), from twice what passes it in m3/s and twice its depth.
SILT_FN float silt_pipe_speed_square(float through_x, float through_y, float per_depth, float fastest_square)
{
    float square = (through_x * through_x + through_y * through_y) * (per_depth * per_depth);
    return silt_minf(square, fastest_square);
}

// sin(tilt) |v| of eq. 10, from the squares of the slope, of the least sin(tilt), and of the speed.
SILT_FN float silt_pipe_vigour(float slope_square, float least_square, float speed_square)
{
    float tilt_square = silt_maxf(slope_square / (1.0f + slope_square), least_square);
    return silt_sqrtf(tilt_square * speed_square);
}

// Sediment the water can carry, as rock over the cell (eq. 10). A film shallower than 1 / per_film carries
// less in proportion, and no water carries more than `densest` of its own volume.
SILT_FN float silt_pipe_capacity(float factor, float vigour, float depth, float per_film, float densest,
                                 float one)
{
    float ramp = silt_minf(depth * per_film, one);
    return silt_minf(factor * vigour * ramp, densest * depth);
}

// Shares of one step: of the cell's P, of C, and of each of the four neighbours' P. They make one.
typedef struct SiltEvening {
    float keep, blend, spread;
} SiltEvening;

// One step of tau dP/dt = C - P + reach^2 lap(P): what water can carry at a place follows what it could carry
// there and around. Erosion that goes by discharge is unstable: every dent draws water and deepens, the
// narrowest fastest, so that gullies would be one cell wide on any grid. Evened out over a length in metres
// they are as wide as that length. `around` is the sum of the neighbours.
SILT_FN float silt_pipe_even(float here, float could, float around, SiltEvening evening)
{
    return (evening.keep * here + evening.blend * could) + evening.spread * around;
}

// What water digs for, from what it can carry here and around. No water holds more than `densest` of its own
// volume, not even beside a river: a film on a hillside that did would lose it in the first stream it meets,
// and fill the valley.
SILT_FN float silt_pipe_digs_for(float even, float densest, float depth)
{
    return silt_minf(even, densest * depth);
}

// What a neighbour has to say in that; a wall is like the cell itself.
SILT_FN float silt_pipe_beside(silt_i32 ground, float around, float here)
{
    return ground == SILT_GRAINS_WALL ? here : around;
}

typedef struct SiltExchange {
    silt_i32 ground;  // the change of the bed, in grains; what the water carries changes by minus that
    silt_i32 deposit; // the change of the loose layer
    silt_i32 wear;    // what was dissolved
} SiltExchange;

// What all cells of a step share. The bounds are handed in because compilers make one instruction of a bound
// that they do not know.
typedef struct SiltRates {
    float dissolve, settle; // below one
    float loose, per_loose; // how many times as fast as rock deposit goes, and one over that
    float dither;
    float none, most; // 0, and SILT_GRAINS_CHANGE
} SiltRates;

// What a cell takes up or lays down in one step, at the most.
#define SILT_GRAINS_CHANGE 1.0e8f

// Erosion (eq. 11) and deposition (eq. 12); all amounts in grains. Loose deposit goes first, and `loose`
// times as fast as rock; rock goes by its erodibility (`plain`: by one). No more than `room` goes, and no
// more than `heap` settles.
SILT_FN SiltExchange silt_pipe_exchange(float capacity, float hold, silt_i32 sediment, silt_i32 deposit,
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

// The thickest surplus that falls out at its own rate, in metres and as a share of the depth of the water.
// Where the ground changes at a pace, water carries many times its depth of rock. A bed that rose by that in
// a few seconds would lift its water faster than it can run off: it would slosh, tear up what has just
// settled, and drop it again, all the more often the shorter the steps.
#define SILT_PIPE_BURIED      0.1
#define SILT_PIPE_BURIED_DEEP 0.5

// Grains that may settle in a step, from twice the depth of the water and the shares of a step.
SILT_FN silt_i32 silt_pipe_to_bury(float depth, float least, float deep)
{
    return (silt_i32)(least + deep * depth);
}

// Grains that slide from the higher cell to the lower: a share of what stands above the angle of rest.
// Positive from a to b.
SILT_FN silt_i32 silt_pipe_slide(silt_i32 ground_a, silt_i32 ground_b, float rest, float rate, float none)
{
    float drop = (float)(ground_a - ground_b);
    return (silt_i32)((silt_maxf(drop - rest, none) + silt_minf(drop + rest, none)) * rate);
}

#endif
