// silt/rivers.h — rivers and lakes of a terrain: as layers, and as lines and polygons for maps.
//
//     SiltRiverOptions options;
//     silt_params_init(&silt_river_params, &options);
//     silt_rivers_write(terrain, &options, "rivers.geojson");
#ifndef SILT_RIVERS_H
#define SILT_RIVERS_H

#include "silt/drainage.h"
#include "silt/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltRiverOptions {
    double channel_area;  // m2, catchment from which water is a stream
    double precipitation; // m/year that runs off
} SiltRiverOptions;

// From a drainage of `ground` (height + change of a terrain of the same size) into layers of `out`:
// "drainage" (m2), "discharge" (m3/s), "slope" (to where a cell drains), "stream_order" (Strahler's; 0 where
// there is no stream), "basin" (numbered from 1), "lake" (depth of water in closed depressions, m).
SILT_API SiltStatus silt_rivers_map(const SiltDrainage *drainage, const SiltTerrain *ground,
                                    const SiltRiverOptions *options, SiltTerrain *out);

#ifdef __cplusplus
}
#endif
#endif
