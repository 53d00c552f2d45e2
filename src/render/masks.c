// Masks of 0 to 1: layers of a terrain and what its heights say, each scaled as overlays are, so that a few
// wild cells do not darken the rest, and with the scale it was given.
#include "render/masks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "physics/elementary.h"
#include "render/light.h"
#include "render/scale.h"
#include "silt/drainage.h"
#include "terrain/terrain.h"

static const SiltParam mask_items[] = {
    SILT_CHOICE(SiltMaskOptions, mask_format, "png tif exr", "png", "format of the masks"),
    SILT_CHOICE(SiltMaskOptions, mask_bits, "8 16", "8", "bits of a sample, for PNG and TIFF"),
    SILT_CHOICE(
        SiltMaskOptions, mask_scale, "auto log percentile range", "auto",
        "how values become 0 to 1: by percentiles, by the logarithm up to the highest, or from the lowest "
        "to the highest; auto takes the logarithm where values span decades, and else percentiles"),
    SILT_VECTOR2(SiltMaskOptions, percentiles, "%", 1.0, 99.0, 0.0, 100.0,
                 "of the values: what becomes 0 and 1 by percentiles"),
    SILT_INT(SiltMaskOptions, bands, "", 4, 0, 16, "masks of bands of height, which add up to 1; 0: none"),
    SILT_REAL(SiltMaskOptions, snow, "m", NAN, -1e5, 1e5,
              "height above which snow lies; by the relief if not given"),
    SILT_REAL(SiltMaskOptions, arid, "1", 0.0, 0.0, 1.0, "0: grass and trees grow; 1: a desert"),
    SILT_BOOL(
        SiltMaskOptions, splat, true,
        "write the weights of sand, grass, rock and snow, which add up to 1, as red, green, blue and alpha"),
    SILT_BOOL(SiltMaskOptions, colour, true, "write the colour of the ground, without light and shadow"),
};
const SiltParamTable silt_mask_params = SILT_PARAM_TABLE(SiltMaskOptions, mask_items);

SiltStatus silt_mask_options_check(const SiltMaskOptions *options, const char *owner)
{
    SiltStatus status = silt_params_check(&silt_mask_params, options, owner);
    if (status == SILT_OK && !(options->percentiles[0] < options->percentiles[1]))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: percentiles = %g:%g: the first must be below the second",
                         owner, options->percentiles[0], options->percentiles[1]);
    return status;
}

// ---- scales ----

static SiltStatus choose_scale(const SiltTerrain *terrain, const SiltField *field,
                               const SiltMaskOptions *options, SiltMaskScale *scale)
{
    SiltScale chosen = {SILT_SCALE_LINEAR, 0.0, 1.0};
    double bounds[3] = {0.0, 0.0, 0.0};
    const double percents[3] = {options->percentiles[0], options->percentiles[1], 50.0};
    SiltFieldStatistics statistics = {0};
    SiltStatus status = SILT_OK;
    if (options->mask_scale == SILT_MASKS_AUTO && percents[0] == 1.0 && percents[1] == 99.0)
        status = silt_scale_choose(field, terrain->nodata, &chosen);
    else {
        status = silt_field_percentiles(field, terrain->nodata, percents, 3, bounds);
        silt_field_statistics(field, terrain->nodata, &statistics);
        bool ranged = options->mask_scale == SILT_MASKS_RANGE || !(bounds[1] > bounds[0]);
        chosen.low = ranged ? statistics.minimum : bounds[0];
        chosen.high = ranged ? statistics.maximum : bounds[1];
        double least = statistics.maximum * 1e-5;
        if (options->mask_scale == SILT_MASKS_LOG && statistics.maximum > 0.0)
            chosen = (SiltScale){SILT_SCALE_LOG, bounds[2] > least ? bounds[2] : least, statistics.maximum};
    }
    if (!(chosen.high > chosen.low)) // flat, or empty: all of it is 0
        chosen = (SiltScale){SILT_SCALE_LINEAR, chosen.low, chosen.low + 1.0};
    scale->kind = chosen.kind == SILT_SCALE_LOG ? SILT_MASK_LOG : SILT_MASK_LINEAR;
    scale->low = chosen.low;
    scale->high = chosen.high;
    return status;
}

// log2 of numbers above zero by a table of the mantissa's first bits and straight lines between: monotonous,
// the same everywhere, right to 1e-7.
enum { LOG_BITS = 11, LOG_SIZE = 1 << LOG_BITS };

typedef struct ScaleJob {
    const SiltField *from;
    const uint8_t *nodata;
    SiltField *to;
    SiltMaskKind kind;
    float low, factor;  // linear: (value - low) * factor
    float log_low;      // log: (log2(value) - log_low) * factor
    const float *table; // LOG_SIZE + 1
} ScaleJob;

static float log2_by_table(float value, const float *table)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int power = (int)(bits >> 23) - 127;
    uint32_t place = (bits >> (23 - LOG_BITS)) & (LOG_SIZE - 1);
    float part = (float)(bits & ((1u << (23 - LOG_BITS)) - 1)) * (1.0f / (float)(1u << (23 - LOG_BITS)));
    return (float)power + table[place] + (table[place + 1] - table[place]) * part;
}

static float held(float share)
{
    return share > 0.0f ? (share < 1.0f ? share : 1.0f) : 0.0f; // NaN becomes 0
}

static void scale_rows(void *context, int begin, int end)
{
    const ScaleJob *job = context;
    int width = job->from->width;
    for (int j = begin; j < end; j++) {
        const float *from = silt_field_row(job->from, j);
        const uint8_t *holes = job->nodata ? job->nodata + (size_t)j * (size_t)width : NULL;
        float *to = silt_field_row(job->to, j);
        if (job->kind == SILT_MASK_LOG)
            for (int i = 0; i < width; i++)
                to[i] = from[i] > 1e-37f
                            ? held((log2_by_table(from[i], job->table) - job->log_low) * job->factor)
                            : 0.0f;
        else
            for (int i = 0; i < width; i++)
                to[i] = held((from[i] - job->low) * job->factor);
        for (int i = 0; holes && i < width; i++)
            to[i] = holes[i] ? 0.0f : to[i];
    }
}

static void apply_scale(const SiltTerrain *terrain, const SiltField *from, const SiltMaskScale *scale,
                        SiltField *to)
{
    static const double ln2 = 0.69314718055994530942;
    float table[LOG_SIZE + 1];
    ScaleJob job = {.from = from, .nodata = terrain->nodata, .to = to, .kind = scale->kind, .table = table};
    job.low = (float)scale->low;
    job.factor = (float)(1.0 / (scale->high - scale->low));
    if (scale->kind == SILT_MASK_LOG) {
        for (int k = 0; k <= LOG_SIZE; k++)
            table[k] = (float)(silt_log(1.0 + (double)k / LOG_SIZE) / ln2);
        job.log_low = (float)(silt_log(scale->low) / ln2);
        job.factor = (float)(ln2 / silt_log(scale->high / scale->low));
    }
    silt_parallel(from->height, 16, scale_rows, &job);
}

// ---- the list ----

static SiltMaskScale *note(SiltMasks *masks, const char *name, const char *layer, const char *unit)
{
    SiltMaskScale *scale = &masks->scales[masks->count++];
    *scale = (SiltMaskScale){.kind = SILT_MASK_SHARE, .high = 1.0};
    snprintf(scale->name, sizeof scale->name, "%s", name);
    snprintf(scale->layer, sizeof scale->layer, "%s", layer);
    snprintf(scale->unit, sizeof scale->unit, "%s", unit);
    return scale;
}

// A mask of the values of a field, which may be that of the mask itself.
static SiltStatus add_values(SiltMasks *masks, const char *name, const char *layer, const char *unit,
                             const SiltField *from)
{
    if (masks->count + 1 >= SILT_MAX_LAYERS)
        return SILT_OK;
    SiltField *to;
    SiltStatus status = silt_terrain_require(masks->out, name, &to);
    SiltMaskScale *scale = note(masks, name, layer, unit);
    if (status == SILT_OK)
        status = choose_scale(masks->terrain, from, masks->options, scale);
    if (status == SILT_OK)
        apply_scale(masks->terrain, from, scale, to);
    return status;
}

static SiltStatus add_first_of(SiltMasks *masks, const char *name, const char *const *layers)
{
    for (; *layers; layers++) {
        const SiltField *from = silt_terrain_layer(masks->terrain, *layers);
        if (from)
            return add_values(masks, name, *layers, silt_layer_unit(*layers), from);
    }
    return SILT_OK;
}

typedef struct CatchmentJob {
    const SiltDrainage *drainage;
    SiltField *to;
} CatchmentJob;

static void catchment_rows(void *context, int begin, int end)
{
    const CatchmentJob *job = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < job->to->width; i++)
            silt_field_row(job->to, j)[i] =
                (float)silt_drainage_catchment(job->drainage, (int32_t)(j * job->to->width + i));
}

// Water gathers in valleys, whether a model has run or not.
static SiltStatus add_flow(SiltMasks *masks)
{
    static const char *const layers[] = {"flow", "discharge", "drainage", NULL};
    for (int k = 0; layers[k]; k++)
        if (silt_terrain_layer(masks->terrain, layers[k]))
            return add_first_of(masks, "flow", layers);
    SiltDrainage *drainage = NULL;
    SiltField *flow;
    SiltStatus status = silt_drainage_create(masks->terrain, NULL, &drainage);
    if (status == SILT_OK)
        status = silt_terrain_require(masks->out, "flow", &flow);
    if (status == SILT_OK)
        silt_parallel(masks->terrain->height, 16, catchment_rows, &(CatchmentJob){drainage, flow});
    silt_drainage_destroy(drainage);
    return status == SILT_OK ? add_values(masks, "flow", "catchment", "m2", flow) : status;
}

static SiltStatus add_layers(SiltMasks *masks)
{
    static const struct {
        const char *name, *layers[3];
    } known[] = {
        {"wear", {"total_wear", "wear", NULL}},
        {"deposition", {"total_deposition", "deposition", NULL}},
        {"deposit", {"deposit", NULL, NULL}},
        {"water", {"water", "lake", NULL}},
        {"speed", {"speed", NULL, NULL}},
        {"wetness", {"wetness", NULL, NULL}},
        {"sediment", {"sediment", NULL, NULL}},
        {"ice", {"ice", NULL, NULL}},
        {"erodibility", {"erodibility", NULL, NULL}},
        {"uplift", {"uplift", NULL, NULL}},
    };
    SiltStatus status = add_flow(masks);
    for (size_t k = 0; k < sizeof known / sizeof known[0] && status == SILT_OK; k++)
        status = add_first_of(masks, known[k].name, known[k].layers);
    return status;
}

// Whether a mask, or a map beside them, has the name of a layer.
static bool is_taken(const SiltMasks *masks, const char *name)
{
    bool is_map = (masks->options->splat && strcmp(name, "splat") == 0) ||
                  (masks->options->colour && strcmp(name, "colour") == 0) || strcmp(name, "masks") == 0;
    for (int k = 0; k < masks->count && !is_map; k++)
        is_map = strcmp(masks->scales[k].name, name) == 0;
    return is_map;
}

// Layers of the user's own that are masks already.
static SiltStatus add_own(SiltMasks *masks)
{
    SiltStatus status = SILT_OK;
    for (int k = 1; k < masks->terrain->layer_count && status == SILT_OK; k++) {
        const SiltLayer *layer = masks->terrain->layers[k];
        SiltFieldStatistics found;
        SiltField *to;
        const char *unit = silt_layer_unit(layer->name);
        bool known = unit[0] && strcmp(unit, "1") != 0;
        if (known || masks->count + 1 >= SILT_MAX_LAYERS)
            continue;
        silt_field_statistics(&layer->field, masks->terrain->nodata, &found);
        if (!(found.minimum >= 0.0 && found.maximum <= 1.0 && found.maximum > found.minimum))
            continue;
        if (is_taken(masks, layer->name)) {
            if (!unit[0])
                silt_warn("masks: the layer '%s' is left out: a mask or map of that name comes of the land "
                          "itself; give the layer another name",
                          layer->name);
            continue;
        }
        status = silt_terrain_require(masks->out, layer->name, &to);
        if (status == SILT_OK)
            silt_field_copy(&layer->field, to);
        note(masks, layer->name, layer->name, "1");
    }
    return status;
}

// ---- what heights say ----

// Rubble where the renderer draws it, and what lies loose on slopes.
static float scree_at(const SiltMasks *masks, int i, int j, float rubble, float slope)
{
    float loose = masks->deposit ? held(silt_field_at(masks->deposit, i, j)) : 0.0f;
    return held(rubble + (1.0f - rubble) * loose * held((slope - 0.3f) / 0.25f));
}

// Slopes by Horn's weights, and how far bulges lie above the mean of their neighbours; away from the edges.
SILT_CLONES static void slope_run(int count, float over, const float *restrict north,
                                  const float *restrict here, const float *restrict south,
                                  float *restrict east, float *restrict down, float *restrict slope,
                                  float *restrict curvature)
{
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        east[i] = over * 0.125f *
                  ((north[i + 1] + 2.0f * here[i + 1] + south[i + 1]) -
                   (north[i - 1] + 2.0f * here[i - 1] + south[i - 1]));
        down[i] = over * 0.125f *
                  ((south[i - 1] + 2.0f * south[i] + south[i + 1]) -
                   (north[i - 1] + 2.0f * north[i] + north[i + 1]));
        slope[i] = sqrtf(east[i] * east[i] + down[i] * down[i]);
        curvature[i] = over * over * (4.0f * here[i] - north[i] - south[i] - here[i - 1] - here[i + 1]);
    }
}

// Linear light as the bytes of a picture (sRGB).
SILT_CLONES static void picture_run(int count, float light[3][SILT_COVER_CELLS], uint8_t *restrict rgb)
{
    uint8_t bytes[3][SILT_COVER_CELLS];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < count; k++) {
            float x = light[c][k] < 0.0f ? 0.0f : light[c][k] > 1.0f ? 1.0f : light[c][k];
            // x^(1/2.4) by square roots: x^0.4167 lies between x^0.5 and x^0.375, nearly in the middle
            float root = sqrtf(x), fourth = sqrtf(root), eighth = sqrtf(fourth);
            float power = 0.3333f * root + 0.6667f * fourth * eighth;
            float s = x <= 0.0031308f ? 12.92f * x : 1.055f * power - 0.055f;
            bytes[c][k] = (uint8_t)(int)(s <= 0.0f ? 0.0f : s >= 1.0f ? 255.0f : s * 255.0f + 0.5f);
        }
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            rgb[3 * k + c] = bytes[c][k];
}

// Cells of one row, SILT_COVER_CELLS at a time, from the north-western corner of three rows that have a cell
// more on both sides.
static void shape_run(const SiltMasks *masks, int first, int j, int count, const float *const rows[3])
{
    float east[SILT_COVER_CELLS], down[SILT_COVER_CELLS], light[3][SILT_COVER_CELLS];
    SiltCoverCells cells;
    size_t at = (size_t)j * (size_t)masks->terrain->width + (size_t)first;
    const uint8_t *holes = masks->terrain->nodata ? masks->terrain->nodata + at : NULL;
    float *slope = silt_field_row(masks->slope, j) + first;
    slope_run(count, 1.0f / (float)masks->terrain->cell, rows[0] + 1, rows[1] + 1, rows[2] + 1, east, down,
              slope, silt_field_row(masks->curvature, j) + first);
    silt_cover_cells(&masks->cover, first, j, count, east, down, &cells);
    const float *sky = silt_field_row(&masks->sky, j) + first;
    float *occlusion = silt_field_row(masks->occlusion, j) + first,
          *snow = silt_field_row(masks->snow, j) + first, *scree = silt_field_row(masks->scree, j) + first;
    for (int k = 0; k < count; k++) {
        float there = holes && holes[k] ? 0.0f : 1.0f;
        occlusion[k] = there * held(1.0f - sky[k]);
        snow[k] = there * held(cells.weights[SILT_COVER_SNOW][k]);
        scree[k] = there * scree_at(masks, first + k, j, cells.scree[k], slope[k]);
    }
    for (int k = 0; masks->splat && k < count; k++) {
        const float weights[SILT_COVER_COUNT] = {cells.weights[0][k], cells.weights[1][k],
                                                 cells.weights[2][k], cells.weights[3][k]};
        silt_cover_quantise(weights, masks->largest, masks->splat + 4 * (at + (size_t)k));
    }
    if (masks->colour) {
        silt_cover_colours(masks->cover.arid, &cells, count, light);
        picture_run(count, light, masks->colour + 3 * at);
    }
}

static void shape_rows(void *context, int begin, int end)
{
    const SiltMasks *masks = context;
    const SiltField *h = silt_terrain_layer(masks->terrain, "height");
    for (int j = begin; j < end; j++) {
        const float *whole[3] = {silt_field_row(h, j > 0 ? j - 1 : 0), silt_field_row(h, j),
                                 silt_field_row(h, j < h->height - 1 ? j + 1 : j)};
        for (int first = 0; first < h->width; first += SILT_COVER_CELLS) {
            int count = h->width - first < SILT_COVER_CELLS ? h->width - first : SILT_COVER_CELLS;
            float copies[3][SILT_COVER_CELLS + 2];
            const float *rows[3] = {copies[0], copies[1], copies[2]};
            for (int r = 0; r < 3; r++) { // the border repeats
                memcpy(copies[r] + 1, whole[r] + first, (size_t)count * sizeof(float));
                copies[r][0] = whole[r][first > 0 ? first - 1 : 0];
                copies[r][count + 1] = whole[r][first + count < h->width ? first + count : h->width - 1];
            }
            shape_run(masks, first, j, count, rows);
        }
    }
}

// Band k of `bands` at levels of 0 to 1: 1 in its middle, 0 in those of its neighbours; the lowest and the
// highest have no neighbour beyond.
SILT_CLONES static void band_cells(const float *restrict level, int count, int k, int bands,
                                   float *restrict to)
{
    float all = (float)bands, middle = (float)k;
    float low = k == 0 ? 0.5f : -1.0f, high = k == bands - 1 ? all - 0.5f : 2.0f * all;
    for (int i = 0; i < count; i++) {
        float place = level[i] * all, share = 1.0f - fabsf(place - 0.5f - middle);
        share = share > 0.0f ? share : 0.0f; // never above 1
        to[i] = place < low || place > high ? 1.0f : share;
    }
}

void silt_mask_band_row(const SiltMasks *masks, int j, int k, int begin, int count, float *to)
{
    const float *level = silt_field_row(silt_terrain_layer(masks->out, "height"), j) + begin;
    band_cells(level, count, k, masks->options->bands, to);
    for (int i = 0; masks->terrain->nodata && i < count; i++)
        to[i] = silt_terrain_is_nodata(masks->terrain, begin + i, j) ? 0.0f : to[i];
}

static void band_rows(void *context, int begin, int end)
{
    SiltMasks *masks = context;
    for (int j = begin; j < end; j++)
        for (int k = 0; k < masks->options->bands; k++)
            silt_mask_band_row(masks, j, k, 0, masks->terrain->width, silt_field_row(masks->bands[k], j));
}

static SiltStatus add_bands(SiltMasks *masks)
{
    const SiltMaskScale *height = &masks->scales[0];
    int count = masks->options->bands;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < count && status == SILT_OK; k++) {
        char name[SILT_NAME_SIZE];
        snprintf(name, sizeof name, "band_%d", k + 1);
        if (!masks->bands_later)
            status = silt_terrain_require(masks->out, name, &masks->bands[k]);
        if (k == 0)
            masks->first_band = masks->count;
        SiltMaskScale *scale = note(masks, name, "height", "m");
        double step = (height->high - height->low) / count;
        scale->low = height->low + step * k; // where it is more than a half
        scale->high = height->low + step * (k + 1);
    }
    if (status == SILT_OK && count > 0 && !masks->bands_later)
        silt_parallel(masks->terrain->height, 16, band_rows, masks);
    return status;
}

static SiltStatus require(SiltMasks *masks, const char *name, SiltField **out)
{
    return silt_terrain_require(masks->out, name, out);
}

static SiltStatus add_shapes(SiltMasks *masks)
{
    const SiltTerrain *terrain = masks->terrain;
    masks->deposit = silt_terrain_layer(terrain, "deposit");
    SiltStatus status = require(masks, "slope", &masks->slope);
    if (status == SILT_OK)
        status = require(masks, "curvature", &masks->curvature);
    if (status == SILT_OK)
        status = require(masks, "occlusion", &masks->occlusion);
    if (status == SILT_OK)
        status = require(masks, "snow", &masks->snow);
    if (status == SILT_OK)
        status = require(masks, "scree", &masks->scree);
    if (status == SILT_OK)
        status = silt_field_create(terrain->width, terrain->height, &masks->sky);
    if (status == SILT_OK)
        status =
            silt_light_sky(silt_terrain_layer(terrain, "height"), (float)terrain->cell, 1.0f, &masks->sky);
    if (status == SILT_OK)
        status =
            silt_cover_begin(terrain, masks->options->snow, masks->options->arid, &masks->sky, &masks->cover);
    if (status != SILT_OK)
        return status;
    silt_parallel(terrain->height, 16, shape_rows, masks);
    status = add_values(masks, "slope", "slope", "1", masks->slope);
    if (status == SILT_OK)
        status = add_values(masks, "curvature", "curvature", "1/m", masks->curvature);
    note(masks, "occlusion", "height", "1");
    note(masks, "snow", "height", "1");
    note(masks, "scree", masks->deposit ? "deposit" : "height", "1");
    return status;
}

SiltStatus silt_masks_begin(const SiltTerrain *terrain, const SiltMaskOptions *options, SiltMasks *out)
{
    *out = (SiltMasks){.terrain = terrain, .options = options};
    SiltStatus status = silt_mask_options_check(options, "masks");
    if (status == SILT_OK)
        status = silt_terrain_check_finite(terrain, NULL, "masks", "nothing was written");
    if (status == SILT_OK)
        status = silt_terrain_create(terrain->width, terrain->height, terrain->cell, &out->out);
    return status;
}

SiltStatus silt_masks_fill(SiltMasks *masks)
{
    const SiltField *height = silt_terrain_layer(masks->terrain, "height");
    SiltFieldStatistics found;
    silt_field_statistics(height, masks->terrain->nodata, &found);
    SiltMaskScale *scale = note(masks, "height", "height", "m");
    scale->kind = SILT_MASK_LINEAR;
    scale->low = found.cell_count > 0 ? found.minimum : 0.0;
    scale->high = found.cell_count > 0 && found.maximum > found.minimum ? found.maximum : scale->low + 1.0;
    apply_scale(masks->terrain, height, scale, silt_terrain_layer(masks->out, "height"));
    SiltStatus status = add_shapes(masks);
    if (status == SILT_OK)
        status = add_layers(masks);
    if (status == SILT_OK)
        status = add_bands(masks);
    if (status == SILT_OK)
        status = add_own(masks);
    for (int k = 0; k < masks->count && status == SILT_OK && !masks->bands_later;
         k++) // layers in the order of their scales
        for (int n = k; n < masks->out->layer_count; n++)
            if (strcmp(masks->out->layers[n]->name, masks->scales[k].name) == 0) {
                SiltLayer *layer = masks->out->layers[n];
                masks->out->layers[n] = masks->out->layers[k];
                masks->out->layers[k] = layer;
            }
    return status;
}

void silt_masks_end(SiltMasks *masks)
{
    silt_cover_end(&masks->cover);
    silt_field_destroy(&masks->sky);
    silt_free(masks->splat);
    silt_free(masks->colour);
    silt_terrain_destroy(masks->out);
    *masks = (SiltMasks){0};
}
