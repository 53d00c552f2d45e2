#include "terrain/cover.h"

#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/sky.h"

enum { BLOCK = 8 }; // cells a side: the shader looks at the third mip of its maps

SILT_INLINE float smoothstep(float low, float high, float x)
{
    float t = (x - low) / (high - low);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

SILT_INLINE float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

// ---- what lies around ----

// Water as the shader's map has it: 1/2 at a depth that the cell decides.
static float wet(const SiltCoverMap *map, int i, int j)
{
    float half = 0.1f * (float)map->terrain->cell + 0.5f;
    float depth = map->water ? silt_field_at(map->water, i, j) : 0.0f;
    return depth > 0.0f ? depth / (depth + half) : 0.0f;
}

static void block_rows(void *context, int begin, int end)
{
    SiltCoverMap *map = context;
    int width = map->height->width, height = map->height->height, rows = map->around.height / 2;
    for (int b = begin; b < end; b++)
        for (int a = 0; a < map->around.width; a++) {
            float sky = 0.0f, water = 0.0f, count = 0.0f;
            for (int j = b * BLOCK; j < (b + 1) * BLOCK && j < height; j++)
                for (int i = a * BLOCK; i < (a + 1) * BLOCK && i < width; i++) {
                    sky += silt_field_at(map->sky, i, j);
                    water += wet(map, i, j);
                    count += 1.0f;
                }
            silt_field_row(&map->around, b)[a] = sky / count;
            silt_field_row(&map->around, rows + b)[a] = water / count;
        }
}

// Straight lines between the middles of blocks; `first` is the row the map begins at.
static float around_at(const SiltCoverMap *map, int first, int i, int j)
{
    int rows = map->around.height / 2, columns = map->around.width;
    float x = ((float)i + 0.5f) / BLOCK - 0.5f, y = ((float)j + 0.5f) / BLOCK - 0.5f;
    int a = (int)floorf(x), b = (int)floorf(y);
    float s = x - (float)a, t = y - (float)b;
    int a1 = a + 1 < columns ? a + 1 : columns - 1, b1 = b + 1 < rows ? b + 1 : rows - 1;
    a = a > 0 ? a : 0;
    b = b > 0 ? b : 0;
    const float *north = silt_field_row(&map->around, first + b),
                *south = silt_field_row(&map->around, first + b1);
    return mix(mix(north[a], north[a1], s), mix(south[a], south[a1], s), t);
}

double silt_usual_snow_line(double low, double high)
{
    double relief = high - low;
    return relief > 700.0 ? low + relief * (0.72 + 0.22 * 700.0 / relief) : high + relief + 1.0;
}

SiltStatus silt_cover_begin(const SiltTerrain *terrain, double snow, double arid, const SiltField *sky,
                            SiltCoverMap *out)
{
    SiltFieldStatistics statistics;
    *out = (SiltCoverMap){.terrain = terrain,
                          .height = silt_terrain_layer(terrain, "height"),
                          .sky = sky,
                          .water = silt_terrain_layer(terrain, "water"),
                          .ice = silt_terrain_layer(terrain, "ice"),
                          .arid = (float)arid};
    silt_field_statistics(out->height, terrain->nodata, &statistics);
    double low = statistics.cell_count > 0 ? statistics.minimum : 0.0,
           high = statistics.cell_count > 0 ? statistics.maximum : 0.0, span = high > low ? high - low : 1.0;
    out->low = (float)low;
    out->over_span = (float)(1.0 / span);
    out->snow_line = (float)(((isnan(snow) ? silt_usual_snow_line(low, high) : snow) - low) / span);
    int columns = (terrain->width + BLOCK - 1) / BLOCK, rows = (terrain->height + BLOCK - 1) / BLOCK;
    SiltStatus status = silt_field_create(columns, 2 * rows, &out->around);
    if (status == SILT_OK)
        silt_parallel(rows, 2, block_rows, out);
    return status;
}

void silt_cover_end(SiltCoverMap *map)
{
    silt_field_destroy(&map->around);
}

// ---- one cell ----

SILT_INLINE float usual_pale(void)
{
    return smoothstep(0.10f, 0.90f, 0.525f); // the speckle at its mean
}

SILT_INLINE SiltCover cover_of(const SiltPlace *place)
{
    float level = place->level, steep = place->steep, north = place->north, open = place->open,
          shore = place->shore, arid = place->arid;
    float moist = 1.3f * (0.88f - open) + 0.22f * (0.5f - north) * steep - 0.55f * arid;
    float lush = smoothstep(0.15f, 0.80f, 0.95f - level + moist);
    lush *= 1.0f - 0.7f * smoothstep(0.90f, 1.0f, open) * smoothstep(0.25f, 0.65f, level);
    float trees = smoothstep(0.36f, 0.52f, 0.44f + moist - 0.5f * smoothstep(0.40f, 0.75f, level));
    float beach = shore + 0.35f * (1.0f - smoothstep(0.0f, 0.08f, level));
    beach = (beach < 0.9f ? beach : 0.9f) * (1.0f - smoothstep(0.10f, 0.35f, steep));
    float sand = 1.0f - (1.0f - 0.8f * arid * (1.0f - lush)) * (1.0f - beach);

    float holds = mix(1.10f, 0.58f, smoothstep(0.28f, 0.82f, level + 0.7f * arid));
    float bare = smoothstep(-0.10f, 0.12f, steep - holds);
    float rubble = 0.8f * smoothstep(-0.26f, -0.08f, steep - holds) * (1.0f - bare) *
                   smoothstep(0.1f, 0.5f, level + 0.5f * arid);
    float line = place->snow_line + 0.05f * north - 0.12f * (0.9f - open);
    float snow = smoothstep(-0.03f, 0.05f, level - line);
    snow *= 1.0f - smoothstep(0.66f, 0.95f, steep - 0.6f * smoothstep(line, line + 0.3f, level));
    snow = mix(snow, 1.0f, smoothstep(4.0f, 24.0f, place->ice));

    float rock = bare + (1.0f - bare) * rubble;
    SiltCover cover = {.scree = (1.0f - snow) * (1.0f - bare) * rubble,
                       .lush = lush,
                       .trees = trees * lush,
                       .level = level,
                       .pale = usual_pale()};
    cover.weights[SILT_COVER_SNOW] = snow;
    cover.weights[SILT_COVER_ROCK] = (1.0f - snow) * rock;
    cover.weights[SILT_COVER_SAND] = (1.0f - snow) * (1.0f - rock) * sand;
    cover.weights[SILT_COVER_GRASS] = (1.0f - snow) * (1.0f - rock) * (1.0f - sand);
    return cover;
}

SiltCover silt_cover_of(const SiltPlace *place)
{
    return cover_of(place);
}

// What the cells of a run are like, where it takes more than their own numbers.
typedef struct Run {
    float height[SILT_COVER_CELLS], open[SILT_COVER_CELLS], around[SILT_COVER_CELLS], shore[SILT_COVER_CELLS],
        ice[SILT_COVER_CELLS];
    float low, over_span, snow_line, arid;
} Run;

SILT_INLINE SiltPlace place_of(const Run *run, int k, float east, float south)
{
    float steep = sqrtf(east * east + south * south);
    float north = south / sqrtf(1.0f + steep * steep); // of the normal: what falls to the north faces it
    float level = (run->height[k] - run->low) * run->over_span;
    level = level < 0.0f ? 0.0f : level > 1.0f ? 1.0f : level;
    steep += 0.45f * smoothstep(0.03f, 0.12f, run->open[k] - run->around[k]);
    return (SiltPlace){.level = level,
                       .steep = steep,
                       .north = north,
                       .open = run->open[k],
                       .shore = smoothstep(0.02f, 0.30f, run->shore[k]),
                       .ice = run->ice[k],
                       .snow_line = run->snow_line,
                       .arid = run->arid};
}

static void begin_run(const SiltCoverMap *map, int i, int j, int count, Run *run)
{
    int wet_rows = map->around.height / 2;
    run->low = map->low;
    run->over_span = map->over_span;
    run->snow_line = map->snow_line;
    run->arid = map->arid;
    for (int k = 0; k < count; k++) {
        run->height[k] = silt_field_at(map->height, i + k, j);
        run->open[k] = silt_field_at(map->sky, i + k, j);
        run->around[k] = around_at(map, 0, i + k, j);
        run->shore[k] = map->water ? around_at(map, wet_rows, i + k, j) : 0.0f;
        run->ice[k] = map->ice ? silt_field_at(map->ice, i + k, j) : 0.0f;
    }
}

SILT_CLONES static void cover_run(const Run *restrict run, int count, const float *restrict slope_east,
                                  const float *restrict slope_south, SiltCoverCells *restrict out)
{
    SILT_INDEPENDENT
    for (int k = 0; k < count; k++) {
        SiltPlace place = place_of(run, k, slope_east[k], slope_south[k]);
        SiltCover cover = cover_of(&place);
        out->weights[SILT_COVER_SAND][k] = cover.weights[SILT_COVER_SAND];
        out->weights[SILT_COVER_GRASS][k] = cover.weights[SILT_COVER_GRASS];
        out->weights[SILT_COVER_ROCK][k] = cover.weights[SILT_COVER_ROCK];
        out->weights[SILT_COVER_SNOW][k] = cover.weights[SILT_COVER_SNOW];
        out->scree[k] = cover.scree;
        out->lush[k] = cover.lush;
        out->trees[k] = cover.trees;
        out->level[k] = cover.level;
    }
}

void silt_cover_cells(const SiltCoverMap *map, int i, int j, int count, const float *slope_east,
                      const float *slope_south, SiltCoverCells *out)
{
    Run run;
    begin_run(map, i, j, count, &run);
    cover_run(&run, count, slope_east, slope_south, out);
}

// ---- the shader's colours ----

static const SiltColour red_pale = {0.520f, 0.330f, 0.190f};

SILT_INLINE SiltColour stone_colour(float pale, float arid)
{
    static const SiltColour rock_dark = {0.096f, 0.086f, 0.080f}, rock_pale = {0.315f, 0.280f, 0.240f};
    static const SiltColour red_dark = {0.190f, 0.082f, 0.045f};
    return silt_colour_mix(silt_colour_mix(rock_dark, rock_pale, pale),
                           silt_colour_mix(red_dark, red_pale, 0.5f), arid);
}

SILT_INLINE SiltColour colour_of(float arid, const SiltCover *cover)
{
    static const SiltColour sand = {0.47f, 0.38f, 0.24f}, dry_grass = {0.215f, 0.180f, 0.088f};
    static const SiltColour grass = {0.094f, 0.118f, 0.036f}, forest = {0.026f, 0.044f, 0.018f};
    static const SiltColour heath = {0.168f, 0.142f, 0.090f}, scree = {0.275f, 0.248f, 0.215f};
    static const SiltColour white = {0.76f, 0.80f, 0.86f};
    const float *w = cover->weights;
    SiltColour green = silt_colour_mix(grass, forest, cover->trees);
    green = silt_colour_mix(dry_grass, green, cover->lush);
    green = silt_colour_mix(green, heath, smoothstep(0.45f, 0.80f, cover->level));
    SiltColour stone = stone_colour(cover->pale, arid);
    SiltColour gravel =
        silt_colour_mix(scree, silt_colour_mix((SiltColour){0.0f, 0.0f, 0.0f}, red_pale, 0.8f), arid);
    SiltColour dune = silt_colour_mix(sand, silt_colour_mix(sand, red_pale, 0.45f), arid);
    float bare = w[SILT_COVER_ROCK] - cover->scree;
    return (SiltColour){w[SILT_COVER_SAND] * dune.r + w[SILT_COVER_GRASS] * green.r + bare * stone.r +
                            cover->scree * gravel.r + w[SILT_COVER_SNOW] * white.r,
                        w[SILT_COVER_SAND] * dune.g + w[SILT_COVER_GRASS] * green.g + bare * stone.g +
                            cover->scree * gravel.g + w[SILT_COVER_SNOW] * white.g,
                        w[SILT_COVER_SAND] * dune.b + w[SILT_COVER_GRASS] * green.b + bare * stone.b +
                            cover->scree * gravel.b + w[SILT_COVER_SNOW] * white.b};
}

SiltColour silt_cover_colour_rock(float arid)
{
    return stone_colour(usual_pale(), arid);
}

SiltColour silt_cover_colour_at(const SiltCoverMap *map, int i, int j)
{
    float east, south;
    Run run;
    silt_light_slope(map->height, 1.0f / (float)map->terrain->cell, i, j, &east, &south);
    begin_run(map, i, j, 1, &run);
    SiltPlace place = place_of(&run, 0, east, south);
    SiltCover cover = cover_of(&place);
    return silt_cover_colour(map->arid, &cover);
}

SiltColour silt_cover_colour(float arid, const SiltCover *cover)
{
    return colour_of(arid, cover);
}

SILT_CLONES static void colour_run(float arid, const SiltCoverCells *restrict cells, int count,
                                   float *restrict red, float *restrict green, float *restrict blue)
{
    SILT_INDEPENDENT
    for (int k = 0; k < count; k++) {
        SiltCover cover = {.weights = {cells->weights[0][k], cells->weights[1][k], cells->weights[2][k],
                                       cells->weights[3][k]},
                           .scree = cells->scree[k],
                           .lush = cells->lush[k],
                           .trees = cells->trees[k],
                           .level = cells->level[k],
                           .pale = usual_pale()};
        SiltColour colour = colour_of(arid, &cover);
        red[k] = colour.r;
        green[k] = colour.g;
        blue[k] = colour.b;
    }
}

void silt_cover_colours(float arid, const SiltCoverCells *cells, int count, float out[3][SILT_COVER_CELLS])
{
    colour_run(arid, cells, count, out[0], out[1], out[2]);
}

void silt_cover_quantise(const float weights[SILT_COVER_COUNT], unsigned largest,
                         uint16_t out[SILT_COVER_COUNT])
{
    float sum = weights[0] + weights[1] + weights[2] + weights[3], lost[SILT_COVER_COUNT];
    unsigned given = 0;
    for (int k = 0; k < SILT_COVER_COUNT; k++) {
        float level = sum > 0.0f ? weights[k] / sum * (float)largest : 0.0f;
        level = level < (float)largest ? level : (float)largest;
        unsigned whole = (unsigned)level;
        whole = whole < largest - given ? whole : largest - given;
        out[k] = (uint16_t)whole;
        lost[k] = level - (float)whole;
        given += whole;
    }
    while (given < largest) {
        int most = 0;
        for (int k = 1; k < SILT_COVER_COUNT; k++)
            most = lost[k] > lost[most] ? k : most;
        out[most]++;
        lost[most] -= 1.0f;
        given++;
    }
}
