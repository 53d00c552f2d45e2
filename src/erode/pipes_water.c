// The water of the pipe model: supply, fluxes and their limits (Mei eq. 1-5).
#include <string.h>

#include "erode/pipes_rows.h"

static float positive(float value)
{
    return value > 0.0f ? value : 0.0f;
}

// ---- water comes in (eq. 1) ----

void silt_pipes_wall_row(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = ring(row);
    for (int i = 0; i < pipes->terrain->width; i++) {
        rows->ground[k][i] = rows->surface[k][i] = SILT_GRAINS_WALL;
        rows->water[k][i] = 0;
    }
}

SILT_CLONES static int64_t add_row(const int32_t *ground, const int32_t *water, const float *supply,
                                   int32_t *ground_out, int32_t *water_out, int32_t *surface, int width,
                                   float per_metre, float dither)
{
    int64_t added = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t room = silt_maxi(SILT_GRAINS_WALL - 1 - ground[i] - water[i], 0);
        int32_t more = silt_mini(silt_grains(supply[i] * per_metre, dither), room);
        ground_out[i] = ground[i];
        water_out[i] = water[i] + more;
        surface[i] = ground[i] + water[i] + more;
        added += more;
    }
    return added;
}

void silt_pipes_heights_row(const Pipes *pipes, const int32_t *ground, float *heights)
{
    for (int i = 0; i < pipes->terrain->width; i++)
        heights[i] = (float)(pipes->base.low + (double)ground[i] * pipes->grain);
}

void silt_pipes_add_water(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    if (row < 0 || row >= pipes->terrain->height) {
        silt_pipes_wall_row(pipes, rows, row);
        return;
    }
    const int32_t *ground = silt_pipes_row(pipes, band, GROUND, row);
    const int32_t *water = silt_pipes_row(pipes, band, WATER, row);
    memcpy(rows->around[k], silt_pipes_row(pipes, band, AROUND, row),
           (size_t)pipes->terrain->width * sizeof(float));
    if (silt_supply_needs_ground(&pipes->supply))
        silt_pipes_heights_row(pipes, ground, rows->heights);
    const float *supply = silt_supply_row(&pipes->supply, row, rows->heights, rows->buffer);
    int64_t added = add_row(ground, water, supply, rows->ground[k], rows->water[k], rows->surface[k],
                            pipes->terrain->width, (float)(1.0 / pipes->grain), pipes->rain_dither);
    if (owns(band, row))
        band->tally.added += added;
}

// ---- fluxes (eq. 2-3) ----

SILT_CLONES static int64_t flux_row(const int32_t *surface_a, const int32_t *surface_b,
                                    const int32_t *ground_a, const int32_t *ground_b, const float *before,
                                    float *flux, int width, SiltPipe pipe)
{
    int32_t swift = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float depth = silt_pipe_depth(surface_a[i], surface_b[i], ground_a[i], ground_b[i], pipe);
        float wanted = silt_pipe_flux(before[i], surface_a[i], surface_b[i], depth, pipe);
        float bounded = silt_pipe_bound(wanted, depth, pipe);
        flux[i] = bounded;
        swift += bounded != wanted;
    }
    return swift;
}

// Rock that slides into the water where a bank is steeper than it can stand. The foot must be wet.
SILT_CLONES static void slide_row(const int32_t *ground_a, const int32_t *ground_b, const int32_t *water_a,
                                  const int32_t *water_b, int32_t *slid, int width, float rest, float rate,
                                  int32_t wet)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t foot = ground_a[i] > ground_b[i] ? water_b[i] : water_a[i];
        int32_t top = silt_maxi(ground_a[i], ground_b[i]);
        int32_t grains = silt_pipe_slide(ground_a[i], ground_b[i], rest, rate);
        slid[i] = foot > wet && top < SILT_GRAINS_WALL ? grains : 0;
    }
}

void silt_pipes_update_flux(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int width = pipes->terrain->width;
    for (int d = 0; d < pipes->directions; d++) {
        int from = d == EAST ? row : row - 1; // the row the pipe starts in; it ends in `row`
        int a = ring(from), b = ring(row), shift = silt_pipes_east[d];
        bool known = from >= 0 && from >= band->begin - HALO && from < pipes->terrain->height;
        const float *before = known ? silt_pipes_row(pipes, band, FLUX_0 + d, from) : rows->zero;
        int64_t swift = flux_row(rows->surface[a], rows->surface[b] + shift, rows->ground[a],
                                 rows->ground[b] + shift, before, rows->flux[a][d], width, pipes->pipe[d]);
        if (owns(band, from))
            band->tally.swift += swift;
        if (pipes->banks)
            slide_row(rows->ground[a], rows->ground[b] + shift, rows->water[a], rows->water[b] + shift,
                      rows->slid[a][d], width, pipes->rest[d], pipes->slide, pipes->wet);
    }
}

// ---- open borders ----

// Over an open border lies ground as high as the border was in the beginning: a cell that wears down below
// that holds its water back.
static float overfall(const Pipes *pipes, const PipesRows *rows, int row, int i, int32_t inner)
{
    int32_t ground = rows->ground[ring(row)][i];
    int32_t water = rows->water[ring(row)][i];
    if (water == 0)
        return 0.0f;
    int32_t sill = silt_ground_grains(&pipes->base, i, row);
    float depth = (float)(silt_clampi(ground + water - sill, 0, water) * pipes->grain);
    float cell = (float)pipes->terrain->cell;
    float fall = inner < SILT_GRAINS_WALL ? (float)(inner - ground) * (float)pipes->grain / cell : 0.0f;
    float out =
        silt_pipe_overfall(depth, fall, (float)pipes->params->gravity, (float)pipes->params->friction);
    return silt_minf(out, depth * pipes->pipe[EAST].swift) * cell;
}

static float edge_at(const Pipes *pipes, const PipesRows *rows, int row, int i)
{
    const PipesParams *params = pipes->params;
    int k = ring(row), last_i = pipes->terrain->width - 1, last_row = pipes->terrain->height - 1;
    float north = 0.0f, south = 0.0f, west = 0.0f, east = 0.0f;
    if (row == 0 && params->north == SILT_BORDER_OPEN)
        north = overfall(pipes, rows, row, i, rows->ground[ring(row + 1)][i]);
    if (row == last_row && params->south == SILT_BORDER_OPEN)
        south = overfall(pipes, rows, row, i, rows->ground[ring(row - 1)][i]);
    if (i == 0 && params->west == SILT_BORDER_OPEN)
        west = overfall(pipes, rows, row, i, rows->ground[k][i + 1]);
    if (i == last_i && params->east == SILT_BORDER_OPEN)
        east = overfall(pipes, rows, row, i, rows->ground[k][i - 1]);
    return (north + south) + (west + east);
}

// Columns from one border cell of the row to the next: along the northern and southern border all are.
static int edge_stride(const Pipes *pipes, int row)
{
    int width = pipes->terrain->width;
    return row == 0 || row == pipes->terrain->height - 1 || width < 2 ? 1 : width - 1;
}

static void open_borders(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = ring(row), width = pipes->terrain->width;
    if (rows->edge_filled[k]) {
        memset(rows->edge[k], 0, (size_t)width * sizeof(float));
        memset(rows->edge_grains[k], 0, (size_t)width * sizeof(int32_t));
    }
    bool inside = row >= 0 && row < pipes->terrain->height;
    rows->edge_filled[k] = inside;
    for (int i = 0; inside && i < width; i += edge_stride(pipes, row))
        rows->edge[k][i] = edge_at(pipes, rows, row, i);
    rows->edge_filled[k] = !inside || edge_stride(pipes, row) == 1; // else the next row overwrites both ends
}

static void leave(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    if (row < 0 || row >= pipes->terrain->height)
        return;
    for (int i = 0; i < pipes->terrain->width; i += edge_stride(pipes, row)) {
        float out = rows->edge[k][i] * rows->share[k][i];
        rows->edge_grains[k][i] = silt_pipe_grains(out * pipes->to_grains, rows->dither[k][i], pipes->most);
        band->tally.left += owns(band, row) ? rows->edge_grains[k][i] : 0;
    }
}

// ---- limits (eq. 4-5) ----

typedef struct ShareJob {
    CellPipes flux;
    const float *edge;
    const int32_t *water;
    float *share, *dither;
    float to_grains, step_dither;
} ShareJob;

// Sums are taken in pairs of opposite pipes, so that a map turned by a right angle gives the turned result.
SILT_INLINE int64_t share_cells(ShareJob job, int width, bool eight)
{
    CellPipes f = job.flux;
    int32_t limited = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float out =
            (positive(f.east[i]) + positive(-f.east[i - 1])) + (positive(f.south[i]) + positive(-f.north[i]));
        if (eight)
            out += (positive(f.south_east[i]) + positive(-f.north_west[i - 1])) +
                   (positive(f.south_west[i]) + positive(-f.north_east[i + 1]));
        float wanted = (out + job.edge[i]) * job.to_grains, held = (float)job.water[i];
        float k = silt_pipe_share(wanted, held); // eq. 4
        job.share[i] = k;
        job.dither[i] = silt_pipe_dither(wanted * k, held, eight ? 9.0f : 5.0f, job.step_dither);
        limited += k < 1.0f;
    }
    return limited;
}

SILT_CLONES static int64_t share_four(ShareJob job, int width)
{
    return share_cells(job, width, false);
}

SILT_CLONES static int64_t share_eight(ShareJob job, int width)
{
    return share_cells(job, width, true);
}

// eq. 5, and the whole grains of water that go through each pipe. `kept` is the flux for the next step.
SILT_CLONES static void scale_row(const float *share_a, const float *share_b, const float *dither_a,
                                  const float *dither_b, float *flux, float *kept, int32_t *grains, int width,
                                  float to_grains, float most)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        bool forth = flux[i] > 0.0f;
        float share_forth = share_a[i], share_back = share_b[i];
        float dither_forth = dither_a[i], dither_back = dither_b[i];
        float scaled = flux[i] * (forth ? share_forth : share_back);
        grains[i] = silt_pipe_grains(scaled * to_grains, forth ? dither_forth : -dither_back, most);
        flux[i] = scaled;
        kept[i] = scaled;
    }
}

void silt_pipes_limit_outflow(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row), width = pipes->terrain->width;
    open_borders(pipes, rows, row);
    ShareJob job = {silt_pipes_fluxes(rows, row),
                    rows->edge[k],
                    rows->water[k],
                    rows->share[k],
                    rows->dither[k],
                    pipes->to_grains,
                    pipes->water_dither};
    int64_t limited = pipes->directions == 4 ? share_eight(job, width) : share_four(job, width);
    if (owns(band, row))
        band->tally.limited += limited;
    for (int d = 0; d < pipes->directions; d++) {
        int from = d == EAST ? row : row - 1, a = ring(from), shift = silt_pipes_east[d];
        float *kept = owns(band, from) ? silt_pipes_row(pipes, band, FLUX_0 + d, from) : rows->buffer;
        scale_row(rows->share[a], rows->share[k] + shift, rows->dither[a], rows->dither[k] + shift,
                  rows->flux[a][d], kept, rows->grains[a][d], width, pipes->to_grains, pipes->most);
    }
    leave(pipes, band, row);
}
