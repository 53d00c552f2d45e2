// One step of the pipe model in one pass over the rows. When row r comes in, every phase works on the newest
// row that has what it needs: fluxes on r, their limits on r - 1, water and erosion on r - 2, transport on
// r - 3. What lies between waits in rings of four rows, so each cell is read and written once a step.
#include <string.h>

#include "core/simd.h"
#include "erode/pipes.h"

static int at(int row)
{
    return row & (RING - 1);
}

static bool owns(const PipesBand *band, int row)
{
    return row >= band->begin && row < band->end;
}

static float positive(float value)
{
    return value > 0.0f ? value : 0.0f;
}

static int32_t positive_grains(int32_t value)
{
    return value > 0 ? value : 0;
}

// ---- a row comes in, and water with it (eq. 1) ----

static void wall_row(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = at(row), width = pipes->terrain->width;
    for (int i = 0; i < width; i++) {
        rows->ground[k][i] = rows->surface[k][i] = SILT_GRAINS_WALL;
        rows->water[k][i] = rows->sediment[k][i] = 0;
        for (int d = 0; d < pipes->directions; d++)
            rows->flux[k][d][i] = 0.0f;
    }
}

SILT_CLONES static int64_t add_water_row(const int32_t *ground, const int32_t *water, const float *supply,
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

static int64_t add_sediment_row(const float *supply, int32_t *sediment, const int32_t *ground, int width,
                                float per_metre, float dither)
{
    int64_t added = 0;
    for (int i = 0; i < width; i++) {
        int32_t more = ground[i] == SILT_GRAINS_WALL ? 0 : silt_grains(supply[i] * per_metre, dither);
        sediment[i] += more;
        added += more;
    }
    return added;
}

static void heights_row(const Pipes *pipes, const int32_t *ground, float *heights)
{
    for (int i = 0; i < pipes->terrain->width; i++)
        heights[i] = (float)(pipes->datum + (double)ground[i] * pipes->grain);
}

static void add_water(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = at(row), width = pipes->terrain->width;
    if (row < 0 || row >= pipes->terrain->height) {
        wall_row(pipes, rows, row);
        return;
    }
    const int32_t *ground = silt_pipes_row(pipes, band, GROUND, row);
    const int32_t *water = silt_pipes_row(pipes, band, WATER, row);
    const int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    if (silt_supply_needs_ground(&pipes->supply))
        heights_row(pipes, ground, rows->heights);
    const float *supply = silt_supply_row(&pipes->supply, row, rows->heights, rows->buffer);
    float per_metre = (float)(1.0 / pipes->grain);
    int64_t added = add_water_row(ground, water, supply, rows->ground[k], rows->water[k], rows->surface[k],
                                  width, per_metre, pipes->rain_dither);
    memcpy(rows->sediment[k], sediment, (size_t)width * sizeof(int32_t));
    const float *mud = silt_supply_sediment_row(&pipes->supply, row, rows->buffer);
    int64_t mud_added =
        mud ? add_sediment_row(mud, rows->sediment[k], ground, width, per_metre, pipes->rain_dither) : 0;
    for (int d = 0; d < pipes->directions; d++)
        memcpy(rows->flux[k][d], silt_pipes_row(pipes, band, FLUX_0 + d, row), (size_t)width * sizeof(float));
    if (owns(band, row)) {
        band->tally.added += added;
        band->tally.sediment_added += mud_added;
    }
}

// ---- fluxes (eq. 2-3) ----

SILT_CLONES static int64_t flux_row(const int32_t *surface_a, const int32_t *surface_b,
                                    const int32_t *ground_a, const int32_t *ground_b, float *flux, int width,
                                    SiltPipe pipe)
{
    int32_t swift = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float depth = silt_pipe_depth(surface_a[i], surface_b[i], ground_a[i], ground_b[i], pipe);
        float wanted = silt_pipe_flux(flux[i], surface_a[i], surface_b[i], depth, pipe);
        flux[i] = silt_pipe_bound(wanted, depth, pipe);
        swift += flux[i] != wanted;
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

// Where the pipe of a direction ends: columns to the east.
static const int ends_east[PIPE_DIRECTIONS] = {1, 0, 1, -1};

static void update_flux(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int width = pipes->terrain->width;
    int32_t wet = (int32_t)(pipes->film / (float)pipes->grain);
    for (int d = 0; d < pipes->directions; d++) {
        int from = d == EAST ? row : row - 1; // the row the pipe starts in; it ends in `row`
        int a = at(from), b = at(row), shift = ends_east[d];
        int64_t swift = flux_row(rows->surface[a], rows->surface[b] + shift, rows->ground[a],
                                 rows->ground[b] + shift, rows->flux[a][d], width, pipes->pipe[d]);
        if (owns(band, from))
            band->tally.swift += swift;
        if (pipes->banks)
            slide_row(rows->ground[a], rows->ground[b] + shift, rows->water[a], rows->water[b] + shift,
                      rows->slid[a][d], width, pipes->rest[d], pipes->slide, wet);
    }
}

// ---- their limits (eq. 4-5) ----

static float overfall(const Pipes *pipes, const PipesRows *rows, int row, int i, int32_t inner)
{
    int32_t ground = rows->ground[at(row)][i];
    float depth = (float)(rows->water[at(row)][i] * pipes->grain);
    float cell = (float)pipes->terrain->cell;
    float fall = inner < SILT_GRAINS_WALL ? (float)(inner - ground) * (float)pipes->grain / cell : 0.0f;
    float out =
        silt_pipe_overfall(depth, fall, (float)pipes->params->gravity, (float)pipes->params->friction);
    return silt_minf(out, depth * pipes->pipe[EAST].swift) * cell;
}

static float edge_at(const Pipes *pipes, const PipesRows *rows, int row, int i)
{
    const PipesParams *params = pipes->params;
    int k = at(row), last_i = pipes->terrain->width - 1, last_row = pipes->terrain->height - 1;
    float north = 0.0f, south = 0.0f, west = 0.0f, east = 0.0f;
    if (row == 0 && params->north == SILT_BORDER_OPEN)
        north = overfall(pipes, rows, row, i, rows->ground[at(row + 1)][i]);
    if (row == last_row && params->south == SILT_BORDER_OPEN)
        south = overfall(pipes, rows, row, i, rows->ground[at(row - 1)][i]);
    if (i == 0 && params->west == SILT_BORDER_OPEN)
        west = overfall(pipes, rows, row, i, rows->ground[k][i + 1]);
    if (i == last_i && params->east == SILT_BORDER_OPEN)
        east = overfall(pipes, rows, row, i, rows->ground[k][i - 1]);
    return (north + south) + (west + east);
}

static void open_borders(const Pipes *pipes, PipesRows *rows, int row)
{
    int width = pipes->terrain->width, last_row = pipes->terrain->height - 1;
    float *edge = rows->edge[at(row)];
    memset(edge, 0, (size_t)width * sizeof(float));
    if (row < 0 || row > last_row)
        return;
    int stride = row == 0 || row == last_row || width < 2 ? 1 : width - 1; // else the two ends only
    for (int i = 0; i < width; i += stride)
        edge[i] = edge_at(pipes, rows, row, i);
}

// The pipes of a cell in its own row and in the row above.
typedef struct CellPipes {
    const float *east, *south, *south_east, *south_west, *north, *north_west, *north_east;
} CellPipes;

static CellPipes cell_pipes(const PipesRows *rows, int row)
{
    int k = at(row), above = at(row - 1);
    return (CellPipes){rows->flux[k][EAST],          rows->flux[k][SOUTH],     rows->flux[k][SOUTH_EAST],
                       rows->flux[k][SOUTH_WEST],    rows->flux[above][SOUTH], rows->flux[above][SOUTH_EAST],
                       rows->flux[above][SOUTH_WEST]};
}

// Sums are taken in pairs of opposite pipes, so that a map turned by a right angle gives the turned result.
SILT_INLINE int64_t share_cells(CellPipes f, const float *edge, const int32_t *water, float *share,
                                float *dither, int width, float to_grains, float step_dither, bool eight)
{
    int32_t limited = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float out =
            (positive(f.east[i]) + positive(-f.east[i - 1])) + (positive(f.south[i]) + positive(-f.north[i]));
        if (eight)
            out += (positive(f.south_east[i]) + positive(-f.north_west[i - 1])) +
                   (positive(f.south_west[i]) + positive(-f.north_east[i + 1]));
        float wanted = (out + edge[i]) * to_grains, held = (float)water[i];
        float k = silt_pipe_share(wanted, held); // eq. 4
        share[i] = k;
        dither[i] = silt_pipe_dither(wanted * k, held, eight ? 9.0f : 5.0f, step_dither);
        limited += k < 1.0f;
    }
    return limited;
}

SILT_CLONES static int64_t share_four(CellPipes f, const float *edge, const int32_t *water, float *share,
                                      float *dither, int width, float to_grains, float step_dither)
{
    return share_cells(f, edge, water, share, dither, width, to_grains, step_dither, false);
}

SILT_CLONES static int64_t share_eight(CellPipes f, const float *edge, const int32_t *water, float *share,
                                       float *dither, int width, float to_grains, float step_dither)
{
    return share_cells(f, edge, water, share, dither, width, to_grains, step_dither, true);
}

// eq. 5, and the whole grains of water that go through each pipe.
SILT_CLONES static void scale_row(const float *share_a, const float *share_b, const float *dither_a,
                                  const float *dither_b, float *flux, int32_t *grains, int width,
                                  float to_grains)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        bool forth = flux[i] > 0.0f;
        float scaled = flux[i] * (forth ? share_a[i] : share_b[i]);
        grains[i] = silt_pipe_grains(scaled, to_grains, forth ? dither_a[i] : dither_b[i]);
        flux[i] = scaled;
    }
}

static void limit_outflow(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = at(row), width = pipes->terrain->width;
    open_borders(pipes, rows, row);
    int64_t limited = (pipes->directions == 4 ? share_eight : share_four)(
        cell_pipes(rows, row), rows->edge[k], rows->water[k], rows->share[k], rows->dither[k], width,
        pipes->to_grains, pipes->water_dither);
    if (owns(band, row))
        band->tally.limited += limited;
    for (int d = 0; d < pipes->directions; d++) {
        int from = d == EAST ? row : row - 1;
        int a = at(from), shift = ends_east[d];
        scale_row(rows->share[a], rows->share[k] + shift, rows->dither[a], rows->dither[k] + shift,
                  rows->flux[a][d], rows->grains[a][d], width, pipes->to_grains);
        if (owns(band, from))
            memcpy(silt_pipes_row(pipes, band, FLUX_0 + d, from), rows->flux[a][d],
                   (size_t)width * sizeof(float));
    }
    for (int i = 0; i < width; i++)
        rows->edge_grains[k][i] =
            silt_pipe_grains(rows->edge[k][i] * rows->share[k][i], pipes->to_grains, rows->dither[k][i]);
}

// ---- depth and velocity (eq. 6-9) ----

// Whole grains through the pipes of a cell.
typedef struct CellGrains {
    const int32_t *east, *south, *south_east, *south_west, *north, *north_west, *north_east, *edge;
} CellGrains;

static CellGrains cell_grains(int32_t *grains[RING][PIPE_DIRECTIONS], const int32_t *edge, int row)
{
    int k = at(row), above = at(row - 1);
    return (CellGrains){
        grains[k][EAST],      grains[k][SOUTH],          grains[k][SOUTH_EAST],     grains[k][SOUTH_WEST],
        grains[above][SOUTH], grains[above][SOUTH_EAST], grains[above][SOUTH_WEST], edge};
}

// What leaves a cell less what comes in.
SILT_INLINE int32_t net_outflow(CellGrains g, int i, bool eight)
{
    int32_t net = (g.east[i] - g.east[i - 1]) + (g.south[i] - g.north[i]);
    if (eight)
        net += (g.south_east[i] - g.north_west[i - 1]) + (g.south_west[i] - g.north_east[i + 1]);
    return net;
}

SILT_INLINE int32_t all_outflow(CellGrains g, int i, bool eight)
{
    int32_t out = positive_grains(g.east[i]) + positive_grains(-g.east[i - 1]) + positive_grains(g.south[i]) +
                  positive_grains(-g.north[i]);
    if (eight)
        out += positive_grains(g.south_east[i]) + positive_grains(-g.north_west[i - 1]) +
               positive_grains(g.south_west[i]) + positive_grains(-g.north_east[i + 1]);
    return out;
}

typedef struct MoveJob {
    CellPipes flux;
    CellGrains grains;
    const int32_t *water;
    int32_t *water_after;
    float *east_speed, *south_speed, *flow;
    float per_cell; // 1 / (2 * cell)
    float grain, shallow, swift, dt;
} MoveJob;

SILT_INLINE void move_cells(MoveJob job, int width, bool eight)
{
    CellPipes f = job.flux;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t after = job.water[i] - (net_outflow(job.grains, i, eight) + job.grains.edge[i]); // eq. 6-7
        float through_x = f.east[i] + f.east[i - 1], through_y = f.south[i] + f.north[i];        // eq. 8
        if (eight) {
            float falling = f.south_east[i] + f.north_west[i - 1],
                  rising = f.south_west[i] + f.north_east[i + 1];
            through_x += falling - rising;
            through_y += falling + rising;
        }
        float mean = ((float)job.water[i] + (float)after) * (0.5f * job.grain); // eq. 9
        float per_depth = job.per_cell / silt_maxf(mean, job.shallow);
        float u = through_x * per_depth, v = through_y * per_depth;
        job.water_after[i] = after;
        job.east_speed[i] = silt_clampf(u, -job.swift, job.swift);
        job.south_speed[i] = silt_clampf(v, -job.swift, job.swift);
        job.flow[i] = silt_sqrtf(through_x * through_x + through_y * through_y) * (0.5f * job.dt);
    }
}

SILT_CLONES static void move_four(MoveJob job, int width)
{
    move_cells(job, width, false);
}

SILT_CLONES static void move_eight(MoveJob job, int width)
{
    move_cells(job, width, true);
}

static void move_water(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = at(row);
    MoveJob job = {.flux = cell_pipes(rows, row),
                   .grains = cell_grains(rows->grains, rows->edge_grains[k], row),
                   .water = rows->water[k],
                   .water_after = rows->water_after[k],
                   .east_speed = rows->east_speed[k],
                   .south_speed = rows->south_speed[k],
                   .flow = rows->flow[k],
                   .per_cell = (float)(0.5 / pipes->terrain->cell),
                   .grain = (float)pipes->grain,
                   .shallow = pipes->shallow,
                   .swift = pipes->pipe[EAST].swift,
                   .dt = pipes->dt};
    (pipes->directions == 4 ? move_eight : move_four)(job, pipes->terrain->width);
}

// ---- erosion and deposition (eq. 10-12) ----

typedef struct ExchangeJob {
    const int32_t *ground, *north, *south; // this row and its neighbours, before
    const int32_t *water, *water_after;
    const int32_t *sediment;
    int32_t *muddy; // the sediment after it
    const float *east_speed, *south_speed;
    const float *erodibility; // NULL: 1 everywhere
    CellGrains grains;
    float *load, *load_dither;
    int32_t *ground_out, *deposit, *wear; // in memory
    float per_cell, grain, film, capacity, least_tilt, dissolve, settle, loose, dither, sediment_dither;
} ExchangeJob;

// The rise over two cells; a wall counts as level.
SILT_INLINE float rise(int32_t here, int32_t before, int32_t after, float per_cell)
{
    int32_t low = before == SILT_GRAINS_WALL ? here : before;
    int32_t high = after == SILT_GRAINS_WALL ? here : after;
    return (float)(high - low) * per_cell;
}

SILT_INLINE void exchange_cells(const ExchangeJob *shared, int width, bool eight, bool plain)
{
    ExchangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float tilt =
            silt_pipe_tilt(rise(job.ground[i], job.ground[i - 1], job.ground[i + 1], job.per_cell),
                           rise(job.ground[i], job.north[i], job.south[i], job.per_cell), job.least_tilt);
        float u = job.east_speed[i], v = job.south_speed[i], speed = silt_sqrtf(u * u + v * v);
        float depth = ((float)job.water[i] + (float)job.water_after[i]) * (0.5f * job.grain);
        float capacity = silt_pipe_capacity(job.capacity, tilt, speed, depth, job.film) / job.grain; // eq. 10
        SiltExchange change = silt_pipe_exchange(capacity, job.sediment[i], job.deposit[i], job.ground_out[i],
                                                 job.dissolve, job.settle, job.loose,
                                                 plain ? 1.0f : job.erodibility[i], job.dither); // eq. 11-12
        int32_t sediment = job.sediment[i] + change.sediment;
        job.ground_out[i] += change.ground;
        job.deposit[i] += change.deposit;
        job.wear[i] += change.wear;
        job.muddy[i] = sediment;
        float load = (float)sediment / (float)silt_maxi(job.water[i], 1);
        float leaving = load * (float)(all_outflow(job.grains, i, eight) + job.grains.edge[i]);
        job.load[i] = load;
        job.load_dither[i] =
            silt_pipe_dither(leaving, (float)sediment, eight ? 9.0f : 5.0f, job.sediment_dither);
    }
}

SILT_CLONES static void exchange_four(const ExchangeJob *job, int width)
{
    if (job->erodibility)
        exchange_cells(job, width, false, false);
    else
        exchange_cells(job, width, false, true);
}

SILT_CLONES static void exchange_eight(const ExchangeJob *job, int width)
{
    if (job->erodibility)
        exchange_cells(job, width, true, false);
    else
        exchange_cells(job, width, true, true);
}

// Banks give way: loose deposit goes first, and what has slid lies loose.
SILT_INLINE void slide_cells(CellGrains g, int32_t *ground, int32_t *deposit, int32_t *wear, int width,
                             bool eight)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t net = net_outflow(g, i, eight), out = all_outflow(g, i, eight);
        ground[i] -= net;
        deposit[i] = silt_maxi(deposit[i] - out, 0) + (out - net);
        wear[i] += out;
    }
}

SILT_CLONES static void slide_four(CellGrains g, int32_t *ground, int32_t *deposit, int32_t *wear, int width)
{
    slide_cells(g, ground, deposit, wear, width, false);
}

SILT_CLONES static void slide_eight(CellGrains g, int32_t *ground, int32_t *deposit, int32_t *wear, int width)
{
    slide_cells(g, ground, deposit, wear, width, true);
}

static void exchange_sediment(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    const PipesParams *params = pipes->params;
    int k = at(row), width = pipes->terrain->width;
    if (row < 0 || row >= pipes->terrain->height)
        return;
    bool eight = pipes->directions == 4;
    ExchangeJob job = {.ground = rows->ground[k],
                       .north = rows->ground[at(row - 1)],
                       .south = rows->ground[at(row + 1)],
                       .water = rows->water[k],
                       .water_after = rows->water_after[k],
                       .sediment = rows->sediment[k],
                       .muddy = rows->muddy[k],
                       .east_speed = rows->east_speed[k],
                       .south_speed = rows->south_speed[k],
                       .erodibility = pipes->erodibility ? silt_field_row(pipes->erodibility, row) : NULL,
                       .grains = cell_grains(rows->grains, rows->edge_grains[k], row),
                       .load = rows->load[k],
                       .load_dither = rows->load_dither[k],
                       .ground_out = silt_pipes_row(pipes, band, GROUND, row),
                       .deposit = silt_pipes_row(pipes, band, DEPOSIT, row),
                       .wear = silt_pipes_row(pipes, band, WEAR, row),
                       .per_cell = (float)(0.5 * pipes->grain / pipes->terrain->cell),
                       .grain = (float)pipes->grain,
                       .film = (float)params->film,
                       .capacity = (float)params->capacity,
                       .least_tilt = pipes->least_tilt,
                       .dissolve = pipes->dissolve,
                       .settle = pipes->settle,
                       .loose = (float)params->loose,
                       .dither = pipes->rock_dither,
                       .sediment_dither = pipes->load_dither};
    if (pipes->banks)
        (eight ? slide_eight : slide_four)(cell_grains(rows->slid, NULL, row), job.ground_out, job.deposit,
                                           job.wear, width);
    (eight ? exchange_eight : exchange_four)(&job, width);
}

// ---- transport (eq. 13) ----

// Sediment goes where the water goes, as much of it as of the water.
SILT_CLONES static void carry_row(const int32_t *grains, const float *load_a, const float *load_b,
                                  const float *dither_a, const float *dither_b, int32_t *carried, int width)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        bool forth = grains[i] > 0;
        float load = forth ? load_a[i] : load_b[i], dither = forth ? dither_a[i] : dither_b[i];
        carried[i] = silt_pipe_grains((float)grains[i], load, dither);
    }
}

static void carry_faces(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = at(row), width = pipes->terrain->width;
    for (int d = 0; d < pipes->directions; d++) {
        int b = at(d == EAST ? row : row + 1), shift = ends_east[d];
        carry_row(rows->grains[k][d], rows->load[k], rows->load[b] + shift, rows->load_dither[k],
                  rows->load_dither[b] + shift, rows->carried[k][d], width);
    }
}

SILT_INLINE int64_t carry_cells(CellGrains g, const int32_t *muddy, const int32_t *edge_grains,
                                const float *load, const float *dither, int32_t *sediment, int width,
                                bool eight)
{
    int64_t left = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t over_edge = silt_pipe_grains((float)edge_grains[i], load[i], dither[i]);
        sediment[i] = muddy[i] - (net_outflow(g, i, eight) + over_edge);
        left += over_edge;
    }
    return left;
}

SILT_CLONES static int64_t carry_four(CellGrains g, const int32_t *muddy, const int32_t *edge_grains,
                                      const float *load, const float *dither, int32_t *sediment, int width)
{
    return carry_cells(g, muddy, edge_grains, load, dither, sediment, width, false);
}

SILT_CLONES static int64_t carry_eight(CellGrains g, const int32_t *muddy, const int32_t *edge_grains,
                                       const float *load, const float *dither, int32_t *sediment, int width)
{
    return carry_cells(g, muddy, edge_grains, load, dither, sediment, width, true);
}

// eq. 14, as the paper has it: what was upstream a step ago. The CFL condition keeps that within one cell.
static void trace_row(const Pipes *pipes, const PipesRows *rows, int row, int32_t *sediment)
{
    int width = pipes->terrain->width, last_row = pipes->terrain->height - 1, k = at(row);
    float courant = pipes->dt / (float)pipes->terrain->cell;
    for (int i = 0; i < width; i++) {
        float back_x = silt_clampf(-rows->east_speed[k][i] * courant, -1.0f, 1.0f);
        float back_y = silt_clampf(-rows->south_speed[k][i] * courant, -1.0f, 1.0f);
        int column = back_x < 0.0f ? i - 1 : i + 1, other = back_y < 0.0f ? row - 1 : row + 1;
        float x = back_x < 0.0f ? -back_x : back_x, y = back_y < 0.0f ? -back_y : back_y;
        column = column < 0 || column >= width ? i : column;
        other = other < 0 || other > last_row ? row : other;
        const int32_t *here = rows->muddy[k], *there = rows->muddy[at(other)];
        float near = (1.0f - x) * (float)here[i] + x * (float)here[column];
        float far = (1.0f - x) * (float)there[i] + x * (float)there[column];
        sediment[i] = silt_grains((1.0f - y) * near + y * far, pipes->load_dither);
    }
}

static void carry_sediment(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = at(row), width = pipes->terrain->width;
    carry_faces(pipes, rows, row);
    if (!owns(band, row))
        return;
    int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    if (pipes->params->transport == SILT_PIPES_SEMI_LAGRANGIAN) {
        trace_row(pipes, rows, row, sediment);
        return;
    }
    band->tally.sediment_left += (pipes->directions == 4 ? carry_eight : carry_four)(
        cell_grains(rows->carried, NULL, row), rows->muddy[k], rows->edge_grains[k], rows->load[k],
        rows->load_dither[k], sediment, width);
}

// ---- evaporation (eq. 15), and what the maps remember ----

SILT_CLONES static int64_t evaporate_row(const int32_t *water, const float *loss, int32_t *out, int width,
                                         float dither)
{
    int64_t gone = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t dried = silt_mini(silt_grains((float)water[i] * loss[i], dither), water[i]);
        out[i] = water[i] - dried;
        gone += dried;
    }
    return gone;
}

SILT_CLONES static void remember_row(const int32_t *water, const float *step_flow, float *flow,
                                     float *wetness, int width, int32_t wet, float dt)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        flow[i] += step_flow[i];
        wetness[i] += water[i] > wet ? dt : 0.0f;
    }
}

SILT_CLONES static int32_t deepest_in(const int32_t *water, int width)
{
    int32_t deepest = 0;
    for (int i = 0; i < width; i++)
        deepest = silt_maxi(deepest, water[i]);
    return deepest;
}

// Floats above zero compare as their bits do, and whole numbers have a maximum that needs no order.
SILT_CLONES static float swiftest_in(const float *u, const float *v, int width)
{
    int32_t most = 0;
    for (int i = 0; i < width; i++) {
        union {
            float value;
            int32_t bits;
        } square = {u[i] * u[i] + v[i] * v[i]};
        most = silt_maxi(most, square.bits);
    }
    union {
        int32_t bits;
        float value;
    } result = {most};
    return result.value;
}

static void evaporate(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    PipesTally *tally = &band->tally;
    int k = at(row), width = pipes->terrain->width;
    int32_t *water = silt_pipes_row(pipes, band, WATER, row);
    if (pipes->params->evaporation_kind == SILT_EVAPORATION_ALTITUDE) {
        heights_row(pipes, silt_pipes_row(pipes, band, GROUND, row), rows->heights);
        silt_supply_loss_row(&pipes->supply, rows->heights, width, rows->loss);
    }
    tally->evaporated += evaporate_row(rows->water_after[k], rows->loss, water, width, pipes->loss_dither);
    remember_row(water, rows->flow[k], silt_field_row(&pipes->flow, row),
                 silt_field_row(&pipes->wetness, row), width, (int32_t)(0.001 / pipes->grain), pipes->dt);
    for (int i = 0; i < width; i++)
        tally->left += rows->edge_grains[k][i];
    tally->deepest = silt_maxi(tally->deepest, deepest_in(water, width));
    tally->swiftest =
        silt_maxf(tally->swiftest, swiftest_in(rows->east_speed[k], rows->south_speed[k], width));
}

// ---- all of it ----

void silt_pipes_pass(Pipes *pipes, PipesBand *band)
{
    band->tally = (PipesTally){0};
    silt_supply_loss_row(&pipes->supply, band->rows.heights, pipes->terrain->width, band->rows.loss);
    wall_row(pipes, &band->rows, band->begin - HALO - 1);
    for (int row = band->begin - HALO; row < band->end + HALO; row++) {
        add_water(pipes, band, row);   // Mei eq. 1
        update_flux(pipes, band, row); // eq. 2-3
        if (row - 1 >= band->begin - HALO)
            limit_outflow(pipes, band, row - 1); // eq. 4-5
        if (row - 2 >= band->begin - 1) {
            move_water(pipes, band, row - 2);        // eq. 6-9
            exchange_sediment(pipes, band, row - 2); // eq. 10-12
        }
        if (row - 3 >= band->begin - 1)
            carry_sediment(pipes, band, row - 3); // eq. 13-14
        if (row - 3 >= band->begin)
            evaporate(pipes, band, row - 3); // eq. 15
    }
}

// ---- the rows in flight ----

static size_t row_bytes(int width)
{
    return ((size_t)width + 2 * PAD + 15) / 16 * 16 * sizeof(float) +
           64; // a line more: rows must not collide
}

typedef struct Layout {
    char *next;
    size_t bytes;
} Layout;

// The next row, with room for a pad at either side.
static void *place(Layout *layout)
{
    char *row = layout->next;
    layout->next += layout->bytes;
    return row + PAD * sizeof(float);
}

enum { SINGLE_ROWS = 3, RING_ROWS = 17 };

size_t silt_pipes_rows_bytes(int width, int directions)
{
    return row_bytes(width) * (size_t)(SINGLE_ROWS + RING * (RING_ROWS + 4 * directions));
}

void silt_pipes_rows_place(PipesRows *rows, int width, int directions, char *block)
{
    Layout layout = {block, row_bytes(width)};
    rows->buffer = place(&layout);
    rows->heights = place(&layout);
    rows->loss = place(&layout);
    for (int k = 0; k < RING; k++) {
        int32_t **whole[] = {&rows->ground[k],     &rows->surface[k], &rows->water[k],
                             &rows->sediment[k],   &rows->muddy[k],   &rows->water_after[k],
                             &rows->edge_grains[k]};
        float **real[] = {&rows->share[k],      &rows->dither[k],     &rows->edge[k],
                          &rows->load[k],       &rows->flow[k],       &rows->load_dither[k],
                          &rows->east_speed[k], &rows->south_speed[k]};
        for (size_t n = 0; n < sizeof whole / sizeof whole[0]; n++)
            *whole[n] = place(&layout);
        for (size_t n = 0; n < sizeof real / sizeof real[0]; n++)
            *real[n] = place(&layout);
        for (int d = 0; d < directions; d++) {
            rows->flux[k][d] = place(&layout);
            rows->grains[k][d] = place(&layout);
            rows->carried[k][d] = place(&layout);
            rows->slid[k][d] = place(&layout);
        }
        // beyond both ends of a row stands a wall
        for (int i = -PAD; i < PAD; i++) {
            int end = i < 0 ? i : width + i;
            rows->ground[k][end] = rows->surface[k][end] = SILT_GRAINS_WALL;
        }
    }
}
