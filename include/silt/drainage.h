// silt/drainage.h — where water runs on a terrain, and the numbers that tell a landscape from noise.
//
//     SiltDrainage *drainage;
//     silt_drainage_create(terrain, NULL, &drainage);
//     for (int32_t k = drainage->count - 1; k >= 0; k--) { ... } // from outlets up to ridges
//     silt_drainage_destroy(drainage);
//
// Cells are numbered c = j * width + i. Everything here is a function of the terrain alone, the same on any
// number of threads.
#ifndef SILT_DRAINAGE_H
#define SILT_DRAINAGE_H

#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SILT_LAKES_FILL,  // water passes over lakes: they are filled to their brim
    SILT_LAKES_CARVE, // water cuts through their rim: the way out of each lake is lowered
};

// Water leaves the grid at outlets: cells at its sides or beside a cell without data, unless told otherwise.
// A zeroed struct, or NULL, is the default: open sides, water leaves into nodata, no sea, lakes filled.
typedef struct SiltDrainageOptions {
    int lakes;
    bool straight;     // water follows the steepest descent in straight lines, not one of eight directions
    bool closed_sides; // no water leaves over the edge of the grid
    bool nodata_walls; // no water leaves into cells without data
    bool has_sea;      // cells at or below sea_level are outlets
    double sea_level;  // m
    // above 0: discharge is shared among all lower neighbours, by their slope to this power (1 is usual)
    double multiple;
    const uint8_t *outlets; // one a cell: not 0 where water leaves, the sea aside; NULL: wherever it may
} SiltDrainageOptions;

enum { SILT_FLOW_ONE = 1 << 20 };

typedef struct SiltDrainage {
    int width, height;
    double cell;
    int32_t count; // cells with data
    // The ground as water sees it, m: the filled or the carved one. From every cell a way leads to an outlet
    // that never rises.
    SiltField surface;
    int32_t *receiver; // where each cell drains to: itself at an outlet, -1 without data
    int32_t *order;    // the cells with data, each before its receiver, catchment by catchment
    int32_t *part;     // part k of the order, whole catchments, begins at part[k] and ends at part[k + 1]
    int32_t part_count;
    uint32_t *area;  // how many cells drain through each cell, itself included
    uint64_t *flow;  // with options.multiple what runs through each cell, SILT_FLOW_ONE for a cell; or NULL
    float *length;   // the longest way down to each cell, in cells
    bool landlocked; // a piece of land had no outlet; its lowest cell became one
    struct SiltDrainageWork *work;
} SiltDrainage;

enum { SILT_DRAINAGE_CELL_BYTES = 72 }; // memory a drainage takes for each cell, at the most

// How much land water comes from at a cell, m2: from `flow` where discharge is shared, else from `area`.
static inline double silt_drainage_catchment(const SiltDrainage *drainage, int32_t cell)
{
    double cells =
        drainage->flow ? (double)drainage->flow[cell] / SILT_FLOW_ONE : (double)drainage->area[cell];
    return cells * drainage->cell * drainage->cell;
}

// Steepest descent to one of eight neighbours on the surface; equal ones are chosen among without preference
// for a direction. On flats and lakes water takes the fewest cells to where it can fall. Refuses grids of
// 2^31 cells or more, and heights that are not finite.
SILT_API SiltStatus silt_drainage_create(const SiltTerrain *terrain, const SiltDrainageOptions *options,
                                         SiltDrainage **out);
SILT_API void silt_drainage_destroy(SiltDrainage *drainage);
// The same for a terrain of the same size whose ground or mask has changed. Allocates nothing.
SILT_API SiltStatus silt_drainage_update(SiltDrainage *drainage, const SiltTerrain *terrain,
                                         const SiltDrainageOptions *options);
// Sums `values` (width * height of them) downstream in place: rain becomes discharge.
SILT_API void silt_drainage_accumulate(const SiltDrainage *drainage, double *values);

// Raises every cell in a closed depression to its brim: silt_drainage_create's surface, and nothing else.
// `out` is a field of the terrain's size; cells without data are zero in it.
SILT_API SiltStatus silt_terrain_fill(const SiltTerrain *terrain, SiltField *out);

// ---- statistics ----

// Real land has many more peaks than pits, concave rivers and few lakes; noise has as many pits as peaks. NaN
// where a terrain is too small or too flat for a number to mean anything. docs/drainage.md has typical
// values.
typedef struct SiltDrainageStatistics {
    // share of the cells with data that lie below the brim of a closed depression
    double pit_fraction;
    // the same share on the terrain turned upside-down
    double peak_fraction;
    // pit_fraction / peak_fraction
    double pit_peak_ratio;
    // how far the cells in closed depressions lie below the brim on average, m
    double mean_pit_depth;
    // theta of slope ~ area^-theta: fit to the logarithm of mean slope over classes of catchment area above
    // channel_area
    double concavity;
    // the share of the variance in that fit which it explains, 0 to 1
    double concavity_r2;
    // exponent h of length ~ area^h, over the main stems of all catchments above channel_area
    double hack;
    // length of channels per area of land, 1/km; a channel is a cell with at least channel_area above it
    double drainage_density;
    // catchment above which a cell counts as a channel, m2: 0.1 km2, but at least 25 cells and at most a
    // hundredth of the land
    double channel_area;
    // (mean - min) / (max - min) of the heights: the share of rock left in the block around the land
    double hypsometric_integral;
    // beta of power ~ wavenumber^-beta, in the two-dimensional spectrum averaged around its centre
    double spectral_slope;
    // cells in the largest catchment
    double largest_catchment;
} SiltDrainageStatistics;

// SILT_NO_MEMORY, in a sentence, where it takes more than is available.
SILT_API SiltStatus silt_drainage_statistics(const SiltTerrain *terrain, SiltDrainageStatistics *out);
// What it takes beside the terrain.
SILT_API uint64_t silt_drainage_statistics_bytes(int width, int height);
// Each of them by its name; false behind the last. NULL statistics: names and units alone.
typedef struct SiltStatistic {
    const char *name, *unit; // "": a plain number
    double value;
} SiltStatistic;
SILT_API bool silt_drainage_statistic_at(int index, const SiltDrainageStatistics *statistics,
                                         SiltStatistic *out);
// {"pit_fraction": ..., ...} with null for what is not defined; the caller frees it.
SILT_API char *silt_drainage_json(const SiltDrainageStatistics *statistics);

#ifdef __cplusplus
}
#endif
#endif
