// The words of `stages` that wear the terrain or fill a layer of it: their keys, declared as parameters are,
// and what they do.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "erode/stage.h"
#include "io/format.h"
#include "recipe/recipe.h"
#include "silt/checkpoint.h"
#include "silt/io.h"

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

SiltStatus silt_step_check_seed(const Step *step, const char *owner)
{
    double seed = seed_of(step);
    return isnan(seed) || seed == floor(seed)
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: seed = %g is not a whole number", owner, seed);
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
    return status == SILT_OK ? silt_step_check_seed(step, owner) : status;
}

static const char *const total_names[][2] = {{"wear", "total_wear"}, {"deposition", "total_deposition"}};

void silt_recipe_drop_totals(SiltTerrain *terrain)
{
    for (int k = 0; k < 2; k++)
        silt_terrain_drop(terrain, total_names[k][1]);
}

// What the stage wore and laid down is added to what those before it did.
static SiltStatus add_totals(SiltTerrain *terrain)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < 2 && status == SILT_OK; k++) {
        const SiltField *part = silt_terrain_layer(terrain, total_names[k][0]);
        SiltField *total;
        status = part ? silt_terrain_require(terrain, total_names[k][1], &total) : SILT_OK;
        if (part && status == SILT_OK)
            silt_field_add(total, silt_terrain_layer(terrain, total_names[k][0]), total);
    }
    return status;
}

static SiltStatus erode(const Step *step, Kitchen *kitchen)
{
    SiltReport *report = &kitchen->reports[step - kitchen->recipe->stages];
    SiltErodeOptions options = *(const SiltErodeOptions *)step->params;
    for (double ratio = silt_kitchen_shrunk(kitchen, 0); ratio < 0.75 && options.pyramid > 0; ratio *= 2.0)
        options.pyramid--; // the coarsest level stays as coarse as it was
    SiltStatus status =
        step->hand_count > 0
            ? silt_erode_by_hand(step->model, kitchen->terrain, step->set, silt_step_duration(step),
                                 step->hands, step->hand_count, &kitchen->run, report)
            : silt_erode_as(step->model, kitchen->terrain, step->set, &options, &kitchen->run, report);
    kitchen->worn = kitchen->worn || report->steps > 0;
    if (kitchen->totals && (status == SILT_OK || report->cancelled)) {
        SiltStatus added = add_totals(kitchen->terrain);
        report->cancelled = report->cancelled && added == SILT_OK;
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
    SiltRun run = silt_kitchen_run_for(step->generator, kitchen);
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

static SiltStatus read_layer(const Step *step, Kitchen *kitchen)
{
    const ReadStage *p = step->params;
    bool fit = p->fit || kitchen->tries || silt_kitchen_shrunk(kitchen, 0) < 1.0 ||
               silt_kitchen_shrunk(kitchen, 1) < 1.0;
    char path[SILT_PATH_SIZE + 2 * SILT_NUMBER_SIZE + 2], low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    snprintf(path, sizeof path, "%s", step->subject);
    if (!isnan(p->values[0]))
        snprintf(path, sizeof path, "%s@%s:%s", step->subject, silt_format_number(p->values[0], low),
                 silt_format_number(p->values[1], high));
    SiltStatus status = fit ? silt_terrain_fit_layer(kitchen->terrain, p->into, path, step->options,
                                                     silt_kitchen_margin(kitchen))
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

// ---- the words ----

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
     .check = silt_step_check_seed,
     .run = new_layer,
     .scratch = 4},
    {.info = {"stages", "read", SILT_SUBJECT_INPUT,
              "a file of the terrain's size, or brought to it, fills a layer",
              SILT_PARAM_TABLE(ReadStage, read_items), &silt_read_params, false},
     .check = check_read_layer,
     .run = read_layer,
     .scratch = 1},
};

const Section silt_section_stages = {"stages", stage_kinds, sizeof stage_kinds / sizeof stage_kinds[0],
                                     &silt_section_whole};

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
