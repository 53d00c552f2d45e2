// silt convert IN OUT: another format, size, part or side up.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// Puts *next, made with this status, in the place of *terrain, which is destroyed.
static SiltStatus replace(SiltTerrain **terrain, SiltStatus status, SiltTerrain **next)
{
    if (status != SILT_OK)
        return status;
    silt_terrain_destroy(*terrain);
    *terrain = *next;
    return SILT_OK;
}

static SiltStatus reshape(const Arguments *arguments, const int part[4], SiltDevice *device,
                          SiltTerrain **terrain)
{
    SiltTerrain *next = NULL;
    SiltStatus status = SILT_OK;
    if (arguments->crop)
        status =
            replace(terrain, silt_terrain_crop(*terrain, part[0], part[1], part[2], part[3], &next), &next);
    if (status == SILT_OK && arguments->sized)
        status = replace(
            terrain, silt_terrain_resample_on(device, *terrain, arguments->width, arguments->height, &next),
            &next);
    if (status == SILT_OK && arguments->flip) {
        bool x = strchr(arguments->flip, 'x') != NULL, y = strchr(arguments->flip, 'y') != NULL;
        status = replace(terrain, silt_terrain_flip(*terrain, x, y, &next), &next);
    }
    if (status == SILT_OK && arguments->rotate)
        status = replace(terrain, silt_terrain_rotate(*terrain, arguments->rotate / 90, &next), &next);
    return status;
}

// The size of a cell that was asked for: by --extent, or by --cell together with --size, which then is that
// of the result and not of what is read.
static void set_cell(const Arguments *arguments, SiltTerrain *terrain)
{
    double cell = arguments->extent / terrain->width;
    if (!(cell > 0.0) && arguments->sized && was_given(arguments, TAKES_READ, "cell"))
        cell = arguments->read.cell;
    if (!(cell > 0.0) || fabs(cell - terrain->cell) <= 1e-9 * cell)
        return;
    if (terrain->geo.placed)
        silt_warn("convert: cells of %g m in place of %g: the terrain has left its place on the map", cell,
                  terrain->cell);
    terrain->geo.placed = false;
    terrain->cell = cell;
}

// "I,J,WxH", all of them whole numbers that a grid can have.
static bool parse_crop(const char *text, int part[4])
{
    static const char after[] = {',', ',', 'x', '\0'};
    for (int k = 0; k < 4; k++) {
        char *end;
        long value = strtol(text, &end, 10);
        if (end == text || *end != after[k] || value < 0 || value > SILT_MAX_SIDE)
            return false;
        part[k] = (int)value;
        text = end + 1;
    }
    return true;
}

// In files of one range, as tiles or for an engine.
static SiltStatus write_tiles(const Arguments *arguments, const SiltTerrain *terrain, const char *output)
{
    char *said = NULL, *json = NULL;
    SiltStatus status = silt_terrain_write_tiles(terrain, output, &arguments->tile, &arguments->write,
                                                 arguments->json ? NULL : &said);
    if (status == SILT_OK && arguments->json)
        status = silt_tiles_json(output, &json);
    if (status == SILT_OK && arguments->json)
        status = answer_with_text(json);
    else if (status == SILT_OK && !arguments->quiet)
        say("%s: %s", output, said);
    silt_free(said);
    silt_free(json);
    return status;
}

// In the size of what is written, which an engine may have chosen.
static SiltStatus write_masks_beside(const Arguments *arguments, const SiltTerrain *terrain, bool tiled,
                                     const char *output)
{
    SiltTerrain *fitted = NULL;
    int size[2] = {terrain->width, terrain->height};
    SiltStatus status = SILT_OK;
    if (tiled && arguments->masks)
        status = silt_tiles_size(terrain, output, &arguments->tile, &arguments->write, size);
    if (status == SILT_OK && (size[0] != terrain->width || size[1] != terrain->height))
        status = silt_terrain_resample(terrain, size[0], size[1], &fitted);
    if (status == SILT_OK)
        status = write_masks(arguments, fitted ? fitted : terrain);
    silt_terrain_destroy(fitted);
    return status;
}

static int convert_heights(const Arguments *arguments, const int part[4], bool tiled, const char *output,
                           SiltDevice *device)
{
    SiltTerrain *terrain = NULL;
    SiltStatus status = arguments->masks ? silt_masks_check(arguments->masks, &arguments->mask) : SILT_OK;
    if (status == SILT_OK && tiled)
        status = silt_tiles_check(output, &arguments->tile, &arguments->write);
    if (status == SILT_OK)
        status = silt_make_folders(output);
    if (status == SILT_OK)
        status = prepare_masks(arguments);
    if (status == SILT_OK)
        status = read_any(arguments->words[0], &arguments->read, &terrain);
    if (status == SILT_OK)
        status = reshape(arguments, part, device, &terrain);
    if (status == SILT_OK)
        set_cell(arguments, terrain);
    if (status == SILT_OK)
        status = tiled ? write_tiles(arguments, terrain, output)
                       : silt_terrain_write(terrain, output, &arguments->write);
    if (status == SILT_OK)
        status = write_masks_beside(arguments, terrain, tiled, output);
    int exit_status = status == SILT_OK ? 0 : report_failure(status);
    if (status == SILT_OK && !tiled)
        say_written(arguments, terrain, output);
    silt_terrain_destroy(terrain);
    return exit_status;
}

int run_convert(const Arguments *arguments)
{
    int part[4] = {0};
    if (arguments->crop && !parse_crop(arguments->crop, part))
        return report_usage("convert", "--crop takes I,J,WxH, not '%.60s'", arguments->crop);
    if (arguments->flip && strspn(arguments->flip, "xy") != strlen(arguments->flip))
        return report_usage("convert", "--flip takes x, y or xy, not '%.60s'", arguments->flip);
    if (arguments->rotate % 90 != 0)
        return report_usage("convert", "--rotate takes quarter turns: 90, 180 or 270 degrees");
    const char *output = arguments->word_count == 2 ? arguments->words[1] : arguments->output;
    if (!output || (arguments->word_count == 2 && arguments->output))
        return report_usage("convert", "say one file to read and one to write");
    bool tiled = was_given(arguments, TAKES_TILES, NULL);
    if (tiled && (converts_volume(arguments->words[0], output) || silt_path_is_mesh(output)))
        return report_usage("convert", "tiles are of heights, from and to rasters");
    if (arguments->masks && converts_volume(arguments->words[0], output))
        return report_usage("convert", "--masks are of heights; write them from a file of heights");
    if (arguments->device && (!arguments->sized || converts_volume(arguments->words[0], output)))
        return report_usage("convert", "--device is for the --size of heights: nothing else is done there");
    if (tiled ? silt_tiles_writes(output, &arguments->tile, &arguments->write, arguments->words[0])
              : silt_path_same(arguments->words[0], output))
        return report_usage("convert", "%.200s is read: what is written needs another name",
                            arguments->words[0]);
    if (tiled ? !tiles_differ("convert", arguments, output) : !outputs_differ("convert", arguments, output))
        return EXIT_USAGE;
    bool is_volume = converts_volume(arguments->words[0], output);
    if (!is_volume && !heights_can_give("convert", arguments))
        return EXIT_USAGE;
    if (!is_volume)
        volume_warn_unused("convert", arguments, FROM_HEIGHTS, output, ~0u);
    Watch watch;
    if (!watch_begin(arguments, &watch))
        return EXIT_USAGE;
    int exit_status = is_volume ? convert_volume(arguments, output)
                                : convert_heights(arguments, part, tiled, output, watch.run.device);
    watch_end(&watch);
    return exit_status;
}
