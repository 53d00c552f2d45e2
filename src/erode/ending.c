// The end of a run, whether it came to it or not: water comes to rest, what was done is kept and stored; and
// all of a run, from its beginning.
#include <math.h>
#include <stdio.h>

#include "erode/keeper.h"
#include "erode/run.h"
#include "opencl/device.h"

SiltStatus silt_erosion_keep(SiltErosion *erosion, bool last)
{
    SiltKeeper *keeper = erosion->run.keeper;
    return keeper ? keeper->step(keeper, erosion, last) : SILT_OK;
}

bool silt_erosion_is_over(const SiltErosion *erosion, SiltDuration whole)
{
    const SiltReport *report = &erosion->report;
    return whole.time > 0.0 ? report->model_time >= whole.time : report->steps >= whole.steps;
}

bool silt_erosion_rests(const SiltErosion *erosion)
{
    return erosion->model->rests && erosion->model->rests(erosion->state);
}

SiltStatus silt_erosion_check_end(const SiltErosion *erosion, SiltDuration whole)
{
    return !silt_erosion_rests(erosion) || silt_erosion_is_over(erosion, whole)
               ? SILT_OK
               : silt_fail(
                     SILT_BAD_ARGUMENT,
                     "erode %s: the run had come to its end, and its water to rest (rest = on): it goes "
                     "no further; begin anew",
                     erosion->model->name);
}

// The steps after the last, in which water runs off.
static SiltStatus come_to_rest(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    SiltStatus status = model->rest ? silt_erosion_fetch_resting(erosion) : SILT_OK;
    while (status == SILT_OK && model->rest && model->rest(erosion->state, &report->ledger)) {
        status = silt_erosion_step_to_rest(erosion);
        SiltStatus kept = silt_erosion_keep(erosion, status == SILT_CANCELLED);
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

// Whether the state is one that a whole step has left, or part of a step that goes on.
static bool is_sound(const SiltErosion *erosion)
{
    return !erosion->broken && (!erosion->run.device || silt_device_status(erosion->run.device) == SILT_OK);
}

static void keep_last(SiltErosion *erosion)
{
    char why[2048]; // the run ends, whatever is said while it is kept
    snprintf(why, sizeof why, "%s", silt_message());
    SiltScope scope = silt_scope_begin(erosion);
    if (is_sound(erosion))
        silt_erosion_keep(erosion, true);
    silt_scope_end(scope);
    silt_fail(SILT_OK, "%s", why);
}

SiltStatus silt_erosion_leave(SiltErosion *erosion, SiltStatus status)
{
    SiltReport *report = &erosion->report;
    char why[2048];
    if (status != SILT_OK && status != SILT_CANCELLED && report->steps == 0)
        return status; // nothing is lost
    if (status == SILT_OK) {
        status = silt_erosion_finish(erosion);
        if (status != SILT_OK && status != SILT_CANCELLED && !erosion->model->finish)
            keep_last(erosion); // its results find no room, and its state is whole
        return status;
    }
    snprintf(why, sizeof why, "%s", silt_message());
    keep_last(erosion);
    report->cancelled = true; // no water comes to rest
    bool good = is_sound(erosion);
    SiltStatus finished = good ? silt_erosion_finish(erosion) : status;
    report->cancelled = finished == SILT_OK;
    return good && finished != SILT_OK && status == SILT_CANCELLED ? finished : silt_fail(status, "%s", why);
}

SiltStatus silt_erosion_go_on(SiltErosion *erosion, const SiltDuration *whole)
{
    SiltPack pack;
    erosion->goes_on = silt_keep_take(erosion->run.keeper, "run", &pack);
    SiltStatus status = erosion->goes_on ? silt_erosion_pack(erosion, &pack) : SILT_OK;
    if (status == SILT_OK && whole)
        status = silt_erosion_check_end(erosion, *whole);
    erosion->broken = status != SILT_OK;
    return status;
}

SiltStatus silt_erode_level(const SiltModel *model, SiltTerrain *terrain, const void *params,
                            SiltDuration duration, const SiltRun *run, SiltReport *report, int *frames)
{
    SiltErosion *erosion;
    *report = (SiltReport){0};
    *frames = 0;
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
        status = silt_erosion_go_on(erosion, &duration);
    if (status == SILT_OK)
        status = keeper ? silt_erosion_toward(erosion, duration, INT64_MAX)
                        : silt_erosion_advance(erosion, duration);
    status = silt_erosion_leave(erosion, status);
    silt_keep_let_go(keeper, "stage");
    *report = erosion->report;
    *frames = erosion->frame_count;
    silt_erosion_end(erosion);
    return status;
}

SiltStatus silt_erode(const SiltModel *model, SiltTerrain *terrain, const void *params, SiltDuration duration,
                      const SiltRun *run, SiltReport *report)
{
    SiltReport own;
    int frames;
    return silt_erode_level(model, terrain, params, duration, run, report ? report : &own, &frames);
}
