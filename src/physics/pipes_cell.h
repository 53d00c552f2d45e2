// The water of one cell and one pipe of the virtual pipe model (eq. 1-9 and 15): Mei, Decaudin, Hu 2007,
// "Fast hydraulic erosion simulation and visualization on GPU". Heights and depths are in grains (grains.h),
// fluxes in m3/s. What the water does to rock is in pipes_rock_cell.h.
//
// Mei keeps two outflows for each pipe, one from either end (silt_pipes_outflows). By default a pipe has one
// signed flux instead: its positive part is the outflow of the first cell, its negative part that of the
// second. That is the pipe of O'Brien and Hodgins 1995, from which Mei starts; it slows down as fast as it
// speeds up, so waves have the right period. With two, the flux is what goes forth less what comes back.
//
// `eight` says whether a cell has diagonal pipes; where it has none what is handed in for them is not read.
#ifndef SILT_PHYSICS_PIPES_CELL_H
#define SILT_PHYSICS_PIPES_CELL_H

#include "grains.h"

// ---- water comes in (eq. 1) ----

typedef struct SiltPipesRained {
    silt_i32 water;
    silt_i32 added; // what came
    silt_i32 over;  // what stood above the wall before and had to go
} SiltPipesRained;

// `supply` grains come, as many as there is room for below the wall.
SILT_FN SiltPipesRained silt_pipes_rain(silt_i32 ground, silt_i32 water, float supply, float dither)
{
    SiltPipesRained rained;
    rained.over = silt_grains_over(ground, water);
    silt_i32 held = water - rained.over;
    silt_i32 room = silt_maxi(SILT_GRAINS_WALL - 1 - ground - held, 0);
    rained.added = silt_mini(silt_grains(supply, dither), room);
    rained.water = held + rained.added;
    return rained;
}

// ---- flux (eq. 2-3) ----

// What one kind of pipe (straight or diagonal) needs in a step of dt. Most work is done in grains, so that a
// constant stands here instead of a multiplication in every cell.
typedef struct SiltPipe {
    float push;  // dt * g * width * grain^2 / length: m3/s for a grain of depth and a grain of fall
    float drag;  // grains: dt * friction, and never zero, so that dry pipes divide by something
    float thick; // 1 + the drag of deep water
    float swift; // m3/s a grain of depth may bring at the most: the CFL condition
    float full;  // grains of depth, beyond which a pipe brings no more: SILT_GRAINS_MOVE in a step
} SiltPipe;

// A cell at either end of a pipe.
typedef struct SiltPipesEnd {
    silt_i32 ground, water;
} SiltPipesEnd;

typedef struct SiltPipesFlow {
    float flux;
    silt_i32 swift; // one where its speed was bounded
} SiltPipesFlow;

// Grains of water that can pass from one cell into the other: from the higher surface down to the higher bed.
SILT_FN silt_i32 silt_pipes_depth(silt_i32 surface_a, silt_i32 surface_b, silt_i32 ground_a,
                                  silt_i32 ground_b)
{
    return silt_maxi(surface_a, surface_b) - silt_maxi(ground_a, ground_b);
}

// The flux from a to b after the step, for each grain of depth and before the limits: pressure drives it (eq.
// 2-3) and the bed holds it back, at the end of the step so that drag never turns the flow round. The drag is
// friction * u * (1 / depth + 2 / m): linear in u, because then water on a plane runs down the line of fall
// whichever way that lies on the grid; more for films; and bounded for deep water, so that steep torrents do
// not run off. `across` is the depth of the pipe: that of its water, or one (and all of it in `push`) when
// its cross-section is constant.
SILT_FN float silt_pipes_flow(float flux, silt_i32 fall, float depth, float across, SiltPipe pipe)
{
    float pushed = flux + pipe.push * across * (float)fall;
    return silt_over(pushed, pipe.thick * depth + pipe.drag);
}

// The flux from a to b after the step, with its speed bounded. `fixed`: the cross-section is constant.
SILT_FN SiltPipesFlow silt_pipes_flux(SiltPipesEnd a, SiltPipesEnd b, float before, SiltPipe pipe, int fixed)
{
    silt_i32 surface_a = a.ground + a.water, surface_b = b.ground + b.water;
    float depth = (float)silt_pipes_depth(surface_a, surface_b, a.ground, b.ground);
    float flow = silt_pipes_flow(before, surface_a - surface_b, depth, fixed ? 1.0f : depth, pipe);
    float bounded = silt_clampf(flow, -pipe.swift, pipe.swift);
    SiltPipesFlow after;
    after.swift = bounded != flow;
    after.flux = bounded * silt_minf(depth, pipe.full);
    return after;
}

// The two outflows of a pipe, each from its own cell.
typedef struct SiltPipesOutflows {
    float forth, back;
    silt_i32 swift; // one where more was wanted than can be counted
} SiltPipesOutflows;

// As Mei has them (eq. 2-3): the same pressure speeds one up and slows the other down, and neither turns
// round. pipe.swift bounds each to what can be counted; beyond that eq. 4 alone limits them.
SILT_FN SiltPipesOutflows silt_pipes_outflows(SiltPipesEnd a, SiltPipesEnd b, float forth, float back,
                                              SiltPipe pipe, int fixed)
{
    silt_i32 surface_a = a.ground + a.water, surface_b = b.ground + b.water;
    float depth = (float)silt_pipes_depth(surface_a, surface_b, a.ground, b.ground);
    float pushed = pipe.push * (fixed ? 1.0f : depth) * (float)(surface_a - surface_b);
    float slowed = depth > 0.0f ? depth / (pipe.thick * depth + pipe.drag) : 1.0f;
    float open = silt_maxi(a.ground, b.ground) < SILT_GRAINS_WALL ? slowed : 0.0f;
    SiltPipesOutflows after;
    after.forth = silt_maxf(forth + pushed, 0.0f) * open;
    after.back = silt_maxf(back - pushed, 0.0f) * open;
    after.swift = after.forth > pipe.swift || after.back > pipe.swift;
    after.forth = silt_minf(after.forth, pipe.swift);
    after.back = silt_minf(after.back, pipe.swift);
    return after;
}

// ---- open borders ----

// Water over an open border, in m2/s: it falls freely (critical depth) or runs on down the slope, whichever
// is faster. `fall` is the slope towards the border, `friction` as in the pipes.
SILT_FN float silt_pipes_overfall(float depth, float fall, float gravity, float friction)
{
    float falling = silt_sqrtf(gravity * depth);
    float drag = friction * (1.0f + 2.0f * depth);
    float running = fall > 0.0f && drag > 0.0f ? gravity * depth * fall / drag : 0.0f;
    return depth * silt_maxf(falling, running);
}

typedef struct SiltPipesBorder {
    float grain, cell; // m
    float gravity, friction, fastest;
} SiltPipesBorder;

// What leaves a cell over one side, in m3/s. Beyond it lies ground as high as the border was in the
// beginning, the sill: a cell that wears down below that holds its water back. `inner` is the ground on the
// other side.
SILT_FN float silt_pipes_leaves(SiltPipesEnd here, silt_i32 sill, silt_i32 inner, SiltPipesBorder border)
{
    float depth = (float)silt_clampi(here.ground + here.water - sill, 0, here.water) * border.grain;
    float fall = inner < SILT_GRAINS_WALL ? (float)(inner - here.ground) * border.grain / border.cell : 0.0f;
    float out = silt_pipes_overfall(depth, fall, border.gravity, border.friction);
    return silt_minf(out, depth * border.fastest) * border.cell;
}

// ---- limits (eq. 4-5) ----

// Fluxes through the pipes of a cell, named by where they lie; positive ones go east or south, so those to
// the west and north bring water when they are positive.
typedef struct SiltPipesFluxes {
    float east, west, south, north, south_east, north_west, south_west, north_east;
} SiltPipesFluxes;

// The same in whole grains of a step: of water, or of rock that slides.
typedef struct SiltPipesGrains {
    silt_i32 east, west, south, north, south_east, north_west, south_west, north_east;
} SiltPipesGrains;

// Every amount that leaves a cell is rounded up or down by the dither, and each of its pipes and the border
// may take a grain more than wanted. So that many grains stay; and a hair, so that rounding of floats cannot
// give away more than there is either.
#define SILT_PIPES_STAY(pipes) ((float)(pipes) + 1.0f)
#define SILT_PIPES_HAIR        0.9999990463256836f

// What a cell may give away of what it holds, in grains. `none` is zero; it is handed in because compilers
// make one instruction of a bound that they do not know.
SILT_FN float silt_pipes_spare(float held, float stay, float none)
{
    return silt_maxf(held * SILT_PIPES_HAIR - stay, none);
}

// What a cell wants to give and what it can, in grains.
typedef struct SiltPipesWish {
    float wanted, held, spare;
} SiltPipesWish;

// At a border `edge` leaves over it, in m3/s. Sums are taken in pairs of opposite pipes, so that a map turned
// by a right angle gives the turned result.
SILT_FN SiltPipesWish silt_pipes_wish(SiltPipesFluxes flux, float edge, silt_i32 water, float to_grains,
                                      float none, int eight, int border)
{
    float out = (silt_maxf(flux.east, none) - silt_minf(flux.west, none)) +
                (silt_maxf(flux.south, none) - silt_minf(flux.north, none));
    if (eight)
        out += (silt_maxf(flux.south_east, none) - silt_minf(flux.north_west, none)) +
               (silt_maxf(flux.south_west, none) - silt_minf(flux.north_east, none));
    SiltPipesWish wish;
    wish.wanted = (border ? out + edge : out) * to_grains;
    wish.held = (float)water;
    wish.spare = silt_pipes_spare(wish.held, SILT_PIPES_STAY(eight ? 8 : 4), none);
    return wish;
}

// The same where pipes have two outflows; `back` holds what each pipe brings back to the cell it starts in.
SILT_FN SiltPipesWish silt_pipes_wish_two(SiltPipesFluxes flux, SiltPipesFluxes back, float edge,
                                          silt_i32 water, float to_grains, float none, int eight, int border)
{
    float out = (silt_maxf(flux.east + back.east, none) + back.west) +
                (silt_maxf(flux.south + back.south, none) + back.north);
    if (eight)
        out += (silt_maxf(flux.south_east + back.south_east, none) + back.north_west) +
               (silt_maxf(flux.south_west + back.south_west, none) + back.north_east);
    SiltPipesWish wish;
    wish.wanted = (border ? out + edge : out) * to_grains;
    wish.held = (float)water;
    wish.spare = silt_pipes_spare(wish.held, SILT_PIPES_STAY(eight ? 8 : 4), none);
    return wish;
}

// K of eq. 4: a cell never gives away more water than it holds. One where nothing is wanted.
SILT_FN float silt_pipes_share(float wanted, float spare, float one)
{
    return silt_share(spare, wanted, one);
}

// Whole grains through a pipe. The dither takes the sign of the amount and numbers are cut towards zero, so
// one way is the mirror of the other.
SILT_FN silt_i32 silt_pipes_grains(float amount, float dither)
{
    return (silt_i32)(amount + silt_copysignf(dither, amount));
}

typedef struct SiltPipesScaled {
    float flux;
    silt_i32 grains;
} SiltPipesScaled;

// eq. 5: the flux that the cell it comes from can give (`forth`: where it is positive), and the whole grains
// of water that go with it.
SILT_FN SiltPipesScaled silt_pipes_scale(float flux, float share_forth, float share_back, float to_grains,
                                         float dither)
{
    SiltPipesScaled scaled;
    scaled.flux = flux * (flux > 0.0f ? share_forth : share_back);
    scaled.grains = silt_pipes_grains(scaled.flux * to_grains, dither);
    return scaled;
}

typedef struct SiltPipesScaledTwo {
    float flux, back;
    silt_i32 grains;
} SiltPipesScaledTwo;

// The same of two outflows, each by what its own cell can give.
SILT_FN SiltPipesScaledTwo silt_pipes_scale_two(float flux, float back, float share_forth, float share_back,
                                                float to_grains, float dither)
{
    SiltPipesScaledTwo scaled;
    float forth = silt_maxf(flux + back, 0.0f) * share_forth;
    scaled.back = back * share_back;
    scaled.flux = forth - scaled.back;
    scaled.grains = silt_pipes_grains(scaled.flux * to_grains, dither);
    return scaled;
}

// ---- depth and velocity (eq. 6-9), evaporation (eq. 15) ----

// What leaves a cell less what comes in.
SILT_FN silt_i32 silt_pipes_net(SiltPipesGrains g, int eight)
{
    silt_i32 net = (g.east - g.west) + (g.south - g.north);
    if (eight)
        net += (g.south_east - g.north_west) + (g.south_west - g.north_east);
    return net;
}

// Twice the water that passes a cell (eq. 8), in m3/s. Not in grains: of a film hardly one passes in a step.
typedef struct SiltPipesPassing {
    float x, y;
} SiltPipesPassing;

SILT_FN SiltPipesPassing silt_pipes_passing(SiltPipesFluxes flux, int eight)
{
    SiltPipesPassing passing;
    passing.x = flux.east + flux.west;
    passing.y = flux.south + flux.north;
    if (eight) {
        float falling = flux.south_east + flux.north_west, rising = flux.south_west + flux.north_east;
        passing.x += falling - rising;
        passing.y += falling + rising;
    }
    return passing;
}

// What all cells of a step share.
typedef struct SiltPipesMotion {
    float per_width;      // 1 / (cell * grain)
    float shallow;        // grains, twice: the depth of shallower water counts as this
    float fastest_square; // (m/s)^2
    float loss, most_dried, loss_dither;
} SiltPipesMotion;

typedef struct SiltPipesMoved {
    silt_i32 water; // after it moved
    silt_i32 dried; // and of that dries up
    float depth;    // in the middle of the step, twice
    float speed_square;
} SiltPipesMoved;

// Speed of the water in a cell, squared (eq. 8-9), from twice what passes it and twice its depth.
SILT_FN float silt_pipes_speed_square(SiltPipesPassing passing, float per_depth, float fastest_square)
{
    float square = (passing.x * passing.x + passing.y * passing.y) * (per_depth * per_depth);
    return silt_minf(square, fastest_square);
}

// `net` grains leave, over the border too.
SILT_FN SiltPipesMoved silt_pipes_move(silt_i32 before, silt_i32 net, SiltPipesPassing passing,
                                       SiltPipesMotion motion)
{
    SiltPipesMoved moved;
    moved.water = before - net; // eq. 6-7
    float after = (float)moved.water;
    moved.depth = (float)before + after;
    float dries = silt_minf(after * motion.loss, motion.most_dried);
    moved.dried = silt_mini((silt_i32)(dries + motion.loss_dither), moved.water);
    float per_depth = motion.per_width / silt_maxf(moved.depth, motion.shallow); // eq. 9
    moved.speed_square = silt_pipes_speed_square(passing, per_depth, motion.fastest_square);
    return moved;
}

// What dries up where each cell loses a share of its own.
SILT_FN silt_i32 silt_pipes_dry(silt_i32 water, float loss, float dither)
{
    return silt_mini(silt_grains((float)water * loss, dither), water);
}

// ---- what the maps remember ----

typedef struct SiltPipesMemory {
    float grain, shallow;         // m
    float seconds, metre_seconds; // that the step stands for, and that times the width of a cell
} SiltPipesMemory;

// Cubic metres that pass in the step, and seconds under water.
SILT_FN float silt_pipes_flowed(silt_i32 water, float speed_square, SiltPipesMemory memory)
{
    float depth = silt_maxf((float)water * memory.grain, memory.shallow);
    return silt_sqrtf(speed_square) * depth * memory.metre_seconds;
}

SILT_FN float silt_pipes_soaked(silt_i32 water, SiltPipesMemory memory)
{
    return (float)water * memory.grain > 0.001f ? memory.seconds : 0.0f;
}

#endif
