#include "erode/supply_drops.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/streams.h"
#include "physics/random.h"

static double drop_spacing(const SiltSupply *supply)
{
    double wanted = supply->params->drop_spacing, cell = supply->terrain->cell;
    return wanted > 0.0 ? fmax(wanted, cell) : 8.0 * cell;
}

static double map_cells(const SiltSupply *supply)
{
    return (double)supply->region.map_width * (double)supply->region.map_height;
}

// How many drops wet a cell at once. A step takes so many additions a cell; drops that lie so close are
// steady rain in all but name.
enum { FEW_DROPS = 256, MOST_DROPS = 4096 }; // told of from the one on, refused beyond the other

static SiltStatus look_at_overlap(const char *owner, const SiltSupply *supply)
{
    double reach = supply->drop_reach + 0.5, cells = map_cells(supply);
    double overlap = fmin(3.14159265 * reach * reach, cells) * supply->drop_count / cells;
    if (overlap > MOST_DROPS)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: %.0f drops would fall on every cell at once (drop_spacing=%g, drop_radius=%g), of %d at "
            "the most; rain_pattern=steady is rain without drops",
            owner, overlap, supply->params->drop_spacing, supply->params->drop_radius, MOST_DROPS);
    if (overlap > FEW_DROPS)
        silt_warn(
            "%s: %.0f drops fall on every cell at once, which takes long (drop_spacing=%g, drop_radius=%g)",
            owner, overlap, supply->params->drop_spacing, supply->params->drop_radius);
    return SILT_OK;
}

SiltStatus silt_drops_begin(const char *owner, SiltSupply *supply)
{
    const SiltTerrain *terrain = supply->terrain;
    if (supply->params->rain_pattern == SILT_RAIN_STEADY)
        return SILT_OK;
    double spacing = drop_spacing(supply) / terrain->cell, cells = map_cells(supply);
    double count = ceil(cells / (spacing * spacing));
    supply->drop_count = (int)fmin(fmax(count, 1.0), 1e8);
    supply->drop_reach = (int)fmin(supply->params->drop_radius / terrain->cell, 256.0);
    supply->fall = -1;
    SiltStatus status = look_at_overlap(owner, supply);
    if (status != SILT_OK)
        return status;
    size_t capacity = (size_t)supply->drop_count;
    status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->drops);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->unsorted);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)supply->region.map_height + 1, sizeof(int),
                                (void **)&supply->drop_row);
    if (status == SILT_OK && supply->has_holes)
        status = silt_alloc_for(owner, capacity, sizeof(double), (void **)&supply->drop_holes);
    return status;
}

// ---- where drops fall ----

// Columns on the map of a disc of `reach` cells around column i, `dj` rows off its centre.
typedef struct Span {
    int first, last;
} Span;

int silt_drops_half(const SiltSupply *supply, int dj)
{
    int reach = supply->drop_reach;
    return (int)sqrt((double)(reach * reach - dj * dj));
}

static Span span_of(const SiltSupply *supply, int i, int dj)
{
    int half = silt_drops_half(supply, dj);
    int last = supply->region.map_width - 1;
    return (Span){i - half > 0 ? i - half : 0, i + half < last ? i + half : last};
}

// Rows of the map that a drop around row j wets.
static Span rows_of(const SiltSupply *supply, int j)
{
    int reach = supply->drop_reach, last = supply->region.map_height - 1;
    return (Span){j - reach > 0 ? j - reach : 0, j + reach < last ? j + reach : last};
}

static int cells_of(const SiltSupply *supply, SiltDrop drop)
{
    int count = 0;
    Span rows = rows_of(supply, drop.j);
    for (int j = rows.first; j <= rows.last; j++) {
        Span span = span_of(supply, drop.i, drop.j - j);
        count += span.last - span.first + 1;
    }
    return count;
}

static const double dry = 0x1p40; // more than there are cells: a drop that falls where there is no data

// Cells of a drop that belong to the terrain and have no data.
static double holes_of(const SiltSupply *supply, SiltDrop drop)
{
    const SiltTerrain *terrain = supply->terrain;
    const SiltRegion *r = &supply->region;
    double count = 0.0;
    Span rows = rows_of(supply, drop.j);
    int north = r->j + r->north, south = r->j + terrain->height - r->south;
    int west = r->i + r->west, east = r->i + terrain->width - r->east;
    for (int j = rows.first > north ? rows.first : north; terrain->nodata && j <= rows.last && j < south;
         j++) {
        Span span = span_of(supply, drop.i, drop.j - j);
        for (int i = span.first > west ? span.first : west; i <= span.last && i < east; i++)
            if (silt_terrain_is_nodata(terrain, i - r->i, j - r->j))
                count += i == drop.i && j == drop.j ? dry : 1.0;
    }
    return count;
}

// What each cell of a drop takes of it: all that wets ground takes the same, so that none is lost over the
// border. Drops that fall where there is no data bring nothing, as steady rain does there.
static void share_some(void *context, int begin, int end)
{
    SiltSupply *supply = context;
    for (int k = begin; k < end; k++) {
        SiltDrop *drop = &supply->unsorted[k];
        double count = (double)cells_of(supply, *drop) - (supply->has_holes ? supply->drop_holes[k] : 0.0);
        drop->share = count > 0.0 ? 1.0f / (float)count : 0.0f;
    }
}

static void find_holes(void *context, int begin, int end)
{
    SiltSupply *supply = context;
    for (int k = begin; k < end; k++)
        supply->drop_holes[k] = holes_of(supply, supply->unsorted[k]);
}

static void share_out(SiltSupply *supply)
{
    if (supply->has_holes) {
        silt_parallel(supply->drop_count, 1024, find_holes, supply);
        silt_region_fold(&supply->region, SILT_FOLD_SUM, supply->drop_holes, supply->drop_count);
    }
    silt_parallel(supply->drop_count, 1024, share_some, supply);
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
    int width = supply->region.map_width, height = supply->region.map_height;
    SiltDrop drop = {.i = (int)(x * width), .j = (int)(y * height)};
    drop.i = drop.i < width ? drop.i : width - 1;
    drop.j = drop.j < height ? drop.j : height - 1;
    return drop;
}

typedef struct DrawJob {
    SiltSupply *supply;
    int64_t fall;
} DrawJob;

static void draw_some(void *context, int begin, int end)
{
    const DrawJob *job = context;
    for (int k = begin; k < end; k++)
        job->supply->unsorted[k] = drop_at(job->supply, k, job->fall);
}

// Drops sorted by row, in the order of their numbers within a row.
static void draw_drops(SiltSupply *supply, int64_t fall)
{
    int height = supply->region.map_height;
    for (int j = 0; j <= height; j++)
        supply->drop_row[j] = 0;
    DrawJob job = {supply, fall};
    silt_parallel(supply->drop_count, 1024, draw_some, &job);
    for (int k = 0; k < supply->drop_count; k++)
        supply->drop_row[supply->unsorted[k].j + 1]++;
    share_out(supply);
    for (int j = 0; j < height; j++)
        supply->drop_row[j + 1] += supply->drop_row[j];
    for (int k = supply->drop_count - 1; k >= 0;
         k--) // from the back: the ends of the rows become their beginnings
        supply->drops[--supply->drop_row[supply->unsorted[k].j + 1]] = supply->unsorted[k];
    for (int j = 0; j < height; j++) // now entry j + 1 holds where row j begins
        supply->drop_row[j] = supply->drop_row[j + 1];
    supply->drop_row[height] = supply->drop_count;
    supply->fall = fall;
    supply->draws++;
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
    double middle = time + 0.5 * dt; // a step longer than the interval has the drops of its middle
    int64_t fall = (int64_t)fmin(middle / supply->params->drop_interval, 1e18);
    fall -= fall > 0 && fall_time(supply, fall) > middle;
    if (fall != supply->fall)
        draw_drops(supply, fall);
    supply->drop_time = (float)(dt * map_cells(supply) / (double)supply->drop_count);
}

// ---- rows ----

// Every drop spreads evenly over its cells, and each takes the rain of its own place.
void silt_drops_row(const SiltSupply *supply, int j, const float *ground, float *depth)
{
    int width = supply->terrain->width, west = supply->region.i, map_j = supply->region.j + j;
    for (int i = 0; i < width; i++)
        depth[i] = 0.0f;
    Span rows = rows_of(supply, map_j);
    for (int k = supply->drop_row[rows.first]; k < supply->drop_row[rows.last + 1]; k++) {
        const SiltDrop *drop = &supply->drops[k];
        Span span = span_of(supply, drop->i, drop->j - map_j);
        int first = span.first - west > 0 ? span.first - west : 0;
        for (int i = first; i <= span.last - west && i < width; i++)
            depth[i] += silt_supply_rain(supply, i, j, ground) * supply->drop_time * drop->share;
    }
}
