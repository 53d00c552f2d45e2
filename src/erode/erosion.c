// Runs any model: makes its state from its table, steps it, watches the clock, hands out frames and the
// report.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"
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

// Nothing has been done by then.
static bool begin_is_stopped(void *context)
{
    const SiltErosion *erosion = context;
    return silt_run_progress(&erosion->run, erosion->model->name, 0.0, 1.0, "") != SILT_OK;
}

static SiltStatus begin_model(SiltErosion *erosion)
{
    SiltListener before = silt_listen((SiltListener){begin_is_stopped, erosion});
    SiltStatus status = erosion->model->begin(erosion->state, erosion->terrain, erosion->params,
                                              &erosion->run, &erosion->report.ledger);
    silt_listen(before);
    return status;
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
        status = begin_model(erosion);
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

static SiltStatus tell_rest(const SiltErosion *erosion)
{
    return silt_run_progress(&erosion->run, erosion->model->name, 1.0, 1.0, "coming to rest");
}

// A step that is being taken, and what was heard meanwhile.
typedef struct Stepping {
    const SiltErosion *erosion;
    Course *course; // NULL: it comes to rest
    SiltStatus status;
} Stepping;

static bool step_is_stopped(void *context)
{
    Stepping *stepping = context;
    const SiltErosion *erosion = stepping->erosion;
    if (stepping->status == SILT_OK)
        stepping->status = stepping->course ? tell(erosion, stepping->course) : tell_rest(erosion);
    return stepping->status != SILT_OK;
}

// What went wrong on the device in the last steps.
static SiltStatus device_status(const SiltErosion *erosion)
{
    return erosion->run.device ? silt_device_status(erosion->run.device) : SILT_OK;
}

// What must be done before a step. Where it fails it may have done half; where it is left, what it did is
// whole.
static SiltStatus tend(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    SiltStatus status = model->tend ? model->tend(erosion->state, &erosion->report.ledger) : SILT_OK;
    erosion->generation += model->tend != NULL;
    erosion->broken = erosion->broken || (status != SILT_OK && status != SILT_CANCELLED);
    return status;
}

static SiltStatus go(SiltErosion *erosion, Course *course, bool whole)
{
    SiltReport *report = &erosion->report;
    SiltStatus status = silt_hand_out(erosion, true); // what it begins with
    while (course->done < course->steps && status == SILT_OK) {
        double left = course->timed ? course->to - report->model_time : INFINITY;
        if (!(left > 0.0))
            break;
        if (report->counters.at_rest && !(erosion->frame_every > 0.0)) {
            report->model_time = course->timed && !course->part ? course->to : report->model_time;
            break;
        }
        status = silt_erosion_check_end(erosion, (SiltDuration){.steps = INT64_MAX});
        if (status != SILT_OK)
            break;
        Stepping stepping = {erosion, course, SILT_OK};
        SiltListener before = silt_listen((SiltListener){step_is_stopped, &stepping});
        status = tend(erosion);
        // what was done between steps may have taken long
        bool hears = status != SILT_OK || (erosion->model->tend && silt_is_stopped());
        int64_t taken =
            hears ? 0 : take_steps(erosion, course->steps - course->done, left, whole && course->timed);
        course->done += taken;
        silt_listen(before);
        if (status != SILT_OK)
            break;
        if (stepping.status != SILT_OK && taken == 0) {
            status = device_status(erosion); // what a device did before it was given up
            return status == SILT_OK ? stepping.status : status;
        }
        if (course->timed && !whole && report->model_time >= course->to - 1e-12 * fabs(course->to))
            report->model_time = course->to;
        status = device_status(erosion);
        if (status == SILT_OK)
            status = silt_hand_out(erosion, false);
        if (status == SILT_OK) // when it is stopped here, all that belongs to the step is done
            status = stepping.status == SILT_OK ? tell(erosion, course) : stepping.status;
        if (status == SILT_OK)
            status = silt_erosion_keep(erosion, false);
    }
    return status;
}

SiltStatus silt_erosion_pay(SiltErosion *erosion, SiltDuration whole)
{
    if (!erosion->owes)
        return SILT_OK;
    silt_plan_frames(erosion, whole.time > 0.0, whole.steps, whole.time);
    SiltScope scope = silt_scope_begin(erosion);
    SiltStatus status = silt_hand_out(erosion, false);
    silt_scope_end(scope);
    return status;
}

SiltStatus silt_erosion_advance(SiltErosion *erosion, SiltDuration duration)
{
    SiltReport *report = &erosion->report;
    SiltStatus status = check_duration(erosion, duration);
    if (status == SILT_OK)
        status = silt_erosion_pay(erosion, duration);
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
    if (status == SILT_OK)
        status = silt_erosion_pay(erosion, whole);
    if (status != SILT_OK || course.steps <= 0)
        return status;
    double started = silt_wall_clock();
    silt_plan_frames(erosion, timed, whole.steps, whole.time);
    SiltScope scope = silt_scope_begin(erosion);
    status = go(erosion, &course, false);
    silt_scope_end(scope);
    erosion->due = report->model_time;
    report->seconds += silt_wall_clock() - started;
    report->cancelled = status == SILT_CANCELLED;
    return status;
}

// One step after the last, in which water runs off.
SiltStatus silt_erosion_step_to_rest(SiltErosion *erosion)
{
    SiltReport *report = &erosion->report;
    Stepping stepping = {erosion, NULL, SILT_OK};
    SiltListener before = silt_listen((SiltListener){step_is_stopped, &stepping});
    double time = erosion->model->step(erosion->state, INFINITY, &report->ledger, &report->counters);
    silt_listen(before);
    report->steps += !(time < 0.0); // else it was stopped within, and goes on when the run does
    return stepping.status == SILT_OK ? tell_rest(erosion) : stepping.status;
}
