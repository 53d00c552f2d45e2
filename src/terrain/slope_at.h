// The slope at a cell from the eight around it, of one cell: read by C compilers and by those of OpenCL
// devices.
#ifndef SILT_TERRAIN_SLOPE_AT_H
#define SILT_TERRAIN_SLOPE_AT_H

#include "physics/silt_fn.h"

// Along x from west to east, by the middles and corners of both sides; `scale` is one by the size of a cell.
SILT_FN float silt_slope_between(float scale, float low_a, float low, float low_b, float high_a, float high,
                                 float high_b)
{
    return scale * 0.125f * ((high_a + 2.0f * high + high_b) - (low_a + 2.0f * low + low_b));
}

#endif
