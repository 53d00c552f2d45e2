// Beds of rock: parallel layers, tilted, that repeat downwards, bent and faulted by what lifts them, and rock
// that has broken through them. How hard the rock is at one point.
#ifndef SILT_PHYSICS_STRATA_CELL_H
#define SILT_PHYSICS_STRATA_CELL_H

#include "silt_fn.h"

typedef struct SiltBed {
    float from, to; // fractions of the stack
    float slope_x, slope_y;
    float erodibility;
} SiltBed;

// The elevation a point would have were the beds level and had the land not risen: folds and faults shift a
// bed with all that lies above and below it (similar folds, in the words of structural geology), and so does
// uplift.
SILT_FN float strata_level(float elevation, float bed, float raised)
{
    return elevation - bed - raised;
}

// Where a point lies in the stack, as a fraction of its thickness: 0 at the top of the first bed, and again
// at the top of the next stack below. `slope` is the fall of the beds per metre east (x) and south (y).
SILT_FN float strata_position(float depth, float x, float y, float slope_x, float slope_y, float per_metre)
{
    float position = (depth - slope_x * x - slope_y * y) * per_metre;
    return position - silt_floorf(position);
}

// The erodibility of the bed if the point lies in it, else what it was.
SILT_FN float strata_pick(float position, float from, float to, float erodibility, float otherwise)
{
    return position >= from && position < to ? erodibility : otherwise;
}

// What has broken through the beds from below, up to `top`, is in their place; it has risen with the land.
SILT_FN float strata_intrude(float elevation, float raised, float top, float intruded, float otherwise)
{
    return elevation - raised < top ? intruded : otherwise;
}

#endif
