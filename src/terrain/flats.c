// Level ground, and lakes that are filled: water takes the fewest cells to where it can fall. Waves spread
// from the cells that have a way over those on the same level, so that all of a flat drains to what is
// nearest.
#include <string.h>

#include "core/parallel.h"
#include "terrain/flood.h"

enum {
    IN_WAVE = 11, // on a flat, about to get its way
    CHOSEN = 16,  // added to a way that is no choice for others yet
    ROWS = 32,    // after which somebody is asked whether to go on
};

static bool is_ready(uint8_t way)
{
    return way < 8 || way == SILT_WAY_OUT;
}

// The first neighbour no higher that had its way before this wave. On flats it is on the same level; where a
// drop is so small that its slope is lost in rounding, it is lower.
static int flat_neighbour(const SiltFlood *flood, const int32_t steps[8], int32_t at, int start)
{
    for (int n = 0; n < 8; n++) {
        int k = (start + n) & 7;
        int32_t next = at + steps[k];
        if (is_ready(flood->way[next]) && flood->level[next] <= flood->level[at])
            return k;
    }
    return -1;
}

// All cells of a wave choose before any of them is a choice for others.
static void settle_wave(SiltFlood *flood, const int32_t steps[8], int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end; k++) {
        int32_t at = flood->queue[k];
        int32_t cell = (at / flood->stride - 1) * flood->width + at % flood->stride - 1;
        flood->way[at] =
            (uint8_t)(CHOSEN + flat_neighbour(flood, steps, at, silt_first_look((uint32_t)cell)));
    }
    for (int32_t k = begin; k < end; k++)
        flood->way[flood->queue[k]] -= CHOSEN;
}

// The cells without a way that touch one with a way no higher than they are. Below zero: somebody wants the
// run to stop.
static int32_t first_wave(SiltFlood *flood, const int32_t steps[8])
{
    int32_t end = 0;
    for (int j = 0; j < flood->height; j++) {
        if (j % ROWS == 0 && silt_is_stopped())
            return -1;
        const uint8_t *row = flood->way + silt_flood_at(flood, 0, j), *stop = row + flood->width;
        for (const uint8_t *at = row; (at = memchr(at, SILT_WAY_NONE, (size_t)(stop - at))); at++)
            if (flat_neighbour(flood, steps, (int32_t)(at - flood->way), 0) >= 0)
                flood->queue[end++] = (int32_t)(at - flood->way);
    }
    for (int32_t k = 0; k < end; k++)
        flood->way[flood->queue[k]] = IN_WAVE;
    return end;
}

// Waves from the cells that have their way, one cell further each, over all that have none.
bool silt_flood_cross_flats(SiltFlood *flood)
{
    int32_t steps[8];
    silt_flood_steps(flood, steps);
    int32_t *queue = flood->queue, begin = 0, end = first_wave(flood, steps);
    if (end < 0)
        return false;
    settle_wave(flood, steps, begin, end);
    while (begin < end) {
        int32_t tail = end;
        for (; begin < end; begin++) {
            int32_t at = queue[begin];
            if (silt_walk_is_stopped(begin))
                return false;
            for (int k = 0; k < 8; k++) {
                int32_t next = at + steps[k];
                if (flood->way[next] != SILT_WAY_NONE || flood->level[next] < flood->level[at])
                    continue;
                flood->way[next] = IN_WAVE;
                queue[tail++] = next;
            }
        }
        settle_wave(flood, steps, begin, tail);
        end = tail;
    }
    return !silt_is_stopped();
}
