// Another number of cells for the same place, an item for each new cell: the sums of resample.c, each in its
// order.
#include "core/both.h"

// `taps` old cells from first[t] on and their weights, for each new index t.
typedef struct Axis {
    int from, to, taps, wider;
} Axis;

// An old cell, or the sum of those that lie above each other, two of which are added up first.
static inline double column_sum(__global const float *from, int width, __global const double *weight,
                                int taps)
{
    double sum = weight[0] * (double)from[0];
    int k = 1;
    for (; k + 2 <= taps; k += 2)
        sum +=
            weight[k] * (double)from[(long)k * width] + weight[k + 1] * (double)from[(long)(k + 1) * width];
    return k < taps ? sum + weight[k] * (double)from[(long)k * width] : sum;
}

// Columns become more: four of them, or all there are.
static inline double widen(const float *p, __global const double *weight, int taps)
{
    if (taps == 4)
        return (weight[0] * (double)p[0] + weight[2] * (double)p[2]) +
               (weight[1] * (double)p[1] + weight[3] * (double)p[3]);
    double sum = 0.0;
    for (int k = 0; k < taps; k++)
        sum += weight[k] * (double)p[k];
    return sum;
}

// A cell of an old row that is brought to its new width.
static inline double fit(__global const float *from, const Axis *columns, __global const double *weight)
{
    if (columns->wider) {
        float p[4];
        for (int k = 0; k < columns->taps; k++)
            p[k] = from[k];
        return widen(p, weight, columns->taps);
    }
    double sum = weight[0] * (double)from[0];
    for (int k = 1; k < columns->taps; k++)
        sum += weight[k] * (double)from[k];
    return sum;
}

// Rows become more: four old rows at the new width are blended.
static inline float blend(__global const float *from, const Axis *columns, __global const double *across,
                          const Axis *rows, __global const double *down)
{
    double row[4], weight[4];
    for (int k = 0; k < 4; k++) {
        bool counts = k < rows->taps;
        row[k] = fit(from + (long)(counts ? k : 0) * columns->from, columns, across);
        weight[k] = counts ? down[k] : 0.0;
    }
    return (float)(weight[0] * row[0] + weight[1] * row[1] + weight[2] * row[2] + weight[3] * row[3]);
}

// Rows become fewer: they are summed at the old width, and then that is brought to the new one.
static inline float gather(__global const float *from, const Axis *columns, __global const double *across,
                           const Axis *rows, __global const double *down)
{
    if (columns->wider) {
        float p[4];
        for (int k = 0; k < columns->taps; k++)
            p[k] = (float)column_sum(from + k, columns->from, down, rows->taps);
        return (float)widen(p, across, columns->taps);
    }
    double sum = across[0] * column_sum(from, columns->from, down, rows->taps);
    for (int k = 1; k < columns->taps; k++)
        sum += across[k] * column_sum(from + k, columns->from, down, rows->taps);
    return (float)sum;
}

__kernel void resample(Axis columns, __global const int *first_column, __global const double *across,
                       Axis rows, __global const int *first_row, __global const double *down,
                       __global const float *from, int first, __global float *to)
{
    int i = get_global_id(0), j = get_global_id(1), row = first + j;
    if (i >= columns.to || row >= rows.to)
        return;
    __global const float *corner = from + (long)first_row[row] * columns.from + first_column[i];
    across += (long)i * columns.taps;
    down += (long)row * rows.taps;
    to[(long)j * columns.to + i] = rows.wider ? blend(corner, &columns, across, &rows, down)
                                              : gather(corner, &columns, across, &rows, down);
}
