// Rivers cut into rising land: dh/dt = U - K A^m S^n + G Qs / A + D (h_xx + h_yy), in years, metres and m2.
// A is the catchment above a cell, S the slope to where it drains, Qs what the river brings, in rock a year.
// docs/models.md has the sources and what differs from them.
#include "erode/rivers.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "silt/rivers.h"

static const SiltParam rivers_items[] = {
    SILT_REAL(RiversParams, step, "years", 10000.0, 1e-3, 1e7, "how long a step is", .flags = SILT_LOG),
    SILT_REAL(RiversParams, uplift, "m/year", 0.0005, -0.1, 0.1, "how fast the land rises everywhere"),
    SILT_LAYER(RiversParams, uplift_map, "", "layer of further uplift in m/year, as plates makes it"),
    SILT_REAL(RiversParams, uplift_scale, "", 1.0, -1000.0, 1000.0, "what multiplies that layer"),
    SILT_REAL(RiversParams, incision, "", 1.2e-5, 0.0, 10.0,
              "K: how fast rivers cut, in m^(1-2m)/year; m is area_exponent", .flags = SILT_LOG),
    SILT_REAL(RiversParams, area_exponent, "", 0.5, 0.0, 2.0, "m: what more water does"),
    SILT_REAL(RiversParams, slope_exponent, "", 1.0, 0.2, 5.0, "n: what a steeper bed does"),
    SILT_REAL(RiversParams, source_area, "m2", 1e4, 0.0, 1e9,
              "catchment with which valleys begin: less water wears slopes as if it were that much",
              .flags = SILT_LOG),
    SILT_REAL(RiversParams, deposition, "", 0.5, 0.0, 10.0,
              "G: how much of its load a river lays down again; 0: all of it leaves"),
    SILT_REAL(RiversParams, diffusion, "m2/year", 0.01, 0.0, 1000.0, "D: how fast soil creeps down slopes"),
    SILT_CHOICE(RiversParams, lakes, "fill carve", "carve",
                "whether lakes stand until sediment fills them and rivers cut their brim, or are cut open"),
    SILT_CHOICE(
        RiversParams, routing, "steepest straight", "straight",
        "whether water runs to the steepest of eight neighbours, or in lines straight down the slope, "
        "so that no direction of the grid is preferred"),
    SILT_REAL(RiversParams, multiple, "", 0.0, 0.0, 10.0,
              "share discharge among all lower neighbours by slope to this power; 0: all goes one way"),
    SILT_CHOICE(RiversParams, sides, "open fixed falling closed", "open",
                "whether rivers leave at the lows of the edge and all else there wears as inside does, the "
                "whole edge "
                "keeps its height, goes on falling to the base, or lets nothing out"),
    SILT_REAL(RiversParams, outlet_spacing, "m", NAN, 0.0, 1e7,
              "how far around it a low of an open edge is the lowest; none: a sixteenth of the longer side"),
    SILT_REAL(RiversParams, base, "m", NAN, -20000.0, 20000.0,
              "where falling sides lead down to; none: the lowest point"),
    SILT_REAL(RiversParams, reach, "m", 300.0, 1e-3, 1e7, "how far beyond the edge that is"),
    SILT_CHOICE(RiversParams, nodata, "outlet wall", "outlet", "what cells without data are to rivers"),
    SILT_REAL(RiversParams, sea_level, "m", NAN, -20000.0, 20000.0,
              "where rivers end and deltas grow; none: no sea"),
    SILT_REAL(RiversParams, precipitation, "m/year", 1.0, 0.0, 20.0, "runoff, for the map of discharge"),
    SILT_LAYER(
        RiversParams, rain_map, "",
        "layer that multiplies the runoff of each cell, as rainfall makes it: rivers cut by the water they "
        "gather"),
    SILT_REAL(RiversParams, channel_area, "m2", 1e5, 0.0, 1e12, "catchment from which a stream has an order",
              .flags = SILT_LOG),
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
};

// ---- begin ----

static SiltStatus find_layers(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    const SiltTerrain *terrain = rivers->terrain;
    rivers->erodibility = params->erodibility[0] ? silt_terrain_layer(terrain, params->erodibility) : NULL;
    rivers->uplift = params->uplift_map[0] ? silt_terrain_layer(terrain, params->uplift_map) : NULL;
    if (params->erodibility[0] && !rivers->erodibility && strcmp(params->erodibility, "erodibility") != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: the terrain has no layer '%s' for erodibility",
                         params->erodibility);
    if (params->uplift_map[0] && !rivers->uplift && strcmp(params->uplift_map, "uplift") != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: the terrain has no layer '%s' for uplift_map",
                         params->uplift_map);
    return SILT_OK;
}

static SiltStatus make_arrays(Rivers *rivers)
{
    size_t cells = (size_t)rivers->terrain->width * (size_t)rivers->terrain->height;
    size_t lines = (size_t)rivers->terrain->width + (size_t)rivers->terrain->height;
    double **arrays[] = {&rivers->next, &rivers->level, &rivers->lowest, &rivers->crept};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status = silt_alloc_for("rivers", cells, sizeof(double), (void **)arrays[k]);
    double **along[] = {&rivers->line_left, &rivers->line_factor, &rivers->line_over};
    for (size_t k = 0; k < sizeof along / sizeof along[0] && status == SILT_OK; k++)
        status = silt_alloc_for("rivers", lines, sizeof(double), (void **)along[k]);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, sizeof(float), (void **)&rivers->factor);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, 1, (void **)&rivers->kind);
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

static SiltStatus choose_options(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    rivers->options = (SiltDrainageOptions){.lakes = params->lakes,
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
    if (params->sides == RIVERS_OPEN) {
        silt_rivers_find_lows(rivers);
        rivers->options.outlets = rivers->outlets;
    }
    SiltStatus status = silt_drainage_create(rivers->ground, &rivers->options, &rivers->drainage);
    if (status == SILT_OK && silt_rivers_open_pieces(rivers))
        status = silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options);
    return status;
}

static SiltStatus rivers_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                               SiltLedger *ledger)
{
    (void)run;
    Rivers *rivers = state;
    rivers->params = params;
    rivers->terrain = terrain;
    rivers->rill_width = 0.5 * sqrt(rivers->params->source_area);
    SiltStatus status = find_layers(rivers);
    if (status == SILT_OK)
        status = silt_rivers_begin_rock(rivers);
    if (status == SILT_OK)
        status = silt_rivers_begin_rain(rivers);
    if (status == SILT_OK)
        status = make_arrays(rivers);
    if (status == SILT_OK)
        status = keep_change(rivers);
    if (status != SILT_OK)
        return status;
    ledger->rock.initial =
        silt_parallel_sum(terrain->height, load_rows, rivers) * terrain->cell * terrain->cell;
    status = choose_options(rivers);
    if (status == SILT_OK && rivers->drainage->landlocked)
        silt_warn("erode rivers: a part of the land has no outlet: its sediment stays and fills it up "
                  "(sides=open, fixed or falling opens the edges)");
    return status;
}

// ---- one step ----

static void round_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    for (int j = begin; j < end; j++) {
        float *ground = silt_field_row(&rivers->ground->layers[0]->field, j);
        const double *height = rivers->height + (size_t)j * (size_t)rivers->terrain->width;
        for (int i = 0; i < rivers->terrain->width; i++)
            ground[i] = (float)height[i];
    }
}

// Cannot fail: the size is the same, the heights are finite, and all memory was taken at the beginning.
static void route(Rivers *rivers)
{
    silt_parallel(rivers->terrain->height, 16, round_rows, rivers);
    silt_rivers_choose_outlets(rivers);
    (void)silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options);
    if (silt_rivers_open_pieces(rivers))
        (void)silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options);
}

typedef struct Record {
    Rivers *rivers;
    const double *from, *to;
} Record;

// What became of each cell goes into the maps; loose material goes first.
static double record_rows(void *context, int begin, int end)
{
    const Record *record = context;
    Rivers *rivers = record->rivers;
    int width = rivers->terrain->width;
    double moved = 0.0;
    for (int j = begin; j < end; j++) {
        float *wear = silt_field_row(&rivers->wear, j), *laid = silt_field_row(&rivers->deposition, j);
        float *deposit = silt_field_row(&rivers->deposit, j);
        size_t row = (size_t)j * (size_t)width;
        for (int i = 0; i < width; i++) {
            if (rivers->kind[row + (size_t)i] == RIVERS_WALL)
                continue;
            float gain = (float)(record->to[row + (size_t)i] - record->from[row + (size_t)i]);
            wear[i] += gain < 0.0f ? -gain : 0.0f;
            laid[i] += gain > 0.0f ? gain : 0.0f;
            deposit[i] = deposit[i] + gain > 0.0f ? deposit[i] + gain : 0.0f;
            moved += gain < 0.0f ? -(double)gain : 0.0;
        }
    }
    return moved;
}

static void keep_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width, at = (size_t)begin * width;
    memcpy(rivers->next + at, rivers->height + at, (size_t)(end - begin) * width * sizeof(double));
}

// Hillslopes: returns what left, and adds what moved.
static double creep(Rivers *rivers, double *moved)
{
    if (!(rivers->params->diffusion > 0.0))
        return 0.0;
    Record record = {rivers, rivers->next, rivers->height};
    silt_parallel(rivers->terrain->height, 16, keep_rows, rivers);
    double left = silt_rivers_creep(rivers);
    *moved += silt_parallel_sum(rivers->terrain->height, record_rows, &record);
    return left;
}

// Rivers: the same. Creep comes before them, so that no pit is left behind where lakes are carved.
static double flow(Rivers *rivers, double *moved)
{
    silt_rivers_incise(rivers);
    double left = silt_rivers_carry(rivers);
    if (rivers->params->deposition > 0.0) { // once more, with what the rivers bring known
        silt_rivers_incise(rivers);
        left = silt_rivers_carry(rivers);
    }
    if (rivers->drainage->landlocked)
        silt_rivers_fill_sinks(rivers);
    Record record = {rivers, rivers->height, rivers->next};
    *moved += silt_parallel_sum(rivers->terrain->height, record_rows, &record);
    double *old = rivers->height;
    rivers->height = rivers->next;
    rivers->next = old;
    return left;
}

static double rivers_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    (void)counters;
    Rivers *rivers = state;
    double area = rivers->terrain->cell * rivers->terrain->cell, moved = 0.0;
    rivers->dt = time_left < rivers->params->step ? time_left : rivers->params->step;
    route(rivers);
    silt_rivers_gather_rain(rivers);
    double raised = silt_rivers_prepare(rivers) * area;
    ledger->rock.added += raised > 0.0 ? raised : 0.0;
    ledger->rock.removed -= raised < 0.0 ? raised : 0.0; // land that sinks is rock that leaves
    ledger->rock.removed += creep(rivers, &moved) * area;
    ledger->rock.removed += flow(rivers, &moved) * area;
    ledger->rock.moved += moved * area;
    rivers->time += rivers->dt;
    return rivers->dt;
}

// ---- store ----

typedef struct Store {
    const Rivers *rivers;
    SiltField *change, *wear, *deposition, *deposit;
} Store;

static double store_rows(void *context, int begin, int end)
{
    const Store *store = context;
    const Rivers *rivers = store->rivers;
    const SiltTerrain *terrain = rivers->terrain;
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            size_t c = (size_t)j * (size_t)terrain->width + (size_t)i;
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            double base = (double)silt_field_at(&terrain->layers[0]->field, i, j);
            float change = (float)(rivers->height[c] - base);
            silt_field_row(store->change, j)[i] = change;
            silt_field_row(store->wear, j)[i] = silt_field_at(&rivers->wear, i, j);
            silt_field_row(store->deposition, j)[i] = silt_field_at(&rivers->deposition, i, j);
            silt_field_row(store->deposit, j)[i] = silt_field_at(&rivers->deposit, i, j);
            sum += base + (double)change;
        }
    return sum;
}

static SiltStatus rivers_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Rivers *rivers = state;
    Store store = {.rivers = rivers};
    SiltStatus status = silt_terrain_require(terrain, "change", &store.change);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, "wear", &store.wear);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, "deposition", &store.deposition);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, "deposit", &store.deposit);
    if (status != SILT_OK)
        return status;
    double sum = silt_parallel_sum(terrain->height, store_rows, &store);
    ledger->rock.stored = sum * terrain->cell * terrain->cell;
    route(rivers);
    SiltRiverOptions options = {.precipitation = rivers->params->precipitation,
                                .channel_area = rivers->params->channel_area};
    status = silt_rivers_map(rivers->drainage, rivers->ground, &options, terrain);
    return status == SILT_OK ? silt_rivers_store_rock(rivers, terrain) : status;
}

static void rivers_end(void *state)
{
    Rivers *rivers = state;
    double *arrays[] = {rivers->next,      rivers->level,       rivers->lowest,   rivers->crept,
                        rivers->line_left, rivers->line_factor, rivers->line_over};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        silt_free(arrays[k]);
    silt_free(rivers->wetness);
    silt_free(rivers->factor);
    silt_free(rivers->kind);
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
    .source = "Braun & Willett 2013; sediment after Davy & Lague 2009 and Yuan et al. 2019",
    .clock = "years",
    .makes = "wear deposition deposit drainage discharge slope stream_order basin lake",
    .params = SILT_PARAM_TABLE(RiversParams, rivers_items),
    .state = rivers_state,
    .state_count = sizeof rivers_state / sizeof rivers_state[0],
    .state_size = sizeof(Rivers),
    .more_bytes = 5 * sizeof(double) + sizeof(float) + 3 + SILT_DRAINAGE_CELL_BYTES + sizeof(float),
    .bends = true,
    .holds_sides = rivers_holds_sides,
    .default_steps = 100,
    .begin = rivers_begin,
    .step = rivers_step,
    .store = rivers_store,
    .end = rivers_end,
};
