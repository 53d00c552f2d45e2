// The rows of a step in flight, and the phases that work on them.
#ifndef SILT_ERODE_PIPES_ROWS_H
#define SILT_ERODE_PIPES_ROWS_H

#include "core/simd.h"
#include "erode/pipes.h"

void silt_pipes_wall_row(const Pipes *pipes, PipesRows *rows, int row);
void silt_pipes_add_water(const Pipes *pipes, PipesBand *band, int row);      // Mei eq. 1
void silt_pipes_update_flux(const Pipes *pipes, PipesBand *band, int row);    // eq. 2-3
void silt_pipes_limit_outflow(const Pipes *pipes, PipesBand *band, int row);  // eq. 4-5
void silt_pipes_change_cells(const Pipes *pipes, PipesBand *band, int row);   // eq. 6-12 and 15
void silt_pipes_carry_sediment(const Pipes *pipes, PipesBand *band, int row); // eq. 13-14
void silt_pipes_remember(const Pipes *pipes, const PipesBand *band, int row);
void silt_pipes_heights_row(const Pipes *pipes, const int32_t *ground, float *heights);

// Where the pipe of a direction ends: columns to the east.
static const int silt_pipes_east[PIPE_DIRECTIONS] = {1, 0, 1, -1};

// The place of a row in the rings.
static inline int ring(int row)
{
    return row & (RING - 1);
}

static inline bool owns(const PipesBand *band, int row)
{
    return row >= band->begin && row < band->end;
}

// Whole grains through the pipes of a cell: those that start in its row, and those that start in the row
// above.
typedef struct CellGrains {
    const int32_t *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellGrains;

static inline CellGrains silt_pipes_grains(int32_t *grains[RING][PIPE_DIRECTIONS], int row)
{
    int k = ring(row), above = ring(row - 1);
    return (CellGrains){grains[k][EAST],          grains[k][SOUTH],     grains[k][SOUTH_EAST],
                        grains[k][SOUTH_WEST],    grains[above][SOUTH], grains[above][SOUTH_EAST],
                        grains[above][SOUTH_WEST]};
}

// Fluxes through the pipes of a cell, as CellGrains.
typedef struct CellPipes {
    const float *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellPipes;

static inline CellPipes silt_pipes_fluxes(const PipesRows *rows, int row)
{
    int k = ring(row), above = ring(row - 1);
    return (CellPipes){rows->flux[k][EAST],          rows->flux[k][SOUTH],     rows->flux[k][SOUTH_EAST],
                       rows->flux[k][SOUTH_WEST],    rows->flux[above][SOUTH], rows->flux[above][SOUTH_EAST],
                       rows->flux[above][SOUTH_WEST]};
}

// What leaves a cell less what comes in.
SILT_INLINE int32_t net_outflow(CellGrains g, int i, bool eight)
{
    int32_t net = (g.east[i] - g.east[i - 1]) + (g.south[i] - g.north[i]);
    if (eight)
        net += (g.south_east[i] - g.north_west[i - 1]) + (g.south_west[i] - g.north_east[i + 1]);
    return net;
}

SILT_INLINE int32_t all_outflow(CellGrains g, int i, bool eight)
{
    int32_t out = (silt_maxi(g.east[i], 0) + silt_maxi(-g.east[i - 1], 0)) +
                  (silt_maxi(g.south[i], 0) + silt_maxi(-g.north[i], 0));
    if (eight)
        out += (silt_maxi(g.south_east[i], 0) + silt_maxi(-g.north_west[i - 1], 0)) +
               (silt_maxi(g.south_west[i], 0) + silt_maxi(-g.north_east[i + 1], 0));
    return out;
}

#endif
