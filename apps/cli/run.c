// silt run RECIPE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static int show_plan(const Arguments *arguments, const SiltRecipe *recipe)
{
    char *plan;
    SiltStatus status = (arguments->json ? silt_recipe_plan_json : silt_recipe_plan)(recipe, &plan);
    if (plan && arguments->json) // also when it says that memory is short
        answer_with_text(plan);
    else if (plan)
        say("%s", plan);
    silt_free(plan);
    return status == SILT_OK ? 0 : report_failure(status);
}

static SiltStatus keep_report(const Arguments *arguments, const char *json)
{
    SiltStatus status = arguments->json ? answer_with_text(json) : SILT_OK;
    return status == SILT_OK && arguments->report ? write_report(arguments->report, json) : status;
}

// What the recipe's own names stand for, where the command line says so.
static SiltStatus keep_defines(const SiltRecipe *recipe, SiltCheckpoint *checkpoint)
{
    SiltText all = {0};
    silt_text_add(&all, "");
    for (int k = 0; k < silt_recipe_define_count(recipe); k++) {
        SiltDefine define = silt_recipe_define_at(recipe, k);
        SiltText line = {0};
        silt_text_addf(&line, "%s=%s", define.name, define.value);
        if (line.failed)
            all.failed = true;
        else if (strcmp(define.value, define.preset) != 0)
            silt_text_add_line(&all, line.data);
        silt_text_free(&line);
    }
    SiltStatus status =
        all.failed ? SILT_NO_MEMORY : silt_checkpoint_set_text(checkpoint, "defines", all.data);
    silt_text_free(&all);
    return status;
}

// All that have changed by name, as far as there is room.
static SiltStatus inputs_are_as_they_were(const Arguments *arguments, const SiltRecipe *recipe)
{
    enum { MOST_NAMED = 4 };
    SiltText names = {0};
    int changed = 0;
    for (int k = 0; arguments->kept && k < silt_recipe_input_count(recipe); k++) {
        const char *path = silt_recipe_input_at(recipe, k);
        if (silt_recipe_input_is_wanted(recipe, k) && silt_checkpoint_has_changed(arguments->kept, path) &&
            changed++ < MOST_NAMED)
            silt_text_addf(&names, "%s%.200s", changed > 1 ? ", " : "", path);
    }
    if (changed > MOST_NAMED)
        silt_text_addf(&names, " and %d more", changed - MOST_NAMED);
    SiltStatus status = SILT_OK;
    if (names.failed)
        status = SILT_NO_MEMORY;
    else if (changed > 0)
        status =
            silt_fail(SILT_BAD_FILE, "%s: %s changed since the run was kept; bring %s back, or begin anew",
                      names.data, changed > 1 ? "they have" : "it has", changed > 1 ? "them" : "it");
    silt_text_free(&names);
    return status;
}

// What was read before the run was kept; the run notes all others.
static SiltStatus record_inputs_then(const Arguments *arguments, const SiltRecipe *recipe,
                                     SiltRecorder *recorder)
{
    SiltStatus status = SILT_OK;
    bool known;
    for (int k = 0; arguments->kept && k < silt_recipe_input_count(recipe) && status == SILT_OK; k++)
        status = record_input_was(arguments, recorder, silt_recipe_input_at(recipe, k), &known);
    return status;
}

static SiltStatus begin_keeping(const Arguments *arguments, const SiltRecipe *recipe, SiltRun *run,
                                SiltCheckpoint *checkpoint)
{
    char path[SILT_PATH_SIZE];
    const char *slash = strrchr(arguments->words[0], '/'), *name = slash ? slash + 1 : arguments->words[0];
    snprintf(path, sizeof path, "%.*s.silt", (int)(strcspn(name, ".") % 900), name);
    SiltStatus same = inputs_are_as_they_were(arguments, recipe);
    if (same != SILT_OK)
        return same;
    if (arguments->kept && recipe_now(arguments) == RECIPE_OTHER)
        silt_warn("%s: the recipe has changed since; the run goes on with the recipe as it was",
                  arguments->words[0]);
    SiltStatus status = keep_begin("run", arguments, path, run, checkpoint);
    for (int k = 0; k < silt_recipe_input_count(recipe) && status == SILT_OK; k++)
        status = silt_checkpoint_add_input(checkpoint, silt_recipe_input_at(recipe, k));
    if (status == SILT_OK)
        status = keep_defines(recipe, checkpoint);
    return status == SILT_OK ? silt_checkpoint_set_text(checkpoint, "recipe", silt_recipe_text(recipe))
                             : status;
}

// ---- what earlier runs left ----

// Results that took less than this to make are made again, s; of a recipe that somebody waits for, at once.
static const double quick = 0.5, quick_watched = 0.03;
static const uint64_t larder_bytes = (uint64_t)4 << 30;

// None where each stage is wanted, or the user wants none: SILT_CACHE is a folder, or "off".
static SiltLarder *open_larder(const Arguments *arguments)
{
    const char *folder = getenv("SILT_CACHE");
    SiltLarder *larder = NULL;
    bool wanted = !arguments->fresh && !arguments->checkpoint && !arguments->kept && !arguments->again &&
                  (!folder || strcmp(folder, "off") != 0);
    if (wanted)
        silt_larder_open(folder && folder[0] ? folder : NULL, larder_bytes,
                         arguments->watch ? quick_watched : quick, &larder);
    return larder; // a run without one takes longer, no more
}

static void say_kept(const Arguments *arguments, const SiltRecipe *recipe, const SiltKept *kept)
{
    int outputs = silt_recipe_output_count(recipe);
    if (arguments->quiet || arguments->json)
        return;
    if (kept->all) {
        say("nothing has changed since the last run: the output%s as it left %s (--fresh: all anew)\n",
            outputs == 1 ? " is" : "s are", outputs == 1 ? "it" : "them");
        return;
    }
    if (kept->stage >= 0)
        say("kept from an earlier run: the terrain and its stages up to %d (--fresh: all anew)\n",
            kept->stage + 1);
    else if (kept->stage == -1)
        say("kept from an earlier run: the terrain (--fresh: all anew)\n");
    if (kept->outputs > 0)
        say("%d of %d outputs are as they were\n", kept->outputs, outputs);
}

// ---- one run ----

static int run_once(const Arguments *arguments, SiltRecipe *recipe, SiltCheckpoint *checkpoint)
{
    Watch watch;
    char *json = NULL;
    if (!watch_begin(arguments, &watch)) {
        silt_checkpoint_destroy(checkpoint);
        return EXIT_USAGE;
    }
    watch.wears = true;
    int exit_status = 0;
    SiltKept kept = {.stage = -2};
    SiltLarder *larder = open_larder(arguments);
    SiltStatus status = record_begin("run", arguments, &watch.run);
    if (status == SILT_OK && !arguments->again)
        status = begin_keeping(arguments, recipe, &watch.run, checkpoint);
    if (status == SILT_OK)
        status = record_inputs_then(arguments, recipe, watch.run.recorder);
    bool asked = arguments->report || arguments->json;
    uint64_t bytes;
    if (silt_recipe_bytes_reported(recipe, asked, &bytes))
        say_memory(arguments, arguments->words[0], bytes, silt_memory_available());
    if (status == SILT_OK)
        status = silt_recipe_run_kept(recipe, &watch.run, larder, &kept, NULL, asked ? &json : NULL);
    SiltStatus ran = status;
    fit_remedy(arguments, status);
    watch_end(&watch);
    frames_end(arguments, &watch, status);
    if (status != SILT_OK)
        exit_status = report_failure(status);
    else
        say_kept(arguments, recipe, &kept);
    if (json) {
        status = keep_report(arguments, json);
        if (status != SILT_OK)
            exit_status = report_failure(status);
    }
    silt_recorder_destroy(watch.run.recorder);
    status = ran == SILT_OK ? status : ran;
    keep_end("run", arguments, checkpoint, status, status != SILT_OK && recipe_needs_trust(recipe));
    for (int k = 0;
         exit_status == 0 && !arguments->quiet && !arguments->json && k < silt_recipe_output_count(recipe);
         k++)
        say("%s\n", silt_recipe_output_at(recipe, k));
    silt_larder_close(larder);
    silt_free(json);
    return exit_status;
}

// When and how large the recipe and all that it reads are: another number when one of them changes.
static uint64_t look_at_files(const char *file, const SiltRecipe *recipe)
{
    uint64_t mark = 0;
    int count = recipe ? silt_recipe_input_count(recipe) : 0;
    for (int k = -1; k < count; k++) {
        struct stat info = {0};
        stat(k < 0 ? file : silt_recipe_input_at(recipe, k), &info);
        uint64_t values[] = {(uint64_t)info.st_mtim.tv_sec, (uint64_t)info.st_mtim.tv_nsec,
                             (uint64_t)info.st_size, (uint64_t)info.st_ino};
        for (size_t n = 0; n < sizeof values / sizeof values[0]; n++)
            mark = (mark ^ values[n]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    }
    return mark;
}

// `mark` takes what the recipe and its files look like before anything is done with them.
static int read_and_run(const Arguments *arguments, SiltRecipe **recipe, uint64_t *mark)
{
    char file[SILT_PATH_SIZE];
    SiltStatus status = read_recipe(arguments, true, recipe);
    recipe_file(arguments, file);
    *mark = look_at_files(file, *recipe);
    if (!recipe_lies_here(arguments, *recipe))
        return EXIT_USAGE;
    if (status != SILT_OK)
        return report_failure(status);
    if (!recipe_inputs_stay("run", arguments, *recipe))
        return EXIT_USAGE;
    if (arguments->masks)
        status = silt_recipe_add_masks(*recipe, arguments->masks, &arguments->mask);
    if (status != SILT_OK)
        return report_failure(status);
    if (!report_is_free("run", arguments, *recipe) || !checkpoint_is_free("run", arguments, *recipe))
        return EXIT_USAGE;
    if (arguments->dry_run)
        return checkpoint_spares("run", arguments) ? show_plan(arguments, *recipe) : EXIT_USAGE;
    SiltCheckpoint *checkpoint;
    if (!keep_claim("run", arguments, &checkpoint))
        return EXIT_USAGE;
    status = prepare_masks(arguments);
    if (status == SILT_OK && arguments->report)
        status = prepare_file(arguments->report);
    if (status == SILT_OK)
        return run_once(arguments, *recipe, checkpoint);
    silt_checkpoint_destroy(checkpoint);
    return report_failure(status);
}

// ---- again and again ----

// A recipe that cannot be read, or fails, waits for its next change too; one that is not there is a slip of
// the pen.
static int watch_recipe(const Arguments *arguments)
{
    char file[SILT_PATH_SIZE], shown[SILT_PATH_SIZE];
    recipe_file(arguments, file);
    strcpy(shown, file);
    silt_text_disarm(shown, false);
    bool is_there = access(file, F_OK) == 0;
    for (;;) {
        SiltRecipe *recipe = NULL;
        uint64_t first = look_at_files(file, NULL);
        forget_said();
        silt_inputs_release();
        uint64_t mark;
        int exit_status = read_and_run(arguments, &recipe, &mark);
        if (exit_status >= 128 || !is_there) {
            silt_recipe_destroy(recipe);
            return exit_status;
        }
        fflush(stdout);
        watch_keep(false);
        watch_wait(true);
        if (!arguments->quiet)
            fprintf(stderr, "silt: run: waiting for %s to change; Ctrl-C ends it\n", shown);
        while (look_at_files(file, recipe) == mark && look_at_files(file, NULL) == first)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        // whoever writes it may not be done
        nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
        watch_wait(false);
        silt_recipe_destroy(recipe);
    }
}

int run_recipe(const Arguments *arguments)
{
    if (arguments->watch && arguments->json)
        return report_usage("run", "--watch has no end, and so no one answer: no --json");
    if (arguments->watch && (arguments->dry_run || arguments->checkpoint || arguments->kept))
        return report_usage("run", "--watch does not go with --dry-run, --checkpoint and --resume");
    if (arguments->watch)
        return watch_recipe(arguments);
    SiltRecipe *recipe = NULL;
    uint64_t mark;
    int exit_status = read_and_run(arguments, &recipe, &mark);
    silt_recipe_destroy(recipe);
    return exit_status;
}
