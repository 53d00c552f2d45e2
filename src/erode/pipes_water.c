// The water of the pipe model: supply and fluxes (Mei eq. 1-3), and the rows that its phases share. Row code
// for the processor and for devices (grid/rows.h).
#include "erode/pipes_phases.h"

// ---- the rows in flight ----

SILT_INLINE CellPipes pipes_around(const SiltBand *band, int field, int row)
{
    int of = field - FLUX;
    CellPipes flux = {.east = silt_pipes_flux_row(band, row, of + EAST),
                      .south = silt_pipes_flux_row(band, row, of + SOUTH),
                      .north = silt_pipes_flux_row(band, row - 1, of + SOUTH)};
    if (silt_pipes_eight(band)) {
        flux.south_east = silt_pipes_flux_row(band, row, of + SOUTH_EAST);
        flux.south_west = silt_pipes_flux_row(band, row, of + SOUTH_WEST);
        flux.north_west = silt_pipes_flux_row(band, row - 1, of + SOUTH_EAST);
        flux.north_east = silt_pipes_flux_row(band, row - 1, of + SOUTH_WEST);
    }
    return flux;
}

SILT_ROW_FN CellPipes silt_pipes_fluxes_around(const SiltBand *band, int row)
{
    return pipes_around(band, FLUX, row);
}

SILT_ROW_FN CellPipes silt_pipes_backs_around(const SiltBand *band, int row)
{
    return pipes_around(band, BACK, row);
}

SILT_ROW_FN CellGrains silt_pipes_grains_around(const SiltBand *band, int field, int row)
{
    CellGrains grains = {.east = silt_band_ring(band, field + EAST, row),
                         .south = silt_band_ring(band, field + SOUTH, row),
                         .north = silt_band_ring(band, field + SOUTH, row - 1)};
    if (silt_pipes_eight(band)) {
        grains.south_east = silt_band_ring(band, field + SOUTH_EAST, row);
        grains.south_west = silt_band_ring(band, field + SOUTH_WEST, row);
        grains.north_west = silt_band_ring(band, field + SOUTH_EAST, row - 1);
        grains.north_east = silt_band_ring(band, field + SOUTH_WEST, row - 1);
    }
    return grains;
}

SILT_ROW_FN SILT_GLOBAL const float *silt_pipes_heights_row(const SiltBand *band, int row,
                                                            SILT_GLOBAL const int32_t *ground,
                                                            SILT_GLOBAL const int32_t *deposit)
{
    SILT_GLOBAL float *heights = silt_band_ring(band, HEIGHTS, row);
#if !defined(__OPENCL_C_VERSION__) || defined(SILT_HAS_DOUBLE)
    SILT_STEP const PipesStep *pipes = band->step;
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        heights[i] =
            (float)(pipes->low + (double)(deposit ? ground[i] - deposit[i] : ground[i]) * pipes->grain);
#endif
    return heights;
}

// Beyond both ends of a row stands a wall.
static void wall_ends(const SiltBand *band, SILT_GLOBAL int32_t *ground)
{
    silt_band_ends(band, ground, SILT_GRAINS_WALL, SILT_GRAINS_WALL);
}

SILT_ROW_FN void silt_pipes_wall_row(const SiltBand *band, int row)
{
    SILT_GLOBAL int32_t *ground = silt_band_ring(band, GROUND_BEFORE, row),
                        *water = silt_band_ring(band, WATER_BEFORE, row);
    for (int i = silt_band_from(band); i < silt_band_to(band); i++) {
        ground[i] = SILT_GRAINS_WALL;
        water[i] = 0;
    }
    wall_ends(band, ground);
    *silt_band_mark(band, row) = WALLED;
}

#ifndef __OPENCL_C_VERSION__
SILT_ROW_FN void silt_pipes_start(const SiltBand *band, int row)
{
    SILT_GLOBAL float *ones = silt_band_ring(band, ONES, 0);
    for (int i = -1; i <= band->width; i++)
        ones[i] = 1.0f;
    silt_pipes_wall_row(band, row - 1);
}
#endif

// ---- water comes in (eq. 1) ----

SILT_ROW_FN bool silt_pipes_rain_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!silt_band_on_grid(band, row)) {
        silt_pipes_wall_row(band, row);
        return false;
    }
    SILT_GLOBAL const int32_t *ground = silt_band_row(band, GROUND, row);
    SILT_GLOBAL int32_t *ground_out = silt_band_ring(band, GROUND_BEFORE, row);
    wall_ends(band, ground_out);
    *silt_band_mark(band, row) = 0;
    SILT_GLOBAL const float *heights =
        SILT_SET(pipes, supply.needs_ground) ? silt_pipes_heights_row(band, row, ground, NULL) : NULL;
    SiltDepths supply = silt_supply_cells(band, &pipes->supply, &SILT_SET(pipes, supply), WATERS, row,
                                          heights, silt_band_ring(band, SUPPLY, row));
    float per_metre = pipes->per_metre;
    int32_t more = silt_grains(silt_depth_at(supply, 0) * per_metre, pipes->rain_dither);
    *(RainJob *)memory = (RainJob){.ground = ground,
                                   .water = silt_band_row(band, WATER, row),
                                   .around = silt_band_row(band, AROUND, row),
                                   .supply = supply,
                                   .same = SILT_SET(pipes, supply.is_constant) && more < SILT_GRAINS_WALL / 2,
                                   .more = more,
                                   .ground_out = ground_out,
                                   .water_out = silt_band_ring(band, WATER_BEFORE, row),
                                   .around_out = silt_band_ring(band, AROUND_BEFORE, row),
                                   .per_metre = per_metre,
                                   .dither = pipes->rain_dither,
                                   .growth = pipes->growth};
    return true;
}

// The same rain everywhere, and room for it: returns the highest surface.
SILT_CLONES static int32_t add_evenly(const RainJob *shared, SiltSpan span)
{
    RainJob job = *shared;
    int32_t top = SILT_GRAINS_FLOOR;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t ground = job.ground[i], water = job.water[i] + job.more;
        job.ground_out[i] = ground;
        job.water_out[i] = water;
        job.around_out[i] = job.around[i] * job.growth;
        top = silt_maxi(top, ground + water);
    }
    return top;
}

SILT_CLONES static void add_supply(RainJob *shared, SiltSpan span)
{
    RainJob job = *shared;
    int64_t added = 0, evaporated = 0;
    int32_t top = SILT_GRAINS_FLOOR;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t ground = job.ground[i];
        SiltPipesRained rained =
            silt_pipes_rain(ground, job.water[i], silt_depth_at(job.supply, i) * job.per_metre, job.dither);
        job.ground_out[i] = ground;
        job.water_out[i] = rained.water;
        job.around_out[i] = job.around[i] * job.growth;
        added += rained.added;
        evaporated += rained.over;
        top = silt_maxi(top, ground);
    }
    shared->added += added;
    shared->evaporated += evaporated;
    shared->walled = shared->walled || top == SILT_GRAINS_WALL;
}

SILT_ROW_FN void silt_pipes_rain_cells(void *memory, SiltSpan span)
{
    RainJob *job = memory;
    int64_t added = job->added, evaporated = job->evaporated;
    if (job->same && add_evenly(job, span) < SILT_GRAINS_WALL)
        job->added += (int64_t)job->more * (span.end - span.begin);
    else
        add_supply(job, span);
    job->added = span.counts ? job->added : added;
    job->evaporated = span.counts ? job->evaporated : evaporated;
}

SILT_ROW_FN void silt_pipes_rain_end(const SiltBand *band, int row, void *memory)
{
    const RainJob *job = memory;
    PipesTally *tally = band->tally;
    *silt_band_mark(band, row) |= job->walled ? WALLED : 0;
    if (silt_band_counts(band, row)) {
        tally->added += job->added;
        tally->evaporated += job->evaporated;
    }
}

// ---- fluxes (eq. 2-3) ----

SILT_ROW_FN bool silt_pipes_flux_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    FluxJob *job = memory;
    *job = (FluxJob){.ground_here = silt_band_ring(band, GROUND_BEFORE, row),
                     .ground_above = silt_band_ring(band, GROUND_BEFORE, row - 1),
                     .water_here = silt_band_ring(band, WATER_BEFORE, row),
                     .water_above = silt_band_ring(band, WATER_BEFORE, row - 1),
                     .fixed = PIPES_FIXED(pipes),
                     .pairs = PIPES_DIRECTIONS(pipes) / PAIR};
    SILT_UNROLL
    for (int d = 0; d < PIPES_DIRECTIONS(pipes); d++) {
        FluxPair *pair = &job->pair[d / PAIR];
        int from = d == EAST ? row : row - 1;
        pair->pipe = pipes->pipe[d];
        pair->bank = pipes->bank[d];
        pair->flux[d % PAIR] = silt_pipes_flux_row(band, from, d);
        pair->slid[d % PAIR] = SILT_SET(pipes, banks) ? silt_band_ring(band, SLID + d, from) : NULL;
    }
    SILT_UNROLL
    for (int d = 0; PIPES_TWO(pipes) && d < PIPES_DIRECTIONS(pipes); d++)
        job->pair[d / PAIR].back[d % PAIR] = silt_pipes_back_row(band, d == EAST ? row : row - 1, d);
    return true;
}

typedef struct Ends {
    SiltPipesEnd a[PAIR], b[PAIR];
} Ends;

SILT_INLINE Ends ends_at(const FluxJob *job, int i, bool diagonal)
{
    SiltPipesEnd here = {job->ground_here[i], job->water_here[i]};
    SiltPipesEnd above = {job->ground_above[i], job->water_above[i]};
    SiltPipesEnd east = {job->ground_here[i + 1], job->water_here[i + 1]};
    if (!diagonal)
        return (Ends){{here, above}, {east, here}};
    SiltPipesEnd west = {job->ground_here[i - 1], job->water_here[i - 1]};
    return (Ends){{above, above}, {east, west}};
}

SILT_INLINE void find_flux(FluxJob *shared, SiltSpan span, bool diagonal, bool fixed)
{
    FluxJob job = *shared;
    FluxPair pair = job.pair[diagonal];
    int32_t swift_0 = 0, swift_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        SiltPipesFlow flow_0 = silt_pipes_flux(ends.a[0], ends.b[0], pair.flux[0][i], pair.pipe, fixed);
        SiltPipesFlow flow_1 = silt_pipes_flux(ends.a[1], ends.b[1], pair.flux[1][i], pair.pipe, fixed);
        pair.flux[0][i] = flow_0.flux;
        pair.flux[1][i] = flow_1.flux;
        swift_0 += flow_0.swift;
        swift_1 += flow_1.swift;
    }
    shared->pair[diagonal].swift[0] += span.counts ? swift_0 : 0;
    shared->pair[diagonal].swift[1] += span.counts ? swift_1 : 0;
}

SILT_CLONES static void flux_straight(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, false, false);
}

SILT_CLONES static void flux_diagonal(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, true, false);
}

SILT_CLONES static void flux_fixed(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, false, true);
    if (job->pairs > 1)
        find_flux(job, span, true, true);
}

// Two outflows a pipe: one pipe of a pair.
SILT_INLINE void find_outflows(FluxJob *shared, SiltSpan span, bool diagonal, int n)
{
    FluxJob job = *shared;
    FluxPair pair = job.pair[diagonal];
    int32_t swift = 0;
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        float back = pair.back[n][i], forth = silt_maxf(pair.flux[n][i] + back, 0.0f);
        SiltPipesOutflows out = silt_pipes_outflows(ends.a[n], ends.b[n], forth, back, pair.pipe, job.fixed);
        pair.flux[n][i] = out.forth - out.back;
        pair.back[n][i] = out.back;
        swift += out.swift;
    }
    shared->pair[diagonal].swift[n] += span.counts ? swift : 0;
}

SILT_CLONES static void flux_two(FluxJob *job, SiltSpan span)
{
    find_outflows(job, span, false, 0);
    find_outflows(job, span, false, 1);
    if (job->pairs > 1) {
        find_outflows(job, span, true, 0);
        find_outflows(job, span, true, 1);
    }
}

SILT_INLINE void find_slides(FluxJob *shared, SiltSpan span, bool diagonal)
{
    FluxJob job = *shared;
    FluxPair pair = job.pair[diagonal];
    int32_t any_0 = 0, any_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        int32_t slid_0 = silt_pipes_slides(ends.a[0], ends.b[0], pair.bank);
        int32_t slid_1 = silt_pipes_slides(ends.a[1], ends.b[1], pair.bank);
        pair.slid[0][i] = slid_0;
        pair.slid[1][i] = slid_1;
        any_0 |= slid_0;
        any_1 |= slid_1;
    }
    shared->pair[diagonal].any_slid[0] |= any_0;
    shared->pair[diagonal].any_slid[1] |= any_1;
}

SILT_CLONES static void banks_straight(FluxJob *job, SiltSpan span)
{
    find_slides(job, span, false);
}

SILT_CLONES static void banks_diagonal(FluxJob *job, SiltSpan span)
{
    find_slides(job, span, true);
}

SILT_ROW_FN void silt_pipes_flux_cells(void *memory, SiltSpan span)
{
    FluxJob *job = memory;
    bool diagonal = job->pairs > 1, banks = job->pair[0].slid[0];
    if (PIPES_JOB_IS_TWO(job))
        flux_two(job, span);
    else if (job->fixed)
        flux_fixed(job, span);
    else
        flux_straight(job, span);
    if (!PIPES_JOB_IS_TWO(job) && !job->fixed && diagonal)
        flux_diagonal(job, span);
    if (banks)
        banks_straight(job, span);
    if (banks && diagonal)
        banks_diagonal(job, span);
}

SILT_ROW_FN void silt_pipes_flux_end(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    const FluxJob *job = memory;
    PipesTally *tally = band->tally;
    SILT_UNROLL
    for (int d = 0; d < PIPES_DIRECTIONS(pipes); d++) {
        const FluxPair *pair = &job->pair[d / PAIR];
        int from = d == EAST ? row : row - 1;
        tally->swift += silt_band_counts(band, from) ? pair->swift[d % PAIR] : 0;
        *silt_band_mark(band, from) |= pair->any_slid[d % PAIR] ? SLIDES : 0;
    }
}
