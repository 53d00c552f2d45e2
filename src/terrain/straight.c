// Straight lines down a slope. Where the steepest descent points between two neighbours, a way of single
// cells can only zigzag about it. As when a line is drawn on a screen, each cell takes the neighbour that
// keeps the way nearest to the true line: how far the way has come off it, in parts of a cell, goes along
// with the water (the least transversal deviation of Orlandini et al. 2003). Where waters meet, the mean by
// catchment goes on. A cell chooses when all that may drain to it have chosen; sums are of whole numbers, so
// that their order does not show. It is a rule of geometry: a map that is turned or mirrored has turned or
// mirrored ways.
#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/flood.h"

// What a cell knows of those above it: how many they are, a large number counted as MOST, and the sum over
// them of how far the true line lies clockwise of the way, in parts of SILT_LEAN_ONE.
typedef struct Above {
    int32_t off;
    uint16_t weight;
    uint8_t donors; // that have not chosen yet
} Above;

_Static_assert(sizeof(Above) <= sizeof(uint64_t), "they lie in the memory of the heap");

enum { MOST = 1023 }; // eight of them, half a cell off, are within 32 bits

typedef struct Walk {
    SiltFlood *flood;
    int32_t steps[8];
    Above *above;
    int32_t *list; // from the back: those about to choose
    int32_t waiting, end;
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
        uint8_t *donors = walk->flood->donors + at;
        count_donors(walk->flood->way + at, walk->steps, walk->flood->width, donors);
        for (size_t i = 0; i < width; i++)
            walk->above[at + i] = (Above){.donors = donors[i]};
    }
}

static int32_t size_of(int32_t value)
{
    return value < 0 ? -value : value;
}

// One donor less; true when it was the last.
static bool is_ready(Walk *walk, int32_t cell)
{
    return --walk->above[cell].donors == 0;
}

// The way of `cell`, whose line has come `off` so far: of the two beside the true line the nearer one, the
// direct neighbour among equals. The other one need not wait for this cell any more.
static int choose(Walk *walk, int32_t cell, int32_t *off)
{
    SiltFlood *flood = walk->flood;
    int facet = flood->way[cell] - SILT_WAY_BETWEEN, direct = (facet + 1) & 6, oblique = facet | 1;
    int32_t one = facet & 1 ? -SILT_LEAN_ONE : SILT_LEAN_ONE; // clockwise, or not
    int32_t lean = facet & 1 ? -flood->place[cell] : flood->place[cell];
    int32_t straight = *off + lean, aside = straight - one;
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
            Above *own = &walk->above[cell];
            int32_t weight = own->weight + 1, off = own->weight ? own->off / weight : 0;
            own->donors = UINT8_MAX; // not a source again
            if (way >= SILT_WAY_BETWEEN)
                way = choose(walk, cell, &off);
            if (way >= 8)
                break;
            cell += walk->steps[way];
            weight = weight < MOST ? weight : MOST;
            walk->above[cell].weight = (uint16_t)(walk->above[cell].weight + weight);
            walk->above[cell].off += off * weight;
            if (!is_ready(walk, cell))
                break;
        }
    }
}

void silt_flood_straighten(SiltFlood *flood)
{
    int32_t end = flood->stride * (flood->height + 2);
    Walk walk = {
        .flood = flood, .above = (Above *)flood->heap, .list = flood->queue, .waiting = end, .end = end};
    silt_flood_steps(flood, walk.steps);
    silt_parallel(flood->height, 16, begin_rows, &walk);
    for (int j = 0; j < flood->height; j++) {
        size_t at = silt_flood_at(flood, 0, j);
        for (size_t k = at; k < at + (size_t)flood->width; k++)
            if (walk.above[k].donors == 0)
                walk_from(&walk, (int32_t)k);
    }
}
