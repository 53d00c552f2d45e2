// The layers a model reads: which of them a map can be, and what their values may be.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "erode/layers.h"
#include "erode/model.h"

static const double most_factor = 1e6; // of layers that multiply, and metres of those that lie on the rock

static char *layer_of(const SiltParam *param, const void *params)
{
    return (char *)params + param->offset;
}

// "uplift" of "uplift_map"; the name itself where it has no such ending.
static const char *layer_for(const SiltParam *param, char buffer[SILT_NAME_SIZE])
{
    snprintf(buffer, SILT_NAME_SIZE, "%s", param->name);
    size_t length = strlen(buffer);
    if (length > 4 && strcmp(buffer + length - 4, "_map") == 0)
        buffer[length - 4] = '\0';
    return buffer;
}

// ---- which layers ----

enum { MAX_LAYERS = SILT_MAX_LAYERS + 16 };

typedef struct LayerList {
    char names[MAX_LAYERS][SILT_NAME_SIZE];
    int count;
} LayerList;

static void add_name(LayerList *list, const char *name)
{
    if (list->count < MAX_LAYERS)
        snprintf(list->names[list->count++], SILT_NAME_SIZE, "%s", name);
}

static void add_names(LayerList *list, const char *names)
{
    char word[SILT_NAME_SIZE];
    while (silt_next_word(&names, word, sizeof word))
        add_name(list, word);
}

static const char *name_at(const void *context, int index)
{
    return ((const LayerList *)context)->names[index];
}

// What the model begins with: "water sediment deposit".
static void list_begun(const SiltModel *model, LayerList *list)
{
    add_names(list, model->reads ? model->reads : "deposit");
}

bool silt_model_begins_with(const SiltModel *model, const char *layer)
{
    LayerList list = {.count = 0};
    list_begun(model, &list);
    for (int k = 0; k < list.count; k++)
        if (strcmp(list.names[k], layer) == 0)
            return true;
    return false;
}

// The parameter that names the layer of erodibility, or NULL.
static const SiltParam *find_erodibility(const SiltModel *model)
{
    int index = silt_params_find(&model->params, "erodibility");
    const SiltParam *param = index >= 0 ? &model->params.items[index] : NULL;
    return param && param->type == SILT_TYPE_LAYER ? param : NULL;
}

static void list_layers(const SiltModel *model, const void *params, LayerList *list)
{
    for (int k = 0; k < model->params.count; k++) {
        const SiltParam *param = &model->params.items[k];
        char buffer[SILT_NAME_SIZE];
        if (param->type != SILT_TYPE_LAYER)
            continue;
        const char *name = layer_of(param, params)[0] ? layer_of(param, params) : layer_for(param, buffer);
        add_name(list, name);
    }
    list_begun(model, list);
    if (find_erodibility(model))
        add_name(list, "protect");
}

SiltStatus silt_model_choose_layer(const SiltModel *model, void *params, const char *layer)
{
    LayerList list = {.count = 0};
    list_layers(model, params, &list);
    for (int k = 0; k < list.count; k++) {
        if (strcmp(list.names[k], layer) != 0)
            continue;
        for (int p = 0; p < model->params.count; p++) {
            const SiltParam *param = &model->params.items[p];
            char buffer[SILT_NAME_SIZE];
            if (param->type == SILT_TYPE_LAYER && !layer_of(param, params)[0] &&
                strcmp(layer_for(param, buffer), layer) == 0)
                snprintf(layer_of(param, params), SILT_NAME_SIZE, "%s", layer);
        }
        return SILT_OK;
    }
    char hint[80], all[SILT_HINT_SIZE] = "";
    for (int k = 0; k < list.count; k++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", list.names[k]);
    }
    silt_suggestion(silt_nearest_name(layer, name_at, &list, list.count), hint, sizeof hint);
    return silt_fail(SILT_BAD_ARGUMENT, "erode %s: it reads no layer '%.60s'%s%s it can use %s", model->name,
                     layer, hint, hint[0] ? "" : ";", all[0] ? all : "none");
}

const char *silt_model_makes(const SiltModel *model)
{
    return model->makes ? model->makes : "wear deposition deposit";
}

SiltStatus silt_model_check_output(const SiltModel *model, const SiltTerrain *terrain, const char *layer)
{
    LayerList list = {.count = 0};
    for (int k = 0; k < terrain->layer_count; k++)
        add_name(&list, terrain->layers[k]->name);
    add_names(&list, "net_change");
    add_names(&list, silt_model_makes(model));
    bool found = strcmp(layer, "all") == 0 || strcmp(layer, "change") == 0;
    for (int k = 0; k < list.count && !found; k++)
        found = strcmp(list.names[k], layer) == 0;
    char hint[SILT_HINT_SIZE];
    return found ? SILT_OK
                 : silt_fail(SILT_BAD_ARGUMENT, "erode %s: it will leave no layer '%.60s'%s", model->name,
                             layer, silt_hint(layer, name_at, &list, list.count, "erode", hint));
}

double silt_model_layer_default(const SiltModel *model, const void *params, const char *layer)
{
    for (int k = 0; k < model->params.count; k++) {
        const SiltParam *map = &model->params.items[k];
        if (map->type == SILT_TYPE_LAYER && map->flags & SILT_BESIDES &&
            strcmp(layer_of(map, params), layer) == 0)
            return 0.0;
    }
    int index = silt_params_find(&model->params, layer);
    const SiltParam *param = index >= 0 ? &model->params.items[index] : NULL;
    bool uniform = param && param->type == SILT_TYPE_REAL;
    return uniform ? *(const double *)(const void *)((const char *)params + param->offset) : 1.0;
}

// ---- what values they may have ----

typedef struct Bounds {
    const char *unit;
    double low, high;
    double slack;       // how far beyond these rounding may lead
    double scale;       // what the model multiplies the layer with
    const char *scaler; // the parameter that says so, or ""
} Bounds;

static const SiltParam *find_real(const SiltParamTable *table, const char *name)
{
    int index = silt_params_find(table, name);
    return index >= 0 && table->items[index].type == SILT_TYPE_REAL ? &table->items[index] : NULL;
}

// A layer of heights says its range itself; a map of what a parameter gives everywhere has that parameter's;
// any other is a factor.
static Bounds bounds_of(const SiltParamTable *table, const SiltParam *param, const void *params,
                        char scaler[SILT_NAME_SIZE])
{
    Bounds bounds = {.unit = "", .low = 0.0, .high = most_factor, .scale = 1.0, .scaler = ""};
    if (param->minimum < param->maximum) { // the layer's own, in metres
        bounds.unit = "m";
        bounds.low = param->minimum;
        bounds.high = param->maximum;
        return bounds;
    }
    char base[SILT_NAME_SIZE];
    const SiltParam *uniform = find_real(table, layer_for(param, base));
    if (!uniform)
        return bounds;
    bounds.unit = uniform->unit;
    bounds.low = uniform->minimum;
    bounds.high = uniform->maximum;
    bounds.slack = 1e-6 * (bounds.high - bounds.low); // layers are floats
    snprintf(scaler, SILT_NAME_SIZE, "%.24s_scale", base);
    const SiltParam *factor = find_real(table, scaler);
    if (factor) {
        bounds.scale = *(const double *)(const void *)((const char *)params + factor->offset);
        bounds.scaler = scaler;
    }
    return bounds;
}

static SiltStatus check_values(const char *owner, const SiltTerrain *terrain, const char *layer,
                               const Bounds *bounds)
{
    const SiltField *field = silt_terrain_layer(terrain, layer);
    if (!field || field->width != terrain->width || field->height != terrain->height)
        return SILT_OK; // the model says what is wrong
    SiltFieldStatistics found;
    silt_field_statistics(field, terrain->nodata, &found);
    if (found.bad_count > 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: the layer '%s' has no number in %llu cells where the terrain has data",
                         owner, layer, (unsigned long long)found.bad_count);
    double a = found.minimum * bounds->scale, b = found.maximum * bounds->scale;
    double low = a < b ? a : b, high = a < b ? b : a;
    bool is_low = low < bounds->low - bounds->slack;
    if (!is_low && !(high > bounds->high + bounds->slack))
        return SILT_OK;
    const char *unit = bounds->unit[0] ? " " : "";
    return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the layer '%s'%s%s reaches %g%s%s; it takes %g to %g%s%s",
                     owner, layer, bounds->scaler[0] ? " times " : "", bounds->scaler, is_low ? low : high,
                     unit, bounds->unit, bounds->low, bounds->high, unit, bounds->unit);
}

SiltStatus silt_model_protect(const SiltModel *model, SiltTerrain *terrain, void *params)
{
    const SiltParam *param = find_erodibility(model);
    const SiltField *protect = silt_terrain_layer(terrain, "protect");
    if (!param || !protect)
        return SILT_OK;
    const Bounds share = {"", 0.0, 1.0, 1e-6, 1.0, ""};
    SiltStatus status = check_values(model->name, terrain, "protect", &share);
    char *name = layer_of(param, params);
    if (!name[0])
        snprintf(name, SILT_NAME_SIZE, "erodibility");
    SiltField *erodibility = silt_terrain_layer(terrain, name);
    bool made = !erodibility;
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, name, &erodibility);
    if (status != SILT_OK)
        return status;
    for (int j = 0; j < terrain->height; j++) {
        const float *kept = silt_field_row(protect, j);
        float *row = silt_field_row(erodibility, j);
        for (int i = 0; i < terrain->width; i++) {
            float left = kept[i] < 1.0f ? (kept[i] > 0.0f ? 1.0f - kept[i] : 1.0f) : 0.0f;
            row[i] = made ? left : row[i] * left;
        }
    }
    silt_terrain_drop(terrain, "protect");
    return SILT_OK;
}

SiltStatus silt_model_check_layers(const SiltModel *model, const SiltTerrain *terrain, const void *params)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < model->params.count && status == SILT_OK; k++) {
        const SiltParam *param = &model->params.items[k];
        if (param->type != SILT_TYPE_LAYER || !layer_of(param, params)[0])
            continue;
        char scaler[SILT_NAME_SIZE];
        Bounds bounds = bounds_of(&model->params, param, params, scaler);
        status = check_values(model->name, terrain, layer_of(param, params), &bounds);
    }
    LayerList begun = {.count = 0};
    list_begun(model, &begun);
    const Bounds thickness = {"m", 0.0, most_factor, 1e-3, 1.0, ""};
    for (int k = 0; k < begun.count && status == SILT_OK; k++)
        status = check_values(model->name, terrain, begun.names[k], &thickness);
    return status;
}
