// Where each cell drains to. The ground is filled, every cell takes its steepest way down on the filled
// surface, flats and lakes take the fewest cells to where water can fall; or, when lakes are carved, water
// runs down the ground itself and leaves each pit along the way the flood came in.
#include "silt/drainage.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "terrain/order.h"
#include "terrain/terrain.h"

typedef struct RouteJob {
    SiltDrainage *drainage;
    SiltFlood *flood;
    const float *surface;  // framed
    int32_t steps[8];      // to the neighbours in the framed grid
    int32_t cell_steps[8]; // and in the grid
} RouteJob;

// ---- lakes that are carved ----

static void carve_down(void *context, int32_t begin, int32_t end, double *sum)
{
    (void)sum;
    SiltDrainage *drainage = context;
    for (int32_t k = begin; k < end; k++) {
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
        const float *level = job->surface + silt_flood_at(job->flood, 0, j);
        const uint8_t *state = job->flood->state + silt_flood_at(job->flood, 0, j);
        float *surface = silt_field_row(&job->drainage->surface, j);
        for (int i = 0; i < job->flood->width; i++)
            surface[i] = state[i] & SILT_CELL_WALL ? 0.0f : level[i];
    }
}

SILT_CLONES static void find_donors(const uint8_t *restrict way, const int32_t steps[8], int count,
                                    uint8_t *restrict donors)
{
    for (int i = 0; i < count; i++)
        donors[i] = 0;
    for (int k = 0; k < 8; k++) {
        const uint8_t *from = way + steps[k];
        uint8_t back = (uint8_t)((k + 4) & 7);
        for (int i = 0; i < count; i++)
            donors[i] = (uint8_t)(donors[i] | (from[i] == back) << k);
    }
}

// Returns how many cells have data.
static double receiver_rows(void *context, int begin, int end)
{
    const RouteJob *job = context;
    int width = job->flood->width, count = 0;
    for (int j = begin; j < end; j++) {
        const uint8_t *way = job->flood->way + silt_flood_at(job->flood, 0, j);
        size_t row = (size_t)j * (size_t)width;
        int32_t *receiver = job->drainage->receiver + row;
        uint32_t *area = job->drainage->area + row;
        memset(job->drainage->length + row, 0, (size_t)width * sizeof(float));
        find_donors(way, job->steps, width, job->drainage->work->donors + row);
        for (int i = 0; i < width; i++) {
            int32_t cell = (int32_t)row + i;
            receiver[i] = way[i] < 8 ? cell + job->cell_steps[way[i]] : way[i] == SILT_WAY_OUT ? cell : -1;
            area[i] = receiver[i] >= 0;
            count += receiver[i] >= 0;
        }
    }
    return count;
}

// False: somebody wants the run to stop that this is for.
static bool find_ways(RouteJob *job, const SiltDrainageOptions *options)
{
    bool carving = options && options->lakes == SILT_LAKES_CARVE, straight = options && options->straight;
    // where lakes are filled ways are drawn once more, on their surfaces: land that had some last time, and
    // so has them again most likely, needs no straight lines before that
    bool later = straight && !carving && job->flood->pit_cells > 0;
    if (!silt_flood_run(job->flood, straight && !later))
        return false;
    job->surface = carving ? job->flood->ground : job->flood->level;
    const float *down = NULL; // what ways are drawn on once more
    if (job->flood->pit_cells == 0 && later)
        down = job->flood->ground;
    else if (job->flood->pit_cells > 0 && carving)
        silt_flood_carve(job->flood);
    else if (job->flood->pit_cells > 0)
        down = job->flood->level;
    if (down && !silt_flood_descend(job->flood, down, straight))
        return false;
    return !down || silt_flood_cross_flats(job->flood);
}

SiltStatus silt_drainage_update(SiltDrainage *drainage, const SiltTerrain *terrain,
                                const SiltDrainageOptions *options)
{
    SiltFlood *flood = &drainage->work->flood;
    if (terrain->width != drainage->width || terrain->height != drainage->height)
        return silt_fail(SILT_BAD_ARGUMENT, "drainage: %d x %d cells where %d x %d were before",
                         terrain->width, terrain->height, drainage->width, drainage->height);
    if (!drainage->flow != !(options && options->multiple > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT, "drainage: multiple flow is chosen when a drainage is created");
    SiltStatus status = silt_flood_load(flood, terrain, options, 1.0f);
    if (status == SILT_OK && silt_is_stopped())
        status = SILT_CANCELLED;
    if (status != SILT_OK)
        return status;
    RouteJob job = {.drainage = drainage, .flood = flood};
    int32_t w = drainage->width, around[8] = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1};
    memcpy(job.cell_steps, around, sizeof around);
    silt_flood_steps(flood, job.steps);
    if (!find_ways(&job, options))
        return SILT_CANCELLED;
    silt_parallel(drainage->height, 16, surface_rows, &job);
    if (silt_is_stopped())
        return SILT_CANCELLED;
    drainage->count = (int32_t)silt_parallel_sum(drainage->height, receiver_rows, &job);
    if (silt_is_stopped() || !silt_order_find(drainage, job.cell_steps))
        return SILT_CANCELLED;
    if (options && options->lakes == SILT_LAKES_CARVE && flood->pit_cells > 0)
        silt_order_down(drainage, carve_down, drainage);
    if (drainage->flow)
        silt_drainage_spread(drainage, options->multiple, drainage->work->donors, flood->queue);
    drainage->cell = terrain->cell;
    drainage->landlocked = flood->landlocked;
    return SILT_OK;
}

static SiltStatus allocate(SiltDrainage *drainage, const SiltDrainageOptions *options)
{
    size_t cells = (size_t)drainage->width * (size_t)drainage->height;
    SiltStatus status = silt_alloc_for("drainage", 1, sizeof *drainage->work, (void **)&drainage->work);
    if (status == SILT_OK)
        status = silt_flood_create(drainage->width, drainage->height, &drainage->work->flood);
    if (status == SILT_OK)
        status = silt_order_create(drainage);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(int32_t), (void **)&drainage->receiver);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(uint32_t), (void **)&drainage->area);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(float), (void **)&drainage->length);
    if (status == SILT_OK && options && options->multiple > 0.0)
        status = silt_alloc_for("drainage", cells, sizeof(uint64_t), (void **)&drainage->flow);
    if (status == SILT_OK)
        status = silt_field_create(drainage->width, drainage->height, &drainage->surface);
    void *fresh[] = {drainage->receiver, drainage->area, drainage->length};
    for (size_t k = 0; k < sizeof fresh / sizeof fresh[0] && status == SILT_OK; k++)
        status = silt_claim_pages(fresh[k], 4 * cells) ? SILT_OK : SILT_CANCELLED;
    return status;
}

SiltStatus silt_drainage_create(const SiltTerrain *terrain, const SiltDrainageOptions *options,
                                SiltDrainage **out)
{
    *out = NULL;
    SiltDrainage *drainage;
    SiltStatus status = silt_terrain_check_heights(terrain, "drainage");
    if (status != SILT_OK)
        return status;
    status = silt_alloc_for("drainage", 1, sizeof *drainage, (void **)&drainage);
    if (status != SILT_OK)
        return status;
    drainage->width = terrain->width;
    drainage->height = terrain->height;
    status = allocate(drainage, options);
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
    silt_order_destroy(drainage);
    if (drainage->work)
        silt_flood_destroy(&drainage->work->flood);
    silt_free(drainage->work);
    silt_free(drainage->receiver);
    silt_free(drainage->area);
    silt_free(drainage->length);
    silt_free(drainage->flow);
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
    if (status == SILT_OK && (silt_is_stopped() || !silt_flood_run(&flood, false)))
        status = SILT_CANCELLED;
    if (status == SILT_OK) {
        SiltDrainage drainage = {.surface = *out};
        RouteJob job = {.drainage = &drainage, .flood = &flood, .surface = flood.level};
        silt_parallel(terrain->height, 16, surface_rows, &job);
    }
    silt_flood_destroy(&flood);
    return status;
}
