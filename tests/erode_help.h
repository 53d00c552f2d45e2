// What the tests of the erosion models share: rough ground, runs by text, sums in double.
#ifndef SILT_ERODE_HELP_H
#define SILT_ERODE_HELP_H

#include "test.h"

#include "core/streams.h"
#include "erode/model.h"
#include "physics/random.h"

static inline SiltTerrain *make_terrain(int width, int height, double cell)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, cell, &terrain));
    return terrain;
}

// White noise of a few sizes on a tilted, bumpy plane: rough in every direction.
static inline void make_rough(SiltTerrain *terrain, uint64_t seed, float relief)
{
    SiltField *height = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            float sum = 0.3f * (float)(i + 2 * j) / (float)(terrain->width + terrain->height);
            float share = 0.5f;
            for (int size = 16; size >= 1; size /= 4, share *= 0.5f) {
                uint64_t index = (uint64_t)(j / size) * 4096 + (uint64_t)(i / size);
                sum +=
                    share * silt_uniform(silt_random(seed, SILT_STREAM_TEST, index, (uint32_t)size).word[0]);
            }
            silt_field_row(height, j)[i] = relief * sum;
        }
}

// Runs a model with parameters "key=value key=value".
static inline SiltReport erode_in(SiltTerrain *terrain, const char *name, const char *settings,
                                  SiltDuration duration, const SiltRun *run)
{
    const SiltModel *model = silt_model_find(name);
    assert_non_null(model);
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_non_null(params);
    assert_ok(silt_params_init(silt_model_params(model), params));
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, name, word));
    SiltReport report;
    assert_ok(silt_erode(model, terrain, params, duration, run, &report));
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    return report;
}

// A live run of a model with such parameters.
static inline SiltErosion *begin_erosion_in(SiltTerrain *terrain, const char *name, const char *settings,
                                            const SiltRun *run)
{
    const SiltModel *model = silt_model_find(name);
    void *params = silt_params_new(silt_model_params(model));
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, name, word));
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(model, terrain, params, run, &erosion));
    silt_params_delete(silt_model_params(model), params);
    return erosion;
}

static inline SiltErosion *begin_erosion(SiltTerrain *terrain, const char *name, const char *settings)
{
    return begin_erosion_in(terrain, name, settings, &(SiltRun){.seed = 1});
}

// What makes a model do something within a few steps on small rough ground.
static inline const char *small_settings(const char *model)
{
    return strcmp(model, "sph") == 0       ? "boxes=40,40,20,12,12,10 spacing=2"
           : strcmp(model, "thermal") == 0 ? "strength=0"
                                           : "";
}

static inline SiltReport erode(SiltTerrain *terrain, const char *name, const char *settings,
                               SiltDuration duration)
{
    return erode_in(terrain, name, settings, duration, NULL);
}

static inline SiltReport erode_steps(SiltTerrain *terrain, const char *name, const char *settings,
                                     int64_t steps)
{
    return erode(terrain, name, settings, (SiltDuration){.steps = steps});
}

static inline double layer_at(const SiltTerrain *terrain, const char *name, int i, int j)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    return field ? (double)silt_field_at(field, i, j) : 0.0;
}

static inline double ground_at(const SiltTerrain *terrain, int i, int j)
{
    return layer_at(terrain, "height", i, j) + layer_at(terrain, "change", i, j);
}

// The sum of height and change over the cells that have data.
static inline double ground_sum(const SiltTerrain *terrain)
{
    double sum = 0.0;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j))
                sum += ground_at(terrain, i, j);
    return sum;
}

static inline double layer_sum(const SiltTerrain *terrain, const char *name)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    return field ? silt_field_sum(field) : 0.0;
}

static inline uint64_t layers_hash(const SiltTerrain *terrain)
{
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 0x9E3779B97F4A7C15u + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

static inline bool layers_finite(const SiltTerrain *terrain)
{
    for (int k = 0; k < terrain->layer_count; k++)
        for (int j = 0; j < terrain->height; j++)
            for (int i = 0; i < terrain->width; i++)
                if (!isfinite(silt_field_at(&terrain->layers[k]->field, i, j)))
                    return false;
    return true;
}

typedef struct RoughGround {
    int width, height;
    double cell;
    float relief;
} RoughGround;

static inline SiltTerrain *rough_ground(RoughGround ground)
{
    SiltTerrain *terrain = make_terrain(ground.width, ground.height, ground.cell);
    make_rough(terrain, 3, ground.relief);
    return terrain;
}

// A model gives the same bytes on 1, 2, 3 and 8 threads, on rough ground; returns the hash of all its layers.
static inline uint64_t same_on_any_threads(const char *model, const char *settings, SiltDuration duration,
                                           RoughGround ground)
{
    static const int threads[] = {1, 2, 3, 8};
    uint64_t wanted = 0;
    for (int k = 0; k < 4; k++) {
        SiltTerrain *terrain = rough_ground(ground);
        silt_set_threads(threads[k]);
        erode(terrain, model, settings, duration);
        assert_true(layer_sum(terrain, "wear") > 0.0);
        uint64_t hash = layers_hash(terrain);
        assert_true(k == 0 || hash == wanted);
        wanted = hash;
        silt_terrain_destroy(terrain);
    }
    silt_set_threads(0);
    return wanted;
}

// The terrain turned by 90 degrees clockwise, layer "height" only.
static inline SiltTerrain *turned(const SiltTerrain *terrain)
{
    SiltTerrain *out = make_terrain(terrain->height, terrain->width, terrain->cell);
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            silt_field_row(silt_terrain_layer(out, "height"), i)[terrain->height - 1 - j] =
                (float)layer_at(terrain, "height", i, j);
    return out;
}

// Whether `layer` of `after`, a run on turned(), is that of `before` turned.
static inline bool is_turned(const SiltTerrain *before, const SiltTerrain *after, const char *layer)
{
    for (int j = 0; j < before->height; j++)
        for (int i = 0; i < before->width; i++)
            if (layer_at(before, layer, i, j) != layer_at(after, layer, before->height - 1 - j, i))
                return false;
    return true;
}

// A random value within its range for every number and choice of a model; lists and layers keep their
// defaults.
static inline void draw_params(const SiltParamTable *table, void *params, uint64_t seed)
{
    assert_ok(silt_params_init(table, params));
    for (int k = 0; k < table->count; k++) {
        const SiltParam *item = &table->items[k];
        SiltRandom random = silt_random(seed, SILT_STREAM_TEST, (uint64_t)k, 99);
        double u = (double)silt_uniform(random.word[0]);
        double pick = random.word[1] % 8 == 0   ? item->minimum
                      : random.word[1] % 8 == 1 ? item->maximum
                      : (item->flags & SILT_LOG) && item->minimum > 0.0
                          ? item->minimum * pow(item->maximum / item->minimum, u)
                          : item->minimum + u * (item->maximum - item->minimum);
        char *slot = (char *)params + item->offset, name[SILT_NAME_SIZE];
        int choices = 0;
        while (item->type == SILT_TYPE_CHOICE && silt_param_choice(item, choices, name))
            choices++;
        if (item->type == SILT_TYPE_REAL && isfinite(pick))
            *(double *)(void *)slot = pick;
        else if (item->type == SILT_TYPE_INT)
            *(int *)(void *)slot = (int)pick;
        else if (item->type == SILT_TYPE_BOOL)
            *(bool *)(void *)slot =
                (random.word[0] & 1) && (strcmp(item->name, "rest") != 0 || seed % 20 == 0);
        else if (choices)
            *(int *)(void *)slot = (int)(random.word[0] % (uint32_t)choices);
    }
    assert_ok(silt_params_check(table, params, "drawn"));
}

#endif
