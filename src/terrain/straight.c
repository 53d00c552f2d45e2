// Straight lines down a slope. Where the steepest descent points between two neighbours, a way of single
// cells can only zigzag about it. As when a line is drawn on a screen, each cell takes the neighbour that
// keeps the way nearest to the true line: how far the way has come off it, in parts of a cell, goes along
// with the water (the least transversal deviation of Orlandini et al. 2003). Where waters meet, the mean by
// catchment goes on. A cell chooses when all that may drain to it have chosen; sums are of whole numbers, so
// that their order does not show. It is a rule of geometry: a map that is turned or mirrored has turned or
// mirrored ways.
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/flood.h"

typedef struct Walk {
    SiltFlood *flood;
    int32_t steps[8];
    int32_t *area; // cells above
    float *length; // the longest way down to a cell, in cells
    int64_t *off;  // sum over all above of how far the true line lies clockwise of the way
    int32_t *list; // those that have chosen, in their order; from the back, those about to
    int32_t chosen, waiting, end;
} Walk;

// Whether `from` leads back to the cell it is seen from by step k, or may do so.
SILT_CLONES static void count_donors(const uint8_t *restrict way, const int32_t steps[8], int count,
                                     uint8_t *restrict donors)
{
    for (int i = 0; i < count; i++)
        donors[i] = 0;
    for (int k = 0; k < 8; k++) {
        const uint8_t *from = way + steps[k];
        uint8_t back = (uint8_t)((k + 4) & 7), between = (uint8_t)(SILT_WAY_BETWEEN + back),
                before = (uint8_t)(SILT_WAY_BETWEEN + ((back + 7) & 7));
        for (int i = 0; i < count; i++)
            donors[i] =
                (uint8_t)(donors[i] + ((from[i] == back) | (from[i] == between) | (from[i] == before)));
    }
}

static void begin_rows(void *context, int begin, int end)
{
    const Walk *walk = context;
    size_t width = (size_t)walk->flood->width;
    for (int j = begin; j < end; j++) {
        size_t at = silt_flood_at(walk->flood, 0, j);
        count_donors(walk->flood->way + at, walk->steps, walk->flood->width, walk->flood->donors + at);
        memset(walk->area + at, 0, width * sizeof *walk->area);
        memset(walk->length + at, 0, width * sizeof *walk->length);
        memset(walk->off + at, 0, width * sizeof *walk->off);
    }
}

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

// One donor less; true when it was the last.
static bool is_ready(Walk *walk, int32_t cell)
{
    return --walk->flood->donors[cell] == 0;
}

// The way of `cell`, whose line has come `off` so far: of the two beside the true line the nearer one, the
// direct neighbour among equals. The other one need not wait for this cell any more.
static int choose(Walk *walk, int32_t cell, int64_t *off)
{
    SiltFlood *flood = walk->flood;
    int facet = flood->way[cell] - SILT_WAY_BETWEEN, direct = (facet + 1) & 6, oblique = facet | 1;
    int64_t one = facet & 1 ? -SILT_LEAN_ONE : SILT_LEAN_ONE; // clockwise, or not
    int64_t lean = facet & 1 ? -flood->place[cell] : flood->place[cell];
    int64_t straight = *off + lean, aside = straight - one;
    bool keeps = size_of(straight) <= size_of(aside);
    int32_t other = cell + walk->steps[keeps ? oblique : direct];
    *off = keeps ? straight : aside;
    flood->way[cell] = (uint8_t)(keeps ? direct : oblique);
    if (is_ready(walk, other))
        walk->list[--walk->waiting] = other;
    return flood->way[cell];
}

// From one cell down, as far as all that may join has chosen, then from those that wait.
static void walk_from(Walk *walk, int32_t source)
{
    SiltFlood *flood = walk->flood;
    walk->list[--walk->waiting] = source;
    while (walk->waiting < walk->end) {
        int32_t cell = walk->list[walk->waiting++];
        for (;;) {
            int way = flood->way[cell];
            int32_t cells = walk->area[cell] + 1;
            int64_t off = cells > 1 ? walk->off[cell] / cells : 0;
            float length = walk->length[cell];
            flood->donors[cell] = UINT8_MAX; // not a source again
            walk->list[walk->chosen++] = cell;
            if (way >= SILT_WAY_BETWEEN)
                way = choose(walk, cell, &off);
            if (way >= 8)
                break;
            cell += walk->steps[way];
            length += way & 1 ? 1.41421356f : 1.0f;
            walk->length[cell] = length > walk->length[cell] ? length : walk->length[cell];
            walk->area[cell] += cells;
            walk->off[cell] += off * cells;
            if (!is_ready(walk, cell))
                break;
        }
    }
}

void silt_flood_straighten(SiltFlood *flood)
{
    int32_t end = flood->stride * (flood->height + 2);
    Walk walk = {.flood = flood,
                 .area = flood->first,
                 .length = (float *)flood->link,
                 .off = (int64_t *)flood->heap,
                 .list = flood->queue,
                 .waiting = end,
                 .end = end};
    silt_flood_steps(flood, walk.steps);
    silt_parallel(flood->height, 16, begin_rows, &walk);
    for (int j = 0; j < flood->height; j++) {
        size_t at = silt_flood_at(flood, 0, j);
        for (size_t k = at; k < at + (size_t)flood->width; k++)
            if (flood->donors[k] == 0 && flood->way[k] != SILT_WAY_WALL)
                walk_from(&walk, (int32_t)k);
    }
    flood->chosen = walk.chosen;
}
