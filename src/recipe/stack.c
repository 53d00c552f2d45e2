// A recipe in hand: opened, looked at, taken back, saved.
#include "recipe/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"
#include "silt/io.h"

// ---- a text and what it says ----

void silt_reading_free(Reading *reading)
{
    silt_recipe_destroy(reading->recipe);
    silt_document_free(&reading->document);
    silt_free(reading->text);
    *reading = (Reading){0};
}

SiltStatus silt_reading_make(const char *name, char *text, Reading *out)
{
    *out = (Reading){.text = text};
    size_t bytes = strlen(text);
    SiltStatus status = SILT_OK;
    if (bytes >= 2 && (memcmp(text, "\xFE\xFF", 2) == 0 || memcmp(text, "\xFF\xFE", 2) == 0))
        status = silt_fail(SILT_BAD_FILE, "%s: a recipe that is changed by hand must be UTF-8", name);
    if (status == SILT_OK)
        status = silt_document_parse(name, text, bytes, &out->document);
    if (status == SILT_OK)
        status = silt_recipe_parse(name, out->document.root, &out->recipe);
    if (status == SILT_OK)
        status = silt_recipe_sections(out->recipe, out->document.root, out->sections);
    if (status != SILT_OK)
        silt_reading_free(out);
    return status;
}

// ---- opening ----

static SiltStatus open_text(const char *name, char *text, SiltStack **out)
{
    *out = NULL;
    SiltStack *stack = silt_alloc(sizeof *stack);
    if (!stack) {
        silt_free(text);
        return silt_fail_memory("a recipe", (double)sizeof *stack);
    }
    snprintf(stack->name, sizeof stack->name, "%s", name);
    stack->version = 1;
    SiltStatus status = silt_reading_make(stack->name, text, &stack->now);
    if (status == SILT_OK) {
        stack->said = silt_alloc(sizeof *stack->said);
        stack->past[0].text = silt_strdup(stack->now.text);
        stack->past_count = 1;
        stack->saved = silt_strdup(stack->now.text);
        if (!stack->said || !stack->past[0].text || !stack->saved)
            status = silt_fail_memory("a recipe", (double)strlen(stack->now.text));
    }
    if (status != SILT_OK) {
        silt_stack_destroy(stack);
        return status;
    }
    *out = stack;
    return SILT_OK;
}

SiltStatus silt_stack_read_text(const char *name, const char *text, SiltStack **out)
{
    *out = NULL;
    char *copy = silt_strdup(text);
    return copy ? open_text(name, copy, out) : silt_fail_memory("a recipe", (double)strlen(text));
}

SiltStatus silt_stack_new(SiltStack **out)
{
    return silt_stack_read_text("untitled.yaml",
                                "about: New land\n"
                                "terrain:\n"
                                "  new: noise\n"
                                "  size: 512\n"
                                "  cell: 20\n"
                                "  seed: 1\n"
                                "stages:\n"
                                "outputs:\n",
                                out);
}

void silt_yaml_add_plain(SiltText *text, const char *value, bool rows)
{
    SiltText doubled = {0};
    for (const char *c = value; *c; c++)
        silt_text_addf(&doubled, *c == '$' ? "$$" : "%c", *c);
    silt_yaml_add(text, doubled.data ? doubled.data : "", rows);
    text->failed = text->failed || doubled.failed;
    silt_text_free(&doubled);
}

SiltStatus silt_stack_from_terrain(const char *path, SiltStack **out)
{
    *out = NULL;
    SiltStatus status = silt_check_input(path, "a new recipe");
    if (status != SILT_OK)
        return status;
    // the recipe may be saved and run in any folder: the file is named from the root on
    char *whole = realpath(path, NULL);
    bool fits = whole && strlen(whole) < SILT_PATH_SIZE;
    SiltText text = {0};
    silt_text_add(&text, "terrain:\n  read: ");
    silt_yaml_add_plain(&text, fits ? whole : path, false);
    free(whole); // the system's, not ours
    silt_text_add(&text, "\nstages:\noutputs:\n");
    char *made = silt_text_take(&text);
    return made ? open_text("untitled.yaml", made, out) : SILT_NO_MEMORY;
}

SiltStatus silt_stack_take_defines(SiltStack *stack, const char *const *defines, int count)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < count && status == SILT_OK; k++) {
        const char *equals = strchr(defines[k], '=');
        char name[SILT_NAME_SIZE];
        if (!equals || equals == defines[k] || (size_t)(equals - defines[k]) >= sizeof name)
            return silt_fail(SILT_BAD_ARGUMENT, "-D '%.60s' is not of the form name=value", defines[k]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - defines[k]), defines[k]);
        status = silt_stack_define(stack, name, equals + 1);
    }
    return status == SILT_OK && count > 0 ? silt_stack_begin_here(stack) : status;
}

SiltStatus silt_stack_begin_here(SiltStack *stack)
{
    for (int k = 0; k < stack->past_count; k++)
        silt_free(stack->past[k].text);
    silt_free(stack->saved);
    stack->past[0] = (Past){.text = silt_strdup(stack->now.text)};
    stack->past_count = 1;
    stack->at = 0;
    stack->saved = silt_strdup(stack->now.text);
    return stack->past[0].text && stack->saved ? SILT_OK : silt_fail_memory("a recipe", 0.0);
}

SiltStatus silt_stack_open(const char *path, const char *const *defines, int count, SiltStack **out)
{
    *out = NULL;
    char *text;
    size_t bytes;
    if (strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is longer than %d bytes", path,
                         SILT_PATH_SIZE - 1);
    SiltStatus status = silt_read_file(path, RECIPE_BYTES, &text, &bytes);
    if (status != SILT_OK)
        return status;
    if (strlen(text) != bytes && bytes >= 2 && (unsigned char)text[0] < 0xFE) {
        silt_free(text);
        return silt_fail(SILT_BAD_FILE, "%s: a zero byte does not belong in text", path);
    }
    status = open_text(path, text, out);
    if (status == SILT_OK)
        status = silt_stack_take_defines(*out, defines, count);
    if (status != SILT_OK) {
        silt_stack_destroy(*out);
        *out = NULL;
    }
    return status;
}

static void forget_said(SiltStack *stack)
{
    while (stack->said && *stack->said) {
        Said *first = *stack->said;
        *stack->said = first->next;
        silt_free(first->text);
        silt_free(first);
    }
}

void silt_stack_destroy(SiltStack *stack)
{
    if (!stack)
        return;
    forget_said(stack);
    silt_free(stack->said);
    silt_reading_free(&stack->now);
    for (int k = 0; k < stack->past_count; k++)
        silt_free(stack->past[k].text);
    silt_free(stack->saved);
    silt_free(stack);
}

// ---- saving ----

SiltStatus silt_stack_save(SiltStack *stack, const char *path)
{
    char *copy = silt_strdup(stack->now.text);
    if (!copy)
        return silt_fail_memory("a recipe", (double)strlen(stack->now.text));
    SiltStatus status = silt_write_file(path, copy, strlen(copy));
    if (status != SILT_OK) {
        silt_free(copy);
        return status;
    }
    silt_free(stack->saved);
    stack->saved = copy;
    snprintf(stack->name, sizeof stack->name, "%s", path);
    return SILT_OK;
}

char *silt_stack_text(const SiltStack *stack)
{
    char *copy = silt_strdup(stack->now.text);
    if (!copy)
        silt_fail_memory("a recipe", (double)strlen(stack->now.text));
    return copy;
}

bool silt_stack_is_changed(const SiltStack *stack)
{
    return strcmp(stack->saved, stack->now.text) != 0;
}

uint64_t silt_stack_version(const SiltStack *stack)
{
    return stack->version;
}

SiltStatus silt_stack_recipe(const SiltStack *stack, SiltRecipe **out)
{
    *out = NULL;
    Document document;
    const char *text = stack->now.text;
    SiltStatus status = silt_document_parse(stack->name, text, strlen(text), &document);
    if (status == SILT_OK)
        status = silt_recipe_parse(stack->name, document.root, out);
    silt_document_free(&document);
    return status;
}

// ---- undo ----

// Puts a reading in place of the present one.
static void become(SiltStack *stack, Reading *reading)
{
    forget_said(stack);
    silt_reading_free(&stack->now);
    stack->now = *reading;
    stack->version++;
}

static void forget_oldest(SiltStack *stack)
{
    silt_free(stack->past[0].text);
    memmove(&stack->past[0], &stack->past[1], (size_t)(--stack->past_count) * sizeof stack->past[0]);
    stack->at--;
    stack->stroke_began -= stack->stroke_began > 0;
}

static void bound_past(SiltStack *stack)
{
    size_t bytes = 0;
    int first = stack->past_count;
    while (first > 0 && bytes <= MOST_PAST_BYTES)
        bytes += strlen(stack->past[--first].text);
    for (; first > 0 && stack->past_count > 2; first--)
        forget_oldest(stack);
}

// The present becomes a state to go back to; within a stroke, changes of one name are one state.
static SiltStatus remember(SiltStack *stack, const char *text, const char *name)
{
    char *copy = silt_strdup(text);
    if (!copy)
        return silt_fail_memory("a recipe", (double)strlen(text));
    name = stack->strokes > 0 && stack->group[0] ? stack->group : name;
    while (stack->past_count > stack->at + 1)
        silt_free(stack->past[--stack->past_count].text);
    bool same = stack->strokes > 0 && stack->at > stack->stroke_began &&
                strcmp(stack->past[stack->at].name, name) == 0;
    if (same) {
        silt_free(stack->past[stack->at].text);
    } else {
        if (stack->past_count == MOST_PAST)
            forget_oldest(stack);
        stack->at = stack->past_count++;
        snprintf(stack->past[stack->at].name, sizeof stack->past[0].name, "%s", name);
    }
    stack->past[stack->at].text = copy;
    bound_past(stack);
    return SILT_OK;
}

SiltStatus silt_stack_take(SiltStack *stack, char *text, const char *name, StackCheck check, void *context)
{
    if (!text)
        return SILT_NO_MEMORY;
    if (strcmp(text, stack->now.text) == 0) {
        silt_free(text);
        return SILT_OK;
    }
    Reading reading;
    SiltStatus status = silt_reading_make(stack->name, text, &reading);
    if (status != SILT_OK)
        return status;
    if (check)
        status = check(&reading, context);
    if (status == SILT_OK)
        status = remember(stack, reading.text, name);
    if (status == SILT_OK)
        become(stack, &reading);
    else
        silt_reading_free(&reading);
    return status;
}

void silt_stack_begin_stroke(SiltStack *stack)
{
    if (stack->strokes++ == 0) {
        stack->stroke_began = stack->at;
        stack->group[0] = '\0';
    }
}

void silt_stack_begin_group(SiltStack *stack, const char *name)
{
    silt_stack_begin_stroke(stack);
    if (stack->strokes == 1)
        snprintf(stack->group, sizeof stack->group, "%s", name);
}

void silt_stack_end_stroke(SiltStack *stack)
{
    stack->strokes -= stack->strokes > 0;
}

bool silt_stack_can_undo(const SiltStack *stack)
{
    return stack->at > 0;
}

bool silt_stack_can_redo(const SiltStack *stack)
{
    return stack->at + 1 < stack->past_count;
}

const char *silt_stack_undo_name(const SiltStack *stack)
{
    return silt_stack_can_undo(stack) ? stack->past[stack->at].name : NULL;
}

const char *silt_stack_redo_name(const SiltStack *stack)
{
    return silt_stack_can_redo(stack) ? stack->past[stack->at + 1].name : NULL;
}

static SiltStatus go_to(SiltStack *stack, int at)
{
    Reading reading;
    char *copy = silt_strdup(stack->past[at].text);
    if (!copy)
        return silt_fail_memory("a recipe", (double)strlen(stack->past[at].text));
    SiltStatus status = silt_reading_make(stack->name, copy, &reading);
    if (status != SILT_OK)
        return status;
    become(stack, &reading);
    stack->at = at;
    stack->stroke_began = at;
    return SILT_OK;
}

SiltStatus silt_stack_undo(SiltStack *stack)
{
    return silt_stack_can_undo(stack) ? go_to(stack, stack->at - 1)
                                      : silt_fail(SILT_BAD_ARGUMENT, "there is nothing to undo");
}

SiltStatus silt_stack_redo(SiltStack *stack)
{
    return silt_stack_can_redo(stack) ? go_to(stack, stack->at + 1)
                                      : silt_fail(SILT_BAD_ARGUMENT, "there is nothing to do again");
}
