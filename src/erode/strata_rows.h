// Beds of rock as row code meets them (grid/rows.h): C17 and OpenCL C 1.2.
#ifndef SILT_ERODE_STRATA_ROWS_H
#define SILT_ERODE_STRATA_ROWS_H

#include "grid/rows.h"
#include "physics/strata_cell.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/strata.h"
#endif

enum { SILT_STEP_BEDS = 32 };

// What of SiltStrata is numbers. Layers of the terrain are fields of the grid on a device.
typedef struct SiltStrataStep {
    SILT_HOST(struct SiltStrata) host;
    int32_t count; // 0: the same rock everywhere
    int32_t has_bed, has_intrusion, has_raised;
    float top, per_metre, cell, middle_i, middle_j, intruded;
    SiltBed beds[SILT_STEP_BEDS];
} SiltStrataStep;

// Its settings (SiltGridSetting), as members of the step T.
#define SILT_STRATA_SETTINGS(T)                                                                              \
    SILT_GRID_SETTING(T, strata.count), SILT_GRID_SETTING(T, strata.has_bed),                                \
        SILT_GRID_SETTING(T, strata.has_intrusion), SILT_GRID_SETTING(T, strata.has_raised)

// Where the layers lie among the fields of a grid: three in a row, which begin with F.
enum { SILT_STRATA_BED, SILT_STRATA_INTRUSION, SILT_STRATA_RAISED, SILT_STRATA_FIELDS_COUNT };
#define SILT_STRATA_GRID_FIELDS(F)                                                                           \
    (F) + SILT_STRATA_BED, (F) + SILT_STRATA_INTRUSION, (F) + SILT_STRATA_RAISED

#ifdef __OPENCL_C_VERSION__
SILT_INLINE float silt_strata_value(const SiltBand *band, int has, int field, int row, int i)
{
    return has ? ((SILT_GLOBAL const float *)silt_band_row(band, field, row))[i] : 0.0f;
}

SILT_INLINE void silt_strata_cells(const SiltBand *band, SILT_STEP const SiltStrataStep *s,
                                   SILT_KNOWN const SiltStrataStep *set, int field, int row,
                                   SILT_GLOBAL const float *elevation, SILT_GLOBAL float *out)
{
    int i = silt_band_from(band);
    float x = ((float)(band->west + i) - s->middle_i) * s->cell, y = ((float)row - s->middle_j) * s->cell;
    float raised = silt_strata_value(band, set->has_raised, field + SILT_STRATA_RAISED, row, i);
    float bent = silt_strata_value(band, set->has_bed, field + SILT_STRATA_BED, row, i);
    float level = strata_level(elevation[i], bent, raised), erodibility = 1.0f;
    for (int k = 0; k < set->count; k++) {
        float position =
            strata_position(s->top - level, x, y, s->beds[k].slope_x, s->beds[k].slope_y, s->per_metre);
        erodibility =
            strata_pick(position, s->beds[k].from, s->beds[k].to, s->beds[k].erodibility, erodibility);
    }
    if (set->has_intrusion)
        erodibility = strata_intrude(elevation[i], raised,
                                     silt_strata_value(band, 1, field + SILT_STRATA_INTRUSION, row, i),
                                     s->intruded, erodibility);
    out[i] = erodibility;
}
#else
// The erodibility of a row whose cells lie at `elevation`; `field` is the first of those of the layers, `set`
// the settings.
SILT_INLINE void silt_strata_cells(const SiltBand *band, const SiltStrataStep *s, const SiltStrataStep *set,
                                   int field, int row, const float *elevation, float *out)
{
    (void)set;
    (void)field;
    silt_strata_row(s->host, 0, row, band->width, elevation, out);
}

SiltStrataStep silt_strata_step(const SiltStrata *strata);

// The layer of the terrain that is this one of their fields; NULL: there is none.
static inline const SiltField *silt_strata_field(const SiltStrata *strata, int field)
{
    return field == SILT_STRATA_BED      ? strata->bed
           : field == SILT_STRATA_RAISED ? strata->raised
                                         : strata->intrusion;
}
#endif

#endif
