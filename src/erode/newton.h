// What the files of the Newtonian model share.
#ifndef SILT_ERODE_NEWTON_H
#define SILT_ERODE_NEWTON_H

#include "erode/strata.h"
#include "erode/supply.h"
#include "erode/wet.h"
#include "physics/newton_cell.h"
#include "physics/pipes_cell.h"

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

// The eight neighbours; opposite ones differ in the lowest bit.
enum {
    TO_EAST,
    TO_WEST,
    TO_SOUTH,
    TO_NORTH,
    TO_SOUTH_EAST,
    TO_NORTH_WEST,
    TO_SOUTH_WEST,
    TO_NORTH_EAST,
    WAYS
};

enum { NEWTON_TRACE = 16 }; // grains, a few micrometres: they cling to the ground

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
    // of one step, with a ring of cells around the map: what the phases hand on
    SiltField level;                  // I of eq. 13, int32; later dissolved per fluid, once rock has gone
    SiltField bed;                    // the ground before the step; int32
    SiltField surface;                // ground and fluid; int32
    SiltField out[WAYS];              // grains to each neighbour; int32
    SiltField after;                  // fluid after the move; int32
    SiltField load, load_dither;      // dissolved per fluid
    SiltField push_x, push_y, push_z; // velocity after the push
    SiltField mix_x, mix_y, mix_z;    // velocity after the mix
    NewtonTally *tallies;             // one a row
    float *rows;                      // two buffers for each row of the map

    float dt, keep, gain, dissolve, settle, capacity, most_load, swift, diffusion, film_loss;
    int32_t rest; // grains from a cell to the next at the steepest that sediment settles
    float rain_dither, fluid_dither, rock_dither, load_dither_now, loss_dither;
} Newton;

void silt_newton_rain(void *newton, int begin, int end);    // eq. 24, and eq. 13
void silt_newton_push(void *newton, int begin, int end);    // eq. 1-3, 8-18
void silt_newton_spread(void *newton, int begin, int end);  // eq. 4
void silt_newton_move(void *newton, int begin, int end);    // eq. 5-7, 19-23
void silt_newton_diffuse(void *newton, int begin, int end); // section 3, eq. 25
void silt_newton_ring(Newton *newton);                      // what lies beyond the borders

void silt_newton_heights(const Newton *newton, int j, float *heights);

static inline int width_of(const Newton *n)
{
    return n->terrain->width;
}

// A row of a field that has a ring of cells around the map.
static inline int32_t *ringed_grains(const SiltField *field, int j)
{
    return (int32_t *)(void *)silt_field_row(field, j + 1) + 1;
}

static inline float *ringed(const SiltField *field, int j)
{
    return silt_field_row(field, j + 1) + 1;
}

#endif
