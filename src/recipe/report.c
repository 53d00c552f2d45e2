// What a run did, as JSON.
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "silt/record.h"

static bool knows(const SiltAccount *account)
{
    static const SiltAccount nothing;
    return memcmp(account, &nothing, sizeof nothing) != 0;
}

// A stage between two models may have scaled the height or read a new layer of water: what the next model
// finds more or less than the last one left was added or removed there.
static void follow(SiltAccount *chain, const SiltAccount *later)
{
    if (!knows(later))
        return; // a model of dry stone says nothing about water
    if (!knows(chain)) {
        *chain = *later;
        return;
    }
    double between = later->initial - chain->stored;
    chain->added += later->added + (between > 0.0 ? between : 0.0);
    chain->removed += later->removed + (between < 0.0 ? -between : 0.0);
    chain->by_hand += later->by_hand;
    chain->moved += later->moved;
    chain->stored = later->stored;
    chain->carried = later->carried;
    chain->corrected += later->corrected;
}

void silt_kitchen_ledger(const Kitchen *kitchen, SiltLedger *out)
{
    *out = (SiltLedger){0};
    for (int k = 0; k < kitchen->done_count; k++) {
        follow(&out->water, &kitchen->reports[k].ledger.water);
        follow(&out->rock, &kitchen->reports[k].ledger.rock);
    }
}

static void add_json(SiltText *text, char *json)
{
    silt_text_add(text, json ? json : "null");
    text->failed = text->failed || !json;
    silt_free(json);
}

static void add_stage(SiltText *text, const Step *step, const SiltReport *report)
{
    if (report->model) {
        add_json(text, silt_report_json(report, step->set));
        return;
    }
    silt_text_add(text, "{\"stage\": ");
    silt_text_add_json(text, step->kind->info.name);
    silt_text_add(text, ", \"of\": ");
    silt_text_add_json(text, step->subject);
    silt_text_add(text, ", \"keys\": ");
    silt_text_add_json(text, step->words);
    silt_text_add(text, "}");
}

static void add_defines(SiltText *text, const SiltRecipe *recipe)
{
    silt_text_add(text, "{");
    for (int k = 0; k < recipe->define_count; k++) {
        silt_text_add(text, k ? ", " : "");
        silt_text_add_json(text, recipe->defines[k].name);
        silt_text_add(text, ": ");
        silt_text_add_json(text, recipe->defines[k].value);
    }
    silt_text_add(text, "}");
}

static void add_record(SiltText *text, const Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    uint64_t *seeds = silt_alloc(((size_t)recipe->stage_count + 1) * sizeof *seeds);
    text->failed = text->failed || !seeds;
    for (int k = -1; seeds && k < recipe->stage_count; k++)
        seeds[k + 1] = silt_recipe_seed(recipe, k, kitchen->all);
    char *json =
        seeds ? silt_recorder_json(kitchen->recorder, recipe->text, seeds, recipe->stage_count + 1) : NULL;
    silt_text_add(text, ",\n");
    add_json(text, json);
    silt_free(seeds);
}

char *silt_recipe_report(const Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    SiltLedger chain;
    SiltText text = {0};
    silt_kitchen_ledger(kitchen, &chain);
    silt_text_add(&text, "{\"recipe\": ");
    silt_text_add_json(&text, recipe->path);
    silt_text_add(&text, ",\n\"about\": ");
    silt_text_add_json(&text, silt_recipe_about(recipe));
    silt_text_add(&text, ",\n\"defines\": ");
    add_defines(&text, recipe);
    if (kitchen->recorder)
        add_record(&text, kitchen);
    silt_text_addf(&text, ",\n\"width\": %d, \"height\": %d, \"cell\": ", kitchen->terrain->width,
                   kitchen->terrain->height);
    silt_text_add_json_number(&text, kitchen->terrain->cell);
    silt_text_addf(&text, ", \"cancelled\": %s,\n\"stages\": [", kitchen->cancelled ? "true" : "false");
    for (int k = 0; k < kitchen->done_count; k++) {
        silt_text_add(&text, k ? ",\n" : "\n");
        add_stage(&text, &recipe->stages[k], &kitchen->reports[k]);
    }
    silt_text_add(&text, "],\n\"ledger\": ");
    add_json(&text, silt_ledger_json(&chain));
    if (kitchen->masks) {
        silt_text_add(&text, ",\n\"masks\": ");
        silt_text_add(&text, kitchen->masks);
    }
    silt_text_add(&text, "}\n");
    return silt_text_take(&text);
}
