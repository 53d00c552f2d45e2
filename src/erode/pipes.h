// What the files of the pipe model share.
#ifndef SILT_ERODE_PIPES_H
#define SILT_ERODE_PIPES_H

#include "erode/pipes_step_rows.h"
#include "erode/shallow.h"
#include "erode/strata.h"
#include "erode/substeps.h"
#include "erode/supply.h"
#include "grid/grid.h"

#define SILT_PIPES_SHALLOW 0.001f // m: shallower water counts as so deep where its speed is asked for

enum { SILT_PIPES_CONVERGING, SILT_PIPES_PAPER };
enum { SILT_PIPES_FLUX, SILT_PIPES_SEMI_LAGRANGIAN };
enum { SILT_PIPES_FOUR, SILT_PIPES_EIGHT };
enum { SILT_PIPES_ONE_FLUX, SILT_PIPES_TWO_OUTFLOWS };

typedef struct PipesParams {
    SILT_SUPPLY_FIELDS
    bool paper;
    double step, cfl, gravity, pipe_area, friction, fastest;
    int neighbours, outflows;
    double capacity, dissolve, settle, least_tilt, film, densest, reach, loose;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
    int time_scaling, transport;
    double bank_angle, bank_rate, pace;
} PipesParams;

typedef struct Pipes {
    SiltField ground, deposit, water, sediment, wear; // int32, in grains
    SiltField flux_east, flux_south, flux_south_east, flux_south_west;
    SiltField back_east, back_south, back_south_east, back_south_west; // empty where pipes have one flux
    SiltField around; // grains of rock that water could carry, evened out over the reach
    SiltField flow, wetness;
    SiltField change_before; // empty when there was none
    double time;
    SiltSubsteps substeps;
    int64_t step_index;
    double grain; // m
    double deepest, swiftest;
    double steady; // s: the sub-step that was stable when the last pair of them began
    SiltPulse pulse;
    double gained, span; // grains of water and seconds since the present pair of sub-steps began
    double could;        // what water could carry at the last look, summed over some cells
    int64_t next_look;
    double unsampled; // s since the maps of flow and wetness last looked

    const PipesParams *params;
    SiltTerrain *terrain;
    SiltGround base;
    SiltGridPlace
        *watched;   // cells that silt_pipes_follow looks at, on a device; NULL: they need not be fetched
    int32_t *sills; // grains: the ground along the four borders, north, south, west, east
    SiltStrata strata;
    const SiltField *erodibility;
    SiltSupply supply;
    int directions; // 2 or 4 of the pipes
    SiltGrid *grid;

    // of the present step
    float dt, to_grains;
    double fastest; // m/s
    float capacity, densest, least_tilt, shallow;
    float growth;  // of what water could carry everywhere, since the step before
    float sampled; // s the maps of flow and wetness take this step for; 0: they skip it
    float rain_dither, water_dither, load_dither;
    bool banks; // whether banks give way in this step
    SiltPipe pipe[PIPE_DIRECTIONS];
    SiltPipesBank bank[PIPE_DIRECTIONS];
    SiltPipesBorder border;
    SiltPipesMotion motion;
    SiltPipesCarrying carrying;
    SiltRates rates;
    SiltPipesMemory memory;
} Pipes;

enum { PIPES_LIMIT_VELOCITY, PIPES_LIMIT_OUTFLOW };

extern const SiltGridProgram silt_pipes_program; // for devices
// The grid that runs the phases of a step; `plain`: one after the other.
SiltStatus silt_pipes_grid(Pipes *pipes, bool plain, SiltGrid **out);

// The model's step, and its leap over up to two sub-steps.
double silt_pipes_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters);
SiltStatus silt_pipes_tend(void *state, SiltLedger *ledger);
double silt_pipes_leap(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                       SiltCounters *counters);

// Before a step: by how much what water can carry, evened out, must grow as what it could carry has. False
// where that is so.
bool silt_pipes_follow(Pipes *pipes);
// Where the state lies on a device: says which cells that looks at.
SiltStatus silt_pipes_watch(Pipes *pipes);
// Cross-section of a pipe, in m2; 0: as deep as its water.
double silt_pipes_area(const Pipes *pipes);
// Of the water now, in m/s.
double silt_pipes_speed(const Pipes *pipes, int i, int j);
void silt_pipes_speed_row(const Pipes *pipes, int j, int begin, int end, float *out);

#endif
