// What every raster reader and writer needs: sizes that can be, metres for plain numbers, cells without data.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
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
    char wanted[SILT_NUMBER_SIZE], left[SILT_NUMBER_SIZE];
    if (bytes > available)
        return silt_fail(SILT_NO_MEMORY, "%s: %lld x %lld cells need %s of memory, and %s is free", path,
                         (long long)width, (long long)height, silt_format_bytes((double)bytes, wanted),
                         silt_format_bytes((double)available, left));
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

typedef struct MissingJob {
    const SiltField *field;
    float marks[2]; // values that mean "no data"; NaN when there is none
} MissingJob;

SILT_CLONES
static int64_t count_missing(const float *row, int width, float first, float second)
{
    int count = 0;
    for (int i = 0; i < width; i++)
        count += (!(row[i] - row[i] == 0.0f)) | (row[i] == first) | (row[i] == second);
    return count;
}

static double missing_rows(void *context, int begin, int end)
{
    const MissingJob *job = context;
    int64_t count = 0;
    for (int j = begin; j < end; j++)
        count +=
            count_missing(silt_field_row(job->field, j), job->field->width, job->marks[0], job->marks[1]);
    return (double)count;
}

// Most files have none: one pass over memory finds that out.
static SiltStatus mark_missing(const char *path, SiltTerrain *terrain, const MissingJob *job, bool in_mask)
{
    SiltStatus status = in_mask ? silt_terrain_require_nodata(terrain) : SILT_OK;
    int64_t infinite = 0; // NaN is how many programs write "no data"; infinity is what a division left
    for (int j = 0; j < terrain->height && status == SILT_OK; j++) {
        float *row = silt_field_row(job->field, j);
        for (int i = 0; i < terrain->width; i++) {
            if (isfinite(row[i]) && row[i] != job->marks[0] && row[i] != job->marks[1])
                continue;
            infinite += isinf(row[i]) && row[i] != job->marks[0] && row[i] != job->marks[1];
            row[i] = 0.0f;
            if (in_mask)
                terrain->nodata[(size_t)j * (size_t)terrain->width + (size_t)i] = 1;
        }
    }
    if (infinite > 0)
        silt_warn("%s: %lld cell%s infinite; %s", path, (long long)infinite, infinite == 1 ? " is" : "s are",
                  in_mask ? "they count as cells without data" : "the layer is 0 there");
    return status;
}

// Programs write the lowest float as -3.40282e+38 too, which is another float: of marks so far out the value
// that stands in the field is meant, if it agrees in five digits.
static float mark_in(const SiltField *field, double mark)
{
    for (int j = 0; fabs(mark) > 1e30 && j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            double value = (double)silt_field_at(field, i, j);
            if (fabs(value - mark) <= 1e-5 * fabs(mark))
                return (float)value;
        }
    return (float)mark;
}

SiltStatus silt_raster_finish(const char *path, const SiltReadOptions *options, SiltTerrain *terrain)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        MissingJob job = {&terrain->layers[k]->field, {NAN, NAN}};
        if (k == 0) { // other layers just lack a value where they are not numbers
            job.marks[0] = mark_in(job.field, terrain->nodata_value);
            job.marks[1] = mark_in(job.field, options->nodata);
        }
        double missing = silt_parallel_sum(terrain->height, missing_rows, &job);
        if (missing == 0.0)
            continue;
        if (k == 0 && missing == (double)terrain->width * terrain->height)
            return silt_fail(SILT_BAD_FILE, "%s: no cell has a height: all are nodata or not numbers", path);
        SiltStatus status = mark_missing(path, terrain, &job, k == 0);
        if (status != SILT_OK)
            return status;
    }
    return SILT_OK;
}

SiltHeightRange silt_raster_range(const char *path, const SiltReadOptions *options, bool has_recorded,
                                  SiltHeightRange recorded)
{
    if (options->purpose == SILT_READ_SHARES)
        return (SiltHeightRange){0.0, 1.0};
    if (has_recorded && isfinite(recorded.low) && isfinite(recorded.high))
        return recorded;
    if (isfinite(options->heights[0]) && isfinite(options->heights[1]))
        return (SiltHeightRange){options->heights[0], options->heights[1]};
    if (options->purpose == SILT_READ_VALUES) {
        if (options->unit[0] && strcmp(options->unit, "1") != 0)
            silt_warn("%s: no values are recorded in it; taking 0 to 1 %s (%s@MIN:MAX says otherwise)", path,
                      options->unit, path);
        return (SiltHeightRange){0.0, 1.0};
    }
    silt_warn("%s: no metres are recorded in it; taking 0 to 1000 m (heights = MIN:MAX says otherwise)",
              path);
    return (SiltHeightRange){0.0, 1000.0};
}

void silt_raster_warn_of_steps(const char *path, const SiltReadOptions *options, int bits, int64_t levels)
{
    if (options->purpose == SILT_READ_HEIGHTS && bits <= 8)
        silt_warn("%s: %d-bit image, %lld height levels; terraces will show (use 16-bit PNG, TIFF or EXR)",
                  path, bits, (long long)levels);
}

double silt_raster_cell(const char *path, const SiltReadOptions *options, double recorded)
{
    if (options->cell > 0.0)
        return options->cell;
    if (recorded > 0.0 && isfinite(recorded))
        return recorded;
    silt_warn("%s: no cell size is recorded in it; taking 1 m (cell says otherwise)", path);
    return 1.0;
}

SiltStatus silt_raster_layer(const char *path, const SiltTerrain *terrain, const SiltWriteOptions *options,
                             const SiltLayer **out)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        if (strcmp(terrain->layers[k]->name, options->layer) == 0) {
            *out = terrain->layers[k];
            return SILT_OK;
        }
    }
    if (strcmp(options->layer, "all") == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: only an .exr holds all layers in one file; name one, or write a folder of maps",
                         path);
    char names[512] = "";
    size_t length = 0;
    for (int k = 0; k < terrain->layer_count && length < sizeof names; k++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k ? " " : "",
                                   terrain->layers[k]->name);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: there is no layer '%s'; there is: %s", path, options->layer,
                     names);
}

typedef struct OutsideJob {
    const SiltTerrain *terrain;
    const SiltField *field;
    float low, high;
} OutsideJob;

static double outside_rows(void *context, int begin, int end)
{
    const OutsideJob *job = context;
    int64_t count = 0;
    for (int j = begin; j < end; j++) {
        const float *row = silt_field_row(job->field, j);
        for (int i = 0; i < job->field->width; i++)
            count += (row[i] < job->low || row[i] > job->high) && !silt_terrain_is_nodata(job->terrain, i, j);
    }
    return (double)count;
}

// Half a step of 16 bits beyond an end is rounding, not clipping.
static void warn_of_clipping(const char *path, const SiltTerrain *terrain, const SiltLayer *layer,
                             SiltHeightRange range)
{
    double slack = (range.high - range.low) / 131070.0;
    OutsideJob job = {terrain, &layer->field, (float)(range.low - slack), (float)(range.high + slack)};
    double count = silt_parallel_sum(terrain->height, outside_rows, &job);
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    if (count > 0.0)
        silt_warn("%s: %.0f cell%s outside %s to %s %s and %s clipped", path, count,
                  count == 1.0 ? " lies" : "s lie", silt_format_number(range.low, low),
                  silt_format_number(range.high, high), layer->unit[0] ? layer->unit : "m",
                  count == 1.0 ? "was" : "were");
}

SiltHeightRange silt_raster_write_range(const char *path, const SiltTerrain *terrain, const SiltLayer *layer,
                                        const SiltWriteOptions *options)
{
    SiltHeightRange range = {options->heights[0], options->heights[1]};
    if (isfinite(range.low) && isfinite(range.high)) {
        if (!options->range_told)
            warn_of_clipping(path, terrain, layer, range);
    } else {
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

double silt_raster_nodata(const SiltTerrain *terrain, const SiltLayer *layer)
{
    SiltFieldStatistics statistics;
    silt_field_statistics(&layer->field, terrain->nodata, &statistics);
    const double candidates[] = {terrain->nodata_value, -9999.0};
    for (size_t k = 0; k < sizeof candidates / sizeof candidates[0]; k++) {
        double value = candidates[k];
        bool is_height = value >= statistics.minimum && value <= statistics.maximum;
        if (isfinite(value) && fabs(value) <= (double)FLT_MAX && !is_height)
            return (double)(float)value;
    }
    return -(double)FLT_MAX;
}

typedef struct PackRuns {
    SiltPackRunFn pack;
    const void *context;
    size_t width;
} PackRuns;

static size_t pack_runs(const void *context, size_t begin, size_t end, char *to)
{
    const PackRuns *runs = context;
    char *at = to;
    while (begin < end) {
        size_t j = begin / runs->width, i = begin % runs->width;
        size_t stop = runs->width - i < end - begin ? runs->width : i + (end - begin);
        at += runs->pack(runs->context, (int)j, (int)i, (int)stop, at);
        begin += stop - i;
    }
    return (size_t)(at - to);
}

SiltStatus silt_raster_pack(const SiltTerrain *terrain, SiltOutput *output, size_t limit, SiltPackRunFn pack,
                            const void *context)
{
    PackRuns runs = {pack, context, (size_t)terrain->width};
    return silt_output_pack(output, (size_t)terrain->width * (size_t)terrain->height, limit, pack_runs,
                            &runs);
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
