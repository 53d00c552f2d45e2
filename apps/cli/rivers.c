// silt rivers IN -o rivers.geojson
#include "cli.h"

int run_rivers(const Arguments *arguments)
{
    if (!arguments->output)
        return report_usage("rivers", "say where the rivers go: -o FILE.geojson");
    SiltTerrain *terrain = NULL;
    SiltStatus status = silt_terrain_read(arguments->words[0], &arguments->read, &terrain);
    if (status == SILT_OK)
        status = silt_rivers_write(terrain, &arguments->rivers, arguments->output);
    silt_terrain_destroy(terrain);
    if (status != SILT_OK)
        return report_failure(status);
    if (!arguments->quiet)
        printf("%s\n", arguments->output);
    return 0;
}
