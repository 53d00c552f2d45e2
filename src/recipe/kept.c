// What a recipe needs to go on, kept on the way: the stage at hand, what those before it said, and the land.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "erode/keeper.h"
#include "io/json.h"
#include "recipe/recipe.h"
#include "recipe/series.h"
#include "silt/record.h"

void silt_kitchen_pack_report(Kitchen *kitchen, int index, SiltPack *pack)
{
    SiltReport *report = &kitchen->reports[index];
    bool has_model = report->model != NULL;
    silt_pack_flag(pack, &has_model);
    SILT_PACK(pack, report->steps);
    SILT_PACK(pack, report->model_time);
    SILT_PACK(pack, report->seconds);
    silt_pack_flag(pack, &report->cancelled);
    silt_counters_pack(&report->counters, pack);
    SILT_PACK(pack, report->ledger);
    report->model = has_model ? kitchen->recipe->stages[index].model : NULL;
}

// False: of a recipe with another number of stages.
static bool pack_place(Kitchen *kitchen, int stages, SiltPack *pack)
{
    bool same = silt_pack_same(pack, (uint64_t)stages);
    SILT_PACK(pack, kitchen->at);
    SILT_PACK(pack, kitchen->frame_count);
    silt_pack_flag(pack, &kitchen->worn);
    SILT_PACK(pack, kitchen->nominal);
    return same;
}

// Which stage is at hand, and what those before it have said.
static void pack_kitchen(void *context, SiltPack *pack)
{
    Kitchen *kitchen = context;
    int stages = kitchen->recipe->stage_count;
    bool same = pack_place(kitchen, stages, pack);
    for (int k = 0; same && k < stages; k++)
        silt_kitchen_pack_report(kitchen, k, pack);
    bool good = same && kitchen->at >= 0 && kitchen->at < stages;
    if (pack->status == SILT_OK && !good)
        pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is one of another recipe");
}

void silt_kitchen_place(SiltPack *pack, int *stage, int nominal[2])
{
    Kitchen kitchen = {.at = -1};
    pack_place(&kitchen, 0, pack); // whatever their number is
    *stage = kitchen.at;
    memcpy(nominal, kitchen.nominal, sizeof kitchen.nominal);
}

// What the land was like before all stages, as the report has it.
static void pack_before(void *context, SiltPack *pack)
{
    const Kitchen *kitchen = context;
    void *text = pack->reads ? NULL : (void *)silt_recorder_before(kitchen->recorder);
    int64_t bytes = text ? (int64_t)strlen(text) + 1 : 0;
    silt_pack_owned(pack, &text, 1, &bytes);
    if (!pack->reads)
        return;
    if (pack->status != SILT_OK || bytes == 0) {
        silt_free(text);
        return;
    }
    SiltJson json = {0};
    bool whole = ((const char *)text)[bytes - 1] == '\0' && strlen(text) + 1 == (size_t)bytes;
    if (whole && bytes > 1) // whoever made the file, the report stays JSON
        whole = silt_json_parse("checkpoint", text, (size_t)bytes - 1, &json) == SILT_OK &&
                json.values[0].type == SILT_JSON_OBJECT;
    if (whole)
        silt_recorder_set_before(kitchen->recorder, text);
    else
        pack->status = silt_fail(SILT_BAD_FILE, "the checkpoint is damaged: what the land was like before");
    silt_json_free(&json);
    silt_free(text);
}

static SiltStatus take_before(Kitchen *kitchen)
{
    SiltPack pack;
    if (!kitchen->recorder || !silt_keep_take(kitchen->run.keeper, "before", &pack))
        return SILT_OK;
    pack_before(kitchen, &pack);
    kitchen->knows_before = true;
    return pack.status;
}

// Where a run that was kept goes on: its terrain, and the stage it was in.
SiltStatus silt_kitchen_go_on(Kitchen *kitchen, bool *goes_on)
{
    SiltPack pack;
    SiltKeeper *keeper = kitchen->run.keeper;
    *goes_on = silt_keep_take(keeper, "kitchen", &pack);
    if (!*goes_on)
        return SILT_OK;
    pack_kitchen(kitchen, &pack);
    kitchen->goes_on = true;
    kitchen->began_at = kitchen->at;
    SiltStatus status = pack.status;
    if (status == SILT_OK)
        status = keeper->take_terrain(keeper, "terrain", &kitchen->terrain);
    if (status == SILT_OK && !kitchen->terrain)
        status = silt_fail(SILT_BAD_FILE, "the checkpoint holds no terrain");
    if (status == SILT_OK)
        status = take_before(kitchen);
    return status == SILT_OK ? silt_series_go_on(kitchen) : status;
}

// A run that ends here begins again with the stage at hand, or further in it where the file says so.
static void keep_last(Kitchen *kitchen)
{
    SiltKeeper *keeper = kitchen->run.keeper;
    char why[2048];
    snprintf(why, sizeof why, "%s", silt_message());
    if (keeper && kitchen->worn)
        keeper->step(keeper, NULL, true);
    silt_fail(SILT_OK, "%s", why);
}

// Stopped between two stages.
void silt_kitchen_keep_next(Kitchen *kitchen, int index)
{
    char why[2048];
    snprintf(why, sizeof why, "%s", silt_message());
    if (kitchen->worn)
        silt_keep_terrain(kitchen->run.keeper, "terrain", kitchen->terrain);
    kitchen->at = index;
    silt_fail(SILT_OK, "%s", why);
}

// Between two stages, when something has been done that would be lost.
SiltStatus silt_kitchen_keep_between(Kitchen *kitchen, const Step *step)
{
    SiltKeeper *keeper = kitchen->run.keeper;
    if (!keeper || step->model || !kitchen->worn) // models keep the terrain they begin with
        return SILT_OK;
    SiltStatus status = silt_keep_terrain(keeper, "terrain", kitchen->terrain);
    return status == SILT_OK ? keeper->step(keeper, NULL, false) : status;
}

SiltStatus silt_kitchen_keep(Kitchen *kitchen)
{
    SiltKeeper *keeper = kitchen->run.keeper;
    SiltStatus status = silt_keep_note(keeper, "kitchen", pack_kitchen, kitchen, false);
    if (status == SILT_OK && kitchen->recorder)
        status = silt_keep_note(keeper, "before", pack_before, kitchen, false);
    return status == SILT_OK ? silt_series_keep(kitchen) : status;
}

void silt_kitchen_let_go(Kitchen *kitchen, SiltStatus status)
{
    if (status != SILT_OK)
        keep_last(kitchen);
    silt_keep_let_go(kitchen->run.keeper, "series");
    silt_keep_let_go(kitchen->run.keeper, "before");
    silt_keep_let_go(kitchen->run.keeper, "kitchen");
}
