// The rows of a step in flight, and the phases that work on them.
#ifndef SILT_ERODE_PIPES_ROWS_H
#define SILT_ERODE_PIPES_ROWS_H

#include "core/simd.h"
#include "erode/pipes.h"

// Columns a phase works on.
typedef struct Span {
    int begin, end;
} Span;

// Water comes in (Mei eq. 1).
typedef struct AddJob {
    const int32_t *ground, *water; // in memory; NULL: the row lies beyond the map
    const float *around;
    const float *supply; // m
    bool same;           // it is `more` grains everywhere
    int32_t *ground_out, *water_out;
    float *around_out;
    int32_t more;
    float per_metre, dither, growth;
    bool walled;               // out
    int64_t added, evaporated; // out: grains; what stood above the wall counts as evaporated
} AddJob;

// Pipes are worked on in pairs that look at the same rows: the eastern and the southern, or both diagonal
// ones. `here` is the row they end in (the eastern pipe begins there too), `above` the row before.
enum { PAIR = 2 };

// Fluxes, and where banks slide (eq. 2-3).
typedef struct FluxJob {
    const int32_t *ground_here, *ground_above, *water_here, *water_above;
    float *flux[PAIR];   // before, and after
    int32_t *slid[PAIR]; // NULL: banks hold in this step
    SiltPipe pipe;
    SiltPipesBank bank;
    bool diagonal;
    bool fixed;             // the pipes' cross-section is constant
    int32_t swift[PAIR];    // out: how many were bounded
    int32_t any_slid[PAIR]; // out: not zero where some rock slid
} FluxJob;

// Fluxes through the pipes of a cell: those that start in its row, and those that start in the row above.
typedef struct CellPipes {
    const float *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellPipes;

// The same in whole grains.
typedef struct CellGrains {
    const int32_t *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellGrains;

// What a cell can give (eq. 4).
typedef struct ShareJob {
    CellPipes flux;
    const float *edge;
    const int32_t *water;
    float *share;
    float to_grains, none, one;
    bool stale;             // the row of shares holds others than ones
    int width, edge_stride; // columns from one border cell to the next
    int32_t limited;        // out: cells that want more than they hold
    bool tight;             // out: some shares are below one
} ShareJob;

// What it gives (eq. 5).
typedef struct ScaleJob {
    const float *share_here, *share_above;
    float *flux[PAIR]; // before the limits, and after
    int32_t *grains[PAIR];
    float to_grains, dither;
    bool diagonal, tight_above; // of the shares above some are below one
} ScaleJob;

// Depth and velocity (eq. 6-9), erosion and deposition (eq. 10-12), evaporation (eq. 15).
typedef struct ChangeJob {
    const int32_t *ground, *north, *south; // this row and its neighbours, before
    const int32_t *water, *edge_grains, *sediment;
    const float *losses;      // share that dries up; NULL: `loss` everywhere
    const float *erodibility; // NULL: 1 everywhere
    const float *around, *around_north, *around_south;
    CellPipes flux;
    CellGrains grains, slid;
    float *depth, *speed_square; // twice the grains of water; (m/s)^2
    float *digs_for, *holds;     // grains of rock: what water digs for, and beyond which it lets fall
    int32_t *room, *heap;        // grains that may be dug and heaped
    int32_t *muddy;              // the sediment after it
    float *load, *around_out;
    float *flow, *wetness;                            // NULL: the maps do not look at this step
    int32_t *ground_out, *water_out, *deposit, *wear; // in memory
    bool walled;                                      // some cells stand beside walls
    bool border_row, border; // water leaves over a border from all cells; from some of the present span
    bool banks;
    int width;
    int from; // the first column of the span: what one loop leaves for the next begins there
    SiltPipesMotion motion;
    SiltPipesCarrying carrying;
    SiltRates rates;
    float stay, most_load;
    SiltPipesMemory memory;
    int64_t evaporated, lost;  // out: grains of water, and of rock beyond what can be counted
    int32_t deepest, swiftest; // out: grains, and the bits of (m/s)^2
} ChangeJob;

// Transport (eq. 13).
typedef struct CarryJob {
    const int32_t *muddy; // NULL: there is no such row
    CellGrains grains;    // of water
    const float *load, *load_north, *load_south;
    int32_t *sediment; // in memory
    float dither;
} CarryJob;

AddJob silt_pipes_begin_add(const Pipes *pipes, PipesBand *band, int row);
void silt_pipes_add_water(AddJob *job, Span span);
FluxJob silt_pipes_begin_flux(const Pipes *pipes, PipesBand *band, int row, bool diagonal);
void silt_pipes_update_flux(FluxJob *job, Span span);
ShareJob silt_pipes_begin_share(const Pipes *pipes, PipesBand *band, int row);
void silt_pipes_limit_outflow(ShareJob *job, Span span, bool eight);
ScaleJob silt_pipes_begin_scale(const Pipes *pipes, PipesBand *band, int row, bool diagonal);
// `tight`: some shares of the row are below one.
void silt_pipes_scale_flux(const ScaleJob *job, Span span, bool tight);
void silt_pipes_leave(const Pipes *pipes, PipesBand *band,
                      int row); // over open borders, once shares are known
ChangeJob silt_pipes_prepare_change(const Pipes *pipes, PipesBand *band); // what all rows share
void silt_pipes_begin_change(const Pipes *pipes, PipesBand *band, int row, ChangeJob *job);
void silt_pipes_change_cells(ChangeJob *job, Span span, bool eight);
CarryJob silt_pipes_begin_carry(const Pipes *pipes, PipesBand *band, int row);
void silt_pipes_carry_cells(const CarryJob *job, Span span, bool eight);
void silt_pipes_finish_row(const Pipes *pipes, PipesBand *band, int row);

void silt_pipes_wall_row(const Pipes *pipes, PipesRows *rows, int row);
void silt_pipes_heights_row(const Pipes *pipes, const int32_t *ground, float *heights);

// The place of a row in the rings.
static inline int ring(int row)
{
    return row & (RING - 1);
}

static inline bool owns(const PipesBand *band, int row)
{
    return row >= band->begin && row < band->end;
}

// Whether the step brings the row to its end; rows that are not the band's own are copies.
static inline bool finishes(const PipesBand *band, int row)
{
    return row >= band->first && row < band->last;
}

static inline bool on_map(const Pipes *pipes, int row)
{
    return row >= 0 && row < pipes->terrain->height;
}

// Columns from one border cell of the row to the next: along the northern and southern border all are.
static inline int silt_pipes_edge_stride(const Pipes *pipes, int row)
{
    int width = pipes->terrain->width;
    return row == 0 || row == pipes->terrain->height - 1 || width < 2 ? 1 : width - 1;
}

static inline CellGrains silt_pipes_grain_rows(int32_t *grains[RING][PIPE_DIRECTIONS], int row)
{
    int k = ring(row), above = ring(row - 1);
    return (CellGrains){grains[k][EAST],          grains[k][SOUTH],     grains[k][SOUTH_EAST],
                        grains[k][SOUTH_WEST],    grains[above][SOUTH], grains[above][SOUTH_EAST],
                        grains[above][SOUTH_WEST]};
}

// The fluxes of the pipes that start in a row, in memory: as they were, as they are, and as the limits leave
// them.
static inline float *silt_pipes_flux_row(const Pipes *pipes, const PipesBand *band, int row, int direction)
{
    bool known = on_map(pipes, row) && row >= band->first - HALO && row < band->last + HALO;
    return known ? silt_pipes_row(pipes, band, FLUX_0 + direction, row) : band->rows.outside[direction];
}

// The fluxes of a row of the map, and of the row above into it.
static inline CellPipes silt_pipes_flux_rows(const Pipes *pipes, const PipesBand *band, int row)
{
    const float *own[PIPE_DIRECTIONS] = {0}, *above[PIPE_DIRECTIONS] = {0};
    for (int d = 0; d < pipes->directions; d++) {
        own[d] = silt_pipes_flux_row(pipes, band, row, d);
        above[d] = silt_pipes_flux_row(pipes, band, row - 1, d);
    }
    return (CellPipes){own[EAST],    own[SOUTH],        own[SOUTH_EAST],  own[SOUTH_WEST],
                       above[SOUTH], above[SOUTH_EAST], above[SOUTH_WEST]};
}

// The cell in column i. `first`, `last`: it lies at that end of its row, where memory holds something else
// beyond.
SILT_INLINE SiltPipesFluxes fluxes_at(CellPipes f, int i, bool first, bool last, bool eight)
{
    SiltPipesFluxes at = {.east = f.east[i], .south = f.south[i], .north = f.north[i]};
    at.west = first ? 0.0f : f.east[i - 1];
    if (eight) {
        at.south_east = f.south_east[i];
        at.south_west = f.south_west[i];
        at.north_west = first ? 0.0f : f.north_west[i - 1];
        at.north_east = last ? 0.0f : f.north_east[i + 1];
    }
    return at;
}

SILT_INLINE SiltPipesGrains grains_at(CellGrains g, int i, bool eight)
{
    SiltPipesGrains at = {.east = g.east[i], .west = g.east[i - 1], .south = g.south[i], .north = g.north[i]};
    if (eight) {
        at.south_east = g.south_east[i];
        at.south_west = g.south_west[i];
        at.north_west = g.north_west[i - 1];
        at.north_east = g.north_east[i + 1];
    }
    return at;
}

#endif
