// The rows that the phases of a step of `pipes` work on: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_PIPES_ROWS_H
#define SILT_ERODE_PIPES_ROWS_H

#include "erode/pipes_step_rows.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/pipes.h"
#endif

enum {
    // state, in the order in which a step needs it: so it is asked for ahead
    GROUND,
    WATER,
    AROUND,
    FLUX,                          // of each direction
    BACK = FLUX + PIPE_DIRECTIONS, // what comes back through each, where pipes have two outflows
    SEDIMENT = BACK + PIPE_DIRECTIONS,
    DEPOSIT,
    WEAR,
    FLOW,
    WETNESS,
    // rows in flight
    GROUND_BEFORE, // the step
    WATER_BEFORE,  // new water included
    AROUND_BEFORE,
    GRAINS,                          // of water through each pipe
    SLID = GRAINS + PIPE_DIRECTIONS, // of rock, where banks give way
    SHARE = SLID + PIPE_DIRECTIONS,  // K of eq. 4
    EDGE_GRAINS,                     // over the border at both ends of a row; none between them
    BORDER_GRAINS,                   // and along the northern and the southern border
    LOAD,                            // sediment per water
    MUDDY,                           // sediment after erosion and deposition
    CARRIED,                         // of it, through the southern pipe
    // of one row
    OUTSIDE, // fluxes of rows off the map: none
    ONES,    // shares of a row in which all can give what they want
    EDGE,    // m3/s over the border
    SUPPLY,
    SEDIMENT_SUPPLY,
    HEIGHTS,
    LOSS,
    ERODIBILITY,
    // of the terrain, on devices
    SILLS, // ground along the borders as it was in the beginning
    LAYER, // of erodibility
    STRATA,
    WATERS = STRATA + SILT_STRATA_FIELDS_COUNT, // what the processor makes of the supply
    FIELDS = WATERS + SILT_SUPPLY_FIELDS_COUNT
};

// What is noted of a row.
enum {
    WALLED = 1,  // some cell of it is a wall
    TIGHT = 2,   // some share of it is below one
    SLIDES = 4,  // rock slides along some pipe that starts there
    DRIFTED = 8, // it is known what sediment goes south from it
};

// Fluxes through the pipes of a row of cells: those that start in it, and those that start in the row above.
typedef struct CellPipes {
    SILT_GLOBAL const float *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellPipes;

// The same in whole grains.
typedef struct CellGrains {
    SILT_GLOBAL const int32_t *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellGrains;

static inline bool silt_pipes_eight(const SiltBand *band)
{
    SILT_STEP const PipesStep *pipes = band->step;
    return PIPES_DIRECTIONS(pipes) == PIPE_DIRECTIONS;
}

// Columns from one border cell of the row to the next: along the northern and southern border all are.
static inline int silt_pipes_edge_stride(const SiltBand *band, int row)
{
    return silt_band_is_outer(band, row) || band->width < 2 ? 1 : band->width - 1;
}

// Grains that leave over the border.
static inline SILT_GLOBAL int32_t *silt_pipes_edge_row(const SiltBand *band, int row)
{
    if (!silt_band_is_outer(band, row))
        return silt_band_ring(band, EDGE_GRAINS, row);
    return silt_band_ring(band, BORDER_GRAINS, row > 0);
}

// Whether what happens in a cell counts: it does in one band of one region.
static inline bool silt_pipes_counts(const SiltBand *band, int i, int row)
{
    SiltRegion region = silt_band_region(band);
    return silt_band_counts(band, row) && i >= region.west && i < band->width - region.east;
}

// The fluxes of the pipes that start in a row, in memory: as they were, as they are, and as the limits leave
// them.
static inline SILT_GLOBAL float *silt_pipes_flux_row(const SiltBand *band, int row, int direction)
{
    bool known =
        silt_band_on_grid(band, row) && row >= band->first - PIPES_HALO && row < band->last + PIPES_HALO;
    return known ? silt_band_row(band, FLUX + direction, row) : silt_band_ring(band, OUTSIDE, 0);
}

// What comes back through them, where pipes have two outflows.
static inline SILT_GLOBAL float *silt_pipes_back_row(const SiltBand *band, int row, int direction)
{
    return silt_pipes_flux_row(band, row, BACK - FLUX + direction);
}

SILT_ROW_FN CellPipes silt_pipes_fluxes_around(const SiltBand *band, int row);
SILT_ROW_FN CellPipes silt_pipes_backs_around(const SiltBand *band, int row);
// `field`: GRAINS or SLID.
SILT_ROW_FN CellGrains silt_pipes_grains_around(const SiltBand *band, int field, int row);
// The height of the ground before the step, in metres, or of the rock below the deposit (NULL: of the
// surface).
SILT_ROW_FN SILT_GLOBAL const float *silt_pipes_heights_row(const SiltBand *band, int row,
                                                            SILT_GLOBAL const int32_t *ground,
                                                            SILT_GLOBAL const int32_t *deposit);
// Nothing but walls.
SILT_ROW_FN void silt_pipes_wall_row(const SiltBand *band, int row);

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
