#include "erode/warp.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/streams.h"
#include "physics/random.h"

typedef struct Warp {
    const SiltField *from;
    SiltField *to;
    const float *east, *south; // shifts at the points of a lattice
    int wave, columns;
} Warp;

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

static float sample(const SiltField *field, float x, float y)
{
    x = x < 0.0f ? 0.0f : x > (float)(field->width - 1) ? (float)(field->width - 1) : x;
    y = y < 0.0f ? 0.0f : y > (float)(field->height - 1) ? (float)(field->height - 1) : y;
    int i = (int)x, j = (int)y;
    int right = i + 1 < field->width ? i + 1 : i, below = j + 1 < field->height ? j + 1 : j;
    float u = x - (float)i, v = y - (float)j;
    float a = silt_field_at(field, i, j), b = silt_field_at(field, right, j);
    float c = silt_field_at(field, i, below), d = silt_field_at(field, right, below);
    float north = a + (b - a) * u, south = c + (d - c) * u;
    return north + (south - north) * v;
}

static void warp_rows(void *context, int begin, int end)
{
    const Warp *warp = context;
    float size = (float)warp->wave;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(warp->to, j);
        for (int i = 0; i < warp->to->width; i++) {
            int x = i / warp->wave, y = j / warp->wave;
            float u = ease((float)(i % warp->wave) / size), v = ease((float)(j % warp->wave) / size);
            float aside = between(warp->east, warp->columns, x, y, u, v);
            float down = between(warp->south, warp->columns, x, y, u, v);
            row[i] = sample(warp->from, (float)i + aside, (float)j + down);
        }
    }
}

SiltStatus silt_terrain_warp(SiltTerrain *terrain, int wave, float reach, uint64_t seed, uint32_t step)
{
    int columns = terrain->width / wave + 2, rows = terrain->height / wave + 2;
    size_t points = (size_t)columns * (size_t)rows;
    float *shifts = NULL;
    SiltField copy = {0};
    SiltStatus status = silt_alloc_for("a warp", 2 * points, sizeof *shifts, (void **)&shifts);
    if (status == SILT_OK)
        status = silt_field_create(terrain->width, terrain->height, &copy);
    for (size_t k = 0; k < points && status == SILT_OK; k++) {
        SiltRandom random = silt_random(seed, SILT_STREAM_PYRAMID, k, step);
        shifts[k] = reach * silt_symmetric(random.word[0]);
        shifts[points + k] = reach * silt_symmetric(random.word[1]);
    }
    for (int k = 1; k < terrain->layer_count && status == SILT_OK; k++) {
        Warp warp = {&copy, &terrain->layers[k]->field, shifts, shifts + points, wave, columns};
        silt_field_copy(&terrain->layers[k]->field, &copy);
        silt_parallel(terrain->height, 16, warp_rows, &warp);
    }
    silt_field_destroy(&copy);
    silt_free(shifts);
    return status;
}
