// What a step does to a cell once the fluxes are known: depth and velocity, erosion and deposition, banks,
// evaporation (Mei eq. 6-12 and 15), and what the maps remember.
#include <math.h>

#include "erode/pipes_rows.h"

// Floats above zero compare as their bits do, and the maximum of whole numbers needs no order.
SILT_INLINE int32_t bits_of(float value)
{
    union {
        float value;
        int32_t bits;
    } both = {value};
    return both.bits;
}

// What has dried up, where 32 bits may not hold the sum of a span.
static int64_t count_dried(const ChangeJob *job, Span span, bool eight)
{
    int64_t dried = 0;
    for (int i = span.begin; i < span.end; i++) {
        int32_t net = silt_pipes_net(grains_at(job->grains, i, eight), eight) + job->edge_grains[i];
        dried += job->water[i] - net - job->water_out[i];
    }
    return dried;
}

// A span goes through three loops, because in one every cell would wait for the divisions and the root of the
// cells before: each loop has something to divide while it adds, and is short enough that several of its
// cells are under way at a time. Walls are rare: the loop that asks for them is there with them and without.

// Depth and velocity (eq. 6-9), and what dries up (eq. 15).
SILT_INLINE void move_cells(ChangeJob *shared, Span span, bool eight, bool border)
{
    ChangeJob job = *shared;
    int32_t deepest = shared->deepest, swiftest = shared->swiftest, evaporated = 0, most_dried = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t net = silt_pipes_net(grains_at(job.grains, i, eight), eight);
        SiltPipesFluxes flux = fluxes_at(job.flux, i, border && i == 0, border && i == job.width - 1, eight);
        SiltPipesMoved moved = silt_pipes_move(job.water[i], border ? net + job.edge_grains[i] : net,
                                               silt_pipes_passing(flux, eight), job.motion);
        job.water_out[i] = moved.water - moved.dried;
        job.depth[i - job.from] = moved.depth;
        job.speed_square[i - job.from] = moved.speed_square;
        deepest = silt_maxi(deepest, moved.water);
        swiftest = silt_maxi(swiftest, bits_of(moved.speed_square));
        evaporated += moved.dried;
        most_dried = silt_maxi(most_dried, moved.dried);
    }
    shared->deepest = deepest;
    shared->swiftest = swiftest;
    bool counted = most_dried <= INT32_MAX / (span.end - span.begin);
    shared->evaporated += counted ? evaporated : count_dried(shared, span, eight);
}

SILT_CLONES static void move_four(ChangeJob *job, Span span)
{
    if (job->border)
        move_cells(job, span, false, true);
    else
        move_cells(job, span, false, false);
}

SILT_CLONES static void move_eight(ChangeJob *job, Span span)
{
    if (job->border)
        move_cells(job, span, true, true);
    else
        move_cells(job, span, true, false);
}

static void move_span(ChangeJob *job, Span span, bool border, bool eight)
{
    job->border = border;
    if (span.begin < span.end && eight)
        move_eight(job, span);
    else if (span.begin < span.end)
        move_four(job, span);
}

// Water leaves over borders: from all cells of the first row and the last, of others from the two at the
// ends.
static void move(ChangeJob *job, Span span, bool eight)
{
    enum { ENDS = 16 };
    int first = job->border_row ? job->width : silt_mini(ENDS, job->width);
    int last = silt_maxi((job->width - 1) / ENDS * ENDS, first);
    move_span(job, (Span){span.begin, silt_mini(span.end, first)}, true, eight);
    move_span(job, (Span){silt_maxi(span.begin, first), silt_mini(span.end, last)}, false, eight);
    move_span(job, (Span){silt_maxi(span.begin, last), span.end}, true, eight);
}

// What dries up by altitude, cell by cell.
static void dry_cells(ChangeJob *job, Span span)
{
    for (int i = span.begin; i < span.end; i++) {
        int32_t dried = silt_pipes_dry(job->water_out[i], job->losses[i], job->motion.loss_dither);
        job->water_out[i] -= dried;
        job->evaporated += dried;
    }
}

// What water can carry (eq. 10), here and evened out, and how much may be dug and heaped. At both ends of a
// row its pads hold what its last cells do.
SILT_INLINE void weigh_cells(const ChangeJob *shared, Span span, bool walled)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int k = i - job.from;
        SiltPipesGround ground = {job.ground[i], job.ground[i + 1], job.ground[i - 1], job.south[i],
                                  job.north[i]};
        SiltPipesAround around = {job.around[i], job.around[i + 1], job.around[i - 1], job.around_south[i],
                                  job.around_north[i]};
        SiltPipesWeighed weighed = silt_pipes_weigh(ground, job.ground_out[i], around, job.depth[k],
                                                    job.speed_square[k], job.carrying, walled);
        job.room[k] = weighed.room;
        job.heap[k] = weighed.heap;
        job.around_out[i] = weighed.even;
        job.digs_for[k] = weighed.digs_for;
        job.holds[k] = weighed.holds;
    }
}

SILT_CLONES static void weigh(const ChangeJob *job, Span span)
{
    if (job->walled)
        weigh_cells(job, span, true);
    else
        weigh_cells(job, span, false);
}

// Erosion and deposition (eq. 11-12), and what the pipes will carry off. Returns the heaviest load.
SILT_INLINE int32_t exchange_cells(const ChangeJob *shared, Span span, bool plain)
{
    ChangeJob job = *shared;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int k = i - job.from;
        SiltPipesWeighed weighed = {
            .room = job.room[k], .heap = job.heap[k], .digs_for = job.digs_for[k], .holds = job.holds[k]};
        SiltPipesRock rock = {job.ground_out[i], job.deposit[i], job.wear[i]};
        SiltPipesExchanged after = silt_pipes_exchange(rock, job.sediment[i], job.water[i], weighed,
                                                       plain ? 1.0f : job.erodibility[i], plain, job.rates,
                                                       job.stay, job.most_load, job.carrying.one);
        job.load[i] = after.load;
        job.ground_out[i] = after.rock.ground;
        job.deposit[i] = after.rock.deposit;
        job.wear[i] = after.rock.wear;
        job.muddy[i] = after.muddy;
        heaviest = silt_maxi(heaviest, after.muddy);
    }
    return heaviest;
}

SILT_CLONES static int32_t exchange_plain(const ChangeJob *job, Span span)
{
    return exchange_cells(job, span, true);
}

SILT_CLONES static int32_t exchange_rock(const ChangeJob *job, Span span)
{
    return exchange_cells(job, span, false);
}

// ---- banks ----

SILT_INLINE void slide_cells(const ChangeJob *shared, Span span, bool eight)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesRock rock = {job.ground_out[i], job.deposit[i], job.wear[i]};
        rock = silt_pipes_give_way(rock, grains_at(job.slid, i, eight), eight);
        job.ground_out[i] = rock.ground;
        job.deposit[i] = rock.deposit;
        job.wear[i] = rock.wear;
    }
}

SILT_CLONES static void slide_four(const ChangeJob *job, Span span)
{
    slide_cells(job, span, false);
}

SILT_CLONES static void slide_eight(const ChangeJob *job, Span span)
{
    slide_cells(job, span, true);
}

// ---- what the maps remember ----

SILT_CLONES static void remember(const ChangeJob *shared, Span span)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        job.flow[i] += silt_pipes_flowed(job.water_out[i], job.speed_square[i - job.from], job.memory);
        job.wetness[i] += silt_pipes_soaked(job.water_out[i], job.memory);
    }
}

// ---- a span of a row ----

void silt_pipes_change_cells(ChangeJob *job, Span span, bool eight)
{
    if (!job->ground || span.begin >= span.end)
        return;
    job->from = span.begin;
    if (job->banks && eight)
        slide_eight(job, span);
    else if (job->banks)
        slide_four(job, span);
    move(job, span, eight);
    if (job->losses)
        dry_cells(job, span);
    weigh(job, span);
    int32_t heaviest = job->erodibility ? exchange_rock(job, span) : exchange_plain(job, span);
    if (heaviest > SILT_GRAINS_LOAD)
        job->lost += silt_wet_relieve(job->ground_out, job->deposit, job->muddy, span.begin, span.end);
    if (job->flow)
        remember(job, span);
}

// ---- the beginning of a row ----

// Sediment that sources bring.
static void add_sediment(const Pipes *pipes, PipesBand *band, int row, int32_t *sediment)
{
    const float *supply = silt_supply_sediment_row(&pipes->supply, row, band->rows.sink);
    for (int i = 0; supply && i < pipes->terrain->width; i++) {
        int32_t more = silt_pipes_silted(band->rows.ground[ring(row)][i],
                                         supply[i] * (float)(1.0 / pipes->grain), pipes->rain_dither);
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

// What evaporates by altitude goes by the ground before the step; NULL: the same share everywhere.
static const float *loss_row(const Pipes *pipes, PipesRows *rows, int row)
{
    if (pipes->params->evaporation_kind != SILT_EVAPORATION_ALTITUDE)
        return NULL;
    silt_pipes_heights_row(pipes, rows->ground[ring(row)], rows->heights);
    silt_supply_loss_row(&pipes->supply, rows->heights, pipes->terrain->width, rows->loss);
    return rows->loss;
}

ChangeJob silt_pipes_prepare_change(const Pipes *pipes, PipesBand *band)
{
    const PipesRows *rows = &band->rows;
    double grain = pipes->grain, cell = pipes->terrain->cell;
    bool by_altitude = pipes->params->evaporation_kind == SILT_EVAPORATION_ALTITUDE;
    return (ChangeJob){.width = pipes->terrain->width,
                       .depth = rows->depth,
                       .speed_square = rows->speed_square,
                       .digs_for = rows->digs_for,
                       .holds = rows->holds,
                       .room = rows->room,
                       .heap = rows->heap,
                       .motion = {.per_width = (float)(1.0 / (cell * grain)),
                                  .shallow = (float)(2.0 * (double)pipes->shallow / grain),
                                  .fastest_square = (float)(pipes->fastest * pipes->fastest),
                                  .loss = by_altitude ? 0.0f : pipes->supply.loss,
                                  .most_dried = 1e9f,
                                  .loss_dither = pipes->loss_dither},
                       .carrying = {.slope_square = (float)(0.25 * grain * grain / (cell * cell)),
                                    .least_square = pipes->least_tilt * pipes->least_tilt,
                                    .per_film = (float)(0.5 * grain / pipes->params->film),
                                    .capacity = (float)((double)pipes->capacity / grain),
                                    .densest = 0.5f * pipes->densest,
                                    .one = 1.0f,
                                    .buried = (float)fmin((double)pipes->buried / grain, 5e8),
                                    .buried_deep = 0.5f * pipes->buried_deep,
                                    .evening = pipes->evening,
                                    .fan = pipes->fan},
                       .rates = pipes->rates,
                       .stay = SILT_PIPES_STAY(pipes->directions * 2),
                       .most_load = SILT_GRAINS_MOVE,
                       .memory = {.grain = (float)grain,
                                  .shallow = pipes->shallow,
                                  .seconds = pipes->sampled,
                                  .metre_seconds = pipes->sampled * (float)cell}};
}

// Whether rock slides along a pipe that starts in the row.
static bool any_slides(const PipesRows *rows, int k)
{
    const bool *slides = rows->slides[k];
    return slides[EAST] || slides[SOUTH] || slides[SOUTH_EAST] || slides[SOUTH_WEST];
}

void silt_pipes_begin_change(const Pipes *pipes, PipesBand *band, int row, ChangeJob *job)
{
    PipesRows *rows = &band->rows;
    int k = ring(row), above = ring(row - 1), below = ring(row + 1);
    job->ground = NULL;
    job->evaporated = job->lost = job->deepest = job->swiftest = 0;
    if (!on_map(pipes, row) || row < band->first - 1)
        return;
    int last = pipes->terrain->width - 1;
    rows->ground[k][-1] = rows->ground[k][0];
    rows->ground[k][last + 1] = rows->ground[k][last];
    rows->around[k][-1] = rows->around[k][0];
    rows->around[k][last + 1] = rows->around[k][last];
    int32_t *sediment = silt_pipes_row(pipes, band, SEDIMENT, row);
    add_sediment(pipes, band, row, sediment);
    bool remembers = pipes->sampled > 0.0f && owns(band, row);
    job->ground = rows->ground[k];
    job->north = rows->ground[above];
    job->south = rows->ground[below];
    job->water = rows->water[k];
    job->edge_grains = rows->edge_grains[k];
    job->border_row = silt_pipes_edge_stride(pipes, row) == 1;
    job->sediment = sediment;
    job->losses = loss_row(pipes, rows, row);
    job->erodibility = rock_row(pipes, rows, row);
    job->around = rows->around[k];
    job->around_north = rows->around[above];
    job->around_south = rows->around[below];
    job->flux = silt_pipes_flux_rows(pipes, band, row);
    job->grains = silt_pipes_grain_rows(rows->grains, row);
    job->slid = silt_pipes_grain_rows(rows->slid, row);
    job->banks = pipes->banks && (any_slides(rows, k) || any_slides(rows, above));
    job->muddy = rows->muddy[k];
    job->load = rows->load[k];
    job->around_out = silt_pipes_row(pipes, band, AROUND, row);
    job->flow = remembers ? silt_field_row(&pipes->flow, row) : NULL;
    job->wetness = remembers ? silt_field_row(&pipes->wetness, row) : NULL;
    job->ground_out = silt_pipes_row(pipes, band, GROUND, row);
    job->water_out = silt_pipes_row(pipes, band, WATER, row);
    job->deposit = silt_pipes_row(pipes, band, DEPOSIT, row);
    job->wear = silt_pipes_row(pipes, band, WEAR, row);
    job->walled = rows->walled[k] || rows->walled[above] || rows->walled[below];
}
