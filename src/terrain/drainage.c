// Where each cell drains to. The ground is filled, every cell takes its steepest way down on the filled
// surface, flats and lakes take the fewest cells to where water can fall; or, when lakes are carved, water
// runs down the ground itself and leaves each pit along the way the flood came in.
#include "silt/drainage.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "terrain/flood.h"

struct SiltDrainageWork {
    SiltFlood flood;
    float *ground;   // framed, before it is filled; only when carving
    uint8_t *donors; // how many neighbours drain to each cell
};

typedef struct RouteJob {
    SiltDrainage *drainage;
    SiltFlood *flood;
    const float *level;    // framed: what water runs down on, filled or as it is
    int32_t steps[8];      // to the neighbours in the framed grid
    int32_t cell_steps[8]; // and in the grid
} RouteJob;

// Where a look around a cell begins: differs from cell to cell, so that among equals no direction is
// favoured.
static int first_look(uint32_t cell)
{
    return (int)((cell * 0x9E3779B1u) >> 29);
}

// Which neighbour is steepest down, or -1. Walls are infinitely high.
static int steepest(const float *level, const int32_t steps[8], int start)
{
    const float diagonal = 0.70710678f; // 1 / sqrt(2)
    float own = *level, best_fall = 0.0f;
    int best = -1;
    for (int n = 0; n < 8; n++) {
        int k = (start + n) & 7;
        float fall = (own - level[steps[k]]) * (k & 1 ? diagonal : 1.0f);
        best = fall > best_fall ? k : best;
        best_fall = fall > best_fall ? fall : best_fall;
    }
    return best;
}

enum {
    NOWHERE = -2, // no way down
    IN_WAVE = -3, // on a flat, about to get its way
};

static void descend_rows(void *context, int begin, int end)
{
    const RouteJob *job = context;
    int width = job->flood->width;
    for (int j = begin; j < end; j++) {
        const uint8_t *state = job->flood->state + silt_flood_at(job->flood, 0, j);
        const float *level = job->level + silt_flood_at(job->flood, 0, j);
        int32_t *receiver = job->drainage->receiver + (size_t)j * (size_t)width;
        for (int i = 0; i < width; i++) {
            int32_t cell = j * width + i;
            if (state[i] & (SILT_CELL_WALL | SILT_CELL_OUTLET)) {
                receiver[i] = state[i] & SILT_CELL_WALL ? -1 : cell;
                continue;
            }
            int way = steepest(level + i, job->steps, first_look((uint32_t)cell));
            receiver[i] = way >= 0 ? cell + job->cell_steps[way] : NOWHERE;
        }
    }
}

static int32_t cell_of(const SiltFlood *flood, int32_t framed)
{
    int row = framed / flood->stride - 1, column = framed % flood->stride - 1;
    return row * flood->width + column;
}

static int32_t framed_of(const SiltFlood *flood, int32_t cell)
{
    return (int32_t)silt_flood_at(flood, cell % flood->width, cell / flood->width);
}

// ---- flats and lakes that are filled ----

// The first neighbour on the same level that had its way before this wave.
static int flat_neighbour(const RouteJob *job, int32_t at, int start)
{
    const SiltFlood *flood = job->flood;
    for (int n = 0; n < 8; n++) {
        int k = (start + n) & 7;
        int32_t next = at + job->steps[k];
        if ((flood->state[next] & SILT_CELL_READY) && flood->level[next] == flood->level[at])
            return k;
    }
    return -1;
}

static void mark_ready_rows(void *context, int begin, int end)
{
    const RouteJob *job = context;
    for (int j = begin; j < end; j++) {
        const int32_t *receiver = job->drainage->receiver + (size_t)j * (size_t)job->flood->width;
        uint8_t *state = job->flood->state + silt_flood_at(job->flood, 0, j);
        for (int i = 0; i < job->flood->width; i++)
            state[i] |= receiver[i] >= 0 ? SILT_CELL_READY : 0;
    }
}

// All cells of a wave choose before any of them is a choice for others.
static void settle_wave(RouteJob *job, int32_t begin, int32_t end)
{
    SiltFlood *flood = job->flood;
    for (int32_t k = begin; k < end; k++) {
        int32_t at = flood->queue[k], cell = cell_of(flood, at);
        int way = flat_neighbour(job, at, first_look((uint32_t)cell));
        job->drainage->receiver[cell] = cell + job->cell_steps[way];
    }
    for (int32_t k = begin; k < end; k++)
        flood->state[flood->queue[k]] |= SILT_CELL_READY;
}

// Waves from the cells that have their way, one cell further each, over all that have none.
static void cross_flats(RouteJob *job)
{
    SiltFlood *flood = job->flood;
    int32_t *receiver = job->drainage->receiver, *queue = flood->queue;
    int32_t begin = 0, end = 0, cells = flood->width * flood->height;
    silt_parallel(flood->height, 16, mark_ready_rows, job);
    for (int32_t cell = 0; cell < cells; cell++) {
        if (receiver[cell] != NOWHERE || flat_neighbour(job, framed_of(flood, cell), 0) < 0)
            continue;
        receiver[cell] = IN_WAVE;
        queue[end++] = framed_of(flood, cell);
    }
    settle_wave(job, begin, end);
    while (begin < end) {
        int32_t tail = end;
        for (; begin < end; begin++) {
            int32_t at = queue[begin], cell = cell_of(flood, at);
            for (int k = 0; k < 8; k++) {
                int32_t next = at + job->steps[k], next_cell = cell + job->cell_steps[k];
                bool same = !(flood->state[next] & SILT_CELL_WALL) && flood->level[next] == flood->level[at];
                if (!same || receiver[next_cell] != NOWHERE)
                    continue;
                receiver[next_cell] = IN_WAVE;
                queue[tail++] = next;
            }
        }
        settle_wave(job, begin, tail);
        end = tail;
    }
}

// ---- lakes that are carved ----

// From each pit back along the way the flood came in, to the first cell on a lower level or an outlet. What
// descends never meets a way twice: levels of the flood do not rise along receivers, and on one level a way
// that was turned leads out of it.
static void turn_ways_out(const RouteJob *job)
{
    SiltFlood *flood = job->flood;
    int32_t *receiver = job->drainage->receiver, cells = flood->width * flood->height;
    for (int32_t cell = 0; cell < cells; cell++) {
        if (receiver[cell] != NOWHERE)
            continue;
        int32_t at = framed_of(flood, cell);
        float brim = flood->level[at];
        while (flood->level[at] == brim && !(flood->state[at] & (SILT_CELL_READY | SILT_CELL_OUTLET))) {
            flood->state[at] |= SILT_CELL_READY;
            receiver[cell_of(flood, at)] = cell_of(flood, flood->parent[at]);
            at = flood->parent[at];
        }
    }
}

static void carve(SiltDrainage *drainage)
{
    for (int32_t k = 0; k < drainage->count; k++) {
        int32_t cell = drainage->order[k], to = drainage->receiver[cell], width = drainage->width;
        float level = silt_field_at(&drainage->surface, cell % width, cell / width);
        float *lower = silt_field_row(&drainage->surface, to / width) + to % width;
        *lower = level < *lower ? level : *lower;
    }
}

// ---- the whole ----

static void surface_rows(void *context, int begin, int end)
{
    const RouteJob *job = context;
    for (int j = begin; j < end; j++) {
        const float *level = job->level + silt_flood_at(job->flood, 0, j);
        const uint8_t *state = job->flood->state + silt_flood_at(job->flood, 0, j);
        float *surface = silt_field_row(&job->drainage->surface, j);
        for (int i = 0; i < job->flood->width; i++)
            surface[i] = state[i] & SILT_CELL_WALL ? 0.0f : level[i];
    }
}

// Every cell before its receiver: from each source down, as far as all that joins has been passed. A cell's
// own area is complete when it is passed.
static void put_in_order(SiltDrainage *drainage)
{
    uint8_t *donors = drainage->work->donors;
    int32_t cells = drainage->width * drainage->height, *receiver = drainage->receiver;
    memset(donors, 0, (size_t)cells);
    for (int32_t c = 0; c < cells; c++) {
        drainage->area[c] = receiver[c] >= 0;
        if (receiver[c] >= 0 && receiver[c] != c)
            donors[receiver[c]]++;
    }
    int32_t count = 0;
    for (int32_t source = 0; source < cells; source++) {
        if (receiver[source] < 0 || donors[source] > 0)
            continue;
        for (int32_t c = source;;) {
            int32_t to = receiver[c];
            donors[c] = UINT8_MAX; // passed: not a source again
            drainage->order[count++] = c;
            if (to == c)
                break;
            drainage->area[to] += drainage->area[c];
            if (--donors[to] > 0)
                break;
            c = to;
        }
    }
    drainage->count = count;
}

SiltStatus silt_drainage_update(SiltDrainage *drainage, const SiltTerrain *terrain,
                                const SiltDrainageOptions *options)
{
    struct SiltDrainageWork *work = drainage->work;
    bool carving = options && options->lakes == SILT_LAKES_CARVE;
    size_t framed = (size_t)work->flood.stride * (size_t)(work->flood.height + 2);
    if (terrain->width != drainage->width || terrain->height != drainage->height)
        return silt_fail(SILT_BAD_ARGUMENT, "drainage: %d x %d cells where %d x %d were before",
                         terrain->width, terrain->height, drainage->width, drainage->height);
    SiltStatus status = carving ? silt_flood_require_parents(&work->flood) : SILT_OK;
    if (status == SILT_OK && carving && !work->ground)
        status = silt_alloc_for("drainage", framed, sizeof *work->ground, (void **)&work->ground);
    if (status == SILT_OK)
        status = silt_flood_load(&work->flood, terrain, options, 1.0f);
    if (status != SILT_OK)
        return status;
    if (carving)
        memcpy(work->ground, work->flood.level, framed * sizeof *work->ground);
    silt_flood_run(&work->flood);
    RouteJob job = {
        .drainage = drainage, .flood = &work->flood, .level = carving ? work->ground : work->flood.level};
    int32_t w = drainage->width, around[8] = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1};
    memcpy(job.cell_steps, around, sizeof around);
    silt_flood_steps(&work->flood, job.steps);
    silt_parallel(drainage->height, 16, descend_rows, &job);
    silt_parallel(drainage->height, 16, surface_rows, &job);
    if (carving)
        turn_ways_out(&job);
    else
        cross_flats(&job);
    put_in_order(drainage);
    if (carving)
        carve(drainage);
    drainage->cell = terrain->cell;
    drainage->landlocked = work->flood.landlocked;
    return SILT_OK;
}

static SiltStatus allocate(SiltDrainage *drainage)
{
    size_t cells = (size_t)drainage->width * (size_t)drainage->height;
    SiltStatus status = silt_alloc_for("drainage", 1, sizeof *drainage->work, (void **)&drainage->work);
    if (status == SILT_OK)
        status = silt_flood_create(drainage->width, drainage->height, &drainage->work->flood);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, 1, (void **)&drainage->work->donors);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(int32_t), (void **)&drainage->receiver);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(int32_t), (void **)&drainage->order);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(uint32_t), (void **)&drainage->area);
    if (status == SILT_OK)
        status = silt_field_create(drainage->width, drainage->height, &drainage->surface);
    return status;
}

SiltStatus silt_drainage_create(const SiltTerrain *terrain, const SiltDrainageOptions *options,
                                SiltDrainage **out)
{
    *out = NULL;
    SiltDrainage *drainage;
    SiltStatus status = silt_alloc_for("drainage", 1, sizeof *drainage, (void **)&drainage);
    if (status != SILT_OK)
        return status;
    drainage->width = terrain->width;
    drainage->height = terrain->height;
    status = allocate(drainage);
    if (status == SILT_OK)
        status = silt_drainage_update(drainage, terrain, options);
    if (status != SILT_OK) {
        silt_drainage_destroy(drainage);
        return status;
    }
    *out = drainage;
    return SILT_OK;
}

void silt_drainage_destroy(SiltDrainage *drainage)
{
    if (!drainage)
        return;
    if (drainage->work) {
        silt_flood_destroy(&drainage->work->flood);
        silt_free(drainage->work->donors);
        silt_free(drainage->work->ground);
    }
    silt_free(drainage->work);
    silt_free(drainage->receiver);
    silt_free(drainage->order);
    silt_free(drainage->area);
    silt_field_destroy(&drainage->surface);
    silt_free(drainage);
}

void silt_drainage_accumulate(const SiltDrainage *drainage, double *values)
{
    for (int32_t k = 0; k < drainage->count; k++) {
        int32_t cell = drainage->order[k], to = drainage->receiver[cell];
        if (to != cell)
            values[to] += values[cell];
    }
}

SiltStatus silt_terrain_fill(const SiltTerrain *terrain, SiltField *out)
{
    SiltFlood flood;
    SiltStatus status = silt_flood_create(terrain->width, terrain->height, &flood);
    if (status != SILT_OK)
        return status;
    status = silt_flood_load(&flood, terrain, NULL, 1.0f);
    if (status == SILT_OK) {
        silt_flood_run(&flood);
        SiltDrainage drainage = {.surface = *out};
        RouteJob job = {.drainage = &drainage, .flood = &flood, .level = flood.level};
        silt_parallel(terrain->height, 16, surface_rows, &job);
    }
    silt_flood_destroy(&flood);
    return status;
}
