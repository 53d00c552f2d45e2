// A recipe in hand changed: each call makes a new text, reads it, and keeps it only if it is a recipe.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "recipe/stack.h"

static Source source_of(const Reading *reading)
{
    return (Source){reading->text, reading->document.root};
}

// ---- one value ----

typedef struct Wanted {
    SiltPlace place;
    int index;
    SiltKeys keys;
    const char *key, *text;
} Wanted;

static bool same_but_spaces(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

// The new text says what was asked for: a splice in unusual YAML could say something else.
static SiltStatus check_said(const Reading *reading, void *context)
{
    const Wanted *wanted = context;
    const Node *value = silt_reading_value(reading, wanted->place, wanted->index, wanted->keys, wanted->key);
    bool said = !value == !wanted->text;
    if (said && value) {
        char *raw = silt_node_raw(value);
        if (!raw)
            return SILT_NO_MEMORY;
        said = same_but_spaces(raw, wanted->text);
        silt_free(raw);
    }
    return said ? SILT_OK
                : silt_fail(SILT_BAD_ARGUMENT,
                            "%s cannot be changed where it stands in line %d: write it in a line of its own",
                            wanted->key, silt_reading_node(reading, wanted->place, wanted->index)->line);
}

static const char *key_at(const void *context, int index)
{
    return ((const SiltParamTable *)context)->items[index].name;
}

// Keys beside those of the tables.
static bool is_condition(const Step *step, const Wanted *wanted)
{
    bool is_stage = strcmp(step->kind->info.section, "stages") == 0 && wanted->keys == SILT_KEYS_ENTRY;
    return is_stage && (strcmp(wanted->key, "if") == 0 || strcmp(wanted->key, "unless") == 0);
}

static bool is_hands(const Step *step, const Wanted *wanted)
{
    return step->kind->info.subject == SILT_SUBJECT_MODEL && wanted->keys == SILT_KEYS_ENTRY &&
           strcmp(wanted->key, "hands") == 0;
}

static SiltStatus try_hands(const Wanted *wanted)
{
    SiltHand *hands = NULL;
    int count = 0;
    SiltStatus status = wanted->text ? silt_hands_read(wanted->text, &hands, &count) : SILT_OK;
    silt_hands_free(hands, count);
    return status;
}

// The value is tried on a copy first: the sentence then names the stage, not a line of a text nobody sees.
static SiltStatus try_value(const Step *step, const Wanted *wanted)
{
    char title[64], hint[SILT_HINT_SIZE];
    const SiltParamTable *table = silt_step_keys(step, wanted->keys);
    silt_step_title(step, title);
    if (is_hands(step, wanted))
        return try_hands(wanted);
    if (is_condition(step, wanted))
        return SILT_OK;
    int index = table ? silt_params_find(table, wanted->key) : -1;
    if (index < 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: unknown key '%.60s'%s", title, wanted->key,
                         table ? silt_hint(wanted->key, key_at, table, table->count, step->subject, hint)
                               : "");
    if (!wanted->text || strchr(wanted->text, '$'))
        return SILT_OK; // names are replaced when all of it is read
    void *params = silt_params_clone(table, silt_step_values(step, wanted->keys));
    if (!params)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_step_set(step, table, params, index, title, wanted->text);
    silt_params_delete(table, params);
    return status;
}

// {key: value} of a node's pairs, with one of them changed or left out.
static void add_changed_map(SiltText *text, const Node *map, const char *key, const char *value)
{
    int replaced = silt_node_find(map, key), said = 0;
    silt_text_add(text, "{");
    for (int k = 0; map && k < map->count; k++) {
        if (k == replaced && !value)
            continue;
        silt_text_add(text, said++ ? ", " : "");
        silt_yaml_add_node(text, node_key(map, k));
        silt_text_add(text, ": ");
        if (k == replaced)
            silt_text_add(text, value);
        else
            silt_yaml_add_node(text, node_value(map, k));
    }
    if (replaced < 0 && value) {
        silt_text_addf(text, "%s%s: ", said ? ", " : "", key);
        silt_text_add(text, value);
    }
    silt_text_add(text, "}");
}

// `set: {key: value}`: the map may be there, be empty, be missing, or stand elsewhere under an anchor.
static char *edit_set(const Source *source, const Node *entry, const char *key, const char *value)
{
    int at = silt_node_find(entry, "set");
    const Node *set = at < 0 ? NULL : node_value(entry, at);
    bool is_map = set && set->kind == NODE_MAP;
    if (!value && silt_node_find(set, key) < 0)
        return silt_strdup(source->text);
    if (is_map && !value && set->count == 1)
        return silt_edit_key(source, entry, "set", NULL);
    if (is_map && !set->alias && set->count > 0)
        return silt_edit_key(source, set, key, value);
    SiltText text = {0};
    add_changed_map(&text, is_map ? set : NULL, key, value);
    char *out = text.data && !text.failed ? silt_edit_key(source, entry, "set", text.data) : NULL;
    silt_text_free(&text);
    return out;
}

static bool takes_rows(const Step *step, const Wanted *wanted)
{
    const SiltParamTable *table = silt_step_keys(step, wanted->keys);
    int index = table ? silt_params_find(table, wanted->key) : -1;
    bool listed = index >= 0 && (table->items[index].type == SILT_TYPE_LIST ||
                                 table->items[index].type == SILT_TYPE_VECTOR);
    return listed || is_hands(step, wanted);
}

static SiltStatus set_key(SiltStack *stack, const Step *step, Wanted *wanted, bool rows, const char *name)
{
    Source source = source_of(&stack->now);
    const Node *entry = silt_reading_node(&stack->now, wanted->place, wanted->index);
    if (entry->alias)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: this entry stands for the one in line %d; change that one",
                         step->subject, entry->line);
    SiltText value = {0};
    if (wanted->text)
        silt_yaml_add(&value, wanted->text, rows);
    if (value.failed)
        return SILT_NO_MEMORY;
    const char *put = wanted->text ? value.data : NULL;
    char *text = wanted->keys == SILT_KEYS_SET ? edit_set(&source, entry, wanted->key, put)
                                               : silt_edit_key(&source, entry, wanted->key, put);
    silt_text_free(&value);
    return silt_stack_take(stack, text, name, check_said, wanted);
}

SiltStatus silt_stack_set(SiltStack *stack, SiltPlace place, int index, SiltKeys keys, const char *key,
                          const char *text)
{
    Wanted wanted = {place, index, keys, key, text};
    const Step *step = silt_stack_step(stack, place, index);
    SiltStatus status = step ? try_value(step, &wanted) : SILT_BAD_ARGUMENT;
    if (status != SILT_OK)
        return status;
    char name[160], title[64];
    snprintf(name, sizeof name, "%.40s of %s", key, silt_step_title(step, title));
    return set_key(stack, step, &wanted, takes_rows(step, &wanted), name);
}

SiltStatus silt_stack_enable(SiltStack *stack, SiltPlace place, int index, bool enabled)
{
    const Step *step = silt_stack_step(stack, place, index);
    if (!step)
        return SILT_BAD_ARGUMENT;
    if (place == SILT_IN_TERRAIN)
        return silt_fail(SILT_BAD_ARGUMENT, "a recipe begins with its terrain, which cannot be switched off");
    Wanted wanted = {place, index, SILT_KEYS_ENTRY, "off", enabled ? NULL : "yes"};
    char name[96], title[64];
    snprintf(name, sizeof name, "switch %s %s", enabled ? "on" : "off", silt_step_title(step, title));
    return set_key(stack, step, &wanted, false, name);
}

SiltStatus silt_stack_set_subject(SiltStack *stack, SiltPlace place, int index, const char *subject)
{
    const Step *step = silt_stack_step(stack, place, index);
    if (!step)
        return SILT_BAD_ARGUMENT;
    const Node *entry = silt_reading_node(&stack->now, place, index), *value = node_value(entry, 0);
    // another model has other parameters: those of the old one go
    int set = silt_node_find(entry, "set");
    bool drop =
        set > 0 && (step->model || step->generator || step->shape) && strcmp(subject, step->subject) != 0;
    SiltText put = {0};
    silt_yaml_add(&put, subject, false);
    Source source = source_of(&stack->now);
    char *kept = drop ? silt_edit_key(&source, entry, "set", NULL) : silt_strdup(source.text);
    // the subject stands before `set`, so its place is the same in both texts
    char *text = kept && put.data ? silt_edit_splice(kept, value->start, value->end, put.data) : NULL;
    silt_free(kept);
    silt_text_free(&put);
    char name[160], title[64];
    snprintf(name, sizeof name, "%.40s in place of %s", subject, silt_step_title(step, title));
    return silt_stack_take(stack, text, name, NULL, NULL);
}

SiltStatus silt_stack_define(SiltStack *stack, const char *name, const char *value)
{
    const Node *define = stack->now.sections[DEFINE];
    int index = silt_node_find(define, name);
    if (index < 0 || strcmp(node_key(define, index)->text, name) != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the recipe defines no name '%.60s'", stack->name, name);
    SiltText put = {0};
    silt_yaml_add(&put, value, false);
    Source source = source_of(&stack->now);
    char *text = put.data && !put.failed ? silt_edit_key(&source, define, name, put.data) : NULL;
    silt_text_free(&put);
    return silt_stack_take(stack, text, name, NULL, NULL);
}

// ---- entries ----

static const char *section_name(SiltPlace place)
{
    return place == SILT_IN_STAGES ? "stages" : "outputs";
}

static const Node *list_of(const Reading *reading, SiltPlace place)
{
    return reading->sections[place == SILT_IN_STAGES ? STAGES : OUTPUTS];
}

// A reading whose section is a list that lines can be put into, or is there and empty. `out` is a reading of
// its own when the text had to be laid out anew; else it is not touched and `stack->now` serves.
static SiltStatus prepare(const SiltStack *stack, SiltPlace place, Reading *out, const Reading **use)
{
    *use = &stack->now;
    *out = (Reading){0};
    Source source = source_of(&stack->now);
    const Node *list = list_of(&stack->now, place);
    if (silt_edit_is_block(&source, list) || (list && silt_node_is_nothing(list) && !source.root->flow))
        return SILT_OK;
    char *text = list || source.root->flow ? silt_edit_lay_out(&source) : silt_strdup(source.text);
    if (!text)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_reading_make(stack->name, text, out);
    if (status == SILT_OK && !list) {
        Source laid = source_of(out);
        text = silt_edit_add_section(&laid, section_name(place), place == SILT_IN_STAGES ? "outputs" : NULL);
        silt_reading_free(out);
        status = text ? silt_reading_make(stack->name, text, out) : SILT_NO_MEMORY;
    }
    *use = out;
    return status;
}

static SiltStatus check_place(const SiltStack *stack, SiltPlace place, int index, int most)
{
    if (place == SILT_IN_TERRAIN)
        return silt_fail(SILT_BAD_ARGUMENT, "a recipe has one terrain, which begins it");
    return index >= 0 && index < most ? SILT_OK
                                      : silt_fail(SILT_BAD_ARGUMENT, "there is no place %d among %d entries",
                                                  index, silt_stack_count(stack, place));
}

SiltStatus silt_stack_insert(SiltStack *stack, SiltPlace place, int index, const char *stage,
                             const char *subject)
{
    SiltStatus status = check_place(stack, place, index, silt_stack_count(stack, place) + 1);
    Reading laid;
    const Reading *reading;
    if (status == SILT_OK)
        status = prepare(stack, place, &laid, &reading);
    if (status != SILT_OK)
        return status;
    SiltText entry = {0}, put = {0};
    silt_text_addf(&entry, "%s: ", stage);
    silt_yaml_add(&entry, subject, false);
    const Node *list = list_of(reading, place);
    Source source = source_of(reading);
    char *text = NULL;
    if (entry.data && !entry.failed && list->kind == NODE_LIST && list->count > 0) {
        text = silt_edit_insert(&source, list, index, entry.data);
    } else if (entry.data && !entry.failed) { // nothing stands there yet
        silt_text_addf(&put, "\n  - %s", entry.data);
        text = silt_edit_splice(source.text, list->start, list->end, put.data ? put.data : "");
    }
    silt_text_free(&entry);
    silt_text_free(&put);
    silt_reading_free(&laid);
    char name[160];
    snprintf(name, sizeof name, "add %.60s", subject);
    return silt_stack_take(stack, text, name, NULL, NULL);
}

typedef enum Deed { REMOVE, MOVE, DUPLICATE } Deed;

static SiltStatus change_list(SiltStack *stack, Deed deed, SiltPlace place, int index, int to)
{
    static const char *const verbs[] = {"remove", "move", "duplicate"};
    int count = silt_stack_count(stack, place);
    SiltStatus status = check_place(stack, place, index, count);
    if (status == SILT_OK && deed == MOVE)
        status = check_place(stack, place, to, count);
    Reading laid;
    const Reading *reading;
    if (status == SILT_OK)
        status = prepare(stack, place, &laid, &reading);
    if (status != SILT_OK || (deed == MOVE && index == to))
        return status;
    Source source = source_of(reading);
    const Node *list = list_of(reading, place);
    char *text = deed == REMOVE ? silt_edit_remove(&source, list, index)
                 : deed == MOVE ? silt_edit_move(&source, list, index, to)
                                : silt_edit_duplicate(&source, list, index);
    silt_reading_free(&laid);
    char name[160], title[64];
    const Step *step = silt_stack_step(stack, place, index);
    snprintf(name, sizeof name, "%s %s", verbs[deed], silt_step_title(step, title));
    return silt_stack_take(stack, text, name, NULL, NULL);
}

SiltStatus silt_stack_remove(SiltStack *stack, SiltPlace place, int index)
{
    return change_list(stack, REMOVE, place, index, 0);
}

SiltStatus silt_stack_move(SiltStack *stack, SiltPlace place, int from, int to)
{
    return change_list(stack, MOVE, place, from, to);
}

SiltStatus silt_stack_duplicate(SiltStack *stack, SiltPlace place, int index)
{
    return change_list(stack, DUPLICATE, place, index, 0);
}
