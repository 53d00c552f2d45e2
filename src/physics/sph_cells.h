// The cells that particles are sorted by: in which one a place lies, and which it can see. In double, for the
// places of a wide map in small cells.
#ifndef SILT_PHYSICS_SPH_CELLS_H
#define SILT_PHYSICS_SPH_CELLS_H

#include "silt_fn.h"

#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)

// In cells from the corner of the grid; what lies outside stays within reach of silt_cell_whole.
SILT_FN double silt_cell_scaled(float at, double low, double inverse, int size)
{
    double place = ((double)at - low) * inverse, top = (double)size + 100.0;
    return place < -100.0 ? -100.0 : place > top ? top : place;
}

// floor, for numbers above -1024: a conversion is quicker than the library
SILT_FN int silt_cell_whole(double place)
{
    return (int)(place + 1024.0) - 1024;
}

// The cell along one axis; the outermost take all beyond them.
SILT_FN int silt_cell_of(float at, double low, double inverse, int size)
{
    int place = silt_cell_whole(silt_cell_scaled(at, low, inverse, size));
    return place < 0 ? 0 : place >= size ? size - 1 : place;
}

#endif

// How far along x the sphere of the support reaches into a row of cells, as columns from that of the place:
// from > to where it does not.
typedef struct SiltCellReach {
    int from, to;
} SiltCellReach;

// The row lies dy and dz metres off; `x` is the place in its own cell, 0 to 1, `scale` cells to a metre along
// x, and `h2` the support's square and a little more. A way is hardly more than a few columns.
SILT_FN SiltCellReach silt_cell_reach(float x, float dy, float dz, float h2, float scale)
{
    SiltCellReach reach;
    float reach2 = h2 - dy * dy - dz * dz;
    float way = silt_sqrtf(silt_maxf(reach2, 0.0f)) * scale + 1e-4f; // a little more, for rounding
    way = reach2 > 0.0f ? way : -2.0f;
    reach.from = (int)(x - way + 16.0f) - 16; // floor
    reach.to = (int)(x + way + 16.0f) - 16;
    return reach;
}

#endif
