#include "generate/uplift.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "generate/planar.h"
#include "generate/region.h"
#include "generate/voronoi.h"
#include "physics/random.h"

int silt_cuts_for_polygons(int polygons)
{
    int n = 0;
    while (((int64_t)n * n + n + 2) / 2 < polygons)
        n++;
    return n;
}

// The polygons of one draw: where their middles are, how hard they are to grow into, by how much each is
// raised, and when the growing region arrived in each.
typedef struct Polygons {
    int count;
    double *x, *y, *arrival;
    float *weight;
    int64_t *amount;
} Polygons;

static void free_polygons(Polygons *p)
{
    silt_free(p->x);
    silt_free(p->y);
    silt_free(p->arrival);
    silt_free(p->weight);
    silt_free(p->amount);
    *p = (Polygons){0};
}

static SiltStatus make_polygons(int count, Polygons *out)
{
    *out = (Polygons){.count = count};
    size_t n = (size_t)count;
    SiltStatus status = silt_alloc_for("polygons", n, sizeof(double), (void **)&out->x);
    if (status == SILT_OK)
        status = silt_alloc_for("polygons", n, sizeof(double), (void **)&out->y);
    if (status == SILT_OK)
        status = silt_alloc_for("polygons", n, sizeof(double), (void **)&out->arrival);
    if (status == SILT_OK)
        status = silt_alloc_for("polygons", n, sizeof(float), (void **)&out->weight);
    if (status == SILT_OK)
        status = silt_alloc_for("polygons", n, sizeof(int64_t), (void **)&out->amount);
    if (status != SILT_OK) {
        free_polygons(out);
        return status;
    }
    return SILT_OK;
}

// Weights and amounts come from the draw after the polygons' own, which no other draw uses: polygons take
// even ones.
static void weigh_polygon(const SiltUplift *u, int k, Polygons *p)
{
    SiltRandom random = silt_random(u->seed, u->stream, (uint64_t)k, 2 * u->draw + 1);
    double own = 0.75 + 0.5 * (double)silt_uniform(random.word[0]);
    p->weight[k] = (float)(own * silt_resistance_at(u->resistance, p->x[k], p->y[k]));
    double share = 1.0 + u->variation * (double)silt_symmetric(random.word[1]);
    p->amount[k] = (int64_t)((double)u->amount * share);
}

// Only polygons that touch others, or lie under the crest, can be reached: those alone are weighed.
static SiltStatus grow(const SiltUplift *u, const SiltNeighbours *neighbours, Polygons *p)
{
    for (int k = 0; k < p->count; k++)
        if (neighbours->start[k + 1] > neighbours->start[k] || p->arrival[k] == 0.0)
            weigh_polygon(u, k, p);
    return silt_region_grow(neighbours, p->x, p->y, p->weight, u->reach, p->arrival);
}

// Calls visit for every cell that the line between the middles of two cells passes, corners aside.
static void walk(int i0, int j0, int i1, int j1, void (*visit)(void *context, int i, int j), void *context)
{
    int64_t wide = i1 > i0 ? i1 - i0 : i0 - i1, high = j1 > j0 ? j1 - j0 : j0 - j1;
    int di = i1 > i0 ? 1 : -1, dj = j1 > j0 ? 1 : -1, i = i0, j = j0;
    int64_t right = 1, down = 1; // odd multiples of half a cell passed to the next column and row
    visit(context, i, j);
    while (i != i1 || j != j1) {
        int64_t order = right * high - down * wide; // which side of the cell the line leaves through
        if (order <= 0 && i != i1) {
            i += di;
            right += 2;
        }
        if (order >= 0 && j != j1) {
            j += dj;
            down += 2;
        }
        visit(context, i, j);
    }
}

typedef struct CellLine {
    int i[SILT_CREST_POINTS], j[SILT_CREST_POINTS];
} CellLine;

static int cell_at(double x, int cells)
{
    return x < 0.0 ? 0 : x >= cells ? cells - 1 : (int)x;
}

static void walk_line(const CellLine *line, void (*visit)(void *context, int i, int j), void *context)
{
    for (int k = 0; k + 1 < SILT_CREST_POINTS; k++)
        walk(line->i[k], line->j[k], line->i[k + 1], line->j[k + 1], visit, context);
}

// ---- random cells ----

typedef struct Patch {
    SiltWindow window;
    int32_t *labels;
    double *arrival;
} Patch;

static const int32_t *patch_row(const Patch *patch, int j)
{
    size_t wide = (size_t)(patch->window.i1 - patch->window.i0);
    return patch->labels + (size_t)(j - patch->window.j0) * wide - patch->window.i0;
}

static void mark_label(void *context, int i, int j)
{
    const Patch *patch = context;
    patch->arrival[patch_row(patch, j)[i]] = 0.0;
}

// Whether a raised polygon touches the side of a window that is not the side of the map.
static bool is_cut_off(const Patch *patch, const SiltLattice *lattice)
{
    SiltWindow w = patch->window;
    bool cut = false;
    for (int j = w.j0; j < w.j1; j++) {
        const int32_t *row = patch_row(patch, j);
        cut |= w.i0 > 0 && patch->arrival[row[w.i0]] >= 0.0;
        cut |= w.i1 < lattice->width && patch->arrival[row[w.i1 - 1]] >= 0.0;
    }
    for (int i = w.i0; i < w.i1; i++) {
        cut |= w.j0 > 0 && patch->arrival[patch_row(patch, w.j0)[i]] >= 0.0;
        cut |= w.j1 < lattice->height && patch->arrival[patch_row(patch, w.j1 - 1)[i]] >= 0.0;
    }
    return cut;
}

static void raise_runs(const Polygons *p, int j, int begin, int end, int polygon, const SiltTally *tally,
                       const SiltTally *counts)
{
    silt_tally_raise(tally, j, begin, end, p->amount[polygon]);
    if (counts)
        silt_tally_raise(counts, j, begin, end, 1);
}

static void raise_labels(const Patch *patch, const Polygons *p, const SiltTally *tally,
                         const SiltTally *counts)
{
    for (int j = patch->window.j0; j < patch->window.j1; j++) {
        const int32_t *row = patch_row(patch, j);
        for (int i = patch->window.i0; i < patch->window.i1;) {
            int begin = i;
            while (i < patch->window.i1 && row[i] == row[begin])
                i++;
            if (p->arrival[row[begin]] >= 0.0)
                raise_runs(p, j, begin, i, row[begin], tally, counts);
        }
    }
}

static SiltWindow window_around(const SiltLattice *lattice, const CellLine *line, double margin)
{
    int m = margin < SILT_MAX_SIDE ? (int)margin + 1 : SILT_MAX_SIDE;
    SiltWindow w = {lattice->width, lattice->height, 0, 0};
    for (int k = 0; k < SILT_CREST_POINTS; k++) {
        w.i0 = line->i[k] < w.i0 ? line->i[k] : w.i0;
        w.j0 = line->j[k] < w.j0 ? line->j[k] : w.j0;
        w.i1 = line->i[k] > w.i1 ? line->i[k] : w.i1;
        w.j1 = line->j[k] > w.j1 ? line->j[k] : w.j1;
    }
    w.i0 = w.i0 > m ? w.i0 - m : 0;
    w.j0 = w.j0 > m ? w.j0 - m : 0;
    w.i1 = w.i1 + m + 1 < lattice->width ? w.i1 + m + 1 : lattice->width;
    w.j1 = w.j1 + m + 1 < lattice->height ? w.j1 + m + 1 : lattice->height;
    return w;
}

// Labels the window and grows the region in it. Exact when no raised polygon touches the window's side: then
// all of them, and every way to them, lie within.
static SiltStatus grow_in_window(const SiltVoronoi *voronoi, const SiltUplift *u, const CellLine *line,
                                 SiltWindow window, Polygons *p, Patch *patch)
{
    int wide = window.i1 - window.i0, high = window.j1 - window.j0;
    *patch = (Patch){.window = window, .arrival = p->arrival};
    SiltNeighbours neighbours = {0};
    SiltStatus status =
        silt_alloc_for("polygons", (size_t)wide * (size_t)high, sizeof(int32_t), (void **)&patch->labels);
    if (status == SILT_OK)
        status = silt_voronoi_label(voronoi, window, patch->labels);
    if (status == SILT_OK) {
        for (int k = 0; k < p->count; k++)
            p->arrival[k] = -1.0;
        walk_line(line, mark_label, patch);
        status = silt_neighbours_from_labels(p->count, patch->labels, wide, high, &neighbours);
    }
    if (status == SILT_OK)
        status = grow(u, &neighbours, p);
    silt_neighbours_destroy(&neighbours);
    if (status != SILT_OK)
        silt_free(patch->labels);
    return status;
}

static SiltStatus uplift_voronoi(const SiltLattice *lattice, const SiltUplift *u, const CellLine *line,
                                 const SiltTally *tally, const SiltTally *counts)
{
    SiltVoronoi voronoi;
    Polygons p = {0};
    SiltStatus status = silt_voronoi_draw(*lattice, u->count, u->seed, u->stream, 2 * u->draw, &voronoi);
    if (status == SILT_OK)
        status = make_polygons(u->count, &p);
    for (int k = 0; k < p.count; k++) {
        p.x[k] = silt_lattice_cells(lattice, voronoi.x[k]);
        p.y[k] = silt_lattice_cells(lattice, voronoi.y[k]);
    }
    double side = sqrt((double)lattice->width * (double)lattice->height / (double)u->count);
    double margin = 1.25 * u->reach + 2.0 * side + 1.0;
    for (bool done = false; status == SILT_OK && !done; margin *= 2.0) {
        Patch patch;
        SiltWindow window = window_around(lattice, line, margin);
        status = grow_in_window(&voronoi, u, line, window, &p, &patch);
        if (status != SILT_OK)
            break;
        done = !is_cut_off(&patch, lattice);
        if (done)
            raise_labels(&patch, &p, tally, counts);
        silt_free(patch.labels);
    }
    free_polygons(&p);
    silt_voronoi_destroy(&voronoi);
    return status;
}

// ---- cut lines ----

typedef struct Faces {
    const SiltPlanar *planar;
    double *arrival;
} Faces;

static void mark_face(void *context, int i, int j)
{
    const Faces *faces = context;
    faces->arrival[silt_planar_locate(faces->planar, i, j)] = 0.0;
}

// Rows that raised faces can lie in.
static void rows_of_faces(const SiltPlanar *planar, const Polygons *p, int *first, int *last)
{
    double low = planar->lattice.height, high = 0.0;
    for (int half = 0; half < 2 * planar->edge_count; half++) {
        int face = planar->face[half];
        if (face == planar->face_count || p->arrival[face] < 0.0)
            continue;
        double y = planar->vertex_y[planar->origin[half]];
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    *first = low >= 2.0 ? (int)low - 2 : 0;
    *last = high + 2.0 < planar->lattice.height ? (int)high + 2 : planar->lattice.height;
}

static SiltStatus raise_faces(const SiltPlanar *planar, const Polygons *p, const SiltTally *tally,
                              const SiltTally *counts)
{
    SiltPlanarRow row;
    SiltStatus status = silt_planar_row_create(planar, &row);
    if (status != SILT_OK)
        return status;
    int first, last;
    rows_of_faces(planar, p, &first, &last);
    for (int j = first; j < last; j++) {
        silt_planar_row_cut(planar, j, &row);
        for (int k = 0; k < row.count; k++)
            if (p->arrival[row.face[k]] >= 0.0)
                raise_runs(p, j, row.start[k], row.start[k + 1], row.face[k], tally, counts);
    }
    silt_planar_row_destroy(&row);
    return SILT_OK;
}

static SiltStatus uplift_graph(const SiltLattice *lattice, const SiltUplift *u, const CellLine *line,
                               const SiltTally *tally, const SiltTally *counts)
{
    SiltPlanar planar;
    SiltNeighbours neighbours = {0};
    Polygons p = {0};
    SiltStatus status = silt_planar_draw(*lattice, silt_cuts_for_polygons(u->count), u->seed, u->stream,
                                         2 * u->draw, &planar);
    if (status == SILT_OK)
        status = make_polygons(planar.face_count, &p);
    if (status == SILT_OK)
        status = silt_planar_neighbours(&planar, &neighbours);
    if (status == SILT_OK) {
        for (int k = 0; k < p.count; k++) {
            p.x[k] = planar.middle_x[k];
            p.y[k] = planar.middle_y[k];
            p.arrival[k] = -1.0;
        }
        Faces faces = {&planar, p.arrival};
        walk_line(line, mark_face, &faces);
        status = grow(u, &neighbours, &p);
    }
    if (status == SILT_OK)
        status = raise_faces(&planar, &p, tally, counts);
    silt_neighbours_destroy(&neighbours);
    free_polygons(&p);
    silt_planar_destroy(&planar);
    return status;
}

SiltStatus silt_uplift(const SiltLattice *lattice, const SiltUplift *uplift, const SiltCrestLine *crest,
                       const SiltTally *tally, const SiltTally *counts)
{
    CellLine line;
    for (int k = 0; k < SILT_CREST_POINTS; k++) {
        line.i[k] = cell_at(crest->x[k], lattice->width);
        line.j[k] = cell_at(crest->y[k], lattice->height);
    }
    return uplift->polygons == SILT_POLYGONS_GRAPH ? uplift_graph(lattice, uplift, &line, tally, counts)
                                                   : uplift_voronoi(lattice, uplift, &line, tally, counts);
}
