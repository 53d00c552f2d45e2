// Sediment goes down the drainage order, from ridges to outlets: rivers lay down what rivers_solve.c has
// asked for, and never more than comes; lakes, the sea and land without an outlet fill up.
#include <math.h>

#include "core/parallel.h"
#include "erode/rivers.h"
#include "physics/power.h"
#include "terrain/order.h"

// Carved rivers fall by this much from cell to cell, so that rounding leaves no pits.
static const double least_fall = 0x1p-10;
// Closer than this they are level: what is left of the sums of creep.
static const double rounding = 1e-9;

static void clear_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    const double *from = rivers->has_carried ? rivers->flux : rivers->crept;
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        rivers->flux[c] = from[c];
        rivers->lowest[c] = rivers->options.lakes == SILT_LAKES_CARVE ? INFINITY : 0.0;
    }
}

// The new height of a cell into which `in` comes: never above what there was and came together, the sea
// filled up to its surface, carved rivers below all that drains to them, but for protected ground: behind
// that sediment fills up what it dams.
static double settle(const Rivers *rivers, int32_t c, double in)
{
    double most = rivers->height[c] + in, to = rivers->next[c];
    uint8_t kind = rivers->kind[c];
    if (kind == RIVERS_SEA)
        to = to < rivers->level[c] ? (most < rivers->level[c] ? most : rivers->level[c]) : to;
    to = to > most ? most : to;
    bool carves = rivers->options.lakes == SILT_LAKES_CARVE && kind != RIVERS_SEA;
    double lowest = rivers->lowest[c] - least_fall;
    lowest = lowest > rivers->level[c] ? lowest : rivers->level[c]; // no use below a fixed outlet
    bool level = fabs(to - rivers->lowest[c]) < rounding;           // flats need not fall
    return carves && to > lowest && !level && !silt_rivers_protects(rivers, (size_t)c) ? lowest : to;
}

// ---- lakes ----

// A lake that has filled up is a plain that streams cross, and they fall: by as much as the river that leaves
// needs to carry on what comes, K A^m S^n = G Qs / A, as everywhere else; but by no less than 1 % with little
// land above it and less with more, by the fourth root of its catchment (fans of small streams are steeper
// than those of large ones), and by no more than the fans of debris flows. Without that fall basins would be
// level from side to side, which no land is.
static const double gentlest_fan = 0.01, steepest_fan = 0.2;

// m from cell to cell, at the cell over which a lake leaves
static double fan_fall(const Rivers *rivers, int32_t c)
{
    const SiltDrainage *d = rivers->drainage;
    double area = (double)d->area[c] * d->cell * d->cell * 1e-6; // km2
    double least = gentlest_fan * d->cell / sqrt(sqrt(1.0 + area)), most = steepest_fan * d->cell;
    double laid = rivers->params->deposition * rivers->flux[c] / (double)d->area[c];
    double f = (double)rivers->factor[c];
    if (!(laid > 0.0) || !(f > 0.0))
        return least;
    double fall = silt_power(laid / f, 1.0 / rivers->params->slope_exponent);
    return fall < least ? least : fall > most ? most : fall;
}

// So far above its water a lake can be filled, into `gain`, from where it leaves up; its fall goes along in
// `lowest`. The water is that of the brim as it is when the river has cut it: what was filled up to the brim
// of before would stand above its own outlet.
static void tilt_lakes_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k], to = d->receiver[c], apart = to > c ? to - c : c - to;
        if (rivers->kind[c] != RIVERS_LAKE)
            continue;
        bool within = rivers->kind[to] == RIVERS_LAKE;
        double length = apart == 1 || apart == d->width ? 1.0 : 1.41421356;
        double below = within ? (double)rivers->gain[to] : 0.0;
        double brim = within ? rivers->level[to] : rivers->next[to];
        rivers->lowest[c] = within ? rivers->lowest[to] : fan_fall(rivers, to);
        rivers->gain[c] = (float)(below + rivers->lowest[c] * length);
        rivers->level[c] = brim < rivers->level[c] ? brim : rivers->level[c];
    }
}

static double lake_room(const Rivers *rivers, int32_t c)
{
    double room = rivers->level[c] + (double)rivers->gain[c] - rivers->height[c];
    return room > 0.0 ? room : 0.0;
}

// Where lakes stand, all that comes into one goes through it to the cell where it leaves, together with how
// much the lake can hold; what it keeps is laid down in the end, everywhere the same share of the depth.
// Until then `lowest` is how much all lakes hold that leave at a cell, and after that their share.
static double carry_on(Rivers *rivers, int32_t c, int32_t to)
{
    if (rivers->kind[c] == RIVERS_LAKE) {
        rivers->next[c] = rivers->height[c];
        rivers->lowest[to] += rivers->lowest[c] + lake_room(rivers, c);
        return rivers->flux[c];
    }
    double room = rivers->lowest[c], kept = rivers->flux[c] < room ? rivers->flux[c] : room;
    rivers->lowest[c] = room > 0.0 && kept > 0.0 ? kept / room : 0.0;
    rivers->flux[c] -= kept > 0.0 ? kept : 0.0;
    double level = settle(rivers, c, rivers->flux[c]), out = rivers->flux[c] + (rivers->height[c] - level);
    rivers->next[c] = level;
    return out;
}

// Where they are cut open: each cell below all that drain to it.
static double carry_and_carve(Rivers *rivers, int32_t c, int32_t to)
{
    double level = settle(rivers, c, rivers->flux[c]), out = rivers->flux[c] + (rivers->height[c] - level);
    rivers->next[c] = level;
    if (to != c)
        rivers->lowest[to] = level < rivers->lowest[to] ? level : rivers->lowest[to];
    return out;
}

static void carry_down(void *context, int32_t begin, int32_t end, double *left)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    bool carves = rivers->options.lakes == SILT_LAKES_CARVE;
    for (int32_t k = begin; k < end; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        double out = carves ? carry_and_carve(rivers, c, to) : carry_on(rivers, c, to);
        if (to != c) {
            rivers->flux[to] += out;
        } else if (rivers->kind[c] == RIVERS_SINK) {
            rivers->level[c] = rivers->next[c];
            rivers->flux[c] = out;
        } else {
            *left += out;
        }
    }
}

static void fill_lakes_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k];
        if (rivers->kind[c] != RIVERS_LAKE)
            continue;
        rivers->lowest[c] = rivers->lowest[d->receiver[c]];
        rivers->next[c] += rivers->lowest[c] * lake_room(rivers, c);
    }
}

bool silt_rivers_carry(Rivers *rivers, double *left)
{
    if (rivers->options.lakes == SILT_LAKES_FILL)
        silt_order_up(rivers->drainage, tilt_lakes_up, rivers);
    if (silt_is_stopped())
        return false;
    if (rivers->time > 0.0) { // what rivers brought is kept for a step that is left
        double *before = rivers->flux;
        rivers->flux = rivers->crept;
        rivers->crept = before;
        rivers->has_carried = true;
    }
    silt_parallel(rivers->drainage->height, 16, clear_rows, rivers);
    if (!silt_order_down_heard(rivers->drainage, carry_down, rivers, left))
        return false;
    if (rivers->options.lakes == SILT_LAKES_FILL)
        silt_order_up(rivers->drainage, fill_lakes_up, rivers);
    return !silt_is_stopped();
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

// How much would lie in each sink if it were filled `share` of its volume above its level. False: somebody
// wants the run to stop.
static bool weigh_sinks(Rivers *rivers, double share)
{
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], sink;
        if (silt_walk_is_stopped(k))
            return false;
        if (!sink_of(rivers, c, &sink))
            continue;
        if (sink == c)
            rivers->lowest[c] = 0.0;
        double depth = rivers->level[sink] + share * rivers->flux[sink] - rivers->next[c];
        rivers->lowest[sink] += depth > 0.0 ? depth : 0.0;
    }
    return true;
}

bool silt_rivers_fill_sinks(Rivers *rivers)
{
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c)
            rivers->lowest[c] = d->receiver[to] == to ? (double)to : rivers->lowest[to];
    }
    double share = 0.5; // of one cell filled with all of it, halved again and again
    for (int n = 0; n < HALVINGS; n++, share *= 0.5) {
        if (!weigh_sinks(rivers, share))
            return false;
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
    return !silt_is_stopped();
}
