// Which phases of a grid go together in a pass, and which rows a group holds for them: see device_tiles.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/device_tiles.h"

int silt_device_tile_items;

static int most(int a, int b)
{
    return a > b ? a : b;
}

// The widest group that fits. A row has a cell before its first and one behind its last.
static void choose_width(SiltTiles *tiles, size_t local_bytes, size_t most_items)
{
    static const int widths[] = {128, 96, 64};
    const char *asked = getenv("SILT_DEVICE_ITEMS"); // for who measures: docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_tile_items;
    size_t kept = 2048; // for what a group adds to the books
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        tiles->items = wanted > 0 ? wanted : widths[k];
        tiles->own = tiles->items - 2 * tiles->halo;
        tiles->cells = tiles->items + 2;
        if (tiles->own >= 16 && silt_tiles_bytes(tiles) + kept <= local_bytes &&
            (size_t)tiles->items <= most_items)
            return;
    }
    tiles->items = 0;
}

// Brief rows lie in the same places for every phase: no item looks at those of another.
static void choose_places(SiltTiles *tiles)
{
    int briefs = 0;
    tiles->row_count = 1; // the first is of fields that are not there
    for (SiltTileLife *life = tiles->lives; life < tiles->lives + tiles->life_count; life++)
        if (!life->brief) {
            life->at = tiles->row_count;
            tiles->row_count += life->rows;
        }
    tiles->brief_at = tiles->row_count;
    for (int p = tiles->first; p < tiles->end; p++) {
        int count = 0;
        for (SiltTileLife *life = tiles->lives; life < tiles->lives + tiles->life_count; life++)
            if (life->brief && life->first == p)
                life->at = tiles->brief_at + count++;
        briefs = most(briefs, count);
    }
    tiles->row_count += briefs;
}

// Rounds begin where the first row is needed and end when the last has been worked on and has gone out. What
// is handed on has a row beyond each end of the map.
static void choose_rounds(SiltTiles *tiles, const SiltGridTable *table, const int *needs)
{
    tiles->lead = tiles->lasts = table->exact ? -1000 : table->halo;
    for (int p = tiles->first; p < tiles->end && table->exact; p++) {
        int behind = table->phases[p].behind, needed = most(needs[p], 1);
        tiles->lead = most(tiles->lead, needed - behind);
        tiles->lasts = most(tiles->lasts, needed + behind);
    }
    tiles->late = tiles->lasts;
    for (int k = 0; k < tiles->life_count; k++) {
        const SiltTileLife *life = &tiles->lives[k];
        for (int p = life->first; p <= life->last && table->exact && life->loaded; p++) {
            SiltUse use = silt_phase_use(table, p, life->field);
            if (use.reads)
                tiles->lead = most(tiles->lead, needs[p] + use.north - life->newest);
        }
        if (life->stored && !life->brief)
            tiles->late = most(tiles->late, life->newest + life->rows + life->handed);
    }
}

// The pass of the phases `first` to `end`.
static void plan_pass(SiltTiles *tiles, const SiltGridTable *table, int first, int end, uint64_t present,
                      size_t local_bytes, size_t most_items)
{
    int needs[SILT_GRID_PHASES];
    memset(tiles, 0, sizeof *tiles);
    tiles->first = first;
    tiles->end = end;
    tiles->halo = table->exact ? silt_phases_look(table, first, end, needs) : table->halo;
    tiles->life_count = silt_phases_lives(table, first, end, present, tiles->lives);
    if (tiles->life_count < 0)
        return;
    for (int k = 0; k < tiles->life_count; k++) {
        const SiltTileLife *life = &tiles->lives[k];
        uint64_t mask = (uint64_t)1 << life->field;
        tiles->loaded |= life->loaded ? mask : 0;
        tiles->stored |= life->stored ? mask : 0;
        tiles->handed |= life->handed ? mask : 0;
        tiles->at_ends |= life->loaded && table->fields[life->field].at_ends ? mask : 0;
    }
    for (int f = 0; f < table->field_count; f++)
        tiles->twice |= table->fields[f].sums ? 0 : tiles->loaded & tiles->stored & (uint64_t)1 << f;
    choose_places(tiles);
    choose_rounds(tiles, table, needs);
    choose_width(tiles, local_bytes, most_items);
}

void silt_tiles_plan(const SiltGridTable *table, uint32_t cuts, uint64_t present, size_t local_bytes,
                     size_t most_items, SiltTilePlan *plan)
{
    plan->count = 0;
    for (int first = 0, end; first < table->phase_count; first = end) {
        for (end = first + 1; end < table->phase_count && !(cuts >> end & 1);)
            end++;
        if (plan->count == SILT_TILE_PASSES) {
            plan->count = 0;
            return;
        }
        SiltTiles *tiles = &plan->passes[plan->count++];
        plan_pass(tiles, table, first, end, present, local_bytes, most_items);
        if (tiles->items == 0) {
            plan->count = 0;
            return;
        }
    }
}

size_t silt_tiles_bytes(const SiltTiles *tiles)
{
    return (size_t)tiles->row_count * (size_t)tiles->cells * 4;
}

static int bits(uint64_t set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

double silt_tiles_traffic(const SiltTiles *tiles)
{
    double read = bits(tiles->loaded & ~tiles->at_ends), written = bits(tiles->stored);
    return 4.0 * (read * tiles->items / tiles->own + written);
}

// The less goes through the device's memory the better; but where a group takes nearly all of the memory that
// one can have, or has to be narrow, few find room on a unit, and wait for each other.
static double cost_of(const SiltTilePlan *plan, size_t local_bytes)
{
    enum { WIDE = 128 };
    double cost = 0.0;
    for (int k = 0; k < plan->count; k++) {
        const SiltTiles *tiles = &plan->passes[k];
        bool crowded = silt_tiles_bytes(tiles) > local_bytes / 16 * 15 || tiles->items < WIDE;
        cost += silt_tiles_traffic(tiles) + (crowded ? 100.0 : 0.0);
    }
    return cost;
}

bool silt_tiles_choose(const SiltGridTable *table, uint64_t present, size_t local_bytes, size_t most_items,
                       uint32_t *cuts)
{
    static const uint32_t one = 1;
    SiltTilePlan plan;
    double least = 0.0;
    bool found = false;
    uint32_t all = table->exact ? one << (table->phase_count - 1) : 1;
    for (uint32_t k = 0; k < all; k++) {
        if (bits(k) >= SILT_TILE_PASSES)
            continue;
        silt_tiles_plan(table, k << 1, present, local_bytes, most_items, &plan);
        double cost = plan.count > 0 ? cost_of(&plan, local_bytes) : 0.0;
        if (plan.count > 0 && (!found || cost < least)) {
            found = true;
            least = cost;
            *cuts = k << 1;
        }
    }
    return found;
}

SiltTilesWork silt_tiles_work(const SiltGridTable *table, const void *step)
{
    SiltTilesWork work = {0};
    for (int p = 0; p < table->phase_count; p++)
        work.skipped |= (uint32_t)(table->phases[p].skips && table->phases[p].skips(step)) << p;
    for (int f = 0; f < table->field_count; f++)
        work.unused |= (uint64_t)(table->needs && !table->needs(step, f)) << f;
    return work;
}
