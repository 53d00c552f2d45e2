// Glaciers: snow that lies becomes ice, ice flows down and slides over its bed, wears it to troughs and
// cirques, and leaves moraines where it melts. docs/models.md has the equations and their sources.
#include "erode/ice.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "silt/drainage.h"

static const float paces_follow = 0.3f; // how far paces go to where they should be in a step (ice_flow.c)
// m that the solver may be off in a cell, in the mean,
static const double solved_well = 0.5;   // for the next step to be longer
static const double solved_badly = 10.0; // and for a shorter one to be taken in its place
static const double first_stride = 1.0, shortest_stride = 1e-3; // years

static const SiltParam ice_items[] = {
    SILT_REAL(IceParams, step, "years", 20.0, 1e-3, 1000.0, "how long a step is",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(IceParams, ela, "m", NAN, -20000.0, 20000.0,
              "equilibrium line: where as much snow falls as melts; none: by ela_share", .flags = SILT_LIVE),
    SILT_REAL(IceParams, ela_share, "", 0.9, 0.0, 1.0,
              "share of the land that lies below that line where none is given"),
    SILT_REAL(IceParams, gradient, "1/year", 0.006, 0.0, 1.0,
              "metres of ice a year that each metre above that line adds, and each below it melts",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, most_snow, "m/year", 1.5, 0.0, 50.0, "ice that the highest places gain at the most",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, aspect, "m", 150.0, -2000.0, 2000.0,
              "how far the line sinks on walls that face north and rises on those that face south",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, bare, "deg", 45.0, 1.0, 89.0, "slope on which no snow stays", .flags = SILT_LIVE),
    SILT_REAL(IceParams, balance, "m/year", 0.0, -100.0, 100.0, "ice that is added everywhere besides",
              .flags = SILT_LIVE),
    SILT_LAYER(IceParams, balance_map, "", "layer of ice that is added besides, in m/year",
               .flags = SILT_BESIDES),
    SILT_REAL(IceParams, cycle, "years", 0.0, 0.0, 1e7,
              "from one ice age to the next; the run begins with the coldest; 0: the climate stays"),
    SILT_REAL(IceParams, swing, "m", 800.0, 0.0, 5000.0, "how far the line rises between two ice ages",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, softness, "1/(Pa3 year)", 7.6e-17, 0.0, 1e-14,
              "A of Glen's law: how easily ice deforms", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(IceParams, sliding, "m6/(N3 year)", 1.8e-12, 0.0, 1e-9, "how easily it slides over its bed",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(IceParams, coupling, "m", 250.0, 0.0, 1e5,
              "how far ice drags ice along: half the width over which its thickness counts; 0: each column "
              "by itself",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, abrasion, "", 1e-4, 0.0, 0.1, "metres of rock that a metre of sliding grinds off",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(IceParams, quarrying, "", 7e-4, 0.0, 1.0,
              "metres that it plucks where the bed falls by one in one, less by the square of the fall",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(IceParams, loose, "", 5.0, 1.0, 1000.0, "how much faster loose material goes than rock",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, wall, "deg", 55.0, 5.0, 89.0, "slope beyond which rock walls fall",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, washed, "", 0.7, 0.0, 1.0,
              "share of the rock melting out that melt water takes away; the rest is moraine",
              .flags = SILT_LIVE),
    SILT_REAL(IceParams, sea_level, "m", NAN, -20000.0, 20000.0,
              "where ice thin enough to float breaks off; none: no sea", .flags = SILT_LIVE),
    SILT_REAL(IceParams, calving, "m/year", 100.0, 0.0, 1e4, "how fast floating ice gets thinner",
              .flags = SILT_LIVE),
    SILT_CHOICE(IceParams, sides, "open calving closed", "open",
                "whether ice goes on beyond the edge of the map as it came, breaks off there, or stays"),
    SILT_BOOL(IceParams, thaw, 0,
              "whether all ice melts at the end and leaves lakes in the hollows it has dug",
              .flags = SILT_LIVE),
    SILT_LAYER(IceParams, erodibility, "erodibility", "layer that multiplies how fast rock goes"),
    SILT_STRATA_ITEMS(IceParams),
};

static const SiltStateItem ice_state[] = {
    SILT_STATE(Ice, ice, SILT_STATE_FIELD, "m", "thickness of the ice"),
    SILT_STATE(Ice, owed, SILT_STATE_FIELD, "m",
               "ice that came and is not there yet: what solving left over"),
    SILT_STATE(Ice, debris, SILT_STATE_FIELD, "m", "rock in the ice"),
    SILT_STATE(Ice, speed, SILT_STATE_FIELD, "m/year", "speed of the ice, mean over its depth"),
    SILT_STATE(Ice, wear, SILT_STATE_FIELD, "m", "all that was taken off a cell"),
    SILT_STATE(Ice, deposition, SILT_STATE_FIELD, "m", "all that was laid down on it"),
    SILT_STATE(Ice, deposit, SILT_STATE_FIELD, "m", "loose material that lies there"),
    SILT_STATE(Ice, lakes, SILT_STATE_LAZY, "m", "water that stood there, and lakes that a thaw leaves"),
    SILT_STATE(Ice, bed, SILT_STATE_EXACT, "m", "height of the ground under the ice"),
    SILT_STATE(Ice, pace, SILT_STATE_ARRAY, "m/year", "speed for each unit of slope, at corners of cells"),
    SILT_STATE(Ice, time, SILT_STATE_DOUBLE, "years", "since the beginning"),
    SILT_STATE(Ice, stride, SILT_STATE_DOUBLE, "years", "how long the next step may be; 0: it is the first"),
    SILT_STATE(Ice, ela, SILT_STATE_DOUBLE, "m", "equilibrium line of the coldest time"),
};

static const char *const ice_limiters[] = {"shorter steps", NULL};

// ---- begin ----

// Water of a terrain that has some stays where it is, until a thaw adds to it.
static SiltStatus keep_water(Ice *ice)
{
    const SiltField *water = silt_terrain_layer(ice->terrain, "water");
    if (!water)
        return SILT_OK;
    SiltStatus status = silt_field_create(water->width, water->height, &ice->lakes);
    if (status == SILT_OK)
        silt_field_copy(water, &ice->lakes);
    return status;
}

static float layer_or_zero(const SiltField *layer, int i, int j)
{
    return layer ? silt_field_at(layer, i, j) : 0.0f;
}

static double fill_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    const SiltTerrain *terrain = ice->terrain;
    const SiltField *deposit = silt_terrain_layer(terrain, "deposit"),
                    *thick = silt_terrain_layer(terrain, "ice"),
                    *change = silt_terrain_layer(terrain, "change"),
                    *sediment = silt_terrain_layer(terrain, "sediment"),
                    *speed = silt_terrain_layer(terrain, "ice_speed");
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            double bed =
                (double)silt_field_at(&terrain->layers[0]->field, i, j) + (double)layer_or_zero(change, i, j);
            ice->bed[(size_t)j * (size_t)terrain->width + (size_t)i] = bed;
            silt_field_row(&ice->ice, j)[i] = layer_or_zero(thick, i, j);
            silt_field_row(&ice->speed, j)[i] = layer_or_zero(speed, i, j);
            silt_field_row(&ice->debris, j)[i] = layer_or_zero(sediment, i, j);
            silt_field_row(&ice->deposit, j)[i] = layer_or_zero(deposit, i, j);
            sum += bed + (double)layer_or_zero(sediment, i, j);
        }
    return sum;
}

// The bed as a terrain of its own.
static SiltStatus make_ground(const Ice *ice, SiltTerrain *out)
{
    size_t width = (size_t)out->width;
    for (int j = 0; j < out->height; j++)
        for (int i = 0; i < out->width; i++)
            silt_field_row(&out->layers[0]->field, j)[i] = (float)ice->bed[(size_t)j * width + (size_t)i];
    if (!ice->terrain->nodata)
        return SILT_OK;
    SiltStatus status = silt_terrain_require_nodata(out);
    if (status == SILT_OK)
        memcpy(out->nodata, ice->terrain->nodata, width * (size_t)out->height);
    return status;
}

// Without a line of their own, glaciers take the upper part of the land.
static SiltStatus choose_line(Ice *ice)
{
    ice->ela = ice->params->ela;
    if (!isnan(ice->ela))
        return SILT_OK;
    double percent = 100.0 * ice->params->ela_share;
    SiltTerrain *ground;
    SiltStatus status =
        silt_terrain_create(ice->terrain->width, ice->terrain->height, ice->terrain->cell, &ground);
    if (status != SILT_OK)
        return status;
    status = make_ground(ice, ground);
    ice->ela = 0.0;
    if (status == SILT_OK)
        status = silt_field_percentiles(&ground->layers[0]->field, ground->nodata, &percent, 1, &ice->ela);
    silt_terrain_destroy(ground);
    if (isnan(ice->ela))
        ice->ela = 0.0; // no cell has data
    return status;
}

static SiltStatus ice_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                            SiltLedger *ledger)
{
    (void)run;
    Ice *ice = state;
    ice->params = params;
    ice->terrain = terrain;
    SiltStatus status = silt_ice_find_maps(ice);
    if (status == SILT_OK)
        status = silt_strata_begin(&ice->params->geology, terrain, "erode ice", &ice->strata);
    if (status == SILT_OK)
        status = keep_water(ice);
    if (status == SILT_OK)
        status = silt_ice_flow_create(ice);
    if (status != SILT_OK)
        return status;
    double area = terrain->cell * terrain->cell;
    if (silt_is_stopped())
        return SILT_CANCELLED;
    ledger->rock.initial = silt_parallel_sum(terrain->height, fill_rows, ice) * area;
    ledger->water.initial = silt_ice_water(ice) * area;
    status = silt_is_stopped() ? SILT_CANCELLED : choose_line(ice);
    return status == SILT_OK && silt_is_stopped() ? SILT_CANCELLED : status;
}

// ---- one step ----

// From the coldest to the warmest and back: a smooth wave without its sine.
static double line_at(const Ice *ice, double time)
{
    const IceParams *params = ice->params;
    if (!(params->cycle > 0.0))
        return ice->ela;
    double part = time / params->cycle, back = 2.0 * (part - floor(part));
    double up = back < 1.0 ? back : 2.0 - back;
    return ice->ela + params->swing * up * up * (3.0 - 2.0 * up);
}

static void book(const Ice *ice, const IceBooks *books, SiltLedger *ledger)
{
    double area = ice->terrain->cell * ice->terrain->cell, water = area * ICE_WATER;
    ledger->water.added += books->snow * water;
    ledger->water.removed += (books->melt + books->left) * water;
    ledger->rock.removed += (books->washed + books->dropped) * area;
    ledger->rock.moved += books->worn * area;
}

// What becomes of the ice in a step of at most `dt` years: less where its flow changes so fast that the
// solver does not find it, and more again when it does. Below zero: somebody wants the run to stop.
static double flow(Ice *ice, double dt, SiltCounters *counters)
{
    double stride = ice->stride > 0.0 ? ice->stride : first_stride;
    double held = silt_field_sum(&ice->ice) / ((double)ice->ice.width * (double)ice->ice.height);
    double off;
    int64_t tries = 0;
    for (dt = stride < dt ? stride : dt;; dt *= 0.5) {
        if (silt_is_stopped())
            return -1.0;
        ice->dt = (float)dt;
        ice->ela_now = (float)line_at(ice, ice->time + 0.5 * dt);
        silt_ice_choose_balance(ice);
        silt_ice_choose_links(ice);
        if (silt_is_stopped() || !silt_ice_solve(ice, held, &off))
            return -1.0;
        tries++;
        stride = off < solved_well ? 1.5 * dt : dt;
        if (off < solved_badly || !(dt > shortest_stride))
            break;
    }
    counters->substeps += tries;
    counters->limited[0] += tries - 1;
    stride = stride > ice->stride || dt < ice->stride ? stride : ice->stride;
    ice->stride = stride < ice->params->step ? stride : ice->params->step;
    return dt;
}

static double ice_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Ice *ice = state;
    IceBooks books = {0};
    SiltCounters before = *counters;
    ice->slip = NULL;
    silt_ice_load(ice);
    silt_ice_even_out(ice);
    if (silt_is_stopped())
        return -1.0;
    double stride = ice->stride;
    silt_ice_choose_paces(ice, ice->time > 0.0 ? paces_follow : 1.0f);
    double dt = flow(ice, time_left < ice->params->step ? time_left : ice->params->step, counters);
    bool moves = !(dt < 0.0), done = moves && silt_ice_move(ice, &books) && silt_ice_slip(ice);
    if (!done) { // as it was: nothing else has changed that the next step finds
        silt_ice_swap_paces(ice);
        ice->stride = stride;
        *counters = before;
        if (moves)
            silt_ice_move_back(ice);
        return -1.0;
    }
    silt_ice_work(ice, &books);
    book(ice, &books, ledger);
    ice->time += dt;
    return dt;
}

// ---- end ----

static double thaw_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    float share = (float)ice->params->washed;
    double washed = 0.0;
    for (int j = begin; j < end; j++) {
        float *debris = silt_field_row(&ice->debris, j);
        for (int i = 0; i < ice->terrain->width; i++) {
            float off = share * debris[i], stays = debris[i] - off;
            silt_field_row(&ice->ice, j)[i] = silt_field_row(&ice->speed, j)[i] = debris[i] = 0.0f;
            silt_field_row(&ice->deposit, j)[i] += stays;
            silt_field_row(&ice->deposition, j)[i] += stays;
            ice->bed[(size_t)j * (size_t)ice->terrain->width + (size_t)i] += (double)stays;
            washed += (double)off;
        }
    }
    return washed;
}

// Water in all hollows that the ice has left, up to their brims.
static SiltStatus fill_lakes(Ice *ice, SiltTerrain *ground, SiltField *level, SiltLedger *ledger)
{
    SiltStatus status = make_ground(ice, ground);
    if (status == SILT_OK)
        status = silt_terrain_fill(ground, level);
    if (status == SILT_OK && !ice->lakes.data)
        status = silt_field_create(level->width, level->height, &ice->lakes);
    if (status != SILT_OK)
        return status;
    double before = silt_field_sum(&ice->lakes);
    for (int j = 0; j < level->height; j++)
        for (int i = 0; i < level->width; i++) {
            float depth = silt_field_at(level, i, j) - silt_field_at(&ground->layers[0]->field, i, j);
            float *at = silt_field_row(&ice->lakes, j) + i;
            *at = depth > *at ? depth : *at;
        }
    ledger->water.added += (silt_field_sum(&ice->lakes) - before) * ice->terrain->cell * ice->terrain->cell;
    return SILT_OK;
}

static SiltStatus leave_lakes(Ice *ice, SiltLedger *ledger)
{
    SiltTerrain *ground;
    SiltField level = {0};
    SiltStatus status =
        silt_terrain_create(ice->terrain->width, ice->terrain->height, ice->terrain->cell, &ground);
    if (status != SILT_OK)
        return status;
    status = silt_field_create(ground->width, ground->height, &level);
    if (status == SILT_OK)
        status = fill_lakes(ice, ground, &level, ledger);
    silt_field_destroy(&level);
    silt_terrain_destroy(ground);
    return status;
}

static SiltStatus ice_finish(void *state, SiltLedger *ledger)
{
    Ice *ice = state;
    if (!ice->params->thaw) {
        IceBooks settled = {.snow = silt_ice_settle(ice)};
        book(ice, &settled, ledger);
        return SILT_OK;
    }
    IceBooks books = {.melt = silt_field_sum(&ice->ice) + silt_field_sum(&ice->owed)};
    silt_field_fill(&ice->owed, 0.0f);
    books.washed = silt_parallel_sum(ice->terrain->height, thaw_rows, ice);
    book(ice, &books, ledger);
    return leave_lakes(ice, ledger);
}

static void ice_end(void *state)
{
    silt_ice_flow_destroy(state);
}

const SiltModel silt_model_ice = {
    .name = "ice",
    .summary = "glaciers carve troughs and cirques and leave moraines",
    .source = "shallow ice with sliding after Oerlemans 1984 and Herman & Braun 2008; steep beds after "
              "Jarosch et al. 2013",
    .clock = "years",
    .reads = "deposit sediment ice",
    .makes = "ice ice_speed water sediment wear deposition deposit",
    .limiters = ice_limiters,
    .params = SILT_PARAM_TABLE(IceParams, ice_items),
    .state = ice_state,
    .state_count = sizeof ice_state / sizeof ice_state[0],
    .state_size = sizeof(Ice),
    .more_bytes = 12 * sizeof(float) + 1 + 7 * sizeof(float) * 4 / 3,
    .default_steps = 1000,
    .step_bytes = 0.0,
    .begin = ice_begin,
    .step = ice_step,
    .finish = ice_finish,
    .layers = silt_ice_layers,
    .show = silt_ice_show,
    .field = silt_ice_field,
    .edit = silt_ice_edit,
    .edits = "height ice sediment",
    .refresh = silt_ice_refresh,
    .store = silt_ice_store,
    .end = ice_end,
};
