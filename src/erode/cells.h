// What the two files of `cells` share.
#ifndef SILT_ERODE_CELLS_H
#define SILT_ERODE_CELLS_H

#include "erode/cells_rows.h"
#include "erode/ground.h"
#include "erode/strata.h"
#include "erode/supply.h"
#include "grid/grid.h"

enum { CELLS_FOUR, CELLS_EIGHT };
enum { CELLS_BY_DROP, CELLS_EVENLY };
enum { CELLS_BOUNDED, CELLS_FREE };

typedef struct CellsParams {
    SILT_SUPPLY_FIELDS
    bool paper;
    double speed, dissolve, capacity, least_steepness, still, loose, pace;
    int spread, neighbours, bounds;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} CellsParams;

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

extern const SiltGridProgram silt_cells_program; // for devices
SiltStatus silt_cells_grid(Cells *cells, bool plain, SiltGrid **out);

#endif
