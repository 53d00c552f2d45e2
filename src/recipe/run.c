// Runs a recipe: the terrain, stage after stage, the outputs.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "recipe/larder.h"
#include "recipe/recipe.h"
#include "recipe/series.h"
#include "silt/io.h"
#include "silt/record.h"
#include "terrain/terrain.h"

// Models and generators name their own work; the caller hears which stage of how many it is.
static bool forward_progress(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage;
    const Kitchen *kitchen = user;
    return kitchen->all->progress(kitchen->all->user, kitchen->label, done, total, unit);
}

// Frames are numbered through all stages.
static SiltStatus forward_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)index;
    Kitchen *kitchen = user;
    SiltStatus status = kitchen->all->frame(kitchen->all->user, terrain, kitchen->frame_count);
    kitchen->frame_count += status == SILT_OK || status == SILT_CANCELLED; // else it comes again
    return status;
}

// Series say of their panels when they were taken.
static void forward_when(void *user, int64_t steps, double time, const char *clock)
{
    Kitchen *kitchen = user;
    kitchen->steps = steps;
    kitchen->time = time;
    if (kitchen->all && kitchen->all->when)
        kitchen->all->when(kitchen->all->user, steps, time, clock);
}

// Particles come before the frame they belong to.
static SiltStatus forward_particles(void *user, const SiltParticles *particles, int index)
{
    (void)index;
    const Kitchen *kitchen = user;
    return kitchen->all->particles(kitchen->all->user, particles, kitchen->frame_count);
}

static SiltStatus keep_particles(void *user, const SiltParticles *particles)
{
    Kitchen *kitchen = user;
    return silt_particles_clone(particles, &kitchen->particles);
}

// A picture shows the particles of the last stage: what comes after them may have moved the ground.
static void drop_particles(Kitchen *kitchen)
{
    silt_particles_destroy(kitchen->particles);
    kitchen->particles = NULL;
}

static const char *name_of(const Step *step)
{
    return step->model       ? step->model->name
           : step->generator ? step->generator->name
           : step->shape     ? step->shape->name
                             : step->kind->info.name;
}

// Stages by their place in the list of the recipe.
void silt_kitchen_name_stage(Kitchen *kitchen, int index)
{
    snprintf(kitchen->label, sizeof kitchen->label, "stage %d/%d %.40s", index + 1,
             kitchen->recipe->stage_count, name_of(&kitchen->recipe->stages[index]));
}

static SiltStatus check_fault(const Step *step)
{
    return step->fault
               ? silt_fail(SILT_BAD_ARGUMENT, "%s %s: %s", step->kind->info.name, step->subject, step->fault)
               : SILT_OK;
}

static SiltStatus check_faults(const SiltRecipe *recipe)
{
    SiltStatus status = check_fault(&recipe->terrain);
    for (int k = 0; k < recipe->stage_count && status == SILT_OK; k++)
        status = check_fault(&recipe->stages[k]);
    for (int k = 0; k < recipe->output_count && status == SILT_OK; k++)
        status = check_fault(&recipe->outputs[k]);
    return status;
}

static SiltStatus check_fits(const Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    const SiltTerrain *terrain = kitchen->terrain;
    int size[2];
    double cell;
    MemoryNeed need;
    SiltStatus status;
    if (terrain)
        status = silt_recipe_measure(recipe, terrain->width, terrain->height, terrain->layer_count,
                                     terrain->nodata != NULL, &need);
    else if (silt_recipe_size(recipe, size, &cell))
        status = silt_recipe_measure(recipe, size[0], size[1], 1, false, &need);
    else
        return SILT_OK; // a file says how large it is, and its reader refuses what cannot fit
    return status == SILT_OK ? silt_recipe_fits(recipe, need) : status;
}

SiltStatus silt_kitchen_begin(Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    bool goes_on;
    SiltStatus status = silt_kitchen_go_on(kitchen, &goes_on);
    if (status != SILT_OK || goes_on)
        return status;
    status = kitchen->longest_side > 0 ? SILT_OK : check_fits(kitchen);
    if (status == SILT_OK)
        status = check_fault(&recipe->terrain);
    if (status != SILT_OK)
        return status;
    snprintf(kitchen->label, sizeof kitchen->label, "terrain %.40s", name_of(&recipe->terrain));
    kitchen->run.seed = silt_recipe_seed(recipe, -1, kitchen->all);
    status = silt_run_progress(&kitchen->run, kitchen->label, 0.0, 1.0, "");
    if (status == SILT_OK)
        status = recipe->terrain.kind->run(&recipe->terrain, kitchen);
    status = silt_step_fail(recipe, &recipe->terrain, status);
    int size[2];
    double cell;
    if (status == SILT_OK && !silt_recipe_size(recipe, size, &cell) && kitchen->longest_side == 0)
        status = check_fits(kitchen);
    if (status == SILT_OK && kitchen->writes)
        status = silt_recipe_maps_differ(recipe, kitchen->terrain);
    return status == SILT_OK && !kitchen->lax ? silt_layers_check_all(recipe, kitchen->terrain) : status;
}

static SiltStatus check_finite(const Kitchen *kitchen, const Step *step)
{
    char owner[SILT_PATH_SIZE + 64];
    snprintf(owner, sizeof owner, "'%s %s'", step->kind->info.name, step->subject);
    return silt_terrain_check_finite(kitchen->terrain, NULL, owner,
                                     "the stage made values too large for a float");
}

// The layers it reads are there, whatever the stages before it have done.
static SiltStatus check_layers(const Kitchen *kitchen, const Step *step)
{
    LayerNames names = {.count = kitchen->terrain->layer_count};
    for (int k = 0; k < names.count; k++)
        strcpy(names.names[k], kitchen->terrain->layers[k]->name);
    return silt_layers_check(&names, step, step->subject);
}

SiltStatus silt_kitchen_stage(Kitchen *kitchen, int index)
{
    const SiltRecipe *recipe = kitchen->recipe;
    const Step *step = &recipe->stages[index];
    SiltStatus status = check_fault(step);
    if (status == SILT_OK && kitchen->lax)
        status = check_layers(kitchen, step);
    if (status != SILT_OK)
        return status;
    silt_kitchen_name_stage(kitchen, index);
    kitchen->run.seed = silt_recipe_seed(recipe, index, kitchen->all);
    status = silt_run_progress(&kitchen->run, kitchen->label, 0.0, 1.0, "");
    if (status != SILT_OK) {
        silt_kitchen_keep_next(kitchen, index);
        return status;
    }
    drop_particles(kitchen);
    kitchen->at = index;
    status = silt_kitchen_keep_between(kitchen, step);
    if (status == SILT_OK)
        status = silt_series_watch(kitchen, index);
    if (status != SILT_OK)
        return status;
    status = step->kind->run(step, kitchen);
    if (status == SILT_OK)
        status = silt_series_close(kitchen, index);
    // a model that was stopped half-way has done something
    kitchen->done_count = index + (status == SILT_OK || kitchen->reports[index].model);
    if (status == SILT_OK || status == SILT_CANCELLED || kitchen->reports[index].cancelled) {
        SiltStatus finite = check_finite(kitchen, step);
        status = finite == SILT_OK ? status : finite;
        kitchen->reports[index].cancelled = kitchen->reports[index].cancelled && finite == SILT_OK;
    }
    return silt_step_fail(recipe, step, status);
}

static SiltStatus run_stages(Kitchen *kitchen)
{
    if (kitchen->at == kitchen->recipe->stage_count)
        return SILT_OK;
    SiltStatus status = silt_kitchen_keep(kitchen);
    for (int k = kitchen->at; k < kitchen->recipe->stage_count && status == SILT_OK; k++) {
        if (kitchen->recipe->stages[k].skipped)
            kitchen->done_count = k + 1;
        else
            status = silt_kitchen_stage(kitchen, k);
        if (status == SILT_OK && kitchen->larder && !kitchen->recipe->stages[k].skipped)
            silt_larder_keep(kitchen, k);
    }
    silt_kitchen_let_go(kitchen, status);
    return status;
}

static SiltStatus record_inputs(const Kitchen *kitchen)
{
    SiltStatus status = SILT_OK;
    int count = kitchen->recorder ? silt_recipe_input_count(kitchen->recipe) : 0;
    for (int k = 0; k < count && status == SILT_OK; k++)
        status = silt_recorder_input(kitchen->recorder, silt_recipe_input_at(kitchen->recipe, k));
    return status;
}

// Whether a run that did not come to its end left a terrain that is worth writing: what an earlier run wrote
// is worth more than one that nothing has worn yet, and than one that is half-way.
static bool is_worth_writing(const Kitchen *kitchen, SiltStatus status)
{
    return kitchen->terrain && kitchen->worn &&
           (status == SILT_CANCELLED || kitchen->reports[kitchen->at].cancelled);
}

static SiltStatus say_cancelled(const Kitchen *kitchen)
{
    return silt_fail(SILT_CANCELLED, "%s: cancelled in %s; what was done is written%s%s",
                     kitchen->recipe->path, kitchen->label, kitchen->unreached[0] ? "; not reached: " : "",
                     kitchen->unreached);
}

// Who ended early writes what was done, and says so.
static SiltStatus serve_early(Kitchen *kitchen, SiltStatus status)
{
    char why[2048];
    snprintf(why, sizeof why, "%s", silt_message());
    SiltStatus served = silt_kitchen_serve(kitchen);
    if (status == SILT_CANCELLED)
        return served == SILT_OK ? say_cancelled(kitchen) : served;
    return served == SILT_OK ? silt_fail(status, "%s; what was done is written%s%s", why,
                                         kitchen->unreached[0] ? "; not reached: " : "", kitchen->unreached)
                             : silt_fail(status, "%s; %s", why, silt_message());
}

static SiltStatus cook(Kitchen *kitchen)
{
    SiltStatus status = record_inputs(kitchen);
    if (status == SILT_OK && kitchen->larder)
        silt_larder_fetch(kitchen);
    bool fetched = kitchen->terrain != NULL;
    if (status == SILT_OK && !fetched)
        status = silt_kitchen_begin(kitchen);
    if (status == SILT_OK && !fetched && kitchen->recorder && !kitchen->knows_before)
        silt_recorder_measure(kitchen->recorder, kitchen->terrain);
    if (status == SILT_OK && !fetched && kitchen->larder)
        silt_larder_keep(kitchen, -1);
    if (status == SILT_OK)
        status = run_stages(kitchen);
    bool is_worth = status != SILT_OK && is_worth_writing(kitchen, status);
    kitchen->cancelled = is_worth || status == SILT_CANCELLED;
    if (kitchen->recorder && kitchen->terrain && (status == SILT_OK || kitchen->cancelled))
        silt_recorder_measure(kitchen->recorder, kitchen->terrain);
    if (!kitchen->writes || (status != SILT_OK && !kitchen->cancelled))
        return status;
    if (is_worth)
        return serve_early(kitchen, status);
    if (kitchen->cancelled)
        return silt_fail(status, "%s: cancelled in %s, before any erosion; nothing was written",
                         kitchen->recipe->path, kitchen->label);
    status = silt_kitchen_serve(kitchen);
    return status == SILT_OK && kitchen->cancelled ? say_cancelled(kitchen) : status;
}

SiltStatus silt_kitchen_open(const SiltRecipe *recipe, const SiltRun *run, bool writes, Kitchen *out)
{
    *out = (Kitchen){.recipe = recipe, .all = run, .writes = writes, .kept_stage = -2};
    out->totals = writes && silt_recipe_wants_totals(recipe);
    out->run.user = out;
    out->run.progress = run && run->progress ? forward_progress : NULL;
    out->run.frame = run && run->frame ? forward_frame : NULL;
    out->run.when = forward_when;
    out->run.particles = run && run->particles ? forward_particles : NULL;
    out->run.last_particles = writes && silt_recipe_look(recipe) ? keep_particles : NULL;
    out->run.frame_interval = run ? run->frame_interval : 0.0;
    out->run.frames = run ? run->frames : 0;
    out->run.device = run ? run->device : NULL;
    out->run.device_or_cpu = run && run->device_or_cpu;
    out->run.keeper = run ? run->keeper : NULL;
    return silt_alloc_for("a recipe", (size_t)recipe->stage_count, sizeof(SiltReport),
                          (void **)&out->reports);
}

void silt_kitchen_close(Kitchen *kitchen)
{
    drop_particles(kitchen);
    silt_series_free(kitchen);
    silt_free(kitchen->reports);
    silt_free(kitchen->masks);
}

static bool reports(const SiltRecipe *recipe)
{
    for (int k = 0; k < recipe->output_count; k++)
        if (silt_output_reports(&recipe->outputs[k]) && !recipe->outputs[k].skipped)
            return true;
    return false;
}

// Whether every file is there as a run from nothing would write it.
static bool is_all_there(Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    int wanted = 0;
    for (int k = 0; k < recipe->output_count; k++) {
        if (recipe->outputs[k].skipped)
            continue;
        wanted++;
        kitchen->kept_outputs += silt_larder_has_output(kitchen, &recipe->outputs[k]);
        if (kitchen->kept_outputs < wanted)
            break;
    }
    bool all = wanted > 0 && kitchen->kept_outputs == wanted;
    kitchen->kept_outputs = all ? wanted : 0;
    return all;
}

// Its making does not change what a run says at its end.
static SiltStatus give_report(const Kitchen *kitchen, SiltStatus status, char **report)
{
    char why[2048];
    snprintf(why, sizeof why, "%s", silt_message());
    *report = silt_recipe_report(kitchen);
    return *report ? silt_fail(status, "%s", why) : SILT_NO_MEMORY;
}

static SiltStatus run_recipe(const SiltRecipe *recipe, const SiltRun *run, bool writes, SiltLarder *larder,
                             SiltKept *kept, SiltTerrain **out, char **report)
{
    if (out)
        *out = NULL;
    if (report)
        *report = NULL;
    Kitchen kitchen;
    SiltStatus status = silt_kitchen_open(recipe, run, writes, &kitchen);
    if (status == SILT_OK)
        status = check_faults(recipe);
    SiltRecorder *own = NULL;
    if (larder) // so that it is known whether there are some
        kitchen.run.last_particles = keep_particles;
    bool told = writes && (report || reports(recipe));
    kitchen.recorder = told && run ? run->recorder : NULL;
    if (status == SILT_OK && told && !kitchen.recorder) {
        status = silt_recorder_create(&own);
        kitchen.recorder = own;
    }
    if (status == SILT_OK && larder)
        status = silt_larder_begin(larder, &kitchen);
    bool all = status == SILT_OK && larder && !out && !report && is_all_there(&kitchen);
    if (status == SILT_OK && !all)
        status = cook(&kitchen);
    silt_larder_end(&kitchen);
    if (kept)
        *kept = (SiltKept){kitchen.kept_stage, kitchen.kept_outputs, all};
    bool done = kitchen.terrain && (status == SILT_OK || status == SILT_CANCELLED);
    if (report && kitchen.terrain && (done || kitchen.cancelled))
        status = give_report(&kitchen, status, report);
    if (done && out && status != SILT_NO_MEMORY)
        *out = kitchen.terrain;
    else
        silt_terrain_destroy(kitchen.terrain);
    silt_recorder_destroy(own);
    silt_kitchen_close(&kitchen);
    return status;
}

SiltStatus silt_recipe_run(const SiltRecipe *recipe, const SiltRun *run, SiltTerrain **out, char **report)
{
    SiltCrew before = silt_crew_begin(run);
    SiltStatus status = run_recipe(recipe, run, true, NULL, NULL, out, report);
    silt_crew_end(before);
    return status;
}

SiltStatus silt_recipe_run_kept(const SiltRecipe *recipe, const SiltRun *run, SiltLarder *larder,
                                SiltKept *kept, SiltTerrain **out, char **report)
{
    SiltCrew before = silt_crew_begin(run);
    SiltStatus status = run_recipe(recipe, run, true, larder, kept, out, report);
    silt_crew_end(before);
    return status;
}

SiltStatus silt_recipe_try(const SiltRecipe *recipe, const SiltRun *run, bool writes, SiltTerrain **out,
                           SiltLedger *ledger)
{
    Kitchen kitchen;
    *out = NULL;
    SiltCrew before = silt_crew_begin(run);
    SiltStatus status = silt_kitchen_open(recipe, run, writes, &kitchen);
    if (status == SILT_OK)
        status = check_faults(recipe);
    if (status == SILT_OK)
        status = cook(&kitchen);
    if (status == SILT_OK)
        silt_kitchen_ledger(&kitchen, ledger);
    if (status == SILT_OK)
        *out = kitchen.terrain;
    else
        silt_terrain_destroy(kitchen.terrain);
    silt_kitchen_close(&kitchen);
    silt_crew_end(before);
    return status;
}

SiltStatus silt_recipe_grow(const SiltRecipe *recipe, const SiltRun *run, SiltTerrain **out)
{
    SiltCrew before = silt_crew_begin(run);
    SiltStatus status = run_recipe(recipe, run, false, NULL, NULL, out, NULL);
    silt_crew_end(before);
    return status;
}
