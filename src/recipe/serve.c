// The outputs of a recipe, written when its stages are done or a run was stopped on the way.
#include <stdio.h>
#include <string.h>

#include "core/parallel.h"
#include "core/status.h"
#include "recipe/larder.h"
#include "recipe/recipe.h"
#include "silt/record.h"

// What an output says when it fails; the first failure is told.
typedef struct Failure {
    SiltStatus status;
    char message[2048];
} Failure;

// An output that a run did not come to before it was stopped.
static void note_unreached(Kitchen *kitchen, const Step *step)
{
    size_t used = strlen(kitchen->unreached);
    snprintf(kitchen->unreached + used, sizeof kitchen->unreached - used, "%s%.200s", used ? ", " : "",
             step->subject);
}

static void write_one(Kitchen *kitchen, const Step *step, Failure *first)
{
    SiltWritten files;
    silt_written_begin(&files);
    SiltStatus status = silt_step_fail(kitchen->recipe, step, step->kind->run(step, kitchen));
    silt_written_end(&files);
    if (status == SILT_OK && kitchen->larder && !kitchen->cancelled)
        silt_larder_note_output(kitchen, step, &files);
    silt_written_free(&files);
    if (status == SILT_OK || first->status != SILT_OK)
        return;
    first->status = status;
    snprintf(first->message, sizeof first->message, "%s", silt_message());
}

// A report tells of this run, and of the scales of masks that were written in it.
static bool is_told(const Kitchen *kitchen, const Step *step)
{
    return silt_output_reports(step) || (kitchen->recorder && strcmp(step->kind->info.name, "masks") == 0);
}

// The outputs that draw, or those that do not, in the order of the recipe; `done` counts both. Who has
// stopped a run does not wait for pictures.
static void write_some(Kitchen *kitchen, bool draws, int *done, Failure *first)
{
    const SiltRecipe *recipe = kitchen->recipe;
    for (int k = 0; k < recipe->output_count; k++) {
        const Step *step = &recipe->outputs[k];
        if (step->kind->draws != draws || step->skipped)
            continue;
        if (kitchen->larder && !kitchen->cancelled && !is_told(kitchen, step) &&
            silt_larder_has_output(kitchen, step)) {
            kitchen->kept_outputs++;
            (*done)++;
            continue;
        }
        if (!kitchen->cancelled)
            kitchen->cancelled = silt_run_progress(&kitchen->run, kitchen->label, (*done)++,
                                                   recipe->output_count, "files") == SILT_CANCELLED;
        if (kitchen->cancelled && (draws || !silt_output_is_reached(step, kitchen))) {
            note_unreached(kitchen, step);
            continue;
        }
        write_one(kitchen, step, first);
    }
}

// A report names all that was written, and what came after it in the list, and pictures, were not there yet.
static void write_reports_again(Kitchen *kitchen, Failure *first)
{
    const SiltRecipe *recipe = kitchen->recipe;
    bool is_last = true;
    for (int k = recipe->output_count - 1; k >= 0; k--) {
        const Step *step = &recipe->outputs[k];
        if (step->skipped)
            continue;
        if (silt_output_reports(step) && !is_last)
            write_one(kitchen, step, first);
        is_last = is_last && silt_output_reports(step);
    }
}

// Pictures come last: a graphics driver that takes the whole program down with it leaves all that was
// computed.
SiltStatus silt_kitchen_serve(Kitchen *kitchen)
{
    Failure first = {.status = SILT_OK};
    int done = 0;
    if (!kitchen->cancelled) // the message names the stage it was cancelled in
        strcpy(kitchen->label, "writing");
    write_some(kitchen, false, &done, &first);
    if (!kitchen->cancelled)
        strcpy(kitchen->label, "drawing");
    write_some(kitchen, true, &done, &first);
    write_reports_again(kitchen, &first);
    return first.status == SILT_OK ? SILT_OK : silt_fail(first.status, "%s", first.message);
}
