// A run while it goes on: parameters, sources and layers changed by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "erode/layers.h"
#include "erode/run.h"

// "erode pipes"
static const char *owner_of(const SiltErosion *erosion, char buffer[64])
{
    snprintf(buffer, 64, "erode %.40s", erosion->model->name);
    return buffer;
}

// ---- parameters ----

// What the model made of parameters and layers is made anew; on failure all is as it was.
static SiltStatus take_effect(SiltErosion *erosion)
{
    SiltScope scope = silt_scope_begin(erosion);
    SiltStatus status = erosion->model->refresh ? erosion->model->refresh(erosion->state) : SILT_OK;
    silt_scope_end(scope);
    if (status == SILT_OK) {
        erosion->report.counters.at_rest = false;
        silt_erosion_renew(erosion);
    }
    return status;
}

static SiltStatus check_live(const SiltErosion *erosion, int index)
{
    const SiltParam *param = &erosion->model->params.items[index];
    return param->flags & SILT_LIVE
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "erode %s: %s cannot change while a run goes on",
                           erosion->model->name, param->name);
}

SiltStatus silt_erosion_set_value(SiltErosion *erosion, int index, const SiltValue *value)
{
    const SiltParamTable *table = &erosion->model->params;
    char owner[64];
    if (index < 0 || index >= table->count)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: there is no parameter %d: it has %d",
                         erosion->model->name, index, table->count);
    SiltStatus status = check_live(erosion, index);
    if (status != SILT_OK)
        return status;
    void *before = silt_params_clone(table, erosion->params);
    if (!before)
        return silt_fail_memory("parameters", (double)table->size);
    status = silt_params_put(table, erosion->params, owner_of(erosion, owner), index, value);
    if (status == SILT_OK)
        status = take_effect(erosion);
    if (status != SILT_OK)
        silt_params_copy(table, before, erosion->params);
    silt_params_delete(table, before);
    return status;
}

// Where a name stands, with the message of silt_params_set where it does not.
static SiltStatus find_param(const SiltErosion *erosion, const char *name, int *index)
{
    char owner[64];
    *index = silt_params_find(&erosion->model->params, name);
    return *index < 0 ? silt_params_set(&erosion->model->params, NULL, owner_of(erosion, owner), name, "")
                      : SILT_OK;
}

SiltStatus silt_erosion_set(SiltErosion *erosion, const char *name, double number)
{
    int index;
    SiltStatus status = find_param(erosion, name, &index);
    SiltValue value = silt_value_number(number);
    return status == SILT_OK ? silt_erosion_set_value(erosion, index, &value) : status;
}

SiltStatus silt_erosion_set_text(SiltErosion *erosion, const char *name, const char *text)
{
    const SiltParamTable *table = &erosion->model->params;
    char owner[64];
    int index;
    SiltStatus status = find_param(erosion, name, &index);
    if (status == SILT_OK)
        status = check_live(erosion, index);
    if (status != SILT_OK)
        return status;
    void *wanted = silt_params_clone(table, erosion->params);
    if (!wanted)
        return silt_fail_memory("parameters", (double)table->size);
    SiltValue value = {.size = sizeof value};
    status = silt_params_set(table, wanted, owner_of(erosion, owner), name, text);
    if (status == SILT_OK)
        status = silt_params_get(table, wanted, index, &value);
    if (status == SILT_OK)
        status = silt_erosion_set_value(erosion, index, &value);
    silt_params_delete(table, wanted);
    return status;
}

// ---- sources ----

static SiltStatus find_sources(const SiltErosion *erosion, int *index, SiltValue *sources)
{
    *index = silt_params_find(&erosion->model->params, "sources");
    sources->size = sizeof *sources;
    if (*index < 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: it has no sources", erosion->model->name);
    return silt_params_get(&erosion->model->params, erosion->params, *index, sources);
}

int silt_erosion_source_count(const SiltErosion *erosion)
{
    int index = silt_params_find(&erosion->model->params, "sources");
    SiltValue sources = {.size = sizeof sources};
    bool known =
        index >= 0 && silt_params_get(&erosion->model->params, erosion->params, index, &sources) == SILT_OK;
    return known ? sources.rows : 0;
}

// The list with row `at` replaced (row NULL: left out); at = its length adds one.
static SiltStatus change_source(SiltErosion *erosion, int at, const double *row)
{
    int index;
    SiltValue sources = {0};
    SiltStatus status = find_sources(erosion, &index, &sources);
    if (status != SILT_OK)
        return status;
    if (at < 0 || at > sources.rows || (at == sources.rows && !row))
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: there is no source %d: it has %d",
                         erosion->model->name, at, sources.rows);
    size_t columns = (size_t)sources.columns, rows = (size_t)sources.rows;
    double *list;
    status = silt_alloc_for("sources", (rows + 1) * columns, sizeof(double), (void **)&list);
    if (status != SILT_OK)
        return status;
    if (rows > 0)
        memcpy(list, sources.list, rows * columns * sizeof(double));
    double *place = list + (size_t)at * columns;
    if (row)
        memcpy(place, row, columns * sizeof(double));
    else
        memmove(place, place + columns, (rows - (size_t)at - 1) * columns * sizeof(double));
    int count = row ? (at == sources.rows ? sources.rows + 1 : sources.rows) : sources.rows - 1;
    SiltValue changed = silt_value_list(list, count, sources.columns);
    status = silt_erosion_set_value(erosion, index, &changed);
    silt_free(list);
    return status;
}

SiltStatus silt_erosion_add_source(SiltErosion *erosion, const double *row)
{
    return change_source(erosion, silt_erosion_source_count(erosion), row);
}

SiltStatus silt_erosion_move_source(SiltErosion *erosion, int index, const double *row)
{
    if (index >= silt_erosion_source_count(erosion))
        index = -1;
    return change_source(erosion, index, row);
}

SiltStatus silt_erosion_remove_source(SiltErosion *erosion, int index)
{
    return change_source(erosion, index, NULL);
}

// ---- editing ----

static SiltStatus check_values(const SiltErosion *erosion, const char *layer, const SiltRect *rect,
                               const float *values, size_t stride)
{
    for (int row = 0; row < rect->height; row++)
        for (int i = 0; i < rect->width; i++)
            if (!(fabsf(values[(size_t)row * stride + (size_t)i]) <= 1e7f))
                return silt_fail(SILT_BAD_ARGUMENT, "erode %s: an edit of '%.60s' has %g at (%d, %d)",
                                 erosion->model->name, layer,
                                 (double)values[(size_t)row * stride + (size_t)i], rect->i + i,
                                 rect->j + row);
    return SILT_OK;
}

// What must be added to the layer as it is, a row at a time; in `row`.
static SiltStatus add_rows(SiltErosion *erosion, SiltEditable what, const char *layer, const SiltRect *rect,
                           const float *values, size_t stride, SiltEditKind kind, bool trial, float *row)
{
    const SiltTerrain *terrain = erosion->terrain;
    SiltLedger *ledger = &erosion->report.ledger;
    double added = 0.0;
    for (int n = 0; n < rect->height; n++) {
        SiltRect line = {rect->i, rect->j + n, rect->width, 1};
        SiltLayerView now = {0};
        SiltStatus status = kind == SILT_REPLACE ? silt_erosion_view(erosion, layer, &line, &now) : SILT_OK;
        if (status != SILT_OK)
            return status;
        for (int i = 0; i < rect->width; i++) {
            float value = values[(size_t)n * stride + (size_t)i] - (now.data ? now.data[i] : 0.0f);
            row[i] = silt_terrain_is_nodata(terrain, rect->i + i, rect->j + n) ? 0.0f : value;
        }
        SiltEditRow edit = {.what = what,
                            .i = rect->i,
                            .j = rect->j + n,
                            .count = rect->width,
                            .metres = row,
                            .trial = trial};
        erosion->model->edit(erosion->state, &edit);
        if (edit.refused > 0)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode %s: '%s' at (%d, %d) cannot change by %g m: that is beyond the heights "
                             "it has room for, which follow from the relief it began with",
                             erosion->model->name, layer, edit.refused_i, edit.j,
                             (double)row[edit.refused_i - rect->i]);
        added += edit.added;
    }
    if (trial)
        return SILT_OK;
    SiltAccount *account = what == SILT_EDIT_WATER || what == SILT_EDIT_ICE ? &ledger->water : &ledger->rock;
    account->by_hand += added * terrain->cell * terrain->cell;
    return SILT_OK;
}

static SiltStatus edit_state(SiltErosion *erosion, SiltEditable what, const char *layer, const SiltRect *rect,
                             const float *values, size_t stride, SiltEditKind kind)
{
    const SiltModel *model = erosion->model;
    bool known = model->edits ? strstr(model->edits, layer) != NULL
                              : what == SILT_EDIT_GROUND || silt_model_layer(model, layer) >= 0;
    if (!model->edit || !known)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: '%s' cannot be edited while it runs", model->name,
                         layer);
    float *row;
    SiltStatus status = silt_alloc_for("an edit", (size_t)rect->width, sizeof(float), (void **)&row);
    if (status != SILT_OK)
        return status;
    SiltScope scope = silt_scope_begin(erosion);
    status = silt_erosion_fetch(erosion, -1, rect->j, rect->height);
    if (status == SILT_OK && model->tries_edits)
        status = add_rows(erosion, what, layer, rect, values, stride, kind, true, row);
    if (status == SILT_OK)
        status = add_rows(erosion, what, layer, rect, values, stride, kind, false, row);
    if (status == SILT_OK)
        status = silt_erosion_push(erosion, rect->j, rect->height);
    silt_scope_end(scope);
    silt_free(row);
    return status;
}

static void blend_rows(SiltField *field, const SiltRect *rect, const float *values, size_t stride,
                       SiltEditKind kind)
{
    for (int n = 0; n < rect->height; n++) {
        float *row = silt_field_row(field, rect->j + n) + rect->i;
        for (int i = 0; i < rect->width; i++)
            row[i] = (kind == SILT_ADD ? row[i] : 0.0f) + values[(size_t)n * stride + (size_t)i];
    }
}

// A layer that the model reads: made where there is none, with what its parameter gives everywhere.
static SiltStatus edit_layer(SiltErosion *erosion, const char *layer, const SiltRect *rect,
                             const float *values, size_t stride, SiltEditKind kind)
{
    const SiltModel *model = erosion->model;
    SiltTerrain *terrain = erosion->terrain;
    void *before = silt_params_clone(&model->params, erosion->params);
    SiltField kept = {0}, *field = silt_terrain_layer(terrain, layer);
    bool made = !field;
    bool only_at_first = (silt_model_begins_with(model, layer) && strcmp(layer, "paint") != 0) ||
                         strcmp(layer, "bed") == 0 || strcmp(layer, "intrusion") == 0;
    if (only_at_first) {
        silt_params_delete(&model->params, before);
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: it reads '%s' when it begins, and no more while it runs", model->name,
                         layer);
    }
    SiltStatus status = before ? SILT_OK : silt_fail_memory("parameters", (double)model->params.size);
    if (status == SILT_OK)
        status = silt_model_choose_layer(model, erosion->params, layer);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, layer, &field);
    if (status == SILT_OK && made)
        silt_field_fill(field, (float)silt_model_layer_default(model, erosion->params, layer));
    if (status == SILT_OK)
        status = silt_field_create(terrain->width, terrain->height, &kept);
    if (status == SILT_OK) {
        silt_field_copy(field, &kept);
        blend_rows(field, rect, values, stride, kind);
        status = silt_model_check_layers(model, terrain, erosion->params);
        status = status == SILT_OK ? take_effect(erosion) : status;
        if (status != SILT_OK)
            silt_field_copy(&kept, field);
    }
    if (status != SILT_OK && before) {
        silt_params_copy(&model->params, before, erosion->params);
        if (made && field)
            silt_terrain_drop(terrain, layer);
    }
    silt_field_destroy(&kept);
    silt_params_delete(&model->params, before);
    return status;
}

SiltStatus silt_erosion_edit(SiltErosion *erosion, const char *layer, const SiltRect *rect,
                             const float *values, size_t stride, SiltEditKind kind)
{
    static const struct {
        const char *layer;
        SiltEditable what;
    } states[] = {{"height", SILT_EDIT_GROUND},
                  {"water", SILT_EDIT_WATER},
                  {"sediment", SILT_EDIT_SEDIMENT},
                  {"ice", SILT_EDIT_ICE}};
    SiltStatus status = erosion->finished ? silt_fail(SILT_BAD_ARGUMENT, "erode %s: the run has finished",
                                                      erosion->model->name)
                                          : SILT_OK;
    if (status == SILT_OK)
        status = silt_erosion_check_rect(erosion, rect);
    if (status == SILT_OK && (stride < (size_t)rect->width || (kind != SILT_ADD && kind != SILT_REPLACE)))
        status = silt_fail(SILT_BAD_ARGUMENT,
                           "erode %s: an edit of '%.60s' has rows %zu apart that are %d long, or is "
                           "neither added nor in place of what is there",
                           erosion->model->name, layer, stride, rect->width);
    if (status == SILT_OK)
        status = check_values(erosion, layer, rect, values, stride);
    if (status != SILT_OK)
        return status;
    bool done = false;
    for (int k = 0; k < 4 && !done; k++) {
        done = strcmp(layer, states[k].layer) == 0;
        if (done)
            status = edit_state(erosion, states[k].what, layer, rect, values, stride, kind);
    }
    if (!done)
        status = edit_layer(erosion, layer, rect, values, stride, kind);
    erosion->generation++;
    erosion->edits++;
    erosion->report.counters.at_rest = false;
    return status;
}

SiltStatus silt_erosion_edit_rock(SiltErosion *erosion, const SiltRockEdit *edit)
{
    const SiltModel *model = erosion->model;
    double sum = edit->radius, added = 0.0;
    for (int axis = 0; axis < 3; axis++)
        sum += fabs(edit->from[axis]) + fabs(edit->to[axis]);
    if (erosion->finished)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the run has finished", model->name);
    if (!model->edit_rock)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: its rock is no volume: nothing can be carved out of it but the ground",
                         model->name);
    if (!(edit->radius > 0.0) || !(sum <= 1e9))
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: rock cannot be edited within %g m of that place",
                         model->name, edit->radius);
    SiltScope scope = silt_scope_begin(erosion);
    SiltStatus status = model->edit_rock(erosion->state, edit, &erosion->report.ledger, &added);
    erosion->broken = erosion->broken || status != SILT_OK;
    silt_scope_end(scope);
    erosion->report.ledger.rock.by_hand += added;
    erosion->generation++;
    erosion->report.counters.at_rest = false;
    return status;
}
