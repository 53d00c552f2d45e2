// The phases of a step of `pipes`, for its table: what begins a row, works on some of its cells, and ends it.
#ifndef SILT_ERODE_PIPES_PHASES_H
#define SILT_ERODE_PIPES_PHASES_H

#include "erode/pipes_rows.h"

// Water comes in (Mei eq. 1).
typedef struct RainJob {
    SILT_GLOBAL const int32_t *ground, *water; // in memory
    SILT_GLOBAL const float *around;
    SiltDepths supply; // m
    bool same;         // it is `more` grains everywhere
    SILT_GLOBAL int32_t *ground_out, *water_out;
    SILT_GLOBAL float *around_out;
    int32_t more;
    float per_metre, dither, growth;
    bool walled;               // out
    int64_t added, evaporated; // out: grains; what stood above the wall counts as evaporated
} RainJob;

SILT_ROW_FN bool silt_pipes_rain_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_rain_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_rain_end(const SiltBand *band, int row, void *job);

// Pipes are worked on in pairs that look at the same rows: the eastern and the southern, or both diagonal
// ones. `here` is the row they end in (the eastern pipe begins there too), `above` the row before.
enum { PAIR = 2, PAIRS = PIPE_DIRECTIONS / PAIR };

typedef struct FluxPair {
    SILT_GLOBAL float *flux[PAIR];   // before, and after
    SILT_GLOBAL float *back[PAIR];   // what comes back; NULL: pipes have one flux
    SILT_GLOBAL int32_t *slid[PAIR]; // NULL: banks hold in this step
    SiltPipe pipe;
    SiltPipesBank bank;
    int32_t swift[PAIR];    // out: how many were bounded
    int32_t any_slid[PAIR]; // out: not zero where some rock slid
} FluxPair;

// Fluxes, and where banks slide (eq. 2-3).
typedef struct FluxJob {
    SILT_GLOBAL const int32_t *ground_here, *ground_above, *water_here, *water_above;
    bool fixed; // the pipes' cross-section is constant
    int pairs;
    FluxPair pair[PAIRS];
} FluxJob;

SILT_ROW_FN bool silt_pipes_flux_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_flux_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_flux_end(const SiltBand *band, int row, void *job);

// What a cell can give (eq. 4).
typedef struct ShareJob {
    CellPipes flux, back;
    SILT_GLOBAL float *edge;
    SILT_GLOBAL const int32_t *water;
    SILT_GLOBAL float *share;
    uint32_t *mark; // out: TIGHT
    float to_grains, none, one;
    int width, edge_stride; // columns from one border cell to the next
    bool eight, two;        // two: pipes have two outflows
    int64_t limited;        // out: cells that want more than they hold
} ShareJob;

SILT_ROW_FN bool silt_pipes_share_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_share_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_share_end(const SiltBand *band, int row, void *job);

// What it gives (eq. 5).
typedef struct ScalePair {
    SILT_GLOBAL float *flux[PAIR]; // before the limits, and after
    SILT_GLOBAL float *back[PAIR]; // what comes back; NULL: pipes have one flux
    SILT_GLOBAL int32_t *grains[PAIR];
} ScalePair;

typedef struct ScaleJob {
    SILT_GLOBAL const float *share_here, *share_above, *ones;
    const uint32_t *mark_here, *mark_above;
    float to_grains, dither;
    int pairs;
    ScalePair pair[PAIRS];
} ScaleJob;

SILT_ROW_FN bool silt_pipes_scale_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_scale_cells(void *job, SiltSpan span);

// Sediment that sources bring.
typedef struct SourceJob {
    SILT_GLOBAL const float *supply; // m
    SILT_GLOBAL const int32_t *ground;
    SILT_GLOBAL int32_t *sediment;
    float per_metre, dither;
    int64_t added; // out: grains
} SourceJob;

SILT_ROW_FN bool silt_pipes_source_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_source_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_source_end(const SiltBand *band, int row, void *job);

// Depth and velocity (eq. 6-9), erosion and deposition (eq. 10-12), evaporation (eq. 15).
typedef struct Between Between;

typedef struct ChangeJob {
    SILT_GLOBAL const int32_t *ground, *north, *south; // this row and its neighbours, before
    SILT_GLOBAL const int32_t *water, *edge_grains, *sediment;
    SILT_GLOBAL const float *losses;      // share that dries up; NULL: `loss` everywhere
    SILT_GLOBAL const float *erodibility; // NULL: 1 everywhere
    SILT_GLOBAL const float *around, *around_north, *around_south;
    CellPipes flux;
    CellGrains grains, slid;
    SILT_GLOBAL int32_t *muddy; // the sediment after it
    SILT_GLOBAL float *load, *around_out;
    SILT_GLOBAL float *flow, *wetness;                            // NULL: the maps do not look at this step
    SILT_GLOBAL int32_t *ground_out, *water_out, *deposit, *wear; // in memory
    bool walled;                                                  // some cells stand beside walls
    bool border_row, border; // water leaves over a border from all cells; from some of the present span
    bool banks, eight;
    int width;
    Between *between; // what one loop leaves for the next,
    int from;         // from this column on
    SiltPipesMotion motion;
    SiltPipesCarrying carrying;
    SiltRates rates;
    float stay, most_load;
    SiltPipesMemory memory;
    int64_t evaporated, lost;  // out: grains of water, and of rock beyond what can be counted
    int64_t swift;             // out: cells whose speed was bounded
    int32_t deepest, swiftest; // out: grains, and the bits of (m/s)^2
} ChangeJob;

SILT_ROW_FN bool silt_pipes_change_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_change_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_change_end(const SiltBand *band, int row, void *job);

// Sediment goes through the pipes (eq. 13).
typedef struct CarryJob {
    SILT_GLOBAL const int32_t *muddy;
    CellGrains grains; // of water
    SILT_GLOBAL const float *load, *load_north, *load_south;
    SILT_GLOBAL const int32_t *from_north; // what comes from there, through four pipes; NULL: not known
    SILT_GLOBAL int32_t *to_south;         // what goes there
    SILT_GLOBAL int32_t *sediment;         // in memory
    float dither;
    bool eight;
} CarryJob;

SILT_ROW_FN bool silt_pipes_carry_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_carry_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_pipes_carry_end(const SiltBand *band, int row, void *job);

// Transport by the way back (eq. 14).
typedef struct TraceJob {
    CellPipes flux;
    CellGrains grains;
    SILT_GLOBAL const int32_t *water, *edge_grains;
    SILT_GLOBAL const int32_t *muddy, *muddy_north, *muddy_south;
    SILT_GLOBAL int32_t *sediment; // in memory
    SiltPipesMotion motion;
    float fastest, courant, dither;
    int width;
    bool eight;
} TraceJob;

SILT_ROW_FN bool silt_pipes_trace_begin(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_pipes_trace_cells(void *job, SiltSpan span);

// Before the first row of a band comes in.
SILT_ROW_FN void silt_pipes_start(const SiltBand *band, int row);

#endif
