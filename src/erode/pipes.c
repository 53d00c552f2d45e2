// Shallow water through virtual pipes, erosion and deposition: Mei, Decaudin, Hu 2007. This file declares the
// model, brings a terrain into grains and back, and picks the time step; pipes_pass.c does the step.
#include "erode/pipes.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "physics/decay.h"
#include "physics/elementary.h"

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
    SILT_REAL(PipesParams, fastest, "m/s", 10.0, 0.1, 1000.0, "no water runs faster than this"),
    SILT_CHOICE(PipesParams, neighbours, "four eight", "four", "cells that water can reach from a cell"),
    SILT_REAL(PipesParams, capacity, "s", 3.0, 0.0, 100.0,
              "K_c: metres of rock carried at 1 m/s down a cliff (eq. 10)", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, dissolve, "1/s", 0.1, 0.0, 100.0, "K_s: how fast water takes up rock (eq. 11)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, settle, "1/s", 0.1, 0.0, 100.0, "K_d: how fast sediment falls out (eq. 12)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, least_tilt, "deg", 1.0, 0.0, 45.0, "flatter ground counts as tilted by this"),
    SILT_REAL(PipesParams, film, "m", 0.2, 1e-5, 10.0,
              "shallower water digs less, in proportion to its depth"),
    SILT_REAL(PipesParams, densest, "1", 0.1, 0.0, 1.0,
              "no water holds more rock than this share of its volume"),
    SILT_WET_REACH(PipesParams),
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
    SILT_REAL(PipesParams, pace, "1", SILT_WET_PACE, 1.0, 10000.0,
              "how many times faster than the water the ground changes: a flood stands for many; not in "
              "the paper's way",
              .flags = SILT_LIVE | SILT_LOG),
};

static const SiltStateItem pipes_state[] = {
    SILT_STATE(Pipes, ground, SILT_STATE_COUNTS, "grains", "height of the ground"),
    SILT_STATE(Pipes, deposit, SILT_STATE_COUNTS, "grains", "loose material on the rock"),
    SILT_STATE(Pipes, water, SILT_STATE_COUNTS, "grains", "depth of the water"),
    SILT_STATE(Pipes, sediment, SILT_STATE_COUNTS, "grains", "rock in the water"),
    SILT_STATE(Pipes, wear, SILT_STATE_COUNTS, "grains", "rock taken off so far"),
    SILT_STATE(Pipes, flux_east, SILT_STATE_FIELD, "m3/s", "flux to the eastern neighbour"),
    SILT_STATE(Pipes, flux_south, SILT_STATE_FIELD, "m3/s", "flux to the southern neighbour"),
    SILT_STATE(Pipes, flux_south_east, SILT_STATE_LAZY, "m3/s", "flux to the south-eastern neighbour"),
    SILT_STATE(Pipes, flux_south_west, SILT_STATE_LAZY, "m3/s", "flux to the south-western neighbour"),
    SILT_STATE(Pipes, around, SILT_STATE_FIELD, "grains", "rock that water could carry, evened out"),
    SILT_STATE(Pipes, flow, SILT_STATE_FIELD, "m3", "water that has passed"),
    SILT_STATE(Pipes, wetness, SILT_STATE_FIELD, "s", "time under water"),
    SILT_STATE(Pipes, change_before, SILT_STATE_LAZY, "m", "the layer change as the run found it"),
    SILT_STATE(Pipes, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(Pipes, step_index, SILT_STATE_INT64, "", "sub-steps since the beginning"),
    SILT_STATE(Pipes, grain, SILT_STATE_DOUBLE, "m", "height of a grain, once more"),
    SILT_GROUND_STATE(Pipes, base),
    SILT_STATE(Pipes, strata.top, SILT_STATE_FLOAT, "m", "where the first bed begins"),
    SILT_STATE(Pipes, deepest, SILT_STATE_DOUBLE, "m", "greatest depth after the last step"),
    SILT_STATE(Pipes, swiftest, SILT_STATE_DOUBLE, "m/s", "greatest speed in the last step"),
    SILT_STATE(Pipes, steady, SILT_STATE_DOUBLE, "s", "length of both sub-steps of the present pair"),
    SILT_SUPPLY_STATE(Pipes),
    SILT_STATE(Pipes, pulse.held, SILT_STATE_DOUBLE, "grains", "water on the map"),
    SILT_STATE(Pipes, pulse.rate, SILT_STATE_DOUBLE, "grains/s", "by which it grew in the last few steps"),
    SILT_STATE(Pipes, pulse.step, SILT_STATE_DOUBLE, "s", "length of the last step"),
    SILT_STATE(Pipes, gained, SILT_STATE_DOUBLE, "grains",
               "water that came in the present pair of sub-steps"),
    SILT_STATE(Pipes, span, SILT_STATE_DOUBLE, "s", "length of the present pair so far"),
    SILT_STATE(Pipes, could, SILT_STATE_DOUBLE, "m", "rock that water could carry at the last look"),
    SILT_STATE(Pipes, next_look, SILT_STATE_INT64, "", "sub-step of the next look at that"),
    SILT_STATE(Pipes, unsampled, SILT_STATE_DOUBLE, "s", "time since flow and wetness were last sampled"),
};

enum { LIMIT_VELOCITY, LIMIT_OUTFLOW };
static const char *const pipes_limiters[] = {"velocity", "outflow", NULL};

static SiltWet wet_of(const Pipes *p)
{
    return (SiltWet){&p->base, &p->ground, &p->deposit, &p->water, &p->sediment, &p->wear};
}

// ---- beginning ----

static SiltStatus find_layers(Pipes *p)
{
    SiltStatus status =
        silt_erodibility_find("erode pipes", p->params->erodibility, p->terrain, &p->erodibility);
    if (status != SILT_OK)
        return status;
    return silt_strata_begin(&p->params->geology, p->terrain, "erode pipes", &p->strata);
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
                                 [AROUND] = &p->around,
                                 [FLOW] = &p->flow,
                                 [WETNESS] = &p->wetness};
    for (int f = 0; f < FIELDS; f++)
        p->fields[f] = fields[f]->data ? fields[f] : NULL;
    return status;
}

// Where water leaves, the ground as it is in the beginning.
static SiltStatus find_sills(Pipes *p)
{
    int width = p->terrain->width, height = p->terrain->height;
    size_t count = 2 * ((size_t)width + (size_t)height);
    SiltStatus status = silt_alloc_for("pipes", count, sizeof(int32_t), (void **)&p->sills);
    for (int i = 0; status == SILT_OK && i < width; i++) {
        p->sills[i] = silt_ground_grains(&p->base, i, 0);
        p->sills[width + i] = silt_ground_grains(&p->base, i, height - 1);
    }
    for (int j = 0; status == SILT_OK && j < height; j++) {
        p->sills[2 * width + j] = silt_ground_grains(&p->base, 0, j);
        p->sills[2 * width + height + j] = silt_ground_grains(&p->base, width - 1, j);
    }
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
        status = silt_ground_begin("erode pipes", terrain, SILT_WET_HEADROOM, &p->change_before, &p->base);
    if (status == SILT_OK)
        status = make_fields(p);
    if (status == SILT_OK)
        status = find_sills(p);
    if (status == SILT_OK)
        status = silt_pipes_bands_create(p);
    if (status != SILT_OK)
        return status;
    p->grain = p->base.grain;
    silt_wet_warn_pace("erode pipes", p->params->pace, p->params->time_scaling == SILT_PIPES_PAPER);
    SiltWet wet = wet_of(p);
    silt_wet_fill(&wet);
    p->deepest = silt_wet_deepest(&wet);
    ledger->water.initial = silt_wet_volume(&wet, &p->water);
    p->pulse.held = ledger->water.initial / (p->grain * terrain->cell * terrain->cell);
    ledger->rock.initial = silt_wet_rock(&wet);
    silt_wet_relieve_all(&wet, ledger);
    return SILT_OK;
}

static void pipes_end(void *state)
{
    Pipes *p = state;
    silt_supply_end(&p->supply);
    silt_pipes_bands_destroy(p);
    silt_free(p->sills);
}

// ---- a step ----

static SiltEvening evening_of(const Pipes *p)
{
    bool as_paper = p->params->time_scaling == SILT_PIPES_PAPER;
    return silt_wet_evening(p->terrain, as_paper && isnan(p->params->reach) ? 0.0 : p->params->reach);
}

// The longest stable sub-step: no wave and no water crosses more than `cfl` cells.
static double stable_step(const Pipes *p)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell;
    double depth = fmax(params->pipe_area > 0.0 ? params->pipe_area / cell : p->deepest, 0.01);
    return params->cfl * cell / (p->swiftest + sqrt(params->gravity * depth));
}

// It and no longer than lets the supply be followed.
static double bounded_step(const Pipes *p, double stable)
{
    // what water can carry follows in steps, more of them the further it is evened out
    double share = fmin(fmax(1.2 * (double)evening_of(p).blend, 0.04), 0.2) * p->params->cfl;
    return silt_pulse_bound(&p->pulse, &p->supply, p->base.high, share, stable);
}

static SiltPipe make_pipe(const Pipes *p, double width, double length, double dt)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, area = params->pipe_area / cell * width, grain = p->grain;
    double full = SILT_GRAINS_MOVE * cell * cell / (p->fastest * width * dt); // depth that brings as many
    SiltPipe pipe = {.push = (float)(dt * params->gravity * grain * grain * width / length),
                     .drag = (float)fmax(dt * params->friction / grain, 1e-3),
                     .thick = (float)(1.0 + 2.0 * dt * params->friction),
                     .swift = (float)(p->fastest * width * grain),
                     .full = (float)full};
    if (area > 0.0) { // one cross-section whatever the depth
        pipe.push = (float)(dt * params->gravity * grain * area / length);
        pipe.swift = (float)fmin(p->fastest * area, (double)pipe.swift * full);
    }
    return pipe;
}

// The share of what is lacking that comes in a step: 1 - exp(-K dt), so that it does not depend on how time
// is cut.
static float per_step(double rate, double dt, bool as_paper)
{
    return as_paper ? (float)fmin(rate, 1.0) : 1.0f - silt_decay((float)(rate * dt));
}

static void prepare(Pipes *p, double dt)
{
    const PipesParams *params = p->params;
    const double degree = 3.14159265358979323846 / 180.0, cell = p->terrain->cell;
    bool eight = p->directions == 4, as_paper = params->time_scaling == SILT_PIPES_PAPER;
    double pace = as_paper ? 1.0 : params->pace;
    p->dt = (float)dt;
    p->fastest = fmin(0.7 * cell / dt, params->fastest);
    p->to_grains = (float)(dt / (cell * cell * p->grain));
    // straight and diagonal pipes share the cell's side in the proportions of the nine-point Laplacian, which
    // is the same in all directions
    SiltPipe straight = make_pipe(p, eight ? cell * 2.0 / 3.0 : cell, cell, dt);
    SiltPipe diagonal = make_pipe(p, cell * sqrt(2.0) / 6.0, cell * sqrt(2.0), dt);
    for (int d = 0; d < PIPE_DIRECTIONS; d++)
        p->pipe[d] = d < SOUTH_EAST ? straight : diagonal;
    p->capacity = (float)(params->capacity * pace);
    p->densest = (float)(params->densest * pace);
    p->evening = p->could > 0.0 ? evening_of(p) : silt_evening_none; // nothing to even out before
    p->fan = (int32_t)fmin((as_paper ? 1e9 : SILT_STEEPEST_FAN) * cell / p->grain, 5e8);
    p->least_tilt = (float)silt_sin(params->least_tilt * degree);
    p->wet = (int32_t)fmin(params->film / p->grain, 1e9);
    p->shallow = 0.001f;
    uint64_t n = (uint64_t)p->step_index;
    p->water_dither = silt_dither(n, 0x6A09E667u); // roots of 2, 3, 5, 7
    p->rates = (SiltRates){.dissolve = per_step(params->dissolve, dt, as_paper),
                           .settle = per_step(params->settle, dt, as_paper),
                           .loose = (float)params->loose,
                           .per_loose = (float)(1.0 / params->loose),
                           .dither = silt_dither(n, 0xBB67AE85u),
                           .most = SILT_GRAINS_CHANGE};
    p->buried = as_paper ? 1e9f : (float)SILT_PIPES_BURIED * p->rates.settle;
    p->buried_deep = as_paper ? 0.0f : (float)SILT_PIPES_BURIED_DEEP * p->rates.settle;
    p->load_dither = silt_dither(n, 0x3C6EF373u);
    p->loss_dither = silt_dither(n, 0xA54FF53Bu);
    enum { SAMPLE_STEPS = 4 }; // the maps of flow and wetness look at every fourth step, for all four
    p->unsampled += dt;
    p->sampled = (n + 1) % SAMPLE_STEPS == 0 && !p->supply.stopped ? (float)p->unsampled : 0.0f;
    p->unsampled = p->sampled > 0.0f ? 0.0 : p->unsampled;
    enum { BANK_STEPS = 4 }; // banks move slowly: they need not be looked at in every step
    p->banks = params->bank_rate > 0.0 && p->step_index % BANK_STEPS == 0;
    double slide = per_step(params->bank_rate * pace, BANK_STEPS * dt, false);
    p->slide = (float)(slide / (eight ? 16.0 : 8.0)); // all neighbours together take half at the most
    for (int d = 0; d < PIPE_DIRECTIONS; d++)
        p->rest[d] = (float)(silt_tan(params->bank_angle * degree) * cell *
                             (d < SOUTH_EAST ? 1.0 : sqrt(2.0)) / p->grain);
}

static void take_stock(Pipes *p, PipesTally all, int steps, SiltLedger *ledger, SiltCounters *counters)
{
    double grain_volume = p->grain * p->terrain->cell * p->terrain->cell;
    p->gained += (double)(all.added - all.evaporated - all.left);
    p->span += steps * (double)p->dt;
    if (p->steady == 0.0 || (p->step_index + steps) % 2 == 0) {
        silt_pulse_take(&p->pulse, p->span, p->gained, 0.0);
        p->pulse.step = (double)p->dt;
        p->gained = p->span = 0.0;
    }
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
    counters->substeps += steps;
}

static void take_rain_dither(Pipes *p)
{
    p->rain_dither = silt_supply_dither(&p->supply, (float)(1.0 / p->grain),
                                        silt_dither((uint64_t)p->step_index, 0x9E3779B9u)); // golden section
}

// One sub-step, or two of the same length in one pass over memory where that is asked for and nothing has to
// be looked at between them. The number of those done.
static int substep(Pipes *p, double dt, bool two, SiltLedger *ledger, SiltCounters *counters)
{
    prepare(p, dt);
    p->growth = 1.0f;
    if (evening_of(p).blend < 1.0f && (p->step_index % 2 == 0 || p->steady == 0.0))
        silt_pipes_follow(p);
    silt_supply_step(&p->supply, p->time, dt);
    take_rain_dither(p);
    int steps = two && p->steady > 0.0 ? 2 : 1;
    Pipes next = *p;
    if (steps == 2) {
        next.time += dt;
        next.step_index++;
        next.growth = 1.0f;
        prepare(&next, dt);
        take_rain_dither(&next);
    }
    PipesTally tally = silt_pipes_bands_step(p, steps == 2 ? &next : NULL); // eq. 1-15, in pipes_pass.c
    silt_supply_finish(&p->supply);
    take_stock(p, tally, steps, ledger, counters);
    p->unsampled = next.unsampled;
    p->supply.carry = next.supply.carry;
    p->time = next.time + dt;
    p->step_index += steps;
    return steps;
}

// Sub-steps come in pairs of the same length, so that both of a pair can be done at once; it makes no
// difference whether they are.
static double paired_step(Pipes *p)
{
    if (p->step_index % 2 != 0 && p->steady > 0.0)
        return p->steady;
    double step = bounded_step(p, stable_step(p));
    p->steady = p->step_index % 2 == 0 ? step : 0.0;
    return step;
}

static double pipes_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Pipes *p = state;
    double wanted = p->params->step > 0.0 ? p->params->step : paired_step(p);
    double length = wanted < time_left ? wanted : time_left;
    if (!(p->params->step > 0.0)) {
        substep(p, length, false, ledger, counters);
        return length;
    }
    for (double left = length; left > 0.0;) {
        double count = ceil(left / bounded_step(p, stable_step(p)) - 1e-9);
        double dt = count > 1.0 ? left / count : left;
        substep(p, dt, false, ledger, counters);
        left = count > 1.0 ? left - dt : 0.0;
    }
    return length;
}

static double pipes_leap(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                         SiltCounters *counters)
{
    Pipes *p = state;
    bool even = steps >= 2 && p->step_index % 2 == 0 && !(p->params->step > 0.0) &&
                silt_supply_is_steady(&p->supply) && p->params->transport != SILT_PIPES_SEMI_LAGRANGIAN;
    double dt = even ? paired_step(p) : 0.0;
    if (!even || !(2.0 * dt < time_left)) {
        *taken = 1;
        return pipes_step(state, time_left, ledger, counters);
    }
    *taken = substep(p, dt, true, ledger, counters);
    return (double)*taken * dt;
}

// ---- out of grains ----

static bool pipes_rest(void *state, SiltLedger *ledger)
{
    Pipes *p = state;
    SiltWet wet = wet_of(p);
    return silt_wet_rest(&wet, &p->supply, p->time, ledger);
}

// ---- what it shows, and what a hand changes ----

static void pipes_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Pipes *p = state;
    SiltWet wet = wet_of(p);
    double sampled_time = p->time - p->unsampled;
    double per_second = sampled_time > 0.0 ? 1.0 / sampled_time : 0.0;
    if (silt_wet_show(&wet, layer, j, begin, end, out))
        return;
    for (int i = begin; layer == SILT_WET_FLOW && i < end; i++)
        out[i] = (float)((double)silt_field_at(&p->flow, i, j) * per_second);
    for (int i = begin; layer == SILT_WET_SPEED && i < end; i++)
        out[i] = (float)silt_pipes_speed(p, i, j);
    for (int i = begin; layer == SILT_WET_WETNESS && i < end; i++)
        out[i] = silt_field_at(&p->wetness, i, j);
}

static const SiltField *pipes_field(const void *state, int layer)
{
    return layer == SILT_WET_WETNESS ? &((const Pipes *)state)->wetness : NULL;
}

static void pipes_edit(void *state, SiltEditRow *row)
{
    Pipes *p = state;
    SiltWet wet = wet_of(p);
    p->deepest = fmax(p->deepest, silt_wet_edit(&wet, row));
    p->steady = 0.0; // the sub-step that was stable before may no longer be
    p->pulse.held += row->what == SILT_EDIT_WATER ? row->added / p->grain : 0.0;
}

static SiltStatus pipes_refresh(void *state)
{
    Pipes *p = state;
    SiltStatus status =
        silt_erodibility_find("erode pipes", p->params->erodibility, p->terrain, &p->erodibility);
    if (status == SILT_OK)
        status = silt_supply_refresh("erode pipes", &p->supply, p->time);
    if (status == SILT_OK)
        p->steady = 0.0;
    return status;
}

static SiltStatus pipes_resume(void *state)
{
    Pipes *p = state;
    silt_ground_resume(&p->base, &p->change_before);
    double steady = p->steady;
    SiltStatus status = pipes_refresh(state);
    p->steady = steady;
    return status;
}

static void pipes_pack(void *state, SiltTerrain *terrain, SiltPack *pack)
{
    Pipes *p = state;
    silt_pack(pack, p->sills, 2 * ((size_t)terrain->width + (size_t)terrain->height) * sizeof *p->sills);
}

static SiltStatus pipes_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    (void)terrain;
    const Pipes *p = state;
    SiltWet wet = wet_of(p);
    ledger->water.stored = silt_wet_volume(&wet, &p->water);
    ledger->rock.stored = silt_wet_rock(&wet);
    ledger->rock.moved = silt_wet_volume(&wet, &p->wear);
    return SILT_OK;
}

const SiltModel silt_model_pipes = {
    .name = "pipes",
    .summary = "shallow water through virtual pipes that erodes, carries and deposits",
    .source = "Mei, Decaudin, Hu 2007, Fast hydraulic erosion simulation and visualization on GPU",
    .clock = "s",
    .reads = "water sediment deposit paint",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(PipesParams, pipes_items),
    .state = pipes_state,
    .state_count = sizeof pipes_state / sizeof pipes_state[0],
    .state_size = sizeof(Pipes),
    .limiters = pipes_limiters,
    .default_steps = 2000,
    .step_bytes = 68.0, // eight fields in and out, and two more every fourth step
    .begin = pipes_begin,
    .step = pipes_step,
    .leap = pipes_leap,
    .rest = pipes_rest,
    .layers = silt_wet_layers,
    .show = pipes_show,
    .field = pipes_field,
    .edit = pipes_edit,
    .refresh = pipes_refresh,
    .pack = pipes_pack,
    .resume = pipes_resume,
    .store = pipes_store,
    .end = pipes_end,
};
