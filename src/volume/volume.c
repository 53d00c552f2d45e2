// The sparse grid: a table of bricks, uniform ones shared, the others from a pool (Weiss 2016, 3.1.4).
#include "volume/volume.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/brick.h"

enum { CHUNK = 256 }; // bricks allocated at a time
enum { HASH_SPAN = 64 };

// Bricks come in chunks that never move, and are used again when they were given back.
typedef struct SiltBrickPool {
    float **chunks;
    size_t chunk_count, chunk_capacity;
    float **spare;
    size_t spare_count, spare_capacity;
    void *scratch; // see silt_volume_scratch
    size_t scratch_bytes;
} SiltBrickPool;

static size_t brick_floats(int side)
{
    return 2 * (size_t)side * (size_t)side * (size_t)side;
}

static SiltStatus check_size(const int size[3], int side, double cell)
{
    if (side != 8 && side != 16)
        return silt_fail(SILT_BAD_ARGUMENT, "volume: bricks of %d voxels a side: they have 8 or 16", side);
    for (int axis = 0; axis < 3; axis++)
        if (size[axis] < 2 || size[axis] > SILT_MAX_VOXELS)
            return silt_fail(SILT_BAD_ARGUMENT, "volume: %d x %d x %d voxels: each side takes 2 to %d",
                             size[0], size[1], size[2], SILT_MAX_VOXELS);
    if (!(cell >= 1e-6 && cell <= 1e6))
        return silt_fail(SILT_BAD_ARGUMENT, "volume: a voxel of %g m: its size takes 1e-6 to 1e6", cell);
    return SILT_OK;
}

static uint64_t table_count(const int size[3], int side)
{
    uint64_t count = 1;
    for (int axis = 0; axis < 3; axis++)
        count *= ((uint64_t)size[axis] + (uint64_t)side - 1) / (uint64_t)side;
    return count;
}

uint64_t silt_volume_bytes(const int size[3], int side, uint64_t brick_count)
{
    uint64_t chunks = (brick_count + CHUNK - 1) / CHUNK;
    return table_count(size, side) * (sizeof(float *) + 1) +
           (chunks * CHUNK + 2 + brick_count) * brick_floats(side) * sizeof(float);
}

static SiltStatus check_memory(const int size[3], int side, uint64_t brick_count, uint64_t held)
{
    uint64_t bytes = silt_volume_bytes(size, side, brick_count), available = silt_memory_available();
    if (bytes <= held || bytes - held <= available)
        return SILT_OK;
    return silt_fail(
        SILT_NO_MEMORY,
        "volume: %d x %d x %d voxels with %llu bricks at the surface need %.1f GiB, and %.1f GiB are free",
        size[0], size[1], size[2], (unsigned long long)brick_count, (double)bytes / 1073741824.0,
        (double)available / 1073741824.0);
}

SiltStatus silt_volume_check_memory(const int size[3], int side, uint64_t brick_count)
{
    return check_memory(size, side, brick_count, 0);
}

static void fill_brick(float *brick, size_t voxels, float phi, float erodibility)
{
    for (size_t k = 0; k < voxels; k++) {
        brick[k] = phi;
        brick[voxels + k] = erodibility;
    }
}

static SiltStatus allocate(SiltVolume *volume)
{
    size_t total = silt_brick_total(volume), floats = brick_floats(volume->side);
    SiltStatus status = silt_alloc_for("volume", total, sizeof *volume->table, (void **)&volume->table);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", total, sizeof *volume->flags, (void **)&volume->flags);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", floats, sizeof(float), (void **)&volume->solid);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", floats, sizeof(float), (void **)&volume->empty);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", 1, sizeof *volume->pool, (void **)&volume->pool);
    if (status != SILT_OK)
        return status;
    fill_brick(volume->solid, floats / 2, volume->band, (float)volume->rock.high);
    fill_brick(volume->empty, floats / 2, -volume->band, (float)volume->rock.high);
    for (size_t brick = 0; brick < total; brick++) {
        volume->table[brick] = volume->empty;
        volume->flags[brick] = SILT_BRICK_CHANGED;
    }
    return SILT_OK;
}

SiltStatus silt_volume_create(const int size[3], int side, double cell, const SiltRock *rock, uint64_t seed,
                              SiltVolume **out)
{
    *out = NULL;
    SiltRock plain;
    SiltStatus status = check_size(size, side, cell);
    if (status == SILT_OK)
        status = silt_params_init(&silt_rock_params, &plain);
    if (status == SILT_OK && rock)
        status = silt_params_check(&silt_rock_params, rock, "rock");
    if (status == SILT_OK)
        status = check_memory(size, side, 0, 0);
    SiltVolume *volume = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for("volume", 1, sizeof *volume, (void **)&volume);
    if (status != SILT_OK)
        return status;
    volume->side = side;
    volume->shift = side == 8 ? 3 : 4;
    volume->cell = cell;
    volume->band = 4.0f;
    volume->rock = rock ? *rock : plain;
    volume->rock_seed = seed;
    for (int axis = 0; axis < 3; axis++) {
        volume->size[axis] = size[axis];
        volume->bricks[axis] = (size[axis] + side - 1) / side;
    }
    status = allocate(volume);
    if (status != SILT_OK) {
        silt_volume_destroy(volume);
        return status;
    }
    *out = volume;
    return SILT_OK;
}

void silt_volume_destroy(SiltVolume *volume)
{
    if (!volume)
        return;
    SiltBrickPool *pool = volume->pool;
    for (size_t k = 0; pool && k < pool->chunk_count; k++)
        silt_free(pool->chunks[k]);
    if (pool) {
        silt_free(pool->chunks);
        silt_free(pool->spare);
        silt_free(pool->scratch);
    }
    silt_free(pool);
    silt_free(volume->table);
    silt_free(volume->flags);
    silt_free(volume->solid);
    silt_free(volume->empty);
    silt_field_destroy(&volume->rock_map);
    silt_former_destroy(volume->former);
    silt_free(volume);
}

// ---- bricks come and go ----

static SiltStatus grow_list(float ***list, size_t count, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return SILT_OK;
    size_t larger = 2 * *capacity > wanted ? 2 * *capacity : wanted;
    void *block = *list;
    SiltStatus status = silt_grow("volume", &block, count, larger, sizeof **list);
    if (status != SILT_OK)
        return status;
    *list = block;
    *capacity = larger;
    return SILT_OK;
}

static SiltStatus add_chunk(SiltVolume *volume)
{
    SiltBrickPool *pool = volume->pool;
    SiltStatus status =
        grow_list(&pool->chunks, pool->chunk_count, &pool->chunk_capacity, pool->chunk_count + 1);
    // the list of spare bricks can always hold all of them: giving one back cannot fail
    if (status == SILT_OK)
        status = grow_list(&pool->spare, pool->spare_count, &pool->spare_capacity,
                           (pool->chunk_count + 1) * CHUNK);
    float *chunk = NULL;
    size_t floats = brick_floats(volume->side);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", CHUNK * floats, sizeof(float), (void **)&chunk);
    if (status != SILT_OK)
        return status;
    pool->chunks[pool->chunk_count++] = chunk;
    for (size_t k = CHUNK; k-- > 0;)
        pool->spare[pool->spare_count++] = chunk + k * floats;
    return SILT_OK;
}

static void fill_rock(const SiltVolume *volume, size_t brick)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    float *erodibility = volume->table[brick] + silt_brick_voxels(volume);
    int side = volume->side;
    if (volume->rock.kind == SILT_ROCK_UNIFORM && !volume->rock_map.data) {
        for (size_t k = 0; k < silt_brick_voxels(volume); k++)
            erodibility[k] = (float)volume->rock.high;
        return;
    }
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                *erodibility++ =
                    silt_rock_at(volume, at.at[0] * side + x, at.at[1] * side + y, at.at[2] * side + z);
}

// Takes a brick from the pool; its erodibility is still to be filled in.
static SiltStatus take_brick(SiltVolume *volume, size_t brick)
{
    SiltBrickPool *pool = volume->pool;
    SiltStatus status = pool->spare_count ? SILT_OK : add_chunk(volume);
    if (status != SILT_OK)
        return status;
    float *values = pool->spare[--pool->spare_count];
    memcpy(values, volume->table[brick], silt_brick_voxels(volume) * sizeof *values);
    volume->table[brick] = values;
    volume->brick_count++;
    return SILT_OK;
}

SiltStatus silt_volume_require(SiltVolume *volume, size_t brick)
{
    if (!silt_volume_is_uniform(volume, brick))
        return SILT_OK;
    SiltStatus status = take_brick(volume, brick);
    if (status == SILT_OK)
        fill_rock(volume, brick);
    return status;
}

typedef struct RockWork {
    const SiltVolume *volume;
    const uint32_t *list;
} RockWork;

static void fill_rocks(void *context, int begin, int end)
{
    const RockWork *work = context;
    for (int n = begin; n < end; n++)
        fill_rock(work->volume, work->list[n]);
}

enum { LOOK_EVERY = 1 << 10 }; // bricks, whether to go on

// Bricks that were made have their rock, also where others are not made any more.
SiltStatus silt_volume_require_all(SiltVolume *volume, const uint32_t *list, size_t count)
{
    size_t missing = 0;
    uint32_t *made = NULL;
    for (size_t n = 0; n < count; n++)
        missing += silt_volume_is_uniform(volume, list[n]);
    if (missing == 0)
        return SILT_OK;
    uint64_t held =
        silt_volume_bytes(volume->size, volume->side, volume->pool->chunk_count * (uint64_t)CHUNK);
    SiltStatus status = check_memory(volume->size, volume->side, volume->brick_count + missing, held);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", missing, sizeof *made, (void **)&made);
    size_t done = 0;
    for (size_t n = 0; n < count && status == SILT_OK; n++) {
        if (n % LOOK_EVERY == 0 && silt_is_stopped())
            status = SILT_CANCELLED;
        if (status != SILT_OK || !silt_volume_is_uniform(volume, list[n]))
            continue;
        status = take_brick(volume, list[n]);
        if (status == SILT_OK)
            made[done++] = list[n];
    }
    RockWork work = {volume, made};
    silt_parallel((int)done, 16, fill_rocks, &work);
    silt_free(made);
    return status;
}

SiltStatus silt_volume_lay_rock(SiltVolume *volume, const SiltRock *rock, uint64_t seed)
{
    SiltStatus status = silt_params_check(&silt_rock_params, rock, "rock");
    size_t total = silt_brick_total(volume), count = 0;
    uint32_t *list = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for("volume", volume->brick_count, sizeof *list, (void **)&list);
    if (status != SILT_OK)
        return status;
    volume->rock = *rock;
    volume->rock_seed = seed;
    for (size_t brick = 0; brick < total; brick++)
        if (!silt_volume_is_uniform(volume, brick))
            list[count++] = (uint32_t)brick;
    RockWork work = {volume, list};
    silt_parallel((int)count, 16, fill_rocks, &work);
    fill_brick(volume->solid, silt_brick_voxels(volume), volume->band, (float)rock->high);
    fill_brick(volume->empty, silt_brick_voxels(volume), -volume->band, (float)rock->high);
    silt_free(list);
    return SILT_OK;
}

SiltStatus silt_volume_scratch(SiltVolume *volume, size_t bytes, void **out)
{
    SiltBrickPool *pool = volume->pool;
    *out = pool->scratch;
    if (bytes <= pool->scratch_bytes)
        return SILT_OK;
    silt_free(pool->scratch);
    pool->scratch = NULL;
    pool->scratch_bytes = 0;
    size_t wanted = bytes + bytes / 8;
    SiltStatus status = silt_alloc_for("volume", wanted, 1, &pool->scratch);
    if (status == SILT_OK)
        pool->scratch_bytes = wanted;
    *out = pool->scratch;
    return status;
}

void silt_volume_release(SiltVolume *volume, size_t brick, bool is_solid)
{
    if (!silt_volume_is_uniform(volume, brick)) {
        volume->pool->spare[volume->pool->spare_count++] = volume->table[brick];
        volume->brick_count--;
    }
    volume->table[brick] = is_solid ? volume->solid : volume->empty;
}

SiltStatus silt_volume_set(SiltVolume *volume, int i, int j, int k, float phi)
{
    size_t brick = silt_volume_brick(volume, i, j, k);
    SiltStatus status = silt_volume_require(volume, brick);
    if (status != SILT_OK)
        return status;
    volume->table[brick][silt_volume_offset(volume, i, j, k)] = phi;
    volume->flags[brick] |= SILT_BRICK_TOUCHED | SILT_BRICK_CHANGED;
    return SILT_OK;
}

// ---- a brick and what is around it ----

bool silt_block_is_cut(const SiltVolume *volume, SiltBrickAt at, const SiltBlock *block)
{
    for (int axis = 0; axis < 3; axis++) {
        int begin = at.at[axis] * volume->side;
        if (begin - block->below < 0 || begin + volume->side + block->above > volume->size[axis])
            return true;
    }
    return false;
}

// The place along one axis, from the brick's first voxel, that a place beyond the grid takes its value from.
static int nearest_inside(const SiltVolume *volume, SiltBrickAt at, int axis, int place)
{
    int begin = at.at[axis] * volume->side, voxel = begin + place;
    return (voxel < 0 ? 0 : voxel >= volume->size[axis] ? volume->size[axis] - 1 : voxel) - begin;
}

void silt_block_extend(const SiltVolume *volume, SiltBrickAt at, const SiltBlock *block, float *values)
{
    int low = -block->below, high = volume->side + block->above;
    float *first = values + block->first;
    for (int z = low; z < high; z++) {
        int from_z = nearest_inside(volume, at, 2, z);
        for (int y = low; y < high; y++) {
            int from_y = nearest_inside(volume, at, 1, y);
            for (int x = low; x < high; x++) {
                int from_x = nearest_inside(volume, at, 0, x);
                if (from_x != x || from_y != y || from_z != z)
                    first[z * block->slab + y * block->row + x] =
                        first[from_z * block->slab + from_y * block->row + from_x];
            }
        }
    }
}

// The bricks that voxels of the block may lie in; the others are not looked up.
static void find_near(const SiltVolume *volume, SiltBrickAt at, const SiltBlock *block, const float *near[27])
{
    int first = block->below > 0 ? -1 : 0, last = block->above > 0 ? 1 : 0;
    for (int z = first; z <= last; z++)
        for (int y = first; y <= last; y++)
            for (int x = first; x <= last; x++)
                near[13 + x + 3 * y + 9 * z] = volume->table[silt_brick_beside(volume, at, x, y, z)];
}

void silt_block_read_by(const SiltVolume *volume, size_t brick, const SiltBlock *block,
                        const SiltBlockCopy copies[2], float *out)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    const float *near[27] = {NULL};
    find_near(volume, at, block, near);
    if (copies)
        copies[volume->side == 16](near, out);
    else if (volume->side == 8)
        silt_block_copy(near, 8, block, out);
    else
        silt_block_copy(near, 16, block, out);
    if (silt_block_is_cut(volume, at, block))
        silt_block_extend(volume, at, block, out);
}

void silt_block_read(const SiltVolume *volume, size_t brick, const SiltBlock *block, float *out)
{
    silt_block_read_by(volume, brick, block, NULL, out);
}

// ---- what can be said about a whole volume ----

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

typedef struct HashWork {
    const SiltVolume *volume;
    uint64_t *of_brick;
} HashWork;

static void hash_bricks(void *context, int begin, int end)
{
    const HashWork *work = context;
    const SiltVolume *volume = work->volume;
    size_t floats = brick_floats(volume->side);
    for (int brick = begin; brick < end; brick++) {
        const float *values = volume->table[brick];
        uint64_t hash = values == volume->solid ? 1 : values == volume->empty ? 2 : 3;
        for (size_t k = 0; hash != 1 && hash != 2 && k < floats; k++) {
            uint32_t bits;
            memcpy(&bits, values + k, sizeof bits);
            hash = mix(hash, bits) | 4;
        }
        work->of_brick[brick] = hash;
    }
}

uint64_t silt_volume_hash(const SiltVolume *volume)
{
    size_t total = silt_brick_total(volume);
    HashWork work = {volume, silt_alloc_array(total, sizeof(uint64_t))};
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; axis++)
        hash = mix(hash, (uint64_t)volume->size[axis]);
    if (!work.of_brick)
        return 0;
    silt_parallel((int)total, HASH_SPAN, hash_bricks, &work);
    for (size_t brick = 0; brick < total; brick++)
        hash = mix(hash, work.of_brick[brick]);
    silt_free(work.of_brick);
    return hash;
}

SiltVolumeInfo silt_volume_info(const SiltVolume *volume)
{
    const int *size = volume->size;
    const double *origin = volume->origin;
    return (SiltVolumeInfo){.size = {size[0], size[1], size[2]},
                            .cell = volume->cell,
                            .origin = {origin[0], origin[1], origin[2]},
                            .side = volume->side,
                            .brick_total = silt_brick_total(volume),
                            .brick_count = volume->brick_count,
                            .is_placed = volume->is_placed,
                            .crs = volume->crs};
}

float silt_volume_get(const SiltVolume *volume, int i, int j, int k)
{
    return silt_volume_at(volume, i, j, k);
}
