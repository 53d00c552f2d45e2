// The tiles of `thermal`: what its two files about them share.
#ifndef SILT_ERODE_THERMAL_TILE_H
#define SILT_ERODE_THERMAL_TILE_H

#include "erode/thermal.h"

enum {
    CORE_COLUMNS = 256,
    CORE_ROWS = 96,
    HALO = 2 * THERMAL_LEAP, // a step looks one cell around, two where the rates differ
    STRIDE = CORE_COLUMNS + 2 * HALO,
    ROWS = CORE_ROWS + 2 * HALO,
    CELLS = STRIDE * ROWS + 144, // arrays that do not begin at the same place of a page
};

struct ThermalTile {
    int32_t ground[2][CELLS]; // before and after a step
    int32_t bed[CELLS];
    int32_t risen[CELLS];
    int32_t open[CELLS];      // -1, or 0 where there is no data and beyond the edge
    float rate[CELLS];        // of each cell in this step
    float erodibility[CELLS]; // of the rock, without the strata
    int32_t west[CELLS];      // what slides across the corner south-east of each cell
    int32_t north[CELLS];
    float elevation[STRIDE]; // of the bed, one row
    float mixed[STRIDE];     // erodibility with the strata, one row
};

// What is the same in all cells of a step.
typedef struct Slope {
    int32_t straight, diagonal; // talus in grains
    float rate, height_factor;
} Slope;

// Which of the loops: constants to the compiler, once each.
typedef struct Kind {
    bool walls, mobile;
    int neighbours; // THERMAL_ROTATED ...
} Kind;

// Parts of a step, for `count` cells of a row from index `at` on. First, for round piles, what slides across
// corners; then, if rates differ, the rate of each cell, and what that leaves of the corners; then the sum.
void thermal_corner_row(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind);
void thermal_rate_row(ThermalTile *t, int now, size_t at, int count, const float *erodibility, Slope slope,
                      Kind kind);
void thermal_hold_row(ThermalTile *t, size_t at, int count, Slope slope);
void thermal_slide_row(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind);

#endif
