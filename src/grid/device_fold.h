// What all groups have left becomes what the books take. Read by OpenCL compilers, behind device_band.h.
#ifndef SILT_GRID_DEVICE_FOLD_H
#define SILT_GRID_DEVICE_FOLD_H

// One group for each number that phases keep: folds what all groups have left.
__kernel void silt_fold(__global const long *partials, __global long *out, __global const int *maxima,
                        int groups, int first)
{
    __local long scratch[SILT_GROUP], part[SILT_GROUP_LANES];
    int which = get_group_id(0), item = get_local_id(0);
    bool most = maxima[which];
    long all = 0;
    for (int k = item; k < groups; k += SILT_GROUP) {
        long value = partials[(long)which * groups + k];
        all = most ? (value > all ? value : all) : all + value;
    }
    scratch[item] = all;
    silt_group_fold(scratch, part, 1, most, out + first + which, 1);
}

// What the items of a group have added, or the most of it, goes to *out.
static inline void silt_tile_fold(__local long *added, long value, int most, int items, __global long *out)
{
    int item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    added[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int reach = 64; reach > 0; reach /= 2) { // of 128 items at the most
        if (item < reach && item + reach < items)
            added[item] = most ? max(added[item], added[item + reach]) : added[item] + added[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        *out = added[0];
}

#endif
