// One entry of a recipe: the stage its first key names, and the values of the others.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "silt/io.h"

const char *silt_step_owner(const SiltRecipe *recipe, int line, int column, char buffer[OWNER_SIZE])
{
    if (line > 0)
        snprintf(buffer, OWNER_SIZE, "%s:%d:%d", recipe->path, line, column);
    else // it stands in no line, but on the command line
        snprintf(buffer, OWNER_SIZE, "%s", recipe->path);
    return buffer;
}

SiltStatus silt_step_fail(const SiltRecipe *recipe, const Step *step, SiltStatus status)
{
    char owner[OWNER_SIZE];
    if (status == SILT_OK || status == SILT_CANCELLED)
        return status;
    silt_step_owner(recipe, step->line, step->column, owner);
    return silt_fail(status, "%s: %s", owner, silt_message());
}

SiltStatus silt_step_take_fault(Step *step, const char *owner)
{
    const char *sentence = silt_message();
    size_t length = strlen(owner);
    if (length > 0 && strncmp(sentence, owner, length) == 0 && sentence[length] == ':')
        sentence += length + 1 + (sentence[length + 1] == ' ');
    if (!step->fault)
        step->fault = silt_strdup(sentence);
    return step->fault ? SILT_OK : silt_fail_memory("a recipe", (double)strlen(sentence));
}

const SiltParamTable *silt_step_table(const Step *step)
{
    return step->model       ? &step->model->params
           : step->generator ? &step->generator->params
           : step->shape     ? &step->shape->params
                             : NULL;
}

const char *silt_step_layer(const Step *step, const char *key)
{
    const SiltParamTable *table = &step->kind->info.params;
    int index = silt_params_find(table, key);
    return index < 0 ? NULL : (const char *)step->params + table->items[index].offset;
}

SiltStatus silt_node_fail(const SiltRecipe *recipe, const Node *node, const char *sentence)
{
    char owner[OWNER_SIZE];
    return silt_fail(SILT_BAD_FILE, "%s: %s", silt_step_owner(recipe, node->line, node->column, owner),
                     sentence);
}

// ---- values ----

// Lists become the text that parameters read: "1,2", and rows of a table "1,2;3,4".
static SiltStatus add_value(const SiltRecipe *recipe, const Node *node, int depth, SiltText *text)
{
    if (node->kind == NODE_MAP || (node->kind == NODE_LIST && depth == 2))
        return silt_node_fail(recipe, node, "a number, a text or a list belongs here");
    if (node->kind == NODE_TEXT) {
        char *plain;
        SiltStatus status = silt_defines_expand(recipe, node, &plain);
        if (status == SILT_OK)
            silt_text_add(text, plain);
        silt_free(plain);
        if (status == SILT_OK && text->length > RECIPE_BYTES) // a list of aliases of lists
            return silt_node_fail(recipe, node, "with this the list is longer than 64 MiB of text");
        return status;
    }
    SiltStatus status = SILT_OK;
    for (int k = 0; k < node->count && status == SILT_OK; k++) {
        if (k)
            silt_text_add(text, node->items[k]->kind == NODE_LIST ? ";" : ",");
        status = add_value(recipe, node->items[k], depth + 1, text);
    }
    return status;
}

SiltStatus silt_node_text(const SiltRecipe *recipe, const Node *node, char **out)
{
    *out = NULL;
    SiltText text = {0};
    SiltStatus status = add_value(recipe, node, 0, &text);
    if (status != SILT_OK) {
        silt_text_free(&text);
        return status;
    }
    *out = silt_text_take(&text);
    return *out ? SILT_OK : SILT_NO_MEMORY;
}

// A size of so many cells.
static bool parse_cells(const char *text, int size[2])
{
    return silt_parse_size(text, size) && size[0] >= 1 && size[1] >= 1 && size[0] <= SILT_MAX_SIDE &&
           size[1] <= SILT_MAX_SIDE;
}

static SiltStatus bad_size(const char *text, const char *owner)
{
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: '%.60s' is no size: write N, WxH or [W, H], each side 1 to %d cells", owner, text,
                     SILT_MAX_SIDE);
}

SiltStatus silt_step_set(const Step *step, const SiltParamTable *table, void *params, int index,
                         const char *owner, const char *value)
{
    const SiltParam *param = &table->items[index];
    if (step->model && table == &step->kind->info.params)
        return silt_erode_options_set(params, step->model, owner, param->name, value);
    if (param->type != SILT_TYPE_VECTOR || strcmp(param->unit, "cells") != 0)
        return silt_params_set(table, params, owner, param->name, value);
    int size[2];
    char both[64];
    if (!parse_cells(value, size))
        return bad_size(value, owner);
    snprintf(both, sizeof both, "%d,%d", size[0], size[1]);
    return silt_params_set(table, params, owner, param->name, both);
}

// ---- one step ----

static void free_params(const SiltParamTable *table, void *params)
{
    if (table && params)
        silt_params_free(table, params);
    silt_free(params);
}

void silt_step_free(Step *step)
{
    if (!step->kind)
        return;
    free_params(&step->kind->info.params, step->params);
    free_params(step->kind->info.options, step->options);
    free_params(silt_step_table(step), step->set);
    silt_hands_free(step->hands, step->hand_count);
    silt_free(step->hands_text);
    silt_free(step->words);
    silt_free(step->fault);
}

static SiltStatus make_params(const SiltParamTable *table, void **out)
{
    if (!table)
        return SILT_OK;
    SiltStatus status = silt_alloc_for("a recipe", 1, table->size, out);
    return status == SILT_OK ? silt_params_init(table, *out) : status;
}

// All keys a step may have, for the nearest right one.
typedef struct KeyNames {
    const SiltParamTable *tables[2];
    bool takes_set;
    const char *page; // of the help
} KeyNames;

static const char *key_at(const void *context, int index)
{
    const KeyNames *keys = context;
    for (int k = 0; k < 2 && keys->tables[k]; k++) {
        if (index < keys->tables[k]->count)
            return keys->tables[k]->items[index].name;
        index -= keys->tables[k]->count;
    }
    return "set";
}

static SiltStatus unknown_key(const KeyNames *keys, const char *owner, const char *key)
{
    int count = keys->takes_set;
    for (int k = 0; k < 2; k++)
        count += keys->tables[k] ? keys->tables[k]->count : 0;
    char hint[SILT_HINT_SIZE];
    return silt_fail(SILT_BAD_ARGUMENT, "%s: unknown key '%.60s'%s", owner, key,
                     silt_hint(key, key_at, keys, count, keys->page, hint));
}

// A seed of 64 bits does not fit the double that the table declares: the step has it exactly. The table has
// checked the rest.
static SiltStatus set_seed(const char *owner, const char *value, Step *step)
{
    double number;
    step->has_seed = silt_parse_whole_number(value, &number);
    if (!step->has_seed || silt_parse_seed(value, &step->seed))
        return SILT_OK;
    if (number >= 0x1p64)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: seed = %.60s is above its maximum 18446744073709551615",
                         owner, value);
    step->seed = (uint64_t)number; // 1e6
    return SILT_OK;
}

static SiltStatus read_key(Reader *reader, Step *step, const Node *key, const Node *value,
                           const KeyNames *keys, void *const params[2])
{
    char owner[OWNER_SIZE];
    silt_step_owner(reader->recipe, key->line, key->column, owner);
    int table = 0, index = silt_params_find(keys->tables[0], key->text);
    if (index < 0 && keys->tables[1]) {
        table = 1;
        index = silt_params_find(keys->tables[1], key->text);
    }
    if (index < 0)
        return unknown_key(keys, owner, key->text);
    char *text;
    SiltStatus status = silt_node_text(reader->recipe, value, &text);
    if (status != SILT_OK)
        return status;
    silt_step_owner(reader->recipe, value->line, value->column, owner);
    status = silt_step_set(step, keys->tables[table], params[table], index, owner, text);
    if (status == SILT_OK && params[table] == step->params &&
        strcmp(keys->tables[table]->items[index].name, "seed") == 0)
        status = set_seed(owner, text, step);
    enum { SHOWN = 400 }; // of a list, in the plan
    silt_text_addf(&reader->words, "%s%s=%.*s%s", reader->words.length ? ", " : "", key->text, SHOWN, text,
                   strlen(text) > SHOWN ? "..." : "");
    silt_free(text);
    return status;
}

static SiltStatus read_set(Reader *reader, const Node *set, Step *step)
{
    if (set->kind == NODE_TEXT && set->plain && set->text[0] == '\0')
        return SILT_OK;
    if (set->kind != NODE_MAP)
        return silt_node_fail(reader->recipe, set, "'set' takes parameters, like {seed: 3, size: 4}");
    KeyNames keys = {.tables = {silt_step_table(step)}, .page = step->subject};
    int paper = silt_params_paper(keys.tables[0]);
    SiltStatus status = SILT_OK;
    for (int pass = 0; pass < 2; pass++) // the switch `paper` first: all others stand on top of it
        for (int k = 0; k < set->count && status == SILT_OK; k++) {
            const Node *key = node_key(set, k);
            bool is_paper = paper >= 0 && silt_params_find(keys.tables[0], key->text) == paper;
            if (is_paper == (pass == 0))
                status = read_key(reader, step, key, node_value(set, k), &keys, (void *[2]){step->set, NULL});
        }
    return status;
}

SiltStatus silt_check_input(const char *path, const char *owner)
{
    struct stat info;
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the name of a file belongs here", owner);
    char file[SILT_PATH_SIZE];
    double range[2];
    if (stat(path, &info) != 0 && errno == ENOENT && strchr(path, '@') &&
        silt_split_range(path, file, range) == SILT_OK && access(file, F_OK) == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: in a recipe the range stands apart, as values: [%g, %g]",
                         owner, path, range[0], range[1]);
    if (stat(path, &info) != 0)
        return silt_fail(SILT_IO_ERROR, "%s: %s: %s", owner, path,
                         errno == ENOENT ? "no such file" : strerror(errno));
    if (S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: %s: is a directory, not a file", owner, path);
    if (access(path, R_OK) != 0)
        return silt_fail(SILT_IO_ERROR, "%s: %s: cannot read: %s", owner, path, strerror(errno));
    return SILT_OK;
}

// What stands behind the stage's name: a model, a layer, a file ...
static SiltStatus read_subject(Reader *reader, const Node *node, Step *step)
{
    char owner[OWNER_SIZE], *text;
    SiltStatus status = silt_node_text(reader->recipe, node, &text);
    if (status != SILT_OK)
        return status;
    silt_step_owner(reader->recipe, node->line, node->column, owner);
    if (strlen(text) >= sizeof step->subject)
        status = silt_fail(SILT_BAD_ARGUMENT, "%s: longer than %zu bytes", owner, sizeof step->subject - 1);
    else
        strcpy(step->subject, text);
    silt_free(text);
    if (status != SILT_OK)
        return status;
    switch (step->kind->info.subject) {
    case SILT_SUBJECT_MODEL:
        step->model = silt_model_find(step->subject);
        return step->model ? SILT_OK : silt_fail(SILT_BAD_ARGUMENT, "%s: %s", owner, silt_message());
    case SILT_SUBJECT_GENERATOR:
        if (strcmp(step->kind->info.section, "terrain") == 0)
            step->shape = silt_volume_shape_find(step->subject);
        if (step->shape)
            return SILT_OK;
        step->generator = silt_generator_find(step->subject);
        return step->generator ? SILT_OK : silt_fail(SILT_BAD_ARGUMENT, "%s: %s", owner, silt_message());
    case SILT_SUBJECT_SIZE:
        return parse_cells(step->subject, step->size) ? SILT_OK : bad_size(step->subject, owner);
    case SILT_SUBJECT_INPUT: // once it is known whether the stage is left out
    case SILT_SUBJECT_LAYER:
    case SILT_SUBJECT_OUTPUT:
    case SILT_SUBJECT_LABEL:
        break;
    }
    return SILT_OK;
}

static const char *kind_at(const void *context, int index)
{
    return silt_section_kind(context, index)->info.name;
}

static SiltStatus find_kind(const SiltRecipe *recipe, const Section *section, const Node *key, Step *step)
{
    int count = silt_section_count(section);
    for (int k = 0; k < count; k++)
        if (strcmp(kind_at(section, k), key->text) == 0)
            step->kind = silt_section_kind(section, k);
    if (step->kind)
        return SILT_OK;
    char owner[OWNER_SIZE], hint[80];
    silt_suggestion(silt_nearest_name(key->text, kind_at, section, count), hint, sizeof hint);
    SiltText names = {0};
    for (int k = 0; k < count; k++)
        silt_text_addf(&names, " %s", kind_at(section, k));
    SiltStatus status =
        silt_fail(SILT_BAD_ARGUMENT, "%s: '%.60s' does not begin an entry of '%s'%s%s",
                  silt_step_owner(recipe, key->line, key->column, owner), key->text, section->name,
                  hint[0] ? hint : "; the first key is one of:", hint[0] || !names.data ? "" : names.data);
    silt_text_free(&names);
    return status;
}

// `unless: $input` leaves a stage out where that names something: what shapes generated land is not for a
// terrain that was given. `if: $sketch` leaves it out where that names nothing.
static SiltStatus read_condition(Reader *reader, const char *word, const Node *value, Step *step)
{
    char *text;
    SiltStatus status = silt_node_text(reader->recipe, value, &text);
    if (status != SILT_OK)
        return status;
    bool named = text[0] && strcmp(text, "none") != 0;
    step->skipped = step->skipped || named == (strcmp(word, "unless") == 0);
    silt_text_addf(&reader->words, "%s%s=%s", reader->words.length ? ", " : "", word, text);
    silt_free(text);
    return SILT_OK;
}

// `off: yes` leaves an entry out and keeps it in the recipe.
static SiltStatus read_off(Reader *reader, const Node *value, Step *step)
{
    static const char *const words[] = {"yes", "true", "on", "1", "no", "false", "off", "0"};
    char *text;
    SiltStatus status = silt_node_text(reader->recipe, value, &text);
    if (status != SILT_OK)
        return status;
    int which = 0;
    while (which < 8 && strcmp(words[which], text) != 0)
        which++;
    silt_free(text);
    if (which == 8)
        return silt_node_fail(reader->recipe, value, "'off' takes yes or no");
    step->off = which < 4;
    step->skipped = step->skipped || step->off;
    silt_text_addf(&reader->words, "%soff=%s", reader->words.length ? ", " : "", step->off ? "yes" : "no");
    return SILT_OK;
}

static SiltStatus read_hands(Reader *reader, const Node *value, Step *step)
{
    char *text, owner[OWNER_SIZE];
    SiltStatus status = silt_node_text(reader->recipe, value, &text);
    if (status != SILT_OK)
        return status;
    status = silt_step_read_hands(step, text);
    silt_free(text);
    silt_text_addf(&reader->words, "%shands=%d", reader->words.length ? ", " : "", step->hand_count);
    return status == SILT_OK || status == SILT_NO_MEMORY
               ? status
               : silt_fail(status, "%s: %s",
                           silt_step_owner(reader->recipe, value->line, value->column, owner),
                           silt_message());
}

// A key that the tables do not have: conditions, `off`, `set` and `hands`; false: it is none of them.
static bool read_other_key(Reader *reader, const Node *key, const Node *value, Step *step, SiltStatus *status)
{
    const SiltStage *info = &step->kind->info;
    bool is_stage = strcmp(info->section, "stages") == 0, is_terrain = strcmp(info->section, "terrain") == 0;
    if (is_stage && (strcmp(key->text, "unless") == 0 || strcmp(key->text, "if") == 0))
        *status = read_condition(reader, key->text, value, step);
    else if (!is_terrain && strcmp(key->text, "off") == 0)
        *status = read_off(reader, value, step);
    else if (info->takes_set && strcmp(key->text, "set") == 0)
        *status = read_set(reader, value, step);
    else if (info->subject == SILT_SUBJECT_MODEL && strcmp(key->text, "hands") == 0)
        *status = read_hands(reader, value, step);
    else
        return false;
    return true;
}

static bool is_decisive(const char *key)
{
    static const char *const keys[] = {"if", "unless", "off", "instead"};
    for (int k = 0; k < 4; k++)
        if (strcmp(keys[k], key) == 0)
            return true;
    return false;
}

static SiltStatus read_keys(Reader *reader, const Node *node, Step *step)
{
    const SiltStage *info = &step->kind->info;
    KeyNames keys = {
        .tables = {&info->params, info->options}, .takes_set = info->takes_set, .page = info->name};
    void *params[2] = {step->params, step->options};
    for (int k = 1; k < node->count; k++) {
        const Node *key = node_key(node, k), *value = node_value(node, k);
        SiltStatus status;
        uint64_t before = silt_defines_note(0);
        if (!read_other_key(reader, key, value, step, &status))
            status = read_key(reader, step, key, value, &keys, params);
        uint64_t read = silt_defines_note(0);
        reader->decides |= is_decisive(key->text) ? read : 0;
        silt_defines_note(before | read);
        if (status != SILT_OK)
            return status;
    }
    return SILT_OK;
}

// What its tables cannot say: files that are there, keys that go together, layers that somebody makes.
bool silt_step_is_done(const SiltRecipe *recipe, const Step *step)
{
    const Step *first = recipe->stages;
    int done = recipe->resumed - 1;
    return done >= 0 && (step == &recipe->terrain || (first && step >= first && step < first + done));
}

static SiltStatus check_step(Reader *reader, const Node *node, Step *step)
{
    char owner[OWNER_SIZE], place[OWNER_SIZE];
    SiltStatus status = SILT_OK;
    silt_step_owner(reader->recipe, step->line, step->column, owner);
    bool reads = step->kind->info.subject == SILT_SUBJECT_INPUT;
    bool has_read = reads && silt_step_is_done(reader->recipe, step);
    if (reads && !has_read && !step->skipped) {
        const Node *subject = node_value(node, 0);
        status = silt_check_input(step->subject,
                                  silt_step_owner(reader->recipe, subject->line, subject->column, place));
        if (status != SILT_OK && reader->lax)
            status = silt_step_take_fault(step, place);
    }
    bool checked = step->kind->check && !step->off && !has_read &&
                   !(reader->recipe->unwritten && step->kind->info.subject == SILT_SUBJECT_OUTPUT);
    if (status == SILT_OK && checked && !step->fault) {
        status = step->kind->check(step, owner);
        if (status != SILT_OK && reader->lax)
            status = silt_step_take_fault(step, owner);
    }
    if (status == SILT_OK) {
        status = silt_layers_check(&reader->names, step, owner);
        if (status != SILT_OK && reader->lax)
            status = silt_step_take_fault(step, owner);
    }
    return status;
}

SiltStatus silt_step_read(Reader *reader, const Section *section, const Node *node, Step *step)
{
    if (node->kind != NODE_MAP || node->count == 0)
        return silt_node_fail(reader->recipe, node, "an entry like 'erode: thermal' belongs here");
    step->line = node->line;
    step->column = node->column;
    uint64_t before = silt_defines_note(0);
    reader->decides = 0;
    SiltStatus status = find_kind(reader->recipe, section, node_key(node, 0), step);
    if (status == SILT_OK)
        status = read_subject(reader, node_value(node, 0), step);
    if (status == SILT_OK)
        status = make_params(&step->kind->info.params, &step->params);
    if (status == SILT_OK)
        status = make_params(step->kind->info.options, &step->options);
    if (status == SILT_OK)
        status = make_params(silt_step_table(step), &step->set);
    if (status == SILT_OK)
        status = read_keys(reader, node, step);
    if (status == SILT_OK) {
        step->words = silt_text_take(&reader->words);
        status = step->words ? SILT_OK : SILT_NO_MEMORY;
    }
    silt_text_free(&reader->words);
    // of what is left out, and of a generator that a file stands for, nothing is read but that
    uint64_t read = silt_defines_note(0);
    bool is_idle =
        status == SILT_OK && (step->skipped || (section == &silt_section_terrain && silt_step_instead(step)));
    silt_defines_note(before | (is_idle ? reader->decides : read));
    return status == SILT_OK ? check_step(reader, node, step) : status;
}
