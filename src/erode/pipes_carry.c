// Sediment goes where the water goes (Mei eq. 13-14).
#include "erode/pipes_rows.h"

CarryJob silt_pipes_begin_carry(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    if (!on_map(pipes, row) || row < band->first - 1 ||
        pipes->params->transport == SILT_PIPES_SEMI_LAGRANGIAN)
        return (CarryJob){0};
    return (CarryJob){.muddy = rows->muddy[k],
                      .grains = silt_pipes_grains(rows->grains, row),
                      .load_here = rows->load[k],
                      .load_above = rows->load[ring(row - 1)],
                      .here = silt_pipes_row(pipes, band, SEDIMENT, row),
                      .above = finishes(band, row - 1) && on_map(pipes, row - 1)
                                   ? silt_pipes_row(pipes, band, SEDIMENT, row - 1)
                                   : (int32_t *)(void *)rows->sink,
                      .dither = pipes->load_dither};
}

// As much of the sediment as of the water.
SILT_INLINE int32_t carried(int32_t grains, float load_forth, float load_back, float dither)
{
    return silt_pipe_grains((float)grains * (grains > 0 ? load_forth : load_back), dither);
}

// Every pipe is asked from both its ends: that takes less time than to store what it said.
SILT_INLINE void carry_cells(const CarryJob *shared, Span span, bool eight)
{
    CarryJob job = *shared;
    CellGrains g = job.grains;
    const float *load = job.load_here, *above = job.load_above;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        float here = load[i], east = load[i + 1], west = load[i - 1], north = above[i];
        int32_t eastward = g.east[i], from_west = g.east[i - 1];
        int32_t down = carried(g.north[i], north, here, job.dither), out = down;
        if (eight) {
            float north_west = above[i - 1], north_east = above[i + 1];
            down += carried(g.north_west[i - 1], north_west, here, job.dither) +
                    carried(g.north_east[i + 1], north_east, here, job.dither);
            out += carried(g.north_west[i], north, east, job.dither) +
                   carried(g.north_east[i], north, west, job.dither);
        }
        job.above[i] -= out;
        int32_t net = carried(eastward, here, east, job.dither) - carried(from_west, west, here, job.dither);
        job.here[i] = job.muddy[i] - net + down;
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

void silt_pipes_carry(const CarryJob *job, Span span, bool eight)
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
        int32_t gone = silt_pipe_grains((float)rows->edge_grains[k][i] * load, pipes->load_dither);
        sediment[i] -= gone;
        band->tally.sediment_left += owns(band, row) ? gone : 0;
    }
}

// ---- as in the paper (eq. 14) ----

// Velocities, for the way back.
static void speeds_row(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    CellGrains g = silt_pipes_grains(rows->grains, row);
    int k = ring(row);
    float per_width = (float)(1.0 / (pipes->terrain->cell * pipes->grain) / (double)pipes->to_grains);
    float shallow = (float)(2.0 * (double)pipes->shallow / pipes->grain), fastest = (float)pipes->fastest;
    bool eight = pipes->directions == 4;
    for (int i = 0; i < pipes->terrain->width; i++) {
        int32_t before = rows->water[k][i];
        Passing passing = passing_cell(g, i, eight);
        float after = (float)(before - (passing.net + rows->edge_grains[k][i]));
        float per_depth = per_width / silt_maxf((float)before + after, shallow);
        rows->east_speed[k][i] = silt_clampf((float)passing.x * per_depth, -fastest, fastest);
        rows->south_speed[k][i] = silt_clampf((float)passing.y * per_depth, -fastest, fastest);
    }
}

// eq. 14, as the paper has it: what was upstream a step ago. The CFL condition keeps that within one cell.
static void trace_row(const Pipes *pipes, const PipesRows *rows, int row, int32_t *sediment)
{
    int width = pipes->terrain->width, last_row = pipes->terrain->height - 1, k = ring(row);
    float courant = pipes->dt / (float)pipes->terrain->cell;
    for (int i = 0; i < width; i++) {
        float back_x = silt_clampf(-rows->east_speed[k][i] * courant, -1.0f, 1.0f);
        float back_y = silt_clampf(-rows->south_speed[k][i] * courant, -1.0f, 1.0f);
        int column = back_x < 0.0f ? i - 1 : i + 1, other = back_y < 0.0f ? row - 1 : row + 1;
        float x = back_x < 0.0f ? -back_x : back_x, y = back_y < 0.0f ? -back_y : back_y;
        column = column < 0 || column >= width ? i : column;
        other = other < 0 || other > last_row ? row : other;
        const int32_t *here = rows->muddy[k], *there = rows->muddy[ring(other)];
        float corners = (1.0f - x) * (1.0f - y) * (float)here[i] + x * y * (float)there[column];
        float sides = x * (1.0f - y) * (float)here[column] + y * (1.0f - x) * (float)there[i];
        sediment[i] = silt_grains(corners + sides, pipes->load_dither);
    }
}

// The paper's way looks at the rows on both sides, so it comes a row later.
void silt_pipes_finish_row(const Pipes *pipes, PipesBand *band, int row)
{
    if (pipes->params->transport != SILT_PIPES_SEMI_LAGRANGIAN) {
        if (finishes(band, row) && on_map(pipes, row))
            carry_off(pipes, band, row, silt_pipes_row(pipes, band, SEDIMENT, row));
        return;
    }
    if (on_map(pipes, row) && row >= band->first - 1)
        speeds_row(pipes, band, row);
    if (finishes(band, row - 1) && on_map(pipes, row - 1))
        trace_row(pipes, &band->rows, row - 1, silt_pipes_row(pipes, band, SEDIMENT, row - 1));
}
