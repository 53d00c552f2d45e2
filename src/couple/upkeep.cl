// The kernels of the upkeep of `voxel`'s rock: where it is due, smoothing, re-initialisation, measuring and
// levelling. SIDE is that of a brick in voxels. Groups of 128 items do a brick together; they go through
// lists of bricks, for what there is to do is known on the device alone.
#include "couple/device_bricks.h"
#include "couple/voxel_upkeep_at.h"
#include "physics/voxel_exchange.h"
#include "volume/nearest_at.h"
#include "volume/rock_piece.h"

enum { GROUP = 128, VOXELS = SIDE * SIDE * SIDE, PER = VOXELS / GROUP };
#define BY_GROUPS __kernel __attribute__((reqd_work_group_size(128, 1, 1))) void

static inline int brick_index(__constant const SiltRockSize *r, int a, int b, int c)
{
    return (c * r->bricks[1] + b) * r->bricks[0] + a;
}

static inline void brick_at(__constant const SiltRockSize *r, int brick, int *at)
{
    at[0] = brick % r->bricks[0];
    at[1] = brick / r->bricks[0] % r->bricks[1];
    at[2] = brick / r->bricks[0] / r->bricks[1];
}

// Brick n of the 27 around one, or the nearest there is.
static inline int beside(__constant const SiltRockSize *r, int brick, int n)
{
    int at[3];
    brick_at(r, brick, at);
    return brick_index(r, clamp(at[0] + n % 3 - 1, 0, r->bricks[0] - 1),
                       clamp(at[1] + n / 3 % 3 - 1, 0, r->bricks[1] - 1),
                       clamp(at[2] + n / 9 - 1, 0, r->bricks[2] - 1));
}

// phi of a voxel, or of the nearest there is.
static inline float phi_at(const SiltRockView *rock, int i, int j, int k)
{
    i = clamp(i, 0, rock->size[0] - 1);
    j = clamp(j, 0, rock->size[1] - 1);
    k = clamp(k, 0, rock->size[2] - 1);
    return silt_view_phi(rock, silt_view_brick(rock, i, j, k))[silt_view_offset(rock, i, j, k)];
}

// A block of `edge` voxels a side that begins `below` before the brick.
static inline void read_block(const SiltRockView *rock, __constant const SiltRockSize *r, int brick,
                              int below, int edge, __local float *block)
{
    int at[3];
    brick_at(r, brick, at);
    for (int n = get_local_id(0); n < edge * edge * edge; n += GROUP)
        block[n] = phi_at(rock, at[0] * SIDE - below + n % edge, at[1] * SIDE - below + n / edge % edge,
                          at[2] * SIDE - below + n / (edge * edge));
}

// The sum of all before an item, and in *all of all of them. There is no loop over barriers, which PoCL takes
// amiss within another.
static inline int scan(__local int *scratch, int value, int *all)
{
    int item = get_local_id(0), before = 0, sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < GROUP; n++) {
        before += n < item ? scratch[n] : 0;
        sum += scratch[n];
    }
    *all = sum;
    return before;
}

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

// ---- re-initialisation: which bricks ----

static inline bool has_sign(__global const float *face, int axis, bool inside)
{
    int step[3] = {1, SIDE, SIDE * SIDE}, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
    for (int b = 0; b < SIDE; b++)
        for (int a = 0; a < SIDE; a++)
            if ((face[a * u + b * v] > 0.0f) == inside)
                return true;
    return false;
}

// Whether the surface passes between a uniform brick and one that shares a face with it: it must have voxels
// then.
static inline bool is_torn(const SiltRockView *rock, __constant const SiltRockSize *r, int brick)
{
    int at[3], own = rock->table[brick], step[3] = {1, SIDE, SIDE * SIDE};
    int way[3] = {1, r->bricks[0], r->bricks[0] * r->bricks[1]};
    brick_at(r, brick, at);
    for (int axis = 0; axis < 3; axis++)
        for (int up = 0; up < 2; up++) {
            if (at[axis] == (up ? r->bricks[axis] - 1 : 0))
                continue;
            int other = brick + (up ? way[axis] : -way[axis]), next = rock->table[other];
            if (next == own)
                continue;
            if (next < SILT_POOL_SHARED ||
                has_sign(silt_view_phi(rock, other) + (up ? 0 : (SIDE - 1) * step[axis]), axis,
                         own == SILT_POOL_EMPTY))
                return true;
        }
    return false;
}

// Bricks to do: those that are due. Uniform ones stay so unless the surface passes at them.
__kernel void choose_done(ROCK, __global const uchar *due, __global uchar *role, __global int *counters,
                          __global int *fresh)
{
    int brick = get_global_id(0);
    if (brick >= r->total)
        return;
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    bool has_voxels = table[brick] >= SILT_POOL_SHARED, is_done = due[brick] && has_voxels;
    if (due[brick] && !has_voxels && is_torn(&rock, r, brick))
        fresh[atomic_inc(&counters[SILT_REINIT_TORN])] = brick;
    role[brick] = is_done ? SILT_ROLE_DONE | SILT_ROLE_SOURCE : 0;
}

// The facets of bricks beside those that are done are needed too.
__kernel void choose_sources(__constant const SiltRockSize *r, __global const int *brick_of, int places,
                             __global uchar *role, __global int *counters, __global int *sources,
                             __global int *done)
{
    int place = get_global_id(0) + SILT_POOL_SHARED, brick = place < places ? brick_of[place] : -1;
    if (brick < 0)
        return;
    bool is_done = role[brick] & SILT_ROLE_DONE, is_source = is_done;
    for (int n = 0; n < 27 && !is_source; n++)
        is_source = role[beside(r, brick, n)] & SILT_ROLE_DONE;
    if (is_source)
        sources[atomic_inc(&counters[SILT_REINIT_SOURCES])] = place;
    if (is_done)
        done[atomic_inc(&counters[SILT_REINIT_DONE])] = place;
    if (is_source && !is_done)
        role[brick] = SILT_ROLE_SOURCE;
}

// ---- facets ----

__constant int faces[6] = {12, 14, 10, 16, 4, 22}; // of the 27 around

// Which sides of the surface are in the brick, and in what touches its faces; 4: a voxel is on it.
static inline void find_signs(const SiltRockView *rock, __constant const SiltRockSize *r, int brick,
                              __local int *signs)
{
    __global const float *own = silt_view_phi(rock, brick);
    int step[3] = {1, SIDE, SIDE * SIDE}, found = 0, around = 0;
    for (int n = get_local_id(0); n < VOXELS; n += GROUP)
        found |= (own[n] > 0.0f ? 1 : 2) | (silt_absf(own[n]) < SILT_ON_SURFACE ? 4 : 0);
    for (int n = get_local_id(0); n < 6 * SIDE * SIDE; n += GROUP) {
        int face = n / (SIDE * SIDE), axis = face / 2, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
        __global const float *next = silt_view_phi(rock, beside(r, brick, faces[face]));
        int offset = n % SIDE * u + n / SIDE % SIDE * v + (face % 2 ? 0 : (SIDE - 1) * step[axis]);
        around |= next[offset] > 0.0f ? 1 : 2;
    }
    atomic_or(&signs[0], found);
    atomic_or(&signs[1], around);
}

static inline int place_of(int n, int *place)
{
    place[0] = n % SIDE, place[1] = n / SIDE % SIDE, place[2] = n / (SIDE * SIDE);
    return ((place[2] + 1) * (SIDE + 3) + place[1] + 1) * (SIDE + 3) + place[0] + 1;
}

BY_GROUPS find_facets(ROCK, __global const int *brick_of, __global const uchar *role,
                      __global const int *sources, __global int *counters, __global float *fixed,
                      __global SiltFacet *facets, __global uint *reach, int capacity,
                      __global SiltReinitSource *out, __global int *marks, __global int *fresh)
{
    __local float block[(SIDE + 3) * (SIDE + 3) * (SIDE + 3)];
    __local int scratch[GROUP], signs[2], base[1];
    __local uint reaches[2], uniform[1];
    SiltRockView rock = silt_rock_view(ALL_ROCK);
    int item = get_local_id(0);
    int source = sources[get_group_id(0)], brick = brick_of[source], count = 0, all, place[3];
    bool is_done = role[brick] & SILT_ROLE_DONE;
    SiltFacet found[3];
    if (item == 0)
        signs[0] = signs[1] = 0, reaches[0] = reaches[1] = uniform[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    find_signs(&rock, r, brick, signs);
    if (item < 27 && table[beside(r, brick, item)] < SILT_POOL_SHARED)
        atomic_or(&uniform[0], 1u << item);
    read_block(&rock, r, brick, 1, SIDE + 3, block);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool is_near = (signs[0] & 4) || (signs[0] & 3) == 3 || (signs[1] & ~signs[0] & 3);
    for (int k = item * PER; k < (item + 1) * PER && is_near; k++) {
        __local const float *at = block + place_of(k, place);
        int mark = silt_mark_voxel(at);
        if (mark & ~SILT_ENDS_HERE)
            count += silt_facets_at(at, mark, place, found);
        if (is_done) {
            int inside = silt_count_column(at - 1) + silt_count_column(at) + silt_count_column(at + 1);
            fixed[(size_t)source * VOXELS + k] = silt_keep_voxel(at, mark, inside != 0 && inside != 27, 1);
        }
    }
    int first = scan(scratch, count, &all);
    if (item == 0)
        base[0] = all > 0 ? atomic_add(&counters[SILT_REINIT_FACETS], all) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool fits = base[0] + all <= capacity;
    first += base[0];
    for (int k = item * PER; k < (item + 1) * PER && is_near && fits && count > 0; k++) {
        __local const float *at = block + place_of(k, place);
        int mark = silt_mark_voxel(at), some = 0;
        if (mark & ~SILT_ENDS_HERE)
            some = silt_facets_at(at, mark, place, found);
        for (int m = 0; m < some; m++) {
            uint far = silt_facet_reach_of(found[m].at, SIDE), within = 0;
            facets[first] = found[m];
            reach[first++] = far;
            for (int b = 0; b < 27 && is_done; b++)
                if ((far & uniform[0]) >> b & 1)
                    within |= silt_facet_is_within(found[m].at, b, SIDE, r->band) ? 1u << b : 0;
            atomic_or(&reaches[0], far);
            if (within)
                atomic_or(&reaches[1], within);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 27 && (reaches[1] >> item & 1)) {
        int other = beside(r, brick, item);
        if (atomic_xchg(&marks[other], 1) == 0)
            fresh[atomic_inc(&counters[SILT_REINIT_REACHED])] = other;
    }
    if (item == 0) {
        SiltReinitSource mine = {base[0], all, reaches[0], is_near};
        out[source] = mine;
    }
}

// ---- distances ----

// Facets of the 27 bricks around one, in their order: the bricks' lists one behind the other.
typedef struct Lists {
    int start[28];      // of each list among them
    int facet[27];      // where its facets are
    int batch[28 * 13]; // first of the candidates of each batch
    int batches;
} Lists;

enum { SEGMENTS = 27 * ((3 * VOXELS + SILT_FACET_BATCH - 1) / SILT_FACET_BATCH) };

// Batches of facets as the processor makes them: no more than numbers are enough for, cut between lists or
// where a list has been gone through for so many.
static inline void lay_batches(__local Lists *lists, __local const int *chosen)
{
    int count = 0, segment = 0;
    lists->batches = 1;
    lists->batch[0] = 0;
    for (int n = 0; n < 27; n++)
        for (int first = lists->start[n]; first < lists->start[n + 1]; first += SILT_FACET_BATCH, segment++) {
            if (count + chosen[segment] > SILT_FACET_BATCH) {
                lists->batch[lists->batches++] = first;
                count = 0;
            }
            count += chosen[segment];
        }
    lists->batch[lists->batches] = lists->start[27];
}

// The list that a candidate belongs to.
static inline int list_of(__local const Lists *lists, int candidate)
{
    int n = 0;
    while (candidate >= lists->start[n + 1])
        n++;
    return n;
}

static inline int segment_of(__local const Lists *lists, int list, int candidate)
{
    int segment = 0;
    for (int n = 0; n < list; n++)
        segment += (lists->start[n + 1] - lists->start[n] + SILT_FACET_BATCH - 1) / SILT_FACET_BATCH;
    return segment + (candidate - lists->start[list]) / SILT_FACET_BATCH;
}

static inline void moved_at(__global const SiltFacet *facet, int list, float *at)
{
    const float side = (float)SIDE;
    at[0] = facet->at[0] + side * (float)(list % 3 - 1);
    at[1] = facet->at[1] + side * (float)(list / 3 % 3 - 1);
    at[2] = facet->at[2] + side * (float)(list / 9 - 1);
}

BY_GROUPS set_distances(__constant const SiltRockSize *r, __global int *table, __global float *phi,
                        __global int *brick_of, __global const uchar *role, __global const int *done,
                        __global int *counters, __global const float *fixed, __global const SiltFacet *facets,
                        __global const uint *reach, __global const SiltReinitSource *sources,
                        __global uchar *flags, __global int *released)
{
    __local Lists lists;
    __local int chosen[SEGMENTS], scratch[GROUP], found[1];
    __local int across[SILT_FACET_BATCH], upward[SILT_FACET_BATCH]; // where facets are, packed
    __local uint number[SILT_FACET_BATCH];
    int item = get_local_id(0);
    const int too_far = silt_key_too_far();
    int place = done[get_group_id(0)], brick = brick_of[place], at_brick[3];
    __global float *own = phi + (size_t)place * VOXELS;
    int keys[PER];
    float distances[PER];
    brick_at(r, brick, at_brick);
    if (item < 27) {
        int to[3] = {at_brick[0] + item % 3 - 1, at_brick[1] + item / 3 % 3 - 1, at_brick[2] + item / 9 - 1};
        bool is_there = to[0] >= 0 && to[0] < r->bricks[0] && to[1] >= 0 && to[1] < r->bricks[1] &&
                        to[2] >= 0 && to[2] < r->bricks[2];
        int other = is_there ? brick_index(r, to[0], to[1], to[2]) : brick, count = 0;
        int from = table[other];
        if (is_there && from >= SILT_POOL_SHARED && (role[other] & SILT_ROLE_SOURCE) &&
            (sources[from].reach >> (26 - item) & 1)) {
            count = sources[from].count;
            lists.facet[item] = sources[from].first;
        }
        lists.start[item + 1] = count;
    }
    for (int n = item; n < SEGMENTS; n += GROUP)
        chosen[n] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        lists.start[0] = found[0] = 0;
        for (int n = 0; n < 27; n++)
            lists.start[n + 1] += lists.start[n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = item; c < lists.start[27]; c += GROUP) {
        int list = list_of(&lists, c);
        if (reach[lists.facet[list] + c - lists.start[list]] >> (26 - list) & 1)
            atomic_inc(&chosen[segment_of(&lists, list, c)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        lay_batches(&lists, chosen);
    for (int n = 0; n < PER; n++) {
        keys[n] = SILT_FAR_KEY;
        distances[n] = r->band;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int batch = 0; batch < lists.batches; batch++) {
        int begin = lists.batch[batch], end = lists.batch[batch + 1], all;
        int share = (end - begin + GROUP - 1) / GROUP, from = begin + item * share,
            to = min(from + share, end), count = 0;
        int list = from < to ? list_of(&lists, from) : 0;
        for (int c = from; c < to; c++) {
            while (c >= lists.start[list + 1])
                list++;
            count += reach[lists.facet[list] + c - lists.start[list]] >> (26 - list) & 1;
        }
        int next = scan(scratch, count, &all);
        list = from < to ? list_of(&lists, from) : 0;
        for (int c = from; c < to && count > 0; c++) {
            while (c >= lists.start[list + 1])
                list++;
            int facet = lists.facet[list] + c - lists.start[list];
            if (!(reach[facet] >> (26 - list) & 1))
                continue;
            float at[3];
            moved_at(&facets[facet], list, at);
            SiltKeyRows rows = silt_key_rows(at, SIDE);
            int high = rows.rows > 0 && rows.z1 >= rows.z0 ? min(rows.rows, 16) : 0;
            across[next] = (silt_key_finely(at[0]) << 16) | (silt_key_finely(at[1]) & 0xFFFF);
            upward[next] = (silt_key_finely(at[2]) << 16) |
                           (high > 0 ? rows.y0 / 2 | high / 2 << 4 | rows.z0 << 8 | rows.z1 << 12 : 0);
            number[next++] = (uint)facet | (uint)list << 27;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = item % SIDE, y = item / SIDE % SIDE, z = item / (SIDE * SIDE);
        for (int m = 0; m < all; m++) {
            int bounds = upward[m] & 0xFFFF, low = (bounds & 15) * 2;
#if SIDE == 8 // a group is two layers
            if (y < low || y >= low + (bounds >> 4 & 15) * 2)
                continue;
            int level = silt_key_across(x, across[m] >> 16, m) + silt_key_up(y, (short)across[m]);
#endif
            for (int n = 0; n < PER; n++) {
#if SIDE == 8
                int layer = z + 2 * n;
#else // half a layer
                int layer = n / 2;
                y = item / SIDE + n % 2 * 8;
                if (y < low || y >= low + (bounds >> 4 & 15) * 2)
                    continue;
                int level = silt_key_across(x, across[m] >> 16, m) + silt_key_up(y, (short)across[m]);
#endif
                int key = level + silt_key_up(layer, upward[m] >> 16);
                if (layer >= (bounds >> 8 & 15) && layer <= (bounds >> 12 & 15))
                    keys[n] = key < keys[n] ? key : keys[n];
            }
        }
        for (int n = 0; n < PER; n++) {
            int k = item + n * GROUP, won = keys[n] & SILT_FACET_BATCH;
            if (keys[n] < too_far && won != SILT_FACET_BATCH) {
                uint which = number[won];
                __global const SiltFacet *facet = &facets[which & 0x7FFFFFF];
                float at[3];
                moved_at(facet, which >> 27, at);
                distances[n] = silt_facet_distance(
                    (float)(k % SIDE) - at[0], (float)(k / SIDE % SIDE) - at[1],
                    (float)(k / (SIDE * SIDE)) - at[2], facet->normal[0], facet->normal[1], facet->normal[2],
                    facet->bend[0], facet->bend[1], facet->bend[2], facet->bend[3], facet->bend[4],
                    facet->bend[5], own[k] > 0.0f ? 1.0f : -1.0f);
            }
            keys[n] |= SILT_FACET_BATCH; // numbers of the next batch begin anew
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int result = 0;
    bool is_near = sources[place].is_near;
    for (int n = 0; n < PER; n++) {
        int k = item + n * GROUP;
        float before = own[k];
        float after =
            silt_phi_of(before, distances[n], is_near ? fixed[(size_t)place * VOXELS + k] : 0.0f, r->band);
        result |= (silt_absf(after) < r->band) | (after != before) << 1;
        own[k] = after;
    }
    atomic_or(&found[0], result);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
        if (found[0] & 2)
            flags[brick] |= SILT_BRICK_CHANGED;
        if (!(found[0] & 1))
            released[atomic_inc(&counters[SILT_REINIT_RELEASED])] = place;
    }
}

// Gives places of the pool back: their bricks are uniform from now on. `gone` takes the brick, or -1 less it
// where it is rock, and the place of each.
__kernel void release(__global const int *counters, __global const int *released, __global int *table,
                      __global int *brick_of, __global const float *phi, __global int *gone)
{
    int n = get_global_id(0);
    if (n >= counters[SILT_REINIT_RELEASED])
        return;
    int place = released[n], brick = brick_of[place];
    int kind = phi[(size_t)place * VOXELS] > 0.0f ? SILT_POOL_SOLID : SILT_POOL_EMPTY;
    table[brick] = kind;
    brick_of[place] = -1;
    gone[2 * n] = kind == SILT_POOL_SOLID ? -1 - brick : brick;
    gone[2 * n + 1] = place;
}

// Bricks that come: filled as they were, with their rock.
BY_GROUPS admit(__global const int *pairs, int reached, __global const float *soft_there, __global int *table,
                __global int *brick_of, __global float *phi, __global float *soft, __global uchar *role,
                __global SiltReinitSource *sources, __global int *counters, __global int *done)
{
    int n = get_group_id(0), brick = pairs[2 * n], place = pairs[2 * n + 1], kind = table[brick];
    for (int k = get_local_id(0); k < VOXELS; k += GROUP) {
        phi[(size_t)place * VOXELS + k] = phi[(size_t)kind * VOXELS + k];
        soft[(size_t)place * VOXELS + k] = soft_there[(size_t)n * VOXELS + k];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        SiltReinitSource none = {0, 0, 0, 0};
        brick_of[place] = brick;
        sources[place] = none;
        table[brick] = place;
        if (reached) {
            role[brick] = SILT_ROLE_DONE | SILT_ROLE_SOURCE;
            done[atomic_inc(&counters[SILT_REINIT_DONE])] = place;
        }
    }
}

__kernel void forget_touched(__constant const SiltRockSize *r, __global uchar *flags, int kept)
{
    int brick = get_global_id(0);
    if (brick < r->total)
        flags[brick] &= kept;
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

// Of each brick of the list, cell by cell in their order.
BY_GROUPS measure(ROCK, __global double *rock_of, __global const int *list)
{
    enum { EDGE = SIDE + 1 };
    __local float block[EDGE * EDGE * EDGE];
    __local double layer[SIDE * SIDE];
    __local int inside[1];
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
    for (int z = 0; z < end[2]; z++) {
        for (int k = item; k < SIDE * SIDE && is_mixed; k += GROUP) {
            int x = k % SIDE, y = k / SIDE, corners = 0;
            __local const float *from = block + (z * EDGE + y) * EDGE + x;
            float c[8];
            for (int m = 0; m < 8; m++) {
                c[m] = from[(m & 1) + (m >> 1 & 1) * EDGE + (m >> 2) * EDGE * EDGE];
                corners += c[m] > 0.0f;
            }
            double part = corners == 8 ? 1.0 : 0.0;
            if (corners > 0 && corners < 8) {
                for (int m = 0; m < SILT_PIECES; m += 4)
                    part += (double)((silt_rock_piece(c, m) + silt_rock_piece(c, m + 1)) +
                                     (silt_rock_piece(c, m + 2) + silt_rock_piece(c, m + 3)));
                part = part / SILT_PIECES;
            }
            layer[k] = part;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0 && is_mixed)
            for (int y = 0; y < end[1]; y++)
                for (int x = 0; x < end[0]; x++)
                    sum += layer[y * SIDE + x];
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

// Voxels of rock that a shift by as much as phi has moved of late would bring, of each slot.
BY_GROUPS find_area(__global const int *table, __global const float *phi, __global const int *slots,
                    int count, __global const float *moved, __global double *out)
{
    __local float some[GROUP];
    int item = get_local_id(0), slot = get_group_id(0), brick = slots[slot];
    __global const float *own = phi + (size_t)table[brick] * VOXELS;
    float share = moved[brick], area = 0.0f;
    for (int first = 0; first < VOXELS; first += GROUP) {
        some[item] = silt_voxel_area(own[first + item]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            for (int n = 0; n < GROUP; n++)
                area += some[n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[slot] = share > 0.0f ? (double)(area * share) : 0.0; // adding nothing changes no sum
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
