// What a run hands out on its way: frames at even intervals, and moments that somebody waits for.
#include <math.h>

#include "erode/run.h"

// What frames and moments go by.
static double clock_of(const SiltErosion *erosion)
{
    return erosion->counts_steps ? (double)erosion->report.steps : erosion->report.model_time;
}

// Time until the next frame in the model's clock, or in steps; infinite without frames.
double silt_time_to_frame(const SiltErosion *erosion)
{
    if (!(erosion->frame_every > 0.0))
        return INFINITY;
    return (erosion->frame_count + 1) * erosion->frame_every * (1.0 - 1e-12) - clock_of(erosion);
}

// The same until the next moment that somebody waits for.
double silt_time_to_moment(const SiltErosion *erosion)
{
    const SiltRun *run = &erosion->run;
    if (!run->moment || erosion->moment_count >= run->moment_count)
        return INFINITY;
    return run->moments[erosion->moment_count] * (1.0 - 1e-12) - clock_of(erosion);
}

// How many would have come at this pace, but for one that is owed.
static void count_frames(SiltErosion *erosion)
{
    double pace = erosion->frame_every * (1.0 - 1e-12);
    int count = (int)fmin(floor(clock_of(erosion) / pace), 1e9);
    if (!erosion->owes || erosion->frame_count != count - 1)
        erosion->frame_count = count;
}

// Frames come at even intervals of the model's clock, or of steps where a number of steps was asked for.
void silt_plan_frames(SiltErosion *erosion, bool timed, int64_t steps, double time)
{
    const SiltRun *run = &erosion->run;
    bool by_count = !(run->frame_interval > 0.0);
    erosion->counts_steps = !timed;
    // those came before it was kept; who was owed one knows what came
    while (erosion->goes_on && !erosion->owes && silt_time_to_moment(erosion) <= 0.0)
        erosion->moment_count++;
    erosion->frame_every = !run->frame        ? 0.0
                           : !by_count        ? run->frame_interval
                           : run->frames <= 0 ? 0.0
                           : timed            ? time / run->frames
                                              : (double)steps / run->frames;
    // Frames of a run that was kept come at another pace now, or for the first time: those that would have
    // come at this one keep their numbers. Where there is one a step, they may lag behind; who is owed the
    // first has waited for it.
    bool never_lag = (erosion->frame_count == 0 && !erosion->owes) || (!timed && erosion->frame_every >= 1.0);
    if (erosion->goes_on && never_lag && erosion->frame_every > 0.0)
        count_frames(erosion);
    erosion->goes_on = false;
}

static void tell_when(const SiltErosion *erosion)
{
    const SiltRun *run = &erosion->run;
    bool has_clock = erosion->model->clock[0] != '\0';
    if (run->when)
        run->when(run->user, erosion->report.steps, has_clock ? erosion->report.model_time : 0.0,
                  erosion->model->clock);
}

// Whether whoever it was handed to has it: who stops the run then has it, too.
static bool is_taken(SiltStatus status)
{
    return status == SILT_OK || status == SILT_CANCELLED;
}

static SiltStatus hand_out_moments(SiltErosion *erosion)
{
    const SiltRun *run = &erosion->run;
    SiltStatus status = SILT_OK;
    while (status == SILT_OK && silt_time_to_moment(erosion) <= 0.0) {
        SiltParticles particles;
        bool has_particles = erosion->model->particles != NULL;
        status = silt_erosion_store(erosion);
        if (has_particles)
            erosion->model->particles(erosion->state, &particles);
        if (status == SILT_OK)
            tell_when(erosion);
        if (status == SILT_OK)
            status = run->moment(run->user, erosion->terrain, has_particles ? &particles : NULL,
                                 erosion->moment_count);
        erosion->moment_count += is_taken(status);
    }
    return status;
}

static SiltStatus hand_out_frames(SiltErosion *erosion)
{
    const SiltRun *run = &erosion->run;
    if (silt_time_to_frame(erosion) > 0.0)
        return SILT_OK;
    SiltStatus status = silt_erosion_store(erosion);
    if (status == SILT_OK)
        tell_when(erosion);
    if (status == SILT_OK && run->particles && erosion->model->particles) {
        SiltParticles particles;
        erosion->model->particles(erosion->state, &particles);
        status = run->particles(run->user, &particles, erosion->frame_count);
    }
    if (status == SILT_OK)
        status = run->frame(run->user, erosion->terrain, erosion->frame_count);
    erosion->frame_count += is_taken(status);
    return status;
}

SiltStatus silt_hand_out(SiltErosion *erosion, bool moments_alone)
{
    SiltStatus status = hand_out_moments(erosion), framed = SILT_OK;
    if (is_taken(status) && !moments_alone)
        framed = hand_out_frames(erosion);
    erosion->owes = !is_taken(status) || !is_taken(framed);
    return framed == SILT_OK ? status : framed;
}
