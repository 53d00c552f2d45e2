#include "terrain/sky.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/slope_at.h"

enum { ROWS = 16 };

static float at(const SiltField *field, int i, int j)
{
    i = i < 0 ? 0 : i >= field->width ? field->width - 1 : i;
    j = j < 0 ? 0 : j >= field->height ? field->height - 1 : j;
    return silt_field_at(field, i, j);
}

void silt_light_slope(const SiltField *h, float scale, int i, int j, float *east, float *south)
{
    float nw = at(h, i - 1, j - 1), n = at(h, i, j - 1), ne = at(h, i + 1, j - 1), w = at(h, i - 1, j);
    float e = at(h, i + 1, j), sw = at(h, i - 1, j + 1), s = at(h, i, j + 1), se = at(h, i + 1, j + 1);
    *east = silt_slope_between(scale, nw, w, sw, ne, e, se);
    *south = silt_slope_between(scale, nw, n, ne, sw, s, se);
}

// ---- the open sky: the steepest rise in eight directions, looked for at a few distances ----

typedef struct SkyJob {
    const SiltField *height;
    SiltField *sky;
    float cell;     // metres a cell, by the rise of heights
    float *scratch; // three rows for each block of rows
    size_t length;
    int first; // row
} SkyJob;

// Row j with its cells moved by `shift` columns; the border repeats.
static void shifted_row(const SiltField *field, int j, int shift, float *to)
{
    j = j < 0 ? 0 : j >= field->height ? field->height - 1 : j;
    const float *row = silt_field_row(field, j);
    int width = field->width;
    int begin = -shift < 0 ? 0 : -shift > width ? width : -shift;
    int end = width - shift < 0 ? 0 : width - shift > width ? width : width - shift;
    for (int i = 0; i < begin; i++)
        to[i] = row[0];
    if (end > begin)
        memcpy(to + begin, row + begin + shift, (size_t)(end - begin) * sizeof(float));
    for (int i = end > begin ? end : begin; i < width; i++)
        to[i] = row[width - 1];
}

SILT_CLONES static void raise_horizon(int count, float scale, const float *restrict here,
                                      const float *restrict there, float *restrict steepest)
{
    for (int i = 0; i < count; i++) {
        float slope = (there[i] - here[i]) * scale;
        steepest[i] = slope > steepest[i] ? slope : steepest[i];
    }
}

// Adds the sine of the horizon's angle: what it hides of a sky that is lit evenly, seen from level ground.
SILT_CLONES static void hide_sky(int count, float *restrict steepest, float *restrict hidden)
{
    for (int i = 0; i < count; i++) {
        float s = steepest[i];
        hidden[i] += s / sqrtf(1.0f + s * s);
        steepest[i] = 0.0f;
    }
}

static void sky_rows(void *context, int begin, int end)
{
    static const int offsets[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static const int reaches[] = {1, 3, 8, 20, 48};
    const SkyJob *job = context;
    int width = job->height->width;
    float *there = job->scratch + (size_t)(begin / ROWS) * 3 * job->length, *steepest = there + job->length;
    float *hidden = steepest + job->length;
    for (int j = job->first + begin; j < job->first + end; j++) {
        const float *here = silt_field_row(job->height, j);
        memset(steepest, 0, (size_t)width * sizeof(float));
        memset(hidden, 0, (size_t)width * sizeof(float));
        for (int d = 0; d < 8; d++) {
            float diagonal = (d & 1) ? 1.41421356f : 1.0f;
            for (size_t r = 0; r < sizeof reaches / sizeof reaches[0]; r++) {
                shifted_row(job->height, j + offsets[d][1] * reaches[r], offsets[d][0] * reaches[r], there);
                raise_horizon(width, 1.0f / ((float)reaches[r] * diagonal * job->cell), here, there,
                              steepest);
            }
            hide_sky(width, steepest, hidden);
        }
        float *sky = silt_field_row(job->sky, j);
        for (int i = 0; i < width; i++)
            sky[i] = 1.0f - 0.125f * hidden[i];
    }
}

SiltStatus silt_light_sky_rows(const SiltField *height, float cell, float rise, int first, int count,
                               SiltField *out)
{
    SkyJob job = {height, out, cell / rise, NULL, (size_t)height->width, first};
    size_t blocks = ((size_t)count + ROWS - 1) / ROWS;
    SiltStatus status =
        silt_alloc_for("the open sky", blocks * 3 * job.length, sizeof(float), (void **)&job.scratch);
    if (status != SILT_OK)
        return status;
    silt_parallel(count, ROWS, sky_rows, &job);
    silt_free(job.scratch);
    return SILT_OK;
}

SiltStatus silt_light_sky(const SiltField *height, float cell, float rise, SiltField *out)
{
    return silt_light_sky_rows(height, cell, rise, 0, height->height, out);
}
