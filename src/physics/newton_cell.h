// One cell of the Newtonian water model: Neidhold, Wacker, Deussen 2005, "Interactive physically based fluid
// and erosion simulation". Heights and amounts in grains (grains.h), velocities in m/s, in three dimensions.
#ifndef SILT_PHYSICS_NEWTON_CELL_H
#define SILT_PHYSICS_NEWTON_CELL_H

#include "grains.h"

// I = H + K_F F with K_F = max(0, 1 - influence |v|) (eq. 13): swift water does not stand in its own way.
SILT_FN silt_i32 newton_level(silt_i32 ground, silt_i32 fluid, float speed, float influence)
{
    float share = silt_maxf(1.0f - influence * speed, 0.0f);
    return ground + (silt_i32)((float)fluid * share);
}

// How far a neighbour lies below, in grains; 0 when it does not (eq. 11). A wall never does.
SILT_FN float newton_drop(silt_i32 level, silt_i32 neighbour)
{
    silt_i32 drop = level - neighbour;
    return drop > 0 ? (float)drop : 0.0f;
}

SILT_FN float newton_is_lower(float drop)
{
    return drop > 0.0f ? 1.0f : 0.0f;
}

// Sums over the eight neighbours go by opposite pairs, straight ones first: then they do not change when the
// map is turned.
SILT_FN float newton_sum(float east, float west, float south, float north, float south_east, float north_west,
                         float south_west, float north_east)
{
    return ((east + west) + (south + north)) + ((south_east + north_west) + (south_west + north_east));
}

// The fall along one line through the cell, in grains a step of that line, from the neighbour behind to the
// one ahead: the mean of both sides, but no more than there is to fall. So a crest sheds its water evenly,
// and water at the foot of a cliff or in a hollow is not pushed by ground that is dry. A wall lies wherever
// the slope on the other side would have it.
SILT_FN float newton_fall(silt_i32 level, silt_i32 ahead, silt_i32 behind)
{
    float down = ahead == SILT_GRAINS_WALL ? 0.0f : (float)(level - ahead);
    float from = behind == SILT_GRAINS_WALL ? 0.0f : (float)(behind - level);
    float mean =
        0.5f * ((ahead == SILT_GRAINS_WALL ? from : down) + (behind == SILT_GRAINS_WALL ? down : from));
    return silt_clampf(mean, silt_minf(from, 0.0f), silt_maxf(down, 0.0f));
}

typedef struct NewtonSlope {
    float x, y;
} NewtonSlope;

// Downhill in grains a cell (eq. 10-12). The fall along a line of neighbours is that of the plane through
// them along the axis and both diagonals, and each axis takes the mean of three. The paper's way (`all`) is
// the mean over all lower neighbours.
SILT_FN NewtonSlope newton_slope(silt_i32 level, silt_i32 e, silt_i32 w, silt_i32 s, silt_i32 n, silt_i32 se,
                                 silt_i32 nw, silt_i32 sw, silt_i32 ne, int all)
{
    NewtonSlope slope;
    float fall_x = newton_fall(level, e, w), fall_y = newton_fall(level, s, n);
    float fall_se = newton_fall(level, se, nw), fall_sw = newton_fall(level, sw, ne);
    float count = 3.0f;
    if (all) {
        float de = newton_drop(level, e), dw = newton_drop(level, w), ds = newton_drop(level, s);
        float dn = newton_drop(level, n), dse = newton_drop(level, se), dnw = newton_drop(level, nw);
        float dsw = newton_drop(level, sw), dne = newton_drop(level, ne);
        fall_x = de - dw;
        fall_y = ds - dn;
        fall_se = dse - dnw;
        fall_sw = dsw - dne;
        count = silt_maxf(newton_sum(newton_is_lower(de), newton_is_lower(dw), newton_is_lower(ds),
                                     newton_is_lower(dn), newton_is_lower(dse), newton_is_lower(dnw),
                                     newton_is_lower(dsw), newton_is_lower(dne)),
                          1.0f);
    }
    slope.x = (fall_x + (fall_se - fall_sw)) / count;
    slope.y = (fall_y + (fall_se + fall_sw)) / count;
    return slope;
}

// Acceleration per slope (eq. 14-18). With m = (x, y) downhill, M = (x, y, -s^2) is its projection onto the
// slope, s^2 = x^2 + y^2, and a = g |M_z| / |M| * M / |M| = g / (1 + s^2) * M.
SILT_FN float newton_pull(float square, float gravity)
{
    return gravity / (1.0f + square);
}

// eq. 1 and 3: what friction leaves of the velocity, and what the acceleration adds.
SILT_FN float newton_velocity(float velocity, float acceleration, float keep, float gain)
{
    return velocity * keep + acceleration * gain;
}

// Grains that slow water gives to one lower neighbour: its part by the drops (`part` is fluid over the sum of
// all drops), moved by half a g t^2 and by the speed it has, but never more than a quarter of the difference,
// so that hollows come to rest.
SILT_FN float newton_split(float drop, float part, float toward, float push)
{
    float moved = silt_clampf(silt_maxf(toward, 0.0f) + drop * push, 0.0f, 1.0f);
    return silt_minf(drop * part * moved, 0.25f * drop);
}

// Which share of swift water gets over into a neighbour that lies higher: its speed lifts it by v^2 / 2g and
// no further. `per_head` is one over that, in grains.
SILT_FN float newton_climb(silt_i32 level, silt_i32 neighbour, float per_head)
{
    return silt_clampf(1.0f - (float)(neighbour - level) * per_head, 0.0f, 1.0f);
}

// A cell never gives away more than it holds. A hair less, so that rounding cannot either.
SILT_FN float newton_share(float leaving, float held)
{
    float most = held * 0.9999990463256836f;
    return leaving > most ? most / leaving : 1.0f;
}

// The dither a cell may use for what it gives to eight neighbours: none if rounding up for all of them could
// take more than it has.
SILT_FN float newton_dither(float leaving, float held, float dither)
{
    return leaving + 8.0f <= held ? dither : 0.0f;
}

// Sediment that goes with that many grains of fluid. Nobody holds more than SILT_GRAINS_LOAD when he gives,
// so eight gifts and the load that is there can be counted.
SILT_FN silt_i32 newton_carried(silt_i32 fluid, float load, float dither)
{
    return (silt_i32)(silt_minf((float)fluid * load, (float)SILT_GRAINS_LOAD) + dither);
}

// Sediment a fluid of that speed can hold (eq. 19), in grains; no more than a quarter of what can be counted,
// so that waters may meet.
SILT_FN float newton_capacity(float fluid, float speed, float factor, float most)
{
    return silt_minf(silt_minf(factor * speed, most) * fluid, 0.25f * (float)SILT_GRAINS_LOAD);
}

#endif
