// The words of `outputs`: files written, pictures drawn, and the folders they need.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "recipe/recipe.h"
#include "recipe/sheet.h"
#include "silt/io.h"
#include "silt/render.h"
#include "silt/rivers.h"

// ---- folders ----

// Cuts `path` down to its nearest part that exists: "" is the current folder.
static void nearest_existing(char *path)
{
    struct stat info;
    while (path[0] && stat(path, &info) != 0) {
        char *slash = strrchr(path, '/');
        if (slash == path)
            slash++; // the root stays
        if (!slash || *slash == '\0')
            slash = path;
        *slash = '\0';
    }
}

// Whether `path` can be written: its folder, or what is there of it, takes new entries. Makes nothing.
static SiltStatus check_writable(const char *path, bool is_folder, const char *owner)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the name of a file or folder to write belongs here", owner);
    if (exists && !is_folder)
        return S_ISDIR(info.st_mode)
                   ? silt_fail(SILT_IO_ERROR, "%s: %s: is a directory, not a file to write", owner, path)
               : access(path, W_OK) != 0
                   ? silt_fail(SILT_IO_ERROR, "%s: %s: cannot write: %s", owner, path, strerror(errno))
                   : SILT_OK;
    char folder[SILT_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", path);
    nearest_existing(folder);
    const char *there = folder[0] ? folder : ".";
    if (stat(there, &info) != 0 || !S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: %s: %s is not a folder", owner, path, there);
    if (access(there, W_OK | X_OK) != 0)
        return silt_fail(SILT_IO_ERROR, "%s: %s: cannot write in %s: %s", owner, path, there,
                         strerror(errno));
    return SILT_OK;
}

// ---- endings ----

static bool ending_of(const char *path, const char *endings)
{
    const char *dot = strrchr(path, '.');
    char word[16];
    while (dot && sscanf(endings, "%15s", word) == 1) {
        char ending[sizeof word + 1];
        snprintf(ending, sizeof ending, ".%s", word);
        if (silt_ends_with(path, ending))
            return true;
        endings = strstr(endings, word) + strlen(word);
    }
    return false;
}

static SiltStatus check_format(const char *path, const char *owner)
{
    SiltText endings = {0};
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo format = silt_format_at(k);
        silt_text_addf(&endings, " %s", format.endings);
        if (!ending_of(path, format.endings))
            continue;
        silt_text_free(&endings);
        return format.writes ? SILT_OK
                             : silt_fail(SILT_MISSING_FEATURE,
                                         "%s: %s: this build writes no %s; install %s and build again", owner,
                                         path, format.name, format.package);
    }
    SiltStatus status = silt_fail(SILT_BAD_ARGUMENT, "%s: %s: no format has this ending; there are:%s", owner,
                                  path, endings.data ? endings.data : "");
    silt_text_free(&endings);
    return status;
}

// ---- write ----

static bool is_all(const SiltWriteOptions *options)
{
    return strcmp(options->layer, "all") == 0;
}

static SiltStatus check_options(const char *path, const Step *step, const char *owner)
{
    SiltStatus status = silt_write_check(path, step->options);
    return status == SILT_OK ? SILT_OK : silt_fail(status, "%s: %s", owner, silt_message());
}

static SiltStatus check_write(const Step *step, const char *owner)
{
    if (is_all(step->options) && !silt_ends_with(step->subject, ".exr"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: only an .exr file holds all layers", owner,
                         step->subject);
    SiltStatus status = check_format(step->subject, owner);
    if (status == SILT_OK)
        status = check_options(step->subject, step, owner);
    return status == SILT_OK ? check_writable(step->subject, false, owner) : status;
}

static SiltStatus write_one(const Step *step, Kitchen *kitchen)
{
    const SiltWriteOptions *options = step->options;
    if (kitchen->cancelled && !is_all(options) && !silt_terrain_layer(kitchen->terrain, options->layer))
        return SILT_OK; // the stage that makes it did not come to its turn
    SiltStatus status = silt_make_folders(step->subject);
    return status == SILT_OK ? silt_terrain_write(kitchen->terrain, step->subject, options) : status;
}

// ---- render ----

static SiltStatus check_render(const Step *step, const char *owner)
{
    if (!silt_ends_with(step->subject, ".png") && !silt_ends_with(step->subject, ".ppm"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: a picture ends in .png or .ppm", owner, step->subject);
    return check_writable(step->subject, false, owner);
}

static SiltStatus render(const Step *step, Kitchen *kitchen)
{
    SiltMotif motif = {.terrain = kitchen->terrain, .particles = kitchen->particles};
    SiltImage image;
    SiltStatus status = silt_make_folders(step->subject);
    if (status == SILT_OK)
        status = silt_render_motif(&motif, step->options, &image);
    if (status != SILT_OK)
        return status;
    status = silt_image_write(&image, step->subject);
    silt_image_destroy(&image);
    return status;
}

const SiltRenderOptions *silt_recipe_look(const SiltRecipe *recipe)
{
    for (int k = 0; k < recipe->output_count; k++)
        if (recipe->outputs[k].kind->run == render)
            return recipe->outputs[k].options;
    return NULL;
}

// ---- sheet ----

typedef struct SheetOutput {
    int columns;
    bool volumes;
} SheetOutput;

static const SiltParam sheet_items[] = {
    SILT_INT(SheetOutput, columns, "", 4, 1, 64, "how many pictures stand in a row"),
    SILT_BOOL(SheetOutput, volumes, false, "draw every volume of rock that Silt makes, too"),
};

static SiltStatus draw_sheet(const Step *step, Kitchen *kitchen)
{
    const SheetOutput *p = step->params;
    SiltImage sheet;
    SiltStatus status = silt_sheet_draw(kitchen->terrain, step->options, p->columns, p->volumes, &sheet);
    if (status != SILT_OK)
        return status;
    status = silt_make_folders(step->subject);
    if (status == SILT_OK)
        status = silt_image_write(&sheet, step->subject);
    silt_image_destroy(&sheet);
    return status;
}

// ---- maps ----

typedef struct MapsOutput {
    int format;
} MapsOutput;

static const SiltParam maps_items[] = {
    SILT_CHOICE(MapsOutput, format, "tif exr png npy asc raw pgm", "tif",
                "the format of the files in the folder, one a layer"),
};

// One file with a channel a layer, rather than a folder with a file a layer.
static bool is_one_file(const Step *step)
{
    return silt_ends_with(step->subject, ".exr");
}

static SiltStatus check_maps(const Step *step, const char *owner)
{
    const SiltWriteOptions *options = step->options;
    const MapsOutput *p = step->params;
    char ending[SILT_NAME_SIZE], path[SILT_NAME_SIZE + 8];
    if (strcmp(options->layer, "height") != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: maps are every layer; for one of them take 'write'", owner);
    SiltStatus status = silt_maps_check(step->subject);
    if (status != SILT_OK)
        return silt_fail(status, "%s: %s", owner, silt_message());
    silt_param_choice(&maps_items[0], p->format, ending);
    if (is_one_file(step) && strcmp(ending, maps_items[0].text) != 0 && strcmp(ending, "exr") != 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: format = %s: %s is one EXR file; name a folder for files of another format",
                         owner, ending, step->subject);
    snprintf(path, sizeof path, "height.%s", ending);
    const char *one = is_one_file(step) ? step->subject : path;
    status = check_format(one, owner);
    if (status == SILT_OK)
        status = check_options(one, step, owner);
    return status == SILT_OK ? check_writable(step->subject, !is_one_file(step), owner) : status;
}

static SiltStatus write_maps(const Step *step, Kitchen *kitchen)
{
    const MapsOutput *p = step->params;
    char ending[SILT_NAME_SIZE];
    silt_param_choice(&maps_items[0], p->format, ending);
    return silt_terrain_write_maps(kitchen->terrain, step->subject, ending, step->options);
}

// ---- report ----

static SiltStatus check_report(const Step *step, const char *owner)
{
    if (!silt_ends_with(step->subject, ".json"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: a report ends in .json", owner, step->subject);
    return check_writable(step->subject, false, owner);
}

static SiltStatus write_report(const Step *step, Kitchen *kitchen)
{
    char *json = silt_recipe_report(kitchen);
    if (!json)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_make_folders(step->subject);
    if (status == SILT_OK)
        status = silt_write_file(step->subject, json, strlen(json));
    silt_free(json);
    return status;
}

// ---- vectors ----

static SiltStatus check_vectors(const Step *step, const char *owner)
{
    SiltStatus status = silt_rivers_check(step->subject);
    if (status != SILT_OK)
        return silt_fail(status, "%s: %s", owner, silt_message());
    return check_writable(step->subject, false, owner);
}

static SiltStatus write_vectors(const Step *step, Kitchen *kitchen)
{
    SiltStatus status = silt_make_folders(step->subject);
    return status == SILT_OK ? silt_rivers_write(kitchen->terrain, step->options, step->subject) : status;
}

static const StageKind output_kinds[] = {
    {.info = {"outputs",
              "write",
              SILT_SUBJECT_OUTPUT,
              "a layer as a raster, or the surface as a mesh; the ending picks the format",
              {NULL, 0, 1},
              &silt_write_params,
              false},
     .check = check_write,
     .run = write_one,
     .scratch = 1},
    {.info =
         {"outputs", "render", SILT_SUBJECT_OUTPUT, "a picture", {NULL, 0, 1}, &silt_render_params, false},
     .check = check_render,
     .run = render,
     .scratch = 4,
     .draws = true},
    {.info = {"outputs", "sheet", SILT_SUBJECT_OUTPUT,
              "one picture of every layer but the height, each drawn as a terrain with its name",
              SILT_PARAM_TABLE(SheetOutput, sheet_items), &silt_render_params, false},
     .check = check_render,
     .run = draw_sheet,
     .scratch = 4,
     .draws = true},
    {.info = {"outputs", "maps", SILT_SUBJECT_OUTPUT,
              "every layer: a folder with a file each, or one .exr with a channel each",
              SILT_PARAM_TABLE(MapsOutput, maps_items), &silt_write_params, false},
     .check = check_maps,
     .run = write_maps,
     .scratch = 1},
    {.info = {"outputs",
              "vectors",
              SILT_SUBJECT_OUTPUT,
              "rivers as lines and lakes as polygons, as GeoJSON",
              {NULL, 0, 1},
              &silt_river_params,
              false},
     .check = check_vectors,
     .run = write_vectors,
     .scratch = 16},
    {.info = {"outputs",
              "report",
              SILT_SUBJECT_OUTPUT,
              "what was done, with the ledgers, as JSON",
              {NULL, 0, 1},
              NULL,
              false},
     .check = check_report,
     .run = write_report},
};
const Section silt_section_outputs = {"outputs", output_kinds, sizeof output_kinds / sizeof output_kinds[0],
                                      NULL};
