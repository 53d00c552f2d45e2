// The heightfield and its water while a run goes on: rows of single layers, and ground that a hand changes.
//
// Particles are sorted by rows of cells (sph/cells.c). Those over a row of the map are found there, in their
// order, so that sums come out the same whether one row is asked for or all.
#include <math.h>
#include <string.h>

#include "couple/heightfield.h"
#include "erode/shallow.h"

enum { PIECE = 256 }; // columns done at once

// ---- particles over a part of the map ----

// Rows and columns of the cells that hold all particles between two places.
typedef struct Window {
    int rows[2], columns[2];
} Window;

// One cell more on each side than the places ask for: they are rounded here otherwise than when it was
// sorted.
static void find_cells(const SiltSphCells *cells, int axis, double from, double to, int out[2])
{
    double last = cells->size[axis] - 1.0;
    double low = floor((from - cells->low[axis]) * cells->inverse[axis]) - 1.0;
    double high = floor((to - cells->low[axis]) * cells->inverse[axis]) + 1.0;
    out[0] = (int)fmin(fmax(low, 0.0), last);
    out[1] = (int)fmin(fmax(high, 0.0), last);
}

static Window find_window(const SiltSphCells *cells, double west, double east, double north, double south)
{
    Window window;
    find_cells(cells, 0, west, east, window.columns);
    find_cells(cells, 1, north, south, window.rows);
    return window;
}

typedef void (*TakeFn)(void *context, int begin, int end); // particles that follow each other

static void visit(const SiltSph *sph, const Window *window, TakeFn take, void *context)
{
    const SiltSphCells *cells = &sph->cells;
    for (int k = 0; sph->count > 0 && k < cells->size[2]; k++)
        for (int n = window->rows[0]; n <= window->rows[1]; n++) {
            const SiltSphRow *row = &cells->row[k * cells->size[1] + n];
            int low = row->low > window->columns[0] ? row->low : window->columns[0];
            int high = row->high < window->columns[1] ? row->high : window->columns[1];
            if (low <= high)
                take(context, cells->start[row->base + low - row->low],
                     cells->start[row->base + high - row->low + 1]);
        }
}

// ---- rows of layers ----

typedef struct Gather {
    const SiltHeightfield *field;
    const SiltSph *sph;
    int layer, j, begin, end;
    float deep, rise;   // m of water in a particle over a cell, and of rock in a unit
    float water[PIECE]; // m
    float *out;
} Gather;

static void gather_particles(void *context, int begin, int end)
{
    Gather *g = context;
    const SiltSphArrays *a = &g->sph->now;
    for (int n = begin; n < end; n++) {
        int at = silt_heightfield_cell(g->field, a->x[n], a->y[n]);
        int i = at % g->field->width;
        if (at / g->field->width != g->j || i < g->begin || i >= g->end)
            continue;
        g->water[i - g->begin] += g->deep;
        if (g->layer == SILT_SHALLOW_SEDIMENT)
            g->out[i] += a->sediment[n] * g->rise;
        else if (g->layer == SILT_SHALLOW_SPEED)
            g->out[i] += g->deep * sqrtf(a->u[n] * a->u[n] + a->v[n] * a->v[n]);
    }
}

// Water, sediment or speed of some columns, no more than PIECE of them.
static void show_piece(const SiltHeightfield *f, const SiltSph *sph, double volume, int layer, int j,
                       int begin, int end, float *out)
{
    double cell = (double)f->cell;
    Gather g = {.field = f,
                .sph = sph,
                .layer = layer,
                .j = j,
                .begin = begin,
                .end = end,
                .deep = (float)(volume / (cell * cell)),
                .rise = (float)f->rise,
                .out = out};
    memset(out + begin, 0, (size_t)(end - begin) * sizeof *out);
    if (sph->count > 0) { // the outermost cells take all beyond them
        Window window =
            find_window(&sph->cells, begin > 0 ? begin * cell : -1e9, end < f->width ? end * cell : 1e9,
                        j > 0 ? j * cell : -1e9, j + 1 < f->height ? (j + 1) * cell : 1e9);
        visit(sph, &window, gather_particles, &g);
    }
    for (int i = begin; layer == SILT_SHALLOW_SPEED && i < end; i++)
        out[i] /= g.water[i - begin] > 0.0f ? g.water[i - begin] : 1.0f;
    for (int i = begin; layer == SILT_SHALLOW_WATER && i < end; i++)
        out[i] = g.water[i - begin];
}

static void show_units(const SiltHeightfield *f, const int64_t *units, int j, int begin, int end, float *out)
{
    const int64_t *row = units + (size_t)j * (size_t)f->width;
    for (int i = begin; i < end; i++)
        out[i] = (float)((double)row[i] * f->rise);
}

void silt_heightfield_show(const SiltHeightfield *f, const SiltSph *sph, double volume, int layer, int j,
                           int begin, int end, float *out)
{
    size_t first = (size_t)j * (size_t)f->width;
    double per_second = sph->time > 0.0 ? volume / sph->time : 0.0;
    switch (layer) {
    case SILT_SHALLOW_CHANGE:
        for (int i = begin; i < end; i++) {
            double before = f->before ? (double)silt_field_at(f->before, i, j) : 0.0;
            out[i] = (float)(before + (double)f->change[first + (size_t)i] * f->rise);
        }
        break;
    case SILT_SHALLOW_DEPOSIT:
        show_units(f, f->loose, j, begin, end, out);
        break;
    case SILT_SHALLOW_WEAR:
        show_units(f, f->wear, j, begin, end, out);
        break;
    case SILT_SHALLOW_DEPOSITION:
        show_units(f, f->deposition, j, begin, end, out);
        break;
    case SILT_SHALLOW_FLOW:
        for (int i = begin; i < end; i++)
            out[i] = (float)(f->flow[first + (size_t)i] * per_second);
        break;
    case SILT_SHALLOW_WETNESS:
        for (int i = begin; i < end; i++)
            out[i] = (float)f->wetness[first + (size_t)i];
        break;
    default:
        for (int from = begin; from < end; from += PIECE)
            show_piece(f, sph, volume, layer, j, from, end - from < PIECE ? end : from + PIECE, out);
    }
}

// ---- by hand ----

typedef struct Lift {
    const SiltHeightfield *field;
    SiltSph *sph;
    int first, count;     // samples that were changed
    double raised[PIECE]; // m
    bool moved;
} Lift;

// Water goes up with the ground below it, so that a column stays a column.
static void lift_particles(void *context, int begin, int end)
{
    Lift *lift = context;
    const SiltSphArrays *a = &lift->sph->now;
    for (int n = begin; n < end; n++) {
        SiltSurface below = silt_heightfield_at(lift->field, a->x[n], a->y[n]);
        double by = 0.0;
        for (int k = 0; k < 3; k++) {
            int sample = below.sample[k] - lift->first;
            by += sample >= 0 && sample < lift->count ? (double)below.weight[k] * lift->raised[sample] : 0.0;
        }
        if (!(by > 0.0))
            continue;
        a->z[n] = silt_maxf((float)((double)a->z[n] + by), below.z);
        lift->moved = true;
    }
}

// Metres for one sample, in whole units and within what heights may be; loose rock goes first.
static int64_t edit_sample(SiltHeightfield *f, int i, int j, double metres)
{
    const double highest = 1e6, most = 0x1p62 / ((double)f->width * f->height); // sums must fit, too
    size_t n = (size_t)j * (size_t)f->width + (size_t)i;
    double now = f->low + (double)f->ground[n];
    metres = fmin(fmax(metres, -highest - now), highest - now);
    double wanted = fmin(fmax(floor((double)f->change[n] + metres / f->rise + 0.5), -most), most);
    int64_t units = (int64_t)wanted - f->change[n];
    f->change[n] += units;
    f->loose[n] = units < 0 && f->loose[n] + units < 0 ? 0 : f->loose[n] + (units < 0 ? units : 0);
    f->ground[n] = (float)((double)f->base[n] + (double)f->change[n] * f->rise);
    return units;
}

// Samples i to i + count of row j, no more than PIECE of them; returns the units added.
static int64_t edit_piece(SiltHeightfield *f, SiltSph *sph, const SiltEditRow *row, int from, int count,
                          bool *moved)
{
    Lift lift = {.field = f, .sph = sph, .first = row->j * f->width + row->i + from, .count = count};
    int64_t added = 0;
    for (int k = 0; k < count; k++) {
        int i = row->i + from + k;
        if (silt_terrain_is_nodata(f->terrain, i, row->j))
            continue;
        double before = (double)f->ground[lift.first + k];
        added += edit_sample(f, i, row->j, (double)row->metres[from + k]);
        lift.raised[k] = (double)f->ground[lift.first + k] - before;
    }
    if (sph->count > 0) { // a sample reaches to those beside it, and at the border beyond
        double cell = (double)f->cell, west = (row->i + from - 0.5) * cell, north = (row->j - 0.5) * cell;
        Window window = find_window(&sph->cells, west, west + (count + 1) * cell, north, north + 2.0 * cell);
        visit(sph, &window, lift_particles, &lift);
    }
    *moved = *moved || lift.moved;
    return added;
}

bool silt_heightfield_edit(SiltHeightfield *f, SiltSph *sph, SiltEditRow *row)
{
    bool moved = false;
    int64_t added = 0;
    for (int from = 0; from < row->count; from += PIECE) {
        int count = row->count - from < PIECE ? row->count - from : PIECE;
        added += edit_piece(f, sph, row, from, count, &moved);
    }
    row->added = (double)added * f->rise;
    return moved;
}
