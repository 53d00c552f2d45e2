// Shallow water through virtual pipes, erosion and deposition: Mei, Decaudin, Hu 2007. This file declares the
// model, brings a terrain into grains and back, and picks the time step; pipes_pass.c does the step.
#include "erode/pipes.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/maps.h"

static const SiltParam pipes_items[] = {
    SILT_SUPPLY_ITEMS(PipesParams, 30.0, 0.0, "steady", "gaussian", "linear", 1e-4),
    SILT_REAL(PipesParams, step, "s", 0.0, 0.0, 60.0,
              "length of a step, done in as many sub-steps as stability asks for; 0: one sub-step"),
    SILT_REAL(PipesParams, cfl, "1", 0.5, 0.05, 0.7, "cells a wave may cross in a sub-step"),
    SILT_REAL(PipesParams, gravity, "m/s2", 9.81, 0.1, 100.0, "acceleration of free fall",
              .flags = SILT_LIVE),
    SILT_REAL(PipesParams, pipe_area, "m2", 0.0, 0.0, 1e6,
              "cross-section A of a pipe; 0: as wide as the cell and as deep as its water"),
    SILT_REAL(
        PipesParams, friction, "m/s", 0.1, 0.0, 100.0,
        "drag of the bed: water of depth d slows down at the rate friction (1/d + 2/m); the paper has none"),
    SILT_REAL(PipesParams, fastest, "m/s", 50.0, 0.1, 1000.0, "no water runs faster than this"),
    SILT_CHOICE(PipesParams, neighbours, "four eight", "four", "cells that water can reach from a cell"),
    SILT_REAL(PipesParams, capacity, "s", 0.5, 0.0, 100.0,
              "K_c: metres of rock carried at 1 m/s down a cliff (eq. 10)", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, dissolve, "1/s", 0.1, 0.0, 100.0, "K_s: how fast water takes up rock (eq. 11)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, settle, "1/s", 0.1, 0.0, 100.0, "K_d: how fast sediment falls out (eq. 12)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, least_tilt, "deg", 1.0, 0.0, 45.0, "flatter ground counts as tilted by this"),
    SILT_REAL(PipesParams, film, "m", 0.1, 1e-5, 10.0,
              "shallower water digs less, in proportion to its depth"),
    SILT_REAL(PipesParams, loose, "1", 3.0, 1.0, 100.0, "how much faster deposit is taken up than rock"),
    SILT_LAYER(PipesParams, erodibility, "erodibility",
               "layer that multiplies K_s for rock; without it rock is the same everywhere"),
    SILT_STRATA_ITEMS(PipesParams),
    SILT_CHOICE(PipesParams, time_scaling, "converging paper", "converging",
                "paper: K_s and K_d apply once a sub-step whatever its length"),
    SILT_CHOICE(PipesParams, transport, "flux semi-lagrangian", "flux",
                "sediment moves with the water and none is lost, or is traced back as in the paper (eq. 14)"),
    SILT_REAL(PipesParams, bank_angle, "deg", 40.0, 1.0, 89.0,
              "steepest bank that stands with its foot in water"),
    SILT_REAL(PipesParams, bank_rate, "1/s", 0.1, 0.0, 10.0, "how fast steeper banks give way; 0: never"),
    SILT_REAL(PipesParams, pace, "1", 200.0, 1.0, 10000.0,
              "how many times faster than the water the ground changes: a flood stands for many; not in "
              "the paper's way",
              .flags = SILT_LIVE | SILT_LOG),
};

static const SiltStateItem pipes_state[] = {
    SILT_STATE(Pipes, ground, SILT_STATE_FIELD, "grains", "height of the ground, int32"),
    SILT_STATE(Pipes, deposit, SILT_STATE_FIELD, "grains", "loose material on the rock, int32"),
    SILT_STATE(Pipes, water, SILT_STATE_FIELD, "grains", "depth of the water, int32"),
    SILT_STATE(Pipes, sediment, SILT_STATE_FIELD, "grains", "rock in the water, int32"),
    SILT_STATE(Pipes, wear, SILT_STATE_FIELD, "grains", "rock taken off so far, int32"),
    SILT_STATE(Pipes, flux_east, SILT_STATE_FIELD, "m3/s", "flux to the eastern neighbour"),
    SILT_STATE(Pipes, flux_south, SILT_STATE_FIELD, "m3/s", "flux to the southern neighbour"),
    SILT_STATE(Pipes, flux_south_east, SILT_STATE_LAZY, "m3/s", "flux to the south-eastern neighbour"),
    SILT_STATE(Pipes, flux_south_west, SILT_STATE_LAZY, "m3/s", "flux to the south-western neighbour"),
    SILT_STATE(Pipes, flow, SILT_STATE_FIELD, "m3", "water that has passed"),
    SILT_STATE(Pipes, wetness, SILT_STATE_FIELD, "s", "time under water"),
    SILT_STATE(Pipes, change_before, SILT_STATE_LAZY, "m", "the layer change as the run found it"),
    SILT_STATE(Pipes, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(Pipes, step_index, SILT_STATE_INT64, "", "sub-steps since the beginning"),
    SILT_STATE(Pipes, grain, SILT_STATE_DOUBLE, "m", "height of a grain"),
    SILT_STATE(Pipes, deepest, SILT_STATE_DOUBLE, "m", "greatest depth after the last step"),
    SILT_STATE(Pipes, swiftest, SILT_STATE_DOUBLE, "m/s", "greatest speed in the last step"),
    SILT_STATE(Pipes, unsampled, SILT_STATE_DOUBLE, "s", "time since flow and wetness were last sampled"),
};

static const double HEADROOM = 128.0; // metres of water and deposit above the highest ground

enum { LIMIT_VELOCITY, LIMIT_OUTFLOW };
static const char *const pipes_limiters[] = {"velocity", "outflow", NULL};

// ---- into grains ----

typedef struct FillJob {
    Pipes *pipes;
    const SiltField *water, *sediment, *deposit;
} FillJob;

static void fill_rows(void *context, int begin, int end)
{
    const FillJob *job = context;
    Pipes *p = job->pipes;
    for (int j = begin; j < end; j++) {
        int32_t *ground = silt_grains_row(&p->ground, j), *water = silt_grains_row(&p->water, j);
        for (int i = 0; i < p->terrain->width; i++) {
            if (silt_terrain_is_nodata(p->terrain, i, j)) {
                ground[i] = SILT_GRAINS_WALL;
                continue;
            }
            ground[i] = silt_ground_grains(&p->base, i, j);
            water[i] = silt_ground_layer_grains(&p->base, job->water, i, j);
            silt_grains_row(&p->sediment, j)[i] = silt_ground_layer_grains(&p->base, job->sediment, i, j);
            silt_grains_row(&p->deposit, j)[i] = silt_ground_layer_grains(&p->base, job->deposit, i, j);
        }
    }
}

typedef struct PipesDepth {
    const Pipes *pipes;
    int32_t most[SILT_REDUCE_BLOCKS];
} PipesDepth;

static void deepest_rows(void *context, int begin, int end)
{
    PipesDepth *depth = context;
    const SiltField *water = &depth->pipes->water;
    int32_t most = 0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < water->width; i++)
            most = silt_maxi(most, silt_grains_row(water, j)[i]);
    depth->most[begin / silt_reduce_grain(water->height)] = most;
}

// ---- books ----

typedef struct SumJob {
    const Pipes *pipes;
    const SiltField *field;
} SumJob;

static double sum_rows(void *context, int begin, int end)
{
    const SumJob *job = context;
    int64_t sum = 0;
    for (int j = begin; j < end; j++) {
        const int32_t *row = silt_grains_row(job->field, j),
                      *ground = silt_grains_row(&job->pipes->ground, j);
        for (int i = 0; i < job->field->width; i++)
            sum += ground[i] == SILT_GRAINS_WALL ? 0 : row[i];
    }
    return (double)sum;
}

static double count_rows(void *context, int begin, int end)
{
    const Pipes *p = context;
    double count = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < p->terrain->width; i++)
            count += silt_terrain_is_nodata(p->terrain, i, j) ? 0.0 : 1.0;
    return count;
}

static double volume(const Pipes *p, const SiltField *field)
{
    SumJob job = {p, field};
    double sum = silt_parallel_sum(field->height, sum_rows, &job);
    return sum * p->grain * p->terrain->cell * p->terrain->cell;
}

// Above zero height.
static double rock_volume(const Pipes *p)
{
    double cells = silt_parallel_sum(p->terrain->height, count_rows, (void *)(uintptr_t)p);
    double below = cells * p->base.low * p->terrain->cell * p->terrain->cell;
    return volume(p, &p->ground) + volume(p, &p->sediment) + below;
}

// ---- bands ----

static void lay_out_band(Pipes *p, PipesBand *band, char *block)
{
    size_t halo_bytes = 2 * HALO * p->ground.stride * sizeof(float);
    for (int f = 0; f < FIELDS; f++) {
        if (!p->fields[f] || f == FLOW || f == WETNESS)
            continue;
        band->halo[f] = block;
        block += halo_bytes;
    }
    silt_pipes_rows_place(&band->rows, p->terrain->width, p->directions, block);
}

static SiltStatus make_bands(Pipes *p)
{
    int height = p->terrain->height, threads = silt_threads();
    int rows = (height - 1) / (4 * threads) + 1;
    rows = rows < 32 ? 32 : rows;
    p->band_count = (height - 1) / rows + 1;
    size_t halo_bytes = (size_t)FIELDS * 2 * HALO * p->ground.stride * sizeof(float);
    size_t band_bytes = halo_bytes + silt_pipes_rows_bytes(p->terrain->width, p->directions);
    SiltStatus status = silt_alloc_for("pipes", (size_t)p->band_count, sizeof(PipesBand), (void **)&p->bands);
    if (status == SILT_OK)
        status = silt_alloc_for("pipes", (size_t)p->band_count, band_bytes, &p->workspace);
    if (status != SILT_OK)
        return status;
    for (int b = 0; b < p->band_count; b++) {
        p->bands[b].begin = b * rows;
        p->bands[b].end = (b + 1) * rows < height ? (b + 1) * rows : height;
        lay_out_band(p, &p->bands[b], (char *)p->workspace + (size_t)b * band_bytes);
    }
    return SILT_OK;
}

static void copy_halo(const Pipes *p, const PipesBand *band, int field, int j)
{
    if (j < 0 || j >= p->terrain->height)
        return;
    memcpy(silt_pipes_row(p, band, field, j), silt_field_row(p->fields[field], j),
           (size_t)p->terrain->width * sizeof(float));
}

static void copy_halos(void *context, int begin, int end)
{
    const Pipes *p = context;
    for (int b = begin; b < end; b++)
        for (int f = 0; f < FIELDS; f++)
            for (int k = 1; p->bands[b].halo[f] && k <= HALO; k++) {
                copy_halo(p, &p->bands[b], f, p->bands[b].begin - k);
                copy_halo(p, &p->bands[b], f, p->bands[b].end - 1 + k);
            }
}

static void run_bands(void *context, int begin, int end)
{
    Pipes *p = context;
    for (int b = begin; b < end; b++)
        silt_pipes_pass(p, &p->bands[b]);
}

// ---- beginning ----

static SiltStatus find_layers(Pipes *p)
{
    const char *name = p->params->erodibility;
    p->erodibility = name[0] ? silt_terrain_layer(p->terrain, name) : NULL;
    if (name[0] && !p->erodibility && strcmp(name, "erodibility") != 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode pipes: erodibility = %s: the terrain has no layer of that name", name);
    return silt_strata_begin(&p->params->strata, p->params->strata_direction, p->terrain, "erode pipes",
                             &p->strata);
}

static SiltStatus make_fields(Pipes *p)
{
    SiltStatus status = SILT_OK;
    p->directions = p->params->neighbours == SILT_PIPES_EIGHT ? 4 : 2;
    if (p->directions == 4)
        status = silt_field_create(p->terrain->width, p->terrain->height, &p->flux_south_east);
    if (status == SILT_OK && p->directions == 4)
        status = silt_field_create(p->terrain->width, p->terrain->height, &p->flux_south_west);
    SiltField *fields[FIELDS] = {[WATER] = &p->water,
                                 [GROUND] = &p->ground,
                                 [DEPOSIT] = &p->deposit,
                                 [SEDIMENT] = &p->sediment,
                                 [WEAR] = &p->wear,
                                 [FLUX_0] = &p->flux_east,
                                 [FLUX_1] = &p->flux_south,
                                 [FLUX_2] = &p->flux_south_east,
                                 [FLUX_3] = &p->flux_south_west,
                                 [FLOW] = &p->flow,
                                 [WETNESS] = &p->wetness};
    for (int f = 0; f < FIELDS; f++)
        p->fields[f] = fields[f]->data ? fields[f] : NULL;
    return status;
}

static SiltStatus pipes_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                              SiltLedger *ledger)
{
    Pipes *p = state;
    p->params = params;
    p->terrain = terrain;
    SiltStatus status = silt_supply_begin("erode pipes", &p->params->supply, terrain, run, &p->supply);
    if (status == SILT_OK)
        status = find_layers(p);
    if (status == SILT_OK)
        status = silt_ground_begin("erode pipes", terrain, HEADROOM, &p->change_before, &p->base);
    if (status == SILT_OK)
        status = make_fields(p);
    if (status == SILT_OK)
        status = make_bands(p);
    if (status != SILT_OK)
        return status;
    p->grain = p->base.grain;
    FillJob job = {p, silt_terrain_layer(terrain, "water"), silt_terrain_layer(terrain, "sediment"),
                   silt_terrain_layer(terrain, "deposit")};
    silt_parallel(terrain->height, 16, fill_rows, &job);
    PipesDepth depth = {.pipes = p};
    silt_parallel(terrain->height, silt_reduce_grain(terrain->height), deepest_rows, &depth);
    for (int k = 0; k < SILT_REDUCE_BLOCKS; k++)
        p->deepest = fmax(p->deepest, depth.most[k] * p->grain);
    ledger->water.initial = volume(p, &p->water);
    ledger->rock.initial = rock_volume(p);
    return SILT_OK;
}

static void pipes_end(void *state)
{
    Pipes *p = state;
    silt_supply_end(&p->supply);
    silt_free(p->bands);
    silt_free(p->workspace);
}

// ---- a step ----

// The longest stable sub-step: no wave and no water crosses more than `cfl` cells.
static double stable_step(const Pipes *p)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell;
    double depth = fmax(params->pipe_area > 0.0 ? params->pipe_area / cell : p->deepest, 0.01);
    return params->cfl * cell / (p->swiftest + sqrt(params->gravity * depth));
}

static SiltPipe make_pipe(const Pipes *p, double width, double length, double dt)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell;
    return (SiltPipe){.width = (float)width,
                      .push = (float)(dt * params->gravity * p->grain / length),
                      .drag = (float)(dt * params->friction),
                      .depth = (float)(params->pipe_area / cell),
                      .swift = (float)fmin(0.7 * cell / dt, params->fastest),
                      .grain = (float)p->grain};
}

// A share of K dt of what is lacking, in a form that stays below one and does not depend on how time is cut.
static float per_step(double rate, double dt, bool as_paper)
{
    return (float)(as_paper ? fmin(rate, 1.0) : rate * dt / (1.0 + rate * dt));
}

static void prepare(Pipes *p, double dt)
{
    const PipesParams *params = p->params;
    const double degree = 3.14159265358979323846 / 180.0, cell = p->terrain->cell;
    bool eight = p->directions == 4, as_paper = params->time_scaling == SILT_PIPES_PAPER;
    double pace = as_paper ? 1.0 : params->pace;
    p->dt = (float)dt;
    p->to_grains = (float)(dt / (cell * cell * p->grain));
    // straight and diagonal pipes share the cell's side in the proportions of the nine-point Laplacian, which
    // is the same in all directions
    SiltPipe straight = make_pipe(p, eight ? cell * 2.0 / 3.0 : cell, cell, dt);
    SiltPipe diagonal = make_pipe(p, cell * sqrt(2.0) / 6.0, cell * sqrt(2.0), dt);
    for (int d = 0; d < PIPE_DIRECTIONS; d++)
        p->pipe[d] = d < SOUTH_EAST ? straight : diagonal;
    p->dissolve = per_step(params->dissolve, dt, as_paper);
    p->settle = per_step(params->settle, dt, as_paper);
    p->capacity = (float)(params->capacity * pace);
    p->densest = (float)(0.3 * pace);
    p->least_tilt = (float)sin(params->least_tilt * degree);
    p->wet = (int32_t)fmin(params->film / p->grain, 1e9);
    p->shallow = 0.001f;
    uint64_t n = (uint64_t)p->step_index;
    p->rain_dither = silt_dither(n, 0x9E3779B9u); // the golden section, and roots of 2, 3, 5, 7
    p->water_dither = silt_dither(n, 0x6A09E667u);
    p->rock_dither = silt_dither(n, 0xBB67AE85u);
    p->load_dither = silt_dither(n, 0x3C6EF373u);
    p->loss_dither = silt_dither(n, 0xA54FF53Bu);
    enum { SAMPLE_STEPS = 4 }; // the maps of flow and wetness look at every fourth step, for all four
    p->unsampled += dt;
    p->sampled = (n + 1) % SAMPLE_STEPS == 0 ? (float)p->unsampled : 0.0f;
    p->unsampled = p->sampled > 0.0f ? 0.0 : p->unsampled;
    enum { BANK_STEPS = 4 }; // banks move slowly: they need not be looked at in every step
    p->banks = params->bank_rate > 0.0 && p->step_index % BANK_STEPS == 0;
    double slide = per_step(params->bank_rate * pace, BANK_STEPS * dt, false);
    p->slide = (float)(slide / (eight ? 16.0 : 8.0)); // all neighbours together take half at the most
    for (int d = 0; d < PIPE_DIRECTIONS; d++)
        p->rest[d] =
            (float)(tan(params->bank_angle * degree) * cell * (d < SOUTH_EAST ? 1.0 : sqrt(2.0)) / p->grain);
}

static void take_stock(Pipes *p, SiltLedger *ledger, SiltCounters *counters)
{
    PipesTally all = {0};
    for (int b = 0; b < p->band_count; b++) {
        const PipesTally *tally = &p->bands[b].tally;
        all.added += tally->added;
        all.evaporated += tally->evaporated;
        all.left += tally->left;
        all.sediment_added += tally->sediment_added;
        all.sediment_left += tally->sediment_left;
        all.swift += tally->swift;
        all.limited += tally->limited;
        all.deepest = silt_maxi(all.deepest, tally->deepest);
        all.swiftest = silt_maxi(all.swiftest, tally->swiftest);
    }
    double grain_volume = p->grain * p->terrain->cell * p->terrain->cell;
    ledger->water.added += (double)all.added * grain_volume;
    ledger->water.removed += (double)(all.evaporated + all.left) * grain_volume;
    ledger->rock.added += (double)all.sediment_added * grain_volume;
    ledger->rock.removed += (double)all.sediment_left * grain_volume;
    p->deepest = all.deepest * p->grain;
    float square;
    memcpy(&square, &all.swiftest, sizeof square);
    p->swiftest = sqrt((double)square);
    counters->limited[LIMIT_VELOCITY] += all.swift;
    counters->limited[LIMIT_OUTFLOW] += all.limited;
    counters->substeps++;
}

static void substep(Pipes *p, double dt, SiltLedger *ledger, SiltCounters *counters)
{
    prepare(p, dt);
    silt_supply_step(&p->supply, p->time, dt);
    silt_parallel(p->band_count, 1, copy_halos, p);
    silt_parallel(p->band_count, 1, run_bands, p); // eq. 1-15, in pipes_pass.c
    silt_supply_finish(&p->supply);
    take_stock(p, ledger, counters);
    p->time += dt;
    p->step_index++;
}

static double pipes_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Pipes *p = state;
    double wanted = p->params->step > 0.0 ? p->params->step : stable_step(p);
    double length = wanted < time_left ? wanted : time_left;
    for (double left = length; left > 0.0;) {
        double count = ceil(left / stable_step(p) - 1e-9);
        double dt = count > 1.0 ? left / count : left;
        substep(p, dt, ledger, counters);
        left = count > 1.0 ? left - dt : 0.0;
    }
    return length;
}

// ---- out of grains ----

typedef struct StoreJob {
    const Pipes *pipes;
    SiltMaps maps;
} StoreJob;

static double speed_at(const Pipes *p, int i, int j)
{
    double east = (double)silt_field_at(&p->flux_east, i, j),
           south = (double)silt_field_at(&p->flux_south, i, j);
    double west = i > 0 ? (double)silt_field_at(&p->flux_east, i - 1, j) : 0.0;
    double north = j > 0 ? (double)silt_field_at(&p->flux_south, i, j - 1) : 0.0;
    double x = east + west, y = south + north;
    if (p->directions == 4) {
        bool left = i > 0, right = i + 1 < p->terrain->width;
        double falling = (double)silt_field_at(&p->flux_south_east, i, j) +
                         (j > 0 && left ? (double)silt_field_at(&p->flux_south_east, i - 1, j - 1) : 0.0);
        double rising = (double)silt_field_at(&p->flux_south_west, i, j) +
                        (j > 0 && right ? (double)silt_field_at(&p->flux_south_west, i + 1, j - 1) : 0.0);
        x += falling - rising;
        y += falling + rising;
    }
    double depth = fmax(silt_grains_row(&p->water, j)[i] * p->grain, (double)p->shallow);
    return depth > 0.0 ? sqrt(x * x + y * y) / (2.0 * p->terrain->cell * depth) : 0.0;
}

static void store_rows(void *context, int begin, int end)
{
    const StoreJob *job = context;
    const Pipes *p = job->pipes;
    const SiltMaps *maps = &job->maps;
    double sampled_time = p->time - p->unsampled;
    double per_second = sampled_time > 0.0 ? 1.0 / sampled_time : 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < p->terrain->width; i++) {
            if (silt_terrain_is_nodata(p->terrain, i, j))
                continue;
            int32_t ground = silt_grains_row(&p->ground, j)[i];
            double change = (ground - silt_ground_grains(&p->base, i, j)) * p->grain;
            double wear = silt_grains_row(&p->wear, j)[i] * p->grain;
            silt_field_row(maps->change, j)[i] = silt_ground_change(&p->base, ground, i, j);
            silt_field_row(maps->wear, j)[i] = (float)wear;
            silt_field_row(maps->deposition, j)[i] = (float)(wear + change);
            silt_field_row(maps->water, j)[i] = (float)(silt_grains_row(&p->water, j)[i] * p->grain);
            silt_field_row(maps->sediment, j)[i] = (float)(silt_grains_row(&p->sediment, j)[i] * p->grain);
            silt_field_row(maps->deposit, j)[i] = (float)(silt_grains_row(&p->deposit, j)[i] * p->grain);
            silt_field_row(maps->flow, j)[i] = (float)((double)silt_field_at(&p->flow, i, j) * per_second);
            silt_field_row(maps->speed, j)[i] = (float)speed_at(p, i, j);
            silt_field_row(maps->wetness, j)[i] = silt_field_at(&p->wetness, i, j);
        }
}

static SiltStatus pipes_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Pipes *p = state;
    StoreJob job = {.pipes = p};
    SiltStatus status = silt_maps_require(terrain, &job.maps);
    if (status != SILT_OK)
        return status;
    silt_parallel(terrain->height, 16, store_rows, &job);
    ledger->water.stored = volume(p, &p->water);
    ledger->rock.stored = rock_volume(p);
    ledger->rock.moved = volume(p, &p->wear);
    return SILT_OK;
}

const SiltModel silt_model_pipes = {
    .name = "pipes",
    .summary = "shallow water through virtual pipes that erodes, carries and deposits",
    .source = "Mei, Decaudin, Hu 2007, Fast hydraulic erosion simulation and visualization on GPU",
    .clock = "s",
    .params = SILT_PARAM_TABLE(PipesParams, pipes_items),
    .state = pipes_state,
    .state_count = sizeof pipes_state / sizeof pipes_state[0],
    .state_size = sizeof(Pipes),
    .limiters = pipes_limiters,
    .default_steps = 2000,
    .step_bytes = 60.0, // seven fields in and out, and two more every fourth step
    .begin = pipes_begin,
    .step = pipes_step,
    .store = pipes_store,
    .end = pipes_end,
};
