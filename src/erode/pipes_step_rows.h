// What the phases of `pipes` find as band->step: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_PIPES_STEP_ROWS_H
#define SILT_ERODE_PIPES_STEP_ROWS_H

#include "erode/strata_rows.h"
#include "erode/supply_rows.h"
#include "grid/rows.h"
#include "physics/pipes_rock_cell.h"

// Pipes start in a cell and end in its eastern, southern, south-eastern or south-western neighbour.
enum { EAST, SOUTH, SOUTH_EAST, SOUTH_WEST, PIPE_DIRECTIONS };

// Rows beyond those it brings to their end that a step looks at, and how many steps a pass does.
enum { PIPES_HALO = 3, PIPES_STEPS = 2 };

// What a band of rows adds to the books in one step.
typedef struct PipesTally {
    int64_t added, evaporated, left, sediment_added, sediment_left; // grains
    int64_t swift, limited;
    int32_t deepest;  // grains
    int32_t swiftest; // the bits of (m/s)^2
} PipesTally;

// Names are those of Pipes.
typedef struct PipesStep {
    SILT_HOST(struct Pipes) host;
    int32_t directions;               // 2 or 4 of the pipes
    int32_t banks;                    // whether banks give way in this step
    int32_t samples;                  // whether the maps of flow and wetness look at it
    int32_t fixed;                    // the pipes' cross-section is constant
    int32_t two;                      // they have two outflows
    int32_t by_altitude;              // evaporation goes by the height of the ground
    int32_t traced;                   // SILT_PIPES_SEMI_LAGRANGIAN
    int32_t north, south, west, east; // whether that border is open
    int32_t has_erodibility;          // a layer
    float per_metre;                  // grains
    float to_grains, growth, sampled;
    float rain_dither, water_dither, load_dither;
    float fastest, courant; // m/s; cells for each m/s
    SiltPipe pipe[PIPE_DIRECTIONS];
    SiltPipesBank bank[PIPE_DIRECTIONS];
    SiltPipesBorder border;
    SiltPipesMotion motion;
    SiltPipesCarrying carrying;
    SiltRates rates;
    SiltPipesMemory memory;
    SiltDouble low, grain; // m
    SiltSupplyStep supply;
    SiltStrataStep strata;
} PipesStep;

// What does not change in a run is known to a device's compiler.
#ifdef __OPENCL_C_VERSION__
#define PIPES_DIRECTIONS(step) SILT_PIPES_DIRECTIONS
#define PIPES_FIXED(step)      SILT_PIPES_FIXED
#define PIPES_TWO(step)        SILT_PIPES_TWO
#else
#define PIPES_DIRECTIONS(step) ((step)->directions)
#define PIPES_FIXED(step)      ((step)->fixed)
#define PIPES_TWO(step)        ((step)->two)
#endif

#endif
