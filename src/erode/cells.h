// What the two files of `cells` share.
#ifndef SILT_ERODE_CELLS_H
#define SILT_ERODE_CELLS_H

#include "erode/ground.h"
#include "erode/strata.h"
#include "erode/supply.h"
#include "grid/grid.h"
#include "physics/cells_cell.h"

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

typedef struct Cells {
    SiltField ground, water, sediment, deposit; // int32_t, in grains
    SiltField wear;                             // int32_t, in grains
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
    SiltGrid *grid;
} Cells;

// What the phases of a step find as band->step.
typedef struct CellsPass {
    const Cells *cells;
    SiltCellsStep step;
    bool eight, evenly; // CELLS_EIGHT, CELLS_EVENLY
} CellsPass;

SiltStatus silt_cells_grid(Cells *cells, bool plain, SiltGrid **out);

#endif
