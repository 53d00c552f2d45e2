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

// What one kind of pipe (straight or diagonal) needs in a step of dt.
typedef struct SiltPipe {
    float width; // m: cross-section over depth
    float push;  // dt * g * grain / length
    float drag;  // dt * friction, m
    float depth; // m of a pipe of constant cross-section (Mei's A over its width); 0: as deep as the water
    float swift; // m/s at the most: the CFL condition
    float grain; // m
} SiltPipe;

// Depth of the water that can pass from one cell into the other: from the higher surface down to the higher
// bed.
SILT_FN float silt_pipe_depth(silt_i32 surface_a, silt_i32 surface_b, silt_i32 ground_a, silt_i32 ground_b,
                              SiltPipe pipe)
{
    silt_i32 depth = silt_maxi(surface_a, surface_b) - silt_maxi(ground_a, ground_b);
    return (float)silt_maxi(depth, 0) * pipe.grain;
}

// The flux from a to b after the step, before the limits: pressure drives it (eq. 2-3) and the bed holds it
// back, at the end of the step so that drag never turns the flow round. The drag is friction * u * (1 / depth
// + 2 / m): linear in u, because then water on a plane runs down the line of fall whichever way that lies on
// the grid; more for films; and bounded for deep water, so that steep torrents do not run off.
SILT_FN float silt_pipe_flux(float flux, silt_i32 surface_a, silt_i32 surface_b, float depth, SiltPipe pipe)
{
    float area = pipe.width * (pipe.depth > 0.0f ? pipe.depth : depth);
    float pushed = flux + pipe.push * area * (float)(surface_a - surface_b);
    float held = pushed * depth / (depth + pipe.drag * (1.0f + 2.0f * depth));
    return depth > 0.0f ? held : 0.0f;
}

// Bounds the speed in the pipe.
SILT_FN float silt_pipe_bound(float flux, float depth, SiltPipe pipe)
{
    float most = pipe.swift * pipe.width * (pipe.depth > 0.0f ? pipe.depth : depth);
    return silt_clampf(flux, -most, most);
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

// K of eq. 4: a cell never gives away more water than it holds. A hair less, so that rounding cannot either.
SILT_FN float silt_pipe_share(float outflow_grains, float held_grains)
{
    float most = held_grains * 0.9999990463256836f;
    return outflow_grains > most ? most / outflow_grains : 1.0f;
}

// Whole grains through a pipe. `amount` and `dither` have the sign of the flux: numbers are cut towards zero,
// so one way is the mirror of the other. `most` is SILT_GRAINS_MOVE; it is handed in because compilers make
// one instruction of a bound that they do not know.
SILT_FN silt_i32 silt_pipe_grains(float amount, float dither, float most)
{
    return (silt_i32)(silt_clampf(amount, -most, most) + dither);
}

// The dither a cell may use for what it gives away through `pipes` pipes: none if rounding up in all of them
// could take more than it has.
SILT_FN float silt_pipe_dither(float outgoing, float held, float pipes, float dither)
{
    return outgoing + pipes <= held ? dither : 0.0f;
}

// sin(tilt) |v| of eq. 10: the tilt from the differences over two cells, not below the user's minimum.
SILT_FN float silt_pipe_vigour(float rise_x, float rise_y, float least_tilt, float speed_x, float speed_y)
{
    float square = rise_x * rise_x + rise_y * rise_y;
    float tilt_square = silt_maxf(square / (1.0f + square), least_tilt * least_tilt);
    return silt_sqrtf(tilt_square * (speed_x * speed_x + speed_y * speed_y));
}

// Sediment the water can carry, in metres of rock over the cell (eq. 10). A film shallower than 1 / per_film
// carries less in proportion, and no water carries more than `densest` of its own volume.
SILT_FN float silt_pipe_capacity(float factor, float vigour, float depth, float per_film, float densest)
{
    float ramp = silt_minf(depth * per_film, 1.0f);
    return silt_minf(factor * vigour * ramp, densest * depth);
}

// One step of tau dP/dt = C - P + reach^2 lap(P): what water can carry at a place follows what it could carry
// there and around. Erosion that goes by discharge is unstable: every dent draws water and deepens, the
// narrowest fastest, so that gullies would be one cell wide on any grid. Evened out over a length in metres
// they are as wide as that length.
SILT_FN float silt_pipe_even(float here, float could, float east, float west, float south, float north,
                             float blend, float spread)
{
    float around = (east + west) + (south + north);
    return here + (blend * (could - here) + spread * (around - 4.0f * here));
}

// Evened out, shallow water beside a river may carry more than its own, up to this many times `densest`.
#define SILT_PIPE_MOST 4.0f

// What a neighbour has to say in that; a wall is like the cell itself.
SILT_FN float silt_pipe_beside(silt_i32 ground, float around, float here)
{
    return ground == SILT_GRAINS_WALL ? here : around;
}

typedef struct SiltExchange {
    silt_i32 ground;   // the change of the bed, in grains
    silt_i32 deposit;  // the change of the loose layer
    silt_i32 sediment; // the change of what the water carries
    silt_i32 wear;     // what was dissolved
} SiltExchange;

// What all cells of a step share. The bounds are handed in because compilers make one instruction of a bound
// that they do not know.
typedef struct SiltRates {
    float dissolve, settle;
    float loose, per_loose; // how many times as fast as rock deposit goes, and one over that
    float dither;
    float none, most; // 0, and SILT_GRAINS_CHANGE
} SiltRates;

// What a cell takes up or lays down in one step, at the most.
#define SILT_GRAINS_CHANGE 1.0e8f

// Erosion (eq. 11) and deposition (eq. 12); all amounts in grains. Loose deposit goes first, and `loose`
// times as fast as rock; rock goes by its erodibility. No more than `room` goes, and no more
// than `heap` settles.
SILT_FN SiltExchange silt_pipe_exchange(float capacity, float hold, silt_i32 sediment, silt_i32 deposit,
                                        silt_i32 room, silt_i32 heap, float erodibility, SiltRates rates)
{
    float lack = silt_minf(capacity, rates.most) - (float)sediment;
    float wanted = silt_maxf(lack * rates.dissolve, rates.none);
    float from_deposit = silt_minf(wanted * rates.loose, (float)deposit);
    float rest = silt_maxf(wanted - from_deposit * rates.per_loose, rates.none);
    float from_rock = silt_minf(rest * silt_maxf(erodibility, rates.none), rates.most);
    float surplus = silt_maxf(((float)sediment - hold) * rates.settle, rates.none);
    silt_i32 loosened = (silt_i32)(silt_minf(from_deposit, rates.most) + rates.dither);
    loosened = silt_mini(loosened, silt_mini(deposit, room));
    silt_i32 worn = loosened + silt_mini((silt_i32)(from_rock + rates.dither), room - loosened);
    silt_i32 settled = silt_mini((silt_i32)(silt_minf(surplus, rates.most) + rates.dither), sediment);
    settled = silt_maxi(settled, sediment - SILT_GRAINS_LOAD); // more than can be counted falls out at once
    settled = silt_mini(settled, heap);
    SiltExchange change;
    change.ground = settled - worn;
    change.deposit = settled - loosened;
    change.sediment = worn - settled;
    change.wear = worn;
    return change;
}

// Grains that slide from the higher cell to the lower: a share of what stands above the angle of rest.
// Positive from a to b.
SILT_FN silt_i32 silt_pipe_slide(silt_i32 ground_a, silt_i32 ground_b, float rest, float rate)
{
    float drop = (float)(ground_a - ground_b);
    float excess = (drop < 0.0f ? -drop : drop) - rest;
    silt_i32 grains = (silt_i32)(silt_maxf(excess, 0.0f) * rate);
    return drop < 0.0f ? -grains : grains;
}

#endif
