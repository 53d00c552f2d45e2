// What newcomers and those around have in each other's density, once all have their places: as if each had
// been added behind the one before, and all sums in that order.
#include "sph/join.h"

// The newcomers are those behind the first `count`, *placed of them. Of one before that a newcomer is seen by,
// first[] says the newcomer with the lowest number, and seen[] how many there are.
#define NEWCOMERS                                                                                            \
    SILT_JOIN_CELLS, SiltSphLaw law, int count, __global const int *placed, SILT_JOIN_PLACES,                \
        __global float *density, __global int *first, __global int *seen

// Its own density: what all that it sees make up for, itself among them.
__kernel void join_newcomers(NEWCOMERS)
{
    int m = get_global_id(0);
    if (m >= *placed)
        return;
    float place[3] = {x[count + m], y[count + m], z[count + m]}, sum = 0.0f;
    SiltSphRuns runs;
    silt_join_runs(g, rows, start, place, count + *placed, &runs);
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n]; j < runs.end[n]; j++) {
            float r2 = silt_join_distance2(x, y, z, place, j);
            float share = r2 < law.h2 ? silt_sph_join(law, r2) : 0.0f;
            sum += share;
            if (share != 0.0f && j < count) {
                atomic_min(first + j, m);
                atomic_inc(seen + j);
            }
        }
    density[count + m] = sum;
}

// Whether the newcomer at a place sees particle j.
static inline bool sees(SILT_JOIN_CELLS, const float *place, int j, int count)
{
    SiltSphRuns runs;
    bool is_there = false;
    silt_join_runs(g, rows, start, place, count, &runs);
    for (int n = 0; n < runs.count; n++)
        is_there = is_there || (j >= runs.begin[n] && j < runs.end[n]);
    return is_there;
}

// The first newcomer that sees a particle adds to its density for all that do, one after the other, and
// leaves first[] and seen[] as they were found.
__kernel void join_others(NEWCOMERS)
{
    int m = get_global_id(0);
    if (m >= *placed)
        return;
    float own[3] = {x[count + m], y[count + m], z[count + m]};
    SiltSphRuns runs;
    silt_join_runs(g, rows, start, own, count, &runs);
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n]; j < runs.end[n]; j++) {
            if (first[j] != m)
                continue;
            float sum = density[j];
            for (int k = m, left = seen[j]; left > 0 && k < *placed; k++) {
                float place[3] = {x[count + k], y[count + k], z[count + k]};
                float r2 = silt_join_distance2(x, y, z, place, j);
                float share = r2 < law.h2 ? silt_sph_join(law, r2) : 0.0f;
                if (share == 0.0f || !sees(g, rows, start, place, j, count))
                    continue;
                sum += share;
                left--;
            }
            density[j] = sum;
            first[j] = INT_MAX;
            seen[j] = 0;
        }
}
