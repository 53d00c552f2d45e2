// The list of models.
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "erode/model.h"

extern const SiltModel silt_model_acid;
extern const SiltModel silt_model_cells;
extern const SiltModel silt_model_ice;
extern const SiltModel silt_model_newton;
extern const SiltModel silt_model_pipes;
extern const SiltModel silt_model_rivers;
extern const SiltModel silt_model_sph;
extern const SiltModel silt_model_thermal;
extern const SiltModel silt_model_voxel;

static const SiltModel *const models[] = {
    &silt_model_acid,   &silt_model_cells, &silt_model_ice,     &silt_model_newton, &silt_model_pipes,
    &silt_model_rivers, &silt_model_sph,   &silt_model_thermal, &silt_model_voxel,
};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

int silt_model_count(void)
{
    return MODEL_COUNT;
}

const SiltModel *silt_model_at(int index)
{
    return index >= 0 && index < MODEL_COUNT ? models[index] : NULL;
}

static const char *name_at(const void *context, int index)
{
    (void)context;
    return models[index]->name;
}

const SiltModel *silt_model_find(const char *name)
{
    for (int k = 0; k < MODEL_COUNT; k++)
        if (strcmp(models[k]->name, name) == 0)
            return models[k];
    char hint[80];
    silt_suggestion(silt_nearest_name(name, name_at, NULL, MODEL_COUNT), hint, sizeof hint);
    silt_fail(SILT_BAD_ARGUMENT, "there is no erosion model '%.60s'%s", name,
              hint[0] ? hint : "; 'silt list' shows them all");
    return NULL;
}
