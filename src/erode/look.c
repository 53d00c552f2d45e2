// What a run shows of itself while it goes on: layers, part of them or whole, and particles.
#include <stdio.h>
#include <string.h>

#include "erode/layers.h"
#include "erode/run.h"

int silt_model_layer(const SiltModel *model, const char *name)
{
    for (int k = 0; model->layers && model->layers[k]; k++)
        if (strcmp(model->layers[k], name) == 0)
            return k;
    return -1;
}

SiltStatus silt_erosion_check_rect(const SiltErosion *erosion, const SiltRect *rect)
{
    const SiltTerrain *terrain = erosion->terrain;
    bool inside = rect->i >= 0 && rect->j >= 0 && rect->width > 0 && rect->height > 0 &&
                  rect->width <= terrain->width - rect->i && rect->height <= terrain->height - rect->j;
    return inside ? SILT_OK
                  : silt_fail(SILT_BAD_ARGUMENT,
                              "erode %s: %d x %d cells at (%d, %d) do not lie on a map of %d x %d",
                              erosion->model->name, rect->width, rect->height, rect->i, rect->j,
                              terrain->width, terrain->height);
}

static SiltStatus find_seen(SiltErosion *erosion, const char *name, SiltSeen **out)
{
    for (int k = 0; k < erosion->seen_count; k++) {
        *out = &erosion->seen[k];
        if (strcmp((*out)->name, name) == 0)
            return SILT_OK;
    }
    if (erosion->seen_count == SILT_MAX_LAYERS)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: a run shows at most %d layers", erosion->model->name,
                         SILT_MAX_LAYERS);
    *out = &erosion->seen[erosion->seen_count];
    snprintf((*out)->name, SILT_NAME_SIZE, "%s", name);
    SiltStatus status = silt_field_create(erosion->terrain->width, erosion->terrain->height, &(*out)->field);
    erosion->seen_count += status == SILT_OK;
    return status;
}

typedef struct LookJob {
    const SiltErosion *erosion;
    SiltField *out;
    const SiltField *height; // added to the rows, or NULL
    int layer;
    SiltRect rect;
} LookJob;

static void look_rows(void *context, int begin, int end)
{
    const LookJob *job = context;
    const SiltTerrain *terrain = job->erosion->terrain;
    int from = job->rect.i, to = job->rect.i + job->rect.width;
    for (int row = begin; row < end; row++) {
        int j = job->rect.j + row;
        float *out = silt_field_row(job->out, j);
        job->erosion->model->show(job->erosion->state, job->layer, j, from, to, out);
        for (int i = from; terrain->nodata && i < to; i++)
            out[i] = silt_terrain_is_nodata(terrain, i, j) ? 0.0f : out[i];
        for (int i = from; job->height && i < to; i++)
            out[i] += silt_field_at(job->height, i, j);
    }
}

static bool contains(const SiltRect *outer, const SiltRect *inner)
{
    return inner->i >= outer->i && inner->j >= outer->j &&
           inner->i + inner->width <= outer->i + outer->width &&
           inner->j + inner->height <= outer->j + outer->height;
}

// One pass over the rectangle, unless nothing has happened since the last.
static SiltStatus look(SiltErosion *erosion, const char *name, int layer, const SiltRect *rect,
                       const SiltField **out)
{
    SiltSeen *seen;
    SiltStatus status = find_seen(erosion, name, &seen);
    if (status != SILT_OK)
        return status;
    if (seen->generation != erosion->generation || !contains(&seen->rect, rect)) {
        LookJob job = {erosion, &seen->field, NULL, layer, *rect};
        job.height = strcmp(name, "height") == 0 ? silt_terrain_layer(erosion->terrain, "height") : NULL;
        status = silt_erosion_fetch(erosion, layer, rect->j, rect->height);
        if (status != SILT_OK)
            return status;
        SiltScope scope = silt_scope_begin(erosion);
        silt_parallel(rect->height, 16, look_rows, &job);
        silt_scope_end(scope);
        seen->generation = erosion->generation;
        seen->rect = *rect;
    }
    *out = &seen->field;
    return SILT_OK;
}

// "height" of a model that keeps its layers in the terrain.
static SiltStatus add_change(SiltErosion *erosion, const SiltField **out)
{
    SiltSeen *seen;
    SiltStatus status = find_seen(erosion, "height", &seen);
    if (status != SILT_OK || seen->generation == erosion->generation) {
        *out = status == SILT_OK ? &seen->field : NULL;
        return status;
    }
    const SiltField *height = silt_terrain_layer(erosion->terrain, "height");
    const SiltField *change = silt_terrain_layer(erosion->terrain, "change");
    if (change)
        silt_field_add(height, change, &seen->field);
    else
        silt_field_copy(height, &seen->field);
    seen->generation = erosion->generation;
    *out = &seen->field;
    return SILT_OK;
}

static SiltStatus find_field(SiltErosion *erosion, const char *name, const SiltRect *rect,
                             const SiltField **out)
{
    const SiltModel *model = erosion->model;
    bool ground = strcmp(name, "height") == 0;
    int layer = silt_model_layer(model, ground ? "change" : name);
    *out = layer >= 0 && !ground && model->field ? model->field(erosion->state, layer) : NULL;
    if (*out)
        return silt_erosion_fetch(erosion, layer, rect->j, rect->height);
    if (layer >= 0)
        return look(erosion, name, layer, rect, out);
    // what the model only stores, or the terrain has
    char made[SILT_NAME_SIZE + 2], all[512];
    snprintf(made, sizeof made, " %.31s ", name);
    snprintf(all, sizeof all, " change height %s ", silt_model_makes(model));
    SiltStatus status = strstr(all, made) ? silt_erosion_store(erosion) : SILT_OK;
    if (status == SILT_OK && ground)
        return add_change(erosion, out);
    *out = silt_terrain_layer(erosion->terrain, name);
    return status != SILT_OK || *out ? status : silt_model_check_output(model, erosion->terrain, name);
}

SiltStatus silt_erosion_view(SiltErosion *erosion, const char *layer, const SiltRect *rect,
                             SiltLayerView *out)
{
    SiltRect all = {0, 0, erosion->terrain->width, erosion->terrain->height};
    const SiltRect *wanted = rect ? rect : &all;
    const SiltField *field;
    *out = (SiltLayerView){0};
    SiltStatus status = silt_erosion_check_rect(erosion, wanted);
    if (status == SILT_OK)
        status = find_field(erosion, layer, wanted, &field);
    if (status == SILT_OK && !field)
        status = silt_fail(SILT_BAD_ARGUMENT, "erode %s: there is no layer '%.60s' yet", erosion->model->name,
                           layer);
    if (status == SILT_OK)
        *out = (SiltLayerView){silt_field_row(field, wanted->j) + wanted->i, field->stride, wanted->width,
                               wanted->height, erosion->generation};
    return status;
}

SiltStatus silt_erosion_particles(const SiltErosion *erosion, SiltParticles *out)
{
    *out = (SiltParticles){0};
    if (!erosion->model->particles)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: it has no particles", erosion->model->name);
    SiltStatus status = silt_erosion_fetch(erosion, SILT_FETCH_PARTICLES, 0, 0);
    if (status == SILT_OK)
        erosion->model->particles(erosion->state, out);
    return status;
}

int silt_erosion_particle_count(const SiltErosion *erosion)
{
    SiltParticles found = {0};
    if (erosion->model->particles)
        erosion->model->particles(erosion->state, &found);
    return found.count;
}

const struct SiltDevice *silt_erosion_device(const SiltErosion *erosion)
{
    return erosion->run.device;
}
