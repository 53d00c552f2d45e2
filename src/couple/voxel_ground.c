#include "couple/voxel_ground.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "couple/voxel_area.h"

enum {
    SLOT_SPAN = 64,
    AHEAD = 3, // slots
    PARTS = 8, // of a brick: as many as `touched` has bits
    FINE = 1 << 22,
    MOST_STEPS = 96,
    PAPER_STEPS = 4000,
    MOST_PUSHES = 12,
    PAPER_PUSHES = 400
};

static const float most_change = 0.1f;  // of phi by one particle in one step, voxels
static const float most_in_step = 0.5f; // of phi by all of them
static const float gap_kept = 1e-3f;    // voxels: a particle that was pushed out stays so far away

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
                             .cell = (float)volume->cell,
                             .rows = (float)volume->size[1] - 0.5f,
                             .base = (float)((low - volume->origin[2]) / volume->cell),
                             .exchange = exchange};
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

// ---- where particles may be ----

void silt_voxel_normal(const float g[3], float normal[3], float *slope)
{
    float length = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    bool is_flat = length < 1e-3f;
    normal[0] = is_flat ? 0.0f : -g[0] / length;
    normal[1] = is_flat ? 0.0f : -g[1] / length;
    normal[2] = is_flat ? 1.0f : -g[2] / length;
    *slope = is_flat ? 1.0f : length;
}

float silt_voxel_ground_at(const SiltVoxelGround *ground, const float place[3], float normal[3], float *slope)
{
    float gradient[3], phi = silt_volume_sample(ground->volume, place, gradient);
    silt_voxel_normal(gradient, normal, slope);
    return phi;
}

static float sample(const SiltVoxelGround *ground, const float place[3])
{
    return silt_volume_sample(ground->volume, place, NULL);
}

bool silt_voxel_push_out(const SiltVoxelGround *ground, float place[3])
{
    for (int k = 0; k < MOST_PUSHES; k++) {
        float normal[3], slope, phi = silt_voxel_ground_at(ground, place, normal, &slope);
        if (phi <= 0.0f)
            return true;
        float by = phi / slope * (1.0f + 0.1f * (float)k) + gap_kept;
        for (int axis = 0; axis < 3; axis++)
            place[axis] += by * normal[axis];
    }
    return sample(ground, place) <= 0.0f;
}

// The paper's way out: small steps along the normal of the first place.
static bool creep_out(const SiltVoxelGround *ground, float place[3])
{
    float normal[3], slope;
    silt_voxel_ground_at(ground, place, normal, &slope);
    for (int k = 0; k < PAPER_PUSHES; k++) {
        if (sample(ground, place) <= 0.0f)
            return true;
        for (int axis = 0; axis < 3; axis++)
            place[axis] += 0.025f * normal[axis];
    }
    return false;
}

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void look(const SiltVoxelGround *ground, const float place[3], SiltVoxelPath *path)
{
    path->phi = silt_voxel_ground_at(ground, place, path->normal, &path->slope);
}

// Takes the part of the velocity that leads into the rock, or turns some of it back. Returns whether it
// struck harder than before.
static bool bounce(float restitution, SiltVoxelPath *path)
{
    const float *normal = path->normal;
    float out = path->velocity[0] * normal[0] + path->velocity[1] * normal[1] + path->velocity[2] * normal[2];
    if (out >= 0.0f)
        return false;
    bool is_harder = -out > path->impact;
    path->impact = silt_maxf(path->impact, -out);
    for (int axis = 0; axis < 3; axis++)
        path->velocity[axis] -= (1.0f + restitution) * out * normal[axis];
    return is_harder;
}

// Keeps where it struck.
static void mark_strike(const float place[3], SiltVoxelPath *path)
{
    path->struck_phi = path->phi;
    path->struck_slope = path->slope;
    for (int axis = 0; axis < 3; axis++) {
        path->struck[axis] = place[axis];
        path->struck_normal[axis] = path->normal[axis];
    }
}

void silt_voxel_travel(const SiltVoxelGround *ground, float restitution, bool by_paper, SiltVoxelPath *path)
{
    float at[3] = {path->place[0], path->place[1], path->place[2]};
    float left = length_of(path->velocity); // of the way, voxels
    bool is_seen = false;                   // whether the path knows the normal where it is
    path->impact = 0.0f;
    path->is_buried = path->phi > 0.0f && !silt_voxel_push_out(ground, at);
    if (path->is_buried)
        return;
    for (int k = 0; k < (by_paper ? PAPER_STEPS : MOST_STEPS) && left > 1e-5f; k++) {
        float speed = length_of(path->velocity), next[3];
        // nothing within |phi| is rock; a little less, for phi is not quite a distance between two
        // re-initialisations
        float step = by_paper ? 0.01f : silt_maxf(-0.8f * path->phi - 0.05f, 0.05f);
        step = silt_minf(step, left);
        for (int axis = 0; axis < 3; axis++)
            next[axis] = at[axis] + step / speed * path->velocity[axis];
        left -= step;
        look(ground, next, path);
        is_seen = true;
        if (path->phi > 0.0f) {
            bool is_harder = bounce(restitution, path);
            left *= length_of(path->velocity) / speed;
            is_seen = by_paper ? creep_out(ground, next) : silt_voxel_push_out(ground, next);
            if (!is_seen)
                break; // it stays at the last place in the air
            look(ground, next, path);
            if (is_harder)
                mark_strike(next, path);
        }
        for (int axis = 0; axis < 3; axis++)
            at[axis] = next[axis];
    }
    if (!is_seen)
        look(ground, at, path);
    for (int axis = 0; axis < 3; axis++)
        path->place[axis] = at[axis];
}

// ---- rock that moves ----

static void locate(float place, int size, int *cell, float *rest)
{
    float last = (float)(size - 1), clamped = silt_clampf(place, 0.0f, last);
    *cell = (int)clamped < size - 2 ? (int)clamped : size - 2;
    *rest = clamped - (float)*cell;
}

void silt_voxel_fetch(const SiltVoxelGround *ground, const float place[3])
{
    const SiltVolume *volume = ground->volume;
    int cell[3];
    float rest;
    for (int axis = 0; axis < 3; axis++)
        locate(place[axis], volume->size[axis], &cell[axis], &rest);
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

// phi around a cell, and which of the 27 cells about it lie in the grid.
static void read_around(const SiltVolume *volume, const int cell[3], float *phi, int low[3], int high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = cell[axis] == 0 ? 1 : 0;
        high[axis] = cell[axis] == volume->size[axis] - 2 ? 1 : 2;
    }
    for (int n = 0; n < SILT_AREA_ROOM; n++) {
        int at[3] = {n % SILT_AREA_SIDE, n / SILT_AREA_SIDE % SILT_AREA_SIDE,
                     n / (SILT_AREA_SIDE * SILT_AREA_SIDE)};
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = at[axis] > low[axis] ? at[axis] : low[axis];
            at[axis] = cell[axis] - 1 + (at[axis] < high[axis] + 1 ? at[axis] : high[axis] + 1);
        }
        phi[n] = silt_volume_at(volume, at[0], at[1], at[2]);
    }
}

bool silt_voxel_foot(const SiltVoxelGround *ground, const float place[3], bool is_taking, SiltVoxelFoot *out)
{
    const SiltVolume *volume = ground->volume;
    int cell[3];
    float rest[3], phi[SILT_AREA_ROOM];
    int low[3], high[3];
    if (is_taking ? place[2] < 2.0f : place[2] > (float)(volume->size[2] - 4))
        return false;
    for (int axis = 0; axis < 3; axis++)
        locate(place[axis], volume->size[axis], &cell[axis], &rest[axis]);
    for (int n = 0; n < 8; n++) {
        float weight = 1.0f;
        int at[3];
        for (int axis = 0; axis < 3; axis++) {
            int far = n >> axis & 1;
            at[axis] = cell[axis] + far;
            weight *= far ? rest[axis] : 1.0f - rest[axis];
        }
        size_t brick = silt_volume_brick(volume, at[0], at[1], at[2]);
        if (ground->slot[brick] < 0)
            return false;
        size_t offset = silt_volume_offset(volume, at[0], at[1], at[2]);
        out->at[n] = (size_t)ground->slot[brick] * voxels_of(volume) + offset;
        out->weight[n] = ground->exchange == SILT_VOXEL_PAPER ? 1.0f : weight;
    }
    read_around(volume, cell, phi, low, high);
    out->area = silt_area_moved(phi, rest, low, high);
    return out->area > 0.02f;
}

float silt_voxel_most(const SiltVoxelFoot *foot)
{
    return most_change * foot->area;
}

// Algorithm 3 takes the volume off phi of all eight; ours moves phi by the volume over the area it moves.
void silt_voxel_move(SiltVoxelGround *ground, const SiltVoxelFoot *foot, float rock)
{
    float change = ground->exchange == SILT_VOXEL_PAPER ? rock : rock / foot->area;
    size_t voxels = voxels_of(ground->volume);
    for (int n = 0; n < 8; n++) {
        int32_t by = (int32_t)lrintf(change * foot->weight[n] * (float)FINE);
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
        float by = (float)sum * (1.0f / (float)FINE), kept = silt_clampf(by, -most_in_step, most_in_step);
        *cut += kept != by;
        most = silt_maxf(most, silt_absf(kept));
        phi[k] = silt_clampf(phi[k] + kept, -band, band);
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
