// What the two files of `thermal` share.
#ifndef SILT_ERODE_THERMAL_H
#define SILT_ERODE_THERMAL_H

#include "erode/ground.h"
#include "erode/model.h"
#include "erode/strata.h"
#include "grid/grid.h"

enum { THERMAL_STEPS = 4 }; // at most in one pass over memory

typedef struct ThermalParams {
    bool paper;
    double talus, strength, rate, amount, rock, summit;
    int mode, neighbours;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} ThermalParams;

typedef struct Thermal {
    // heights in grains above `low`
    SiltField ground; // surface
    SiltField bed;    // rock under the loose material
    SiltField risen;  // uint32_t: sum of all that a step ever added
    SiltField before; // "change" as it was, where the terrain came with one
    SiltField since;  // grains that each cell has come since the watch began
    int64_t step_index, watching;
    double most;      // grains that a cell gained or lost in a step, since the last look
    double step_time; // years

    const ThermalParams *params;
    SiltGround origin;            // the ground as the run found it
    const SiltField *erodibility; // layer, or NULL
    SiltStrata strata;
    int neighbours;      // THERMAL_ROTATED ...
    bool mobile;         // whether the rate differs from cell to cell
    float rate;          // of loose material: share of the excess that slides to one neighbour
    float rock;          // erodibility of rock where loose material has 1
    float height_factor; // change of the rate for each grain of height
    int32_t talus[2];    // grains between direct and between diagonal neighbours
    float stands;        // grains between direct neighbours at the slope plain rock stands at; 0: the talus
    SiltGrid *grid;
} Thermal;

extern const SiltGridProgram silt_thermal_program; // for devices
SiltStatus silt_thermal_grid(Thermal *thermal, bool plain, SiltGrid **out);
// Up to silt_grid_steps steps at `rate`. In grains: the most that a cell gained or lost in a step, and how
// far one has come since the watch began.
void silt_thermal_pass(Thermal *thermal, int steps, float rate, double *most, double *apart);

#endif
