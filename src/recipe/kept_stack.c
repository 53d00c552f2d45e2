// Runs that were kept, as recipes in hand: the one that a checkpoint's run is a stage of.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"
#include "erode/run.h"
#include "recipe/kept_run.h"
#include "recipe/stack.h"

void silt_kept_run_close(KeptRun *kept)
{
    if (kept->note.model && kept->note.params)
        silt_params_delete(&kept->note.model->params, kept->note.params);
    silt_checkpoint_destroy(kept->file);
    *kept = (KeptRun){0};
}

SiltStatus silt_kept_run_text(const KeptRun *kept, const char *name, const char **out)
{
    *out = silt_checkpoint_text(kept->file, name);
    return *out || !silt_kept_find(&kept->file->source, name) ? SILT_OK
                                                              : silt_fail_memory("a checkpoint", 0.0);
}

static SiltStatus read_notes(KeptRun *kept)
{
    SiltPack pack;
    kept->note.find = silt_model_find;
    if (!silt_checkpoint_take(kept->file, "stage", &pack))
        return silt_fail(SILT_BAD_FILE, "the checkpoint does not say whose run it keeps");
    silt_stage_pack(&kept->note, &pack);
    if (pack.status == SILT_OK && silt_checkpoint_take(kept->file, "kitchen", &pack))
        silt_kitchen_place(&pack, &kept->stage, kept->nominal);
    if (pack.status == SILT_OK && silt_checkpoint_take(kept->file, "hands", &pack))
        SILT_PACK(&pack, kept->hands);
    if (pack.status == SILT_OK && (kept->stage < 0 || kept->hands < 0))
        pack.status = silt_fail(SILT_BAD_FILE, "the checkpoint is damaged: where its run was");
    return pack.status;
}

SiltStatus silt_kept_run_open(const char *path, KeptRun *out)
{
    *out = (KeptRun){0};
    SiltStatus status = silt_checkpoint_open(path, &out->file);
    if (status != SILT_OK)
        return status;
    if (!silt_kept_find(&out->file->source, "run"))
        status = silt_fail(SILT_BAD_ARGUMENT, "%s: it was kept between two stages, and no run goes on there",
                           path);
    else if (silt_kept_find(&out->file->source, "climb"))
        status = silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: it was kept on the way from coarse to fine (pyramid), where no hand can reach", path);
    else if (!silt_kept_find(&out->file->source, "terrain"))
        status =
            silt_fail(SILT_BAD_ARGUMENT, "%s: it does not hold the terrain that its run began with", path);
    if (status == SILT_OK)
        status = read_notes(out);
    if (status != SILT_OK)
        silt_kept_run_close(out);
    return status;
}

// ---- as a recipe in hand ----

// What a recipe that says nothing of the others but the switch `paper` leaves them at.
static SiltStatus make_usual(const SiltParamTable *table, const void *params, void **out)
{
    int paper = silt_params_paper(table);
    char *value = paper >= 0 ? silt_params_value(table, params, paper) : NULL;
    *out = silt_params_new(table);
    SiltStatus status = *out && (paper < 0 || value) ? SILT_OK : SILT_NO_MEMORY;
    if (status == SILT_OK && value)
        status = silt_params_set(table, *out, "paper", table->items[paper].name, value);
    silt_free(value);
    return status;
}

// Each that is not as it usually is.
static SiltStatus add_set(SiltText *text, const SiltModel *model, const void *params)
{
    const SiltParamTable *table = &model->params;
    void *usual;
    SiltStatus status = make_usual(table, params, &usual);
    silt_text_add(text, "    set:\n");
    for (int k = 0; k < table->count && status == SILT_OK; k++) {
        char *value = silt_params_value(table, params, k), *preset = silt_params_value(table, usual, k);
        bool rows = table->items[k].type == SILT_TYPE_LIST || table->items[k].type == SILT_TYPE_VECTOR;
        if (!value || !preset) {
            status = SILT_NO_MEMORY;
        } else if (strcmp(value, preset) != 0 || k == silt_params_paper(table)) {
            silt_text_addf(text, "      %s: ", table->items[k].name);
            silt_yaml_add_plain(text, value, rows);
            silt_text_add(text, "\n");
        }
        silt_free(value);
        silt_free(preset);
    }
    if (usual)
        silt_params_delete(table, usual);
    return status;
}

// The terrain that the stage began with, and the stage: what `silt erode` was asked for.
static SiltStatus stack_of_stage(const char *path, const KeptRun *kept, SiltStack **out)
{
    const SiltStageNote *note = &kept->note;
    SiltText text = {0};
    char number[SILT_NUMBER_SIZE];
    char *whole = realpath(path, NULL);
    silt_text_add(&text, "terrain:\n  read: ");
    silt_yaml_add_plain(&text, whole && strlen(whole) < SILT_PATH_SIZE ? whole : path, false);
    free(whole); // the system's, not ours
    silt_text_addf(&text, "\n  moment: begun\nstages:\n  - erode: %s\n", note->model->name);
    if (note->duration.time > 0.0)
        silt_text_addf(&text, "    time: %s\n", silt_format_number(note->duration.time, number));
    else
        silt_text_addf(&text, "    steps: %lld\n", (long long)note->duration.steps);
    silt_text_addf(&text, "    seed: %llu\n", (unsigned long long)note->seed);
    SiltStatus status = add_set(&text, note->model, note->params);
    silt_text_add(&text, "outputs:\n");
    if (status == SILT_OK && text.failed)
        status = SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = silt_stack_read_text("untitled.yaml", text.data, out);
    silt_text_free(&text);
    return status;
}

// A seed that the command line had given (--seed) is that of the terrain from now on.
static SiltStatus take_seed(SiltStack *stack, const KeptRun *kept)
{
    const SiltRecipe *recipe = stack->now.recipe;
    char seed[24];
    if (recipe->terrain.has_seed || recipe->stages[kept->stage].has_seed ||
        !(recipe->terrain.generator || recipe->terrain.shape) ||
        silt_recipe_seed(recipe, kept->stage, NULL) == kept->note.seed)
        return SILT_OK;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(kept->note.seed - (uint64_t)(kept->stage + 1)));
    SiltStatus status = silt_stack_set(stack, SILT_IN_TERRAIN, 0, SILT_KEYS_ENTRY, "seed", seed);
    return status == SILT_OK ? silt_stack_begin_here(stack) : status;
}

// The recipe as it was run, what the command line had defined included.
static SiltStatus stack_of_recipe(const char *path, const char *recipe, const KeptRun *kept, SiltStack **out)
{
    const char *text, *defines[MOST_DEFINES];
    SiltStatus status = silt_kept_run_text(kept, "defines", &text);
    char *copy = status == SILT_OK ? silt_strdup(text ? text : "") : NULL;
    int count = 0;
    if (status == SILT_OK)
        status = copy ? silt_stack_read_text(path, recipe, out) : SILT_NO_MEMORY;
    for (char *at = copy; status == SILT_OK && at && *at && count < MOST_DEFINES;) {
        char *end = at + strcspn(at, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        silt_line_restore(at);
        defines[count++] = at;
        at = is_last ? end : end + 1;
    }
    if (status == SILT_OK)
        status = silt_stack_take_defines(*out, defines, count);
    if (status == SILT_OK && kept->stage >= silt_stack_count(*out, SILT_IN_STAGES))
        status = silt_fail(SILT_BAD_FILE, "%s: the checkpoint is one of another recipe", path);
    if (status == SILT_OK)
        status = take_seed(*out, kept);
    if (status != SILT_OK) {
        silt_stack_destroy(*out);
        *out = NULL;
    }
    silt_free(copy);
    return status;
}

SiltStatus silt_kept_run_stack(const char *path, const KeptRun *kept, SiltStack **out)
{
    const char *recipe;
    *out = NULL;
    SiltStatus status = silt_kept_run_text(kept, "recipe", &recipe);
    if (status != SILT_OK)
        return status;
    return recipe ? stack_of_recipe(path, recipe, kept, out) : stack_of_stage(path, kept, out);
}

SiltStatus silt_stack_from_checkpoint(const char *path, SiltStack **out, int *stage)
{
    KeptRun kept;
    *out = NULL;
    *stage = -1;
    SiltStatus status = silt_kept_run_open(path, &kept);
    if (status != SILT_OK)
        return status;
    status = silt_kept_run_stack(path, &kept, out);
    if (status == SILT_OK)
        *stage = kept.stage;
    silt_kept_run_close(&kept);
    return status;
}
