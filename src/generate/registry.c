// The list of generators.
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "silt/generate.h"

extern const SiltGenerator silt_generator_plane;
extern const SiltGenerator silt_generator_plates;
extern const SiltGenerator silt_generator_range;
extern const SiltGenerator silt_generator_rmp;

static const SiltGenerator *const generators[] = {
    &silt_generator_plane,
    &silt_generator_plates,
    &silt_generator_range,
    &silt_generator_rmp,
};
enum { GENERATOR_COUNT = sizeof generators / sizeof generators[0] };

int silt_generator_count(void)
{
    return GENERATOR_COUNT;
}

const SiltGenerator *silt_generator_at(int index)
{
    return generators[index];
}

static const char *name_at(const void *context, int index)
{
    (void)context;
    return generators[index]->name;
}

const SiltGenerator *silt_generator_find(const char *name)
{
    for (int k = 0; k < GENERATOR_COUNT; k++)
        if (strcmp(generators[k]->name, name) == 0)
            return generators[k];
    char hint[80];
    silt_suggestion(silt_nearest_name(name, name_at, NULL, GENERATOR_COUNT), hint, sizeof hint);
    silt_fail(SILT_BAD_ARGUMENT, "there is no generator '%.60s'%s", name,
              hint[0] ? hint : "; 'silt list' shows them all");
    return NULL;
}

SiltStatus silt_generate(const SiltGenerator *generator, int width, int height, double cell,
                         const void *params, const SiltRun *run, SiltTerrain **out)
{
    *out = NULL;
    SiltTerrain *terrain = NULL;
    void *defaults = NULL;
    SiltStatus status = silt_terrain_create(width, height, cell, &terrain);
    if (status == SILT_OK && !params) {
        status = silt_alloc_for("parameters", 1, generator->params.size, &defaults);
        if (status == SILT_OK)
            status = silt_params_init(&generator->params, defaults);
        params = defaults;
    }
    if (status == SILT_OK)
        status = silt_params_check(&generator->params, params, generator->name);
    if (status == SILT_OK)
        status = generator->run(terrain, params, run);
    if (defaults)
        silt_params_free(&generator->params, defaults);
    silt_free(defaults);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    *out = terrain;
    return SILT_OK;
}
