// What a recipe may touch: no output takes the place of what is read, and a recipe from a stranger writes
// below the current folder and reads there, beside itself, and what whoever runs it has named.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "recipe/recipe.h"

// ---- the files a recipe names ----

typedef struct Inputs {
    const char *paths[4 * MOST_STEPS];
    const Step *steps[4 * MOST_STEPS]; // NULL: the recipe itself
    int count;
    bool all; // of steps that are left out too
} Inputs;

static void add_input(Inputs *inputs, const Step *step, const char *path)
{
    if (inputs->count == (int)(sizeof inputs->paths / sizeof inputs->paths[0]) || !path[0] ||
        strcmp(path, "none") == 0)
        return;
    inputs->paths[inputs->count] = path;
    inputs->steps[inputs->count++] = step;
}

static void add_table(Inputs *inputs, const Step *step, const SiltParamTable *table, const void *params)
{
    for (int k = 0; table && params && k < table->count; k++)
        if (table->items[k].type == SILT_TYPE_PATH)
            add_input(inputs, step, (const char *)params + table->items[k].offset);
}

static void add_step(Inputs *inputs, const Step *step)
{
    if ((step->skipped && !inputs->all) || !step->kind)
        return;
    if (step->kind->info.subject == SILT_SUBJECT_INPUT)
        add_input(inputs, step, step->subject);
    add_table(inputs, step, &step->kind->info.params, step->params);
    add_table(inputs, step, step->kind->info.options, step->options);
    add_table(inputs, step, silt_step_table(step), step->set);
}

static void find_inputs(const SiltRecipe *recipe, bool all, Inputs *out)
{
    out->count = 0;
    out->all = all;
    add_input(out, NULL, recipe->path);
    add_step(out, &recipe->terrain);
    for (int k = 0; k < recipe->stage_count; k++)
        add_step(out, &recipe->stages[k]);
}

int silt_recipe_input_count(const SiltRecipe *recipe)
{
    Inputs inputs;
    find_inputs(recipe, false, &inputs);
    return inputs.count - 1; // without the recipe
}

const char *silt_recipe_input_at(const SiltRecipe *recipe, int index)
{
    Inputs inputs;
    find_inputs(recipe, false, &inputs);
    return inputs.paths[index + 1];
}

bool silt_recipe_input_is_wanted(const SiltRecipe *recipe, int index)
{
    Inputs inputs;
    find_inputs(recipe, false, &inputs);
    return !silt_step_is_done(recipe, inputs.steps[index + 1]);
}

// ---- nothing that is read is written over ----

static SiltStatus keep_input(const SiltRecipe *recipe, const char *path)
{
    char owner[OWNER_SIZE];
    for (int k = 0; k < recipe->output_count; k++) {
        const Step *output = &recipe->outputs[k];
        if (!output->skipped && silt_output_writes(recipe, output, path))
            return silt_fail(
                SILT_BAD_ARGUMENT, "%s: %s would take the place of what is read, %s; name another",
                silt_step_owner(recipe, output->line, output->column, owner), output->subject, path);
    }
    return SILT_OK;
}

SiltStatus silt_recipe_keeps_inputs(const SiltRecipe *recipe)
{
    Inputs inputs;
    char beside[SILT_PATH_SIZE];
    SiltStatus status = SILT_OK;
    find_inputs(recipe, false, &inputs);
    for (int k = 0; k < inputs.count && status == SILT_OK; k++) {
        status = keep_input(recipe, inputs.paths[k]);
        for (int n = 0; status == SILT_OK && silt_path_beside(inputs.paths[k], n, beside); n++)
            if (access(beside, F_OK) == 0)
                status = keep_input(recipe, beside);
    }
    return status;
}

// ---- nothing outside is touched ----

// A path that begins with what was given for a name of the recipe: whoever runs it chose the place.
static bool is_named(const SiltRecipe *recipe, const char *path)
{
    for (int k = 0; k < recipe->define_count; k++) {
        const Define *define = &recipe->defines[k];
        size_t length = define->given && !define->distrusted ? strlen(define->value) : 0;
        if (length == 0 || strncmp(path, define->value, length) != 0)
            continue;
        char next = path[length];
        if (next == '\0' ||
            ((next == '/' || define->value[length - 1] == '/') && silt_path_is_below(path, define->value)))
            return true;
        // a folder that is not made yet: no way leads up from below it
        if (next == '/' && !strstr(path + length, "/.."))
            return true;
    }
    return false;
}

void silt_recipe_distrust(SiltRecipe *recipe, const char *name)
{
    recipe->displaced = recipe->displaced || !name;
    for (int k = 0; name && k < recipe->define_count; k++)
        if (strcmp(recipe->defines[k].name, name) == 0)
            recipe->defines[k].distrusted = true;
}

// Places where a recipe may not go by itself: who is asked whether it may is told of all of them.
typedef struct Reach {
    const Step *step; // that names the first of them
    const char *first;
    int count;
    SiltText more; // the others, as far as a sentence holds them
    int shown;
} Reach;

static void add_reach(Reach *reach, const Step *step, const char *path)
{
    enum { LONGEST = 600 }; // bytes of a sentence
    if (reach->count == 0) {
        reach->step = step;
        reach->first = path;
    } else if (reach->more.length + strlen(path) < LONGEST) {
        silt_text_addf(&reach->more, ", %s", path);
        reach->shown++;
    }
    reach->count++;
}

static bool is_there_already(const Inputs *inputs, int index)
{
    for (int k = 0; k < index; k++)
        if (strcmp(inputs->paths[k], inputs->paths[index]) == 0)
            return true;
    return false;
}

// SILT_OK where there is no such place.
static SiltStatus refuse(const SiltRecipe *recipe, Reach *reach, const char *does, const char *where)
{
    char owner[OWNER_SIZE], others[32] = "";
    if (reach->count == 0)
        return SILT_OK;
    int left = reach->count - 1 - reach->shown;
    if (left > 0)
        snprintf(others, sizeof others, "%s %d more", reach->shown > 0 ? " and" : "", left);
    SiltStatus status = silt_fail(
        SILT_BAD_ARGUMENT,
        "%s: it %s %s, which lies %s%s%s%s; if you know what it does, say that you trust it",
        silt_step_owner(recipe, reach->step->line, reach->step->column, owner), does, reach->first, where,
        reach->count == 1   ? ""
        : reach->count == 2 ? ", and so does"
                            : ", and so do",
        reach->more.data ? reach->more.data + 1 : "", others);
    silt_text_free(&reach->more);
    return status;
}

static SiltStatus confine_reading(const SiltRecipe *recipe, bool all, const char *named)
{
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(recipe->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - recipe->path) + 1 : 1,
             slash ? recipe->path : ".");
    Inputs inputs;
    Reach reach = {0};
    find_inputs(recipe, all, &inputs);
    for (int k = 0; k < inputs.count; k++)
        if (inputs.steps[k] && !is_there_already(&inputs, k) && !silt_path_is_below(inputs.paths[k], ".") &&
            (recipe->displaced || !silt_path_is_below(inputs.paths[k], folder)) &&
            !is_named(recipe, inputs.paths[k]) && !(named && silt_path_same(named, inputs.paths[k])))
            add_reach(&reach, inputs.steps[k], inputs.paths[k]);
    return refuse(recipe, &reach, "reads",
                  recipe->displaced ? "outside the current folder, and the recipe is not the one there"
                                    : "neither below the current folder nor beside the recipe");
}

SiltStatus silt_recipe_confine_reading(const SiltRecipe *recipe, const char *named)
{
    return confine_reading(recipe, true, named);
}

SiltStatus silt_recipe_confine(const SiltRecipe *recipe)
{
    Reach reach = {0};
    for (int k = 0; k < recipe->output_count && !recipe->unwritten; k++) {
        const Step *output = &recipe->outputs[k];
        if (!output->skipped && !silt_path_is_below(output->subject, ".") &&
            !is_named(recipe, output->subject))
            add_reach(&reach, output, output->subject);
    }
    SiltStatus status = refuse(recipe, &reach, "writes", "outside the current folder");
    return status == SILT_OK ? confine_reading(recipe, false, NULL) : status;
}
