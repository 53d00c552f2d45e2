// Rain, sources and evaporation as row code meets them (grid/rows.h): C17 and OpenCL C 1.2.
#ifndef SILT_ERODE_SUPPLY_ROWS_H
#define SILT_ERODE_SUPPLY_ROWS_H

#include "grid/rows.h"
#include "physics/decay.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/supply.h"
#endif

// What of SiltSupply is numbers in this step. On a device rows of water and rock that are not the same
// everywhere are fields, which the processor makes.
typedef struct SiltSupplyStep {
    SILT_HOST(struct SiltSupply) host;
    int32_t is_constant;  // the same water everywhere: `depth` metres
    int32_t brings;       // rock comes with it
    int32_t needs_ground; // rain or evaporation go by the height of the ground
    int32_t by_altitude;  // evaporation does
    float depth, loss, decay;
} SiltSupplyStep;

// Metres of water: a row, or on a device the same for all.
typedef struct SiltDepths {
    SILT_GLOBAL const float *row;
    float same;
} SiltDepths;

#ifdef __OPENCL_C_VERSION__
SILT_INLINE float silt_depth_at(SiltDepths depths, int i)
{
    return depths.row ? depths.row[i] : depths.same;
}

SILT_INLINE SiltDepths silt_supply_cells(SILT_STEP const SiltSupplyStep *s, int row,
                                         SILT_GLOBAL const float *heights, SILT_GLOBAL float *buffer)
{
    SiltDepths depths = {s->is_constant ? NULL : buffer, s->depth};
    return depths;
}

SILT_INLINE SILT_GLOBAL const float *silt_supply_rock_cells(SILT_STEP const SiltSupplyStep *s, int row,
                                                            SILT_GLOBAL float *buffer)
{
    return s->brings ? buffer : NULL;
}

SILT_INLINE void silt_supply_loss_cells(const SiltBand *band, SILT_STEP const SiltSupplyStep *s,
                                        SILT_GLOBAL const float *heights, SILT_GLOBAL float *loss)
{
    int i = silt_band_from(band);
    loss[i] = s->by_altitude ? 1.0f - silt_decay(s->decay * silt_maxf(heights[i], 0.0f)) : s->loss;
}
#else
SILT_INLINE float silt_depth_at(SiltDepths depths, int i)
{
    return depths.row[i];
}

// silt_supply_row, silt_supply_sediment_row and silt_supply_loss_row.
SILT_INLINE SiltDepths silt_supply_cells(const SiltSupplyStep *s, int row, const float *heights,
                                         float *buffer)
{
    return (SiltDepths){silt_supply_row(s->host, row, heights, buffer), s->depth};
}

SILT_INLINE const float *silt_supply_rock_cells(const SiltSupplyStep *s, int row, float *buffer)
{
    return silt_supply_sediment_row(s->host, row, buffer);
}

SILT_INLINE void silt_supply_loss_cells(const SiltBand *band, const SiltSupplyStep *s, const float *heights,
                                        float *loss)
{
    silt_supply_loss_row(s->host, heights, band->width, loss);
}

// Of the supply, which has made its step.
SiltSupplyStep silt_supply_step_of(const SiltSupply *supply);
#endif

#endif
