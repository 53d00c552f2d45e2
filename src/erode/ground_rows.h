// Ground in grains as metres, of one cell: read by C compilers and by those of OpenCL devices, in double
// precision.
#ifndef SILT_ERODE_GROUND_ROWS_H
#define SILT_ERODE_GROUND_ROWS_H

#include "physics/silt_fn.h"

// How many whole grains a run finds in a cell. A grain is a power of two, so that multiplying by its inverse
// is dividing by it.
SILT_FN double silt_found_grains(double height, double before, double low, double per_grain)
{
    double found = (height + before - low) * per_grain;
    found = found > -0x1p30 ? found : -0x1p30;
    found = found < 0x1p30 ? found : 0x1p30;
    return floor(found + 0.5);
}

// What a cell has gained since the run found it, in metres, besides what it had gained before.
SILT_FN float silt_gained_metres(double height, double had, silt_i32 grains, double low, double per_grain,
                                 double grain)
{
    double found = silt_found_grains(height, had, low, per_grain);
    return (float)(had + ((double)grains - found) * grain);
}

SILT_FN float silt_metres_of(silt_i32 grains, double grain)
{
    return (float)((double)grains * grain);
}

#endif
