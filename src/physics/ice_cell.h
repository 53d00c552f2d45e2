// Glacier ice in one cell, corner or face: the shallow ice approximation with Glen's exponent 3, sliding by
// Oerlemans 1984, and what sliding ice does to its bed.
//
// The ice of a column moves with the mean speed u = pace * slope, where for stress t = rho g M slope
//     u = (2 A / 5) t^3 h + F t^3 / N,   N = (h + M) / 2,
// h is its thickness, M that of the ice around it (walls hold back deep ice, and deep ice drags what is
// shallow along: in a wide sheet M is h), A the softness of ice and F how easily it slides. `deform` and
// `slide` below are 2 A (rho g)^3 / 5 and F (rho g)^3.
#ifndef SILT_PHYSICS_ICE_CELL_H
#define SILT_PHYSICS_ICE_CELL_H

#include "silt_fn.h"

// How far the surface falls from a to b: beds and thicknesses apart, because their differences are exact.
SILT_FN float ice_drop(float bed_a, float ice_a, float bed_b, float ice_b)
{
    return (bed_a - bed_b) + (ice_a - ice_b);
}

// The same, as far as it is a slope of ice: where it falls by more than twice the thickness of the ice above,
// that is a wall with a little ice on it.
SILT_FN float ice_fall(float bed_a, float ice_a, float bed_b, float ice_b)
{
    float drop = ice_drop(bed_a, ice_a, bed_b, ice_b), most = 2.0f * (drop > 0.0f ? ice_a : ice_b);
    return silt_clampf(drop, -most, most);
}

// Of that speed, the share that is sliding.
SILT_FN float ice_sliding_share(float ice, float around, float deform, float slide)
{
    float press = silt_maxf(0.5f * (ice + around), 1.0f), all = deform * ice * press + slide;
    return all > 0.0f ? slide / all : 0.0f;
}

// Speed for each unit of slope, in m/year; `slope2` is the slope squared. Ice is no faster than `fastest`,
// and no steeper than one in two in what it feels: cliffs at its front are gone before they matter.
SILT_FN float ice_pace(float ice, float around, float slope2, float deform, float slide, float fastest)
{
    float press = silt_maxf(0.5f * (ice + around), 1.0f);
    float stress = around * around * around * silt_minf(slope2, 0.25f);
    float pace = stress * (deform * ice + slide / press), most2 = fastest * fastest;
    return pace * pace * slope2 > most2 ? fastest / silt_sqrtf(slope2) : pace;
}

// What flows from a to b in a step, in metres over a cell, is flow + from_a * (what a gains) - from_b * (what
// b gains). `flow` is for the ice at the beginning of the step, scaled_pace * f * drop, where f, the
// thickness on the way, is the mean of both, but at most twice that of the higher one: bare walls give
// nothing. In terms of the ice at the end that is from_a * ice_a - from_b * ice_b; both are never negative,
// so a step of any length leaves no cell with less than nothing.
typedef struct IceLink {
    float flow, from_a, from_b;
} IceLink;

SILT_FN IceLink ice_link(float bed_a, float ice_a, float bed_b, float ice_b, float scaled_pace)
{
    float drop = ice_drop(bed_a, ice_a, bed_b, ice_b);
    int a_gives = drop >= 0.0f;
    float high = a_gives ? ice_a : ice_b, mean = 0.5f * (ice_a + ice_b);
    float part = mean < 2.0f * high ? mean / high : (high > 0.0f ? 2.0f : 0.0f);
    float paced = part * scaled_pace, other = paced * high;
    float own = paced * (a_gives ? drop + ice_b : ice_a - drop);
    IceLink link;
    link.flow = other * drop;
    link.from_a = a_gives ? own : other;
    link.from_b = a_gives ? other : own;
    return link;
}

// Snow less melt in m/year of ice, at `above` metres over the line where they are even. Steep ground, in
// terms of the slope squared, keeps less of its snow, and none beyond `bare2`.
SILT_FN float ice_balance(float above, float gradient, float most_snow, float slope2, float bare2)
{
    float snow = silt_minf(above * gradient, most_snow);
    float steep = silt_clampf(2.0f - 2.0f * slope2 / bare2, 0.0f, 1.0f);
    return snow > 0.0f ? snow * steep : snow;
}

// How fast sliding ice wears its bed, in m/year: grinding by speed alone, and plucking where the bed falls
// away in the direction of flow. Thin ice presses little and is cold; a wall is worn at right angles; and
// what stands out of its surroundings, by `bump` cells, is ground off first.
SILT_FN float ice_wear(float speed, float ice, float fall, float slope2, float bump, float abrasion,
                       float quarrying)
{
    float down = silt_clampf(fall, 0.0f, 1.0f), deep = ice / (ice + 60.0f), press = deep * deep;
    float stands_out = silt_clampf(1.0f + 4.0f * bump, 0.2f, 2.0f);
    return speed * press * stands_out * (abrasion + quarrying * down * down) *
           silt_sqrtf(1.0f + silt_minf(slope2, 4.0f));
}

// What falls off a wall onto a lower neighbour in a step, of rock that stands steeper than it can.
SILT_FN float ice_rockfall(float from, float to, float most_fall, float share)
{
    float excess = from - to - most_fall;
    return excess > 0.0f ? share * excess : 0.0f;
}

#endif
