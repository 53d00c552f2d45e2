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
    if (step->skipped || !step->kind)
        return;
    if (step->kind->info.subject == SILT_SUBJECT_INPUT)
        add_input(inputs, step, step->subject);
    add_table(inputs, step, &step->kind->info.params, step->params);
    add_table(inputs, step, step->kind->info.options, step->options);
    add_table(inputs, step, silt_step_table(step), step->set);
}

static void find_inputs(const SiltRecipe *recipe, Inputs *out)
{
    out->count = 0;
    add_input(out, NULL, recipe->path);
    add_step(out, &recipe->terrain);
    for (int k = 0; k < recipe->stage_count; k++)
        add_step(out, &recipe->stages[k]);
}

int silt_recipe_input_count(const SiltRecipe *recipe)
{
    Inputs inputs;
    find_inputs(recipe, &inputs);
    return inputs.count - 1; // without the recipe
}

const char *silt_recipe_input_at(const SiltRecipe *recipe, int index)
{
    Inputs inputs;
    find_inputs(recipe, &inputs);
    return inputs.paths[index + 1];
}

// ---- nothing that is read is written over ----

SiltStatus silt_recipe_keeps_inputs(const SiltRecipe *recipe)
{
    Inputs inputs;
    char owner[OWNER_SIZE];
    find_inputs(recipe, &inputs);
    for (int n = 0; n < recipe->output_count; n++)
        for (int k = 0; k < inputs.count && !recipe->outputs[n].skipped; k++) {
            const Step *output = &recipe->outputs[n];
            if (silt_output_writes(recipe, output, inputs.paths[k]))
                return silt_fail(SILT_BAD_ARGUMENT,
                                 "%s: %s would take the place of what is read, %s; name another",
                                 silt_step_owner(recipe, output->line, output->column, owner),
                                 output->subject, inputs.paths[k]);
        }
    return SILT_OK;
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
    for (int k = 0; k < recipe->define_count; k++)
        if (strcmp(recipe->defines[k].name, name) == 0)
            recipe->defines[k].distrusted = true;
}

static SiltStatus refuse(const SiltRecipe *recipe, const Step *step, const char *does, const char *path,
                         const char *where)
{
    char owner[OWNER_SIZE];
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: it %s %s, which lies %s; if you know what it does, say that you trust it",
                     silt_step_owner(recipe, step->line, step->column, owner), does, path, where);
}

SiltStatus silt_recipe_confine(const SiltRecipe *recipe)
{
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(recipe->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - recipe->path) + 1 : 1,
             slash ? recipe->path : ".");
    for (int k = 0; k < recipe->output_count && !recipe->unwritten; k++) {
        const Step *output = &recipe->outputs[k];
        if (!output->skipped && !silt_path_is_below(output->subject, ".") &&
            !is_named(recipe, output->subject))
            return refuse(recipe, output, "writes", output->subject, "outside the current folder");
    }
    Inputs inputs;
    find_inputs(recipe, &inputs);
    for (int k = 0; k < inputs.count; k++)
        if (inputs.steps[k] && !silt_path_is_below(inputs.paths[k], ".") &&
            !silt_path_is_below(inputs.paths[k], folder) && !is_named(recipe, inputs.paths[k]))
            return refuse(recipe, inputs.steps[k], "reads", inputs.paths[k],
                          "neither below the current folder nor beside the recipe");
    return SILT_OK;
}
