// Sediment goes where the water goes (Mei eq. 13-14). Row code for the processor and for devices
// (grid/rows.h).
#include "erode/pipes_phases.h"

static bool is_traced(const SiltBand *band)
{
    SILT_STEP const PipesStep *pipes = band->step;
    return SILT_SET(pipes, traced);
}

// ---- through the pipes ----

SILT_ROW_FN bool silt_pipes_carry_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!silt_band_finishes(band, row) || is_traced(band))
        return false;
    bool known = *silt_band_mark(band, row - 1) & DRIFTED;
    *(CarryJob *)memory = (CarryJob){.muddy = silt_band_ring(band, MUDDY, row),
                                     .to_south = silt_band_ring(band, CARRIED, row),
                                     .from_north = known ? silt_band_ring(band, CARRIED, row - 1) : NULL,
                                     .grains = silt_pipes_grains_around(band, GRAINS, row),
                                     .load = silt_band_ring(band, LOAD, row),
                                     .load_north = silt_band_ring(band, LOAD, row - 1),
                                     .load_south = silt_band_ring(band, LOAD, row + 1),
                                     .sediment = silt_band_row(band, SEDIMENT, row),
                                     .dither = pipes->load_dither,
                                     .eight = silt_pipes_eight(band)};
    return true;
}

SILT_INLINE SiltPipesLoads loads_at(const CarryJob *job, int i, bool eight)
{
    SiltPipesLoads at = {.here = job->load[i],
                         .east = job->load[i + 1],
                         .west = job->load[i - 1],
                         .south = job->load_south[i],
                         .north = job->load_north[i]};
    if (eight) {
        at.south_east = job->load_south[i + 1];
        at.north_west = job->load_north[i - 1];
        at.south_west = job->load_south[i - 1];
        at.north_east = job->load_north[i + 1];
    }
    return at;
}

// What goes south is kept for the row it comes to, which need not find it again.
SILT_INLINE void drift_span(const CarryJob *shared, SiltSpan span, bool known)
{
    CarryJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesGrains grains = grains_at(job.grains, i, false);
        SiltPipesLoads load = loads_at(&job, i, false);
        int32_t north =
            known ? job.from_north[i] : silt_pipes_carried(grains.north, load.north, load.here, job.dither);
        SiltPipesDrift drift = silt_pipes_drift(grains, load, north, job.dither);
        job.to_south[i] = drift.south;
        job.sediment[i] = job.muddy[i] - drift.net;
    }
}

SILT_CLONES static void carry_four(const CarryJob *job, SiltSpan span)
{
    if (job->from_north)
        drift_span(job, span, true);
    else
        drift_span(job, span, false);
}

SILT_CLONES static void carry_eight(const CarryJob *shared, SiltSpan span)
{
    CarryJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++)
        job.sediment[i] = job.muddy[i] - silt_pipes_carry(grains_at(job.grains, i, true),
                                                          loads_at(&job, i, true), job.dither, true);
}

SILT_ROW_FN void silt_pipes_carry_cells(void *memory, SiltSpan span)
{
    const CarryJob *job = memory;
    if (job->eight)
        carry_eight(job, span);
    else
        carry_four(job, span);
}

// What leaves over the borders; few cells of few rows have any.
SILT_ROW_FN void silt_pipes_carry_end(const SiltBand *band, int row, void *memory)
{
    const CarryJob *job = memory;
    PipesTally *tally = band->tally;
    SILT_GLOBAL const int32_t *edge_grains = silt_pipes_edge_row(band, row);
    *silt_band_mark(band, row) |= band->in_order && !job->eight ? DRIFTED : 0;
    SILT_EACH_END(band, i, 0, band->width - 1, silt_pipes_edge_stride(band, row) == 1)
    if (edge_grains[i] > 0) {
        int32_t gone = silt_pipes_grains((float)edge_grains[i] * job->load[i], job->dither);
        job->sediment[i] -= gone;
        tally->sediment_left += silt_pipes_counts(band, i, row) ? gone : 0;
    }
}

// ---- as in the paper (eq. 14) ----

SILT_ROW_FN bool silt_pipes_trace_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!is_traced(band) || !silt_band_finishes(band, row))
        return false;
    int north = silt_band_on_grid(band, row - 1) ? row - 1 : row;
    int south = silt_band_on_grid(band, row + 1) ? row + 1 : row;
    *(TraceJob *)memory = (TraceJob){.flux = silt_pipes_fluxes_around(band, row),
                                     .grains = silt_pipes_grains_around(band, GRAINS, row),
                                     .water = silt_band_ring(band, WATER_BEFORE, row),
                                     .edge_grains = silt_pipes_edge_row(band, row),
                                     .muddy = silt_band_ring(band, MUDDY, row),
                                     .muddy_north = silt_band_ring(band, MUDDY, north),
                                     .muddy_south = silt_band_ring(band, MUDDY, south),
                                     .sediment = silt_band_row(band, SEDIMENT, row),
                                     .motion = pipes->motion,
                                     .fastest = pipes->fastest,
                                     .courant = pipes->courant,
                                     .dither = pipes->load_dither,
                                     .width = band->width,
                                     .eight = silt_pipes_eight(band)};
    return true;
}

static SiltPipesVelocity velocity_at(const TraceJob *job, int i)
{
    SiltPipesFluxes flux = fluxes_at(job->flux, i, i == 0, i == job->width - 1, job->eight);
    int32_t net = silt_pipes_net(grains_at(job->grains, i, job->eight), job->eight) + job->edge_grains[i];
    int32_t before = job->water[i];
    return silt_pipes_velocity(silt_pipes_passing(flux, job->eight), (float)before + (float)(before - net),
                               job->motion.per_width, job->motion.shallow, job->fastest);
}

// What was upstream a step ago.
SILT_ROW_FN void silt_pipes_trace_cells(void *memory, SiltSpan span)
{
    const TraceJob *job = memory;
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesVelocity velocity = velocity_at(job, i);
        SiltPipesVelocity upstream = {silt_pipes_upstream(velocity.x, job->courant),
                                      silt_pipes_upstream(velocity.y, job->courant)};
        int column = upstream.x < 0.0f ? i - 1 : i + 1;
        column = column < 0 || column >= job->width ? i : column;
        SILT_GLOBAL const int32_t *here = job->muddy,
                                  *there = upstream.y < 0.0f ? job->muddy_north : job->muddy_south;
        job->sediment[i] =
            silt_pipes_trace(upstream, here[i], here[column], there[i], there[column], job->dither);
    }
}
