// Stream power along the drainage order (after Braun & Willett 2013): seen from an outlet upwards, the height
// each cell falls to is known before its own, so every cell has one unknown and any step is stable. Sediment
// then goes down the same way, from ridges to outlets: a cell lays down G / A times what comes (Davy & Lague
// 2009, Yuan et al. 2019), and never more than comes.
#include <math.h>

#include "core/parallel.h"
#include "erode/rivers.h"
#include "physics/rivers_cell.h"
#include "terrain/order.h"

// Carved rivers fall by this much from cell to cell, so that rounding leaves no pits.
static const double least_fall = 0x1p-10;
// Closer than this they are level: what is left of the sums of creep.
static const double rounding = 1e-9;

// ---- what each cell is, and K A^m dt / d^n ----

static double area_power(double area, double m)
{
    return m == 0.5 ? sqrt(area) : m == 0.0 ? 1.0 : silt_power(area, m);
}

static uint8_t kind_of(const Rivers *rivers, int i, int j, int32_t cell, bool lake)
{
    const SiltDrainage *d = rivers->drainage;
    const SiltDrainageOptions *options = &rivers->options;
    if (d->receiver[cell] < 0)
        return RIVERS_WALL;
    if (options->has_sea && rivers->height[cell] <= options->sea_level)
        return RIVERS_SEA;
    if (d->receiver[cell] != cell)
        return lake ? RIVERS_LAKE : RIVERS_LAND;
    bool side = i == 0 || j == 0 || i == d->width - 1 || j == d->height - 1;
    bool open = side ? !options->closed_sides : rivers->terrain->nodata && !options->nodata_walls;
    if (rivers->outlets ? !rivers->outlets[cell] : !open)
        return RIVERS_SINK;
    return rivers->params->sides == RIVERS_FALLING ? RIVERS_FALLS : RIVERS_KEPT;
}

static double incision_at(const Rivers *rivers, int i, int j, int32_t cell)
{
    double k = rivers->params->incision;
    if (rivers->erodibility) {
        double share = (double)silt_field_at(rivers->erodibility, i, j);
        k *= share > 0.0 ? share : 0.0;
    }
    if (rivers->strata.count)
        k *= (double)silt_strata_erodibility(&rivers->strata, i, j, (float)rivers->height[cell]);
    return k;
}

// The catchment of a cell, m2, weighed by the rain that falls there. On a slope without valleys it would be
// as narrow as the cell, and finer grids would have steeper slopes: the water of such a slope runs in rills,
// apart by a quarter of the length at which they have gathered source_area.
static double catchment(const Rivers *rivers, int32_t cell)
{
    const SiltDrainage *d = rivers->drainage;
    double area = silt_drainage_catchment(d, cell);
    double rill = (double)d->length[cell] * d->cell * rivers->rill_width;
    area = area > rill ? area : rill;
    return rivers->rain ? area * rivers->wetness[cell] : area;
}

static float factor_at(const Rivers *rivers, int i, int j, int32_t cell, double area,
                       const double over_distance[3])
{
    const SiltDrainage *d = rivers->drainage;
    int32_t apart = d->receiver[cell] - cell;
    bool straight = apart == 1 || apart == -1 || apart == d->width || apart == -d->width;
    area = area > rivers->params->source_area ? area : rivers->params->source_area;
    double k = incision_at(rivers, i, j, cell) * area_power(area, rivers->params->area_exponent);
    double f = k * rivers->dt * over_distance[apart == 0 ? 2 : straight ? 0 : 1];
    return f < 1e30 ? (float)f : 1e30f;
}

// m/year. Outlets that keep their height do not rise, but those of an open edge sink with the land.
static double uplift_at(const Rivers *rivers, int i, int j, uint8_t kind)
{
    const RiversParams *params = rivers->params;
    double up = params->uplift;
    if (rivers->uplift)
        up += params->uplift_scale * (double)silt_field_at(rivers->uplift, i, j);
    if (kind != RIVERS_KEPT)
        return up;
    return params->sides == RIVERS_OPEN && up < 0.0 ? up : 0.0;
}

static double prepare_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    const RiversParams *params = rivers->params;
    const SiltDrainage *d = rivers->drainage;
    double n = params->slope_exponent, raised = 0.0;
    double over_distance[3] = {1.0 / silt_power(d->cell, n), 1.0 / silt_power(d->cell * sqrt(2.0), n),
                               1.0 / silt_power(params->reach, n)};
    for (int j = begin; j < end; j++) {
        const float *surface = silt_field_row(&d->surface, j);
        const float *ground = silt_field_row(&rivers->ground->layers[0]->field, j);
        for (int i = 0; i < d->width; i++) {
            int32_t c = j * d->width + i;
            uint8_t kind = kind_of(rivers, i, j, c, surface[i] > ground[i]);
            rivers->kind[c] = kind;
            rivers->crept[c] = 0.0;
            if (kind == RIVERS_WALL)
                continue;
            double area = catchment(rivers, c);
            if (kind == RIVERS_LAND && params->source_area > 0.0 && area >= params->source_area)
                rivers->kind[c] = RIVERS_VALLEY;
            double up = uplift_at(rivers, i, j, kind) * rivers->dt;
            bool fixed = kind == RIVERS_KEPT && params->sides == RIVERS_FIXED;
            rivers->level[c] = kind == RIVERS_SEA    ? rivers->options.sea_level
                               : kind == RIVERS_LAKE ? (double)surface[i] + up
                               : fixed               ? rivers->height[c]
                                                     : -INFINITY;
            rivers->factor[c] = factor_at(rivers, i, j, c, area, over_distance);
            rivers->height[c] += up;
            if (rivers->raised.data) // rock rises below outlets too, and is cut off
                silt_field_row(&rivers->raised, j)[i] +=
                    (float)(uplift_at(rivers, i, j, RIVERS_LAND) * rivers->dt);
            raised += up;
        }
    }
    return raised;
}

double silt_rivers_prepare(Rivers *rivers)
{
    return silt_parallel_sum(rivers->drainage->height, prepare_rows, rivers);
}

// ---- from outlets up: incision ----

// From height to next. With H the height, b that of the receiver, g = G / A (A in cells) and Q what comes
// into the cell, its new height x is that of x + f (x - b)^n = H + g (Q + H - x): what is laid down is a
// share of what comes and of what the cell itself gives. Q is known only afterwards: it is from the last
// time.
static void incise_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    double n = rivers->params->slope_exponent, settles = rivers->params->deposition;
    double *next = rivers->next;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        uint8_t kind = rivers->kind[c];
        double own = rivers->height[c], below = rivers->base, f = (double)rivers->factor[c];
        if (rivers_is_land(kind)) {
            double share = 1.0 / (1.0 + settles / (double)d->area[c]);
            below = next[to] > rivers->level[to] ? next[to] : rivers->level[to];
            rivers->level[c] = rivers->level[to];
            own += (1.0 - share) * rivers->flux[c];
            f *= share;
        } else if (kind != RIVERS_FALLS) {
            next[c] = own;
            continue;
        }
        double above = own - below;
        next[c] = above > 0.0 ? below + (n == 1.0 ? above / (1.0 + f) : rivers_drop(above, f, n)) : own;
    }
}

void silt_rivers_incise(Rivers *rivers)
{
    silt_order_up(rivers->drainage, incise_up, rivers);
}

// ---- from ridges down: sediment ----

static void clear_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        rivers->flux[c] = rivers->crept[c];
        rivers->lowest[c] = INFINITY;
    }
}

// The new height of a cell into which `in` comes: never above what there was and came together, lakes and
// the sea filled up to their surface, carved rivers below all that drains to them.
static double settle(const Rivers *rivers, int32_t c, double in)
{
    double most = rivers->height[c] + in, to = rivers->next[c];
    uint8_t kind = rivers->kind[c];
    if (kind == RIVERS_LAKE || kind == RIVERS_SEA)
        to = to < rivers->level[c] ? (most < rivers->level[c] ? most : rivers->level[c]) : to;
    to = to > most ? most : to;
    bool carves = rivers->params->lakes == SILT_LAKES_CARVE && kind != RIVERS_SEA;
    double lowest = rivers->lowest[c] - least_fall;
    lowest = lowest > rivers->level[c] ? lowest : rivers->level[c]; // no use below a fixed outlet
    bool level = fabs(to - rivers->lowest[c]) < rounding;           // flats need not fall
    return carves && to > lowest && !level ? lowest : to;
}

static void carry_down(void *context, int32_t begin, int32_t end, double *left)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = begin; k < end; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        double level = settle(rivers, c, rivers->flux[c]);
        double out = rivers->flux[c] + (rivers->height[c] - level);
        rivers->next[c] = level;
        if (to != c) {
            rivers->flux[to] += out;
            rivers->lowest[to] = level < rivers->lowest[to] ? level : rivers->lowest[to];
        } else if (rivers->kind[c] == RIVERS_SINK) {
            rivers->level[c] = level;
            rivers->flux[c] = out;
        } else {
            *left += out;
        }
    }
}

double silt_rivers_carry(Rivers *rivers)
{
    silt_parallel(rivers->drainage->height, 16, clear_rows, rivers);
    return silt_order_down(rivers->drainage, carry_down, rivers);
}

// ---- pieces of land without an outlet ----

enum { HALVINGS = 50 };

// Whether the water of cell c ends in a sink, and in which. Roots are kept in `lowest`, those of roots aside:
// there it holds a sum.
static bool sink_of(const Rivers *rivers, int32_t c, int32_t *sink)
{
    *sink = rivers->drainage->receiver[c] == c ? c : (int32_t)rivers->lowest[c];
    return rivers->kind[*sink] == RIVERS_SINK;
}

// How much would lie in each sink if it were filled `share` of its volume above its level.
static void weigh_sinks(Rivers *rivers, double share)
{
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], sink;
        if (!sink_of(rivers, c, &sink))
            continue;
        if (sink == c)
            rivers->lowest[c] = 0.0;
        double depth = rivers->level[sink] + share * rivers->flux[sink] - rivers->next[c];
        rivers->lowest[sink] += depth > 0.0 ? depth : 0.0;
    }
}

void silt_rivers_fill_sinks(Rivers *rivers)
{
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c)
            rivers->lowest[c] = d->receiver[to] == to ? (double)to : rivers->lowest[to];
    }
    double share = 0.5; // of one cell filled with all of it, halved again and again
    for (int n = 0; n < HALVINGS; n++, share *= 0.5) {
        weigh_sinks(rivers, share);
        for (int32_t k = 0; k < d->count; k++) {
            int32_t c = d->order[k];
            if (rivers->kind[c] == RIVERS_SINK && rivers->lowest[c] <= rivers->flux[c])
                rivers->level[c] += share * rivers->flux[c];
        }
    }
    for (int32_t k = 0; k < d->count; k++) { // each sink comes last of its own
        int32_t c = d->order[k], sink;
        if (!sink_of(rivers, c, &sink))
            continue;
        double depth = rivers->level[sink] - rivers->next[c];
        double settled = sink == c ? rivers->flux[c] : depth > 0.0 ? depth : 0.0;
        rivers->flux[sink] -= settled;
        rivers->next[c] += settled;
    }
}
