// Parameter tables: names, choices, defaults, checks.
#include "silt/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"
#include "core/text.h"

static void *slot(const SiltParam *param, void *params)
{
    return (char *)params + param->offset;
}

const char *silt_param_choice(const SiltParam *param, int index, char buffer[SILT_NAME_SIZE])
{
    const char *cursor = param->choices ? param->choices : "";
    for (;;) {
        cursor += strspn(cursor, " ");
        size_t length = strcspn(cursor, " ");
        if (length == 0)
            return NULL;
        if (index-- == 0) {
            snprintf(buffer, SILT_NAME_SIZE, "%.*s", (int)length, cursor);
            return buffer;
        }
        cursor += length;
    }
}

bool silt_param_word(const SiltParam *param, double number, char buffer[SILT_NAME_SIZE])
{
    const char *cursor = param->words;
    char word[SILT_NAME_SIZE];
    for (int k = 0; silt_next_word(&cursor, word, sizeof word); k++)
        if ((double)k == number) {
            if (buffer)
                strcpy(buffer, word);
            return true;
        }
    return false;
}

int silt_param_choice_count(const SiltParam *param)
{
    const char *cursor = param->choices ? param->choices : "";
    int count = 0;
    for (cursor += strspn(cursor, " "); *cursor; count++) {
        cursor += strcspn(cursor, " ");
        cursor += strspn(cursor, " ");
    }
    return count;
}

bool silt_param_same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        bool both_dashes = (*a == '-' || *a == '_') && (*b == '-' || *b == '_');
        if (*a != *b && !both_dashes)
            return false;
    }
    return *a == *b;
}

int silt_params_find(const SiltParamTable *table, const char *key)
{
    for (int k = 0; k < table->count; k++)
        if (silt_param_same_name(table->items[k].name, key))
            return k;
    return -1;
}

static const char *name_of_item(const void *context, int index)
{
    return ((const SiltParamTable *)context)->items[index].name;
}

static SiltStatus unknown_key(const SiltParamTable *table, const char *owner, const char *key)
{
    if (table->count == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: unknown parameter '%.60s': it has none", owner, key);
    char hint[SILT_HINT_SIZE];
    const char *word = strrchr(owner, ' '); // "erode pipes" has its page at 'silt help pipes'
    return silt_fail(SILT_BAD_ARGUMENT, "%s: unknown parameter '%.60s'%s", owner, key,
                     silt_hint(key, name_of_item, table, table->count, word ? word + 1 : "", hint));
}

// ---- numbers ----

const char *silt_param_unit(const SiltParam *param)
{
    return strcmp(param->unit, "1") == 0 ? "" : param->unit;
}

bool silt_param_may_be_unset(const SiltParam *param)
{
    return isnan(param->number[0]) || (param->paper && strcmp(param->paper, "none") == 0);
}

SiltStatus silt_param_check_number(const SiltParam *param, const char *owner, double value)
{
    char shown[SILT_NUMBER_SIZE], bound[SILT_NUMBER_SIZE];
    const char *unit = silt_param_unit(param), *space = unit[0] ? " " : "";
    if (isnan(value) && silt_param_may_be_unset(param))
        return SILT_OK; // a number that may be left unset
    if (!isfinite(value))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = %s is not a finite number", owner, param->name,
                         silt_format_number(value, shown));
    if (value < param->minimum)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = %s%s%s is below its minimum %s", owner, param->name,
                         silt_format_number(value, shown), space, unit,
                         silt_format_number(param->minimum, bound));
    if (value > param->maximum)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = %s%s%s is above its maximum %s", owner, param->name,
                         silt_format_number(value, shown), space, unit,
                         silt_format_number(param->maximum, bound));
    return SILT_OK;
}

// ---- whole tables ----

static SiltStatus set_default(const SiltParam *param, void *params)
{
    void *out = slot(param, params);
    switch (param->type) {
    case SILT_TYPE_REAL:
        *(double *)out = param->number[0];
        return SILT_OK;
    case SILT_TYPE_INT:
        *(int *)out = (int)param->number[0];
        return SILT_OK;
    case SILT_TYPE_BOOL:
        *(bool *)out = param->number[0] != 0.0;
        return SILT_OK;
    case SILT_TYPE_VECTOR:
        memcpy(out, param->number, (size_t)param->size * sizeof(double));
        return SILT_OK;
    default:
        return silt_param_read(param, params, "default", param->text);
    }
}

SiltStatus silt_params_init(const SiltParamTable *table, void *params)
{
    memset(params, 0, table->size);
    for (int k = 0; k < table->count; k++) {
        SiltStatus status = set_default(&table->items[k], params);
        if (status != SILT_OK) {
            silt_params_free(table, params);
            return status;
        }
    }
    return SILT_OK;
}

void silt_params_free(const SiltParamTable *table, void *params)
{
    for (int k = 0; k < table->count; k++) {
        if (table->items[k].type != SILT_TYPE_LIST)
            continue;
        SiltList *list = slot(&table->items[k], params);
        silt_free(list->values);
        *list = (SiltList){0};
    }
}

SiltStatus silt_params_set(const SiltParamTable *table, void *params, const char *owner, const char *key,
                           const char *value)
{
    int index = silt_params_find(table, key);
    if (index < 0)
        return unknown_key(table, owner, key);
    const SiltParam *param = &table->items[index];
    if (!(param->flags & SILT_PAPER))
        return silt_param_read(param, params, owner, value);
    bool *paper = slot(param, params), before = *paper;
    SiltStatus status = silt_param_read(param, params, owner, value);
    return status == SILT_OK ? silt_params_take_paper(table, params, before, *paper) : status;
}

SiltStatus silt_params_assign(const SiltParamTable *table, void *params, const char *owner,
                              const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char key[64];
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof key)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: '%.60s' is not of the form key=value", owner, assignment);
    snprintf(key, sizeof key, "%.*s", (int)(equals - assignment), assignment);
    return silt_params_set(table, params, owner, key, equals + 1);
}

static SiltStatus check_item(const SiltParam *param, const void *params, const char *owner)
{
    const void *at = (const char *)params + param->offset;
    if (param->type == SILT_TYPE_REAL)
        return silt_param_check_number(param, owner, *(const double *)at);
    if (param->type == SILT_TYPE_INT)
        return silt_param_check_number(param, owner, *(const int *)at);
    if (param->type == SILT_TYPE_CHOICE) {
        int choice = *(const int *)at;
        if (choice < 0 || choice >= silt_param_choice_count(param))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = %d is none of: %s", owner, param->name, choice,
                             param->choices);
    }
    if (param->type == SILT_TYPE_VECTOR || param->type == SILT_TYPE_COLOUR) {
        for (int k = 0; k < param->size; k++) {
            SiltStatus status = silt_param_check_number(param, owner, ((const double *)at)[k]);
            if (status != SILT_OK)
                return status;
        }
    }
    if (param->type == SILT_TYPE_LIST) {
        const SiltList *list = at;
        for (int k = 0; k < list->count * list->columns; k++)
            if (!isfinite(list->values[k]) ||
                (param->words && k % list->columns == 0 && !silt_param_word(param, list->values[k], NULL)))
                return silt_param_bad_row(param, owner, k / list->columns);
    }
    return SILT_OK;
}

SiltStatus silt_params_check(const SiltParamTable *table, const void *params, const char *owner)
{
    for (int k = 0; k < table->count; k++) {
        SiltStatus status = check_item(&table->items[k], params, owner);
        if (status != SILT_OK)
            return status;
    }
    return SILT_OK;
}
