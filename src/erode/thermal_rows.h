// What the phases of `thermal` find: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_THERMAL_ROWS_H
#define SILT_ERODE_THERMAL_ROWS_H

#include "erode/strata_rows.h"
#include "grid/rows.h"
#include "physics/thermal_cell.h"

enum { THERMAL_ROTATED, THERMAL_EIGHT, THERMAL_ROUND };

// The same in all cells of a step.
typedef struct ThermalRates {
    int32_t straight, diagonal;          // talus in grains
    float rate, per_rate, height_factor; // per_rate: one over rate
    int32_t first; // whether it is the first of those after which it is seen whether all is at rest
} ThermalRates;

typedef struct ThermalStep {
    SILT_HOST(struct Thermal) thermal;
    ThermalRates rates;
    int32_t neighbours;                        // THERMAL_ROTATED ...
    int32_t mobile, watching;                  // as in Thermal
    int32_t has_holes, has_erodibility;        // cells without data; a layer of erodibility
    int32_t breaks;                            // rock stands up to a slope, `stands`
    float rock, over_rock, stands, low, grain; // over_rock: one over rock, or 0
    float limit;                               // drop up to which plain rock stands
    SiltStrataStep strata;
} ThermalStep;

typedef struct ThermalTally {
    int32_t most, apart;
} ThermalTally;

// The state; what phases hand on; buffers of one row; what lies in the terrain.
enum { GROUND, BED, RISEN, SINCE, BEFORE, OPEN, WEST, NORTH, RATE, ERODIBILITY, HEIGHTS, BEDS };
enum { HOLES = BEDS + 1, LAYER, STRATA, FIELDS = STRATA + SILT_STRATA_FIELDS_COUNT };

#endif
