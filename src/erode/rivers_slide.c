// What stands steeper than the critical slope comes down: near it the flux of rivers_creep.c grows without
// bound, and in that limit ground is lowered until no line across it is steeper. That height is the least,
// over all places, of theirs plus critical slope times distance: a cone on each, the same in all directions.
//
// Lines that fall within 45 degrees of south are all found by one sweep over the rows from the south up, each
// cell looking at the three next to it there (rivers_cone), and so for the four sides. Every sweep begins
// with the same heights, and the greatest lowering counts: no side comes first. Cones stand on the ground or
// on the water above it, and on no wall: its level is infinite.
//
// Of that lowering a share dt / (dt + slide_time) happens in a step, in patches (rivers_patch.c).
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "erode/rivers.h"
#include "physics/rivers_cell.h"

enum { TILE = 16 }; // rows and columns of what is turned at once: floats of a cache line

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

// Lines of cells side by side, one way or the other: rows, or columns of what was turned.
typedef struct Lines {
    const double *ground, *level; // cones stand on the higher of them; no level: on the ground
    const float *rise;
    float *fall;
    double *scratch; // two lines with a cell more at each end
    int length, count;
} Lines;

SILT_CLONES static void load_line(const double *restrict ground, const double *restrict level, int count,
                                  double *restrict line)
{
    for (int i = 0; i < count; i++)
        line[i] = level[i] > ground[i] ? level[i] : ground[i];
}

static void sweep(const Lines *lines, bool forward)
{
    size_t length = (size_t)lines->length;
    double *last = lines->scratch, *own = last + length + 2;
    for (size_t k = 0; k < 2 * (length + 2); k++)
        last[k] = INFINITY;
    for (int k = 0; k < lines->count; k++) {
        size_t at = (size_t)(forward ? k : lines->count - 1 - k) * length;
        if (lines->level)
            load_line(lines->ground + at, lines->level + at, lines->length, own + 1);
        else
            memcpy(own + 1, lines->ground + at, length * sizeof(double));
        lower_line(last, own, lines->rise + at, lines->fall + at, lines->length);
        double *swap = last;
        last = own;
        own = swap;
    }
}

// ---- turned ----

// Heights and slopes, column by column: heights in `lowest`, which is free by then.
static void turn_tiles(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width, height = (size_t)rivers->drainage->height;
    for (size_t top = (size_t)begin * TILE; top < height && top < (size_t)end * TILE; top += TILE)
        for (size_t left = 0; left < width; left += TILE)
            for (size_t i = left; i < left + TILE && i < width; i++)
                for (size_t j = top; j < top + TILE && j < height; j++) {
                    size_t c = j * width + i, to = i * height + j;
                    double ground = rivers->next[c], level = rivers->level[c];
                    rivers->lowest[to] = level > ground ? level : ground;
                    rivers->turned_rise[to] = rivers->rise[c];
                }
}

// Back again: the greater lowering of both ways, and of it the share that comes down in this step.
static void join_tiles(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width, height = (size_t)rivers->drainage->height;
    for (size_t top = (size_t)begin * TILE; top < height && top < (size_t)end * TILE; top += TILE)
        for (size_t left = 0; left < width; left += TILE)
            for (size_t j = top; j < top + TILE && j < height; j++)
                for (size_t i = left; i < left + TILE && i < width; i++) {
                    size_t c = j * width + i;
                    float along = rivers->gain[c], across = rivers->turned_fall[i * height + j];
                    float fall = along > across ? along : across;
                    float share = (float)rivers->fails[c] * (1.0f / 255.0f);
                    fall *= share > rivers->fails_anyway ? share : rivers->fails_anyway;
                    rivers->fall[c] = silt_rivers_is_land(rivers->kind[c]) ? fall : 0.0f;
                }
}

static void sweep_ways(void *context, int begin, int end)
{
    Rivers *rivers = context;
    int width = rivers->drainage->width, height = rivers->drainage->height;
    Lines ways[2] = {
        {rivers->next, rivers->level, rivers->rise, rivers->gain, rivers->sweep[0], width, height},
        {rivers->lowest, NULL, rivers->turned_rise, rivers->turned_fall, rivers->sweep[1], height, width}};
    for (int way = begin; way < end; way++) {
        memset(ways[way].fall, 0, (size_t)width * (size_t)height * sizeof(float));
        sweep(&ways[way], true);
        sweep(&ways[way], false);
    }
}

void silt_rivers_find_slides(Rivers *rivers)
{
    int tiles = (rivers->drainage->height + TILE - 1) / TILE;
    rivers->fails_anyway = silt_rivers_draw_slides(rivers);
    silt_parallel(tiles, 1, turn_tiles, rivers);
    silt_parallel(2, 1, sweep_ways, rivers);
    silt_parallel(tiles, 1, join_tiles, rivers);
}
