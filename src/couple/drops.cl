// Drops of rain and particles of springs, one after the other: each sees those before it. One group does it,
// all its items along the same way; they share the looking around.
#include "couple/drops.h"
#include "sph/join.h"

// Up to `wanted` drops from number `first` on, while there is room; a spring stops at the first that finds
// none. out: how many were placed, and how many were tried.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
place_drops(__constant const SiltDropRule *r, __constant const SiltFluidStep *s, __global const float *ground,
            __global const uchar *nodata, __global const float *rain, SILT_JOIN_CELLS, SiltSphLaw law,
            long first, int wanted, int count, int capacity, long next_id, __global float *x,
            __global float *y, __global float *z, __global float *u, __global float *v, __global float *w,
            __global float *ax, __global float *ay, __global float *az, __global float *density,
            __global float *sediment, __global float *age, __global long *id, __global uchar *fate,
            __global int *out)
{
    __local int found;
    __local float shares[SILT_JOIN_GROUP];
    SiltRelief relief = {ground, s->has_nodata ? nodata : 0, s->width, s->height, s->cell};
    int tried = 0, placed = 0;
    bool going = true;
    while (going && tried < wanted && count + placed < capacity) {
        float place[3];
        bool free = false;
        for (uint k = 0, tries = 0;
             k < (r->is_spring ? SILT_DROP_TRIES : SILT_DROP_DRAWS) && tries < SILT_DROP_TRIES && !free;
             k++) {
            SiltRandom random = silt_random(r->seed, r->stream, (ulong)(first + tried), k);
            if (!silt_drop_place(r, random, &place[0], &place[1]))
                continue;
            if (r->has_map && !silt_drop_falls(r, random,
                                               rain[silt_drop_cell(place[1], s->cell, s->height) * s->width +
                                                    silt_drop_cell(place[0], s->cell, s->width)]))
                continue;
            SiltSurface below = silt_relief_at(&relief, place[0], place[1]);
            place[2] = below.z + silt_drop_height(r, random);
            if (!below.is_there)
                continue;
            free = !silt_join_is_taken(g, rows, start, x, y, z, place, count + placed, law.h2, r->taken2,
                                       &found);
            tries++;
        }
        tried++;
        going = free || !r->is_spring;
        if (!free)
            continue;
        int i = count + placed++;
        if (get_local_id(0) == 0) {
            x[i] = place[0], y[i] = place[1], z[i] = place[2];
            u[i] = v[i] = w[i] = ax[i] = ay[i] = az[i] = 0.0f;
            density[i] = sediment[i] = age[i] = 0.0f;
            id[i] = next_id + placed - 1;
            fate[i] = SILT_SPH_STAYS;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        silt_join(g, rows, start, x, y, z, density, place, i + 1, law, shares);
    }
    if (get_local_id(0) == 0) {
        out[0] = placed;
        out[1] = tried;
    }
}
