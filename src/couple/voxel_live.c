// `voxel` while a run goes on: single layers, parameters that change, and all of its state in one block.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "couple/device_voxel.h"
#include "erode/shallow.h"
#include "volume/brick.h"

static const char *const owner = silt_voxel_owner;

// ---- layers ----

// The change of the ground is that of the volume's top.
void silt_voxel_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const SiltVoxel *v = state;
    const SiltHeightfield *field = &v->fluid.field;
    const SiltVolume *volume = v->ground.volume;
    if (layer != SILT_SHALLOW_CHANGE) {
        silt_heightfield_show(field, v->fluid.sph, v->fluid.volume, layer, j, begin, end, out);
        return;
    }
    const SiltField *height = &field->terrain->layers[0]->field;
    for (int i = begin; i < end; i++) {
        double top = silt_volume_top(volume, i, field->height - 1 - j);
        float ground = (float)(volume->origin[2] + top - field->low);
        out[i] =
            isnan(top) ? 0.0f : (float)(field->low + (double)ground - (double)silt_field_at(height, i, j));
    }
}

// ---- parameters ----

SiltStatus silt_voxel_require_covers(SiltVoxel *v)
{
    size_t count = (size_t)v->fluid.sph->config.capacity;
    bool is_wanted = v->params->life > 0.0 && !v->is_covered;
    return is_wanted ? silt_alloc_for(owner, count, 1, (void **)&v->is_covered) : SILT_OK;
}

// A layer of erodibility that was changed by hand multiplies that of all rock from now on.
static SiltStatus lay_map(SiltVoxel *v, const SiltField *map)
{
    SiltVolume *volume = v->ground.volume;
    SiltField before = volume->rock_map, copy = {0};
    SiltRock rock = volume->rock;
    SiltStatus status = map ? silt_field_create(map->width, map->height, &copy) : SILT_OK;
    if (status != SILT_OK)
        return status;
    if (map)
        silt_field_copy(map, &copy);
    volume->rock_map = copy;
    status = silt_volume_lay_rock(volume, &rock, volume->rock_seed);
    if (status != SILT_OK)
        volume->rock_map = before;
    silt_field_destroy(status == SILT_OK ? &before : &copy);
    return status;
}

SiltStatus silt_voxel_refresh(void *state)
{
    SiltVoxel *v = state;
    SiltVoxelWater next = v->water;
    double *owed = NULL;
    const SiltField *map;
    SiltStatus status = silt_voxel_check_order(v->params);
    if (status == SILT_OK)
        status = silt_fluid_layer(owner, v->fluid.field.terrain, "erodibility", v->params->erodibility, &map);
    uint64_t seen = status == SILT_OK && map ? silt_field_hash(map) : 0;
    next.sources = silt_voxel_sources(v);
    if (status == SILT_OK && !silt_voxel_knows_sources(&next))
        status = silt_voxel_bring_rock(v); // where a new one lies is looked at
    if (status == SILT_OK)
        status = silt_voxel_require_covers(v);
    if (status == SILT_OK)
        status = silt_voxel_check_sources(owner, &next, &owed);
    if (status == SILT_OK && seen != v->map_seen)
        status = lay_map(v, map);
    if (status == SILT_OK && seen != v->map_seen)
        status = silt_voxel_send_soft(v);
    if (status == SILT_OK)
        status = silt_fluid_refresh(&v->fluid);
    if (status != SILT_OK) {
        silt_free(owed);
        return status;
    }
    v->map_seen = seen;
    silt_voxel_take_sources(&v->water, next.sources, owed);
    silt_voxel_set_sinking(v);
    v->fitted_rain = silt_voxel_fit_rain(v);
    v->fluid.drop_rate = v->fitted_rain > 0.0 ? v->fluid.drop_rate : 0.0;
    return SILT_OK;
}

// ---- state ----

static void damaged(SiltPack *pack, const char *what)
{
    if (pack->status == SILT_OK)
        pack->status = silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: %s", owner, what);
}

// Pieces that hung free at the beginning.
static void pack_standing(SiltStanding *standing, size_t total, SiltPack *pack)
{
    int64_t bricks = standing->piece ? (int64_t)total : 0;
    uint64_t count = standing->count;
    void *piece = standing->piece;
    silt_pack_owned(pack, &piece, sizeof *standing->piece, &bricks);
    standing->piece = piece;
    SILT_PACK(pack, count);
    SILT_PACK(pack, standing->rock);
    bool whole = bricks == 0 ? count == 0 : bricks == (int64_t)total && count <= total * 4096;
    for (int64_t n = 0; whole && n < bricks; n++)
        whole = standing->piece[n] <= count;
    if (!whole) {
        silt_standing_free(standing);
        damaged(pack, "pieces that hung free");
        return;
    }
    standing->count = (size_t)count;
}

// Columns without rock have lost their data on the way.
static void pack_nodata(SiltTerrain *terrain, SiltPack *pack)
{
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    bool there = terrain->nodata != NULL;
    silt_pack_flag(pack, &there);
    if (pack->status == SILT_OK && there && !terrain->nodata)
        pack->status = silt_terrain_require_nodata(terrain);
    if (pack->status == SILT_OK && there)
        silt_pack(pack, terrain->nodata, cells);
    else if (pack->reads && pack->status == SILT_OK && terrain->nodata)
        memset(terrain->nodata, 0, cells);
}

void silt_voxel_pack(void *state, SiltTerrain *terrain, SiltPack *pack)
{
    SiltVoxel *v = state;
    SiltVoxelGround *ground = &v->ground;
    size_t total = silt_brick_total(ground->volume);
    void *owed = v->water.owed;
    silt_pack_owned(pack, &owed, sizeof *v->water.owed, &v->water.source_count);
    v->water.owed = owed;
    SILT_PACK(pack, v->stream);
    SILT_PACK(pack, v->map_seen);
    silt_pack(pack, ground->activity, total * sizeof *ground->activity);
    silt_pack(pack, ground->worn, total * sizeof *ground->worn);
    silt_pack(pack, ground->stale, total * sizeof *ground->stale);
    silt_pack(pack, ground->moved, total * sizeof *ground->moved);
    pack_standing(&v->standing, total, pack);
    pack_nodata(terrain, pack);
    silt_volume_pack(ground->volume, pack);
}

SiltStatus silt_voxel_resume(void *state)
{
    SiltVoxel *v = state;
    const SiltList *sources = silt_voxel_sources(v);
    if (v->own_sources.count < 0 || v->own_sources.count > 1 || v->water.source_count != sources->count)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: its sources", owner);
    v->water.sources = sources;
    SiltStatus status = silt_fluid_check_owed(&v->fluid, v->water.owed, v->water.source_count);
    if (status == SILT_OK)
        status = silt_voxel_ground_list(owner, &v->ground);
    if (status == SILT_OK)
        status = silt_voxel_send_rock(v);
    return status == SILT_OK ? silt_fluid_resume(&v->fluid, &v->before) : status;
}
