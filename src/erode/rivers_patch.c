// Slides: ground that is too steep comes down in patches, many small ones and few large ones, each at some
// time of its own. Half as wide is 2^1.8 times as frequent (landslides of area A or more are as many as
// A^-1.4 says or less, Malamud et al. 2004), so that all of the land fails about once in slide_time and most
// of it in small slides. Patches are ellipses, drawn by seed in metres, and come down most in their middle;
// those of a few cells fail evenly.
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/streams.h"
#include "erode/rivers.h"
#include "physics/random.h"

enum { SIZES = 6, BAND = 64 }; // each twice as wide as the one before; rows in one go

static const double least_cells = 4.0; // a smaller slide is a furrow, as narrow as the grid allows
static const double rarer = 0.57;      // share of the land that slides of twice the width take: 2^-0.8

typedef struct Patches {
    Rivers *rivers;
    double radius[SIZES]; // m; 0: too small to be drawn
    float chance[SIZES];  // of a slide in a square as wide as it is
    silt_u32 step;
} Patches;

// The direction of the slope around a place, in cells; false where it is off the map, or level.
static bool point_down(const Rivers *rivers, double x, double y, double *u, double *v)
{
    int width = rivers->terrain->width, height = rivers->terrain->height;
    if (!(x >= 2.0 && y >= 2.0 && x < width - 2.0 && y < height - 2.0))
        return false;
    const double *at = rivers->next + (size_t)y * (size_t)width + (size_t)x;
    double fall_x = at[-2] - at[2], fall_y = at[-2 * (ptrdiff_t)width] - at[2 * (ptrdiff_t)width];
    double fall = sqrt(fall_x * fall_x + fall_y * fall_y);
    *u = fall > 0.0 ? fall_x / fall : 1.0;
    *v = fall > 0.0 ? fall_y / fall : 0.0;
    return fall > 0.0;
}

// One of the squares that the map is laid out with, and the slide that may begin in it.
static void stamp(const Patches *patches, int size, int64_t column, int64_t row, int begin, int end)
{
    const SiltTerrain *terrain = patches->rivers->terrain;
    uint64_t index = (uint64_t)size << 56 | (uint64_t)row << 28 | (uint64_t)column;
    SiltRandom draw = silt_random(patches->rivers->seed, SILT_STREAM_SLIDES, index, patches->step);
    if (!(silt_uniform(draw.word[0]) < patches->chance[size]))
        return;
    double radius = patches->radius[size] / terrain->cell, side = 2.0 * radius;
    double x = ((double)column + (double)silt_uniform(draw.word[1])) * side;
    double y = ((double)row + (double)silt_uniform(draw.word[2])) * side;
    double u, v, longer = 2.0 * radius, over_long = 1.0 / longer, over_short = 2.0 / radius;
    if (!point_down(patches->rivers, x, y, &u, &v))
        return;
    int top = (int)ceil(y - longer), bottom = (int)floor(y + longer);
    int left = (int)ceil(x - longer), right = (int)floor(x + longer);
    for (int j = top > begin ? top : begin; j <= bottom && j < end; j++)
        for (int i = left > 0 ? left : 0; i <= right && i < terrain->width; i++) {
            double along = ((i - x) * u + (j - y) * v) * over_long;
            double across = ((j - y) * u - (i - x) * v) * over_short;
            double rim = 1.0 - (along * along + across * across); // a bowl, deepest in the middle
            uint8_t *fails = &patches->rivers->fails[(size_t)j * (size_t)terrain->width + (size_t)i];
            double share = rim > 0.0 ? rim * (2.0 - rim) * 255.0 : 0.0;
            *fails = share > (double)*fails ? (uint8_t)share : *fails;
        }
}

static void stamp_bands(void *context, int first, int last)
{
    const Patches *patches = context;
    const SiltTerrain *terrain = patches->rivers->terrain;
    int begin = first * BAND, end = last * BAND < terrain->height ? last * BAND : terrain->height;
    size_t width = (size_t)terrain->width;
    memset(patches->rivers->fails + (size_t)begin * width, 0, (size_t)(end - begin) * width);
    for (int size = 0; size < SIZES; size++) {
        double side = 2.0 * patches->radius[size] / terrain->cell; // cells of a square
        if (!(side > 0.0))
            continue;
        int64_t from = (int64_t)(begin / side) - 2, to = (int64_t)(end / side) + 2;
        int64_t columns = (int64_t)(terrain->width / side) + 1;
        for (int64_t row = from > 0 ? from : 0; row <= to; row++)
            for (int64_t column = 0; column <= columns; column++)
                stamp(patches, size, column, row, begin, end);
    }
}

float silt_rivers_draw_slides(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    double share = rivers->dt / (rivers->dt + params->slide_time), weight = 1.0, all = 0.0, even = 0.0;
    double smallest = params->slide_size / (1 << (SIZES - 1));
    Patches patches = {.rivers = rivers, .step = (silt_u32)(int64_t)(rivers->time / params->step + 0.5)};
    if (!(params->slide_size > 0.0) || share >= 1.0) {
        silt_parallel((rivers->terrain->height + BAND - 1) / BAND, 1, stamp_bands, &patches);
        return (float)share;
    }
    for (int size = 0; size < SIZES; size++, weight *= rarer)
        all += weight;
    weight = 1.0;
    for (int size = 0; size < SIZES; size++, weight *= rarer) {
        double radius = 0.5 * smallest * (1 << size), part = share * weight / all;
        bool drawn = radius > least_cells * rivers->terrain->cell;
        patches.radius[size] = drawn ? radius : 0.0;
        patches.chance[size] = (float)(part * 4.0 / 3.14159265358979); // of the square the slide takes pi / 4
        even += drawn ? 0.0 : part;
    }
    silt_parallel((rivers->terrain->height + BAND - 1) / BAND, 1, stamp_bands, &patches);
    return (float)even;
}
