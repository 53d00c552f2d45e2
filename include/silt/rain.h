// silt/rain.h — where it rains on a terrain: more where wind climbs, less behind.
//
//     SiltRainOptions options;
//     silt_params_init(&silt_rain_params, &options);
//     silt_rain_map(terrain, height, &options, rain);
#ifndef SILT_RAIN_H
#define SILT_RAIN_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltRainOptions {
    double wind;   // degrees clockwise from north that it comes from
    double spread; // degrees to either side that it turns
    double mean;   // of the map that comes out
    double cloud;  // m that air drifts while vapour becomes drops
    double fall;   // m that it drifts while drops fall
    double depth;  // m by which air must rise to lose two thirds of its vapour
    double reach;  // m over flat land on which it loses as much
} SiltRainOptions;

SILT_API extern const SiltParamTable silt_rain_params;

// Fills `out`, a field of the terrain's size, from the heights in `height`, another one. Cells without data
// get rain too, and do not count for the mean.
SILT_API SiltStatus silt_rain_map(const SiltTerrain *terrain, const SiltField *height,
                                  const SiltRainOptions *options, SiltField *out);

#ifdef __cplusplus
}
#endif
#endif
