// A coloured hill-shade: land tinted by height and slope, lit by a sun and a sky, darkened where the sun is
// hidden.
#include "render/hillshade.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "render/light.h"
#include "terrain/cover.h"
#include "terrain/terrain.h"

enum { ROWS = 8, SKY_BLUR = 5 };

#define PAPER 0.20f // how much of the white paper shows through the colours of a map

typedef struct Shade {
    const SiltTerrain *terrain;
    const SiltRenderOptions *options;
    const SiltRange *range;
    const SiltField *height, *water, *sediment, *deposit, *ice, *overlay, *shadow, *sky;
    SiltImage *image;
    float low, span; // of heights, in metres
    float rise;      // of heights over a cell: exaggeration / cell
    float snow;      // metres
    float arid;      // 0 to 1
    float contour;   // metres between contour lines
    SiltSun sun;
} Shade;

// A round number of metres that nearly all cells of a layer stay below; 0 where there is nothing of it.
static double most_of(const SiltTerrain *terrain, const char *name)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    SiltFieldStatistics statistics;
    const double percent = 98.0;
    double most = 0.0;
    if (!field || silt_field_percentiles(field, terrain->nodata, &percent, 1, &most) != SILT_OK)
        return 0.0;
    silt_field_statistics(field, terrain->nodata, &statistics);
    most = fmax(most, 0.2 * statistics.maximum); // of little the little that there is
    return most > 1e-6 && isfinite(most) ? silt_round_up(most) : 0.0;
}

SiltStatus silt_range_of(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltRange *out)
{
    *out = (SiltRange){.west = -0.5 * terrain->cell,
                       .east = (terrain->width - 0.5) * terrain->cell,
                       .south = -0.5 * terrain->cell,
                       .north = (terrain->height - 0.5) * terrain->cell};
    const char *drawn[] = {"height", "water", "ice", options->overlay};
    for (size_t k = 0; k < sizeof drawn / sizeof drawn[0]; k++) {
        SiltStatus status = silt_terrain_check_finite(terrain, drawn[k], "render", "nothing was drawn");
        if (status != SILT_OK)
            return status;
    }
    SiltStatus sane = silt_terrain_check_heights(terrain, "render");
    if (sane != SILT_OK)
        return sane;
    SiltFieldStatistics statistics;
    silt_field_statistics(silt_terrain_layer(terrain, "height"), terrain->nodata, &statistics);
    if (statistics.cell_count > 0) {
        out->low = statistics.minimum;
        out->high = statistics.maximum;
    }
    out->most_deposit = options->sediment ? most_of(terrain, "deposit") : 0.0;
    out->most_mud = options->sediment ? most_of(terrain, "sediment") : 0.0;
    const SiltField *overlay = options->overlay[0] ? silt_terrain_layer(terrain, options->overlay) : NULL;
    return overlay ? silt_scale_choose(overlay, terrain->nodata, &out->scale) : SILT_OK;
}

static void include_scale(SiltScale *scale, const SiltScale *other)
{
    if (other->high <= other->low || (other->kind == SILT_SCALE_FLAT && scale->high > scale->low))
        return;
    if (scale->high <= scale->low || scale->kind == SILT_SCALE_FLAT || other->kind != scale->kind) {
        *scale = *other;
        return;
    }
    scale->low = fmin(scale->low, other->low);
    scale->high = fmax(scale->high, other->high);
}

void silt_range_include(SiltRange *range, const SiltRange *other)
{
    range->low = fmin(range->low, other->low);
    range->high = fmax(range->high, other->high);
    range->west = fmin(range->west, other->west);
    range->east = fmax(range->east, other->east);
    range->south = fmin(range->south, other->south);
    range->north = fmax(range->north, other->north);
    if (!(range->particle_size > 0.0))
        range->particle_size = other->particle_size;
    range->most_deposit = fmax(range->most_deposit, other->most_deposit);
    range->most_mud = fmax(range->most_mud, other->most_mud);
    include_scale(&range->scale, &other->scale);
    include_scale(&range->particle_scale, &other->particle_scale);
}

double silt_snow_line(const SiltRenderOptions *options, const SiltRange *range)
{
    if (!isnan(options->snow))
        return options->snow;
    return silt_usual_snow_line(range->low, range->high);
}

static float smooth(float low, float high, float x)
{
    float t = (x - low) / (high - low);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

// Meadow, forest, heath, rock, snow: what grows thins out upwards and does not hold on steep ground.
static SiltColour land_colour(const Shade *shade, float height, float steepness)
{
    static const SiltColour by_height[] = {
        {0.52f, 0.52f, 0.38f}, {0.44f, 0.46f, 0.32f}, {0.47f, 0.47f, 0.34f},
        {0.54f, 0.51f, 0.39f}, {0.58f, 0.54f, 0.45f}, {0.58f, 0.55f, 0.50f},
    };
    static const SiltColour rock = {0.48f, 0.45f, 0.41f}, high_rock = {0.50f, 0.49f, 0.48f};
    static const SiltColour white = {0.94f, 0.95f, 0.97f};
    static const SiltColour sand = {0.74f, 0.64f, 0.48f}, red_rock = {0.62f, 0.40f, 0.27f};
    float level = shade->span > 0.0f ? (height - shade->low) / shade->span : 0.3f;
    SiltColour cover = silt_ramp(by_height, (int)(sizeof by_height / sizeof by_height[0]), level);
    SiltColour bare = silt_colour_mix(silt_colour_mix(rock, high_rock, level), red_rock, shade->arid);
    cover = silt_colour_mix(cover, sand, shade->arid);
    SiltColour ground = silt_colour_mix(cover, bare, smooth(0.50f, 0.95f, steepness));
    float edge = 0.08f * shade->span + 1.0f;
    float snow =
        smooth(shade->snow - edge, shade->snow + edge, height) * (1.0f - smooth(0.75f, 1.35f, steepness));
    return silt_colour_mix(ground, white, snow);
}

static SiltColour water_colour(SiltColour ground, float depth, float cell)
{
    static const SiltColour shallow = {0.38f, 0.56f, 0.62f}, deep = {0.10f, 0.24f, 0.36f};
    float cover = smooth(0.0f, 0.02f * cell + 0.02f, depth);
    SiltColour water = silt_colour_mix(shallow, deep, depth / (depth + 2.0f + cell));
    return silt_colour_mix(ground, water, 0.85f * cover);
}

// White snow on blue ice, which shows where it is steep.
static SiltColour ice_colour(SiltColour ground, float thick, float steepness)
{
    static const SiltColour snow = {0.93f, 0.96f, 0.99f}, blue = {0.66f, 0.80f, 0.90f};
    SiltColour ice =
        silt_colour_mix(snow, blue, smooth(0.25f, 0.9f, steepness) * smooth(15.0f, 60.0f, thick));
    return silt_colour_mix(ground, ice, smooth(4.0f, 24.0f, thick));
}

// Dark where the height crosses a multiple of the interval; about a cell and a half wide on any slope.
static float contour_line(const Shade *shade, float height, float steepness)
{
    float lines = height / shade->contour, nearest = floorf(lines + 0.5f);
    float away = fabsf(lines - nearest) * shade->contour / (steepness * (float)shade->terrain->cell + 1e-6f);
    bool heavy = fmodf(nearest, 5.0f) == 0.0f; // every fifth line
    return (1.0f - smooth(heavy ? 0.5f : 0.2f, heavy ? 1.3f : 1.0f, away)) * (heavy ? 0.75f : 0.45f);
}

// How much of what is shown all red or green.
static float part_of(float metres, double most)
{
    float part = most > 0.0 ? metres / (float)most : 0.0f;
    return part < 0.0f ? 0.0f : part < 1.0f ? part : 1.0f;
}

static SiltColour cell_colour(const Shade *shade, int i, int j, float steepness)
{
    static const SiltColour brown = {0.25f, 0.17f, 0.11f}, red = {0.66f, 0.25f, 0.18f};
    static const SiltColour green = {0.32f, 0.50f, 0.24f}, soil = {0.58f, 0.49f, 0.38f};
    float height = silt_field_at(shade->height, i, j), place = 0.0f;
    int look = shade->options->look;
    float level = shade->span > 0.0f ? (height - shade->low) / shade->span : 0.3f;
    double most_deposit = shade->range->most_deposit, most_mud = shade->range->most_mud;
    SiltColour colour = look == SILT_LOOK_SOIL   ? soil
                        : look == SILT_LOOK_GREY ? (SiltColour){0.72f, 0.72f, 0.72f}
                        : look == SILT_LOOK_TINT || look == SILT_LOOK_CONTOURS
                            ? silt_ramp_heights(level)
                            : land_colour(shade, height, steepness);
    if (shade->deposit)
        colour =
            silt_colour_mix(colour, red, 0.8f * part_of(silt_field_at(shade->deposit, i, j), most_deposit));
    if (shade->ice)
        colour = ice_colour(colour, silt_field_at(shade->ice, i, j), steepness);
    float depth = shade->water ? silt_field_at(shade->water, i, j) : 0.0f;
    if (depth > 0.0f)
        colour = water_colour(colour, depth, (float)shade->terrain->cell);
    if (depth > 0.0f && shade->sediment)
        colour =
            silt_colour_mix(colour, green, 0.8f * part_of(silt_field_at(shade->sediment, i, j), most_mud));
    if (shade->overlay) {
        place = silt_scale_place(&shade->range->scale, silt_field_at(shade->overlay, i, j));
        colour = silt_scale_colour(&shade->range->scale, place);
    }
    if (look == SILT_LOOK_CONTOURS)
        colour = silt_colour_mix(colour, brown, contour_line(shade, height, steepness));
    return colour;
}

static unsigned char channel(float value)
{
    return (unsigned char)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

// How much brighter than level ground a slope is: -1 is without light, 0 as level ground. Cartographers light
// the land from several sides, the sun's first, so that slopes turned away keep their form; and steep ones
// are drawn less steep than they are, so that light and dark do not run out.
static float relative_light(const Shade *shade, float east, float south, float lit)
{
    static const float turns[3][3] = {{1.0f, 0.0f, 0.58f}, {0.5f, 0.866f, 0.21f}, {0.5f, -0.866f, 0.21f}};
    const SiltSun *sun = &shade->sun;
    float steep = sqrtf(east * east + south * south), calm = 1.0f / (1.0f + 0.45f * steep);
    east *= calm;
    south *= calm;
    float length = sqrtf(1.0f + east * east + south * south), light = 0.0f;
    for (int k = 0; k < 3; k++) { // the sun's side, and 60 degrees to its left and right
        float c = turns[k][0], s = turns[k][1];
        float x = sun->east * c - sun->south * s, y = sun->east * s + sun->south * c;
        float facing = (-east * x - south * y + sun->up) / (length * sun->up);
        facing = facing > 0.0f ? facing : 0.0f;
        light += turns[k][2] * facing * (k == 0 ? 0.45f + 0.55f * lit : 1.0f);
    }
    return light - 1.0f;
}

static float luminance(SiltColour colour)
{
    return 0.3f * colour.r + 0.59f * colour.g + 0.11f * colour.b;
}

static void draw_cell(const Shade *shade, int i, int j, unsigned char *rgba)
{
    static const SiltColour sunlight = {1.0f, 0.99f, 0.95f};
    if (silt_terrain_is_nodata(shade->terrain, i, j)) {
        memset(rgba, 0, 4);
        return;
    }
    float east, south;
    silt_light_slope(shade->height, shade->rise, i, j, &east, &south);
    float steepness = sqrtf(east * east + south * south);
    float lit = shade->shadow ? silt_field_at(shade->shadow, i, j) : 1.0f;
    float more = relative_light(shade, east, south, lit);
    float sky = 0.72f + 0.28f * silt_field_at(shade->sky, i, j), dark = more < 0.0f ? -more : 0.0f;
    SiltColour colour = cell_colour(shade, i, j, steepness / (float)shade->options->exaggeration);
    if (shade->overlay) { // luminance alone, so that its colours are those of the legend
        float light = sky * (more < 0.0f ? 1.0f - 0.55f * dark : 1.0f + 0.35f * (more < 1.0f ? more : 1.0f));
        colour = (SiltColour){colour.r * light, colour.g * light, colour.b * light};
    } else { // bluish shade; sunlit slopes go towards white and never beyond
        float pale = more > 0.0f ? 0.42f * more / (0.6f + more) : 0.0f;
        pale = PAPER + pale * (1.0f - 0.5f * luminance(colour)) * (1.0f - PAPER);
        colour = silt_colour_mix(colour, sunlight, pale);
        colour.r *= sky * (1.0f - 0.58f * dark);
        colour.g *= sky * (1.0f - 0.55f * dark);
        colour.b *= sky * (1.0f - 0.48f * dark);
    }
    rgba[0] = channel(colour.r);
    rgba[1] = channel(colour.g);
    rgba[2] = channel(colour.b);
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

static const SiltField *layer_if(bool wanted, const SiltTerrain *terrain, const char *name)
{
    return wanted ? silt_terrain_layer(terrain, name) : NULL;
}

SiltStatus silt_hillshade(const SiltTerrain *terrain, const SiltRenderOptions *options,
                          const SiltRange *range, SiltImage *image)
{
    Shade shade = {.terrain = terrain,
                   .options = options,
                   .range = range,
                   .height = silt_terrain_layer(terrain, "height"),
                   .water = layer_if(options->water, terrain, "water"),
                   .sediment = layer_if(options->sediment, terrain, "sediment"),
                   .deposit = layer_if(options->sediment, terrain, "deposit"),
                   .ice = layer_if(options->ice, terrain, "ice"),
                   .overlay = layer_if(options->overlay[0] != '\0', terrain, options->overlay),
                   .image = image,
                   .low = (float)range->low,
                   .span = (float)(range->high - range->low),
                   .rise = (float)(options->exaggeration / terrain->cell),
                   .snow = (float)silt_snow_line(options, range),
                   .arid = (float)options->arid,
                   .contour = (float)silt_contour_interval(range->high - range->low),
                   .sun = silt_sun(options)};
    float cell = (float)terrain->cell, rise = (float)options->exaggeration;
    SiltField shadow = {0}, sky = {0};
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &sky);
    if (status == SILT_OK)
        status = silt_light_sky(shade.height, cell, rise, &sky);
    if (status == SILT_OK) // it is looked for at a few distances, which would show as edges on plains
        status = silt_field_blur(&sky, SKY_BLUR);
    if (status == SILT_OK && options->shadows)
        status = silt_field_create(terrain->width, terrain->height, &shadow);
    if (status == SILT_OK && options->shadows)
        status = silt_light_shadow(shade.height, cell, rise, shade.sun, &shadow);
    if (status == SILT_OK) {
        shade.sky = &sky;
        shade.shadow = options->shadows ? &shadow : NULL;
        silt_parallel(terrain->height, ROWS, draw_rows, &shade);
    }
    silt_field_destroy(&shadow);
    silt_field_destroy(&sky);
    return status;
}
