// Maps filled from a function of the place, and the curves that shapes are made of.
#include "generate/shape.h"

#include "core/parallel.h"

void silt_lengths_resolve(const SiltParam *items, int count, void *params, const SiltTerrain *terrain)
{
    for (int k = 0; k < count; k++) {
        bool is_length = items[k].type == SILT_TYPE_REAL && items[k].number[1] > 0.0;
        double *value = is_length ? (double *)(void *)((char *)params + items[k].offset) : NULL;
        if (value && isnan(*value))
            *value = items[k].number[1] * silt_map_side(terrain);
    }
}

typedef struct FillJob {
    const SiltTerrain *terrain;
    SiltField *field;
    SiltShapeFn height;
    const void *shape;
} FillJob;

static void fill_rows(void *context, int begin, int end)
{
    const FillJob *job = context;
    const SiltTerrain *terrain = job->terrain;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->field, j);
        double y = (j - 0.5 * (terrain->height - 1)) * terrain->cell;
        for (int i = 0; i < terrain->width; i++)
            row[i] = (float)job->height(job->shape, (i - 0.5 * (terrain->width - 1)) * terrain->cell, y);
    }
}

SiltStatus silt_shape_fill(SiltTerrain *terrain, const char *layer, const char *generator, SiltShapeFn height,
                           const void *shape, const SiltRun *run)
{
    FillJob job = {.terrain = terrain, .height = height, .shape = shape};
    SiltStatus status = silt_terrain_require(terrain, layer, &job.field);
    if (status != SILT_OK)
        return status;
    return silt_parallel_run(run, generator, terrain->height, 16, fill_rows, &job);
}

double silt_smooth_step(double low, double high, double value)
{
    if (value <= low)
        return value == low && low == high ? 0.5 : 0.0;
    if (value >= high)
        return 1.0;
    double t = (value - low) / (high - low);
    return t * t * (3.0 - 2.0 * t);
}

double silt_bell(double r)
{
    if (!(r < 1.0))
        return 0.0;
    double t = 1.0 - r * r;
    return t * t * t;
}

double silt_wave(double t)
{
    double turn = t - floor(t + 0.5); // -0.5 to 0.5
    double parabola = turn * (8.0 - 16.0 * fabs(turn));
    return parabola * (0.775 + 0.225 * fabs(parabola));
}
