// What the phases of `cells` find: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_CELLS_ROWS_H
#define SILT_ERODE_CELLS_ROWS_H

#include "erode/strata_rows.h"
#include "erode/supply_rows.h"
#include "grid/rows.h"
#include "physics/cells_cell.h"

// What a band of rows adds to the books, in grains.
typedef struct CellsTally {
    int64_t rained, evaporated;
    int64_t water_before, water_after; // moving: the difference of all bands has left the map
    int64_t rock_added, rock_before, rock_after;
    int64_t full; // cells that could take no more rain
} CellsTally;

// What they find as band->step.
typedef struct CellsPass {
    SILT_HOST(struct Cells) cells;
    SiltCellsStep step;
    int32_t eight, evenly;            // CELLS_EIGHT, CELLS_EVENLY
    int32_t north, south, west, east; // whether that border is open
    int32_t has_erodibility;          // a layer
    float low, grain;                 // m
    SiltSupplyStep supply;
    SiltStrataStep strata;
} CellsPass;

// The state; then what phases hand on; then what is of one row alone.
enum { GROUND, WATER, SEDIMENT, DEPOSIT, WEAR, FLOW, WETNESS, SPEED, STATE };
enum { BARE = STATE, LEVEL, LOADS };                            // ground and surface before the step
enum { DUG = LOADS, WET, LOADED, LOOSE, ALTITUDE, CALM, WORN }; // after rain and dissolving
enum { SHARE = WORN, EVEN, LOAD, DITHER, PARTED };              // how each cell parts with water and sediment
enum { RAIN = PARTED, BROUGHT, ERODIBILITY, HEIGHTS, LOSS, LOW_HEIGHTS, LAYER, STRATA };
enum { WATERS = STRATA + SILT_STRATA_FIELDS_COUNT, FIELDS = WATERS + SILT_SUPPLY_FIELDS_COUNT };

#endif
