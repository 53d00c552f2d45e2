// A complete small program: makes a terrain, wears it down, writes heights and a picture.
//     cc embed.c $(pkg-config --cflags --libs silt) -o embed && ./embed out.tif out.png
#include <inttypes.h>
#include <stdio.h>

#include <silt/erode.h>
#include <silt/generate.h>
#include <silt/io.h>
#include <silt/render.h>

static int complain(void)
{
    fprintf(stderr, "embed: %s\n", silt_message());
    return 1;
}

static bool watch(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)user;
    fprintf(stderr, "\r%s: %.0f of %.0f %s ", stage, done, total, unit);
    return true; // false stops the work
}

int main(int count, char **words)
{
    const char *heights = count > 1 ? words[1] : "terrain.pgm",
               *picture = count > 2 ? words[2] : "terrain.ppm";
    const SiltGenerator *noise = silt_generator_find("noise");
    const SiltModel *thermal = silt_model_find("thermal");
    if (!noise || !thermal)
        return complain();

    SiltRun run = {.seed = 42, .progress = watch};
    SiltTerrain *terrain;
    if (silt_generate(noise, 256, 256, 20.0, NULL, &run, &terrain) != SILT_OK)
        return complain();

    SiltReport report;
    SiltDuration duration = {.steps = 50};
    int status = 0;
    if (silt_erode(thermal, terrain, NULL, duration, &run, &report) != SILT_OK)
        status = complain();
    else if (silt_terrain_write(terrain, heights, NULL) != SILT_OK)
        status = complain();
    else if (silt_render_file(terrain, NULL, picture) != SILT_OK)
        status = complain();
    else
        printf("\n%g m3 of rock moved; the books are off by %g of it\n", report.ledger.rock.moved,
               silt_account_imbalance_fraction(&report.ledger.rock));
    silt_terrain_destroy(terrain);
    return status;
}
