// Landforms of a whole terrain: the measures of its tiles become one median each, beside what real land has.
#include "terrain/landforms.h"
#include "silt/drainage.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "terrain/terrain.h"

// 293 tiles of 21 real DEMs, brought to cells of about 40 m: 10th, 50th and 90th percentile.
static const SiltLandformRange ranges[SILT_LANDFORM_COUNT] = {
    {"curvature_kurtosis", "", -0.12, 1.15, 5.26, "how rare strong bends are"},
    {"roughness_variation", "", 0.24, 0.38, 0.73, "how roughness differs from place to place"},
    {"slope_variation", "", 0.19, 0.37, 0.69, "how steepness differs from place to place"},
    {"relief_growth_4", "", 1.04, 1.13, 1.17, "log2 of relief in windows of 8 over 4 cells"},
    {"relief_growth_8", "", 0.80, 0.92, 1.00, "of 16 over 8 cells"},
    {"relief_growth_16", "", 0.62, 0.75, 0.87, "of 32 over 16 cells"},
    {"hillslope_length", "cells", 5.9, 8.1, 11.2, "down to the first channel"},
    {"hillslope_length_spread", "", 0.60, 0.66, 0.76, "its deviation over its mean"},
    {"junction_angle", "degrees", 36.0, 51.0, 68.0, "between two rivers that meet"},
    {"junctions_below_30", "", 0.12, 0.31, 0.49, "share of those that meet at less than 30 degrees"},
    {"channel_slope_scatter", "", 0.18, 0.36, 0.54, "how rivers with equal catchments differ in slope"},
    {"slope_area_r2", "", 0.46, 0.78, 0.93, "how closely mean slope follows catchment"},
    {"valley_floor_share", "", 0.004, 0.023, 0.101, "low and flat ground"},
    {"flat_width", "cells", 1.4, 3.0, 8.0, "how far it is into flat ground"},
    {"slope_spread", "", 0.39, 0.55, 0.83, "deviation of slope over its mean"},
    {"ridge_share", "", 0.03, 0.07, 0.11, "of all cells"},
    {"slope_share", "", 0.38, 0.51, 0.66, "of all cells"},
    {"valley_share", "", 0.03, 0.08, 0.13, "of all cells"},
    {"roughness_by_height", "", -0.39, 0.25, 0.68, "correlation of roughness with height"},
    {"valley_profile", "", 1.11, 1.39, 1.79, "1 where valleys are a V, 2 for a parabola"},
    {"spectral_slope_fine", "", 6.1, 6.9, 7.7, "how power falls from waves of 8 cells to 4"},
};

const SiltLandformRange *silt_landform_range(SiltLandform which)
{
    return &ranges[which];
}

bool silt_landform_is_within(SiltLandform which, double value)
{
    return value >= ranges[which].low && value <= ranges[which].high;
}

// ---- tiles ----

typedef struct Survey {
    const SiltLand *land;
    double *values; // of each tile
    SiltStatus *status;
} Survey;

static void measure_tiles(void *context, int begin, int end)
{
    const Survey *survey = context;
    for (int k = begin; k < end; k++) {
        SiltTile *tile = NULL;
        SiltStatus status = silt_alloc_for("a tile", 1, sizeof *tile, (void **)&tile);
        if (status == SILT_OK) {
            silt_land_tile(survey->land, survey->land->corner[k], tile);
            silt_tile_texture(tile);
            silt_tile_shape(tile);
            status = silt_tile_flow(tile);
        }
        if (status == SILT_OK)
            memcpy(survey->values + (size_t)k * SILT_LANDFORM_COUNT, tile->value, sizeof tile->value);
        survey->status[k] = status;
        silt_free(tile);
    }
}

// The median of a measure over the tiles that have it; `scratch` takes one number a tile.
static double median_of(const Survey *survey, int which, float *scratch)
{
    int count = 0;
    for (int k = 0; k < survey->land->tile_count; k++) {
        double value = survey->values[(size_t)k * SILT_LANDFORM_COUNT + (size_t)which];
        if (!isnan(value))
            scratch[count++] = (float)value;
    }
    return silt_sorted_share(scratch, count, 0.5);
}

static SiltStatus measure_pits(const SiltTerrain *terrain, double *out)
{
    SiltField filled = {0};
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &filled);
    if (status == SILT_OK)
        status = silt_terrain_fill(terrain, &filled);
    int64_t cells = 0, raised = 0;
    for (int j = 0; j < terrain->height && status == SILT_OK; j++) {
        for (int i = 0; i < terrain->width; i++) {
            bool land = !silt_terrain_is_nodata(terrain, i, j);
            cells += land;
            raised += land && silt_field_at(&filled, i, j) > silt_field_at(&terrain->layers[0]->field, i, j);
        }
    }
    *out = cells > 0 ? (double)raised / (double)cells : NAN;
    silt_field_destroy(&filled);
    return status;
}

static void sum_up(const Survey *survey, float *scratch, SiltLandforms *out)
{
    *out = (SiltLandforms){.tile_count = survey->land->tile_count, .cell = survey->land->terrain->cell};
    for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
        out->value[k] = median_of(survey, k, scratch);
        out->known += !isnan(out->value[k]);
        out->within += silt_landform_is_within((SiltLandform)k, out->value[k]);
    }
}

// The measures of every tile of `land`, into survey->values.
static SiltStatus survey_land(const SiltLand *land, Survey *survey)
{
    size_t tiles = (size_t)land->tile_count;
    survey->land = land;
    SiltStatus status =
        silt_alloc_for("landforms", tiles * SILT_LANDFORM_COUNT, sizeof(double), (void **)&survey->values);
    if (status == SILT_OK)
        status = silt_alloc_for("landforms", tiles, sizeof *survey->status, (void **)&survey->status);
    if (status == SILT_OK) {
        silt_parallel(land->tile_count, 1, measure_tiles, survey);
        for (size_t k = 0; k < tiles && status == SILT_OK; k++)
            if (survey->status[k] != SILT_OK) // messages stay with the thread that failed
                status = silt_fail(survey->status[k], "landforms: a tile could not be measured: %s",
                                   silt_status_name(survey->status[k]));
    }
    silt_free(survey->status);
    survey->status = NULL;
    return status;
}

SiltStatus silt_landforms_tiles(const SiltTerrain *terrain, double **out, int *tile_count)
{
    SiltLand land;
    Survey survey = {0};
    *out = NULL;
    *tile_count = 0;
    SiltStatus status = silt_land_create(terrain, &land);
    if (status != SILT_OK)
        return status;
    status = survey_land(&land, &survey);
    if (status == SILT_OK) {
        *out = survey.values;
        *tile_count = land.tile_count;
    } else {
        silt_free(survey.values);
    }
    silt_land_destroy(&land);
    return status;
}

// The mean height less that of the outermost cells, over the relief.
static double measure_edge(const SiltTerrain *terrain)
{
    const SiltField *height = &terrain->layers[0]->field;
    double sum[2] = {0.0, 0.0}, lowest = INFINITY, highest = -INFINITY; // of all, of the edge
    int64_t count[2] = {0, 0};
    for (int j = 0; j < terrain->height; j++) {
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            bool edge = i == 0 || j == 0 || i == terrain->width - 1 || j == terrain->height - 1;
            double here = (double)silt_field_at(height, i, j);
            sum[0] += here;
            count[0]++;
            sum[1] += edge ? here : 0.0;
            count[1] += edge;
            lowest = here < lowest ? here : lowest;
            highest = here > highest ? here : highest;
        }
    }
    if (count[1] == 0 || highest <= lowest)
        return NAN;
    return (sum[0] / (double)count[0] - sum[1] / (double)count[1]) / (highest - lowest);
}

SiltStatus silt_landforms_measure(const SiltTerrain *terrain, SiltLandforms *out)
{
    memset(out, 0, sizeof *out);
    SiltLand land;
    Survey survey = {0};
    float *scratch = NULL;
    SiltStatus status = silt_terrain_check_heights(terrain, "landforms");
    if (status == SILT_OK)
        status = silt_land_create(terrain, &land);
    if (status != SILT_OK)
        return status;
    status = survey_land(&land, &survey);
    if (status == SILT_OK)
        status = silt_alloc_for("landforms", (size_t)land.tile_count, sizeof *scratch, (void **)&scratch);
    if (status == SILT_OK)
        sum_up(&survey, scratch, out);
    if (status == SILT_OK)
        status = measure_pits(land.terrain, &out->pit_fraction);
    SiltDrainageStatistics drainage = {0};
    if (status == SILT_OK)
        status = silt_drainage_statistics(land.terrain, &drainage);
    out->drainage_fit = drainage.concavity_r2;
    out->edge_below = measure_edge(land.terrain);
    silt_free(scratch);
    silt_free(survey.values);
    silt_land_destroy(&land);
    return status;
}

// ---- words ----

// Whether rivers have made it: of real land 0 to 6.5 % lies in closed depressions, of noise 10.5 to 34 %; and
// rivers grow gentler as their catchments grow, which R2 says of real maps with 0.85 to 0.97 and of noise,
// whose pits may have been filled, with less than 0.6. Parts of real maps of one tile have 0.64 and more in
// nine cases of ten. docs/landscapes.md has how these limits did on DEMs that they were not drawn from.
static const double MOST_PITS = 0.085, LEAST_FIT = 0.59;
// Of a measure's values in real land a fifth lies outside, so that real land has about 17 of 21 within; seven
// real DEMs have 13 to 21, land with one ridge spacing from edge to edge 2 to 11.
enum { LEAST_REAL = 12 };

const char *silt_landforms_verdict(const SiltLandforms *forms)
{
    if (forms->pit_fraction > MOST_PITS || forms->drainage_fit < LEAST_FIT)
        return "noise";
    return forms->within >= LEAST_REAL ? "real" : "not real";
}

char *silt_landforms_json(const SiltLandforms *forms)
{
    SiltText text = {0};
    silt_text_addf(&text, "{\"verdict\": \"%s\", \"within\": %d, \"known\": %d, \"tiles\": %d, \"cell\": ",
                   silt_landforms_verdict(forms), forms->within, forms->known, forms->tile_count);
    silt_text_add_json_number(&text, forms->cell);
    silt_text_add(&text, ", \"pit_fraction\": ");
    silt_text_add_json_number(&text, forms->pit_fraction);
    silt_text_add(&text, ", \"drainage_fit\": ");
    silt_text_add_json_number(&text, forms->drainage_fit);
    silt_text_add(&text, ", \"edge_below\": ");
    silt_text_add_json_number(&text, forms->edge_below);
    silt_text_add(&text, ", \"measures\": {");
    for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
        silt_text_addf(&text, "%s\"%s\": {\"value\": ", k ? ", " : "", ranges[k].name);
        silt_text_add_json_number(&text, forms->value[k]);
        silt_text_add(&text, ", \"low\": ");
        silt_text_add_json_number(&text, ranges[k].low);
        silt_text_add(&text, ", \"high\": ");
        silt_text_add_json_number(&text, ranges[k].high);
        bool within = silt_landform_is_within((SiltLandform)k, forms->value[k]);
        silt_text_addf(&text, ", \"within\": %s}", within ? "true" : "false");
    }
    silt_text_add(&text, "}}");
    return silt_text_take(&text);
}
