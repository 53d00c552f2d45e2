// Outputs `series`: moments of one stage side by side. Panels are copies of the terrain and its particles;
// they are drawn when the run is over, for all have the camera of the last.
#include "recipe/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "erode/keeper.h"
#include "io/output.h"
#include "render/series.h"
#include "silt/render.h"

typedef struct SeriesOutput {
    SiltList at, share;
    int columns;
    int stage;
} SeriesOutput;

static const SiltParam items[] = {
    SILT_LIST(SeriesOutput, at, "time:", "",
              "when each panel is taken, one after the other: time of the stage, or steps where it counts "
              "them; 0 is before its first step"),
    SILT_LIST(SeriesOutput, share, "share:", "",
              "in place of times, shares of the stage's length from 0 to 1, which hold however long it is"),
    SILT_INT(SeriesOutput, columns, "", 0, 0, SILT_MOST_PANELS,
             "how many panels stand in a row; 0: up to three, and four in two rows"),
    SILT_INT(SeriesOutput, stage, "", 0, 0, MOST_STEPS,
             "the stage it shows, by its number from 1; 0: the last that is a model"),
};

int silt_series_panels(const Step *output)
{
    const SeriesOutput *p = output->params;
    return output->kind == &silt_output_series ? p->at.count + p->share.count : 0;
}

// ---- checks ----

// The stage that an output shows; -1: none that it could.
static int stage_of(const SiltRecipe *recipe, const Step *output)
{
    const SeriesOutput *p = output->params;
    int last = -1;
    for (int k = 0; k < recipe->stage_count; k++)
        if (recipe->stages[k].model && !recipe->stages[k].skipped && (p->stage == 0 || p->stage == k + 1))
            last = k;
    return last;
}

// When the stage ends, by what counts there.
static double end_of(const Step *stage, const char **unit)
{
    SiltDuration duration = silt_step_duration(stage);
    *unit = duration.time > 0.0 ? stage->model->clock : "steps";
    return duration.time > 0.0  ? duration.time
           : duration.steps > 0 ? (double)duration.steps
                                : (double)stage->model->default_steps;
}

// When a panel is taken; steps are whole.
static double time_of(const SeriesOutput *p, const Step *stage, int panel)
{
    const char *unit;
    if (p->at.count > 0)
        return p->at.values[panel];
    double time = p->share.values[panel] * end_of(stage, &unit);
    return silt_step_duration(stage).time > 0.0 ? time : floor(time + 0.5);
}

// Each is later than the last, and none beyond the end, which is 1 of shares.
static SiltStatus check_times(const SeriesOutput *p, const Step *stage, int number)
{
    const char *unit, *name = p->at.count > 0 ? "at" : "share";
    const SiltList *list = p->at.count > 0 ? &p->at : &p->share;
    double end = end_of(stage, &unit);
    for (int k = 0; k < list->count; k++) {
        double time = list->values[k];
        if (time < 0.0)
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %g is before the stage begins, which is at 0", name,
                             time);
        if (k > 0 && time <= list->values[k - 1])
            return silt_fail(SILT_BAD_ARGUMENT, "%s: %g stands behind %g; each is later than the last", name,
                             time, list->values[k - 1]);
        if (list == &p->share && time > 1.0)
            return silt_fail(SILT_BAD_ARGUMENT, "share: %g is beyond 1, the end of stage %d", time, number);
        if (list == &p->at && time > end)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "at: %g %s is beyond the end of stage %d (%s), which is %g %s", time, unit,
                             number, stage->model->name, end, unit);
    }
    return SILT_OK;
}

static SiltStatus check_one(const SiltRecipe *recipe, const Step *output)
{
    const SeriesOutput *p = output->params;
    if (silt_series_panels(output) == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a series needs the times of its panels, as in 'at: [0, 10, 20]'");
    if (p->at.count > 0 && p->share.count > 0)
        return silt_fail(SILT_BAD_ARGUMENT, "at and share are both given; one says when panels are taken");
    if (silt_series_panels(output) > SILT_MOST_PANELS)
        return silt_fail(SILT_BAD_ARGUMENT, "%d times; a series has %d panels at the most",
                         silt_series_panels(output), SILT_MOST_PANELS);
    int stage = stage_of(recipe, output);
    if (stage < 0 && p->stage > 0)
        return silt_fail(SILT_BAD_ARGUMENT, "stage = %d is none in which a model wears the terrain",
                         p->stage);
    if (stage < 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a series shows how a model wears the terrain, and no stage has one");
    const Step *shown = &recipe->stages[stage];
    if (((const SiltErodeOptions *)shown->params)->pyramid > 0)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "stage %d begins with fewer cells (pyramid), and a series shows terrains of one size", stage + 1);
    return check_times(p, shown, stage + 1);
}

SiltStatus silt_series_check(SiltRecipe *recipe, bool lax)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < recipe->output_count && status == SILT_OK; k++) {
        Step *output = &recipe->outputs[k];
        if (output->kind != &silt_output_series || output->skipped || output->fault)
            continue;
        status = check_one(recipe, output);
        if (status != SILT_OK)
            status = lax ? silt_step_take_fault(output, "") : silt_step_fail(recipe, output, status);
    }
    return status;
}

static SiltStatus check_file(const Step *step, const char *owner)
{
    SiltStatus status = SILT_OK;
    if (!silt_ends_with(step->subject, ".png") && !silt_ends_with(step->subject, ".ppm"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: a picture ends in .png or .ppm", owner, step->subject);
    status = silt_file_check(step->subject);
    return status == SILT_OK ? SILT_OK : silt_fail(status, "%s: %s", owner, silt_message());
}

// ---- panels ----

int silt_series_stage(const SiltRecipe *recipe, const Step *output)
{
    bool is_shown = output->kind == &silt_output_series && !output->skipped && !output->fault;
    return is_shown ? stage_of(recipe, output) : -1;
}

static bool shows(const Kitchen *kitchen, int output, int stage)
{
    return stage >= 0 && silt_series_stage(kitchen->recipe, &kitchen->recipe->outputs[output]) == stage;
}

static SiltStatus add_panel(const Kitchen *kitchen, int output, double time, const SiltTerrain *terrain,
                            const SiltParticles *particles)
{
    char words[2 * SILT_NAME_SIZE];
    const char *unit;
    end_of(&kitchen->recipe->stages[kitchen->at], &unit);
    // a step ends a little behind the moment that was asked for: three digits, and whole numbers beyond
    snprintf(words, sizeof words, fabs(time) < 100.0 ? "%.3g %s" : "%.0f %s", time, unit);
    return silt_series_add(kitchen->series[output], terrain, particles, words);
}

// The time of the next panel of an output; -1 behind the last.
static double next_time(const Kitchen *kitchen, int output)
{
    const Step *step = &kitchen->recipe->outputs[output];
    int next = silt_series_count(kitchen->series[output]);
    return next < silt_series_panels(step)
               ? time_of(step->params, &kitchen->recipe->stages[kitchen->at], next)
               : -1.0;
}

static SiltStatus take_moment(void *user, const SiltTerrain *terrain, const SiltParticles *particles,
                              int index)
{
    const Kitchen *kitchen = user;
    // it comes after whole steps, and so behind the time that was asked for
    bool timed = silt_step_duration(&kitchen->recipe->stages[kitchen->at]).time > 0.0;
    double time = kitchen->moments[index], taken = timed ? kitchen->time : (double)kitchen->steps;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < kitchen->recipe->output_count && status == SILT_OK; k++)
        while (status == SILT_OK && shows(kitchen, k, kitchen->at) && kitchen->series[k] &&
               next_time(kitchen, k) == time)
            status = add_panel(kitchen, k, taken, terrain, particles);
    return status;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The times of all series of a stage but its end, each once.
static SiltStatus gather_moments(Kitchen *kitchen, int stage)
{
    const SiltRecipe *recipe = kitchen->recipe;
    size_t most = 0;
    int count = 0;
    const char *unit;
    for (int k = 0; k < recipe->output_count; k++)
        most += shows(kitchen, k, stage) ? (size_t)silt_series_panels(&recipe->outputs[k]) : 0;
    double end = end_of(&recipe->stages[stage], &unit), *times = NULL;
    SiltStatus status = silt_alloc_for("a series", most, sizeof *times, (void **)&times);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < recipe->output_count; k++) {
        int panels = shows(kitchen, k, stage) ? silt_series_panels(&recipe->outputs[k]) : 0;
        for (int n = 0; n < panels; n++) {
            double time = time_of(recipe->outputs[k].params, &recipe->stages[stage], n);
            if (time < end)
                times[count++] = time;
        }
    }
    if (count > 1)
        qsort(times, (size_t)count, sizeof *times, by_size);
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (kept == 0 || times[k] > times[kept - 1])
            times[kept++] = times[k];
    kitchen->moments = times;
    kitchen->run.moments = times;
    kitchen->run.moment_count = kept;
    kitchen->run.moment = take_moment;
    return SILT_OK;
}

static void forget_moments(Kitchen *kitchen)
{
    kitchen->run.moment = NULL;
    kitchen->run.moments = NULL;
    kitchen->run.moment_count = 0;
    silt_free(kitchen->moments);
    kitchen->moments = NULL;
}

// ---- kept with the run ----

static SiltStatus begin_series(Kitchen *kitchen, int output)
{
    const Step *step = &kitchen->recipe->outputs[output];
    const SeriesOutput *p = step->params;
    SiltStatus status = SILT_OK;
    if (!kitchen->series)
        status = silt_alloc_for("a series", (size_t)kitchen->recipe->output_count, sizeof *kitchen->series,
                                (void **)&kitchen->series);
    return status == SILT_OK && !kitchen->series[output]
               ? silt_series_begin(step->options, p->columns, &kitchen->series[output])
               : status;
}

static uint64_t count_series(const SiltRecipe *recipe)
{
    uint64_t count = 0;
    for (int k = 0; k < recipe->output_count; k++)
        count += recipe->outputs[k].kind == &silt_output_series;
    return count;
}

// The panels that were taken so far, of every series that has begun: one after the other, wherever it stands
// among the outputs, for whoever goes on may want others too (--masks).
static void pack_series(void *context, SiltPack *pack)
{
    Kitchen *kitchen = context;
    const SiltRecipe *recipe = kitchen->recipe;
    if (!silt_pack_same(pack, count_series(recipe)) && pack->status == SILT_OK)
        pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is one of another recipe");
    for (int k = 0; k < recipe->output_count && pack->status == SILT_OK; k++) {
        if (recipe->outputs[k].kind != &silt_output_series)
            continue;
        uint8_t there = kitchen->series && kitchen->series[k];
        SILT_PACK(pack, there);
        if (pack->status != SILT_OK || !there)
            continue;
        if (silt_series_stage(recipe, &recipe->outputs[k]) < 0)
            pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is one of another recipe");
        else if (pack->reads)
            pack->status = begin_series(kitchen, k);
        if (pack->status == SILT_OK)
            silt_series_pack(kitchen->series[k], silt_series_panels(&recipe->outputs[k]), pack);
    }
}

SiltStatus silt_series_keep(Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    for (int k = 0; kitchen->writes && k < recipe->output_count; k++)
        if (silt_series_stage(recipe, &recipe->outputs[k]) >= 0)
            return silt_keep_note(kitchen->run.keeper, "series", pack_series, kitchen, false);
    return SILT_OK;
}

SiltStatus silt_series_go_on(Kitchen *kitchen)
{
    SiltPack pack;
    if (!kitchen->writes || !silt_keep_take(kitchen->run.keeper, "series", &pack))
        return SILT_OK;
    pack_series(kitchen, &pack);
    return pack.status;
}

// ---- around a stage ----

SiltStatus silt_series_watch(Kitchen *kitchen, int stage)
{
    const SiltRecipe *recipe = kitchen->recipe;
    SiltStatus status = SILT_OK;
    bool any = false;
    bool is_half = kitchen->goes_on && stage == kitchen->began_at;
    if (!kitchen->writes || !recipe->stages[stage].model)
        return SILT_OK;
    for (int k = 0; k < recipe->output_count && status == SILT_OK; k++) {
        if (!shows(kitchen, k, stage) || (is_half && !(kitchen->series && kitchen->series[k])))
            continue; // of a stage that is half done, panels that were not kept are lost
        status = begin_series(kitchen, k);
        any = true;
    }
    return status == SILT_OK && any ? gather_moments(kitchen, stage) : status;
}

SiltStatus silt_series_close(Kitchen *kitchen, int stage)
{
    SiltStatus status = SILT_OK;
    forget_moments(kitchen);
    for (int k = 0; kitchen->series && k < kitchen->recipe->output_count && status == SILT_OK; k++)
        if (kitchen->series[k] && shows(kitchen, k, stage))
            // its end, and all times after it had come to rest
            for (double time; status == SILT_OK && (time = next_time(kitchen, k)) >= 0.0;)
                status = add_panel(kitchen, k, time, kitchen->terrain, kitchen->particles);
    return status;
}

void silt_series_free(Kitchen *kitchen)
{
    forget_moments(kitchen);
    for (int k = 0; kitchen->series && k < kitchen->recipe->output_count; k++)
        silt_series_end(kitchen->series[k]);
    silt_free(kitchen->series);
    kitchen->series = NULL;
}

// ---- the output ----

static SiltStatus draw(const Step *step, Kitchen *kitchen)
{
    SiltSeries *series = kitchen->series ? kitchen->series[step - kitchen->recipe->outputs] : NULL;
    if (!series)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: the run was gone on with, and what this series shows of the time before was not "
            "kept; run the recipe from its beginning",
            step->subject);
    SiltImage image;
    SiltStatus status = silt_series_draw(series, &image);
    if (status != SILT_OK)
        return status;
    status = silt_make_folders(step->subject);
    if (status == SILT_OK)
        status = silt_image_write(&image, step->subject);
    silt_image_destroy(&image);
    return status;
}

const StageKind silt_output_series = {
    .info = {"outputs", "series", SILT_SUBJECT_OUTPUT,
             "moments of one stage side by side, with their times, all with the same camera",
             SILT_PARAM_TABLE(SeriesOutput, items), &silt_render_params, false},
    .check = check_file,
    .run = draw,
    .scratch = 4,
    .draws = true,
};
