// Strokes on a terrain that no run holds: its layers, and the rock of one that carries a volume.
#include "erode/stroke.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "couple/voxel_model.h"
#include "silt/volume.h"

static void add_values(SiltField *field, const SiltRect *rect, const float *values, bool replace,
                       bool is_water)
{
    for (int row = 0; row < rect->height; row++) {
        float *to = silt_field_row(field, rect->j + row) + rect->i;
        const float *from = values + (size_t)row * (size_t)rect->width;
        for (int i = 0; i < rect->width; i++) {
            float value = replace ? from[i] : to[i] + from[i];
            to[i] = is_water && value < 0.0f ? 0.0f : value;
        }
    }
}

// Heights and cells without data follow the rock.
static SiltStatus read_tops(SiltTerrain *terrain)
{
    SiltTerrain *tops;
    SiltStatus status = silt_volume_to_terrain(terrain->volume, &tops);
    if (status == SILT_OK && tops->nodata && !terrain->nodata)
        status = silt_terrain_require_nodata(terrain);
    if (status == SILT_OK) {
        silt_field_copy(silt_terrain_layer(tops, "height"), silt_terrain_layer(terrain, "height"));
        size_t cells = (size_t)terrain->width * (size_t)terrain->height;
        if (terrain->nodata && tops->nodata)
            memcpy(terrain->nodata, tops->nodata, cells);
        else if (terrain->nodata)
            memset(terrain->nodata, 0, cells);
        silt_terrain_destroy(tops);
    }
    return status;
}

static SiltStatus stroke_rock(const SiltStroke *stroke, SiltTerrain *terrain)
{
    SiltRockEdit edit = silt_stroke_rock(stroke);
    if (!silt_terrain_volume(terrain))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a stroke: the terrain has heights and no volume of rock to add to or carve");
    if (!(edit.radius > 0.0))
        return SILT_OK;
    SiltStatus status = silt_rock_edit(terrain->volume, &edit);
    if (status == SILT_OK)
        status = silt_volume_redistance(terrain->volume, SILT_REDISTANCE_TOUCHED);
    return status == SILT_OK ? read_tops(terrain) : status;
}

SiltStatus silt_stroke_terrain(const SiltStroke *stroke, SiltTerrain *terrain)
{
    SiltStatus status = silt_stroke_check(stroke, "a stroke");
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(terrain);
    if (silt_stroke_is_solid(stroke))
        return stroke_rock(stroke, terrain);
    SiltRect rect;
    const char *layer = silt_stroke_layer(stroke);
    bool made = !silt_terrain_layer(terrain, layer);
    if (!silt_stroke_rect(stroke, terrain, &rect))
        return SILT_OK;
    SiltField *field, *height = silt_terrain_layer(terrain, "height");
    float *values;
    status =
        silt_alloc_for("a stroke", (size_t)rect.width * (size_t)rect.height, sizeof(float), (void **)&values);
    if (status != SILT_OK)
        return status;
    status = silt_terrain_require(terrain, layer, &field);
    if (status == SILT_OK) {
        if (made && silt_stroke_replaces(stroke))
            silt_field_fill(field, 1.0f); // a factor
        SiltStrokeSight sight = {.rect = silt_stroke_around(&rect, terrain), .stride = field->stride};
        SiltRect end = silt_stroke_end(stroke, terrain);
        sight.data = silt_field_row(field, sight.rect.j) + sight.rect.i;
        sight.end = silt_field_at(height, end.i, end.j);
        silt_stroke_paint(stroke, terrain, &rect, &sight, values);
        add_values(field, &rect, values, silt_stroke_replaces(stroke), strcmp(layer, "water") == 0);
    }
    silt_free(values);
    return status;
}
