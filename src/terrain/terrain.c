// Named layers of one size.
#include "terrain/terrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "core/text.h"

// The names every model shares, their units, and what they mean.
static const struct {
    const char *name, *unit, *about;
} known_layers[] = {
    {"height", "m", "the ground, or the top of rock with caves"},
    {"change", "m",
     "what models have added to the ground or taken since it was settled; files call it net_change"},
    {"net_change", "m", "how much higher the ground lies than before the run"},
    {"water", "m", "depth of water on the ground"},
    {"sediment", "m", "rock that the water carries, as a depth over its cell"},
    {"deposit", "m", "loose material that lies on the rock"},
    {"wear", "m", "how much was worn away in all"},
    {"deposition", "m", "how much was laid down in all"},
    {"flow", "m3/s", "water that runs through a cell, averaged over the run"},
    {"speed", "m/s", "how fast the water runs"},
    {"velocity_x", "m/s", "speed of the water towards the east"},
    {"velocity_y", "m/s", "speed of the water towards the south"},
    {"wetness", "s", "how long a cell has been under water"},
    {"rain", "mm/h", "rain, for models that read a map of it"},
    {"erodibility", "1", "what multiplies how easily rock is worn; 1 is as the parameters say"},
    {"hardness", "1", "how hard rock is; 1 over erodibility"},
    {"uplift", "m/year", "how fast the ground rises"},
    {"drainage", "m2", "land that water comes from: the catchment of a cell"},
    {"discharge", "m3/s", "what of the rain runs through a cell in a mean year"},
    {"slope", "1", "fall of the water's surface towards the cell it drains to, over the distance"},
    {"lake", "m", "depth of water in closed depressions, filled to their brim"},
    {"stream_order", "1", "Strahler's order of the stream; 0 where there is none"},
    {"basin", "1", "which outlet a cell drains to, numbered from 1"},
    {"flow_direction", "1",
     "where a cell drains to: 1 east, 2 south-east, 4 south, and on clockwise to 128 north-east; 0 where "
     "water leaves"},
    {"filled", "m", "the ground with closed depressions filled to their brim"},
    {"chi", "m", "the integral of (A0 / A)^theta along a stream from its mouth; 0 beside streams"},
    {"ksn", "m^(2*theta)",
     "steepness of a stream: the slope of height over chi, by segments; 0 beside streams"},
    {"paint", "m", "what a hand has painted"},
    {"mask", "1", "where something is to happen: 0 not at all, 1 wholly"},
    {"plate", "1", "which plate a cell belongs to"},
    {"collisions", "1", "how often plates have met there"},
    {"bed", "m", "how far the beds of rock are bent upwards"},
    {"intrusion", "m", "height up to which harder rock has come from below"},
    {"raised", "m", "how far plates have raised the ground"},
    {"ice", "m", "thickness of ice"},
    {"ice_speed", "m/year", "how fast ice slides"},
    {"protect", "1", "where the ground is kept as it is: 0 not at all, 1 wholly"},
    {"sources", "1", "where water springs: what multiplies the rain or the sources there"},
    {"total_wear", "m", "how much was worn away by all stages of a recipe"},
    {"total_deposition", "m", "how much was laid down by all stages of a recipe"},
};

const char *silt_layer_about(const char *name)
{
    for (size_t k = 0; k < sizeof known_layers / sizeof known_layers[0]; k++)
        if (strcmp(known_layers[k].name, name) == 0)
            return known_layers[k].about;
    return "";
}

const char *silt_layer_unit(const char *name)
{
    for (size_t k = 0; k < sizeof known_layers / sizeof known_layers[0]; k++)
        if (strcmp(known_layers[k].name, name) == 0)
            return known_layers[k].unit;
    return "";
}

const char *silt_layer_name_at(int index)
{
    int count = (int)(sizeof known_layers / sizeof known_layers[0]);
    return index < count ? known_layers[index].name : NULL;
}

SiltStatus silt_terrain_create(int width, int height, double cell, SiltTerrain **out)
{
    *out = NULL;
    if (!(cell > 0.0) || !isfinite(cell))
        return silt_fail(SILT_BAD_ARGUMENT, "a cell of %g m: its size must be above zero", cell);
    void *block;
    SiltStatus status = silt_alloc_for("a terrain", 1, sizeof(SiltTerrain), &block);
    if (status != SILT_OK)
        return status;
    SiltTerrain *terrain = block;
    terrain->width = width;
    terrain->height = height;
    terrain->cell = cell;
    terrain->nodata_value = NAN;
    SiltField *field;
    status = silt_terrain_require(terrain, "height", &field);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    *out = terrain;
    return SILT_OK;
}

void silt_terrain_destroy(SiltTerrain *terrain)
{
    if (!terrain)
        return;
    for (int k = 0; k < terrain->layer_count; k++) {
        silt_field_destroy(&terrain->layers[k]->field);
        silt_free(terrain->layers[k]);
    }
    silt_georeference_clear(&terrain->geo);
    silt_free(terrain->nodata);
    if (terrain->volume)
        terrain->destroy_volume(terrain->volume);
    silt_free(terrain);
}

static int find_layer(const SiltTerrain *terrain, const char *name)
{
    for (int k = 0; k < terrain->layer_count; k++)
        if (strcmp(terrain->layers[k]->name, name) == 0)
            return k;
    return -1;
}

SiltField *silt_terrain_layer(const SiltTerrain *terrain, const char *name)
{
    int index = find_layer(terrain, name);
    return index < 0 ? NULL : &terrain->layers[index]->field;
}

SiltStatus silt_terrain_find_layer(const SiltTerrain *terrain, const char *name, const char *param,
                                   const char *optional, const char *owner, const SiltField **out)
{
    *out = name[0] ? silt_terrain_layer(terrain, name) : NULL;
    return *out || !name[0] || (optional && strcmp(name, optional) == 0)
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: the terrain has no layer '%s' for %s", owner, name, param);
}

bool silt_layer_name_is_good(const char *name)
{
    char shown[SILT_NAME_SIZE];
    if (strlen(name) >= sizeof shown || name[0] == '\0' || name[0] == '.' || strpbrk(name, "/\\"))
        return false;
    strcpy(shown, name);
    silt_text_disarm(shown, false); // who lists a folder of maps has these names on a terminal
    return strcmp(shown, name) == 0;
}

SiltStatus silt_terrain_require(SiltTerrain *terrain, const char *name, SiltField **out)
{
    *out = silt_terrain_layer(terrain, name);
    if (*out)
        return SILT_OK;
    if (name[0] == '\0' || strlen(name) >= SILT_NAME_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "'%.60s' cannot be a layer's name: it takes 1 to %d bytes", name,
                         SILT_NAME_SIZE - 1);
    if (!silt_layer_name_is_good(name))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "'%.60s' cannot be a layer's name: maps are files of that name, so it has no slash "
                         "and no control character, and does not begin with a dot",
                         name);
    if (terrain->layer_count == SILT_MAX_LAYERS)
        return silt_fail(SILT_BAD_ARGUMENT, "layer '%s': a terrain holds at most %d layers", name,
                         SILT_MAX_LAYERS);
    void *block;
    SiltStatus status = silt_alloc_for("a layer", 1, sizeof(SiltLayer), &block);
    if (status != SILT_OK)
        return status;
    SiltLayer *layer = block;
    snprintf(layer->name, sizeof layer->name, "%s", name);
    snprintf(layer->unit, sizeof layer->unit, "%s", silt_layer_unit(name));
    status = silt_field_create(terrain->width, terrain->height, &layer->field);
    if (status != SILT_OK) {
        silt_free(layer);
        return status;
    }
    terrain->layers[terrain->layer_count++] = layer;
    *out = &layer->field;
    return SILT_OK;
}

void silt_terrain_drop(SiltTerrain *terrain, const char *name)
{
    int index = find_layer(terrain, name);
    if (index <= 0) // a terrain always has its height
        return;
    silt_field_destroy(&terrain->layers[index]->field);
    silt_free(terrain->layers[index]);
    terrain->layer_count--;
    for (int k = index; k < terrain->layer_count; k++)
        terrain->layers[k] = terrain->layers[k + 1];
}

SiltStatus silt_terrain_require_nodata(SiltTerrain *terrain)
{
    if (terrain->nodata)
        return SILT_OK;
    return silt_alloc_for("a mask", (size_t)terrain->width * (size_t)terrain->height, 1,
                          (void **)&terrain->nodata);
}

static void settle_rows(void *context, int begin, int end)
{
    SiltTerrain *terrain = context;
    SiltField *height = &terrain->layers[0]->field, *change = silt_terrain_layer(terrain, "change");
    for (int j = begin; j < end; j++) {
        float *h = silt_field_row(height, j);
        if (change) {
            const float *c = silt_field_row(change, j);
            for (int i = 0; i < terrain->width; i++)
                h[i] += c[i];
        }
        for (int i = 0; terrain->nodata && i < terrain->width; i++)
            if (silt_terrain_is_nodata(terrain, i, j))
                h[i] = 0.0f;
    }
}

void silt_terrain_settle(SiltTerrain *terrain)
{
    silt_parallel(terrain->height, 16, settle_rows, terrain);
    if (find_layer(terrain, "change") < 0)
        return;
    silt_terrain_drop(terrain, "net_change"); // of a model before
    strcpy(terrain->layers[find_layer(terrain, "change")]->name, "net_change");
}

SiltStatus silt_terrain_drown(SiltTerrain *terrain, double sea_level)
{
    SiltStatus status = silt_terrain_require_nodata(terrain);
    const SiltField *change = silt_terrain_layer(terrain, "change");
    for (int j = 0; j < terrain->height && status == SILT_OK; j++)
        for (int i = 0; i < terrain->width; i++) {
            float ground = silt_field_at(&terrain->layers[0]->field, i, j);
            ground += change ? silt_field_at(change, i, j) : 0.0f;
            if ((double)ground <= sea_level)
                terrain->nodata[(size_t)j * (size_t)terrain->width + (size_t)i] = 1;
        }
    return status;
}

void silt_georeference_clear(SiltGeoreference *geo)
{
    silt_free(geo->keys);
    silt_free(geo->doubles);
    silt_free(geo->ascii);
    *geo = (SiltGeoreference){0};
}

static SiltStatus copy_block(const void *from, size_t bytes, void **to)
{
    *to = NULL;
    if (!from)
        return SILT_OK;
    SiltStatus status = silt_alloc_for("a georeference", bytes, 1, to);
    if (status == SILT_OK)
        memcpy(*to, from, bytes);
    return status;
}

SiltStatus silt_georeference_copy(const SiltGeoreference *from, SiltGeoreference *to)
{
    *to = *from;
    to->keys = NULL;
    to->doubles = NULL;
    to->ascii = NULL;
    SiltStatus status =
        copy_block(from->keys, (size_t)from->key_count * sizeof *from->keys, (void **)&to->keys);
    if (status == SILT_OK)
        status = copy_block(from->doubles, (size_t)from->double_count * sizeof *from->doubles,
                            (void **)&to->doubles);
    if (status == SILT_OK)
        status = copy_block(from->ascii, from->ascii ? strlen(from->ascii) + 1 : 0, (void **)&to->ascii);
    if (status != SILT_OK)
        silt_georeference_clear(to);
    return status;
}

SiltStatus silt_terrain_create_like(const SiltTerrain *terrain, int width, int height, SiltTerrain **out)
{
    SiltTerrain *made;
    SiltStatus status = silt_terrain_create(width, height, terrain->cell, &made);
    if (status != SILT_OK)
        return status;
    made->nodata_value = terrain->nodata_value;
    made->column = terrain->column;
    memcpy(made->holds, terrain->holds, sizeof made->holds);
    for (int k = 0; k < terrain->layer_count && status == SILT_OK; k++) {
        SiltField *field;
        status = silt_terrain_require(made, terrain->layers[k]->name, &field);
        if (status == SILT_OK)
            memcpy(made->layers[k]->unit, terrain->layers[k]->unit, sizeof made->layers[k]->unit);
    }
    if (status == SILT_OK)
        status = silt_georeference_copy(&terrain->geo, &made->geo);
    if (status == SILT_OK && terrain->nodata)
        status = silt_terrain_require_nodata(made);
    if (status != SILT_OK) {
        silt_terrain_destroy(made);
        return status;
    }
    *out = made;
    return SILT_OK;
}

SiltStatus silt_terrain_clone(const SiltTerrain *terrain, SiltTerrain **out)
{
    *out = NULL;
    SiltTerrain *copy;
    SiltStatus status = silt_terrain_create_like(terrain, terrain->width, terrain->height, &copy);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < terrain->layer_count; k++)
        silt_field_copy(&terrain->layers[k]->field, &copy->layers[k]->field);
    if (terrain->nodata)
        memcpy(copy->nodata, terrain->nodata, (size_t)terrain->width * (size_t)terrain->height);
    *out = copy;
    return SILT_OK;
}

SILT_CLONES
static int count_bad(const float *row, int width)
{
    int count = 0;
    for (int i = 0; i < width; i++)
        count += !(row[i] - row[i] == 0.0f);
    return count;
}

static double bad_rows(void *context, int begin, int end)
{
    const SiltField *field = context;
    int64_t count = 0;
    for (int j = begin; j < end; j++)
        count += count_bad(silt_field_row(field, j), field->width);
    return (double)count;
}

SiltStatus silt_terrain_check_finite(const SiltTerrain *terrain, const char *layer, const char *owner,
                                     const char *undone)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        SiltLayer *here = terrain->layers[k];
        if ((layer && strcmp(here->name, layer) != 0) ||
            silt_parallel_sum(here->field.height, bad_rows, &here->field) == 0.0)
            continue;
        SiltFieldStatistics statistics; // knows which of them have no data
        silt_field_statistics(&here->field, terrain->nodata, &statistics);
        if (statistics.bad_count > 0)
            return silt_fail(
                SILT_BAD_ARGUMENT, "%s: %llu cell%s of '%s' %s; %s", owner,
                (unsigned long long)statistics.bad_count, statistics.bad_count == 1 ? "" : "s", here->name,
                statistics.bad_count == 1 ? "is not a finite number" : "are not finite numbers", undone);
    }
    return SILT_OK;
}

static SiltStatus fail_of_reach(const SiltFieldStatistics *found, const char *owner)
{
    double reach = fabs(found->minimum) > fabs(found->maximum) ? found->minimum : found->maximum;
    if (!(fabs(reach) > SILT_MAX_HEIGHT)) // without any cell it is NaN
        return SILT_OK;
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: heights reach %g m; they may lie up to %g m above or below zero; does %g mark "
                     "cells without data? (nodata says so) are they no heights? (holds says what they are)",
                     owner, reach, SILT_MAX_HEIGHT, reach);
}

SiltStatus silt_terrain_check_heights(const SiltTerrain *terrain, const char *owner)
{
    const SiltField *height = silt_terrain_layer(terrain, "height");
    SiltFieldStatistics found;
    if (!height) // a terrain of another layer alone
        return SILT_OK;
    silt_field_statistics(height, terrain->nodata, &found);
    if (found.bad_count > 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the terrain has heights that are not finite, in %llu cells",
                         owner, (unsigned long long)found.bad_count);
    return fail_of_reach(&found, owner);
}

SILT_CLONES
static int count_beyond(const float *row, int width)
{
    int count = 0;
    for (int i = 0; i < width; i++)
        count += fabsf(row[i]) > (float)SILT_MAX_HEIGHT;
    return count;
}

static double beyond_rows(void *context, int begin, int end)
{
    const SiltField *field = context;
    int64_t count = 0;
    for (int j = begin; j < end; j++)
        count += count_beyond(silt_field_row(field, j), field->width);
    return (double)count;
}

SiltStatus silt_terrain_check_reach(const SiltTerrain *terrain, const char *owner)
{
    SiltField *height = &terrain->layers[0]->field;
    SiltFieldStatistics found; // knows which of them have no data
    if (silt_parallel_sum(height->height, beyond_rows, height) == 0.0)
        return SILT_OK;
    silt_field_statistics(height, terrain->nodata, &found);
    return fail_of_reach(&found, owner);
}

void silt_terrain_set_holds(SiltTerrain *terrain, const char *layer)
{
    bool is_land = strcmp(layer, "height") == 0;
    snprintf(terrain->holds, sizeof terrain->holds, "%s", is_land ? "" : layer);
    snprintf(terrain->layers[0]->unit, sizeof terrain->layers[0]->unit, "%s",
             silt_layer_unit(terrain->holds[0] ? layer : "height"));
}

const char *silt_terrain_layer_name(const SiltTerrain *terrain, const SiltLayer *layer)
{
    bool is_held = terrain->holds[0] && strcmp(layer->name, "height") == 0;
    return is_held ? terrain->holds : layer->name;
}
