// Cooks a recipe: what its stages left before is taken from the pantry, the rest is done and put there.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "recipe/keys.h"

// ---- cooking ----

// A preview that is no smaller than the recipe is the recipe.
static int preview_side(const SiltRecipe *recipe, int wanted)
{
    int size[2], most;
    double cell;
    if (wanted <= 0 || !silt_recipe_size(recipe, size, &cell))
        return wanted < 0 ? 0 : wanted;
    most = size[0] > size[1] ? size[0] : size[1];
    for (int k = 0; k < recipe->stage_count; k++) {
        const Step *step = &recipe->stages[k];
        for (int axis = 0; axis < 2 && !step->skipped; axis++)
            most = step->size[axis] > most ? step->size[axis] : most;
    }
    return most <= wanted ? 0 : wanted;
}

static void tell(const SiltCook *cook, const SiltRecipe *recipe, int stage, bool kept)
{
    if (cook->at && (stage < 0 || !recipe->stages[stage].skipped))
        cook->at(cook->user, stage, kept);
}

// The last of the stages whose result is there; -2: none is.
static int last_kept(const Kitchen *kitchen, const SiltPantry *pantry, const Keys *keys)
{
    int last = kitchen->recipe->stage_count - 1;
    while (last >= -1 && !silt_pantry_has(pantry, silt_key_of(keys, last)))
        last--;
    return last;
}

// From where a run of this very stage was kept, if there is one.
static SiltStatus cook_stage(Kitchen *kitchen, SiltPantry *pantry, int index)
{
    bool goes_on = false;
    SiltStatus status = SILT_OK;
    if (pantry && kitchen->longest_side == 0)
        status = silt_kept_cook(kitchen, pantry, index, &goes_on);
    return status == SILT_OK && !goes_on ? silt_kitchen_stage(kitchen, index) : status;
}

static SiltStatus cook_stages(Kitchen *kitchen, const SiltCook *cook, const Keys *keys)
{
    const SiltRecipe *recipe = kitchen->recipe;
    SiltPantry *pantry = cook->pantry;
    int kept = pantry ? last_kept(kitchen, pantry, keys) : -2;
    SiltStatus status = SILT_OK;
    for (int k = -1; k <= kept; k++)
        tell(cook, recipe, k, true);
    if (kept >= -1)
        status = silt_pantry_fetch(pantry, silt_key_of(keys, kept), &kitchen->terrain, kitchen->nominal);
    for (int k = kept + 1; k < recipe->stage_count && status == SILT_OK; k++) {
        if (k >= 0 && recipe->stages[k].skipped)
            continue;
        tell(cook, recipe, k, false);
        status = k < 0 ? silt_kitchen_begin(kitchen) : cook_stage(kitchen, pantry, k);
        if (status == SILT_OK && pantry)
            silt_pantry_keep(pantry, silt_key_of(keys, k), silt_key_of(keys, k < 0 ? k : k - 1),
                             kitchen->terrain, kitchen->nominal);
    }
    return status;
}

static SiltStatus make_keys(Kitchen *kitchen, SiltPantry *pantry, Keys *keys)
{
    silt_text_addf(&keys->text, "side=%d\n", kitchen->longest_side);
    return silt_keys_make(kitchen, pantry, keys);
}

// The terrain after the first stages of the recipe, and the kitchen it was made in.
static SiltStatus cook_in(Kitchen *kitchen, const SiltRecipe *part, const SiltCook *cook)
{
    SiltStatus status = silt_kitchen_open(part, cook->run, false, kitchen);
    Keys keys = {0};
    kitchen->lax = true;
    kitchen->longest_side = preview_side(part, cook->longest_side);
    if (status == SILT_OK && cook->pantry)
        status = make_keys(kitchen, cook->pantry, &keys);
    if (status == SILT_OK)
        status = cook_stages(kitchen, cook, &keys);
    silt_keys_free(&keys);
    if (status != SILT_OK) {
        silt_terrain_destroy(kitchen->terrain);
        kitchen->terrain = NULL;
    }
    silt_kitchen_close(kitchen);
    return status;
}

// The recipe up to a stage, without outputs; it owns nothing.
static SiltRecipe part_of(const SiltRecipe *recipe, int stages)
{
    SiltRecipe part = *recipe;
    part.stage_count = stages < 0 || stages > recipe->stage_count ? recipe->stage_count : stages;
    part.output_count = 0;
    return part;
}

SiltStatus silt_recipe_cook(const SiltRecipe *recipe, const SiltCook *cook, SiltTerrain **out)
{
    static const SiltCook plain = {.stages = -1};
    cook = cook ? cook : &plain;
    SiltRecipe part = part_of(recipe, cook->stages);
    Kitchen kitchen;
    SiltCrew before = silt_crew_begin(cook->run);
    SiltStatus status = cook_in(&kitchen, &part, cook);
    silt_crew_end(before);
    *out = kitchen.terrain;
    return status;
}

SiltStatus silt_cook_keep(const SiltRecipe *recipe, const SiltCook *cook, int stages,
                          const SiltTerrain *terrain, const int nominal[2])
{
    SiltRecipe part = part_of(recipe, stages);
    Kitchen kitchen;
    Keys keys = {0};
    SiltStatus status = silt_kitchen_open(&part, cook->run, false, &kitchen);
    kitchen.lax = true;
    if (status == SILT_OK)
        status = make_keys(&kitchen, cook->pantry, &keys);
    if (status == SILT_OK)
        silt_pantry_keep(cook->pantry, silt_key_of(&keys, part.stage_count - 1),
                         silt_key_of(&keys, part.stage_count > 0 ? part.stage_count - 2 : -1), terrain,
                         nominal);
    silt_keys_free(&keys);
    silt_kitchen_close(&kitchen);
    return status;
}

SiltStatus silt_recipe_begin_live(const SiltRecipe *recipe, int index, const SiltCook *cook,
                                  SiltTerrain **terrain, SiltErosion **out, SiltDuration *duration)
{
    *terrain = NULL;
    *out = NULL;
    const Step *step = index >= 0 && index < recipe->stage_count ? &recipe->stages[index] : NULL;
    if (!step || !step->model)
        return silt_fail(SILT_BAD_ARGUMENT, "stage %d is no erosion, and only models run live", index + 1);
    if (step->fault)
        return silt_fail(SILT_BAD_ARGUMENT, "%s %s: %s", step->kind->info.name, step->subject, step->fault);
    SiltCook before = cook ? *cook : (SiltCook){0};
    before.stages = index;
    SiltStatus status = silt_recipe_cook(recipe, &before, terrain);
    if (status != SILT_OK)
        return status;
    SiltRun run = before.run ? *before.run : (SiltRun){0};
    run.seed = silt_recipe_seed(recipe, index, before.run);
    *duration = silt_step_duration(step);
    if (duration->steps == 0 && !(duration->time > 0.0))
        duration->steps = step->model->default_steps;
    status = silt_erosion_begin(step->model, *terrain, step->set, &run, out);
    if (status != SILT_OK) {
        silt_terrain_destroy(*terrain);
        *terrain = NULL;
    }
    return status;
}
