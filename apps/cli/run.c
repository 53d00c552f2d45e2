// silt run RECIPE
#include <string.h>

#include "cli.h"

static int show_plan(const SiltRecipe *recipe)
{
    char *plan;
    SiltStatus status = silt_recipe_plan(recipe, &plan);
    if (plan) // also when it says that memory is short
        fputs(plan, stdout);
    silt_free(plan);
    return status == SILT_OK ? 0 : report_failure(status);
}

static SiltStatus keep_report(const Arguments *arguments, const char *json)
{
    if (arguments->json)
        printf("%s\n", json);
    if (!arguments->report)
        return SILT_OK;
    SiltText text = {0};
    silt_text_addf(&text, "%s\n", json);
    SiltStatus status =
        text.failed ? SILT_NO_MEMORY : silt_write_file(arguments->report, text.data, text.length);
    silt_text_free(&text);
    return status;
}

static SiltStatus begin_keeping(const Arguments *arguments, const SiltRecipe *recipe, SiltRun *run,
                                SiltCheckpoint **out)
{
    char path[SILT_PATH_SIZE];
    const char *slash = strrchr(arguments->words[0], '/'), *name = slash ? slash + 1 : arguments->words[0];
    snprintf(path, sizeof path, "%.*s.silt", (int)(strcspn(name, ".") % 900), name);
    const char *changed = arguments->kept ? silt_checkpoint_changed_input(arguments->kept) : NULL;
    if (changed)
        return silt_fail(SILT_BAD_FILE,
                         "%s: it has changed since the run was kept; bring it back, or begin anew", changed);
    SiltStatus status = keep_begin("run", arguments, path, run, out);
    bool asked =
        arguments->checkpoint || arguments->resume; // else they are not read twice for a mere perhaps
    for (int k = 0; asked && k < silt_recipe_input_count(recipe) && status == SILT_OK; k++)
        status = silt_checkpoint_add_input(*out, silt_recipe_input_at(recipe, k));
    char *text = status == SILT_OK ? recipe_text(arguments) : NULL;
    if (text)
        status = silt_checkpoint_set_text(*out, "recipe", text);
    silt_free(text);
    return status;
}

int run_recipe(const Arguments *arguments)
{
    SiltRecipe *recipe = NULL;
    SiltStatus status = read_recipe(arguments, &recipe);
    if (status != SILT_OK)
        return report_failure(status);
    int exit_status = 0;
    const char *path = arguments->words[0];
    if (!outputs_keep("run", arguments, &path, 1)) {
        silt_recipe_destroy(recipe);
        return EXIT_USAGE;
    }
    if (arguments->masks)
        status = silt_recipe_add_masks(recipe, arguments->masks, &arguments->mask);
    if (status != SILT_OK) {
        silt_recipe_destroy(recipe);
        return report_failure(status);
    }
    if (arguments->dry_run) {
        exit_status = show_plan(recipe);
        silt_recipe_destroy(recipe);
        return exit_status;
    }
    Watch watch;
    char *json = NULL;
    if (!watch_begin(arguments, &watch)) {
        silt_recipe_destroy(recipe);
        return EXIT_USAGE;
    }
    watch.wears = true;
    SiltCheckpoint *checkpoint = NULL;
    uint64_t bytes;
    if (silt_recipe_bytes(recipe, &bytes))
        say_memory(arguments, path, bytes, silt_memory_available());
    status = begin_keeping(arguments, recipe, &watch.run, &checkpoint);
    if (status == SILT_OK)
        status = silt_recipe_run(recipe, &watch.run, NULL, &json);
    SiltStatus ran = status;
    watch_end(&watch);
    watch_warn_of_none(&watch, status);
    if (status != SILT_OK)
        exit_status = report_failure(status);
    if (json) {
        status = keep_report(arguments, json);
        if (status != SILT_OK)
            exit_status = report_failure(status);
    }
    keep_end("run", checkpoint, ran);
    for (int k = 0;
         exit_status == 0 && !arguments->quiet && !arguments->json && k < silt_recipe_output_count(recipe);
         k++)
        printf("%s\n", silt_recipe_output_at(recipe, k));
    silt_free(json);
    silt_recipe_destroy(recipe);
    return exit_status;
}
