// What every raster reader and writer needs: sizes that can be, metres for plain numbers, cells without data.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/format.h"

SiltStatus silt_raster_create(const char *path, int64_t width, int64_t height, double cell, SiltTerrain **out)
{
    *out = NULL;
    if (width < 1 || height < 1)
        return silt_fail(SILT_BAD_FILE, "%s: the file claims %lld x %lld cells; a terrain has at least one",
                         path, (long long)width, (long long)height);
    if (width > SILT_MAX_SIDE || height > SILT_MAX_SIDE)
        return silt_fail(SILT_BAD_FILE, "%s: the file claims %lld x %lld cells; a side has at most %d", path,
                         (long long)width, (long long)height, SILT_MAX_SIDE);
    uint64_t bytes = silt_field_bytes((int)width, (int)height);
    uint64_t available = silt_memory_available();
    if (bytes > available)
        return silt_fail(SILT_NO_MEMORY, "%s: %lld x %lld cells need %.1f GiB, and %.1f GiB are free", path,
                         (long long)width, (long long)height, (double)bytes / 1073741824.0,
                         (double)available / 1073741824.0);
    SiltStatus status = silt_terrain_create((int)width, (int)height, cell, out);
    if (status == SILT_NO_MEMORY)
        return silt_fail(status, "%s: not enough memory for %lld x %lld cells", path, (long long)width,
                         (long long)height);
    return status;
}

SiltStatus silt_raster_check_length(const char *path, double raw_bytes, double ratio, int64_t file_bytes)
{
    if (raw_bytes <= ratio * (double)file_bytes)
        return SILT_OK;
    return silt_fail(SILT_BAD_FILE,
                     "%s: %lld bytes are far too few for the cells it claims (%.0f bytes of samples); it is "
                     "cut off or damaged",
                     path, (long long)file_bytes, raw_bytes);
}

// Whether any cell of a row is NaN, infinite or one of two values: branchless, so that it runs at memory
// speed.
static bool lacks_data(const float *row, int width, float first, float second)
{
    int found = 0;
    for (int i = 0; i < width; i++)
        found |= !(row[i] - row[i] == 0.0f) | (row[i] == first) | (row[i] == second);
    return found;
}

// Zeroes such cells, and marks them in `mask` if there is one.
static size_t clear_row(float *row, int width, float first, float second, uint8_t *mask)
{
    size_t count = 0;
    for (int i = 0; i < width; i++) {
        if (isfinite(row[i]) && row[i] != first && row[i] != second)
            continue;
        row[i] = 0.0f;
        if (mask)
            mask[i] = 1;
        count++;
    }
    return count;
}

SiltStatus silt_raster_finish(const char *path, const SiltReadOptions *options, SiltTerrain *terrain)
{
    float first = (float)terrain->nodata_value, second = (float)options->nodata;
    size_t missing = 0, width = (size_t)terrain->width;
    for (int j = 0; j < terrain->height; j++) {
        float *row = silt_field_row(&terrain->layers[0]->field, j);
        if (!lacks_data(row, terrain->width, first, second))
            continue;
        SiltStatus status = silt_terrain_require_nodata(terrain);
        if (status != SILT_OK)
            return status;
        missing += clear_row(row, terrain->width, first, second, terrain->nodata + (size_t)j * width);
    }
    for (int k = 1; k < terrain->layer_count; k++) // other layers just lack a value there
        for (int j = 0; j < terrain->height; j++)
            clear_row(silt_field_row(&terrain->layers[k]->field, j), terrain->width, NAN, NAN, NULL);
    if (missing == width * (size_t)terrain->height)
        return silt_fail(SILT_BAD_FILE, "%s: no cell has a height: all are nodata or not numbers", path);
    return SILT_OK;
}

SiltHeightRange silt_raster_range(const char *path, const SiltReadOptions *options, bool has_recorded,
                                  SiltHeightRange recorded)
{
    if (isfinite(options->heights[0]) && isfinite(options->heights[1]))
        return (SiltHeightRange){options->heights[0], options->heights[1]};
    if (has_recorded && isfinite(recorded.low) && isfinite(recorded.high))
        return recorded;
    silt_warn("%s: no metres are recorded in it; taking 0 to 1000 m (say --heights MIN:MAX)", path);
    return (SiltHeightRange){0.0, 1000.0};
}

double silt_raster_cell(const char *path, const SiltReadOptions *options, double recorded)
{
    if (options->cell > 0.0)
        return options->cell;
    if (recorded > 0.0 && isfinite(recorded))
        return recorded;
    silt_warn("%s: no cell size is recorded in it; taking 1 m (say --cell M)", path);
    return 1.0;
}

SiltStatus silt_raster_layer(const SiltTerrain *terrain, const SiltWriteOptions *options,
                             const SiltLayer **out)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        if (strcmp(terrain->layers[k]->name, options->layer) == 0) {
            *out = terrain->layers[k];
            return SILT_OK;
        }
    }
    char names[512] = "";
    size_t length = 0;
    for (int k = 0; k < terrain->layer_count && length < sizeof names; k++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k ? " " : "",
                                   terrain->layers[k]->name);
    return silt_fail(SILT_BAD_ARGUMENT, "there is no layer '%s'; there is: %s", options->layer, names);
}

SiltHeightRange silt_raster_write_range(const SiltTerrain *terrain, const SiltLayer *layer,
                                        const SiltWriteOptions *options)
{
    SiltHeightRange range = {options->heights[0], options->heights[1]};
    if (!isfinite(range.low) || !isfinite(range.high)) {
        SiltFieldStatistics statistics;
        silt_field_statistics(&layer->field, terrain->nodata, &statistics);
        range = (SiltHeightRange){statistics.minimum, statistics.maximum};
    }
    if (!(range.low < range.high)) { // flat, or empty: any span will do
        range.low = isfinite(range.low) ? range.low : 0.0;
        range.high = range.low + 1.0;
    }
    return range;
}

unsigned silt_raster_quantise(double value, SiltHeightRange range, unsigned largest)
{
    double level = floor((value - range.low) / (range.high - range.low) * largest + 0.5);
    return level >= largest ? largest : level > 0.0 ? (unsigned)level : 0u;
}

float silt_raster_write_nodata(const SiltTerrain *terrain)
{
    float value = (float)terrain->nodata_value;
    return isfinite(value) ? value : terrain->nodata ? -9999.0f : NAN;
}

void silt_raster_float_row(const SiltTerrain *terrain, const SiltLayer *layer, int i, int j, int count,
                           float nodata, float *out)
{
    memcpy(out, silt_field_row(&layer->field, j) + i, (size_t)count * sizeof *out);
    if (isnan(nodata))
        return;
    float beside = nextafterf(nodata, INFINITY);
    for (int k = 0; k < count; k++)
        out[k] = out[k] == nodata ? beside : out[k];
    for (int k = 0; terrain->nodata && k < count; k++)
        if (silt_terrain_is_nodata(terrain, i + k, j))
            out[k] = nodata;
}
