// What the two files of `cells` share.
#ifndef SILT_ERODE_CELLS_H
#define SILT_ERODE_CELLS_H

#include "erode/ground.h"
#include "erode/strata.h"
#include "erode/supply.h"

enum { CELLS_FOUR, CELLS_EIGHT };
enum { CELLS_BY_DROP, CELLS_EVENLY };

typedef struct CellsParams {
    SILT_SUPPLY_FIELDS
    double speed, dissolve, capacity, least_steepness, still, loose, pace;
    int spread, neighbours;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} CellsParams;

// What a band of rows adds to the books, in grains.
typedef struct CellsTally {
    int64_t rained, evaporated;
    int64_t water_before, water_after; // moving: the difference of all bands has left the map
    int64_t rock_added, rock_before, rock_after;
    int64_t full; // cells that could take no more rain
} CellsTally;

typedef struct CellsRows CellsRows; // rows in flight of one thread, in cells_rows.c

enum { CELLS_BAND = 64 }; // rows that one thread does in one go

typedef struct Cells {
    SiltField ground, water, sediment, deposit; // int32_t, in grains
    SiltField next_ground, next_water, next_sediment, next_deposit;
    SiltField wear; // int32_t, in grains
    SiltField flow, wetness, speed;
    SiltField before;
    double time;
    int64_t step_index;

    const CellsParams *params;
    SiltTerrain *terrain;
    SiltGround origin;
    SiltSupply supply;
    const SiltField *erodibility;
    SiltStrata strata;
    double step_time; // s
    CellsRows *rows;  // one a worker
    int worker_count;
    CellsTally *tallies; // one a band
    int band_count;

    // of the present step
    float dt, dissolve, capacity; // s; shares of the water's depth
    float rain_dither, rock_dither, load_dither, loss_dither;
} Cells;

SiltStatus cells_rows_create(Cells *cells);
void cells_rows_destroy(Cells *cells);
// One step of all bands, from the fields into the next ones.
void cells_move(Cells *cells);

#endif
