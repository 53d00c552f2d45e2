// Where water runs on a tile: how long slopes are, at what angles rivers meet, how steadily they flatten, and
// the shape of the valleys around them. And how its relief spreads over wavelengths.
#include <math.h>

#include "physics/elementary.h"
#include "terrain/fit.h"
#include "terrain/flood.h"
#include "terrain/landforms.h"
#include "terrain/spectrum.h"

enum {
    CHANNEL = 50,      // cells of catchment with which a slope ends and a channel begins
    WIDE_CHANNEL = 200 // and with which a valley has a profile
};

static const double DEGREES = 57.29577951308232;

static int32_t column(int32_t cell)
{
    return cell % SILT_TILE;
}

static int32_t row(int32_t cell)
{
    return cell / SILT_TILE;
}

// ---- slopes ----

// Over the cells whose water meets a channel on the tile.
static void measure_slopes(SiltTile *tile, const SiltDrainage *d)
{
    float *way = tile->scratch;
    double count = 0.0, sum = 0.0, squares = 0.0;
    for (int32_t k = d->count - 1; k >= 0; k--) { // receivers before those who give to them
        int32_t cell = d->order[k], to = d->receiver[cell];
        bool slope = d->area[cell] < CHANNEL;
        way[cell] = !slope ? 0.0f : to == cell ? NAN : way[to] + silt_drainage_step(d, cell);
        if (!slope || isnan(way[cell]))
            continue;
        count += 1.0;
        sum += (double)way[cell];
        squares += (double)way[cell] * (double)way[cell];
    }
    double mean = sum / count, variance = squares / count - mean * mean;
    bool known = count > 0.0;
    tile->value[SILT_HILLSLOPE_LENGTH] = known ? mean : NAN;
    tile->value[SILT_HILLSLOPE_LENGTH_SPREAD] = known ? sqrt(variance > 0.0 ? variance : 0.0) / mean : NAN;
}

// ---- junctions ----

// The two neighbours with the largest catchments that drain into a cell; -1 where there are none.
static void largest_donors(const SiltDrainage *d, int32_t cell, int32_t found[2])
{
    found[0] = found[1] = -1;
    for (int32_t k = 0; k < 9; k++) {
        int32_t i = column(cell) + k % 3 - 1, j = row(cell) + k / 3 - 1, other = j * SILT_TILE + i;
        bool there = i >= 0 && j >= 0 && i < SILT_TILE && j < SILT_TILE && other != cell;
        if (!there || d->receiver[other] != cell)
            continue;
        if (found[0] < 0 || d->area[other] > d->area[found[0]]) {
            found[1] = found[0];
            found[0] = other;
        } else if (found[1] < 0 || d->area[other] > d->area[found[1]]) {
            found[1] = other;
        }
    }
}

enum { AWAY = 5 }; // cells up or down a river: over one cell only eight directions exist

// Where a river comes from: its main stem AWAY cells above a junction, or its source if that is nearer.
static int32_t go_up(const SiltDrainage *d, int32_t cell)
{
    for (int step = 1; step < AWAY; step++) {
        int32_t donors[2];
        largest_donors(d, cell, donors);
        if (donors[0] < 0)
            break;
        cell = donors[0];
    }
    return cell;
}

static void measure_junctions(SiltTile *tile, const SiltDrainage *d)
{
    double count = 0.0, narrow = 0.0, sum = 0.0;
    for (int32_t cell = 0; cell < SILT_TILE_CELLS; cell++) {
        int32_t donors[2];
        largest_donors(d, cell, donors);
        if (donors[1] < 0 || d->area[donors[1]] < CHANNEL)
            continue;
        int32_t a = go_up(d, donors[0]), b = go_up(d, donors[1]);
        double ax = column(a) - column(cell), ay = row(a) - row(cell);
        double bx = column(b) - column(cell), by = row(b) - row(cell);
        double angle = fabs(silt_atan2(ax * by - ay * bx, ax * bx + ay * by)) * DEGREES;
        narrow += angle < 30.0;
        sum += angle;
        count += 1.0;
    }
    tile->value[SILT_JUNCTION_ANGLE] = count > 0.0 ? sum / count : NAN;
    tile->value[SILT_JUNCTIONS_BELOW_30] = count > 0.0 ? narrow / count : NAN;
}

// ---- channels ----

typedef struct AreaClass {
    double count, area, slope, squares; // sums of logarithms; squares of those of slope
} AreaClass;

enum { PER_DECADE = 5, CLASSES = 5 * PER_DECADE, LEAST_CELLS = 5, LEAST_CLASSES = 4 };

// log10 of the slope over the next AWAY cells downstream; NaN where it does not fall.
static double slope_below(const SiltTile *tile, const SiltDrainage *d, int32_t cell)
{
    int32_t to = cell;
    double length = 0.0;
    for (int step = 0; step < AWAY; step++) {
        length += (double)silt_drainage_step(d, to);
        to = d->receiver[to];
    }
    double fall = (double)tile->height[cell] - (double)tile->height[to];
    return fall > 0.0 ? silt_log10(fall / (length * tile->cell)) : NAN;
}

static void measure_channels(SiltTile *tile, const SiltDrainage *d)
{
    AreaClass classes[CLASSES] = {0};
    for (int32_t cell = 0; cell < SILT_TILE_CELLS; cell++) {
        double slope = d->area[cell] < CHANNEL ? NAN : slope_below(tile, d, cell);
        if (isnan(slope))
            continue;
        double area = silt_log10((double)d->area[cell]);
        AreaClass *class = &classes[(int)(area * PER_DECADE)];
        class->count += 1.0;
        class->area += area;
        class->slope += slope;
        class->squares += slope * slope;
    }
    SiltFit fit = {0};
    double within = 0.0, cells = 0.0; // what scatters around the mean of its class
    for (int k = 0; k < CLASSES; k++) {
        const AreaClass *class = &classes[k];
        if (class->count < LEAST_CELLS)
            continue;
        silt_fit_add(&fit, class->area / class->count, class->slope / class->count);
        within += class->squares - class->slope * class->slope / class->count;
        cells += class->count;
    }
    tile->value[SILT_CHANNEL_SLOPE_SCATTER] = cells > 0.0 ? sqrt(within > 0.0 ? within / cells : 0.0) : NAN;
    tile->value[SILT_SLOPE_AREA_R2] = silt_fit_r2(&fit, LEAST_CLASSES);
}

// ---- valleys ----

// How high ground lies above the nearest channel four cells off and two cells off, as log2 of the one over
// the other.
static void measure_valleys(SiltTile *tile, const SiltDrainage *d)
{
    double above[2] = {0}, count[2] = {0};
    for (int32_t cell = 0; cell < SILT_TILE_CELLS; cell++)
        tile->mark[cell] = d->area[cell] >= WIDE_CHANNEL;
    silt_tile_distance(tile);
    for (int32_t cell = 0; cell < SILT_TILE_CELLS; cell++) {
        double distance = (double)tile->scratch[cell];
        int ring = fabs(distance - 2.0) < 0.5 ? 0 : fabs(distance - 4.0) < 0.5 ? 1 : -1;
        if (ring < 0)
            continue;
        above[ring] += (double)tile->height[cell] - (double)tile->height[tile->near[cell]];
        count[ring] += 1.0;
    }
    bool known = count[0] > 0.0 && count[1] > 0.0 && above[0] > 0.0 && above[1] > 0.0;
    tile->value[SILT_VALLEY_PROFILE] =
        known ? silt_log(above[1] / count[1] / (above[0] / count[0])) * 1.4426950408889634 : NAN;
}

// ---- the whole ----

static SiltStatus measure_spectrum(SiltTile *tile, const SiltTerrain *terrain)
{
    SiltSpectrum spectrum;
    SiltStatus status = silt_spectrum_create(terrain, &spectrum);
    if (status != SILT_OK)
        return status;
    silt_spectrum_run(&spectrum, terrain);
    tile->value[SILT_SPECTRAL_SLOPE_FINE] = silt_spectrum_fall(&spectrum, SILT_TILE / 8.0, SILT_TILE / 4.0);
    silt_spectrum_destroy(&spectrum);
    return SILT_OK;
}

SiltStatus silt_tile_flow(SiltTile *tile)
{
    SiltTerrain *terrain = NULL;
    SiltDrainage *drainage = NULL;
    SiltStatus status = silt_terrain_create(SILT_TILE, SILT_TILE, tile->cell, &terrain);
    if (status != SILT_OK)
        return status;
    for (int32_t cell = 0; cell < SILT_TILE_CELLS; cell++)
        silt_field_row(&terrain->layers[0]->field, row(cell))[column(cell)] = tile->height[cell];
    status = silt_drainage_create(terrain, NULL, &drainage);
    if (status == SILT_OK) {
        measure_slopes(tile, drainage);
        measure_junctions(tile, drainage);
        measure_channels(tile, drainage);
        measure_valleys(tile, drainage);
        status = measure_spectrum(tile, terrain);
    }
    silt_drainage_destroy(drainage);
    silt_terrain_destroy(terrain);
    return status;
}
