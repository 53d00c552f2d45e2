// Newtonian water on a grid, with a velocity in three dimensions: Neidhold, Wacker, Deussen 2005. This file
// declares the model, brings a terrain into grains and back, and picks the time step; newton_water.c and
// newton_rock.c do it.
#include "erode/newton.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"

static const SiltParam newton_items[] = {
    SILT_PAPER_SWITCH(NewtonParams),
    SILT_SUPPLY_ITEMS(NewtonParams, 200.0, 0.0, "hammersley", "gaussian", "exponential", 1e-4, NULL),
    SILT_REAL(NewtonParams, step, "s", 0.0, 0.0, 60.0,
              "length of a step, done in as many sub-steps as stability asks for; 0: one sub-step"),
    SILT_REAL(NewtonParams, cfl, "1", 0.4, 0.05, 1.0,
              "cells that water may cross in a sub-step; from 0.5 on pools slosh from cell to cell"),
    SILT_REAL(NewtonParams, gravity, "m/s2", 9.81, 0.1, 100.0, "acceleration of free fall",
              .flags = SILT_LIVE),
    SILT_REAL(NewtonParams, friction, "1/s", 0.3, 0.0, 1.0,
              "K_A: share of its velocity that water loses (eq. 1)", .flags = SILT_LIVE),
    SILT_REAL(NewtonParams, influence, "s/m", 0.05, 0.0, 1.0,
              "how much less swift water counts when the ground's fall is taken (eq. 13)"),
    SILT_REAL(NewtonParams, threshold, "m/s", 0.5, 0.0, 10.0,
              "slower water is split among all lower neighbours instead of moving as one"),
    SILT_REAL(NewtonParams, diffusion, "1/s", 0.1, 0.0, 10.0,
              "share of a cell's water and velocity that evens out with its four neighbours"),
    SILT_REAL(NewtonParams, fastest, "m/s", 50.0, 0.1, 1000.0, "no water runs faster than this"),
    SILT_REAL(NewtonParams, capacity, "s/m", 0.15, 0.0, 1000.0,
              "K_C: rock that water at 1 m/s can hold, per water (eq. 19)", .flags = SILT_LIVE | SILT_LOG,
              .paper = "15"),
    SILT_REAL(NewtonParams, dissolve, "1/s", 0.3, 0.0, 1.0, "K_S: how fast water takes up rock (eq. 22)",
              .flags = SILT_LIVE),
    SILT_REAL(NewtonParams, settle, "1/s", 0.5, 0.0, 1.0, "K_D: how fast sediment falls out (eq. 20)",
              .flags = SILT_LIVE),
    SILT_REAL(
        NewtonParams, densest, "1", 0.1, 0.0, 1.0,
        "no water holds more rock than this share of its volume; in the paper's way no more than all of it"),
    SILT_SHALLOW_REACH(NewtonParams, 0.0, "0: they are as wide as a cell; not where water moves in parts"),
    SILT_REAL(
        NewtonParams, banks, "m", 7.0, 0.0, 1e6,
        "banks come down with what is dug over this length, so that gullies are as wide on every grid, also "
        "where water is full; nothing where it is less than a cell, or where water moves in parts",
        .paper = "0"),
    SILT_REAL(NewtonParams, loose, "1", 3.0, 1.0, 100.0, "how much faster deposit is taken up than rock",
              .paper = "1"),
    SILT_REAL(NewtonParams, dry, "m", 1e-5, 0.0, 0.1,
              "shallower water dries up besides (eq. 25): within a minute, or in the paper's way at once"),
    SILT_REAL(NewtonParams, pace, "1", SILT_NEWTON_PACE, 1.0, 10000.0,
              "how many times faster than the water the ground changes: a flood stands for many; not in "
              "the paper's way",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_LAYER(NewtonParams, erodibility, "erodibility",
               "layer that multiplies K_S for rock; without it rock is the same everywhere"),
    SILT_STRATA_ITEMS(NewtonParams),
    SILT_CHOICE(NewtonParams, averaging, "sides all", "sides",
                "mean of the derivatives (eq. 12) over the three neighbours of each side, or as in the paper "
                "over all "
                "lower ones, which then halves the fall wherever a neighbour is lower by a hair",
                .paper = "all"),
    SILT_CHOICE(NewtonParams, transfer, "sides bilinear", "sides",
                "how water moves: over its sides, which keeps pools calm, or as in the paper with all it "
                "holds to x + v dt, "
                "shared among four cells (eq. 4), slow water in parts of their own velocity, each of which "
                "dissolves and "
                "drops rock (eq. 19-23), and diffusion whatever the ground",
                .paper = "bilinear"),
    SILT_CHOICE(NewtonParams, time_scaling, "converging paper", "converging",
                "paper: K_C, K_S and K_D are divided by the length of the step (eq. 19-23), nothing bounds "
                "what is dug and heaped, and "
                "steps are all as long",
                .paper = "paper"),
};

static const SiltStateItem newton_state[] = {
    SILT_STATE(Newton, ground, SILT_STATE_COUNTS, "grains", "H: height of the ground"),
    SILT_STATE(Newton, deposit, SILT_STATE_COUNTS, "grains", "loose material on the rock"),
    SILT_STATE(Newton, fluid, SILT_STATE_COUNTS, "grains", "F: water"),
    SILT_STATE(Newton, dissolved, SILT_STATE_COUNTS, "grains", "S: rock in the water"),
    SILT_STATE(Newton, wear, SILT_STATE_SUMS, "grains", "rock taken off so far"),
    SILT_STATE(Newton, velocity_x, SILT_STATE_FIELD, "m/s", "velocity to the east"),
    SILT_STATE(Newton, velocity_y, SILT_STATE_FIELD, "m/s", "velocity to the south"),
    SILT_STATE(Newton, velocity_z, SILT_STATE_FIELD, "m/s", "velocity upwards"),
    SILT_STATE(Newton, flow, SILT_STATE_FIELD, "m3", "water that has passed"),
    SILT_STATE(Newton, wetness, SILT_STATE_FIELD, "s", "time under water"),
    SILT_STATE(Newton, around, SILT_STATE_LAZY, "grains", "rock that water could carry, evened out"),
    SILT_STATE(Newton, dug, SILT_STATE_LAZY, "grains/s", "what is dug, evened out over the banks"),
    SILT_STATE(Newton, could, SILT_STATE_DOUBLE, "grains", "what all water could carry in the last step"),
    SILT_STATE(Newton, growth, SILT_STATE_FLOAT, "1", "by how much that had grown"),
    SILT_STATE(Newton, change_before, SILT_STATE_LAZY, "m", "the layer change as the run found it"),
    SILT_STATE(Newton, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(Newton, step_index, SILT_STATE_INT64, "", "sub-steps since the beginning"),
    SILT_STATE(Newton, grain, SILT_STATE_DOUBLE, "m", "height of a grain, once more"),
    SILT_GROUND_STATE(Newton, base),
    SILT_STATE(Newton, strata.top, SILT_STATE_FLOAT, "m", "where the first bed begins"),
    SILT_SUPPLY_STATE(Newton),
    SILT_STATE(Newton, deepest, SILT_STATE_DOUBLE, "m", "greatest depth after the last step"),
    SILT_STATE(Newton, swiftest, SILT_STATE_DOUBLE, "m/s", "greatest speed in the last step"),
    SILT_SUBSTEPS_STATE(Newton, substeps),
    SILT_STATE(Newton, pulse.held, SILT_STATE_DOUBLE, "grains", "water on the map"),
    SILT_STATE(Newton, pulse.rate, SILT_STATE_DOUBLE, "grains/s", "by which it grew in the last few steps"),
    SILT_STATE(Newton, pulse.step, SILT_STATE_DOUBLE, "s", "length of the last step"),
};

static const char *const newton_limiters[] = {"velocity", NULL};

static SiltShallow shallow_of(const Newton *n)
{
    return (SiltShallow){&n->base, &n->ground, &n->deposit, &n->fluid, &n->dissolved, &n->wear};
}

// ---- beginning and end ----

static SiltStatus make_dug(Newton *n)
{
    const NewtonParams *p = n->params;
    if (p->banks < n->terrain->cell || p->transfer == SILT_NEWTON_BILINEAR)
        return SILT_OK;
    return silt_field_create(n->terrain->width, n->terrain->height, &n->dug);
}

static SiltStatus make_around(Newton *n)
{
    const NewtonParams *p = n->params;
    if (p->reach > 0.0 && p->transfer == SILT_NEWTON_BILINEAR)
        silt_warn("erode newton: reach = %g does nothing where water moves in parts (transfer=bilinear)",
                  p->reach);
    else if (p->reach > 0.0)
        return silt_field_create(n->terrain->width, n->terrain->height, &n->around);
    return SILT_OK;
}

static SiltStatus newton_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                               SiltLedger *ledger)
{
    Newton *n = state;
    n->params = params;
    n->terrain = terrain;
    SiltStatus status =
        silt_erodibility_find("erode newton", n->params->erodibility, terrain, &n->erodibility);
    if (status == SILT_OK)
        status = silt_supply_begin("erode newton", &n->params->supply, terrain, run, &n->supply);
    if (status == SILT_OK)
        status = silt_strata_begin(&n->params->geology, terrain, "erode newton", &n->strata);
    if (status == SILT_OK)
        status =
            silt_ground_begin("erode newton", terrain, SILT_SHALLOW_HEADROOM, &n->change_before, &n->base);
    if (status == SILT_OK)
        status = make_around(n);
    if (status == SILT_OK)
        status = make_dug(n);
    if (status == SILT_OK)
        status = silt_newton_grid(n, false, &n->grid);
    if (status != SILT_OK)
        return status;
    n->grain = n->base.grain;
    silt_shallow_warn_pace("erode newton", n->params->pace, SILT_NEWTON_PACE,
                           n->params->time_scaling == SILT_NEWTON_PAPER);
    SiltShallow shallow = shallow_of(n);
    silt_shallow_fill(&shallow);
    n->deepest = silt_shallow_deepest(&shallow);
    ledger->water.initial = silt_shallow_volume(&shallow, &n->fluid);
    n->pulse.held = ledger->water.initial / (n->grain * terrain->cell * terrain->cell);
    ledger->rock.initial = silt_shallow_rock(&shallow);
    silt_shallow_relieve_all(&shallow, ledger);
    return SILT_OK;
}

static void newton_end(void *state)
{
    Newton *n = state;
    silt_grid_destroy(n->grid);
    silt_supply_end(&n->supply);
}

// ---- a step ----

static double stable_step(const Newton *n)
{
    double waves = sqrt(n->params->gravity * fmax(n->deepest, 0.01));
    double stable = n->params->cfl * n->terrain->cell / (n->swiftest + waves);
    if (n->params->time_scaling == SILT_NEWTON_PAPER)
        return stable;
    return silt_pulse_bound(&n->pulse, &n->supply, n->base.high, 0.2 * n->params->cfl, stable);
}

// In the paper's way K_C, K_S and K_D go by the step, so a step must not follow the water: it is as long as
// the user says, or as waves in water a metre deep allow. Where less is stable its sub-steps share them.
static double paper_step(const Newton *n)
{
    const NewtonParams *p = n->params;
    return p->step > 0.0 ? p->step : p->cfl * n->terrain->cell / sqrt(p->gravity);
}

// What all cells share in a sub-step of `dt` seconds, until the water has parted.
static SiltNewtonStep water_step(const Newton *n, double dt)
{
    const NewtonParams *p = n->params;
    bool as_paper = p->time_scaling == SILT_NEWTON_PAPER;
    uint64_t index = (uint64_t)n->step_index;
    float cell = (float)n->terrain->cell, seconds = (float)dt, threshold = (float)p->threshold;
    return (SiltNewtonStep){
        .per_metre = (float)(1.0 / n->grain),
        .rain_dither = silt_dither(index, 0x9E3779B9u), // the golden section, and roots of 2, 3, 5, 7
        .influence = (float)p->influence,
        .per_cell = (float)(n->grain / n->terrain->cell),
        .gravity = (float)p->gravity,
        .keep = (float)(as_paper ? fmax(1.0 - p->friction * dt, 0.0) : 1.0 / (1.0 + p->friction * dt)),
        .gain = (float)(as_paper ? dt : dt / (1.0 + p->friction * dt)),
        .swift = (float)fmin(n->terrain->cell / dt, p->fastest), // no further than the next cell
        .courant = seconds / cell,
        .slow = threshold * threshold,
        .push = (float)p->gravity * seconds * seconds * (float)n->grain / (cell * cell),
        .head = (float)(0.5 / (p->gravity * n->grain)),
        .fluid_dither = silt_dither(index, 0x6A09E667u),
        .load_dither = silt_dither(index, 0x3C6EF373u),
    };
}

// And from then on.
static SiltNewtonRock rock_step(const Newton *n, double dt)
{
    const NewtonParams *p = n->params;
    bool as_paper = p->time_scaling == SILT_NEWTON_PAPER;
    double step = paper_step(n), per_step = as_paper ? 1.0 / step : 1.0; // eq. 19-23 divide by the step,
    double paper_rate = fmin(dt, step) / (step * step); // and sub-steps have their part of it
    double pace = as_paper ? 1.0 : p->pace;
    double smoothing = as_paper ? fmin(p->diffusion, 0.8) : p->diffusion * dt / (1.0 + p->diffusion * dt);
    uint64_t index = (uint64_t)n->step_index;
    SiltDigging dig = silt_digging(as_paper, p->gravity, n->grain, p->fastest, dt);
    dig.head *= 0.03f; // of what lifts water the rest is lost in the hole: with more, real land gets new pits
                       // (law_real_land)
    return (SiltNewtonRock){
        .capacity = (float)(p->capacity * per_step * pace),
        .most_load = (float)(as_paper ? 1.0 : p->densest * pace),
        .rest = (int32_t)fmin((as_paper ? 1e9 : SILT_STEEPEST_FAN) * n->terrain->cell / n->grain, 5e8),
        .dig = dig,
        .rates = {.dissolve = (float)(as_paper ? fmin(p->dissolve * paper_rate, 1e6)
                                               : p->dissolve * dt / (1.0 + p->dissolve * dt)),
                  .settle = (float)(as_paper ? fmin(p->settle * paper_rate, 1e6)
                                             : p->settle * dt / (1.0 + p->settle * dt)),
                  .loose = (float)p->loose,
                  .per_loose = (float)(1.0 / p->loose),
                  .dither = silt_dither(index, 0xBB67AE85u),
                  .most = SILT_GRAINS_CHANGE},
        .evening = n->could > 0.0 ? silt_shallow_evening(n->terrain, p->reach)
                                  : silt_evening_none, // nothing to even out before
        .banks = silt_shallow_evening(n->terrain, p->banks),
        .slip = (float)(p->banks * p->banks / (n->terrain->cell * n->terrain->cell) * dt),
        .per_dt = (float)(1.0 / dt),
        .share = (float)(0.25 * smoothing),
        .loss_dither = silt_dither(index, 0xA54FF53Bu),
        .dry = (int32_t)fmin(p->dry / n->grain, 1e9),
        .film_loss = as_paper ? 1e9f : (float)(p->dry * dt / (60.0 * n->grain)), // within a minute
        .grain = (float)n->grain,
        .cell = (float)n->terrain->cell,
        .dt = (float)dt,
    };
}

// What water can carry, evened out, follows in some steps what it could carry. While water gathers that would
// be late by a minute, by longer the finer the grid: so what has grown everywhere in a step is made up for in
// the next, and only the differences between places take their steps.
static void follow(Newton *n, double could)
{
    bool known = n->could > 0.0 && could > 0.0;
    n->growth = known ? (float)fmin(fmax(could / n->could, 0.25), 4.0) : 1.0f;
    n->could = could;
}

// The books of the whole map.
static void take_stock(Newton *n, double dt, SiltLedger *ledger, SiltCounters *counters)
{
    NewtonTally all = {0};
    for (int band = 0; band < silt_grid_band_count(n->grid); band++) {
        const NewtonTally *tally = silt_grid_tally(n->grid, 0, band);
        all.added += tally->added;
        all.dried += tally->dried;
        all.left += tally->left;
        all.sediment_added += tally->sediment_added;
        all.sediment_left += tally->sediment_left;
        all.swift += tally->swift;
        all.could += tally->could;
        all.deepest = silt_maxi(all.deepest, tally->deepest);
        all.swiftest = silt_maxi(all.swiftest, tally->swiftest);
    }
    float square;
    memcpy(&square, &all.swiftest, sizeof square);
    double sums[] = {(double)all.added,          (double)(all.dried + all.left),
                     (double)all.sediment_added, (double)all.sediment_left,
                     (double)all.swift,          (double)all.could};
    double most[] = {(double)all.deepest, (double)silt_sqrtf(square)};
    silt_region_fold(silt_grid_region(n->grid), SILT_FOLD_SUM, sums, 6);
    silt_region_fold(silt_grid_region(n->grid), SILT_FOLD_MOST, most, 2);
    double grain_volume = n->grain * n->terrain->cell * n->terrain->cell;
    silt_pulse_take(&n->pulse, (double)(float)dt, sums[0], sums[1]);
    ledger->water.added += sums[0] * grain_volume;
    ledger->water.removed += sums[1] * grain_volume;
    ledger->rock.added += sums[2] * grain_volume;
    ledger->rock.removed += sums[3] * grain_volume;
    n->deepest = most[0] * n->grain;
    n->swiftest = most[1];
    counters->limited[0] += (int64_t)sums[4];
    follow(n, sums[5]);
    counters->substeps++;
}

static NewtonPass pass_of(const Newton *n, double dt)
{
    const NewtonParams *p = n->params;
    return (NewtonPass){.newton = n,
                        .step = water_step(n, dt),
                        .rock = rock_step(n, dt),
                        .all = p->averaging == SILT_NEWTON_ALL,
                        .parts = p->transfer == SILT_NEWTON_BILINEAR,
                        .north = p->north == SILT_BORDER_OPEN,
                        .south = p->south == SILT_BORDER_OPEN,
                        .west = p->west == SILT_BORDER_OPEN,
                        .east = p->east == SILT_BORDER_OPEN,
                        .has_erodibility = n->erodibility != NULL,
                        .evens = n->around.data != NULL,
                        .slips = n->dug.data != NULL,
                        .growth = n->growth,
                        .low = n->base.low,
                        .grain = n->grain,
                        .supply = silt_supply_step_of(&n->supply),
                        .strata = silt_strata_step(&n->strata)};
}

static void substep(Newton *n, double dt, SiltLedger *ledger, SiltCounters *counters)
{
    n->supply.top = n->base.high;
    silt_supply_step(&n->supply, n->time, dt);
    NewtonPass pass = pass_of(n, dt);
    const void *steps[] = {&pass};
    silt_grid_pass(n->grid, steps, 1);
    silt_supply_finish(&n->supply);
    take_stock(n, dt, ledger, counters);
    n->time += dt;
    n->step_index++;
}

static double newton_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Newton *n = state;
    bool as_paper = n->params->time_scaling == SILT_NEWTON_PAPER;
    double wanted = as_paper ? paper_step(n) : n->params->step > 0.0 ? n->params->step : stable_step(n);
    double dt;
    silt_substeps_begin(&n->substeps, wanted < time_left ? wanted : time_left);
    while (silt_substeps_next(&n->substeps, stable_step(n), &dt))
        substep(n, dt, ledger, counters);
    return silt_substeps_end(&n->substeps);
}

static SiltStatus newton_tend(void *state, SiltLedger *ledger)
{
    (void)ledger;
    Newton *n = state;
    silt_substeps_warn(&n->substeps, "erode newton", n->params->step, stable_step(n), n->deepest,
                       n->swiftest);
    return SILT_OK;
}

// ---- out of grains ----

static bool newton_rest(void *state, SiltLedger *ledger)
{
    Newton *n = state;
    SiltShallow shallow = shallow_of(n);
    if (n->substeps.left > 0.0) // of a step that was stopped half-way
        return true;
    return silt_shallow_rest(&shallow, &n->supply, n->time, ledger);
}

static bool newton_rests(const void *state)
{
    return ((const Newton *)state)->supply.stopped;
}

// ---- what it shows, and what a hand changes ----

static void newton_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Newton *n = state;
    SiltShallow shallow = shallow_of(n);
    double per_second = n->time > 0.0 ? 1.0 / n->time : 0.0;
    if (silt_shallow_show(&shallow, layer, j, begin, end, out))
        return;
    for (int i = begin; layer == SILT_SHALLOW_FLOW && i < end; i++)
        out[i] = (float)((double)silt_field_at(&n->flow, i, j) * per_second);
    for (int i = begin; layer == SILT_SHALLOW_SPEED && i < end; i++) {
        double x = (double)silt_field_at(&n->velocity_x, i, j),
               y = (double)silt_field_at(&n->velocity_y, i, j);
        double z = (double)silt_field_at(&n->velocity_z, i, j);
        out[i] = (float)sqrt((x * x + y * y) + z * z);
    }
}

static const SiltField *newton_field(const void *state, int layer)
{
    return layer == SILT_SHALLOW_WETNESS ? &((const Newton *)state)->wetness : NULL;
}

static void newton_edit(void *state, SiltEditRow *row)
{
    Newton *n = state;
    SiltShallow shallow = shallow_of(n);
    n->deepest = fmax(n->deepest, silt_shallow_edit(&shallow, row));
    n->pulse.held += row->what == SILT_EDIT_WATER ? row->added / n->grain : 0.0;
}

static SiltStatus newton_refresh(void *state)
{
    Newton *n = state;
    SiltStatus status =
        silt_erodibility_find("erode newton", n->params->erodibility, n->terrain, &n->erodibility);
    return status == SILT_OK ? silt_supply_refresh("erode newton", &n->supply, n->time) : status;
}

static SiltStatus newton_resume(void *state)
{
    Newton *n = state;
    SiltShallow shallow = shallow_of(n);
    SiltStatus status = silt_ground_resume("erode newton", &n->base, &n->change_before);
    if (status == SILT_OK)
        status = silt_shallow_resume("erode newton", &shallow);
    n->grain = n->base.grain;
    return status == SILT_OK ? newton_refresh(state) : status;
}

static SiltStatus newton_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    (void)terrain;
    const Newton *n = state;
    SiltShallow shallow = shallow_of(n);
    ledger->water.stored = silt_shallow_volume(&shallow, &n->fluid);
    ledger->rock.stored = silt_shallow_rock(&shallow);
    ledger->rock.moved = silt_shallow_volume(&shallow, &n->wear);
    return SILT_OK;
}

static const SiltGround *newton_base(const void *state)
{
    return &((const Newton *)state)->base;
}

static SiltGrid *newton_grid(const void *state)
{
    return ((const Newton *)state)->grid;
}

static const char *const newton_layer_fields[] = {
    "ground", "fluid",       "dissolved", "deposit",
    "wear",   "ground wear", "flow",      "velocity_x velocity_y velocity_z",
    "wetness"};

const SiltModel silt_model_newton = {
    .name = "newton",
    .summary = "water with mass and velocity on a grid that dissolves, carries and deposits",
    .source = "Neidhold, Wacker, Deussen 2005, Interactive physically based fluid and erosion simulation",
    .clock = "s",
    .reads = "water sediment deposit paint",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(NewtonParams, newton_items),
    .state = newton_state,
    .state_count = sizeof newton_state / sizeof newton_state[0],
    .state_size = sizeof(Newton),
    .limiters = newton_limiters,
    .grid = newton_grid,
    .base = newton_base,
    .layer_fields = newton_layer_fields,
    .rest_fields = "ground fluid dissolved deposit",
    .halo = 4,
    .default_steps = 1000,
    .step_bytes = 80.0, // ten fields in and out
    .begin = newton_begin,
    .step = newton_step,
    .tend = newton_tend,
    .rest = newton_rest,
    .rests = newton_rests,
    .layers = silt_shallow_layers,
    .show = newton_show,
    .field = newton_field,
    .edit = newton_edit,
    .tries_edits = true,
    .refresh = newton_refresh,
    .resume = newton_resume,
    .store = newton_store,
    .end = newton_end,
};
