// The steps of `thermal`, several in one pass over memory: the grid is cut into tiles that fit the cache with
// a halo, and a tile takes all its steps before the next one is loaded. A step eats as much of the halo as it
// looks around, so the inner part stays right; all numbers are whole, so it is the same as step by step.
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "erode/thermal_tile.h"

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

// The greatest difference between two rows.
SILT_CLONES static int32_t farthest(const int32_t *restrict a, const int32_t *restrict b, int count)
{
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        int32_t apart = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        most = apart > most ? apart : most;
    }
    return most;
}

// Returns whether any height has moved by more than a grain a step.
static bool store_tile(Thermal *thermal, const ThermalTile *tile, const Place *place, int steps)
{
    size_t bytes = (size_t)place->core_columns * sizeof(int32_t);
    int now = steps & 1, columns = place->core_columns;
    bool moved = false;
    for (int row = 0; row < place->core_rows; row++) {
        int i = place->core_i, j = place->core_j + row;
        size_t at = (size_t)(row + place->halo) * STRIDE + (size_t)place->halo;
        memcpy(silt_grains_row(&thermal->next_ground, j) + i, tile->ground[now] + at, bytes);
        memcpy(silt_grains_row(&thermal->next_bed, j) + i, tile->bed + at, bytes);
        add_risen((uint32_t *)silt_grains_row(&thermal->risen, j) + i, tile->risen + at, columns);
        moved = moved ||
                farthest(silt_grains_row(&thermal->ground, j) + i, tile->ground[now] + at, columns) > steps ||
                farthest(silt_grains_row(&thermal->bed, j) + i, tile->bed + at, columns) > steps;
    }
    return moved;
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

// A step shrinks what is right by `reach` cells on all sides.
static void take_step(const Thermal *thermal, ThermalTile *tile, const Place *place, int step, Slope slope,
                      Kind kind)
{
    int reach = kind.mobile ? 2 : 1, now = step & 1;
    int inner = (step + 1) * reach, outer = inner - 1, edge = step * reach;
    int rows = place->rows, columns = place->columns;
    bool round = kind.neighbours == THERMAL_ROUND;
    for (int row = edge; round && row < rows - edge - 1; row++)
        thermal_corner_row(tile, now, (size_t)(row * STRIDE + edge), columns - 2 * edge - 1, slope, kind);
    for (int row = outer; kind.mobile && row < rows - outer; row++) {
        const float *erodibility = row_erodibility(thermal, tile, place, row, outer, columns - 2 * outer);
        thermal_rate_row(tile, now, (size_t)(row * STRIDE + outer), columns - 2 * outer, erodibility, slope,
                         kind);
    }
    for (int row = outer; round && kind.mobile && row < rows - outer - 1; row++)
        thermal_hold_row(tile, (size_t)(row * STRIDE + outer), columns - 2 * outer - 1, slope);
    for (int row = inner; row < rows - inner; row++)
        thermal_slide_row(tile, now, (size_t)(row * STRIDE + inner), columns - 2 * inner, slope, kind);
}

static bool slide_tile(Thermal *thermal, ThermalTile *tile, int index, int steps, float rate)
{
    int reach = thermal->mobile ? 2 : 1;
    Place place = find_place(thermal, index, steps * reach);
    for (int row = 0; row < place.rows; row++) {
        load_row(thermal, tile, &place, row);
        memset(tile->risen + (size_t)row * STRIDE, 0, (size_t)place.columns * sizeof(int32_t));
    }
    Slope slope = {thermal->talus[0], thermal->talus[1], rate, thermal->height_factor};
    Kind kind = {place.walls, thermal->mobile, thermal->neighbours};
    for (int step = 0; step < steps; step++)
        take_step(thermal, tile, &place, step, slope, kind);
    return store_tile(thermal, tile, &place, steps);
}

typedef struct Leap {
    Thermal *thermal;
    int steps;
    float rate;
    int tile_count;
    atomic_int next;
    atomic_bool moved;
} Leap;

// Each worker has a scratch of its own and takes the next tile that is left.
static void work(void *context, int begin, int end)
{
    Leap *leap = context;
    for (int k = begin; k < end; k++)
        for (int tile; (tile = atomic_fetch_add(&leap->next, 1)) < leap->tile_count;)
            if (slide_tile(leap->thermal, &leap->thermal->tiles[k], tile, leap->steps, leap->rate))
                atomic_store(&leap->moved, true);
}

static void swap(SiltField *a, SiltField *b)
{
    SiltField held = *a;
    *a = *b;
    *b = held;
}

bool thermal_slide(Thermal *thermal, int steps, float rate)
{
    int across = (thermal->ground.width - 1) / CORE_COLUMNS + 1;
    int down = (thermal->ground.height - 1) / CORE_ROWS + 1;
    Leap leap = {.thermal = thermal, .steps = steps, .rate = rate, .tile_count = across * down};
    atomic_init(&leap.next, 0);
    atomic_init(&leap.moved, false);
    silt_parallel(thermal->tile_count, 1, work, &leap);
    swap(&thermal->ground, &thermal->next_ground);
    swap(&thermal->bed, &thermal->next_bed);
    return atomic_load(&leap.moved);
}
