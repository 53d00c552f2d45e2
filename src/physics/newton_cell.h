// One cell of the Newtonian water model: Neidhold, Wacker, Deussen 2005, "Interactive physically based fluid
// and erosion simulation". Heights and amounts in grains (grains.h), velocities in m/s, in three dimensions.
// Here is how water falls, gains speed and finds its way to the neighbours; newton_move.h has the rest.
#ifndef SILT_PHYSICS_NEWTON_CELL_H
#define SILT_PHYSICS_NEWTON_CELL_H

#include "eight.h"
#include "grains.h"

#define SILT_NEWTON_TRACE 16 // grains, a few micrometres: they cling to the ground

// What all cells of a step share in the first phases.
typedef struct SiltNewtonStep {
    float per_metre, rain_dither; // grains
    float influence;              // of eq. 13
    float per_cell;               // slope of a fall of one grain to the next cell
    float gravity, keep, gain;    // eq. 1 and 3: what friction leaves, and seconds that acceleration adds
    float swift;                  // m/s that no water exceeds
    float courant;                // cells that water at 1 m/s crosses
    float slow;                   // m2/s2: the square of the speed below which water is split
    float push;                   // share that a t^2 moves, for a drop of one grain
    float head;                   // grains for a speed squared
    float fluid_dither, load_dither;
} SiltNewtonStep;

typedef struct SiltNewtonVelocity {
    float x, y, z;
} SiltNewtonVelocity;

SILT_FN float silt_newton_square(SiltNewtonVelocity v)
{
    return (v.x * v.x + v.y * v.y) + v.z * v.z;
}

// ---- water falls; the level that drives it ----

// I = H + K_F F with K_F = max(0, 1 - influence |v|) (eq. 13): swift water does not stand in its own way.
SILT_FN silt_i32 silt_newton_level(silt_i32 ground, silt_i32 fluid, float speed, float influence)
{
    float share = silt_maxf(1.0f - influence * speed, 0.0f);
    return ground + (silt_i32)((float)fluid * share);
}

typedef struct SiltNewtonRained {
    silt_i32 fluid, level, added;
} SiltNewtonRained;

// eq. 24, for `supply` metres of water. Nothing falls on a wall.
SILT_FN SiltNewtonRained silt_newton_rain(silt_i32 ground, silt_i32 fluid, float supply, SiltNewtonVelocity v,
                                          SiltNewtonStep step)
{
    SiltNewtonRained rained;
    silt_i32 room = silt_maxi(SILT_GRAINS_WALL - 1 - ground - fluid, 0);
    rained.added = silt_mini(silt_grains(supply * step.per_metre, step.rain_dither), room);
    rained.fluid = fluid + rained.added;
    rained.level = silt_newton_level(ground, rained.fluid, silt_sqrtf(silt_newton_square(v)), step.influence);
    return rained;
}

// Grains of rock that come with `supply` metres of it, where the water carries `dissolved` already.
SILT_FN silt_i32 silt_newton_bring(silt_i32 ground, silt_i32 dissolved, float supply, SiltNewtonStep step)
{
    silt_i32 more = silt_grains(supply * step.per_metre, step.rain_dither);
    silt_i32 room = silt_maxi(SILT_GRAINS_LOAD - dissolved, 0);
    return ground == SILT_GRAINS_WALL ? 0 : silt_mini(more, room);
}

// ---- acceleration and velocity ----

// How far a neighbour lies below, in grains; 0 when it does not (eq. 11). A wall never does.
SILT_FN float silt_newton_drop(silt_i32 level, silt_i32 neighbour)
{
    silt_i32 drop = level - neighbour;
    return drop > 0 ? (float)drop : 0.0f;
}

SILT_FN SiltEightReal silt_newton_drops(silt_i32 level, SiltEight around)
{
    SiltEightReal drops;
    drops.e = silt_newton_drop(level, around.e);
    drops.w = silt_newton_drop(level, around.w);
    drops.s = silt_newton_drop(level, around.s);
    drops.n = silt_newton_drop(level, around.n);
    drops.se = silt_newton_drop(level, around.se);
    drops.nw = silt_newton_drop(level, around.nw);
    drops.sw = silt_newton_drop(level, around.sw);
    drops.ne = silt_newton_drop(level, around.ne);
    return drops;
}

SILT_FN float silt_newton_is_lower(float drop)
{
    return drop > 0.0f ? 1.0f : 0.0f;
}

// The fall along one line through the cell, in grains a step of that line, from the neighbour behind to the
// one ahead: the mean of both sides, but no more than there is to fall. So a crest sheds its water evenly,
// and water at the foot of a cliff or in a hollow is not pushed by ground that is dry. A wall lies wherever
// the slope on the other side would have it.
SILT_FN float silt_newton_fall(silt_i32 level, silt_i32 ahead, silt_i32 behind)
{
    float down = ahead == SILT_GRAINS_WALL ? 0.0f : (float)(level - ahead);
    float from = behind == SILT_GRAINS_WALL ? 0.0f : (float)(behind - level);
    float mean =
        0.5f * ((ahead == SILT_GRAINS_WALL ? from : down) + (behind == SILT_GRAINS_WALL ? down : from));
    return silt_clampf(mean, silt_minf(from, 0.0f), silt_maxf(down, 0.0f));
}

typedef struct SiltNewtonSlope {
    float x, y;
} SiltNewtonSlope;

// Downhill in grains a cell (eq. 10-12). The fall along a line of neighbours is that of the plane through
// them along the axis and both diagonals, and each axis takes the mean of three. The paper's way (`all`) is
// the mean over all lower neighbours.
SILT_FN SiltNewtonSlope silt_newton_slope(silt_i32 level, SiltEight at, int all)
{
    SiltNewtonSlope slope;
    float fall_x = silt_newton_fall(level, at.e, at.w), fall_y = silt_newton_fall(level, at.s, at.n);
    float fall_se = silt_newton_fall(level, at.se, at.nw), fall_sw = silt_newton_fall(level, at.sw, at.ne);
    float count = 3.0f;
    if (all) {
        SiltEightReal drop = silt_newton_drops(level, at), lower;
        lower.e = silt_newton_is_lower(drop.e);
        lower.w = silt_newton_is_lower(drop.w);
        lower.s = silt_newton_is_lower(drop.s);
        lower.n = silt_newton_is_lower(drop.n);
        lower.se = silt_newton_is_lower(drop.se);
        lower.nw = silt_newton_is_lower(drop.nw);
        lower.sw = silt_newton_is_lower(drop.sw);
        lower.ne = silt_newton_is_lower(drop.ne);
        fall_x = drop.e - drop.w;
        fall_y = drop.s - drop.n;
        fall_se = drop.se - drop.nw;
        fall_sw = drop.sw - drop.ne;
        count = silt_maxf(silt_eight_sum(lower), 1.0f);
    }
    slope.x = silt_over(fall_x + (fall_se - fall_sw), count);
    slope.y = silt_over(fall_y + (fall_se + fall_sw), count);
    return slope;
}

// Acceleration per slope (eq. 14-18). With m = (x, y) downhill, M = (x, y, -s^2) is its projection onto the
// slope, s^2 = x^2 + y^2, and a = g |M_z| / |M| * M / |M| = g / (1 + s^2) * M.
SILT_FN float silt_newton_pull(float square, float gravity)
{
    return gravity / (1.0f + square);
}

// eq. 1 and 3: what friction leaves of the velocity, and what the acceleration adds.
SILT_FN float silt_newton_velocity(float velocity, float acceleration, float keep, float gain)
{
    return velocity * keep + acceleration * gain;
}

typedef struct SiltNewtonPushed {
    SiltNewtonVelocity velocity;
    silt_i32 bounded; // 1 where it would have been faster than `swift`
} SiltNewtonPushed;

// eq. 1-3 and 8-18, from the levels here and around.
SILT_FN SiltNewtonPushed silt_newton_push(silt_i32 level, SiltEight around, SiltNewtonVelocity v, int all,
                                          SiltNewtonStep step)
{
    SiltNewtonSlope slope = silt_newton_slope(level, around, all);
    float mx = slope.x * step.per_cell, my = slope.y * step.per_cell;
    float square = mx * mx + my * my, pull = silt_newton_pull(square, step.gravity);
    SiltNewtonPushed pushed;
    pushed.velocity.x = silt_newton_velocity(v.x, mx * pull, step.keep, step.gain);
    pushed.velocity.y = silt_newton_velocity(v.y, my * pull, step.keep, step.gain);
    // along the ground: by eq. 3 alone water would go on downwards at the foot of a slope
    pushed.velocity.z = -(pushed.velocity.x * mx + pushed.velocity.y * my);
    float speed = silt_sqrtf(silt_newton_square(pushed.velocity));
    float bound = speed > step.swift ? step.swift / speed : 1.0f;
    pushed.bounded = speed > step.swift;
    pushed.velocity.x *= bound;
    pushed.velocity.y *= bound;
    pushed.velocity.z *= bound;
    return pushed;
}

// ---- where the water goes ----

// Grains that slow water gives to one lower neighbour: its part by the drops (`part` is fluid over the sum of
// all drops), moved by the speed it has and, as each part is pushed by itself, by a t^2 (eq. 3-4); but never
// more than a quarter of the difference, so that hollows come to rest.
SILT_FN float silt_newton_split(float drop, float part, float toward, float push)
{
    float moved = silt_clampf(silt_maxf(toward, 0.0f) + drop * push, 0.0f, 1.0f);
    return silt_minf(drop * part * moved, 0.25f * drop);
}

// Which share of swift water gets over into a neighbour that lies higher: its speed lifts it by v^2 / 2g and
// no further. `per_head` is one over that, in grains.
SILT_FN float silt_newton_climb(silt_i32 level, silt_i32 neighbour, float per_head)
{
    return silt_clampf(1.0f - (float)(neighbour - level) * per_head, 0.0f, 1.0f);
}

// Cells that water crosses at the side between two cells: their mean. A dry cell has no say.
SILT_FN float silt_newton_at_side(float own, float other, silt_i32 other_wet)
{
    return other_wet > SILT_NEWTON_TRACE ? 0.5f * (own + other) : own;
}

// What goes to one neighbour, slow or swift, unless it is a wall.
SILT_FN float silt_newton_to(silt_i32 neighbour, int slow, float split, float swift)
{
    float amount = slow ? split : swift;
    return neighbour == SILT_GRAINS_WALL ? 0.0f : amount;
}

// A cell never gives away more than it holds. A hair less, so that rounding cannot either.
SILT_FN float silt_newton_share(float leaving, float held)
{
    float most = held * 0.9999990463256836f;
    return leaving > most ? most / leaving : 1.0f;
}

// The dither a cell may use for what it gives to eight neighbours: none if rounding up for all of them could
// take more than it has.
SILT_FN float silt_newton_dither(float leaving, float held, float dither)
{
    return leaving + 8.0f <= held ? dither : 0.0f;
}

// The amount of water in the four direct neighbours, and the velocity across the side to each.
typedef struct SiltNewtonSides {
    silt_i32 wet_e, wet_w, wet_s, wet_n;
    float x_e, x_w, y_s, y_n;
} SiltNewtonSides;

// Grains that would go to each neighbour (eq. 4). Water slower than the threshold `before` the push is split
// among all lower neighbours; swift water moves as one, over up to four cells.
SILT_FN SiltEightReal silt_newton_leave(silt_i32 level, SiltEight at, float fluid, SiltNewtonSides side,
                                        SiltNewtonVelocity before, SiltNewtonVelocity v, SiltNewtonStep step)
{
    const float diagonal = step.push * 0.5f, lean = 0.70710678f;
    SiltEightReal drop = silt_newton_drops(level, at), to;
    float x = v.x * step.courant, y = v.y * step.courant;
    float own = step.keep * step.courant; // slow water goes by the speed it had: the push comes part by part
    float slow_x = before.x * own, slow_y = before.y * own;
    float part = silt_over(fluid, silt_maxf(silt_eight_sum(drop), 1.0f));
    int slow = silt_newton_square(before) < step.slow;
    float per_head = 1.0f / (silt_newton_square(v) * step.head + 1.0f);
    float e = silt_maxf(silt_newton_at_side(x, side.x_e * step.courant, side.wet_e), 0.0f);
    float w = silt_maxf(-silt_newton_at_side(x, side.x_w * step.courant, side.wet_w), 0.0f);
    float s = silt_maxf(silt_newton_at_side(y, side.y_s * step.courant, side.wet_s), 0.0f);
    float n = silt_maxf(-silt_newton_at_side(y, side.y_n * step.courant, side.wet_n), 0.0f);
    float along_x = fluid * silt_maxf(1.0f - (s + n), 0.0f);
    float along_y = fluid * silt_maxf(1.0f - (e + w), 0.0f);
    to.e = silt_newton_to(at.e, slow, silt_newton_split(drop.e, part, slow_x, step.push),
                          e * along_x * silt_newton_climb(level, at.e, per_head));
    to.w = silt_newton_to(at.w, slow, silt_newton_split(drop.w, part, -slow_x, step.push),
                          w * along_x * silt_newton_climb(level, at.w, per_head));
    to.s = silt_newton_to(at.s, slow, silt_newton_split(drop.s, part, slow_y, step.push),
                          s * along_y * silt_newton_climb(level, at.s, per_head));
    to.n = silt_newton_to(at.n, slow, silt_newton_split(drop.n, part, -slow_y, step.push),
                          n * along_y * silt_newton_climb(level, at.n, per_head));
    to.se = silt_newton_to(at.se, slow, silt_newton_split(drop.se, part, (slow_x + slow_y) * lean, diagonal),
                           fluid * (e * s) * silt_newton_climb(level, at.se, per_head));
    to.nw = silt_newton_to(at.nw, slow, silt_newton_split(drop.nw, part, (-slow_x - slow_y) * lean, diagonal),
                           fluid * (w * n) * silt_newton_climb(level, at.nw, per_head));
    to.sw = silt_newton_to(at.sw, slow, silt_newton_split(drop.sw, part, (slow_y - slow_x) * lean, diagonal),
                           fluid * (w * s) * silt_newton_climb(level, at.sw, per_head));
    to.ne = silt_newton_to(at.ne, slow, silt_newton_split(drop.ne, part, (slow_x - slow_y) * lean, diagonal),
                           fluid * (e * n) * silt_newton_climb(level, at.ne, per_head));
    return to;
}

typedef struct SiltNewtonSpread {
    SiltEight out;           // grains to each neighbour
    float load, load_dither; // dissolved per fluid, and how what goes with it is rounded
} SiltNewtonSpread;

// Whole grains of what is to go to each neighbour, no more than there is.
SILT_FN SiltNewtonSpread silt_newton_round(SiltEightReal to, float fluid, float rock, SiltNewtonStep step)
{
    SiltNewtonSpread spread;
    float leaving = silt_eight_sum(to);
    float share = silt_newton_share(leaving, fluid), held = leaving * share;
    float dither = silt_newton_dither(held, fluid, step.fluid_dither);
    spread.out.e = silt_grains_moved(to.e * share, dither);
    spread.out.w = silt_grains_moved(to.w * share, dither);
    spread.out.s = silt_grains_moved(to.s * share, dither);
    spread.out.n = silt_grains_moved(to.n * share, dither);
    spread.out.se = silt_grains_moved(to.se * share, dither);
    spread.out.nw = silt_grains_moved(to.nw * share, dither);
    spread.out.sw = silt_grains_moved(to.sw * share, dither);
    spread.out.ne = silt_grains_moved(to.ne * share, dither);
    spread.load = silt_over(rock, silt_maxf(fluid, 1.0f));
    spread.load_dither = silt_newton_dither((held + 8.0f) * spread.load, rock, step.load_dither);
    return spread;
}

SILT_FN SiltNewtonSpread silt_newton_spread(silt_i32 level, SiltEight around, silt_i32 wet,
                                            SiltNewtonSides side, silt_i32 dissolved,
                                            SiltNewtonVelocity before, SiltNewtonVelocity v,
                                            SiltNewtonStep step)
{
    SiltEightReal to = silt_newton_leave(level, around, (float)wet, side, before, v, step);
    return silt_newton_round(to, (float)wet, (float)dissolved, step);
}

#endif
