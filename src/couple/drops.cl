// Places for drops of rain and particles of springs: each sees those before it. One group does it (join.h).
#include "couple/drops.h"
#include "sph/join.h"

// A place on ground with data, by the map of rain, where none of the first `count` particles is.
static inline bool find_place(__constant const SiltDropRule *r, __constant const SiltFluidStep *s,
                              const SiltRelief *relief, __global const float *rain, SILT_JOIN_CELLS,
                              SILT_JOIN_PLACES, float h2, long number, int count, float *place)
{
    int tries = 0;
    for (uint k = 0; k < SILT_DROP_DRAWS && silt_drop_looks_on(r, tries); k++) {
        SiltRandom random = silt_random(r->seed, r->stream, (ulong)number, k);
        if (!silt_drop_place(r, random, &place[0], &place[1]))
            continue;
        if (r->has_map && !silt_drop_falls(r, random,
                                           rain[silt_drop_cell(place[1], s->cell, s->height) * s->width +
                                                silt_drop_cell(place[0], s->cell, s->width)]))
            continue;
        SiltSurface below = silt_relief_at(relief, place[0], place[1]);
        place[2] = below.z + silt_drop_height(r, random, tries);
        if (!below.is_there)
            continue;
        if (!silt_join_is_taken(g, rows, start, x, y, z, place, count, h2, r->taken2))
            return true;
        tries++;
    }
    return false;
}

// Up to `wanted` drops from number `first` on, while there is room; a spring stops at the first that finds
// none. out: how many were placed, and how many were tried.
__kernel __attribute__((reqd_work_group_size(SILT_JOIN_GROUP, 1, 1))) void
place_drops(__constant const SiltDropRule *r, __constant const SiltFluidStep *s, __global const float *ground,
            __global const uchar *nodata, __global const float *rain, SILT_JOIN_CELLS, SiltSphLaw law,
            long first, int wanted, int count, int capacity, long next_id, __global float *x,
            __global float *y, __global float *z, __global float *u, __global float *v, __global float *w,
            __global float *ax, __global float *ay, __global float *az, __global float *density,
            __global float *sediment, __global float *age, __global long *id, __global uchar *fate,
            __global int *out)
{
    __local SiltJoinGroup group;
    SiltRelief relief = {ground, s->has_nodata ? nodata : 0, s->width, s->height, s->cell};
    SiltJoinState state = {0, 0, true};
    int item = get_local_id(0);
    while (state.goes_on && state.tried < wanted && count + state.placed < capacity) {
        int items = min((int)SILT_JOIN_GROUP, wanted - state.tried);
        float place[3] = {0.0f, 0.0f, 0.0f};
        bool is_free = false;
        if (item < items)
            is_free = find_place(r, s, &relief, rain, g, rows, start, x, y, z, law.h2,
                                 first + state.tried + item, count + state.placed, place);
        int own = silt_join_admit(&group, &state, place, is_free, items, capacity - count - state.placed,
                                  r->is_spring, law.h2, r->taken2);
        if (own >= 0) {
            int i = count + own;
            x[i] = place[0], y[i] = place[1], z[i] = place[2];
            u[i] = v[i] = w[i] = ax[i] = ay[i] = az[i] = 0.0f;
            density[i] = sediment[i] = age[i] = 0.0f;
            id[i] = next_id + own;
            fate[i] = SILT_SPH_STAYS;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (item == 0) {
        out[0] = state.placed;
        out[1] = state.tried;
    }
}
