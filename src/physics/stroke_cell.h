// What a stroke of a brush does in one cell. Places are metres from where the stroke begins.
#ifndef SILT_PHYSICS_STROKE_CELL_H
#define SILT_PHYSICS_STROKE_CELL_H

#include "silt_fn.h"

// How far along the piece of line from (0, 0) to (to_x, to_y) the place nearest to (x, y) lies: 0 to 1.
SILT_FN float silt_stroke_along(float x, float y, float to_x, float to_y)
{
    float length2 = to_x * to_x + to_y * to_y;
    float dot = x * to_x + y * to_y;
    float t = length2 > 0.0f ? dot / length2 : 0.0f;
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}

// 1 in the middle, 0 from the rim on; from (1 - softness) of the radius on it falls as 3 s^2 - 2 s^3.
SILT_FN float silt_stroke_weight(float distance, float radius, float softness)
{
    float rim = 1.0f - distance / radius;
    float s = softness > 0.0f ? rim / softness : 1.0f;
    float u = s > 1.0f ? 1.0f : s;
    return rim > 0.0f ? u * u * (3.0f - 2.0f * u) : 0.0f;
}

// The weight of a cell in a stroke.
SILT_FN float silt_stroke_cell(float x, float y, float to_x, float to_y, float radius, float softness)
{
    float t = silt_stroke_along(x, y, to_x, to_y);
    float dx = x - t * to_x, dy = y - t * to_y;
    return silt_stroke_weight(silt_sqrtf(dx * dx + dy * dy), radius, softness);
}

// Metres that bring a height some of its way to another.
SILT_FN float silt_stroke_towards(float height, float wanted, float share)
{
    return share * (wanted - height);
}

// A crest, or a bed, that runs from one height to another: metres that raise the ground to it where it lies
// above, or cut it down where it lies below.
SILT_FN float silt_stroke_ridge(float height, float begin, float end, float along, float weight)
{
    float rise = begin + along * (end - begin) - height;
    return rise > 0.0f ? weight * rise : 0.0f;
}

SILT_FN float silt_stroke_bed(float height, float begin, float end, float along, float weight)
{
    float cut = begin + along * (end - begin) - height;
    return cut < 0.0f ? weight * cut : 0.0f;
}

// What multiplies erodibility: `factor` in the middle, 1 at the rim.
SILT_FN float silt_stroke_factor(float factor, float weight)
{
    return 1.0f + weight * (factor - 1.0f);
}

// Rain in drops: one cell in four gets four times as much.
SILT_FN float silt_stroke_drop(float metres, silt_u32 random)
{
    return (random & 3u) == 0u ? 4.0f * metres : 0.0f;
}

#endif
