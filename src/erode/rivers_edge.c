// Open sides: where rivers leave the map. Of the edge (the sides, and cells beside no data) only its lows are
// outlets, which keep their height as the base of all above them; everything else there rises, drains along
// the edge or inwards, and wears as the land inside does. A low is a cell with no lower one of the edge
// around it, within outlet_spacing; it is an outlet as long as none of its neighbours is lower. All of that
// is geometry: a level edge lets water out everywhere, a turned map has turned outlets.
//
// Land that was there before the run goes on beyond its map: where it falls outwards more steeply than to any
// neighbour, and did so when the run began, water leaves too, or streams that come aslant would gather along
// the edge and cut a ditch there. Such a cell cuts down as a stream in the middle of that slope does, but no
// further than it rises.
#include <math.h>

#include "core/parallel.h"
#include "erode/rivers.h"
#include "terrain/flood.h"

// opened: an outlet whatever lies beside it, from now on or (fresh) if the step is taken; outwards: the land
// fell that way when the run began
enum { EDGE = 1, LOW = 2, OPENED = 4, OUTWARDS = 8, FRESH = 16 };

// Each value becomes the least of itself and the `reach` after it, in all `lines`.
static void least_ahead(double *first, int length, ptrdiff_t step, int lines, int reach)
{
    int span = 1; // how many are compared so far
    while (span < reach + 1) {
        int further = 2 * span <= reach + 1 ? span : reach + 1 - span;
        for (int k = 0; k + further < length; k++) {
            double *own = first + k * step, *other = own + further * step;
            for (int n = 0; n < lines; n++)
                own[n] = other[n] < own[n] ? other[n] : own[n];
        }
        span += further;
    }
}

// Over a square of 2 reach + 1 cells around each.
static void least_around(double *values, int width, int height, int reach)
{
    for (int j = 0; j < height; j++) {
        double *row = values + (size_t)j * (size_t)width;
        least_ahead(row, width, 1, 1, reach);
        least_ahead(row + width - 1, width, -1, 1, reach);
    }
    least_ahead(values, height, width, width, reach);
    least_ahead(values + (size_t)(height - 1) * (size_t)width, height, -(ptrdiff_t)width, width, reach);
}

static int reach_of(const Rivers *rivers)
{
    const SiltTerrain *t = rivers->terrain;
    int longer = t->width > t->height ? t->width : t->height;
    double wanted = rivers->params->outlet_spacing;
    double cells = isnan(wanted) ? longer / 16.0 : wanted / t->cell;
    return cells < longer ? (int)cells : longer;
}

static bool has_height(const SiltTerrain *ground, int i, int j)
{
    return i >= 0 && j >= 0 && i < ground->width && j < ground->height &&
           !silt_terrain_is_nodata(ground, i, j);
}

// Beyond the edge the ground goes on as it comes: towards a place without a height it falls by as much as it
// rises on the opposite side. How far it falls in a cell at the most; 0 where it falls further inside.
static double falls_outwards(const SiltTerrain *ground, int i, int j)
{
    const SiltField *height = &ground->layers[0]->field;
    double own = (double)silt_field_at(height, i, j), outwards = 0.0, inside = 0.0;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++) {
            if (!has_height(ground, i + u, j + v))
                continue;
            double rise = (double)silt_field_at(height, i + u, j + v) - own;
            rise *= u && v ? 0.70710678 : 1.0;
            inside = -rise > inside ? -rise : inside;
            bool straight = !u || !v; // what is aslant of a valley that leads inwards is its side
            if (straight && !has_height(ground, i - u, j - v))
                outwards = rise > outwards ? rise : outwards;
        }
    return outwards > inside ? outwards : 0.0;
}

double silt_rivers_falls_outwards(const Rivers *rivers, int32_t cell)
{
    int width = rivers->ground->width;
    return falls_outwards(rivers->ground, cell % width, cell / width);
}

bool silt_rivers_find_lows(Rivers *rivers)
{
    const SiltTerrain *t = rivers->terrain;
    double *least = rivers->lowest; // free until the first step
    for (int j = 0; j < t->height; j++)
        for (int i = 0; i < t->width; i++) {
            size_t c = (size_t)j * (size_t)t->width + (size_t)i;
            bool edge = !silt_terrain_is_nodata(t, i, j) && silt_flood_is_edge(t, &rivers->options, i, j);
            rivers->edge[c] = edge ? EDGE : 0;
            least[c] = edge ? rivers->height[c] : INFINITY;
        }
    if (silt_is_stopped())
        return false;
    least_around(least, t->width, t->height, reach_of(rivers));
    if (silt_is_stopped())
        return false;
    bool goes_on = rivers->land && !(rivers->began > 0.0) && rivers->options.lakes == SILT_LAKES_FILL;
    for (int32_t c = 0; c < t->width * t->height; c++) {
        rivers->edge[c] |= rivers->edge[c] && rivers->height[c] <= least[c] ? LOW : 0;
        bool outwards = goes_on && rivers->edge[c] && silt_rivers_falls_outwards(rivers, c) > 0.0;
        rivers->edge[c] |= outwards ? OUTWARDS : 0;
    }
    silt_rivers_choose_outlets(rivers);
    return !silt_is_stopped();
}

// On the ground as the drainage sees it.
static bool has_lower_neighbour(const SiltTerrain *ground, int i, int j)
{
    const SiltField *height = &ground->layers[0]->field;
    float own = silt_field_at(height, i, j);
    for (int y = j > 0 ? j - 1 : j; y <= j + 1 && y < ground->height; y++)
        for (int x = i > 0 ? i - 1 : i; x <= i + 1 && x < ground->width; x++)
            if (!silt_terrain_is_nodata(ground, x, y) && silt_field_at(height, x, y) < own)
                return true;
    return false;
}

static void choose_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    const SiltTerrain *ground = rivers->ground;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ground->width; i++) {
            size_t c = (size_t)j * (size_t)ground->width + (size_t)i;
            bool low = (rivers->edge[c] & LOW) && !has_lower_neighbour(ground, i, j);
            bool kept = low || (rivers->edge[c] & (OPENED | FRESH));
            bool leaves = !kept && (rivers->edge[c] & OUTWARDS) && falls_outwards(ground, i, j) > 0.0;
            rivers->outlets[c] = kept ? RIVERS_OUTLET : leaves ? RIVERS_WAY_OUT : 0;
        }
}

void silt_rivers_choose_outlets(Rivers *rivers)
{
    if (rivers->outlets)
        silt_parallel(rivers->ground->height, 16, choose_rows, rivers);
}

// The sink that a cell drains to goes into `lowest`, and the lowest of the edge of its piece into `next` of
// the sink; both are free between steps.
SiltStatus silt_rivers_open_pieces(Rivers *rivers, bool *found)
{
    const SiltDrainage *d = rivers->drainage;
    *found = false;
    if (!rivers->outlets || !d->landlocked)
        return SILT_OK;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (silt_walk_is_stopped(k))
            return SILT_CANCELLED;
        rivers->lowest[c] = to == c ? (double)c : rivers->lowest[to];
        if (to == c)
            rivers->next[c] = INFINITY;
        double *least = &rivers->next[(int32_t)rivers->lowest[c]];
        if (rivers->edge[c] && rivers->height[c] < *least)
            *least = rivers->height[c];
    }
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k], root = (int32_t)rivers->lowest[c];
        bool sea =
            rivers->options.has_sea && (double)(float)rivers->height[root] <= rivers->options.sea_level;
        if (rivers->outlets[root] || sea || !rivers->edge[c] || rivers->height[c] > rivers->next[root])
            continue;
        rivers->edge[c] |= FRESH;
        rivers->outlets[c] = RIVERS_OUTLET;
        *found = true;
    }
    rivers->has_fresh = rivers->has_fresh || *found;
    return silt_is_stopped() ? SILT_CANCELLED : SILT_OK;
}

void silt_rivers_settle_pieces(Rivers *rivers, bool stay)
{
    size_t cells = rivers->has_fresh ? (size_t)rivers->ground->width * (size_t)rivers->ground->height : 0;
    for (size_t c = 0; c < cells; c++)
        if (rivers->edge[c] & FRESH)
            rivers->edge[c] = (uint8_t)((rivers->edge[c] & ~FRESH) | (stay ? OPENED : 0));
    rivers->has_fresh = false;
}

// A valley that leaves the map between two lows would be dammed by its edge: the lowest cell that a lake has
// there is opened where it lies deeper than this below the water. Shallower ones fill or are cut through.
static const double dammed = 10.0; // m

static double lake_depth(const Rivers *rivers, int32_t c)
{
    int i = c % rivers->drainage->width, j = c / rivers->drainage->width;
    const SiltField *ground = &rivers->ground->layers[0]->field;
    return (double)silt_field_at(&rivers->drainage->surface, i, j) - (double)silt_field_at(ground, i, j);
}

// The cell over which a lake leaves goes into `lowest` of all its cells, and the lowest that it has of the
// edge into `next` there.
SiltStatus silt_rivers_open_valleys(Rivers *rivers, bool *found)
{
    const SiltDrainage *d = rivers->drainage;
    *found = false;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (silt_walk_is_stopped(k))
            return SILT_CANCELLED;
        rivers->next[c] = INFINITY;
        rivers->lowest[c] = -1.0;
        if (!(lake_depth(rivers, c) > 0.0))
            continue;
        rivers->lowest[c] = rivers->lowest[to] >= 0.0 ? rivers->lowest[to] : (double)to;
        double *least = &rivers->next[(int32_t)rivers->lowest[c]];
        if (rivers->edge[c] && rivers->height[c] < *least)
            *least = rivers->height[c];
    }
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k];
        if (!rivers->edge[c] || !(lake_depth(rivers, c) > dammed) ||
            rivers->height[c] > rivers->next[(int32_t)rivers->lowest[c]])
            continue;
        rivers->edge[c] |= OPENED;
        rivers->outlets[c] = RIVERS_OUTLET;
        *found = true;
    }
    return silt_is_stopped() ? SILT_CANCELLED : SILT_OK;
}
