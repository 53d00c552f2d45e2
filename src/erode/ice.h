// What the files of `ice` share.
//
// Work arrays have one cell more on each side: cell (i, j) is at (j + 1) * pitch + i + 1. A corner has the
// index of the cell to its north-west, a face that of the cell west or north of it.
#ifndef SILT_ERODE_ICE_H
#define SILT_ERODE_ICE_H

#include "core/parallel.h"
#include "erode/model.h"
#include "erode/strata.h"
#include "silt/erode.h"

enum { ICE_OPEN, ICE_CALVING, ICE_CLOSED };
enum { ICE_NO_DATA = 1, ICE_BEYOND = 2 }; // what a wall is
enum { ICE_MOST_LEVELS = 12 };

static const double ICE_WATER = 0.91; // m3 of water in a m3 of ice

typedef struct IceParams {
    double step;
    double ela, ela_share, gradient, most_snow, aspect, bare, balance;
    char balance_map[SILT_NAME_SIZE];
    double cycle, swing;
    double softness, sliding, coupling;
    double abrasion, quarrying, loose, wall, washed;
    double sea_level, calving;
    int sides;
    bool thaw;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} IceParams;

// One grid of the solver: (mass + what leaves) x - what comes = rhs. Each next has half as many cells a side.
typedef struct IceLevel {
    int width, height, grain; // grain: rows of a block
    size_t pitch;
    float *east_out, *east_back;   // through the eastern face: times the own x, times that of the neighbour
    float *south_out, *south_back; // through the southern
    float *mass, *rhs;
    float *x;          // m that a cell gains in the step; on coarse grids, the share by which it grows
    const float *most; // m or share that it can lose; a row's begins `pitch` after that of the row before,
    size_t most_pitch; // or where it did
} IceLevel;

typedef struct Ice {
    SiltField ice;                       // m
    SiltField owed;                      // m of ice that came and is not there yet
    SiltField debris;                    // m of rock in it
    SiltField speed;                     // m/year
    SiltField wear, deposition, deposit; // m
    SiltField lakes;                     // m of water, where there is any
    double *bed;                         // m
    SiltStateArray pace;                 // float for each corner: evened out over the last steps
    double time;                         // years
    double stride;                       // years that the next step may take
    double ela;                          // m, without its cycles

    const IceParams *params;
    SiltTerrain *terrain;
    const SiltField *erodibility, *balance;
    SiltStrata strata;

    // of the present step, in work arrays
    float dt;
    size_t pitch;
    float *base, *thick;     // m: bed and ice
    float *around;           // m: ice evened out over the length of coupling
    float *melt;             // m: what the balance took (above zero) or gave
    float *east, *south;     // m: ice that went through a face
    float *load, *next_load; // m: rock in the ice; the second is free until rock is carried, for
    float *slip;             // m2/year: sliding times thickness, evened out as `around`
    float *drop;             // m: rock that came down out of it
    float *other_pace;       // what paces were before the step
    float *scratch;
    float *whole;        // a row of ones
    uint8_t *wall;       // 0: a cell with data
    int blur;            // cells that a mean reaches to each side; 0: none
    float deform, slide; // physics/ice_cell.h
    float fastest;       // m/year
    float ela_now;       // m
    IceLevel levels[ICE_MOST_LEVELS];
    int level_count;
} Ice;

// Books of a step, in metres over a cell.
typedef struct IceBooks {
    double snow, melt, left;            // ice: came, went, went over the edge
    double worn, laid, washed, dropped; // rock: off the bed, onto it, with the melt water, over the edge
} IceBooks;

static inline size_t ice_at(const Ice *ice, int i, int j)
{
    return (size_t)(j + 1) * ice->pitch + (size_t)i + 1;
}

// Rows of a block of loops over the map.
static inline int ice_rows(const Ice *ice)
{
    return ice->levels[0].grain;
}

// Work arrays, and what follows from the parameters.
SiltStatus silt_ice_flow_create(Ice *ice);
void silt_ice_choose_rates(Ice *ice); // again, when parameters have changed
void silt_ice_flow_destroy(Ice *ice);
// The parts of a step.
void silt_ice_load(Ice *ice);                      // state into work arrays
void silt_ice_even_out(Ice *ice);                  // thickness over the length of coupling
void silt_ice_choose_paces(Ice *ice, float share); // at corners: so much of the new, the rest of the old
void silt_ice_swap_paces(Ice *ice);                // with those before, which `other_pace` keeps
void silt_ice_choose_balance(Ice *ice);            // right sides: ice and what the balance adds
void silt_ice_choose_links(Ice *ice);              // what goes through faces
// After they are solved; books snow, melt and what left. False, here and below: somebody wants the run to
// stop.
bool silt_ice_move(Ice *ice, IceBooks *books);
bool silt_ice_slip(Ice *ice);      // how fast it slides, for the wear
void silt_ice_move_back(Ice *ice); // both undone: ice, what is owed and its speed are as the step found them
double silt_ice_settle(Ice *ice);  // at the end, what is owed; returns what had to come besides
void silt_ice_work(Ice *ice, IceBooks *books); // wears the bed, carries rock and lays it down

// ice_live.c: what the frame asks for while a run goes on.
extern const char *const silt_ice_layers[];
SiltStatus silt_ice_find_maps(Ice *ice); // on failure those it has stay
double silt_ice_water(const Ice *ice);   // ice and lakes as metres of water over a cell
void silt_ice_show(const void *state, int layer, int j, int begin, int end, float *out);
const SiltField *silt_ice_field(const void *state, int layer);
void silt_ice_edit(void *state, SiltEditRow *row);
SiltStatus silt_ice_refresh(void *state);
SiltStatus silt_ice_store(void *state, SiltTerrain *terrain, SiltLedger *ledger);

SiltStatus silt_ice_levels_create(Ice *ice);
void silt_ice_levels_destroy(Ice *ice);
// The mean over twice the cells that `blur` says; to and from may be the same.
void silt_ice_blur(Ice *ice, const float *from, float *to);
// Finds x of the finest level, within a hundredth of `held` metres in the mean if it can; `off` is by how
// many cells are off. False: somebody wants the run to stop.
bool silt_ice_solve(Ice *ice, double held, double *off);

#endif
