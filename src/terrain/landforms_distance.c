// Distances on a tile, and percentiles.
#include <math.h>
#include <stdlib.h>

#include "terrain/landforms.h"

// The nearest of marked places along a line of squared distances f, where each place q costs f[q]: the lower
// envelope of the parabolas f[v] + (q - v)^2 (Felzenszwalb & Huttenlocher 2012).
static void envelope(const double *f, double *out, int32_t *from)
{
    int vertex[SILT_TILE], count = 0;
    double begin[SILT_TILE];
    for (int q = 0; q < SILT_TILE; q++) {
        if (isinf(f[q]))
            continue;
        double at = -INFINITY;
        for (; count > 0; count--) {
            int v = vertex[count - 1];
            at = ((f[q] + q * q) - (f[v] + v * v)) / (2.0 * (q - v));
            if (at > begin[count - 1])
                break;
        }
        begin[count] = count == 0 ? -INFINITY : at;
        vertex[count++] = q;
    }
    for (int q = 0, k = 0; q < SILT_TILE; q++) {
        while (k + 1 < count && begin[k + 1] < q)
            k++;
        from[q] = count > 0 ? vertex[k] : -1;
        out[q] = count > 0 ? f[vertex[k]] + (double)((q - vertex[k]) * (q - vertex[k])) : INFINITY;
    }
}

// Along columns first, which leaves the row of the nearest mark in `near`, then along rows.
void silt_tile_distance(SiltTile *tile)
{
    double line[SILT_TILE], out[SILT_TILE];
    int32_t from[SILT_TILE], rows[SILT_TILE];
    for (int i = 0; i < SILT_TILE; i++) {
        for (int j = 0; j < SILT_TILE; j++)
            line[j] = tile->mark[j * SILT_TILE + i] ? 0.0 : INFINITY;
        envelope(line, out, from);
        for (int j = 0; j < SILT_TILE; j++) {
            tile->scratch[j * SILT_TILE + i] = (float)out[j];
            tile->near[j * SILT_TILE + i] = from[j];
        }
    }
    for (int j = 0; j < SILT_TILE; j++) {
        for (int i = 0; i < SILT_TILE; i++) {
            line[i] = (double)tile->scratch[j * SILT_TILE + i];
            rows[i] = tile->near[j * SILT_TILE + i];
        }
        envelope(line, out, from);
        for (int i = 0; i < SILT_TILE; i++) {
            tile->scratch[j * SILT_TILE + i] = (float)sqrt(out[i]);
            tile->near[j * SILT_TILE + i] = from[i] < 0 ? -1 : rows[from[i]] * SILT_TILE + from[i];
        }
    }
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double silt_sorted_share(float *values, int count, double share)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, by_size);
    double rank = share * (count - 1);
    int below = (int)rank, above = below + 1 < count ? below + 1 : below;
    return (double)values[below] + (rank - below) * ((double)values[above] - (double)values[below]);
}
