// silt/landforms.h — what the eye sees in land: texture, slopes, valleys and ridges as numbers, with the
// ranges they have in real land.
//
//     SiltLandforms forms;
//     silt_landforms_measure(terrain, &forms);
//     printf("%d of %d within what real land has\n", forms.within, forms.known);
//
// A terrain is brought to cells of about 40 m, blurred a little so that the noise of a sensor does not count,
// and cut into tiles of 128 x 128 cells; a value is the median over the tiles. docs/landscapes.md says what
// each measure is.
#ifndef SILT_LANDFORMS_H
#define SILT_LANDFORMS_H

#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SiltLandform {
    SILT_CURVATURE_KURTOSIS,
    SILT_ROUGHNESS_VARIATION,
    SILT_SLOPE_VARIATION,
    SILT_RELIEF_GROWTH_4,
    SILT_RELIEF_GROWTH_8,
    SILT_RELIEF_GROWTH_16,
    SILT_HILLSLOPE_LENGTH,
    SILT_HILLSLOPE_LENGTH_SPREAD,
    SILT_JUNCTION_ANGLE,
    SILT_JUNCTIONS_BELOW_30,
    SILT_CHANNEL_SLOPE_SCATTER,
    SILT_SLOPE_AREA_R2,
    SILT_VALLEY_FLOOR_SHARE,
    SILT_FLAT_WIDTH,
    SILT_SLOPE_SPREAD,
    SILT_RIDGE_SHARE,
    SILT_SLOPE_SHARE,
    SILT_VALLEY_SHARE,
    SILT_ROUGHNESS_BY_HEIGHT,
    SILT_VALLEY_PROFILE,
    SILT_SPECTRAL_SLOPE_FINE,
    SILT_LANDFORM_COUNT
} SiltLandform;

// What a measure is, and the values it has in real land: 293 tiles of 21 DEMs.
typedef struct SiltLandformRange {
    const char *name;         // "hillslope_length"
    const char *unit;         // "cells", "degrees" or ""
    double low, median, high; // 10th, 50th and 90th percentile
    const char *about;        // half a sentence
} SiltLandformRange;

SILT_API const SiltLandformRange *silt_landform_range(SiltLandform which);

typedef struct SiltLandforms {
    double value[SILT_LANDFORM_COUNT]; // median over the tiles; NaN where no tile had a number
    int within;                        // how many lie within the real 10th to 90th percentile
    int known;                         // how many are numbers
    // What tells noise, which may have all forms of land: the share of cells in closed depressions, and how
    // well rivers keep to getting gentler as they grow (R2 of log slope against log catchment, 0 to 1).
    double pit_fraction, drainage_fit;
    // How far the edge of the map lies below its mean height, as a share of its relief; maps of real land
    // have 0.05 and not more than 0.08 from that. A model whose rivers end at the edge cuts a frame there.
    double edge_below;
    int tile_count;
    double cell; // of the cells that were measured, m
} SiltLandforms;

SILT_API bool silt_landform_is_within(SiltLandform which, double value);

// Tiles with cells without data are left out. Refuses a terrain that has room for no tile.
SILT_API SiltStatus silt_landforms_measure(const SiltTerrain *terrain, SiltLandforms *out);
// The measures of each tile, from the north-west, row after row: SILT_LANDFORM_COUNT numbers a tile, NaN
// where it has none. The caller frees them.
SILT_API SiltStatus silt_landforms_tiles(const SiltTerrain *terrain, double **out, int *tile_count);
// "real", "noise" where more than a twelfth lies in closed depressions or rivers do not get gentler as they
// grow, or "not real" where too few measures lie within.
SILT_API const char *silt_landforms_verdict(const SiltLandforms *forms);
// {"verdict": ..., "within": ..., "measures": {"hillslope_length": {"value": ..., "low": ..., "high": ...},
// ...}}; the caller frees it.
SILT_API char *silt_landforms_json(const SiltLandforms *forms);

#ifdef __cplusplus
}
#endif
#endif
