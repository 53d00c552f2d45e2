#include "generate/tally.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"

enum { ROWS = 16, COLUMNS = 64 };

SiltStatus silt_tally_create(int width, int height, SiltTally *out)
{
    *out = (SiltTally){0};
    size_t stride = (size_t)width + 1;
    double bytes = (double)stride * (double)height * (double)sizeof(int64_t);
    if (bytes > (double)silt_memory_available())
        return silt_fail_memory("a tally of raised cells", bytes);
    void *data;
    SiltStatus status =
        silt_alloc_for("a tally of raised cells", stride * (size_t)height, sizeof(int64_t), &data);
    if (status == SILT_OK)
        *out = (SiltTally){width, height, stride, data};
    return status;
}

void silt_tally_destroy(SiltTally *tally)
{
    silt_free(tally->data);
    *tally = (SiltTally){0};
}

typedef struct SettleJob {
    const SiltTally *from, *to;
} SettleJob;

static void settle_rows(void *context, int begin, int end)
{
    const SettleJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *difference = silt_tally_row(job->from, j);
        int64_t *row = silt_tally_row(job->to, j);
        int64_t sum = 0;
        for (int i = 0; i < job->from->width; i++) {
            sum += difference[i];
            row[i] = sum;
        }
        row[job->from->width] = 0;
    }
}

void silt_tally_settle(const SiltTally *tally, const SiltTally *out)
{
    SettleJob job = {tally, out};
    silt_parallel(tally->height, ROWS, settle_rows, &job);
}

// ---- averages over squares, by a table of the sums over all rectangles from the corner ----

typedef struct SmoothJob {
    const SiltTally *tally;
    const SiltTally *table; // of rows and columns before: table[j][i] sums rows < j and columns < i
    double radius;
    const int *keep;
} SmoothJob;

static void sum_rows(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *row = silt_tally_row(job->tally, j);
        int64_t *sums = silt_tally_row(job->table, j + 1);
        int64_t sum = 0;
        for (int i = 0; i < job->tally->width; i++) {
            sum += row[i];
            sums[i + 1] = sum;
        }
    }
}

static void sum_columns(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    int last = (end * COLUMNS < job->tally->width ? end * COLUMNS : job->tally->width) + 1;
    for (int j = 1; j < job->tally->height; j++) {
        const int64_t *above = silt_tally_row(job->table, j);
        int64_t *below = silt_tally_row(job->table, j + 1);
        for (int i = begin * COLUMNS + 1; i < last; i++)
            below[i] += above[i];
    }
}

static double radius_at(const SmoothJob *job, int i, int j)
{
    if (!job->keep)
        return job->radius;
    double dx = i - job->keep[0], dy = j - job->keep[1];
    double near = 0.5 * sqrt(dx * dx + dy * dy);
    return near < job->radius ? near : job->radius;
}

static double average(const SmoothJob *job, int i, int j, int r)
{
    int width = job->tally->width, height = job->tally->height;
    int i0 = i > r ? i - r : 0, i1 = r < width - i ? i + r + 1 : width;
    int j0 = j > r ? j - r : 0, j1 = r < height - j ? j + r + 1 : height;
    i1 = i1 < width ? i1 : width;
    j1 = j1 < height ? j1 : height;
    const int64_t *top = silt_tally_row(job->table, j0), *bottom = silt_tally_row(job->table, j1);
    int64_t sum = bottom[i1] - bottom[i0] - top[i1] + top[i0];
    return (double)sum / ((double)(i1 - i0) * (double)(j1 - j0));
}

// Between whole radii, the averages over the next smaller and the next larger square are mixed.
static int64_t mixed_average(const SmoothJob *job, int i, int j)
{
    double radius = radius_at(job, i, j);
    int whole = (int)radius;
    double value = average(job, i, j, whole), wider = average(job, i, j, whole + 1);
    return (int64_t)(value + (radius - whole) * (wider - value) + 0.5);
}

// The corners of a square in the table, for a run of cells: the sum over the square of cell k is
// south_east[k] - south_west[k] - north_east[k] + north_west[k].
typedef struct Corners {
    const int64_t *north_west, *north_east, *south_west, *south_east;
    double share; // of the area
} Corners;

static Corners corners_at(const SmoothJob *job, int i, int j, int r, double share)
{
    const int64_t *north = silt_tally_row(job->table, j - r) + i,
                  *south = silt_tally_row(job->table, j + r + 1) + i;
    double side = 2.0 * r + 1.0;
    return (Corners){north - r, north + r + 1, south - r, south + r + 1, share / (side * side)};
}

// mixed_average where all of both squares is on the map and the radius is the same.
SILT_CLONES
static void average_run(Corners a, Corners b, int count, int64_t *out)
{
    for (int k = 0; k < count; k++) {
        int64_t one = a.south_east[k] - a.south_west[k] - a.north_east[k] + a.north_west[k];
        int64_t two = b.south_east[k] - b.south_west[k] - b.north_east[k] + b.north_west[k];
        out[k] = (int64_t)(a.share * (double)one + b.share * (double)two + 0.5);
    }
}

static void average_row(const SmoothJob *job, int j)
{
    int width = job->tally->width, whole = (int)job->radius, far = (int)(2.0 * job->radius) + 2;
    int64_t *row = silt_tally_row(job->tally, j);
    bool near = job->keep && j > job->keep[1] - far && j < job->keep[1] + far;
    bool inside = j > whole && j + whole + 1 < job->tally->height && width > 2 * whole + 2;
    if (near || !inside) {
        for (int i = 0; i < width; i++)
            row[i] = mixed_average(job, i, j);
        return;
    }
    int margin = whole + 1;
    for (int i = 0; i < margin; i++) {
        row[i] = mixed_average(job, i, j);
        row[width - 1 - i] = mixed_average(job, width - 1 - i, j);
    }
    double part = job->radius - whole;
    average_run(corners_at(job, margin, j, whole, 1.0 - part), corners_at(job, margin, j, whole + 1, part),
                width - 2 * margin, row + margin);
}

static void average_rows(void *context, int begin, int end)
{
    for (int j = begin; j < end; j++)
        average_row(context, j);
}

SiltStatus silt_tally_smooth(const SiltTally *tally, double radius, const int *keep)
{
    if (!(radius > 0.0))
        return SILT_OK;
    SiltTally table;
    SiltStatus status = silt_tally_create(tally->width, tally->height + 1, &table);
    if (status != SILT_OK)
        return status;
    radius *= 0.7071; // in each of two passes: a square twice over is nearly round
    SmoothJob job = {tally, &table, radius < SILT_MAX_SIDE ? radius : SILT_MAX_SIDE, keep};
    for (int pass = 0; pass < 2; pass++) {
        silt_parallel(tally->height, ROWS, sum_rows, &job);
        silt_parallel((tally->width - 1) / COLUMNS + 1, 1, sum_columns, &job);
        silt_parallel(tally->height, ROWS, average_rows, &job);
    }
    silt_tally_destroy(&table);
    return SILT_OK;
}

typedef struct WriteJob {
    const SiltTally *tally;
    double metres, whole;
    SiltField *out;
} WriteJob;

static void write_rows(void *context, int begin, int end)
{
    const WriteJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *from = silt_tally_row(job->tally, j);
        float *row = silt_field_row(job->out, j);
        for (int i = 0; i < job->tally->width; i++)
            row[i] = (float)(job->metres * ((double)from[i] / job->whole));
    }
}

void silt_tally_write(const SiltTally *tally, double metres, double whole, SiltField *out)
{
    WriteJob job = {tally, metres, whole, out};
    silt_parallel(tally->height, ROWS, write_rows, &job);
}
