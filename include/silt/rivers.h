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
    double channel_area; // m2, catchment from which water is a stream; NaN: by the map, as in silt/drainage.h
    double precipitation;  // m/year that runs off
    double lake_area;      // m2, the smallest lake that is written; NaN: 9 cells
    double lake_depth;     // m, how deep it must be somewhere
    double sea_level;      // m, where rivers end; NaN: no sea
    double multiple;       // above 0: discharge is shared among all lower neighbours, see silt/drainage.h
    double concavity;      // theta = m / n of chi and steepness
    double reference_area; // m2, A0 of chi
    double segment;        // m, how long the pieces of a stream are that have a steepness of their own
} SiltRiverOptions;

SILT_API extern const SiltParamTable silt_river_params;

// Writes the rivers and lakes of any terrain as GeoJSON or, by the ending .gpkg, as a GeoPackage with a layer
// of each: LineStrings from each source or confluence to the next with "id", "downstream" (the id of the
// river it flows into; null at a mouth), "order" (Strahler's), "length" (m), "discharge" (m3/s), "width" (m),
// "slope", "catchment_area" (m2, at its lower end), "from_elevation" and "to_elevation" (m), "from_chi" and
// "to_chi" (m) and "ksn"; and Polygons with "level" (m), "area" (m2) and "volume" (m3). Coordinates and CRS
// are those of the terrain's map; metres from the south-western corner without one.
SILT_API SiltStatus silt_rivers_write(const SiltTerrain *terrain, const SiltRiverOptions *options,
                                      const char *path);
// Rivers into one file and lakes into another; NULL: not at all, and without a file of their own lakes go
// with the rivers.
SILT_API SiltStatus silt_rivers_write_apart(const SiltTerrain *terrain, const SiltRiverOptions *options,
                                            const char *rivers, const char *lakes);
// All of them as GeoJSON; the caller frees it.
SILT_API SiltStatus silt_rivers_json(const SiltTerrain *terrain, const SiltRiverOptions *options, char **out);
// Whether silt_rivers_write takes a file of this name. For those who want to know it before the work.
SILT_API SiltStatus silt_rivers_check(const char *path);

// From a drainage of `ground` (height + change of a terrain of the same size) into layers of `out`:
// "drainage" (m2), "discharge" (m3/s), "slope" (to where a cell drains), "stream_order" (Strahler's; 0 where
// there is no stream), "basin" (numbered from 1), "lake" (depth of water in closed depressions, m).
SILT_API SiltStatus silt_rivers_map(const SiltDrainage *drainage, const SiltTerrain *ground,
                                    const SiltRiverOptions *options, SiltTerrain *out);
// The same with what is measured on rivers: "flow_direction" (1 east, 2 south-east and on clockwise to 128
// north-east; 0 at an outlet), "filled" (m), "chi" (m) and "ksn", the latter 0 beside streams.
SILT_API SiltStatus silt_rivers_analyse(const SiltDrainage *drainage, const SiltRiverOptions *options,
                                        SiltTerrain *out);

#ifdef __cplusplus
}
#endif
#endif
