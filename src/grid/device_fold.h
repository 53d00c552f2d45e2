// What all groups have left becomes what the books take. Read by OpenCL compilers, behind device_band.h.
#ifndef SILT_GRID_DEVICE_FOLD_H
#define SILT_GRID_DEVICE_FOLD_H

// One group for each number that phases keep: folds what all groups have left.
__kernel void silt_fold(__global const long *partials, __global long *out, __global const int *maxima,
                        int groups)
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
    silt_group_fold(scratch, part, 1, most, out + which, 1);
}

#endif
