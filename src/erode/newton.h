// What the files of the Newtonian model share.
#ifndef SILT_ERODE_NEWTON_H
#define SILT_ERODE_NEWTON_H

#include "erode/newton_rows.h"
#include "erode/shallow.h"
#include "erode/strata.h"
#include "erode/substeps.h"
#include "erode/supply.h"
#include "grid/grid.h"

enum { SILT_NEWTON_CONVERGING, SILT_NEWTON_PAPER };
enum { SILT_NEWTON_SIDES, SILT_NEWTON_ALL };
enum { SILT_NEWTON_OVER_SIDES, SILT_NEWTON_BILINEAR };

typedef struct NewtonParams {
    SILT_SUPPLY_FIELDS
    bool paper;
    double step, cfl, gravity, friction, influence, threshold, diffusion, fastest;
    double capacity, dissolve, settle, densest, reach, banks, loose, dry, pace;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
    int averaging, transfer, time_scaling;
} NewtonParams;

typedef struct Newton {
    SiltField ground, deposit, fluid, dissolved, wear; // int32, in grains
    SiltField velocity_x, velocity_y, velocity_z;
    SiltField flow, wetness;
    SiltField
        around;    // grains of rock that water could carry, evened out over the reach; made if there is one
    SiltField dug; // grains a second that are dug, evened out over the banks; made if they come down
    double could;  // grains that all water could carry in the last step, and by how much that had grown
    float growth;
    SiltField change_before;
    double time;
    SiltSubsteps substeps;
    int64_t step_index;
    double grain;
    double deepest, swiftest;
    SiltPulse pulse;

    const NewtonParams *params;
    SiltTerrain *terrain;
    const SiltField *erodibility;
    SiltGround base;
    SiltStrata strata;
    SiltSupply supply;
    SiltGrid *grid;
} Newton;

extern const SiltGridProgram silt_newton_program; // for devices

// The ground at the border as it was in the beginning, which goes on beyond an open one.
static inline int32_t silt_newton_outer(const Newton *newton, int i, int j)
{
    return silt_terrain_is_nodata(newton->terrain, i, j) ? SILT_GRAINS_WALL
                                                         : silt_ground_grains(&newton->base, i, j);
}

SiltStatus silt_newton_grid(Newton *newton, bool plain, SiltGrid **out);

#endif
