#include "io/samples.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/bytes.h"

static const struct {
    size_t bytes;
    double lowest, highest;
} types[] = {
    [SILT_SAMPLE_U8] = {1, 0.0, 255.0},         [SILT_SAMPLE_U16] = {2, 0.0, 65535.0},
    [SILT_SAMPLE_I16] = {2, -32768.0, 32767.0}, [SILT_SAMPLE_I32] = {4, -2147483648.0, 2147483647.0},
    [SILT_SAMPLE_F32] = {4, 0.0, 0.0},          [SILT_SAMPLE_F64] = {8, 0.0, 0.0},
};

size_t silt_sample_bytes(SiltSampleType type)
{
    return types[type].bytes;
}

void silt_samples_map(SiltSamples *samples, SiltHeightRange range)
{
    double lowest = types[samples->type].lowest, highest = types[samples->type].highest;
    samples->scale = highest > lowest ? (range.high - range.low) / (highest - lowest) : 1.0;
    samples->offset = highest > lowest ? range.low - lowest * samples->scale : 0.0;
}

static double load(SiltSampleType type, const unsigned char *bytes, bool big)
{
    switch (type) {
    case SILT_SAMPLE_U8:
        return (double)bytes[0];
    case SILT_SAMPLE_U16:
        return (double)silt_load_u16(bytes, big);
    case SILT_SAMPLE_I16:
        return (double)(int16_t)silt_load_u16(bytes, big);
    case SILT_SAMPLE_I32:
        return (double)(int32_t)silt_load_u32(bytes, big);
    case SILT_SAMPLE_F32:
        return (double)silt_load_f32(bytes, big);
    case SILT_SAMPLE_F64:
        return silt_load_f64(bytes, big);
    }
    return 0.0;
}

static inline void decode_as(SiltSampleType type, const SiltSamples *samples, const unsigned char *bytes,
                             int count, float *out)
{
    size_t step = types[type].bytes;
    for (int i = 0; i < count; i++) {
        double sample = load(type, bytes + (size_t)i * step, samples->big_endian);
        out[i] = sample == samples->nodata ? NAN : (float)(samples->offset + samples->scale * sample);
    }
}

void silt_samples_decode(const SiltSamples *samples, const unsigned char *bytes, int count, float *out)
{
    switch (samples->type) { // one loop a type, so that the compiler knows it inside
    case SILT_SAMPLE_U8:
        decode_as(SILT_SAMPLE_U8, samples, bytes, count, out);
        break;
    case SILT_SAMPLE_U16:
        decode_as(SILT_SAMPLE_U16, samples, bytes, count, out);
        break;
    case SILT_SAMPLE_F32:
        decode_as(SILT_SAMPLE_F32, samples, bytes, count, out);
        break;
    default:
        decode_as(samples->type, samples, bytes, count, out);
    }
}

SiltStatus silt_samples_check(const char *path, FILE *file, SiltSampleType type, int64_t width,
                              int64_t height)
{
    uint64_t left = silt_input_left(file);
    if (width < 1 || height < 1 || width > SILT_MAX_SIDE || height > SILT_MAX_SIDE || left == UINT64_MAX)
        return SILT_OK; // silt_raster_create has words for such sides
    uint64_t wanted = (uint64_t)width * (uint64_t)height * silt_sample_bytes(type);
    if (left >= wanted)
        return SILT_OK;
    return silt_fail(SILT_BAD_FILE,
                     "%s: truncated: %lld x %lld samples of %zu bytes make %llu bytes, and the file has %llu",
                     path, (long long)width, (long long)height, silt_sample_bytes(type),
                     (unsigned long long)wanted, (unsigned long long)left);
}

static double row_largest(const SiltSamples *samples, const unsigned char *bytes, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        double sample =
            load(samples->type, bytes + (size_t)i * types[samples->type].bytes, samples->big_endian);
        largest = sample > largest ? sample : largest;
    }
    return largest;
}

SiltStatus silt_samples_too_large(const char *path, const SiltSamples *samples, int j)
{
    return silt_fail(SILT_BAD_FILE, "%s: row %d has a sample above %.0f, the largest that the header allows",
                     path, j + 1, samples->largest);
}

SiltStatus silt_samples_read(const char *path, FILE *file, const SiltSamples *samples, SiltTerrain *terrain)
{
    size_t row_bytes = (size_t)terrain->width * silt_sample_bytes(samples->type);
    void *block;
    SiltStatus status = silt_alloc_for(path, row_bytes, 1, &block);
    if (status != SILT_OK)
        return status;
    for (int j = 0; j < terrain->height && status == SILT_OK; j++) {
        if (fread(block, 1, row_bytes, file) != row_bytes)
            status =
                silt_fail(SILT_BAD_FILE, "%s: the file ends in row %d of %d", path, j + 1, terrain->height);
        else if (samples->largest > 0.0 && row_largest(samples, block, terrain->width) > samples->largest)
            status = silt_samples_too_large(path, samples, j);
        else
            silt_samples_decode(samples, block, terrain->width,
                                silt_field_row(&terrain->layers[0]->field, j));
    }
    silt_free(block);
    return status;
}

typedef struct WriteJob {
    const SiltTerrain *terrain;
    const SiltField *field;
    SiltSamples samples;
    double lowest, highest; // samples that cells with data may take
} WriteJob;

static char *store(char *to, const WriteJob *job, float value, bool is_nodata)
{
    const SiltSamples *samples = &job->samples;
    if (samples->type == SILT_SAMPLE_F32)
        return silt_store_f32(to, is_nodata ? (float)samples->nodata : value, samples->big_endian);
    double level = floor(((double)value - samples->offset) / samples->scale + 0.5);
    level = level > job->highest ? job->highest : level > job->lowest ? level : job->lowest;
    uint16_t sample = (uint16_t)(is_nodata ? samples->nodata : level);
    if (samples->type == SILT_SAMPLE_U16)
        return silt_store_u16(to, sample, samples->big_endian);
    *to = (char)sample;
    return to + 1;
}

static size_t pack_run(const void *context, int j, int begin, int end, char *to)
{
    const WriteJob *job = context;
    const float *row = silt_field_row(job->field, j);
    char *at = to;
    for (int i = begin; i < end; i++)
        at = store(at, job, row[i], silt_terrain_is_nodata(job->terrain, i, j));
    return (size_t)(at - to);
}

SiltStatus silt_samples_write(const SiltTerrain *terrain, const SiltLayer *layer, const SiltSamples *samples,
                              SiltOutput *output)
{
    WriteJob job = {terrain, &layer->field, *samples, terrain->nodata ? 1.0 : 0.0,
                    types[samples->type].highest};
    return silt_raster_pack(terrain, output, silt_sample_bytes(samples->type), pack_run, &job);
}

SiltHeightRange silt_samples_plan(const char *path, const SiltTerrain *terrain, const SiltLayer *layer,
                                  const SiltWriteOptions *options, SiltSamples *samples)
{
    SiltHeightRange range = silt_raster_write_range(path, terrain, layer, options);
    double highest = types[samples->type].highest;
    samples->nodata = NAN;
    if (terrain->nodata) { // heights take 1 to the highest
        samples->nodata = 0.0;
        range.low -= (range.high - range.low) / (highest - 1.0);
    }
    silt_samples_map(samples, range);
    return range;
}
