// The eight neighbours of a cell, by where they lie: values that belong to them, or that go to them.
#ifndef SILT_PHYSICS_EIGHT_H
#define SILT_PHYSICS_EIGHT_H

#include "silt_fn.h"

typedef struct SiltEight {
    silt_i32 e, w, s, n, se, nw, sw, ne;
} SiltEight;

typedef struct SiltEightReal {
    float e, w, s, n, se, nw, sw, ne;
} SiltEightReal;

// Sums over the eight go by opposite pairs, straight ones first: then they do not change when the map is
// turned.
SILT_FN float silt_eight_sum(SiltEightReal of)
{
    return ((of.e + of.w) + (of.s + of.n)) + ((of.se + of.nw) + (of.sw + of.ne));
}

// Whole numbers have no order.
SILT_FN silt_i32 silt_eight_total(SiltEight of)
{
    return of.e + of.w + of.s + of.n + of.se + of.nw + of.sw + of.ne;
}

#endif
