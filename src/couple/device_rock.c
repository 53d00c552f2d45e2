#include "couple/device_rock.h"

#include <string.h>

#include "core/memory.h"
#include "volume/brick.h"

enum { EMPTY, SOLID, SHARED = SILT_DEVICE_SHARED };
enum { CARGO = 2048 };             // bricks moved at once
enum { SPARE = 8, AT_LEAST = 64 }; // bricks of room beyond those there are: an eighth, and so many

static const size_t brick_bytes[SILT_BRICK_BUFFERS] = {4, 1, 4, 4, 4, 4, 1, 8, 8, 1, 4, 4, 4, 4};
// Of a voxel, then of a place.
static const size_t voxel_bytes[SILT_PLACE_BUFFERS] = {4, 4, 4, 4};
static const size_t place_bytes[SILT_PLACE_BUFFERS] = {0, 0, 0, 0, 4, 4, sizeof(SiltReinitSource),
                                                       4, 4, 4, 8, 4, 8};

static size_t bytes_of(const SiltDeviceRock *rock, int which)
{
    return voxel_bytes[which] * silt_brick_voxels(rock->ground->volume) + place_bytes[which];
}

// ---- making ----

// Pools of another size take over what the old ones hold.
static SiltStatus resize(SiltDeviceRock *rock, size_t wanted)
{
    SiltBuffer *made[SILT_PLACE_BUFFERS] = {NULL};
    uint64_t all = 0;
    for (int k = 0; k < SILT_PLACE_BUFFERS; k++)
        all += wanted * bytes_of(rock, k);
    SiltStatus status =
        silt_device_has_room(rock->device, rock->owner, all, wanted * bytes_of(rock, SILT_PLACE_PHI));
    if (status == SILT_OK)
        status = silt_grow(rock->owner, (void **)&rock->brick, (size_t)rock->capacity, wanted,
                           sizeof *rock->brick);
    if (status == SILT_OK)
        status = silt_grow(rock->owner, (void **)&rock->spare, (size_t)rock->capacity, wanted,
                           sizeof *rock->spare);
    for (int k = 0; k < SILT_PLACE_BUFFERS && status == SILT_OK; k++) {
        status = silt_buffer_create(rock->device, rock->owner, wanted * bytes_of(rock, k), &made[k]);
        if (status == SILT_OK && rock->of_place[k])
            status = silt_buffer_copy(rock->of_place[k], 0, made[k], 0,
                                      (size_t)rock->capacity * bytes_of(rock, k));
    }
    for (int k = 0; k < SILT_PLACE_BUFFERS; k++) {
        SiltBuffer *gone = status == SILT_OK ? rock->of_place[k] : made[k];
        rock->of_place[k] = status == SILT_OK ? made[k] : rock->of_place[k];
        silt_buffer_destroy(gone);
    }
    if (status == SILT_OK)
        rock->capacity = (int)wanted;
    return status;
}

SiltStatus silt_device_rock_reserve(SiltDeviceRock *rock, int more)
{
    size_t needed = (size_t)(rock->places - rock->spare_count) + (size_t)(more > 0 ? more : 0);
    return needed <= (size_t)rock->capacity ? SILT_OK : resize(rock, needed + needed / SPARE + AT_LEAST);
}

int silt_device_rock_take(SiltDeviceRock *rock, int32_t brick)
{
    int place = rock->spare_count > 0 ? rock->spare[--rock->spare_count] : rock->places++;
    rock->brick[place] = brick;
    return place;
}

void silt_device_rock_give(SiltDeviceRock *rock, int place)
{
    rock->brick[place] = -1;
    rock->spare[rock->spare_count++] = place;
}

SiltStatus silt_device_rock_create(SiltDevice *device, const char *owner, SiltVoxelGround *ground,
                                   SiltDeviceRock *out)
{
    const SiltVolume *volume = ground->volume;
    size_t total = silt_brick_total(volume);
    *out = (SiltDeviceRock){.ground = ground, .device = device, .owner = owner, .places = SHARED};
    SiltRockSize size = {
        .side = volume->side, .shift = volume->shift, .band = volume->band, .total = (int)total};
    memcpy(size.size, volume->size, sizeof size.size);
    memcpy(size.bricks, volume->bricks, sizeof size.bricks);
    SiltStatus status =
        silt_alloc_for(owner, CARGO * silt_brick_voxels(volume), sizeof(float), &out->staging);
    for (int k = 0; k < SILT_BRICK_BUFFERS && status == SILT_OK; k++)
        status = silt_buffer_create(device, owner, (total + 1) * brick_bytes[k], &out->of_brick[k]);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, sizeof size, &out->size);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, sizeof out->found, &out->totals);
    return status == SILT_OK ? silt_buffer_write(out->size, 0, &size, sizeof size) : status;
}

void silt_device_rock_destroy(SiltDeviceRock *rock)
{
    for (int k = 0; k < SILT_BRICK_BUFFERS; k++)
        silt_buffer_destroy(rock->of_brick[k]);
    for (int k = 0; k < SILT_PLACE_BUFFERS; k++)
        silt_buffer_destroy(rock->of_place[k]);
    silt_buffer_destroy(rock->size);
    silt_buffer_destroy(rock->totals);
    silt_free(rock->brick);
    silt_free(rock->spare);
    silt_free(rock->staging);
}

// ---- to and fro ----

// Bricks of the volume lie in the pool in their order, behind those that uniform ones share.
static SiltStatus lay_places(SiltDeviceRock *rock)
{
    const SiltVolume *volume = rock->ground->volume;
    size_t total = silt_brick_total(volume);
    int32_t *table;
    SiltStatus status = silt_alloc_for(rock->owner, total, sizeof *table, (void **)&table);
    rock->places = SHARED;
    rock->spare_count = 0;
    if (status == SILT_OK)
        status = silt_device_rock_reserve(rock, (int)volume->brick_count);
    if (status == SILT_OK) {
        rock->brick[EMPTY] = rock->brick[SOLID] = -1;
        for (size_t brick = 0; brick < total; brick++)
            table[brick] = volume->table[brick] == volume->empty ? EMPTY
                           : volume->table[brick] == volume->solid
                               ? SOLID
                               : silt_device_rock_take(rock, (int32_t)brick);
        silt_buffer_write(rock->of_brick[SILT_BRICK_TABLE], 0, table, total * sizeof *table);
        silt_buffer_write(rock->of_place[SILT_PLACE_BRICK], 0, rock->brick,
                          (size_t)rock->places * sizeof *rock->brick);
    }
    silt_free(table);
    return status;
}

static float *brick_at(const SiltDeviceRock *rock, int place)
{
    const SiltVolume *volume = rock->ground->volume;
    return place == EMPTY            ? volume->empty
           : place == SOLID          ? volume->solid
           : rock->brick[place] >= 0 ? volume->table[rock->brick[place]]
                                     : NULL;
}

// phi, or behind it how soft the rock is, of all places of the pool.
static void push_voxels(SiltDeviceRock *rock, SiltBuffer *to, bool soft)
{
    size_t voxels = silt_brick_voxels(rock->ground->volume), bytes = voxels * sizeof(float);
    float *staging = rock->staging;
    for (int first = 0; first < rock->places; first += CARGO) {
        int count = rock->places - first < CARGO ? rock->places - first : CARGO;
        for (int n = 0; n < count; n++) {
            const float *from = brick_at(rock, first + n);
            if (from)
                memcpy(staging + (size_t)n * voxels, from + (soft ? voxels : 0), bytes);
        }
        silt_buffer_write(to, (size_t)first * bytes, staging, (size_t)count * bytes);
    }
}

SiltStatus silt_device_rock_push_soft(SiltDeviceRock *rock)
{
    push_voxels(rock, rock->of_place[SILT_PLACE_SOFT], true);
    return silt_device_status(rock->device);
}

// What the host has of the buffers of bricks.
static void *host_array(const SiltDeviceRock *rock, int which)
{
    const SiltVoxelGround *ground = rock->ground;
    void *const all[SILT_BRICK_BUFFERS] = {[SILT_BRICK_FLAGS] = ground->volume->flags,
                                           [SILT_BRICK_ACTIVITY] = ground->activity,
                                           [SILT_BRICK_WORN] = ground->worn,
                                           [SILT_BRICK_STALE] = ground->stale,
                                           [SILT_BRICK_MOVED] = ground->moved};
    return all[which];
}

SiltStatus silt_device_rock_push(SiltDeviceRock *rock)
{
    size_t total = silt_brick_total(rock->ground->volume);
    SiltStatus status = lay_places(rock);
    if (status != SILT_OK)
        return status;
    push_voxels(rock, rock->of_place[SILT_PLACE_PHI], false);
    push_voxels(rock, rock->of_place[SILT_PLACE_SOFT], true);
    for (int k = 0; k < SILT_BRICK_BUFFERS; k++)
        if (host_array(rock, k))
            silt_buffer_write(rock->of_brick[k], 0, host_array(rock, k), total * brick_bytes[k]);
    silt_buffer_write(rock->totals, 0, rock->found, sizeof rock->found);
    rock->is_known = true;
    return silt_device_status(rock->device);
}

SiltStatus silt_device_rock_fetch(SiltDeviceRock *rock)
{
    size_t voxels = silt_brick_voxels(rock->ground->volume), bytes = voxels * sizeof(float);
    size_t total = silt_brick_total(rock->ground->volume);
    SiltStatus status = silt_device_status(rock->device);
    const float *staging = rock->staging;
    if (rock->is_known)
        return status;
    for (int first = SHARED; first < rock->places && status == SILT_OK; first += CARGO) {
        int count = rock->places - first < CARGO ? rock->places - first : CARGO;
        status = silt_buffer_read(rock->of_place[SILT_PLACE_PHI], (size_t)first * bytes, rock->staging,
                                  (size_t)count * bytes);
        for (int n = 0; n < count && status == SILT_OK; n++)
            if (rock->brick[first + n] >= 0)
                memcpy(brick_at(rock, first + n), staging + (size_t)n * voxels, bytes);
    }
    for (int k = 0; k < SILT_BRICK_BUFFERS && status == SILT_OK; k++)
        if (host_array(rock, k))
            status = silt_buffer_read(rock->of_brick[k], 0, host_array(rock, k), total * brick_bytes[k]);
    rock->is_known = status == SILT_OK;
    return status;
}
