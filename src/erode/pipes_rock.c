// What a step does to a cell once the fluxes are known: depth and velocity, erosion and deposition, banks,
// evaporation (Mei eq. 6-12 and 15), and what the maps remember. Row code for the processor and for devices
// (grid/rows.h).
#include "erode/pipes_phases.h"
#include "erode/shallow_rows.h"

// What one loop over a piece of a row leaves for the next. Rows that lie at fixed distances need one register
// where rows of their own would each need one.
#ifdef __OPENCL_C_VERSION__
enum { PIECE = 1 };
#define PLACE(k) 0
#else
enum { PIECE = 576 };
#define PLACE(k) (k)
#endif

struct Between {
    float depth[PIECE], speed_square[PIECE]; // twice the grains of water; (m/s)^2
    float digs_for[PIECE], holds[PIECE]; // grains of rock: what water digs for, and beyond which it lets fall
    int32_t room[PIECE], heap[PIECE];    // grains that may be dug and heaped
};

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
static int64_t count_dried(const ChangeJob *job, SiltSpan span, bool eight)
{
    int64_t dried = 0;
    for (int i = span.begin; i < span.end; i++) {
        int32_t net = silt_pipes_net(grains_at(job->grains, i, eight), eight) + job->edge_grains[i];
        dried += job->water[i] - net - job->water_out[i];
    }
    return dried;
}

// Cells whose speed is at its bound.
static int64_t count_swift(const ChangeJob *job, SiltSpan span)
{
    int64_t swift = 0;
    for (int i = span.begin; i < span.end; i++)
        swift += job->between->speed_square[PLACE(i - job->from)] >= job->motion.fastest_square;
    return swift;
}

// A piece of a row goes through three loops, because in one every cell would wait for the divisions and the
// root of the cells before: each loop has something to divide while it adds, and is short enough that several
// of its cells are under way at a time. Walls are rare: the loop that asks for them is there with them and
// without.

// Depth and velocity (eq. 6-9), and what dries up (eq. 15).
SILT_INLINE void move_cells(ChangeJob *shared, SiltSpan span, bool eight, bool border)
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
        job.between->depth[PLACE(i - job.from)] = moved.depth;
        job.between->speed_square[PLACE(i - job.from)] = moved.speed_square;
        deepest = silt_maxi(deepest, moved.water);
        swiftest = silt_maxi(swiftest, bits_of(moved.speed_square));
        evaporated += moved.dried;
        most_dried = silt_maxi(most_dried, moved.dried);
    }
    shared->deepest = deepest;
    shared->swiftest = swiftest;
    if (swiftest >= bits_of(job.motion.fastest_square)) // rare
        shared->swift += count_swift(shared, span);
    bool counted = most_dried <= INT32_MAX / (span.end - span.begin);
    shared->evaporated += counted ? evaporated : count_dried(shared, span, eight);
}

SILT_CLONES static void move_four(ChangeJob *job, SiltSpan span)
{
    if (job->border)
        move_cells(job, span, false, true);
    else
        move_cells(job, span, false, false);
}

SILT_CLONES static void move_eight(ChangeJob *job, SiltSpan span)
{
    if (job->border)
        move_cells(job, span, true, true);
    else
        move_cells(job, span, true, false);
}

static void move_part(ChangeJob *job, int begin, int end, bool border)
{
    job->border = border;
    if (begin < end && job->eight)
        move_eight(job, silt_span(begin, end, true));
    else if (begin < end)
        move_four(job, silt_span(begin, end, true));
}

// Water leaves over borders: from all cells of the first row and the last, of others from the two at the
// ends.
static void move(ChangeJob *job, SiltSpan span)
{
#ifdef __OPENCL_C_VERSION__
    move_part(job, span.begin, span.end, job->border_row || span.begin == 0 || span.end == job->width);
#else
    enum { ENDS = 16 };
    int first = job->border_row ? job->width : silt_mini(ENDS, job->width);
    int last = silt_maxi((job->width - 1) / ENDS * ENDS, first);
    move_part(job, span.begin, silt_mini(span.end, first), true);
    move_part(job, silt_maxi(span.begin, first), silt_mini(span.end, last), false);
    move_part(job, silt_maxi(span.begin, last), span.end, true);
#endif
}

// What dries up by altitude, cell by cell.
static void dry_cells(ChangeJob *job, SiltSpan span)
{
    for (int i = span.begin; i < span.end; i++) {
        int32_t dried = silt_pipes_dry(job->water_out[i], job->losses[i], job->motion.loss_dither);
        job->water_out[i] -= dried;
        job->evaporated += dried;
    }
}

// What water can carry (eq. 10), here and evened out, and how much may be dug and heaped. At both ends of a
// row its pads hold what its last cells do.
SILT_INLINE void weigh_cells(const ChangeJob *shared, SiltSpan span, bool walled, bool free)
{
    ChangeJob job = *shared;
    Between *between = job.between;
    SILT_INDEPENDENT
    for (int k = 0; k < span.end - span.begin; k++) {
        int i = span.begin + k;
        SiltPipesGround ground = {job.ground[i], job.ground[i + 1], job.ground[i - 1], job.south[i],
                                  job.north[i]};
        SiltAround around = {job.around[i], job.around[i + 1], job.around[i - 1], job.around_south[i],
                             job.around_north[i]};
        SiltPipesGround beside = walled ? silt_pipes_ground_walled(ground) : ground;
        int32_t room = silt_grains_to_dig(job.ground_out[i], beside.east, beside.west, beside.south,
                                          beside.north, between->speed_square[PLACE(k)], job.carrying.dig);
        between->room[PLACE(k)] = // stored before the rest is found, or GCC would read the ground twice
            free ? SILT_GRAINS_ALL : room;
        SiltPipesWeighed weighed =
            silt_pipes_weigh(ground, job.ground_out[i], around, between->depth[PLACE(k)],
                             between->speed_square[PLACE(k)], job.carrying, walled);
        between->heap[PLACE(k)] = weighed.heap;
        job.around_out[i] = weighed.carries.even;
        between->digs_for[PLACE(k)] = weighed.carries.digs_for;
        between->holds[PLACE(k)] = weighed.carries.holds;
    }
}

SILT_CLONES static void weigh(const ChangeJob *job, SiltSpan span)
{
    if (job->walled)
        weigh_cells(job, span, true, false);
    else
        weigh_cells(job, span, false, false);
}

// Water digs without bound, as in the paper.
SILT_CLONES static void weigh_freely(const ChangeJob *job, SiltSpan span)
{
    weigh_cells(job, span, true, true);
}

// Erosion and deposition (eq. 11-12), and what the pipes will carry off. Returns the heaviest load.
SILT_INLINE int32_t exchange_cells(const ChangeJob *shared, SiltSpan span, bool plain)
{
    ChangeJob job = *shared;
    const Between *between = job.between;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int k = 0; k < span.end - span.begin; k++) {
        int i = span.begin + k;
        SiltPipesWeighed weighed = {.room = between->room[PLACE(k)],
                                    .heap = between->heap[PLACE(k)],
                                    .carries.digs_for = between->digs_for[PLACE(k)],
                                    .carries.holds = between->holds[PLACE(k)]};
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

SILT_CLONES static int32_t exchange_plain(const ChangeJob *job, SiltSpan span)
{
    return exchange_cells(job, span, true);
}

SILT_CLONES static int32_t exchange_rock(const ChangeJob *job, SiltSpan span)
{
    return exchange_cells(job, span, false);
}

// ---- banks ----

SILT_INLINE void slide_cells(const ChangeJob *shared, SiltSpan span, bool eight)
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

SILT_CLONES static void slide_four(const ChangeJob *job, SiltSpan span)
{
    slide_cells(job, span, false);
}

SILT_CLONES static void slide_eight(const ChangeJob *job, SiltSpan span)
{
    slide_cells(job, span, true);
}

// ---- what the maps remember ----

SILT_CLONES static void remember(const ChangeJob *shared, SiltSpan span)
{
    ChangeJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        job.flow[i] +=
            silt_pipes_flowed(job.water_out[i], job.between->speed_square[PLACE(i - job.from)], job.memory);
        job.wetness[i] += silt_pipes_soaked(job.water_out[i], job.memory);
    }
}

// ---- a span of a row ----

static void change_piece(ChangeJob *job, SiltSpan span)
{
    Between between;
    job->between = &between;
    job->from = span.begin;
    if (job->banks && job->eight)
        slide_eight(job, span);
    else if (job->banks)
        slide_four(job, span);
    move(job, span);
    if (job->losses)
        dry_cells(job, span);
    if (job->carrying.dig.free)
        weigh_freely(job, span);
    else
        weigh(job, span);
    int32_t heaviest = job->erodibility ? exchange_rock(job, span) : exchange_plain(job, span);
    if (heaviest > SILT_GRAINS_LOAD)
        job->lost +=
            silt_shallow_relieve_cells(job->ground_out, job->deposit, job->muddy, span.begin, span.end);
    if (job->flow)
        remember(job, span);
}

SILT_ROW_FN void silt_pipes_change_cells(void *memory, SiltSpan span)
{
    ChangeJob *job = memory;
    int64_t evaporated = job->evaporated, lost = job->lost, swift = job->swift;
    int32_t deepest = job->deepest, swiftest = job->swiftest;
    for (int i = span.begin; i < span.end; i += PIECE)
        change_piece(job, silt_span(i, silt_mini(i + PIECE, span.end), span.counts));
    if (!span.counts) {
        job->evaporated = evaporated;
        job->lost = lost;
        job->swift = swift;
        job->deepest = deepest;
        job->swiftest = swiftest;
    }
}

// ---- the beginning and the end of a row ----

// The layer of erodibility, or NULL.
static SILT_GLOBAL const float *layer_row(const SiltBand *band, int row)
{
    SILT_STEP const PipesStep *pipes = band->step;
#ifdef __OPENCL_C_VERSION__
    return SILT_SET(pipes, has_erodibility) ? silt_band_row(band, LAYER, row) : NULL;
#else
    return SILT_SET(pipes, has_erodibility) ? silt_field_row(pipes->host->erodibility, row) : NULL;
#endif
}

// Erodibility of the rock by layer and by strata; NULL when it is the same everywhere.
static SILT_GLOBAL const float *rock_row(const SiltBand *band, int row, SILT_GLOBAL const int32_t *ground)
{
    SILT_STEP const PipesStep *pipes = band->step;
    SILT_GLOBAL const float *layer = layer_row(band, row);
    if (SILT_SET(pipes, strata.count) == 0)
        return layer;
    SILT_GLOBAL float *erodibility = silt_band_ring(band, ERODIBILITY, row);
    silt_strata_cells(band, &pipes->strata, &SILT_SET(pipes, strata), STRATA, row,
                      silt_pipes_heights_row(band, row, ground, silt_band_row(band, DEPOSIT, row)),
                      erodibility);
    for (int i = silt_band_from(band); layer && i < silt_band_to(band); i++)
        erodibility[i] *= layer[i];
    return erodibility;
}

// What evaporates by altitude goes by the ground before the step; NULL: the same share everywhere.
static SILT_GLOBAL const float *loss_row(const SiltBand *band, int row, SILT_GLOBAL const int32_t *ground)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!SILT_SET(pipes, by_altitude))
        return NULL;
    SILT_GLOBAL float *loss = silt_band_ring(band, LOSS, row);
    silt_supply_loss_cells(band, &pipes->supply, &SILT_SET(pipes, supply),
                           silt_pipes_heights_row(band, row, ground, NULL), loss);
    return loss;
}

// Beyond both ends of a row it is as at the ends.
static void pad_row(const SiltBand *band, SILT_GLOBAL int32_t *ground, SILT_GLOBAL float *around)
{
    int width = band->width;
    if (silt_band_from(band) == 0) {
        ground[-1] = ground[0];
        around[-1] = around[0];
    }
    if (silt_band_to(band) == width) {
        ground[width] = ground[width - 1];
        around[width] = around[width - 1];
    }
}

static void gather_rows(const SiltBand *band, int row, ChangeJob *job)
{
    SILT_STEP const PipesStep *pipes = band->step;
    job->ground = silt_band_ring(band, GROUND_BEFORE, row);
    job->north = silt_band_ring(band, GROUND_BEFORE, row - 1);
    job->south = silt_band_ring(band, GROUND_BEFORE, row + 1);
    job->water = silt_band_ring(band, WATER_BEFORE, row);
    job->edge_grains = silt_pipes_edge_row(band, row);
    job->sediment = silt_band_row(band, SEDIMENT, row);
    job->losses = loss_row(band, row, job->ground);
    job->erodibility = rock_row(band, row, job->ground);
    job->around = silt_band_ring(band, AROUND_BEFORE, row);
    job->around_north = silt_band_ring(band, AROUND_BEFORE, row - 1);
    job->around_south = silt_band_ring(band, AROUND_BEFORE, row + 1);
    job->flux = silt_pipes_fluxes_around(band, row);
    job->grains = silt_pipes_grains_around(band, GRAINS, row);
    job->slid = silt_pipes_grains_around(band, SLID, row);
    job->muddy = silt_band_ring(band, MUDDY, row);
    job->load = silt_band_ring(band, LOAD, row);
    job->around_out = silt_band_row(band, AROUND, row);
    job->ground_out = silt_band_row(band, GROUND, row);
    job->water_out = silt_band_row(band, WATER, row);
    job->deposit = silt_band_row(band, DEPOSIT, row);
    job->wear = silt_band_row(band, WEAR, row);
    bool remembers = SILT_SET(pipes, samples) && row >= band->begin && row < band->end;
    job->flow = remembers ? silt_band_row(band, FLOW, row) : NULL;
    job->wetness = remembers ? silt_band_row(band, WETNESS, row) : NULL;
}

// Rows beside those that are brought to their end are changed too: transport looks at them.
static bool is_changed(const SiltBand *band, int row)
{
    return silt_band_on_grid(band, row) && row >= band->first - 1 && row <= band->last;
}

SILT_ROW_FN bool silt_pipes_change_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!is_changed(band, row))
        return false;
    uint32_t marks = *silt_band_mark(band, row), above = *silt_band_mark(band, row - 1);
    pad_row(band, silt_band_ring(band, GROUND_BEFORE, row), silt_band_ring(band, AROUND_BEFORE, row));
    ChangeJob *job = memory;
    *job = (ChangeJob){.border_row = silt_pipes_edge_stride(band, row) == 1,
                       .banks = SILT_SET(pipes, banks) && (marks | above) & SLIDES,
                       .walled = (marks | above | *silt_band_mark(band, row + 1)) & WALLED,
                       .eight = silt_pipes_eight(band),
                       .width = band->width,
                       .motion = pipes->motion,
                       .carrying = pipes->carrying,
                       .rates = pipes->rates,
                       .stay = SILT_PIPES_STAY(PIPES_DIRECTIONS(pipes) * 2),
                       .most_load = SILT_GRAINS_MOVE,
                       .memory = pipes->memory};
    gather_rows(band, row, job);
    return true;
}

SILT_ROW_FN void silt_pipes_change_end(const SiltBand *band, int row, void *memory)
{
    const ChangeJob *job = memory;
    PipesTally *tally = band->tally;
    if (!silt_band_counts(band, row))
        return;
    tally->evaporated += job->evaporated;
    tally->sediment_left += job->lost;
    tally->swift += job->swift;
    tally->deepest = silt_maxi(tally->deepest, job->deepest);
    tally->swiftest = silt_maxi(tally->swiftest, job->swiftest);
}

// ---- sources bring sediment ----

SILT_ROW_FN bool silt_pipes_source_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    SILT_GLOBAL const float *supply =
        is_changed(band, row) ? silt_supply_rock_cells(band, &pipes->supply, &SILT_SET(pipes, supply), WATERS,
                                                       row, silt_band_ring(band, SEDIMENT_SUPPLY, row))
                              : NULL;
    *(SourceJob *)memory = (SourceJob){.supply = supply,
                                       .ground = silt_band_ring(band, GROUND_BEFORE, row),
                                       .sediment = supply ? silt_band_row(band, SEDIMENT, row) : NULL,
                                       .per_metre = pipes->per_metre,
                                       .dither = pipes->rain_dither};
    return supply;
}

SILT_ROW_FN void silt_pipes_source_cells(void *memory, SiltSpan span)
{
    SourceJob *job = memory;
    for (int i = span.begin; i < span.end; i++) {
        int32_t more = silt_pipes_silted(job->ground[i], job->supply[i] * job->per_metre, job->dither);
        job->sediment[i] += more;
        job->added += span.counts ? more : 0;
    }
}

SILT_ROW_FN void silt_pipes_source_end(const SiltBand *band, int row, void *memory)
{
    const SourceJob *job = memory;
    PipesTally *tally = band->tally;
    tally->sediment_added += silt_band_counts(band, row) ? job->added : 0;
}
