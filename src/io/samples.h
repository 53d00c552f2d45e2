// Rows of plain numbers, as RAW, NPY and PGM files hold them.
#ifndef SILT_IO_SAMPLES_H
#define SILT_IO_SAMPLES_H

#include <stdio.h>

#include "io/format.h"

typedef enum SiltSampleType {
    SILT_SAMPLE_U8,
    SILT_SAMPLE_U16,
    SILT_SAMPLE_I16,
    SILT_SAMPLE_I32,
    SILT_SAMPLE_F32,
    SILT_SAMPLE_F64
} SiltSampleType;

// metres = offset + scale * sample
typedef struct SiltSamples {
    SiltSampleType type;
    bool big_endian;
    double offset, scale;
    double nodata;  // this sample marks cells without data; NaN: none does
    double largest; // samples above it are refused; 0: none is
} SiltSamples;

size_t silt_sample_bytes(SiltSampleType type);

// Offset and scale such that the type's lowest and highest sample are the ends of the range. Floats: metres
// as they are.
void silt_samples_map(SiltSamples *samples, SiltHeightRange range);

// Cells without data become NaN.
void silt_samples_decode(const SiltSamples *samples, const unsigned char *bytes, int count, float *out);

// Whether the rest of the file can hold width * height samples; a sentence with the numbers if not. Call it
// before the memory for them is asked for.
SiltStatus silt_samples_check(const char *path, FILE *file, SiltSampleType type, int64_t width,
                              int64_t height);

// All rows of the height layer, from the file's current place.
SiltStatus silt_samples_read(const char *path, FILE *file, const SiltSamples *samples, SiltTerrain *terrain);

// The failure of a sample in row j that is above samples->largest.
SiltStatus silt_samples_too_large(const char *path, const SiltSamples *samples, int j);

// Writes a layer: integers through `samples` rounded and held to their range, floats as they are.
SiltStatus silt_samples_write(const SiltTerrain *terrain, const SiltLayer *layer, const SiltSamples *samples,
                              SiltOutput *output);

// How integers of `bits` hold the layer of a terrain: its range over all samples, but with cells without data
// sample 0 is theirs alone. Returns the metres of sample 0 and of the highest sample.
SiltHeightRange silt_samples_plan(const char *path, const SiltTerrain *terrain, const SiltLayer *layer,
                                  const SiltWriteOptions *options, SiltSamples *samples);

// raw_beside.c: whether samples beside `path`, whose path `other` takes, may need the header NAME.hdr too.
bool silt_samples_beside(const char *hdr, const char *path, char other[SILT_PATH_SIZE]);

#endif
