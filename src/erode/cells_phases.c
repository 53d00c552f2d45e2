// The phases of a step of `cells`, as in the paper: rain, and water dissolves the ground; how each cell parts
// with its water; water moves, evaporates and drops what it cannot hold. Row code for the processor and for
// devices (grid/rows.h).
#include "erode/cells_rows.h"
#ifndef __OPENCL_C_VERSION__
#include "erode/cells.h"
#endif

static void fill(const SiltBand *band, SILT_GLOBAL float *row, float value)
{
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        row[i] = value;
}

#ifdef __OPENCL_C_VERSION__
static bool keeps_rows(void)
{
    return false;
}
#else
// Whether buffers of one row keep what start_band has put there.
static bool keeps_rows(void)
{
    return true;
}

// What is the same in all rows.
static void start_band(const SiltBand *band, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
    fill(band, silt_band_row(band, ERODIBILITY, row), 1.0f);
    if (!SILT_SET(pass, supply.needs_ground))
        silt_supply_loss_cells(band, &pass->supply, &SILT_SET(pass, supply), NULL,
                               silt_band_row(band, LOSS, row));
}
#endif

// ---- the rows as they were ----

typedef struct LoadJob {
    SILT_GLOBAL const int32_t *ground, *water;
    SILT_GLOBAL int32_t *bare, *level;
} LoadJob;

static bool begin_load(const SiltBand *band, int row, void *memory)
{
    LoadJob *job = memory;
    *job = (LoadJob){.bare = silt_band_row(band, BARE, row), .level = silt_band_row(band, LEVEL, row)};
    silt_band_ends(band, job->bare, SILT_GRAINS_WALL, SILT_GRAINS_WALL);
    silt_band_ends(band, job->level, SILT_GRAINS_WALL, SILT_GRAINS_WALL);
    if (silt_band_on_grid(band, row)) {
        job->ground = silt_band_row(band, GROUND, row);
        job->water = silt_band_row(band, WATER, row);
        return true;
    }
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        job->bare[i] = job->level[i] = SILT_GRAINS_WALL;
    return false;
}

SILT_CLONES static void load_cells(void *shared, SiltSpan span)
{
    LoadJob job = *(const LoadJob *)shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        job.bare[i] = job.ground[i];
        job.level[i] = job.ground[i] + job.water[i];
    }
}

// ---- step 1: rain, and step 2: water dissolves the ground ----

typedef struct WearJob {
    SiltRows bare, level;
    SILT_GLOBAL const int32_t *water, *sediment, *deposit;
    SiltDepths rain;
    SILT_GLOBAL const float *brought, *erodibility;
    SILT_GLOBAL int32_t *ground_out, *water_out, *sediment_out, *deposit_out, *altitude, *wear;
    SILT_GLOBAL float *calm;
    SiltCellsStep step;
    float grain;
    CellsTally tally;
} WearJob;

// Outside a border that is open the land goes on as high as its edge, and dry; else there is a wall. (What
// lies outside a region that does not end with the map makes no difference to what counts.)
static void outside(const SiltBand *band, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
    SILT_GLOBAL int32_t *altitude = silt_band_row(band, ALTITUDE, row);
    bool open = row < 0 ? SILT_SET(pass, north) : SILT_SET(pass, south);
    SILT_GLOBAL const int32_t *edge = silt_band_row(band, GROUND, row < 0 ? 0 : band->height - 1);
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        altitude[i] = open ? edge[i] : SILT_GRAINS_WALL;
    silt_band_ends(band, altitude, SILT_GRAINS_WALL, SILT_GRAINS_WALL);
}

// And what lies west and east of a row.
static void close_ends(const SiltBand *band, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
    SILT_GLOBAL const int32_t *bare = silt_band_row(band, BARE, row);
    int last = band->width - 1; // a device holds no more of a row than it works on
    bool west = SILT_SET(pass, west) && silt_band_from(band) == 0,
         east = SILT_SET(pass, east) && silt_band_to(band) > last;
    silt_band_ends(band, silt_band_row(band, ALTITUDE, row), west ? bare[0] : SILT_GRAINS_WALL,
                   east ? bare[last] : SILT_GRAINS_WALL);
}

// The layer of erodibility, or NULL.
static SILT_GLOBAL const float *layer_row(const SiltBand *band, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
#ifdef __OPENCL_C_VERSION__
    return SILT_SET(pass, has_erodibility) ? silt_band_row(band, LAYER, row) : NULL;
#else
    return SILT_SET(pass, has_erodibility) ? silt_field_row(pass->cells->erodibility, row) : NULL;
#endif
}

static SILT_GLOBAL const float *erodibility_row(const SiltBand *band, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
    SILT_GLOBAL float *out = silt_band_row(band, ERODIBILITY, row),
                      *heights = silt_band_row(band, HEIGHTS, row);
    SILT_GLOBAL const float *layer = layer_row(band, row);
    SILT_GLOBAL const int32_t *ground = silt_band_row(band, BARE, row),
                              *deposit = silt_band_row(band, DEPOSIT, row);
    if (SILT_SET(pass, strata.count)) {
        for (int i = silt_band_from(band); i < silt_band_to(band); i++)
            heights[i] = pass->low + (float)(ground[i] - deposit[i]) * pass->grain;
        silt_strata_cells(band, &pass->strata, &SILT_SET(pass, strata), STRATA, row, heights, out);
    } else if (layer || !keeps_rows()) {
        fill(band, out, 1.0f);
    }
    for (int i = silt_band_from(band); layer && i < silt_band_to(band); i++)
        out[i] *= silt_maxf(layer[i], 0.0f);
    return out;
}

// The heights of a row in metres, where the supply asks for them.
static SILT_GLOBAL const float *heights_row(const SiltBand *band, int from, int to, int row)
{
    SILT_STEP const CellsPass *pass = band->step;
    SILT_GLOBAL const int32_t *ground = silt_band_row(band, from, row);
    SILT_GLOBAL float *heights = silt_band_row(band, to, row);
    for (int i = silt_band_from(band); SILT_SET(pass, supply.needs_ground) && i < silt_band_to(band); i++)
        heights[i] = pass->low + (float)ground[i] * pass->grain;
    return heights;
}

static bool begin_wear(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const CellsPass *pass = band->step;
    WearJob *job = memory;
    if (row < band->first - 2 || !silt_band_on_grid(band, row)) {
        if (row == -1 || row == band->height)
            outside(band, row);
        return false;
    }
    close_ends(band, row);
    SILT_GLOBAL const float *heights = heights_row(band, BARE, HEIGHTS, row);
    *job = (WearJob){
        .bare = silt_rows_around(band, BARE, row),
        .level = silt_rows_around(band, LEVEL, row),
        .water = silt_band_row(band, WATER, row),
        .sediment = silt_band_row(band, SEDIMENT, row),
        .deposit = silt_band_row(band, DEPOSIT, row),
        .rain = silt_supply_cells(band, &pass->supply, &SILT_SET(pass, supply), WATERS, row, heights,
                                  silt_band_row(band, RAIN, row)),
        .brought = silt_supply_rock_cells(band, &pass->supply, &SILT_SET(pass, supply), WATERS, row,
                                          silt_band_row(band, BROUGHT, row)),
        .erodibility = erodibility_row(band, row),
        .ground_out = silt_band_row(band, DUG, row),
        .water_out = silt_band_row(band, WET, row),
        .sediment_out = silt_band_row(band, LOADED, row),
        .deposit_out = silt_band_row(band, LOOSE, row),
        .altitude = silt_band_row(band, ALTITUDE, row),
        .wear = silt_band_row(band, WEAR, row),
        .calm = silt_band_row(band, CALM, row),
        .step = pass->step,
        .grain = pass->grain,
    };
    return true;
}

SILT_INLINE void rain(const WearJob *shared, SiltSpan span, CellsTally *tally)
{
    WearJob job = *shared;
    int64_t rained = 0, before = 0;
    int32_t full = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltCellsRained cell =
            silt_cells_rain(job.bare.here[i], job.water[i], silt_depth_at(job.rain, i), job.step);
        job.water_out[i] = cell.water;
        rained += cell.taken;
        before += cell.water;
        full += cell.full;
    }
    tally->rained += rained;
    tally->water_before += before;
    tally->full += full;
}

SILT_INLINE void dissolve(const WearJob *shared, SiltSpan span, CellsTally *tally)
{
    WearJob job = *shared;
    SILT_GLOBAL const int32_t *n = job.bare.north, *h = job.bare.here, *s = job.bare.south;
    SILT_GLOBAL const int32_t *ln = job.level.north, *l = job.level.here, *ls = job.level.south;
    int64_t before = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        float calm = silt_cells_calm_of(l[i], l[i - 1], l[i + 1], ln[i], ls[i], job.step);
        SiltCellsGround cell =
            silt_cells_wear(h[i], h[i - 1], h[i + 1], n[i], s[i], job.water_out[i], job.sediment[i],
                            job.deposit[i], job.erodibility[i], calm, job.step);
        job.calm[i] = calm;
        job.ground_out[i] = cell.ground;
        job.sediment_out[i] = cell.sediment;
        job.deposit_out[i] = cell.deposit;
        job.altitude[i] = cell.altitude;
        job.wear[i] = silt_cells_worn(job.wear[i], h[i], cell.ground);
        before += cell.sediment;
    }
    tally->rock_before += before;
}

// Rock that comes with the water of the sources.
static void add_sediment(const WearJob *job, SiltSpan span, CellsTally *tally)
{
    for (int i = span.begin; job->brought && i < span.end; i++) {
        int32_t grains =
            silt_cells_bring(job->bare.here[i], job->sediment_out[i], job->brought[i], job->grain, job->step);
        job->sediment_out[i] += grains;
        tally->rock_added += grains;
        tally->rock_before += grains;
    }
}

#ifdef __OPENCL_C_VERSION__
static void wear_cells(void *shared, SiltSpan span)
{
    WearJob *job = shared;
    rain(job, span, &job->tally);
    dissolve(job, span, &job->tally);
    add_sediment(job, span, &job->tally);
    if (!span.counts)
        job->tally = (CellsTally){0};
}
#else
SILT_CLONES static void wear_cells(void *shared, SiltSpan span)
{
    WearJob *job = shared;
    CellsTally nothing, *tally = span.counts ? &job->tally : &nothing;
    nothing = (CellsTally){0};
    rain(job, span, tally);
    dissolve(job, span, tally);
    add_sediment(job, span, tally);
}
#endif

static void end_wear(const SiltBand *band, int row, void *memory)
{
    const WearJob *job = memory;
    CellsTally *tally = band->tally;
    if (!silt_band_counts(band, row))
        return;
    tally->rained += job->tally.rained;
    tally->full += job->tally.full;
    tally->water_before += job->tally.water_before;
    tally->rock_before += job->tally.rock_before;
    tally->rock_added += job->tally.rock_added;
}

// ---- step 3: how each cell parts with its water and its sediment ----

typedef struct PartJob {
    SiltRows altitude;
    SILT_GLOBAL const int32_t *water, *sediment;
    SILT_GLOBAL float *share, *even, *load, *dither;
    SiltCellsStep step;
    bool eight, evenly;
} PartJob;

// What lies beyond the map gives nothing.
static void close_shares(const SiltBand *band, int row)
{
    bool edge = row == -1 || row == band->height;
    SILT_UNROLL
    for (int field = SHARE; field <= DITHER; field++)
        if (edge)
            silt_band_fill(band, field, row, 0);
        else
            silt_band_pad(band, field, row, 0);
}

static bool begin_part(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const CellsPass *pass = band->step;
    close_shares(band, row);
    *(PartJob *)memory = (PartJob){.altitude = silt_rows_around(band, ALTITUDE, row),
                                   .water = silt_band_row(band, WET, row),
                                   .sediment = silt_band_row(band, LOADED, row),
                                   .share = silt_band_row(band, SHARE, row),
                                   .even = silt_band_row(band, EVEN, row),
                                   .load = silt_band_row(band, LOAD, row),
                                   .dither = silt_band_row(band, DITHER, row),
                                   .step = pass->step,
                                   .eight = SILT_SET(pass, eight),
                                   .evenly = SILT_SET(pass, evenly)};
    return row >= band->first - 1 && silt_band_on_grid(band, row);
}

// Where all goes by the drops, what would go in equal parts is nothing, and its row has what goes to diagonal
// neighbours.
SILT_INLINE void part(const PartJob *shared, SiltSpan span, bool eight, bool evenly)
{
    PartJob job = *shared;
    SILT_GLOBAL const int32_t *n = job.altitude.north, *h = job.altitude.here, *s = job.altitude.south;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltCellsDrops straight = silt_cells_drops(h[i], n[i], s[i], h[i - 1], h[i + 1]);
        SiltCellsDrops diagonal = silt_cells_drops(h[i], n[i - 1], s[i + 1], n[i + 1], s[i - 1]);
        SiltCellsSide side =
            silt_cells_part(h[i], straight, diagonal, job.water[i], job.sediment[i], eight, evenly, job.step);
        SiltCellsShares shares = silt_cells_shares(side.flow.share, job.step.most);
        job.share[i] = evenly ? side.flow.share : shares.straight;
        job.even[i] = evenly ? side.flow.even : shares.diagonal;
        job.load[i] = side.load;
        job.dither[i] = side.dither;
    }
}

SILT_CLONES static void part_cells(void *shared, SiltSpan span)
{
    const PartJob *job = shared;
    if (job->eight && job->evenly)
        part(job, span, true, true);
    else if (job->eight)
        part(job, span, true, false);
    else if (job->evenly)
        part(job, span, false, true);
    else
        part(job, span, false, false);
}

// ---- steps 3 and 4: water moves, evaporates and drops what it cannot hold ----

typedef struct MoveJob {
    SiltRows bare, altitude;
    SiltRealRows share, even, load, dither;
    SILT_GLOBAL const int32_t *dug, *wet, *loaded, *loose;
    SILT_GLOBAL const float *calm, *loss;
    SILT_GLOBAL int32_t *ground, *water, *sediment, *deposit;
    SILT_GLOBAL float *flow, *wetness, *speed;
    SiltCellsStep step;
    bool eight, evenly;
    CellsTally tally;
} MoveJob;

static bool begin_move(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const CellsPass *pass = band->step;
    if (!silt_band_finishes(band, row))
        return false;
    SILT_GLOBAL float *loss = silt_band_row(band, LOSS, row);
    if (SILT_SET(pass, supply.needs_ground) || !keeps_rows())
        silt_supply_loss_cells(band, &pass->supply, &SILT_SET(pass, supply),
                               heights_row(band, DUG, LOW_HEIGHTS, row), loss);
    *(MoveJob *)memory = (MoveJob){.bare = silt_rows_around(band, BARE, row),
                                   .altitude = silt_rows_around(band, ALTITUDE, row),
                                   .share = silt_real_rows_around(band, SHARE, row),
                                   .even = silt_real_rows_around(band, EVEN, row),
                                   .load = silt_real_rows_around(band, LOAD, row),
                                   .dither = silt_real_rows_around(band, DITHER, row),
                                   .dug = silt_band_row(band, DUG, row),
                                   .wet = silt_band_row(band, WET, row),
                                   .loaded = silt_band_row(band, LOADED, row),
                                   .loose = silt_band_row(band, LOOSE, row),
                                   .calm = silt_band_row(band, CALM, row),
                                   .loss = loss,
                                   .ground = silt_band_row(band, GROUND, row),
                                   .water = silt_band_row(band, WATER, row),
                                   .sediment = silt_band_row(band, SEDIMENT, row),
                                   .deposit = silt_band_row(band, DEPOSIT, row),
                                   .flow = silt_band_row(band, FLOW, row),
                                   .wetness = silt_band_row(band, WETNESS, row),
                                   .speed = silt_band_row(band, SPEED, row),
                                   .step = pass->step,
                                   .eight = SILT_SET(pass, eight),
                                   .evenly = SILT_SET(pass, evenly)};
    return true;
}

// Cell i of one of three rows, as its neighbours see it: where water may go in equal parts, and where all
// goes by the drops.
#define SIDE(job, row, i)                                                                                    \
    ((SiltCellsSide){(job)->altitude.row[i],                                                                 \
                     {(job)->share.row[i], (job)->even.row[i]},                                              \
                     (job)->load.row[i],                                                                     \
                     (job)->dither.row[i]})
#define GIVER(job, shares, row, i)                                                                           \
    ((SiltCellsGiver){(job)->altitude.row[i], (job)->shares.row[i], (job)->load.row[i], (job)->dither.row[i]})

SILT_INLINE SiltCellsNet gather_evenly(const MoveJob *job, int i, bool eight)
{
    float most = job->step.most, across = SILT_CELLS_ACROSS;
    SiltCellsSide own = SIDE(job, here, i);
    SiltCellsNet net = {0, 0, 0};
    net = silt_cells_exchange(net, own, SIDE(job, north, i), 1.0f, most);
    net = silt_cells_exchange(net, own, SIDE(job, south, i), 1.0f, most);
    net = silt_cells_exchange(net, own, SIDE(job, here, i - 1), 1.0f, most);
    net = silt_cells_exchange(net, own, SIDE(job, here, i + 1), 1.0f, most);
    if (eight) {
        net = silt_cells_exchange(net, own, SIDE(job, north, i - 1), across, most);
        net = silt_cells_exchange(net, own, SIDE(job, north, i + 1), across, most);
        net = silt_cells_exchange(net, own, SIDE(job, south, i - 1), across, most);
        net = silt_cells_exchange(net, own, SIDE(job, south, i + 1), across, most);
    }
    return net;
}

SILT_INLINE SiltCellsNet gather_by_drops(const MoveJob *job, int i, bool eight)
{
    SiltCellsGiver own = GIVER(job, share, here, i);
    SiltCellsNet net = {0, 0, 0};
    net = silt_cells_trade(net, own, GIVER(job, share, north, i));
    net = silt_cells_trade(net, own, GIVER(job, share, south, i));
    net = silt_cells_trade(net, own, GIVER(job, share, here, i - 1));
    net = silt_cells_trade(net, own, GIVER(job, share, here, i + 1));
    if (eight) {
        own.share = job->even.here[i];
        net = silt_cells_trade(net, own, GIVER(job, even, north, i - 1));
        net = silt_cells_trade(net, own, GIVER(job, even, north, i + 1));
        net = silt_cells_trade(net, own, GIVER(job, even, south, i - 1));
        net = silt_cells_trade(net, own, GIVER(job, even, south, i + 1));
    }
    return net;
}

// The lowest of the neighbours that were higher before the step.
SILT_INLINE int32_t lowest_above(int32_t ground, SILT_GLOBAL const int32_t *north,
                                 SILT_GLOBAL const int32_t *here, SILT_GLOBAL const int32_t *south, int i)
{
    int32_t above = SILT_GRAINS_WALL;
    for (int k = i - 1; k <= i + 1; k++) {
        above = silt_grains_above(above, ground, north[k]);
        above = silt_grains_above(above, ground, south[k]);
    }
    return silt_grains_above(silt_grains_above(above, ground, here[i - 1]), ground, here[i + 1]);
}

// Rare: neither ground nor water can hold it.
static int64_t lose_surplus(SILT_GLOBAL int32_t *sediment, int begin, int end)
{
    int64_t lost = 0;
    for (int i = begin; i < end; i++) {
        int32_t surplus = silt_cells_surplus(sediment[i]);
        sediment[i] -= surplus;
        lost += surplus;
    }
    return lost;
}

SILT_INLINE void move(MoveJob *shared, int begin, int end, bool eight, bool evenly)
{
    MoveJob job = *shared;
    SILT_GLOBAL const int32_t *n = job.bare.north, *h = job.bare.here, *s = job.bare.south;
    int64_t moved = 0, carried = 0, gone = 0;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        SiltCellsNet net = evenly ? gather_evenly(&job, i, eight) : gather_by_drops(&job, i, eight);
        int32_t water = job.wet[i] + net.water, sediment = job.loaded[i] + net.sediment, dug = job.dug[i];
        int32_t heap = silt_grains_to_heap(dug, h[i + 1], h[i - 1], s[i], n[i], job.step.fan);
        int32_t fill = silt_cells_to_fill(dug, lowest_above(dug, n, h, s, i));
        SiltCellsGround cell = {dug, sediment, job.loose[i], 0};
        SiltCellsDone done =
            silt_cells_dry(cell, water, sediment, heap, fill, job.calm[i], job.loss[i], job.step);
        job.ground[i] = done.ground;
        job.water[i] = done.water;
        job.sediment[i] = done.sediment;
        job.deposit[i] = done.deposit;
        job.flow[i] += (float)net.given * job.step.volume;
        job.wetness[i] += done.water > job.step.wet ? job.step.dt : 0.0f;
        job.speed[i] = job.step.top_speed * (float)net.given / silt_maxf((float)job.wet[i], 1.0f);
        moved += water;
        carried += sediment;
        gone += done.dried;
        heaviest = silt_maxi(heaviest, done.sediment);
    }
    if (heaviest > SILT_GRAINS_LOAD)
        carried -= lose_surplus(job.sediment, begin, end);
    shared->tally.water_after += moved;
    shared->tally.rock_after += carried;
    shared->tally.evaporated += gone;
}

#ifdef __OPENCL_C_VERSION__
static void move_cells(void *shared, SiltSpan span)
{
    MoveJob *job = shared;
    move(job, span.begin, span.end, job->eight, job->evenly);
    if (!span.counts)
        job->tally = (CellsTally){0};
}
#else
SILT_CLONES static void move_row(MoveJob *job, int count)
{
    if (job->eight && job->evenly)
        move(job, 0, count, true, true);
    else if (job->eight)
        move(job, 0, count, true, false);
    else if (job->evenly)
        move(job, 0, count, false, true);
    else
        move(job, 0, count, false, false);
}

static void move_cells(void *shared, SiltSpan span)
{
    MoveJob *job = shared, part = *job;
    silt_rows_move_to(&part, offsetof(MoveJob, step), span.begin);
    move_row(&part, span.end - span.begin);
    job->tally = span.counts ? part.tally : job->tally;
}
#endif

static void end_move(const SiltBand *band, int row, void *memory)
{
    const MoveJob *job = memory;
    CellsTally *tally = band->tally;
    if (!silt_band_counts(band, row))
        return;
    tally->water_after += job->tally.water_after;
    tally->rock_after += job->tally.rock_after;
    tally->evaporated += job->tally.evaporated;
}

#ifndef __OPENCL_C_VERSION__
// ---- the table ----

static const SiltPhase cells_phases[] = {
    {"load", "ground:0 water:0", "bare level", 0, 0, 0,
     SILT_ROW_CODE(LoadJob, begin_load, load_cells, NULL, NULL)},
    {"wear", "ground bare level water:0 sediment:0 deposit:0 layer:0 strata:0 waters:0",
     "dug wet loaded loose altitude calm wear rain brought erodibility heights", 1, 1, 0,
     SILT_ROW_CODE(WearJob, begin_wear, wear_cells, end_wear,
                   "rained full water_before rock_before rock_added")},
    {"part", "altitude wet:0 loaded:0", "share even load dither", 1, 2, 1,
     SILT_ROW_CODE(PartJob, begin_part, part_cells, NULL, NULL)},
    {"move", "bare altitude share even load dither dug:0 wet:0 loaded:0 loose:0 calm:0",
     "ground! water! sediment! deposit! flow wetness speed! loss low_heights", 1, 3, 2,
     SILT_ROW_CODE(MoveJob, begin_move, move_cells, end_move, "water_after rock_after evaporated")},
};

SiltStatus silt_cells_grid(Cells *cells, bool plain, SiltGrid **out)
{
    SiltGridField fields[FIELDS] = {
        [GROUND] = {"ground", &cells->ground, 4, false, 1, 0, false},
        [WATER] = {"water", &cells->water, 4, false, 1, 0, false},
        [SEDIMENT] = {"sediment", &cells->sediment, 4, false, 0, -1, false},
        [DEPOSIT] = {"deposit", &cells->deposit, 4, false, 0, -1, false},
        [WEAR] = {"wear", &cells->wear, 1, true, 0, -1, false},
        [FLOW] = {"flow", &cells->flow, 1, true, -2, -3, false},
        [WETNESS] = {"wetness", &cells->wetness, 1, true, -2, -3, false},
        [SPEED] = {"speed", &cells->speed, 1, true, -2, -3, false},
    };
    static const char *const handed_on[] = {"bare",     "level", "dug",   "wet",  "loaded", "loose",
                                            "altitude", "calm",  "share", "even", "load",   "dither"};
    for (int field = STATE; field < PARTED; field++)
        fields[field] = (SiltGridField){handed_on[field - STATE], .rows = field == BARE ? 8 : 4};
    static const char *const brought[] = {"rain", "brought",     "erodibility", "heights",
                                          "loss", "low_heights", "layer"};
    for (int field = PARTED; field < FIELDS; field++)
        fields[field] = (SiltGridField){field < STRATA   ? brought[field - PARTED]
                                        : field < WATERS ? "strata"
                                                         : "waters",
                                        .rows = 1};
    SiltGridTable table = {.owner = "erode cells",
                           .phases = cells_phases,
                           .phase_count = sizeof cells_phases / sizeof cells_phases[0],
                           .fields = fields,
                           .field_count = FIELDS,
                           .halo = 3,
                           .steps = 1,
                           .tally = sizeof(CellsTally),
                           .plain = plain,
                           .exact = true,
                           .start = start_band,
                           .program = &silt_cells_program};
    return silt_grid_create(&table, cells->terrain, out);
}
#endif
