// Ice holds together: its thickness and its sliding count as means over the length of coupling, by running
// sums along rows and then along columns, twice.
#include "core/simd.h"
#include "erode/ice.h"

typedef struct Blur {
    const Ice *ice;
    const float *from;
    float *to;
} Blur;

// The mean of 2 reach + 1 cells along rows; beyond the edge its last cell goes on.
static void blur_rows(void *context, int begin, int end)
{
    const Blur *blur = context;
    int width = blur->ice->terrain->width, reach = blur->ice->blur;
    double over = 1.0 / (2 * reach + 1);
    for (int j = begin; j < end; j++) {
        const float *from = blur->from + ice_at(blur->ice, 0, j);
        float *to = blur->to + ice_at(blur->ice, 0, j);
        double sum = (double)from[0] * (reach + 1);
        for (int i = 1; i <= reach; i++)
            sum += (double)from[i < width ? i : width - 1];
        for (int i = 0; i < width; i++) {
            to[i] = (float)(sum * over);
            int comes = i + reach + 1, goes = i - reach;
            sum += (double)from[comes < width ? comes : width - 1] - (double)from[goes > 0 ? goes : 0];
        }
    }
}

enum { COLUMNS = 64 }; // that one thread does side by side

SILT_CLONES static void slide_columns(double *restrict sum, const float *restrict comes,
                                      const float *restrict goes, float *restrict to, int count, double over)
{
    for (int i = 0; i < count; i++) {
        to[i] = (float)(sum[i] * over);
        sum[i] += (double)comes[i] - (double)goes[i];
    }
}

static void blur_columns(void *context, int begin, int end)
{
    const Blur *blur = context;
    const Ice *ice = blur->ice;
    int height = ice->terrain->height, reach = ice->blur, count = end - begin;
    double sum[COLUMNS] = {0};
    for (int k = -reach; k <= reach; k++) {
        int j = k < 0 ? 0 : k < height ? k : height - 1;
        for (int i = 0; i < count; i++)
            sum[i] += (double)blur->from[ice_at(ice, begin + i, j)];
    }
    for (int j = 0; j < height; j++) {
        int comes = j + reach + 1 < height ? j + reach + 1 : height - 1, goes = j > reach ? j - reach : 0;
        slide_columns(sum, blur->from + ice_at(ice, begin, comes), blur->from + ice_at(ice, begin, goes),
                      blur->to + ice_at(ice, begin, j), count, 1.0 / (2 * reach + 1));
    }
}

static void blur_once(const Ice *ice, const float *from, float *scratch, float *to)
{
    Blur rows = {ice, from, scratch}, columns = {ice, scratch, to};
    silt_parallel(ice->terrain->height, ice_rows(ice), blur_rows, &rows);
    silt_parallel(ice->terrain->width, COLUMNS, blur_columns, &columns);
}

// Twice over a square is nearly as round as a bell.
void silt_ice_blur(Ice *ice, const float *from, float *to)
{
    blur_once(ice, from, ice->scratch, to);
    blur_once(ice, to, ice->scratch, to);
}

void silt_ice_even_out(Ice *ice)
{
    if (ice->blur == 0)
        return;
    silt_ice_blur(ice, ice->thick, ice->around);
    int width = ice->terrain->width, height = ice->terrain->height;
    for (int j = 0; j < height; j++) {
        ice->around[ice_at(ice, -1, j)] = ice->around[ice_at(ice, 0, j)];
        ice->around[ice_at(ice, width, j)] = ice->around[ice_at(ice, width - 1, j)];
    }
    for (int i = -1; i <= width; i++) {
        ice->around[ice_at(ice, i, -1)] = ice->around[ice_at(ice, i, 0)];
        ice->around[ice_at(ice, i, height)] = ice->around[ice_at(ice, i, height - 1)];
    }
}
