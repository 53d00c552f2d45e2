// silt/profile.h — heights along lines and rivers, and how they are spread over the land, as tables.
//
//     double line[] = {0, 0, 5000, 2000}; // two points on the terrain's map
//     SiltTable table;
//     silt_profile_transect(terrain, line, 2, 0.0, 0.0, &table);
//     silt_table_write(&table, "transect.csv");
//     silt_table_destroy(&table);
#ifndef SILT_PROFILE_H
#define SILT_PROFILE_H

#include "silt/rivers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SILT_MOST_COLUMNS = 32 };

// Rows of numbers under names that end in their unit ("height_m"); NaN where there is none.
typedef struct SiltTable {
    const char *names[SILT_MOST_COLUMNS];
    int columns, rows;
    double *values; // row after row
} SiltTable;

SILT_API void silt_table_destroy(SiltTable *table);
// A line of names, then a line a row; what is no number is left empty. The caller frees it.
SILT_API char *silt_table_csv(const SiltTable *table);
// {"height_m": [...], ...} with null; the caller frees it.
SILT_API char *silt_table_json(const SiltTable *table);
SILT_API SiltStatus silt_table_write(const SiltTable *table, const char *path);
// The place of a column, or -1.
SILT_API int silt_table_column(const SiltTable *table, const char *name);

// Points are on the terrain's map, as its vectors have them: x and y in map units, or metres east and north
// of the south-western corner where it has no place. Distances are in metres.

// Along a line through `count` points (pairs of x and y), every `spacing` metres (0: a cell): distance_m, x,
// y, height_m between the middles of the four cells around. With a `width` (m) above 0 also the swath across
// the line: min_m, mean_m, max_m and deviation_m of the heights there. A line that lies outside the land is
// refused.
SILT_API SiltStatus silt_profile_transect(const SiltTerrain *terrain, const double *points, int count,
                                          double spacing, double width, SiltTable *out);

// The river through a point (NULL: the largest), from its mouth up to its head, always along the larger
// catchment: distance_m from the mouth, x, y, height_m, filled_m, catchment_m2, slope, chi_m and ksn of its
// segment. The point counts for the largest catchment within two cells.
SILT_API SiltStatus silt_profile_river(const SiltTerrain *terrain, const SiltRiverOptions *options,
                                       const double *point, SiltTable *out);

// How much of the land lies higher: area_above (0 to 1, in `classes` even steps), height_m, relative_height
// (0 to 1). `integral` (may be NULL) takes the area under the curve.
SILT_API SiltStatus silt_profile_hypsometry(const SiltTerrain *terrain, int classes, SiltTable *out,
                                            double *integral);

#ifdef __cplusplus
}
#endif
#endif
