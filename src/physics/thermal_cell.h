// Thermal weathering of one cell (Fritz 3.4, after Olsen 2004): what lies steeper than the talus angle slides
// to the lower neighbour.
//
// Heights are whole numbers of a grain, a power of two of a metre. What slides between two cells is a whole
// number too, and the same for both but for its sign: nothing is lost to rounding, and sums have no order.
#ifndef SILT_PHYSICS_THERMAL_CELL_H
#define SILT_PHYSICS_THERMAL_CELL_H

#include "silt_fn.h"

// How far a drop exceeds the talus, with the sign of the drop; 0 within the talus.
SILT_FN silt_i32 thermal_excess(silt_i32 drop, silt_i32 talus)
{
    silt_i32 within = drop > talus ? talus : drop;
    within = within < -talus ? -talus : within;
    return drop - within;
}

// What a cell gains from a neighbour (negative: loses to it): a share of the excess, by the rate of the
// higher of the two, cut to whole grains towards zero. `open` is -1, or 0 where a wall lies between them.
// `weight` makes the flow per metre of width the same in all directions: twice as many lines of diagonal
// neighbours cross a metre, so each has half the weight where there are others too.
SILT_FN silt_i32 thermal_gain(silt_i32 own, silt_i32 other, silt_i32 open, silt_i32 talus, float weight,
                              float own_rate, float other_rate)
{
    silt_i32 excess = thermal_excess((other - own) & open, talus);
    float rate = excess > 0 ? other_rate : own_rate;
    return (silt_i32)((float)excess * (weight * rate));
}

// What slides across a corner of four cells towards the west and north (each by as many grains, from both
// cells of the other side): the slope counts in the direction of its steepest fall, so piles become cones,
// where neighbours by pairs make pyramids. With cells NW = a, NE = b, SW = c, SE = d, a gains west + north, b
// gains north - west, c gains west - north, and d loses both.
typedef struct ThermalCorner {
    silt_i32 west, north;
} ThermalCorner;

// `talus` is the drop at the talus angle over two cells.
SILT_FN ThermalCorner thermal_corner(silt_i32 a, silt_i32 b, silt_i32 c, silt_i32 d, float talus, float rate)
{
    float east = (float)(b - a) + (float)(d - c), south = (float)(c - a) + (float)(d - b);
    float steep = silt_sqrtf(east * east + south * south);
    float share = steep > talus ? rate * (1.0f - talus / steep) : 0.0f;
    ThermalCorner corner;
    corner.west = (silt_i32)(east * share);
    corner.north = (silt_i32)(south * share);
    return corner;
}

// The height-aware variant: hardness grows with height, from 1 at the lowest point to `summit` at the
// highest.
SILT_FN float thermal_height_factor(silt_i32 height, float per_grain)
{
    return silt_maxf(1.0f + (float)height * per_grain, 0.0f);
}

// The rate of a cell that would lose `wanted` grains if all of it were loose: the deposit goes first, at the
// full rate, and what is missing breaks from the rock, by its erodibility (0 to 1).
SILT_FN float thermal_rate(silt_i32 wanted, silt_i32 deposit, float erodibility, float full_rate)
{
    float all = (float)(wanted > 1 ? wanted : 1);
    float loose = (float)(wanted < deposit ? wanted : deposit);
    float moved = loose + erodibility * (all - loose);
    return full_rate * (moved < all ? moved / all : 1.0f);
}

#endif
