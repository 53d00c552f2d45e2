// The steps of `thermal`, several in one pass over memory: the grid is cut into tiles that fit the cache with
// a halo, and a tile takes all its steps before the next one is loaded. A step eats as much of the halo as it
// looks around, so the inner part stays right; all numbers are whole, so it is the same as step by step.
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "erode/thermal.h"
#include "physics/thermal_cell.h"

enum {
    CORE_COLUMNS = 256,
    CORE_ROWS = 96,
    HALO = 2 * THERMAL_LEAP, // a step looks one cell around, two where the rates differ
    STRIDE = CORE_COLUMNS + 2 * HALO,
    ROWS = CORE_ROWS + 2 * HALO,
    CELLS = STRIDE * ROWS + 144, // arrays that do not begin at the same place of a page
};

struct ThermalTile {
    int32_t ground[2][CELLS]; // before and after a step
    int32_t bed[CELLS];
    int32_t risen[CELLS];
    int32_t open[CELLS];      // -1, or 0 where there is no data and beyond the edge
    float rate[CELLS];        // of each cell in this step
    float erodibility[CELLS]; // of the rock, without the strata
    float elevation[STRIDE];  // of the bed, one row
    float mixed[STRIDE];      // erodibility with the strata, one row
};

SiltStatus thermal_tiles_create(Thermal *thermal)
{
    thermal->tile_count = silt_threads();
    void *tiles;
    SiltStatus status =
        silt_alloc_for("erode thermal", (size_t)thermal->tile_count, sizeof(ThermalTile), &tiles);
    thermal->tiles = tiles;
    return status;
}

void thermal_tiles_destroy(Thermal *thermal)
{
    silt_free(thermal->tiles);
}

// What is the same in all cells of a step.
typedef struct Slope {
    int32_t straight, diagonal; // talus in grains
    float diagonal_weight;
    float rate, height_factor;
} Slope;

enum { N = -STRIDE, S = STRIDE, W = -1, E = 1 };

// Which of the loops below: constants to the compiler, once each.
typedef struct Kind {
    bool walls, mobile, eight;
} Kind;

SILT_INLINE int32_t gain(const int32_t *ground, const int32_t *open, const float *rate, int i, int to,
                         int32_t talus, float weight, float same, Kind kind)
{
    return thermal_gain(ground[i], ground[i + to], kind.walls ? open[i + to] : -1, talus, weight,
                        kind.mobile ? rate[i] : same, kind.mobile ? rate[i + to] : same);
}

SILT_INLINE void slide(const int32_t *restrict ground, const int32_t *restrict open,
                       const float *restrict rate, int32_t *restrict after, int32_t *restrict bed,
                       int32_t *restrict risen, int count, Slope slope, Kind kind)
{
    static const int diagonal[4] = {N + W, N + E, S + W, S + E}, straight[4] = {N, S, W, E};
    for (int i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int k = 0; k < 4; k++)
            sum += gain(ground, open, rate, i, diagonal[k], slope.diagonal, slope.diagonal_weight, slope.rate,
                        kind);
        for (int k = 0; kind.eight && k < 4; k++)
            sum += gain(ground, open, rate, i, straight[k], slope.straight, 1.0f, slope.rate, kind);
        sum &= kind.walls ? open[i] : -1;
        int32_t height = ground[i] + sum, rock = bed[i];
        after[i] = height;
        bed[i] = height < rock ? height : rock;
        risen[i] += sum > 0 ? sum : 0;
    }
}

SILT_INLINE int32_t loss(const int32_t *ground, const int32_t *open, int i, int to, int32_t talus,
                         float weight, float rate, Kind kind)
{
    int32_t gained =
        thermal_gain(ground[i], ground[i + to], kind.walls ? open[i + to] : -1, talus, weight, rate, rate);
    return gained < 0 ? -gained : 0;
}

SILT_INLINE void find_rates(const int32_t *restrict ground, const int32_t *restrict open,
                            const int32_t *restrict bed, const float *restrict erodibility,
                            float *restrict rate, int count, Slope slope, Kind kind)
{
    static const int diagonal[4] = {N + W, N + E, S + W, S + E}, straight[4] = {N, S, W, E};
    for (int i = 0; i < count; i++) {
        int32_t wanted = 0;
        for (int k = 0; k < 4; k++)
            wanted +=
                loss(ground, open, i, diagonal[k], slope.diagonal, slope.diagonal_weight, slope.rate, kind);
        for (int k = 0; kind.eight && k < 4; k++)
            wanted += loss(ground, open, i, straight[k], slope.straight, 1.0f, slope.rate, kind);
        float full = slope.rate * thermal_height_factor(ground[i], slope.height_factor);
        rate[i] = thermal_rate(wanted, ground[i] - bed[i], erodibility[i], full);
    }
}

// `at` is the first of `count` cells of a row.
SILT_CLONES static void slide_row(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind)
{
#define SLIDE(walls, mobile, eight)                                                                          \
    slide(t->ground[now] + at, t->open + at, t->rate + at, t->ground[1 - now] + at, t->bed + at,             \
          t->risen + at, count, slope, (Kind){walls, mobile, eight})
    if (kind.walls && kind.mobile && kind.eight)
        SLIDE(true, true, true);
    else if (kind.walls && kind.mobile)
        SLIDE(true, true, false);
    else if (kind.walls && kind.eight)
        SLIDE(true, false, true);
    else if (kind.walls)
        SLIDE(true, false, false);
    else if (kind.mobile && kind.eight)
        SLIDE(false, true, true);
    else if (kind.mobile)
        SLIDE(false, true, false);
    else if (kind.eight)
        SLIDE(false, false, true);
    else
        SLIDE(false, false, false);
#undef SLIDE
}

SILT_CLONES static void rate_row(ThermalTile *t, int now, size_t at, int count, const float *erodibility,
                                 Slope slope, Kind kind)
{
#define RATES(walls, eight)                                                                                  \
    find_rates(t->ground[now] + at, t->open + at, t->bed + at, erodibility, t->rate + at, count, slope,      \
               (Kind){walls, true, eight})
    if (kind.walls && kind.eight)
        RATES(true, true);
    else if (kind.walls)
        RATES(true, false);
    else if (kind.eight)
        RATES(false, true);
    else
        RATES(false, false);
#undef RATES
}

// A tile's place: the scratch holds `columns` x `rows` cells from (left, top) of the grid on.
typedef struct Place {
    int core_i, core_j, core_columns, core_rows, halo;
    int left, top, columns, rows;
    bool walls;
} Place;

static Place find_place(const Thermal *thermal, int index, int halo)
{
    int width = thermal->ground.width, height = thermal->ground.height;
    int across = (width - 1) / CORE_COLUMNS + 1;
    Place place = {
        .core_i = index % across * CORE_COLUMNS, .core_j = index / across * CORE_ROWS, .halo = halo};
    place.core_columns = width - place.core_i < CORE_COLUMNS ? width - place.core_i : CORE_COLUMNS;
    place.core_rows = height - place.core_j < CORE_ROWS ? height - place.core_j : CORE_ROWS;
    place.left = place.core_i - halo;
    place.top = place.core_j - halo;
    place.columns = place.core_columns + 2 * halo;
    place.rows = place.core_rows + 2 * halo;
    place.walls = place.left < 0 || place.top < 0 || place.left + place.columns > width ||
                  place.top + place.rows > height || thermal->origin.terrain->nodata;
    return place;
}

static void load_row(const Thermal *thermal, ThermalTile *tile, const Place *place, int row)
{
    int width = thermal->ground.width, j = place->top + row;
    bool outside = j < 0 || j >= thermal->ground.height;
    int from = place->left < 0 ? -place->left : 0; // columns of the scratch that lie on the grid
    int to = place->left + place->columns > width ? width - place->left : place->columns;
    if (outside)
        to = from = 0;
    size_t at = (size_t)row * STRIDE, bytes = (size_t)(to - from) * sizeof(int32_t);
    int i = place->left + from;
    if (place->walls) {
        memset(tile->open + at, 0, (size_t)place->columns * sizeof(int32_t));
        memset(tile->ground[0] + at, 0, (size_t)place->columns * sizeof(int32_t));
        memset(tile->bed + at, 0, (size_t)place->columns * sizeof(int32_t));
        for (int k = from; k < to; k++)
            tile->open[at + (size_t)k] =
                silt_terrain_is_nodata(thermal->origin.terrain, i + k - from, j) ? 0 : -1;
    }
    if (outside)
        return;
    at += (size_t)from;
    memcpy(tile->ground[0] + at, silt_grains_row(&thermal->ground, j) + i, bytes);
    memcpy(tile->bed + at, silt_grains_row(&thermal->bed, j) + i, bytes);
    if (!thermal->mobile)
        return;
    const float *layer = thermal->erodibility ? silt_field_row(thermal->erodibility, j) + i : NULL;
    for (int k = 0; k < to - from; k++)
        tile->erodibility[at + (size_t)k] =
            layer ? silt_clampf(thermal->rock * layer[k], 0.0f, 1.0f) : thermal->rock;
}

SILT_CLONES static void add_risen(uint32_t *restrict total, const int32_t *restrict more, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t sum = total[i] + (uint32_t)more[i];
        total[i] = sum < total[i] ? UINT32_MAX : sum;
    }
}

static void store_tile(Thermal *thermal, const ThermalTile *tile, const Place *place, int now)
{
    size_t bytes = (size_t)place->core_columns * sizeof(int32_t);
    for (int row = 0; row < place->core_rows; row++) {
        int i = place->core_i, j = place->core_j + row;
        size_t at = (size_t)(row + place->halo) * STRIDE + (size_t)place->halo;
        memcpy(silt_grains_row(&thermal->next_ground, j) + i, tile->ground[now] + at, bytes);
        memcpy(silt_grains_row(&thermal->next_bed, j) + i, tile->bed + at, bytes);
        add_risen((uint32_t *)silt_grains_row(&thermal->risen, j) + i, tile->risen + at, place->core_columns);
    }
}

// The erodibility of `count` cells from `column` on. The rock that counts is the bed, not what covers it.
static const float *row_erodibility(const Thermal *thermal, ThermalTile *tile, const Place *place, int row,
                                    int column, int count)
{
    const float *plain = tile->erodibility + row * STRIDE + column;
    if (thermal->strata.count == 0)
        return plain;
    const int32_t *bed = tile->bed + row * STRIDE + column;
    float low = (float)thermal->origin.low, grain = (float)thermal->origin.grain;
    for (int k = 0; k < count; k++)
        tile->elevation[k] = low + (float)bed[k] * grain;
    silt_strata_row(&thermal->strata, place->left + column, place->top + row, count, tile->elevation,
                    tile->mixed);
    for (int k = 0; k < count; k++)
        tile->mixed[k] = silt_minf(tile->mixed[k] * plain[k], 1.0f);
    return tile->mixed;
}

static void slide_tile(Thermal *thermal, ThermalTile *tile, int index, int steps, float rate)
{
    int reach = thermal->mobile ? 2 : 1;
    Place place = find_place(thermal, index, steps * reach);
    for (int row = 0; row < place.rows; row++) {
        load_row(thermal, tile, &place, row);
        memset(tile->risen + (size_t)row * STRIDE, 0, (size_t)place.columns * sizeof(int32_t));
    }
    Slope slope = {thermal->talus[0], thermal->talus[1], thermal->eight ? 0.5f : 1.0f, rate,
                   thermal->height_factor};
    Kind kind = {place.walls, thermal->mobile, thermal->eight};
    for (int step = 0; step < steps; step++) {
        int margin = (step + 1) * reach, now = step & 1;
        for (int row = margin - 1; kind.mobile && row <= place.rows - margin; row++) {
            int column = margin - 1, count = place.columns - 2 * column;
            const float *erodibility = row_erodibility(thermal, tile, &place, row, column, count);
            rate_row(tile, now, (size_t)(row * STRIDE + column), count, erodibility, slope, kind);
        }
        for (int row = margin; row < place.rows - margin; row++)
            slide_row(tile, now, (size_t)(row * STRIDE + margin), place.columns - 2 * margin, slope, kind);
    }
    store_tile(thermal, tile, &place, steps & 1);
}

typedef struct Leap {
    Thermal *thermal;
    int steps;
    float rate;
    int tile_count;
    atomic_int next;
} Leap;

// Each worker has a scratch of its own and takes the next tile that is left.
static void work(void *context, int begin, int end)
{
    Leap *leap = context;
    for (int k = begin; k < end; k++)
        for (int tile; (tile = atomic_fetch_add(&leap->next, 1)) < leap->tile_count;)
            slide_tile(leap->thermal, &leap->thermal->tiles[k], tile, leap->steps, leap->rate);
}

static void swap(SiltField *a, SiltField *b)
{
    SiltField held = *a;
    *a = *b;
    *b = held;
}

void thermal_slide(Thermal *thermal, int steps, float rate)
{
    int across = (thermal->ground.width - 1) / CORE_COLUMNS + 1;
    int down = (thermal->ground.height - 1) / CORE_ROWS + 1;
    Leap leap = {.thermal = thermal, .steps = steps, .rate = rate, .tile_count = across * down};
    atomic_init(&leap.next, 0);
    silt_parallel(thermal->tile_count, 1, work, &leap);
    swap(&thermal->ground, &thermal->next_ground);
    swap(&thermal->bed, &thermal->next_bed);
}
