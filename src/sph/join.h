// Water that comes among the particles of a device, one particle after the other: whether a place is free,
// and the share that a newcomer and those around have in each other's density. All items of a group of 128
// call these together and share the looking around. For OpenCL.
#ifndef SILT_SPH_JOIN_H
#define SILT_SPH_JOIN_H

#include "sph/look.h"

#define SILT_JOIN_PLACES __global const float *x, __global const float *y, __global const float *z
#define SILT_JOIN_CELLS                                                                                      \
    __constant const SiltSphGrid *g, __global const SiltSphRow *rows, __global const int *start
enum { SILT_JOIN_GROUP = 128 };

// The runs that a place can see, and those added since the sort.
static inline void silt_join_runs(SILT_JOIN_CELLS, const float *place, int count, SiltSphRuns *runs)
{
    int sorted = g->count > 0 ? g->sorted : 0;
    silt_look_runs(g, rows, start, place[0], place[1], place[2], runs);
    if (sorted < count) {
        runs->begin[runs->count] = sorted;
        runs->end[runs->count++] = count;
    }
}

static inline float silt_join_distance2(SILT_JOIN_PLACES, const float *place, int j)
{
    float dx = place[0] - x[j], dy = place[1] - y[j], dz = place[2] - z[j];
    return dx * dx + dy * dy + dz * dz;
}

static inline bool silt_join_is_taken(SILT_JOIN_CELLS, SILT_JOIN_PLACES, const float *place, int count,
                                      float h2, double taken2, __local int *found)
{
    SiltSphRuns runs;
    silt_join_runs(g, rows, start, place, count, &runs);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n] + get_local_id(0); j < runs.end[n]; j += SILT_JOIN_GROUP) {
            float r2 = silt_join_distance2(x, y, z, place, j);
            if (r2 < h2 && (double)r2 < taken2)
                *found = 1;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *found;
}

// The newcomer is the last of `count`. Its density is what it and those around make up for, in their order,
// and theirs grows by its share.
static inline void silt_join(SILT_JOIN_CELLS, SILT_JOIN_PLACES, __global float *density, const float *place,
                             int count, SiltSphLaw law, __local float *shares)
{
    SiltSphRuns runs;
    float sum = 0.0f;
    silt_join_runs(g, rows, start, place, count, &runs);
    for (int n = 0; n < runs.count; n++)
        for (int first = runs.begin[n]; first < runs.end[n]; first += SILT_JOIN_GROUP) {
            int item = get_local_id(0), j = first + item;
            float r2 = j < runs.end[n] ? silt_join_distance2(x, y, z, place, j) : INFINITY;
            float share = r2 < law.h2 ? silt_sph_join(law, r2) : 0.0f;
            shares[item] = share;
            if (share != 0.0f && j != count - 1)
                density[j] += share;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = 0; item == 0 && k < SILT_JOIN_GROUP && first + k < runs.end[n]; k++)
                sum += shares[k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    if (get_local_id(0) == 0)
        density[count - 1] = sum;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

#endif
