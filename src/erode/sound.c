// What a state that is brought back may hold. Files are compared with their sums, but sums can be made right
// by whoever means harm: numbers that no step leaves would be counted with, beyond what numbers hold.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "erode/ground.h"
#include "erode/layers.h"
#include "erode/run.h"
#include "physics/grains.h"
#include "terrain/terrain.h"

// No metre, second or speed of a run comes near it, and products of three of them are numbers yet. Water that
// has passed, which is only added to, may be more, and grains of a whole map are many more: as many as 64
// bits count.
static double most_of(const SiltStateItem *item)
{
    return strcmp(item->unit, "m3") == 0                                              ? 1e18
           : item->type == SILT_STATE_DOUBLE && strncmp(item->unit, "grains", 6) == 0 ? 0x1p63
                                                                                      : 1e12;
}

static bool are_numbers(const float *row, int64_t width, float most)
{
    bool good = true;
    for (int64_t i = 0; i < width; i++)
        good = good && fabsf(row[i]) <= most;
    return good;
}

static bool are_grains(const int32_t *row, int width)
{
    bool good = true;
    for (int i = 0; i < width; i++)
        good = good && row[i] >= SILT_GRAINS_FLOOR && row[i] <= SILT_GRAINS_WALL;
    return good;
}

static bool is_sound_field(const SiltField *field, SiltStateType type, float most)
{
    bool good = true;
    for (int j = 0; j < field->height && good && field->data; j++)
        good = type == SILT_STATE_COUNTS ? are_grains(silt_grains_row(field, j), field->width)
                                         : are_numbers(silt_field_row(field, j), field->width, most);
    return good;
}

static bool is_sound(const SiltErosion *erosion, const SiltStateItem *item)
{
    const void *at = (const char *)erosion->state + item->offset;
    const SiltStateArray *array = at;
    double most = most_of(item);
    size_t cells = (size_t)erosion->terrain->width * (size_t)erosion->terrain->height;
    switch (item->type) {
    case SILT_STATE_FIELD:
    case SILT_STATE_COUNTS:
    case SILT_STATE_LAZY:
        return is_sound_field(at, item->type, (float)most);
    case SILT_STATE_EXACT:
        for (size_t k = 0; k < cells; k++)
            if (!(fabs((*(const double *const *)at)[k]) <= most))
                return false;
        return true;
    case SILT_STATE_DOUBLE:
        return fabs(*(const double *)at) <= most;
    case SILT_STATE_FLOAT:
        return fabs((double)*(const float *)at) <= most;
    case SILT_STATE_ARRAY:
        return array->size != sizeof(float) || are_numbers(array->data, array->count, (float)most);
    default:
        return true;
    }
}

SiltStatus silt_erosion_check_state(const SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    char owner[64];
    snprintf(owner, sizeof owner, "erode %s", model->name);
    for (int k = 0; k < model->state_count; k++)
        if (!is_sound(erosion, &model->state[k]))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: %s (%s) is what no run has",
                             owner, model->state[k].name, model->state[k].help);
    SiltStatus status = silt_terrain_check_heights(erosion->terrain, owner);
    return status == SILT_OK ? silt_model_check_layers(model, erosion->terrain, erosion->params) : status;
}
