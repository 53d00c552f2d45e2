#include "erode/refine.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/streams.h"
#include "physics/random.h"

typedef struct Refine {
    const SiltField *from;
    SiltField *to;
    float scale_x, scale_y;    // coarse cells of a fine one
    const float *east, *south; // shifts at the points of a lattice
    int wave, columns;
} Refine;

// Smooth from one point of the lattice to the next.
static float between(const float *points, int columns, int x, int y, float u, float v)
{
    const float *north = points + (size_t)y * (size_t)columns + (size_t)x, *south = north + columns;
    float a = north[0] + (north[1] - north[0]) * u, b = south[0] + (south[1] - south[0]) * u;
    return a + (b - a) * v;
}

static float ease(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

// The quadratic B-spline: smooth, and never beyond the nine values it weighs.
static void weigh(float place, int cells, int at[3], float weight[3])
{
    float middle = floorf(place + 0.5f), t = place - middle;
    for (int k = 0; k < 3; k++) {
        int cell = (int)middle + k - 1;
        at[k] = cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
    }
    weight[0] = 0.5f * (0.5f - t) * (0.5f - t);
    weight[1] = 0.75f - t * t;
    weight[2] = 0.5f * (0.5f + t) * (0.5f + t);
}

static float sample(const SiltField *field, float x, float y)
{
    int i[3], j[3];
    float u[3], v[3], sum = 0.0f;
    weigh(x, field->width, i, u);
    weigh(y, field->height, j, v);
    for (int k = 0; k < 3; k++) {
        const float *row = silt_field_row(field, j[k]);
        sum += v[k] * (u[0] * row[i[0]] + u[1] * row[i[1]] + u[2] * row[i[2]]);
    }
    return sum;
}

static void refine_rows(void *context, int begin, int end)
{
    const Refine *refine = context;
    float size = (float)refine->wave;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(refine->to, j);
        int y = j / refine->wave;
        float v = ease((float)(j % refine->wave) / size);
        for (int i = 0; i < refine->to->width; i++) {
            int x = i / refine->wave;
            float u = ease((float)(i % refine->wave) / size);
            float aside = between(refine->east, refine->columns, x, y, u, v);
            float down = between(refine->south, refine->columns, x, y, u, v);
            row[i] = sample(refine->from, ((float)i + 0.5f + aside) * refine->scale_x - 0.5f,
                            ((float)j + 0.5f + down) * refine->scale_y - 0.5f);
        }
    }
}

static SiltStatus draw_shifts(const SiltTerrain *terrain, SiltBend bend, int columns, float **out)
{
    size_t points = (size_t)columns * (size_t)(terrain->height / bend.wave + 2);
    SiltStatus status = silt_alloc_for("a pyramid", 2 * points, sizeof **out, (void **)out);
    for (size_t k = 0; k < points && status == SILT_OK && bend.reach > 0.0f; k++) {
        SiltRandom random = silt_random(bend.seed, SILT_STREAM_PYRAMID, k, bend.step);
        (*out)[k] = bend.reach * silt_symmetric(random.word[0]);
        (*out)[points + k] = bend.reach * silt_symmetric(random.word[1]);
    }
    return status;
}

SiltStatus silt_terrain_refine(const SiltTerrain *coarse, int width, int height, SiltBend bend,
                               SiltTerrain **out)
{
    SiltTerrain *fine;
    float *shifts = NULL;
    int columns = width / bend.wave + 2;
    SiltStatus status = silt_terrain_create(width, height, coarse->cell * coarse->width / width, &fine);
    if (status == SILT_OK)
        status = draw_shifts(fine, bend, columns, &shifts);
    for (int k = 1; k < coarse->layer_count && status == SILT_OK; k++) {
        Refine refine = {.from = &coarse->layers[k]->field,
                         .scale_x = (float)coarse->width / (float)width,
                         .scale_y = (float)coarse->height / (float)height,
                         .east = shifts,
                         .south = shifts + (size_t)columns * (size_t)(height / bend.wave + 2),
                         .wave = bend.wave,
                         .columns = columns};
        status = silt_terrain_require(fine, coarse->layers[k]->name, &refine.to);
        if (status == SILT_OK)
            silt_parallel(height, 16, refine_rows, &refine);
    }
    silt_free(shifts);
    if (status != SILT_OK) {
        silt_terrain_destroy(fine);
        fine = NULL;
    }
    *out = fine;
    return status;
}
