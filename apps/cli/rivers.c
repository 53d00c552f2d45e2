// silt rivers IN -o rivers.gpkg --lakes lakes.geojson --maps DIR
#include <math.h>

#include "cli.h"

// Drainage, discharge, slope, order of streams, basins and lakes as layers, the ground left as it is.
static SiltStatus write_maps(const Arguments *arguments, SiltTerrain *terrain)
{
    const SiltRiverOptions *options = &arguments->rivers;
    SiltDrainageOptions how = {.has_sea = !isnan(options->sea_level),
                               .sea_level = options->sea_level,
                               .multiple = options->multiple};
    SiltDrainage *drainage;
    SiltStatus status = silt_drainage_create(terrain, &how, &drainage);
    if (status != SILT_OK)
        return status;
    status = silt_rivers_map(drainage, terrain, options, terrain);
    if (status == SILT_OK)
        status = silt_rivers_analyse(drainage, options, terrain);
    silt_drainage_destroy(drainage);
    return status == SILT_OK ? silt_terrain_write_maps(terrain, arguments->maps, "tif", NULL) : status;
}

static void say_files(const Arguments *arguments)
{
    if (arguments->quiet && !arguments->json)
        return;
    if (!arguments->json) {
        const char *paths[] = {arguments->output, arguments->lakes, arguments->maps};
        for (int k = 0; k < 3; k++)
            if (paths[k])
                say("%s\n", paths[k]);
        return;
    }
    SiltText text = {0};
    add_member(&text, "rivers", arguments->output);
    add_member(&text, "lakes", arguments->lakes);
    add_member(&text, "maps", arguments->maps);
    silt_text_add(&text, "}");
    answer_with(&text);
}

// All that would be refused is refused before the first file is written.
static SiltStatus check_targets(const Arguments *arguments)
{
    const char *files[] = {arguments->output, arguments->lakes};
    SiltStatus status = SILT_OK;
    for (int k = 0; k < 2 && status == SILT_OK; k++) {
        if (!files[k])
            continue;
        status = silt_rivers_check(files[k]);
        if (status == SILT_OK)
            status = prepare_file(files[k]);
    }
    return status == SILT_OK && arguments->maps ? prepare_maps(arguments->maps) : status;
}

int run_rivers(const Arguments *arguments)
{
    if (!arguments->output && !arguments->maps && !arguments->lakes)
        return report_usage("rivers", "say where the rivers go: -o FILE.geojson or FILE.gpkg, or --maps DIR");
    SiltTerrain *terrain = NULL;
    SiltStatus status = check_targets(arguments);
    if (status == SILT_OK)
        status = read_any(arguments->words[0], &arguments->read, &terrain);
    if (status == SILT_OK && (arguments->output || arguments->lakes))
        status = silt_rivers_write_apart(terrain, &arguments->rivers, arguments->output, arguments->lakes);
    if (status == SILT_OK && arguments->maps)
        status = write_maps(arguments, terrain);
    silt_terrain_destroy(terrain);
    if (status != SILT_OK)
        return report_failure(status);
    say_files(arguments);
    return 0;
}
