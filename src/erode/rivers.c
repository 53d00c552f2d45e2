// Rivers cut into rising land: dh/dt = U - K A^m S^n + G Qs / A + div(D grad h / (1 - (S / Sc)^2)), in years,
// metres and m2.
// A is the catchment above a cell, S the slope to where it drains, Qs what the river brings, in rock a year.
// docs/models.md has the sources and what differs from them.
#include "erode/rivers.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "terrain/terrain.h"

static const SiltParam rivers_items[] = {
    SILT_REAL(RiversParams, step, "years", 40000.0, 1e-3, 1e7, "how long a step is",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(RiversParams, uplift, "m/year", 0.000125, -0.1, 0.1, "how fast the land rises everywhere",
              .flags = SILT_LIVE),
    SILT_LAYER(RiversParams, uplift_map, "", "layer of further uplift in m/year, as plates makes it",
               .flags = SILT_BESIDES),
    SILT_REAL(RiversParams, uplift_scale, "", 1.0, -1000.0, 1000.0, "what multiplies that layer",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, wane, "years", 0.0, 0.0, 1e10,
              "after how long uplift is half of what it was; 0: it goes on for ever", .flags = SILT_LIVE),
    SILT_REAL(RiversParams, pulse, "years", 0.0, 0.0, 1e10,
              "how long a pulse of uplift and the rest after it take together; 0: no pulses",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, pulse_strength, "", 1.0, 0.0, 10.0,
              "by what share uplift is faster in a pulse, and slower in the rest", .flags = SILT_LIVE),
    SILT_REAL(RiversParams, incision, "", 3e-6, 0.0, 10.0,
              "K: how fast rivers cut, in m^(1-2m)/year; m is area_exponent", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(RiversParams, area_exponent, "", 0.4, 0.0, 2.0, "m: what more water does", .flags = SILT_LIVE),
    SILT_REAL(RiversParams, slope_exponent, "", 1.0, 0.2, 5.0, "n: what a steeper bed does",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, source_area, "m2", 5e4, 0.0, 1e9,
              "catchment with which valleys begin: above it are hillslopes, which less water hardly cuts",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(RiversParams, channel_width, "m", 3.0, 0.0, 1000.0,
              "width of a river with 1 km2 of land above it; others are wider by their catchment to the 0.4",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, lateral, "m/year", 0.004, 0.0, 10.0,
              "how fast a river moves its banks, within a belt of 8 channels to either side; one 3 m high "
              "moves half as fast, and higher ones more slowly still",
              .flags = SILT_LIVE),
    SILT_REAL(
        RiversParams, wander, "", 0.6, 0.0, 1.0,
        "how far it strays from the middle of its floor, in halves of its width, by seed: what it leaves "
        "behind while it cuts down are terraces",
        .flags = SILT_LIVE),
    SILT_REAL(RiversParams, deposition, "", 0.5, 0.0, 10.0,
              "G: how much of its load a river lays down again; 0: all of it leaves", .flags = SILT_LIVE),
    SILT_REAL(RiversParams, diffusion, "m2/year", 0.0015, 0.0, 1000.0, "D: how fast soil creeps down slopes",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, weathering, "m/year", 0.0, 0.0, 10.0,
              "how fast rock becomes soil, which alone creeps: crests that are lowered faster stay bare; 0: "
              "all is soil",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, critical_slope, "deg", 40.0, 1.0, 89.0,
              "Sc: near it soil creeps faster and faster, and what is steeper slides down",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, chute_slope, "", 0.65, 0.0, 1.0,
              "from what part of that slope on debris scours the bed of a stream; 1: never",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, strength_variation, "", 0.2, 0.0, 0.8,
              "by what share that slope differs from place to place, over some hundred metres",
              .flags = SILT_LIVE),
    SILT_REAL(
        RiversParams, standing, "", 1.0, 0.0, 1.0,
        "how much of what is steeper than that where a run begins is taken for rock that is strong enough "
        "to stand so; of land, not of noise, and where no layer and no beds say what the rock is"),
    SILT_REAL(RiversParams, slide_time, "years", 20000.0, 0.0, 1e9,
              "how long ground that is too steep stands on average; 0: it comes down at once",
              .flags = SILT_LIVE),
    SILT_REAL(RiversParams, slide_size, "m", 600.0, 0.0, 1e5,
              "width of the largest slides; most are smaller; 0: it comes down everywhere alike",
              .flags = SILT_LIVE),
    SILT_CHOICE(
        RiversParams, lakes, "fill carve auto", "auto",
        "whether lakes stand until sediment fills them and rivers cut their brim, or are cut open; auto "
        "cuts them open where there are more than land ever has, as in noise"),
    SILT_CHOICE(
        RiversParams, routing, "steepest straight", "straight",
        "whether water runs to the steepest of eight neighbours, or in lines straight down the slope, "
        "so that no direction of the grid is preferred"),
    SILT_REAL(RiversParams, multiple, "", 0.0, 0.0, 10.0,
              "share discharge among all lower neighbours by slope to this power; 0: all goes one way"),
    SILT_CHOICE(
        RiversParams, sides, "open fixed falling closed", "open",
        "whether rivers leave at the lows of the edge (of land, not of noise, wherever it falls "
        "outwards too) and all else there wears as inside does, the whole edge keeps its height, goes "
        "on falling to the base, or lets nothing out"),
    SILT_REAL(RiversParams, outlet_spacing, "m", NAN, 0.0, 1e7,
              "how far around it a low of an open edge is the lowest; none: a sixteenth of the longer side"),
    SILT_REAL(RiversParams, base, "m", NAN, -20000.0, 20000.0,
              "where falling sides lead down to; none: the lowest point", .flags = SILT_LIVE),
    SILT_REAL(RiversParams, reach, "m", 300.0, 1e-3, 1e7, "how far beyond the edge that is",
              .flags = SILT_LIVE),
    SILT_CHOICE(RiversParams, nodata, "outlet wall", "outlet", "what cells without data are to rivers"),
    SILT_REAL(RiversParams, sea_level, "m", NAN, -20000.0, 20000.0,
              "where rivers end and deltas grow; none: no sea"),
    SILT_REAL(RiversParams, precipitation, "m/year", 1.0, 0.0, 20.0, "runoff, for the map of discharge",
              .flags = SILT_LIVE),
    SILT_LAYER(
        RiversParams, rain_map, "",
        "layer that multiplies the runoff of each cell, as rainfall makes it: rivers cut by the water they "
        "gather"),
    SILT_REAL(RiversParams, channel_area, "m2", 1e5, 0.0, 1e12, "catchment from which a stream has an order",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_LAYER(RiversParams, erodibility, "erodibility", "layer that multiplies K"),
    SILT_STRATA_ITEMS(RiversParams),
};

static const SiltStateItem rivers_state[] = {
    SILT_STATE(Rivers, wear, SILT_STATE_FIELD, "m", "all that was taken off a cell"),
    SILT_STATE(Rivers, deposition, SILT_STATE_FIELD, "m", "all that was laid down on it"),
    SILT_STATE(Rivers, deposit, SILT_STATE_FIELD, "m", "loose material that lies there"),
    SILT_STATE(Rivers, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Rivers, raised, SILT_STATE_LAZY, "m", "how far the rock has risen, where it has beds"),
    SILT_STATE(Rivers, height, SILT_STATE_EXACT, "m", "height of the ground"),
    SILT_STATE(Rivers, flux, SILT_STATE_EXACT, "m", "sediment that came in the step before"),
    SILT_STATE(Rivers, time, SILT_STATE_DOUBLE, "years", "since the beginning"),
    SILT_STATE(Rivers, began, SILT_STATE_DOUBLE, "years", "before this run"),
    SILT_STATE(Rivers, base, SILT_STATE_DOUBLE, "m", "what falling sides lead down to"),
    SILT_STATE(Rivers, strata.top, SILT_STATE_FLOAT, "m", "where the first bed begins"),
    SILT_STATE(Rivers, options.lakes, SILT_STATE_INT32, "", "whether lakes stand or are cut open"),
    SILT_STATE(Rivers, land, SILT_STATE_INT32, "", "whether it began as land does, not as noise"),
    SILT_STATE(Rivers, seed, SILT_STATE_INT64, "", "of random numbers"),
};

// ---- begin ----

static SiltStatus make_arrays(Rivers *rivers)
{
    size_t cells = (size_t)rivers->terrain->width * (size_t)rivers->terrain->height;
    size_t lines = (size_t)rivers->terrain->width + (size_t)rivers->terrain->height;
    double **arrays[] = {&rivers->begun, &rivers->next, &rivers->level, &rivers->lowest, &rivers->crept};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status = silt_alloc_for("rivers", cells, sizeof(double), (void **)arrays[k]);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", lines, sizeof(double), (void **)&rivers->line_left);
    float **maps[] = {&rivers->factor,   &rivers->belt,        &rivers->floor,
                      &rivers->strength, &rivers->gain,        &rivers->fall,
                      &rivers->soil,     &rivers->turned_rise, &rivers->turned_fall};
    for (size_t k = 0; k < sizeof maps / sizeof maps[0] && status == SILT_OK; k++)
        status = silt_alloc_for("rivers", cells, sizeof(float), (void **)maps[k]);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, sizeof(int32_t), (void **)&rivers->river);
    if (status == SILT_OK && (rivers->erodibility || rivers->strata.count))
        status = silt_alloc_for("rivers", cells, sizeof(float), (void **)&rivers->rise);
    for (int way = 0; way < 2 && status == SILT_OK; way++)
        status = silt_alloc_for("rivers", 2 * lines + 4, sizeof(double), (void **)&rivers->sweep[way]);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, 1, (void **)&rivers->kind);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, 1, (void **)&rivers->fails);
    if (status == SILT_OK && rivers->params->sides == RIVERS_OPEN)
        status = silt_alloc_for("rivers", cells, 1, (void **)&rivers->edge);
    if (status == SILT_OK && rivers->params->sides == RIVERS_OPEN)
        status = silt_alloc_for("rivers", cells, 1, (void **)&rivers->outlets);
    if (status == SILT_OK)
        status = silt_terrain_create(rivers->terrain->width, rivers->terrain->height, rivers->terrain->cell,
                                     &rivers->ground);
    if (status == SILT_OK && rivers->terrain->nodata)
        status = silt_terrain_require_nodata(rivers->ground);
    if (status == SILT_OK && rivers->terrain->nodata)
        memcpy(rivers->ground->nodata, rivers->terrain->nodata, cells);
    return status;
}

// A step writes all over them: the system clears their pages before, while somebody is asked.
static void claim_rows(void *context, int begin, int end)
{
    const Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width, from = (size_t)begin * width, to = (size_t)end * width;
    double *arrays[] = {rivers->begun, rivers->next, rivers->level, rivers->lowest, rivers->crept};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        silt_touch_pages(arrays[k], from * sizeof(double), to * sizeof(double));
    float *maps[] = {rivers->factor, rivers->belt, rivers->floor,       rivers->gain,
                     rivers->fall,   rivers->soil, rivers->turned_rise, rivers->turned_fall};
    for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
        silt_touch_pages(maps[k], from * sizeof(float), to * sizeof(float));
    silt_touch_pages(rivers->river, from * sizeof(int32_t), to * sizeof(int32_t));
    silt_touch_pages(rivers->kind, from, to);
    silt_touch_pages(rivers->fails, from, to);
}

static double load_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    const SiltTerrain *terrain = rivers->terrain;
    const SiltField *deposit = silt_terrain_layer(terrain, "deposit");
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            size_t c = (size_t)j * (size_t)terrain->width + (size_t)i;
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            double before = rivers->before.data ? (double)silt_field_at(&rivers->before, i, j) : 0.0;
            rivers->height[c] = (double)silt_field_at(&terrain->layers[0]->field, i, j) + before;
            silt_field_row(&rivers->ground->layers[0]->field, j)[i] = (float)rivers->height[c];
            silt_field_row(&rivers->deposit, j)[i] = deposit ? silt_field_at(deposit, i, j) : 0.0f;
            sum += rivers->height[c];
        }
    return sum;
}

static SiltStatus keep_change(Rivers *rivers)
{
    const SiltField *change = silt_terrain_layer(rivers->terrain, "change");
    if (!change)
        return SILT_OK;
    SiltStatus status = silt_field_create(change->width, change->height, &rivers->before);
    if (status == SILT_OK)
        silt_field_copy(change, &rivers->before);
    return status;
}

// Land has up to a fifteenth of its cells in closed depressions, noise a tenth and more (docs/drainage.md).
static const double most_lakes = 0.065;

enum { LOOK_EVERY = 256 }; // rows, whether to go on

// Whether it has no more lakes than that, the sea aside.
static SiltStatus find_lakes(Rivers *rivers)
{
    const SiltField *ground = &rivers->ground->layers[0]->field;
    SiltField filled;
    SiltStatus status = silt_field_create(ground->width, ground->height, &filled);
    if (status != SILT_OK)
        return status;
    status = silt_terrain_fill(rivers->ground, &filled);
    if (status == SILT_OK && silt_is_stopped())
        status = SILT_CANCELLED;
    double below = 0.0, count = 0.0;
    for (int j = 0; j < ground->height && status == SILT_OK; j++) {
        if (j % LOOK_EVERY == 0 && silt_is_stopped())
            status = SILT_CANCELLED;
        for (int i = 0; i < ground->width; i++) {
            float own = silt_field_at(ground, i, j);
            bool sea = rivers->options.has_sea && (double)own <= rivers->options.sea_level;
            below += !sea && silt_field_at(&filled, i, j) > own;
            count += !sea && !silt_terrain_is_nodata(rivers->ground, i, j);
        }
    }
    rivers->land = below <= most_lakes * count;
    silt_field_destroy(&filled);
    return status;
}

enum { MOST_OPENINGS = 16 }; // valleys that one lake would have drowned

static SiltStatus choose_options(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    rivers->options = (SiltDrainageOptions){.lakes = params->lakes == SILT_LAKES_CARVE,
                                            .straight = params->routing == 1,
                                            .multiple = params->multiple,
                                            .closed_sides = params->sides == RIVERS_CLOSED,
                                            .nodata_walls = params->nodata == 1,
                                            .has_sea = !isnan(params->sea_level),
                                            .sea_level = params->sea_level};
    SiltFieldStatistics heights;
    const SiltField *ground = &rivers->ground->layers[0]->field;
    silt_field_statistics(ground, rivers->terrain->nodata, &heights);
    if (heights.bad_count > 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: %.0f cells have a height that is not finite",
                         (double)heights.bad_count);
    rivers->base = isnan(params->base) ? heights.minimum : params->base;
    if (rivers->options.has_sea && heights.cell_count && heights.maximum <= params->sea_level)
        silt_warn("erode rivers: all of the terrain lies below sea_level = %g m; there is no land for rivers "
                  "until it rises",
                  params->sea_level);
    SiltStatus status = find_lakes(rivers);
    if (params->lakes == RIVERS_LAKES_AUTO)
        rivers->options.lakes = rivers->land ? SILT_LAKES_FILL : SILT_LAKES_CARVE;
    if (status == SILT_OK && params->sides == RIVERS_OPEN) {
        status = silt_rivers_find_lows(rivers) ? SILT_OK : SILT_CANCELLED;
        rivers->options.outlets = rivers->outlets;
    }
    if (status == SILT_OK)
        status = silt_drainage_create(rivers->ground, &rivers->options, &rivers->drainage);
    bool opened = false;
    if (status == SILT_OK)
        status = silt_rivers_open_pieces(rivers, &opened);
    if (status == SILT_OK && opened)
        status = silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options);
    silt_rivers_settle_pieces(rivers, true);
    bool opens = params->sides == RIVERS_OPEN && rivers->options.lakes == SILT_LAKES_FILL && rivers->land;
    for (int k = 0; k < MOST_OPENINGS && status == SILT_OK && opens; k++) {
        status = silt_rivers_open_valleys(rivers, &opens);
        if (status == SILT_OK && opens)
            status = silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options);
    }
    return status;
}

static SiltStatus rivers_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                               SiltLedger *ledger)
{
    Rivers *rivers = state;
    rivers->seed = run ? run->seed : 0;
    rivers->began = run ? run->began : 0.0;
    rivers->params = params;
    rivers->terrain = terrain;
    silt_rivers_find_critical(rivers);
    SiltStatus status = silt_rivers_find_layers(rivers);
    if (status == SILT_OK)
        status = silt_rivers_begin_rock(rivers);
    if (status == SILT_OK)
        status = silt_rivers_find_rain(rivers);
    if (status == SILT_OK)
        status = make_arrays(rivers);
    if (status == SILT_OK)
        status = keep_change(rivers);
    if (status != SILT_OK)
        return status;
    rivers->rise = rivers->rise ? rivers->rise : rivers->strength;
    double sum = 0.0;
    if (!silt_parallel_sum_heard(terrain->height, load_rows, rivers, &sum))
        return SILT_CANCELLED;
    ledger->rock.initial = sum * terrain->cell * terrain->cell;
    bool goes_on = silt_parallel_heard(terrain->height, 16, claim_rows, rivers);
    status = goes_on ? choose_options(rivers) : SILT_CANCELLED;
    if (status == SILT_OK && !silt_rivers_find_strength(rivers))
        status = SILT_CANCELLED;
    if (status == SILT_OK && rivers->drainage->landlocked)
        silt_warn("erode rivers: a part of the land has no outlet: its sediment stays and fills it up "
                  "(sides=open, fixed or falling opens the edges)");
    return status;
}

// ---- end ----

static void rivers_end(void *state)
{
    Rivers *rivers = state;
    double *arrays[] = {rivers->begun, rivers->next,      rivers->level,    rivers->lowest,
                        rivers->crept, rivers->line_left, rivers->sweep[0], rivers->sweep[1]};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        silt_free(arrays[k]);
    silt_free(rivers->wetness);
    float *maps[] = {rivers->factor,      rivers->belt,
                     rivers->floor,       rivers->strength,
                     rivers->gain,        rivers->fall,
                     rivers->soil,        rivers->turned_rise,
                     rivers->turned_fall, rivers->rise == rivers->strength ? NULL : rivers->rise};
    for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
        silt_free(maps[k]);
    silt_free(rivers->river);
    silt_free(rivers->kind);
    silt_free(rivers->fails);
    silt_free(rivers->edge);
    silt_free(rivers->outlets);
    silt_drainage_destroy(rivers->drainage);
    silt_terrain_destroy(rivers->ground);
}

static bool rivers_holds_sides(const void *params)
{
    const RiversParams *p = params;
    return p && p->sides == RIVERS_FIXED && isnan(p->sea_level);
}

const SiltModel silt_model_rivers = {
    .name = "rivers",
    .summary = "rivers cut valleys into rising land and carry its rock away",
    .source =
        "Braun & Willett 2013; sediment after Davy & Lague 2009 and Yuan et al. 2019, slopes after Roering "
        "et al. 1999",
    .clock = "years",
    .makes = "wear deposition deposit drainage discharge slope stream_order basin lake",
    .params = SILT_PARAM_TABLE(RiversParams, rivers_items),
    .state = rivers_state,
    .state_count = sizeof rivers_state / sizeof rivers_state[0],
    .state_size = sizeof(Rivers),
    .more_bytes = 6 * sizeof(double) + 10 * sizeof(float) + 8 + SILT_DRAINAGE_CELL_BYTES + sizeof(float),
    .bends = true,
    .holds_sides = rivers_holds_sides,
    .default_steps = 100,
    .begin = rivers_begin,
    .step = silt_rivers_step,
    .layers = silt_rivers_layers,
    .show = silt_rivers_show,
    .field = silt_rivers_field,
    .edit = silt_rivers_edit,
    .refresh = silt_rivers_refresh,
    .pack = silt_rivers_pack,
    .resume = silt_rivers_resume,
    .store = silt_rivers_store,
    .end = rivers_end,
};
