// The memory that a model, its maps and the terrain take, before they take it.
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "erode/run.h"
#include "terrain/terrain.h"

// Asking for more than there can be is asking for all of it: sums of a few of these are numbers yet.
static uint64_t whole_bytes(double bytes)
{
    return bytes < 0x1p60 ? (uint64_t)bytes : UINT64_C(1) << 60;
}

uint64_t silt_model_bytes_with(const SiltModel *model, const void *params, int width, int height)
{
    uint64_t bytes = model->state_size;
    for (int k = 0; k < model->state_count; k++) {
        if (silt_state_is_made_early(&model->state[k]))
            bytes += silt_field_bytes(width, height);
        else if (model->state[k].type == SILT_STATE_EXACT)
            bytes += (uint64_t)width * (uint64_t)height * sizeof(double);
    }
    double more = model->more_bytes * (double)width * (double)height;
    return bytes + whole_bytes(more + (model->param_bytes ? model->param_bytes(params) : 0.0));
}

uint64_t silt_model_bytes(const SiltModel *model, int width, int height)
{
    void *params = silt_params_new(&model->params);
    uint64_t bytes = params ? silt_model_bytes_with(model, params, width, height) : 0;
    silt_params_delete(&model->params, params);
    return bytes;
}

// Layers that a run leaves and that the terrain does not have yet.
static int maps_to_come(const SiltModel *model, const SiltTerrain *terrain)
{
    const char *made = silt_model_makes(model);
    char word[SILT_NAME_SIZE];
    int count = silt_terrain_layer(terrain, "change") ? 0 : 1;
    while (silt_next_word(&made, word, sizeof word))
        count += !silt_terrain_layer(terrain, word);
    return count;
}

// What the land itself asks for beyond what is usual.
static uint64_t more_for_land(const SiltModel *model, const void *params, const SiltTerrain *terrain)
{
    double usual = model->usual_land_bytes * (double)terrain->width * (double)terrain->height;
    double land = model->land_bytes ? model->land_bytes(params, terrain) : 0.0;
    return land > usual ? whole_bytes(land - usual) : 0;
}

// What a run takes beside the layers that are there.
static uint64_t need_of(const SiltModel *model, const void *params, const SiltTerrain *terrain)
{
    uint64_t state = params ? silt_model_bytes_with(model, params, terrain->width, terrain->height)
                            : silt_model_bytes(model, terrain->width, terrain->height);
    return state + more_for_land(model, params, terrain) +
           (uint64_t)maps_to_come(model, terrain) * silt_field_bytes(terrain->width, terrain->height);
}

uint64_t silt_erode_bytes(const SiltModel *model, const void *params, const SiltTerrain *terrain)
{
    uint64_t cells = (uint64_t)terrain->width * (uint64_t)terrain->height;
    return need_of(model, params, terrain) + (terrain->nodata ? cells : 0) +
           (uint64_t)terrain->layer_count * silt_field_bytes(terrain->width, terrain->height);
}

uint64_t silt_erosion_need(const SiltErosion *erosion)
{
    return need_of(erosion->model, erosion->params, erosion->terrain);
}

const char *silt_model_remedy(const SiltModel *model, const void *params, uint64_t bytes)
{
    double of_particles = params && model->param_bytes ? model->param_bytes(params) : 0.0;
    return of_particles > 0.5 * (double)bytes ? "lower particles" : "take a smaller size";
}

// " and N particles", where there are any.
static void count_particles(const SiltErosion *erosion, char text[64])
{
    const SiltParamTable *table = &erosion->model->params;
    int index = erosion->params ? silt_params_find(table, "particles") : -1;
    char *value = index < 0 ? NULL : silt_params_value(table, erosion->params, index);
    snprintf(text, 64, "%s%.32s%s", value ? " and " : "", value ? value : "", value ? " particles" : "");
    silt_free(value);
}

// The whole need, not the one block that could not be had.
SiltStatus silt_erosion_name_need(const SiltErosion *erosion)
{
    const SiltTerrain *terrain = erosion->terrain;
    char whole[SILT_NUMBER_SIZE], free[SILT_NUMBER_SIZE], particles[64];
    count_particles(erosion, particles);
    uint64_t bytes = silt_erosion_need(erosion);
    return silt_fail(
        SILT_NO_MEMORY,
        "erode %s: not enough memory: %d x %d cells%s need %s beside the terrain's own layers, and "
        "%s is available; %s",
        erosion->model->name, terrain->width, terrain->height, particles,
        silt_format_bytes((double)bytes, whole), silt_format_bytes((double)erosion->available, free),
        silt_model_remedy(erosion->model, erosion->params, bytes));
}
