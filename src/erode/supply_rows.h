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
    int32_t is_constant;                            // the same water everywhere: `depth` metres
    int32_t drops, has_map, has_sources, has_paint; // what it is made of else
    int32_t brings;                                 // rock comes with it
    int32_t needs_ground;                           // rain or evaporation go by the height of the ground
    int32_t by_altitude;                            // evaporation does
    float depth, loss, decay, decay_base;
    float rain, altitude, dt; // mm/h, mm/h/m2, s
} SiltSupplyStep;

// Its settings (SiltGridSetting), as members of the step T.
#define SILT_SUPPLY_SETTINGS(T)                                                                              \
    SILT_GRID_SETTING(T, supply.is_constant), SILT_GRID_SETTING(T, supply.drops),                            \
        SILT_GRID_SETTING(T, supply.has_map), SILT_GRID_SETTING(T, supply.has_sources),                      \
        SILT_GRID_SETTING(T, supply.has_paint), SILT_GRID_SETTING(T, supply.brings),                         \
        SILT_GRID_SETTING(T, supply.needs_ground), SILT_GRID_SETTING(T, supply.by_altitude)

// What the processor makes for a device, among the fields of a grid one after the other: drops of this step
// in m, a map of rain, what sources bring in m/s, paint in m, rock in m.
enum {
    SILT_SUPPLY_DROPS,
    SILT_SUPPLY_MAP,
    SILT_SUPPLY_WATER,
    SILT_SUPPLY_PAINT,
    SILT_SUPPLY_ROCK,
    SILT_SUPPLY_FIELDS_COUNT
};

#define SILT_MM_PER_HOUR (1.0f / 3.6e6f) // in m/s

// Rain of `rate` mm/h and more with the square of the height, in m/s.
// The share that dries up in a step where the ground lies `height` above zero.
SILT_INLINE float silt_supply_loss(float base, float decay, float height)
{
    return 1.0f - silt_decay(silt_maxf(base + decay * height, 0.0f));
}

SILT_INLINE float silt_supply_rate(float rate, float altitude, float height)
{
    return (rate + altitude * height * height) * SILT_MM_PER_HOUR;
}

// Metres of water: a row, or on a device those of the one column.
typedef struct SiltDepths {
    SILT_GLOBAL const float *row;
    float same;
} SiltDepths;

#ifdef __OPENCL_C_VERSION__
SILT_INLINE float silt_depth_at(SiltDepths depths, int i)
{
    return depths.same; // a band has one column
}

SILT_INLINE float silt_supply_value(const SiltBand *band, int field, int row, int i)
{
    return silt_maxf(((SILT_GLOBAL const float *)silt_band_row(band, field, row))[i], 0.0f);
}

// In the order of silt_supply_row.
SILT_INLINE SiltDepths silt_supply_cells(const SiltBand *band, SILT_STEP const SiltSupplyStep *s,
                                         SILT_KNOWN const SiltSupplyStep *set, int field, int row,
                                         SILT_GLOBAL const float *heights, SILT_GLOBAL float *buffer)
{
    int i = silt_band_from(band);
    SiltDepths depths = {NULL, s->depth};
    if (set->is_constant)
        return depths;
    if (set->drops) {
        depths.same = silt_supply_value(band, field + SILT_SUPPLY_DROPS, row, i);
    } else {
        float rate = set->has_map ? silt_supply_value(band, field + SILT_SUPPLY_MAP, row, i) : s->rain;
        float height = set->needs_ground && s->altitude > 0.0f ? silt_maxf(heights[i], 0.0f) : 0.0f;
        depths.same = silt_supply_rate(rate, s->altitude, height) * s->dt;
    }
    if (set->has_sources)
        depths.same += silt_supply_value(band, field + SILT_SUPPLY_WATER, row, i) * s->dt;
    if (set->has_paint)
        depths.same += silt_supply_value(band, field + SILT_SUPPLY_PAINT, row, i);
    return depths;
}

SILT_INLINE SILT_GLOBAL const float *silt_supply_rock_cells(const SiltBand *band,
                                                            SILT_STEP const SiltSupplyStep *s,
                                                            SILT_KNOWN const SiltSupplyStep *set, int field,
                                                            int row, SILT_GLOBAL float *buffer)
{
    return set->brings ? silt_band_row(band, field + SILT_SUPPLY_ROCK, row) : NULL;
}

SILT_INLINE void silt_supply_loss_cells(const SiltBand *band, SILT_STEP const SiltSupplyStep *s,
                                        SILT_KNOWN const SiltSupplyStep *set,
                                        SILT_GLOBAL const float *heights, SILT_GLOBAL float *loss)
{
    int i = silt_band_from(band);
    loss[i] = set->by_altitude ? silt_supply_loss(s->decay_base, s->decay, heights[i]) : s->loss;
}
#else
SILT_INLINE float silt_depth_at(SiltDepths depths, int i)
{
    return depths.row[i];
}

// silt_supply_row, silt_supply_sediment_row and silt_supply_loss_row. `set`: the supply's settings.
SILT_INLINE SiltDepths silt_supply_cells(const SiltBand *band, const SiltSupplyStep *s,
                                         const SiltSupplyStep *set, int field, int row, const float *heights,
                                         float *buffer)
{
    (void)band;
    (void)set;
    (void)field;
    return (SiltDepths){silt_supply_row(s->host, row, heights, buffer), s->depth};
}

SILT_INLINE const float *silt_supply_rock_cells(const SiltBand *band, const SiltSupplyStep *s,
                                                const SiltSupplyStep *set, int field, int row, float *buffer)
{
    (void)band;
    (void)set;
    (void)field;
    return silt_supply_sediment_row(s->host, row, buffer);
}

SILT_INLINE void silt_supply_loss_cells(const SiltBand *band, const SiltSupplyStep *s,
                                        const SiltSupplyStep *set, const float *heights, float *loss)
{
    (void)set;
    silt_supply_loss_row(s->host, heights, band->width, loss);
}

// Of the supply, which has made its step.
SiltSupplyStep silt_supply_step_of(const SiltSupply *supply);
// Field `which` of those that the processor makes: as SiltGridProgram has them. `heights` of the ground in
// metres, where silt_supply_makes_by_ground says so.
uint64_t silt_supply_version(const SiltSupplyStep *s, int which);
bool silt_supply_makes_by_ground(const SiltSupplyStep *s);
void silt_supply_make_row(const SiltSupplyStep *s, int which, int row, const float *heights, float *out);
#endif

#endif
