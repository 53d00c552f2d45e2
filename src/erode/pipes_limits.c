// What the cells of the pipe model can give of the water that their pipes ask for (Mei eq. 4-5), and what
// leaves over open borders. Row code for the processor and for devices (grid/rows.h).
#include "erode/pipes_phases.h"

// ---- open borders ----

static int32_t ground_at(const SiltBand *band, int field, int row, int i)
{
    SILT_GLOBAL const int32_t *ground = silt_band_on_grid(band, row) ? silt_band_row(band, field, row) : NULL;
    return ground ? ground[i] : SILT_GRAINS_WALL;
}

// The ground of a border cell as it was in the beginning: water leaves over it.
#ifdef __OPENCL_C_VERSION__
static int32_t sill_at(const SiltBand *band, int row, int i)
{
    return ((SILT_GLOBAL const int32_t *)silt_band_row(band, SILLS, row))[i];
}
#else
static int32_t sill_at(const SiltBand *band, int row, int i)
{
    SILT_STEP const PipesStep *pipes = band->step;
    SILT_GLOBAL const int32_t *north = pipes->host->sills, *south = north + band->width;
    SILT_GLOBAL const int32_t *west = south + band->width, *east = west + band->height;
    return row == 0 ? north[i] : row == band->height - 1 ? south[i] : i == 0 ? west[row] : east[row];
}
#endif

static float edge_at(const SiltBand *band, int row, int i)
{
    SILT_STEP const PipesStep *pipes = band->step;
    SiltRegion region = silt_band_region(band);
    SILT_GLOBAL const int32_t *ground = silt_band_ring(band, GROUND_BEFORE, row);
    SILT_GLOBAL const int32_t *water = silt_band_ring(band, WATER_BEFORE, row);
    SiltPipesEnd here = {ground[i], water[i]};
    int last = band->width - 1;
    int32_t sill = sill_at(band, row, i);
    float north = 0.0f, south = 0.0f, west = 0.0f, east = 0.0f;
    if (row == 0 && SILT_SET(pipes, north) && region.j == 0) // memory alone knows the row below yet
        north = silt_pipes_leaves(here, sill, ground_at(band, GROUND, row + 1, i), pipes->border);
    if (row == band->height - 1 && SILT_SET(pipes, south) && region.j + band->height == region.map_height)
        south = silt_pipes_leaves(here, sill, ground_at(band, GROUND_BEFORE, row - 1, i), pipes->border);
    if (i == 0 && SILT_SET(pipes, west) && region.i == 0)
        west = silt_pipes_leaves(here, sill, ground[i + 1], pipes->border);
    if (i == last && SILT_SET(pipes, east) && region.i + band->width == region.map_width)
        east = silt_pipes_leaves(here, sill, ground[i - 1], pipes->border);
    return (north + south) + (west + east);
}

// ---- limits (eq. 4-5) ----

SILT_ROW_FN bool silt_pipes_share_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    if (!silt_band_on_grid(band, row))
        return false;
    int stride = silt_pipes_edge_stride(band, row);
    SILT_GLOBAL float *edge = silt_band_ring(band, EDGE, row);
    SILT_EACH_END(band, i, 0, band->width - 1, stride == 1)
    edge[i] = edge_at(band, row, i);
    *(ShareJob *)memory = (ShareJob){.flux = silt_pipes_fluxes_around(band, row),
                                     .two = PIPES_TWO(pipes),
                                     .edge = edge,
                                     .water = silt_band_ring(band, WATER_BEFORE, row),
                                     .share = silt_band_ring(band, SHARE, row),
                                     .mark = silt_band_mark(band, row),
                                     .to_grains = pipes->to_grains,
                                     .one = 1.0f,
                                     .width = band->width,
                                     .edge_stride = stride,
                                     .eight = silt_pipes_eight(band)};
    if (PIPES_TWO(pipes))
        ((ShareJob *)memory)->back = silt_pipes_backs_around(band, row);
    return true;
}

// At a border with what leaves over it, and without what memory holds beyond the ends of the row.
SILT_INLINE SiltPipesWish wish_of(const ShareJob *job, int i, bool border, bool eight, bool two)
{
    bool first = border && i == 0, last = border && i == job->width - 1;
    SiltPipesFluxes flux = fluxes_at(job->flux, i, first, last, eight);
    if (two)
        return silt_pipes_wish_two(flux, fluxes_at(job->back, i, first, last, eight),
                                   border ? job->edge[i] : 0.0f, job->water[i], job->to_grains, job->none,
                                   eight, border);
    return silt_pipes_wish(flux, border ? job->edge[i] : 0.0f, job->water[i], job->to_grains, job->none,
                           eight, border);
}

#ifdef __OPENCL_C_VERSION__
// One cell, which knows whether it lies at a border.
SILT_ROW_FN void silt_pipes_share_cells(void *memory, SiltSpan span)
{
    ShareJob *job = memory;
    int i = span.begin;
    bool border = job->edge_stride == 1 || i == 0 || i == job->width - 1;
    SiltPipesWish wish = wish_of(job, i, border, job->eight, job->two);
    job->share[i] = silt_pipes_share(wish.wanted, wish.spare, job->one);
    job->limited += span.counts && wish.wanted > wish.held;
}
#else
// Whether some cells want more than they can give.
SILT_INLINE bool find_tight(const ShareJob *shared, SiltSpan span, bool eight, bool two)
{
    ShareJob job = *shared;
    int32_t tight = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesWish wish = wish_of(&job, i, false, eight, two);
        tight |= wish.wanted > wish.spare;
    }
    return tight != 0;
}

SILT_INLINE void share_cells(ShareJob *shared, SiltSpan span, bool eight, bool two)
{
    ShareJob job = *shared;
    int32_t limited = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesWish wish = wish_of(&job, i, false, eight, two);
        job.share[i] = silt_pipes_share(wish.wanted, wish.spare, job.one);
        limited += wish.wanted > wish.held;
    }
    shared->limited += span.counts ? limited : 0;
}

// Mostly all cells can give what they want: then there is nothing to divide.
SILT_CLONES static bool share_four(ShareJob *job, SiltSpan span)
{
    bool tight = find_tight(job, span, false, false);
    if (tight)
        share_cells(job, span, false, false);
    return tight;
}

SILT_CLONES static bool share_eight(ShareJob *job, SiltSpan span)
{
    bool tight = find_tight(job, span, true, false);
    if (tight)
        share_cells(job, span, true, false);
    return tight;
}

SILT_CLONES static bool share_two(ShareJob *job, SiltSpan span)
{
    bool tight = find_tight(job, span, job->eight, true);
    if (tight)
        share_cells(job, span, job->eight, true);
    return tight;
}

// Of cells that are not at a border.
static void fill_ones(const ShareJob *job, int begin, int end)
{
    for (int i = silt_maxi(begin, 1); job->edge_stride > 1 && i < silt_mini(end, job->width - 1); i++)
        job->share[i] = job->one;
}

// Where the cells end that look at nothing beyond the end of their row: in memory that is the beginning of a
// row which another thread may be at.
SILT_INLINE int inner_end(const ShareJob *job)
{
    return job->eight ? job->width - 1 : job->width;
}

// Border cells are done again, with what leaves.
SILT_INLINE bool share_ends(ShareJob *job, SiltSpan span, bool two)
{
    bool tight = false;
    int first = job->edge_stride == 1 ? span.begin : span.begin == 0 ? 0 : job->width - 1;
    for (int i = first; i < span.end; i += job->edge_stride) {
        SiltPipesWish wish = wish_of(job, i, true, job->eight, two);
        bool limited = wish.wanted > wish.held;
        if (i > 0 && i < inner_end(job)) {
            SiltPipesWish inner = wish_of(job, i, false, job->eight, two);
            job->limited -= span.counts && inner.wanted > inner.held;
        }
        job->limited += span.counts && limited;
        job->share[i] = silt_pipes_share(wish.wanted, wish.spare, job->one);
        tight = tight || job->share[i] < job->one;
    }
    return tight;
}

static bool share_border(ShareJob *job, SiltSpan span)
{
    return job->two ? share_ends(job, span, true) : share_ends(job, span, false);
}

// eq. 4. Mostly all of a row can give what they want: then its shares are not even written down. The first
// cell, and with eight neighbours the last, is done with the border alone, as what lies beyond it in memory
// belongs to a row that another thread may be at.
SILT_ROW_FN void silt_pipes_share_cells(void *memory, SiltSpan span)
{
    ShareJob *job = memory;
    SiltSpan inside = silt_span(silt_maxi(span.begin, 1), silt_mini(span.end, inner_end(job)), span.counts);
    bool before = *job->mark & TIGHT;
    bool tight = job->two     ? share_two(job, inside)
                 : job->eight ? share_eight(job, inside)
                              : share_four(job, inside);
    if (!share_border(job, span) && !tight && !before)
        return;
    *job->mark |= TIGHT;
    if (!before)
        fill_ones(job, 0, span.begin);
    if (!tight)
        fill_ones(job, span.begin, span.end);
}
#endif

SILT_ROW_FN void silt_pipes_share_end(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    const ShareJob *job = memory;
    PipesTally *tally = band->tally;
    SILT_GLOBAL int32_t *edge_grains = silt_pipes_edge_row(band, row);
    SILT_EACH_END(band, i, 0, band->width - 1, job->edge_stride == 1)
    {
        float out = job->edge[i] * job->share[i];
        edge_grains[i] = silt_pipes_grains(out * pipes->to_grains, pipes->water_dither);
        tally->left += silt_pipes_counts(band, i, row) ? edge_grains[i] : 0;
    }
    tally->limited += silt_band_counts(band, row) ? job->limited : 0;
}

SILT_ROW_FN bool silt_pipes_scale_begin(const SiltBand *band, int row, void *memory)
{
    SILT_STEP const PipesStep *pipes = band->step;
    ScaleJob *job = memory;
    *job = (ScaleJob){.share_here = silt_band_ring(band, SHARE, row),
                      .share_above = silt_band_ring(band, SHARE, row - 1),
                      .mark_here = silt_band_mark(band, row),
                      .mark_above = silt_band_mark(band, row - 1),
                      .ones = silt_band_ring(band, ONES, row),
                      .to_grains = pipes->to_grains,
                      .dither = pipes->water_dither,
                      .pairs = PIPES_DIRECTIONS(pipes) / PAIR};
    SILT_UNROLL
    for (int d = 0; d < PIPES_DIRECTIONS(pipes); d++) {
        int from = d == EAST ? row : row - 1;
        job->pair[d / PAIR].flux[d % PAIR] = silt_pipes_flux_row(band, from, d);
        job->pair[d / PAIR].grains[d % PAIR] = silt_band_ring(band, GRAINS + d, from);
    }
    SILT_UNROLL
    for (int d = 0; PIPES_TWO(pipes) && d < PIPES_DIRECTIONS(pipes); d++)
        job->pair[d / PAIR].back[d % PAIR] = silt_pipes_back_row(band, d == EAST ? row : row - 1, d);
    return true;
}

SILT_INLINE void scale_pipe(const ScaleJob *job, bool diagonal, int n, int i, float forth, float back)
{
    const ScalePair *pair = &job->pair[diagonal];
    SiltPipesScaled scaled = silt_pipes_scale(pair->flux[n][i], forth, back, job->to_grains, job->dither);
    pair->grains[n][i] = scaled.grains;
    pair->flux[n][i] = scaled.flux;
}

SILT_INLINE void scale_outflows(const ScaleJob *job, bool diagonal, int n, int i, float forth, float back)
{
    const ScalePair *pair = &job->pair[diagonal];
    SiltPipesScaledTwo scaled =
        silt_pipes_scale_two(pair->flux[n][i], pair->back[n][i], forth, back, job->to_grains, job->dither);
    pair->grains[n][i] = scaled.grains;
    pair->flux[n][i] = scaled.flux;
    pair->back[n][i] = scaled.back;
}

// Two outflows a pipe.
SILT_CLONES static void scale_two(const ScaleJob *job, SiltSpan span, int diagonal)
{
    for (int i = span.begin; i < span.end; i++) {
        float here = job->share_here[i], above = job->share_above[i], east = job->share_here[i + 1];
        float west = diagonal ? job->share_here[i - 1] : 0.0f;
        scale_outflows(job, diagonal, 0, i, diagonal ? above : here, east);
        scale_outflows(job, diagonal, 1, i, above, diagonal ? west : here);
    }
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
SILT_CLONES static void count_grains(const ScaleJob *job, int n, SiltSpan span)
{
    ScalePair pair = job->pair[n];
    float to_grains = job->to_grains, dither = job->dither;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        pair.grains[0][i] = silt_pipes_grains(pair.flux[0][i] * to_grains, dither);
        pair.grains[1][i] = silt_pipes_grains(pair.flux[1][i] * to_grains, dither);
    }
}

// eq. 5
SILT_ROW_FN void silt_pipes_scale_cells(void *memory, SiltSpan span)
{
    const ScaleJob *shared = memory;
    bool here = *shared->mark_here & TIGHT, above = *shared->mark_above & TIGHT;
    if (!here && !above) {
        for (int n = 0; n < shared->pairs; n++)
            count_grains(shared, n, span);
        return;
    }
    ScaleJob job = *shared;
    job.share_here = here ? job.share_here : job.ones;
    job.share_above = above ? job.share_above : job.ones;
    if (PIPES_JOB_IS_TWO(&job)) {
        scale_two(&job, span, 0);
        if (job.pairs > 1)
            scale_two(&job, span, 1);
        return;
    }
    scale_straight(&job, span);
    if (job.pairs > 1)
        scale_diagonal(&job, span);
}
