// Beds of rock from their list.
#include "erode/strata.h"

#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "grid/region.h"
#include "physics/elementary.h"

typedef struct Highest {
    const SiltTerrain *terrain;
    int grain;
    float block[SILT_REDUCE_BLOCKS];
} Highest;

static void highest_rows(void *context, int begin, int end)
{
    Highest *highest = context;
    const SiltTerrain *terrain = highest->terrain;
    const SiltField *height = &terrain->layers[0]->field, *change = silt_terrain_layer(terrain, "change");
    float most = -INFINITY;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            float ground = silt_field_at(height, i, j) + (change ? silt_field_at(change, i, j) : 0.0f);
            if (!silt_terrain_is_nodata(terrain, i, j) && ground > most)
                most = ground;
        }
    highest->block[begin / highest->grain] = most;
}

static float highest_point(const SiltTerrain *terrain)
{
    Highest highest = {.terrain = terrain, .grain = silt_reduce_grain(terrain->height)};
    silt_parallel(terrain->height, highest.grain, highest_rows, &highest);
    float most = -INFINITY;
    for (int block = 0; block * highest.grain < terrain->height; block++)
        most = highest.block[block] > most ? highest.block[block] : most;
    double of_map = (double)most;
    SiltRegion region = silt_region_of(terrain);
    silt_region_fold(&region, SILT_FOLD_MOST, &of_map, 1);
    return isfinite(of_map) ? (float)of_map : 0.0f;
}

static SiltStatus check_bed(const double *row, int index, const char *owner)
{
    if (!(row[0] >= SILT_THINNEST_BED) || !(row[0] <= 1e6))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: bed %d of strata is %g m thick; it takes %g to 1e6 (give thinner ones as one "
                         "bed of their mean erodibility)",
                         owner, index + 1, row[0], SILT_THINNEST_BED);
    if (!(row[1] >= 0.0) || !(row[1] <= 100.0))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: bed %d of strata has erodibility %g; it takes 0 to 100",
                         owner, index + 1, row[1]);
    if (!(fabs(row[2]) <= 89.0))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: bed %d of strata is tilted by %g degrees; it takes -89 to 89", owner, index + 1,
                         row[2]);
    return SILT_OK;
}

SiltStatus silt_strata_begin(const SiltList *list, double direction, const SiltTerrain *terrain,
                             const char *owner, SiltStrata *out)
{
    *out = (SiltStrata){0};
    if (list->count > SILT_MAX_BEDS)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %d beds of strata; at most %d, and they repeat by themselves", owner,
                         list->count, SILT_MAX_BEDS);
    double whole = 0.0, above = 0.0, degree = 3.14159265358979323846 / 180.0;
    for (int k = 0; k < list->count; k++) {
        SiltStatus status = check_bed(&list->values[k * list->columns], k, owner);
        if (status != SILT_OK)
            return status;
        whole += list->values[k * list->columns];
    }
    if (list->count == 0)
        return SILT_OK;
    for (int k = 0; k < list->count; k++) {
        const double *row = &list->values[k * list->columns];
        double fall = silt_tan(row[2] * degree);
        out->beds[k] = (SiltBed){.from = (float)(above / whole),
                                 .to = k + 1 == list->count ? 1.0f : (float)((above + row[0]) / whole),
                                 .slope_x = (float)(fall * silt_sin(direction * degree)),
                                 .slope_y = (float)(-fall * silt_cos(direction * degree)),
                                 .erodibility = (float)row[1]};
        above += row[0];
    }
    out->count = list->count;
    out->per_metre = (float)(1.0 / whole);
    out->top = highest_point(terrain);
    out->cell = (float)terrain->cell;
    SiltRegion region = silt_region_of(terrain);
    out->middle_i = 0.5f * (float)(region.map_width - 1);
    out->middle_j = 0.5f * (float)(region.map_height - 1);
    return SILT_OK;
}

SILT_CLONES static void pick_row(SiltBed bed, float top, float per_metre, float cell, float first, float y,
                                 int count, const float *restrict elevation, float *restrict out)
{
    for (int k = 0; k < count; k++) {
        float x = (first + (float)k) * cell;
        float position = strata_position(top - elevation[k], x, y, bed.slope_x, bed.slope_y, per_metre);
        out[k] = strata_pick(position, bed.from, bed.to, bed.erodibility, out[k]);
    }
}

void silt_strata_row(const SiltStrata *strata, int i, int j, int count, const float *elevation, float *out)
{
    float first = (float)i - strata->middle_i, y = ((float)j - strata->middle_j) * strata->cell;
    for (int k = 0; k < count; k++)
        out[k] = 1.0f;
    for (int k = 0; k < strata->count; k++)
        pick_row(strata->beds[k], strata->top, strata->per_metre, strata->cell, first, y, count, elevation,
                 out);
}
