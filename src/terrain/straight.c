// Straight lines down a slope. Where the steepest descent points between two neighbours, a way of single
// cells can only zigzag about it. As when a line is drawn on a screen, each cell takes the neighbour that
// keeps the way nearest to the true line: how far the way has come off it, in parts of a cell, goes along
// with the water (the least transversal deviation of Orlandini et al. 2003). Where waters meet, the mean by
// catchment goes on. A cell chooses when all that may drain to it have chosen; sums are of whole numbers, so
// that their order does not show. It is a rule of geometry: a map that is turned or mirrored has turned or
// mirrored ways.
#include <stdatomic.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/flood.h"

// What a cell knows of those above it, in one word, so that several threads may add to it at once: in its
// lowest byte how many donors have not chosen yet, above that their weight (how many they are, a large number
// counted as MOST), and in the upper half the sum over them of how far the true line lies clockwise of the
// way, in parts of SILT_LEAN_ONE.
typedef _Atomic uint64_t Above;

enum { LOOPS = 3 };

enum { MOST = 1023 }; // eight of them, half a cell off, are within 32 bits

typedef struct Walk {
    SiltFlood *flood;
    int32_t steps[8];
    Above *above;
    bool alone; // on one thread
    int first;  // row of the loop
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
            atomic_store_explicit(&walk->above[at + i], donors[i], memory_order_relaxed);
    }
}

static int32_t size_of(int32_t value)
{
    return value < 0 ? -value : value;
}

// Adds to what a cell knows, with one donor less, and returns what it knows then.
static uint64_t tell(Walk *walk, int32_t cell, int32_t off, int32_t weight)
{
    Above *above = &walk->above[cell];
    uint64_t more = ((uint64_t)(uint32_t)off << 32) + ((uint64_t)(uint32_t)weight << 8) - 1;
    if (!walk->alone)
        return atomic_fetch_add_explicit(above, more, memory_order_relaxed) + more;
    uint64_t known = atomic_load_explicit(above, memory_order_relaxed) + more;
    atomic_store_explicit(above, known, memory_order_relaxed);
    return known;
}

static bool is_ready(uint64_t known)
{
    return (known & 0xFF) == 0;
}

// The way of `cell`, whose line has come `off` so far: of the two beside the true line the nearer one, the
// direct neighbour among equals. The other one, `spared`, need not wait for this cell any more.
static int choose(const Walk *walk, int32_t cell, int32_t *off, int32_t *spared)
{
    SiltFlood *flood = walk->flood;
    int facet = flood->way[cell] - SILT_WAY_BETWEEN, direct = (facet + 1) & 6, oblique = facet | 1;
    int32_t one = facet & 1 ? -SILT_LEAN_ONE : SILT_LEAN_ONE; // clockwise, or not
    int32_t lean = facet & 1 ? -flood->place[cell] : flood->place[cell];
    int32_t straight = *off + lean, aside = straight - one;
    bool keeps = size_of(straight) <= size_of(aside);
    *off = keeps ? straight : aside;
    *spared = cell + walk->steps[keeps ? oblique : direct];
    flood->way[cell] = (uint8_t)(keeps ? direct : oblique);
    return flood->way[cell];
}

// From one cell down, as far as all that may join has chosen, then from those that wait: each of them knows
// which is next.
static void walk_from(Walk *walk, int32_t source)
{
    enum { NONE = -1 };
    SiltFlood *flood = walk->flood;
    int32_t *next = flood->queue, waiting = source;
    next[source] = NONE;
    while (waiting != NONE) {
        int32_t cell = waiting;
        waiting = next[cell];
        uint64_t known = atomic_load_explicit(&walk->above[cell], memory_order_relaxed);
        do {
            int way = flood->way[cell];
            int32_t known_weight = (int32_t)(known >> 8 & 0xFFFF), weight = known_weight + 1;
            int32_t off = known_weight ? (int32_t)(uint32_t)(known >> 32) / weight : 0, spared;
            if (way >= SILT_WAY_BETWEEN) {
                way = choose(walk, cell, &off, &spared);
                if (is_ready(tell(walk, spared, 0, 0))) {
                    next[spared] = waiting;
                    waiting = spared;
                }
            }
            if (way >= 8)
                break;
            cell += walk->steps[way];
            weight = weight < MOST ? weight : MOST;
            known = tell(walk, cell, off * weight, weight);
        } while (is_ready(known));
    }
}

static void walk_rows(void *context, int begin, int end)
{
    Walk *walk = context;
    for (int j = walk->first + begin; j < walk->first + end; j++) {
        size_t at = silt_flood_at(walk->flood, 0, j);
        for (size_t k = at; k < at + (size_t)walk->flood->width; k++)
            if (walk->flood->donors[k] == 0)
                walk_from(walk, (int32_t)k);
    }
}

bool silt_flood_straighten(SiltFlood *flood)
{
    Walk walk = {.flood = flood, .above = (Above *)(void *)flood->heap, .alone = silt_threads() == 1};
    silt_flood_steps(flood, walk.steps);
    silt_parallel(flood->height, 16, begin_rows, &walk);
    if (silt_is_stopped())
        return false;
    // in a few loops, so that somebody can be asked between them
    for (int rows = flood->height / LOOPS + 1; walk.first < flood->height; walk.first += rows) {
        int left = flood->height - walk.first;
        silt_parallel(left < rows ? left : rows, 16, walk_rows, &walk);
        if (silt_is_stopped())
            return false;
    }
    return true;
}
