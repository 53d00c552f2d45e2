// One step of the pipe model in one pass over the rows. When row r comes in, every phase works on the newest
// row that has what it needs: fluxes on r, their limits on r - 1, water, erosion and transport on r - 2. What
// lies between waits in rings of four rows, so each cell is read and written once a step.
//
// All phases go over a row together, a stretch at a time, so that what one leaves the next still finds in the
// nearest cache. A phase that looks at the cell to the east stays a few columns behind what it looks at.
#include "erode/pipes_rows.h"

// ---- rows that the next round will need ----

// The first loop that reads a field waits for memory. So the loops that compute most ask for the rows of the
// next round while they work.
enum { MAPS_AHEAD = 8, AHEAD = 10 };

typedef struct Ahead {
    const float *row[AHEAD]; // NULL: none
} Ahead;

// When row r comes in, the next round takes in r + 1 and changes r - 1. `far`: the fields are in memory, and
// not what the step before has just left in a cache. The maps always are.
static Ahead rows_ahead(const Pipes *pipes, const PipesBand *band, int row, bool far)
{
    static const struct {
        int field, rows;
    } needs[AHEAD] = {{GROUND, 1},    {WATER, 1},    {AROUND, 1}, {FLUX_0, 1}, {FLUX_1, 0},
                      {SEDIMENT, -1}, {DEPOSIT, -1}, {WEAR, -1},  {FLOW, -1},  {WETNESS, -1}};
    Ahead ahead = {{0}};
    for (int n = far ? 0 : MAPS_AHEAD; n < (pipes->sampled > 0.0f ? AHEAD : MAPS_AHEAD); n++) {
        int j = row + needs[n].rows;
        bool seen = on_map(pipes, j) && j >= band->first - HALO && j < band->last + HALO;
        bool asked = n < MAPS_AHEAD ? seen : owns(band, j);
        if (asked)
            ahead.row[n] = silt_pipes_row(pipes, band, needs[n].field, j);
    }
    return ahead;
}

static void fetch(const Ahead *ahead, int first, int count, Span span)
{
    enum { LINE = 16 };
    for (int n = first; n < first + count; n++)
        for (int i = span.begin; ahead->row[n] && i < span.end; i += LINE)
            SILT_FETCH(ahead->row[n] + i);
}

// ---- all phases of a step, on the rows they have come to ----

typedef struct Round {
    AddJob add;
    FluxJob flux[PAIR];
    ShareJob share;
    ScaleJob scale[PAIR];
    ChangeJob change;
    CarryJob carry;
    Ahead ahead;
    bool far; // the rows to come are in memory, not yet in a cache
} Round;

static void begin_round(const Pipes *pipes, PipesBand *band, int row, Round *round)
{
    silt_pipes_begin_change(pipes, band, row - 2, &round->change);
    round->carry = silt_pipes_begin_carry(pipes, band, row - 3);
    round->add = silt_pipes_begin_add(pipes, band, row);
    round->share = silt_pipes_begin_share(pipes, band, row - 1);
    for (int d = 0; d < pipes->directions / PAIR; d++) {
        round->flux[d] = silt_pipes_begin_flux(pipes, band, row, d);
        round->scale[d] = silt_pipes_begin_scale(pipes, band, row - 1, d);
    }
    round->ahead = rows_ahead(pipes, band, row, round->far);
}

// The columns of a stretch for a phase that stays `behind` others.
static Span span_behind(Span stretch, int behind, int width)
{
    enum { COLUMNS = 16 };
    int begin = stretch.begin - behind * COLUMNS, end = stretch.end - behind * COLUMNS;
    return (Span){begin > 0 ? begin : 0, stretch.end == width ? width : end > 0 ? end : 0};
}

static void do_stretch(const Pipes *pipes, Round *round, Span stretch)
{
    int width = pipes->terrain->width, directions = pipes->directions;
    bool eight = directions == 4;
    Span flux = span_behind(stretch, 1, width), change = span_behind(stretch, 2, width);
    Span carry = span_behind(stretch, 3, width);
    silt_pipes_add_water(&round->add, stretch); // eq. 1
    fetch(&round->ahead, 0, 1, stretch);
    for (int d = 0; d < directions / PAIR; d++)
        silt_pipes_update_flux(&round->flux[d], flux); // eq. 2-3
    fetch(&round->ahead, 1, 2, stretch);
    silt_pipes_limit_outflow(&round->share, flux, eight); // eq. 4
    fetch(&round->ahead, 3, 1, stretch);
    for (int d = 0; d < directions / PAIR; d++)
        silt_pipes_scale_flux(&round->scale[d], change, round->share.tight); // eq. 5
    fetch(&round->ahead, 4, 1, stretch);
    silt_pipes_change_cells(&round->change, change, eight); // eq. 6-12 and 15
    fetch(&round->ahead, 5, 1, stretch);
    silt_pipes_carry_cells(&round->carry, carry, eight); // eq. 13
    fetch(&round->ahead, 6, 4, stretch);
}

static void end_round(const Pipes *pipes, PipesBand *band, int row, const Round *round)
{
    PipesTally *tally = &band->tally;
    band->rows.walled[ring(row)] = round->add.walled;
    band->rows.tight[ring(row - 1) & 1] = round->share.tight;
    silt_pipes_leave(pipes, band, row - 1);
    silt_pipes_finish_row(pipes, band, row - 3);
    if (owns(band, row)) {
        tally->added += round->add.added;
        tally->evaporated += round->add.evaporated;
    }
    for (int d = 0; d < pipes->directions; d++) {
        const FluxJob *flux = &round->flux[d / PAIR];
        int from = d == EAST ? row : row - 1;
        tally->swift += owns(band, from) ? flux->swift[d % PAIR] : 0;
        band->rows.slides[ring(from)][d] = flux->any_slid[d % PAIR] != 0;
    }
    tally->limited += owns(band, row - 1) ? round->share.limited : 0;
    if (owns(band, row - 2)) {
        tally->evaporated += round->change.evaporated;
        tally->sediment_left += round->change.lost;
        tally->deepest = silt_maxi(tally->deepest, round->change.deepest);
        tally->swiftest = silt_maxi(tally->swiftest, round->change.swiftest);
    }
}

static void begin_pass(const Pipes *pipes, PipesBand *band, bool far, Round *round)
{
    band->tally = (PipesTally){0};
    *round = (Round){.change = silt_pipes_prepare_change(pipes, band), .far = far};
    silt_pipes_wall_row(pipes, &band->rows, band->first - HALO - 1);
}

static void do_round(const Pipes *pipes, PipesBand *band, int row, Round *round)
{
    enum { STRETCH = 512 };
    int width = pipes->terrain->width;
    begin_round(pipes, band, row, round);
    for (int begin = 0; begin < width; begin += STRETCH)
        do_stretch(pipes, round, (Span){begin, silt_mini(begin + STRETCH, width)});
    end_round(pipes, band, row, round);
}

void silt_pipes_pass(const Pipes *pipes, PipesBand *band)
{
    Round round;
    begin_pass(pipes, band, true, &round);
    for (int row = band->first - HALO; row < band->last + HALO; row++)
        do_round(pipes, band, row, &round);
}

// The first step has brought row r - HALO to its end when row r has come in.
void silt_pipes_pass_twice(const Pipes *pipes, PipesBand *band, const Pipes *next, PipesBand *after)
{
    Round round, next_round;
    begin_pass(pipes, band, true, &round);
    begin_pass(next, after, false, &next_round);
    for (int row = band->first - HALO; row < band->last + HALO; row++) {
        do_round(pipes, band, row, &round);
        if (row - HALO >= after->first - HALO)
            do_round(next, after, row - HALO, &next_round);
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

enum { SINGLE_ROWS = 12, RING_ROWS = 10 };

size_t silt_pipes_rows_bytes(int width, int directions)
{
    return row_bytes(width) * (size_t)(SINGLE_ROWS + directions + RING * (RING_ROWS + 2 * directions));
}

// What is read only in the row it was written in and in the next needs two rows, not four: the fewer rows are
// in flight, the wider a map may be before they no longer fit the cache.
static void share_rows(PipesRows *rows, int k)
{
    rows->share[k] = rows->share[k - 2];
    rows->east_speed[k] = rows->east_speed[k - 2];
    rows->south_speed[k] = rows->south_speed[k - 2];
}

void silt_pipes_rows_place(PipesRows *rows, int width, int directions, bool traced, char *block)
{
    Layout layout = {block, row_bytes(width)};
    rows->tight[0] = rows->tight[1] = true; // they are not ones yet
    rows->buffer = place(&layout);
    rows->sink = place(&layout);
    rows->heights = place(&layout);
    rows->loss = place(&layout);
    rows->zero = place(&layout);
    rows->erodibility = place(&layout);
    rows->speed_square = place(&layout);
    rows->depth = place(&layout);
    rows->digs_for = place(&layout);
    rows->holds = place(&layout);
    rows->room = place(&layout);
    rows->heap = place(&layout);
    for (int d = 0; d < directions; d++)
        rows->outside[d] = place(&layout);
    for (int k = 0; k < RING; k++) {
        int32_t **whole[] = {&rows->ground[k], &rows->water[k], &rows->muddy[k], &rows->edge_grains[k]};
        float **real[] = {&rows->around[k], &rows->share[k],      &rows->edge[k],
                          &rows->load[k],   &rows->east_speed[k], &rows->south_speed[k]};
        for (size_t n = 0; n < sizeof whole / sizeof whole[0]; n++)
            *whole[n] = place(&layout);
        for (size_t n = 0; n < sizeof real / sizeof real[0]; n++)
            *real[n] = place(&layout);
        for (int d = 0; d < directions; d++) {
            rows->grains[k][d] = place(&layout);
            rows->slid[k][d] = place(&layout);
        }
        if (k >= 2)
            share_rows(rows, k);
        rows->muddy[k] = traced ? rows->muddy[k] : rows->muddy[k & 1];
    }
}
