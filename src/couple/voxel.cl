// The kernels of particles of `voxel`: planes of the rock below them, sediment that sinks, collision and
// exchange with the rock, what that moves, and water that comes from sources.
#include "couple/device_bricks.h"
#include "couple/drops.h"
#include "couple/units.h"
#include "couple/voxel_meet.h"
#include "couple/voxel_pour.h"
#include "sph/join.h"

#define PLACES  __global const float *x, __global const float *y, __global const float *z
#define CELLS   __constant const SiltSphGrid *g, __global const SiltSphRow *rows, __global const int *start
#define NUMBERS __constant const SiltVoxelNumbers *s

__kernel void find_planes(ROCK, NUMBERS, PLACES, int count, __global SiltSphPlane *planes)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    float place[3], gradient[3];
    silt_voxel_place(s->frame, x[i], y[i], z[i], place);
    float here = silt_view_sample(&rock, place, gradient);
    planes[i] = silt_voxel_plane(s->frame.cell, rock.band, here, gradient);
}

__kernel void weigh(NUMBERS, __global const float *sediment, int count, __global float *ax,
                    __global float *ay, __global float *az)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    float by = silt_voxel_weigh(s->weight, sediment[i]);
    ax[i] *= by, ay[i] *= by, az[i] *= by;
}

// ---- sediment that sinks, and the surface ----

__kernel void find_load(__global const float *sediment, int count, __global int *any)
{
    int i = get_global_id(0);
    if (i < count && sediment[i] > 0.0f)
        *any = 1;
}

__kernel void sink(NUMBERS, CELLS, PLACES, __global const float *sediment, float h2, int count,
                   __global const int *any, __global float *after, __global uchar *covered)
{
    int i = get_global_id(0);
    bool sinks = s->sink_pace > 0.0f && *any;
    if (i >= count || !(sinks || s->evaporates))
        return;
    float mine = sediment[i], by_full = 1.0f / s->full, gain = 0.0f;
    bool is_covered = false;
    SiltSphPlace at = {x[i], y[i], z[i], i, 0.0f, 0.0f, 0.0f, 0.0f};
    SiltSphRuns runs;
    silt_look_runs(g, rows, start, at.x, at.y, at.z, &runs);
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n]; j < runs.end[n]; j++) {
            float dx = at.x - x[j], dy = at.y - y[j], dz = at.z - z[j];
            if (!silt_look_counts(&at, j, dx, dy, dz, h2))
                continue;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (sinks) // whole numbers: their sum has no order
                gain += silt_voxel_gain(mine, sediment[j], by_full, dz, r2, h2, s->asymmetry, s->sink_pace,
                                        s->sink_dither);
            is_covered |= silt_voxel_covers(dz, r2, s->cone);
        }
    after[i] = mine + gain;
    if (s->evaporates)
        covered[i] = is_covered;
}

__kernel void keep_loads(NUMBERS, __global float *sediment, __global const float *after, int count,
                         __global const int *any)
{
    int i = get_global_id(0);
    if (i < count && s->sink_pace > 0.0f && *any)
        sediment[i] = after[i];
}

// ---- at the rock ----

#define BOOKS __global long *taken, __global long *laid, __global long *passed, __global int *present
#define MOTIONS                                                                                              \
    __global float *x, __global float *y, __global float *z, __global float *u, __global float *v,           \
        __global float *w, __global float *sediment, __global float *age, __global uchar *fate
#define ALL_BOOKS   taken, laid, passed, present
#define ALL_MOTIONS x, y, z, u, v, w, sediment, age, fate

// voxel_contact.c, exchange.
static inline void exchange(const SiltRockView *rock, NUMBERS, int cell, const SiltVoxelContact *contact,
                            __global int *sums, __global int *touched, BOOKS, float *load, float age,
                            __local uint *moved)
{
    SiltVoxelFoot foot;
    float units = silt_voxel_wanted(rock, s, contact, *load, age);
    if (units != 0.0f)
        units = silt_voxel_passed(rock, rock->table, s, contact, units, &foot);
    if (units == 0.0f)
        return;
    bool is_taking = units > 0.0f;
    uint count = (uint)silt_absf(units);
    float change = silt_voxel_change(s->exchange, &foot, -units * s->per_unit);
    for (int n = 0; n < 8; n++) {
        int by = silt_voxel_fine(&foot, change, n);
        if (by == 0)
            continue;
        atomic_add(&sums[foot.at[n]], by);
        touched[foot.at[n] >> 3 * rock->shift] = 1;
    }
    *load += units;
    silt_add_units((is_taking ? taken : laid) + cell, (long)count);
    atomic_add(&moved[is_taking ? SILT_ROCK_TAKEN : SILT_ROCK_LAID], count);
}

// voxel_contact.c, meet_rock.
static inline void meet(const SiltRockView *rock, NUMBERS, __constant const SiltFluidStep *f,
                        __global int *sums, __global int *touched, BOOKS, SiltSphRecord before, float gap,
                        MOTIONS, int i, int is_covered, __global uchar *near, __local uint *moved)
{
    const float from[3] = {before.x, before.y, before.z};
    float at[3] = {x[i], y[i], z[i]}, velocity[3] = {u[i], v[i], w[i]}, load = sediment[i];
    int end = fate[i];
    if (s->evaporates && is_covered) {
        age[i] = silt_voxel_covered_age(age[i], s->sink_time);
        if (end == SILT_SPH_EXPIRED && (double)age[i] < s->life)
            end = SILT_SPH_STAYS;
    }
    SiltVoxelContact contact = silt_voxel_contact(rock, s, from, gap, at, velocity);
    if (contact.is_buried) {
        atomic_inc(&moved[SILT_ROCK_BURIED]);
        fate[i] = SILT_SPH_EXPIRED;
        return;
    }
    SiltRelief field = {0, 0, f->width, f->height, f->cell};
    int cell = silt_relief_cell(&field, at[0], at[1]);
    if (contact.is_touching) {
        exchange(rock, s, cell, &contact, sums, touched, ALL_BOOKS, &load, age[i], moved);
        velocity[0] *= s->brake, velocity[1] *= s->brake, velocity[2] *= s->brake;
    }
    float speed = silt_sqrtf(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    silt_add_units(passed + cell, silt_relief_crossed(s->dt * speed, f->cell));
    atomic_inc(present + cell);
    if (end == SILT_SPH_EXPIRED && load > 0.0f)
        end = SILT_SPH_STAYS; // it goes when it has laid down what it carries
    x[i] = at[0], y[i] = at[1], z[i] = at[2];
    u[i] = velocity[0], v[i] = velocity[1], w[i] = velocity[2];
    sediment[i] = load;
    fate[i] = end;
    near[i] = contact.is_near;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
meet_rock(ROCK, NUMBERS, __constant const SiltFluidStep *f, __global int *sums, __global int *touched, BOOKS,
          __global const SiltSphRecord *record, __global const SiltSphPlane *planes, MOTIONS,
          __global const uchar *covered, __global uchar *near, int count, __global long *totals)
{
    __local uint moved[SILT_ROCK_TOTALS];
    int i = get_global_id(0), item = get_local_id(0);
    if (item < SILT_ROCK_TOTALS)
        moved[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count) {
        near[i] = 0;
        if (!silt_sph_is_out(fate[i])) {
            SiltRockView rock = silt_rock_view(ALL_ROCK);
            meet(&rock, s, f, sums, touched, ALL_BOOKS, record[i], planes[i].gap, ALL_MOTIONS, i,
                 s->evaporates ? covered[i] : 0, near, moved);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < SILT_ROCK_TOTALS && moved[item] != 0)
        silt_add_units(totals + item, (long)moved[item]);
}

// Moves phi of one place of the pool by what was added up.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
settle_rock(__constant const SiltRockSize *r, __global float *phi, __global int *sums, __global int *touched,
            __global const int *brick_of, __global float *activity, __global uchar *flags,
            __global long *totals)
{
    __local float most_of[64];
    __local int cut_of[64];
    int place = get_group_id(0) + SILT_POOL_SHARED, item = get_local_id(0), voxels = 1 << 3 * r->shift;
    int cut = 0, is_touched = touched[place]; // no return before a barrier: PoCL takes it amiss
    float most = 0.0f;
    for (int k = item; k < voxels && is_touched; k += 64) {
        size_t at = (size_t)place * voxels + k;
        int sum = sums[at];
        if (sum == 0)
            continue;
        float moved = phi[at], kept;
        cut += silt_voxel_settled(sum, r->band, &moved, &kept);
        most = silt_maxf(most, silt_absf(kept));
        phi[at] = moved;
        sums[at] = 0;
    }
    most_of[item] = most;
    cut_of[item] = cut;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && is_touched) {
        int brick = brick_of[place];
        for (int n = 1; n < 64; n++) {
            most = silt_maxf(most, most_of[n]);
            cut += cut_of[n];
        }
        touched[place] = 0;
        activity[brick] += most;
        flags[brick] |= SILT_BRICK_CHANGED;
        silt_add_units(totals + SILT_ROCK_CUT, cut);
    }
}

// Those before `old` that are near the rock, and all behind them.
__kernel void leave_rock(ROCK, SiltVoxelFrame frame, __global float *x, __global float *y, __global float *z,
                         __global uchar *fate, __global const uchar *near, int old, int count,
                         __global long *totals)
{
    int i = get_global_id(0);
    if (i >= count || fate[i] != SILT_SPH_STAYS || (i < old && !near[i]))
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    float at[3] = {x[i], y[i], z[i]};
    bool is_out = silt_voxel_leave(&rock, frame, at);
    x[i] = at[0], y[i] = at[1], z[i] = at[2];
    if (!is_out) {
        silt_add_units(totals + SILT_ROCK_BURIED, 1);
        fate[i] = SILT_SPH_EXPIRED;
    }
}

// ---- sources ----

// Up to `wanted` particles of a source from number `first` on, while there is room, until one finds no place.
// out: how many were placed, and how many were tried.
__kernel __attribute__((reqd_work_group_size(SILT_JOIN_GROUP, 1, 1))) void
pour(ROCK, __constant const SiltPour *p, SILT_JOIN_CELLS, SiltSphLaw law, long first, int wanted, int count,
     int capacity, long next_id, __global float *x, __global float *y, __global float *z, __global float *u,
     __global float *v, __global float *w, __global float *ax, __global float *ay, __global float *az,
     __global float *density, __global float *sediment, __global float *age, __global long *id,
     __global uchar *fate, __global int *out)
{
    __local SiltJoinGroup group;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    SiltJoinState state = {0, 0, true};
    int item = get_local_id(0);
    while (state.goes_on && state.tried < wanted && count + state.placed < capacity) {
        int items = min((int)SILT_JOIN_GROUP, wanted - state.tried);
        float place[3] = {0.0f, 0.0f, 0.0f};
        bool is_free = false;
        for (uint k = 0; k < SILT_POUR_TRIES && !is_free && item < items; k++)
            is_free = silt_pour_try(&rock, p, (ulong)(first + state.tried + item), k, place) &&
                      !silt_join_is_taken(g, rows, start, x, y, z, place, count + state.placed, law.h2,
                                          p->taken2);
        int own = silt_join_admit(&group, &state, place, is_free, items, capacity - count - state.placed, true,
                                  law.h2, p->taken2);
        if (own >= 0) {
            int i = count + own;
            x[i] = place[0], y[i] = place[1], z[i] = place[2];
            u[i] = p->velocity[0], v[i] = p->velocity[1], w[i] = p->velocity[2];
            ax[i] = ay[i] = az[i] = density[i] = age[i] = 0.0f;
            sediment[i] = p->units;
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
