// What the rock needs every few steps: where water has moved the surface it is smoothed, the volume is made
// what the books say, and phi becomes a distance again (Weiss 2016, 3.1.3).
//
// All of that is done only where the surface has moved by more than a fiftieth of a voxel since it was last
// done: what phi of a brick is off by is no more than the surface in it and in the bricks around it has moved
// since.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "couple/device_voxel.h"
#include "couple/voxel_upkeep_at.h"
#include "physics/voxel_exchange.h"
#include "volume/brick.h"

enum { SLOT_SPAN = 64, GROUP = SILT_UPKEEP_GROUP };

SiltStatus silt_voxel_upkeep_begin(const char *owner, SiltVoxelGround *ground)
{
    SiltVolume *volume = ground->volume;
    size_t total = silt_brick_total(volume);
    SiltStatus status = silt_alloc_for(owner, total, sizeof *ground->activity, (void **)&ground->activity);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->worn, (void **)&ground->worn);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->stale, (void **)&ground->stale);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->moved, (void **)&ground->moved);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->is_due, (void **)&ground->is_due);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->rock, (void **)&ground->rock);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, total, sizeof *ground->kept, (void **)&ground->kept);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++)
        volume->flags[brick] |= SILT_BRICK_MEASURE;
    return status;
}

void silt_voxel_upkeep_end(SiltVoxelGround *ground)
{
    silt_free(ground->activity);
    silt_free(ground->worn);
    silt_free(ground->stale);
    silt_free(ground->moved);
    silt_free(ground->is_due);
    silt_free(ground->rock);
    silt_free(ground->kept);
}

// ---- where ----

// How far the surface has moved in a row of bricks and the eight rows around it; returns whether it has.
SILT_CLONES static bool gather_row(const SiltVoxelGround *ground, SiltBrickAt at, float *out)
{
    const SiltVolume *volume = ground->volume;
    int wide = volume->bricks[0];
    float most = 0.0f;
    memset(out, 0, (size_t)wide * sizeof *out);
    for (int n = 0; n < 9; n++) {
        size_t first = silt_brick_beside(volume, at, 0, n % 3 - 1, n / 3 - 1);
        const float *activity = ground->activity + first;
        const uint8_t *flags = volume->flags + first;
        for (int a = 0; a < wide; a++) {
            float here = silt_upkeep_moved(flags[a], activity[a]);
            out[a] = here > out[a] ? here : out[a];
        }
    }
    for (int a = 0; a < wide; a++)
        most = out[a] > most ? out[a] : most;
    return most > 0.0f;
}

static void age_rows(void *context, int begin, int end)
{
    SiltVoxelGround *ground = context;
    const SiltVolume *volume = ground->volume;
    int wide = volume->bricks[0];
    float moved[SILT_MAX_VOXELS / 8];
    for (int row = begin; row < end; row++) {
        SiltBrickAt at = {{0, row % volume->bricks[1], row / volume->bricks[1]}};
        float *stale = ground->stale + (size_t)row * (size_t)wide;
        if (!gather_row(ground, at, moved))
            continue;
        for (int a = 0; a < wide; a++) {
            float here = moved[a], before = moved[a > 0 ? a - 1 : a],
                  behind = moved[a + 1 < wide ? a + 1 : a];
            here = before > here ? before : here;
            stale[a] += behind > here ? behind : here;
        }
    }
}

// The columns of bricks of one group, and the height of the grid.
typedef struct Group {
    int low[2], high[2];
} Group;

static Group group_at(const SiltVolume *volume, int group)
{
    int wide = (volume->bricks[0] + GROUP - 1) / GROUP, at[2] = {group % wide, group / wide};
    Group out;
    for (int axis = 0; axis < 2; axis++) {
        out.low[axis] = at[axis] * GROUP;
        out.high[axis] =
            out.low[axis] + GROUP < volume->bricks[axis] ? out.low[axis] + GROUP : volume->bricks[axis];
    }
    return out;
}

static float stalest(const SiltVoxelGround *ground, const Group *group)
{
    float most = 0.0f;
    for (int c = 0; c < ground->volume->bricks[2]; c++)
        for (int b = group->low[1]; b < group->high[1]; b++)
            for (int a = group->low[0]; a < group->high[0]; a++) {
                float here = ground->stale[silt_brick_index(ground->volume, a, b, c)];
                most = here > most ? here : most;
            }
    return most;
}

static void choose_bricks(void *context, int begin, int end)
{
    SiltVoxelGround *ground = context;
    const SiltVolume *volume = ground->volume;
    for (int n = begin; n < end; n++) {
        Group group = group_at(volume, n);
        float most = stalest(ground, &group);
        for (int c = 0; c < volume->bricks[2]; c++)
            for (int b = group.low[1]; b < group.high[1]; b++)
                for (int a = group.low[0]; a < group.high[0]; a++) {
                    size_t brick = silt_brick_index(volume, a, b, c);
                    bool is_due = silt_upkeep_is_due(most, ground->stale[brick]);
                    ground->is_due[brick] = is_due;
                    ground->stale[brick] = is_due ? 0.0f : ground->stale[brick];
                }
    }
}

static void share_rows(void *context, int begin, int end)
{
    SiltVoxelGround *ground = context;
    size_t wide = (size_t)ground->volume->bricks[0];
    for (size_t brick = (size_t)begin * wide; brick < (size_t)end * wide; brick++) {
        SiltUpkeep now = {ground->activity[brick], ground->worn[brick], ground->moved[brick]};
        SiltUpkeep next = silt_upkeep_share(now, ground->is_due[brick]);
        ground->activity[brick] = next.activity;
        ground->worn[brick] = next.worn;
        ground->moved[brick] = next.moved;
    }
}

void silt_voxel_look(SiltVoxelGround *ground)
{
    if (ground->device) {
        silt_voxel_device_look(ground->device);
        return;
    }
    const SiltVolume *volume = ground->volume;
    int rows = volume->bricks[1] * volume->bricks[2];
    int groups = ((volume->bricks[0] + GROUP - 1) / GROUP) * ((volume->bricks[1] + GROUP - 1) / GROUP);
    silt_parallel(rows, 16, age_rows, ground);
    silt_parallel(groups, 1, choose_bricks, ground);
    silt_parallel(rows, 16, share_rows, ground);
}

// ---- smooth, and no more and no less rock than was moved ----

SiltStatus silt_voxel_smooth(SiltVoxelGround *ground, double amount)
{
    if (ground->device) {
        silt_voxel_device_smooth(ground->device, amount);
        return SILT_OK;
    }
    return amount > 0.0 ? silt_volume_smooth(ground->volume, amount, ground->activity) : SILT_OK;
}

double silt_voxel_rock(SiltVoxelGround *ground)
{
    if (ground->device)
        return silt_voxel_device_rock(ground->device);
    return silt_volume_rock_again(ground->volume, ground->rock);
}

SiltStatus silt_voxel_redistance(SiltVoxelGround *ground)
{
    if (ground->device)
        return silt_voxel_device_redistance(ground->device);
    memset(ground->activity, 0, silt_brick_total(ground->volume) * sizeof *ground->activity);
    return silt_volume_redistance_of(ground->volume, ground->is_due, ground->redistance);
}

// ---- the rock of each brick ----

void silt_voxel_note(SiltVoxelGround *ground)
{
    if (ground->device) {
        silt_voxel_device_note(ground->device);
        return;
    }
    silt_voxel_rock(ground);
    memcpy(ground->kept, ground->rock, silt_brick_total(ground->volume) * sizeof *ground->kept);
}

static void shift_brick(const SiltVoxelGround *ground, uint32_t brick, float by)
{
    size_t voxels = silt_brick_voxels(ground->volume);
    float *phi = ground->volume->table[brick];
    if (by == 0.0f)
        return;
    for (size_t k = 0; k < voxels; k++)
        phi[k] = silt_upkeep_shifted(phi[k], by);
    ground->volume->flags[brick] |= SILT_BRICK_CHANGED;
    ground->stale[brick] += silt_absf(by);
}

static float brick_area(const SiltVoxelGround *ground, uint32_t brick)
{
    size_t voxels = silt_brick_voxels(ground->volume);
    const float *phi = ground->volume->table[brick];
    float area = 0.0f;
    for (size_t k = 0; k < voxels; k++)
        area += silt_voxel_area(phi[k]);
    return area;
}

static void give_slots(void *context, int begin, int end)
{
    const SiltVoxelGround *ground = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t brick = ground->brick[slot];
        double taken = ground->kept[brick] - ground->rock[brick];
        if (taken != 0.0)
            shift_brick(ground, brick, silt_upkeep_given(taken, brick_area(ground, brick)));
    }
}

void silt_voxel_give_back(SiltVoxelGround *ground)
{
    if (ground->device) {
        silt_voxel_device_give_back(ground->device);
        return;
    }
    silt_voxel_rock(ground);
    silt_parallel((int)ground->slot_count, SLOT_SPAN, give_slots, ground);
}

// ---- the books ----

// Voxels of rock that a shift by as much as phi has moved of late would bring.
static double shifted_rock(void *context, int begin, int end)
{
    const SiltVoxelGround *ground = context;
    double sum = 0.0;
    for (int slot = begin; slot < end; slot++) {
        uint32_t brick = ground->brick[slot];
        if (ground->moved[brick] > 0.0f)
            sum += (double)(brick_area(ground, brick) * ground->moved[brick]);
    }
    return sum;
}

static void shift_slots(void *context, int begin, int end)
{
    const SiltVoxelGround *ground = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t brick = ground->brick[slot];
        shift_brick(ground, brick, silt_upkeep_shift(ground->shift, ground->moved[brick]));
    }
}

void silt_voxel_level(SiltVoxelGround *ground, double rock)
{
    if (ground->device) {
        silt_voxel_device_level(ground->device, rock);
        return;
    }
    double cell = ground->volume->cell,
           area = silt_parallel_sum((int)ground->slot_count, shifted_rock, ground);
    ground->shift = (float)(area > 0.0 ? rock / (cell * cell * cell) / area : 0.0);
    silt_parallel((int)ground->slot_count, SLOT_SPAN, shift_slots, ground);
}
