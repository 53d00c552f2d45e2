// The words of `terrain` and `stages`: their keys, declared as parameters are, and what they do.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "erode/stage.h"
#include "io/format.h"
#include "recipe/recipe.h"
#include "silt/checkpoint.h"
#include "silt/io.h"

// the step keeps all 64 bits
#define SEED(S, otherwise)                                                                                   \
    SILT_REAL(S, seed, "", NAN, 0.0, 18446744073709551615.0, "a whole number; none: " otherwise)

static double seed_of(const Step *step)
{
    const SiltParamTable *table = &step->kind->info.params;
    int index = silt_params_find(table, "seed");
    return index < 0 ? NAN
                     : *(const double *)(const void *)((char *)step->params + table->items[index].offset);
}

uint64_t silt_recipe_seed(const SiltRecipe *recipe, int index, const SiltRun *run)
{
    if (index >= 0 && recipe->stages[index].has_seed)
        return recipe->stages[index].seed;
    uint64_t base = recipe->terrain.has_seed ? recipe->terrain.seed : run ? run->seed : 0;
    return base + (uint64_t)(index + 1);
}

static SiltStatus check_seed(const Step *step, const char *owner)
{
    double seed = seed_of(step);
    return isnan(seed) || seed == floor(seed)
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: seed = %g is not a whole number", owner, seed);
}

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

// Cells the terrain has for each that it has by the recipe.
static double shrunk(const Kitchen *kitchen, int axis)
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
    SiltStatus status = check_seed(step, owner);
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

// Those that know no device make their terrain on the processor, wherever the models work.
static SiltRun run_for(const SiltGenerator *generator, const Kitchen *kitchen)
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
    SiltRun run = run_for(step->generator, kitchen);
    return silt_generate(step->generator, size[0], size[1], cell, step->set, &run, &kitchen->terrain);
}

static SiltStatus check_read(const Step *step, const char *owner)
{
    return silt_read_check(owner, step->options);
}

// Of a run that was kept, the terrain as far as it had come.
static SiltStatus read_kept(const char *path, SiltTerrain **out)
{
    SiltCheckpoint *kept;
    *out = NULL;
    SiltStatus status = silt_checkpoint_open(path, &kept);
    if (status == SILT_OK)
        status = silt_checkpoint_show(kept, out);
    silt_checkpoint_destroy(kept);
    return status;
}

static SiltStatus read_terrain(const Step *step, Kitchen *kitchen)
{
    SiltStatus status = silt_path_is_checkpoint(step->subject)
                            ? read_kept(step->subject, &kitchen->terrain)
                            : silt_terrain_read(step->subject, step->options, &kitchen->terrain);
    return status == SILT_OK ? fit_terrain(kitchen) : status;
}

// ---- erode, new, read ----

SiltDuration silt_step_duration(const Step *step)
{
    const SiltErodeOptions *p = step->params;
    return (SiltDuration){.steps = p->steps, .time = p->time};
}

static SiltStatus check_erode(const Step *step, const char *owner)
{
    SiltStatus status = silt_erode_options_check(step->params, step->model, owner);
    if (status == SILT_OK)
        status = silt_step_check_hands(step, owner);
    return status == SILT_OK ? check_seed(step, owner) : status;
}

// What the stage wore and laid down is added to what those before it did.
static SiltStatus add_totals(SiltTerrain *terrain)
{
    static const char *const names[][2] = {{"wear", "total_wear"}, {"deposition", "total_deposition"}};
    SiltStatus status = SILT_OK;
    for (int k = 0; k < 2 && status == SILT_OK; k++) {
        const SiltField *part = silt_terrain_layer(terrain, names[k][0]);
        SiltField *total;
        status = part ? silt_terrain_require(terrain, names[k][1], &total) : SILT_OK;
        if (part && status == SILT_OK)
            silt_field_add(total, silt_terrain_layer(terrain, names[k][0]), total);
    }
    return status;
}

static SiltStatus erode(const Step *step, Kitchen *kitchen)
{
    SiltReport *report = &kitchen->reports[step - kitchen->recipe->stages];
    SiltErodeOptions options = *(const SiltErodeOptions *)step->params;
    for (double ratio = shrunk(kitchen, 0); ratio < 0.75 && options.pyramid > 0; ratio *= 2.0)
        options.pyramid--; // the coarsest level stays as coarse as it was
    SiltStatus status =
        step->hand_count > 0
            ? silt_erode_by_hand(step->model, kitchen->terrain, step->set, silt_step_duration(step),
                                 step->hands, step->hand_count, &kitchen->run, report)
            : silt_erode_as(step->model, kitchen->terrain, step->set, &options, &kitchen->run, report);
    kitchen->worn = kitchen->worn || report->steps > 0;
    if (kitchen->totals && (status == SILT_OK || status == SILT_CANCELLED)) {
        SiltStatus added = add_totals(kitchen->terrain);
        status = added == SILT_OK ? status : added;
    }
    return status;
}

typedef struct NewStage {
    char into[SILT_NAME_SIZE];
    double seed;
} NewStage;

static const SiltParam new_items[] = {
    SILT_LAYER(NewStage, into, "",
               "the layer it fills; empty: the height, and for rock and ranges the layers they make"),
    SEED(NewStage, "the terrain's plus the stage's number"),
};

// Moves the height of `from` into a layer of `to`.
static SiltStatus take_height(SiltTerrain *to, const char *into, SiltTerrain *from)
{
    SiltField *target;
    SiltStatus status = silt_terrain_require(to, into, &target);
    if (status != SILT_OK)
        return status;
    SiltField *source = silt_terrain_layer(from, "height"), old = *target;
    *target = *source;
    *source = old;
    return SILT_OK;
}

// Some generators make water too: it stays beside the layer, as "NAME-water".
static SiltStatus take_water(SiltTerrain *terrain, const char *into, const SiltTerrain *from)
{
    const SiltField *water = silt_terrain_layer(from, "water");
    char name[SILT_NAME_SIZE];
    SiltField *target;
    if (!water || snprintf(name, sizeof name, "%s-water", into) >= (int)sizeof name)
        return SILT_OK;
    SiltStatus status = silt_terrain_require(terrain, name, &target);
    for (int j = 0; status == SILT_OK && j < terrain->height; j++)
        memcpy(silt_field_row(target, j), silt_field_row(water, j), (size_t)terrain->width * sizeof(float));
    return status;
}

const char *silt_step_into(const Step *step)
{
    const char *into = silt_step_layer(step, "into");
    bool is_new = step->generator && into && !into[0];
    return is_new ? step->generator->layers_only ? NULL : "height" : into;
}

// Moves the layers that a generator makes, under their own names, and what it knows of the rock below.
static SiltStatus take_layers(SiltTerrain *to, SiltTerrain *from)
{
    SiltStatus status = SILT_OK;
    for (int k = 1; k < from->layer_count && status == SILT_OK; k++) {
        SiltField *target, *source = &from->layers[k]->field;
        status = silt_terrain_require(to, from->layers[k]->name, &target);
        if (status != SILT_OK)
            return status;
        SiltField old = *target;
        *target = *source;
        *source = old;
    }
    if (from->column.count > 0)
        to->column = from->column;
    return status;
}

static SiltStatus new_layer(const Step *step, Kitchen *kitchen)
{
    const char *into = silt_step_into(step);
    SiltTerrain *terrain = kitchen->terrain, *made;
    SiltRun run = run_for(step->generator, kitchen);
    SiltStatus status = silt_generate(step->generator, terrain->width, terrain->height, terrain->cell,
                                      step->set, &run, &made);
    if (status != SILT_OK)
        return status;
    status = into ? take_height(terrain, into, made) : take_layers(terrain, made);
    if (status == SILT_OK && into && strcmp(into, "height") != 0)
        status = take_water(terrain, into, made);
    silt_terrain_destroy(made);
    silt_terrain_settle(terrain);
    return status;
}

typedef struct ReadStage {
    char into[SILT_NAME_SIZE];
    bool fit;
    double values[2];
} ReadStage;

static const SiltParam read_items[] = {
    SILT_LAYER(ReadStage, into, "height", "the layer that takes the result"),
    SILT_BOOL(
        ReadStage, fit, 0,
        "bring a file of another size to that of the terrain, less the margin that a crop will take off"),
    SILT_VECTOR2(
        ReadStage, values, "", NAN, NAN, -1e9, 1e9,
        "of a layer that is no height: what black and white of a picture, or 0 and 1 of other files, "
        "become; none: what the file records, else 0 to 1"),
};

static SiltStatus check_read_layer(const Step *step, const char *owner)
{
    const ReadStage *p = step->params;
    if (!(isnan(p->values[0]) && isnan(p->values[1])) && !(p->values[0] < p->values[1]))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: values = [%g, %g]: the first must be below the second",
                         owner, p->values[0], p->values[1]);
    return silt_read_check(owner, step->options);
}

// How far the terrain goes on beyond the map: what was drawn is for the map.
static double margin_left(const Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    if (!recipe->terrain.generator || silt_step_instead(&recipe->terrain))
        return 0.0;
    for (int k = 0; k < kitchen->at; k++)
        if (strcmp(recipe->stages[k].kind->info.name, "crop") == 0 && !recipe->stages[k].skipped)
            return 0.0;
    return ((const NewTerrain *)recipe->terrain.params)->margin;
}

static SiltStatus read_layer(const Step *step, Kitchen *kitchen)
{
    const ReadStage *p = step->params;
    bool fit = p->fit || kitchen->tries || shrunk(kitchen, 0) < 1.0 || shrunk(kitchen, 1) < 1.0;
    char path[SILT_PATH_SIZE + 2 * SILT_NUMBER_SIZE + 2], low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    snprintf(path, sizeof path, "%s", step->subject);
    if (!isnan(p->values[0]))
        snprintf(path, sizeof path, "%s@%s:%s", step->subject, silt_format_number(p->values[0], low),
                 silt_format_number(p->values[1], high));
    SiltStatus status =
        fit ? silt_terrain_fit_layer(kitchen->terrain, p->into, path, step->options, margin_left(kitchen))
            : silt_terrain_read_layer(kitchen->terrain, p->into, path, step->options);
    silt_terrain_settle(kitchen->terrain);
    SiltFieldStatistics found;
    if (status == SILT_OK && p->fit && kitchen->terrain->width * kitchen->terrain->height > 1) { // a sketch
        silt_field_statistics(silt_terrain_layer(kitchen->terrain, p->into), kitchen->terrain->nodata,
                              &found);
        if (found.minimum == found.maximum)
            silt_warn("%s: it is %g everywhere, and so tells no place from another", step->subject,
                      found.minimum);
    }
    return status;
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
        double factor = shrunk(kitchen, k);
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
    {.info = {"terrain",
              "read",
              SILT_SUBJECT_INPUT,
              "a terrain from a file",
              {NULL, 0, 1},
              &silt_read_params,
              false},
     .check = check_read,
     .run = read_terrain},
};

static const StageKind stage_kinds[] = {
    {.info = {"stages",
              "erode",
              SILT_SUBJECT_MODEL,
              "a model wears the terrain down",
              {silt_erode_items, SILT_ERODE_ITEMS, sizeof(SiltErodeOptions)},
              NULL,
              true},
     .check = check_erode,
     .run = erode},
    {.info = {"stages", "new", SILT_SUBJECT_GENERATOR, "a generator fills a layer",
              SILT_PARAM_TABLE(NewStage, new_items), NULL, true},
     .check = check_seed,
     .run = new_layer,
     .scratch = 4},
    {.info = {"stages", "read", SILT_SUBJECT_INPUT,
              "a file of the terrain's size, or brought to it, fills a layer",
              SILT_PARAM_TABLE(ReadStage, read_items), &silt_read_params, false},
     .check = check_read_layer,
     .run = read_layer,
     .scratch = 1},
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
const Section silt_section_stages = {"stages", stage_kinds, sizeof stage_kinds / sizeof stage_kinds[0],
                                     &silt_section_operations};

const StageKind *silt_section_kind(const Section *section, int index)
{
    for (; section; section = section->more) {
        if (index < section->count)
            return &section->kinds[index];
        index -= section->count;
    }
    return NULL;
}

int silt_section_count(const Section *section)
{
    int count = 0;
    for (; section; section = section->more)
        count += section->count;
    return count;
}

static const Section *const sections[] = {&silt_section_terrain, &silt_section_stages, &silt_section_outputs};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

int silt_stage_count(void)
{
    int count = 0;
    for (int k = 0; k < SECTIONS; k++)
        count += silt_section_count(sections[k]);
    return count;
}

const SiltStage *silt_stage_at(int index)
{
    int which = 0;
    while (index >= silt_section_count(sections[which]))
        index -= silt_section_count(sections[which++]);
    return &silt_section_kind(sections[which], index)->info;
}
