// Which layers a step may name: those of the terrain, and those that the stages before it make.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "silt/io.h"

// ---- the names so far ----

static int find(const LayerNames *names, const char *layer)
{
    for (int k = 0; k < names->count; k++)
        if (strcmp(names->names[k], layer) == 0)
            return k;
    return -1;
}

static SiltStatus add(LayerNames *names, const char *layer, const char *owner)
{
    if (find(names, layer) >= 0)
        return SILT_OK;
    if (names->count == SILT_MAX_LAYERS)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: layer '%.60s': a terrain holds at most %d layers", owner,
                         layer, SILT_MAX_LAYERS);
    snprintf(names->names[names->count++], SILT_NAME_SIZE, "%s", layer);
    return SILT_OK;
}

static SiltStatus add_all(LayerNames *names, const char *layers, const char *owner)
{
    char word[SILT_NAME_SIZE];
    SiltStatus status = SILT_OK;
    while (status == SILT_OK && layers && silt_next_word(&layers, word, sizeof word))
        status = add(names, word, owner);
    return status;
}

static void forget(LayerNames *names, const char *layer)
{
    int index = find(names, layer);
    if (index >= 0)
        memmove(names->names[index], names->names[index + 1],
                (size_t)(--names->count - index) * sizeof names->names[0]);
}

// ---- what a step reads ----

static int shared_count(void)
{
    int count = 0;
    while (silt_layer_name_at(count))
        count++;
    return count;
}

static const char *candidate(const void *context, int index)
{
    const LayerNames *names = context;
    return index < names->count ? names->names[index] : silt_layer_name_at(index - names->count);
}

static SiltStatus check_read(const LayerNames *names, const char *layer, const char *owner)
{
    if (strcmp(layer, "change") == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: once a stage is done its 'change' is in the height, and kept as 'net_change'",
                         owner);
    bool is_shared = silt_layer_unit(layer)[0] != '\0';
    if (find(names, layer) >= 0 || (names->open && is_shared))
        return SILT_OK;
    char hint[80];
    int count = names->count + (names->open ? shared_count() : 0);
    silt_suggestion(silt_nearest_name(layer, candidate, names, count), hint, sizeof hint);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: no stage before makes a layer '%.60s'%s", owner, layer, hint);
}

static SiltStatus check_table(const LayerNames *names, const SiltParamTable *table, const void *params,
                              const char *owner)
{
    for (int k = 0; table && k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        const char *layer = (const char *)params + param->offset;
        if (param->type != SILT_TYPE_LAYER || layer[0] == '\0' || strcmp(layer, param->text) == 0 ||
            strcmp(param->name, "into") == 0 || (table == &silt_write_params && strcmp(layer, "all") == 0))
            continue;
        SiltStatus status = check_read(names, layer, owner);
        if (status != SILT_OK)
            return status;
    }
    return SILT_OK;
}

static SiltStatus check_reads(const LayerNames *names, const Step *step, const char *owner)
{
    const SiltStage *info = &step->kind->info;
    SiltStatus status = SILT_OK;
    if (info->subject == SILT_SUBJECT_LAYER)
        status = check_read(names, step->subject, owner);
    if (status == SILT_OK)
        status = check_table(names, &info->params, step->params, owner);
    if (status == SILT_OK)
        status = check_table(names, info->options, step->options, owner);
    if (status == SILT_OK)
        status = check_table(names, silt_step_table(step), step->set, owner);
    return status;
}

// ---- what it makes ----

// Layers become file names and EXR channels.
static SiltStatus check_made(const char *layer, const char *owner)
{
    size_t length = 0;
    while (isalnum((unsigned char)layer[length]) || layer[length] == '_' || layer[length] == '-')
        length++;
    if (length == 0 || layer[length])
        return silt_fail(SILT_BAD_ARGUMENT, "%s: '%s' is no name for a layer: letters, digits, - and _",
                         owner, layer);
    if (strcmp(layer, "change") == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the layer 'change' belongs to the models; take another name",
                         owner);
    return SILT_OK;
}

static SiltStatus note_terrain(LayerNames *names, const Step *step, const char *owner)
{
    bool is_file = step->kind->info.subject == SILT_SUBJECT_INPUT || silt_step_instead(step);
    names->open = is_file;
    SiltStatus status = add(names, "height", owner);
    return status == SILT_OK && !is_file && step->generator ? add_all(names, step->generator->makes, owner)
                                                            : status;
}

static SiltStatus note_made(LayerNames *names, const Step *step, const char *owner)
{
    const char *into = silt_step_into(step);
    if (strcmp(step->kind->info.section, "terrain") == 0)
        return note_terrain(names, step, owner);
    if (strcmp(step->kind->info.name, "drop") == 0)
        forget(names, step->subject);
    SiltStatus status = into ? check_made(into, owner) : SILT_OK;
    if (status == SILT_OK && into)
        status = add(names, into, owner);
    if (status == SILT_OK && step->generator && !into)
        status = add_all(names, step->generator->makes, owner);
    const char *layer = "";
    for (int k = 0; step->kind->makes && layer && status == SILT_OK; k++) {
        layer = step->kind->makes(step, k);
        if (layer && layer[0])
            status = add(names, layer, owner);
    }
    if (status == SILT_OK && step->model)
        status = add(names, "net_change", owner);
    return status == SILT_OK && step->model ? add_all(names, silt_model_makes(step->model), owner) : status;
}

SiltStatus silt_layers_check(LayerNames *names, const Step *step, const char *owner)
{
    if (step->skipped)
        return SILT_OK;
    SiltStatus status = check_reads(names, step, owner);
    if (status == SILT_OK || !names->lax)
        return status == SILT_OK ? note_made(names, step, owner) : status;
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s", silt_message());
    note_made(names, step, owner);
    return silt_fail(status, "%s", sentence);
}

SiltStatus silt_layers_check_all(const SiltRecipe *recipe, const SiltTerrain *terrain)
{
    LayerNames names = {.count = 0};
    SiltStatus status = SILT_OK;
    for (int k = 0; k < terrain->layer_count && status == SILT_OK; k++)
        status = add(&names, terrain->layers[k]->name, recipe->path);
    for (int k = 0; k < recipe->stage_count + recipe->output_count && status == SILT_OK; k++) {
        const Step *step =
            k < recipe->stage_count ? &recipe->stages[k] : &recipe->outputs[k - recipe->stage_count];
        char owner[OWNER_SIZE];
        status = silt_layers_check(&names, step, silt_step_owner(recipe, step->line, step->column, owner));
    }
    return status;
}
