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
        int32_t net = net_outflow(job->grains, i, eight) + job->edge_grains[i];
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
        int32_t net = net_outflow(job.grains, i, eight) + (border ? job.edge_grains[i] : 0);
        int32_t water = job.water[i] - net; // eq. 6-7
        float after = (float)water, depth = (float)job.water[i] + after;
        float dries = silt_minf(after * job.loss, job.most_dried);
        int32_t dried = silt_mini((int32_t)(dries + job.loss_dither), water);
        job.water_out[i] = water - dried;
        float per_depth = job.per_width / silt_maxf(depth, job.shallow); // eq. 9
        Passing passing = passing_cell(job.flux, i, border && i == 0, border && i == job.width - 1, eight);
        float speed = silt_pipe_speed_square(passing.x, passing.y, per_depth, job.fastest_square);
        job.depth[i - job.from] = depth;
        job.speed_square[i - job.from] = speed;
        deepest = silt_maxi(deepest, water);
        swiftest = silt_maxi(swiftest, bits_of(speed));
        evaporated += dried;
        most_dried = silt_maxi(most_dried, dried);
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
        int32_t water = job->water_out[i];
        int32_t dried = silt_mini(silt_grains((float)water * job->losses[i], job->loss_dither), water);
        job->water_out[i] = water - dried;
        job->evaporated += dried;
    }
}

// A wall is like the cell beside it: as high, and with water that could carry as much. At both ends of a row
// that is what lies in its pads.
SILT_INLINE int32_t ground_beside(int32_t ground, int32_t here, bool walled)
{
    return walled && ground == SILT_GRAINS_WALL ? here : ground;
}

SILT_INLINE float around_cell(const ChangeJob *job, int i, bool walled)
{
    float here = job->around[i], east = job->around[i + 1], west = job->around[i - 1];
    float north = job->around_north[i], south = job->around_south[i];
    if (walled) {
        east = silt_pipe_beside(job->ground[i + 1], east, here);
        west = silt_pipe_beside(job->ground[i - 1], west, here);
        north = silt_pipe_beside(job->north[i], north, here);
        south = silt_pipe_beside(job->south[i], south, here);
    }
    return (east + west) + (south + north);
}

// What water can carry (eq. 10), here and evened out, and how much may be dug and heaped.
SILT_INLINE void weigh_cells(const ChangeJob *shared, Span span, bool walled)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t east = ground_beside(job.ground[i + 1], job.ground[i], walled);
        int32_t west = ground_beside(job.ground[i - 1], job.ground[i], walled);
        int32_t south = ground_beside(job.south[i], job.ground[i], walled);
        int32_t north = ground_beside(job.north[i], job.ground[i], walled);
        job.room[i - job.from] = silt_grains_to_dig(job.ground_out[i], east, west, south, north);
        int32_t heap = silt_grains_to_heap(job.ground_out[i], east, west, south, north, job.fan);
        float depth = job.depth[i - job.from];
        job.heap[i - job.from] = silt_mini(heap, silt_pipe_to_bury(depth, job.buried, job.buried_deep));
        float rise_x = (float)(east - west), rise_y = (float)(south - north); // over two cells
        float slope = (rise_x * rise_x + rise_y * rise_y) * job.slope_square;
        float vigour = silt_pipe_vigour(slope, job.least_square, job.speed_square[i - job.from]);
        float could = silt_pipe_capacity(job.capacity, vigour, depth, job.per_film, job.densest, job.one);
        float even = silt_pipe_even(job.around[i], could, around_cell(&job, i, walled), job.evening);
        job.around_out[i] = even;
        float digs_for = silt_pipe_digs_for(even, job.densest, depth);
        job.digs_for[i - job.from] = digs_for;
        job.holds[i - job.from] = silt_maxf(digs_for, could);
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
        int32_t sediment = job.sediment[i], deposit = job.deposit[i];
        SiltExchange change = silt_pipe_exchange(
            job.digs_for[i - job.from], job.holds[i - job.from], sediment, deposit, job.room[i - job.from],
            job.heap[i - job.from], plain ? 1.0f : job.erodibility[i], plain, job.rates);
        int32_t muddy = sediment - change.ground;
        float spare = silt_pipe_spare((float)muddy, job.stay, job.rates.none);
        job.load[i] = silt_minf(spare, job.most_load) / silt_maxf((float)job.water[i], job.one);
        job.ground_out[i] += change.ground;
        job.deposit[i] = deposit + change.deposit;
        job.wear[i] = silt_grains_worn(job.wear[i], change.wear);
        job.muddy[i] = muddy;
        heaviest = silt_maxi(heaviest, muddy);
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

// Banks give way: loose deposit goes first, and what has slid lies loose.
SILT_INLINE void slide_cells(CellGrains g, int32_t *ground, int32_t *deposit, int32_t *wear, Span span,
                             bool eight)
{
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t net = net_outflow(g, i, eight), out = all_outflow(g, i, eight);
        ground[i] -= net;
        deposit[i] = silt_maxi(deposit[i] - out, 0) + (out - net);
        wear[i] = silt_grains_worn(wear[i], out);
    }
}

SILT_CLONES static void slide_four(const ChangeJob *job, Span span)
{
    slide_cells(job->slid, job->ground_out, job->deposit, job->wear, span, false);
}

SILT_CLONES static void slide_eight(const ChangeJob *job, Span span)
{
    slide_cells(job->slid, job->ground_out, job->deposit, job->wear, span, true);
}

// ---- what the maps remember ----

SILT_CLONES static void remember(const ChangeJob *shared, Span span)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        float depth = (float)job.water_out[i] * job.grain;
        job.flow[i] += silt_sqrtf(job.speed_square[i - job.from]) * silt_maxf(depth, job.shallow_metres) *
                       job.metre_seconds;
        job.wetness[i] += depth > 0.001f ? job.seconds : 0.0f;
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
                       .slope_square = (float)(0.25 * grain * grain / (cell * cell)),
                       .least_square = pipes->least_tilt * pipes->least_tilt,
                       .per_width = (float)(1.0 / (cell * grain)),
                       .shallow = (float)(2.0 * (double)pipes->shallow / grain),
                       .fastest_square = (float)(pipes->fastest * pipes->fastest),
                       .one = 1.0f,
                       .per_film = (float)(0.5 * grain / pipes->params->film),
                       .capacity = (float)((double)pipes->capacity / grain),
                       .densest = 0.5f * pipes->densest,
                       .buried = (float)fmin((double)pipes->buried / grain, 5e8),
                       .buried_deep = 0.5f * pipes->buried_deep,
                       .evening = pipes->evening,
                       .stay = SILT_PIPE_STAY(pipes->directions * 2),
                       .most_load = SILT_GRAINS_MOVE,
                       .most_dried = 1e9f,
                       .loss = by_altitude ? 0.0f : pipes->supply.loss,
                       .loss_dither = pipes->loss_dither,
                       .rates = pipes->rates,
                       .fan = pipes->fan,
                       .grain = (float)grain,
                       .shallow_metres = pipes->shallow,
                       .seconds = pipes->sampled,
                       .metre_seconds = pipes->sampled * (float)cell};
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
    job->flux = silt_pipes_fluxes(pipes, band, row);
    job->grains = silt_pipes_grains(rows->grains, row);
    job->slid = silt_pipes_grains(rows->slid, row);
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
