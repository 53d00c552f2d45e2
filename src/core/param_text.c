// Parameter tables as words: values, JSON, help.
#include <math.h>
#include <string.h>

#include "core/param.h"
#include "core/status.h"
#include "core/text.h"

static void add_numbers(SiltText *text, const double *numbers, int count, const char *between)
{
    for (int k = 0; k < count; k++) {
        silt_text_add(text, k ? between : "");
        if (isnan(numbers[k]))
            silt_text_add(text, "none"); // a number that may be left unset, and is
        else
            silt_text_add_number(text, numbers[k]);
    }
}

// A row of a list; its first cell may be a word, in quotes where `quote` says so.
static void add_row(SiltText *text, const SiltParam *param, const SiltList *list, int row,
                    const char *between, const char *quote)
{
    const double *cells = list->values + (size_t)row * (size_t)list->columns;
    char word[SILT_NAME_SIZE];
    bool worded = param->words && silt_param_word(param, cells[0], word);
    if (worded)
        silt_text_addf(text, "%s%s%s%s", quote, word, quote, list->columns > 1 ? between : "");
    add_numbers(text, cells + worded, list->columns - worded, between);
}

static void add_value(SiltText *text, const SiltParam *param, const void *params)
{
    const void *at = (const char *)params + param->offset;
    char name[SILT_NAME_SIZE];
    switch (param->type) {
    case SILT_TYPE_REAL:
        add_numbers(text, at, 1, "");
        break;
    case SILT_TYPE_INT:
        silt_text_addf(text, "%d", *(const int *)at);
        break;
    case SILT_TYPE_BOOL:
        silt_text_add(text, *(const bool *)at ? "yes" : "no");
        break;
    case SILT_TYPE_CHOICE:
        if (silt_param_choice(param, *(const int *)at, name))
            silt_text_add(text, name);
        break;
    case SILT_TYPE_VECTOR:
        add_numbers(text, at, param->size, ",");
        break;
    case SILT_TYPE_COLOUR:
        silt_text_add(text, "#");
        for (int k = 0; k < 3; k++)
            silt_text_addf(text, "%02x", (unsigned)lround(((const double *)at)[k] * 255.0) & 255u);
        break;
    case SILT_TYPE_LAYER:
    case SILT_TYPE_PATH:
        silt_text_add(text, at);
        break;
    case SILT_TYPE_LIST: {
        const SiltList *list = at;
        for (int row = 0; row < list->count; row++) {
            silt_text_add(text, row ? ";" : "");
            add_row(text, param, list, row, ",", "");
        }
    }
    }
}

char *silt_params_value(const SiltParamTable *table, const void *params, int index)
{
    SiltText text = {0};
    add_value(&text, &table->items[index], params);
    return silt_text_take(&text);
}

static void add_default(SiltText *text, const SiltParam *param)
{
    if (param->type == SILT_TYPE_BOOL)
        silt_text_add(text, param->number[0] != 0.0 ? "yes" : "no");
    else if (param->text)
        silt_text_add(text, param->text);
    else
        add_numbers(text, param->number, param->size ? param->size : 1, ",");
}

char *silt_params_default(const SiltParamTable *table, int index)
{
    SiltText text = {0};
    add_default(&text, &table->items[index]);
    return silt_text_take(&text);
}

static void add_json_value(SiltText *text, const SiltParam *param, const void *params)
{
    const void *at = (const char *)params + param->offset;
    switch (param->type) {
    case SILT_TYPE_REAL:
        silt_text_add_json_number(text, *(const double *)at);
        return;
    case SILT_TYPE_INT:
        add_value(text, param, params);
        return;
    case SILT_TYPE_BOOL:
        silt_text_add(text, *(const bool *)at ? "true" : "false");
        return;
    case SILT_TYPE_VECTOR:
        silt_text_add(text, "[");
        for (int k = 0; k < param->size; k++) {
            silt_text_add(text, k ? ", " : "");
            silt_text_add_json_number(text, ((const double *)at)[k]);
        }
        silt_text_add(text, "]");
        return;
    case SILT_TYPE_LIST: {
        const SiltList *list = at;
        silt_text_add(text, "[");
        for (int row = 0; row < list->count; row++) {
            silt_text_add(text, row ? ", [" : "[");
            add_row(text, param, list, row, ", ", "\"");
            silt_text_add(text, "]");
        }
        silt_text_add(text, "]");
        return;
    }
    default: {
        SiltText plain = {0};
        add_value(&plain, param, params);
        silt_text_add_json(text, plain.data ? plain.data : "");
        text->failed = text->failed || plain.failed;
        silt_text_free(&plain);
    }
    }
}

char *silt_params_json(const SiltParamTable *table, const void *params)
{
    SiltText text = {0};
    silt_text_add(&text, "{");
    for (int k = 0; k < table->count; k++) {
        silt_text_add(&text, k ? ", " : "");
        silt_text_add_json(&text, table->items[k].name);
        silt_text_add(&text, ": ");
        add_json_value(&text, &table->items[k], params);
    }
    silt_text_add(&text, "}");
    return silt_text_take(&text);
}

static const char *const type_names[] = {"real",   "int",   "bool", "choice", "vector",
                                         "colour", "layer", "path", "list"};

static bool has_range(const SiltParam *param)
{
    return param->type == SILT_TYPE_REAL || param->type == SILT_TYPE_INT || param->type == SILT_TYPE_VECTOR;
}

static void describe(SiltText *text, const SiltParam *param)
{
    char name[SILT_NAME_SIZE];
    silt_text_add(text, "{\"name\": ");
    silt_text_add_json(text, param->name);
    silt_text_addf(text, ", \"type\": \"%s\", \"unit\": ", type_names[param->type]);
    silt_text_add_json(text, param->unit);
    SiltText plain = {0};
    add_default(&plain, param);
    silt_text_add(text, ", \"default\": ");
    silt_text_add_json(text, plain.data ? plain.data : "");
    text->failed = text->failed || plain.failed;
    silt_text_free(&plain);
    if (has_range(param)) {
        silt_text_add(text, ", \"minimum\": ");
        silt_text_add_json_number(text, param->minimum);
        silt_text_add(text, ", \"maximum\": ");
        silt_text_add_json_number(text, param->maximum);
    }
    if (param->size)
        silt_text_addf(text, ", \"components\": %d", param->size);
    if (param->choices) {
        silt_text_addf(text, ", \"%s\": [", param->type == SILT_TYPE_LIST ? "columns" : "choices");
        for (int k = 0; silt_param_choice(param, k, name); k++) {
            silt_text_add(text, k ? ", " : "");
            silt_text_add_json(text, name);
        }
        silt_text_add(text, "]");
    }
    const char *words = param->words;
    silt_text_add(text, words ? ", \"words\": [" : "");
    for (int k = 0; words && silt_next_word(&words, name, sizeof name); k++) {
        silt_text_add(text, k ? ", " : "");
        silt_text_add_json(text, name);
    }
    silt_text_add(text, words ? "]" : "");
    silt_text_addf(text, ", \"logarithmic\": %s, \"live\": %s, \"help\": ",
                   param->flags & SILT_LOG ? "true" : "false", param->flags & SILT_LIVE ? "true" : "false");
    silt_text_add_json(text, param->help);
    if (param->paper) {
        silt_text_add(text, ", \"paper\": ");
        silt_text_add_json(text, param->paper);
    }
    silt_text_add(text, "}");
}

char *silt_params_describe_json(const SiltParamTable *table)
{
    SiltText text = {0};
    silt_text_add(&text, "[");
    for (int k = 0; k < table->count; k++) {
        silt_text_add(&text, k ? ",\n " : "");
        describe(&text, &table->items[k]);
    }
    silt_text_add(&text, "]");
    return silt_text_take(&text);
}

static void add_help_line(SiltText *text, const SiltParam *param)
{
    SiltText left = {0};
    silt_text_addf(&left, "%s=", param->name);
    add_default(&left, param);
    if (silt_param_unit(param)[0])
        silt_text_addf(&left, " %s", silt_param_unit(param));
    silt_text_addf(text, "  %-30s %s", left.data ? left.data : "", param->help);
    text->failed = text->failed || left.failed;
    silt_text_free(&left);
    if (has_range(param)) {
        silt_text_add(text, " (");
        silt_text_add_number(text, param->minimum);
        silt_text_add(text, " to ");
        silt_text_add_number(text, param->maximum);
        silt_text_add(text, param->flags & SILT_LIVE ? "; live)" : ")");
    } else if (param->choices) {
        silt_text_addf(text, " (%s%s%s%s%s)", param->type == SILT_TYPE_LIST ? "rows of " : "", param->choices,
                       param->words ? "; the first is one of: " : "", param->words ? param->words : "",
                       param->flags & SILT_LIVE ? "; live" : "");
    }
    if (param->paper)
        silt_text_addf(text, " [paper: %s]", param->paper[0] ? param->paper : "none");
    silt_text_add(text, "\n");
}

// What the switch `paper` sets, as it would be written; nothing where it stands alone.
static void add_paper(SiltText *text, const SiltParamTable *table)
{
    bool begun = false;
    for (int k = 0; k < table->count; k++)
        if (table->items[k].paper) {
            silt_text_addf(text, "%s %s=%s", begun ? "" : "\npaper=yes sets", table->items[k].name,
                           table->items[k].paper);
            begun = true;
        }
    silt_text_add(text, begun ? "\n" : "");
}

char *silt_params_help(const SiltParamTable *table)
{
    SiltText text = {0};
    for (int k = 0; k < table->count; k++)
        add_help_line(&text, &table->items[k]);
    if (silt_params_paper(table) >= 0)
        add_paper(&text, table);
    return silt_text_take(&text);
}
