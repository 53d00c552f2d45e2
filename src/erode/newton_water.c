// Water falls, gains speed and parts: the first phases of a step of the Newtonian model (Neidhold eq. 1-4,
// 8-18, 24), and the table of all.
#include "erode/newton.h"
#include "grid/rows.h"

typedef struct Velocity {
    const float *x, *y, *z;
} Velocity;

SILT_INLINE SiltNewtonVelocity velocity_at(Velocity v, int i)
{
    return (SiltNewtonVelocity){v.x[i], v.y[i], v.z[i]};
}

static Velocity velocity_row(const SiltBand *band, int row)
{
    return (Velocity){silt_band_row(band, VELOCITY_X, row), silt_band_row(band, VELOCITY_Y, row),
                      silt_band_row(band, VELOCITY_Z, row)};
}

static const Newton *newton_of(const SiltBand *band)
{
    const NewtonPass *pass = band->step;
    return pass->newton;
}

static bool is_edge(const SiltBand *band, int row)
{
    return row == -1 || row == band->height;
}

// ---- what lies beyond the borders ----

// Beyond an open border the ground goes on as high as it was there in the beginning, dry; beyond a closed one
// stands a wall. (What lies beyond a region that does not end with the map makes no difference to what
// counts.)
static int32_t beyond(const Newton *n, bool open, int i, int j)
{
    bool wall = !open || silt_terrain_is_nodata(n->terrain, i, j);
    return wall ? SILT_GRAINS_WALL : silt_ground_grains(&n->base, i, j);
}

static void levels_beyond(const SiltBand *band, int row)
{
    const Newton *n = newton_of(band);
    const NewtonParams *p = n->params;
    bool west = p->west == SILT_BORDER_OPEN, east = p->east == SILT_BORDER_OPEN;
    int32_t *level = silt_band_row(band, LEVEL, row);
    int width = band->width, last = band->height - 1;
    if (!is_edge(band, row)) {
        level[-1] = beyond(n, west, 0, row);
        level[width] = beyond(n, east, width - 1, row);
        return;
    }
    bool open = (row < 0 ? p->north : p->south) == SILT_BORDER_OPEN;
    for (int i = -1; i <= width; i++) {
        int inside = i < 0 ? 0 : i < width ? i : width - 1;
        bool side = (i >= 0 || west) && (i < width || east); // a corner is open if both its sides are
        level[i] = beyond(n, side && open, inside, row < 0 ? 0 : last);
    }
}

// ---- water falls; the level that drives it (eq. 13, 24) ----

typedef struct RainJob {
    const int32_t *ground;
    const float *supply, *brought;
    Velocity velocity;
    int32_t *fluid, *dissolved, *level, *bed, *wet;
    SiltNewtonStep step;
    int64_t added, sediment_added;
} RainJob;

const float *silt_newton_heights(const SiltBand *band, int from, int to, int row)
{
    const Newton *n = newton_of(band);
    const int32_t *ground = silt_band_row(band, from, row);
    float *heights = silt_band_row(band, to, row);
    for (int i = 0; i < band->width; i++)
        heights[i] = (float)(n->base.low + (double)ground[i] * n->grain);
    return heights;
}

static bool begin_rain(const SiltBand *band, int row, void *memory)
{
    const NewtonPass *pass = band->step;
    const SiltSupply *supply = &pass->newton->supply;
    if (is_edge(band, row)) {
        levels_beyond(band, row);
        silt_band_fill(band, BED, row, SILT_GRAINS_WALL);
        silt_band_fill(band, WET, row, 0);
    }
    if (!silt_band_on_grid(band, row))
        return false;
    levels_beyond(band, row);
    silt_band_pad(band, BED, row, SILT_GRAINS_WALL);
    silt_band_pad(band, WET, row, 0);
    const float *heights =
        silt_supply_needs_ground(supply) ? silt_newton_heights(band, GROUND, RAIN_HEIGHTS, row) : NULL;
    *(RainJob *)memory =
        (RainJob){.ground = silt_band_row(band, GROUND, row),
                  .supply = silt_supply_row(supply, row, heights, silt_band_row(band, RAIN, row)),
                  .brought = silt_supply_sediment_row(supply, row, silt_band_row(band, BROUGHT, row)),
                  .velocity = velocity_row(band, row),
                  .fluid = silt_band_row(band, FLUID, row),
                  .dissolved = silt_band_row(band, DISSOLVED, row),
                  .level = silt_band_row(band, LEVEL, row),
                  .bed = silt_band_row(band, BED, row),
                  .wet = silt_band_row(band, WET, row),
                  .step = pass->step};
    return true;
}

SILT_CLONES static void rain_cells(void *shared, SiltSpan span)
{
    RainJob job = *(const RainJob *)shared;
    int64_t added = 0, brought = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltNewtonRained rained = silt_newton_rain(job.ground[i], job.fluid[i], job.supply[i],
                                                   velocity_at(job.velocity, i), job.step);
        job.fluid[i] = rained.fluid;
        job.wet[i] = rained.fluid;
        job.bed[i] = job.ground[i];
        job.level[i] = rained.level;
        added += rained.added;
    }
    for (int i = span.begin; job.brought && i < span.end; i++) {
        int32_t more = silt_newton_bring(job.ground[i], job.dissolved[i], job.brought[i], job.step);
        job.dissolved[i] += more;
        brought += more;
    }
    ((RainJob *)shared)->added += span.counts ? added : 0;
    ((RainJob *)shared)->sediment_added += span.counts ? brought : 0;
}

static void end_rain(const SiltBand *band, int row, void *memory)
{
    const RainJob *job = memory;
    NewtonTally *tally = band->tally;
    tally->added += silt_band_counts(band, row) ? job->added : 0;
    tally->sediment_added += silt_band_counts(band, row) ? job->sediment_added : 0;
}

// ---- acceleration and velocity (eq. 1-3, 8-18) ----

typedef struct PushJob {
    SiltRows level;
    Velocity velocity;
    float *x, *y, *z;
    SiltNewtonStep step;
    bool all;
    int64_t bounded;
} PushJob;

static bool begin_push(const SiltBand *band, int row, void *memory)
{
    const NewtonPass *pass = band->step;
    for (int field = PUSH_X; field <= PUSH_Z; field++)
        (is_edge(band, row) ? silt_band_fill : silt_band_pad)(band, field, row, 0);
    if (row < band->first - 3 || !silt_band_on_grid(band, row))
        return false;
    *(PushJob *)memory = (PushJob){.level = silt_rows_around(band, LEVEL, row),
                                   .velocity = velocity_row(band, row),
                                   .x = silt_band_row(band, PUSH_X, row),
                                   .y = silt_band_row(band, PUSH_Y, row),
                                   .z = silt_band_row(band, PUSH_Z, row),
                                   .step = pass->step,
                                   .all = pass->newton->params->averaging == SILT_NEWTON_ALL};
    return true;
}

SILT_INLINE void push(PushJob *shared, SiltSpan span, bool all)
{
    PushJob job = *shared;
    int32_t bounded = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltNewtonPushed pushed = silt_newton_push(job.level.here[i], silt_rows_eight(job.level, i),
                                                   velocity_at(job.velocity, i), all, job.step);
        job.x[i] = pushed.velocity.x;
        job.y[i] = pushed.velocity.y;
        job.z[i] = pushed.velocity.z;
        bounded += pushed.bounded;
    }
    shared->bounded += span.counts ? bounded : 0;
}

SILT_CLONES static void push_cells(void *shared, SiltSpan span)
{
    PushJob *job = shared;
    if (job->all)
        push(job, span, true);
    else
        push(job, span, false);
}

static void end_push(const SiltBand *band, int row, void *memory)
{
    const PushJob *job = memory;
    NewtonTally *tally = band->tally;
    tally->swift += silt_band_counts(band, row) ? job->bounded : 0;
}

// ---- where the water goes (eq. 4) ----

typedef struct SpreadJob {
    SiltRows level, wet;
    Velocity before;
    SiltRealRows x, y;
    const float *z;
    const int32_t *dissolved;
    int32_t *e, *w, *s, *n, *se, *nw, *sw, *ne;
    float *load, *load_dither;
    SiltNewtonStep step;
} SpreadJob;

static bool begin_spread(const SiltBand *band, int row, void *memory)
{
    const NewtonPass *pass = band->step;
    for (int field = TO_E; field <= LOAD_DITHER; field++)
        (is_edge(band, row) ? silt_band_fill : silt_band_pad)(band, field, row, 0);
    if (row < band->first - 2 || !silt_band_on_grid(band, row))
        return false;
    *(SpreadJob *)memory = (SpreadJob){.level = silt_rows_around(band, LEVEL, row),
                                       .wet = silt_rows_around(band, WET, row),
                                       .before = velocity_row(band, row),
                                       .x = silt_real_rows_around(band, PUSH_X, row),
                                       .y = silt_real_rows_around(band, PUSH_Y, row),
                                       .z = silt_band_row(band, PUSH_Z, row),
                                       .dissolved = silt_band_row(band, DISSOLVED, row),
                                       .e = silt_band_row(band, TO_E, row),
                                       .w = silt_band_row(band, TO_W, row),
                                       .s = silt_band_row(band, TO_S, row),
                                       .n = silt_band_row(band, TO_N, row),
                                       .se = silt_band_row(band, TO_SE, row),
                                       .nw = silt_band_row(band, TO_NW, row),
                                       .sw = silt_band_row(band, TO_SW, row),
                                       .ne = silt_band_row(band, TO_NE, row),
                                       .load = silt_band_row(band, LOAD, row),
                                       .load_dither = silt_band_row(band, LOAD_DITHER, row),
                                       .step = pass->step};
    return true;
}

SILT_CLONES static void spread(const SpreadJob *shared, int count)
{
    SpreadJob job = *shared;
    const int32_t *wet = job.wet.here;
    const float *x = job.x.here;
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        SiltNewtonSides side = {wet[i + 1], wet[i - 1], job.wet.south[i], job.wet.north[i],
                                x[i + 1],   x[i - 1],   job.y.south[i],   job.y.north[i]};
        SiltNewtonVelocity v = {x[i], job.y.here[i], job.z[i]};
        SiltNewtonSpread sent =
            silt_newton_spread(job.level.here[i], silt_rows_eight(job.level, i), wet[i], side,
                               job.dissolved[i], velocity_at(job.before, i), v, job.step);
        job.e[i] = sent.out.e;
        job.w[i] = sent.out.w;
        job.s[i] = sent.out.s;
        job.n[i] = sent.out.n;
        job.se[i] = sent.out.se;
        job.nw[i] = sent.out.nw;
        job.sw[i] = sent.out.sw;
        job.ne[i] = sent.out.ne;
        job.load[i] = sent.load;
        job.load_dither[i] = sent.load_dither;
    }
}

static void spread_cells(void *shared, SiltSpan span)
{
    SpreadJob part = *(const SpreadJob *)shared;
    silt_rows_move_to(&part, offsetof(SpreadJob, step), span.begin);
    spread(&part, span.end - span.begin);
}

// What went over the edges of the map, for the books.
static void end_spread(const SiltBand *band, int row, void *memory)
{
    static const int east[8] = {1, -1, 0, 0, 1, -1, -1, 1}, south[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    const SpreadJob *job = memory;
    const int32_t *const out[8] = {job->e, job->w, job->s, job->n, job->se, job->nw, job->sw, job->ne};
    const SiltRegion *region = silt_grid_region(band->grid);
    NewtonTally *tally = band->tally;
    int map_j = region->j + row, first = region->west, last = band->width - region->east - 1;
    bool all = map_j == 0 || map_j == region->map_height - 1 || last - first < 1;
    for (int i = first; silt_band_counts(band, row) && i <= last; i += all ? 1 : last - first)
        for (int k = 0; k < 8; k++) {
            int to_i = region->i + i + east[k], to_j = map_j + south[k];
            if (to_i >= 0 && to_i < region->map_width && to_j >= 0 && to_j < region->map_height)
                continue;
            tally->left += out[k][i];
            tally->sediment_left += silt_newton_carried(out[k][i], job->load[i], job->load_dither[i]);
        }
}

// ---- the table ----

static const SiltPhase newton_phases[] = {
    // eq. 24, 13
    {"rain", "ground fluid dissolved velocity", "fluid dissolved level bed wet", 0, 0, 0, sizeof(RainJob),
     begin_rain, rain_cells, end_rain},
    // eq. 1-3, 8-18
    {"push", "level velocity", "push", 1, 1, 1, sizeof(PushJob), begin_push, push_cells, end_push},
    // eq. 4
    {"spread", "level wet push velocity dissolved", "to load load_dither", 1, 2, 1, sizeof(SpreadJob),
     begin_spread, spread_cells, end_spread},
    // eq. 5-7, 19-23
    {"move", "to wet push load load_dither bed ground deposit dissolved",
     "after mix ground deposit dissolved wear surface thick", 1, 3, 2, NEWTON_JOB, silt_newton_begin_move,
     silt_newton_move_cells, silt_newton_end_move},
    // section 3, eq. 25
    {"smooth", "surface after thick mix dissolved", "fluid dissolved velocity flow wetness", 1, 4, 2,
     NEWTON_JOB, silt_newton_begin_smooth, silt_newton_smooth_cells, silt_newton_end_smooth},
};

SiltStatus silt_newton_grid(Newton *n, bool plain, SiltGrid **out)
{
    SiltGridField fields[FIELDS] = {
        [GROUND] = {"ground", &n->ground, 0, false, 1},
        [DEPOSIT] = {"deposit", &n->deposit, 0, false, -2},
        [FLUID] = {"fluid", &n->fluid, 0, false, 1},
        [DISSOLVED] = {"dissolved", &n->dissolved, 0, false, -1},
        [WEAR] = {"wear", &n->wear, 0, true, -2},
        [VELOCITY_X] = {"velocity_x", &n->velocity_x, 0, false, 1},
        [VELOCITY_Y] = {"velocity_y", &n->velocity_y, 0, false, 1},
        [VELOCITY_Z] = {"velocity_z", &n->velocity_z, 0, false, 1},
        [FLOW] = {"flow", &n->flow, 0, true, -3},
        [WETNESS] = {"wetness", &n->wetness, 0, true, -3},
    };
    static const char *const handed_on[] = {"level", "bed",   "wet",   "push_x",      "push_y", "push_z",
                                            "to_e",  "to_w",  "to_s",  "to_n",        "to_se",  "to_nw",
                                            "to_sw", "to_ne", "load",  "load_dither", "after",  "surface",
                                            "thick", "mix_x", "mix_y", "mix_z"};
    for (int field = STATE; field < MIXED; field++)
        fields[field] = (SiltGridField){handed_on[field - STATE], NULL, field == BED ? 8 : 4, false, 0};
    for (int field = MIXED; field < FIELDS; field++)
        fields[field] = (SiltGridField){"row", NULL, 1, false, 0};
    SiltGridTable table = {.owner = "erode newton",
                           .phases = newton_phases,
                           .phase_count = sizeof newton_phases / sizeof newton_phases[0],
                           .fields = fields,
                           .field_count = FIELDS,
                           .halo = 4,
                           .steps = 1,
                           .tally = sizeof(NewtonTally),
                           .plain = plain};
    return silt_grid_create(&table, n->terrain, out);
}
