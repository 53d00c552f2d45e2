// Beds of rock, from their list or from the terrain's column, and the layers that bend them.
#include "erode/strata_rows.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "grid/region.h"
#include "physics/elementary.h"
#include "terrain/terrain.h"

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
    const SiltField *raised = silt_terrain_layer(terrain, "raised");
    float most = -INFINITY;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            float ground = silt_field_at(height, i, j) + silt_strata_layer(change, i, j) -
                           silt_strata_layer(raised, i, j);
            if (!silt_terrain_is_nodata(terrain, i, j) && ground > most)
                most = ground;
        }
    highest->block[begin / highest->grain] = most;
}

static float highest_point(const SiltTerrain *terrain)
{
    Highest highest = {.terrain = terrain, .grain = silt_reduce_span(terrain->height)};
    silt_parallel(terrain->height, highest.grain, highest_rows, &highest);
    float most = -INFINITY;
    for (int block = 0; block * highest.grain < terrain->height; block++)
        most = highest.block[block] > most ? highest.block[block] : most;
    double found = (double)most;
    SiltRegion region = silt_region_of(terrain);
    silt_region_fold(&region, SILT_FOLD_MOST, &found, 1);
    return isfinite(found) ? (float)found : 0.0f;
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

static void add_bed(const double row[3], double above, double whole, double direction, SiltStrata *out)
{
    double degree = 3.14159265358979323846 / 180.0, fall = silt_tan(row[2] * degree);
    out->beds[out->count++] = (SiltBed){.from = (float)(above / whole),
                                        .to = (float)((above + row[0]) / whole),
                                        .slope_x = (float)(fall * silt_sin(direction * degree)),
                                        .slope_y = (float)(-fall * silt_cos(direction * degree)),
                                        .erodibility = (float)row[1]};
}

// `count` rows of thickness, erodibility and tilt.
static SiltStatus set_beds(const double *rows, int count, double direction, const char *owner,
                           SiltStrata *out)
{
    double whole = 0.0, above = 0.0;
    for (int k = 0; k < count; k++) {
        SiltStatus status = check_bed(&rows[3 * k], k, owner);
        if (status != SILT_OK)
            return status;
        whole += rows[3 * k];
    }
    for (int k = 0; k < count; k++) {
        add_bed(&rows[3 * k], above, whole, direction, out);
        above += rows[3 * k];
    }
    out->beds[count - 1].to = 1.0f;
    out->per_metre = (float)(1.0 / whole);
    return SILT_OK;
}

// The list goes before what the terrain brings along; where only intrusions are known, one bed like any rock.
static SiltStatus choose_beds(const SiltStrataParams *params, const SiltColumn *column, const char *owner,
                              SiltStrata *out)
{
    if (params->strata.count > SILT_MAX_BEDS)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %d beds of strata; at most %d, and they repeat by themselves", owner,
                         params->strata.count, SILT_MAX_BEDS);
    if (params->strata.count > 0)
        return set_beds(params->strata.values, params->strata.count, params->strata_direction, owner, out);
    double rows[3 * SILT_MAX_BEDS] = {1000.0, 1.0, 0.0};
    for (int k = 0; k < column->count; k++) {
        rows[3 * k] = column->thickness[k];
        rows[3 * k + 1] = column->erodibility[k];
        rows[3 * k + 2] = 0.0;
    }
    int count = column->count > 0 ? column->count : out->intrusion ? 1 : 0;
    return count > 0 ? set_beds(rows, count, 0.0, owner, out) : SILT_OK;
}

SiltStatus silt_strata_begin(const SiltStrataParams *params, const SiltTerrain *terrain, const char *owner,
                             SiltStrata *out)
{
    *out = (SiltStrata){.intruded = (float)params->intrusion_erodibility};
    SiltStatus status = silt_terrain_find_layer(terrain, params->bed, "bed", "bed", owner, &out->bed);
    if (status == SILT_OK)
        status = silt_terrain_find_layer(terrain, params->intrusion, "intrusion", "intrusion", owner,
                                         &out->intrusion);
    if (status == SILT_OK)
        status = choose_beds(params, &terrain->column, owner, out);
    if (status != SILT_OK)
        return status;
    if (out->bed && params->strata.count == 0 && terrain->column.count == 0) {
        silt_warn("%s: the layer '%s' bends beds of rock, and there are none: give them as strata", owner,
                  params->bed);
        out->bed = NULL;
    }
    if (out->count == 0)
        return SILT_OK;
    out->raised = silt_terrain_layer(terrain, "raised");
    out->top = out->bed ? 0.0f : highest_point(terrain);
    out->cell = (float)terrain->cell;
    SiltRegion region = silt_region_of(terrain);
    out->middle_i = 0.5f * (float)(region.map_width - 1) - (float)region.i;
    out->middle_j = 0.5f * (float)(region.map_height - 1) - (float)region.j;
    return SILT_OK;
}

// ---- rows ----

enum { SPAN = 256 }; // columns at a time

SILT_CLONES static void level_row(const float *restrict elevation, const float *restrict bed,
                                  const float *restrict raised, int count, float *restrict level)
{
    for (int k = 0; k < count; k++)
        level[k] = strata_level(elevation[k], bed[k], raised[k]);
}

SILT_CLONES static void pick_row(SiltBed bed, float top, float per_metre, float cell, float first, float y,
                                 int count, const float *restrict level, float *restrict out)
{
    for (int k = 0; k < count; k++) {
        float x = (first + (float)k) * cell;
        float position = strata_position(top - level[k], x, y, bed.slope_x, bed.slope_y, per_metre);
        out[k] = strata_pick(position, bed.from, bed.to, bed.erodibility, out[k]);
    }
}

SILT_CLONES static void intrude_row(const float *restrict elevation, const float *restrict raised,
                                    const float *restrict top, float intruded, int count, float *restrict out)
{
    for (int k = 0; k < count; k++)
        out[k] = strata_intrude(elevation[k], raised[k], top[k], intruded, out[k]);
}

static void fill(float *out, int count)
{
    for (int k = 0; k < count; k++)
        out[k] = 1.0f;
}

static void span_row(const SiltStrata *strata, int i, int j, int count, const float *elevation, float *out)
{
    static const float none[SPAN];
    const float *bed = strata->bed ? silt_field_row(strata->bed, j) + i : none;
    const float *raised = strata->raised ? silt_field_row(strata->raised, j) + i : none;
    float first = (float)i - strata->middle_i, y = ((float)j - strata->middle_j) * strata->cell;
    float levels[SPAN];
    level_row(elevation, bed, raised, count, levels);
    fill(out, count);
    for (int k = 0; k < strata->count; k++)
        pick_row(strata->beds[k], strata->top, strata->per_metre, strata->cell, first, y, count, levels, out);
    if (strata->intrusion)
        intrude_row(elevation, raised, silt_field_row(strata->intrusion, j) + i, strata->intruded, count,
                    out);
}

void silt_strata_row(const SiltStrata *strata, int i, int j, int count, const float *elevation, float *out)
{
    const SiltField *layer = strata->bed ? strata->bed : strata->raised ? strata->raised : strata->intrusion;
    int first = 0, end = count; // of the cells that lie on the map, where layers can say something
    if (layer) {
        bool on_map = j >= 0 && j < layer->height;
        first = i < 0 ? -i < count ? -i : count : 0;
        end = i + count > layer->width ? layer->width - i : count;
        end = on_map && end > first ? end : first;
    }
    fill(out, first);
    for (int k = first; k < end; k += SPAN)
        span_row(strata, i + k, j, end - k < SPAN ? end - k : SPAN, elevation + k, out + k);
    fill(out + end, count - end);
}

_Static_assert((int)SILT_STEP_BEDS == (int)SILT_MAX_BEDS, "all beds go into a step");

SiltStrataStep silt_strata_step(const SiltStrata *strata)
{
    SiltStrataStep step = {.host = strata,
                           .count = strata->count,
                           .has_bed = strata->bed != NULL,
                           .has_intrusion = strata->intrusion != NULL,
                           .has_raised = strata->raised != NULL,
                           .top = strata->top,
                           .per_metre = strata->per_metre,
                           .cell = strata->cell,
                           .middle_i = strata->middle_i,
                           .middle_j = strata->middle_j,
                           .intruded = strata->intruded};
    for (int k = 0; k < strata->count; k++)
        step.beds[k] = strata->beds[k];
    return step;
}
