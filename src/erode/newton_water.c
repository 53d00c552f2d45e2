// Water falls, gains speed and parts: the first phases of a step of the Newtonian model (Neidhold eq. 1-4,
// 8-18, 24), and the table of all. Row code for the processor and for devices (grid/rows.h).
#include "erode/newton_rows.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/newton.h"
#endif

typedef struct Velocity {
    SILT_GLOBAL const float *x, *y, *z;
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

// ---- what lies beyond the borders ----

// Beyond an open border the ground goes on as high as it was there in the beginning, dry; beyond a closed one
// stands a wall. (What lies beyond a region that does not end with the map makes no difference to what
// counts.)
#ifdef __OPENCL_C_VERSION__
static int32_t beyond(const SiltBand *band, bool open, int i, int j)
{
    return open ? ((SILT_GLOBAL const int32_t *)silt_band_row(band, OUTER, j))[i] : SILT_GRAINS_WALL;
}
#else
static int32_t beyond(const SiltBand *band, bool open, int i, int j)
{
    SILT_STEP const NewtonPass *pass = band->step;
    return open ? silt_newton_outer(pass->newton, i, j) : SILT_GRAINS_WALL;
}
#endif

static void levels_beyond(const SiltBand *band, int row)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_GLOBAL int32_t *level = silt_band_row(band, LEVEL, row);
    int width = band->width, last = band->height - 1;
    bool edge = newton_is_edge(band, row),
         side = edge ? row < 0 ? SILT_SET(pass, north) : SILT_SET(pass, south) : true;
    int inside = edge ? row < 0 ? 0 : last : row;
    for (int i = silt_band_from(band); edge && i < silt_band_to(band); i++)
        level[i] = beyond(band, side, i, inside);
    if (silt_band_from(band) == 0) // a corner is open if both its sides are
        level[-1] = beyond(band, side && SILT_SET(pass, west), 0, inside);
    if (silt_band_to(band) == width)
        level[width] = beyond(band, side && SILT_SET(pass, east), width - 1, inside);
}

// ---- water falls; the level that drives it (eq. 13, 24) ----

typedef struct RainJob {
    SILT_GLOBAL const int32_t *ground;
    SiltDepths supply;
    Velocity velocity;
    SILT_GLOBAL int32_t *fluid, *level, *wet;
    SILT_GLOBAL float *old[3];       // the velocity, kept; NULL: nobody asks
    SILT_GLOBAL const float *around; // what water can carry, evened out; NULL: it is not
    SILT_GLOBAL float *around_before;
    float growth;
    SILT_GLOBAL const float *dug,
        *layer; // what is dug, evened out; NULL: it is not. And what protects ground
    SILT_GLOBAL float *dug_before;
    SiltNewtonStep step;
    int64_t added;
} RainJob;

static bool begin_rain(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_STEP const SiltSupplyStep *supply = &pass->supply;
    if (newton_is_edge(band, row) || silt_band_on_grid(band, row)) {
        levels_beyond(band, row);
        newton_close(band, WET, row, 0);
        if (SILT_SET(pass, slips))
            newton_close(band, DUG_BEFORE, row, 0);
    }
    if (!silt_band_on_grid(band, row))
        return false;
    SILT_GLOBAL const float *heights =
        SILT_SET(pass, supply.needs_ground) ? newton_heights(band, GROUND, -1, RAIN_HEIGHTS, row) : NULL;
    *(RainJob *)memory = (RainJob){.ground = silt_band_row(band, GROUND, row),
                                   .supply = silt_supply_cells(band, supply, &SILT_SET(pass, supply), WATERS,
                                                               row, heights, silt_band_row(band, RAIN, row)),
                                   .velocity = velocity_row(band, row),
                                   .fluid = silt_band_row(band, FLUID, row),
                                   .level = silt_band_row(band, LEVEL, row),
                                   .wet = silt_band_row(band, WET, row),
                                   .step = pass->step};
    SILT_UNROLL
    for (int k = 0; SILT_SET(pass, parts) && k < 3; k++)
        ((RainJob *)memory)->old[k] = silt_band_row(band, OLD_X + k, row);
    if (SILT_SET(pass, evens)) {
        ((RainJob *)memory)->around = silt_band_row(band, AROUND, row);
        ((RainJob *)memory)->around_before = silt_band_row(band, AROUND_BEFORE, row);
        ((RainJob *)memory)->growth = pass->growth;
    }
    if (SILT_SET(pass, slips)) {
        ((RainJob *)memory)->dug = silt_band_row(band, DUG, row);
        ((RainJob *)memory)->dug_before = silt_band_row(band, DUG_BEFORE, row);
        ((RainJob *)memory)->layer = silt_newton_layer_row(band, row);
    }
    return true;
}

SILT_CLONES static void rain_cells(void *shared, SiltSpan span)
{
    RainJob job = *(const RainJob *)shared;
    int64_t added = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltNewtonRained rained = silt_newton_rain(job.ground[i], job.fluid[i], silt_depth_at(job.supply, i),
                                                   velocity_at(job.velocity, i), job.step);
        job.fluid[i] = rained.fluid;
        job.wet[i] = rained.fluid;
        job.level[i] = rained.level;
        added += rained.added;
    }
    for (int i = span.begin; job.old[0] && i < span.end; i++) {
        job.old[0][i] = job.velocity.x[i];
        job.old[1][i] = job.velocity.y[i];
        job.old[2][i] = job.velocity.z[i];
    }
    for (int i = span.begin; job.around && i < span.end; i++)
        job.around_before[i] = silt_newton_follow(job.around[i], job.growth);
    for (int i = span.begin; job.dug && i < span.end; i++)
        job.dug_before[i] = !job.layer || job.layer[i] > 0.0f ? job.dug[i] : SILT_NEWTON_FIRM;
    ((RainJob *)shared)->added += span.counts ? added : 0;
}

static void end_rain(const SiltBand *band, int row, void *memory)
{
    const RainJob *job = memory;
    NewtonTally *tally = band->tally;
    tally->added += silt_band_counts(band, row) ? job->added : 0;
}

// ---- acceleration and velocity (eq. 1-3, 8-18) ----

typedef struct PushJob {
    SiltRows level;
    Velocity velocity;
    SILT_GLOBAL float *x, *y, *z;
    SiltNewtonStep step;
    bool all;
    int64_t bounded;
} PushJob;

static bool begin_push(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_UNROLL
    for (int field = PUSH_X; field <= PUSH_Z; field++)
        newton_close(band, field, row, 0);
    if (row < band->first - 3 || !silt_band_on_grid(band, row))
        return false;
    *(PushJob *)memory = (PushJob){.level = silt_rows_around(band, LEVEL, row),
                                   .velocity = velocity_row(band, row),
                                   .x = silt_band_row(band, PUSH_X, row),
                                   .y = silt_band_row(band, PUSH_Y, row),
                                   .z = silt_band_row(band, PUSH_Z, row),
                                   .step = pass->step,
                                   .all = SILT_SET(pass, all)};
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

// ---- rock that sources bring ----

typedef struct BringJob {
    SILT_GLOBAL const int32_t *ground;
    SILT_GLOBAL const float *brought;
    SILT_GLOBAL int32_t *dissolved;
    SiltNewtonStep step;
    int64_t added;
} BringJob;

static bool begin_bring(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    if (!silt_band_on_grid(band, row))
        return false;
    *(BringJob *)memory =
        (BringJob){.ground = silt_band_row(band, GROUND, row),
                   .brought = silt_supply_rock_cells(band, &pass->supply, &SILT_SET(pass, supply), WATERS,
                                                     row, silt_band_row(band, BROUGHT, row)),
                   .dissolved = silt_band_row(band, DISSOLVED, row),
                   .step = pass->step};
    return ((BringJob *)memory)->brought != NULL;
}

static void bring_cells(void *shared, SiltSpan span)
{
    BringJob job = *(const BringJob *)shared;
    int64_t added = 0;
    for (int i = span.begin; i < span.end; i++) {
        int32_t more = silt_newton_bring(job.ground[i], job.dissolved[i], job.brought[i], job.step);
        job.dissolved[i] += more;
        added += more;
    }
    ((BringJob *)shared)->added += span.counts ? added : 0;
}

static void end_bring(const SiltBand *band, int row, void *memory)
{
    const BringJob *job = memory;
    NewtonTally *tally = band->tally;
    tally->sediment_added += silt_band_counts(band, row) ? job->added : 0;
}

// ---- where the water goes (eq. 4) ----

typedef struct SpreadJob {
    SiltRows level, wet;
    Velocity before;
    SiltRealRows x, y;
    SILT_GLOBAL const float *z;
    SILT_GLOBAL const int32_t *dissolved, *ground;
    SILT_GLOBAL int32_t *e, *w, *s, *n, *se, *nw, *sw, *ne, *bed;
    SILT_GLOBAL float *load, *load_dither;
    SiltNewtonStep step;
    bool parts;
} SpreadJob;

static bool begin_spread(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_UNROLL
    for (int field = TO_E; field <= LOAD_DITHER; field++)
        newton_close(band, field, row, 0);
    newton_close(band, BED, row, SILT_GRAINS_WALL);
    if (row < band->first - 2 || !silt_band_on_grid(band, row))
        return false;
    *(SpreadJob *)memory = (SpreadJob){.level = silt_rows_around(band, LEVEL, row),
                                       .wet = silt_rows_around(band, WET, row),
                                       .before = velocity_row(band, row),
                                       .x = silt_real_rows_around(band, PUSH_X, row),
                                       .y = silt_real_rows_around(band, PUSH_Y, row),
                                       .z = silt_band_row(band, PUSH_Z, row),
                                       .dissolved = silt_band_row(band, DISSOLVED, row),
                                       .ground = silt_band_row(band, GROUND, row),
                                       .bed = silt_band_row(band, BED, row),
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
                                       .step = pass->step,
                                       .parts = SILT_SET(pass, parts)};
    return true;
}

SILT_INLINE void set_sent(const SpreadJob *job, int i, SiltNewtonSpread sent)
{
    job->e[i] = sent.out.e;
    job->w[i] = sent.out.w;
    job->s[i] = sent.out.s;
    job->n[i] = sent.out.n;
    job->se[i] = sent.out.se;
    job->nw[i] = sent.out.nw;
    job->sw[i] = sent.out.sw;
    job->ne[i] = sent.out.ne;
    job->load[i] = sent.load;
    job->load_dither[i] = sent.load_dither;
    job->bed[i] = job->ground[i];
}

SILT_INLINE void spread_span(const SpreadJob *shared, int begin, int end)
{
    SpreadJob job = *shared;
    SILT_GLOBAL const int32_t *wet = job.wet.here;
    SILT_GLOBAL const float *x = job.x.here;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonSides side = {wet[i + 1], wet[i - 1], job.wet.south[i], job.wet.north[i],
                                x[i + 1],   x[i - 1],   job.y.south[i],   job.y.north[i]};
        SiltNewtonVelocity v = {x[i], job.y.here[i], job.z[i]};
        set_sent(&job, i,
                 silt_newton_spread(job.level.here[i], silt_rows_eight(job.level, i), wet[i], side,
                                    job.dissolved[i], velocity_at(job.before, i), v, job.step));
    }
}

// In parts, as in the paper.
SILT_INLINE void spread_parts(const SpreadJob *shared, int begin, int end)
{
    SpreadJob job = *shared;
    for (int i = begin; i < end; i++) {
        SiltNewtonGiver giver = {job.level.here[i], silt_rows_eight(job.level, i), (float)job.wet.here[i],
                                 0.0f, velocity_at(job.before, i)};
        set_sent(&job, i, silt_newton_send(giver, job.dissolved[i], job.step));
    }
}

#ifndef __OPENCL_C_VERSION__
SILT_CLONES static void spread(const SpreadJob *job, int count)
{
    spread_span(job, 0, count);
}

static void spread_by_parts(const SpreadJob *job, int count)
{
    spread_parts(job, 0, count);
}
#endif

static void spread_cells(void *shared, SiltSpan span)
{
#ifdef __OPENCL_C_VERSION__
    if (((const SpreadJob *)shared)->parts)
        spread_parts(shared, span.begin, span.end);
    else
        spread_span(shared, span.begin, span.end);
#else
    SpreadJob part = *(const SpreadJob *)shared;
    silt_rows_move_to(&part, offsetof(SpreadJob, step), span.begin);
    if (part.parts)
        spread_by_parts(&part, span.end - span.begin);
    else
        spread(&part, span.end - span.begin);
#endif
}

SILT_TABLE int east_of[8] = {1, -1, 0, 0, 1, -1, -1, 1};
SILT_TABLE int south_of[8] = {0, 0, 1, -1, 1, -1, 1, -1};

// What went over the edges of the map, for the books.
static void end_spread(const SiltBand *band, int row, void *memory)
{
    const SpreadJob *job = memory;
    SILT_GLOBAL const int32_t *const out[8] = {job->e,  job->w,  job->s,  job->n,
                                               job->se, job->nw, job->sw, job->ne};
    SiltRegion region = silt_band_region(band);
    NewtonTally *tally = band->tally;
    int map_j = region.j + row, first = region.west, last = band->width - region.east - 1;
    bool all = map_j == 0 || map_j == region.map_height - 1;
    if (!silt_band_counts(band, row))
        return;
    SILT_EACH_END(band, i, first, last, all)
    SILT_UNROLL
    for (int k = 0; k < 8; k++) {
        int to_i = region.i + i + east_of[k], to_j = map_j + south_of[k];
        if (to_i >= 0 && to_i < region.map_width && to_j >= 0 && to_j < region.map_height)
            continue;
        tally->left += out[k][i];
        tally->sediment_left += silt_newton_carried(out[k][i], job->load[i], job->load_dither[i]);
    }
}

#ifndef __OPENCL_C_VERSION__
// ---- the table ----

static bool skips_bring(const void *step)
{
    return !((const NewtonPass *)step)->supply.brings;
}

// eq. 24, 13
#define RAIN_PHASE                                                                                           \
    {                                                                                                        \
        "rain", "ground:0 fluid:0 velocity:0 around:0 dug:0 layer:0 waters:0 outer:1",                       \
            "fluid level wet old before_around before_dug rain", 0, 0, 0,                                    \
            SILT_ROW_CODE(RainJob, begin_rain, rain_cells, end_rain, "added")                                \
    }
// eq. 1-3, 8-18
#define PUSH_PHASE                                                                                           \
    {                                                                                                        \
        "push", "level:1 velocity:0", "push", 1, 1, 1,                                                       \
            SILT_ROW_CODE(PushJob, begin_push, push_cells, end_push, "swift")                                \
    }
#define BRING_PHASE                                                                                          \
    {                                                                                                        \
        .name = "bring", .reads = "ground:0 dissolved:0 waters:0", .writes = "dissolved brought",            \
        .behind = 2, .columns_behind = 1, .job_size = sizeof(BringJob), .begin = begin_bring,                \
        .cells = bring_cells, .end = end_bring, .job_type = "BringJob", .begin_name = "begin_bring",         \
        .cells_name = "bring_cells", .end_name = "end_bring", .adds = "sediment_added", .skips = skips_bring \
    }
// eq. 4
#define SPREAD_PHASE                                                                                         \
    {                                                                                                        \
        "spread", "level:1 wet:1 push_x:1 push_y:1 push_z:0 velocity:0 dissolved:0 ground:0",                \
            "to load dither bed", 1, 2, 1,                                                                   \
            SILT_ROW_CODE(SpreadJob, begin_spread, spread_cells, end_spread, "left sediment_left")           \
    }
// eq. 5-7, 19-23
#define MOVE_PHASE(besides)                                                                                  \
    {                                                                                                        \
        "move",                                                                                              \
            "to_e:c to_w:c to_s:n to_n:s to_se:n to_nw:s to_sw:n to_ne:s wet:0 push:1 load:1 dither:1 "      \
            "bed:1 ground:0 deposit:0 dissolved:0 before_around:1 before_dug:1 layer:0 strata:0" besides,    \
            "after mix ground deposit dissolved wear surface thick around dug erodibility rock_heights", 2,  \
            3, 2,                                                                                            \
            SILT_ROW_CODE_OF(NEWTON_JOB, MoveJob, silt_newton_begin_move, silt_newton_move_cells,            \
                             silt_newton_end_move, "sediment_left could")                                    \
    }
// section 3, eq. 25
#define SMOOTH_PHASE                                                                                         \
    {                                                                                                        \
        "smooth", "surface:1 after:1 thick:1 mix:1 dissolved:0",                                             \
            "fluid! velocity! dissolved flow wetness loss", 1, 4, 2,                                         \
            SILT_ROW_CODE_OF(NEWTON_JOB, SmoothJob, silt_newton_begin_smooth, silt_newton_smooth_cells,      \
                             silt_newton_end_smooth, "dried deepest swiftest")                               \
    }

static const SiltPhase newton_phases[] = {RAIN_PHASE,   PUSH_PHASE,     BRING_PHASE,
                                          SPREAD_PHASE, MOVE_PHASE(""), SMOOTH_PHASE};
// where water moves in parts, arrivals look at what the giver looked at
static const SiltPhase parts_phases[] = {
    RAIN_PHASE, PUSH_PHASE, BRING_PHASE, SPREAD_PHASE, MOVE_PHASE(" level:2 wet:1 old:1"), SMOOTH_PHASE};

SiltStatus silt_newton_grid(Newton *n, bool plain, SiltGrid **out)
{
    SiltGridField fields[FIELDS] = {
        [GROUND] = {"ground", &n->ground, 8, false, 1, 0, false},
        [DEPOSIT] = {"deposit", &n->deposit, 1, false, -2, -3, false},
        [FLUID] = {"fluid", &n->fluid, 8, false, 1, 0, false},
        [DISSOLVED] = {"dissolved", &n->dissolved, 8, false, -1, 0, false},
        [WEAR] = {"wear", &n->wear, 1, true, -2, -3, false},
        [VELOCITY_X] = {"velocity_x", &n->velocity_x, 8, false, 1, 0, false},
        [VELOCITY_Y] = {"velocity_y", &n->velocity_y, 8, false, 1, 0, false},
        [VELOCITY_Z] = {"velocity_z", &n->velocity_z, 8, false, 1, 0, false},
        [FLOW] = {"flow", &n->flow, 1, true, -3, -4, false},
        [WETNESS] = {"wetness", &n->wetness, 1, true, -3, -4, false},
        [AROUND] = {"around", &n->around, 4, false, 1, 0, false},
        [DUG] = {"dug", &n->dug, 4, false, 1, 0, false},
        [AROUND_BEFORE] = {"before_around", .rows = n->around.data ? 8 : 1},
        [DUG_BEFORE] = {"before_dug", .rows = n->dug.data ? 8 : 1},
    };
    static const char *const handed_on[] = {
        "level", "wet",   "bed",   "push_x", "push_y", "push_z", "to_e",   "to_w",  "to_s",
        "to_n",  "to_se", "to_nw", "to_sw",  "to_ne",  "load",   "dither", "after", "surface",
        "thick", "mix_x", "mix_y", "mix_z",  "old_x",  "old_y",  "old_z"};
    static const char *const brought[] = {"rain",         "brought",      "rain_heights",
                                          "erodibility",  "rock_heights", "loss",
                                          "loss_heights", "outer",        "layer"};
    bool parts = n->params->transfer == SILT_NEWTON_BILINEAR;
    for (int field = STATE; field < KEPT; field++) {
        bool far = parts && (field == LEVEL || field == WET);
        int rows = far ? 8 : 4;
        fields[field] = (SiltGridField){handed_on[field - STATE], .rows = rows};
    }
    for (int field = OLD_X; field < KEPT; field++)
        fields[field].rows = parts ? 8 : 1;
    for (int field = FOLLOWED; field < FIELDS; field++)
        fields[field] = (SiltGridField){field < STRATA   ? brought[field - FOLLOWED]
                                        : field < WATERS ? "strata"
                                                         : "waters",
                                        .rows = 1, .newest = field == OUTER}; // row -1 looks at row 0
    SiltGridTable table = {.owner = "erode newton",
                           .phases = parts ? parts_phases : newton_phases,
                           .phase_count = sizeof newton_phases / sizeof newton_phases[0],
                           .fields = fields,
                           .field_count = FIELDS,
                           .halo = 4,
                           .steps = 1,
                           .tally = sizeof(NewtonTally),
                           .plain = plain,
                           .exact = true,
                           .program = &silt_newton_program};
    return silt_grid_create(&table, n->terrain, out);
}
#endif
