#include "erode/supply_drops.h"

#include <math.h>

#include "core/memory.h"
#include "core/streams.h"
#include "physics/random.h"

static double drop_spacing(const SiltSupply *supply)
{
    double wanted = supply->params->drop_spacing, cell = supply->terrain->cell;
    return wanted > 0.0 ? fmax(wanted, cell) : 8.0 * cell;
}

SiltStatus silt_drops_begin(const char *owner, SiltSupply *supply)
{
    const SiltTerrain *terrain = supply->terrain;
    if (supply->params->rain_pattern == SILT_RAIN_STEADY)
        return SILT_OK;
    double spacing = drop_spacing(supply) / terrain->cell;
    double count = ceil((double)terrain->width * (double)terrain->height / (spacing * spacing));
    supply->drop_count = (int)fmin(fmax(count, 1.0), 1e8);
    supply->drop_reach = (int)fmin(supply->params->drop_radius / terrain->cell, 256.0);
    supply->fall = -1;
    size_t capacity = (size_t)supply->drop_count;
    SiltStatus status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->drops);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->unsorted);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)terrain->height + 1, sizeof(int), (void **)&supply->drop_row);
    return status;
}

// ---- where drops fall ----

// Columns on the map of a disc of `reach` cells around column i, `dj` rows off its centre.
typedef struct Span {
    int first, last;
} Span;

static Span span_of(const SiltSupply *supply, int i, int dj)
{
    int reach = supply->drop_reach, half = (int)sqrt((double)(reach * reach - dj * dj));
    int last = supply->terrain->width - 1;
    return (Span){i - half > 0 ? i - half : 0, i + half < last ? i + half : last};
}

// What each cell of a drop takes of it: all that wets ground takes the same, so that none is lost over the
// border. Drops that fall where there is no data bring nothing, as steady rain does there.
static float share_of(const SiltSupply *supply, SiltDrop drop)
{
    const SiltTerrain *terrain = supply->terrain;
    int reach = supply->drop_reach, height = terrain->height, count = 0;
    if (silt_terrain_is_nodata(terrain, drop.i, drop.j))
        return 0.0f;
    int first = drop.j - reach > 0 ? drop.j - reach : 0;
    int last = drop.j + reach < height - 1 ? drop.j + reach : height - 1;
    for (int j = first; j <= last; j++) {
        Span span = span_of(supply, drop.i, drop.j - j);
        count += span.last - span.first + 1;
        for (int i = span.first; terrain->nodata && i <= span.last; i++)
            count -= silt_terrain_is_nodata(terrain, i, j);
    }
    return 1.0f / (float)count;
}

// The binary digits of `index` mirrored behind the point: one coordinate of the Hammersley set.
static double mirrored(uint32_t index)
{
    double value = 0.0, digit = 0.5;
    for (; index; index >>= 1, digit *= 0.5)
        value += (index & 1) ? digit : 0.0;
    return value;
}

// Drop k of fall `fall`. The Hammersley set is shifted from fall to fall, so that all cells get their turn.
static SiltDrop drop_at(const SiltSupply *supply, int k, int64_t fall)
{
    bool even = supply->params->rain_pattern == SILT_RAIN_HAMMERSLEY;
    SiltRandom random =
        silt_random(supply->seed, SILT_STREAM_RAIN, even ? UINT64_MAX : (uint64_t)k, (uint32_t)fall);
    double x = silt_uniform(random.word[0]), y = silt_uniform(random.word[1]);
    if (even) {
        x += ((double)k + 0.5) / supply->drop_count;
        y += mirrored((uint32_t)k);
        x -= floor(x);
        y -= floor(y);
    }
    int width = supply->terrain->width, height = supply->terrain->height;
    SiltDrop drop = {.i = (int)(x * width), .j = (int)(y * height)};
    drop.i = drop.i < width ? drop.i : width - 1;
    drop.j = drop.j < height ? drop.j : height - 1;
    drop.share = share_of(supply, drop);
    return drop;
}

// Drops sorted by row, in the order of their numbers within a row.
static void draw_drops(SiltSupply *supply, int64_t fall)
{
    int height = supply->terrain->height;
    for (int j = 0; j <= height; j++)
        supply->drop_row[j] = 0;
    for (int k = 0; k < supply->drop_count; k++) {
        supply->unsorted[k] = drop_at(supply, k, fall);
        supply->drop_row[supply->unsorted[k].j + 1]++;
    }
    for (int j = 0; j < height; j++)
        supply->drop_row[j + 1] += supply->drop_row[j];
    for (int k = supply->drop_count - 1; k >= 0;
         k--) // from the back: the ends of the rows become their beginnings
        supply->drops[--supply->drop_row[supply->unsorted[k].j + 1]] = supply->unsorted[k];
    for (int j = 0; j < height; j++) // now entry j + 1 holds where row j begins
        supply->drop_row[j] = supply->drop_row[j + 1];
    supply->drop_row[height] = supply->drop_count;
    supply->fall = fall;
}

// ---- when ----

// When fall `fall` begins, and the one before ends.
static double fall_time(const SiltSupply *supply, int64_t fall)
{
    SiltRandom random = silt_random(supply->seed, SILT_STREAM_RAIN, UINT64_MAX - 1, (uint32_t)fall);
    double late = fall > 0 ? supply->params->drop_jitter * (double)silt_uniform(random.word[0]) : 0.0;
    return ((double)fall + late) * supply->params->drop_interval;
}

void silt_drops_fall(SiltSupply *supply, double time, double dt)
{
    const SiltTerrain *terrain = supply->terrain;
    double middle = time + 0.5 * dt; // a step longer than the interval has the drops of its middle
    int64_t fall = (int64_t)fmin(middle / supply->params->drop_interval, 1e18);
    fall -= fall > 0 && fall_time(supply, fall) > middle;
    if (fall != supply->fall)
        draw_drops(supply, fall);
    double cells = (double)terrain->width * (double)terrain->height;
    supply->drop_time = (float)(dt * cells / (double)supply->drop_count);
}

// ---- rows ----

// Every drop spreads evenly over its cells, and each takes the rain of its own place.
void silt_drops_row(const SiltSupply *supply, int j, const float *ground, float *depth)
{
    int width = supply->terrain->width, height = supply->terrain->height;
    int reach = supply->drop_reach;
    for (int i = 0; i < width; i++)
        depth[i] = 0.0f;
    int first = j - reach > 0 ? j - reach : 0, last = j + reach < height - 1 ? j + reach : height - 1;
    for (int k = supply->drop_row[first]; k < supply->drop_row[last + 1]; k++) {
        const SiltDrop *drop = &supply->drops[k];
        Span span = span_of(supply, drop->i, drop->j - j);
        for (int i = span.first; i <= span.last; i++)
            depth[i] += silt_supply_rain(supply, i, j, ground) * supply->drop_time * drop->share;
    }
}
