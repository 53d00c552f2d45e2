// Brings a terrain to the scale landforms are measured at: cells of about 40 m, without the noise of a
// sensor.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "terrain/landforms.h"

// Land of less than ACROSS cells of USUAL_CELL is measured at a finer scale: what it shows is smaller land.
static const double USUAL_CELL = 40.0; // m
enum { ACROSS = 2 * SILT_TILE, MOST_TILES = 1024, ROWS = 8 };

// The cell to measure at, m: never finer than the terrain's own.
static double cell_wanted(const SiltTerrain *terrain)
{
    int shorter = terrain->width < terrain->height ? terrain->width : terrain->height;
    double wanted = shorter * terrain->cell / ACROSS;
    wanted = wanted < USUAL_CELL ? wanted : USUAL_CELL;
    return wanted > terrain->cell ? wanted : terrain->cell;
}

static SiltStatus coarsen(const SiltTerrain *terrain, SiltTerrain **out)
{
    double factor = terrain->cell / cell_wanted(terrain);
    int width = (int)(terrain->width * factor + 0.5), height = (int)(terrain->height * factor + 0.5);
    if (width < SILT_TILE || height < SILT_TILE)
        return silt_fail(SILT_BAD_ARGUMENT, "landforms: %d x %d cells: a tile has %d x %d", terrain->width,
                         terrain->height, SILT_TILE, SILT_TILE);
    SiltTerrain *own; // the height alone
    SiltStatus status = silt_terrain_clone(terrain, &own);
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(own);
    while (own->layer_count > 1)
        silt_terrain_drop(own, own->layers[own->layer_count - 1]->name);
    if (factor == 1.0) {
        *out = own;
        return SILT_OK;
    }
    status = silt_terrain_resample(own, width, height, out);
    silt_terrain_destroy(own);
    return status;
}

// ---- neighbours that may be missing ----

static bool has_data(const SiltTerrain *terrain, int i, int j)
{
    return i >= 0 && j >= 0 && i < terrain->width && j < terrain->height &&
           !silt_terrain_is_nodata(terrain, i, j);
}

// x(-k) - 2 x(0) + x(k) along one axis; nothing where one of the two is missing, so that a slope stays one at
// the edge.
static double second_difference(const SiltTerrain *terrain, const SiltField *field, int i, int j, int x,
                                int y)
{
    if (!has_data(terrain, i - x, j - y) || !has_data(terrain, i + x, j + y))
        return 0.0;
    return (double)silt_field_at(field, i - x, j - y) - 2.0 * (double)silt_field_at(field, i, j) +
           (double)silt_field_at(field, i + x, j + y);
}

// The rise from cell to cell along one axis, one-sided where a neighbour is missing.
static double first_difference(const SiltTerrain *terrain, const SiltField *field, int i, int j, int x, int y)
{
    bool before = has_data(terrain, i - x, j - y), after = has_data(terrain, i + x, j + y);
    double here = (double)silt_field_at(field, i, j);
    double rise = (after ? (double)silt_field_at(field, i + x, j + y) : here) -
                  (before ? (double)silt_field_at(field, i - x, j - y) : here);
    return before && after ? 0.5 * rise : rise;
}

// ---- blur ----

enum { REACH = 4 }; // beyond four deviations a Gaussian is nothing

typedef struct Blur {
    const SiltTerrain *terrain;
    const SiltField *from;
    SiltField *to;
    int x, y; // the axis
    double weight[REACH + 1];
} Blur;

static void blur_rows(void *context, int begin, int end)
{
    const Blur *blur = context;
    for (int j = begin; j < end; j++) {
        for (int i = 0; i < blur->from->width; i++) {
            double sum = (double)silt_field_at(blur->from, i, j);
            for (int k = 1; k <= REACH && has_data(blur->terrain, i, j); k++)
                sum += blur->weight[k] *
                       second_difference(blur->terrain, blur->from, i, j, k * blur->x, k * blur->y);
            silt_field_row(blur->to, j)[i] = (float)sum;
        }
    }
}

static SiltStatus blur_height(SiltTerrain *terrain)
{
    SiltField *height = &terrain->layers[0]->field, between = {0};
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &between);
    if (status != SILT_OK)
        return status;
    Blur along = {.terrain = terrain, .from = height, .to = &between, .x = 1};
    // exp(-k^2 / 2) in digits: the C library's last bits are its own affair
    static const double bell[REACH + 1] = {1.0, 0.6065306597126334, 0.1353352832366127, 0.011108996538242306,
                                           0.00033546262790251185};
    double sum = 1.0;
    for (int k = 1; k <= REACH; k++)
        sum += 2.0 * bell[k];
    for (int k = 1; k <= REACH; k++)
        along.weight[k] = bell[k] / sum;
    Blur across = along;
    across.from = &between;
    across.to = height;
    across.x = 0;
    across.y = 1;
    silt_parallel(terrain->height, ROWS, blur_rows, &along);
    silt_parallel(terrain->height, ROWS, blur_rows, &across);
    silt_field_destroy(&between);
    return SILT_OK;
}

// ---- tiles ----

static bool is_whole(const SiltTerrain *terrain, int i, int j)
{
    for (int y = j; y < j + SILT_TILE && terrain->nodata; y++)
        for (int x = i; x < i + SILT_TILE; x++)
            if (silt_terrain_is_nodata(terrain, x, y))
                return false;
    return true;
}

// Tiles that overlap by half, or lie further apart where land is so large that they would be very many.
static SiltStatus choose_tiles(SiltLand *land)
{
    const SiltTerrain *terrain = land->terrain;
    int step = SILT_TILE / 2, columns, rows;
    for (;; step *= 2) {
        columns = (terrain->width - SILT_TILE) / step + 1;
        rows = (terrain->height - SILT_TILE) / step + 1;
        if ((int64_t)columns * rows <= MOST_TILES)
            break;
    }
    SiltStatus status = silt_alloc_for("landforms", (size_t)columns * (size_t)rows, sizeof *land->corner,
                                       (void **)&land->corner);
    for (int k = 0; k < columns * rows && status == SILT_OK; k++) {
        int i = k % columns * step, j = k / columns * step;
        if (is_whole(terrain, i, j))
            land->corner[land->tile_count++] = j * terrain->width + i;
    }
    if (status == SILT_OK && land->tile_count == 0)
        status =
            silt_fail(SILT_BAD_ARGUMENT, "landforms: no tile of %d x %d cells of %g m has data everywhere",
                      SILT_TILE, SILT_TILE, terrain->cell);
    return status;
}

SiltStatus silt_land_create(const SiltTerrain *terrain, SiltLand *out)
{
    *out = (SiltLand){0};
    SiltStatus status = coarsen(terrain, &out->terrain);
    if (status == SILT_OK)
        status = blur_height(out->terrain);
    if (status == SILT_OK)
        status = choose_tiles(out);
    if (status != SILT_OK)
        silt_land_destroy(out);
    return status;
}

void silt_land_destroy(SiltLand *land)
{
    silt_terrain_destroy(land->terrain);
    silt_free(land->corner);
    *land = (SiltLand){0};
}

void silt_land_tile(const SiltLand *land, int32_t corner, SiltTile *out)
{
    const SiltTerrain *terrain = land->terrain;
    const SiltField *height = &terrain->layers[0]->field;
    out->cell = terrain->cell;
    for (int c = 0; c < SILT_TILE_CELLS; c++) {
        int i = corner % terrain->width + c % SILT_TILE, j = corner / terrain->width + c / SILT_TILE;
        double x = first_difference(terrain, height, i, j, 1, 0) / terrain->cell;
        double y = first_difference(terrain, height, i, j, 0, 1) / terrain->cell;
        out->height[c] = silt_field_at(height, i, j);
        out->slope[c] = (float)sqrt(x * x + y * y);
        out->laplacian[c] = (float)(second_difference(terrain, height, i, j, 1, 0) +
                                    second_difference(terrain, height, i, j, 0, 1));
    }
}
