// Discharge that spreads: what runs through a cell is shared among all its lower neighbours by slope to a
// power, times the length of the side it crosses (Freeman 1991, Quinn et al. 1991). On level water it follows
// the way of the drainage. Counted in whole parts of a cell, so that nothing is lost and no order shows: a
// share is rounded down, and the neighbour with the largest gets what is left.
#include "core/parallel.h"
#include "physics/power.h"
#include "terrain/flood.h"

typedef struct Spread {
    SiltDrainage *drainage;
    double power;
    uint8_t *donors; // how many have not given yet
} Spread;

typedef struct Shares {
    int32_t to[8];
    double share[8], sum;
    int count, largest;
} Shares;

static float level_at(const SiltDrainage *d, int32_t cell)
{
    return silt_field_at(&d->surface, cell % d->width, cell / d->width);
}

// The neighbours of cell (i, j) that have data: how many, and in bit k of `oblique` whether k is diagonal.
static int neighbours(const SiltDrainage *d, int32_t cell, int32_t to[8], unsigned *oblique)
{
    int i = cell % d->width, j = cell / d->width, count = 0;
    *oblique = 0;
    for (int y = j > 0 ? j - 1 : j; y <= j + 1 && y < d->height; y++) {
        for (int x = i > 0 ? i - 1 : i; x <= i + 1 && x < d->width; x++) {
            int32_t other = y * d->width + x;
            if (other == cell || d->receiver[other] < 0)
                continue;
            *oblique |= (unsigned)(x != i && y != j) << count;
            to[count++] = other;
        }
    }
    return count;
}

// Where the water of `cell` goes, and how much of it.
static Shares shares_of(const Spread *spread, int32_t cell)
{
    const SiltDrainage *d = spread->drainage;
    Shares shares = {0};
    int32_t around[8];
    unsigned oblique;
    if (d->receiver[cell] == cell)
        return shares;
    float own = level_at(d, cell);
    for (int k = 0, count = neighbours(d, cell, around, &oblique); k < count; k++) {
        double fall = (double)own - (double)level_at(d, around[k]);
        if (!(fall > 0.0))
            continue;
        double nearer = oblique >> k & 1 ? 0.70710678118654752 : 1.0;
        double share =
            nearer * (spread->power == 1.0 ? fall * nearer : silt_power(fall * nearer, spread->power));
        shares.to[shares.count] = around[k];
        shares.share[shares.count] = share;
        shares.largest = share > shares.share[shares.largest] ? shares.count : shares.largest;
        shares.sum += share;
        shares.count++;
    }
    if (shares.count == 0) // level water
        shares = (Shares){.to = {d->receiver[cell]}, .share = {1.0}, .sum = 1.0, .count = 1};
    return shares;
}

static bool gives_to(const SiltDrainage *d, int32_t from, int32_t cell)
{
    if (d->receiver[from] == from)
        return false;
    float here = level_at(d, cell), there = level_at(d, from);
    if (there != here)
        return there > here;
    if (d->receiver[from] != cell)
        return false;
    int32_t around[8];
    unsigned oblique;
    for (int k = 0, count = neighbours(d, from, around, &oblique); k < count; k++)
        if (level_at(d, around[k]) < there)
            return false;
    return true;
}

static void begin_rows(void *context, int begin, int end)
{
    const Spread *spread = context;
    const SiltDrainage *d = spread->drainage;
    for (int32_t c = begin * d->width; c < end * d->width; c++) {
        int32_t around[8];
        unsigned oblique;
        int donors = 0;
        d->flow[c] = d->receiver[c] < 0 ? 0 : SILT_FLOW_ONE;
        for (int k = 0, count = d->receiver[c] < 0 ? 0 : neighbours(d, c, around, &oblique); k < count; k++)
            donors += gives_to(d, around[k], c);
        spread->donors[c] = (uint8_t)donors;
    }
}

// All that runs through `cell` goes on; returns how many neighbours wait for no one else now.
static int32_t give(const Spread *spread, int32_t cell, int32_t *ready)
{
    SiltDrainage *d = spread->drainage;
    Shares shares = shares_of(spread, cell);
    uint64_t left = d->flow[cell];
    int32_t count = 0;
    for (int k = 0; k < shares.count; k++) {
        uint64_t share = (uint64_t)((double)d->flow[cell] * (shares.share[k] / shares.sum));
        if (k != shares.largest) {
            d->flow[shares.to[k]] += share;
            left -= share;
        }
    }
    if (shares.count > 0)
        d->flow[shares.to[shares.largest]] += left;
    for (int k = 0; k < shares.count; k++)
        if (--spread->donors[shares.to[k]] == 0)
            ready[count++] = shares.to[k];
    return count;
}

void silt_drainage_spread(SiltDrainage *drainage, double power, uint8_t *donors, int32_t *waiting)
{
    Spread spread = {.drainage = drainage, .power = power, .donors = donors};
    silt_parallel(drainage->height, 16, begin_rows, &spread);
    int32_t cells = drainage->width * drainage->height, count = 0;
    for (int32_t c = 0; c < cells; c++)
        if (donors[c] == 0 && drainage->receiver[c] >= 0)
            waiting[count++] = c;
    while (count > 0) {
        int32_t cell = waiting[--count];
        count += give(&spread, cell, waiting + count);
    }
}
