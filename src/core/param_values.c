// Parameters as values: copied, read and set without a detour through text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"
#include "silt/param.h"

static void *slot(const SiltParam *param, const void *params)
{
    return (char *)(uintptr_t)params + param->offset;
}

// ---- whole structs ----

void *silt_params_new(const SiltParamTable *table)
{
    void *params = silt_alloc(table->size > 0 ? table->size : 1);
    if (!params)
        silt_fail_memory("parameters", (double)table->size);
    if (params && silt_params_init(table, params) != SILT_OK) {
        silt_free(params);
        return NULL;
    }
    return params;
}

void silt_params_delete(const SiltParamTable *table, void *params)
{
    if (params)
        silt_params_free(table, params);
    silt_free(params);
}

static SiltStatus copy_list(const SiltParam *param, const double *values, int rows, int columns, SiltList *to)
{
    void *made = NULL;
    SiltStatus status =
        silt_alloc_for(param->name, (size_t)(rows + 1) * (size_t)columns, sizeof(double), &made);
    if (status != SILT_OK)
        return status;
    if (rows > 0)
        memcpy(made, values, (size_t)rows * (size_t)columns * sizeof(double));
    silt_free(to->values);
    *to = (SiltList){rows, columns, made};
    return SILT_OK;
}

static size_t bytes_of(const SiltParam *param)
{
    switch (param->type) {
    case SILT_TYPE_REAL:
        return sizeof(double);
    case SILT_TYPE_INT:
    case SILT_TYPE_CHOICE:
        return sizeof(int);
    case SILT_TYPE_BOOL:
        return sizeof(bool);
    case SILT_TYPE_VECTOR:
    case SILT_TYPE_COLOUR:
        return (size_t)param->size * sizeof(double);
    case SILT_TYPE_LAYER:
        return SILT_NAME_SIZE;
    case SILT_TYPE_PATH:
        return SILT_PATH_SIZE;
    case SILT_TYPE_LIST:
        break;
    }
    return 0;
}

SiltStatus silt_params_copy(const SiltParamTable *table, const void *from, void *to)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < table->count && status == SILT_OK; k++) {
        const SiltParam *param = &table->items[k];
        const SiltList *list = slot(param, from);
        if (param->type == SILT_TYPE_LIST)
            status =
                copy_list(param, list->values, list->count, silt_param_choice_count(param), slot(param, to));
        else
            memcpy(slot(param, to), slot(param, from), bytes_of(param));
    }
    return status;
}

void *silt_params_clone(const SiltParamTable *table, const void *params)
{
    void *clone = silt_params_new(table);
    if (clone && params && silt_params_copy(table, params, clone) != SILT_OK) {
        silt_params_delete(table, clone);
        return NULL;
    }
    return clone;
}

void silt_params_pack(const SiltParamTable *table, void *params, SiltPack *pack)
{
    for (int k = 0; k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        SiltList *list = slot(param, params);
        if (param->type != SILT_TYPE_LIST) {
            if (param->type == SILT_TYPE_BOOL)
                silt_pack_flag(pack, (bool *)(void *)list);
            else
                silt_pack(pack, list, bytes_of(param));
            if (pack->reads && (param->type == SILT_TYPE_LAYER || param->type == SILT_TYPE_PATH))
                ((char *)list)[bytes_of(param) - 1] = '\0'; // whatever the block says
            continue;
        }
        int columns = silt_param_choice_count(param);
        int64_t count = list->count;
        silt_pack_owned(pack, (void **)&list->values, (size_t)columns * sizeof(double), &count);
        list->count = (int)count;
        list->columns = columns;
    }
}

// ---- one value ----

SiltValue silt_value_number(double number)
{
    return (SiltValue){.size = sizeof(SiltValue), .type = SILT_TYPE_REAL, .count = 1, .number = {number}};
}

SiltValue silt_value_text(const char *text)
{
    return (SiltValue){.size = sizeof(SiltValue), .type = SILT_TYPE_LAYER, .text = text};
}

SiltValue silt_value_list(const double *list, int rows, int columns)
{
    return (SiltValue){
        .size = sizeof(SiltValue), .type = SILT_TYPE_LIST, .rows = rows, .columns = columns, .list = list};
}

static SiltStatus no_such(const SiltParamTable *table, const char *owner, int index)
{
    return silt_fail(SILT_BAD_ARGUMENT, "%s: there is no parameter %d: the table has %d", owner, index,
                     table->count);
}

// A program made for an older library has a shorter struct: only as much of it is written or read.
static size_t shared_size(const SiltValue *value)
{
    return value->size > 0 && value->size < sizeof *value ? value->size : sizeof *value;
}

SiltStatus silt_params_get(const SiltParamTable *table, const void *params, int index, SiltValue *out)
{
    if (index < 0 || index >= table->count)
        return no_such(table, "get", index);
    const SiltParam *param = &table->items[index];
    const void *at = slot(param, params);
    SiltValue value = {.size = shared_size(out), .type = param->type, .count = 1};
    if (param->type == SILT_TYPE_REAL)
        value.number[0] = *(const double *)at;
    else if (param->type == SILT_TYPE_INT || param->type == SILT_TYPE_CHOICE)
        value.number[0] = *(const int *)at;
    else if (param->type == SILT_TYPE_BOOL)
        value.number[0] = *(const bool *)at;
    else if (param->type == SILT_TYPE_VECTOR || param->type == SILT_TYPE_COLOUR) {
        value.count = param->size;
        memcpy(value.number, at, (size_t)param->size * sizeof(double));
    } else if (param->type == SILT_TYPE_LIST) {
        const SiltList *list = at;
        value.count = 0;
        value.rows = list->count;
        value.columns = list->columns;
        value.list = list->values;
    } else {
        value.count = 0;
        value.text = at;
    }
    memcpy(out, &value, value.size);
    return SILT_OK;
}

static SiltStatus wrong_type(const SiltParam *param, const char *owner)
{
    static const char *const takes[] = {"a number",       "a whole number", "yes or no (1 or 0)",
                                        "a choice",       "a vector",       "a colour",
                                        "a layer's name", "a path",         "a list"};
    return silt_fail(SILT_BAD_ARGUMENT, "%s: %s takes %s", owner, param->name, takes[param->type]);
}

static SiltStatus put_numbers(const SiltParam *param, const char *owner, const SiltValue *value, void *at)
{
    bool many = param->type == SILT_TYPE_VECTOR || param->type == SILT_TYPE_COLOUR;
    if (value->text || value->list || value->count != (many ? param->size : 1))
        return wrong_type(param, owner);
    bool whole =
        param->type == SILT_TYPE_INT || param->type == SILT_TYPE_CHOICE || param->type == SILT_TYPE_BOOL;
    double number = value->number[0];
    if (whole && number != floor(number))
        return wrong_type(param, owner);
    if (param->type == SILT_TYPE_BOOL) {
        if (number != 0.0 && number != 1.0)
            return wrong_type(param, owner);
        *(bool *)at = number != 0.0;
        return SILT_OK;
    }
    if (param->type == SILT_TYPE_CHOICE) {
        int count = silt_param_choice_count(param);
        if (!(number >= 0.0 && number < count))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = %g is none of: %s", owner, param->name, number,
                             param->choices);
        *(int *)at = (int)number;
        return SILT_OK;
    }
    for (int k = 0; k < value->count; k++) {
        SiltStatus status = silt_param_check_number(param, owner, value->number[k]);
        if (status != SILT_OK)
            return status;
    }
    if (param->type == SILT_TYPE_INT)
        *(int *)at = (int)number;
    else
        memcpy(at, value->number, (size_t)value->count * sizeof(double));
    return SILT_OK;
}

static SiltStatus put_list(const SiltParam *param, const char *owner, const SiltValue *value, SiltList *at)
{
    int columns = silt_param_choice_count(param);
    if (value->type != SILT_TYPE_LIST || value->text || value->rows < 0 ||
        (value->rows > 0 && (!value->list || value->columns != columns)))
        return wrong_type(param, owner);
    for (int k = 0; k < value->rows * columns; k++)
        if (!isfinite(value->list[k]))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: row %d is not finite numbers for: %s", owner,
                             param->name, k / columns + 1, param->choices);
    return copy_list(param, value->list, value->rows, columns, at);
}

SiltStatus silt_params_put(const SiltParamTable *table, void *params, const char *owner, int index,
                           const SiltValue *given)
{
    if (index < 0 || index >= table->count)
        return no_such(table, owner, index);
    const SiltParam *param = &table->items[index];
    SiltValue value = {0};
    memcpy(&value, given, shared_size(given));
    if (param->type == SILT_TYPE_LIST)
        return put_list(param, owner, &value, slot(param, params));
    bool is_text = param->type == SILT_TYPE_LAYER || param->type == SILT_TYPE_PATH;
    if (is_text && !value.text)
        return wrong_type(param, owner);
    if (is_text || (param->type == SILT_TYPE_CHOICE && value.text))
        return silt_params_set(table, params, owner, param->name, value.text);
    if (!(param->flags & SILT_PAPER))
        return put_numbers(param, owner, &value, slot(param, params));
    bool *paper = slot(param, params), before = *paper;
    SiltStatus status = put_numbers(param, owner, &value, paper);
    return status == SILT_OK ? silt_params_take_paper(table, params, before, *paper) : status;
}
