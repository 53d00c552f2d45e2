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

// Downhill along one axis: what the derivatives towards the lower neighbours (eq. 10-12) add up to. Three
// neighbours lie ahead, three behind.
SILT_FN float newton_downhill(float ahead, float behind, float ahead_left, float ahead_right,
                              float behind_left, float behind_right)
{
    return (ahead - behind) + ((ahead_left + ahead_right) - (behind_left + behind_right));
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

// Shares of the water that x + v dt brings into the neighbours: the bilinear weights of the new place (eq.
// 4). Slow water is split instead: each lower neighbour draws its part, as far as its own derivative moves
// it, but never more than a quarter of the difference, so that hollows come to rest.
SILT_FN float newton_straight_share(float toward, float across)
{
    float across_size = across < 0.0f ? -across : across;
    return silt_maxf(toward, 0.0f) * (1.0f - across_size);
}

SILT_FN float newton_diagonal_share(float toward_x, float toward_y)
{
    return silt_maxf(toward_x, 0.0f) * silt_maxf(toward_y, 0.0f);
}

// Grains drawn by one lower neighbour: `part` of the fluid, moved by half a g t^2 and by the speed it has.
SILT_FN float newton_split(float fluid, float drop, float part, float toward, float push)
{
    float moved = silt_clampf(silt_maxf(toward, 0.0f) + drop * push, 0.0f, 1.0f);
    return silt_minf(fluid * part * moved, 0.25f * drop);
}

// Sediment a fluid of that speed can hold (eq. 19), in grains.
SILT_FN float newton_capacity(float fluid, float speed, float factor, float most)
{
    return silt_minf(factor * speed, most) * fluid;
}

#endif
