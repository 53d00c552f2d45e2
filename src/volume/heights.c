// From heights to a volume and back (Weiss 2016, 3.1.5).
//
// h(i, j) - k is zero where the surface crosses a column, and between columns where the surface that joins
// their heights linearly does. Re-initialisation makes a distance of it and keeps those crossings. Columns
// without data are air: a wall stands half-way to them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "terrain/terrain.h"
#include "volume/brick.h"
#include "volume/rock_view.h"

static const SiltParam volume_items[] = {
    SILT_CHOICE(SiltVolumeOptions, brick, "8 16", "8", "voxels along a side of a brick"),
    SILT_INT(SiltVolumeOptions, layers, "voxels", 0, 0, SILT_MAX_VOXELS,
             "layers of the grid; 0: as many as the heights need"),
    SILT_REAL(SiltVolumeOptions, floor, "m", NAN, 0.0, 1e6, "rock below the lowest height; none: 8 voxels"),
    SILT_REAL(SiltVolumeOptions, headroom, "m", NAN, 0.0, 1e6, "air above the highest; none: 8 voxels"),
    SILT_CHOICE(SiltVolumeOptions, distance, "true paper", "true",
                "a true distance in a band, or the one between neighbouring columns of Weiss eq. 3.6"),
    SILT_BOOL(SiltVolumeOptions, open, 0, "leave the block's sides and floor out of meshes"),
    SILT_CHOICE(SiltVolumeOptions, part, "whole overhangs", "whole",
                "what of the surface a mesh holds: all of it, or only what heights cannot show"),
    SILT_REAL(SiltVolumeOptions, decimate, "1", 1.0, 1e-4, 1.0,
              "share of a mesh's triangles that stays; it stays closed"),
    SILT_LAYER(SiltVolumeOptions, erodibility, "", "layer whose values multiply the rock's erodibility"),
};
const SiltParamTable silt_volume_params = SILT_PARAM_TABLE(SiltVolumeOptions, volume_items);

typedef struct Columns {
    SiltVolume *volume;
    SiltField height; // voxels above the first layer, or NaN; row j counts north
    bool has_gaps;    // whether there are columns without data
    const uint32_t *list;
    bool by_paper;
} Columns;

static float height_at(const Columns *columns, int i, int j)
{
    int last_i = columns->height.width - 1, last_j = columns->height.height - 1;
    return silt_field_at(&columns->height,
                         i < 0        ? 0
                         : i > last_i ? last_i
                                      : i,
                         j < 0        ? 0
                         : j > last_j ? last_j
                                      : j);
}

// ---- Weiss eq. 3.6 ----

static double line_distance(double rise, double x, double z) // eq. 3.7, from a line through the origin
{
    return fabs(rise * x - z) / sqrt(rise * rise + 1.0);
}

static float paper_distance(const Columns *columns, int i, int j, int k)
{
    double here = (double)height_at(columns, i, j), up = k - here, distance = fabs(up);
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int n = 0; n < 4; n++) {
        double beside = (double)height_at(columns, i + step[n][0], j + step[n][1]);
        if (isnan(beside))
            continue;
        double to_column = sqrt(1.0 + (beside - k) * (beside - k));
        double to_line = line_distance(beside - here, 0.0, up);
        distance = to_column < distance ? to_column : distance;
        distance = to_line < distance ? to_line : distance;
    }
    double band = (double)columns->volume->band;
    distance = distance < band ? distance : band;
    return (float)(up < 0.0 ? distance : -distance);
}

// ---- columns without data ----

typedef struct Column {
    float height; // its own, or the highest of those around it; NaN when none of them has data
    bool has_data;
    bool is_rim; // it has data, and one of the four beside it has not
} Column;

static Column column_at(const Columns *columns, int i, int j)
{
    float here = height_at(columns, i, j), highest = NAN;
    if (!columns->has_gaps)
        return (Column){here, true, false};
    bool is_rim = false;
    for (int n = 0; n < 9; n++) {
        float beside = height_at(columns, i + n % 3 - 1, j + n / 3 - 1);
        is_rim = is_rim || (isnan(beside) && n % 2 == 1);
        highest = isnan(highest) || beside > highest ? beside : highest;
    }
    return isnan(here) ? (Column){highest, false, false} : (Column){here, true, is_rim};
}

// On both sides of the wall phi is as far from zero, so that it stands in the middle between two columns; the
// two voxels that the surface of a column passes between are shortened alike, so that it stays where it is.
static float wall_distance(const Columns *columns, Column column, int k)
{
    const float half = 0.5f;
    float up = (float)k - column.height;
    if (!column.has_data)
        return isnan(up) ? -columns->volume->band : up > half ? -up : -half;
    float top = floorf(column.height), part = column.height - top;
    float scale = part > half ? half / part : 1.0f;
    return (float)k > top + 1.0f ? -up : (float)k >= top ? -up * scale : half;
}

static float column_distance(const Columns *columns, Column column, int i, int j, int k)
{
    if (column.has_data && !column.is_rim)
        return columns->by_paper ? paper_distance(columns, i, j, k) : column.height - (float)k;
    float distance = wall_distance(columns, column, k), band = columns->volume->band;
    return distance < -band ? -band : distance;
}

// At the upper edge of a wall a distance cannot tell where the surface was: the voxel above it takes the phi
// that puts it back.
static void restore_tops(void *context, int begin, int end)
{
    const Columns *columns = context;
    const SiltVolume *volume = columns->volume;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < volume->size[0]; i++) {
            float height = height_at(columns, i, j);
            int k = isnan(height) ? -1 : (int)floorf(height);
            if (k < 0 || k + 1 >= volume->size[2])
                continue;
            float part = height - (float)k, below = silt_volume_at(volume, i, j, k),
                  above = silt_volume_at(volume, i, j, k + 1);
            size_t brick = silt_volume_brick(volume, i, j, k + 1);
            if (below > 0.0f && part > 0.0f && fabsf(below / (below - above) - part) > 1e-3f)
                volume->table[brick][silt_volume_offset(volume, i, j, k + 1)] = -below * (1.0f - part) / part;
        }
}

// ---- filling ----

static void fill_bricks(void *context, int begin, int end)
{
    const Columns *columns = context;
    const SiltVolume *volume = columns->volume;
    int side = volume->side;
    bool is_plain = !columns->has_gaps && !columns->by_paper;
    for (int n = begin; n < end; n++) {
        SiltBrickAt at = silt_brick_at(volume, columns->list[n]);
        float *phi = volume->table[columns->list[n]];
        Column below[SILT_MAX_BRICK * SILT_MAX_BRICK];
        for (int c = 0; c < side * side; c++)
            below[c] = column_at(columns, at.at[0] * side + c % side, at.at[1] * side + c / side);
        for (int k = at.at[2] * side; k < (at.at[2] + 1) * side; k++)
            for (int c = 0; c < side * side; c++)
                *phi++ = is_plain ? below[c].height - (float)k
                                  : column_distance(columns, below[c], at.at[0] * side + c % side,
                                                    at.at[1] * side + c / side, k);
    }
}

// The least and greatest height in the columns of a brick and `margin` around it, where walls reach down to
// the floor; false when none has data.
static bool height_range(const Columns *columns, int a, int b, int margin, float *low, float *high)
{
    int side = columns->volume->side;
    *low = INFINITY;
    *high = -INFINITY;
    bool has_walls = false;
    for (int j = b * side - margin; j < (b + 1) * side + margin; j++)
        for (int i = a * side - margin; i < (a + 1) * side + margin; i++) {
            float height = height_at(columns, i, j);
            has_walls = has_walls || isnan(height);
            *low = height < *low ? height : *low;
            *high = height > *high ? height : *high;
        }
    *low = has_walls && *low > 0.0f ? 0.0f : *low;
    return *high > -INFINITY;
}

typedef struct Ranges {
    const Columns *columns;
    int16_t
        *range; // of each column of bricks: the first and the last that the band may reach; 0 and -1: none
} Ranges;

static int clamp_brick(const SiltVolume *volume, double layer)
{
    double brick = floor(layer / volume->side);
    return brick < 0.0 ? 0 : brick >= volume->bricks[2] ? volume->bricks[2] - 1 : (int)brick;
}

static void find_ranges(void *context, int begin, int end)
{
    const Ranges *ranges = context;
    const SiltVolume *volume = ranges->columns->volume;
    int margin = (int)volume->band + 1;
    for (int column = begin; column < end; column++) {
        float low, high;
        bool has_rock = height_range(ranges->columns, column % volume->bricks[0], column / volume->bricks[0],
                                     margin, &low, &high);
        ranges->range[2 * column] = (int16_t)(has_rock ? clamp_brick(volume, (double)low - margin) : 0);
        ranges->range[2 * column + 1] = (int16_t)(has_rock ? clamp_brick(volume, (double)high + margin) : -1);
    }
}

static SiltStatus fill_volume(Columns *columns)
{
    SiltVolume *volume = columns->volume;
    int column_count = volume->bricks[0] * volume->bricks[1];
    Ranges ranges = {.columns = columns};
    uint32_t *list = NULL;
    SiltStatus status =
        silt_alloc_for("volume", (size_t)column_count, 2 * sizeof *ranges.range, (void **)&ranges.range);
    if (status != SILT_OK)
        return status;
    if (!silt_parallel_heard(column_count, 16, find_ranges, &ranges))
        status = SILT_CANCELLED;
    size_t count = 0;
    for (int column = 0; column < column_count && status == SILT_OK; column++)
        count += (size_t)(ranges.range[2 * column + 1] - ranges.range[2 * column] + 1);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", count, sizeof *list, (void **)&list);
    count = 0;
    for (int column = 0; column < column_count && status == SILT_OK; column++)
        for (int c = 0; c <= ranges.range[2 * column + 1]; c++) {
            size_t brick = (size_t)c * (size_t)column_count + (size_t)column;
            if (c < ranges.range[2 * column])
                volume->table[brick] = volume->solid;
            else
                list[count++] = (uint32_t)brick;
        }
    if (status == SILT_OK)
        status = silt_volume_require_all(volume, list, count);
    if (status == SILT_OK && silt_is_stopped())
        status = SILT_CANCELLED;
    if (status == SILT_OK) {
        columns->list = list;
        status = silt_parallel_heard((int)count, 16, fill_bricks, columns) ? SILT_OK : SILT_CANCELLED;
        if (status == SILT_OK && !columns->by_paper)
            status = silt_volume_redistance(volume, SILT_REDISTANCE_ALL);
        if (status == SILT_OK && columns->has_gaps)
            silt_parallel(volume->size[1], 8, restore_tops, columns);
    }
    silt_free(list);
    silt_free(ranges.range);
    return status;
}

// ---- from a terrain ----

static void find_origin(const SiltTerrain *terrain, double low, SiltVolume *volume)
{
    const SiltGeoreference *geo = &terrain->geo;
    double tolerance = 1e-3 * terrain->cell;
    volume->origin[2] = low;
    if (!geo->placed || fabs(geo->step_x - terrain->cell) > tolerance ||
        fabs(geo->step_y + terrain->cell) > tolerance)
        return;
    volume->origin[0] = geo->x + 0.5 * geo->step_x;
    volume->origin[1] = geo->y + (terrain->height - 0.5) * geo->step_y;
    memcpy(volume->frame, volume->origin, 2 * sizeof *volume->frame);
    volume->is_placed = true;
    memcpy(volume->crs, geo->crs, sizeof volume->crs);
}

static void find_place(const SiltVolume *volume, SiltGeoreference *geo)
{
    if (!volume->is_placed && volume->origin[0] == 0.0 && volume->origin[1] == 0.0)
        return;
    geo->placed = true;
    geo->x = volume->origin[0] - 0.5 * volume->cell;
    geo->y = volume->origin[1] + (volume->size[1] - 0.5) * volume->cell;
    geo->step_x = volume->cell;
    geo->step_y = -volume->cell;
    memcpy(geo->crs, volume->crs, sizeof geo->crs);
}

static SiltStatus copy_map(const SiltTerrain *terrain, const char *name, SiltVolume *volume)
{
    const SiltField *layer;
    SiltStatus found = silt_terrain_find_layer(terrain, name, "erodibility", NULL, "volume", &layer);
    if (found != SILT_OK || !layer)
        return found;
    for (int j = 0; j < layer->height; j++)
        for (int i = 0; i < layer->width; i++)
            if (silt_field_at(layer, i, j) < 0.0f)
                return silt_fail(
                    SILT_BAD_ARGUMENT,
                    "volume: erodibility '%s' lies below zero in column %d, row %d; take a layer "
                    "of factors from 0 up",
                    name, i, j);
    SiltStatus status = silt_field_create(layer->width, layer->height, &volume->rock_map);
    if (status == SILT_OK)
        silt_field_copy(layer, &volume->rock_map);
    return status;
}

// Heights in cells above `low`; NaN where there is no data.
static SiltStatus copy_heights(const SiltTerrain *terrain, double low, SiltField *out)
{
    const SiltField *height = silt_terrain_layer(terrain, "height"),
                    *change = silt_terrain_layer(terrain, "change");
    SiltStatus status = silt_field_create(terrain->width, terrain->height, out);
    if (status != SILT_OK)
        return status;
    for (int j = 0; j < terrain->height; j++) {
        float *row = silt_field_row(out, terrain->height - 1 - j);
        for (int i = 0; i < terrain->width; i++) {
            double ground =
                (double)silt_field_at(height, i, j) + (change ? (double)silt_field_at(change, i, j) : 0.0);
            row[i] = silt_terrain_is_nodata(terrain, i, j) ? NAN : (float)((ground - low) / terrain->cell);
        }
    }
    return SILT_OK;
}

static SiltStatus choose_layers(const SiltTerrain *terrain, const SiltVolumeOptions *options, double low,
                                const SiltFieldStatistics *heights, int *out)
{
    double headroom = isnan(options->headroom) ? 8.0 : options->headroom / terrain->cell;
    double top = (heights->maximum - low) / terrain->cell, needed = ceil(top + headroom) + 1.0;
    needed = needed < 2.0 ? 2.0 : needed;
    if (options->layers > 0 && top > options->layers - 1)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "volume: the heights need %.0f layers of %g m above their floor, and the grid has %d; take "
            "more layers, or larger cells",
            ceil(top) + 1.0, terrain->cell, options->layers);
    if (options->layers == 0 && needed > SILT_MAX_VOXELS)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "volume: the heights span %.0f voxels of %g m, and a grid has %d at the most; take larger "
            "cells",
            needed, terrain->cell, SILT_MAX_VOXELS);
    *out = options->layers > 0 ? options->layers : (int)needed;
    return SILT_OK;
}

SiltStatus silt_volume_from_terrain(const SiltTerrain *terrain, const SiltVolumeOptions *options,
                                    const SiltRock *rock, uint64_t seed, SiltVolume **out)
{
    *out = NULL;
    SiltVolumeOptions defaults;
    SiltStatus status = silt_params_init(&silt_volume_params, &defaults);
    if (status == SILT_OK && options)
        status = silt_params_check(&silt_volume_params, options, "volume");
    if (status == SILT_OK)
        status = silt_terrain_check_heights(terrain, "volume");
    if (status != SILT_OK)
        return status;
    options = options ? options : &defaults;
    Columns columns = {.by_paper = options->distance == SILT_DISTANCE_PAPER,
                       .has_gaps = terrain->nodata != NULL};
    int size[3] = {terrain->width, terrain->height, 0};
    SiltFieldStatistics heights;
    SiltField ground = {0};
    status = copy_heights(terrain, 0.0, &ground);
    if (status != SILT_OK)
        return status;
    silt_field_statistics(&ground, NULL, &heights); // in voxels; what is NaN has no data
    silt_field_destroy(&ground);
    heights.minimum *= terrain->cell;
    heights.maximum *= terrain->cell;
    if (heights.cell_count == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "volume: the terrain has no cell with data");
    double low = heights.minimum - (isnan(options->floor) ? 8.0 * terrain->cell : options->floor);
    status = choose_layers(terrain, options, low, &heights, &size[2]);
    if (status == SILT_OK)
        status = silt_volume_create(size, options->brick == 0 ? 8 : 16, terrain->cell, rock, seed,
                                    &columns.volume);
    if (status == SILT_OK)
        status = copy_map(terrain, options->erodibility, columns.volume);
    if (status == SILT_OK)
        status = copy_heights(terrain, low, &columns.height);
    if (status == SILT_OK)
        status = fill_volume(&columns);
    silt_field_destroy(&columns.height);
    if (status != SILT_OK) {
        silt_volume_destroy(columns.volume);
        return status;
    }
    find_origin(terrain, low, columns.volume);
    *out = columns.volume;
    return SILT_OK;
}

// ---- back to heights ----

double silt_volume_top(const SiltVolume *volume, int i, int j)
{
    return silt_view_top(volume, i, j) * volume->cell;
}

typedef struct Tops {
    const SiltVolume *volume;
    SiltTerrain *terrain;
} Tops;

static void fill_tops(void *context, int begin, int end)
{
    const Tops *tops = context;
    const SiltVolume *volume = tops->volume;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(&tops->terrain->layers[0]->field, j);
        for (int i = 0; i < volume->size[0]; i++) {
            double top = silt_view_top(volume, i, volume->size[1] - 1 - j);
            row[i] = isnan(top) ? 0.0f : (float)(volume->origin[2] + top * volume->cell);
            tops->terrain->nodata[(size_t)j * (size_t)volume->size[0] + (size_t)i] =
                (uint8_t)(isnan(top) ? 1 : 0);
        }
    }
}

SiltStatus silt_volume_to_terrain(const SiltVolume *volume, SiltTerrain **out)
{
    *out = NULL;
    Tops tops = {.volume = volume};
    SiltStatus status = silt_terrain_create(volume->size[0], volume->size[1], volume->cell, &tops.terrain);
    if (status == SILT_OK)
        status = silt_terrain_require_nodata(tops.terrain);
    if (status != SILT_OK) {
        silt_terrain_destroy(tops.terrain);
        return status;
    }
    silt_parallel(volume->size[1], 8, fill_tops, &tops);
    size_t count = (size_t)volume->size[0] * (size_t)volume->size[1], missing = 0;
    for (size_t n = 0; n < count; n++)
        missing += tops.terrain->nodata[n];
    if (missing == 0) {
        silt_free(tops.terrain->nodata);
        tops.terrain->nodata = NULL;
    }
    if (missing == count) {
        silt_terrain_destroy(tops.terrain);
        return silt_fail(SILT_BAD_ARGUMENT, "volume: there is no rock in it, so it has no heights");
    }
    find_place(volume, &tops.terrain->geo);
    *out = tops.terrain;
    return SILT_OK;
}
