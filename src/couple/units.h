// Sums of whole numbers of 64 bits that many items of a device add to. For OpenCL.
#ifndef SILT_COUPLE_UNITS_H
#define SILT_COUPLE_UNITS_H

// Two words of 32 bits, for devices that have no atomics of 64.
static inline void silt_add_units(__global long *to, long units)
{
    __global uint *words = (__global uint *)to;
    uint low = (uint)units, high = (uint)(units >> 32);
    if (units == 0)
        return;
    uint before = atomic_add(words, low);
    high += before + low < low;
    if (high != 0)
        atomic_add(words + 1, high);
}

#endif
