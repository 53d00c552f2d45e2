// The terrain as a whole: where a recipe begins, made or read, and the stages that cut it or give it other
// cells.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "io/format.h"
#include "recipe/recipe.h"
#include "silt/checkpoint.h"
#include "silt/io.h"

// ---- small previews ----

// The size a terrain of so many cells has in this kitchen: the same shape in fewer cells, where a preview is
// wanted.
static void shrink(Kitchen *kitchen, const int wanted[2], int size[2])
{
    int longest = wanted[0] > wanted[1] ? wanted[0] : wanted[1];
    bool fits = kitchen->longest_side <= 0 || longest <= kitchen->longest_side;
    double factor = fits ? 1.0 : (double)kitchen->longest_side / longest;
    for (int k = 0; k < 2; k++) {
        int cells = (int)floor(wanted[k] * factor + 0.5);
        kitchen->nominal[k] = wanted[k];
        size[k] = fits ? wanted[k] : cells < 1 ? 1 : cells;
    }
}

double silt_kitchen_shrunk(const Kitchen *kitchen, int axis)
{
    int cells = axis == 0 ? kitchen->terrain->width : kitchen->terrain->height;
    return kitchen->longest_side > 0 ? (double)cells / kitchen->nominal[axis] : 1.0;
}

static SiltStatus replace(Kitchen *kitchen, SiltStatus status, SiltTerrain *made)
{
    if (status != SILT_OK)
        return status;
    silt_terrain_destroy(kitchen->terrain);
    kitchen->terrain = made;
    return SILT_OK;
}

// A terrain that was read, in as many cells as this kitchen has room for.
static SiltStatus fit_terrain(Kitchen *kitchen)
{
    SiltTerrain *terrain = kitchen->terrain, *made = NULL;
    int wanted[2] = {terrain->width, terrain->height}, size[2];
    silt_terrain_settle(terrain);
    shrink(kitchen, wanted, size);
    if (terrain->volume || (size[0] == wanted[0] && size[1] == wanted[1])) {
        kitchen->nominal[0] = wanted[0];
        kitchen->nominal[1] = wanted[1];
        return SILT_OK;
    }
    SiltStatus status = silt_terrain_resample_on(kitchen->run.device, terrain, size[0], size[1], &made);
    return replace(kitchen, status, made);
}

// ---- the terrain ----

typedef struct NewTerrain {
    double size[2];
    double cell, extent, margin;
    int layers;
    double seed;
    char instead[SILT_PATH_SIZE];
} NewTerrain;

static const SiltParam new_terrain_items[] = {
    SILT_VECTOR2(NewTerrain, size, "cells", 1024, 1024, 1, SILT_MAX_SIDE, "N, WxH or [W, H]"),
    SILT_REAL(NewTerrain, cell, "m", 10.0, 1e-6, 1e6, "from one cell to the next"),
    SILT_REAL(NewTerrain, extent, "m", 0.0, 0.0, 1e9,
              "width of the land, however many cells it has: with it, cell says nothing"),
    SILT_REAL(NewTerrain, margin, "", 0.0, 0.0, 1.0,
              "how far it goes on beyond that on every side, as a share of it, until it is cropped"),
    SILT_INT(NewTerrain, layers, "voxels", 0, 0, SILT_MAX_VOXELS,
             "height of a volume of rock (pillars, bridge ...); 0: as its shorter side"),
    SEED(NewTerrain, "the run's"),
    SILT_PATH(NewTerrain, instead, "none", "a file that is read in its place; none: the generator it is"),
};

const char *silt_step_instead(const Step *terrain)
{
    if (!terrain->generator && !terrain->shape)
        return NULL;
    const NewTerrain *p = terrain->params;
    return p->instead[0] && strcmp(p->instead, "none") != 0 ? p->instead : NULL;
}

static SiltStatus check_new_terrain(const Step *step, const char *owner)
{
    const NewTerrain *p = step->params;
    SiltStatus status = silt_step_check_seed(step, owner);
    return status == SILT_OK && silt_step_instead(step) ? silt_check_input(p->instead, owner) : status;
}

static double cell_of(const NewTerrain *p)
{
    return p->extent > 0.0 ? p->extent / p->size[0] : p->cell;
}

// With the margin on either side.
static void whole_size(const NewTerrain *p, int size[2])
{
    for (int k = 0; k < 2; k++)
        size[k] = (int)p->size[k] + 2 * (int)(p->margin * p->size[k] + 0.5);
}

bool silt_recipe_size(const SiltRecipe *recipe, int size[2], double *cell)
{
    bool is_new = recipe->terrain.generator || recipe->terrain.shape;
    if (!is_new || silt_step_instead(&recipe->terrain))
        return false;
    const NewTerrain *p = recipe->terrain.params;
    whole_size(p, size);
    *cell = cell_of(p);
    return true;
}

static SiltStatus new_volume(const Step *step, Kitchen *kitchen)
{
    const NewTerrain *p = step->params;
    int wanted[2] = {(int)p->size[0], (int)p->size[1]}, size[3];
    shrink(kitchen, wanted, size);
    double factor = (double)size[0] / wanted[0];
    int layers = (int)floor(p->layers * factor + 0.5);
    size[2] = p->layers > 0 ? (layers > 1 ? layers : 1) : size[0] < size[1] ? size[0] : size[1];
    SiltVolume *volume;
    SiltStatus status = silt_volume_make(step->shape, size, 8, cell_of(p) / factor, step->set, NULL,
                                         kitchen->run.seed, &volume);
    return status == SILT_OK ? silt_terrain_from_volume(volume, &kitchen->terrain) : status;
}

SiltRun silt_kitchen_run_for(const SiltGenerator *generator, const Kitchen *kitchen)
{
    SiltRun run = kitchen->run;
    run.device = generator->on_device ? run.device : NULL;
    return run;
}

static SiltStatus new_terrain(const Step *step, Kitchen *kitchen)
{
    const NewTerrain *p = step->params;
    if (silt_step_instead(step)) {
        SiltStatus status = silt_terrain_read(p->instead, NULL, &kitchen->terrain);
        return status == SILT_OK ? fit_terrain(kitchen) : status;
    }
    if (step->shape)
        return new_volume(step, kitchen);
    int wanted[2], size[2];
    whole_size(p, wanted);
    shrink(kitchen, wanted, size);
    double cell = size[0] == wanted[0] ? cell_of(p) : cell_of(p) * wanted[0] / size[0];
    SiltRun run = silt_kitchen_run_for(step->generator, kitchen);
    return silt_generate(step->generator, size[0], size[1], cell, step->set, &run, &kitchen->terrain);
}

double silt_kitchen_margin(const Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    if (!recipe->terrain.generator || silt_step_instead(&recipe->terrain))
        return 0.0;
    for (int k = 0; k < kitchen->at; k++)
        if (strcmp(recipe->stages[k].kind->info.name, "crop") == 0 && !recipe->stages[k].skipped)
            return 0.0;
    return ((const NewTerrain *)recipe->terrain.params)->margin;
}

typedef struct ReadTerrain {
    int moment;
} ReadTerrain;

enum { MOMENT_REACHED, MOMENT_BEGUN };

static const SiltParam read_terrain_items[] = {
    SILT_CHOICE(
        ReadTerrain, moment, "reached begun", "reached",
        "of a run that was kept (.silt): the land it had come to, or what the stage at hand began with"),
};

static SiltStatus check_read(const Step *step, const char *owner)
{
    const ReadTerrain *p = step->params;
    if (p->moment == MOMENT_BEGUN && !silt_path_is_checkpoint(step->subject))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: moment = begun is for runs that were kept (.silt), and %s is none", owner,
                         step->subject);
    return silt_read_check(owner, step->options);
}

static SiltStatus read_kept(const char *path, int moment, SiltTerrain **out)
{
    SiltCheckpoint *kept;
    *out = NULL;
    SiltStatus status = silt_checkpoint_open(path, &kept);
    if (status == SILT_OK)
        status = (moment == MOMENT_BEGUN ? silt_checkpoint_terrain : silt_checkpoint_show)(kept, out);
    silt_checkpoint_destroy(kept);
    return status;
}

static SiltStatus read_terrain(const Step *step, Kitchen *kitchen)
{
    SiltStatus status =
        silt_path_is_checkpoint(step->subject)
            ? read_kept(step->subject, ((const ReadTerrain *)step->params)->moment, &kitchen->terrain)
            : silt_terrain_read(step->subject, step->options, &kitchen->terrain);
    return status == SILT_OK ? fit_terrain(kitchen) : status;
}

// ---- the terrain as a whole ----

typedef struct CropStage {
    double at[2];
    int from;
} CropStage;

static const SiltParam crop_items[] = {
    SILT_VECTOR2(CropStage, at, "", 0, 0, 0, SILT_MAX_SIDE, "column and row of its north-western cell"),
    SILT_CHOICE(
        CropStage, from, "corner middle", "corner",
        "whether that is counted from the north-western corner, or from where the part lies in the middle"),
};

static SiltStatus check_crop(const Step *step, const char *owner)
{
    const CropStage *p = step->params;
    return p->at[0] == floor(p->at[0]) && p->at[1] == floor(p->at[1])
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: at = [%g, %g] is not a column and a row", owner, p->at[0],
                           p->at[1]);
}

void silt_step_corner(const Step *step, int width, int height, int at[2])
{
    const CropStage *p = step->params;
    at[0] = (int)p->at[0] + (p->from && width > step->size[0] ? (width - step->size[0]) / 2 : 0);
    at[1] = (int)p->at[1] + (p->from && height > step->size[1] ? (height - step->size[1]) / 2 : 0);
}

static SiltStatus crop(const Step *step, Kitchen *kitchen)
{
    int at[2], size[2], whole[2] = {kitchen->terrain->width, kitchen->terrain->height};
    const int *nominal = kitchen->longest_side > 0 ? kitchen->nominal : whole;
    silt_step_corner(step, nominal[0], nominal[1], at);
    for (int k = 0; k < 2; k++) {
        double factor = silt_kitchen_shrunk(kitchen, k);
        size[k] = factor < 1.0 ? (int)floor(step->size[k] * factor + 0.5) : step->size[k];
        size[k] = size[k] < 1 ? 1 : size[k];
        at[k] = factor < 1.0 ? (int)floor(at[k] * factor + 0.5) : at[k];
        if (factor < 1.0 && at[k] + size[k] > whole[k])
            at[k] = size[k] < whole[k] ? whole[k] - size[k] : 0;
        kitchen->nominal[k] = step->size[k];
    }
    SiltTerrain *made = NULL;
    SiltStatus status = silt_terrain_crop(kitchen->terrain, at[0], at[1], size[0], size[1], &made);
    return replace(kitchen, status, made);
}

static SiltStatus resample(const Step *step, Kitchen *kitchen)
{
    SiltTerrain *made = NULL;
    int size[2];
    shrink(kitchen, step->size, size);
    SiltStatus status =
        silt_terrain_resample_on(kitchen->run.device, kitchen->terrain, size[0], size[1], &made);
    return replace(kitchen, status, made);
}

// ---- the words ----

static const StageKind terrain_kinds[] = {
    {.info = {"terrain", "new", SILT_SUBJECT_GENERATOR, "a terrain from nothing",
              SILT_PARAM_TABLE(NewTerrain, new_terrain_items), NULL, true},
     .check = check_new_terrain,
     .run = new_terrain},
    {.info = {"terrain", "read", SILT_SUBJECT_INPUT, "a terrain from a file",
              SILT_PARAM_TABLE(ReadTerrain, read_terrain_items), &silt_read_params, false},
     .check = check_read,
     .run = read_terrain},
};

static const StageKind whole_kinds[] = {
    {.info = {"stages", "crop", SILT_SUBJECT_SIZE, "a part of the terrain, all layers",
              SILT_PARAM_TABLE(CropStage, crop_items), NULL, false},
     .check = check_crop,
     .run = crop},
    {.info = {"stages",
              "resample",
              SILT_SUBJECT_SIZE,
              "the same place in more or fewer cells, all layers",
              {NULL, 0, 1},
              NULL,
              false},
     .run = resample},
};

const Section silt_section_terrain = {"terrain", terrain_kinds,
                                      sizeof terrain_kinds / sizeof terrain_kinds[0], NULL};
const Section silt_section_whole = {"stages", whole_kinds, sizeof whole_kinds / sizeof whole_kinds[0],
                                    &silt_section_operations};
