#include "couple/voxel_ground.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"

enum {
    SLOT_SPAN = 64,
    AHEAD = 3, // slots
    PARTS = 8  // of a brick: as many as `touched` has bits
};

static size_t voxels_of(const SiltVolume *volume)
{
    return (size_t)1 << (3 * volume->shift);
}

static size_t brick_total(const SiltVolume *volume)
{
    return (size_t)volume->bricks[0] * (size_t)volume->bricks[1] * (size_t)volume->bricks[2];
}

// ---- making it ----

SiltStatus silt_voxel_ground_begin(const char *owner, SiltVolume *volume, double low, int exchange,
                                   SiltVoxelGround *out)
{
    *out = (SiltVoxelGround){.volume = volume,
                             .frame = {.cell = (float)volume->cell,
                                       .rows = (float)volume->size[1] - 0.5f,
                                       .base = (float)((low - volume->origin[2]) / volume->cell)},
                             .exchange = exchange,
                             .redistance = SILT_REDISTANCE_HOLD};
    SiltStatus status = silt_alloc_for(owner, brick_total(volume), sizeof *out->slot, (void **)&out->slot);
    return status == SILT_OK ? silt_voxel_upkeep_begin(owner, out) : status;
}

static void free_slots(SiltVoxelGround *ground)
{
    silt_free(ground->brick);
    silt_free((void *)ground->sums);
    silt_free((void *)ground->touched);
    ground->brick = NULL;
    ground->sums = NULL;
    ground->touched = NULL;
    ground->capacity = 0;
}

void silt_voxel_ground_end(SiltVoxelGround *ground)
{
    free_slots(ground);
    silt_free(ground->slot);
    silt_voxel_upkeep_end(ground);
}

// Sums are zero between steps, so that slots may change hands.
SiltStatus silt_voxel_ground_list(const char *owner, SiltVoxelGround *ground)
{
    const SiltVolume *volume = ground->volume;
    size_t total = brick_total(volume);
    if (volume->brick_count > ground->capacity) {
        free_slots(ground);
        size_t wanted = volume->brick_count + volume->brick_count / 8 + 64;
        SiltStatus status = silt_alloc_for(owner, wanted, sizeof *ground->brick, (void **)&ground->brick);
        if (status == SILT_OK)
            status = silt_alloc_for(owner, wanted * voxels_of(volume), sizeof *ground->sums,
                                    (void **)&ground->sums);
        if (status == SILT_OK)
            status = silt_alloc_for(owner, wanted, sizeof *ground->touched, (void **)&ground->touched);
        if (status != SILT_OK)
            return status;
        ground->capacity = wanted;
    }
    ground->slot_count = 0;
    for (size_t brick = 0; brick < total; brick++) {
        bool is_uniform = silt_volume_is_uniform(volume, brick);
        ground->slot[brick] = is_uniform ? -1 : (int32_t)ground->slot_count;
        if (!is_uniform)
            ground->brick[ground->slot_count++] = (uint32_t)brick;
    }
    return SILT_OK;
}

// ---- rock that moves ----

void silt_voxel_fetch(const SiltVoxelGround *ground, const float place[3])
{
    const SiltVolume *volume = ground->volume;
    int cell[3];
    float rest;
    for (int axis = 0; axis < 3; axis++)
        silt_view_locate_axis(place[axis], volume->size[axis], &cell[axis], &rest);
    bool is_parted = ((cell[0] + 1) & (volume->side - 1)) == 0; // else a row of the cell is side by side
    for (int n = 0; n < 8; n += is_parted ? 1 : 2) {
        int i = cell[0] + (n & 1), j = cell[1] + (n >> 1 & 1), k = cell[2] + (n >> 2);
        size_t brick = silt_volume_brick(volume, i, j, k), offset = silt_volume_offset(volume, i, j, k);
        if (ground->slot[brick] < 0)
            continue;
        SILT_FETCH(volume->table[brick] + offset);
        SILT_FETCH(volume->table[brick] + voxels_of(volume) + offset);
        SILT_FETCH(ground->sums + (size_t)ground->slot[brick] * voxels_of(volume) + offset);
    }
}

void silt_voxel_move(SiltVoxelGround *ground, const SiltVoxelFoot *foot, float rock)
{
    float change = silt_voxel_change(ground->exchange, foot, rock);
    size_t voxels = voxels_of(ground->volume);
    for (int n = 0; n < 8; n++) {
        int32_t by = silt_voxel_fine(foot, change, n);
        if (by == 0)
            continue;
        atomic_fetch_add_explicit(&ground->sums[foot->at[n]], by, memory_order_relaxed);
        _Atomic uint8_t *touched = &ground->touched[foot->at[n] / voxels];
        uint8_t part = (uint8_t)(1u << foot->at[n] % voxels / (voxels / PARTS));
        if (!(atomic_load_explicit(touched, memory_order_relaxed) & part))
            atomic_fetch_or_explicit(touched, part, memory_order_relaxed);
    }
}

// Moves so many phi by their sums; returns by how much at the most.
static float settle_part(_Atomic int32_t *sums, size_t count, float band, float *phi, int64_t *cut)
{
    float most = 0.0f;
    for (size_t k = 0; k < count; k++) {
        int32_t sum = atomic_load_explicit(&sums[k], memory_order_relaxed);
        if (sum == 0)
            continue;
        atomic_store_explicit(&sums[k], 0, memory_order_relaxed);
        float kept;
        *cut += silt_voxel_settled(sum, band, &phi[k], &kept);
        most = silt_maxf(most, silt_absf(kept));
    }
    return most;
}

// What a slot a little later will need.
static void fetch_slot(const SiltVoxelGround *ground, int slot)
{
    enum { LINE = 16 }; // floats
    size_t voxels = voxels_of(ground->volume), part = voxels / PARTS;
    unsigned touched = atomic_load_explicit(&ground->touched[slot], memory_order_relaxed);
    const float *phi = ground->volume->table[ground->brick[slot]];
    for (size_t n = 0; n < PARTS && touched; n++)
        for (size_t k = n * part; k < (n + 1) * part && (touched >> n & 1); k += LINE) {
            SILT_FETCH(phi + k);
            SILT_FETCH(ground->sums + (size_t)slot * voxels + k);
        }
}

static void settle_slots(void *context, int begin, int end)
{
    SiltVoxelGround *ground = context;
    SiltVolume *volume = ground->volume;
    size_t voxels = voxels_of(volume), part = voxels / PARTS;
    int64_t cut = 0;
    for (int slot = begin; slot < end; slot++) {
        if (slot + AHEAD < end)
            fetch_slot(ground, slot + AHEAD);
        unsigned touched = atomic_load_explicit(&ground->touched[slot], memory_order_relaxed);
        if (!touched)
            continue;
        atomic_store_explicit(&ground->touched[slot], 0, memory_order_relaxed);
        float *phi = volume->table[ground->brick[slot]], most = 0.0f;
        _Atomic int32_t *sums = ground->sums + (size_t)slot * voxels;
        for (size_t n = 0; n < PARTS; n++)
            if (touched >> n & 1)
                most =
                    silt_maxf(most, settle_part(sums + n * part, part, volume->band, phi + n * part, &cut));
        ground->activity[ground->brick[slot]] += most;
        volume->flags[ground->brick[slot]] |= SILT_BRICK_REMESH | SILT_BRICK_MEASURE;
    }
    if (cut)
        atomic_fetch_add_explicit(&ground->cut, cut, memory_order_relaxed);
}

void silt_voxel_settle(SiltVoxelGround *ground)
{
    silt_parallel((int)ground->slot_count, SLOT_SPAN, settle_slots, ground);
}
