// Depression filling by a flood from the outlets inwards, lowest first (the priority-flood of Wang & Liu 2006
// and Barnes, Lehman & Mulla 2014). A heap is needed only where the flood may go down: ground that rises from
// a flooded cell is simply above water, and ground within a lake takes its level, so both go through a plain
// queue (the idea of Zhou, Sun & Fu 2016). Levels do not depend on the order: each is the lowest, over all
// ways to an outlet, of the highest ground on the way.
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
    size_t cells = (size_t)framed;
    SiltStatus status = silt_alloc_for("drainage", cells, sizeof *out->level, (void **)&out->level);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof *out->state, (void **)&out->state);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof *out->queue, (void **)&out->queue);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof *out->heap, (void **)&out->heap);
    if (status != SILT_OK)
        silt_flood_destroy(out);
    return status;
}

SiltStatus silt_flood_require_parents(SiltFlood *flood)
{
    size_t cells = (size_t)flood->stride * (size_t)(flood->height + 2);
    return flood->parent ? SILT_OK
                         : silt_alloc_for("drainage", cells, sizeof *flood->parent, (void **)&flood->parent);
}

void silt_flood_destroy(SiltFlood *flood)
{
    silt_free(flood->level);
    silt_free(flood->state);
    silt_free(flood->parent);
    silt_free(flood->queue);
    silt_free(flood->heap);
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

// Cells at the sides or beside a cell without data let water out, unless told otherwise.
static bool is_outlet(const LoadJob *job, int i, int j, float ground)
{
    bool side = i == 0 || j == 0 || i == job->flood->width - 1 || j == job->flood->height - 1;
    bool leaks = job->terrain->nodata && !job->options.nodata_walls;
    return (side && !job->options.closed_sides) || (leaks && beside_hole(job->terrain, i, j)) ||
           (job->options.has_sea && (double)ground <= job->options.sea_level);
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
        float *level = flood->level + silt_flood_at(flood, 0, j);
        uint8_t *state = flood->state + silt_flood_at(flood, 0, j);
        for (int i = 0; i < width; i++) {
            bool wall = silt_terrain_is_nodata(job->terrain, i, j);
            float ground = silt_terrain_ground(height, change, i);
            bad += !wall && !isfinite(ground);
            level[i] = wall ? INFINITY : job->sign * ground;
            state[i] = wall ? SILT_CELL_WALL : is_outlet(job, i, j, ground) ? SILT_CELL_OUTLET : 0;
        }
        level[-1] = level[width] = INFINITY;
        state[-1] = state[width] = SILT_CELL_WALL;
    }
    return bad;
}

static void frame_rows(SiltFlood *flood)
{
    for (int end = 0; end < 2; end++) {
        size_t row = (size_t)(end ? flood->height + 1 : 0) * (size_t)flood->stride;
        for (size_t i = 0; i < (size_t)flood->stride; i++) {
            flood->level[row + i] = INFINITY;
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

// ---- a heap of cells, lowest first, the smaller number first among equals ----

static uint64_t heap_entry(float level, int32_t cell)
{
    uint32_t bits;
    memcpy(&bits, &level, sizeof bits);
    bits ^= (bits >> 31) ? 0xFFFFFFFFu : 0x80000000u; // orders as the floats do
    return (uint64_t)bits << 32 | (uint32_t)cell;
}

static void heap_push(uint64_t *heap, int32_t *count, uint64_t entry)
{
    int32_t at = (*count)++;
    while (at > 0 && heap[(at - 1) / 2] > entry) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = entry;
}

static int32_t heap_pop(uint64_t *heap, int32_t *count)
{
    int32_t cell = (int32_t)(uint32_t)heap[0], last = --*count;
    uint64_t entry = heap[last];
    int32_t at = 0;
    // the hole goes down to a leaf along the smaller children, then the last entry rises from there: it
    // nearly always belongs near the bottom
    for (int32_t child = 1; child < last; child = 2 * at + 1) {
        child += child + 1 < last && heap[child + 1] < heap[child];
        heap[at] = heap[child];
        at = child;
    }
    while (at > 0 && heap[(at - 1) / 2] > entry) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = entry;
    return cell;
}

// ---- the flood ----

typedef struct Front {
    int32_t head, tail; // of the queue
    int32_t heap_count;
    int32_t steps[8];
} Front;

// All neighbours of `cell` that are not done. Higher ones are dry ground. Lower ones take the cell's level if
// it is under water or at the brim; if it is dry ground, a lower cell may have a better way out: true then.
static bool spread(SiltFlood *flood, Front *front, int32_t cell, bool at_brim)
{
    float level = flood->level[cell];
    bool wait = false;
    for (int k = 0; k < 8; k++) {
        int32_t next = cell + front->steps[k];
        if (flood->state[next] & (SILT_CELL_DONE | SILT_CELL_WALL))
            continue;
        bool dry = flood->level[next] > level;
        if (!dry && !at_brim) {
            wait = true;
            continue;
        }
        flood->state[next] |= dry ? SILT_CELL_DONE : SILT_CELL_DONE | SILT_CELL_LAKE;
        flood->level[next] = dry ? flood->level[next] : level;
        if (flood->parent)
            flood->parent[next] = cell;
        flood->queue[front->tail++] = next;
    }
    return wait;
}

static bool has_open_neighbour(const SiltFlood *flood, const Front *front, int32_t cell)
{
    for (int k = 0; k < 8; k++)
        if (!(flood->state[cell + front->steps[k]] & (SILT_CELL_DONE | SILT_CELL_WALL)))
            return true;
    return false;
}

static void seed(SiltFlood *flood, Front *front, int32_t cell)
{
    flood->state[cell] |= SILT_CELL_DONE | SILT_CELL_OUTLET;
    if (flood->parent)
        flood->parent[cell] = cell;
    heap_push(flood->heap, &front->heap_count, heap_entry(flood->level[cell], cell));
}

// The lowest cell of the piece of land around `cell` that no outlet has reached.
static int32_t lowest_of_piece(SiltFlood *flood, const int32_t steps[8], int32_t cell)
{
    int32_t head = 0, tail = 0;
    uint64_t lowest = UINT64_MAX;
    flood->queue[tail++] = cell;
    flood->state[cell] |= SILT_CELL_READY;
    while (head < tail) {
        int32_t at = flood->queue[head++];
        uint64_t entry = heap_entry(flood->level[at], at);
        lowest = entry < lowest ? entry : lowest;
        for (int k = 0; k < 8; k++) {
            int32_t next = at + steps[k];
            if (flood->state[next] & (SILT_CELL_WALL | SILT_CELL_READY))
                continue;
            flood->state[next] |= SILT_CELL_READY;
            flood->queue[tail++] = next;
        }
    }
    for (int32_t k = 0; k < tail; k++)
        flood->state[flood->queue[k]] &= (uint8_t)~SILT_CELL_READY;
    return (int32_t)(uint32_t)lowest;
}

// Cells that wait are noted in the part of the queue that is done with, and looked at again when the rest is:
// most of them were waiting for neighbours that had a way of their own.
static void drain_front(SiltFlood *flood, Front *front)
{
    while (front->heap_count > 0) {
        int32_t waiting = 0;
        spread(flood, front, heap_pop(flood->heap, &front->heap_count), true);
        while (front->head < front->tail) {
            int32_t cell = flood->queue[front->head++];
            if (spread(flood, front, cell, flood->state[cell] & SILT_CELL_LAKE))
                flood->queue[waiting++] = cell;
        }
        for (int32_t k = 0; k < waiting; k++) {
            int32_t cell = flood->queue[k];
            if (has_open_neighbour(flood, front, cell))
                heap_push(flood->heap, &front->heap_count, heap_entry(flood->level[cell], cell));
        }
        front->head = front->tail = 0;
    }
}

void silt_flood_run(SiltFlood *flood)
{
    Front front = {0};
    int32_t cells = flood->stride * (flood->height + 2);
    silt_flood_steps(flood, front.steps);
    flood->landlocked = false;
    for (int32_t c = 0; c < cells; c++)
        if (flood->state[c] & SILT_CELL_OUTLET)
            seed(flood, &front, c);
    drain_front(flood, &front);
    for (int32_t c = 0; c < cells; c++) {
        if (flood->state[c] & (SILT_CELL_DONE | SILT_CELL_WALL))
            continue;
        flood->landlocked = true;
        seed(flood, &front, lowest_of_piece(flood, front.steps, c));
        drain_front(flood, &front);
    }
}
