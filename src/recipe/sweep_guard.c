// What a sweep reads stays as it is: its table, its pictures and the outputs of its rows take no place of it.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "recipe/recipe.h"
#include "recipe/sweep.h"
#include "silt/io.h"

static SiltStatus add_input(SiltSweep *sweep, const char *path)
{
    for (int k = sweep->input_count - 1; k >= 0; k--) // of most sweeps each row reads the same
        if (strcmp(sweep->inputs[k], path) == 0)
            return SILT_OK;
    if (sweep->input_count == sweep->input_room) {
        int room = sweep->input_room ? 2 * sweep->input_room : 16;
        char **inputs = silt_alloc((size_t)room * sizeof *inputs);
        if (!inputs)
            return silt_fail_memory("a sweep", (double)room * sizeof *inputs);
        if (sweep->input_count > 0)
            memcpy(inputs, sweep->inputs, (size_t)sweep->input_count * sizeof *inputs);
        silt_free(sweep->inputs);
        sweep->inputs = inputs;
        sweep->input_room = room;
    }
    char *copy = silt_strdup(path);
    if (!copy)
        return silt_fail_memory("a sweep", (double)strlen(path));
    sweep->inputs[sweep->input_count++] = copy;
    return SILT_OK;
}

SiltStatus silt_sweep_add_inputs(SiltSweep *sweep, const SiltRecipe *recipe)
{
    SiltStatus status = add_input(sweep, sweep->path);
    for (int k = 0; k < silt_recipe_input_count(recipe) && status == SILT_OK; k++) {
        char beside[SILT_PATH_SIZE];
        const char *path = silt_recipe_input_at(recipe, k);
        status = add_input(sweep, path);
        for (int n = 0; status == SILT_OK && silt_path_beside(path, n, beside); n++)
            if (access(beside, F_OK) == 0)
                status = add_input(sweep, beside);
    }
    return status;
}

int silt_sweep_input_count(const SiltSweep *sweep)
{
    return sweep->input_count;
}

const char *silt_sweep_input_at(const SiltSweep *sweep, int index)
{
    return sweep->inputs[index];
}

// The table, the one before it, the sheet, and pictures by their numbers, which are removed where no row has
// them.
static bool is_written(const char *folder, const char *input)
{
    static const char *const names[] = {"sweep.csv", "sweep.old.csv", "sheet.png"};
    char path[SILT_PATH_SIZE], name[SILT_PATH_SIZE];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(path, sizeof path, "%.900s/%s", folder, names[k]);
        if (silt_path_same(path, input))
            return true;
    }
    snprintf(path, sizeof path, "%.900s/pictures", folder);
    if (!silt_path_lies_in(input, path, name))
        return false;
    size_t digits = strspn(name, "0123456789");
    return digits >= 4 && digits <= 6 && strcmp(name + digits, ".png") == 0;
}

SiltStatus silt_sweep_keeps_inputs(const SiltSweep *sweep, const char *folder)
{
    for (int k = 0; k < sweep->input_count; k++)
        if (is_written(folder, sweep->inputs[k]))
            return silt_fail(
                SILT_BAD_ARGUMENT,
                "%s: a sweep there would take the place of what is read, %s; name another folder", folder,
                sweep->inputs[k]);
    return SILT_OK;
}

SiltStatus silt_sweep_row_keeps_inputs(const SiltSweep *sweep, const SiltRecipe *recipe)
{
    for (int k = 0; k < sweep->input_count; k++)
        if (silt_recipe_writes(recipe, sweep->inputs[k]))
            return silt_fail(
                SILT_BAD_ARGUMENT,
                "one of its outputs would take the place of what is read, %s; name another folder",
                sweep->inputs[k]);
    return SILT_OK;
}
