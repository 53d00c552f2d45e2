// silt render IN -o OUT.png, and silt view
#include "cli.h"

int run_render(const Arguments *arguments)
{
    if (!arguments->output)
        return report_usage("render", "say where the picture goes: -o FILE.png");
    SiltTerrain *terrain = NULL;
    SiltStatus status = silt_terrain_read(arguments->words[0], &arguments->read, &terrain);
    if (status == SILT_OK)
        status = silt_render_file(terrain, &arguments->render, arguments->output);
    silt_terrain_destroy(terrain);
    if (status != SILT_OK)
        return report_failure(status);
    if (!arguments->quiet)
        printf("%s\n", arguments->output);
    return 0;
}

int run_view(const Arguments *arguments)
{
    (void)arguments;
    fprintf(stderr, "silt: this version has no window yet; 'silt render IN -o OUT.png' draws a picture\n");
    return EXIT_FAILED;
}
