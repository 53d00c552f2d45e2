#include "volume/keep.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "terrain/terrain.h"
#include "volume/brick.h"
#include "volume/volume.h"

static void damaged(SiltPack *pack, const char *what)
{
    if (pack->status == SILT_OK)
        pack->status = silt_fail(SILT_BAD_FILE, "the terrain that was kept is damaged: %s", what);
}

// Whether so many bytes can follow; what only measures or writes has room for all.
static bool has_room(const SiltPack *pack, double bytes)
{
    return !pack->reads || bytes <= (double)(pack->size - pack->at);
}

static void make_terrain(SiltTerrain **terrain, SiltPack *pack, int width, int height, double cell)
{
    if (width < 1 || height < 1 || width > SILT_MAX_SIDE || height > SILT_MAX_SIDE || !(cell > 0.0) ||
        !isfinite(cell) || !has_room(pack, 4.0 * width * height))
        damaged(pack, "its size");
    else
        pack->status = silt_terrain_create(width, height, cell, terrain);
}

static void pack_layers(SiltTerrain *terrain, SiltPack *pack)
{
    int count = terrain->layer_count;
    SILT_PACK(pack, count);
    if (count < 1 || count > SILT_MAX_LAYERS)
        damaged(pack, "how many layers it has");
    for (int k = 0; k < count && pack->status == SILT_OK; k++) {
        char name[SILT_NAME_SIZE] = "";
        if (!pack->reads)
            strcpy(name, terrain->layers[k]->name);
        silt_pack(pack, name, sizeof name);
        name[sizeof name - 1] = '\0';
        SiltField *field = NULL;
        if (pack->status == SILT_OK && pack->reads &&
            (!silt_layer_name_is_good(name) || (k == 0) != (strcmp(name, "height") == 0) ||
             !has_room(pack, 4.0 * terrain->width * terrain->height)))
            damaged(pack, "a layer");
        if (pack->status == SILT_OK)
            pack->status = silt_terrain_require(terrain, name, &field);
        for (int j = 0; j < terrain->height && pack->status == SILT_OK; j++)
            silt_pack(pack, silt_field_row(field, j), (size_t)terrain->width * sizeof(float));
    }
}

static void pack_mask(SiltTerrain *terrain, SiltPack *pack)
{
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    uint8_t there = terrain->nodata != NULL;
    SILT_PACK(pack, terrain->nodata_value);
    SILT_PACK(pack, there);
    if (pack->status == SILT_OK && there && pack->reads)
        pack->status =
            has_room(pack, (double)cells) ? silt_terrain_require_nodata(terrain) : SILT_BAD_ARGUMENT;
    if (pack->status == SILT_OK && there)
        silt_pack(pack, terrain->nodata, cells);
}

static void pack_owned_ints(SiltPack *pack, void **elements, size_t size, int *count)
{
    int64_t there = *count;
    silt_pack_owned(pack, elements, size, &there);
    *count = pack->status == SILT_OK ? (int)there : 0;
}

static void pack_place(SiltGeoreference *geo, SiltPack *pack)
{
    uint8_t placed = geo->placed;
    int letters = geo->ascii ? (int)strlen(geo->ascii) + 1 : 0;
    SILT_PACK(pack, placed);
    geo->placed = placed != 0;
    SILT_PACK(pack, geo->x);
    SILT_PACK(pack, geo->y);
    SILT_PACK(pack, geo->step_x);
    SILT_PACK(pack, geo->step_y);
    SILT_PACK(pack, geo->crs);
    geo->crs[sizeof geo->crs - 1] = '\0';
    void *keys = geo->keys, *doubles = geo->doubles, *ascii = geo->ascii;
    pack_owned_ints(pack, &keys, sizeof *geo->keys, &geo->key_count);
    pack_owned_ints(pack, &doubles, sizeof *geo->doubles, &geo->double_count);
    pack_owned_ints(pack, &ascii, 1, &letters);
    geo->keys = keys;
    geo->doubles = doubles;
    geo->ascii = ascii;
    if (pack->reads && letters > 0)
        geo->ascii[letters - 1] = '\0';
}

typedef struct Shape {
    int size[3], side;
    double cell;
} Shape;

static void make_volume(SiltTerrain *terrain, SiltPack *pack, const Shape *shape)
{
    double bricks = 1.0;
    bool good = shape->side == 8 || shape->side == 16;
    for (int axis = 0; axis < 3 && good; axis++) {
        good = shape->size[axis] > 0 && shape->size[axis] <= SILT_MAX_VOXELS;
        bricks *= ceil((double)shape->size[axis] / shape->side);
    }
    if (!good || !has_room(pack, bricks)) {
        damaged(pack, "the size of its rock");
        return;
    }
    SiltRock rock = {.kind = SILT_ROCK_UNIFORM, .low = 1.0, .high = 1.0, .size = 1.0}; // until it is read
    SiltVolume *volume;
    pack->status = silt_volume_create(shape->size, shape->side, shape->cell, &rock, 0, &volume);
    if (pack->status == SILT_OK)
        silt_terrain_give_volume(terrain, volume);
}

static void pack_volume(SiltTerrain *terrain, SiltPack *pack)
{
    uint8_t there = terrain->volume != NULL;
    SILT_PACK(pack, there);
    if (!there || pack->status != SILT_OK)
        return;
    Shape shape = {0};
    if (!pack->reads) {
        memcpy(shape.size, terrain->volume->size, sizeof shape.size);
        shape.side = terrain->volume->side;
        shape.cell = terrain->volume->cell;
    }
    SILT_PACK(pack, shape);
    if (pack->reads && pack->status == SILT_OK)
        make_volume(terrain, pack, &shape);
    if (pack->status != SILT_OK)
        return;
    SiltVolume *volume = terrain->volume;
    uint8_t placed = volume->is_placed;
    silt_volume_pack(volume, pack);
    SILT_PACK(pack, volume->frame);
    SILT_PACK(pack, volume->crs);
    volume->crs[sizeof volume->crs - 1] = '\0';
    SILT_PACK(pack, placed);
    volume->is_placed = placed != 0;
}

void silt_terrain_pack(SiltTerrain **terrain, SiltPack *pack)
{
    int width = 0, height = 0;
    double cell = 0.0;
    if (pack->reads) {
        *terrain = NULL;
    } else {
        width = (*terrain)->width;
        height = (*terrain)->height;
        cell = (*terrain)->cell;
    }
    SILT_PACK(pack, width);
    SILT_PACK(pack, height);
    SILT_PACK(pack, cell);
    if (pack->reads && pack->status == SILT_OK)
        make_terrain(terrain, pack, width, height, cell);
    if (pack->status != SILT_OK)
        return;
    pack_layers(*terrain, pack);
    pack_mask(*terrain, pack);
    SILT_PACK(pack, (*terrain)->column);
    if ((*terrain)->column.count < 0 || (*terrain)->column.count > SILT_MAX_BEDS)
        damaged(pack, "its beds");
    pack_place(&(*terrain)->geo, pack);
    pack_volume(*terrain, pack);
}
