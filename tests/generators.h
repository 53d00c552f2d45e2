// Terrains made in one line, for the tests of generators.
#ifndef SILT_TEST_GENERATORS_H
#define SILT_TEST_GENERATORS_H

#include "silt/generate.h"
#include "test.h"

// Parameters from "key=value key=value"; free them with silt_params_free and silt_free.
static inline void *generator_params(const SiltGenerator *generator, const char *assignments)
{
    void *params = silt_alloc(generator->params.size + 1);
    assert_non_null(params);
    assert_ok(silt_params_init(&generator->params, params));
    char text[1024], *rest = text;
    snprintf(text, sizeof text, "%s", assignments);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        assert_ok(silt_params_assign(&generator->params, params, generator->name, word));
    return params;
}

static inline SiltStatus try_terrain(const char *name, int width, int height, double cell, uint64_t seed,
                                     const char *assignments, SiltTerrain **out)
{
    const SiltGenerator *generator = silt_generator_find(name);
    assert_non_null(generator);
    void *params = generator_params(generator, assignments);
    SiltRun run = {.seed = seed};
    SiltStatus status = silt_generate(generator, width, height, cell, params, &run, out);
    silt_params_free(&generator->params, params);
    silt_free(params);
    return status;
}

static inline SiltTerrain *make_terrain(const char *name, int width, int height, double cell, uint64_t seed,
                                        const char *assignments)
{
    SiltTerrain *terrain;
    assert_ok(try_terrain(name, width, height, cell, seed, assignments, &terrain));
    return terrain;
}

static inline double height_at(const SiltTerrain *terrain, int i, int j)
{
    return (double)silt_field_at(silt_terrain_layer(terrain, "height"), i, j);
}

typedef struct HeightRange {
    double low, high;
} HeightRange;

static inline HeightRange height_range(const SiltTerrain *terrain)
{
    HeightRange range = {INFINITY, -INFINITY};
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            range.low = fmin(range.low, height_at(terrain, i, j));
            range.high = fmax(range.high, height_at(terrain, i, j));
        }
    return range;
}

#endif
