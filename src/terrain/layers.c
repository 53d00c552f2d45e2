// Arithmetic on whole fields, for stages that mask, blend and shape layers.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "silt/terrain.h"

enum { ROWS = 16 };

typedef enum Operation { SCALE, CLAMP, ADD, MULTIPLY, MINIMUM, MAXIMUM, BLEND } Operation;

typedef struct Job {
    Operation operation;
    const SiltField *a, *b, *mask;
    SiltField *out;
    float u, v; // the two numbers of an operation that takes numbers
} Job;

// out may be a, b or the mask: each cell is read before it is written.
SILT_CLONES
static void combine_row(Operation operation, const float *a, const float *b, float *out, float u, float v,
                        int width)
{
    switch (operation) {
    case SCALE:
        for (int i = 0; i < width; i++)
            out[i] = a[i] * u + v;
        break;
    case CLAMP:
        for (int i = 0; i < width; i++) {
            float raised = a[i] > u ? a[i] : u;
            out[i] = raised < v ? raised : v;
        }
        break;
    case ADD:
        for (int i = 0; i < width; i++)
            out[i] = a[i] + b[i];
        break;
    case MULTIPLY:
        for (int i = 0; i < width; i++)
            out[i] = a[i] * b[i];
        break;
    case MINIMUM:
        for (int i = 0; i < width; i++)
            out[i] = a[i] < b[i] ? a[i] : b[i];
        break;
    case MAXIMUM:
        for (int i = 0; i < width; i++)
            out[i] = a[i] > b[i] ? a[i] : b[i];
        break;
    case BLEND: // without a mask
        for (int i = 0; i < width; i++)
            out[i] = (1.0f - u) * a[i] + u * b[i];
        break;
    }
}

SILT_CLONES
static void blend_row(const float *a, const float *b, const float *mask, float amount, float *out, int width)
{
    for (int i = 0; i < width; i++) {
        float share = amount * mask[i];
        out[i] = (1.0f - share) * a[i] + share * b[i];
    }
}

static void job_rows(void *context, int begin, int end)
{
    const Job *job = context;
    for (int j = begin; j < end; j++) {
        const float *a = silt_field_row(job->a, j), *b = job->b ? silt_field_row(job->b, j) : a;
        float *out = silt_field_row(job->out, j);
        if (job->mask)
            blend_row(a, b, silt_field_row(job->mask, j), job->u, out, job->a->width);
        else
            combine_row(job->operation, a, b, out, job->u, job->v, job->a->width);
    }
}

static void run(Job job)
{
    silt_parallel(job.a->height, ROWS, job_rows, &job);
}

void silt_field_scale(SiltField *field, float factor, float offset)
{
    run((Job){.operation = SCALE, .a = field, .out = field, .u = factor, .v = offset});
}

void silt_field_clamp(SiltField *field, float low, float high)
{
    run((Job){.operation = CLAMP, .a = field, .out = field, .u = low, .v = high});
}

void silt_field_add(const SiltField *a, const SiltField *b, SiltField *out)
{
    run((Job){.operation = ADD, .a = a, .b = b, .out = out});
}

void silt_field_multiply(const SiltField *a, const SiltField *b, SiltField *out)
{
    run((Job){.operation = MULTIPLY, .a = a, .b = b, .out = out});
}

void silt_field_minimum(const SiltField *a, const SiltField *b, SiltField *out)
{
    run((Job){.operation = MINIMUM, .a = a, .b = b, .out = out});
}

void silt_field_maximum(const SiltField *a, const SiltField *b, SiltField *out)
{
    run((Job){.operation = MAXIMUM, .a = a, .b = b, .out = out});
}

void silt_field_blend(const SiltField *a, const SiltField *b, const SiltField *mask, float amount,
                      SiltField *out)
{
    run((Job){.operation = BLEND, .a = a, .b = b, .mask = mask, .out = out, .u = amount});
}

void silt_field_normalise(SiltField *field, const uint8_t *nodata, float low, float high)
{
    SiltFieldStatistics statistics;
    silt_field_statistics(field, nodata, &statistics);
    double span = statistics.maximum - statistics.minimum;
    if (!(span > 0.0)) { // flat, or empty
        silt_field_fill(field, low);
        return;
    }
    double factor = ((double)high - (double)low) / span;
    silt_field_scale(field, (float)factor, (float)((double)low - statistics.minimum * factor));
    // rounding may step a hair over the ends
    silt_field_clamp(field, low < high ? low : high, low < high ? high : low);
}

// ---- blur ----

// The kernel (1 - (x / reach)^2)^4 looks like a Gaussian of deviation reach / sqrt(11) and needs no exp. Each
// cell trades with its neighbours in pairs, out = c + sum of w (x - c), and has no partner beyond the edge: a
// flat field stays flat to the bit, and what one cell gains another loses.
enum { MAX_REACH = 4096 };

typedef struct Blur {
    const SiltField *from;
    SiltField *to;
    int reach;
    const float *weight; // of a neighbour 1 .. reach cells off
} Blur;

SILT_CLONES
static void trade(float *restrict out, const float *restrict own, const float *restrict other, float weight,
                  int count)
{
    for (int i = 0; i < count; i++)
        out[i] += weight * (other[i] - own[i]);
}

static void blur_along(void *context, int begin, int end)
{
    const Blur *blur = context;
    int width = blur->from->width;
    for (int j = begin; j < end; j++) {
        const float *from = silt_field_row(blur->from, j);
        float *to = silt_field_row(blur->to, j);
        for (int i = 0; i < width; i++)
            to[i] = 0.0f;
        for (int k = 1; k <= blur->reach && k < width; k++) {
            trade(to, from, from + k, blur->weight[k], width - k);
            trade(to + k, from + k, from, blur->weight[k], width - k);
        }
        for (int i = 0; i < width; i++)
            to[i] += from[i];
    }
}

static void blur_across(void *context, int begin, int end)
{
    const Blur *blur = context;
    int width = blur->from->width, height = blur->from->height;
    for (int j = begin; j < end; j++) {
        const float *from = silt_field_row(blur->from, j);
        float *to = silt_field_row(blur->to, j);
        for (int i = 0; i < width; i++)
            to[i] = 0.0f;
        for (int k = 1; k <= blur->reach; k++) {
            if (j + k < height)
                trade(to, from, silt_field_row(blur->from, j + k), blur->weight[k], width);
            if (j - k >= 0)
                trade(to, from, silt_field_row(blur->from, j - k), blur->weight[k], width);
        }
        for (int i = 0; i < width; i++)
            to[i] += from[i];
    }
}

SiltStatus silt_field_blur(SiltField *field, double radius_cells)
{
    double support = radius_cells * sqrt(11.0);
    if (!(radius_cells >= 0.0 && support < MAX_REACH))
        return silt_fail(SILT_BAD_ARGUMENT, "blur: a radius of %g cells: it takes 0 to %.0f", radius_cells,
                         floor(MAX_REACH / sqrt(11.0)));
    int reach = (int)support;
    if (reach == 0)
        return SILT_OK;
    SiltField turned = {0};
    float *weight = NULL;
    SiltStatus status = silt_alloc_for("blurring", (size_t)reach + 1, sizeof *weight, (void **)&weight);
    if (status == SILT_OK)
        status = silt_field_create(field->width, field->height, &turned);
    if (status == SILT_OK) {
        double sum = 1.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 1; k <= reach; k++) {
                double u = 1.0 - (k / support) * (k / support), w = u * u * u * u;
                weight[k] = (float)(w / sum);
                sum += pass == 0 ? 2.0 * w : 0.0;
            }
        }
        Blur along = {field, &turned, reach, weight}, across = {&turned, field, reach, weight};
        silt_parallel(field->height, ROWS, blur_along, &along);
        silt_parallel(field->height, ROWS, blur_across, &across);
    }
    silt_field_destroy(&turned);
    silt_free(weight);
    return status;
}

// ---- slope ----

typedef struct SlopeJob {
    const SiltField *height;
    SiltField *out;
    float per_metre; // 1 / cell
} SlopeJob;

SILT_CLONES
static void slope_row(const float *restrict north, const float *restrict row, const float *restrict south,
                      float across, float along, float *restrict out, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        float x = (row[i + 1] - row[i - 1]) * along, y = (south[i] - north[i]) * across;
        out[i] = sqrtf(x * x + y * y);
    }
}

static void slope_rows(void *context, int begin, int end)
{
    const SlopeJob *job = context;
    int width = job->height->width, last = job->height->height - 1;
    for (int j = begin; j < end; j++) {
        const float *row = silt_field_row(job->height, j);
        const float *north = silt_field_row(job->height, j > 0 ? j - 1 : 0);
        const float *south = silt_field_row(job->height, j < last ? j + 1 : last);
        // one-sided at the edge
        float across = job->per_metre * (j > 0 && j < last ? 0.5f : 1.0f);
        float *out = silt_field_row(job->out, j);
        slope_row(north, row, south, across, 0.5f * job->per_metre, out, 1, width - 1);
        for (int end_cell = 0; end_cell < 2; end_cell++) {
            int i = end_cell ? width - 1 : 0, inner = width == 1 ? 0 : end_cell ? width - 2 : 1;
            float x = (row[inner] - row[i]) * job->per_metre, y = (south[i] - north[i]) * across;
            out[i] = sqrtf(x * x + y * y);
        }
    }
}

void silt_field_slope(const SiltField *height, double cell, SiltField *out)
{
    SlopeJob job = {height, out, (float)(1.0 / cell)};
    silt_parallel(height->height, ROWS, slope_rows, &job);
}
