// Rivers and lakes of a terrain as lines and polygons, for the formats that write them.
#ifndef SILT_IO_RIVER_SET_H
#define SILT_IO_RIVER_SET_H

#include "silt/rivers.h"

typedef struct SiltRiverPoint {
    double x, y; // on the terrain's map; metres from the south-western corner without one
} SiltRiverPoint;

// A value of a river or lake, by the place of its name in the list.
typedef struct SiltRiverColumn {
    const char *name, *unit;
    bool is_whole;
} SiltRiverColumn;

enum { SILT_RIVER_ID, SILT_RIVER_DOWNSTREAM, SILT_RIVER_ORDER, SILT_RIVER_VALUES = 13, SILT_LAKE_VALUES = 4 };
extern const SiltRiverColumn silt_river_columns[SILT_RIVER_VALUES];
extern const SiltRiverColumn silt_lake_columns[SILT_LAKE_VALUES];

// One feature: rings of a lake one after the other, or the one line of a river.
typedef struct SiltRiverShape {
    double values[SILT_RIVER_VALUES]; // NaN: there is none
    int first_part, part_count;
} SiltRiverShape;

typedef struct SiltRiverPart {
    size_t first;
    int count;
} SiltRiverPart;

typedef struct SiltRiverSet {
    SiltRiverShape *rivers, *lakes;
    int river_count, lake_count, river_room, lake_room;
    SiltRiverPart *parts;
    int part_count, part_room;
    SiltRiverPoint *points;
    size_t point_count, point_room;
    bool failed; // memory ran out
} SiltRiverSet;

SiltStatus silt_river_set_make(const SiltTerrain *terrain, const SiltRiverOptions *options,
                               SiltRiverSet *out);
void silt_river_set_free(SiltRiverSet *set);

// "EPSG:32611" as 32611; 0: it is none.
int silt_crs_code(const char *crs);

// gpkg.c
SiltStatus silt_gpkg_write(const SiltRiverSet *set, const SiltTerrain *terrain, bool rivers, bool lakes,
                           const char *path);

#endif
