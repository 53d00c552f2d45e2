// A coloured hill-shade: land tinted by height and slope, lit by a sun and a sky, darkened where the sun is
// hidden.
#include "render/hillshade.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "render/ramp.h"

enum { ROWS = 8 };

typedef struct Shade {
    const SiltTerrain *terrain;
    const SiltRenderOptions *options;
    const SiltField *height, *water, *overlay, *shadow, *hollow;
    SiltImage *image;
    float low, span; // of heights, in metres
    float overlay_low, overlay_span;
    float sun[3]; // towards the light: east, south, up
} Shade;

static float at(const SiltField *field, int i, int j)
{
    i = i < 0 ? 0 : i >= field->width ? field->width - 1 : i;
    j = j < 0 ? 0 : j >= field->height ? field->height - 1 : j;
    return silt_field_at(field, i, j);
}

static float smooth(float low, float high, float x)
{
    float t = (x - low) / (high - low);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

// Rise east and south per metre, by Horn's weights.
static void slope_at(const Shade *shade, int i, int j, float *east, float *south)
{
    const SiltField *h = shade->height;
    float scale = (float)(shade->options->exaggeration / (8.0 * shade->terrain->cell));
    float nw = at(h, i - 1, j - 1), n = at(h, i, j - 1), ne = at(h, i + 1, j - 1), w = at(h, i - 1, j);
    float e = at(h, i + 1, j), sw = at(h, i - 1, j + 1), s = at(h, i, j + 1), se = at(h, i + 1, j + 1);
    *east = scale * ((ne + 2.0f * e + se) - (nw + 2.0f * w + sw));
    *south = scale * ((sw + 2.0f * s + se) - (nw + 2.0f * n + ne));
}

// Meadow, forest, heath, rock, snow: what grows thins out upwards and does not hold on steep ground.
static SiltColour land_colour(float level, float steepness)
{
    static const SiltColour by_height[] = {
        {0.42f, 0.53f, 0.33f}, {0.36f, 0.48f, 0.28f}, {0.44f, 0.50f, 0.30f}, {0.57f, 0.55f, 0.39f},
        {0.62f, 0.57f, 0.47f}, {0.66f, 0.63f, 0.59f}, {0.80f, 0.80f, 0.81f}, {0.96f, 0.97f, 0.99f},
    };
    static const SiltColour rock = {0.50f, 0.46f, 0.42f}, high_rock = {0.47f, 0.46f, 0.47f};
    SiltColour cover = silt_ramp(by_height, (int)(sizeof by_height / sizeof by_height[0]), level);
    SiltColour bare = silt_colour_mix(rock, high_rock, level);
    return silt_colour_mix(cover, bare, smooth(0.55f, 1.10f, steepness));
}

static SiltColour water_colour(SiltColour ground, float depth, float cell)
{
    static const SiltColour shallow = {0.36f, 0.60f, 0.68f}, deep = {0.07f, 0.22f, 0.38f};
    float cover = smooth(0.0f, 0.02f * cell + 0.02f, depth);
    SiltColour water = silt_colour_mix(shallow, deep, depth / (depth + 2.0f + cell));
    return silt_colour_mix(ground, water, 0.85f * cover);
}

static unsigned char channel(float value)
{
    return (unsigned char)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

static void draw_cell(const Shade *shade, int i, int j, unsigned char *rgba)
{
    if (silt_terrain_is_nodata(shade->terrain, i, j)) {
        memset(rgba, 0, 4);
        return;
    }
    float east, south;
    slope_at(shade, i, j, &east, &south);
    float steepness = sqrtf(east * east + south * south), length = sqrtf(1.0f + steepness * steepness);
    // the normal of the surface is (-east, -south, 1) / length
    float sun = (-east * shade->sun[0] - south * shade->sun[1] + shade->sun[2]) / length;
    sun = sun > 0.0f ? sun : 0.0f;
    if (shade->shadow)
        sun *= silt_field_at(shade->shadow, i, j);
    float sky = 0.5f + 0.5f / length;
    if (shade->hollow)
        sky *= silt_field_at(shade->hollow, i, j);
    bool grey = shade->options->look == SILT_LOOK_GREY;
    float level = shade->span > 0.0f ? (silt_field_at(shade->height, i, j) - shade->low) / shade->span : 0.3f;
    SiltColour colour = grey ? (SiltColour){0.75f, 0.75f, 0.75f}
                             : land_colour(level, steepness / (float)shade->options->exaggeration);
    float depth = shade->water ? silt_field_at(shade->water, i, j) : 0.0f;
    if (shade->options->water && depth > 0.0f)
        colour = water_colour(colour, depth, (float)shade->terrain->cell);
    if (shade->overlay) {
        float value = (silt_field_at(shade->overlay, i, j) - shade->overlay_low) / shade->overlay_span;
        value = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
        colour = silt_colour_mix(colour, silt_ramp_even(value), 0.25f + 0.70f * sqrtf(value));
    }
    // warm light, blue shade
    rgba[0] = channel(colour.r * (1.02f * sun + 0.40f * sky));
    rgba[1] = channel(colour.g * (0.97f * sun + 0.44f * sky));
    rgba[2] = channel(colour.b * (0.86f * sun + 0.53f * sky));
    rgba[3] = 255;
}

static void draw_rows(void *context, int begin, int end)
{
    const Shade *shade = context;
    size_t width = (size_t)shade->image->width;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < shade->image->width; i++)
            draw_cell(shade, i, j, shade->image->rgba + ((size_t)j * width + (size_t)i) * 4);
}

// ---- cast shadows ----

typedef struct ShadowJob {
    const SiltField *height;
    SiltField *shadow;
    float step_i, step_j; // one cell towards the sun
    float rise;           // metres the ray gains on it
    float softness;       // metres over which light fades
    int reach;            // cells until nothing can stand in the way
} ShadowJob;

static float bilinear(const SiltField *field, float x, float y)
{
    int i = (int)floorf(x), j = (int)floorf(y);
    float u = x - (float)i, v = y - (float)j;
    float top = at(field, i, j) + (at(field, i + 1, j) - at(field, i, j)) * u;
    float bottom = at(field, i, j + 1) + (at(field, i + 1, j + 1) - at(field, i, j + 1)) * u;
    return top + (bottom - top) * v;
}

static void shadow_rows(void *context, int begin, int end)
{
    const ShadowJob *job = context;
    const SiltField *h = job->height;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->shadow, j);
        for (int i = 0; i < h->width; i++) {
            float start = silt_field_at(h, i, j), light = 1.0f;
            for (int k = 1; k <= job->reach && light > 0.0f;) {
                float x = (float)i + job->step_i * (float)k, y = (float)j + job->step_j * (float)k;
                if (x < 0.0f || y < 0.0f || x > (float)(h->width - 1) || y > (float)(h->height - 1))
                    break;
                float clear = start + job->rise * (float)k - bilinear(h, x, y);
                float lit = 0.5f + clear / (job->softness * (1.0f + 0.15f * (float)k));
                light = lit < light ? lit : light;
                // far above the ground the next cells cannot matter: stride, but never over a ridge
                k += k < 8 ? 1 : k < 64 ? 2 : 4;
            }
            row[i] = light < 0.0f ? 0.0f : light;
        }
    }
}

static void cast_shadows(const Shade *shade, SiltField *shadow)
{
    float flat = sqrtf(shade->sun[0] * shade->sun[0] + shade->sun[1] * shade->sun[1]);
    if (flat < 1e-4f) { // the sun stands overhead
        silt_field_fill(shadow, 1.0f);
        return;
    }
    float cell = (float)shade->terrain->cell, rise = shade->sun[2] / flat * cell;
    float reach = rise > 0.0f ? (float)shade->options->exaggeration * shade->span / rise + 2.0f : 0.0f;
    int side = shade->height->width > shade->height->height ? shade->height->width : shade->height->height;
    ShadowJob job = {.height = shade->height,
                     .shadow = shadow,
                     .step_i = shade->sun[0] / flat,
                     .step_j = shade->sun[1] / flat,
                     .rise = rise / (float)shade->options->exaggeration,
                     .softness = 0.6f * cell / (float)shade->options->exaggeration,
                     .reach = reach < (float)side ? (int)reach : side};
    silt_parallel(shade->height->height, ROWS, shadow_rows, &job);
}

// ---- open sky: how far the ground stands above or below the mean of its surroundings, at two scales ----

typedef struct HollowJob {
    const SiltField *height;
    SiltField *hollow;
    float cell;
} HollowJob;

static void hollow_rows(void *context, int begin, int end)
{
    static const int offsets[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static const int reaches[3] = {2, 6, 16};
    const HollowJob *job = context;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->hollow, j);
        for (int i = 0; i < job->height->width; i++) {
            float here = silt_field_at(job->height, i, j), hidden = 0.0f;
            for (int d = 0; d < 8; d++) {
                float steepest = 0.0f;
                for (int r = 0; r < 3; r++) {
                    int reach = reaches[r];
                    float diagonal = (d & 1) ? 1.41421356f : 1.0f;
                    float rise = at(job->height, i + offsets[d][0] * reach, j + offsets[d][1] * reach) - here;
                    float slope = rise / ((float)reach * diagonal * job->cell);
                    steepest = slope > steepest ? slope : steepest;
                }
                hidden += steepest / sqrtf(1.0f + steepest * steepest); // sine of the horizon's angle
            }
            row[i] = 1.0f - 0.9f * hidden / 8.0f;
        }
    }
}

SiltStatus silt_hillshade(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *image)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double flat = cos(options->sun_height * degree);
    Shade shade = {.terrain = terrain,
                   .options = options,
                   .height = silt_terrain_layer(terrain, "height"),
                   .water = silt_terrain_layer(terrain, "water"),
                   .overlay = options->overlay[0] ? silt_terrain_layer(terrain, options->overlay) : NULL,
                   .image = image,
                   .sun = {(float)(sin(options->sun * degree) * flat),
                           (float)(-cos(options->sun * degree) * flat),
                           (float)sin(options->sun_height * degree)}};
    SiltFieldStatistics statistics;
    silt_field_statistics(shade.height, terrain->nodata, &statistics);
    shade.low = (float)statistics.minimum;
    shade.span = (float)(statistics.maximum - statistics.minimum);
    if (shade.overlay) {
        double percents[2] = {2.0, 98.0}, bounds[2];
        SiltStatus status = silt_field_percentiles(shade.overlay, terrain->nodata, percents, 2, bounds);
        if (status != SILT_OK)
            return status;
        shade.overlay_low = (float)bounds[0];
        shade.overlay_span = bounds[1] > bounds[0] ? (float)(bounds[1] - bounds[0]) : 1.0f;
    }
    SiltField shadow = {0}, hollow = {0};
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &hollow);
    if (status == SILT_OK && options->shadows)
        status = silt_field_create(terrain->width, terrain->height, &shadow);
    if (status == SILT_OK) {
        HollowJob job = {shade.height, &hollow, (float)(terrain->cell / options->exaggeration)};
        silt_parallel(terrain->height, ROWS, hollow_rows, &job);
        shade.hollow = &hollow;
        if (options->shadows) {
            cast_shadows(&shade, &shadow);
            shade.shadow = &shadow;
        }
        silt_parallel(terrain->height, ROWS, draw_rows, &shade);
    }
    silt_field_destroy(&shadow);
    silt_field_destroy(&hollow);
    return status;
}
