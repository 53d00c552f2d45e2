// Fractal noise: octaves of gradient noise, each finer and lower than the one before, on lattices turned
// against each other so that none shows. Sizes are in metres: the same map on more cells has the same hills.
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "core/streams.h"
#include "generate/device_noise.h"
#include "generate/shape.h"
#include "physics/power.h"
#include "physics/random.h"

enum { MAX_OCTAVES = SILT_NOISE_OCTAVES, WARP_OCTAVES = SILT_NOISE_WARPS };
enum { SPAN = SILT_NOISE_SPAN }; // so many columns at a time stay in the first cache

typedef struct NoiseParams {
    int kind; // SILT_NOISE_FBM ...
    double relief;
    double feature_size;
    int octaves;
    double hurst;
    double lacunarity;
    double warp;
    double warp_size;
    double origin[2];
} NoiseParams;

static const SiltParam noise_items[] = {
    SILT_CHOICE(NoiseParams, kind, "fbm billow ridged", "fbm",
                "rolling (fbm), round tops and sharp valleys (billow), or sharp crests (ridged)"),
    SILT_LENGTH(NoiseParams, relief, 0.0, 0.15, "usual height of the highest place above the lowest"),
    SILT_LENGTH(NoiseParams, feature_size, 1e-3, 0.4, "from one of the largest hills to the next"),
    SILT_INT(NoiseParams, octaves, "", 10, 1, MAX_OCTAVES,
             "sizes of hills that are added up; none smaller than half a cell is"),
    SILT_REAL(NoiseParams, hurst, "", 1.0, 0.0, 1.0, "how smooth small hills are: 0 is rough, 1 is smooth"),
    SILT_REAL(NoiseParams, lacunarity, "", 2.0, 1.3, 4.0,
              "how many times smaller the hills of each octave are"),
    SILT_REAL(NoiseParams, warp, "m", 0.0, 0.0, 1e6, "how far places are pushed about, for bent hills"),
    SILT_REAL(NoiseParams, warp_size, "m", NAN, 1e-3, 1e7, "size of the bends; none: that of the hills"),
    SILT_VECTOR2(NoiseParams, origin, "m", 0.0, 0.0, -1e7, 1e7,
                 "east and south from the first map of this seed, so that neighbours join"),
};

typedef SiltOctave Octave;

typedef struct NoiseJob {
    SiltField *field;
    SiltNoiseSum sum;
} NoiseJob;

SILT_CLONES static void sample_span(const SiltNoiseSpan *at, const float *restrict push_east,
                                    const float *restrict push_south, int count, float *restrict out)
{
    SiltNoiseSpan s = *at;
    for (int k = 0; k < count; k++)
        out[k] = silt_noise_sample(s, k, push_east[k], push_south[k]);
}

SILT_CLONES static void add_fbm(const float *restrict noise, float amplitude, int count, float *restrict sum)
{
    for (int k = 0; k < count; k++)
        sum[k] += amplitude * noise[k];
}

SILT_CLONES static void add_billow(const float *restrict noise, float amplitude, int count,
                                   float *restrict sum)
{
    for (int k = 0; k < count; k++)
        sum[k] += amplitude * silt_absf(noise[k]);
}

SILT_CLONES static void add_ridges(const float *restrict noise, float amplitude, int count,
                                   float *restrict weight, float *restrict sum)
{
    for (int k = 0; k < count; k++) {
        float ridge = silt_noise_ridge(noise[k], weight[k]);
        weight[k] = silt_noise_ridge_weight(ridge);
        sum[k] += amplitude * ridge;
    }
}

typedef struct Scratch {
    float push_east[SPAN], push_south[SPAN], noise[SPAN], weight[SPAN], sum[SPAN];
} Scratch;

static void warp_span(const SiltNoiseSum *noise, int i, int j, int count, Scratch *s)
{
    static const float none[SPAN];
    memset(s->push_east, 0, sizeof s->push_east);
    memset(s->push_south, 0, sizeof s->push_south);
    for (int k = 0; k < noise->warp_count; k++) {
        SiltNoiseSpan span = silt_noise_span(&noise->warps[k], noise->cell, i, j);
        sample_span(&span, none, none, count, s->noise);
        add_fbm(s->noise, span.amplitude, count, 2 * k < noise->warp_count ? s->push_east : s->push_south);
    }
}

static void noise_span(const SiltNoiseSum *noise, int i, int j, int count, Scratch *s, float *out)
{
    warp_span(noise, i, j, count, s);
    memset(s->sum, 0, sizeof s->sum);
    for (int k = 0; k < SPAN; k++)
        s->weight[k] = 1.0f;
    for (int k = 0; k < noise->octave_count; k++) {
        SiltNoiseSpan span = silt_noise_span(&noise->octaves[k], noise->cell, i, j);
        sample_span(&span, s->push_east, s->push_south, count, s->noise);
        if (noise->kind == SILT_NOISE_FBM)
            add_fbm(s->noise, span.amplitude, count, s->sum);
        else if (noise->kind == SILT_NOISE_BILLOW)
            add_billow(s->noise, span.amplitude, count, s->sum);
        else
            add_ridges(s->noise, span.amplitude, count, s->weight, s->sum);
    }
    for (int k = 0; k < count; k++)
        out[k] = noise->low + noise->scale * s->sum[k];
}

static void noise_rows(void *context, int begin, int end)
{
    const NoiseJob *job = context;
    Scratch scratch;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < job->field->width; i += SPAN) {
            int left = job->field->width - i;
            noise_span(&job->sum, i, j, left < SPAN ? left : SPAN, &scratch,
                       silt_field_row(job->field, j) + i);
        }
}

// Lattice k of this seed: its place from four random words, turned by k times the angle of a 3-4-5 triangle.
static Octave octave_make(uint64_t seed, uint32_t number, int turns, double size, double amplitude,
                          const double origin[2])
{
    SiltRandom random = silt_random(seed, SILT_STREAM_NOISE, number, 0);
    double cosine = 1.0 / size, sine = 0.0;
    for (int k = 0; k < turns; k++) {
        double turned = 0.8 * cosine - 0.6 * sine;
        sine = 0.6 * cosine + 0.8 * sine;
        cosine = turned;
    }
    return (Octave){.cosine = cosine,
                    .sine = sine,
                    .x = random.word[0] * (1.0 / 65536.0) + cosine * origin[0] - sine * origin[1],
                    .y = random.word[1] * (1.0 / 65536.0) + sine * origin[0] + cosine * origin[1],
                    .amplitude = (float)amplitude,
                    .seed = random.word[2]};
}

// How much lower each octave is. A sum that has a largest hill is rougher than hurst says, the more the
// smoother it is, because what larger ones would add to the slopes is missing: the term in hurst^3 makes up
// for it.
static double octave_fall(const NoiseParams *p)
{
    return silt_power(p->lacunarity, -(p->hurst + 0.12 * p->hurst * p->hurst * p->hurst));
}

static void set_octaves(SiltNoiseSum *noise, const NoiseParams *p, uint64_t seed)
{
    double size = p->feature_size, amplitude = 1.0, fall = octave_fall(p);
    for (int k = 0; k < p->octaves && size >= 0.5 * noise->cell; k++) {
        noise->octaves[noise->octave_count++] = octave_make(seed, (uint32_t)k, k, size, amplitude, p->origin);
        size /= p->lacunarity;
        amplitude *= fall;
    }
}

// Noise of one octave pushes by at most about 0.7; so `warp` is what it says at the most. Beyond a million
// lattice cells there is nothing left to see, and float could not tell them apart.
static void set_warp(SiltNoiseSum *noise, const NoiseParams *p, uint64_t seed)
{
    double size = isnan(p->warp_size) ? p->feature_size : p->warp_size;
    double finest = noise->octave_count ? 1.0 / silt_hypot(noise->octaves[noise->octave_count - 1].cosine,
                                                           noise->octaves[noise->octave_count - 1].sine)
                                        : 0.0;
    double push = p->warp < 1e6 * finest ? p->warp : 1e6 * finest;
    if (!(push > 0.0) || size < noise->cell)
        return;
    for (int k = 0; k < 2 * WARP_OCTAVES; k++) {
        double octave_size = k % WARP_OCTAVES == 0 ? size : 0.5 * size;
        double amplitude = (k % WARP_OCTAVES == 0 ? 1.0 : 0.35) * push;
        noise->warps[k] =
            octave_make(seed, (uint32_t)(MAX_OCTAVES + k), k + 1, octave_size, amplitude, p->origin);
    }
    noise->warp_count = 2 * WARP_OCTAVES;
}

// Maps lowest to 0 and highest to relief, as maps of some hills usually have them. Octaves of noise add up
// as their variances do (deviations of one octave: 0.26, and 0.15 about 0.21 for its absolute value; a map
// spans some five of the sum); ridges gather where ridges are, so that their sizes add up.
static void set_scale(SiltNoiseSum *noise, const NoiseParams *p)
{
    double sum = 0.0, squares = 0.0, amplitude = 1.0, fall = octave_fall(p);
    for (int k = 0; k < p->octaves; k++) {
        sum += amplitude;
        squares += amplitude * amplitude;
        amplitude *= fall;
    }
    double range = 0.85 * sum, middle = 0.5 * sum;
    if (p->kind != SILT_NOISE_RIDGED) {
        range = 5.0 * (p->kind == SILT_NOISE_FBM ? 0.26 : 0.15) * sqrt(squares);
        middle = p->kind == SILT_NOISE_FBM ? 0.0 : 0.21 * sum;
    }
    noise->scale = (float)(p->relief / range);
    noise->low = (float)(p->relief * (0.5 - middle / range));
}

static SiltStatus noise_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    NoiseParams p = *(const NoiseParams *)params;
    SILT_RESOLVE(noise_items, &p, terrain);
    uint64_t seed = run ? run->seed : 0;
    double asked = ((const NoiseParams *)params)->feature_size;
    if (asked < 0.5 * terrain->cell)
        silt_warn("noise: feature_size = %g m is less than half a cell; nothing of it can be seen", asked);
    NoiseJob job = {.field = silt_terrain_layer(terrain, "height"),
                    .sum = {.cell = terrain->cell, .kind = p.kind}};
    set_octaves(&job.sum, &p, seed);
    set_warp(&job.sum, &p, seed);
    set_scale(&job.sum, &p);
    if (run && run->device)
        return silt_noise_on_device(run, &job.sum, job.field);
    return silt_parallel_run(run, "noise", terrain->height, 4, noise_rows, &job);
}

const SiltGenerator silt_generator_noise = {
    .name = "noise",
    .summary = "fractal noise: rolling hills, round tops or sharp crests",
    .source = "Perlin 1985 and 2002, Musgrave 1994",
    .params = SILT_PARAM_TABLE(NoiseParams, noise_items),
    .run = noise_run,
    .on_device = true,
};
