// Which layers a step may name. The recipe's own are known from what stands before; of the models' only that
// they bear one of the names all models share.
#include <ctype.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "silt/io.h"

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
    return index < names->made_count ? names->made[index] : silt_layer_name_at(index - names->made_count);
}

static bool is_known(const LayerNames *names, const char *layer)
{
    for (int k = 0; k < names->made_count; k++)
        if (strcmp(names->made[k], layer) == 0)
            return true;
    return silt_layer_unit(layer)[0] != '\0';
}

static SiltStatus check_read(const LayerNames *names, const char *layer, const char *owner)
{
    if (is_known(names, layer))
        return SILT_OK;
    char hint[80];
    silt_suggestion(silt_nearest_name(layer, candidate, names, names->made_count + shared_count()), hint,
                    sizeof hint);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: no stage before makes a layer '%.60s'%s", owner, layer, hint);
}

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

SiltStatus silt_layers_check(LayerNames *names, const Step *step, const char *owner)
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
    const char *into = silt_step_layer(step, "into");
    if (status != SILT_OK || !into)
        return status;
    status = check_made(into, owner);
    if (status == SILT_OK && !is_known(names, into))
        names->made[names->made_count++] = into;
    return status;
}
