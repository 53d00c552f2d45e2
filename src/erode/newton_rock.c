// Water arrives, velocities mix, rock dissolves and settles, water levels out and dries up: the last phases
// of a step of the Newtonian model (Neidhold eq. 5-7, 19-23, section 3, eq. 25). Row code for the processor
// and for devices (grid/rows.h).
#include "erode/newton_rows.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/newton.h"
#endif

// ---- water arrives, rock dissolves and settles (eq. 5-7, 19-23) ----

typedef struct MoveJob {
    EightRows out, in; // grains
    SILT_GLOBAL const int32_t *wet;
    SiltRealRows push[3], load, dither;
    SiltRows bed;
    SILT_GLOBAL const float *erodibility;
    SILT_GLOBAL int32_t *after, *ground, *deposit, *dissolved, *wear, *surface;
    SILT_GLOBAL float *mix[3], *thick, *around, *dug;
    SiltRealRows before, dug_before; // `around` and `dug` before the step
    SiltNewtonRock step;
    int64_t lost;  // grains of rock that nothing can hold
    int64_t could; // and that water could carry
    bool parts, evens, slips;
    // where water moves in parts: the rows that givers north of here, here and south of here looked at
    SiltNewtonStep giving;
    SILT_GLOBAL const int32_t *level[5], *given[3];
    SILT_GLOBAL const float *old[3][3]; // of each row the velocity before the push
} MoveJob;

#ifndef __OPENCL_C_VERSION__
_Static_assert(sizeof(MoveJob) <= NEWTON_JOB, "NEWTON_JOB is too small");
#endif

// What multiplies the erodibility of rock: layer and strata.
SILT_ROW_FN SILT_GLOBAL const float *silt_newton_layer_row(const SiltBand *band, int row)
{
    SILT_STEP const NewtonPass *pass = band->step;
#ifdef __OPENCL_C_VERSION__
    return SILT_SET(pass, has_erodibility) ? silt_band_row(band, LAYER, row) : NULL;
#else
    return SILT_SET(pass, has_erodibility) ? silt_field_row(pass->newton->erodibility, row) : NULL;
#endif
}

static SILT_GLOBAL const float *erodibility_row(const SiltBand *band, int row)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_GLOBAL const float *layer = silt_newton_layer_row(band, row);
    SILT_GLOBAL float *out = silt_band_row(band, ERODIBILITY, row);
    if (SILT_SET(pass, strata.count) > 0)
        silt_strata_cells(band, &pass->strata, &SILT_SET(pass, strata), STRATA, row,
                          newton_heights(band, GROUND, DEPOSIT, ROCK_HEIGHTS, row), out);
    for (int i = silt_band_from(band); SILT_SET(pass, strata.count) == 0 && i < silt_band_to(band); i++)
        out[i] = 1.0f;
    for (int i = silt_band_from(band); layer && i < silt_band_to(band); i++)
        out[i] *= layer[i];
    return out;
}

// What lies beside the map when the water has moved: walls, and nothing that flows.
static void close_row(const SiltBand *band, int row)
{
    SILT_UNROLL
    for (int field = AFTER; field <= MIX_Z; field++)
        newton_close(band, field, row, field == SURFACE ? SILT_GRAINS_WALL : 0);
}

static void gather_givers(const SiltBand *band, int row, MoveJob *job)
{
    SILT_STEP const NewtonPass *pass = band->step;
    job->parts = true;
    job->giving = pass->step;
    SILT_UNROLL
    for (int k = 0; k < 5; k++)
        job->level[k] = silt_band_row(band, LEVEL, row + k - 2);
    SILT_UNROLL
    for (int k = 0; k < 3; k++) {
        job->given[k] = silt_band_row(band, WET, row + k - 1);
        SILT_UNROLL
        for (int c = 0; c < 3; c++)
            job->old[k][c] = silt_band_row(band, OLD_X + c, row + k - 1);
    }
}

SILT_ROW_FN bool silt_newton_begin_move(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    MoveJob *job = memory;
    close_row(band, row);
    if (row < band->first - 1 || !silt_band_on_grid(band, row))
        return false;
    *job = (MoveJob){.out = newton_departures(band, row),
                     .in = newton_arrivals(band, row),
                     .wet = silt_band_row(band, WET, row),
                     .load = silt_real_rows_around(band, LOAD, row),
                     .dither = silt_real_rows_around(band, LOAD_DITHER, row),
                     .bed = silt_rows_around(band, BED, row),
                     .erodibility = erodibility_row(band, row),
                     .after = silt_band_row(band, AFTER, row),
                     .ground = silt_band_row(band, GROUND, row),
                     .deposit = silt_band_row(band, DEPOSIT, row),
                     .dissolved = silt_band_row(band, DISSOLVED, row),
                     .wear = silt_band_row(band, WEAR, row),
                     .surface = silt_band_row(band, SURFACE, row),
                     .thick = silt_band_row(band, THICK, row),
                     .around = silt_band_row(band, SILT_SET(pass, evens) ? AROUND : AROUND_BEFORE, row),
                     .before = silt_real_rows_around(band, AROUND_BEFORE, row),
                     .step = pass->rock,
                     .dug = silt_band_row(band, SILT_SET(pass, slips) ? DUG : DUG_BEFORE, row),
                     .dug_before = silt_real_rows_around(band, DUG_BEFORE, row),
                     .evens = SILT_SET(pass, evens),
                     .slips = SILT_SET(pass, slips)};
    SILT_UNROLL
    for (int k = 0; k < 3; k++) {
        job->push[k] = silt_real_rows_around(band, PUSH_X + k, row);
        job->mix[k] = silt_band_row(band, MIX_X + k, row);
    }
    if (SILT_SET(pass, parts))
        gather_givers(band, row, job);
    return true;
}

// eq. 5
SILT_INLINE void arrive(const MoveJob *shared, int begin, int end)
{
    MoveJob job = *shared;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++)
        job.after[i] = silt_newton_arrive(job.wet[i], newton_eight(job.out, i), newton_eight(job.in, i));
}

// eq. 6-7, one component
SILT_INLINE void mix_speed(const MoveJob *shared, int begin, int end, int component)
{
    MoveJob job = *shared;
    SiltRealRows pushed = job.push[component];
    SILT_GLOBAL float *mixed = job.mix[component];
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++)
        mixed[i] = silt_newton_mix(job.wet[i], newton_eight(job.out, i), newton_eight(job.in, i),
                                   pushed.here[i], silt_real_rows_eight(pushed, i), job.after[i]);
}

// Sediment goes with the water it is dissolved in.
SILT_INLINE void carry(const MoveJob *shared, int begin, int end)
{
    MoveJob job = *shared;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++)
        job.dissolved[i] +=
            silt_newton_carried_in(newton_eight(job.in, i), silt_real_rows_eight(job.load, i),
                                   silt_real_rows_eight(job.dither, i)) -
            silt_newton_carried_out(newton_eight(job.out, i), job.load.here[i], job.dither.here[i]);
}

SILT_INLINE SiltNewtonGround ground_at(const MoveJob *job, int i)
{
    return (SiltNewtonGround){job->ground[i], job->deposit[i], job->dissolved[i], job->wear[i], 0, 0.0f};
}

SILT_INLINE void set_ground(const MoveJob *job, int i, SiltNewtonGround cell)
{
    job->ground[i] = cell.ground;
    job->deposit[i] = cell.deposit;
    job->dissolved[i] = cell.dissolved;
    job->wear[i] = cell.wear;
    job->surface[i] = cell.surface;
    job->thick[i] = cell.load;
}

SILT_INLINE SiltNewtonBed bed_at(SiltRows bed, int i)
{
    return (SiltNewtonBed){bed.here[i], bed.here[i + 1], bed.here[i - 1], bed.south[i], bed.north[i]};
}

// eq. 19-23. Returns the heaviest load.
SILT_INLINE int32_t dissolve(const MoveJob *shared, int begin, int end)
{
    MoveJob job = *shared;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonVelocity v = {job.mix[0][i], job.mix[1][i], job.mix[2][i]};
        SiltNewtonGround cell = silt_newton_dissolve(ground_at(&job, i), job.after[i], v, bed_at(job.bed, i),
                                                     job.erodibility[i], job.step);
        set_ground(&job, i, cell);
        heaviest = silt_maxi(heaviest, cell.dissolved);
    }
    return heaviest;
}

// The same where what water can carry is evened out.
SILT_INLINE int32_t dissolve_evenly(MoveJob *shared, int begin, int end)
{
    MoveJob job = *shared;
    int64_t could = 0;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonVelocity v = {job.mix[0][i], job.mix[1][i], job.mix[2][i]};
        SiltAround around = {job.before.here[i], job.before.here[i + 1], job.before.here[i - 1],
                             job.before.south[i], job.before.north[i]};
        SiltNewtonEvened evened = silt_newton_dissolve_evenly(
            ground_at(&job, i), job.after[i], v, bed_at(job.bed, i), around, job.erodibility[i], job.step);
        set_ground(&job, i, evened.cell);
        job.around[i] = evened.even;
        could += (int32_t)evened.could;
        heaviest = silt_maxi(heaviest, evened.cell.dissolved);
    }
    shared->could += could;
    return heaviest;
}

// Banks come down with what was dug.
SILT_INLINE void slip(const MoveJob *shared, int begin, int end)
{
    MoveJob job = *shared;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltAround dug = {job.dug_before.here[i], job.dug_before.here[i + 1], job.dug_before.here[i - 1],
                          job.dug_before.south[i], job.dug_before.north[i]};
        SiltNewtonBank bank =
            silt_newton_slip(ground_at(&job, i), job.after[i], bed_at(job.bed, i), dug, job.step);
        set_ground(&job, i, bank.cell);
        job.dug[i] = bank.dug;
    }
}

// The cell `column` of the row k of three, which gives water.
SILT_INLINE SiltNewtonGiver giver_at(const MoveJob *job, int k, int column)
{
    SiltRows level = {job->level[k], job->level[k + 1], job->level[k + 2]};
    SILT_GLOBAL const float *load = k == 0 ? job->load.north : k == 1 ? job->load.here : job->load.south;
    return (SiltNewtonGiver){level.here[column],
                             silt_rows_eight(level, column),
                             (float)job->given[k][column],
                             load[column],
                             {job->old[k][0][column], job->old[k][1][column], job->old[k][2][column]}};
}

// Eq. 5-7 and 19-23 part by part, as in the paper. Returns the heaviest load.
static int32_t take_parts(const MoveJob *job, int begin, int end)
{
    int32_t heaviest = 0;
    for (int i = begin; i < end; i++) {
        SiltNewtonArrived sum = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
        SILT_UNROLL
        for (int k = 0; k < 3; k++)
            for (int at = i - 1; at <= i + 1; at++)
                if (job->given[k][at] > 0)
                    sum = silt_newton_give(sum, giver_at(job, k, at), i - at, 1 - k, job->giving, job->step);
        float per_fluid = sum.fluid > 0.0f ? 1.0f / sum.fluid : 0.0f;
        job->mix[0][i] = sum.push.x * per_fluid;
        job->mix[1][i] = sum.push.y * per_fluid;
        job->mix[2][i] = sum.push.z * per_fluid;
        SiltNewtonGround cell = silt_newton_exchange(ground_at(job, i), job->after[i], sum.ground,
                                                     job->erodibility[i], job->step);
        set_ground(job, i, cell);
        heaviest = silt_maxi(heaviest, cell.dissolved);
    }
    return heaviest;
}

// Rare: some water carries more than can be counted.
static int64_t relieve(const MoveJob *job, int begin, int end)
{
    int64_t lost = 0;
    for (int i = begin; i < end; i++) {
        SiltNewtonGround cell = ground_at(job, i);
        lost += silt_newton_surplus(cell.dissolved) + cell.ground;
        cell = silt_newton_relieve(cell, job->after[i]);
        lost -= cell.ground;
        set_ground(job, i, cell);
    }
    return lost;
}

SILT_INLINE void move_span(MoveJob *job, int begin, int end)
{
    arrive(job, begin, end);
    SILT_UNROLL
    for (int k = 0; k < 3; k++)
        mix_speed(job, begin, end, k);
    carry(job, begin, end);
    int32_t heaviest = job->evens ? dissolve_evenly(job, begin, end) : dissolve(job, begin, end);
    if (job->slips)
        slip(job, begin, end);
    if (heaviest > SILT_GRAINS_LOAD)
        job->lost += relieve(job, begin, end);
}

static void move_parts(MoveJob *job, SiltSpan span)
{
    int64_t lost = job->lost;
    arrive(job, span.begin, span.end);
    carry(job, span.begin, span.end);
    if (take_parts(job, span.begin, span.end) > SILT_GRAINS_LOAD)
        job->lost += relieve(job, span.begin, span.end);
    job->lost = span.counts ? job->lost : lost;
}

#ifndef __OPENCL_C_VERSION__
SILT_CLONES static void move(MoveJob *job, int count)
{
    move_span(job, 0, count);
}
#endif

SILT_ROW_FN void silt_newton_move_cells(void *shared, SiltSpan span)
{
    MoveJob *job = shared;
    if (job->parts) {
        move_parts(job, span);
        return;
    }
#ifdef __OPENCL_C_VERSION__
    move_span(job, span.begin, span.end);
    job->lost = span.counts ? job->lost : 0;
    job->could = span.counts ? job->could : 0;
#else
    MoveJob part = *job;
    silt_rows_move_to(&part, offsetof(MoveJob, step), span.begin);
    move(&part, span.end - span.begin);
    job->lost = span.counts ? part.lost : job->lost;
    job->could = span.counts ? part.could : job->could;
#endif
}

SILT_ROW_FN void silt_newton_end_move(const SiltBand *band, int row, void *memory)
{
    const MoveJob *job = memory;
    NewtonTally *tally = band->tally;
    tally->sediment_left += silt_band_counts(band, row) ? job->lost : 0;
    tally->could += silt_band_counts(band, row) ? job->could : 0;
}

// ---- water levels out and dries up (section 3, eq. 25), and what the maps remember ----

typedef struct SmoothJob {
    SiltRows surface, fluid;
    SiltRealRows load, mix[3];
    SILT_GLOBAL const float *loss;
    SILT_GLOBAL int32_t *out, *dissolved;
    SILT_GLOBAL float *velocity[3], *flow, *wetness;
    SiltNewtonRock step;
    int64_t dried;
    int32_t deepest;
    int32_t swiftest; // bits of the square of the speed: floats above zero are in the order of their bits
    bool parts;
} SmoothJob;

#ifndef __OPENCL_C_VERSION__
_Static_assert(sizeof(SmoothJob) <= NEWTON_JOB, "NEWTON_JOB is too small");
#endif

SILT_ROW_FN bool silt_newton_begin_smooth(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const NewtonPass *pass = band->step;
    SILT_STEP const SiltSupplyStep *supply = &pass->supply;
    SmoothJob *job = memory;
    if (!silt_band_finishes(band, row))
        return false;
    SILT_GLOBAL float *loss = silt_band_row(band, LOSS, row);
    SILT_GLOBAL const float *heights =
        SILT_SET(pass, supply.needs_ground) ? newton_heights(band, SURFACE, AFTER, LOSS_HEIGHTS, row) : NULL;
    silt_supply_loss_cells(band, supply, &SILT_SET(pass, supply), heights, loss);
    *job = (SmoothJob){.surface = silt_rows_around(band, SURFACE, row),
                       .fluid = silt_rows_around(band, AFTER, row),
                       .load = silt_real_rows_around(band, THICK, row),
                       .loss = loss,
                       .out = silt_band_row(band, FLUID, row),
                       .dissolved = silt_band_row(band, DISSOLVED, row),
                       .flow = silt_band_row(band, FLOW, row),
                       .wetness = silt_band_row(band, WETNESS, row),
                       .step = pass->rock,
                       .parts = SILT_SET(pass, parts)};
    SILT_UNROLL
    for (int k = 0; k < 3; k++) {
        job->mix[k] = silt_real_rows_around(band, MIX_X + k, row);
        job->velocity[k] = silt_band_row(band, VELOCITY_X + k, row);
    }
    return true;
}

#define POOL(job, row, i) ((SiltNewtonPool){(job).surface.row[i], (job).fluid.row[i], (job).load.row[i]})

SILT_INLINE void level_out(SmoothJob *shared, int begin, int end)
{
    SmoothJob job = *shared;
    int64_t dried = 0;
    int32_t deepest = 0;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonSmoothed smoothed =
            silt_newton_smooth(POOL(job, here, i), POOL(job, here, i + 1), POOL(job, here, i - 1),
                               POOL(job, south, i), POOL(job, north, i), job.loss[i], job.step);
        job.dissolved[i] -= smoothed.taken;
        job.out[i] = smoothed.fluid;
        dried += smoothed.gone;
        deepest = silt_maxi(deepest, smoothed.fluid + smoothed.gone);
    }
    shared->dried += dried;
    shared->deepest = silt_maxi(shared->deepest, deepest);
}

#define EVENED(job, k, i, wet)                                                                               \
    silt_newton_even((job).mix[k].here[i], (job).mix[k].here[(i) + 1], (job).mix[k].here[(i)-1],             \
                     (job).mix[k].north[i], (job).mix[k].south[i], (job).out[i], wet)

SILT_INLINE void even_out(const SmoothJob *shared, int begin, int end)
{
    SmoothJob job = *shared;
    SILT_GLOBAL const int32_t *fluid = job.fluid.here;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonWet wet = silt_newton_wet(fluid[i + 1], fluid[i - 1], job.fluid.north[i],
                                            job.fluid.south[i], job.step.share);
        job.velocity[0][i] = EVENED(job, 0, i, wet);
        job.velocity[1][i] = EVENED(job, 1, i, wet);
        job.velocity[2][i] = EVENED(job, 2, i, wet);
    }
}

// Water, sediment and velocity alike spread to the four neighbours, as in the paper.
static void diffuse_parts(SmoothJob *job, int begin, int end)
{
    float share = job->step.share;
    for (int i = begin; i < end; i++) {
        SiltNewtonSmoothed smoothed =
            silt_newton_diffuse(POOL(*job, here, i), POOL(*job, here, i + 1), POOL(*job, here, i - 1),
                                POOL(*job, south, i), POOL(*job, north, i), job->loss[i], job->step);
        job->dissolved[i] -= smoothed.taken;
        job->out[i] = smoothed.fluid;
        job->dried += smoothed.gone;
        job->deepest = silt_maxi(job->deepest, smoothed.fluid + smoothed.gone);
        SILT_UNROLL
        for (int k = 0; k < 3; k++) {
            SiltRealRows v = job->mix[k];
            float own = v.here[i];
            job->velocity[k][i] = own +
                                  silt_newton_blur(own, v.here[i + 1], job->surface.here[i + 1], share) +
                                  silt_newton_blur(own, v.here[i - 1], job->surface.here[i - 1], share) +
                                  silt_newton_blur(own, v.north[i], job->surface.north[i], share) +
                                  silt_newton_blur(own, v.south[i], job->surface.south[i], share);
        }
    }
}

SILT_INLINE void remember(SmoothJob *shared, int begin, int end)
{
    SmoothJob job = *shared;
    int32_t most = 0;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltNewtonVelocity v = {job.velocity[0][i], job.velocity[1][i], job.velocity[2][i]};
        SiltNewtonPassed passed = silt_newton_remember(v, job.out[i], job.step);
        union {
            float value;
            int32_t bits;
        } square = {passed.square};
        job.flow[i] += passed.flow;
        job.wetness[i] += passed.wetness;
        most = silt_maxi(most, square.bits);
    }
    shared->swiftest = silt_maxi(shared->swiftest, most);
}

SILT_INLINE void smooth_span(SmoothJob *job, int begin, int end)
{
    if (job->parts) {
        diffuse_parts(job, begin, end);
    } else {
        level_out(job, begin, end);
        even_out(job, begin, end);
    }
    remember(job, begin, end);
}

#ifndef __OPENCL_C_VERSION__
SILT_CLONES static void smooth(SmoothJob *job, int count)
{
    smooth_span(job, 0, count);
}
#endif

SILT_ROW_FN void silt_newton_smooth_cells(void *shared, SiltSpan span)
{
    SmoothJob *job = shared, part = *job;
#ifdef __OPENCL_C_VERSION__
    smooth_span(&part, span.begin, span.end);
#else
    silt_rows_move_to(&part, offsetof(SmoothJob, step), span.begin);
    smooth(&part, span.end - span.begin);
#endif
    if (!span.counts)
        return;
    job->dried = part.dried;
    job->deepest = part.deepest;
    job->swiftest = part.swiftest;
}

SILT_ROW_FN void silt_newton_end_smooth(const SiltBand *band, int row, void *memory)
{
    const SmoothJob *job = memory;
    NewtonTally *tally = band->tally;
    if (!silt_band_counts(band, row))
        return;
    tally->dried += job->dried;
    tally->deepest = silt_maxi(tally->deepest, job->deepest);
    tally->swiftest = silt_maxi(tally->swiftest, job->swiftest);
}
