// The kernels of the upkeep of `voxel`'s rock: where it is due, smoothing, measuring, levelling and what
// hangs on nothing. Re-initialisation is in reinit.cl.
#include "couple/device_blocks.h"

// ---- where ----

// How far the surface has moved in a brick and those around it.
__kernel void age(__constant const SiltRockSize *r, __global const float *activity,
                  __global const uchar *flags, __global float *stale)
{
    int brick = get_global_id(0);
    if (brick >= r->total)
        return;
    float most = 0.0f;
    for (int n = 0; n < 27; n++) {
        int other = beside(r, brick, n);
        most = silt_maxf(silt_upkeep_moved(flags[other], activity[other]), most);
    }
    if (most > 0.0f)
        stale[brick] += most;
}

// A group of columns of bricks.
BY_GROUPS choose(__constant const SiltRockSize *r, __global float *activity, __global float *worn,
                 __global float *moved, __global float *stale, __global uchar *due)
{
    __local float scratch[GROUP];
    int item = get_local_id(0), wide = (r->bricks[0] + SILT_UPKEEP_GROUP - 1) / SILT_UPKEEP_GROUP;
    int group = get_group_id(0), low_a = group % wide * SILT_UPKEEP_GROUP,
        low_b = group / wide * SILT_UPKEEP_GROUP;
    int count = SILT_UPKEEP_GROUP * SILT_UPKEEP_GROUP * r->bricks[2];
    float most = 0.0f;
    for (int n = item; n < count; n += GROUP) {
        int a = low_a + n % SILT_UPKEEP_GROUP, b = low_b + n / SILT_UPKEEP_GROUP % SILT_UPKEEP_GROUP;
        if (a < r->bricks[0] && b < r->bricks[1])
            most = silt_maxf(stale[brick_index(r, a, b, n / (SILT_UPKEEP_GROUP * SILT_UPKEEP_GROUP))], most);
    }
    scratch[item] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < GROUP; n++)
        most = silt_maxf(scratch[n], most);
    for (int n = item; n < count; n += GROUP) {
        int a = low_a + n % SILT_UPKEEP_GROUP, b = low_b + n / SILT_UPKEEP_GROUP % SILT_UPKEEP_GROUP;
        if (a >= r->bricks[0] || b >= r->bricks[1])
            continue;
        int brick = brick_index(r, a, b, n / (SILT_UPKEEP_GROUP * SILT_UPKEEP_GROUP));
        bool is_due = silt_upkeep_is_due(most, stale[brick]);
        SiltUpkeep now = {activity[brick], worn[brick], moved[brick]};
        SiltUpkeep next = silt_upkeep_share(now, is_due);
        due[brick] = is_due;
        if (is_due)
            stale[brick] = 0.0f;
        activity[brick] = next.activity, worn[brick] = next.worn, moved[brick] = next.moved;
    }
}

// ---- smoothing ----

// Of the places of the pool whose bricks take a share of it; the result is stored when all have been read.
BY_GROUPS smooth(ROCK, __global const int *brick_of, __global const float *activity, float amount,
                 __global float *after)
{
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    int place = get_group_id(0) + SILT_POOL_SHARED, brick = brick_of[place], at[3];
    float share = brick >= 0 ? activity[brick] : 0.0f;
    if (!(share > 0.0f))
        return;
    brick_at(r, brick, at);
    for (int n = get_local_id(0); n < VOXELS; n += GROUP) {
        int x = at[0] * SIDE + n % SIDE, y = at[1] * SIDE + n / SIDE % SIDE,
            z = at[2] * SIDE + n / (SIDE * SIDE);
        after[(size_t)place * VOXELS + n] =
            silt_smooth_voxel(phi_at(&rock, x, y, z), phi_at(&rock, x + 1, y, z), phi_at(&rock, x - 1, y, z),
                              phi_at(&rock, x, y + 1, z), phi_at(&rock, x, y - 1, z),
                              phi_at(&rock, x, y, z + 1), phi_at(&rock, x, y, z - 1), amount * share);
    }
}

BY_GROUPS keep_smooth(__global const int *brick_of, __global const float *activity,
                      __global const float *after, __global float *phi, __global uchar *flags)
{
    int place = get_group_id(0) + SILT_POOL_SHARED, brick = brick_of[place];
    if (brick < 0 || !(activity[brick] > 0.0f))
        return;
    for (int n = get_local_id(0); n < VOXELS; n += GROUP)
        phi[(size_t)place * VOXELS + n] = after[(size_t)place * VOXELS + n];
    if (get_local_id(0) == 0)
        flags[brick] |= SILT_BRICK_CHANGED;
}

// ---- the books ----

// Bricks to measure again: those that have changed, and those whose cells reach into one that has. Those that
// are uniform with all around are measured at once.
__kernel void choose_measured(__constant const SiltRockSize *r, __global const int *table,
                              __global const uchar *flags, __global double *rock, __global int *counters,
                              __global int *list)
{
    int brick = get_global_id(0), at[3], own, changed = 0;
    if (brick >= r->total)
        return;
    bool is_whole = table[brick] < SILT_POOL_SHARED;
    brick_at(r, brick, at);
    own = table[brick];
    for (int n = 0; n < 8; n++) {
        int other =
            brick_index(r, min(at[0] + (n & 1), r->bricks[0] - 1),
                        min(at[1] + (n >> 1 & 1), r->bricks[1] - 1), min(at[2] + (n >> 2), r->bricks[2] - 1));
        changed |= flags[other] & SILT_BRICK_MEASURE;
        is_whole = is_whole && table[other] == own;
    }
    if (!changed)
        return;
    if (!is_whole) {
        list[atomic_inc(&counters[SILT_REINIT_MEASURED])] = brick;
        return;
    }
    double cells = 1.0;
    for (int axis = 0; axis < 3; axis++)
        cells *= min(r->size[axis] - 1 - at[axis] * SIDE, SIDE);
    rock[brick] = own == SILT_POOL_SOLID ? cells : 0.0;
}

// How much of a cell that the surface passes is rock.
static inline double mixed_part(const float *c)
{
    double part = 0.0;
    for (int m = 0; m < SILT_PIECES; m += 4)
        part += (double)((silt_rock_piece(c, m) + silt_rock_piece(c, m + 1)) +
                         (silt_rock_piece(c, m + 2) + silt_rock_piece(c, m + 3)));
    return part / SILT_PIECES;
}

// Of each brick of the list, cell by cell in their order. Cells that the surface passes are few and take
// long: they are listed, and the items of the group share them out.
BY_GROUPS measure(ROCK, __global double *rock_of, __global const int *list)
{
    enum { EDGE = SIDE + 1, LAYER = SIDE * SIDE, SLAB = 512 }; // cells at a time
    __local float block[EDGE * EDGE * EDGE];
    __local double parts[SLAB];
    __local int inside[1], mixed[1];
    __local short passed[SLAB];
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    int item = get_local_id(0);
    int brick = list[get_group_id(0)], at[3], end[3], count = 0;
    double cells = 1.0, sum = 0.0;
    brick_at(r, brick, at);
    for (int axis = 0; axis < 3; axis++) {
        end[axis] = min(r->size[axis] - 1 - at[axis] * SIDE, SIDE);
        cells *= end[axis];
    }
    if (item == 0)
        inside[0] = 0;
    read_block(&rock, r, brick, 0, EDGE, block);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = item; k < EDGE * EDGE * EDGE; k += GROUP)
        count += block[k] > 0.0f;
    atomic_add(&inside[0], count);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool is_mixed = inside[0] != 0 && inside[0] != EDGE * EDGE * EDGE;
    for (int first = 0; first < VOXELS; first += SLAB) {
        if (item == 0)
            mixed[0] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = first + item; k < first + SLAB && is_mixed; k += GROUP) {
            __local const float *from = block + (k / LAYER * EDGE + k / SIDE % SIDE) * EDGE + k % SIDE;
            int corners = 0;
            for (int m = 0; m < 8; m++)
                corners += from[(m & 1) + (m >> 1 & 1) * EDGE + (m >> 2) * EDGE * EDGE] > 0.0f;
            parts[k - first] = corners == 8 ? 1.0 : 0.0;
            if (corners > 0 && corners < 8)
                passed[atomic_inc(&mixed[0])] = (short)k;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = item; n < mixed[0]; n += GROUP) {
            int k = passed[n];
            __local const float *from = block + (k / LAYER * EDGE + k / SIDE % SIDE) * EDGE + k % SIDE;
            float c[8];
            for (int m = 0; m < 8; m++)
                c[m] = from[(m & 1) + (m >> 1 & 1) * EDGE + (m >> 2) * EDGE * EDGE];
            parts[k - first] = mixed_part(c);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = first; k < first + SLAB && item == 0 && is_mixed; k++)
            if (k % SIDE < end[0] && k / SIDE % SIDE < end[1] && k / LAYER < end[2])
                sum += parts[k - first];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        rock_of[brick] = is_mixed ? sum : inside[0] ? cells : 0.0;
}

// A block of a sum: numbers one after the other.
BY_GROUPS add_up(__global const double *values, int count, int span, __global double *out)
{
    __local double some[GROUP];
    int item = get_local_id(0), begin = get_group_id(0) * span, end = min(begin + span, count);
    double sum = 0.0;
    for (int first = begin; first < end; first += GROUP) {
        some[item] = first + item < end ? values[first + item] : 0.0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            for (int n = 0; n < min(GROUP, end - first); n++)
                sum += some[n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = sum;
}

// Bricks that have voxels, in their order: 1 for each, and after a sum of all before, their list.
__kernel void find_slots(__constant const SiltRockSize *r, __global const int *table, __global int *slot)
{
    int brick = get_global_id(0);
    if (brick < r->total)
        slot[brick] = table[brick] >= SILT_POOL_SHARED;
}

__kernel void list_slots(__constant const SiltRockSize *r, __global const int *table,
                         __global const int *slot, __global int *list)
{
    int brick = get_global_id(0);
    if (brick < r->total && table[brick] >= SILT_POOL_SHARED)
        list[slot[brick]] = brick;
}

// How much surface a brick holds, in the processor's order: the first item of the group has it.
static inline float brick_area(__global const float *own, __local float *some)
{
    int item = get_local_id(0);
    float area = 0.0f;
    for (int first = 0; first < VOXELS; first += GROUP) {
        some[item] = silt_voxel_area(own[first + item]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            for (int n = 0; n < GROUP; n++)
                area += some[n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return area;
}

// Voxels of rock that a shift by as much as phi has moved of late would bring, of each slot.
BY_GROUPS find_area(__global const int *table, __global const float *phi, __global const int *slots,
                    int count, __global const float *moved, __global double *out)
{
    __local float some[GROUP];
    int item = get_local_id(0), slot = get_group_id(0), brick = slots[slot];
    __global const float *own = phi + (size_t)table[brick] * VOXELS;
    float share = moved[brick], area = brick_area(own, some);
    if (item == 0)
        out[slot] = share > 0.0f ? (double)(area * share) : 0.0; // adding nothing changes no sum
}

// What smoothing and re-initialisation moved, of each slot.
BY_GROUPS give_back(__global const int *table, __global float *phi, __global const int *slots,
                    __global const double *kept, __global const double *rock, __global uchar *flags,
                    __global float *stale)
{
    __local float some[GROUP], shared[1];
    int item = get_local_id(0), brick = slots[get_group_id(0)];
    __global float *own = phi + (size_t)table[brick] * VOXELS;
    double taken = kept[brick] - rock[brick];
    float area = brick_area(own, some);
    if (item == 0)
        shared[0] = silt_upkeep_given(taken, area);
    barrier(CLK_LOCAL_MEM_FENCE);
    float by = shared[0];
    for (int k = item; k < VOXELS && by != 0.0f; k += GROUP)
        own[k] = silt_upkeep_shifted(own[k], by);
    if (item == 0 && by != 0.0f) {
        flags[brick] |= SILT_BRICK_CHANGED;
        stale[brick] += silt_absf(by);
    }
}

BY_GROUPS shift(__global const int *table, __global float *phi, __global const int *slots,
                __global const float *moved, float amount, __global uchar *flags, __global float *stale)
{
    int brick = slots[get_group_id(0)];
    __global float *own = phi + (size_t)table[brick] * VOXELS;
    float by = silt_upkeep_shift(amount, moved[brick]);
    for (int k = get_local_id(0); k < VOXELS && by != 0.0f; k += GROUP)
        own[k] = silt_upkeep_shifted(own[k], by);
    if (get_local_id(0) == 0 && by != 0.0f) {
        flags[brick] |= SILT_BRICK_CHANGED;
        stale[brick] += silt_absf(by);
    }
}

// ---- what hangs on nothing ----

// Whether a way through rock joins a voxel to the floor: a bit of each voxel of the pool, and a byte of each
// brick for uniform ones. First straight down, a column an item; what is above air waits for the next.
__kernel void hold_columns(ROCK, __global uint *held, __global uchar *holds)
{
    int n = get_global_id(0), i = n % r->size[0], j = n / r->size[0];
    if (j >= r->size[1])
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    for (int k = 0; k < r->size[2]; k++) {
        int brick = (int)silt_view_brick(&rock, i, j, k), place = table[brick];
        if (place == SILT_POOL_SOLID) {
            holds[brick] = 1;
            k |= SIDE - 1;
            continue;
        }
        int offset = (int)silt_view_offset(&rock, i, j, k);
        bool is_rock = place != SILT_POOL_EMPTY && phi[(size_t)place * VOXELS + offset] > 0.0f;
        if (is_rock)
            atomic_or(&held[(size_t)place * (VOXELS / 32) + offset / 32], 1u << offset % 32);
        else if (k > 0) // a voxel above the floor rests on it
            break;
    }
}

// Bits of a voxel: 1 it is rock, 2 it is held. Beyond the grid there is none.
static inline uchar state_of(const SiltRockView *rock, __global const uint *held, __global const uchar *holds,
                             int i, int j, int k)
{
    if (i < 0 || j < 0 || k < 0 || i >= rock->size[0] || j >= rock->size[1] || k >= rock->size[2])
        return 0;
    int brick = (int)silt_view_brick(rock, i, j, k), place = rock->table[brick];
    int offset = (int)silt_view_offset(rock, i, j, k);
    if (place < SILT_POOL_SHARED)
        return place == SILT_POOL_SOLID ? 1 | (holds[brick] ? 2 : 0) : 0;
    if (!(rock->phi[(size_t)place * VOXELS + offset] > 0.0f))
        return 0;
    return 1 | (held[(size_t)place * (VOXELS / 32) + offset / 32] >> offset % 32 & 1) << 1;
}

// Uniform bricks of rock beside a voxel that is held.
__kernel void hold_uniform(ROCK, __global const uint *held, __global uchar *holds, __global int *counters)
{
    int brick = get_global_id(0), at[3];
    if (brick >= r->total || table[brick] != SILT_POOL_SOLID || holds[brick])
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    brick_at(r, brick, at);
    bool found = false;
    for (int n = 0; n < 6 * SIDE * SIDE && !found; n++) {
        int face = n / (SIDE * SIDE), axis = face / 2, to[3];
        to[axis] = face % 2 ? SIDE : -1;
        to[(axis + 1) % 3] = n % SIDE;
        to[(axis + 2) % 3] = n / SIDE % SIDE;
        found = state_of(&rock, held, holds, at[0] * SIDE + to[0], at[1] * SIDE + to[1],
                         at[2] * SIDE + to[2]) == 3;
    }
    if (found) {
        holds[brick] = 1;
        counters[SILT_REINIT_SPREAD] = 1;
    } else {
        atomic_inc(&counters[SILT_REINIT_LOOSE]);
    }
}

// From voxel to voxel within a brick and from those around it, as far as a few rounds go.
BY_GROUPS hold_bricks(ROCK, __global const int *brick_of, __global uint *held, __global const uchar *holds,
                      __global int *counters)
{
    enum { EDGE = SIDE + 2, ROUNDS = 16 };
    __local uchar state[EDGE * EDGE * EDGE];
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    int item = get_local_id(0), place = get_group_id(0) + SILT_POOL_SHARED, at[3], loose = 0;
    int brick = brick_of[place], is_there = brick >= 0;
    brick_at(r, max(brick, 0), at);
    for (int n = item; n < EDGE * EDGE * EDGE; n += GROUP)
        state[n] = is_there
                       ? state_of(&rock, held, holds, at[0] * SIDE - 1 + n % EDGE,
                                  at[1] * SIDE - 1 + n / EDGE % EDGE, at[2] * SIDE - 1 + n / (EDGE * EDGE))
                       : 0;
    for (int round = 0; round < ROUNDS; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = item; k < VOXELS; k += GROUP) {
            __local uchar *here =
                state + ((k / (SIDE * SIDE) + 1) * EDGE + k / SIDE % SIDE + 1) * EDGE + k % SIDE + 1;
            uchar around =
                here[1] | here[-1] | here[EDGE] | here[-EDGE] | here[EDGE * EDGE] | here[-EDGE * EDGE];
            if (*here == 1 && (around & 2))
                *here = 3;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = item; k < VOXELS; k += GROUP) {
        uchar here = state[((k / (SIDE * SIDE) + 1) * EDGE + k / SIDE % SIDE + 1) * EDGE + k % SIDE + 1];
        loose += here == 1;
        if (here != 3)
            continue;
        uint bit = 1u << k % 32;
        if (!(atomic_or(&held[(size_t)place * (VOXELS / 32) + k / 32], bit) & bit))
            counters[SILT_REINIT_SPREAD] = 1;
    }
    if (loose > 0)
        atomic_add(&counters[SILT_REINIT_LOOSE], loose);
}

// ---- heights ----

// The ground that rain knows: the highest surface of each column, in metres above `low`.
__kernel void read_tops(ROCK, int height, double cell, double origin, double low, __global float *ground)
{
    int n = get_global_id(0), wide = r->size[0];
    if (n >= wide * height)
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    double top = silt_view_top(&rock, n % wide, height - 1 - n / wide) * cell;
    ground[n] = (float)(origin + (isnan(top) ? 0.0 : top) - low);
}
