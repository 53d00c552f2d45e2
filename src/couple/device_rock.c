#include "couple/device_rock.h"

#include <string.h>

#include "core/memory.h"
#include "volume/brick.h"

enum { EMPTY, SOLID, SHARED = SILT_DEVICE_SHARED };
enum { CARGO = 2048 };             // bricks moved at once
enum { SPARE = 8, AT_LEAST = 64 }; // bricks of room beyond those there are: an eighth, and so many

static void destroy_pool(SiltDeviceRock *rock)
{
    SiltBuffer **pool[] = {&rock->phi, &rock->soft, &rock->sums, &rock->touched, &rock->brick};
    for (size_t k = 0; k < sizeof pool / sizeof pool[0]; k++) {
        silt_buffer_destroy(*pool[k]);
        *pool[k] = NULL;
    }
    rock->capacity = 0;
}

// Room for the bricks of the volume and some more.
static SiltStatus make_pool(SiltDeviceRock *rock)
{
    const SiltVolume *volume = rock->ground->volume;
    size_t voxels = silt_brick_voxels(volume), count = volume->brick_count;
    if (count + SHARED <= (size_t)rock->capacity)
        return SILT_OK;
    destroy_pool(rock);
    size_t wanted = SHARED + count + count / SPARE + AT_LEAST;
    SiltStatus status =
        silt_device_has_room(rock->device, rock->owner, wanted * (3 * voxels + 2) * 4, wanted * voxels * 4);
    const struct {
        SiltBuffer **buffer;
        size_t bytes;
    } pool[] = {{&rock->phi, wanted * voxels * sizeof(float)},
                {&rock->soft, wanted * voxels * sizeof(float)},
                {&rock->sums, wanted * voxels * sizeof(int32_t)},
                {&rock->touched, wanted * sizeof(int32_t)},
                {&rock->brick, wanted * sizeof(int32_t)}};
    for (size_t k = 0; k < sizeof pool / sizeof pool[0] && status == SILT_OK; k++)
        status = silt_buffer_create(rock->device, rock->owner, pool[k].bytes, pool[k].buffer);
    if (status == SILT_OK)
        rock->capacity = (int)wanted;
    return status;
}

SiltStatus silt_device_rock_create(SiltDevice *device, const char *owner, SiltVoxelGround *ground,
                                   SiltDeviceRock *out)
{
    const SiltVolume *volume = ground->volume;
    size_t total = silt_brick_total(volume);
    *out = (SiltDeviceRock){.ground = ground, .device = device, .owner = owner};
    SiltRockSize size = {
        .side = volume->side, .shift = volume->shift, .band = volume->band, .total = (int)total};
    memcpy(size.size, volume->size, sizeof size.size);
    memcpy(size.bricks, volume->bricks, sizeof size.bricks);
    SiltStatus status = silt_alloc_for(owner, total, sizeof *out->place, (void **)&out->place);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, CARGO * silt_brick_voxels(volume), sizeof(float), &out->staging);
    const struct {
        SiltBuffer **buffer;
        size_t bytes;
    } wanted[] = {{&out->size, sizeof size},
                  {&out->table, total * sizeof(int32_t)},
                  {&out->flags, total},
                  {&out->activity, total * sizeof(float)},
                  {&out->totals, sizeof out->found}};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_buffer_create(device, owner, wanted[k].bytes, wanted[k].buffer);
    return status == SILT_OK ? silt_buffer_write(out->size, 0, &size, sizeof size) : status;
}

void silt_device_rock_destroy(SiltDeviceRock *rock)
{
    SiltBuffer *rest[] = {rock->size, rock->table, rock->flags, rock->activity, rock->totals};
    destroy_pool(rock);
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; k++)
        silt_buffer_destroy(rest[k]);
    silt_free(rock->place);
    silt_free(rock->staging);
}

// ---- to and fro ----

// Bricks of the volume lie in the pool in their order, behind those that uniform ones share.
static void lay_places(SiltDeviceRock *rock)
{
    const SiltVoxelGround *ground = rock->ground;
    const SiltVolume *volume = ground->volume;
    size_t total = silt_brick_total(volume);
    for (size_t brick = 0; brick < total; brick++)
        rock->place[brick] = volume->table[brick] == volume->empty   ? EMPTY
                             : volume->table[brick] == volume->solid ? SOLID
                                                                     : ground->slot[brick] + SHARED;
    rock->places = (int)ground->slot_count + SHARED;
    silt_buffer_write(rock->table, 0, rock->place, total * sizeof *rock->place);
    silt_buffer_write(rock->brick, SHARED * sizeof(int32_t), ground->brick,
                      ground->slot_count * sizeof *ground->brick);
}

// phi, or behind it how soft the rock is, of all places of the pool.
static void push_voxels(SiltDeviceRock *rock, SiltBuffer *to, bool soft)
{
    const SiltVolume *volume = rock->ground->volume;
    size_t voxels = silt_brick_voxels(volume), bytes = voxels * sizeof(float), skip = soft ? voxels : 0;
    float *staging = rock->staging;
    silt_buffer_write(to, EMPTY * bytes, volume->empty + skip, bytes);
    silt_buffer_write(to, SOLID * bytes, volume->solid + skip, bytes);
    for (size_t slot = 0; slot < rock->ground->slot_count; slot += CARGO) {
        size_t count = rock->ground->slot_count - slot < CARGO ? rock->ground->slot_count - slot : CARGO;
        for (size_t n = 0; n < count; n++)
            memcpy(staging + n * voxels, volume->table[rock->ground->brick[slot + n]] + skip, bytes);
        silt_buffer_write(to, (SHARED + slot) * bytes, staging, count * bytes);
    }
}

SiltStatus silt_device_rock_push_soft(SiltDeviceRock *rock)
{
    push_voxels(rock, rock->soft, true);
    return silt_device_status(rock->device);
}

SiltStatus silt_device_rock_push(SiltDeviceRock *rock)
{
    const SiltVoxelGround *ground = rock->ground;
    size_t total = silt_brick_total(ground->volume);
    SiltStatus status = make_pool(rock);
    if (status != SILT_OK)
        return status;
    lay_places(rock);
    push_voxels(rock, rock->phi, false);
    push_voxels(rock, rock->soft, true);
    silt_buffer_write(rock->flags, 0, ground->volume->flags, total);
    silt_buffer_write(rock->activity, 0, ground->activity, total * sizeof(float));
    silt_buffer_write(rock->totals, 0, rock->found, sizeof rock->found);
    rock->is_known = true;
    return silt_device_status(rock->device);
}

SiltStatus silt_device_rock_fetch(SiltDeviceRock *rock)
{
    SiltVoxelGround *ground = rock->ground;
    size_t voxels = silt_brick_voxels(ground->volume), bytes = voxels * sizeof(float);
    size_t total = silt_brick_total(ground->volume);
    SiltStatus status = SILT_OK;
    const float *staging = rock->staging;
    if (rock->is_known)
        return silt_device_status(rock->device);
    for (size_t slot = 0; slot < ground->slot_count && status == SILT_OK; slot += CARGO) {
        size_t count = ground->slot_count - slot < CARGO ? ground->slot_count - slot : CARGO;
        status = silt_buffer_read(rock->phi, (SHARED + slot) * bytes, rock->staging, count * bytes);
        for (size_t n = 0; n < count && status == SILT_OK; n++)
            memcpy(ground->volume->table[ground->brick[slot + n]], staging + n * voxels, bytes);
    }
    if (status == SILT_OK)
        status = silt_buffer_read(rock->flags, 0, ground->volume->flags, total);
    if (status == SILT_OK)
        status = silt_buffer_read(rock->activity, 0, ground->activity, total * sizeof(float));
    rock->is_known = status == SILT_OK;
    return status;
}
