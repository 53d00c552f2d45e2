// silt run RECIPE
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
    status = silt_recipe_run(recipe, &watch.run, NULL, &json);
    watch_end(&watch);
    watch_warn_of_none(&watch, status);
    if (status != SILT_OK)
        exit_status = report_failure(status);
    if (json) {
        status = keep_report(arguments, json);
        if (status != SILT_OK)
            exit_status = report_failure(status);
    }
    for (int k = 0;
         exit_status == 0 && !arguments->quiet && !arguments->json && k < silt_recipe_output_count(recipe);
         k++)
        printf("%s\n", silt_recipe_output_at(recipe, k));
    silt_free(json);
    silt_recipe_destroy(recipe);
    return exit_status;
}
