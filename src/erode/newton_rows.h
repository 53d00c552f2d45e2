// What the phases of the Newtonian model find: C17 and OpenCL C 1.2 (grid/rows.h).
#ifndef SILT_ERODE_NEWTON_ROWS_H
#define SILT_ERODE_NEWTON_ROWS_H

#include "erode/strata_rows.h"
#include "erode/supply_rows.h"
#include "grid/rows.h"
#include "physics/newton_parts.h"

typedef struct NewtonTally {
    int64_t added, dried, left, sediment_added, sediment_left; // grains
    int64_t swift;
    int64_t could; // grains that water could carry, where that is evened out
    int32_t deepest;
    int32_t swiftest; // the bits of (m/s)^2
} NewtonTally;

// What they find as band->step.
typedef struct NewtonPass {
    SILT_HOST(struct Newton) newton;
    SiltNewtonStep step;
    SiltNewtonRock rock;
    int32_t all;                      // SILT_NEWTON_ALL
    int32_t parts;                    // SILT_NEWTON_BILINEAR: water moves as in newton_parts.h
    int32_t north, south, west, east; // whether that border is open
    int32_t has_erodibility;          // a layer
    int32_t evens;                    // what water can carry is evened out
    int32_t slips;                    // banks come down with what is dug
    float growth;                     // of all that water could carry, by which that follows at once
    SiltDouble low, grain;            // m
    SiltSupplyStep supply;
    SiltStrataStep strata;
} NewtonPass;

// ---- the fields of the frame ----

// The state; then what phases hand on, amounts in int32; then what is of one row alone.
enum {
    GROUND,
    DEPOSIT,
    FLUID,
    DISSOLVED,
    WEAR,
    VELOCITY_X,
    VELOCITY_Y,
    VELOCITY_Z,
    FLOW,
    WETNESS,
    AROUND,
    DUG,
    STATE
};
enum { LEVEL = STATE, WET, BED, RAINED };         // I of eq. 13; fluid and ground before they move
enum { PUSH_X = RAINED, PUSH_Y, PUSH_Z, PUSHED }; // velocity after the push
enum { TO_E = PUSHED, TO_W, TO_S, TO_N, TO_SE, TO_NW, TO_SW, TO_NE, SENT }; // grains to each neighbour
enum { LOAD = SENT, LOAD_DITHER, SPREAD };                                  // dissolved per fluid
enum { AFTER = SPREAD, SURFACE, THICK, MOVED }; // fluid, ground and fluid, dissolved per fluid after the move
enum { MIX_X = MOVED, MIX_Y, MIX_Z, MIXED };    // velocity after the mix
enum { OLD_X = MIXED, OLD_Y, OLD_Z, KEPT };     // before the push, where water moves in parts
enum { AROUND_BEFORE = KEPT, DUG_BEFORE, FOLLOWED }; // both evened out, before the step
enum { RAIN = FOLLOWED, BROUGHT, RAIN_HEIGHTS, ERODIBILITY, ROCK_HEIGHTS, LOSS, LOSS_HEIGHTS };
enum {
    OUTER = LOSS_HEIGHTS + 1,
    LAYER,
    STRATA,
    WATERS = STRATA + SILT_STRATA_FIELDS_COUNT,
    FIELDS = WATERS + SILT_SUPPLY_FIELDS_COUNT
}; // of the terrain

enum { NEWTON_JOB = 1024 }; // bytes that suffice for the job of any phase

// Phases of newton_rock.c; the others and the table are in newton_water.c.
SILT_ROW_FN bool silt_newton_begin_move(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_newton_move_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_newton_end_move(const SiltBand *band, int row, void *job);
SILT_ROW_FN bool silt_newton_begin_smooth(const SiltBand *band, int row, void *job);
SILT_ROW_FN void silt_newton_smooth_cells(void *job, SiltSpan span);
SILT_ROW_FN void silt_newton_end_smooth(const SiltBand *band, int row, void *job);
// What multiplies the erodibility of rock, or NULL.
SILT_ROW_FN SILT_GLOBAL const float *silt_newton_layer_row(const SiltBand *band, int row);

// Metres above sea level of a row, from the grains in `from` (and below those in `under`, or -1) into the
// buffer `to`.
static inline SILT_GLOBAL const float *newton_heights(const SiltBand *band, int from, int under, int to,
                                                      int row)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_GLOBAL const int32_t *ground = silt_band_row(band, from, row);
    SILT_GLOBAL const int32_t *loose = under < 0 ? NULL : silt_band_row(band, under, row);
    SILT_GLOBAL float *heights = silt_band_row(band, to, row);
#if !defined(__OPENCL_C_VERSION__) || defined(SILT_HAS_DOUBLE)
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        heights[i] = (float)(pass->low + (double)(loose ? ground[i] - loose[i] : ground[i]) * pass->grain);
#endif
    return heights;
}

// ---- what goes to the eight neighbours, and comes from them ----

typedef struct EightRows {
    SILT_GLOBAL const int32_t *e, *w, *s, *n, *se, *nw, *sw, *ne;
} EightRows;

SILT_INLINE SiltEight newton_eight(EightRows of, int i)
{
    return (SiltEight){of.e[i], of.w[i], of.s[i], of.n[i], of.se[i], of.nw[i], of.sw[i], of.ne[i]};
}

// The grains that each neighbour gives in the direction of this row.
static inline EightRows newton_arrivals(const SiltBand *band, int row)
{
    return (EightRows){.e = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_W, row) + 1,
                       .w = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_E, row) - 1,
                       .s = silt_band_row(band, TO_N, row + 1),
                       .n = silt_band_row(band, TO_S, row - 1),
                       .se = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_NW, row + 1) + 1,
                       .nw = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_SE, row - 1) - 1,
                       .sw = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_NE, row + 1) - 1,
                       .ne = (SILT_GLOBAL const int32_t *)silt_band_row(band, TO_SW, row - 1) + 1};
}

static inline EightRows newton_departures(const SiltBand *band, int row)
{
    return (EightRows){silt_band_row(band, TO_E, row),  silt_band_row(band, TO_W, row),
                       silt_band_row(band, TO_S, row),  silt_band_row(band, TO_N, row),
                       silt_band_row(band, TO_SE, row), silt_band_row(band, TO_NW, row),
                       silt_band_row(band, TO_SW, row), silt_band_row(band, TO_NE, row)};
}

static inline bool newton_is_edge(const SiltBand *band, int row)
{
    return !silt_band_on_grid(band, row) && (row == -1 || row == band->height);
}

// The same value beyond both ends of a row, and all along one that lies beyond the map.
static inline void newton_close(const SiltBand *band, int field, int row, int32_t value)
{
    if (newton_is_edge(band, row))
        silt_band_fill(band, field, row, value);
    else
        silt_band_pad(band, field, row, value);
}

#endif
