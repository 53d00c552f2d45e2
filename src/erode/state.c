// A model's state by its table: made, freed, saved and brought back.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "erode/keeper.h"
#include "erode/run.h"

static void *item_of(const SiltErosion *erosion, int index)
{
    return (char *)erosion->state + erosion->model->state[index].offset;
}

static bool is_field(const SiltStateItem *item)
{
    return item->type == SILT_STATE_FIELD || item->type == SILT_STATE_LAZY ||
           item->type == SILT_STATE_COUNTS || item->type == SILT_STATE_SUMS;
}

bool silt_state_is_made_early(const SiltStateItem *item)
{
    return item->type == SILT_STATE_FIELD || item->type == SILT_STATE_COUNTS || item->type == SILT_STATE_SUMS;
}

SiltStatus silt_state_make(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    int width = erosion->terrain->width, height = erosion->terrain->height;
    SiltStatus status = silt_alloc_for(model->name, 1, model->state_size, &erosion->state);
    for (int k = 0; k < model->state_count && status == SILT_OK; k++) {
        if (silt_state_is_made_early(&model->state[k]))
            status = silt_field_create(width, height, item_of(erosion, k));
        else if (model->state[k].type == SILT_STATE_EXACT)
            status = silt_alloc_for(model->name, (size_t)width * (size_t)height, sizeof(double),
                                    item_of(erosion, k));
    }
    return status;
}

void silt_state_free(SiltErosion *erosion)
{
    for (int k = 0; erosion->state && k < erosion->model->state_count; k++) {
        const SiltStateItem *item = &erosion->model->state[k];
        if (is_field(item))
            silt_field_destroy(item_of(erosion, k));
        else if (item->type == SILT_STATE_EXACT)
            silt_free(*(void **)item_of(erosion, k));
    }
    silt_free(erosion->state);
    erosion->state = NULL;
}

// ---- into one block and back ----

static void pack_rows(SiltField *field, SiltPack *pack)
{
    for (int j = 0; j < field->height; j++)
        silt_pack(pack, silt_field_row(field, j), (size_t)field->width * sizeof(float));
}

static void pack_lazy(const SiltTerrain *terrain, SiltField *field, SiltPack *pack)
{
    bool there = field->data != NULL;
    silt_pack_flag(pack, &there);
    if (pack->status == SILT_OK && there && !field->data)
        pack->status = silt_field_create(terrain->width, terrain->height, field);
    if (pack->status == SILT_OK && there)
        pack_rows(field, pack);
    else if (pack->reads && field->data)
        silt_field_fill(field, 0.0f);
}

static void pack_item(SiltErosion *erosion, int index, SiltPack *pack)
{
    const SiltTerrain *terrain = erosion->terrain;
    void *at = item_of(erosion, index);
    SiltStateArray *array = at;
    switch (erosion->model->state[index].type) {
    case SILT_STATE_FIELD:
    case SILT_STATE_COUNTS:
    case SILT_STATE_SUMS:
        pack_rows(at, pack);
        break;
    case SILT_STATE_LAZY:
        pack_lazy(terrain, at, pack);
        break;
    case SILT_STATE_EXACT:
        silt_pack(pack, *(void **)at, (size_t)terrain->width * (size_t)terrain->height * sizeof(double));
        break;
    case SILT_STATE_DOUBLE:
    case SILT_STATE_INT64:
        silt_pack(pack, at, 8);
        break;
    case SILT_STATE_INT32:
    case SILT_STATE_FLOAT:
        silt_pack(pack, at, 4);
        break;
    case SILT_STATE_BOOL:
        silt_pack_flag(pack, at);
        break;
    case SILT_STATE_ARRAY:
        silt_pack_array(pack, array->data, array->size, &array->count, array->room);
        break;
    }
}

// What is in the terrain and not made by the run: the heights, and the layers that the model reads.
static bool is_kept(const SiltErosion *erosion, const char *layer)
{
    char made[SILT_NAME_SIZE + 2], all[512];
    snprintf(made, sizeof made, " %s ", layer);
    snprintf(all, sizeof all, " change %s ", silt_model_makes(erosion->model));
    return strstr(all, made) == NULL;
}

// Layers that came after the state was saved.
static void drop_others(SiltErosion *erosion, char names[][SILT_NAME_SIZE], int count)
{
    SiltTerrain *terrain = erosion->terrain;
    for (int k = terrain->layer_count - 1; k > 0; k--) {
        bool known = !is_kept(erosion, terrain->layers[k]->name);
        for (int n = 0; n < count && !known; n++)
            known = strcmp(names[n], terrain->layers[k]->name) == 0;
        if (!known)
            silt_terrain_drop(terrain, terrain->layers[k]->name);
    }
}

static void pack_layers(SiltErosion *erosion, SiltPack *pack)
{
    SiltTerrain *terrain = erosion->terrain;
    int count = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        count += is_kept(erosion, terrain->layers[k]->name);
    SILT_PACK(pack, count);
    if (pack->reads && (count < 0 || count > SILT_MAX_LAYERS))
        count = 0; // a block that was checked has no such number
    char names[SILT_MAX_LAYERS][SILT_NAME_SIZE];
    for (int k = 0, n = 0; n < count && pack->status == SILT_OK; k++) {
        char name[SILT_NAME_SIZE] = "";
        if (!pack->reads) {
            if (!is_kept(erosion, terrain->layers[k]->name))
                continue;
            snprintf(name, sizeof name, "%s", terrain->layers[k]->name);
        }
        silt_pack(pack, name, sizeof name);
        name[sizeof name - 1] = '\0';
        snprintf(names[n], sizeof names[n], "%s", name);
        SiltField *field;
        if (pack->status == SILT_OK)
            pack->status = silt_terrain_require(terrain, name, &field);
        if (pack->status == SILT_OK)
            pack_rows(field, pack);
        n++;
    }
    if (pack->reads && pack->status == SILT_OK)
        drop_others(erosion, names, count);
}

// What a run was made for cannot be brought back into another: of the parameters only live ones, and which
// layers there are, may differ.
static SiltStatus compare_params(const SiltErosion *erosion, const void *found)
{
    const SiltParamTable *table = &erosion->model->params;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < table->count && status == SILT_OK; k++) {
        const SiltParam *param = &table->items[k];
        if (param->flags & SILT_LIVE || param->type == SILT_TYPE_LAYER)
            continue;
        char *own = silt_params_value(table, erosion->params, k), *other = silt_params_value(table, found, k);
        if (!own || !other)
            status = silt_fail_memory("parameters", (double)table->size);
        else if (strcmp(own, other) != 0)
            status = silt_fail(SILT_BAD_ARGUMENT,
                               "erode %s: the block is a run with %s = %.60s, this is one with %.60s",
                               erosion->model->name, param->name, other, own);
        silt_free(own);
        silt_free(other);
    }
    return status;
}

// Values that are out of range, or another run's, do not take the place of those that are there.
static void read_params(SiltErosion *erosion, SiltPack *pack)
{
    const SiltParamTable *table = &erosion->model->params;
    void *found = silt_params_clone(table, erosion->params);
    if (!found) {
        pack->status = silt_fail_memory("parameters", (double)table->size);
        return;
    }
    silt_params_pack(table, found, pack);
    if (pack->status == SILT_OK)
        pack->status = silt_params_check(table, found, erosion->model->name);
    if (pack->status == SILT_OK)
        pack->status = compare_params(erosion, found);
    if (pack->status == SILT_OK)
        pack->status = silt_params_copy(table, found, erosion->params);
    silt_params_delete(table, found);
}

// How far it is, and with what parameters.
static void pack_course(SiltErosion *erosion, SiltPack *pack)
{
    SiltReport *report = &erosion->report;
    SILT_PACK(pack, report->steps);
    SILT_PACK(pack, report->model_time);
    SILT_PACK(pack, report->seconds);
    silt_counters_pack(&report->counters, pack);
    SILT_PACK(pack, report->ledger);
    SILT_PACK(pack, erosion->run.seed);
    int frames = erosion->owes ? -1 - erosion->frame_count : erosion->frame_count; // below zero: one is owed
    SILT_PACK(pack, frames);
    erosion->owes = frames < 0;
    erosion->frame_count = erosion->owes ? -1 - frames : frames;
    SILT_PACK(pack, erosion->step_time);
    SILT_PACK(pack, erosion->due);
    SILT_PACK(pack, erosion->waiting);
    silt_pack_flag(pack, &erosion->finished);
    bool is_there = report->steps >= 0 && report->model_time >= 0.0 && report->model_time < INFINITY;
    if (pack->reads && pack->status == SILT_OK && !is_there)
        pack->status = silt_fail(SILT_BAD_FILE, "erode %s: the state is damaged: how far it had come",
                                 erosion->model->name);
    if (pack->reads)
        read_params(erosion, pack);
    else
        silt_params_pack(&erosion->model->params, erosion->params, pack);
}

static void pack_all(SiltErosion *erosion, SiltPack *pack)
{
    pack_course(erosion, pack);
    pack_layers(erosion, pack);
    if (pack->reads && pack->status == SILT_OK && erosion->model->refresh)
        pack->status = erosion->model->refresh(erosion->state); // before what it remembers is brought back
    for (int k = 0; k < erosion->model->state_count; k++)
        pack_item(erosion, k, pack);
    if (erosion->model->pack)
        erosion->model->pack(erosion->state, erosion->terrain, pack);
}

static SiltStatus wake(SiltErosion *erosion)
{
    SiltStatus status = silt_erosion_check_state(erosion);
    return status == SILT_OK && erosion->model->resume ? erosion->model->resume(erosion->state) : status;
}

static SiltStatus read_all(SiltErosion *erosion, const void *body, size_t bytes)
{
    SiltPack pack = {.block = (char *)(uintptr_t)body, .size = bytes, .reads = true};
    pack_all(erosion, &pack);
    return pack.status == SILT_OK ? wake(erosion) : pack.status;
}

// ---- whose block it is ----

typedef struct Head {
    char magic[8]; // "siltrun1"
    char version[16];
    char model[SILT_NAME_SIZE];
    int width, height;
    double cell;
    uint64_t nodata; // of the mask
    uint64_t tables; // of the names in the tables of parameters and of state
    uint64_t bytes;  // of the whole block
    uint64_t sum;    // of all behind the head
} Head;

static uint64_t mix(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    size_t k = 0;
    for (uint64_t word; count - k >= sizeof word; k += sizeof word) {
        memcpy(&word, at + k, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    for (; k < count; k++)
        sum = (sum ^ at[k]) * 0x100000001B3u;
    return sum;
}

static uint64_t sum_of_tables(const SiltModel *model)
{
    uint64_t sum = 1;
    for (int k = 0; k < model->params.count; k++)
        sum = mix(sum, model->params.items[k].name, strlen(model->params.items[k].name));
    for (int k = 0; k < model->state_count; k++)
        sum = mix(sum, model->state[k].name, strlen(model->state[k].name));
    return sum;
}

static Head head_of(const SiltErosion *erosion)
{
    const SiltTerrain *terrain = erosion->terrain;
    Head head;
    memset(&head, 0, sizeof head); // the gaps too
    memcpy(head.magic, "siltrun1", 8);
    snprintf(head.version, sizeof head.version, "%s", silt_version());
    snprintf(head.model, sizeof head.model, "%s", erosion->model->name);
    head.width = terrain->width;
    head.height = terrain->height;
    head.cell = terrain->cell;
    head.nodata =
        terrain->nodata ? mix(1, terrain->nodata, (size_t)terrain->width * (size_t)terrain->height) : 0;
    head.tables = sum_of_tables(erosion->model);
    return head;
}

static SiltStatus check_head(const SiltErosion *erosion, const Head *found, size_t bytes)
{
    const char *name = erosion->model->name;
    Head own = head_of(erosion);
    if (memcmp(found->magic, own.magic, sizeof own.magic) != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: this block is no saved run", name);
    if (memcmp(found->model, own.model, sizeof own.model) != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the block is a run of '%.31s'", name, found->model);
    if (memcmp(found->version, own.version, sizeof own.version) != 0 || found->tables != own.tables)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the block was saved by version %.15s, this is %s",
                         name, found->version, own.version);
    if (found->width != own.width || found->height != own.height || found->cell != own.cell)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "erode %s: the block is a run on %d x %d cells of %g m, this is one on %d x %d of %g m", name,
            found->width, found->height, found->cell, own.width, own.height, own.cell);
    if (found->nodata != own.nodata)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: the block is a run on land whose cells without data are others", name);
    if (found->bytes != bytes)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the block has %zu bytes, and %llu were saved", name,
                         bytes, (unsigned long long)found->bytes);
    return SILT_OK;
}

// What the parts of a file are checked by is theirs, so the head needs no sum; and a run that has just begun
// needs no way back.
SiltStatus silt_erosion_pack(SiltErosion *erosion, SiltPack *pack)
{
    Head head = head_of(erosion);
    if (!pack->reads)
        pack->status = silt_erosion_fetch(erosion, -1, 0, erosion->terrain->height);
    Head found = head;
    SILT_PACK(pack, found);
    if (pack->reads && pack->status == SILT_OK) {
        found.model[sizeof found.model - 1] = found.version[sizeof found.version - 1] = '\0';
        found.bytes = 0;
        pack->status = check_head(erosion, &found, 0);
    }
    if (pack->status == SILT_OK)
        pack_all(erosion, pack);
    if (!pack->reads || pack->status != SILT_OK)
        return pack->status;
    SiltStatus status = wake(erosion);
    if (status == SILT_OK)
        status = silt_erosion_push(erosion, 0, erosion->terrain->height);
    silt_erosion_renew(erosion);
    erosion->generation++;
    erosion->edits++;
    return status;
}

SiltStatus silt_erosion_save(SiltErosion *erosion, void **block, size_t *bytes)
{
    *block = NULL;
    *bytes = 0;
    SiltPack measure = {.block = NULL};
    SiltStatus status = silt_erosion_fetch(erosion, -1, 0, erosion->terrain->height);
    if (status != SILT_OK)
        return status;
    pack_all(erosion, &measure);
    if (measure.status != SILT_OK)
        return measure.status;
    void *made;
    status = silt_alloc_for("the state of a run", 1, sizeof(Head) + measure.at, &made);
    if (status != SILT_OK)
        return status;
    char *body = (char *)made + sizeof(Head);
    SiltPack pack = {.block = body, .size = measure.at};
    pack_all(erosion, &pack);
    if (pack.status != SILT_OK) {
        silt_free(made);
        return pack.status;
    }
    Head head = head_of(erosion);
    head.bytes = sizeof(Head) + measure.at;
    head.sum = mix(1, body, measure.at);
    memcpy(made, &head, sizeof head);
    *block = made;
    *bytes = head.bytes;
    return SILT_OK;
}

static SiltStatus check_params(const SiltErosion *erosion, const void *body, size_t bytes)
{
    SiltErosion look = *erosion;
    SiltPack pack = {.block = (char *)(uintptr_t)body, .size = bytes, .reads = true};
    look.params = silt_params_clone(&erosion->model->params, erosion->params);
    if (!look.params)
        return silt_fail_memory("parameters", (double)erosion->model->params.size);
    pack_course(&look, &pack);
    SiltStatus status = pack.status == SILT_OK ? compare_params(erosion, look.params) : pack.status;
    silt_params_delete(&erosion->model->params, look.params);
    return status;
}

// Where memory runs out on the way all is brought back as it was.
static SiltStatus take_or_leave(SiltErosion *erosion, const void *body, size_t bytes)
{
    void *kept;
    size_t kept_bytes;
    int layers = erosion->terrain->layer_count;
    SiltStatus status = silt_erosion_save(erosion, &kept, &kept_bytes);
    if (status != SILT_OK)
        return status;
    status = read_all(erosion, body, bytes);
    if (status != SILT_OK) {
        bool is_back =
            read_all(erosion, (const char *)kept + sizeof(Head), kept_bytes - sizeof(Head)) == SILT_OK;
        erosion->finished = erosion->finished || !is_back; // half of one and half of the other: no further
        while (erosion->terrain->layer_count > layers)
            silt_terrain_drop(erosion->terrain,
                              erosion->terrain->layers[erosion->terrain->layer_count - 1]->name);
    }
    silt_free(kept);
    return status;
}

SiltStatus silt_erosion_restore(SiltErosion *erosion, const void *block, size_t bytes)
{
    Head head;
    if (bytes < sizeof head)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: this block is no saved run", erosion->model->name);
    memcpy(&head, block, sizeof head);
    SiltStatus status = check_head(erosion, &head, bytes);
    if (status != SILT_OK)
        return status;
    const char *body = (const char *)block + sizeof head;
    bytes -= sizeof head;
    if (mix(1, body, bytes) != head.sum)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: the block is damaged", erosion->model->name);
    status = check_params(erosion, body, bytes);
    if (status != SILT_OK)
        return status;
    SiltScope scope = silt_scope_begin(erosion);
    status = take_or_leave(erosion, body, bytes);
    SiltStatus pushed = silt_erosion_push(erosion, 0, erosion->terrain->height);
    status = status == SILT_OK ? pushed : status;
    silt_erosion_renew(erosion);
    erosion->broken = erosion->broken && status != SILT_OK;
    erosion->generation++;
    erosion->edits++;
    silt_scope_end(scope);
    return status;
}
