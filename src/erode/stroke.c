// What a stroke does to the cells it touches, and to a run.
#include "erode/stroke.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/streams.h"
#include "core/text.h"
#include "erode/layers.h"
#include "erode/run.h"
#include "physics/random.h"
#include "physics/stroke_cell.h"

const char silt_brush_names[] =
    "rain water raise lower smooth flatten erodibility uplift protect ridge river add carve";
enum { BRUSHES = SILT_BRUSH_CARVE + 1 };

// The layer a brush changes, and how strong it may be.
static const struct {
    const char *layer;
    double least, most;
} brushes[BRUSHES] = {
    [SILT_BRUSH_RAIN] = {"water", 0.0, 1e4},
    [SILT_BRUSH_WATER] = {"water", 0.0, 1e4},
    [SILT_BRUSH_RAISE] = {"height", 0.0, 1e5},
    [SILT_BRUSH_LOWER] = {"height", 0.0, 1e5},
    [SILT_BRUSH_SMOOTH] = {"height", 0.0, 1.0},
    [SILT_BRUSH_FLATTEN] = {"height", 0.0, 1.0},
    [SILT_BRUSH_ERODIBILITY] = {"erodibility", 0.0, 1e3},
    [SILT_BRUSH_UPLIFT] = {"uplift", -1.0, 1.0},
    [SILT_BRUSH_PROTECT] = {"erodibility", 0.0, 1.0},
    [SILT_BRUSH_RIDGE] = {"height", 0.0, 1e5},
    [SILT_BRUSH_RIVER] = {"height", 0.0, 1e5},
    [SILT_BRUSH_ADD] = {"", 0.0, 1.0},
    [SILT_BRUSH_CARVE] = {"", 0.0, 1.0},
};

static const char *brush_name(SiltBrush brush, char buffer[SILT_NAME_SIZE])
{
    const char *cursor = silt_brush_names;
    for (int k = 0; k <= (int)brush; k++)
        silt_next_word(&cursor, buffer, SILT_NAME_SIZE);
    return buffer;
}

SiltStatus silt_stroke_check(const SiltStroke *stroke, const char *owner)
{
    if ((int)stroke->brush < 0 || (int)stroke->brush >= BRUSHES)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: there is no brush %d: %s", owner, (int)stroke->brush,
                         silt_brush_names);
    const double numbers[] = {stroke->from[0], stroke->from[1], stroke->to[0], stroke->to[1], stroke->level};
    char name[SILT_NAME_SIZE];
    brush_name(stroke->brush, name);
    for (int k = 0; k < 5; k++)
        if (!(fabs(numbers[k]) <= 1e7))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: a stroke of '%s' has a place or height of %g m", owner,
                             name, numbers[k]);
    double least = brushes[stroke->brush].least, most = brushes[stroke->brush].most;
    if (!(stroke->strength >= least && stroke->strength <= most))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: strength = %g of '%s' is not within %g and %g", owner,
                         stroke->strength, name, least, most);
    if (!(stroke->radius > 0.0 && stroke->radius <= 1e7))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: radius = %g m of a stroke is not above 0", owner,
                         stroke->radius);
    if (!(stroke->softness >= 0.0 && stroke->softness <= 1.0))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: softness = %g of a stroke is not within 0 and 1", owner,
                         stroke->softness);
    if (stroke->seed >= 1ull << 53)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the seed of a stroke is 2^53 or above", owner);
    return SILT_OK;
}

const char *silt_stroke_layer(const SiltStroke *stroke)
{
    return brushes[stroke->brush].layer;
}

bool silt_stroke_replaces(const SiltStroke *stroke)
{
    return stroke->brush == SILT_BRUSH_ERODIBILITY || stroke->brush == SILT_BRUSH_PROTECT;
}

bool silt_stroke_is_solid(const SiltStroke *stroke)
{
    return stroke->brush == SILT_BRUSH_ADD || stroke->brush == SILT_BRUSH_CARVE;
}

// ---- where ----

// Cells whose middle may lie within the radius, along one axis that has so many.
static bool reach(double a, double b, double radius, double cell, int count, int *first, int *end)
{
    double low = (a < b ? a : b) - radius, high = (a < b ? b : a) + radius;
    double begin = ceil(low / cell - 0.5), last = floor(high / cell - 0.5);
    begin = begin < 0.0 ? 0.0 : begin;
    last = last > count - 1.0 ? count - 1.0 : last;
    if (!(begin <= last))
        return false;
    *first = (int)begin;
    *end = (int)last + 1;
    return true;
}

bool silt_stroke_rect(const SiltStroke *stroke, const SiltTerrain *terrain, SiltRect *out)
{
    int west, east, south, north; // rows from the south
    *out = (SiltRect){0};
    if (!reach(stroke->from[0], stroke->to[0], stroke->radius, terrain->cell, terrain->width, &west, &east) ||
        !reach(stroke->from[1], stroke->to[1], stroke->radius, terrain->cell, terrain->height, &south,
               &north))
        return false;
    *out = (SiltRect){west, terrain->height - north, east - west, north - south};
    return true;
}

SiltRect silt_stroke_around(const SiltRect *rect, const SiltTerrain *terrain)
{
    int west = rect->i > 0, north = rect->j > 0;
    int east = rect->i + rect->width < terrain->width, south = rect->j + rect->height < terrain->height;
    return (SiltRect){rect->i - west, rect->j - north, rect->width + west + east,
                      rect->height + north + south};
}

static int nearest(double at, int count)
{
    double cell = floor(at);
    return cell < 0.0 ? 0 : cell > count - 1.0 ? count - 1 : (int)cell;
}

SiltRect silt_stroke_end(const SiltStroke *stroke, const SiltTerrain *terrain)
{
    int i = nearest(stroke->to[0] / terrain->cell, terrain->width);
    int j = nearest(terrain->height - stroke->to[1] / terrain->cell, terrain->height);
    return (SiltRect){i, j, 1, 1};
}

// ---- what ----

typedef struct PaintJob {
    const SiltStroke *stroke;
    const SiltTerrain *terrain;
    SiltRect rect;
    const SiltStrokeSight *sight;
    float *values;
    float to[2], radius, softness, strength, begin, end;
} PaintJob;

// The mean of the eight around a cell that have data.
static float mean_around(const PaintJob *job, int i, int j)
{
    const SiltStrokeSight *sight = job->sight;
    float sum = 0.0f;
    int count = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            int x = i + di - sight->rect.i, y = j + dj - sight->rect.j;
            bool seen = x >= 0 && y >= 0 && x < sight->rect.width && y < sight->rect.height;
            if ((di == 0 && dj == 0) || !seen || silt_terrain_is_nodata(job->terrain, i + di, j + dj))
                continue;
            sum += sight->data[(size_t)y * sight->stride + (size_t)x];
            count++;
        }
    return count > 0 ? sum / (float)count
                     : sight->data[(size_t)(j - sight->rect.j) * sight->stride + (size_t)(i - sight->rect.i)];
}

static float drop(const PaintJob *job, int i, int j, float metres)
{
    uint64_t cell = (uint64_t)j * (uint64_t)job->terrain->width + (uint64_t)i;
    return silt_stroke_drop(metres, silt_random(job->stroke->seed, SILT_STREAM_STROKE, cell, 0).word[0]);
}

static float paint_cell(const PaintJob *job, int i, int j, float x, float y, float now)
{
    float weight = silt_stroke_cell(x, y, job->to[0], job->to[1], job->radius, job->softness);
    float along = silt_stroke_along(x, y, job->to[0], job->to[1]), amount = weight * job->strength;
    switch (job->stroke->brush) {
    case SILT_BRUSH_RAIN:
        return drop(job, i, j, amount);
    case SILT_BRUSH_WATER:
    case SILT_BRUSH_RAISE:
    case SILT_BRUSH_UPLIFT:
        return amount;
    case SILT_BRUSH_LOWER:
        return -amount;
    case SILT_BRUSH_SMOOTH:
        return weight > 0.0f ? silt_stroke_towards(now, mean_around(job, i, j), amount) : 0.0f;
    case SILT_BRUSH_FLATTEN:
        return silt_stroke_towards(now, job->begin, amount);
    case SILT_BRUSH_ERODIBILITY:
        return now * silt_stroke_factor(job->strength, weight);
    case SILT_BRUSH_PROTECT:
        return now * silt_stroke_factor(1.0f - job->strength, weight);
    case SILT_BRUSH_RIDGE:
        return silt_stroke_ridge(now, job->begin, job->end, along, weight);
    case SILT_BRUSH_RIVER:
        return silt_stroke_bed(now, job->begin, job->end, along, weight);
    case SILT_BRUSH_ADD:
    case SILT_BRUSH_CARVE:
        break;
    }
    return 0.0f;
}

static void paint_rows(void *context, int begin, int end)
{
    const PaintJob *job = context;
    const SiltTerrain *terrain = job->terrain;
    const SiltStrokeSight *sight = job->sight;
    bool replaces = silt_stroke_replaces(job->stroke);
    for (int row = begin; row < end; row++) {
        int j = job->rect.j + row;
        float y = (float)((terrain->height - j - 0.5) * terrain->cell - job->stroke->from[1]);
        for (int n = 0; n < job->rect.width; n++) {
            int i = job->rect.i + n;
            float x = (float)((i + 0.5) * terrain->cell - job->stroke->from[0]);
            float now =
                sight->data
                    ? sight->data[(size_t)(j - sight->rect.j) * sight->stride + (size_t)(i - sight->rect.i)]
                    : 0.0f;
            float *out = &job->values[(size_t)row * (size_t)job->rect.width + (size_t)n];
            *out = silt_terrain_is_nodata(terrain, i, j) ? (replaces ? now : 0.0f)
                                                         : paint_cell(job, i, j, x, y, now);
        }
    }
}

void silt_stroke_paint(const SiltStroke *stroke, const SiltTerrain *terrain, const SiltRect *rect,
                       const SiltStrokeSight *sight, float *values)
{
    PaintJob job = {.stroke = stroke, .terrain = terrain, .rect = *rect, .sight = sight, .values = values};
    for (int k = 0; k < 2; k++)
        job.to[k] = (float)(stroke->to[k] - stroke->from[k]);
    job.radius = (float)stroke->radius;
    job.softness = (float)stroke->softness;
    job.strength = (float)stroke->strength;
    job.begin = job.end = (float)stroke->level;
    if (stroke->brush == SILT_BRUSH_RIDGE) {
        job.end = sight->end + job.strength;
        job.begin += job.strength;
    } else if (stroke->brush == SILT_BRUSH_RIVER) {
        job.end = (sight->end < job.begin ? sight->end : job.begin) - job.strength;
        job.begin -= job.strength;
    }
    silt_parallel(rect->height, 16, paint_rows, &job);
}

// ---- on a run ----

// The layer that the run reads for one of that name: a parameter may call it something else.
static const char *layer_of(const SiltErosion *erosion, const SiltStroke *stroke)
{
    const SiltParamTable *table = &erosion->model->params;
    const char *layer = silt_stroke_layer(stroke);
    bool is_uplift = strcmp(layer, "uplift") == 0;
    int index = silt_params_find(table, is_uplift ? "uplift_map" : layer);
    bool named = (is_uplift || silt_stroke_replaces(stroke)) && index >= 0 &&
                 table->items[index].type == SILT_TYPE_LAYER;
    const char *name = named ? (const char *)erosion->params + table->items[index].offset : "";
    return name[0] ? name : layer;
}

// What can be seen of the layer, copied: a look is good only until the run is used again.
static SiltStatus look(SiltErosion *erosion, const char *layer, const SiltRect *around, float *copy)
{
    SiltLayerView view = {0};
    bool missing = strcmp(layer, "height") != 0 && !silt_terrain_layer(erosion->terrain, layer);
    SiltStatus status = missing ? SILT_OK : silt_erosion_view(erosion, layer, around, &view);
    if (status != SILT_OK)
        return status;
    float otherwise = (float)silt_model_layer_default(erosion->model, erosion->params, layer);
    for (int row = 0; row < around->height; row++)
        for (int i = 0; i < around->width; i++)
            copy[(size_t)row * (size_t)around->width + (size_t)i] =
                view.data ? view.data[(size_t)row * view.stride + (size_t)i] : otherwise;
    return SILT_OK;
}

static SiltStatus see_end(const SiltStroke *stroke, SiltErosion *erosion, float *out)
{
    SiltRect cell = silt_stroke_end(stroke, erosion->terrain);
    SiltLayerView view;
    SiltStatus status = silt_erosion_view(erosion, "height", &cell, &view);
    *out = status == SILT_OK ? view.data[0] : 0.0f;
    return status;
}

SiltRockEdit silt_stroke_rock(const SiltStroke *stroke)
{
    return (SiltRockEdit){.from = {stroke->from[0], stroke->from[1], stroke->level},
                          .to = {stroke->to[0], stroke->to[1], stroke->level},
                          .radius = stroke->radius * stroke->strength,
                          .carves = stroke->brush == SILT_BRUSH_CARVE};
}

SiltStatus silt_stroke_run(const SiltStroke *stroke, SiltErosion *erosion)
{
    char owner[64];
    snprintf(owner, sizeof owner, "erode %.40s", erosion->model->name);
    SiltStatus status = silt_stroke_check(stroke, owner);
    if (status == SILT_OK && erosion->finished)
        status = silt_fail(SILT_BAD_ARGUMENT, "%s: the run has finished", owner);
    if (status == SILT_OK && silt_stroke_is_solid(stroke)) {
        SiltRockEdit edit = silt_stroke_rock(stroke);
        return edit.radius > 0.0 ? silt_erosion_edit_rock(erosion, &edit) : SILT_OK;
    }
    SiltRect rect;
    if (status != SILT_OK || !silt_stroke_rect(stroke, erosion->terrain, &rect))
        return status;
    const char *layer = layer_of(erosion, stroke);
    bool replaces = silt_stroke_replaces(stroke), sees = replaces || strcmp(layer, "height") == 0;
    SiltStrokeSight sight = {.rect = silt_stroke_around(&rect, erosion->terrain)};
    sight.stride = (size_t)sight.rect.width;
    float *values = NULL, *seen = NULL;
    status =
        silt_alloc_for("a stroke", (size_t)rect.width * (size_t)rect.height, sizeof(float), (void **)&values);
    if (status == SILT_OK && sees)
        status = silt_alloc_for("a stroke", sight.stride * (size_t)sight.rect.height, sizeof(float),
                                (void **)&seen);
    if (status == SILT_OK && sees)
        status = look(erosion, layer, &sight.rect, seen);
    if (status == SILT_OK && (stroke->brush == SILT_BRUSH_RIDGE || stroke->brush == SILT_BRUSH_RIVER))
        status = see_end(stroke, erosion, &sight.end);
    if (status == SILT_OK) {
        sight.data = seen;
        SiltScope scope = silt_scope_begin(erosion);
        silt_stroke_paint(stroke, erosion->terrain, &rect, &sight, values);
        silt_scope_end(scope);
        status = silt_erosion_edit(erosion, layer, &rect, values, (size_t)rect.width,
                                   replaces ? SILT_REPLACE : SILT_ADD);
    }
    silt_free(seen);
    silt_free(values);
    return status;
}

// ---- as rows ----

void silt_stroke_row(const SiltStroke *stroke, double row[SILT_STROKE_COLUMNS])
{
    const double values[SILT_STROKE_COLUMNS] = {
        (double)stroke->brush, stroke->from[0],  stroke->from[1],  stroke->to[0], stroke->to[1],
        stroke->radius,        stroke->strength, stroke->softness, stroke->level, (double)stroke->seed};
    memcpy(row, values, sizeof values);
}

SiltStatus silt_stroke_from_row(const double row[SILT_STROKE_COLUMNS], SiltStroke *out)
{
    *out = (SiltStroke){0};
    if (!(row[0] >= 0.0 && row[0] < BRUSHES && row[0] == floor(row[0])))
        return silt_fail(SILT_BAD_ARGUMENT, "a stroke: there is no brush %g: %s", row[0], silt_brush_names);
    if (!(row[9] >= 0.0 && row[9] < 0x1p53 && row[9] == floor(row[9])))
        return silt_fail(SILT_BAD_ARGUMENT, "a stroke: seed = %g is not a whole number below 2^53", row[9]);
    *out = (SiltStroke){.brush = (SiltBrush)(int)row[0],
                        .from = {row[1], row[2]},
                        .to = {row[3], row[4]},
                        .radius = row[5],
                        .strength = row[6],
                        .softness = row[7],
                        .level = row[8],
                        .seed = (uint64_t)row[9]};
    return silt_stroke_check(out, "a stroke");
}

char *silt_strokes_text(const SiltStroke *strokes, int count)
{
    SiltText text = {0};
    silt_text_add(&text, "");
    for (int k = 0; k < count; k++) {
        double row[SILT_STROKE_COLUMNS];
        char name[SILT_NAME_SIZE];
        silt_stroke_row(&strokes[k], row);
        silt_text_addf(&text, "%s%s", k ? ";" : "", brush_name(strokes[k].brush, name));
        for (int c = 1; c < SILT_STROKE_COLUMNS; c++) {
            silt_text_add(&text, ",");
            silt_text_add_number(&text, row[c]);
        }
    }
    return silt_text_take(&text);
}
