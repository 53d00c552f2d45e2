// Runs any model: makes its state from its table, steps it, watches the clock, hands out frames and the
// report.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"
#include "erode/keeper.h"
#include "erode/layers.h"
#include "erode/look_there.h"
#include "erode/run.h"
#include "grid/grid.h"
#include "grid/region.h"
#include "opencl/device.h"
#include "terrain/terrain.h"

SiltScope silt_scope_begin(const SiltErosion *erosion)
{
    return (SiltScope){silt_crew_begin(&erosion->run), silt_warnings_begin(&erosion->run),
                       silt_device_choose(erosion->run.device)};
}

void silt_scope_end(SiltScope before)
{
    silt_crew_end(before.crew);
    silt_warnings_end(before.warnings);
    silt_device_choose(before.device);
}

// A model that knows no device takes the processor only where it may.
static SiltStatus check_device(SiltErosion *erosion)
{
    if (!erosion->run.device || erosion->model->grid || erosion->model->fetch)
        return SILT_OK;
    if (!erosion->run.device_or_cpu)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: it works on the processor alone; the device 'auto' would let it",
                         erosion->model->name);
    silt_warn("erode %s: it works on the processor, not on %s", erosion->model->name,
              silt_device_of(erosion->run.device)->name);
    erosion->run.device = NULL;
    return SILT_OK;
}

// Sizes that files and generators give. Beyond them, in a terrain made by a program or a checkpoint that was
// forged, numbers of places overflow.
static SiltStatus check_cells(const char *owner, const SiltTerrain *terrain)
{
    const double least = 1e-6, most = 1e11; // m
    double side = terrain->cell * fmax(terrain->width, terrain->height);
    return terrain->cell >= least && side <= most
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT,
                           "%s: %d x %d cells of %g m: models take cells from %g m on, and land up to %g m",
                           owner, terrain->width, terrain->height, terrain->cell, least, most);
}

static SiltStatus check_heights(const SiltModel *model, SiltTerrain *terrain)
{
    char owner[64];
    snprintf(owner, sizeof owner, "erode %s", model->name);
    SiltStatus status = check_cells(owner, terrain);
    if (status != SILT_OK)
        return status;
    if (terrain->holds[0]) {
        silt_warn("%s: the terrain's file says that it holds %s; it is taken for heights", owner,
                  terrain->holds);
        silt_terrain_set_holds(terrain, "height");
    }
    return silt_terrain_check_heights(terrain, owner);
}

// A region must bring what a step looks at around it.
static SiltStatus check_region(const SiltModel *model, const SiltTerrain *terrain)
{
    SiltRegion region = silt_region_of(terrain);
    if (!terrain->region)
        return SILT_OK;
    if (model->halo == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: it works on whole maps, not on regions of one",
                         model->name);
    int halo = silt_region_halo(&region, terrain->width, terrain->height, model->halo);
    return halo >= model->halo ? SILT_OK
                               : silt_fail(SILT_BAD_ARGUMENT,
                                           "erode %s: a region needs a halo of %d cells, and one side has %d",
                                           model->name, model->halo, halo);
}

static SiltStatus begin(SiltErosion *erosion, const void *params)
{
    const SiltModel *model = erosion->model;
    SiltTerrain *terrain = erosion->terrain;
    SiltLedger *ledger = &erosion->report.ledger;
    unsigned refusals = silt_device_refusals();
    SiltStatus status = params ? silt_params_check(&model->params, params, model->name) : SILT_OK;
    if (status == SILT_OK)
        status = check_region(model, terrain);
    if (status == SILT_OK) {
        erosion->params = silt_params_clone(&model->params, params);
        status = erosion->params ? SILT_OK : SILT_NO_MEMORY;
    }
    if (status == SILT_OK)
        status = check_heights(model, terrain);
    if (status == SILT_OK)
        status = silt_model_protect(model, terrain, erosion->params);
    if (status == SILT_OK)
        status = silt_model_check_layers(model, terrain, erosion->params);
    // pages come only when they are touched: what cannot fit is refused before, not found out on the way
    if (status == SILT_OK && silt_erosion_need(erosion) > erosion->available)
        status = SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = silt_state_make(erosion);
    if (status == SILT_OK)
        status = model->begin(erosion->state, terrain, erosion->params, &erosion->run, ledger);
    if (status == SILT_OK && model->is_there && !model->is_there(erosion->state))
        erosion->run.device = NULL; // it works here, and has said so
    if (status == SILT_OK)
        erosion->waiting = silt_erosion_waiting_rock(erosion);
    ledger->rock.initial += erosion->waiting;
    // a device that is short of memory has said so itself
    return status == SILT_NO_MEMORY && refusals == silt_device_refusals() ? silt_erosion_name_need(erosion)
                                                                          : status;
}

SiltStatus silt_erosion_begin(const SiltModel *model, SiltTerrain *terrain, const void *params,
                              const SiltRun *run, SiltErosion **out)
{
    *out = NULL;
    void *block;
    SiltStatus status = silt_alloc_for(model->name, 1, sizeof(SiltErosion), &block);
    if (status != SILT_OK)
        return status;
    SiltErosion *erosion = block;
    erosion->model = model;
    erosion->terrain = terrain;
    erosion->report.model = model;
    erosion->available = silt_memory_available();
    erosion->generation = 1;
    if (run)
        erosion->run = *run;
    SiltWarnings warnings = silt_warnings_begin(&erosion->run);
    status = check_device(erosion);
    silt_warnings_end(warnings);
    SiltScope scope = silt_scope_begin(erosion);
    if (status == SILT_OK)
        status = begin(erosion, params);
    silt_scope_end(scope);
    if (status != SILT_OK) {
        silt_erosion_end(erosion);
        return status;
    }
    *out = erosion;
    return SILT_OK;
}

void silt_erosion_end(SiltErosion *erosion)
{
    if (!erosion)
        return;
    if (erosion->state && erosion->model->end)
        erosion->model->end(erosion->state);
    silt_state_free(erosion);
    silt_look_there_destroy(erosion->there);
    for (int k = 0; k < erosion->seen_count; k++)
        silt_field_destroy(&erosion->seen[k].field);
    silt_params_delete(&erosion->model->params, erosion->params);
    silt_free(erosion);
}

const void *silt_erosion_params(const SiltErosion *erosion)
{
    return erosion->params;
}

const SiltReport *silt_erosion_report(const SiltErosion *erosion)
{
    return &erosion->report;
}

// As many steps as bring the clock (steps or time) to a mark that lies so far ahead; at least one.
static int64_t steps_to(double ahead, double unit, int64_t most)
{
    double room = ahead < INFINITY ? (unit > 0.0 ? ceil(ahead / unit) : 1.0) : (double)most;
    return room < (double)most ? (room > 1.0 ? (int64_t)room : 1) : most;
}

// One step, or as many as the model can do at once without missing a frame; returns how many. The last step
// is cut to end with `left`, but where whole steps are wanted.
static int64_t take_steps(SiltErosion *erosion, int64_t steps, double left, bool whole)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    double time_left = whole ? INFINITY : left, time;
    int64_t taken = 1;
    if (model->leap) {
        double mark = fmin(silt_time_to_frame(erosion), silt_time_to_moment(erosion));
        steps = steps_to(mark, erosion->counts_steps ? 1.0 : erosion->step_time, steps);
        steps = whole ? steps_to(left, erosion->step_time, steps) : steps;
        time = model->leap(erosion->state, steps, time_left, &taken, &report->ledger, &report->counters);
    } else {
        time = model->step(erosion->state, time_left, &report->ledger, &report->counters);
    }
    erosion->generation++;
    if (time < 0.0) // stopped within the step, which goes on when the run does
        return 0;
    erosion->step_time = time / (double)taken;
    report->model_time += time;
    report->steps += taken;
    return taken;
}

static SiltStatus check_duration(const SiltErosion *erosion, SiltDuration duration)
{
    const SiltModel *model = erosion->model;
    if (erosion->finished)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the run has finished and goes no further",
                         model->name);
    if (duration.time > 0.0 && !model->clock[0])
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: it counts steps and knows no time; give it a number of steps",
                         model->name);
    if (duration.steps < 0 || !(duration.time >= 0.0))
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: %lld steps or a time of %g: neither goes back",
                         model->name, (long long)duration.steps, duration.time);
    if (duration.time > SILT_MAX_TIME)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: a time of %g %s: the longest is %g", model->name,
                         duration.time, model->clock, SILT_MAX_TIME);
    return SILT_OK;
}

typedef struct Course {
    bool timed;
    int64_t steps, done;
    int64_t all;     // steps of the whole, for those who are told
    double from, to; // model time
    int64_t before;  // steps of the run that came before these, where their number is counted
    bool part;       // more may follow: at rest, time waits for it
    double told;     // when somebody was last told how far it is
} Course;

static SiltStatus tell(const SiltErosion *erosion, Course *course)
{
    const SiltModel *model = erosion->model;
    double now = silt_wall_clock();
    if (now - course->told < 0.005 && course->done != course->steps) // so soon it can be stopped
        return SILT_OK;
    course->told = now;
    return course->timed
               ? silt_run_progress(&erosion->run, model->name, erosion->report.model_time - course->from,
                                   course->to - course->from, model->clock)
               : silt_run_progress(&erosion->run, model->name, (double)(course->before + course->done),
                                   (double)course->all, "steps");
}

// The run whose step is being taken.
static _Thread_local struct {
    const SiltErosion *erosion;
    Course *course;
    SiltStatus status;
} stepping;

bool silt_step_is_stopped(void)
{
    if (stepping.erosion && stepping.status == SILT_OK)
        stepping.status = tell(stepping.erosion, stepping.course);
    return stepping.status != SILT_OK;
}

// What went wrong on the device in the last steps.
static SiltStatus device_status(const SiltErosion *erosion)
{
    return erosion->run.device ? silt_device_status(erosion->run.device) : SILT_OK;
}

static SiltStatus keep(SiltErosion *erosion, bool last)
{
    SiltKeeper *keeper = erosion->run.keeper;
    return keeper ? keeper->step(keeper, erosion, last) : SILT_OK;
}

static SiltStatus go(SiltErosion *erosion, Course *course, bool whole)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    SiltStatus status = silt_hand_out_moments(erosion); // what it begins with
    while (course->done < course->steps && status == SILT_OK) {
        double left = course->timed ? course->to - report->model_time : INFINITY;
        if (!(left > 0.0))
            break;
        if (report->counters.at_rest && !(erosion->frame_every > 0.0)) {
            report->model_time = course->timed && !course->part ? course->to : report->model_time;
            break;
        }
        if (model->tend)
            status = model->tend(erosion->state, &report->ledger);
        if (status != SILT_OK)
            break;
        stepping.erosion = erosion;
        stepping.course = course;
        stepping.status = SILT_OK;
        int64_t taken = take_steps(erosion, course->steps - course->done, left, whole && course->timed);
        course->done += taken;
        stepping.erosion = NULL;
        if (stepping.status != SILT_OK && taken == 0)
            return stepping.status;
        if (course->timed && !whole && report->model_time >= course->to - 1e-12 * fabs(course->to))
            report->model_time = course->to;
        status = device_status(erosion);
        if (status == SILT_OK)
            status = silt_hand_out_frames(erosion);
        if (status == SILT_OK)
            status = silt_hand_out_moments(erosion);
        if (status == SILT_OK) // when it is stopped here, all that belongs to the step is done
            status = stepping.status == SILT_OK ? tell(erosion, course) : stepping.status;
        if (status == SILT_OK)
            status = keep(erosion, false);
    }
    return status;
}

SiltStatus silt_erosion_advance(SiltErosion *erosion, SiltDuration duration)
{
    SiltReport *report = &erosion->report;
    SiltStatus status = check_duration(erosion, duration);
    if (status != SILT_OK || (duration.steps == 0 && duration.time == 0.0))
        return status;
    double started = silt_wall_clock();
    bool timed = duration.time > 0.0;
    Course course = {.timed = timed, .from = erosion->due, .to = erosion->due + duration.time};
    course.steps = course.all = timed ? INT64_MAX : duration.steps;
    silt_plan_frames(erosion, timed, course.steps, duration.time);
    SiltScope scope = silt_scope_begin(erosion);
    status = go(erosion, &course, duration.whole);
    silt_scope_end(scope);
    erosion->due = timed && status == SILT_OK ? course.to : report->model_time;
    report->seconds += silt_wall_clock() - started;
    report->cancelled = status == SILT_CANCELLED;
    return status;
}

SiltStatus silt_erosion_toward(SiltErosion *erosion, SiltDuration whole, int64_t most)
{
    SiltReport *report = &erosion->report;
    SiltStatus status = check_duration(erosion, whole);
    bool timed = whole.time > 0.0;
    Course course = {.timed = timed, .to = whole.time, .before = report->steps, .all = whole.steps};
    course.steps = timed || most < whole.steps - report->steps ? most : whole.steps - report->steps;
    course.part = most < INT64_MAX;
    if (status != SILT_OK || course.steps <= 0)
        return status;
    double started = silt_wall_clock();
    silt_plan_frames(erosion, timed, whole.steps, whole.time);
    SiltScope scope = silt_scope_begin(erosion);
    status = go(erosion, &course, false);
    SiltStatus kept = status == SILT_CANCELLED ? keep(erosion, true) : SILT_OK;
    silt_scope_end(scope);
    status = kept == SILT_OK ? status : kept;
    erosion->due = report->model_time;
    report->seconds += silt_wall_clock() - started;
    report->cancelled = status == SILT_CANCELLED;
    return status;
}

// The steps after the last, in which water runs off.
static SiltStatus come_to_rest(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    SiltStatus status = model->rest ? silt_erosion_fetch_resting(erosion) : SILT_OK;
    while (status == SILT_OK && model->rest && model->rest(erosion->state, &report->ledger)) {
        model->step(erosion->state, INFINITY, &report->ledger, &report->counters);
        report->steps++;
        status = silt_run_progress(&erosion->run, model->name, 1.0, 1.0, "coming to rest");
        SiltStatus kept = keep(erosion, status == SILT_CANCELLED);
        status = kept == SILT_OK ? status : kept;
        if (status == SILT_OK)
            status = silt_erosion_fetch_resting(erosion);
    }
    return status == SILT_OK && model->rest ? silt_erosion_push(erosion, 0, erosion->terrain->height)
                                            : status;
}

SiltStatus silt_erosion_finish(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    const SiltRun *run = &erosion->run;
    SiltReport *report = &erosion->report;
    if (erosion->finished)
        return silt_erosion_store(erosion);
    double started = silt_wall_clock();
    SiltScope scope = silt_scope_begin(erosion);
    SiltStatus status = report->cancelled ? SILT_OK : come_to_rest(erosion);
    report->cancelled = report->cancelled || status == SILT_CANCELLED;
    erosion->generation++;
    if (status == SILT_OK || status == SILT_CANCELLED) { // what was done is not lost
        SiltStatus stored = model->finish ? model->finish(erosion->state, &report->ledger) : SILT_OK;
        stored = stored == SILT_OK ? silt_erosion_store(erosion) : stored;
        if (stored == SILT_OK && run->last_particles && model->particles) {
            SiltParticles particles;
            model->particles(erosion->state, &particles);
            stored = run->last_particles(run->user, &particles);
        }
        status = stored == SILT_OK ? status : stored;
    }
    erosion->finished = status == SILT_OK || status == SILT_CANCELLED;
    silt_scope_end(scope);
    report->seconds += silt_wall_clock() - started;
    return status;
}

// ---- all of it ----

SiltStatus silt_erosion_go_on(SiltErosion *erosion)
{
    SiltPack pack;
    erosion->goes_on = silt_keep_take(erosion->run.keeper, "run", &pack);
    return erosion->goes_on ? silt_erosion_pack(erosion, &pack) : SILT_OK;
}

SiltStatus silt_erode(const SiltModel *model, SiltTerrain *terrain, const void *params, SiltDuration duration,
                      const SiltRun *run, SiltReport *report)
{
    SiltErosion *erosion;
    SiltStatus status = silt_erosion_begin(model, terrain, params, run, &erosion);
    if (status != SILT_OK)
        return status;
    if (duration.steps == 0 && duration.time == 0.0)
        duration.steps = model->default_steps;
    SiltKeeper *keeper = erosion->run.keeper;
    SiltStageNote note = {.model = model,
                          .params = erosion->params,
                          .seed = erosion->run.seed,
                          .began = erosion->run.began,
                          .duration = duration};
    status = silt_keep_note(keeper, "stage", silt_stage_pack, &note, false);
    if (status == SILT_OK)
        status = silt_erosion_go_on(erosion);
    if (status == SILT_OK)
        status = keeper ? silt_erosion_toward(erosion, duration, INT64_MAX)
                        : silt_erosion_advance(erosion, duration);
    if (status == SILT_OK || status == SILT_CANCELLED) {
        SiltStatus finished = silt_erosion_finish(erosion);
        status = finished == SILT_OK ? status : finished;
    }
    silt_keep_let_go(keeper, "stage");
    if (report)
        *report = erosion->report;
    silt_erosion_end(erosion);
    return status;
}
