#include "recipe/keys.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

static bool names_file(const SiltParam *param, const char *path)
{
    return param->type == SILT_TYPE_PATH && path[0] && strcmp(path, "none") != 0;
}

// Numbers as their bits: strokes may be many.
static void add_list(SiltText *out, const SiltList *list)
{
    for (size_t k = 0; k < (size_t)list->count * (size_t)list->columns; k++) {
        uint64_t bits;
        memcpy(&bits, &list->values[k], sizeof bits);
        silt_text_addf(out, "%llx,", (unsigned long long)bits);
    }
    silt_text_add(out, "\n");
}

static SiltStatus add_table(SiltPantry *pantry, const SiltParamTable *table, const void *params,
                            SiltText *out)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; table && k < table->count && status == SILT_OK; k++) {
        const SiltParam *param = &table->items[k];
        const char *path = (const char *)params + param->offset;
        silt_text_addf(out, "%s=", param->name);
        if (param->type == SILT_TYPE_LIST) {
            add_list(out, (const void *)path);
            continue;
        }
        char *value = silt_params_value(table, params, k);
        if (!value)
            return SILT_NO_MEMORY;
        silt_text_add(out, value);
        silt_text_add(out, "\n");
        silt_free(value);
        if (names_file(param, path))
            status = silt_pantry_file(pantry, path, out);
    }
    return status;
}

// What a step says, and what is in the files that it names.
static SiltStatus add_values(SiltPantry *pantry, const Step *step, SiltText *out)
{
    const SiltStage *info = &step->kind->info;
    SiltStatus status = SILT_OK;
    if (info->subject == SILT_SUBJECT_INPUT)
        status = silt_pantry_file(pantry, step->subject, out);
    if (status == SILT_OK)
        status = add_table(pantry, &info->params, step->params, out);
    if (status == SILT_OK)
        status = add_table(pantry, info->options, step->options, out);
    if (status == SILT_OK)
        status = add_table(pantry, silt_step_table(step), step->set, out);
    silt_text_add(out, step->hands_text ? step->hands_text : "");
    return status;
}

static void add_name(const Step *step, SiltText *out)
{
    silt_text_addf(out, "\n%s: ", step->kind->info.name);
    silt_text_add(out, step->subject);
}

// All that a step's result follows from beside the terrain it finds.
static SiltStatus add_step(SiltPantry *pantry, const SiltRecipe *recipe, int index, const SiltRun *run,
                           SiltText *out)
{
    const Step *step = index < 0 ? &recipe->terrain : &recipe->stages[index];
    add_name(step, out);
    silt_text_addf(out, "\nseed=%llu\n", (unsigned long long)silt_recipe_seed(recipe, index, run));
    return add_values(pantry, step, out);
}

SiltStatus silt_key_add_output(SiltPantry *pantry, const Step *output, SiltText *text)
{
    add_name(output, text);
    silt_text_add(text, "\n");
    return add_values(pantry, output, text);
}

SiltStatus silt_keys_make(const Kitchen *kitchen, SiltPantry *pantry, Keys *out)
{
    const SiltRecipe *recipe = kitchen->recipe;
    SiltStatus status =
        silt_alloc_for("a recipe", (size_t)recipe->stage_count + 1, sizeof *out->ends, (void **)&out->ends);
    for (int k = -1; k < recipe->stage_count && status == SILT_OK; k++) {
        if (k < 0 || !recipe->stages[k].skipped)
            status = add_step(pantry, recipe, k, kitchen->all, &out->text);
        out->ends[k + 1] = out->text.length;
    }
    return status == SILT_OK && out->text.failed ? SILT_NO_MEMORY : status;
}

void silt_keys_free(Keys *keys)
{
    silt_text_free(&keys->text);
    silt_free(keys->ends);
}
