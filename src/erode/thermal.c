// Thermal weathering (Fritz 3.4 and 4.3, after Olsen 2004): rock that frost has loosened slides down wherever
// the slope exceeds the talus angle, and loose material slides before rock breaks.
//
// Between two neighbours at distance d the flux is rate * (drop - d tan(talus)) of the higher cell, written
// so that both see the same whole number of grains (physics/thermal_cell.h): the volume is kept exactly. The
// sum of all shares of a cell is at most one half, so no step overshoots and every height stays between the
// lowest and the highest. In the limit of many small cells it is diffusion of the slope beyond the talus, and
// a step stands for the time in which that diffusion does as much: twice the resolution takes four times the
// steps.
#include "erode/thermal.h"

#include <math.h>

#include "core/parallel.h"
#include "erode/shallow.h"
#include "erode/thermal_rows.h"
#include "physics/elementary.h"

enum { MODE_CONSTANT, MODE_HEIGHT_AWARE };

static const SiltParam thermal_items[] = {
    SILT_PAPER_SWITCH(ThermalParams),
    SILT_REAL(ThermalParams, talus, "deg", 33.0, 0.0, 90.0, "steepest slope on which loose material rests",
              .flags = SILT_LIVE),
    SILT_REAL(ThermalParams, strength, "deg", 65.0, 0.0, 89.0,
              "slope up to which bare rock stands; harder rock by 1 / sqrt(erodibility) steeper; not above "
              "talus: rock breaks wherever loose material would slide",
              .flags = SILT_LIVE, .paper = "0"),
    SILT_REAL(
        ThermalParams, rate, "m2/year", 1.0, 1e-6, 1e6,
        "how fast loose material slides: flow per metre of width for each unit of slope beyond the talus",
        .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(ThermalParams, amount, "", 1.0, 0.001, 1.0,
              "what a step moves, as a share of the most it can move without overshooting"),
    SILT_REAL(ThermalParams, rock, "", 0.5, 0.0, 1.0, "how fast rock breaks where loose material has 1",
              .flags = SILT_LIVE, .paper = "1"),
    SILT_CHOICE(ThermalParams, mode, "constant height-aware", "constant",
                "whether rock is as hard everywhere, or harder the higher it lies"),
    SILT_REAL(ThermalParams, summit, "", 0.0, 0.0, 1.0,
              "height-aware: what the amount falls to at the highest point"),
    SILT_CHOICE(ThermalParams, neighbours, "rotated eight round", "round",
                "where material slides to: the four diagonal neighbours as in Olsen, all eight, or down the "
                "steepest fall, which makes round cones",
                .paper = "rotated"),
    SILT_LAYER(ThermalParams, erodibility, "erodibility", "layer that multiplies the rock's erodibility"),
    SILT_STRATA_ITEMS(ThermalParams),
};

static const SiltStateItem thermal_state[] = {
    SILT_STATE(Thermal, ground, SILT_STATE_COUNTS, "grains", "height of the surface above low"),
    SILT_STATE(Thermal, bed, SILT_STATE_COUNTS, "grains", "height of the rock under the loose material"),
    SILT_STATE(Thermal, risen, SILT_STATE_SUMS, "grains", "all that steps have added to a cell"),
    SILT_STATE(Thermal, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Thermal, since, SILT_STATE_COUNTS, "grains", "how far cells have come since the watch began"),
    SILT_STATE(Thermal, watching, SILT_STATE_INT64, "", "whether it is watched how far cells come"),
    SILT_STATE(Thermal, most, SILT_STATE_DOUBLE, "grains", "that a cell gained or lost since the last look"),
    SILT_STATE(Thermal, step_index, SILT_STATE_INT64, "", "steps since the beginning"),
    SILT_GROUND_STATE(Thermal, origin),
    SILT_STATE(Thermal, strata.top, SILT_STATE_FLOAT, "m", "where the first bed begins"),
};

static int32_t talus_grains(const Thermal *thermal, double talus, double distance)
{
    double drop = talus < 90.0 ? silt_tan(talus * (3.14159265358979323846 / 180.0)) * distance : INFINITY;
    double most = ldexp(1.0, 30); // no two cells are that far apart
    return (int32_t)fmin(floor(drop / thermal->origin.grain + 0.5), most);
}

static void load_rows(void *context, int begin, int end)
{
    Thermal *thermal = context;
    const SiltTerrain *terrain = thermal->origin.terrain;
    const SiltField *deposit = silt_terrain_layer(terrain, "deposit");
    for (int j = begin; j < end; j++) {
        int32_t *ground = silt_grains_row(&thermal->ground, j), *bed = silt_grains_row(&thermal->bed, j);
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            ground[i] = silt_ground_grains(&thermal->origin, i, j);
            bed[i] = ground[i] - silt_ground_layer_grains(&thermal->origin, deposit, i, j);
        }
    }
}

// The share of the excess that goes to one neighbour, so that all shares together are one half, and the time
// that stands for: on a smooth slope far beyond the talus the exchange is diffusion with 2 share d^2 a step
// for the four diagonal neighbours and for all eight (of which the diagonal ones have half the share),
// and 3.5 share d^2 across corners and sides (weights in thermal_phases.c).
static void choose_rates(Thermal *thermal, const ThermalParams *params, double cell)
{
    static const double shares[] = {1.0 / 8.0, 1.0 / 12.0, 1.0 / 16.0}, spread[] = {2.0, 2.0, 3.5};
    thermal->neighbours = params->neighbours;
    double share = params->amount * shares[params->neighbours];
    thermal->rate = (float)share;
    thermal->step_time = spread[params->neighbours] * share * cell * cell / params->rate;
    thermal->rock = (float)params->rock;
    if (params->mode == MODE_HEIGHT_AWARE)
        thermal->height_factor =
            (float)((params->summit - 1.0) /
                    fmax((thermal->origin.high - thermal->origin.low) / thermal->origin.grain, 1.0));
    thermal->talus[0] = talus_grains(thermal, params->talus, cell);
    thermal->talus[1] = talus_grains(thermal, params->talus, cell * sqrt(2.0));
    thermal->stands =
        params->strength > params->talus ? (float)talus_grains(thermal, params->strength, cell) : 0.0f;
    thermal->mobile = thermal->stands > 0.0f || params->mode == MODE_HEIGHT_AWARE || thermal->erodibility ||
                      thermal->strata.count || params->rock < 1.0;
}

static SiltStatus find_erodibility(Thermal *thermal, const ThermalParams *params)
{
    SiltStatus status = silt_erodibility_find("erode thermal", params->erodibility, thermal->origin.terrain,
                                              &thermal->erodibility);
    if (status != SILT_OK)
        return status;
    return silt_strata_begin(&params->geology, thermal->origin.terrain, "erode thermal", &thermal->strata);
}

static double volume_of(const Thermal *thermal, bool risen);

static SiltStatus thermal_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                                SiltLedger *ledger)
{
    (void)run;
    Thermal *thermal = state;
    thermal->params = params;
    SiltStatus status = silt_ground_begin("erode thermal", terrain, 0.0, &thermal->before, &thermal->origin);
    if (status == SILT_OK)
        status = find_erodibility(thermal, params);
    if (status == SILT_OK)
        status = silt_thermal_grid(thermal, false, &thermal->grid);
    if (status != SILT_OK)
        return status;
    choose_rates(thermal, params, terrain->cell);
    silt_parallel(terrain->height, 16, load_rows, thermal);
    ledger->rock.initial = volume_of(thermal, false);
    return SILT_OK;
}

// Every THERMAL_STEPS steps: whether all has come to rest. Grains may still go to and fro by then, so where
// steps have become small it is watched how far each cell comes on the whole.
static void look(Thermal *thermal, double apart, SiltCounters *counters)
{
    const double small = 1024.0;
    counters->at_rest = thermal->watching && apart <= THERMAL_STEPS;
    thermal->watching = thermal->most <= small;
    thermal->most = 0.0;
}

// Whole steps while there is time for them, then one for the rest. Passes end where it is time to look, so it
// makes no difference how many steps are asked for at once.
static double thermal_leap(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                           SiltCounters *counters)
{
    (void)ledger;
    Thermal *thermal = state;
    double fit = time_left / thermal->step_time * (1.0 + 1e-9), most, apart;
    int64_t at_once = silt_grid_steps(thermal->grid),
            to_look = THERMAL_STEPS - thermal->step_index % THERMAL_STEPS;
    int64_t room = steps < at_once ? steps : at_once;
    room = room < to_look ? room : to_look;
    *taken = fit < 1.0 ? 1 : fit < (double)room ? (int64_t)fit : room;
    double share = fit < 1.0 ? fit : 1.0;
    silt_thermal_pass(thermal, (int)*taken, (float)((double)thermal->rate * share), &most, &apart);
    thermal->most = most > thermal->most ? most : thermal->most;
    thermal->step_index += *taken;
    if (thermal->step_index % THERMAL_STEPS == 0)
        look(thermal, apart, counters);
    return fit < 1.0 ? time_left : (double)*taken * thermal->step_time;
}

static double thermal_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    int64_t taken;
    return thermal_leap(state, 1, time_left, &taken, ledger, counters);
}

// ---- what it shows, and what a hand changes ----

enum { CHANGE, WEAR, DEPOSITION, DEPOSIT };
static const char *const thermal_layers[] = {"change", "wear", "deposition", "deposit", NULL};

static void thermal_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Thermal *thermal = state;
    const SiltGround *origin = &thermal->origin;
    const int32_t *ground = silt_grains_row(&thermal->ground, j), *bed = silt_grains_row(&thermal->bed, j);
    const uint32_t *risen = (const uint32_t *)silt_grains_row(&thermal->risen, j);
    double grain = origin->grain;
    if (layer == CHANGE)
        silt_ground_change_row(origin, ground, j, begin, end, out);
    for (int i = begin; layer == WEAR && i < end; i++)
        out[i] = (float)(((double)risen[i] - (double)(ground[i] - silt_ground_grains(origin, i, j))) * grain);
    for (int i = begin; layer == DEPOSITION && i < end; i++)
        out[i] = (float)(risen[i] * grain);
    for (int i = begin; layer == DEPOSIT && i < end; i++)
        out[i] = (float)((ground[i] - bed[i]) * grain);
}

// Raised ground is rock; where it is lowered, loose material goes first.
static void thermal_edit(void *state, SiltEditRow *row)
{
    Thermal *thermal = state;
    int32_t *ground = silt_grains_row(&thermal->ground, row->j),
            *bed = silt_grains_row(&thermal->bed, row->j);
    for (int k = 0; k < row->count; k++) {
        int i = row->i + k;
        if (silt_terrain_is_nodata(thermal->origin.terrain, i, row->j))
            continue;
        if (row->trial) {
            bool can = silt_ground_can_edit(&thermal->origin, i, row->j, row->metres[k], ground[i],
                                            -(1 << 30), 1 << 30);
            row->refused += !can;
            row->refused_i = can ? row->refused_i : i;
            continue;
        }
        int32_t gained =
            silt_ground_edit(&thermal->origin, i, row->j, row->metres[k],
                             -(1 << 30) - silt_mini(ground[i], 0), silt_maxi((1 << 30) - ground[i], 0));
        ground[i] += gained;
        bed[i] = gained > 0 ? bed[i] + gained : silt_mini(bed[i], ground[i]);
        row->added += gained * thermal->origin.grain;
    }
}

enum { OF_GROUND, OF_RISEN, OF_CELLS };

typedef struct SumJob {
    const Thermal *thermal;
    int what;
} SumJob;

// In whole grains, so that it makes no difference how the map is cut.
static double sum_rows(void *context, int begin, int end)
{
    const SumJob *job = context;
    const Thermal *thermal = job->thermal;
    const SiltTerrain *terrain = thermal->origin.terrain;
    SiltRegion region = silt_region_of(terrain);
    int64_t all = 0;
    for (int j = begin; j < end; j++) {
        const int32_t *ground = silt_grains_row(&thermal->ground, j);
        const uint32_t *risen = (const uint32_t *)silt_grains_row(&thermal->risen, j);
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j) &&
                silt_region_owns(&region, terrain->width, terrain->height, i, j))
                all += job->what == OF_GROUND ? ground[i] : job->what == OF_RISEN ? (int64_t)risen[i] : 1;
    }
    return (double)all;
}

// Cubic metres of rock above height zero, or of all that has risen.
static double volume_of(const Thermal *thermal, bool risen)
{
    double cell = thermal->origin.terrain->cell, sums[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        SumJob job = {thermal, k == 1 ? OF_CELLS : risen ? OF_RISEN : OF_GROUND};
        sums[k] = silt_parallel_sum(thermal->ground.height, sum_rows, &job);
    }
    SiltRegion region = silt_region_of(thermal->origin.terrain);
    silt_region_fold(&region, SILT_FOLD_SUM, sums, 2);
    return (sums[0] * thermal->origin.grain + (risen ? 0.0 : sums[1] * thermal->origin.low)) * cell * cell;
}

static SiltStatus thermal_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    (void)terrain;
    ledger->rock.moved = volume_of(state, true);
    ledger->rock.stored = volume_of(state, false);
    return SILT_OK;
}

static SiltStatus thermal_refresh(void *state)
{
    Thermal *thermal = state;
    SiltStatus status = silt_erodibility_find("erode thermal", thermal->params->erodibility,
                                              thermal->origin.terrain, &thermal->erodibility);
    if (status == SILT_OK)
        choose_rates(thermal, thermal->params, thermal->origin.terrain->cell);
    return status;
}

static SiltStatus thermal_resume(void *state)
{
    Thermal *thermal = state;
    SiltStatus status = silt_ground_resume("erode thermal", &thermal->origin, &thermal->before);
    return status == SILT_OK ? thermal_refresh(state) : status;
}

static void thermal_end(void *state)
{
    Thermal *thermal = state;
    silt_grid_destroy(thermal->grid);
}

static const SiltGround *thermal_base(const void *state)
{
    return &((const Thermal *)state)->origin;
}

static SiltGrid *thermal_grid(const void *state)
{
    return ((const Thermal *)state)->grid;
}

static const char *const thermal_layer_fields[] = {"ground", "ground risen", "risen", "ground bed"};

const SiltModel silt_model_thermal = {
    .name = "thermal",
    .summary = "slopes steeper than the talus angle crumble and slide",
    .source = "Fritz 2016, 3.4 and 4.3, after Olsen 2004",
    .clock = "years",
    .params = SILT_PARAM_TABLE(ThermalParams, thermal_items),
    .state = thermal_state,
    .state_count = sizeof thermal_state / sizeof thermal_state[0],
    .state_size = sizeof(Thermal),
    .grid = thermal_grid,
    .base = thermal_base,
    .layer_fields = thermal_layer_fields,
    .halo = 2,
    .default_steps = 200,
    .step_bytes = 24.0, // three fields in and out, once in up to four steps
    .begin = thermal_begin,
    .step = thermal_step,
    .leap = thermal_leap,
    .layers = thermal_layers,
    .show = thermal_show,
    .edit = thermal_edit,
    .tries_edits = true,
    .refresh = thermal_refresh,
    .resume = thermal_resume,
    .store = thermal_store,
    .end = thermal_end,
};
