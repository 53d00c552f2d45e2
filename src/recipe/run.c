// Runs a recipe: the terrain, stage after stage, the outputs.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/keeper.h"
#include "io/json.h"
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
    return kitchen->all->frame(kitchen->all->user, terrain, kitchen->frame_count++);
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

// Stages by their place in the list of the recipe.
static void name_stage(Kitchen *kitchen, const char *name, int index)
{
    snprintf(kitchen->label, sizeof kitchen->label, "stage %d/%d %.40s", index + 1,
             kitchen->recipe->stage_count, name);
}

static const char *name_of(const Step *step)
{
    return step->model       ? step->model->name
           : step->generator ? step->generator->name
           : step->shape     ? step->shape->name
                             : step->kind->info.name;
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

// ---- kept on the way ----

void silt_kitchen_pack_report(Kitchen *kitchen, int index, SiltPack *pack)
{
    SiltReport *report = &kitchen->reports[index];
    bool has_model = report->model != NULL;
    silt_pack_flag(pack, &has_model);
    SILT_PACK(pack, report->steps);
    SILT_PACK(pack, report->model_time);
    SILT_PACK(pack, report->seconds);
    silt_pack_flag(pack, &report->cancelled);
    silt_counters_pack(&report->counters, pack);
    SILT_PACK(pack, report->ledger);
    report->model = has_model ? kitchen->recipe->stages[index].model : NULL;
}

// Which stage is at hand, and what those before it have said.
static void pack_kitchen(void *context, SiltPack *pack)
{
    Kitchen *kitchen = context;
    int stages = kitchen->recipe->stage_count;
    bool same = silt_pack_same(pack, (uint64_t)stages);
    SILT_PACK(pack, kitchen->at);
    SILT_PACK(pack, kitchen->frame_count);
    silt_pack_flag(pack, &kitchen->worn);
    SILT_PACK(pack, kitchen->nominal);
    for (int k = 0; same && k < stages; k++)
        silt_kitchen_pack_report(kitchen, k, pack);
    bool good = same && kitchen->at >= 0 && kitchen->at < stages;
    if (pack->status == SILT_OK && !good)
        pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is one of another recipe");
}

// What the land was like before all stages, as the report has it.
static void pack_before(void *context, SiltPack *pack)
{
    const Kitchen *kitchen = context;
    void *text = pack->reads ? NULL : (void *)silt_recorder_before(kitchen->recorder);
    int64_t bytes = text ? (int64_t)strlen(text) + 1 : 0;
    silt_pack_owned(pack, &text, 1, &bytes);
    if (!pack->reads)
        return;
    if (pack->status != SILT_OK || bytes == 0) {
        silt_free(text);
        return;
    }
    SiltJson json = {0};
    bool whole = ((const char *)text)[bytes - 1] == '\0' && strlen(text) + 1 == (size_t)bytes;
    if (whole && bytes > 1) // whoever made the file, the report stays JSON
        whole = silt_json_parse("checkpoint", text, (size_t)bytes - 1, &json) == SILT_OK &&
                json.values[0].type == SILT_JSON_OBJECT;
    if (whole)
        silt_recorder_set_before(kitchen->recorder, text);
    else
        pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is damaged: what the land was like before");
    silt_json_free(&json);
    silt_free(text);
}

static SiltStatus take_before(Kitchen *kitchen)
{
    SiltPack pack;
    if (!kitchen->recorder || !silt_keep_take(kitchen->run.keeper, "before", &pack))
        return SILT_OK;
    pack_before(kitchen, &pack);
    kitchen->knows_before = true;
    return pack.status;
}

// Where a run that was kept goes on: its terrain, and the stage it was in.
static SiltStatus go_on(Kitchen *kitchen, bool *goes_on)
{
    SiltPack pack;
    SiltKeeper *keeper = kitchen->run.keeper;
    *goes_on = silt_keep_take(keeper, "kitchen", &pack);
    if (!*goes_on)
        return SILT_OK;
    pack_kitchen(kitchen, &pack);
    kitchen->goes_on = true;
    kitchen->began_at = kitchen->at;
    SiltStatus status = pack.status;
    if (status == SILT_OK)
        status = keeper->take_terrain(keeper, "terrain", &kitchen->terrain);
    if (status == SILT_OK && !kitchen->terrain)
        status = silt_fail(SILT_BAD_FILE, "the checkpoint holds no terrain");
    if (status == SILT_OK)
        status = take_before(kitchen);
    return status == SILT_OK ? silt_series_go_on(kitchen) : status;
}

// Between two stages, when something has been done that would be lost.
static SiltStatus keep_between(Kitchen *kitchen, const Step *step)
{
    SiltKeeper *keeper = kitchen->run.keeper;
    if (!keeper || step->model || !kitchen->worn) // models keep the terrain they begin with
        return SILT_OK;
    SiltStatus status = silt_keep_terrain(keeper, "terrain", kitchen->terrain);
    return status == SILT_OK ? keeper->step(keeper, NULL, false) : status;
}

SiltStatus silt_kitchen_begin(Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    bool goes_on;
    SiltStatus status = go_on(kitchen, &goes_on);
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
    name_stage(kitchen, name_of(step), index);
    kitchen->run.seed = silt_recipe_seed(recipe, index, kitchen->all);
    status = silt_run_progress(&kitchen->run, kitchen->label, 0.0, 1.0, "");
    if (status != SILT_OK)
        return status;
    drop_particles(kitchen);
    kitchen->at = index;
    status = keep_between(kitchen, step);
    if (status == SILT_OK)
        status = silt_series_watch(kitchen, index);
    if (status != SILT_OK)
        return status;
    status = step->kind->run(step, kitchen);
    if (status == SILT_OK)
        status = silt_series_close(kitchen, index);
    // a model that was stopped half-way has done something
    kitchen->done_count = index + (status == SILT_OK || kitchen->reports[index].model);
    if (status == SILT_OK || status == SILT_CANCELLED) {
        SiltStatus finite = check_finite(kitchen, step);
        status = finite == SILT_OK ? status : finite;
    }
    return silt_step_fail(recipe, step, status);
}

static SiltStatus run_stages(Kitchen *kitchen)
{
    if (kitchen->at == kitchen->recipe->stage_count)
        return SILT_OK;
    SiltStatus status = silt_keep_note(kitchen->run.keeper, "kitchen", pack_kitchen, kitchen, false);
    if (status == SILT_OK && kitchen->recorder)
        status = silt_keep_note(kitchen->run.keeper, "before", pack_before, kitchen, false);
    if (status == SILT_OK)
        status = silt_series_keep(kitchen);
    for (int k = kitchen->at; k < kitchen->recipe->stage_count && status == SILT_OK; k++) {
        if (kitchen->recipe->stages[k].skipped)
            kitchen->done_count = k + 1;
        else
            status = silt_kitchen_stage(kitchen, k);
        if (status == SILT_OK && kitchen->larder && !kitchen->recipe->stages[k].skipped)
            silt_larder_keep(kitchen, k);
    }
    silt_keep_let_go(kitchen->run.keeper, "series");
    silt_keep_let_go(kitchen->run.keeper, "before");
    silt_keep_let_go(kitchen->run.keeper, "kitchen");
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
    kitchen->cancelled = status == SILT_CANCELLED;
    if (kitchen->recorder && kitchen->terrain && (status == SILT_OK || kitchen->cancelled))
        silt_recorder_measure(kitchen->recorder, kitchen->terrain);
    // what an earlier run wrote is worth more than a terrain that nothing has worn yet
    if (kitchen->cancelled && kitchen->writes && !kitchen->worn)
        return silt_fail(status, "%s: cancelled in %s, before any erosion; nothing was written",
                         kitchen->recipe->path, kitchen->label);
    if (kitchen->writes && (status == SILT_OK || kitchen->cancelled))
        status = silt_kitchen_serve(kitchen);
    if (status == SILT_OK && kitchen->cancelled)
        return silt_fail(SILT_CANCELLED, "%s: cancelled in %s; what was done is written%s%s",
                         kitchen->recipe->path, kitchen->label,
                         kitchen->unreached[0] ? "; not reached: " : "", kitchen->unreached);
    return status;
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
    if (done && report) {
        *report = silt_recipe_report(&kitchen);
        status = *report ? status : SILT_NO_MEMORY;
    }
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
