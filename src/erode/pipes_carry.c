// Sediment goes where the water goes (Mei eq. 13-14).
#include "erode/pipes_rows.h"

CarryJob silt_pipes_begin_carry(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    if (!on_map(pipes, row) || !finishes(band, row) || pipes->params->transport == SILT_PIPES_SEMI_LAGRANGIAN)
        return (CarryJob){0};
    return (CarryJob){.muddy = rows->muddy[ring(row)],
                      .grains = silt_pipes_grain_rows(rows->grains, row),
                      .load = rows->load[ring(row)],
                      .load_north = rows->load[ring(row - 1)],
                      .load_south = rows->load[ring(row + 1)],
                      .sediment = silt_pipes_row(pipes, band, SEDIMENT, row),
                      .dither = pipes->load_dither};
}

// Every pipe is asked from both its ends: that takes less time than to store what it said.
SILT_INLINE void carry_cells(const CarryJob *shared, Span span, bool eight)
{
    CarryJob job = *shared;
    const float *load = job.load, *north = job.load_north, *south = job.load_south;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesLoads loads = {load[i], load[i + 1], load[i - 1], south[i], north[i], 0, 0, 0, 0};
        if (eight) {
            loads.south_east = south[i + 1];
            loads.south_west = south[i - 1];
            loads.north_east = north[i + 1];
            loads.north_west = north[i - 1];
        }
        int32_t net = silt_pipes_carry(grains_at(job.grains, i, eight), loads, job.dither, eight);
        job.sediment[i] = job.muddy[i] - net;
    }
}

SILT_CLONES static void carry_four(const CarryJob *job, Span span)
{
    carry_cells(job, span, false);
}

SILT_CLONES static void carry_eight(const CarryJob *job, Span span)
{
    carry_cells(job, span, true);
}

void silt_pipes_carry_cells(const CarryJob *job, Span span, bool eight)
{
    if (job->muddy && eight)
        carry_eight(job, span);
    else if (job->muddy)
        carry_four(job, span);
}

// What leaves over the borders; few cells of few rows have any.
static void carry_off(const Pipes *pipes, PipesBand *band, int row, int32_t *sediment)
{
    const PipesRows *rows = &band->rows;
    int k = ring(row);
    for (int i = 0; i < pipes->terrain->width; i += silt_pipes_edge_stride(pipes, row)) {
        float load = rows->load[k][i];
        int32_t gone = silt_pipes_grains((float)rows->edge_grains[k][i] * load, pipes->load_dither);
        sediment[i] -= gone;
        band->tally.sediment_left += owns(band, row) ? gone : 0;
    }
}

// ---- as in the paper (eq. 14) ----

// Velocities, for the way back.
static void speeds_row(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    CellGrains g = silt_pipes_grain_rows(rows->grains, row);
    int k = ring(row);
    CellPipes flux = silt_pipes_flux_rows(pipes, band, row);
    float per_width = (float)(1.0 / (pipes->terrain->cell * pipes->grain));
    float shallow = (float)(2.0 * (double)pipes->shallow / pipes->grain), fastest = (float)pipes->fastest;
    bool eight = pipes->directions == 4;
    int width = pipes->terrain->width;
    for (int i = 0; i < width; i++) {
        int32_t before = rows->water[k][i];
        SiltPipesPassing passing =
            silt_pipes_passing(fluxes_at(flux, i, i == 0, i == width - 1, eight), eight);
        int32_t net = silt_pipes_net(grains_at(g, i, eight), eight) + rows->edge_grains[k][i];
        SiltPipesVelocity velocity =
            silt_pipes_velocity(passing, (float)before + (float)(before - net), per_width, shallow, fastest);
        rows->east_speed[k][i] = velocity.x;
        rows->south_speed[k][i] = velocity.y;
    }
}

// eq. 14, as the paper has it: what was upstream a step ago.
static void trace_row(const Pipes *pipes, const PipesRows *rows, int row, int32_t *sediment)
{
    int width = pipes->terrain->width, last_row = pipes->terrain->height - 1, k = ring(row);
    float courant = pipes->dt / (float)pipes->terrain->cell;
    for (int i = 0; i < width; i++) {
        SiltPipesVelocity upstream = {silt_pipes_upstream(rows->east_speed[k][i], courant),
                                      silt_pipes_upstream(rows->south_speed[k][i], courant)};
        int column = upstream.x < 0.0f ? i - 1 : i + 1, other = upstream.y < 0.0f ? row - 1 : row + 1;
        column = column < 0 || column >= width ? i : column;
        other = other < 0 || other > last_row ? row : other;
        const int32_t *here = rows->muddy[k], *there = rows->muddy[ring(other)];
        sediment[i] =
            silt_pipes_trace(upstream, here[i], here[column], there[i], there[column], pipes->load_dither);
    }
}

// A row gets what has been carried a row later: it looks at the rows on both sides.
void silt_pipes_finish_row(const Pipes *pipes, PipesBand *band, int row)
{
    bool traced = pipes->params->transport == SILT_PIPES_SEMI_LAGRANGIAN;
    if (traced && on_map(pipes, row + 1) && row + 1 >= band->first - 1)
        speeds_row(pipes, band, row + 1);
    if (!finishes(band, row) || !on_map(pipes, row))
        return;
    int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    if (traced)
        trace_row(pipes, &band->rows, row, sediment);
    else
        carry_off(pipes, band, row, sediment);
}
