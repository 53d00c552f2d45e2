// Layers of a run as floats, an item for each cell. See src/erode/look_there.c.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "erode/ground_rows.h"

typedef struct LookShape {
    double low, grain;
    long origin, at;          // bytes to the cell (0, 0), and to the first of those that are shown
    int width, height, pitch; // bytes from row to row
    int had;                  // whether there is a layer of what had changed before
} LookShape;

int grains_at(LookShape s, __global const char *grains, int i, int j)
{
    return *(__global const int *)(grains + s.origin + (long)j * s.pitch + 4 * i);
}

__kernel void show_amount(LookShape s, __global const char *grains, __global const uchar *holes, __global char *out)
{
    int i = get_global_id(0), j = get_global_id(1);
    long cell = (long)j * s.width + i;
    if (i >= s.width || j >= s.height)
        return;
    ((__global float *)(out + s.at))[cell] = holes[cell] ? 0.0f : silt_metres_of(grains_at(s, grains, i, j), s.grain);
}

__kernel void show_ground(LookShape s, __global const char *grains, __global const uchar *holes,
                          __global const float *heights, __global const float *before, __global char *out)
{
    int i = get_global_id(0), j = get_global_id(1);
    long cell = (long)j * s.width + i;
    if (i >= s.width || j >= s.height)
        return;
    double had = s.had ? (double)before[cell] : 0.0;
    float change =
        silt_gained_metres((double)heights[cell], had, grains_at(s, grains, i, j), s.low, 1.0 / s.grain, s.grain);
    ((__global float *)(out + s.at))[cell] = (holes[cell] ? 0.0f : change) + heights[cell];
}
