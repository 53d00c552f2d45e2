// What a step does to a cell once the fluxes are known: depth and velocity, erosion and deposition, banks,
// transport, evaporation (Mei eq. 6-15), and what the maps remember.
#include <string.h>

#include "erode/pipes_rows.h"

// ---- depth and velocity (eq. 6-9), erosion and deposition (eq. 10-12), evaporation (eq. 15) ----

// A stretch of a row goes through three loops, each short enough that a processor has several cells of it
// under way at a time: in one loop every cell would wait for the three divisions and the root of the cell
// before.
typedef struct ChangeJob {
    const int32_t *ground, *north, *south; // this row and its neighbours, before
    const int32_t *water, *edge_grains, *sediment;
    const float *loss;
    const float *erodibility; // NULL: 1 everywhere
    const float *around, *around_north, *around_south;
    CellPipes flux;
    CellGrains grains;
    float *could, *depth; // m: of rock that the water here could carry, of water during the step
    int32_t *water_after;
    int32_t *muddy; // the sediment after it
    float *east_speed, *south_speed, *load, *load_dither, *around_out;
    int32_t *ground_out, *water_out, *deposit, *wear; // in memory
    float per_cell, per_width;                        // grains to slope, and 1 / (2 * cell)
    float half_grain, per_grain, shallow, swift;
    float per_film, capacity, densest, least_tilt, blend, spread;
    float sediment_dither, loss_dither;
    SiltRates rates;
    int32_t fan;
    int64_t evaporated;        // out: grains
    int32_t deepest, swiftest; // out: grains, and the bits of (m/s)^2
} ChangeJob;

// Floats above zero compare as their bits do, and the maximum of whole numbers needs no order.
SILT_INLINE int32_t bits_of(float value)
{
    union {
        float value;
        int32_t bits;
    } both = {value};
    return both.bits;
}

// Water that passes a cell, in m3/s times two (eq. 8).
typedef struct Through {
    float x, y;
} Through;

SILT_INLINE Through through_cell(CellPipes f, int i, bool eight)
{
    Through through = {f.east[i] + f.east[i - 1], f.south[i] + f.north[i]};
    if (eight) {
        float falling = f.south_east[i] + f.north_west[i - 1];
        float rising = f.south_west[i] + f.north_east[i + 1];
        through.x += falling - rising;
        through.y += falling + rising;
    }
    return through;
}

// The rise over two cells; a wall counts as level.
SILT_INLINE float rise(int32_t here, int32_t before, int32_t after, float per_cell)
{
    int32_t low = before == SILT_GRAINS_WALL ? here : before;
    int32_t high = after == SILT_GRAINS_WALL ? here : after;
    return (float)(high - low) * per_cell;
}

SILT_INLINE void move_cells(ChangeJob *shared, int begin, int end, bool eight)
{
    ChangeJob job = *shared;
    int32_t deepest = shared->deepest, swiftest = shared->swiftest;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        int32_t water = job.water[i] - (net_outflow(job.grains, i, eight) + job.edge_grains[i]); // eq. 6-7
        Through through = through_cell(job.flux, i, eight);
        float depth = ((float)job.water[i] + (float)water) * job.half_grain; // eq. 9
        float per_depth = job.per_width / silt_maxf(depth, job.shallow);
        float u = silt_clampf(through.x * per_depth, -job.swift, job.swift);
        float v = silt_clampf(through.y * per_depth, -job.swift, job.swift);
        float rise_x = rise(job.ground[i], job.ground[i - 1], job.ground[i + 1], job.per_cell);
        float rise_y = rise(job.ground[i], job.north[i], job.south[i], job.per_cell);
        float vigour = silt_pipe_vigour(rise_x, rise_y, job.least_tilt, u, v);
        job.could[i] = silt_pipe_capacity(job.capacity, vigour, depth, job.per_film, job.densest);
        job.depth[i] = depth;
        job.water_after[i] = water;
        job.east_speed[i] = u;
        job.south_speed[i] = v;
        deepest = silt_maxi(deepest, water);
        swiftest = silt_maxi(swiftest, bits_of(u * u + v * v));
    }
    shared->deepest = deepest;
    shared->swiftest = swiftest;
}

SILT_CLONES static void move_four(ChangeJob *job, int begin, int end)
{
    move_cells(job, begin, end, false);
}

SILT_CLONES static void move_eight(ChangeJob *job, int begin, int end)
{
    move_cells(job, begin, end, true);
}

SILT_INLINE void exchange_cells(const ChangeJob *shared, int begin, int end, bool plain)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float here = job.around[i], could = job.could[i];
        float east = silt_pipe_beside(job.ground[i + 1], job.around[i + 1], here);
        float west = silt_pipe_beside(job.ground[i - 1], job.around[i - 1], here);
        float north = silt_pipe_beside(job.north[i], job.around_north[i], here);
        float south = silt_pipe_beside(job.south[i], job.around_south[i], here);
        float even = silt_pipe_even(here, could, east, west, south, north, job.blend, job.spread);
        float capacity = silt_minf(even, SILT_PIPE_MOST * job.densest * job.depth[i]) * job.per_grain;
        int32_t room = silt_grains_to_dig(job.ground_out[i], job.ground[i + 1], job.ground[i - 1],
                                          job.south[i], job.north[i]);
        int32_t heap = silt_grains_to_heap(job.ground_out[i], job.ground[i + 1], job.ground[i - 1],
                                           job.south[i], job.north[i], job.fan);
        SiltExchange change =
            silt_pipe_exchange(capacity, silt_maxf(capacity, could * job.per_grain), job.sediment[i],
                               job.deposit[i], room, heap, plain ? 1.0f : job.erodibility[i], job.rates);
        job.ground_out[i] += change.ground;
        job.deposit[i] += change.deposit;
        job.wear[i] = silt_mini(job.wear[i], INT32_MAX - change.wear) + change.wear;
        job.muddy[i] = job.sediment[i] + change.sediment;
        job.around_out[i] = even;
    }
}

SILT_CLONES static void exchange_plain(const ChangeJob *job, int begin, int end)
{
    exchange_cells(job, begin, end, true);
}

SILT_CLONES static void exchange_rock(const ChangeJob *job, int begin, int end)
{
    exchange_cells(job, begin, end, false);
}

// What the pipes will carry off, and what dries up.
SILT_INLINE void finish_cells(ChangeJob *shared, int begin, int end, bool eight)
{
    ChangeJob job = *shared;
    int64_t evaporated = shared->evaporated;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float sediment = (float)job.muddy[i];
        float load = sediment / (float)silt_maxi(job.water[i], 1);
        float leaving = load * (float)(all_outflow(job.grains, i, eight) + job.edge_grains[i]);
        job.load[i] = load;
        job.load_dither[i] = silt_pipe_dither(leaving, sediment, eight ? 9.0f : 5.0f, job.sediment_dither);
        int32_t water = job.water_after[i];
        int32_t dried = silt_mini(silt_grains((float)water * job.loss[i], job.loss_dither), water);
        dried = silt_maxi(dried, silt_grains_over(job.ground_out[i], water));
        job.water_out[i] = water - dried;
        evaporated += dried;
    }
    shared->evaporated = evaporated;
}

SILT_CLONES static void finish_four(ChangeJob *job, int begin, int end)
{
    finish_cells(job, begin, end, false);
}

SILT_CLONES static void finish_eight(ChangeJob *job, int begin, int end)
{
    finish_cells(job, begin, end, true);
}

// ---- rows that the next round will need ----

// The first loop that reads a field waits for memory. So the loops that compute most ask for the rows of the
// next round while they work.
enum { AHEAD = 8 };

typedef struct Ahead {
    const float *row[AHEAD]; // NULL: none
} Ahead;

// When row r changes, r + 2 has come in: the next round takes in r + 3 and changes r + 1.
static Ahead rows_ahead(const Pipes *pipes, const PipesBand *band, int row)
{
    static const struct {
        int field, rows;
    } needs[AHEAD] = {{GROUND, 3}, {WATER, 3},    {AROUND, 3},  {FLUX_0, 3},
                      {FLUX_1, 2}, {SEDIMENT, 1}, {DEPOSIT, 1}, {WEAR, 1}};
    Ahead ahead = {{0}};
    for (int n = 0; n < AHEAD; n++) {
        int j = row + needs[n].rows;
        if (j >= 0 && j < pipes->terrain->height && j < band->end + HALO)
            ahead.row[n] = silt_pipes_row(pipes, band, needs[n].field, j);
    }
    return ahead;
}

static void fetch(const Ahead *ahead, int first, int count, int begin, int end)
{
    enum { LINE = 16 };
    for (int n = first; n < first + count; n++)
        for (int i = begin; ahead->row[n] && i < end; i += LINE)
            SILT_FETCH(ahead->row[n] + i);
}

static void change_stretch(ChangeJob *job, const Ahead *ahead, int begin, int end, bool eight)
{
    fetch(ahead, 0, 3, begin, end);
    if (eight)
        move_eight(job, begin, end);
    else
        move_four(job, begin, end);
    fetch(ahead, 3, 3, begin, end);
    if (job->erodibility)
        exchange_rock(job, begin, end);
    else
        exchange_plain(job, begin, end);
    fetch(ahead, 6, 2, begin, end);
    if (eight)
        finish_eight(job, begin, end);
    else
        finish_four(job, begin, end);
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
        wear[i] = silt_mini(wear[i], INT32_MAX - out) + out;
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

// Sediment that sources bring.
static void add_sediment(const Pipes *pipes, PipesBand *band, int row, int32_t *sediment)
{
    const float *supply = silt_supply_sediment_row(&pipes->supply, row, band->rows.buffer);
    for (int i = 0; supply && i < pipes->terrain->width; i++) {
        int32_t more = silt_grains(supply[i] * (float)(1.0 / pipes->grain), pipes->rain_dither);
        more = band->rows.ground[ring(row)][i] == SILT_GRAINS_WALL ? 0 : more;
        sediment[i] += more;
        band->tally.sediment_added += owns(band, row) ? more : 0;
    }
}

// Erodibility of the rock by layer and by strata; NULL when it is the same everywhere.
static const float *rock_row(const Pipes *pipes, PipesRows *rows, int row)
{
    const float *layer = pipes->erodibility ? silt_field_row(pipes->erodibility, row) : NULL;
    if (pipes->strata.count == 0)
        return layer;
    int width = pipes->terrain->width;
    silt_pipes_heights_row(pipes, rows->ground[ring(row)], rows->heights);
    silt_strata_row(&pipes->strata, 0, row, width, rows->heights, rows->erodibility);
    for (int i = 0; layer && i < width; i++)
        rows->erodibility[i] *= layer[i];
    return rows->erodibility;
}

// What evaporates by altitude goes by the ground before the step.
static const float *loss_row(const Pipes *pipes, PipesRows *rows, int row)
{
    if (pipes->params->evaporation_kind == SILT_EVAPORATION_ALTITUDE) {
        silt_pipes_heights_row(pipes, rows->ground[ring(row)], rows->heights);
        silt_supply_loss_row(&pipes->supply, rows->heights, pipes->terrain->width, rows->loss);
    }
    return rows->loss;
}

static void count_row(PipesTally *tally, const ChangeJob *job)
{
    tally->evaporated += job->evaporated;
    tally->deepest = silt_maxi(tally->deepest, job->deepest);
    tally->swiftest = silt_maxi(tally->swiftest, job->swiftest);
}

void silt_pipes_change_cells(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    const PipesParams *params = pipes->params;
    int k = ring(row), width = pipes->terrain->width;
    if (row < 0 || row >= pipes->terrain->height)
        return;
    int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    add_sediment(pipes, band, row, sediment);
    ChangeJob job = {.ground = rows->ground[k],
                     .north = rows->ground[ring(row - 1)],
                     .south = rows->ground[ring(row + 1)],
                     .water = rows->water[k],
                     .water_out = silt_pipes_row(pipes, band, WATER, row),
                     .loss = loss_row(pipes, rows, row),
                     .edge_grains = rows->edge_grains[k],
                     .sediment = sediment,
                     .east_speed = rows->east_speed[k],
                     .south_speed = rows->south_speed[k],
                     .erodibility = rock_row(pipes, rows, row),
                     .around = rows->around[k],
                     .around_north = rows->around[ring(row - 1)],
                     .around_south = rows->around[ring(row + 1)],
                     .around_out = silt_pipes_row(pipes, band, AROUND, row),
                     .blend = pipes->evening.blend,
                     .spread = pipes->evening.spread,
                     .fan = pipes->fan,
                     .flux = silt_pipes_fluxes(rows, row),
                     .grains = silt_pipes_grains(rows->grains, row),
                     .could = rows->could,
                     .depth = rows->depth,
                     .water_after = rows->water_after,
                     .muddy = rows->muddy[k],
                     .load = rows->load[k],
                     .load_dither = rows->load_dither[k],
                     .ground_out = silt_pipes_row(pipes, band, GROUND, row),
                     .deposit = silt_pipes_row(pipes, band, DEPOSIT, row),
                     .wear = silt_pipes_row(pipes, band, WEAR, row),
                     .per_cell = (float)(0.5 * pipes->grain / pipes->terrain->cell),
                     .per_width = (float)(0.5 / pipes->terrain->cell),
                     .half_grain = (float)(0.5 * pipes->grain),
                     .shallow = pipes->shallow,
                     .swift = pipes->pipe[EAST].swift,
                     .per_grain = (float)(1.0 / pipes->grain),
                     .per_film = (float)(1.0 / params->film),
                     .capacity = pipes->capacity,
                     .densest = pipes->densest,
                     .least_tilt = pipes->least_tilt,
                     .rates = pipes->rates,
                     .sediment_dither = pipes->load_dither,
                     .loss_dither = pipes->loss_dither};
    CellGrains slid = silt_pipes_grains(rows->slid, row);
    bool eight = pipes->directions == 4;
    if (pipes->banks && eight)
        slide_eight(slid, job.ground_out, job.deposit, job.wear, width);
    else if (pipes->banks)
        slide_four(slid, job.ground_out, job.deposit, job.wear, width);
    Ahead ahead = rows_ahead(pipes, band, row);
    enum { STRETCH = 512 };
    for (int begin = 0; begin < width; begin += STRETCH)
        change_stretch(&job, &ahead, begin, silt_mini(begin + STRETCH, width), eight);
    if (owns(band, row))
        count_row(&band->tally, &job);
}

// ---- transport (eq. 13) ----

// Sediment goes where the water goes, as much of it as of the water.
SILT_CLONES static void carry_row(const int32_t *grains, const float *load_a, const float *load_b,
                                  const float *dither_a, const float *dither_b, int32_t *carried, int width,
                                  float most)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        bool forth = grains[i] > 0;
        float load_forth = load_a[i], load_back = load_b[i];
        float dither_forth = dither_a[i], dither_back = dither_b[i];
        carried[i] = silt_pipe_grains((float)grains[i] * (forth ? load_forth : load_back),
                                      forth ? dither_forth : -dither_back, most);
    }
}

static void carry_pipes(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = ring(row), width = pipes->terrain->width;
    for (int d = 0; d < pipes->directions; d++) {
        int b = ring(d == EAST ? row : row + 1), shift = silt_pipes_east[d];
        carry_row(rows->grains[k][d], rows->load[k], rows->load[b] + shift, rows->load_dither[k],
                  rows->load_dither[b] + shift, rows->carried[k][d], width, pipes->most);
    }
}

SILT_CLONES static void carry_four(CellGrains g, const int32_t *muddy, int32_t *sediment, int width)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++)
        sediment[i] = muddy[i] - net_outflow(g, i, false);
}

SILT_CLONES static void carry_eight(CellGrains g, const int32_t *muddy, int32_t *sediment, int width)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++)
        sediment[i] = muddy[i] - net_outflow(g, i, true);
}

// What leaves over the borders; few cells of few rows have any.
static void carry_off(const Pipes *pipes, PipesBand *band, int row, int32_t *sediment)
{
    const PipesRows *rows = &band->rows;
    int k = ring(row), width = pipes->terrain->width;
    bool all = row == 0 || row == pipes->terrain->height - 1 || width < 2;
    for (int i = 0; i < width; i += all ? 1 : width - 1) {
        int32_t gone = silt_pipe_grains((float)rows->edge_grains[k][i] * rows->load[k][i],
                                        rows->load_dither[k][i], pipes->most);
        sediment[i] -= gone;
        band->tally.sediment_left += gone;
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

void silt_pipes_carry_sediment(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int width = pipes->terrain->width;
    carry_pipes(pipes, rows, row);
    if (!owns(band, row))
        return;
    int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    if (pipes->params->transport == SILT_PIPES_SEMI_LAGRANGIAN) {
        trace_row(pipes, rows, row, sediment);
        return;
    }
    CellGrains carried = silt_pipes_grains(rows->carried, row);
    if (pipes->directions == 4)
        carry_eight(carried, rows->muddy[ring(row)], sediment, width);
    else
        carry_four(carried, rows->muddy[ring(row)], sediment, width);
    carry_off(pipes, band, row, sediment);
}

// ---- what the maps remember ----

typedef struct RememberJob {
    const int32_t *water;
    const float *east_speed, *south_speed;
    float *flow, *wetness;
    float grain, shallow, seconds, metre_seconds; // the time the sample stands for, and times the cell's side
} RememberJob;

SILT_CLONES static void remember_row(const RememberJob *shared, int width)
{
    RememberJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float u = job.east_speed[i], v = job.south_speed[i], depth = (float)job.water[i] * job.grain;
        job.flow[i] += silt_sqrtf(u * u + v * v) * silt_maxf(depth, job.shallow) * job.metre_seconds;
        job.wetness[i] += depth > 0.001f ? job.seconds : 0.0f;
    }
}

void silt_pipes_remember(const Pipes *pipes, const PipesBand *band, int row)
{
    int k = ring(row);
    RememberJob job = {.water = silt_pipes_row(pipes, band, WATER, row),
                       .east_speed = band->rows.east_speed[k],
                       .south_speed = band->rows.south_speed[k],
                       .flow = silt_field_row(&pipes->flow, row),
                       .wetness = silt_field_row(&pipes->wetness, row),
                       .grain = (float)pipes->grain,
                       .shallow = pipes->shallow,
                       .seconds = pipes->sampled,
                       .metre_seconds = pipes->sampled * (float)pipes->terrain->cell};
    remember_row(&job, pipes->terrain->width);
}
