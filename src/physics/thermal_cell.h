// Thermal weathering of one cell (Fritz 3.4, after Olsen 2004): what lies steeper than the talus angle slides
// to the lower neighbour.
//
// Heights are whole numbers of a grain, a power of two of a metre. What slides between two cells is a whole
// number too, and the same for both but for its sign: nothing is lost to rounding, and sums have no order.
#ifndef SILT_PHYSICS_THERMAL_CELL_H
#define SILT_PHYSICS_THERMAL_CELL_H

#include "silt_fn.h"

// How far a drop exceeds the talus, with the sign of the drop; 0 within the talus.
SILT_FN silt_i32 silt_thermal_excess(silt_i32 drop, silt_i32 talus)
{
    silt_i32 within = drop > talus ? talus : drop;
    within = within < -talus ? -talus : within;
    return drop - within;
}

// What a cell gains from a neighbour (negative: loses to it): a share of the excess, by the rate of the
// higher of the two, cut to whole grains towards zero. `open` is -1, or 0 where a wall lies between them.
// `weight` makes the flow per metre of width the same in all directions: twice as many lines of diagonal
// neighbours cross a metre, so each has half the weight where there are others too.
SILT_FN silt_i32 silt_thermal_gain(silt_i32 own, silt_i32 other, silt_i32 open, silt_i32 talus, float weight,
                                   float own_rate, float other_rate)
{
    silt_i32 excess = silt_thermal_excess((other - own) & open, talus);
    float rate = excess > 0 ? other_rate : own_rate;
    return (silt_i32)((float)excess * (weight * rate));
}

// The part of a gain that is a loss.
SILT_FN silt_i32 silt_thermal_lost(silt_i32 gained)
{
    return -gained > 0 ? -gained : 0; // so it is one instruction of a GPU
}

// What slides across a corner of four cells towards the west and north (each by as many grains, from both
// cells of the other side): the slope counts in the direction of its steepest fall, so piles become cones,
// where neighbours by pairs make pyramids. With cells NW = a, NE = b, SW = c, SE = d, a gains west + north, b
// gains north - west, c gains west - north, and d loses both.
typedef struct SiltThermalCorner {
    silt_i32 west, north;
} SiltThermalCorner;

// `talus` is the drop at the talus angle over two cells; `open` as above, for all four.
SILT_FN SiltThermalCorner silt_thermal_corner(silt_i32 a, silt_i32 b, silt_i32 c, silt_i32 d, silt_i32 open,
                                              float talus, float rate)
{
    float east = (float)(b - a) + (float)(d - c), south = (float)(c - a) + (float)(d - b);
    float steep = silt_sqrtf(east * east + south * south);
    float share = steep > talus ? rate * (1.0f - talus / steep) : 0.0f;
    SiltThermalCorner corner;
    corner.west = (silt_i32)(east * share) & open;
    corner.north = (silt_i32)(south * share) & open;
    return corner;
}

SILT_FN float silt_thermal_slower(float so_far, float rate, silt_i32 gained)
{
    return gained < 0 && rate < so_far ? rate : so_far;
}

// What is left of it where rates differ: a corner gives as much as the slowest of the cells that would lose
// by it. `full` is the rate it was found with, `part` one over that.
SILT_FN SiltThermalCorner silt_thermal_hold(SiltThermalCorner corner, float rate_a, float rate_b,
                                            float rate_c, float rate_d, float full, float part)
{
    silt_i32 w = corner.west, n = corner.north;
    float slowest = silt_thermal_slower(silt_thermal_slower(full, rate_a, w + n), rate_b, n - w);
    slowest = silt_thermal_slower(silt_thermal_slower(slowest, rate_c, w - n), rate_d, -w - n);
    corner.west = (silt_i32)((float)w * (slowest * part));
    corner.north = (silt_i32)((float)n * (slowest * part));
    return corner;
}

// The four corners of a cell.
typedef struct SiltThermalCorners {
    SiltThermalCorner north_west, north_east, south_west, south_east;
} SiltThermalCorners;

SILT_FN silt_i32 silt_thermal_gain_across(SiltThermalCorners c)
{
    return (c.south_east.west + c.south_east.north) + (c.south_west.north - c.south_west.west) +
           (c.north_east.west - c.north_east.north) + (-c.north_west.west - c.north_west.north);
}

SILT_FN silt_i32 silt_thermal_lost_across(SiltThermalCorners c)
{
    return silt_thermal_lost(c.south_east.west + c.south_east.north) +
           silt_thermal_lost(c.south_west.north - c.south_west.west) +
           silt_thermal_lost(c.north_east.west - c.north_east.north) +
           silt_thermal_lost(-c.north_west.west - c.north_west.north);
}

// Four neighbours on opposite sides: the direct ones, or those across the corners. `open` of each, as above.
typedef struct SiltThermalFour {
    silt_i32 ground[4], open[4];
    float rate[4];
} SiltThermalFour;

SILT_FN silt_i32 silt_thermal_gain_four(silt_i32 own, float own_rate, SiltThermalFour of, silt_i32 talus,
                                        float weight)
{
    return silt_thermal_gain(own, of.ground[0], of.open[0], talus, weight, own_rate, of.rate[0]) +
           silt_thermal_gain(own, of.ground[1], of.open[1], talus, weight, own_rate, of.rate[1]) +
           silt_thermal_gain(own, of.ground[2], of.open[2], talus, weight, own_rate, of.rate[2]) +
           silt_thermal_gain(own, of.ground[3], of.open[3], talus, weight, own_rate, of.rate[3]);
}

// What it would lose to them at one rate for all.
SILT_FN silt_i32 silt_thermal_lost_four(silt_i32 own, SiltThermalFour of, silt_i32 talus, float weight,
                                        float rate)
{
    return silt_thermal_lost(silt_thermal_gain(own, of.ground[0], of.open[0], talus, weight, rate, rate)) +
           silt_thermal_lost(silt_thermal_gain(own, of.ground[1], of.open[1], talus, weight, rate, rate)) +
           silt_thermal_lost(silt_thermal_gain(own, of.ground[2], of.open[2], talus, weight, rate, rate)) +
           silt_thermal_lost(silt_thermal_gain(own, of.ground[3], of.open[3], talus, weight, rate, rate));
}

// How steep a cell falls, in grains over the distance between direct neighbours: down both axes together, or
// across the steepest corner. `direct` are the neighbours to the north, south, west and east.
SILT_FN float silt_thermal_steepest(silt_i32 own, SiltThermalFour direct, SiltThermalFour diagonal)
{
    silt_i32 drop[4], across = 0;
    for (int k = 0; k < 4; k++) {
        drop[k] = (own - direct.ground[k]) & direct.open[k];
        silt_i32 fall = (own - diagonal.ground[k]) & diagonal.open[k];
        across = fall > across ? fall : across;
    }
    silt_i32 down = drop[0] > drop[1] ? drop[0] : drop[1], aside = drop[2] > drop[3] ? drop[2] : drop[3];
    float y = (float)(down > 0 ? down : 0), x = (float)(aside > 0 ? aside : 0);
    return silt_maxf(silt_sqrtf(x * x + y * y), 0.70710678f * (float)across);
}

// The drop up to which rock stands: `stands` is that of plain rock, and rock of `erodibility` times plain
// rock's stands at stands / sqrt(erodibility), so that hard beds make cliffs and soft ones slopes; nothing
// stands less than loose material.
SILT_FN float silt_thermal_limit(float talus, float stands, float erodibility)
{
    return silt_maxf(stands / silt_sqrtf(silt_maxf(erodibility, 1e-12f)), talus);
}

// Which part of what would slide beyond the talus breaks from rock that stands steeper than loose material:
// none up to the slope it stands at, and above that what exceeds it.
SILT_FN float silt_thermal_breaks(float steep, float talus, float limit)
{
    return steep > limit ? (steep - limit) / (steep - talus) : 0.0f;
}

// The rate of a cell that would lose `wanted` grains if all of it were loose: the deposit goes first, at the
// full rate, and what is missing breaks from the rock, by its erodibility (0 to 1). The height-aware variant:
// hardness grows with height, by `height_factor` for each grain.
SILT_FN float silt_thermal_rate(silt_i32 wanted, silt_i32 ground, silt_i32 bed, float erodibility, float rate,
                                float height_factor)
{
    float full = rate * silt_maxf(1.0f + (float)ground * height_factor, 0.0f);
    silt_i32 deposit = ground - bed;
    float all = (float)(wanted > 1 ? wanted : 1);
    float loose = (float)(wanted < deposit ? wanted : deposit);
    float moved = loose + erodibility * (all - loose);
    return full * (moved < all ? silt_over(moved, all) : 1.0f);
}

// A cell after a step that brings it `gain`.
typedef struct SiltThermalSlid {
    silt_i32 ground, bed, risen;
} SiltThermalSlid;

SILT_FN SiltThermalSlid silt_thermal_slide(silt_i32 ground, silt_i32 bed, silt_i32 gain)
{
    SiltThermalSlid slid;
    slid.ground = ground + gain;
    slid.bed = slid.ground < bed ? slid.ground : bed;
    slid.risen = gain > 0 ? gain : 0;
    return slid;
}

#endif
