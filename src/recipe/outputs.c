// The words of `outputs`: files written, pictures drawn, and the folders they need.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/engine.h"
#include "io/output.h"
#include "recipe/recipe.h"
#include "recipe/series.h"
#include "recipe/sheet.h"
#include "silt/io.h"
#include "silt/masks.h"
#include "silt/record.h"
#include "silt/render.h"
#include "silt/rivers.h"

// Puts the step's place before what a check says.
static SiltStatus told_by(const char *owner, SiltStatus status)
{
    return status == SILT_OK ? SILT_OK : silt_fail(status, "%s: %s", owner, silt_message());
}

// ---- write ----

static bool is_all(const SiltWriteOptions *options)
{
    return strcmp(options->layer, "all") == 0;
}

static SiltStatus check_write(const Step *step, const char *owner)
{
    if (is_all(step->options) && !silt_ends_with(step->subject, ".exr"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: only an .exr file holds all layers", owner,
                         step->subject);
    SiltStatus status = silt_write_check(step->subject, step->options);
    return told_by(owner, status == SILT_OK ? silt_file_check(step->subject) : status);
}

static SiltStatus write_one(const Step *step, Kitchen *kitchen)
{
    const SiltWriteOptions *options = step->options;
    SiltStatus status = silt_make_folders(step->subject);
    return status == SILT_OK ? silt_terrain_write(kitchen->terrain, step->subject, options) : status;
}

// ---- render ----

static SiltStatus check_render(const Step *step, const char *owner)
{
    if (!silt_ends_with(step->subject, ".png") && !silt_ends_with(step->subject, ".ppm"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: a picture ends in .png or .ppm", owner, step->subject);
    return told_by(owner, silt_file_check(step->subject));
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
        if (recipe->outputs[k].kind->run == render && !recipe->outputs[k].skipped)
            return recipe->outputs[k].options;
    for (int k = 0; k < recipe->output_count; k++)
        if (silt_series_panels(&recipe->outputs[k]) > 0 && !recipe->outputs[k].skipped)
            return recipe->outputs[k].options;
    return NULL;
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
        return told_by(owner, status);
    silt_param_choice(&maps_items[0], p->format, ending);
    if (is_one_file(step) && strcmp(ending, maps_items[0].text) != 0 && strcmp(ending, "exr") != 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: format = %s: %s is one EXR file; name a folder for files of another format",
                         owner, ending, step->subject);
    snprintf(path, sizeof path, "height.%s", ending);
    const char *one = is_one_file(step) ? step->subject : path;
    status = silt_write_check(one, options);
    if (status == SILT_OK)
        status = is_one_file(step) ? silt_file_check(step->subject) : silt_folder_check(step->subject);
    return told_by(owner, status);
}

static SiltStatus write_maps(const Step *step, Kitchen *kitchen)
{
    const MapsOutput *p = step->params;
    char ending[SILT_NAME_SIZE];
    silt_param_choice(&maps_items[0], p->format, ending);
    return silt_terrain_write_maps(kitchen->terrain, step->subject, ending, step->options);
}

// ---- tiles ----

static const SiltParam tiles_items[] = {SILT_TILE_ITEMS("parts")};

static SiltStatus check_tiles(const Step *step, const char *owner)
{
    SiltStatus status = silt_tiles_check(step->subject, step->params, step->options);
    return told_by(owner, status == SILT_OK ? silt_file_check(step->subject) : status);
}

static SiltStatus write_tiles(const Step *step, Kitchen *kitchen)
{
    return silt_terrain_write_tiles(kitchen->terrain, step->subject, step->params, step->options, NULL);
}

// ---- masks ----

static SiltStatus check_masks(const Step *step, const char *owner)
{
    return told_by(owner, silt_masks_check(step->subject, step->options));
}

static SiltStatus write_masks(const Step *step, Kitchen *kitchen)
{
    char *json;
    const SiltRenderOptions *look = silt_recipe_look(kitchen->recipe);
    SiltMaskOptions options = *(const SiltMaskOptions *)step->options;
    if (look && isnan(options.snow)) // what the recipe's picture shows
        options.snow = look->snow;
    if (look && options.arid == 0.0)
        options.arid = look->arid;
    SiltStatus status = silt_masks_write(kitchen->terrain, step->subject, &options, &json);
    if (status != SILT_OK)
        return status;
    silt_free(kitchen->masks);
    kitchen->masks = json;
    return SILT_OK;
}

// ---- sheet ----

typedef struct SheetOutput {
    int columns;
    bool volumes, masks;
} SheetOutput;

static const SiltParam sheet_items[] = {
    SILT_INT(SheetOutput, columns, "", 4, 1, 64, "how many pictures stand in a row"),
    SILT_BOOL(SheetOutput, volumes, false, "draw every volume of rock that Silt makes, too"),
    SILT_BOOL(SheetOutput, masks, false, "draw the masks that the output `masks` writes, in grey, instead"),
};

static SiltStatus draw_sheet(const Step *step, Kitchen *kitchen)
{
    const SheetOutput *p = step->params;
    const SiltRenderOptions *options = step->options;
    SiltMaskOptions masks;
    SiltImage sheet;
    SiltStatus status = silt_params_init(&silt_mask_params, &masks);
    if (status != SILT_OK)
        return status;
    masks.snow = options->snow;
    masks.arid = options->arid;
    status = p->masks ? silt_sheet_masks(kitchen->terrain, &masks, options->width, p->columns, &sheet)
                      : silt_sheet_draw(kitchen->terrain, step->options, p->columns, p->volumes, &sheet);
    if (status != SILT_OK)
        return status;
    status = silt_make_folders(step->subject);
    if (status == SILT_OK)
        status = silt_image_write(&sheet, step->subject);
    silt_image_destroy(&sheet);
    return status;
}

// Whether a sheet shows masks.
static bool draws_masks(const Step *step)
{
    const SheetOutput *p = step->params;
    return step->kind->run == draw_sheet && p->masks;
}

bool silt_recipe_wants_totals(const SiltRecipe *recipe)
{
    for (int k = 0; k < recipe->output_count; k++)
        if (!recipe->outputs[k].skipped &&
            (recipe->outputs[k].kind->run == write_masks || draws_masks(&recipe->outputs[k])))
            return true;
    return false;
}

// ---- report ----

static SiltStatus check_report(const Step *step, const char *owner)
{
    if (!silt_ends_with(step->subject, ".json"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: a report ends in .json", owner, step->subject);
    return told_by(owner, silt_file_check(step->subject));
}

static SiltStatus write_report(const Step *step, Kitchen *kitchen)
{
    char *json = silt_recipe_report(kitchen);
    if (!json)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_make_folders(step->subject);
    if (kitchen->recorder)
        silt_recorder_pause(kitchen->recorder, true);
    if (status == SILT_OK)
        status = silt_write_file(step->subject, json, strlen(json));
    if (kitchen->recorder)
        silt_recorder_pause(kitchen->recorder, false);
    silt_free(json);
    return status;
}

bool silt_output_reports(const Step *step)
{
    return step->kind->run == write_report;
}

// ---- vectors ----

static SiltStatus check_vectors(const Step *step, const char *owner)
{
    SiltStatus status = silt_rivers_check(step->subject);
    return told_by(owner, status == SILT_OK ? silt_file_check(step->subject) : status);
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
    {.info = {"outputs", "tiles", SILT_SUBJECT_OUTPUT,
              "a layer in several files of one range that share their edges, or as an engine takes it",
              SILT_PARAM_TABLE(SiltTileOptions, tiles_items), &silt_write_params, false},
     .check = check_tiles,
     .run = write_tiles,
     .scratch = 3},
    {.info = {"outputs",
              "masks",
              SILT_SUBJECT_OUTPUT,
              "a folder of masks of 0 to 1, a splat map and a colour map for engines",
              {NULL, 0, 1},
              &silt_mask_params,
              false},
     .check = check_masks,
     .run = write_masks,
     .scratch = 40},
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
static const Section more = {"outputs", &silt_output_series, 1, NULL};

SiltStatus silt_recipe_add_masks(SiltRecipe *recipe, const char *folder, const SiltMaskOptions *options)
{
    const StageKind *kind = output_kinds;
    while (kind->run != write_masks)
        kind++;
    Step made = {.kind = kind}, *grown = NULL;
    snprintf(made.subject, sizeof made.subject, "%s", folder);
    SiltStatus status =
        silt_alloc_for("outputs", (size_t)recipe->output_count + 1, sizeof(Step), (void **)&grown);
    if (status == SILT_OK)
        status = silt_alloc_for("outputs", 1, 1, (void **)&made.words);
    made.params = status == SILT_OK ? silt_params_new(&kind->info.params) : NULL;
    made.options = status == SILT_OK ? silt_params_clone(&silt_mask_params, options) : NULL;
    if (status == SILT_OK && (!made.params || !made.options))
        status = SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = silt_masks_check(folder, made.options);
    if (status == SILT_OK)
        status = silt_output_differs(recipe, &made, recipe->output_count);
    if (status != SILT_OK) {
        silt_free(grown);
        silt_step_free(&made);
        return status;
    }
    if (recipe->output_count > 0)
        memcpy(grown, recipe->outputs, (size_t)recipe->output_count * sizeof *grown);
    grown[recipe->output_count] = made;
    silt_free(recipe->outputs);
    recipe->outputs = grown;
    recipe->output_count++;
    return SILT_OK;
}

// Whether the terrain has every layer that these name beyond what they name anyway.
static bool has_layers(const SiltTerrain *terrain, const SiltParamTable *table, const void *params)
{
    for (int k = 0; table && k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        const char *layer = (const char *)params + param->offset;
        bool is_named = param->type == SILT_TYPE_LAYER && layer[0] && strcmp(layer, param->text) != 0;
        if (is_named && strcmp(layer, "all") != 0 && !silt_terrain_layer(terrain, layer))
            return false;
    }
    return true;
}

bool silt_output_is_reached(const Step *output, const Kitchen *kitchen)
{
    const SiltStage *info = &output->kind->info;
    return has_layers(kitchen->terrain, &info->params, output->params) &&
           has_layers(kitchen->terrain, info->options, output->options);
}

const Section silt_section_outputs = {"outputs", output_kinds, sizeof output_kinds / sizeof output_kinds[0],
                                      &more};
