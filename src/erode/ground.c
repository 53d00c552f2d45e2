#include "erode/ground.h"

#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "erode/ground_rows.h"
#include "grid/region.h"

double silt_ground_height(const SiltGround *ground, int i, int j)
{
    double before = ground->before ? (double)silt_field_at(ground->before, i, j) : 0.0;
    return (double)silt_field_at(ground->height, i, j) + before;
}

static int32_t whole(double grains)
{
    return (int32_t)floor(fmin(fmax(grains, -0x1p30), 0x1p30) + 0.5);
}

int32_t silt_ground_grains(const SiltGround *ground, int i, int j)
{
    return whole((silt_ground_height(ground, i, j) - ground->low) / ground->grain);
}

int32_t silt_ground_layer_grains(const SiltGround *ground, const SiltField *layer, int i, int j)
{
    return layer ? whole(fmax((double)silt_field_at(layer, i, j), 0.0) / ground->grain) : 0;
}

// How many grains each cell of a row has gained since the run found it, in metres, besides what it had gained
// before.
SILT_CLONES static void gain_cells(const float *restrict height, const float *restrict before,
                                   const int32_t *restrict grains, double low, double per_grain, double grain,
                                   int count, float *restrict out)
{
    for (int i = 0; i < count; i++) {
        double had = before ? (double)before[i] : 0.0;
        out[i] = silt_gained_metres((double)height[i], had, grains[i], low, per_grain, grain);
    }
}

SILT_CLONES static void count_cells(const float *restrict height, const float *restrict before, double low,
                                    double per_grain, int count, int32_t *restrict out)
{
    for (int i = 0; i < count; i++) {
        double had = before ? (double)before[i] : 0.0;
        out[i] = (int32_t)silt_found_grains((double)height[i], had, low, per_grain);
    }
}

void silt_ground_grains_row(const SiltGround *ground, int j, int32_t *out)
{
    count_cells(silt_field_row(ground->height, j), ground->before ? silt_field_row(ground->before, j) : NULL,
                ground->low, 1.0 / ground->grain, ground->height->width, out);
}

void silt_ground_change_row(const SiltGround *ground, const int32_t *grains, int j, int begin, int end,
                            float *out)
{
    const float *height = silt_field_row(ground->height, j) + begin;
    const float *before = ground->before ? silt_field_row(ground->before, j) + begin : NULL;
    gain_cells(height, before, grains + begin, ground->low, 1.0 / ground->grain, ground->grain, end - begin,
               out + begin);
}

SILT_CLONES static void lay_cells(const float *restrict height, const float *restrict before,
                                  const int32_t *restrict grains, const int32_t *restrict worn, double low,
                                  double per_grain, double grain, int count, float *restrict out)
{
    for (int i = 0; i < count; i++) {
        double had = before ? (double)before[i] : 0.0;
        double found = silt_found_grains((double)height[i], had, low, per_grain);
        out[i] = (float)(((double)worn[i] + ((double)grains[i] - found)) * grain);
    }
}

void silt_ground_laid_row(const SiltGround *ground, const int32_t *grains, const int32_t *worn, int j,
                          int begin, int end, float *out)
{
    const float *height = silt_field_row(ground->height, j) + begin;
    const float *before = ground->before ? silt_field_row(ground->before, j) + begin : NULL;
    lay_cells(height, before, grains + begin, worn + begin, ground->low, 1.0 / ground->grain, ground->grain,
              end - begin, out + begin);
}

static double sum_rows(void *context, int begin, int end)
{
    const SiltGround *ground = context;
    const SiltTerrain *terrain = ground->terrain;
    SiltRegion region = silt_region_of(terrain);
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j) &&
                silt_region_owns(&region, terrain->width, terrain->height, i, j))
                sum += silt_ground_height(ground, i, j);
    return sum;
}

double silt_ground_sum(const SiltGround *ground)
{
    SiltRegion region = silt_region_of(ground->terrain);
    double sum = silt_parallel_sum(ground->terrain->height, sum_rows, (void *)(uintptr_t)ground);
    silt_region_fold(&region, SILT_FOLD_SUM, &sum, 1);
    return sum;
}

// What the heights span, found in fixed blocks.
typedef struct Span {
    const SiltGround *ground;
    const SiltField *deposit, *water;
    int grain;
    double low[SILT_REDUCE_BLOCKS], high[SILT_REDUCE_BLOCKS];
    double top[SILT_REDUCE_BLOCKS];     // of the water
    double deepest[SILT_REDUCE_BLOCKS]; // deposit
    bool bad[SILT_REDUCE_BLOCKS];
} Span;

static double layer_at(const SiltField *layer, int i, int j)
{
    return layer ? (double)silt_field_at(layer, i, j) : 0.0;
}

static void span_rows(void *context, int begin, int end)
{
    Span *span = context;
    const SiltTerrain *terrain = span->ground->terrain;
    double low = INFINITY, high = -INFINITY, top = -INFINITY, deepest = 0.0;
    bool bad = false;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            double height = silt_ground_height(span->ground, i, j);
            double deposit = layer_at(span->deposit, i, j), water = layer_at(span->water, i, j);
            low = height < low ? height : low;
            high = height > high ? height : high;
            top = height + water > top ? height + water : top;
            deepest = deposit > deepest ? deposit : deepest;
            bad = bad || !isfinite(height) || !isfinite(deposit) || !isfinite(water);
        }
    int block = begin / span->grain;
    span->low[block] = low;
    span->high[block] = high;
    span->top[block] = top;
    span->deepest[block] = deepest;
    span->bad[block] = bad;
}

static SiltStatus choose_grain(const char *owner, double headroom, SiltGround *ground)
{
    const SiltTerrain *terrain = ground->terrain;
    Span span = {.ground = ground,
                 .deposit = silt_terrain_layer(terrain, "deposit"),
                 .water = silt_terrain_layer(terrain, "water"),
                 .grain = silt_reduce_span(terrain->height)};
    silt_parallel(terrain->height, span.grain, span_rows, &span);
    double low = INFINITY, high = -INFINITY, top = -INFINITY, deepest = 0.0, bad = 0.0;
    for (int block = 0; block * span.grain < terrain->height; block++) {
        bad = span.bad[block] ? 1.0 : bad;
        low = fmin(low, span.low[block]);
        high = fmax(high, span.high[block]);
        top = fmax(top, span.top[block]);
        deepest = fmax(deepest, span.deepest[block]);
    }
    SiltRegion region = silt_region_of(terrain);
    double of_map[] = {bad, -low, high, top, deepest};
    silt_region_fold(&region, SILT_FOLD_MOST, of_map, 5);
    low = -of_map[1];
    high = of_map[2];
    top = of_map[3];
    deepest = of_map[4];
    if (of_map[0] > 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the terrain has heights or depths that are not finite",
                         owner);
    if (low > high)
        low = high = top = 0.0; // no cell has data
    int exponent;
    frexp(fmax(fmax(fmax(high, top) - low + headroom, deepest), 1e-6), &exponent);
    ground->grain = ldexp(1.0, exponent - 30);
    ground->low = low;
    ground->high = high;
    return SILT_OK;
}

SiltStatus silt_ground_begin(const char *owner, const SiltTerrain *terrain, double headroom,
                             SiltField *before, SiltGround *out)
{
    *out = (SiltGround){.terrain = terrain, .height = &terrain->layers[0]->field};
    const SiltField *change = silt_terrain_layer(terrain, "change");
    if (change) {
        SiltStatus status = silt_field_create(terrain->width, terrain->height, before);
        if (status != SILT_OK)
            return status;
        silt_field_copy(change, before);
        out->before = before;
    }
    return choose_grain(owner, headroom, out);
}

int32_t silt_ground_edit(const SiltGround *ground, int i, int j, float metres, int32_t least, int32_t most)
{
    float *height = &silt_field_row(ground->height, j)[i], before = *height;
    int32_t old = silt_ground_grains(ground, i, j);
    *height = before + metres;
    int32_t gained = silt_ground_grains(ground, i, j) - old;
    if (gained < least || gained > most) {
        *height = before + (float)((gained < least ? least : most) * ground->grain);
        gained = silt_ground_grains(ground, i, j) - old;
    }
    if (gained < least || gained > most) { // the bound lies between two floats
        *height = before;
        gained = 0;
    }
    return gained;
}

bool silt_ground_can_edit(const SiltGround *ground, int i, int j, float metres, int32_t now, int32_t least,
                          int32_t most)
{
    double found =
        floor((silt_ground_height(ground, i, j) + (double)metres - ground->low) / ground->grain + 0.5);
    double then = (double)now + found - (double)silt_ground_grains(ground, i, j);
    return then >= (double)least && then <= (double)most && found > -0x1p30 && found < 0x1p30;
}

SiltStatus silt_ground_resume(const char *owner, SiltGround *ground, const SiltField *before)
{
    int exponent;
    ground->before = before->data ? before : NULL;
    if (frexp(ground->grain, &exponent) != 0.5 || exponent < -60 || exponent > 0 ||
        !(ground->low <= ground->high))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: its ground has grains of %g m",
                         owner, ground->grain);
    return SILT_OK;
}
