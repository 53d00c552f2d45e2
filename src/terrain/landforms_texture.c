// How rough a tile is, how that differs from place to place, and how its relief grows with the window.
#include <math.h>

#include "physics/elementary.h"
#include "terrain/fit.h"
#include "terrain/landforms.h"

enum { BLOCK = 16, BLOCKS = SILT_TILE / BLOCK };

// Excess kurtosis: 0 for a normal distribution, -1.2 for an even one, large where few cells bend much.
static double excess_kurtosis(const float *values, int count)
{
    double mean = 0.0, second = 0.0, fourth = 0.0;
    for (int k = 0; k < count; k++)
        mean += (double)values[k];
    mean /= count;
    for (int k = 0; k < count; k++) {
        double square = ((double)values[k] - mean) * ((double)values[k] - mean);
        second += square;
        fourth += square * square;
    }
    return second > 0.0 ? fourth * count / (second * second) - 3.0 : NAN;
}

typedef struct Spread {
    double count, sum, squares;
} Spread;

static void spread_add(Spread *spread, double x)
{
    spread->count += 1.0;
    spread->sum += x;
    spread->squares += x * x;
}

static double spread_deviation(const Spread *spread)
{
    double mean = spread->sum / spread->count, variance = spread->squares / spread->count - mean * mean;
    return spread->count < 2.0 ? NAN : sqrt(variance > 0.0 ? variance : 0.0);
}

// Blocks as flat as a lake have no logarithm and are left out.
static void compare_blocks(SiltTile *tile)
{
    Spread roughness = {0}, slope = {0};
    SiltFit by_height = {0};
    for (int block = 0; block < BLOCKS * BLOCKS; block++) {
        double squares = 0.0, slopes = 0.0, heights = 0.0;
        for (int k = 0; k < BLOCK * BLOCK; k++) {
            int i = block % BLOCKS * BLOCK + k % BLOCK, j = block / BLOCKS * BLOCK + k / BLOCK;
            int c = j * SILT_TILE + i;
            squares += (double)tile->laplacian[c] * (double)tile->laplacian[c];
            slopes += (double)tile->slope[c];
            heights += (double)tile->height[c];
        }
        if (slopes > 0.0)
            spread_add(&slope, silt_log(slopes / (BLOCK * BLOCK)));
        if (squares > 0.0) {
            double rough = 0.5 * silt_log(squares / (BLOCK * BLOCK));
            spread_add(&roughness, rough);
            silt_fit_add(&by_height, heights / (BLOCK * BLOCK), rough);
        }
    }
    tile->value[SILT_ROUGHNESS_VARIATION] = spread_deviation(&roughness);
    tile->value[SILT_SLOPE_VARIATION] = spread_deviation(&slope);
    double rises = silt_fit_slope(&by_height, 3);
    tile->value[SILT_ROUGHNESS_BY_HEIGHT] = copysign(sqrt(silt_fit_r2(&by_height, 3)), rises);
}

// Highest less lowest cell of a window, averaged over all windows of `size` cells a side.
static double mean_relief(SiltTile *tile, int size)
{
    int side = SILT_TILE - size + 1;
    double sum = 0.0;
    for (int j = 0; j < SILT_TILE; j++) {
        for (int i = 0; i < side; i++) {
            const float *from = tile->height + j * SILT_TILE + i;
            float low = from[0], high = from[0];
            for (int k = 1; k < size; k++) {
                low = from[k] < low ? from[k] : low;
                high = from[k] > high ? from[k] : high;
            }
            tile->low[j * SILT_TILE + i] = low;
            tile->high[j * SILT_TILE + i] = high;
        }
    }
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            const float *lows = tile->low + j * SILT_TILE + i, *highs = tile->high + j * SILT_TILE + i;
            float low = lows[0], high = highs[0];
            for (int k = 1; k < size; k++) {
                low = lows[k * SILT_TILE] < low ? lows[k * SILT_TILE] : low;
                high = highs[k * SILT_TILE] > high ? highs[k * SILT_TILE] : high;
            }
            sum += (double)high - (double)low;
        }
    }
    return sum / ((double)side * side);
}

void silt_tile_texture(SiltTile *tile)
{
    tile->value[SILT_CURVATURE_KURTOSIS] = excess_kurtosis(tile->laplacian, SILT_TILE_CELLS);
    compare_blocks(tile);
    double relief[4];
    for (int k = 0; k < 4; k++)
        relief[k] = mean_relief(tile, 4 << k);
    for (int k = 0; k < 3; k++)
        tile->value[SILT_RELIEF_GROWTH_4 + k] =
            relief[k] > 0.0 ? silt_log(relief[k + 1] / relief[k]) * 1.4426950408889634 : NAN;
}
