// Stream power along the drainage order (after Braun & Willett 2013): seen from an outlet upwards, the height
// each cell falls to is known before its own, so every cell has one unknown and any step is stable. A cell
// lays down G / A times what comes (Davy & Lague 2009, Yuan et al. 2019); rivers_carry.c brings it.
#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "erode/rivers.h"
#include "physics/rivers_cell.h"
#include "terrain/order.h"

// ---- what each cell is, and K A^m dt / d^n ----

static double area_power(double area, double m)
{
    return m == 0.5 ? sqrt(area) : m == 0.0 ? 1.0 : silt_power(area, m);
}

// By the height that the drainage knows, in float: a cell that it lets out into the sea must not be a sink.
static uint8_t kind_of(const Rivers *rivers, int i, int j, int32_t cell, float ground, bool lake)
{
    const SiltDrainage *d = rivers->drainage;
    const SiltDrainageOptions *options = &rivers->options;
    if (d->receiver[cell] < 0)
        return RIVERS_WALL;
    if (options->has_sea && (double)ground <= options->sea_level)
        return RIVERS_SEA;
    if (d->receiver[cell] != cell)
        return lake ? RIVERS_LAKE : RIVERS_LAND;
    bool side = i == 0 || j == 0 || i == d->width - 1 || j == d->height - 1;
    bool open = side ? !options->closed_sides : rivers->terrain->nodata && !options->nodata_walls;
    if (rivers->outlets ? !rivers->outlets[cell] : !open)
        return RIVERS_SINK;
    if (rivers->outlets && rivers->outlets[cell] == RIVERS_WAY_OUT)
        return RIVERS_LEAVES;
    return rivers->params->sides == RIVERS_FALLING ? RIVERS_FALLS : RIVERS_KEPT;
}

// How easily the rock of a cell is worn, 1 if nothing is known of it.
static double erodibility_at(const Rivers *rivers, int i, int j, int32_t cell)
{
    double k = 1.0;
    if (rivers->erodibility) {
        double share = (double)silt_field_at(rivers->erodibility, i, j);
        k *= share > 0.0 ? share : 0.0;
    }
    if (rivers->strata.count)
        k *= (double)silt_strata_erodibility(&rivers->strata, i, j, (float)rivers->height[cell]);
    return k;
}

// The catchment of a cell, m2, weighed by the rain that falls there. What runs along an open edge has as much
// land again on the other side of it.
static double catchment(const Rivers *rivers, int32_t cell)
{
    double area = silt_drainage_catchment(rivers->drainage, cell);
    bool along = rivers->edge && rivers->edge[cell] && rivers->outlets[cell] != RIVERS_WAY_OUT;
    area *= along ? 2.0 : 1.0;
    return rivers->rain ? area * rivers->wetness[cell] : area;
}

// What stands for A^m: rivers need some power before they cut at all, as much as source_area has; what is
// left of it there falls off with A squared, so that slopes are left to creep, and valleys begin without a
// step.
static const double gully_share = 0.15;

static double stream_power(const Rivers *rivers, double area)
{
    double source = rivers->params->source_area;
    if (area >= source)
        return area_power(area, rivers->params->area_exponent) - (1.0 - gully_share) * rivers->source_power;
    double share = area / source;
    return gully_share * rivers->source_power * share * share;
}

static float factor_at(const Rivers *rivers, int32_t cell, double area, double erodibility,
                       const double over_distance[3])
{
    const SiltDrainage *d = rivers->drainage;
    int32_t apart = d->receiver[cell] - cell;
    bool straight = apart == 1 || apart == -1 || apart == d->width || apart == -d->width;
    double k = rivers->params->incision * erodibility * stream_power(rivers, area);
    bool beyond = apart == 0 && rivers->kind[cell] != RIVERS_LEAVES;
    double f = k * rivers->dt * over_distance[beyond ? 2 : straight || apart == 0 ? 0 : 1];
    return f < 1e30 ? (float)f : 1e30f;
}

// What multiplies the critical slope: rock that wears ten times as slowly stands nearly twice as steep, and
// what nothing wears (protected ground) stands however steep it is.
static float steepness(double erodibility)
{
    if (!(erodibility > 0.0))
        return 1e6f;
    double e = erodibility > 1e-3 ? (erodibility < 1e3 ? erodibility : 1e3) : 1e-3;
    return (float)(1.0 / sqrt(sqrt(e)));
}

// m/year. Outlets that keep their height do not rise, but those of an open edge sink with the land.
static double uplift_at(const Rivers *rivers, int i, int j, uint8_t kind)
{
    const RiversParams *params = rivers->params;
    double up = params->uplift;
    if (rivers->uplift)
        up += params->uplift_scale * (double)silt_field_at(rivers->uplift, i, j);
    up *= rivers->rising;
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
    bool bare = rivers->rise != rivers->strength, beds = rivers->strata.count && rivers->strata.bed;
    double over_distance[3] = {1.0 / silt_power(d->cell, n), 1.0 / silt_power(d->cell * sqrt(2.0), n),
                               1.0 / silt_power(params->reach, n)};
    for (int j = begin; j < end; j++) {
        const float *surface = silt_field_row(&d->surface, j);
        const float *ground = silt_field_row(&rivers->ground->layers[0]->field, j);
        for (int i = 0; i < d->width; i++) {
            int32_t c = j * d->width + i;
            uint8_t kind = kind_of(rivers, i, j, c, ground[i], surface[i] > ground[i]);
            rivers->kind[c] = kind;
            rivers->crept[c] = 0.0;
            rivers->level[c] = INFINITY;
            rivers->begun[c] = rivers->height[c];
            if (kind == RIVERS_WALL)
                continue;
            double area = catchment(rivers, c);
            bool stream = params->source_area > 0.0 && area >= params->source_area;
            rivers->kind[c] = kind == RIVERS_LAND && stream ? RIVERS_VALLEY : kind;
            bool flows = stream && (kind == RIVERS_LAND || kind == RIVERS_KEPT || kind == RIVERS_LEAVES);
            rivers->belt[c] = flows ? silt_rivers_belt(rivers, area) : 0.0f;
            double up = uplift_at(rivers, i, j, kind) * rivers->dt;
            bool leaves = kind == RIVERS_LEAVES;
            bool fixed = kind == RIVERS_KEPT && params->sides == RIVERS_FIXED;
            rivers->level[c] = kind == RIVERS_SEA    ? rivers->options.sea_level
                               : kind == RIVERS_LAKE ? (double)surface[i] + up
                               : fixed               ? rivers->height[c]
                               : leaves              ? rivers->height[c] + (up < 0.0 ? up : 0.0)
                                                     : -INFINITY;
            double erodibility = bare ? erodibility_at(rivers, i, j, c) : 1.0;
            rivers->factor[c] = factor_at(rivers, c, area, erodibility, over_distance);
            if (bare)
                rivers->rise[c] = rivers->strength[c] * steepness(erodibility) *
                                  (beds ? silt_rivers_bedding(rivers, i, j) : 1.0f);
            rivers->begun[c] += up;
            raised += up;
        }
    }
    return raised;
}

double silt_rivers_prepare(Rivers *rivers)
{
    double source = rivers->params->source_area;
    rivers->source_power = source > 0.0 ? area_power(source, rivers->params->area_exponent) : 0.0;
    return silt_parallel_sum(rivers->drainage->height, prepare_rows, rivers);
}

// Rock rises below outlets too, and is cut off.
static void raise_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < rivers->drainage->width; i++)
            if (rivers->kind[j * rivers->drainage->width + i] != RIVERS_WALL)
                silt_field_row(&rivers->raised, j)[i] +=
                    (float)(uplift_at(rivers, i, j, RIVERS_LAND) * rivers->dt);
}

void silt_rivers_raise(Rivers *rivers)
{
    if (rivers->raised.data)
        silt_parallel(rivers->drainage->height, 16, raise_rows, rivers);
}

// ---- from outlets up: incision ----

// Slopes steeper than this part of the critical one keep nothing of what slides over them.
static const double rests_below = 0.5;

// What is laid down, as a share g of what comes: G / A in cells. On hillslopes only where they are gentle;
// `over_rest` is one over the fall to the next cell of those that are not.
static double settling(const Rivers *rivers, int32_t c, double above, double over_rest)
{
    double steep = rivers->kind[c] == RIVERS_VALLEY ? 0.0 : above * over_rest;
    if (steep >= 1.0)
        return 0.0;
    double g = rivers->params->deposition / (double)rivers->drainage->area[c];
    return g * (1.0 - (steep > 0.0 ? steep : 0.0));
}

// How low a cell comes that slides: it keeps a little of its height above where it drains to.
static double slid(const Rivers *rivers, int32_t c, int32_t to)
{
    const double keeps = 0.05;
    double own = rivers->next[c], low = own - (double)rivers->fall[c], base = rivers->next[to];
    double least = own > base ? base + keeps * (own - base) : own;
    return low > least ? low : least;
}

// A river that has filled its bed to the height of the land beside it breaks out to lower ground: it lays
// down no more than that in a step.
static double highest_beside(const Rivers *rivers, int32_t c)
{
    const SiltDrainage *d = rivers->drainage;
    int i = c % d->width, j = c / d->width;
    double most = rivers->height[c];
    for (int y = j > 0 ? j - 1 : j; y <= j + 1 && y < d->height; y++)
        for (int x = i > 0 ? i - 1 : i; x <= i + 1 && x < d->width; x++) {
            int32_t at = y * d->width + x;
            if (rivers->kind[at] != RIVERS_WALL && rivers->height[at] > most)
                most = rivers->height[at];
        }
    return most;
}

// A bed steeper than a part of the critical slope is a chute: debris runs down it and takes along what lies
// there (in valleys cut by debris flows slope grows ever less towards the heads, Stock & Dietrich 2003; where
// it ends is our choice). The slopes beside it follow, and walls are ribbed.
static double scoured(const Rivers *rivers, double bed, double below, double rise)
{
    double most = below + rivers->params->chute_slope * rise;
    double share = rivers->dt / (rivers->dt + rivers->params->slide_time);
    return bed > most ? bed - share * (bed - most) : bed;
}

// Where the slope of the land goes on beyond the edge a stream cuts as everywhere on that slope; what rivers
// outside it do is not known, and it comes no lower than it was.
static double cut_through(const Rivers *rivers, int32_t c)
{
    double fall = silt_rivers_falls_outwards(rivers, c), n = rivers->params->slope_exponent;
    double to = rivers->height[c] - (double)rivers->factor[c] * (n == 1.0 ? fall : silt_power(fall, n));
    return to > rivers->level[c] ? to : rivers->level[c];
}

// From height to next. With H the height, b that of the receiver, g as above and Q what comes into the cell,
// its new height x is that of x + f (x - b)^n = H + g (Q + H - x): what is laid down is a share of what comes
// and of what the cell itself gives. Q is known only afterwards: it is from the last time.
static void incise_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    double n = rivers->params->slope_exponent;
    double rest = rivers->critical * rests_below; // where there are no hillslopes, all may settle
    double over_rest = rivers->params->source_area > 0.0 ? 1.0 / (rest * d->cell) : 0.0;
    double *next = rivers->next;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k], to = d->receiver[c], apart = to > c ? to - c : c - to;
        uint8_t kind = rivers->kind[c];
        bool straight = apart == 1 || apart == d->width;
        double own = rivers->height[c], below = rivers->base, f = (double)rivers->factor[c];
        if (silt_rivers_is_land(kind)) {
            below = next[to] > rivers->level[to] ? next[to] : rivers->level[to];
            rivers->level[c] = rivers->level[to];
            double g = settling(rivers, c, own - below, straight ? over_rest : over_rest * 0.70710678);
            if (g > 0.0) {
                double share = 1.0 / (1.0 + g);
                own += (1.0 - share) * rivers->flux[c];
                f *= share;
            }
        } else if (kind != RIVERS_FALLS) {
            next[c] = kind == RIVERS_LEAVES ? cut_through(rivers, c) : own;
            continue;
        }
        double above = own - below;
        next[c] = above > 0.0 ? below + (n == 1.0 ? above / (1.0 + f) : rivers_drop(above, f, n)) : own;
        if (kind == RIVERS_VALLEY)
            next[c] =
                scoured(rivers, next[c], below, (double)rivers->rise[c] * (straight ? 1.0 : 1.41421356));
        if (next[c] > rivers->height[c] && kind != RIVERS_FALLS) {
            double most = highest_beside(rivers, c);
            next[c] = next[c] < most ? next[c] : most;
        }
    }
}

bool silt_rivers_incise(Rivers *rivers)
{
    return silt_order_up_heard(rivers->drainage, incise_up, rivers);
}

static void slide_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k];
        if (rivers->fall[c] > 0.0f)
            rivers->next[c] = slid(rivers, c, d->receiver[c]);
    }
}

void silt_rivers_slide(Rivers *rivers)
{
    silt_order_up(rivers->drainage, slide_up, rivers);
}
