#include "generate/sheet.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"

enum { ROWS = 16, COLUMNS = 64 };

SiltStatus silt_sheet_create(int width, int height, SiltSheet *out)
{
    *out = (SiltSheet){0};
    size_t stride = (size_t)width + 1;
    double bytes = (double)stride * (double)height * (double)sizeof(int64_t);
    if (bytes > (double)silt_memory_available())
        return silt_fail_memory("a sheet of raised cells", bytes);
    void *data;
    SiltStatus status =
        silt_alloc_for("a sheet of raised cells", stride * (size_t)height, sizeof(int64_t), &data);
    if (status == SILT_OK)
        *out = (SiltSheet){width, height, stride, data};
    return status;
}

void silt_sheet_destroy(SiltSheet *sheet)
{
    silt_free(sheet->data);
    *sheet = (SiltSheet){0};
}

typedef struct SettleJob {
    const SiltSheet *from, *to;
} SettleJob;

static void settle_rows(void *context, int begin, int end)
{
    const SettleJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *difference = silt_sheet_row(job->from, j);
        int64_t *row = silt_sheet_row(job->to, j);
        int64_t sum = 0;
        for (int i = 0; i < job->from->width; i++) {
            sum += difference[i];
            row[i] = sum;
        }
        row[job->from->width] = 0;
    }
}

void silt_sheet_settle(const SiltSheet *sheet, const SiltSheet *out)
{
    SettleJob job = {sheet, out};
    silt_parallel(sheet->height, ROWS, settle_rows, &job);
}

// ---- averages over squares, by a table of the sums over all rectangles from the corner ----

typedef struct SmoothJob {
    const SiltSheet *sheet;
    const SiltSheet *table; // of rows and columns before: table[j][i] sums rows < j and columns < i
    int radius;
    const int *keep;
    double scale;
    SiltField *out;
} SmoothJob;

static void sum_rows(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *row = silt_sheet_row(job->sheet, j);
        int64_t *sums = silt_sheet_row(job->table, j + 1);
        int64_t sum = 0;
        for (int i = 0; i < job->sheet->width; i++) {
            sum += row[i];
            sums[i + 1] = sum;
        }
    }
}

static void sum_columns(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    int last = (end * COLUMNS < job->sheet->width ? end * COLUMNS : job->sheet->width) + 1;
    for (int j = 1; j < job->sheet->height; j++) {
        const int64_t *above = silt_sheet_row(job->table, j);
        int64_t *below = silt_sheet_row(job->table, j + 1);
        for (int i = begin * COLUMNS + 1; i < last; i++)
            below[i] += above[i];
    }
}

static int radius_at(const SmoothJob *job, int i, int j)
{
    if (!job->keep)
        return job->radius;
    double dx = i - job->keep[0], dy = j - job->keep[1];
    double near = 0.5 * sqrt(dx * dx + dy * dy);
    return near < job->radius ? (int)near : job->radius;
}

static void average_rows(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    int width = job->sheet->width, height = job->sheet->height;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->out, j);
        for (int i = 0; i < width; i++) {
            int r = radius_at(job, i, j);
            int i0 = i > r ? i - r : 0, i1 = i + r < width ? i + r + 1 : width;
            int j0 = j > r ? j - r : 0, j1 = j + r < height ? j + r + 1 : height;
            const int64_t *top = silt_sheet_row(job->table, j0), *bottom = silt_sheet_row(job->table, j1);
            int64_t sum = bottom[i1] - bottom[i0] - top[i1] + top[i0];
            row[i] = (float)(job->scale * ((double)sum / ((double)(i1 - i0) * (double)(j1 - j0))));
        }
    }
}

static void copy_rows(void *context, int begin, int end)
{
    const SmoothJob *job = context;
    for (int j = begin; j < end; j++) {
        const int64_t *from = silt_sheet_row(job->sheet, j);
        float *row = silt_field_row(job->out, j);
        for (int i = 0; i < job->sheet->width; i++)
            row[i] = (float)(job->scale * (double)from[i]);
    }
}

SiltStatus silt_sheet_smooth(const SiltSheet *sheet, int radius, const int *keep, double scale,
                             SiltField *out)
{
    SmoothJob job = {.sheet = sheet, .radius = radius, .keep = keep, .scale = scale, .out = out};
    if (radius < 1) {
        silt_parallel(sheet->height, ROWS, copy_rows, &job);
        return SILT_OK;
    }
    SiltSheet table;
    SiltStatus status = silt_sheet_create(sheet->width, sheet->height + 1, &table);
    if (status != SILT_OK)
        return status;
    job.table = &table;
    silt_parallel(sheet->height, ROWS, sum_rows, &job);
    silt_parallel((sheet->width - 1) / COLUMNS + 1, 1, sum_columns, &job);
    silt_parallel(sheet->height, ROWS, average_rows, &job);
    silt_sheet_destroy(&table);
    return SILT_OK;
}
