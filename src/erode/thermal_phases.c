// The phases of a step of `thermal`: what slides across corners, how fast each cell gives, what each gains.
// Row code for the processor and for devices (grid/rows.h).
#include "erode/thermal_rows.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/thermal.h"
#endif

// Weights that make the flow per metre of width nearly the same in all directions. With them and the rates in
// thermal.c all shares of a cell add up to one half: 4 (1 + 0.5) / 12 for eight neighbours, and for round
// heaps 4 (0.5 + 2 * 0.75) / 16, since a corner moves twice its rate between opposite cells.
#define DIAGONAL_OF_EIGHT 0.5f
#define STRAIGHT_OF_ROUND 0.5f
#define CORNER_OF_ROUND   0.75f

// Three rows of a field, from north to south.
typedef SiltRows Rows;
typedef SiltRealRows Rates;

// Which of the loops: constants to the compiler, once each.
typedef struct Kind {
    bool walls, mobile;
    int neighbours; // THERMAL_ROTATED ...
} Kind;

typedef struct ThermalJob {
    Rows before, open, west, north_of; // corners lie south-east of the cell they are kept with
    Rates rate;
    SILT_GLOBAL const float *erodibility;
    SILT_GLOBAL int32_t *ground, *bed;
    SILT_GLOBAL uint32_t *risen;
    SILT_GLOBAL int32_t *west_out, *north_out;
    SILT_GLOBAL float *rate_out;
    ThermalRates step;
    Kind kind;
    int width;
    SILT_GLOBAL int32_t *since; // NULL: nobody watches
    int32_t most, apart;        // out: grains that a cell gained or lost; and since the watch began
} ThermalJob;

// ---- the ground as the step finds it ----

// Whether a row has walls in it or beside it, but for both its ends.
static bool is_walled(const SiltBand *band, int row)
{
    SILT_STEP const ThermalStep *step = band->step;
    return SILT_SET(step, has_holes) || silt_band_is_outer(band, row);
}

// Whether a cell of the map has no data.
#ifdef __OPENCL_C_VERSION__
static bool is_hole(const SiltBand *band, int i, int row)
{
    return SILT_SET(band->step, has_holes) &&
           ((SILT_GLOBAL const float *)silt_band_row(band, HOLES, row))[i] > 0.0f;
}
#else
static bool is_hole(const SiltBand *band, int i, int row)
{
    const ThermalStep *step = band->step;
    return SILT_SET(step, has_holes) && silt_terrain_is_nodata(step->thermal->origin.terrain, i, row);
}
#endif

// Rows off the map are closed and as low as can be.
SILT_CLONES static void take_in(SILT_GLOBAL const int32_t *ground, int32_t on_grid,
                                SILT_GLOBAL int32_t *before, SILT_GLOBAL int32_t *open, SiltSpan span)
{
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        open[i] = on_grid;
        before[i] = ground[i] & on_grid;
    }
}

static bool begin_load(const SiltBand *band, int row, void *job)
{
    (void)job;
    SILT_STEP const ThermalStep *step = band->step;
    SILT_GLOBAL int32_t *before = silt_band_row(band, BEFORE, row), *open = silt_band_row(band, OPEN, row);
    bool on_grid = silt_band_on_grid(band, row);
    SILT_GLOBAL const int32_t *own = silt_band_row(band, GROUND, on_grid ? row : band->begin);
    SILT_GLOBAL const int32_t *ground = on_grid ? own : before;
    take_in(ground, on_grid ? -1 : 0, before, open,
            silt_span(silt_band_from(band), silt_band_to(band), true));
    for (int i = silt_band_from(band); on_grid && SILT_SET(step, has_holes) && i < silt_band_to(band); i++)
        open[i] = is_hole(band, i, row) ? 0 : -1;
    silt_band_ends(band, open, 0, 0);
    silt_band_ends(band, before, 0, 0);
    return false;
}

// ---- both ends of a row are beside a wall; the rest mostly not ----

#ifdef __OPENCL_C_VERSION__
// One cell, which knows whether it lies at an end.
#define WITH_ENDS(job, span, cells)                                                                          \
    do {                                                                                                     \
        (job)->kind.walls = (job)->kind.walls || (span).begin == 0 || (span).end == (job)->width;            \
        cells(job, (span).begin, (span).end);                                                                \
        (job)->most = (span).counts ? (job)->most : 0;                                                       \
    } while (0)
#else
#define WITH_ENDS(job, span, cells) with_ends(job, span, cells)

typedef void (*CellsFn)(ThermalJob *job, int begin, int end);

static void with_ends(ThermalJob *job, SiltSpan span, CellsFn cells)
{
    bool walled = job->kind.walls;
    int inner = span.begin < 1 && !walled ? 1 : span.begin;
    int last = !walled && span.end == job->width && span.end > inner ? span.end - 1 : span.end;
    int32_t most = job->most, apart = job->apart;
    job->kind.walls = true;
    if (span.begin < inner)
        cells(job, span.begin, inner);
    if (last < span.end)
        cells(job, last, span.end);
    job->kind.walls = walled;
    if (inner < last)
        cells(job, inner, last);
    job->most = span.counts ? job->most : most;
    job->apart = span.counts ? job->apart : apart;
}
#endif

static ThermalJob common_job(const SiltBand *band, int row)
{
    SILT_STEP const ThermalStep *step = band->step;
    return (ThermalJob){.before = silt_rows_around(band, BEFORE, row),
                        .open = silt_rows_around(band, OPEN, row),
                        .step = step->rates,
                        .kind = {is_walled(band, row), SILT_SET(step, mobile), SILT_SET(step, neighbours)},
                        .width = band->width};
}

// ---- what slides across the corners, for round piles ----

static bool begin_corner(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const ThermalStep *step = band->step;
    ThermalJob *job = memory;
    *job = common_job(band, row);
    job->west_out = silt_band_row(band, WEST, row);
    job->north_out = silt_band_row(band, NORTH, row);
    if (silt_band_from(band) == 0)
        job->west_out[-1] = job->north_out[-1] = 0;
    return SILT_SET(step, neighbours) == THERMAL_ROUND;
}

SILT_INLINE void find_corners(const ThermalJob *shared, int begin, int end, bool walls)
{
    ThermalJob job = *shared;
    SILT_GLOBAL const int32_t *here = job.before.here, *south = job.before.south;
    SILT_GLOBAL const int32_t *open = job.open.here, *open_south = job.open.south;
    float talus = 2.0f * (float)job.step.straight, rate = CORNER_OF_ROUND * job.step.rate;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        int32_t all = walls ? open[i] & open[i + 1] & open_south[i] & open_south[i + 1] : -1;
        SiltThermalCorner corner =
            silt_thermal_corner(here[i], here[i + 1], south[i], south[i + 1], all, talus, rate);
        job.west_out[i] = corner.west;
        job.north_out[i] = corner.north;
    }
}

SILT_CLONES static void corners(ThermalJob *job, int begin, int end)
{
    if (job->kind.walls)
        find_corners(job, begin, end, true);
    else
        find_corners(job, begin, end, false);
}

static void corner_cells(void *memory, SiltSpan span)
{
    ThermalJob *job = memory;
    WITH_ENDS(job, span, corners);
}

// ---- how fast each cell gives ----

// Neighbours to the north and south, west and east; or across the corners.
SILT_INLINE SiltThermalFour four_of(const ThermalJob *job, int i, bool diagonal, bool walls, bool mobile)
{
    const Rows *g = &job->before, *o = &job->open;
    const Rates *r = &job->rate;
    float same = job->step.rate;
    int w = i - 1, e = i + 1;
    SiltThermalFour four = {
        {g->north[diagonal ? w : i], g->north[e], g->south[w], g->south[diagonal ? e : i]},
        {-1, -1, -1, -1},
        {same, same, same, same}};
    if (!diagonal) {
        four.ground[1] = g->south[i];
        four.ground[2] = g->here[w];
        four.ground[3] = g->here[e];
    }
    if (walls) {
        four.open[0] = o->north[diagonal ? w : i];
        four.open[1] = diagonal ? o->north[e] : o->south[i];
        four.open[2] = diagonal ? o->south[w] : o->here[w];
        four.open[3] = diagonal ? o->south[e] : o->here[e];
    }
    if (mobile) {
        four.rate[0] = r->north[diagonal ? w : i];
        four.rate[1] = diagonal ? r->north[e] : r->south[i];
        four.rate[2] = diagonal ? r->south[w] : r->here[w];
        four.rate[3] = diagonal ? r->south[e] : r->here[e];
    }
    return four;
}

// The layer of erodibility, or NULL.
static SILT_GLOBAL const float *layer_row(const SiltBand *band, int row)
{
#ifdef __OPENCL_C_VERSION__
    return SILT_SET(band->step, has_erodibility) ? silt_band_row(band, LAYER, row) : NULL;
#else
    const ThermalStep *step = band->step;
    return SILT_SET(step, has_erodibility) ? silt_field_row(step->thermal->erodibility, row) : NULL;
#endif
}

// The rock that counts is the bed, not what covers it.
static SILT_GLOBAL float *erodibility_row(const SiltBand *band, int row)
{
    SILT_STEP const ThermalStep *step = band->step;
    SILT_GLOBAL float *out = silt_band_row(band, ERODIBILITY, row),
                      *heights = silt_band_row(band, HEIGHTS, row);
    SILT_GLOBAL const int32_t *bed = silt_band_row(band, BED, row);
    SILT_GLOBAL const float *factor = layer_row(band, row);
    float low = step->low, grain = step->grain, rock = step->rock;
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        out[i] = factor ? silt_clampf(rock * factor[i], 0.0f, 1.0f) : rock;
    if (SILT_SET(step, strata.count) == 0)
        return out;
    SILT_GLOBAL float *mixed = silt_band_row(band, BEDS, row);
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        heights[i] = low + (float)bed[i] * grain;
    silt_strata_cells(band, &step->strata, &SILT_SET(step, strata), STRATA, row, heights, mixed);
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        out[i] = silt_minf(mixed[i] * out[i], 1.0f);
    return out;
}

// How rock stands: plain rock, all over the map, at `limit`; other rock by its erodibility.
typedef struct Stand {
    float stands, over_rock, limit;
    bool is_plain;
} Stand;

// Rock that stands gives nothing, however steep loose material would have it.
SILT_INLINE void stand_cells(const ThermalJob *shared, SILT_GLOBAL float *erodibility, int begin, int end,
                             Stand rock, bool is_plain, bool walls)
{
    ThermalJob job = *shared;
    float talus = (float)job.step.straight;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float steep = silt_thermal_steepest(job.before.here[i], four_of(&job, i, false, walls, false),
                                            four_of(&job, i, true, walls, false));
        float limit =
            is_plain ? rock.limit : silt_thermal_limit(talus, rock.stands, erodibility[i] * rock.over_rock);
        erodibility[i] *= silt_thermal_breaks(steep, talus, limit);
    }
}

#ifdef __OPENCL_C_VERSION__
static void stand(const ThermalJob *job, SILT_GLOBAL float *erodibility, int begin, int end, Stand rock)
{
    stand_cells(job, erodibility, begin, end, rock, rock.is_plain,
                job->kind.walls || begin == 0 || end == job->width);
}
#else
SILT_CLONES static void stand(const ThermalJob *job, SILT_GLOBAL float *erodibility, int begin, int end,
                              Stand rock)
{
    if (rock.is_plain)
        stand_cells(job, erodibility, begin, end, rock, true, true);
    else
        stand_cells(job, erodibility, begin, end, rock, false, true);
}
#endif

static bool begin_rate(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const ThermalStep *step = band->step;
    ThermalJob *job = memory;
    silt_band_pad(band, RATE, row, 0);
    if (!SILT_SET(step, mobile) || !silt_band_on_grid(band, row) || row < band->first - 1)
        return false;
    *job = common_job(band, row);
    job->west = silt_rows_around(band, WEST, row);
    job->north_of = silt_rows_around(band, NORTH, row);
    SILT_GLOBAL float *erodibility = erodibility_row(band, row);
    if (SILT_SET(step, breaks))
        stand(job, erodibility, silt_band_from(band), silt_band_to(band),
              (Stand){step->stands, step->over_rock, step->limit,
                      !SILT_SET(step, has_erodibility) && SILT_SET(step, strata.count) == 0});
    job->erodibility = erodibility;
    job->bed = silt_band_row(band, BED, row);
    job->rate_out = silt_band_row(band, RATE, row);
    return true;
}

SILT_INLINE SiltThermalCorner corner_at(SILT_GLOBAL const int32_t *west, SILT_GLOBAL const int32_t *north,
                                        int i)
{
    return (SiltThermalCorner){west[i], north[i]};
}

SILT_INLINE SiltThermalCorners corners_of(const ThermalJob *job, int i)
{
    SILT_GLOBAL const int32_t *w = job->west.here, *n = job->north_of.here, *wn = job->west.north,
                              *nn = job->north_of.north;
    return (SiltThermalCorners){corner_at(wn, nn, i - 1), corner_at(wn, nn, i), corner_at(w, n, i - 1),
                                corner_at(w, n, i)};
}

SILT_INLINE void find_rates(const ThermalJob *shared, int begin, int end, bool walls, int neighbours)
{
    ThermalJob job = *shared;
    SILT_GLOBAL const int32_t *ground = job.before.here;
    bool rotated = neighbours == THERMAL_ROTATED, round = neighbours == THERMAL_ROUND;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        int32_t wanted = 0;
        if (!round)
            wanted +=
                silt_thermal_lost_four(ground[i], four_of(&job, i, true, walls, false), job.step.diagonal,
                                       rotated ? 1.0f : DIAGONAL_OF_EIGHT, job.step.rate);
        if (!rotated)
            wanted +=
                silt_thermal_lost_four(ground[i], four_of(&job, i, false, walls, false), job.step.straight,
                                       round ? STRAIGHT_OF_ROUND : 1.0f, job.step.rate);
        if (round)
            wanted += silt_thermal_lost_across(corners_of(&job, i));
        job.rate_out[i] = silt_thermal_rate(wanted, ground[i], job.bed[i], job.erodibility[i], job.step.rate,
                                            job.step.height_factor);
    }
}

SILT_INLINE void rates_with(ThermalJob *job, int begin, int end, int neighbours)
{
    if (job->kind.walls)
        find_rates(job, begin, end, true, neighbours);
    else
        find_rates(job, begin, end, false, neighbours);
}

SILT_CLONES static void rates(ThermalJob *job, int begin, int end)
{
    if (job->kind.neighbours == THERMAL_ROUND)
        rates_with(job, begin, end, THERMAL_ROUND);
    else if (job->kind.neighbours == THERMAL_EIGHT)
        rates_with(job, begin, end, THERMAL_EIGHT);
    else
        rates_with(job, begin, end, THERMAL_ROTATED);
}

static void rate_cells(void *memory, SiltSpan span)
{
    ThermalJob *job = memory;
    WITH_ENDS(job, span, rates);
}

// ---- what that leaves of the corners ----

static bool begin_hold(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const ThermalStep *step = band->step;
    ThermalJob *job = memory;
    job->rate = (Rates){NULL, silt_band_row(band, RATE, row), silt_band_row(band, RATE, row + 1)};
    job->west_out = silt_band_row(band, WEST, row);
    job->north_out = silt_band_row(band, NORTH, row);
    job->step = step->rates;
    return SILT_SET(step, mobile) && SILT_SET(step, neighbours) == THERMAL_ROUND && row >= band->first - 1;
}

SILT_CLONES static void hold(const ThermalJob *shared, int begin, int end)
{
    ThermalJob job = *shared;
    SILT_GLOBAL const float *here = job.rate.here, *south = job.rate.south;
    float full = job.step.rate, part = job.step.per_rate;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltThermalCorner corner = silt_thermal_hold(corner_at(job.west_out, job.north_out, i), here[i],
                                                     here[i + 1], south[i], south[i + 1], full, part);
        job.west_out[i] = corner.west;
        job.north_out[i] = corner.north;
    }
}

static void hold_cells(void *job, SiltSpan span)
{
    hold(job, span.begin, span.end);
}

// ---- what each cell gains ----

static bool begin_slide(const SiltBand *band, int row, void *memory)
{
    ThermalJob *job = memory;
    SILT_STEP const ThermalStep *step = band->step;
    if (!silt_band_finishes(band, row))
        return false;
    *job = common_job(band, row);
    job->west = silt_rows_around(band, WEST, row);
    job->north_of = silt_rows_around(band, NORTH, row);
    job->rate = silt_real_rows_around(band, RATE, row);
    job->ground = silt_band_row(band, GROUND, row);
    job->bed = silt_band_row(band, BED, row);
    job->risen = silt_band_row(band, RISEN, row);
    job->since = SILT_SET(step, watching) ? silt_band_row(band, SINCE, row) : NULL;
    return true;
}

SILT_INLINE void slide(ThermalJob *shared, int begin, int end, Kind kind)
{
    ThermalJob job = *shared;
    SILT_GLOBAL const int32_t *before = job.before.here, *open = job.open.here;
    bool rotated = kind.neighbours == THERMAL_ROTATED, round = kind.neighbours == THERMAL_ROUND;
    int32_t most = job.most;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        int32_t gain = 0;
        float rate = kind.mobile ? job.rate.here[i] : job.step.rate;
        if (!round)
            gain += silt_thermal_gain_four(before[i], rate, four_of(&job, i, true, kind.walls, kind.mobile),
                                           job.step.diagonal, rotated ? 1.0f : DIAGONAL_OF_EIGHT);
        if (!rotated)
            gain += silt_thermal_gain_four(before[i], rate, four_of(&job, i, false, kind.walls, kind.mobile),
                                           job.step.straight, round ? STRAIGHT_OF_ROUND : 1.0f);
        if (round)
            gain += silt_thermal_gain_across(corners_of(&job, i));
        gain &= kind.walls ? open[i] : -1;
        SiltThermalSlid slid = silt_thermal_slide(before[i], job.bed[i], gain);
        uint32_t risen = job.risen[i] + (uint32_t)slid.risen;
        job.ground[i] = slid.ground;
        job.bed[i] = slid.bed;
        job.risen[i] = risen < job.risen[i] ? UINT32_MAX : risen;
        int32_t size = gain < 0 ? -gain : gain;
        most = size > most ? size : most;
    }
    shared->most = most;
}

SILT_INLINE void slide_with(ThermalJob *job, int begin, int end, int neighbours)
{
    if (job->kind.walls && job->kind.mobile)
        slide(job, begin, end, (Kind){true, true, neighbours});
    else if (job->kind.walls)
        slide(job, begin, end, (Kind){true, false, neighbours});
    else if (job->kind.mobile)
        slide(job, begin, end, (Kind){false, true, neighbours});
    else
        slide(job, begin, end, (Kind){false, false, neighbours});
}

// Written once, compiled for each kind and each width of the vectors.
SILT_CLONES static void slides(ThermalJob *job, int begin, int end)
{
    if (job->kind.neighbours == THERMAL_ROUND)
        slide_with(job, begin, end, THERMAL_ROUND);
    else if (job->kind.neighbours == THERMAL_EIGHT)
        slide_with(job, begin, end, THERMAL_EIGHT);
    else
        slide_with(job, begin, end, THERMAL_ROTATED);
}

// How far each cell has come since the watch began.
static void watch(ThermalJob *job, SiltSpan span)
{
    for (int i = span.begin; i < span.end; i++) {
        int32_t since = (job->step.first ? 0 : job->since[i]) + job->ground[i] - job->before.here[i];
        int32_t size = since < 0 ? -since : since;
        job->since[i] = since;
        job->apart = span.counts && size > job->apart ? size : job->apart;
    }
}

static void slide_cells(void *memory, SiltSpan span)
{
    ThermalJob *job = memory;
    WITH_ENDS(job, span, slides);
    if (job->since)
        watch(job, span);
}

static void end_slide(const SiltBand *band, int row, void *memory)
{
    const ThermalJob *job = memory;
    ThermalTally *tally = band->tally;
    if (!silt_band_counts(band, row))
        return;
    tally->most = job->most > tally->most ? job->most : tally->most;
    tally->apart = job->apart > tally->apart ? job->apart : tally->apart;
}

#ifndef __OPENCL_C_VERSION__
// ---- the table ----

static const SiltPhase thermal_phases[] = {
    {"load", "ground", "before open", 0, 0, 0, SILT_ROW_CODE(ThermalJob, begin_load, NULL, NULL, NULL)},
    {"corner", "before open", "west north", 1, 1, 0,
     SILT_ROW_CODE(ThermalJob, begin_corner, corner_cells, NULL, NULL)},
    {"rate", "before open west north bed", "rate", 1, 1, 0,
     SILT_ROW_CODE(ThermalJob, begin_rate, rate_cells, NULL, NULL)},
    {"hold", "rate", "west north", 1, 2, 1, SILT_ROW_CODE(ThermalJob, begin_hold, hold_cells, NULL, NULL)},
    {"slide", "before open west north rate", "ground bed risen", 1, 2, 1,
     SILT_ROW_CODE(ThermalJob, begin_slide, slide_cells, end_slide, "most apart")},
};

static bool needs(const void *step, int field)
{
    return field != SINCE || ((const ThermalStep *)step)->watching;
}

SiltStatus silt_thermal_grid(Thermal *thermal, bool plain, SiltGrid **out)
{
    SiltGridField fields[FIELDS] = {
        [GROUND] = {"ground", &thermal->ground, 4, false, 1, 0, false},
        [BED] = {"bed", &thermal->bed, 2, false, 0, -1, false},
        [RISEN] = {"risen", &thermal->risen, 1, true, -1, -2, false},
        [SINCE] = {"since", &thermal->since, 1, true, SILT_NOT_AHEAD, -2, false},
        [BEFORE] = {"before", .rows = 4},
        [OPEN] = {"open", .rows = 4},
        [WEST] = {"west", .rows = 4},
        [NORTH] = {"north", .rows = 4},
        [RATE] = {"rate", .rows = 4},
    };
    for (int field = ERODIBILITY; field < FIELDS; field++)
        fields[field] = (SiltGridField){"row", .rows = 1};
    SiltGridTable table = {.owner = "erode thermal",
                           .phases = thermal_phases,
                           .phase_count = sizeof thermal_phases / sizeof thermal_phases[0],
                           .fields = fields,
                           .field_count = FIELDS,
                           .halo = 2,
                           .steps = THERMAL_STEPS,
                           .tally = sizeof(ThermalTally),
                           .plain = plain,
                           .needs = needs,
                           .program = &silt_thermal_program};
    return silt_grid_create(&table, thermal->origin.terrain, out);
}

static ThermalStep step_of(const Thermal *thermal, int64_t index, float rate)
{
    float over_rock = thermal->rock > 0.0f ? 1.0f / thermal->rock : 0.0f;
    return (ThermalStep){
        .thermal = thermal,
        .rates = {thermal->talus[0], thermal->talus[1], rate, 1.0f / rate, thermal->height_factor,
                  index % THERMAL_STEPS == 0},
        .neighbours = thermal->neighbours,
        .mobile = thermal->mobile,
        .watching = thermal->watching != 0,
        .has_holes = thermal->origin.terrain->nodata != NULL,
        .has_erodibility = thermal->erodibility != NULL,
        .rock = thermal->rock,
        .over_rock = over_rock,
        .stands = thermal->stands,
        .limit = silt_thermal_limit((float)thermal->talus[0], thermal->stands, thermal->rock * over_rock),
        .breaks = thermal->stands > 0.0f,
        .low = (float)thermal->origin.low,
        .grain = (float)thermal->origin.grain,
        .strata = silt_strata_step(&thermal->strata)};
}

void silt_thermal_pass(Thermal *thermal, int steps, float rate, double *most, double *apart)
{
    ThermalStep each[THERMAL_STEPS];
    const void *all[THERMAL_STEPS];
    for (int n = 0; n < steps; n++) {
        each[n] = step_of(thermal, thermal->step_index + n, rate);
        all[n] = &each[n];
    }
    silt_grid_pass(thermal->grid, all, steps);
    double found[2] = {0.0, 0.0};
    for (int k = 0; k < steps * silt_grid_band_count(thermal->grid); k++) {
        const ThermalTally *tally = silt_grid_tally(thermal->grid, k % steps, k / steps);
        found[0] = tally->most > found[0] ? tally->most : found[0];
        found[1] = k % steps == steps - 1 && tally->apart > found[1] ? tally->apart : found[1];
    }
    silt_region_fold(silt_grid_region(thermal->grid), SILT_FOLD_MOST, found, 2);
    *most = found[0];
    *apart = found[1];
}
#endif
