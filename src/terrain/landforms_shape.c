// Slopes, flats and forms of a tile: how slopes spread, how much of it is valley floor and how wide flats
// are, and the shares of ridge, slope and valley after Jasiewicz & Stepinski (2013).
#include <math.h>

#include "physics/elementary.h"
#include "terrain/landforms.h"

// ---- flats ----

enum { FLOOR_WINDOW = 32 };

// The highest of `sign` times the values within the window around each cell along one axis, as far as the
// tile goes.
static void highest_along(const float *from, int step, int line, float sign, float *to)
{
    for (int j = 0; j < SILT_TILE; j++) {
        for (int i = 0; i < SILT_TILE; i++) {
            int begin = i < FLOOR_WINDOW / 2 ? 0 : i - FLOOR_WINDOW / 2;
            int end = i + FLOOR_WINDOW / 2 < SILT_TILE ? i + FLOOR_WINDOW / 2 : SILT_TILE;
            float most = -INFINITY;
            for (int k = begin; k < end; k++) {
                float x = sign * from[j * line + k * step];
                most = x > most ? x : most;
            }
            to[j * line + i * step] = sign * most;
        }
    }
}

static void local_extremes(SiltTile *tile)
{
    highest_along(tile->height, 1, SILT_TILE, 1.0f, tile->scratch);
    highest_along(tile->scratch, SILT_TILE, 1, 1.0f, tile->high);
    highest_along(tile->height, 1, SILT_TILE, -1.0f, tile->scratch);
    highest_along(tile->scratch, SILT_TILE, 1, -1.0f, tile->low);
}

static void measure_flats(SiltTile *tile)
{
    double sum = 0.0, squares = 0.0;
    for (int c = 0; c < SILT_TILE_CELLS; c++) {
        sum += (double)tile->slope[c];
        squares += (double)tile->slope[c] * (double)tile->slope[c];
    }
    double mean = sum / SILT_TILE_CELLS, variance = squares / SILT_TILE_CELLS - mean * mean;
    tile->value[SILT_SLOPE_SPREAD] = mean > 0.0 ? sqrt(variance > 0.0 ? variance : 0.0) / mean : NAN;
    local_extremes(tile);
    double floors = 0.0;
    int flats = 0;
    for (int c = 0; c < SILT_TILE_CELLS; c++) {
        tile->mark[c] = (double)tile->slope[c] >= 0.25 * mean;
        floors += !tile->mark[c] && tile->height[c] - tile->low[c] < 0.25f * (tile->high[c] - tile->low[c]);
    }
    tile->value[SILT_VALLEY_FLOOR_SHARE] = floors / SILT_TILE_CELLS;
    silt_tile_distance(tile); // into flats: from what is steep
    for (int c = 0; c < SILT_TILE_CELLS; c++)
        if (!tile->mark[c])
            tile->scratch[flats++] = tile->scratch[c];
    tile->value[SILT_FLAT_WIDTH] = flats > 0 ? silt_sorted_share(tile->scratch, flats, 0.95) : 0.0;
}

// ---- forms ----

enum { RADIUS = 8 };
static const double LEVEL = 2.0; // degrees: what counts as neither up nor down
enum { FLAT, PEAK, RIDGE, SHOULDER, SPUR, SLOPE, HOLLOW, FOOT, VALLEY, PIT, FORMS };

// By how many of eight directions lead down (row) and up (column), as in figure 4 of the paper.
static const uint8_t form_of[9][9] = {
    {FLAT, FLAT, FLAT, FOOT, FOOT, VALLEY, VALLEY, VALLEY, PIT},
    {FLAT, FLAT, FOOT, FOOT, FOOT, VALLEY, VALLEY, VALLEY},
    {FLAT, SHOULDER, SLOPE, SLOPE, HOLLOW, HOLLOW, VALLEY},
    {SHOULDER, SHOULDER, SLOPE, SLOPE, SLOPE, HOLLOW},
    {SHOULDER, SHOULDER, SPUR, SLOPE, SLOPE},
    {RIDGE, RIDGE, SPUR, SPUR},
    {RIDGE, RIDGE, RIDGE},
    {RIDGE, RIDGE},
    {PEAK},
};

// Whether the skyline in one direction lies higher (1), lower (-1) or as far up as the ground falls away (0).
static int look(const SiltTile *tile, int i, int j, int dx, int dy)
{
    double up = -INFINITY, down = INFINITY, step = (dx && dy ? sqrt(2.0) : 1.0) * tile->cell;
    double own = (double)tile->height[j * SILT_TILE + i];
    for (int k = 1; k <= RADIUS; k++) {
        int x = i + k * dx, y = j + k * dy;
        double slope = ((double)tile->height[y * SILT_TILE + x] - own) / (k * step);
        up = slope > up ? slope : up;
        down = slope < down ? slope : down;
    }
    double angle = (silt_atan(up) + silt_atan(down)) * 57.29577951308232;
    return angle > LEVEL ? 1 : angle < -LEVEL ? -1 : 0;
}

static void share_forms(SiltTile *tile)
{
    static const int8_t around[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    double count[FORMS] = {0}, all = 0.0;
    for (int j = RADIUS; j < SILT_TILE - RADIUS; j++) {
        for (int i = RADIUS; i < SILT_TILE - RADIUS; i++) {
            int down = 0, up = 0;
            for (int k = 0; k < 8; k++) {
                int way = look(tile, i, j, around[k][0], around[k][1]);
                up += way > 0;
                down += way < 0;
            }
            count[form_of[down][up]] += 1.0;
            all += 1.0;
        }
    }
    tile->value[SILT_RIDGE_SHARE] = count[RIDGE] / all;
    tile->value[SILT_SLOPE_SHARE] = count[SLOPE] / all;
    tile->value[SILT_VALLEY_SHARE] = count[VALLEY] / all;
}

void silt_tile_shape(SiltTile *tile)
{
    measure_flats(tile);
    share_forms(tile);
}
