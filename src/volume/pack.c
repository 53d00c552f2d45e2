// A volume into a block of memory and back: which bricks there are, what is in them, how hard the rock is,
// and what it was before.
#include "core/pack.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "volume/brick.h"

enum { EMPTY, SOLID, OWN, KINDS };
#define MOST 1e12f // products of three such numbers are numbers yet

static int kind_of(const SiltVolume *volume, size_t brick)
{
    return volume->table[brick] == volume->empty   ? EMPTY
           : volume->table[brick] == volume->solid ? SOLID
                                                   : OWN;
}

static void damaged(SiltPack *pack)
{
    if (pack->status == SILT_OK)
        pack->status = silt_fail(SILT_BAD_ARGUMENT, "volume: the saved state is damaged, or of another size");
}

static void pack_size(const SiltVolume *volume, SiltPack *pack)
{
    bool same = silt_pack_same(pack, (uint64_t)volume->side);
    for (int axis = 0; axis < 3; axis++)
        same = silt_pack_same(pack, (uint64_t)volume->size[axis]) && same;
    if (!same)
        damaged(pack);
}

// Rock that bricks to come will have.
static void pack_rock(SiltVolume *volume, SiltPack *pack)
{
    SiltRock *rock = &volume->rock;
    SILT_PACK(pack, rock->kind);
    SILT_PACK(pack, rock->low);
    SILT_PACK(pack, rock->high);
    SILT_PACK(pack, rock->size);
    SILT_PACK(pack, rock->dip);
    SILT_PACK(pack, volume->rock_seed);
    SiltField *map = &volume->rock_map;
    int size[2] = {map->data ? map->width : 0, map->data ? map->height : 0};
    SILT_PACK(pack, size);
    if (pack->reads && pack->status == SILT_OK && (size[0] != map->width || size[1] != map->height)) {
        bool none = size[0] == 0 && size[1] == 0;
        if (!none && (size[0] != volume->size[0] || size[1] != volume->size[1])) {
            damaged(pack);
            return;
        }
        silt_field_destroy(map);
        *map = (SiltField){0};
        if (size[0] > 0)
            pack->status = silt_field_create(size[0], size[1], map);
    }
    for (int j = 0; j < size[1] && pack->status == SILT_OK; j++)
        silt_pack(pack, silt_field_row(map, j), (size_t)size[0] * sizeof(float));
    size_t voxels = silt_brick_voxels(volume);
    for (size_t k = 0; pack->reads && pack->status == SILT_OK && k < voxels; k++)
        volume->solid[voxels + k] = volume->empty[voxels + k] = (float)rock->high;
}

// No surface is further from a voxel than the widest volume has voxels, and how hard rock is is a number:
// particles would be pushed to places that are none.
static bool is_sound(const SiltVolume *volume, const float *brick)
{
    size_t voxels = silt_brick_voxels(volume);
    bool good = true;
    for (size_t k = 0; k < voxels; k++)
        good = good && fabsf(brick[k]) <= (float)SILT_MAX_VOXELS && fabsf(brick[voxels + k]) <= MOST;
    return good;
}

// The same of rock that bricks to come will have, and of where the volume lies.
static bool is_sound_rock(const SiltVolume *volume)
{
    const SiltRock *rock = &volume->rock;
    const double *at = volume->origin;
    const double numbers[] = {rock->low,    rock->high, rock->size, rock->dip[0],
                              rock->dip[1], at[0],      at[1],      at[2]};
    bool good = true;
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        good = good && fabs(numbers[k]) <= (double)MOST;
    const SiltField *map = &volume->rock_map;
    for (int j = 0; j < map->height && map->data; j++)
        for (int i = 0; i < map->width; i++)
            good = good && fabsf(silt_field_row(map, j)[i]) <= MOST;
    return good;
}

// Makes those bricks that are wanted, and only then lets the others go: where memory is short, all that was
// there is there still.
static SiltStatus change_bricks(SiltVolume *volume, const uint8_t *kinds)
{
    size_t total = silt_brick_total(volume), count = 0;
    uint32_t *list;
    SiltStatus status = silt_alloc_for("volume", total, sizeof *list, (void **)&list);
    for (size_t brick = 0; status == SILT_OK && brick < total; brick++)
        if (kinds[brick] == OWN)
            list[count++] = (uint32_t)brick;
    if (status == SILT_OK)
        status = silt_volume_require_all(volume, list, count);
    for (size_t brick = 0; status == SILT_OK && brick < total; brick++)
        if (kinds[brick] != OWN)
            silt_volume_release(volume, brick, kinds[brick] == SOLID);
    silt_free(list);
    return status;
}

static void pack_bricks(SiltVolume *volume, SiltPack *pack)
{
    size_t total = silt_brick_total(volume);
    uint8_t *kinds;
    if (pack->status != SILT_OK)
        return;
    pack->status = silt_alloc_for("volume", total, 1, (void **)&kinds);
    for (size_t brick = 0; pack->status == SILT_OK && brick < total; brick++)
        kinds[brick] = (uint8_t)kind_of(volume, brick);
    silt_pack(pack, kinds, total);
    for (size_t brick = 0; pack->status == SILT_OK && brick < total; brick++)
        if (kinds[brick] >= KINDS)
            damaged(pack);
    if (pack->reads && pack->status == SILT_OK)
        pack->status = change_bricks(volume, kinds);
    for (size_t brick = 0; pack->status == SILT_OK && brick < total; brick++)
        if (kinds[brick] == OWN) {
            silt_pack(pack, volume->table[brick], 2 * silt_brick_voxels(volume) * sizeof(float));
            if (pack->reads && !is_sound(volume, volume->table[brick]))
                damaged(pack);
        }
    silt_pack(pack, volume->flags, total);
    // what a surface or a measurement was made of may have been another state
    for (size_t brick = 0; pack->reads && brick < total; brick++)
        volume->flags[brick] |= SILT_BRICK_CHANGED;
    silt_free(kinds);
}

void silt_volume_pack(SiltVolume *volume, SiltPack *pack)
{
    pack_size(volume, pack);
    SILT_PACK(pack, volume->origin);
    pack_rock(volume, pack);
    if (pack->reads && !is_sound_rock(volume))
        damaged(pack);
    pack_bricks(volume, pack);
    silt_former_pack(volume, pack);
}

SiltStatus silt_volume_clone(SiltVolume *volume, SiltVolume **out)
{
    *out = NULL;
    SiltVolume *copy = NULL;
    SiltPack pack = {0};
    silt_volume_pack(volume, &pack);
    pack.size = pack.at;
    pack.at = 0;
    SiltStatus status = pack.status;
    if (status == SILT_OK)
        status = silt_alloc_for("a volume", pack.size, 1, (void **)&pack.block);
    if (status == SILT_OK) {
        silt_volume_pack(volume, &pack);
        status = pack.status;
    }
    if (status == SILT_OK)
        status = silt_volume_create(volume->size, volume->side, volume->cell, &volume->rock,
                                    volume->rock_seed, &copy);
    if (status == SILT_OK) {
        pack.at = 0;
        pack.reads = true;
        silt_volume_pack(copy, &pack);
        status = pack.status;
    }
    silt_free(pack.block);
    if (status != SILT_OK) {
        silt_volume_destroy(copy);
        return status;
    }
    memcpy(copy->frame, volume->frame, sizeof copy->frame);
    memcpy(copy->crs, volume->crs, sizeof copy->crs);
    copy->is_placed = volume->is_placed;
    memcpy(copy->flags, volume->flags,
           (size_t)volume->bricks[0] * (size_t)volume->bricks[1] * (size_t)volume->bricks[2]);
    *out = copy;
    return SILT_OK;
}
