// Shallow water through virtual pipes, erosion and deposition: Mei, Decaudin, Hu 2007. This file declares the
// model and the phases of its step, and brings a terrain into grains and back; pipes_step.c picks the time
// step.
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/pipes_phases.h"

static const SiltParam pipes_items[] = {
    SILT_PAPER_SWITCH(PipesParams),
    SILT_SUPPLY_ITEMS(PipesParams, 30.0, 0.0, "steady", "gaussian", "linear", 1e-4, "closed"),
    SILT_REAL(PipesParams, step, "s", 0.0, 0.0, 60.0,
              "length of a step, done in as many sub-steps as stability asks for; 0: one sub-step"),
    SILT_REAL(PipesParams, cfl, "1", 0.5, 0.05, 0.7, "cells a wave may cross in a sub-step"),
    SILT_REAL(PipesParams, gravity, "m/s2", 9.81, 0.1, 100.0, "acceleration of free fall",
              .flags = SILT_LIVE),
    SILT_REAL(PipesParams, pipe_area, "m2", 0.0, 0.0, 1e6,
              "cross-section A of a pipe (eq. 2); 0: as wide as the cell and as deep as its water; none: the "
              "square of "
              "the cell",
              .paper = "none"),
    SILT_CHOICE(PipesParams, outflows, "one two", "one",
                "one flux a pipe that turns round, or as in the paper two outflows, one from either end (eq. "
                "2), which "
                "eq. 4 alone bounds",
                .paper = "two"),
    SILT_REAL(
        PipesParams, friction, "m/s", 0.1, 0.0, 100.0,
        "drag of the bed: water of depth d slows down at the rate friction (1/d + 2/m); the paper has none",
        .paper = "0"),
    SILT_REAL(PipesParams, fastest, "m/s", 10.0, 0.1, 1000.0, "no water runs faster than this"),
    SILT_CHOICE(PipesParams, neighbours, "four eight", "four", "cells that water can reach from a cell"),
    SILT_REAL(PipesParams, capacity, "s", 3.0, 0.0, 100.0,
              "K_c: metres of rock carried at 1 m/s down a cliff (eq. 10)", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, dissolve, "1/s", 0.1, 0.0, 100.0, "K_s: how fast water takes up rock (eq. 11)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, settle, "1/s", 0.1, 0.0, 100.0, "K_d: how fast sediment falls out (eq. 12)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(PipesParams, least_tilt, "deg", 1.0, 0.0, 45.0, "flatter ground counts as tilted by this"),
    SILT_REAL(PipesParams, film, "m", 0.2, 0.0, 10.0, "shallower water digs less, in proportion to its depth",
              .paper = "0"),
    SILT_REAL(PipesParams, densest, "1", 0.1, 0.0, 1.0,
              "no water holds more rock than this share of its volume; none: all it can take up",
              .paper = "none"),
    SILT_SHALLOW_REACH(PipesParams, NAN, "none: 1/256 of the map's smaller side, and in the paper's way 0"),
    SILT_REAL(PipesParams, loose, "1", 3.0, 1.0, 100.0, "how much faster deposit is taken up than rock",
              .paper = "1"),
    SILT_LAYER(PipesParams, erodibility, "erodibility",
               "layer that multiplies K_s for rock; without it rock is the same everywhere"),
    SILT_STRATA_ITEMS(PipesParams),
    SILT_CHOICE(PipesParams, time_scaling, "converging paper", "converging",
                "paper: K_s and K_d apply once a step whatever its length (eq. 11-12), nothing bounds what "
                "is dug and "
                "heaped, and steps are all as long",
                .paper = "paper"),
    SILT_CHOICE(PipesParams, transport, "flux semi-lagrangian", "flux",
                "sediment moves with the water and none is lost, or is traced back as in the paper (eq. 14)",
                .paper = "semi-lagrangian"),
    SILT_REAL(PipesParams, bank_angle, "deg", 40.0, 1.0, 89.0,
              "steepest bank that stands with its foot in water"),
    SILT_REAL(PipesParams, bank_rate, "1/s", 0.1, 0.0, 10.0, "how fast steeper banks give way; 0: never",
              .paper = "0"),
    SILT_REAL(PipesParams, pace, "1", SILT_PIPES_PACE, 1.0, 10000.0,
              "how many times faster than the water the ground changes: a flood stands for many; not in "
              "the paper's way",
              .flags = SILT_LIVE | SILT_LOG),
};

static const SiltStateItem pipes_state[] = {
    SILT_STATE(Pipes, ground, SILT_STATE_COUNTS, "grains", "height of the ground"),
    SILT_STATE(Pipes, deposit, SILT_STATE_COUNTS, "grains", "loose material on the rock"),
    SILT_STATE(Pipes, water, SILT_STATE_COUNTS, "grains", "depth of the water"),
    SILT_STATE(Pipes, sediment, SILT_STATE_COUNTS, "grains", "rock in the water"),
    SILT_STATE(Pipes, wear, SILT_STATE_SUMS, "grains", "rock taken off so far"),
    SILT_STATE(Pipes, flux_east, SILT_STATE_FIELD, "m3/s", "flux to the eastern neighbour"),
    SILT_STATE(Pipes, flux_south, SILT_STATE_FIELD, "m3/s", "flux to the southern neighbour"),
    SILT_STATE(Pipes, flux_south_east, SILT_STATE_LAZY, "m3/s", "flux to the south-eastern neighbour"),
    SILT_STATE(Pipes, flux_south_west, SILT_STATE_LAZY, "m3/s", "flux to the south-western neighbour"),
    SILT_STATE(Pipes, back_east, SILT_STATE_LAZY, "m3/s", "outflow of the eastern neighbour to here"),
    SILT_STATE(Pipes, back_south, SILT_STATE_LAZY, "m3/s", "outflow of the southern neighbour to here"),
    SILT_STATE(Pipes, back_south_east, SILT_STATE_LAZY, "m3/s", "outflow of the south-eastern one to here"),
    SILT_STATE(Pipes, back_south_west, SILT_STATE_LAZY, "m3/s", "outflow of the south-western one to here"),
    SILT_STATE(Pipes, around, SILT_STATE_FIELD, "grains", "rock that water could carry, evened out"),
    SILT_STATE(Pipes, flow, SILT_STATE_FIELD, "m3", "water that has passed"),
    SILT_STATE(Pipes, wetness, SILT_STATE_FIELD, "s", "time under water"),
    SILT_STATE(Pipes, change_before, SILT_STATE_LAZY, "m", "the layer change as the run found it"),
    SILT_STATE(Pipes, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_SUBSTEPS_STATE(Pipes, substeps),
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
    SILT_STATE(Pipes, dt, SILT_STATE_FLOAT, "s", "length of the last sub-step, for the speed it had"),
    SILT_STATE(Pipes, shallow, SILT_STATE_FLOAT, "m", "depth that shallower water counts as in it"),
    SILT_STATE(Pipes, unsampled, SILT_STATE_DOUBLE, "s", "time since flow and wetness were last sampled"),
};

static const char *const pipes_limiters[] = {"velocity", "outflow", NULL};

// ---- the phases of a step ----

// When row r comes in fluxes are found on r, their limits on r - 1, water and rock change on r - 2, and
// sediment moves on r - 3. A phase that looks at the cell to the east stays a few columns behind what it
// looks at.
#define PHASE_CODE(Job, begin_, cells_)                                                                      \
    .job_size = sizeof(Job), .job_type = #Job, .begin = begin_, .begin_name = #begin_, .cells = cells_,      \
    .cells_name = #cells_
#define PHASE_END(end_, adds_) .end = end_, .end_name = #end_, .adds = adds_

// Phases that do nothing in a step are not even begun on a device.
static bool skips_source(const void *step)
{
    return !((const PipesStep *)step)->supply.brings;
}

static bool skips_carry(const void *step)
{
    return ((const PipesStep *)step)->traced;
}

static bool skips_trace(const void *step)
{
    return !((const PipesStep *)step)->traced;
}

static const SiltPhase pipes_phases[] = {
    {.name = "rain", // eq. 1
     .reads = "ground water around",
     .writes = "ground_before water_before around_before",
     PHASE_CODE(RainJob, silt_pipes_rain_begin, silt_pipes_rain_cells),
     PHASE_END(silt_pipes_rain_end, "added evaporated")},
    {.name = "flux", // eq. 2-3
     .reads = "ground_before water_before flux back",
     .writes = "flux back slid",
     .looks = 1,
     .columns_behind = 1,
     PHASE_CODE(FluxJob, silt_pipes_flux_begin, silt_pipes_flux_cells),
     PHASE_END(silt_pipes_flux_end, "swift")},
    {.name = "share", // eq. 4
     .reads = "ground_before water_before flux back",
     .writes = "share edge_grains",
     .looks = 1,
     .behind = 1,
     .columns_behind = 1,
     PHASE_CODE(ShareJob, silt_pipes_share_begin, silt_pipes_share_cells),
     PHASE_END(silt_pipes_share_end, "left limited")},
    {.name = "scale", // eq. 5
     .reads = "flux back share",
     .writes = "flux back grains",
     .looks = 1,
     .behind = 1,
     .columns_behind = 2,
     PHASE_CODE(ScaleJob, silt_pipes_scale_begin, silt_pipes_scale_cells)},
    {.name = "source", // sediment that comes with water
     .reads = "ground_before sediment",
     .writes = "sediment",
     .behind = 2,
     .columns_behind = 2,
     PHASE_CODE(SourceJob, silt_pipes_source_begin, silt_pipes_source_cells),
     PHASE_END(silt_pipes_source_end, "sediment_added"),
     .skips = skips_source},
    {.name = "change", // eq. 6-12 and 15
     .reads = "ground_before water_before around_before flux grains edge_grains slid sediment deposit wear",
     .writes = "ground water around deposit wear muddy load flow wetness",
     .looks = 1,
     .behind = 2,
     .columns_behind = 2,
     PHASE_CODE(ChangeJob, silt_pipes_change_begin, silt_pipes_change_cells),
     PHASE_END(silt_pipes_change_end, "evaporated sediment_left swift deepest swiftest")},
    {.name = "carry", // eq. 13
     .reads = "muddy load grains edge_grains",
     .writes = "sediment",
     .looks = 1,
     .behind = 3,
     .columns_behind = 3,
     PHASE_CODE(CarryJob, silt_pipes_carry_begin, silt_pipes_carry_cells),
     PHASE_END(silt_pipes_carry_end, "sediment_left"),
     .skips = skips_carry},
    {.name = "trace", // eq. 14
     .reads = "muddy water_before flux grains edge_grains",
     .writes = "sediment",
     .looks = 1,
     .behind = 3,
     .columns_behind = 3,
     PHASE_CODE(TraceJob, silt_pipes_trace_begin, silt_pipes_trace_cells),
     .skips = skips_trace},
};

static bool needs(const void *step, int field)
{
    const PipesStep *p = step;
    return (field != FLOW && field != WETNESS) || p->samples;
}

// The fields by their place in the table. The fewer rows are in flight, the wider a map may be before they no
// longer fit the cache: what is read only in the row it was written in and in the next needs two.
SiltStatus silt_pipes_grid(Pipes *p, bool plain, SiltGrid **out)
{
    bool eight = p->directions == PIPE_DIRECTIONS,
         traced = p->params->transport == SILT_PIPES_SEMI_LAGRANGIAN;
    int diagonal = eight ? 4 : 0;
    SiltGridField fields[FIELDS] = {
        [WATER] = {"water", &p->water, .rows = 4, .ahead = 1},
        [GROUND] = {"ground", &p->ground, .rows = 4, .ahead = 1},
        [DEPOSIT] = {"deposit", &p->deposit, .rows = 1, .ahead = -1, .newest = -2},
        [SEDIMENT] = {"sediment", &p->sediment, .rows = 2, .ahead = -1, .newest = -2},
        [WEAR] = {"wear", &p->wear, .rows = 1, .ahead = -1, .newest = -2},
        [FLUX + EAST] = {"flux_east", &p->flux_east, .rows = 4, .ahead = 1},
        [FLUX + SOUTH] = {"flux_south", &p->flux_south, .rows = 4, .ahead = 0, .newest = -1},
        [FLUX + SOUTH_EAST] = {"flux_south_east", &p->flux_south_east, .rows = 4, .ahead = 0, .newest = -1},
        [FLUX + SOUTH_WEST] = {"flux_south_west", &p->flux_south_west, .rows = 4, .ahead = 0, .newest = -1},
        [BACK + EAST] = {"back_east", &p->back_east, .rows = 4, .ahead = 1},
        [BACK + SOUTH] = {"back_south", &p->back_south, .rows = 4, .ahead = 0, .newest = -1},
        [BACK + SOUTH_EAST] = {"back_south_east", &p->back_south_east, .rows = 4, .ahead = 0, .newest = -1},
        [BACK + SOUTH_WEST] = {"back_south_west", &p->back_south_west, .rows = 4, .ahead = 0, .newest = -1},
        [AROUND] = {"around", &p->around, .rows = 4, .ahead = 1},
        [FLOW] = {"flow", &p->flow, .rows = 1, .sums = true, .ahead = -1, .newest = -2},
        [WETNESS] = {"wetness", &p->wetness, .rows = 1, .sums = true, .ahead = -1, .newest = -2},
        [GROUND_BEFORE] = {"ground_before", .rows = 4},
        [WATER_BEFORE] = {"water_before", .rows = 4},
        [AROUND_BEFORE] = {"around_before", .rows = 4},
        [GRAINS + EAST] = {"grains_east", .rows = 4},
        [GRAINS + SOUTH] = {"grains_south", .rows = 4},
        [GRAINS + SOUTH_EAST] = {"grains_south_east", .rows = diagonal},
        [GRAINS + SOUTH_WEST] = {"grains_south_west", .rows = diagonal},
        [SLID + EAST] = {"slid_east", .rows = 4},
        [SLID + SOUTH] = {"slid_south", .rows = 4},
        [SLID + SOUTH_EAST] = {"slid_south_east", .rows = diagonal},
        [SLID + SOUTH_WEST] = {"slid_south_west", .rows = diagonal},
        [SHARE] = {"share", .rows = 2},
        [EDGE_GRAINS] = {"edge_grains", .rows = 4},
        [BORDER_GRAINS] = {"border_grains", .rows = 2},
        [LOAD] = {"load", .rows = 4},
        [MUDDY] = {"muddy", .rows = traced ? 4 : 2},
        [CARRIED] = {"carried", .rows = 2},
        [OUTSIDE] = {"outside", .rows = 1},
        [ONES] = {"ones", .rows = 1},
        [EDGE] = {"edge", .rows = 1},
        [SUPPLY] = {"supply", .rows = 1},
        [SEDIMENT_SUPPLY] = {"sediment_supply", .rows = 1},
        [HEIGHTS] = {"heights", .rows = 1},
        [LOSS] = {"loss", .rows = 1},
        [ERODIBILITY] = {"erodibility", .rows = 1},
    };
    char defines[120];
    snprintf(defines, sizeof defines,
             "-D SILT_PIPES_DIRECTIONS=%d -D SILT_PIPES_FIXED=%d -D SILT_PIPES_TWO=%d", p->directions,
             silt_pipes_area(p) > 0.0, p->params->outflows == SILT_PIPES_TWO_OUTFLOWS);
    for (int field = SILLS; field < FIELDS; field++)
        fields[field] = (SiltGridField){"row", .rows = 1, .at_ends = field == SILLS};
    const SiltGridTable table = {.owner = "erode pipes",
                                 .phases = pipes_phases,
                                 .phase_count = sizeof pipes_phases / sizeof pipes_phases[0],
                                 .fields = fields,
                                 .field_count = FIELDS,
                                 .halo = PIPES_HALO,
                                 .steps = traced ? 1 : PIPES_STEPS,
                                 .tally = sizeof(PipesTally),
                                 .plain = plain,
                                 .start = silt_pipes_start,
                                 .needs = needs,
                                 .program = &silt_pipes_program,
                                 .defines = defines};
    return silt_grid_create(&table, p->terrain, out);
}

static SiltShallow shallow_of(const Pipes *p)
{
    return (SiltShallow){&p->base, &p->ground, &p->deposit, &p->water, &p->sediment, &p->wear};
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
    SiltField *back[PIPE_DIRECTIONS] = {&p->back_east, &p->back_south, &p->back_south_east,
                                        &p->back_south_west};
    for (int d = 0; p->params->outflows == SILT_PIPES_TWO_OUTFLOWS && d < p->directions && status == SILT_OK;
         d++)
        status = silt_field_create(p->terrain->width, p->terrain->height, back[d]);
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
        status =
            silt_ground_begin("erode pipes", terrain, SILT_SHALLOW_HEADROOM, &p->change_before, &p->base);
    if (status == SILT_OK)
        status = make_fields(p);
    if (status == SILT_OK)
        status = find_sills(p);
    if (status == SILT_OK)
        status = silt_pipes_grid(p, false, &p->grid);
    if (status != SILT_OK)
        return status;
    status = silt_pipes_watch(p);
    if (status != SILT_OK)
        return status;
    p->grain = p->base.grain;
    p->shallow = SILT_PIPES_SHALLOW;
    silt_shallow_warn_pace("erode pipes", p->params->pace, SILT_PIPES_PACE,
                           p->params->time_scaling == SILT_PIPES_PAPER);
    SiltShallow shallow = shallow_of(p);
    silt_shallow_fill(&shallow);
    p->deepest = silt_shallow_deepest(&shallow);
    ledger->water.initial = silt_shallow_volume(&shallow, &p->water);
    p->pulse.held = ledger->water.initial / (p->grain * terrain->cell * terrain->cell);
    ledger->rock.initial = silt_shallow_rock(&shallow);
    silt_shallow_relieve_all(&shallow, ledger);
    return SILT_OK;
}

static void pipes_end(void *state)
{
    Pipes *p = state;
    silt_supply_end(&p->supply);
    silt_grid_destroy(p->grid);
    silt_free(p->sills);
    silt_free(p->watched);
}

// ---- out of grains ----

static bool pipes_rest(void *state, SiltLedger *ledger)
{
    Pipes *p = state;
    SiltShallow shallow = shallow_of(p);
    if (p->substeps.left > 0.0) // of a step that was stopped half-way
        return true;
    return silt_shallow_rest(&shallow, &p->supply, p->time, ledger);
}

static bool pipes_rests(const void *state)
{
    return ((const Pipes *)state)->supply.stopped;
}

// ---- what it shows, and what a hand changes ----

static void pipes_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Pipes *p = state;
    SiltShallow shallow = shallow_of(p);
    double sampled_time = p->time - p->unsampled;
    double per_second = sampled_time > 0.0 ? 1.0 / sampled_time : 0.0;
    if (silt_shallow_show(&shallow, layer, j, begin, end, out))
        return;
    for (int i = begin; layer == SILT_SHALLOW_FLOW && i < end; i++)
        out[i] = (float)((double)silt_field_at(&p->flow, i, j) * per_second);
    if (layer == SILT_SHALLOW_SPEED)
        silt_pipes_speed_row(p, j, begin, end, out);
}

static const SiltField *pipes_field(const void *state, int layer)
{
    return layer == SILT_SHALLOW_WETNESS ? &((const Pipes *)state)->wetness : NULL;
}

static void pipes_edit(void *state, SiltEditRow *row)
{
    Pipes *p = state;
    SiltShallow shallow = shallow_of(p);
    p->deepest = fmax(p->deepest, silt_shallow_edit(&shallow, row));
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

// What silt_ground_grains can give, which flows are reckoned with.
static SiltStatus check_sills(const Pipes *p)
{
    const SiltTerrain *terrain = p->base.terrain;
    for (int64_t k = 0; k < 2 * ((int64_t)terrain->width + terrain->height); k++)
        if (p->sills[k] < SILT_GRAINS_FLOOR || p->sills[k] > SILT_GRAINS_WALL + 1)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode pipes: the saved state is damaged: the ground beyond the "
                             "border is what no run has");
    return SILT_OK;
}

static SiltStatus pipes_resume(void *state)
{
    Pipes *p = state;
    SiltShallow shallow = shallow_of(p);
    double steady = p->steady;
    SiltStatus status = silt_ground_resume("erode pipes", &p->base, &p->change_before);
    if (status == SILT_OK)
        status = silt_shallow_resume("erode pipes", &shallow);
    if (status == SILT_OK)
        status = check_sills(p);
    p->grain = p->base.grain;
    if (status == SILT_OK)
        status = pipes_refresh(state);
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
    SiltShallow shallow = shallow_of(p);
    ledger->water.stored = silt_shallow_volume(&shallow, &p->water);
    ledger->rock.stored = silt_shallow_rock(&shallow);
    ledger->rock.moved = silt_shallow_volume(&shallow, &p->wear);
    return SILT_OK;
}

static const char *pipes_leak(const void *params)
{
    const PipesParams *p = params;
    return p->transport == SILT_PIPES_SEMI_LAGRANGIAN ? "transport=semi-lagrangian (eq. 14 of the paper) "
                                                        "keeps no count of sediment; transport=flux does"
                                                      : NULL;
}

static const SiltGround *pipes_base(const void *state)
{
    return &((const Pipes *)state)->base;
}

static SiltGrid *pipes_grid(const void *state)
{
    return ((const Pipes *)state)->grid;
}

static const char *const pipes_layer_fields[] = {
    "ground", "water",       "sediment", "deposit",
    "wear",   "ground wear", "flow",     "water flux_east flux_south flux_south_east flux_south_west",
    "wetness"};

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
    .leak = pipes_leak,
    .grid = pipes_grid,
    .base = pipes_base,
    .layer_fields = pipes_layer_fields,
    .rest_fields = "ground water sediment deposit",
    .default_steps = 2000,
    .step_bytes = 68.0,     // eight fields in and out, and two more every fourth step
    .halo = PIPES_HALO + 1, // the speed of a cell, once a step is done, goes by the fluxes of those beside it
    .begin = pipes_begin,
    .step = silt_pipes_step,
    .tend = silt_pipes_tend,
    .leap = silt_pipes_leap,
    .rest = pipes_rest,
    .rests = pipes_rests,
    .layers = silt_shallow_layers,
    .show = pipes_show,
    .field = pipes_field,
    .edit = pipes_edit,
    .tries_edits = true,
    .refresh = pipes_refresh,
    .pack = pipes_pack,
    .resume = pipes_resume,
    .store = pipes_store,
    .end = pipes_end,
};
