// What the laws of the heightfield models share: lands to run on, and running.
#ifndef SILT_LAWS_WATER_H
#define SILT_LAWS_WATER_H

#include "test.h"

#include "physics/random.h"
#include "silt/erode.h"

// Smooth hills: a sum of a few waves, without the library's sin so that the land is the same everywhere.
static inline double wave(double x)
{
    double t = x - floor(x); // a parabola either half: the shape of a sine
    return t < 0.5 ? 16.0 * t * (0.5 - t) : -16.0 * (t - 0.5) * (1.0 - t);
}

static inline SiltTerrain *make_land(int width, int height, double cell)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, cell, &terrain));
    return terrain;
}

// A mountain in the middle, about `high` metres, with ridges; coordinates from the centre in shares of the
// side, so that the same place can be made at any resolution.
static inline SiltTerrain *make_mountain(int side, double extent, double high)
{
    SiltTerrain *terrain = make_land(side, side, extent / side);
    SiltField *field = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = (i + 0.5) / side - 0.5, y = (j + 0.5) / side - 0.5, r = x * x + y * y;
            double ridges = wave(3.0 * x + 0.7 * y) * wave(2.0 * y - 0.4 * x);
            silt_field_row(field, j)[i] = (float)(high * (1.0 / (1.0 + 8.0 * r) + 0.06 * ridges));
        }
    return terrain;
}

// Hills upon hills, the smallest an eighth of the largest: the same place at any resolution.
static inline SiltTerrain *make_hills(int side, double extent)
{
    SiltTerrain *terrain = make_land(side, side, extent / side);
    SiltField *field = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = (i + 0.5) / side, y = (j + 0.5) / side, height = 0.0;
            for (int octave = 0, size = 2; octave < 4; octave++, size *= 2) {
                double u = size * (0.9 * x + 0.4 * y) + 0.37 * octave;
                double v = size * (0.9 * y - 0.4 * x) + 0.61 * octave;
                height += (wave(u) * wave(0.8 * v) + wave(0.7 * u + 0.6 * v)) / size;
            }
            silt_field_row(field, j)[i] = (float)(0.08 * extent * height);
        }
    return terrain;
}

// Cubic metres by which the ground lies lower than before, where it does.
static inline double lowered(const SiltTerrain *terrain)
{
    const SiltField *change = silt_terrain_layer(terrain, "change");
    double sum = 0.0;
    for (int j = 0; j < change->height; j++)
        for (int i = 0; i < change->width; i++)
            sum -= fmin((double)silt_field_at(change, i, j), 0.0);
    return sum * terrain->cell * terrain->cell;
}

// Every cell for itself.
static inline SiltTerrain *make_rough(int width, int height, double cell, double high, uint64_t seed)
{
    SiltTerrain *terrain = make_land(width, height, cell);
    SiltField *field = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            uint64_t index = (uint64_t)j * (uint64_t)width + (uint64_t)i;
            silt_field_row(field, j)[i] = (float)high * silt_uniform(silt_random(seed, 1, index, 0).word[0]);
        }
    return terrain;
}

// Runs `model` with assignments "key=value" ended by NULL.
static inline SiltReport run_model(const SiltModel *model, SiltTerrain *terrain, SiltDuration duration,
                                   const char *const *settings)
{
    void *params = calloc(1, silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    for (; *settings; settings++)
        assert_ok(silt_params_assign(silt_model_params(model), params, silt_model_name(model), *settings));
    SiltReport report;
    assert_ok(silt_erode(model, terrain, params, duration, NULL, &report));
    silt_params_free(silt_model_params(model), params);
    free(params);
    return report;
}

static inline SiltStatus try_model(const SiltModel *model, SiltTerrain *terrain, const char *setting)
{
    void *params = calloc(1, silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    SiltStatus status = silt_params_assign(silt_model_params(model), params, silt_model_name(model), setting);
    if (status == SILT_OK)
        status = silt_erode(model, terrain, params, (SiltDuration){.steps = 3}, NULL, NULL);
    silt_params_free(silt_model_params(model), params);
    free(params);
    return status;
}

static inline double layer_sum(const SiltTerrain *terrain, const char *name)
{
    return silt_field_sum(silt_terrain_layer(terrain, name));
}

static inline double layer_most(const SiltTerrain *terrain, const char *name)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    double most = 0.0;
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++)
            most = fmax(most, fabs((double)silt_field_at(field, i, j)));
    return most;
}

// One hash of all layers.
static inline uint64_t land_hash(const SiltTerrain *terrain)
{
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 0x9E3779B97F4A7C15u + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

static inline void assert_sane(const SiltTerrain *terrain)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        const SiltField *field = &terrain->layers[k]->field;
        const char *name = terrain->layers[k]->name;
        bool signs = strcmp(name, "height") == 0 || strcmp(name, "change") == 0;
        for (int j = 0; j < field->height; j++)
            for (int i = 0; i < field->width; i++) {
                float value = silt_field_at(field, i, j);
                if (!isfinite(value) || (!signs && value < 0.0f))
                    fail_msg("%s at %d, %d is %g", name, i, j, (double)value);
            }
    }
}

// A random value for every parameter of the table that is a number or a choice, within its range.
static inline void random_params(const SiltParamTable *table, void *params, uint64_t seed)
{
    for (int k = 0; k < table->count; k++) {
        const SiltParam *item = &table->items[k];
        SiltRandom random = silt_random(seed, 1, (uint64_t)k, 0);
        double u = (double)silt_uniform(random.word[0]);
        u = random.word[1] % 5 == 0 ? 0.0 : random.word[1] % 5 == 1 ? 1.0 : u; // the ends, too
        void *slot = (char *)params + item->offset;
        double value = item->minimum + u * (item->maximum - item->minimum);
        if (random.word[2] % 2 && item->minimum >= 0.0) // small values as often as large ones
            value = item->minimum + u * u * u * u * (item->maximum - item->minimum);
        char name[SILT_NAME_SIZE];
        int choices = 0;
        while (item->type == SILT_TYPE_CHOICE && silt_param_choice(item, choices, name))
            choices++;
        if (item->type == SILT_TYPE_REAL)
            *(double *)slot = value;
        else if (item->type == SILT_TYPE_INT)
            *(int *)slot = (int)value;
        else if (item->type == SILT_TYPE_CHOICE)
            *(int *)slot = (int)(random.word[3] % (unsigned)choices);
    }
}

// Random parameters on rough ground: whatever they are, nothing may blow up.
static inline double step_of_params(const SiltParamTable *table, const void *params)
{
    return *(const double *)(const void *)((const char *)params +
                                           table->items[silt_params_find(table, "step")].offset);
}

static inline void survive_random_params(const SiltModel *model, int sets)
{
    void *params = calloc(1, silt_model_params(model)->size);
    for (int set = 0; set < sets / (1 + 2 * SILT_SANITIZED); set++) {
        SiltTerrain *terrain = make_rough(24, 19, set % 3 ? 5.0 : 0.5, set % 2 ? 300.0 : 20.0, (uint64_t)set);
        assert_ok(silt_params_init(silt_model_params(model), params));
        random_params(silt_model_params(model), params, (uint64_t)set + 1000);
        // every other set takes steps of its own length, the others stop after a fraction of a second: some
        // sets ask for ten thousand sub-steps a second
        SiltDuration duration = {.time = 0.05};
        double asked = step_of_params(silt_model_params(model), params);
        if (set % 2) {
            assert_ok(silt_params_set(silt_model_params(model), params, "", "step", "0"));
            duration = (SiltDuration){.steps = 10};
        } else if (asked > 0.0 && asked < 1e-6) {
            duration = (SiltDuration){.steps = 20000}; // and not a million
        }
        assert_ok(silt_erode(model, terrain, params, duration, NULL, NULL));
        assert_sane(terrain);
        silt_params_free(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
    free(params);
}

// A steep trough full of mud, which runs together at its closed end, more than the water over a cell can
// carry, and where it cannot settle. The books balance all the same, and no cell falls below the lowest.
static inline void assert_heavy_loads_are_counted(const SiltModel *model, const char *const *settings)
{
    SiltTerrain *land = make_land(24, 24, 10.0);
    SiltField *height = silt_terrain_layer(land, "height"), *water, *sediment;
    assert_ok(silt_terrain_require(land, "water", &water));
    assert_ok(silt_terrain_require(land, "sediment", &sediment));
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++) {
            float side = (float)(i < 12 ? 11 - i : i - 12);
            silt_field_row(height, j)[i] = 6.0f * (float)(23 - j) + 8.0f * side;
            silt_field_row(water, j)[i] = 2.0f;
            silt_field_row(sediment, j)[i] = 150.0f;
        }
    SiltReport report = run_model(model, land, (SiltDuration){.steps = 400}, settings);
    assert_near(silt_account_imbalance_fraction(&report.ledger.rock), 0.0, 1e-9);
    assert_sane(land);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++) {
            double change = (double)silt_field_at(silt_terrain_layer(land, "change"), i, j);
            assert_true((double)silt_field_at(height, i, j) + change >= -0.001);
        }
    silt_terrain_destroy(land);
}

// A clockwise turn by a right angle of every layer.
static inline SiltTerrain *turned(const SiltTerrain *terrain)
{
    SiltTerrain *out = make_land(terrain->height, terrain->width, terrain->cell);
    for (int k = 0; k < terrain->layer_count; k++) {
        SiltField *to;
        assert_ok(silt_terrain_require(out, terrain->layers[k]->name, &to));
        const SiltField *from = &terrain->layers[k]->field;
        for (int j = 0; j < from->height; j++)
            for (int i = 0; i < from->width; i++)
                silt_field_row(to, i)[from->height - 1 - j] = silt_field_at(from, i, j);
    }
    return out;
}

// The model on a turned map gives the turned map.
static inline void assert_turns(const SiltModel *model, int64_t steps, const char *const *settings)
{
    SiltTerrain *land = make_mountain(41, 400.0, 80.0), *other = turned(land);
    run_model(model, land, (SiltDuration){.steps = steps}, settings);
    run_model(model, other, (SiltDuration){.steps = steps}, settings);
    SiltTerrain *wanted = turned(land);
    for (int k = 0; k < wanted->layer_count; k++) {
        const SiltField *field = silt_terrain_layer(other, wanted->layers[k]->name);
        if (silt_field_hash(field) != silt_field_hash(&wanted->layers[k]->field))
            fail_msg("%s: '%s' does not turn with the map", silt_model_name(model), wanted->layers[k]->name);
    }
    silt_terrain_destroy(land);
    silt_terrain_destroy(other);
    silt_terrain_destroy(wanted);
}

static inline void assert_same_on_any_threads(const SiltModel *model, int64_t steps,
                                              const char *const *settings)
{
    static const int threads[] = {1, 2, 3, 8};
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) {
        SiltTerrain *land = make_mountain(130, 900.0, 200.0);
        silt_set_threads(threads[k]);
        run_model(model, land, (SiltDuration){.steps = steps}, settings);
        hash[k] = land_hash(land);
        silt_terrain_destroy(land);
    }
    silt_set_threads(0);
    for (int k = 1; k < 4; k++)
        assert_true(hash[k] == hash[0]);
}

#endif
