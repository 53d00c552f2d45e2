// What the files of the Newtonian model share.
#ifndef SILT_ERODE_NEWTON_H
#define SILT_ERODE_NEWTON_H

#include "erode/shallow.h"
#include "erode/strata.h"
#include "erode/supply.h"
#include "grid/grid.h"
#include "physics/newton_move.h"

enum { SILT_NEWTON_CONVERGING, SILT_NEWTON_PAPER };
enum { SILT_NEWTON_SIDES, SILT_NEWTON_ALL };

typedef struct NewtonParams {
    SILT_SUPPLY_FIELDS
    double step, cfl, gravity, friction, influence, threshold, diffusion, fastest;
    double capacity, dissolve, settle, densest, loose, dry, pace;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
    int averaging, time_scaling;
} NewtonParams;

typedef struct NewtonTally {
    int64_t added, dried, left, sediment_added, sediment_left; // grains
    int64_t swift;
    int32_t deepest;
    float swiftest; // m/s
} NewtonTally;

typedef struct Newton {
    SiltField ground, deposit, fluid, dissolved, wear; // int32, in grains
    SiltField velocity_x, velocity_y, velocity_z;
    SiltField flow, wetness;
    SiltField change_before;
    double time;
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

// What the phases of a step find as band->step.
typedef struct NewtonPass {
    const Newton *newton;
    SiltNewtonStep step;
    SiltNewtonRock rock;
} NewtonPass;

// ---- the fields of the frame ----

// The state; then what phases hand on, amounts in int32; then what is of one row alone.
enum { GROUND, DEPOSIT, FLUID, DISSOLVED, WEAR, VELOCITY_X, VELOCITY_Y, VELOCITY_Z, FLOW, WETNESS, STATE };
enum { LEVEL = STATE, BED, WET, RAINED };         // I of eq. 13; ground and fluid before they move
enum { PUSH_X = RAINED, PUSH_Y, PUSH_Z, PUSHED }; // velocity after the push
enum { TO_E = PUSHED, TO_W, TO_S, TO_N, TO_SE, TO_NW, TO_SW, TO_NE, SENT }; // grains to each neighbour
enum { LOAD = SENT, LOAD_DITHER, SPREAD };                                  // dissolved per fluid
enum { AFTER = SPREAD, SURFACE, THICK, MOVED }; // fluid, ground and fluid, dissolved per fluid after the move
enum { MIX_X = MOVED, MIX_Y, MIX_Z, MIXED };    // velocity after the mix
enum { RAIN = MIXED, BROUGHT, RAIN_HEIGHTS, ERODIBILITY, ROCK_HEIGHTS, LOSS, LOSS_HEIGHTS, FIELDS };

enum { NEWTON_JOB = 1024 }; // bytes that suffice for the job of any phase

// Phases of newton_rock.c; the others and the table are in newton_water.c.
bool silt_newton_begin_move(const SiltBand *band, int row, void *job);
void silt_newton_move_cells(void *job, SiltSpan span);
void silt_newton_end_move(const SiltBand *band, int row, void *job);
bool silt_newton_begin_smooth(const SiltBand *band, int row, void *job);
void silt_newton_smooth_cells(void *job, SiltSpan span);
void silt_newton_end_smooth(const SiltBand *band, int row, void *job);

// Metres above sea level of a row, from the grains in `from` into the buffer `to`.
const float *silt_newton_heights(const SiltBand *band, int from, int to, int row);

SiltStatus silt_newton_grid(Newton *newton, bool plain, SiltGrid **out);

#endif
