// Runs that were kept, taken up by the stage they are of: brought to the step they had come to, live or
// cooked to the stage's end.
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"
#include "core/sum.h"
#include "erode/run.h"
#include "recipe/kept_run.h"
#include "recipe/keys.h"
#include "recipe/stack.h"
#include "volume/brick.h"
#include "volume/keep.h"

// ---- its stage ----

static SiltStatus is_another(const char *path, const char *what)
{
    return silt_fail(SILT_BAD_ARGUMENT, "%s: the run that is kept there had %s", path, what);
}

static SiltStatus compare_params(const char *path, const SiltModel *model, const void *params,
                                 const void *kept)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < model->params.count && status == SILT_OK; k++) {
        char *own = silt_params_value(&model->params, params, k);
        char *other = silt_params_value(&model->params, kept, k);
        if (!own || !other)
            status = SILT_NO_MEMORY;
        else if (strcmp(own, other) != 0)
            status = silt_fail(SILT_BAD_ARGUMENT, "%s: the run that is kept there had %s = %.60s, not %.60s",
                               path, model->params.items[k].name, other, own);
        silt_free(own);
        silt_free(other);
    }
    return status;
}

// What is in the files that parameters name, where the run is known to have read something else there.
static SiltStatus compare_files(const char *path, const KeptRun *kept, const Step *step)
{
    const SiltParamTable *table = &step->model->params;
    for (int k = 0; k < table->count; k++) {
        const char *file = (const char *)step->set + table->items[k].offset;
        if (table->items[k].type == SILT_TYPE_PATH && silt_checkpoint_has_changed(kept->file, file))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %s has changed since the run that is kept there read it",
                             path, file);
    }
    return SILT_OK;
}

static SiltStatus compare_stage(const char *path, const KeptRun *kept, const SiltRecipe *recipe, int index,
                                const SiltRun *run)
{
    const Step *step = &recipe->stages[index];
    if (kept->stage != index || step->model != kept->note.model)
        return is_another(path, "another stage at hand");
    if (step->fault)
        return silt_fail(SILT_BAD_ARGUMENT, "%s %s: %s", step->kind->info.name, step->subject, step->fault);
    if (((const SiltErodeOptions *)step->params)->pyramid > 0)
        return is_another(path, "no pyramid");
    if (silt_recipe_seed(recipe, index, run) != kept->note.seed)
        return is_another(path, "another seed");
    SiltStatus status = compare_params(path, step->model, step->set, kept->note.params);
    return status == SILT_OK ? compare_files(path, kept, step) : status;
}

// The hands that had been done are the first of those that the stage has now.
static SiltStatus compare_hands(const char *path, const KeptRun *kept, const Step *step)
{
    int count = kept->hands;
    SiltStack *stack = NULL;
    SiltRecipe *was = NULL;
    if (count == 0)
        return SILT_OK;
    SiltStatus status = silt_kept_run_stack(path, kept, &stack);
    if (status == SILT_OK)
        status = silt_stack_recipe(stack, &was);
    const Step *before =
        status == SILT_OK && kept->stage < was->stage_count ? &was->stages[kept->stage] : NULL;
    if (status == SILT_OK && (!before || count > before->hand_count || count > step->hand_count))
        status = is_another(path, "other hands");
    if (status == SILT_OK) {
        char *own = silt_hands_text(step->hands, count), *other = silt_hands_text(before->hands, count);
        status = !own || !other            ? SILT_NO_MEMORY
                 : strcmp(own, other) != 0 ? is_another(path, "other hands")
                                           : SILT_OK;
        silt_free(own);
        silt_free(other);
    }
    silt_recipe_destroy(was);
    silt_stack_destroy(stack);
    return status;
}

static SiltStatus add_to_sum(void *user, void *bytes, size_t count)
{
    silt_sum_add(user, bytes, count);
    return SILT_OK;
}

static SiltStatus sum_terrain(SiltTerrain *terrain, size_t *bytes, uint64_t *out)
{
    SiltSum sum = {.sum = 1};
    SiltPack pack = {.flow = add_to_sum, .user = &sum};
    silt_terrain_pack(&terrain, &pack);
    *bytes = pack.at;
    *out = silt_sum_end(&sum);
    return pack.status;
}

// The same of what the stage began with then, without the totals that its run kept for outputs.
static SiltStatus sum_without_totals(const KeptRun *kept, uint64_t *out)
{
    SiltTerrain *then;
    size_t bytes;
    SiltStatus status = silt_checkpoint_terrain(kept->file, &then);
    if (status == SILT_OK) {
        silt_recipe_drop_totals(then);
        status = sum_terrain(then, &bytes, out);
    }
    silt_terrain_destroy(then);
    return status;
}

// What the stage begins with is, to the byte, what it began with then.
static SiltStatus compare_terrain(const char *path, const KeptRun *kept, SiltTerrain *terrain)
{
    const SiltKeptPart *part = silt_kept_find(&kept->file->source, "terrain");
    size_t bytes;
    uint64_t now, then = part->sum;
    SiltStatus status = sum_terrain(terrain, &bytes, &now);
    if (status == SILT_OK && now != then && part->bytes > bytes)
        status = sum_without_totals(kept, &then);
    return status == SILT_OK && now != then ? is_another(path, "another terrain to begin with") : status;
}

// How long a stage is, where it leaves that to the model.
static SiltDuration whole_of(const SiltModel *model, SiltDuration duration)
{
    if (duration.steps == 0 && !(duration.time > 0.0))
        duration.steps = model->default_steps;
    return duration;
}

// Whether a stage that is so long takes the run past the step it is at, by steps of their full length: the
// last of a stage that ends at a time is cut to end there, and may be under way.
static bool leads_past(SiltDuration duration, const SiltErosion *erosion)
{
    const SiltReport *report = silt_erosion_report(erosion);
    return duration.time > 0.0
               ? report->steps > 0 && report->model_time + 2.0 * erosion->step_time < duration.time
               : report->steps <= duration.steps;
}

// A stage that was made longer or shorter is the same one up to the step that was kept.
static SiltStatus compare_duration(const char *path, const KeptRun *kept, const Step *step,
                                   const SiltErosion *erosion)
{
    SiltDuration was = whole_of(step->model, kept->note.duration);
    SiltDuration is = whole_of(step->model, silt_step_duration(step));
    bool is_same = is.time > 0.0 ? was.time == is.time : !(was.time > 0.0) && was.steps == is.steps;
    return is_same || (leads_past(was, erosion) && leads_past(is, erosion)) ? SILT_OK
                                                                            : is_another(path, "another end");
}

// Whether a hand that was not done lies behind the run; those behind a stage's end never come.
static bool is_late(const KeptRun *kept, const Step *step, const SiltErosion *erosion)
{
    int64_t steps = silt_erosion_report(erosion)->steps, end = silt_step_duration(step).steps;
    if (silt_erosion_rests(erosion))
        steps = (end > 0 && end < steps ? end : steps) + 1;
    return kept->hands < step->hand_count && step->hands[kept->hands].step < steps;
}

// The run has just begun. None of the hands that are still to be done is late then.
static SiltStatus bring(const char *path, const KeptRun *kept, const Step *step, SiltErosion *erosion)
{
    SiltPack pack;
    if (!silt_checkpoint_take(kept->file, "run", &pack))
        return silt_fail(SILT_BAD_FILE, "%s: the checkpoint keeps no run", path);
    SiltStatus status = silt_erosion_pack(erosion, &pack);
    if (status == SILT_OK)
        status = compare_duration(path, kept, step, erosion);
    return status == SILT_OK && is_late(kept, step, erosion) ? is_another(path, "other hands") : status;
}

// A stage that is the one which was kept, on the terrain it begins with. `run` has its seed. After a failure
// the terrain may have changed.
static SiltStatus take_up(const char *path, const KeptRun *kept, const Step *step, SiltTerrain *terrain,
                          const SiltRun *run, SiltErosion **out)
{
    SiltStatus status = compare_terrain(path, kept, terrain);
    bool has_totals = silt_terrain_layer(terrain, "total_wear") != NULL;
    if (status == SILT_OK)
        status = silt_erosion_begin(step->model, terrain, step->set, run, out);
    if (status == SILT_OK)
        status = bring(path, kept, step, *out);
    if (!has_totals) // which came with the run
        silt_recipe_drop_totals(terrain);
    if (status != SILT_OK) {
        silt_erosion_end(*out);
        *out = NULL;
    }
    return status;
}

static SiltStatus open_for(const char *path, const SiltRecipe *recipe, int index, const SiltRun *run,
                           KeptRun *out)
{
    SiltStatus status = silt_kept_run_open(path, out);
    if (status != SILT_OK)
        return status;
    status = compare_stage(path, out, recipe, index, run);
    if (status == SILT_OK)
        status = compare_hands(path, out, &recipe->stages[index]);
    if (status != SILT_OK)
        silt_kept_run_close(out);
    return status;
}

// ---- as a live run ----

SiltStatus silt_recipe_go_on_live(const SiltRecipe *recipe, int index, const SiltCook *cook, const char *path,
                                  SiltTerrain **terrain, SiltErosion **out, SiltDuration *duration,
                                  int *hands)
{
    SiltCook before = cook ? *cook : (SiltCook){0};
    KeptRun kept;
    *terrain = NULL;
    *out = NULL;
    *hands = 0;
    before.stages = index;
    if (index < 0 || index >= recipe->stage_count || !recipe->stages[index].model)
        return silt_fail(SILT_BAD_ARGUMENT, "stage %d is no erosion, and only models run live", index + 1);
    SiltStatus status = open_for(path, recipe, index, before.run, &kept);
    if (status != SILT_OK)
        return status;
    SiltRun run = before.run ? *before.run : (SiltRun){0};
    run.seed = kept.note.seed;
    *duration = whole_of(recipe->stages[index].model, silt_step_duration(&recipe->stages[index]));
    *hands = kept.hands;
    status = silt_recipe_cook(recipe, &before, terrain);
    if (status == SILT_OK)
        status = take_up(path, &kept, &recipe->stages[index], *terrain, &run, out);
    if (status != SILT_OK) {
        silt_terrain_destroy(*terrain);
        *terrain = NULL;
    }
    silt_kept_run_close(&kept);
    return status;
}

// ---- as a stage that is cooked ----

// What the stages before it left need not be made again.
static SiltStatus keep_before(const char *path, KeptRun *kept, SiltPantry *pantry)
{
    const SiltCook cook = {.pantry = pantry};
    SiltStack *stack = NULL;
    SiltRecipe *was = NULL;
    SiltTerrain *terrain = NULL;
    SiltStatus status = silt_kept_run_stack(path, kept, &stack);
    if (status == SILT_OK)
        status = silt_stack_recipe(stack, &was);
    if (status == SILT_OK)
        status = silt_checkpoint_terrain(kept->file, &terrain);
    if (status == SILT_OK && silt_recipe_wants_totals(was))
        silt_recipe_drop_totals(terrain);
    if (status == SILT_OK)
        status = silt_cook_keep(was, &cook, kept->stage, terrain, kept->nominal);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(was);
    silt_stack_destroy(stack);
    return status;
}

SiltStatus silt_pantry_go_on_from(SiltPantry *pantry, const char *path)
{
    KeptRun kept;
    silt_pantry_set_kept(pantry, "", 0);
    if (!path)
        return SILT_OK;
    SiltStatus status = silt_kept_run_open(path, &kept);
    if (status != SILT_OK)
        return status;
    // without a recipe it is read from there; from files that have changed something else comes by now
    if (silt_kept_find(&kept.file->source, "recipe") && !silt_checkpoint_changed_input(kept.file))
        status = keep_before(path, &kept, pantry);
    if (status == SILT_OK)
        silt_pantry_set_kept(pantry, path, kept.stage);
    silt_kept_run_close(&kept);
    return status;
}

// To the end of the stage, as silt_erode_by_hand leaves it.
static SiltStatus play_out(SiltErosion *erosion, const Step *step, const KeptRun *kept, const SiltRun *run)
{
    int next = kept->hands;
    bool done;
    SiltStatus status = silt_erosion_play(erosion, silt_step_duration(step), step->hands, step->hand_count,
                                          &next, INT64_MAX, &done);
    if (status == SILT_OK)
        status = silt_erosion_finish(erosion);
    SiltWarnings warnings = silt_warnings_begin(run);
    if (status == SILT_OK)
        silt_warn_of_books(silt_erosion_report(erosion), silt_erosion_params(erosion));
    silt_warnings_end(warnings);
    return status;
}

SiltStatus silt_kept_cook(Kitchen *kitchen, const SiltPantry *pantry, int index, bool *goes_on)
{
    const Step *step = &kitchen->recipe->stages[index];
    const char *path = silt_pantry_kept(pantry, index);
    SiltTerrain *terrain = NULL;
    SiltErosion *erosion = NULL;
    KeptRun kept;
    *goes_on = false;
    if (!path || !step->model || open_for(path, kitchen->recipe, index, kitchen->all, &kept) != SILT_OK)
        return SILT_OK;
    silt_kitchen_name_stage(kitchen, index);
    kitchen->run.seed = kept.note.seed;
    SiltStatus status = silt_terrain_clone(kitchen->terrain, &terrain);
    if (status == SILT_OK)
        status = silt_terrain_copy_volume(kitchen->terrain, terrain);
    if (status == SILT_OK)
        status = take_up(path, &kept, step, terrain, &kitchen->run, &erosion);
    *goes_on = status == SILT_OK;
    if (*goes_on)
        status = silt_step_fail(kitchen->recipe, step, play_out(erosion, step, &kept, &kitchen->run));
    silt_erosion_end(erosion);
    if (*goes_on) {
        SiltTerrain *old = kitchen->terrain;
        silt_terrain_settle(terrain);
        kitchen->terrain = terrain;
        terrain = old;
    }
    silt_terrain_destroy(terrain);
    silt_kept_run_close(&kept);
    return *goes_on || status == SILT_CANCELLED ? status : SILT_OK;
}
