// silt new KIND -o OUT
#include <string.h>

#include "cli.h"

// Everything that can be made: of two that are as near the one in which the name begins.
static const char *kind_at(const void *context, int index)
{
    (void)context;
    return index < silt_volume_shape_count() ? silt_volume_shape_at(index)->name
                                             : silt_generator_at(index - silt_volume_shape_count())->name;
}

static int refuse_kind(const char *name)
{
    int count = silt_volume_shape_count() + silt_generator_count();
    const char *nearest = silt_nearest_name(name, kind_at, NULL, count);
    char hint[80];
    for (int k = 0; k < count && strlen(name) > 2; k++)
        if (strncmp(kind_at(NULL, k), name, strlen(name)) == 0)
            nearest = kind_at(NULL, k);
    silt_suggestion(nearest, hint, sizeof hint);
    complain("there is no generator '%.60s'%s", name, hint[0] ? hint : "; 'silt list' shows them all");
    return EXIT_USAGE;
}

int run_new(const Arguments *arguments)
{
    const SiltVolumeShape *shape = silt_volume_shape_find(arguments->words[0]);
    if (shape)
        return run_new_volume(arguments, shape);
    const SiltGenerator *generator = silt_generator_find(arguments->words[0]);
    if (!generator)
        return refuse_kind(arguments->words[0]);
    if (!arguments->output && !arguments->maps)
        return report_usage("new", "say where the terrain goes: -o FILE");
    bool as_volume = arguments->output && silt_path_is_volume(arguments->output);
    if (!as_volume && !heights_can_give("new", arguments))
        return EXIT_USAGE;
    char owner[64];
    snprintf(owner, sizeof owner, "new %s", generator->name);
    void *params = make_params(&generator->params, owner, arguments);
    if (!params)
        return EXIT_FAILED;
    Watch watch;
    SiltTerrain *terrain = NULL;
    SiltStatus status = SILT_OK;
    int exit_status = EXIT_USAGE;
    if (!watch_begin(arguments, &watch))
        goto done;
    volume_warn_unused("new", arguments, FROM_HEIGHTS, arguments->output ? arguments->output : "", ~0u);
    status = prepare_outputs(arguments);
    if (status == SILT_OK)
        status = silt_generate(generator, arguments->sized ? arguments->width : 1024,
                               arguments->sized ? arguments->height : 1024,
                               arguments->cell > 0.0 ? arguments->cell : 10.0, params, &watch.run, &terrain);
    watch_end(&watch);
    frames_clear(arguments, &watch, watch.frame_count > 0 ? status : SILT_BAD_ARGUMENT);
    if (status == SILT_OK && arguments->output)
        status = as_volume ? write_heights_as_volume(arguments, terrain, arguments->output)
                           : silt_terrain_write(terrain, arguments->output, &arguments->write);
    if (status == SILT_OK && arguments->maps)
        status = silt_terrain_write_maps(terrain, arguments->maps, "tif", NULL);
    if (status == SILT_OK)
        status = write_masks(arguments, terrain);
    exit_status = status == SILT_OK ? 0 : report_failure(status);
    if (status == SILT_OK && arguments->frames && watch.frame_count == 0)
        fprintf(stderr, "silt: new %s: it does not grow step by step, so there are no frames\n",
                generator->name);
    if (status == SILT_OK && !as_volume)
        say_written(arguments, terrain, arguments->output ? arguments->output : arguments->maps);
done:
    silt_terrain_destroy(terrain);
    free_params(&generator->params, params);
    return exit_status;
}
