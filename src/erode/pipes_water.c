// The water of the pipe model: supply, fluxes and their limits (Mei eq. 1-5).
#include <string.h>

#include "erode/pipes_phases.h"

// ---- the rows in flight ----

CellPipes silt_pipes_fluxes_around(const SiltBand *band, int row)
{
    CellPipes flux = {.east = silt_pipes_flux_row(band, row, EAST),
                      .south = silt_pipes_flux_row(band, row, SOUTH),
                      .north = silt_pipes_flux_row(band, row - 1, SOUTH)};
    if (silt_pipes_eight(band)) {
        flux.south_east = silt_pipes_flux_row(band, row, SOUTH_EAST);
        flux.south_west = silt_pipes_flux_row(band, row, SOUTH_WEST);
        flux.north_west = silt_pipes_flux_row(band, row - 1, SOUTH_EAST);
        flux.north_east = silt_pipes_flux_row(band, row - 1, SOUTH_WEST);
    }
    return flux;
}

CellGrains silt_pipes_grains_around(const SiltBand *band, int field, int row)
{
    CellGrains grains = {.east = silt_band_ring(band, field + EAST, row),
                         .south = silt_band_ring(band, field + SOUTH, row),
                         .north = silt_band_ring(band, field + SOUTH, row - 1)};
    if (silt_pipes_eight(band)) {
        grains.south_east = silt_band_ring(band, field + SOUTH_EAST, row);
        grains.south_west = silt_band_ring(band, field + SOUTH_WEST, row);
        grains.north_west = silt_band_ring(band, field + SOUTH_EAST, row - 1);
        grains.north_east = silt_band_ring(band, field + SOUTH_WEST, row - 1);
    }
    return grains;
}

const float *silt_pipes_heights_row(const SiltBand *band, const int32_t *ground)
{
    const Pipes *pipes = band->step;
    float *heights = silt_band_ring(band, HEIGHTS, 0);
    for (int i = 0; i < band->width; i++)
        heights[i] = (float)(pipes->base.low + (double)ground[i] * pipes->grain);
    return heights;
}

// Beyond both ends of a row stands a wall.
static void wall_ends(int32_t *ground, int width)
{
    ground[-1] = ground[width] = SILT_GRAINS_WALL;
}

void silt_pipes_wall_row(const SiltBand *band, int row)
{
    int32_t *ground = silt_band_ring(band, GROUND_BEFORE, row);
    for (int i = 0; i < band->width; i++)
        ground[i] = SILT_GRAINS_WALL;
    memset(silt_band_ring(band, WATER_BEFORE, row), 0, (size_t)band->width * sizeof(int32_t));
    wall_ends(ground, band->width);
    *silt_band_mark(band, row) = WALLED;
}

void silt_pipes_start(const SiltBand *band, int row)
{
    float *ones = silt_band_ring(band, ONES, 0);
    for (int i = -1; i <= band->width; i++)
        ones[i] = 1.0f;
    silt_pipes_wall_row(band, row - 1);
}

// ---- water comes in (eq. 1) ----

bool silt_pipes_rain_begin(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    if (!silt_band_on_grid(band, row)) {
        silt_pipes_wall_row(band, row);
        return false;
    }
    const int32_t *ground = silt_band_row(band, GROUND, row);
    int32_t *ground_out = silt_band_ring(band, GROUND_BEFORE, row);
    wall_ends(ground_out, band->width);
    *silt_band_mark(band, row) = 0;
    const float *heights =
        silt_supply_needs_ground(&pipes->supply) ? silt_pipes_heights_row(band, ground) : NULL;
    const float *supply = silt_supply_row(&pipes->supply, row, heights, silt_band_ring(band, SUPPLY, 0));
    float per_metre = (float)(1.0 / pipes->grain);
    int32_t more = silt_grains(supply[0] * per_metre, pipes->rain_dither);
    *(RainJob *)memory = (RainJob){.ground = ground,
                                   .water = silt_band_row(band, WATER, row),
                                   .around = silt_band_row(band, AROUND, row),
                                   .supply = supply,
                                   .same = pipes->supply.is_constant && more < SILT_GRAINS_WALL / 2,
                                   .more = more,
                                   .ground_out = ground_out,
                                   .water_out = silt_band_ring(band, WATER_BEFORE, row),
                                   .around_out = silt_band_ring(band, AROUND_BEFORE, row),
                                   .per_metre = per_metre,
                                   .dither = pipes->rain_dither,
                                   .growth = pipes->growth};
    return true;
}

// The same rain everywhere, and room for it: returns the highest surface.
SILT_CLONES static int32_t add_evenly(const RainJob *shared, SiltSpan span)
{
    RainJob job = *shared;
    int32_t top = SILT_GRAINS_FLOOR;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t ground = job.ground[i], water = job.water[i] + job.more;
        job.ground_out[i] = ground;
        job.water_out[i] = water;
        job.around_out[i] = job.around[i] * job.growth;
        top = silt_maxi(top, ground + water);
    }
    return top;
}

SILT_CLONES static void add_supply(RainJob *shared, SiltSpan span)
{
    RainJob job = *shared;
    int64_t added = 0, evaporated = 0;
    int32_t top = SILT_GRAINS_FLOOR;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        int32_t ground = job.ground[i];
        SiltPipesRained rained =
            silt_pipes_rain(ground, job.water[i], job.supply[i] * job.per_metre, job.dither);
        job.ground_out[i] = ground;
        job.water_out[i] = rained.water;
        job.around_out[i] = job.around[i] * job.growth;
        added += rained.added;
        evaporated += rained.over;
        top = silt_maxi(top, ground);
    }
    shared->added += added;
    shared->evaporated += evaporated;
    shared->walled = shared->walled || top == SILT_GRAINS_WALL;
}

void silt_pipes_rain_cells(void *memory, SiltSpan span)
{
    RainJob *job = memory;
    int64_t added = job->added, evaporated = job->evaporated;
    if (job->same && add_evenly(job, span) < SILT_GRAINS_WALL)
        job->added += (int64_t)job->more * (span.end - span.begin);
    else
        add_supply(job, span);
    job->added = span.counts ? job->added : added;
    job->evaporated = span.counts ? job->evaporated : evaporated;
}

void silt_pipes_rain_end(const SiltBand *band, int row, void *memory)
{
    const RainJob *job = memory;
    PipesTally *tally = band->tally;
    *silt_band_mark(band, row) |= job->walled ? WALLED : 0;
    if (silt_band_counts(band, row)) {
        tally->added += job->added;
        tally->evaporated += job->evaporated;
    }
}

// ---- fluxes (eq. 2-3) ----

bool silt_pipes_flux_begin(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    FluxJob *job = memory;
    *job = (FluxJob){.ground_here = silt_band_ring(band, GROUND_BEFORE, row),
                     .ground_above = silt_band_ring(band, GROUND_BEFORE, row - 1),
                     .water_here = silt_band_ring(band, WATER_BEFORE, row),
                     .water_above = silt_band_ring(band, WATER_BEFORE, row - 1),
                     .fixed = pipes->params->pipe_area > 0.0,
                     .pairs = pipes->directions / PAIR};
    for (int d = 0; d < pipes->directions; d++) {
        FluxPair *pair = &job->pair[d / PAIR];
        int from = d == EAST ? row : row - 1;
        pair->pipe = pipes->pipe[d];
        pair->bank = pipes->bank[d];
        pair->flux[d % PAIR] = silt_pipes_flux_row(band, from, d);
        pair->slid[d % PAIR] = pipes->banks ? silt_band_ring(band, SLID + d, from) : NULL;
    }
    return true;
}

typedef struct Ends {
    SiltPipesEnd a[PAIR], b[PAIR];
} Ends;

SILT_INLINE Ends ends_at(const FluxJob *job, int i, bool diagonal)
{
    SiltPipesEnd here = {job->ground_here[i], job->water_here[i]};
    SiltPipesEnd above = {job->ground_above[i], job->water_above[i]};
    SiltPipesEnd east = {job->ground_here[i + 1], job->water_here[i + 1]};
    if (!diagonal)
        return (Ends){{here, above}, {east, here}};
    SiltPipesEnd west = {job->ground_here[i - 1], job->water_here[i - 1]};
    return (Ends){{above, above}, {east, west}};
}

SILT_INLINE void find_flux(FluxJob *shared, SiltSpan span, bool diagonal, bool fixed)
{
    FluxJob job = *shared;
    FluxPair pair = job.pair[diagonal];
    int32_t swift_0 = 0, swift_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        SiltPipesFlow flow_0 = silt_pipes_flux(ends.a[0], ends.b[0], pair.flux[0][i], pair.pipe, fixed);
        SiltPipesFlow flow_1 = silt_pipes_flux(ends.a[1], ends.b[1], pair.flux[1][i], pair.pipe, fixed);
        pair.flux[0][i] = flow_0.flux;
        pair.flux[1][i] = flow_1.flux;
        swift_0 += flow_0.swift;
        swift_1 += flow_1.swift;
    }
    shared->pair[diagonal].swift[0] += span.counts ? swift_0 : 0;
    shared->pair[diagonal].swift[1] += span.counts ? swift_1 : 0;
}

SILT_CLONES static void flux_straight(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, false, false);
}

SILT_CLONES static void flux_diagonal(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, true, false);
}

SILT_CLONES static void flux_fixed(FluxJob *job, SiltSpan span)
{
    find_flux(job, span, false, true);
    if (job->pairs > 1)
        find_flux(job, span, true, true);
}

SILT_INLINE void find_slides(FluxJob *shared, SiltSpan span, bool diagonal)
{
    FluxJob job = *shared;
    FluxPair pair = job.pair[diagonal];
    int32_t any_0 = 0, any_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        int32_t slid_0 = silt_pipes_slides(ends.a[0], ends.b[0], pair.bank);
        int32_t slid_1 = silt_pipes_slides(ends.a[1], ends.b[1], pair.bank);
        pair.slid[0][i] = slid_0;
        pair.slid[1][i] = slid_1;
        any_0 |= slid_0;
        any_1 |= slid_1;
    }
    shared->pair[diagonal].any_slid[0] |= any_0;
    shared->pair[diagonal].any_slid[1] |= any_1;
}

SILT_CLONES static void banks_straight(FluxJob *job, SiltSpan span)
{
    find_slides(job, span, false);
}

SILT_CLONES static void banks_diagonal(FluxJob *job, SiltSpan span)
{
    find_slides(job, span, true);
}

void silt_pipes_flux_cells(void *memory, SiltSpan span)
{
    FluxJob *job = memory;
    bool diagonal = job->pairs > 1, banks = job->pair[0].slid[0];
    if (job->fixed)
        flux_fixed(job, span);
    else
        flux_straight(job, span);
    if (!job->fixed && diagonal)
        flux_diagonal(job, span);
    if (banks)
        banks_straight(job, span);
    if (banks && diagonal)
        banks_diagonal(job, span);
}

void silt_pipes_flux_end(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    const FluxJob *job = memory;
    PipesTally *tally = band->tally;
    for (int d = 0; d < pipes->directions; d++) {
        const FluxPair *pair = &job->pair[d / PAIR];
        int from = d == EAST ? row : row - 1;
        tally->swift += silt_band_counts(band, from) ? pair->swift[d % PAIR] : 0;
        *silt_band_mark(band, from) |= pair->any_slid[d % PAIR] ? SLIDES : 0;
    }
}

// ---- open borders ----

static int32_t ground_at(const SiltBand *band, int field, int row, int i)
{
    const int32_t *ground = silt_band_on_grid(band, row) ? silt_band_row(band, field, row) : NULL;
    return ground ? ground[i] : SILT_GRAINS_WALL;
}

static float edge_at(const SiltBand *band, int row, int i)
{
    const Pipes *pipes = band->step;
    const PipesParams *params = pipes->params;
    const SiltRegion *region = silt_grid_region(band->grid);
    const int32_t *north_sill = pipes->sills, *south_sill = north_sill + band->width;
    const int32_t *west_sill = south_sill + band->width, *east_sill = west_sill + band->height;
    const int32_t *ground = silt_band_ring(band, GROUND_BEFORE, row);
    const int32_t *water = silt_band_ring(band, WATER_BEFORE, row);
    SiltPipesEnd here = {ground[i], water[i]};
    int last = band->width - 1;
    float north = 0.0f, south = 0.0f, west = 0.0f, east = 0.0f;
    if (row == 0 && params->north == SILT_BORDER_OPEN && silt_region_at_north(region)) // memory alone knows
        north = silt_pipes_leaves(here, north_sill[i], ground_at(band, GROUND, row + 1, i),
                                  pipes->border); // the row below yet
    if (row == band->height - 1 && params->south == SILT_BORDER_OPEN &&
        silt_region_at_south(region, band->height))
        south =
            silt_pipes_leaves(here, south_sill[i], ground_at(band, GROUND_BEFORE, row - 1, i), pipes->border);
    if (i == 0 && params->west == SILT_BORDER_OPEN && silt_region_at_west(region))
        west = silt_pipes_leaves(here, west_sill[row], ground[i + 1], pipes->border);
    if (i == last && params->east == SILT_BORDER_OPEN && silt_region_at_east(region, band->width))
        east = silt_pipes_leaves(here, east_sill[row], ground[i - 1], pipes->border);
    return (north + south) + (west + east);
}

// ---- limits (eq. 4-5) ----

bool silt_pipes_share_begin(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    if (!silt_band_on_grid(band, row))
        return false;
    int stride = silt_pipes_edge_stride(band, row);
    float *edge = silt_band_ring(band, EDGE, 0);
    for (int i = 0; i < band->width; i += stride)
        edge[i] = edge_at(band, row, i);
    *(ShareJob *)memory = (ShareJob){.flux = silt_pipes_fluxes_around(band, row),
                                     .edge = edge,
                                     .water = silt_band_ring(band, WATER_BEFORE, row),
                                     .share = silt_band_ring(band, SHARE, row),
                                     .mark = silt_band_mark(band, row),
                                     .to_grains = pipes->to_grains,
                                     .one = 1.0f,
                                     .width = band->width,
                                     .edge_stride = stride,
                                     .eight = silt_pipes_eight(band)};
    return true;
}

// At a border with what leaves over it, and without what memory holds beyond the ends of the row.
SILT_INLINE SiltPipesWish wish_of(const ShareJob *job, int i, bool border, bool eight)
{
    SiltPipesFluxes flux = fluxes_at(job->flux, i, border && i == 0, border && i == job->width - 1, eight);
    return silt_pipes_wish(flux, border ? job->edge[i] : 0.0f, job->water[i], job->to_grains, job->none,
                           eight, border);
}

// Whether some cells want more than they can give.
SILT_INLINE bool find_tight(const ShareJob *shared, SiltSpan span, bool eight)
{
    ShareJob job = *shared;
    int32_t tight = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesWish wish = wish_of(&job, i, false, eight);
        tight |= wish.wanted > wish.spare;
    }
    return tight != 0;
}

SILT_INLINE void share_cells(ShareJob *shared, SiltSpan span, bool eight)
{
    ShareJob job = *shared;
    int32_t limited = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesWish wish = wish_of(&job, i, false, eight);
        job.share[i] = silt_pipes_share(wish.wanted, wish.spare, job.one);
        limited += wish.wanted > wish.held;
    }
    shared->limited += span.counts ? limited : 0;
}

// Mostly all cells can give what they want: then there is nothing to divide.
SILT_CLONES static bool share_four(ShareJob *job, SiltSpan span)
{
    bool tight = find_tight(job, span, false);
    if (tight)
        share_cells(job, span, false);
    return tight;
}

SILT_CLONES static bool share_eight(ShareJob *job, SiltSpan span)
{
    bool tight = find_tight(job, span, true);
    if (tight)
        share_cells(job, span, true);
    return tight;
}

// Of cells that are not at a border.
static void fill_ones(const ShareJob *job, int begin, int end)
{
    for (int i = silt_maxi(begin, 1); job->edge_stride > 1 && i < silt_mini(end, job->width - 1); i++)
        job->share[i] = job->one;
}

// Border cells are done again, with what leaves.
static bool share_border(ShareJob *job, SiltSpan span)
{
    bool tight = false;
    int first = job->edge_stride == 1 ? span.begin : span.begin == 0 ? 0 : job->width - 1;
    for (int i = first; i < span.end; i += job->edge_stride) {
        SiltPipesWish wish = wish_of(job, i, true, job->eight);
        bool limited = wish.wanted > wish.held;
        if (i > 0) {
            SiltPipesWish inner = wish_of(job, i, false, job->eight);
            job->limited -= span.counts && inner.wanted > inner.held;
        }
        job->limited += span.counts && limited;
        job->share[i] = silt_pipes_share(wish.wanted, wish.spare, job->one);
        tight = tight || job->share[i] < job->one;
    }
    return tight;
}

// eq. 4. Mostly all of a row can give what they want: then its shares are not even written down. The first
// cell is done with the border alone, as what lies before it in memory is the end of a row that another
// thread may be at.
void silt_pipes_share_cells(void *memory, SiltSpan span)
{
    ShareJob *job = memory;
    SiltSpan inside = silt_span(span.begin > 0 ? span.begin : 1, span.end, span.counts);
    bool before = *job->mark & TIGHT, tight = job->eight ? share_eight(job, inside) : share_four(job, inside);
    if (!share_border(job, span) && !tight && !before)
        return;
    *job->mark |= TIGHT;
    if (!before)
        fill_ones(job, 0, span.begin);
    if (!tight)
        fill_ones(job, span.begin, span.end);
}

void silt_pipes_share_end(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    const ShareJob *job = memory;
    PipesTally *tally = band->tally;
    int32_t *edge_grains = silt_pipes_edge_row(band, row);
    for (int i = 0; i < band->width; i += job->edge_stride) {
        float out = job->edge[i] * job->share[i];
        edge_grains[i] = silt_pipes_grains(out * pipes->to_grains, pipes->water_dither);
        tally->left += silt_pipes_counts(band, i, row) ? edge_grains[i] : 0;
    }
    tally->limited += silt_band_counts(band, row) ? job->limited : 0;
}

bool silt_pipes_scale_begin(const SiltBand *band, int row, void *memory)
{
    const Pipes *pipes = band->step;
    ScaleJob *job = memory;
    *job = (ScaleJob){.share_here = silt_band_ring(band, SHARE, row),
                      .share_above = silt_band_ring(band, SHARE, row - 1),
                      .mark_here = silt_band_mark(band, row),
                      .mark_above = silt_band_mark(band, row - 1),
                      .ones = silt_band_ring(band, ONES, 0),
                      .to_grains = pipes->to_grains,
                      .dither = pipes->water_dither,
                      .pairs = pipes->directions / PAIR};
    for (int d = 0; d < pipes->directions; d++) {
        int from = d == EAST ? row : row - 1;
        job->pair[d / PAIR].flux[d % PAIR] = silt_pipes_flux_row(band, from, d);
        job->pair[d / PAIR].grains[d % PAIR] = silt_band_ring(band, GRAINS + d, from);
    }
    return true;
}

SILT_INLINE void scale_pipe(const ScaleJob *job, bool diagonal, int n, int i, float forth, float back)
{
    const ScalePair *pair = &job->pair[diagonal];
    SiltPipesScaled scaled = silt_pipes_scale(pair->flux[n][i], forth, back, job->to_grains, job->dither);
    pair->grains[n][i] = scaled.grains;
    pair->flux[n][i] = scaled.flux;
}

SILT_INLINE void scale_pair(const ScaleJob *shared, SiltSpan span, bool diagonal)
{
    ScaleJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        float here = job.share_here[i], above = job.share_above[i], east = job.share_here[i + 1];
        float west = diagonal ? job.share_here[i - 1] : 0.0f;
        scale_pipe(&job, diagonal, 0, i, diagonal ? above : here, east);
        scale_pipe(&job, diagonal, 1, i, above, diagonal ? west : here);
    }
}

SILT_CLONES static void scale_straight(const ScaleJob *job, SiltSpan span)
{
    scale_pair(job, span, false);
}

SILT_CLONES static void scale_diagonal(const ScaleJob *job, SiltSpan span)
{
    scale_pair(job, span, true);
}

// All shares are one.
SILT_CLONES static void count_grains(const ScaleJob *shared, const ScalePair *of, SiltSpan span)
{
    ScaleJob job = *shared;
    ScalePair pair = *of;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        pair.grains[0][i] = silt_pipes_grains(pair.flux[0][i] * job.to_grains, job.dither);
        pair.grains[1][i] = silt_pipes_grains(pair.flux[1][i] * job.to_grains, job.dither);
    }
}

// eq. 5
void silt_pipes_scale_cells(void *memory, SiltSpan span)
{
    ScaleJob job = *(const ScaleJob *)memory;
    bool here = *job.mark_here & TIGHT, above = *job.mark_above & TIGHT;
    job.share_here = here ? job.share_here : job.ones;
    job.share_above = above ? job.share_above : job.ones;
    for (int n = 0; n < job.pairs; n++)
        if (!here && !above)
            count_grains(&job, &job.pair[n], span);
        else if (n == 0)
            scale_straight(&job, span);
        else
            scale_diagonal(&job, span);
}
