// Another number of cells for the same place. Each axis has its own weights: where cells become more, a
// Catmull-Rom cubic through four neighbours; where they become fewer, the exact share of area each old cell
// has in a new one. Sums are in double.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "silt/device.h"
#include "terrain/device_resample.h"
#include "terrain/terrain.h"

typedef SiltResampleAxis Axis;

static double *weights(const Axis *axis, int t)
{
    return axis->weight + (size_t)t * (size_t)axis->taps;
}

// Adds weight for old index `at`. Beyond the edge the ground goes on at the slope of its last two cells:
// p[-n] = (1 + n) p[0] - n p[1].
static void add_weight(Axis *axis, int t, int at, double weight)
{
    int last = axis->from - 1, beyond = at < 0 ? -at : at > last ? at - last : 0;
    if (last == 0)
        beyond = at = 0;
    if (beyond > 0) {
        int edge = at < 0 ? 0 : last, inner = at < 0 ? 1 : last - 1;
        weights(axis, t)[edge - axis->first[t]] += weight * (1 + beyond);
        weights(axis, t)[inner - axis->first[t]] -= weight * beyond;
        return;
    }
    weights(axis, t)[at - axis->first[t]] += weight;
}

static void cubic_weights(Axis *axis, int t)
{
    double x = (t + 0.5) * axis->from / axis->to - 0.5, base = floor(x), f = x - base;
    int first = (int)base - 1, highest = axis->from - axis->taps;
    axis->first[t] = first < 0 ? 0 : first > highest ? highest : first;
    add_weight(axis, t, first, 0.5 * f * (-1.0 + f * (2.0 - f)));
    add_weight(axis, t, first + 1, 1.0 + 0.5 * f * f * (3.0 * f - 5.0));
    add_weight(axis, t, first + 2, 0.5 * f * (1.0 + f * (4.0 - 3.0 * f)));
    add_weight(axis, t, first + 3, 0.5 * f * f * (f - 1.0));
}

// New cell t covers [t, t + 1) * from / to of the old axis. In units of 1 / to all is whole numbers.
static void area_weights(Axis *axis, int t)
{
    int64_t low = (int64_t)t * axis->from, high = low + axis->from;
    int first = (int)(low / axis->to), highest = axis->from - axis->taps;
    axis->first[t] = first > highest ? highest : first;
    for (int64_t k = first; k * axis->to < high; k++) {
        int64_t begin = k * axis->to, end = begin + axis->to;
        int64_t shared = (end < high ? end : high) - (begin > low ? begin : low);
        weights(axis, t)[(int)k - axis->first[t]] += (double)shared / axis->from;
    }
}

static SiltStatus axis_create(int from, int to, Axis *axis)
{
    *axis = (Axis){.from = from, .to = to, .wider = to > from};
    // an area of from / to old cells touches one more at either end, unless the cuts fall on cells
    int touched = from % to == 0 ? from / to : from / to + 2;
    axis->taps = axis->wider ? 4 : touched;
    axis->taps = axis->taps < from ? axis->taps : from;
    SiltStatus status = silt_alloc_for("resampling", (size_t)to, sizeof *axis->first, (void **)&axis->first);
    if (status == SILT_OK)
        status = silt_alloc_for("resampling", (size_t)to * (size_t)axis->taps, sizeof *axis->weight,
                                (void **)&axis->weight);
    for (int t = 0; t < to && status == SILT_OK; t++) {
        if (axis->wider)
            cubic_weights(axis, t);
        else
            area_weights(axis, t);
    }
    return status;
}

static void axis_free(Axis *axis)
{
    silt_free(axis->first);
    silt_free(axis->weight);
}

// ---- rows ----

typedef float FourFloats __attribute__((vector_size(16), aligned(4), may_alias));
typedef double FourDoubles __attribute__((vector_size(32), aligned(8), may_alias));

SILT_CLONES
static void widen_by_four(const float *restrict from, const int32_t *restrict first,
                          const double *restrict weight, double *restrict out, int count)
{
    for (int t = 0; t < count; t++) {
        FourDoubles p =
            __builtin_convertvector(*(const FourFloats *)(const void *)(from + first[t]), FourDoubles);
        p *= *(const FourDoubles *)(const void *)(weight + 4 * (size_t)t);
        out[t] = (p[0] + p[2]) + (p[1] + p[3]);
    }
}

static void widen_row(const float *from, const Axis *axis, double *out)
{
    if (axis->taps == 4) {
        widen_by_four(from, axis->first, axis->weight, out, axis->to);
        return;
    }
    for (int t = 0; t < axis->to; t++) { // fewer than four old cells
        out[t] = 0.0;
        for (int k = 0; k < axis->taps; k++)
            out[t] += weights(axis, t)[k] * (double)from[axis->first[t] + k];
    }
}

static inline double weighed(const double *p, const double *weight, int taps)
{
    double sum = weight[0] * p[0];
    for (int k = 1; k < taps; k++)
        sum += weight[k] * p[k];
    return sum;
}

// The commonest numbers of taps are spelled out: the compiler unrolls them.
static void narrow_row(const double *restrict from, const Axis *axis, double *restrict out)
{
    const double *weight = axis->weight;
    const int32_t *first = axis->first;
    switch (axis->taps) {
    case 2:
        for (int t = 0; t < axis->to; t++)
            out[t] = weighed(from + first[t], weight + 2 * (size_t)t, 2);
        break;
    case 3:
        for (int t = 0; t < axis->to; t++)
            out[t] = weighed(from + first[t], weight + 3 * (size_t)t, 3);
        break;
    case 4:
        for (int t = 0; t < axis->to; t++)
            out[t] = weighed(from + first[t], weight + 4 * (size_t)t, 4);
        break;
    default:
        for (int t = 0; t < axis->to; t++)
            out[t] = weighed(from + first[t], weights(axis, t), axis->taps);
    }
}

SILT_CLONES
static void start_row(double *restrict sum, const float *restrict row, double weight, int width)
{
    for (int i = 0; i < width; i++)
        sum[i] = weight * (double)row[i];
}

SILT_CLONES
static void add_row(double *restrict sum, const float *restrict row, double weight, int width)
{
    for (int i = 0; i < width; i++)
        sum[i] += weight * (double)row[i];
}

SILT_CLONES
static void add_two_rows(double *restrict sum, const float *restrict a, double u, const float *restrict b,
                         double v, int width)
{
    for (int i = 0; i < width; i++)
        sum[i] += u * (double)a[i] + v * (double)b[i];
}

SILT_CLONES
static void round_row(const double *restrict from, float *restrict to, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = (float)from[i];
}

SILT_CLONES
static void blend_rows(const double *const rows[4], const double weight[4], float *restrict out, int width)
{
    const double *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
    double u = weight[0], v = weight[1], w = weight[2], x = weight[3];
    for (int i = 0; i < width; i++)
        out[i] = (float)(u * a[i] + v * b[i] + w * c[i] + x * d[i]);
}

// ---- fields ----

enum { MAX_BANDS = 64 };

typedef struct ResampleJob {
    const SiltField *from;
    SiltField *to;
    const Axis *columns, *rows;
    int bands;
    double *scratch; // a piece for each band
    size_t piece;
    SiltDeviceResample *device; // NULL: on the processor
} ResampleJob;

// Rows become fewer: old rows are summed at full width, then the sum is narrowed (or widened).
static void sum_then_fit(const ResampleJob *job, int begin, int end, double *sum)
{
    int width = job->from->width, taps = job->rows->taps;
    double *fit = sum + width;
    float *line = (float *)(void *)(fit + job->to->width);
    for (int j = begin; j < end; j++) {
        const double *weight = weights(job->rows, j);
        int first = job->rows->first[j], k = 1;
        start_row(sum, silt_field_row(job->from, first), weight[0], width);
        for (; k + 2 <= taps; k += 2)
            add_two_rows(sum, silt_field_row(job->from, first + k), weight[k],
                         silt_field_row(job->from, first + k + 1), weight[k + 1], width);
        if (k < taps)
            add_row(sum, silt_field_row(job->from, first + k), weight[k], width);
        if (job->columns->wider) {
            round_row(sum, line, width);
            widen_row(line, job->columns, fit);
        } else {
            narrow_row(sum, job->columns, fit);
        }
        round_row(fit, silt_field_row(job->to, j), job->to->width);
    }
}

// An old row brought to its new width.
static void fit_row(const ResampleJob *job, int old_row, double *line, double *out)
{
    const float *row = silt_field_row(job->from, old_row);
    if (job->columns->wider) {
        widen_row(row, job->columns, out);
        return;
    }
    start_row(line, row, 1.0, job->from->width);
    narrow_row(line, job->columns, out);
}

// Rows become more: old rows are brought to their new width once, and the last four are kept.
static void fit_then_blend(const ResampleJob *job, int begin, int end, double *scratch)
{
    const Axis *rows = job->rows;
    size_t width = (size_t)job->to->width;
    double *line = scratch + 4 * width;
    int next = rows->first[begin]; // the first old row that was not brought along yet
    for (int j = begin; j < end; j++) {
        for (next = next < rows->first[j] ? rows->first[j] : next; next < rows->first[j] + rows->taps; next++)
            fit_row(job, next, line, scratch + (size_t)(next % 4) * width);
        const double *four[4];
        double weight[4] = {0};
        for (int k = 0; k < 4; k++) {
            int row = rows->first[j] + (k < rows->taps ? k : 0);
            four[k] = scratch + (size_t)(row % 4) * width;
            weight[k] = k < rows->taps ? weights(rows, j)[k] : 0.0;
        }
        blend_rows(four, weight, silt_field_row(job->to, j), job->to->width);
    }
}

static void resample_bands(void *context, int begin, int end)
{
    const ResampleJob *job = context;
    for (int band = begin; band < end; band++) {
        int first = (int)((int64_t)job->to->height * band / job->bands);
        int last = (int)((int64_t)job->to->height * (band + 1) / job->bands);
        double *scratch = job->scratch + (size_t)band * job->piece;
        if (job->rows->wider)
            fit_then_blend(job, first, last, scratch);
        else
            sum_then_fit(job, first, last, scratch);
    }
}

static SiltStatus resample_field(ResampleJob *job, const SiltField *from, SiltField *to)
{
    if (job->device)
        return silt_device_resample_run(job->device, from, to);
    job->from = from;
    job->to = to;
    silt_parallel(job->bands, 1, resample_bands, job);
    return SILT_OK;
}

// ---- cells without data ----

typedef struct MaskJob {
    const SiltTerrain *terrain;
    const SiltField *from;
    SiltField *to, *weight;
    uint8_t *nodata;
} MaskJob;

// from: NULL makes the mask itself into a field of 0 and 1.
static void masked_rows(void *context, int begin, int end)
{
    const MaskJob *job = context;
    int width = job->terrain->width;
    for (int j = begin; j < end; j++) {
        const uint8_t *mask = job->terrain->nodata + (size_t)j * (size_t)width;
        const float *from = job->from ? silt_field_row(job->from, j) : NULL;
        float *to = silt_field_row(job->to, j);
        for (int i = 0; i < width; i++)
            to[i] = mask[i] ? 0.0f : from ? from[i] : 1.0f;
    }
}

// Divides by the weight that lay on data; less than half of it is none.
static void renormalise_rows(void *context, int begin, int end)
{
    const MaskJob *job = context;
    for (int j = begin; j < end; j++) {
        float *to = silt_field_row(job->to, j);
        const float *weight = silt_field_row(job->weight, j);
        uint8_t *mask = job->nodata + (size_t)j * (size_t)job->to->width;
        for (int i = 0; i < job->to->width; i++) {
            bool data = weight[i] >= 0.5f;
            to[i] = data ? to[i] / weight[i] : 0.0f;
            mask[i] = !data;
        }
    }
}

static SiltStatus resample_masked(const SiltTerrain *terrain, ResampleJob *job, SiltTerrain *made)
{
    SiltField masked = {0}, weight = {0};
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &masked);
    if (status == SILT_OK)
        status = silt_field_create(made->width, made->height, &weight);
    MaskJob mask = {.terrain = terrain, .to = &masked};
    if (status == SILT_OK) {
        silt_parallel(terrain->height, 16, masked_rows, &mask);
        status = resample_field(job, &masked, &weight);
    }
    for (int k = 0; k < terrain->layer_count && status == SILT_OK; k++) {
        mask.from = &terrain->layers[k]->field;
        silt_parallel(terrain->height, 16, masked_rows, &mask);
        status = resample_field(job, &masked, &made->layers[k]->field);
        MaskJob result = {.to = &made->layers[k]->field, .weight = &weight, .nodata = made->nodata};
        silt_parallel(made->height, 16, renormalise_rows, &result);
    }
    silt_terrain_drop_empty_mask(made);
    silt_field_destroy(&masked);
    silt_field_destroy(&weight);
    return status;
}

// ---- terrains ----

// A cubic swings a little below zero beside a steep rise; a depth or a concentration must not.
static void keep_positive(const SiltTerrain *terrain, SiltTerrain *made)
{
    for (int k = 1; k < terrain->layer_count; k++) {
        SiltFieldStatistics statistics;
        silt_field_statistics(&terrain->layers[k]->field, terrain->nodata, &statistics);
        if (statistics.minimum >= 0.0)
            silt_field_clamp(&made->layers[k]->field, 0.0f, INFINITY);
    }
}

static void scale_place(const SiltTerrain *terrain, SiltTerrain *made)
{
    double x = (double)terrain->width / made->width, y = (double)terrain->height / made->height;
    made->cell = terrain->cell * sqrt(x * y);
    made->geo.step_x *= x;
    made->geo.step_y *= y;
    if (fabs(x / y - 1.0) > 0.01)
        silt_warn("resample: %d x %d to %d x %d cells stretches the map; a cell counts as %g m square",
                  terrain->width, terrain->height, made->width, made->height, made->cell);
}

static SiltStatus resample_all(ResampleJob *job, const SiltTerrain *terrain, SiltTerrain *made)
{
    SiltStatus status = terrain->nodata ? resample_masked(terrain, job, made) : SILT_OK;
    for (int k = 0; k < terrain->layer_count && !terrain->nodata && status == SILT_OK; k++)
        status = resample_field(job, &terrain->layers[k]->field, &made->layers[k]->field);
    return status;
}

SiltStatus silt_terrain_resample(const SiltTerrain *terrain, int width, int height, SiltTerrain **out)
{
    return silt_terrain_resample_on(NULL, terrain, width, height, out);
}

SiltStatus silt_terrain_resample_on(SiltDevice *device, const SiltTerrain *terrain, int width, int height,
                                    SiltTerrain **out)
{
    *out = NULL;
    SiltTerrain *made;
    SiltStatus status = silt_terrain_create_like(terrain, width, height, &made);
    if (status != SILT_OK)
        return status;
    Axis columns = {0}, rows = {0};
    ResampleJob job = {.columns = &columns, .rows = &rows, .bands = height < MAX_BANDS ? height : MAX_BANDS};
    // the larger need of the two ways, and a line apart so that bands do not share cache lines
    job.piece = 5 * (size_t)width + 2 * (size_t)terrain->width + 16;
    status = axis_create(terrain->width, width, &columns);
    if (status == SILT_OK)
        status = axis_create(terrain->height, height, &rows);
    if (status == SILT_OK && device)
        status = silt_device_resample_create(device, &columns, &rows, &job.device);
    else if (status == SILT_OK)
        status = silt_alloc_for("resampling", (size_t)job.bands * job.piece, sizeof *job.scratch,
                                (void **)&job.scratch);
    if (status == SILT_OK)
        status = resample_all(&job, terrain, made);
    if (status != SILT_OK)
        goto fail;
    if (columns.wider || rows.wider)
        keep_positive(terrain, made);
    scale_place(terrain, made);
    *out = made;
    made = NULL;
fail:
    axis_free(&columns);
    axis_free(&rows);
    silt_free(job.scratch);
    silt_device_resample_destroy(job.device);
    silt_terrain_destroy(made);
    return status;
}
