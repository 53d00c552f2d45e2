// The water of the pipe model: supply, fluxes and their limits (Mei eq. 1-5).
#include <string.h>

#include "erode/pipes_rows.h"

// ---- water comes in (eq. 1) ----

// Beyond both ends of a row stands a wall.
static void wall_ends(int32_t *ground, int width)
{
    ground[-1] = ground[width] = SILT_GRAINS_WALL;
}

void silt_pipes_wall_row(const Pipes *pipes, PipesRows *rows, int row)
{
    int k = ring(row);
    for (int i = 0; i < pipes->terrain->width; i++) {
        rows->ground[k][i] = SILT_GRAINS_WALL;
        rows->water[k][i] = 0;
    }
    wall_ends(rows->ground[k], pipes->terrain->width);
    rows->walled[k] = true;
}

void silt_pipes_heights_row(const Pipes *pipes, const int32_t *ground, float *heights)
{
    for (int i = 0; i < pipes->terrain->width; i++)
        heights[i] = (float)(pipes->base.low + (double)ground[i] * pipes->grain);
}

AddJob silt_pipes_begin_add(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    if (!on_map(pipes, row)) {
        silt_pipes_wall_row(pipes, rows, row);
        return (AddJob){.walled = true};
    }
    const int32_t *ground = silt_pipes_row(pipes, band, GROUND, row);
    wall_ends(rows->ground[k], pipes->terrain->width);
    if (silt_supply_needs_ground(&pipes->supply))
        silt_pipes_heights_row(pipes, ground, rows->heights);
    const float *supply = silt_supply_row(&pipes->supply, row, rows->heights, rows->buffer);
    float per_metre = (float)(1.0 / pipes->grain);
    int32_t more = silt_grains(supply[0] * per_metre, pipes->rain_dither);
    bool same = pipes->supply.is_constant && more < SILT_GRAINS_WALL / 2;
    return (AddJob){.ground = ground,
                    .water = silt_pipes_row(pipes, band, WATER, row),
                    .around = silt_pipes_row(pipes, band, AROUND, row),
                    .supply = supply,
                    .same = same,
                    .more = more,
                    .ground_out = rows->ground[k],
                    .water_out = rows->water[k],
                    .around_out = rows->around[k],
                    .per_metre = per_metre,
                    .dither = pipes->rain_dither,
                    .growth = pipes->growth};
}

// The same rain everywhere, and room for it: returns the highest surface.
SILT_CLONES static int32_t add_evenly(const AddJob *shared, Span span)
{
    AddJob job = *shared;
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

SILT_CLONES static void add_supply(AddJob *shared, Span span)
{
    AddJob job = *shared;
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

void silt_pipes_add_water(AddJob *job, Span span)
{
    if (!job->ground)
        return;
    if (job->same && add_evenly(job, span) < SILT_GRAINS_WALL)
        job->added += (int64_t)job->more * (span.end - span.begin);
    else
        add_supply(job, span);
}

// ---- fluxes (eq. 2-3) ----

FluxJob silt_pipes_begin_flux(const Pipes *pipes, PipesBand *band, int row, bool diagonal)
{
    PipesRows *rows = &band->rows;
    FluxJob job = {
        .ground_here = rows->ground[ring(row)],
        .ground_above = rows->ground[ring(row - 1)],
        .water_here = rows->water[ring(row)],
        .water_above = rows->water[ring(row - 1)],
        .pipe = pipes->pipe[diagonal ? SOUTH_EAST : EAST],
        .bank = {.rest = pipes->rest[diagonal ? SOUTH_EAST : EAST], .rate = pipes->slide, .wet = pipes->wet},
        .diagonal = diagonal,
        .fixed = pipes->params->pipe_area > 0.0};
    for (int n = 0; n < PAIR; n++) {
        int d = diagonal ? SOUTH_EAST + n : EAST + n, from = d == EAST ? row : row - 1;
        job.flux[n] = silt_pipes_flux_row(pipes, band, from, d);
        job.slid[n] = pipes->banks ? rows->slid[ring(from)][d] : NULL;
    }
    return job;
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

SILT_INLINE void flux_cells(FluxJob *shared, Span span, bool diagonal, bool fixed)
{
    FluxJob job = *shared;
    int32_t swift_0 = 0, swift_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        SiltPipesFlow flow_0 = silt_pipes_flux(ends.a[0], ends.b[0], job.flux[0][i], job.pipe, fixed);
        SiltPipesFlow flow_1 = silt_pipes_flux(ends.a[1], ends.b[1], job.flux[1][i], job.pipe, fixed);
        job.flux[0][i] = flow_0.flux;
        job.flux[1][i] = flow_1.flux;
        swift_0 += flow_0.swift;
        swift_1 += flow_1.swift;
    }
    shared->swift[0] += swift_0;
    shared->swift[1] += swift_1;
}

SILT_CLONES static void flux_straight(FluxJob *job, Span span)
{
    flux_cells(job, span, false, false);
}

SILT_CLONES static void flux_diagonal(FluxJob *job, Span span)
{
    flux_cells(job, span, true, false);
}

SILT_CLONES static void flux_fixed(FluxJob *job, Span span)
{
    if (job->diagonal)
        flux_cells(job, span, true, true);
    else
        flux_cells(job, span, false, true);
}

SILT_INLINE void bank_cells(FluxJob *shared, Span span, bool diagonal)
{
    FluxJob job = *shared;
    int32_t any_0 = 0, any_1 = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        Ends ends = ends_at(&job, i, diagonal);
        int32_t slid_0 = silt_pipes_slides(ends.a[0], ends.b[0], job.bank);
        int32_t slid_1 = silt_pipes_slides(ends.a[1], ends.b[1], job.bank);
        job.slid[0][i] = slid_0;
        job.slid[1][i] = slid_1;
        any_0 |= slid_0;
        any_1 |= slid_1;
    }
    shared->any_slid[0] |= any_0;
    shared->any_slid[1] |= any_1;
}

SILT_CLONES static void banks_straight(FluxJob *job, Span span)
{
    bank_cells(job, span, false);
}

SILT_CLONES static void banks_diagonal(FluxJob *job, Span span)
{
    bank_cells(job, span, true);
}

void silt_pipes_update_flux(FluxJob *job, Span span)
{
    if (job->fixed)
        flux_fixed(job, span);
    else if (job->diagonal)
        flux_diagonal(job, span);
    else
        flux_straight(job, span);
    if (job->slid[0] && job->diagonal)
        banks_diagonal(job, span);
    else if (job->slid[0])
        banks_straight(job, span);
}

// ---- open borders ----

static float leaves(const Pipes *pipes, const PipesRows *rows, int row, int i, int32_t sill, int32_t inner)
{
    SiltPipesBorder border = {.grain = (float)pipes->grain,
                              .cell = (float)pipes->terrain->cell,
                              .gravity = (float)pipes->params->gravity,
                              .friction = (float)pipes->params->friction,
                              .fastest = (float)pipes->fastest};
    SiltPipesEnd here = {rows->ground[ring(row)][i], rows->water[ring(row)][i]};
    return silt_pipes_leaves(here, sill, inner, border);
}

// Of the row below only memory knows the ground yet.
static int32_t ground_below(const Pipes *pipes, const PipesBand *band, int row, int i)
{
    const int32_t *ground = on_map(pipes, row + 1) ? silt_pipes_row(pipes, band, GROUND, row + 1) : NULL;
    return ground ? ground[i] : SILT_GRAINS_WALL;
}

static float edge_at(const Pipes *pipes, const PipesBand *band, int row, int i)
{
    const PipesParams *params = pipes->params;
    const PipesRows *rows = &band->rows;
    const int32_t *sills = pipes->sills;
    int k = ring(row), last_i = pipes->terrain->width - 1, last_row = pipes->terrain->height - 1;
    float north = 0.0f, south = 0.0f, west = 0.0f, east = 0.0f;
    if (row == 0 && params->north == SILT_BORDER_OPEN)
        north = leaves(pipes, rows, row, i, sills[i], ground_below(pipes, band, row, i));
    if (row == last_row && params->south == SILT_BORDER_OPEN)
        south = leaves(pipes, rows, row, i, sills[last_i + 1 + i], rows->ground[ring(row - 1)][i]);
    if (i == 0 && params->west == SILT_BORDER_OPEN)
        west = leaves(pipes, rows, row, i, sills[2 * (last_i + 1) + row], rows->ground[k][i + 1]);
    if (i == last_i && params->east == SILT_BORDER_OPEN)
        east =
            leaves(pipes, rows, row, i, sills[2 * (last_i + 1) + last_row + 1 + row], rows->ground[k][i - 1]);
    return (north + south) + (west + east);
}

static void open_borders(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row), width = pipes->terrain->width;
    if (rows->edge_filled[k]) {
        memset(rows->edge[k], 0, (size_t)width * sizeof(float));
        memset(rows->edge_grains[k], 0, (size_t)width * sizeof(int32_t));
    }
    bool inside = on_map(pipes, row);
    rows->edge_filled[k] = inside;
    for (int i = 0; inside && i < width; i += silt_pipes_edge_stride(pipes, row))
        rows->edge[k][i] = edge_at(pipes, band, row, i);
    rows->edge_filled[k] =
        !inside || silt_pipes_edge_stride(pipes, row) == 1; // else the next row overwrites both ends
}

void silt_pipes_leave(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    if (!on_map(pipes, row))
        return;
    for (int i = 0; i < pipes->terrain->width; i += silt_pipes_edge_stride(pipes, row)) {
        float out = rows->edge[k][i] * rows->share[k][i];
        rows->edge_grains[k][i] = silt_pipes_grains(out * pipes->to_grains, pipes->water_dither);
        band->tally.left += owns(band, row) ? rows->edge_grains[k][i] : 0;
    }
}

// ---- limits (eq. 4-5) ----

ShareJob silt_pipes_begin_share(const Pipes *pipes, PipesBand *band, int row)
{
    PipesRows *rows = &band->rows;
    int k = ring(row);
    open_borders(pipes, band, row);
    const float *zero = rows->zero;
    CellPipes outside = {zero, zero, zero, zero, zero, zero, zero};
    return (ShareJob){.flux = on_map(pipes, row) ? silt_pipes_flux_rows(pipes, band, row) : outside,
                      .edge = rows->edge[k],
                      .water = rows->water[k],
                      .share = rows->share[k],
                      .to_grains = pipes->to_grains,
                      .one = 1.0f,
                      .stale = rows->tight[k & 1],
                      .width = pipes->terrain->width,
                      .edge_stride = silt_pipes_edge_stride(pipes, row)};
}

// At a border with what leaves over it, and without what memory holds beyond the ends of the row.
SILT_INLINE SiltPipesWish wish_of(const ShareJob *job, int i, bool border, bool eight)
{
    SiltPipesFluxes flux = fluxes_at(job->flux, i, border && i == 0, border && i == job->width - 1, eight);
    return silt_pipes_wish(flux, border ? job->edge[i] : 0.0f, job->water[i], job->to_grains, job->none,
                           eight, border);
}

// Whether some cells want more than they can give.
SILT_INLINE bool find_tight(const ShareJob *shared, Span span, bool eight)
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

SILT_INLINE void share_cells(ShareJob *shared, Span span, bool eight)
{
    ShareJob job = *shared;
    int32_t limited = 0;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        SiltPipesWish wish = wish_of(&job, i, false, eight);
        job.share[i] = silt_pipes_share(wish.wanted, wish.spare, job.one);
        limited += wish.wanted > wish.held;
    }
    shared->limited += limited;
}

// Mostly all cells can give what they want: then there is nothing to divide.
SILT_CLONES static bool share_four(ShareJob *job, Span span)
{
    bool tight = find_tight(job, span, false);
    if (tight)
        share_cells(job, span, false);
    return tight;
}

SILT_CLONES static bool share_eight(ShareJob *job, Span span)
{
    bool tight = find_tight(job, span, true);
    if (tight)
        share_cells(job, span, true);
    return tight;
}

static void share_all(const ShareJob *job, Span span)
{
    for (int i = span.begin; i < span.end; i++)
        job->share[i] = job->one;
}

// eq. 4. Border cells are done again, with what leaves; the first of a row only there, as what lies before it
// in memory is the end of a row that another thread may be at.
void silt_pipes_limit_outflow(ShareJob *job, Span span, bool eight)
{
    Span inside = {span.begin > 0 ? span.begin : 1, span.end};
    bool tight = eight ? share_eight(job, inside) : share_four(job, inside);
    if (!tight && job->stale)
        share_all(job, span);
    job->tight = job->tight || tight;
    int first = job->edge_stride == 1 ? span.begin : span.begin == 0 ? 0 : job->width - 1;
    for (int i = first; i < span.end; i += job->edge_stride) {
        SiltPipesWish wish = wish_of(job, i, true, eight);
        job->limited += wish.wanted > wish.held;
        if (i > 0) {
            SiltPipesWish inner = wish_of(job, i, false, eight);
            job->limited -= inner.wanted > inner.held;
        }
        job->share[i] = silt_pipes_share(wish.wanted, wish.spare, job->one);
        job->tight = job->tight || job->share[i] < job->one;
    }
}

ScaleJob silt_pipes_begin_scale(const Pipes *pipes, PipesBand *band, int row, bool diagonal)
{
    PipesRows *rows = &band->rows;
    ScaleJob job = {.share_here = rows->share[ring(row)],
                    .share_above = rows->share[ring(row - 1)],
                    .to_grains = pipes->to_grains,
                    .dither = pipes->water_dither,
                    .diagonal = diagonal,
                    .tight_above = rows->tight[ring(row - 1) & 1]};
    for (int n = 0; n < PAIR; n++) {
        int d = diagonal ? SOUTH_EAST + n : EAST + n, from = d == EAST ? row : row - 1;
        job.flux[n] = silt_pipes_flux_row(pipes, band, from, d);
        job.grains[n] = rows->grains[ring(from)][d];
    }
    return job;
}

// eq. 5
SILT_INLINE void scale_pipe(const ScaleJob *job, int n, int i, float share_forth, float share_back)
{
    SiltPipesScaled scaled =
        silt_pipes_scale(job->flux[n][i], share_forth, share_back, job->to_grains, job->dither);
    job->grains[n][i] = scaled.grains;
    job->flux[n][i] = scaled.flux;
}

SILT_INLINE void scale_cells(const ScaleJob *shared, Span span, bool diagonal)
{
    ScaleJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        float here = job.share_here[i], above = job.share_above[i], east = job.share_here[i + 1];
        float west = diagonal ? job.share_here[i - 1] : 0.0f;
        scale_pipe(&job, 0, i, diagonal ? above : here, east);
        scale_pipe(&job, 1, i, above, diagonal ? west : here);
    }
}

SILT_CLONES static void scale_straight(const ScaleJob *job, Span span)
{
    scale_cells(job, span, false);
}

SILT_CLONES static void scale_diagonal(const ScaleJob *job, Span span)
{
    scale_cells(job, span, true);
}

// All shares are one.
SILT_CLONES static void count_grains(const ScaleJob *shared, Span span)
{
    ScaleJob job = *shared;
    SILT_INDEPENDENT
    for (int i = span.begin; i < span.end; i++) {
        job.grains[0][i] = silt_pipes_grains(job.flux[0][i] * job.to_grains, job.dither);
        job.grains[1][i] = silt_pipes_grains(job.flux[1][i] * job.to_grains, job.dither);
    }
}

void silt_pipes_scale_flux(const ScaleJob *job, Span span, bool tight)
{
    if (!tight && !job->tight_above)
        count_grains(job, span);
    else if (job->diagonal)
        scale_diagonal(job, span);
    else
        scale_straight(job, span);
}
