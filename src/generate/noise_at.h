// One place of a map of fractal noise. For C and OpenCL: the processor goes along spans of a row, a device
// takes an item for each cell of the same spans, and both get the same bits.
#ifndef SILT_GENERATE_NOISE_AT_H
#define SILT_GENERATE_NOISE_AT_H

#include "core/both.h"
#include "physics/noise.h"

enum { SILT_NOISE_FBM, SILT_NOISE_BILLOW, SILT_NOISE_RIDGED };
enum { SILT_NOISE_OCTAVES = 16, SILT_NOISE_WARPS = 2 }; // at the most; and those that push each way
enum { SILT_NOISE_SPAN = 256 }; // columns whose places are counted in float from the first of them

// One lattice: where the map lies on it, and what it adds.
typedef struct SiltOctave {
    double cosine, sine; // times lattice cells per metre
    double x, y;         // lattice coordinates of the map's corner
    float amplitude;
    silt_u32 seed;
} SiltOctave;

typedef struct SiltNoiseSum {
    double cell; // m
    SiltOctave octaves[SILT_NOISE_OCTAVES];
    SiltOctave warps[2 * SILT_NOISE_WARPS]; // those that push east, then those that push south
    int kind, octave_count, warp_count;
    float low, scale; // height = low + scale * sum
    int unused;
} SiltNoiseSum;

// An octave along a span of a row: lattice point, distance from it, step per column, what a metre of warp is.
typedef struct SiltNoiseSpan {
    silt_u32 column, row, seed;
    float x, y, step_x, step_y, turn_x, turn_y, amplitude;
} SiltNoiseSpan;

// The nearest lattice point at or before `value`, modulo 2^32; the rest is value - floor(value).
static inline silt_u32 silt_noise_lattice(double value)
{
    double whole = floor(value);
    return (silt_u32)(whole - 4294967296.0 * floor(whole / 4294967296.0));
}

// The span that begins at cell (i, j).
static inline SiltNoiseSpan silt_noise_span(SILT_STEP const SiltOctave *octave, double cell, int i, int j)
{
    SiltNoiseSpan span;
    double east = (i + 0.5) * cell, south = (j + 0.5) * cell;
    double x = octave->x + octave->cosine * east - octave->sine * south;
    double y = octave->y + octave->sine * east + octave->cosine * south;
    span.column = silt_noise_lattice(x);
    span.row = silt_noise_lattice(y);
    span.seed = octave->seed;
    span.x = (float)(x - floor(x));
    span.y = (float)(y - floor(y));
    span.step_x = (float)(octave->cosine * cell);
    span.step_y = (float)(octave->sine * cell);
    span.turn_x = (float)octave->cosine;
    span.turn_y = (float)octave->sine;
    span.amplitude = octave->amplitude;
    return span;
}

// Column k of a span, pushed so many metres east and south.
SILT_FN float silt_noise_sample(SiltNoiseSpan s, int k, float push_east, float push_south)
{
    float x = s.x + (float)k * s.step_x + (s.turn_x * push_east - s.turn_y * push_south);
    float y = s.y + (float)k * s.step_y + (s.turn_y * push_east + s.turn_x * push_south);
    return silt_noise(s.column, s.row, x, y, s.seed);
}

#endif
