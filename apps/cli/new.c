// silt new KIND -o OUT
#include "cli.h"

int run_new(const Arguments *arguments)
{
    const SiltGenerator *generator = silt_generator_find(arguments->words[0]);
    if (!generator) {
        fprintf(stderr, "silt: %s\n", silt_message());
        return EXIT_USAGE;
    }
    if (!arguments->output && !arguments->maps)
        return report_usage("new", "say where the terrain goes: -o FILE");
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
    status = prepare_outputs(arguments);
    if (status == SILT_OK)
        status = silt_generate(generator, arguments->sized ? arguments->width : 1024,
                               arguments->sized ? arguments->height : 1024,
                               arguments->cell > 0.0 ? arguments->cell : 10.0, params, &watch.run, &terrain);
    watch_end(&watch);
    if (status == SILT_OK && arguments->output)
        status = silt_terrain_write(terrain, arguments->output, &arguments->write);
    if (status == SILT_OK && arguments->maps)
        status = silt_terrain_write_maps(terrain, arguments->maps, "tif", NULL);
    exit_status = status == SILT_OK ? 0 : report_failure(status);
    if (status == SILT_OK && arguments->frames && watch.frame_count == 0)
        fprintf(stderr, "silt: new %s: it does not grow step by step, so there are no frames\n",
                generator->name);
    if (status == SILT_OK)
        say_written(arguments, terrain, arguments->output ? arguments->output : arguments->maps);
done:
    silt_terrain_destroy(terrain);
    free_params(&generator->params, params);
    return exit_status;
}
