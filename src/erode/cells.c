// Olsen's cellular automaton (Fritz 3.5.1): rain falls, dissolves what it stands on, moves to lower
// neighbours, evaporates and drops what it carried. This file declares the model, brings a terrain into
// grains and back, and keeps the books; cells_phases.c does the step.
#include "erode/cells.h"

#include <math.h>

#include "core/parallel.h"
#include "core/status.h"
#include "erode/shallow.h"

static const SiltParam cells_items[] = {
    SILT_PAPER_SWITCH(CellsParams),
    SILT_SUPPLY_ITEMS(CellsParams, 20.0, 0.0, "steady", "gaussian", "exponential", 2e-6, "closed"),
    SILT_REAL(CellsParams, speed, "m/s", 1.0, 0.001, 1000.0,
              "how fast water runs: a step moves it by one cell, and takes the time for that",
              .flags = SILT_LOG),
    SILT_REAL(CellsParams, dissolve, "1/s", 0.01, 0.0, 10.0,
              "how fast water takes up rock on a cliff, as a share of its depth",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(CellsParams, capacity, "1", 0.2, 0.0, 0.5, "rock that water can hold, as a share of its volume",
              .flags = SILT_LIVE),
    SILT_REAL(CellsParams, least_steepness, "1", 0.05, 0.0, 1.0,
              "hardness by steepness: rock dissolves by the sine of its slope, and by this on flat ground"),
    SILT_REAL(CellsParams, still, "1", 0.03, 0.0, 1.0,
              "slope of the water's surface below which it holds less rock, down to none where it stands; 0: "
              "rock only falls out where water dries up, as in the paper",
              .paper = "0"),
    SILT_REAL(CellsParams, loose, "1", 3.0, 1.0, 100.0, "how much faster deposit is taken up than rock",
              .paper = "1"),
    SILT_REAL(CellsParams, pace, "1", 25.0, 1.0, 10000.0,
              "how many times faster than the water the ground changes: a flood stands for many",
              .flags = SILT_LIVE | SILT_LOG, .paper = "1"),
    SILT_CHOICE(
        CellsParams, spread, "drop even", "drop",
        "how a cell that runs empty shares out its water: by the drops (Olsen) or in equal parts (Fritz)",
        .paper = "even"),
    SILT_CHOICE(CellsParams, neighbours, "four eight", "eight", "cells that water can reach from a cell",
                .paper = "four"),
    SILT_CHOICE(CellsParams, bounds, "slopes none", "slopes",
                "whether slopes bound what is dug, heaped and passed on in a step, so that lakes come to "
                "rest; the paper has "
                "no bounds",
                .paper = "none"),
    SILT_LAYER(CellsParams, erodibility, "erodibility", "layer that multiplies how fast rock dissolves"),
    SILT_STRATA_ITEMS(CellsParams),
};

static const SiltStateItem cells_state[] = {
    SILT_STATE(Cells, ground, SILT_STATE_COUNTS, "grains", "height of the ground above the lowest point"),
    SILT_STATE(Cells, water, SILT_STATE_COUNTS, "grains", "depth of the water"),
    SILT_STATE(Cells, sediment, SILT_STATE_COUNTS, "grains", "rock in the water"),
    SILT_STATE(Cells, deposit, SILT_STATE_COUNTS, "grains", "loose material on the rock"),
    SILT_STATE(Cells, wear, SILT_STATE_SUMS, "grains", "ground dissolved so far"),
    SILT_STATE(Cells, flow, SILT_STATE_FIELD, "m3", "water that has left the cell"),
    SILT_STATE(Cells, wetness, SILT_STATE_FIELD, "s", "time under water"),
    SILT_STATE(Cells, speed, SILT_STATE_FIELD, "m/s", "of the water in the last step"),
    SILT_STATE(Cells, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Cells, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(Cells, step_index, SILT_STATE_INT64, "", "steps since the beginning"),
    SILT_SUPPLY_STATE(Cells),
    SILT_GROUND_STATE(Cells, origin),
    SILT_STATE(Cells, strata.top, SILT_STATE_FLOAT, "m", "where the first bed begins"),
};

static const char *const cells_limiters[] = {"full", NULL};

static SiltShallow shallow_of(const Cells *c)
{
    return (SiltShallow){&c->origin, &c->ground, &c->deposit, &c->water, &c->sediment, &c->wear};
}

static SiltStatus find_layers(Cells *cells)
{
    SiltStatus status =
        silt_erodibility_find("erode cells", cells->params->erodibility, cells->terrain, &cells->erodibility);
    if (status != SILT_OK)
        return status;
    return silt_strata_begin(&cells->params->geology, cells->terrain, "erode cells", &cells->strata);
}

static SiltStatus cells_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                              SiltLedger *ledger)
{
    Cells *cells = state;
    cells->params = params;
    cells->terrain = terrain;
    SiltStatus status =
        silt_supply_begin("erode cells", &cells->params->supply, terrain, run, &cells->supply);
    if (status == SILT_OK)
        status =
            silt_ground_begin("erode cells", terrain, SILT_SHALLOW_HEADROOM, &cells->before, &cells->origin);
    if (status == SILT_OK)
        status = find_layers(cells);
    if (status == SILT_OK)
        status = silt_cells_grid(cells, false, &cells->grid);
    if (status != SILT_OK)
        return status;
    cells->step_time = terrain->cell / cells->params->speed;
    if (cells->params->evaporation * cells->step_time > 1.0)
        silt_warn("erode cells: evaporation = %g 1/s dries water up within a step, which takes %g s (cell / "
                  "speed): what it erodes depends on the size of the cells",
                  cells->params->evaporation, cells->step_time);
    SiltShallow shallow = shallow_of(cells);
    silt_shallow_fill(&shallow);
    ledger->water.initial = silt_shallow_volume(&shallow, &cells->water);
    ledger->rock.initial = silt_shallow_rock(&shallow);
    silt_shallow_relieve_all(&shallow, ledger);
    return SILT_OK;
}

static void cells_end(void *state)
{
    Cells *cells = state;
    silt_supply_end(&cells->supply);
    silt_grid_destroy(cells->grid);
}

// The books of the whole map.
static void take_stock(const Cells *cells, SiltLedger *ledger, SiltCounters *counters)
{
    CellsTally all = {0};
    for (int band = 0; band < silt_grid_band_count(cells->grid); band++) {
        const CellsTally *tally = silt_grid_tally(cells->grid, 0, band);
        all.rained += tally->rained;
        all.evaporated += tally->evaporated;
        all.water_before += tally->water_before;
        all.water_after += tally->water_after;
        all.rock_added += tally->rock_added;
        all.rock_before += tally->rock_before;
        all.rock_after += tally->rock_after;
        all.full += tally->full;
    }
    double sums[] = {(double)all.rained, (double)(all.evaporated + all.water_before - all.water_after),
                     (double)all.rock_added, (double)(all.rock_before - all.rock_after), (double)all.full};
    silt_region_fold(silt_grid_region(cells->grid), SILT_FOLD_SUM, sums, 5);
    double grain = cells->origin.grain * cells->terrain->cell * cells->terrain->cell;
    ledger->water.added += sums[0] * grain;
    ledger->water.removed += sums[1] * grain;
    ledger->rock.added += sums[2] * grain;
    ledger->rock.removed += sums[3] * grain;
    counters->limited[0] += (int64_t)sums[4];
    counters->substeps++;
}

// What all cells share in a step of `dt` seconds.
static CellsPass prepare(Cells *cells, double dt)
{
    const CellsParams *params = cells->params;
    double grain = cells->origin.grain, cell = cells->terrain->cell, dissolved = params->dissolve * dt;
    uint64_t n = (uint64_t)cells->step_index;
    SiltCellsStep step = {
        .per_metre = (float)(1.0 / grain),
        .over_two = (float)(0.5 * grain / cell),
        .rate =
            (float)(params->pace * dissolved / (1.0 + dissolved)), // stays below pace, however long the step
        .capacity = (float)(params->pace * params->capacity),
        .least = (float)params->least_steepness,
        .loose = (float)params->loose,
        .still = (float)params->still,
        .rain_dither = silt_supply_dither(&cells->supply, (float)(1.0 / grain),
                                          silt_dither(n, 0x9E3779B9u)), // golden section; roots of 3, 5, 7
        .rock_dither = silt_dither(n, 0xBB67AE85u),
        .load_dither = silt_dither(n, 0x3C6EF373u),
        .loss_dither = silt_dither(n, 0xA54FF53Bu),
        .dt = (float)dt,
        .volume = (float)(grain * cell * cell),
        .top_speed = (float)(cell / (double)(float)dt),
        .wet = (int32_t)(0.001 / grain),
        .fan =
            params->bounds == CELLS_FREE ? 500000000 : (int32_t)fmin(SILT_STEEPEST_FAN * cell / grain, 1e8),
        .most = params->bounds == CELLS_FREE        ? 1e9f
                : params->neighbours == CELLS_EIGHT ? 1.0f / 9.0f
                                                    : 1.0f / 5.0f,
        .dig = {0.0f, 0.5f, params->bounds == CELLS_FREE}, // this water has no speed that would lift it
    };
    return (CellsPass){.cells = cells,
                       .step = step,
                       .eight = params->neighbours == CELLS_EIGHT,
                       .evenly = params->spread == CELLS_EVENLY,
                       .north = params->north == SILT_BORDER_OPEN,
                       .south = params->south == SILT_BORDER_OPEN,
                       .west = params->west == SILT_BORDER_OPEN,
                       .east = params->east == SILT_BORDER_OPEN,
                       .has_erodibility = cells->erodibility != NULL,
                       .low = (float)cells->origin.low,
                       .grain = (float)grain,
                       .supply = silt_supply_step_of(&cells->supply),
                       .strata = silt_strata_step(&cells->strata)};
}

static double cells_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Cells *cells = state;
    double dt = time_left < cells->step_time ? time_left : cells->step_time;
    cells->supply.top = cells->origin.high;
    silt_supply_step(&cells->supply, cells->time, dt);
    CellsPass pass = prepare(cells, dt);
    const void *steps[] = {&pass};
    silt_grid_pass(cells->grid, steps, 1);
    silt_supply_finish(&cells->supply);
    take_stock(cells, ledger, counters);
    cells->time += dt;
    cells->step_index++;
    return dt;
}

static bool cells_rest(void *state, SiltLedger *ledger)
{
    Cells *cells = state;
    SiltShallow shallow = shallow_of(cells);
    return silt_shallow_rest(&shallow, &cells->supply, cells->time, ledger);
}

static bool cells_rests(const void *state)
{
    return ((const Cells *)state)->supply.stopped;
}

// ---- what it shows, and what a hand changes ----

static void cells_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Cells *cells = state;
    SiltShallow shallow = shallow_of(cells);
    double per_second = cells->time > 0.0 ? 1.0 / cells->time : 0.0;
    if (!silt_shallow_show(&shallow, layer, j, begin, end, out))
        for (int i = begin; i < end; i++)
            out[i] = (float)((double)silt_field_at(&cells->flow, i, j) * per_second);
}

static const SiltField *cells_field(const void *state, int layer)
{
    const Cells *cells = state;
    return layer == SILT_SHALLOW_SPEED     ? &cells->speed
           : layer == SILT_SHALLOW_WETNESS ? &cells->wetness
                                           : NULL;
}

static void cells_edit(void *state, SiltEditRow *row)
{
    SiltShallow shallow = shallow_of(state);
    silt_shallow_edit(&shallow, row);
}

static SiltStatus cells_refresh(void *state)
{
    Cells *cells = state;
    SiltStatus status =
        silt_erodibility_find("erode cells", cells->params->erodibility, cells->terrain, &cells->erodibility);
    return status == SILT_OK ? silt_supply_refresh("erode cells", &cells->supply, cells->time) : status;
}

static SiltStatus cells_resume(void *state)
{
    Cells *cells = state;
    SiltShallow shallow = shallow_of(cells);
    SiltStatus status = silt_ground_resume("erode cells", &cells->origin, &cells->before);
    if (status == SILT_OK)
        status = silt_shallow_resume("erode cells", &shallow);
    return status == SILT_OK ? cells_refresh(state) : status;
}

static SiltStatus cells_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    (void)terrain;
    const Cells *cells = state;
    SiltShallow shallow = shallow_of(cells);
    ledger->water.stored = silt_shallow_volume(&shallow, &cells->water);
    ledger->rock.stored = silt_shallow_rock(&shallow);
    ledger->rock.moved = silt_shallow_volume(&shallow, &cells->wear);
    return SILT_OK;
}

static const SiltGround *cells_base(const void *state)
{
    return &((const Cells *)state)->origin;
}

static SiltGrid *cells_grid(const void *state)
{
    return ((const Cells *)state)->grid;
}

static const char *const cells_layer_fields[] = {"ground",      "water", "sediment", "deposit", "wear",
                                                 "ground wear", "flow",  "speed",    "wetness"};

const SiltModel silt_model_cells = {
    .name = "cells",
    .summary = "rain dissolves rock, runs to lower cells and drops it where it stands or dries up",
    .source = "Fritz 2016, 3.5.1, after Olsen 2004",
    .clock = "s",
    .reads = "water sediment deposit paint",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(CellsParams, cells_items),
    .state = cells_state,
    .state_count = sizeof cells_state / sizeof cells_state[0],
    .state_size = sizeof(Cells),
    .limiters = cells_limiters,
    .grid = cells_grid,
    .base = cells_base,
    .layer_fields = cells_layer_fields,
    .rest_fields = "ground water sediment deposit",
    .halo = 3,
    .default_steps = 1000,
    .step_bytes = 60.0, // seven fields in and out, and the speed out
    .begin = cells_begin,
    .step = cells_step,
    .rest = cells_rest,
    .rests = cells_rests,
    .layers = silt_shallow_layers,
    .show = cells_show,
    .field = cells_field,
    .edit = cells_edit,
    .tries_edits = true,
    .refresh = cells_refresh,
    .resume = cells_resume,
    .store = cells_store,
    .end = cells_end,
};
