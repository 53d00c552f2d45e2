// What the files of the pipe model share.
#ifndef SILT_ERODE_PIPES_H
#define SILT_ERODE_PIPES_H

#include "erode/strata.h"
#include "erode/supply.h"
#include "erode/wet.h"
#include "physics/pipes_rock_cell.h"

enum { SILT_PIPES_CONVERGING, SILT_PIPES_PAPER };
enum { SILT_PIPES_FLUX, SILT_PIPES_SEMI_LAGRANGIAN };
enum { SILT_PIPES_FOUR, SILT_PIPES_EIGHT };

typedef struct PipesParams {
    SILT_SUPPLY_FIELDS
    double step, cfl, gravity, pipe_area, friction, fastest;
    int neighbours;
    double capacity, dissolve, settle, least_tilt, film, densest, reach, loose;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
    int time_scaling, transport;
    double bank_angle, bank_rate, pace;
} PipesParams;

// Pipes start in a cell and end in its eastern, southern, south-eastern or south-western neighbour.
enum { EAST, SOUTH, SOUTH_EAST, SOUTH_WEST, PIPE_DIRECTIONS };

// Rows of a step in flight, each in a ring of four: what row r needs of the rows before it.
enum { RING = 4, PAD = 16 };

// Rows beyond those it brings to their end that a step looks at, and how many steps a pass does.
enum { HALO = 3, STEPS = 2 };

typedef struct PipesRows {
    int32_t *ground[RING], *water[RING];    // before the step, new water included
    bool walled[RING];                      // some cell of the row is a wall
    float *outside[PIPE_DIRECTIONS];        // fluxes of rows off the map: none
    int32_t *grains[RING][PIPE_DIRECTIONS]; // of water through each pipe
    int32_t *slid[RING][PIPE_DIRECTIONS];   // of rock, where banks give way
    bool slides[RING][PIPE_DIRECTIONS];     // some do
    float *around[RING];                    // what water could carry, before the step
    float *share[RING];                     // K of eq. 4; every other row is the same
    bool tight[2];                          // some of them are below one
    float *edge[RING];                      // m3/s over the border
    int32_t *edge_grains[RING];
    float *load[RING];                           // sediment per water
    float *east_speed[RING], *south_speed[RING]; // for transport as in the paper
    int32_t *muddy[RING];                        // sediment after erosion and deposition
    bool edge_filled[RING];                      // with more than the two ends
    float *buffer, *sink, *heights, *loss, *zero, *erodibility, *depth, *speed_square;
    float *digs_for, *holds;
    int32_t *room, *heap;
} PipesRows;

// What a band of rows adds to the books in one pass.
typedef struct PipesTally {
    int64_t added, evaporated, left, sediment_added, sediment_left; // grains
    int64_t swift, limited;
    int32_t deepest;  // grains
    int32_t swiftest; // the bits of (m/s)^2
} PipesTally;

enum {
    WATER,
    GROUND,
    DEPOSIT,
    SEDIMENT,
    WEAR,
    FLUX_0,
    FLUX_1,
    FLUX_2,
    FLUX_3,
    AROUND,
    FLOW,
    WETNESS,
    FIELDS
};

// A band of rows one thread works on, with copies of the rows around it that it may spoil, and one of the
// steps it does there in a pass.
typedef struct PipesBand {
    int begin, end;     // its own rows
    int first, last;    // the rows this step brings to their end: with those that the next step looks at
    void *halo[FIELDS]; // STEPS * HALO rows above and as many below
    PipesRows rows;
    PipesTally tally;
} PipesBand;

typedef struct Pipes {
    SiltField ground, deposit, water, sediment, wear; // int32, in grains
    SiltField flux_east, flux_south, flux_south_east, flux_south_west;
    SiltField around; // grains of rock that water could carry, evened out over the reach
    SiltField flow, wetness;
    SiltField change_before; // empty when there was none
    double time;
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
    int32_t *sills; // grains: the ground along the four borders, north, south, west, east
    SiltStrata strata;
    const SiltField *erodibility;
    SiltSupply supply;
    SiltField *fields[FIELDS];
    int directions;   // 2 or 4 of the pipes
    PipesBand *bands; // STEPS for each
    int band_count;
    void *workspace;

    // of the present step
    float dt, to_grains;
    SiltPipe pipe[PIPE_DIRECTIONS];
    double fastest; // m/s
    SiltRates rates;
    float capacity, densest, least_tilt, shallow;
    SiltEvening evening;
    float growth;              // of what water could carry everywhere, since the step before
    float buried, buried_deep; // m of rock that may settle in a step, and share of the depth
    int32_t fan;               // grains from a cell to the next at the steepest that sediment settles
    int32_t wet;               // grains: the foot of a bank is wet
    float sampled;             // s the maps of flow and wetness take this step for; 0: they skip it
    float rain_dither, water_dither, load_dither, loss_dither;
    float rest[PIPE_DIRECTIONS], slide; // grains of drop at the angle of rest; share of what is above it
    bool banks;                         // whether banks give way in this step
} Pipes;

// Bands are made for the number of threads; the result does not depend on them.
SiltStatus silt_pipes_bands_create(Pipes *pipes);
void silt_pipes_bands_destroy(Pipes *pipes);
// One step of all bands, or two in one pass over memory (`next`: the second, or NULL), and what they add to
// the books.
PipesTally silt_pipes_bands_step(Pipes *pipes, Pipes *next);

// Before a step: by how much what water can carry, evened out, must grow as what it could carry has. False
// where that is so.
bool silt_pipes_follow(Pipes *pipes);
// Of the water now, in m/s.
double silt_pipes_speed(const Pipes *pipes, int i, int j);

// One pass over a band: all phases of one step, or of two, the second a few rows behind the first.
void silt_pipes_pass(const Pipes *pipes, PipesBand *band);
void silt_pipes_pass_twice(const Pipes *pipes, PipesBand *band, const Pipes *next, PipesBand *after);
// Bytes of working rows one band needs, and laying them out in a block of that size.
size_t silt_pipes_rows_bytes(int width, int directions);
// `traced`: transport looks at the mud of three rows.
void silt_pipes_rows_place(PipesRows *rows, int width, int directions, bool traced, char *block);

// The row of a field as the band sees it: its own, or its copy of a neighbour's.
static inline void *silt_pipes_row(const Pipes *pipes, const PipesBand *band, int field, int j)
{
    const SiltField *f = pipes->fields[field];
    if (j >= band->begin && j < band->end)
        return f->data + (size_t)j * f->stride;
    enum { DEEP = STEPS * HALO };
    int row = j < band->begin ? j - band->begin + DEEP : j - band->end + DEEP;
    return (float *)band->halo[field] + (size_t)row * f->stride;
}

#endif
