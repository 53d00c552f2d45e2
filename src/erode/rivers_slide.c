// What stands steeper than the critical slope comes down: near it the flux of rivers_creep.c grows without
// bound, and in that limit ground is lowered until no line across it is steeper. That height is the least,
// over all places, of theirs plus critical slope times distance: a cone on each, the same in all directions.
//
// Lines that fall within 45 degrees of south are all found by one sweep over the rows from the south up, each
// cell looking at the three next to it there (rivers_cone), and so for the four sides. Every sweep begins
// with the same heights, and the greatest lowering counts: no side comes first.
//
// Of that lowering a share dt / (dt + slide_time) happens in a step: what fails, fails some time.
#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "erode/rivers.h"
#include "physics/rivers_cell.h"

enum { STRIP = 8 }; // columns in one go: as many as a cache line holds

// `own` heights become those that the line before, `last`, lets stand; both have a cell more at each end.
// What they are lowered by goes into `fall` where it is more.
SILT_CLONES static void lower_line(const double *restrict last, double *restrict own,
                                   const float *restrict rise, float *restrict fall, int count)
{
    for (int i = 0; i < count; i++) {
        double oblique = last[i] < last[i + 2] ? last[i] : last[i + 2];
        double bound = rivers_cone(last[i + 1], oblique, (double)rise[i]), stands = own[i + 1];
        float lower = (float)(stands - bound);
        own[i + 1] = bound < stands ? bound : stands;
        fall[i] = lower > fall[i] ? lower : fall[i];
    }
}

// What cones stand on: the ground, or the water above it. Walls bear none.
static inline double stand(const Rivers *rivers, size_t c)
{
    double own = rivers->next[c] > rivers->level[c] ? rivers->next[c] : rivers->level[c];
    return rivers->kind[c] == RIVERS_WALL ? INFINITY : own;
}

static void close_ends(double *line, int count)
{
    line[0] = line[count + 1] = INFINITY;
}

// ---- from the north and from the south ----

static void load_row(const Rivers *rivers, int j, double *line)
{
    int width = rivers->drainage->width;
    for (int i = 0; i < width; i++)
        line[i + 1] = stand(rivers, (size_t)j * (size_t)width + (size_t)i);
}

static void sweep_rows(Rivers *rivers, bool north)
{
    int width = rivers->drainage->width, height = rivers->drainage->height;
    double *last = rivers->sweep[0], *own = last + width + 2;
    for (int k = 0; k <= width + 1; k++)
        last[k] = INFINITY;
    close_ends(own, width);
    for (int k = 0; k < height; k++) {
        int j = north ? k : height - 1 - k;
        load_row(rivers, j, own);
        size_t row = (size_t)j * (size_t)width;
        lower_line(last, own, rivers->rise + row, rivers->gain + row, width);
        double *swap = last;
        last = own;
        own = swap;
    }
}

// ---- from the west and from the east: strips of columns, turned ----

static void load_strip(const Rivers *rivers, int i, int count, double *strip, float *rise, float *fall)
{
    int width = rivers->drainage->width, height = rivers->drainage->height;
    for (int j = 0; j < height; j++)
        for (int k = 0; k < count; k++) {
            size_t c = (size_t)j * (size_t)width + (size_t)(i + k);
            strip[(size_t)k * (size_t)(height + 2) + (size_t)j + 1] = stand(rivers, c);
            rise[(size_t)k * (size_t)height + (size_t)j] = rivers->rise[c];
            fall[(size_t)k * (size_t)height + (size_t)j] = rivers->fall[c];
        }
}

static void store_strip(Rivers *rivers, int i, int count, const float *fall)
{
    int width = rivers->drainage->width, height = rivers->drainage->height;
    for (int j = 0; j < height; j++)
        for (int k = 0; k < count; k++)
            rivers->fall[(size_t)j * (size_t)width + (size_t)(i + k)] =
                fall[(size_t)k * (size_t)height + (size_t)j];
}

static void sweep_columns(Rivers *rivers, bool west)
{
    int width = rivers->drainage->width, height = rivers->drainage->height;
    size_t line = (size_t)height + 2, column = (size_t)height;
    double *last = rivers->sweep[1], *strip = last + line;
    float *rise = (float *)(void *)(strip + STRIP * line), *fall = rise + STRIP * column;
    for (size_t k = 0; k < line; k++)
        last[k] = INFINITY;
    for (int k = 0; k < STRIP; k++)
        close_ends(strip + (size_t)k * line, height);
    int strips = (width + STRIP - 1) / STRIP;
    for (int s = 0; s < strips; s++) {
        int i = (west ? s : strips - 1 - s) * STRIP, count = width - i < STRIP ? width - i : STRIP;
        load_strip(rivers, i, count, strip, rise, fall);
        const double *before = last;
        for (int n = 0; n < count; n++) {
            int k = west ? n : count - 1 - n;
            double *own = strip + (size_t)k * line;
            lower_line(before, own, rise + (size_t)k * column, fall + (size_t)k * column, height);
            before = own;
        }
        for (size_t k = 0; k < line; k++)
            last[k] = before[k];
        store_strip(rivers, i, count, fall);
    }
}

static void sweep_ways(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t cells = (size_t)rivers->drainage->width * (size_t)rivers->drainage->height;
    for (int way = begin; way < end; way++) {
        float *fall = way ? rivers->fall : rivers->gain;
        for (size_t c = 0; c < cells; c++)
            fall[c] = 0.0f;
        for (int side = 0; side < 2; side++)
            (way ? sweep_columns : sweep_rows)(rivers, side == 0);
    }
}

static void join_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width;
    double share = rivers->dt / (rivers->dt + rivers->params->slide_time);
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        float fall = rivers->gain[c] > rivers->fall[c] ? rivers->gain[c] : rivers->fall[c];
        rivers->fall[c] = rivers_is_land(rivers->kind[c]) ? (float)share * fall : 0.0f;
    }
}

void rivers_find_slides(Rivers *rivers)
{
    silt_parallel(2, 1, sweep_ways, rivers);
    silt_parallel(rivers->drainage->height, 16, join_rows, rivers);
}

size_t rivers_sweep_size(const SiltTerrain *terrain, int way)
{
    size_t line = (size_t)(way ? terrain->height : terrain->width) + 2;
    return way ? (1 + 2 * STRIP) * line : 2 * line;
}
