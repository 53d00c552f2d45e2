#include "erode/keeper.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/param.h"
#include "core/status.h"
#include "erode/model.h"

SiltStatus silt_keep_note(SiltKeeper *keeper, const char *name, SiltPackPart pack, void *context, bool now)
{
    return keeper ? keeper->note(keeper, name, pack, context, now) : SILT_OK;
}

void silt_keep_let_go(SiltKeeper *keeper, const char *name)
{
    if (keeper)
        keeper->let_go(keeper, name);
}

bool silt_keep_take(SiltKeeper *keeper, const char *name, SiltPack *out)
{
    return keeper && keeper->take(keeper, name, out);
}

SiltStatus silt_keep_terrain(SiltKeeper *keeper, const char *name, SiltTerrain *terrain)
{
    return keeper ? keeper->terrain(keeper, name, terrain) : SILT_OK;
}

// The bytes behind the last member too, as they ever were: a checkpoint has them.
void silt_counters_pack(SiltCounters *counters, SiltPack *pack)
{
    unsigned char bytes[sizeof *counters];
    memcpy(bytes, counters, sizeof bytes);
    silt_pack(pack, bytes, sizeof bytes);
    if (pack->status == SILT_OK && bytes[offsetof(SiltCounters, at_rest)] > 1)
        pack->status = silt_fail(SILT_BAD_ARGUMENT, "the state is damaged: whether the run is at rest");
    if (pack->status == SILT_OK)
        memcpy(counters, bytes, sizeof bytes);
}

void silt_stage_pack(void *context, SiltPack *pack)
{
    SiltStageNote *note = context;
    char name[SILT_NAME_SIZE] = "";
    if (!pack->reads)
        snprintf(name, sizeof name, "%s", note->model->name);
    silt_pack(pack, name, sizeof name);
    name[sizeof name - 1] = '\0';
    if (pack->reads && pack->status == SILT_OK) {
        note->model = note->find(name);
        note->params = note->model ? silt_params_new(&note->model->params) : NULL;
        pack->status = !note->model ? SILT_BAD_FILE : note->params ? SILT_OK : SILT_NO_MEMORY;
    }
    SILT_PACK(pack, note->seed);
    SILT_PACK(pack, note->began);
    SILT_PACK(pack, note->duration.steps);
    SILT_PACK(pack, note->duration.time);
    if (pack->status != SILT_OK)
        return;
    silt_params_pack(&note->model->params, note->params, pack);
    if (!pack->reads || pack->status != SILT_OK)
        return;
    pack->status = silt_params_check(&note->model->params, note->params, note->model->name);
}
