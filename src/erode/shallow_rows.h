// What models of shallow water share in row code: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_SHALLOW_ROWS_H
#define SILT_ERODE_SHALLOW_ROWS_H

#include "grid/rows.h"
#include "physics/grains.h"

// Water over some cells of a row carries more than can be counted (SILT_GRAINS_LOAD): the surplus falls to
// the ground at once, however steep that gets. Returns the grains that the ground has no room for either;
// they leave the map.
static inline int64_t silt_shallow_relieve_cells(SILT_GLOBAL int32_t *ground, SILT_GLOBAL int32_t *deposit,
                                                 SILT_GLOBAL int32_t *sediment, int begin, int end)
{
    int64_t lost = 0;
    for (int i = begin; i < end; i++) {
        int32_t surplus = silt_maxi(sediment[i] - SILT_GRAINS_LOAD, 0);
        int32_t laid = silt_mini(surplus, silt_maxi(SILT_GRAINS_WALL - 2 - ground[i], 0));
        ground[i] += laid;
        deposit[i] += laid;
        sediment[i] -= surplus;
        lost += surplus - laid;
    }
    return lost;
}

#endif
