// What the textures of a land hold, made of its heights and water, an item for each cell. See src/share/share.c.
#include "render/codes.h"
#include "terrain/slope_at.h"

typedef struct PackShape {
    long heights, water, slopes, cover; // bytes to the first cell; of water and cover below zero: none
    int width, height, ranges, unused;
    float rise, water_half; // as SiltPack has them
} PackShape;

float height_at(PackShape s, __global const char *planes, int i, int j)
{
    i = clamp(i, 0, s.width - 1);
    j = clamp(j, 0, s.height - 1);
    return ((__global const float *)(planes + s.heights))[(long)j * s.width + i];
}

__kernel void pack_land(PackShape s, __global char *planes, __global const uchar *holes)
{
    int i = get_global_id(0), j = get_global_id(1);
    long cell = (long)j * s.width + i;
    if (i >= s.width || j >= s.height)
        return;
    float nw = height_at(s, planes, i - 1, j - 1), n = height_at(s, planes, i, j - 1);
    float ne = height_at(s, planes, i + 1, j - 1), w = height_at(s, planes, i - 1, j);
    float e = height_at(s, planes, i + 1, j), sw = height_at(s, planes, i - 1, j + 1);
    float south = height_at(s, planes, i, j + 1), se = height_at(s, planes, i + 1, j + 1);
    ushort2 slope;
    slope.x = (ushort)silt_code_half(silt_slope_between(s.rise, nw, w, sw, ne, e, se));
    slope.y = (ushort)silt_code_half(-silt_slope_between(s.rise, nw, n, ne, sw, south, se));
    ((__global ushort2 *)(planes + s.slopes))[cell] = slope;
    if (s.cover < 0)
        return;
    float depth = s.water < 0 ? 0.0f : ((__global const float *)(planes + s.water))[cell];
    uchar4 code = (uchar4)(0, 0, 0, 0);
    code.x = (uchar)silt_code_byte(silt_code_saturating(depth, s.water_half));
    code.w = holes[cell] ? 0 : 255;
    ((__global uchar4 *)(planes + s.cover))[cell] = code;
}

// The lowest and the highest of some heights, for each item.
__kernel void range_of_land(PackShape s, __global const char *planes, __global float *ranges)
{
    int item = get_global_id(0);
    if (item >= s.ranges)
        return;
    __global const float *heights = (__global const float *)(planes + s.heights);
    long cells = (long)s.width * s.height;
    float low = heights[item % cells], high = low;
    for (long cell = item; cell < cells; cell += s.ranges) {
        low = heights[cell] < low ? heights[cell] : low;
        high = heights[cell] > high ? heights[cell] : high;
    }
    ranges[2 * item] = low;
    ranges[2 * item + 1] = high;
}
