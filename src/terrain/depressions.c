// Filling depressions. Where all water runs down, the ground falls apart into basins: those that end in an
// outlet, and those around a pit. The level a pit fills to is the lowest, over all ways to an outlet, of the
// highest ground on the way. That way leads along the tree of passes that are lowest in all (the minimum
// spanning tree of basins: the idea of Cordonnier, Bovy & Braun 2019), grown from the outlets, lowest pass
// first. A cell then lies at the
// level of its pit or above water at its own height. Work grows with the cells around pits alone: a terrain
// that has none is done after one look at it.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "terrain/flood.h"

SiltStatus silt_flood_create(int width, int height, SiltFlood *out)
{
    *out = (SiltFlood){.width = width, .height = height, .stride = width + 2};
    int64_t framed = ((int64_t)width + 2) * ((int64_t)height + 2);
    if (framed > INT32_MAX)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "drainage of %d x %d cells: it takes fewer than 2^31 (crop or resample first)",
                         width, height);
    struct {
        void *array;
        size_t size;
    } arrays[] = {{&out->ground, sizeof *out->ground}, {&out->level, sizeof *out->level},
                  {&out->state, sizeof *out->state},   {&out->way, sizeof *out->way},
                  {&out->label, sizeof *out->label},   {&out->queue, sizeof *out->queue},
                  {&out->first, sizeof *out->first},   {&out->link, sizeof *out->link},
                  {&out->place, sizeof *out->place},   {&out->heap, sizeof *out->heap},
                  {&out->donors, sizeof *out->donors}};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status = silt_alloc_for("drainage", (size_t)framed, arrays[k].size, arrays[k].array);
    void *loaded[] = {out->ground, out->level, out->label, out->state, out->way}; // all of them, at once
    for (size_t k = 0; k < sizeof loaded / sizeof loaded[0] && status == SILT_OK; k++)
        status = silt_claim_pages(loaded[k], (size_t)framed * (k < 3 ? 4 : 1)) ? SILT_OK : SILT_CANCELLED;
    if (status != SILT_OK)
        silt_flood_destroy(out);
    return status;
}

void silt_flood_destroy(SiltFlood *flood)
{
    void *arrays[] = {flood->ground, flood->level, flood->state, flood->way,  flood->label, flood->queue,
                      flood->first,  flood->link,  flood->place, flood->heap, flood->donors};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        silt_free(arrays[k]);
    *flood = (SiltFlood){0};
}

// ---- ground, walls and outlets ----

typedef struct LoadJob {
    SiltFlood *flood;
    const SiltTerrain *terrain;
    const SiltField *change;
    SiltDrainageOptions options;
    float sign;
} LoadJob;

static bool beside_hole(const SiltTerrain *terrain, int i, int j)
{
    int left = i > 0 ? i - 1 : 0, right = i + 1 < terrain->width ? i + 1 : i;
    int top = j > 0 ? j - 1 : 0, bottom = j + 1 < terrain->height ? j + 1 : j;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            if (silt_terrain_is_nodata(terrain, x, y))
                return true;
    return false;
}

bool silt_flood_is_edge(const SiltTerrain *terrain, const SiltDrainageOptions *options, int i, int j)
{
    bool side = i == 0 || j == 0 || i == terrain->width - 1 || j == terrain->height - 1;
    bool leaks = terrain->nodata && !options->nodata_walls;
    return (side && !options->closed_sides) || (leaks && beside_hole(terrain, i, j));
}

static bool is_outlet(const LoadJob *job, int i, int j, float ground)
{
    const uint8_t *chosen = job->options.outlets;
    bool open = chosen ? chosen[(size_t)j * (size_t)job->terrain->width + (size_t)i]
                       : silt_flood_is_edge(job->terrain, &job->options, i, j);
    return open || (job->options.has_sea && (double)ground <= job->options.sea_level);
}

// Returns how many heights are not finite.
static double load_rows(void *context, int begin, int end)
{
    const LoadJob *job = context;
    SiltFlood *flood = job->flood;
    int width = flood->width;
    double bad = 0.0;
    for (int j = begin; j < end; j++) {
        const float *height = silt_field_row(&job->terrain->layers[0]->field, j);
        const float *change = job->change ? silt_field_row(job->change, j) : NULL;
        size_t at = silt_flood_at(flood, 0, j);
        float *level = flood->level + at, *raw = flood->ground + at;
        int32_t *label = flood->label + at;
        uint8_t *state = flood->state + silt_flood_at(flood, 0, j);
        for (int i = 0; i < width; i++) {
            bool wall = silt_terrain_is_nodata(job->terrain, i, j);
            float ground = silt_terrain_ground(height, change, i);
            bad += !wall && !isfinite(ground);
            raw[i] = level[i] = wall ? INFINITY : job->sign * ground;
            label[i] = 0;
            state[i] = wall ? SILT_CELL_WALL : is_outlet(job, i, j, ground) ? SILT_CELL_OUTLET : 0;
        }
        raw[-1] = raw[width] = level[-1] = level[width] = INFINITY;
        label[-1] = label[width] = 0;
        flood->way[at - 1] = flood->way[at + (size_t)width] = SILT_WAY_WALL;
        state[-1] = state[width] = SILT_CELL_WALL;
    }
    return bad;
}

static void frame_rows(SiltFlood *flood)
{
    for (int end = 0; end < 2; end++) {
        size_t row = (size_t)(end ? flood->height + 1 : 0) * (size_t)flood->stride;
        for (size_t i = 0; i < (size_t)flood->stride; i++) {
            flood->ground[row + i] = flood->level[row + i] = INFINITY;
            flood->way[row + i] = SILT_WAY_WALL;
            flood->state[row + i] = SILT_CELL_WALL;
        }
    }
}

SiltStatus silt_flood_load(SiltFlood *flood, const SiltTerrain *terrain, const SiltDrainageOptions *options,
                           float sign)
{
    LoadJob job = {
        .flood = flood, .terrain = terrain, .change = silt_terrain_layer(terrain, "change"), .sign = sign};
    if (options)
        job.options = *options;
    frame_rows(flood);
    double bad = silt_parallel_sum(flood->height, load_rows, &job);
    if (bad > 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "drainage: %.0f cells have a height that is not finite", bad);
    return SILT_OK;
}

// ---- a heap of pits: lowest pass first, deepest pit first among those that share one ----

static uint64_t heap_entry(float level, int32_t cell)
{
    uint32_t bits;
    memcpy(&bits, &level, sizeof bits);
    bits ^= (bits >> 31) ? 0xFFFFFFFFu : 0x80000000u; // orders as the floats do
    return (uint64_t)bits << 32 | (uint32_t)cell;
}

// A pass is one cell, which several pits may touch: which of them is let out first must not depend on how the
// map is turned.
static bool comes_before(const SiltFlood *flood, uint64_t a, uint64_t b)
{
    if (a >> 32 != b >> 32)
        return a < b;
    float own = flood->ground[(uint32_t)a], other = flood->ground[(uint32_t)b];
    return own < other || (own == other && a < b);
}

static void heap_put(SiltFlood *flood, int32_t at, uint64_t entry)
{
    flood->heap[at] = entry;
    flood->place[(uint32_t)entry] = at + 1;
}

static void heap_rise(SiltFlood *flood, int32_t at, uint64_t entry)
{
    for (; at > 0 && comes_before(flood, entry, flood->heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap_put(flood, at, flood->heap[(at - 1) / 2]);
    heap_put(flood, at, entry);
}

// A pit that is there already has a lower level now.
static void heap_push(SiltFlood *flood, int32_t pit)
{
    int32_t at = flood->place[pit] > 0 ? flood->place[pit] - 1 : flood->heap_count++;
    heap_rise(flood, at, heap_entry(flood->level[pit], pit));
}

static int32_t heap_pop(SiltFlood *flood)
{
    int32_t pit = (int32_t)(uint32_t)flood->heap[0], last = --flood->heap_count, at = 0;
    // the hole goes down to a leaf along the smaller children, then the last entry rises from there: it
    // nearly always belongs near the bottom
    for (int32_t child = 1; child < last; child = 2 * at + 1) {
        child += child + 1 < last && comes_before(flood, flood->heap[child + 1], flood->heap[child]);
        heap_put(flood, at, flood->heap[child]);
        at = child;
    }
    if (last > 0)
        heap_rise(flood, at, flood->heap[last]);
    return pit;
}

// ---- basins around pits ----

// All cells that run to `pit`, one behind the other in the queue from `begin` on; returns where they end.
// Below zero, here and in what follows: somebody wants the run to stop that this is for.
static int32_t gather_basin(SiltFlood *flood, const int32_t steps[8], int32_t pit, int32_t begin)
{
    int32_t end = begin;
    flood->first[pit] = begin;
    flood->place[pit] = 0;
    flood->level[pit] = INFINITY;
    flood->label[pit] = pit;
    flood->queue[end++] = pit;
    for (int32_t head = begin; head < end; head++) {
        int32_t at = flood->queue[head];
        if (silt_walk_is_stopped(head))
            return -1;
        for (int k = 0; k < 8; k++) {
            int32_t next = at + steps[k];
            if (flood->way[next] != ((k + 4) & 7))
                continue;
            flood->label[next] = pit;
            flood->queue[end++] = next;
        }
    }
    return end;
}

static int32_t gather_basins(SiltFlood *flood, const int32_t steps[8])
{
    int32_t end = 0;
    for (int j = 0; j < flood->height; j++) {
        const uint8_t *way = flood->way + silt_flood_at(flood, 0, j);
        const uint8_t *found = memchr(way, SILT_WAY_NONE, (size_t)flood->width);
        while (found) {
            end = gather_basin(flood, steps, (int32_t)(found - flood->way), end);
            if (end < 0)
                return -1;
            found = memchr(found + 1, SILT_WAY_NONE, (size_t)(way + flood->width - (found + 1)));
        }
    }
    return end;
}

static float higher(float a, float b)
{
    return a > b ? a : b;
}

static float lower_end(const SiltFlood *flood, const int32_t steps[8], int32_t cell, int way)
{
    float a = flood->ground[cell], b = flood->ground[cell + steps[way]];
    return a < b ? a : b;
}

// The way out of basin `pit` leads from `cell` by step `way`, over ground as high as `pass`, if that is the
// lowest so far; among the ways that share a pass, if its other end is the lowest. Until its turn comes, the
// level of a pit is that pass.
static void offer_pass(SiltFlood *flood, const int32_t steps[8], int32_t pit, int32_t cell, int way,
                       float pass)
{
    if (pass > flood->level[pit])
        return;
    if (pass == flood->level[pit] && !(lower_end(flood, steps, cell, way) <
                                       lower_end(flood, steps, flood->link[pit], flood->way[pit] >> 4)))
        return;
    flood->link[pit] = cell;
    flood->way[pit] = (uint8_t)(SILT_WAY_NONE | way << 4);
    if (pass < flood->level[pit]) {
        flood->level[pit] = pass;
        heap_push(flood, pit);
    }
}

// Passes from basins straight to ground that drains. False, here and in what follows: somebody wants the run
// to stop.
static bool seed_passes(SiltFlood *flood, const int32_t steps[8], int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        int32_t cell = flood->queue[k], pit = flood->label[cell];
        if (silt_walk_is_stopped(k))
            return false;
        for (int way = 0; way < 8; way++) {
            int32_t next = cell + steps[way];
            if (flood->label[next] == 0 && !(flood->state[next] & SILT_CELL_WALL))
                offer_pass(flood, steps, pit, cell, way, higher(flood->ground[cell], flood->ground[next]));
        }
    }
    return true;
}

// From the basins whose level is known, lowest first, to their neighbours.
static bool drain_heap(SiltFlood *flood, const int32_t steps[8], int32_t count)
{
    while (flood->heap_count > 0) {
        int32_t pit = heap_pop(flood);
        if (flood->way[pit] != SILT_WAY_OUT) {
            int32_t beyond = flood->label[flood->link[pit] + steps[flood->way[pit] >> 4]];
            flood->level[pit] = higher(flood->level[pit], beyond ? flood->level[beyond] : -INFINITY);
        }
        flood->state[pit] |= SILT_CELL_DONE;
        for (int32_t k = flood->first[pit]; k < count && flood->label[flood->queue[k]] == pit; k++) {
            int32_t cell = flood->queue[k];
            if (silt_walk_is_stopped(k))
                return false;
            for (int way = 0; way < 8; way++) {
                int32_t next = cell + steps[way], other = flood->label[next];
                if (other == 0 || other == pit || (flood->state[other] & SILT_CELL_DONE))
                    continue;
                float pass = higher(flood->ground[cell], flood->ground[next]);
                offer_pass(flood, steps, other, next, (way + 4) & 7, pass);
            }
        }
    }
    return true;
}

// The lowest pit of the piece of land around `pit`, which no outlet has reached. The heap is free, and serves
// as a list. Below zero: somebody wants the run to stop.
static int32_t lowest_of_piece(SiltFlood *flood, const int32_t steps[8], int32_t pit, int32_t count)
{
    int32_t found = 0;
    uint64_t lowest = UINT64_MAX;
    flood->heap[found++] = (uint64_t)pit;
    flood->state[pit] |= SILT_CELL_READY;
    for (int32_t head = 0; head < found; head++) {
        int32_t own = (int32_t)flood->heap[head];
        uint64_t entry = heap_entry(flood->ground[own], own);
        lowest = entry < lowest ? entry : lowest;
        for (int32_t k = flood->first[own]; k < count && flood->label[flood->queue[k]] == own; k++) {
            if (silt_walk_is_stopped(k))
                return -1;
            for (int way = 0; way < 8; way++) {
                int32_t other = flood->label[flood->queue[k] + steps[way]];
                if (other == 0 || (flood->state[other] & SILT_CELL_READY))
                    continue;
                flood->state[other] |= SILT_CELL_READY;
                flood->heap[found++] = (uint64_t)other;
            }
        }
    }
    return (int32_t)(uint32_t)lowest;
}

static bool open_pieces(SiltFlood *flood, const int32_t steps[8], int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        int32_t pit = flood->label[flood->queue[k]];
        if (pit != flood->queue[k] || (flood->state[pit] & SILT_CELL_DONE))
            continue;
        int32_t lowest = lowest_of_piece(flood, steps, pit, count);
        if (lowest < 0)
            return false;
        flood->landlocked = true;
        flood->state[lowest] |= SILT_CELL_OUTLET;
        flood->way[lowest] = SILT_WAY_OUT;
        flood->level[lowest] = flood->ground[lowest];
        heap_push(flood, lowest);
        if (!drain_heap(flood, steps, count))
            return false;
    }
    return true;
}

// Cells of basins take the level of their pit where they lie below it.
static void fill_cells(void *context, int begin, int end)
{
    SiltFlood *flood = context;
    for (int32_t k = begin; k < end; k++) {
        int32_t cell = flood->queue[k];
        float level = flood->level[flood->label[cell]], ground = flood->ground[cell];
        flood->state[cell] |= ground < level ? SILT_CELL_LAKE : 0;
        if (ground < level && cell != flood->label[cell]) // the pit has it
            flood->level[cell] = level;
    }
}

bool silt_flood_run(SiltFlood *flood, bool straight)
{
    int32_t steps[8];
    silt_flood_steps(flood, steps);
    flood->landlocked = false;
    flood->heap_count = 0;
    if (!silt_flood_descend(flood, flood->ground, straight))
        return false;
    if (!silt_flood_cross_flats(flood))
        return false;
    int32_t count = gather_basins(flood, steps);
    if (count < 0)
        return false;
    flood->pit_cells = count;
    if (count == 0)
        return true;
    if (silt_is_stopped() || !seed_passes(flood, steps, count) || silt_is_stopped())
        return false;
    if (!drain_heap(flood, steps, count) || !open_pieces(flood, steps, count) || silt_is_stopped())
        return false;
    silt_parallel(count, 1 << 16, fill_cells, flood);
    return !silt_is_stopped();
}

void silt_flood_carve(SiltFlood *flood)
{
    int32_t steps[8];
    silt_flood_steps(flood, steps);
    for (int32_t k = 0; k < flood->pit_cells; k++) {
        int32_t pit = flood->label[flood->queue[k]];
        if (pit != flood->queue[k] || flood->way[pit] == SILT_WAY_OUT)
            continue;
        int out = flood->way[pit] >> 4;
        for (int32_t cell = flood->link[pit];;) {
            int down = flood->way[cell] & 15;
            flood->way[cell] = (uint8_t)out;
            if (cell == pit)
                break;
            out = (down + 4) & 7;
            cell += steps[down];
        }
    }
}
