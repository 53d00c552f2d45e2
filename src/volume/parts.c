// What of the rock hangs together.
#include "volume/parts.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"

enum {
    SPAN = 16,
    LOOK_EVERY = 1 << 12, // bricks, whether to go on
    LOOK_ROWS = 64,       // and rows
    MAX_VOXELS = SILT_MAX_BRICK * SILT_MAX_BRICK * SILT_MAX_BRICK
};
static const char owner[] = "loose rock";

static void join(const SiltParts *parts, uint32_t a, uint32_t b)
{
    a = silt_parts_leader(parts, a);
    b = silt_parts_leader(parts, b);
    parts->leader[a > b ? a : b] = a < b ? a : b;
}

// ---- the parts of a brick ----

static uint16_t first_of(const uint16_t *leader, uint16_t label)
{
    while (leader[label] != label)
        label = leader[label];
    return label;
}

SILT_CLONES static int count_rock(const float *phi, int voxels)
{
    int count = 0;
    for (int n = 0; n < voxels; n++)
        count += phi[n] > 0.0f;
    return count;
}

// Numbers the parts of a brick by their first voxels; returns how many there are.
static uint32_t label_brick(const SiltVolume *volume, size_t brick, uint16_t *labels)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    const float *phi = volume->table[brick];
    int side = volume->side, step[3] = {1, side, side * side}, end[3];
    uint16_t leader[MAX_VOXELS], number[MAX_VOXELS], count = 0, found = 0;
    int rock = count_rock(phi, side * side * side);
    if (rock == 0 || rock == side * side * side) // labels are zero
        return rock > 0;
    for (int axis = 0; axis < 3; axis++)
        end[axis] = volume->size[axis] - at.at[axis] * side; // nothing lies beyond the grid
    for (int k = 0, n = 0; k < side; k++)
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++, n++) {
                const int place[3] = {i, j, k};
                if (!(phi[n] > 0.0f) || i >= end[0] || j >= end[1] || k >= end[2])
                    continue;
                uint16_t label = count;
                for (int axis = 0; axis < 3; axis++) {
                    if (place[axis] == 0 || !(phi[n - step[axis]] > 0.0f))
                        continue;
                    uint16_t other = first_of(leader, labels[n - step[axis]]);
                    if (label != count)
                        leader[other > label ? other : label] = other < label ? other : label;
                    label = other < label ? other : label;
                }
                if (label == count)
                    leader[count++] = label;
                labels[n] = label;
            }
    for (uint16_t label = 0; label < count; label++)
        number[label] = leader[label] == label ? found++ : number[first_of(leader, label)];
    for (int n = 0; n < side * side * side && count > 0; n++)
        labels[n] = number[labels[n]]; // air has the first: nobody asks
    return found;
}

static void label_bricks(void *context, int begin, int end)
{
    const SiltParts *parts = context;
    for (int n = begin; n < end; n++) {
        size_t brick = parts->bricks[n];
        parts->first[brick] = label_brick(parts->volume, brick, parts->labels + parts->labels_at[brick]);
    }
}

static SiltStatus make_labels(SiltParts *parts)
{
    const SiltVolume *volume = parts->volume;
    size_t total = silt_brick_total(volume), voxels = silt_brick_voxels(volume), count = 0;
    SiltStatus status = silt_alloc_for(owner, total, sizeof *parts->first, (void **)&parts->first);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *parts->labels_at, (void **)&parts->labels_at);
    if (status == SILT_OK)
        status =
            silt_alloc_for(owner, volume->brick_count + 1, sizeof *parts->bricks, (void **)&parts->bricks);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, volume->brick_count * voxels + 1, sizeof *parts->labels,
                                (void **)&parts->labels);
    if (status != SILT_OK)
        return status;
    for (size_t brick = 0; brick < total; brick++) {
        if (silt_volume_is_uniform(volume, brick)) {
            parts->first[brick] = volume->table[brick] == volume->solid;
            continue;
        }
        parts->labels_at[brick] = count * voxels;
        parts->bricks[count++] = (uint32_t)brick;
    }
    return silt_parallel_heard((int)count, SPAN, label_bricks, parts) ? SILT_OK : SILT_CANCELLED;
}

static SiltStatus make_parts(SiltParts *parts)
{
    size_t total = silt_brick_total(parts->volume), part_count = 0;
    for (size_t brick = 0; brick < total; brick++) {
        size_t number = parts->first[brick];
        parts->first[brick] = (uint32_t)part_count;
        part_count += number;
    }
    if (part_count > UINT32_MAX / 2)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %zu parts are too many to follow", owner, part_count);
    parts->count = part_count;
    SiltStatus status = silt_alloc_for(owner, part_count + 1, sizeof *parts->leader, (void **)&parts->leader);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, part_count + 1, 1, (void **)&parts->is_held);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, part_count + 1, sizeof *parts->fall, (void **)&parts->fall);
    for (size_t part = 0; part < part_count && status == SILT_OK; part++)
        parts->leader[part] = (uint32_t)part;
    return status;
}

// ---- what touches ----

// Joins the parts of two bricks, the second further along an axis, across the face between them.
static void join_face(const SiltParts *parts, SiltBrickAt at, int axis)
{
    const SiltVolume *volume = parts->volume;
    int side = volume->side, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int voxel[3] = {at.at[0] * side, at.at[1] * side, at.at[2] * side}, low[2] = {voxel[u], voxel[v]};
    uint32_t last[2] = {UINT32_MAX, UINT32_MAX};
    voxel[axis] += side - 1;
    if (voxel[axis] + 1 >= volume->size[axis])
        return;
    size_t next = silt_brick_beside(volume, at, axis == 0, axis == 1, axis == 2);
    bool is_plain = silt_volume_is_uniform(volume, next) &&
                    silt_volume_is_uniform(volume, silt_brick_index(volume, at.at[0], at.at[1], at.at[2]));
    int wide = is_plain ? 1 : side;
    for (int b = 0; b < wide; b++)
        for (int a = 0; a < wide; a++) {
            voxel[u] = low[0] + a, voxel[v] = low[1] + b;
            int beyond[3] = {voxel[0] + (axis == 0), voxel[1] + (axis == 1), voxel[2] + (axis == 2)};
            if (!silt_volume_is_within(volume, voxel[0], voxel[1], voxel[2]) ||
                !silt_volume_is_rock(volume, voxel[0], voxel[1], voxel[2]) ||
                !silt_volume_is_rock(volume, beyond[0], beyond[1], beyond[2]))
                continue;
            uint32_t here = silt_parts_at(parts, voxel[0], voxel[1], voxel[2]),
                     there = silt_parts_at(parts, beyond[0], beyond[1], beyond[2]);
            if (here != last[0] || there != last[1])
                join(parts, here, there);
            last[0] = here, last[1] = there;
        }
}

// False: somebody wants the run to stop that this is for.
static bool join_bricks(const SiltParts *parts)
{
    const SiltVolume *volume = parts->volume;
    for (size_t brick = 0; brick < silt_brick_total(volume); brick++) {
        if (brick % LOOK_EVERY == 0 && silt_is_stopped())
            return false;
        if (volume->table[brick] == volume->empty)
            continue;
        SiltBrickAt at = silt_brick_at(volume, brick);
        for (int axis = 0; axis < 3; axis++)
            join_face(parts, at, axis);
    }
    return !silt_is_stopped();
}

// A voxel above the floor rests on it: the surface of its piece lies between the two.
static bool hold_floor(SiltParts *parts)
{
    const SiltVolume *volume = parts->volume;
    for (int k = 0; k <= 1; k++)
        for (int j = 0; j < volume->size[1]; j++) {
            if (j % LOOK_ROWS == 0 && silt_is_stopped())
                return false;
            for (int i = 0; i < volume->size[0]; i++)
                if (silt_volume_is_rock(volume, i, j, k))
                    parts->is_held[silt_parts_leader(parts, silt_parts_at(parts, i, j, k))] = 1;
        }
    return !silt_is_stopped();
}

SiltStatus silt_parts_find(SiltVolume *volume, SiltParts *out)
{
    *out = (SiltParts){.volume = volume};
    SiltStatus status = make_labels(out);
    if (status == SILT_OK)
        status = make_parts(out);
    if (status != SILT_OK)
        return status;
    return join_bricks(out) && hold_floor(out) ? SILT_OK : SILT_CANCELLED;
}

void silt_parts_free(SiltParts *parts)
{
    silt_free(parts->bricks);
    silt_free(parts->first);
    silt_free(parts->labels_at);
    silt_free(parts->labels);
    silt_free(parts->leader);
    silt_free(parts->is_held);
    silt_free(parts->fall);
}
