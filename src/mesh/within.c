// The surface of a terrain in few triangles, none of its cells further than an error from them.
//
// Right-angled triangles of growing size (Evans, Kirkpatrick and Townsend 2001, "Right-triangulated irregular
// networks"): a square of 2^n cells is cut along a diagonal, and each triangle from its right angle to the
// middle of its longest side, on and on down to single cells. A triangle is cut where a cell in it lies too
// far from its plane, where it crosses the edge of the map or a cell without data, or where a triangle in it
// or at its longest side is: then no vertex lies on an edge of another triangle, and there are no gaps.
//
// Squares of size s are halved along diagonals that meet in the middle of the square of size 2 s around them:
// '\' where the numbers of its column and row add up to an even number, else '/'.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/mesh.h"
#include "terrain/terrain.h"

typedef struct Point {
    int i, j;
} Point;

typedef struct Net {
    const SiltTerrain *terrain;
    const SiltField *height;
    int width, rows, side; // cells of the map, and 2^n, which covers it
    double error;
    uint8_t
        *cut; // of points 0 .. side: whether the triangles whose longest side has it in the middle are cut
    uint32_t *vertex; // of cells: its vertex and one more; 0: none yet
    Point *points;    // of vertices
    uint32_t *corners;
    size_t vertex_count, vertex_room, triangle_count, triangle_room;
    int size; // of the squares at hand
    SiltStatus status;
} Net;

static uint8_t *cut_at(const Net *net, int i, int j)
{
    return net->cut + (size_t)j * (size_t)(net->side + 1) + (size_t)i;
}

static double ground(const Net *net, int i, int j)
{
    return (double)silt_field_at(net->height, i, j);
}

static int mini(int a, int b)
{
    return a < b ? a : b;
}

static int maxi(int a, int b)
{
    return a > b ? a : b;
}

// ---- one triangle ----

enum { OUTSIDE, INSIDE, ACROSS };

static int place_of(const Net *net, Point a, Point b, Point c)
{
    int west = mini(a.i, mini(b.i, c.i)), east = maxi(a.i, maxi(b.i, c.i));
    int north = mini(a.j, mini(b.j, c.j)), south = maxi(a.j, maxi(b.j, c.j));
    if (west >= net->width - 1 || north >= net->rows - 1)
        return OUTSIDE;
    return east <= net->width - 1 && south <= net->rows - 1 ? INSIDE : ACROSS;
}

static int64_t turn(Point a, Point b, int i, int j)
{
    return (int64_t)(b.i - a.i) * (j - a.j) - (int64_t)(b.j - a.j) * (i - a.i);
}

// Whether a cell of the triangle lies too far from its plane, or has no data.
static bool strays(const Net *net, Point a, Point b, Point c)
{
    int64_t area = turn(a, b, c.i, c.j);
    if (area < 0) {
        Point swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    double za = ground(net, a.i, a.j), zb = ground(net, b.i, b.j), zc = ground(net, c.i, c.j),
           over = 1.0 / (double)area;
    for (int j = mini(a.j, mini(b.j, c.j)); j <= maxi(a.j, maxi(b.j, c.j)); j++)
        for (int i = mini(a.i, mini(b.i, c.i)); i <= maxi(a.i, maxi(b.i, c.i)); i++) {
            int64_t u = turn(b, c, i, j), v = turn(c, a, i, j), w = turn(a, b, i, j);
            if (u < 0 || v < 0 || w < 0)
                continue;
            if (silt_terrain_is_nodata(net->terrain, i, j))
                return true;
            double z = (za * (double)u + zb * (double)v + zc * (double)w) * over;
            if (!(fabs(z - ground(net, i, j)) <= net->error))
                return true;
        }
    return false;
}

static bool is_bad(const Net *net, Point a, Point b, Point c)
{
    int place = place_of(net, a, b, c);
    return place == ACROSS || (place == INSIDE && strays(net, a, b, c));
}

// ---- which are cut, from small to large ----

// The triangle between a side of a square and its middle, and the two smaller ones in it.
static bool cuts_side(const Net *net, Point a, Point b, Point middle)
{
    bool smaller = net->size > 2 && (*cut_at(net, (a.i + middle.i) / 2, (a.j + middle.j) / 2) ||
                                     *cut_at(net, (b.i + middle.i) / 2, (b.j + middle.j) / 2));
    return smaller || is_bad(net, a, b, middle);
}

static void cut_sides(void *context, int begin, int end)
{
    const Net *net = context;
    int s = net->size, h = s / 2;
    for (int row = begin; row < end; row++) // lines of squares: their northern sides, and their western
        for (int i = 0; i <= net->side; i += s) {
            int j = row * s;
            Point here = {i, j}, east = {i + s, j}, south = {i, j + s};
            if (i < net->side)
                *cut_at(net, i + h, j) =
                    (j < net->side && cuts_side(net, here, east, (Point){i + h, j + h})) ||
                    (j > 0 && cuts_side(net, here, east, (Point){i + h, j - h}));
            if (j < net->side)
                *cut_at(net, i, j + h) =
                    (i < net->side && cuts_side(net, here, south, (Point){i + h, j + h})) ||
                    (i > 0 && cuts_side(net, here, south, (Point){i - h, j + h}));
        }
}

static void cut_squares(void *context, int begin, int end)
{
    const Net *net = context;
    int s = net->size, h = s / 2;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < net->side / s; column++) {
            int i = column * s, j = row * s;
            Point nw = {i, j}, ne = {i + s, j}, sw = {i, j + s}, se = {i + s, j + s};
            bool falls = (column + row) % 2 == 0;
            bool sides = *cut_at(net, i + h, j) || *cut_at(net, i + h, j + s) || *cut_at(net, i, j + h) ||
                         *cut_at(net, i + s, j + h);
            *cut_at(net, i + h, j + h) =
                sides || (falls ? is_bad(net, nw, se, ne) || is_bad(net, nw, se, sw)
                                : is_bad(net, sw, ne, nw) || is_bad(net, sw, ne, se));
        }
}

// ---- triangles ----

static void *grow(Net *net, void *block, size_t count, size_t *room, size_t size)
{
    if (count < *room || net->status != SILT_OK)
        return block;
    size_t more = *room ? 2 * *room : 4096;
    void *made;
    net->status = silt_alloc_for("a mesh", more, size, &made);
    if (net->status != SILT_OK)
        return block;
    if (count > 0)
        memcpy(made, block, count * size);
    silt_free(block);
    *room = more;
    return made;
}

static uint32_t vertex_of(Net *net, Point p)
{
    uint32_t *slot = &net->vertex[(size_t)p.j * (size_t)net->width + (size_t)p.i];
    if (*slot)
        return *slot - 1;
    net->points = grow(net, net->points, net->vertex_count, &net->vertex_room, sizeof *net->points);
    if (net->status != SILT_OK)
        return 0;
    net->points[net->vertex_count++] = p;
    *slot = (uint32_t)net->vertex_count;
    return *slot - 1;
}

static bool is_solid(const Net *net, int i, int j)
{
    const SiltTerrain *t = net->terrain;
    return !(silt_terrain_is_nodata(t, i, j) || silt_terrain_is_nodata(t, i + 1, j) ||
             silt_terrain_is_nodata(t, i, j + 1) || silt_terrain_is_nodata(t, i + 1, j + 1));
}

static void emit(Net *net, Point a, Point b, Point c)
{
    int i = mini(a.i, mini(b.i, c.i)), j = mini(a.j, mini(b.j, c.j));
    bool single = abs(a.i - b.i) <= 1 && abs(a.j - b.j) <= 1;
    if (place_of(net, a, b, c) != INSIDE || (single && !is_solid(net, i, j)))
        return;
    net->corners =
        grow(net, net->corners, net->triangle_count, &net->triangle_room, 3 * sizeof *net->corners);
    bool turned = turn(a, b, c.i, c.j) > 0; // rows run south: that is clockwise seen from above
    uint32_t corners[3] = {vertex_of(net, a), vertex_of(net, turned ? c : b), vertex_of(net, turned ? b : c)};
    if (net->status == SILT_OK)
        memcpy(net->corners + 3 * net->triangle_count++, corners, sizeof corners);
}

// a and b are the ends of the longest side, c the right angle.
static void walk(Net *net, Point a, Point b, Point c)
{
    Point m = {(a.i + b.i) / 2, (a.j + b.j) / 2};
    bool smallest = abs(a.i - c.i) + abs(a.j - c.j) <= 1;
    if (net->status != SILT_OK || place_of(net, a, b, c) == OUTSIDE)
        return;
    if (smallest || !*cut_at(net, m.i, m.j)) {
        emit(net, a, b, c);
        return;
    }
    walk(net, c, a, m);
    walk(net, b, c, m);
}

// ---- a block: walls below the border, and a floor ----

typedef struct Side {
    uint32_t low, high, from, to;
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

// The sides that one triangle alone has, first in *out; the caller frees it.
static SiltStatus find_border(const Net *net, Side **out, size_t *count)
{
    size_t all = 3 * net->triangle_count;
    SiltStatus status = silt_alloc_for("a mesh", all, sizeof **out, (void **)out);
    if (status != SILT_OK)
        return status;
    for (size_t t = 0; t < net->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t a = net->corners[3 * t + k], b = net->corners[3 * t + (k + 1) % 3];
            (*out)[3 * t + k] = (Side){a < b ? a : b, a < b ? b : a, a, b};
        }
    qsort(*out, all, sizeof **out, compare_sides);
    *count = 0;
    for (size_t k = 0; k < all;) {
        bool paired =
            k + 1 < all && (*out)[k].low == (*out)[k + 1].low && (*out)[k].high == (*out)[k + 1].high;
        if (!paired)
            (*out)[(*count)++] = (*out)[k];
        k += paired ? 2 : 1;
    }
    return SILT_OK;
}

static uint32_t *add(uint32_t *at, uint32_t a, uint32_t b, uint32_t c)
{
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return at + 3;
}

// Heights east and north of a cell, one-sided where there is no data.
static double slope(const Net *net, Point p, int di, int dj)
{
    double rise = 0.0, run = 0.0;
    for (int way = -1; way <= 1; way += 2) {
        int i = p.i + way * di, j = p.j + way * dj;
        if (i < 0 || j < 0 || i >= net->width || j >= net->rows || silt_terrain_is_nodata(net->terrain, i, j))
            continue;
        rise += way * (ground(net, i, j) - ground(net, p.i, p.j));
        run += 1.0;
    }
    return run > 0.0 ? rise / (run * net->terrain->cell) : 0.0;
}

static void place_vertices(const Net *net, double floor, size_t below, SiltMesh *mesh)
{
    double lowest = INFINITY;
    for (size_t v = 0; v < net->vertex_count; v++)
        lowest = fmin(lowest, ground(net, net->points[v].i, net->points[v].j));
    for (size_t v = 0; v < net->vertex_count; v++) {
        Point p = net->points[v];
        float *position = mesh->positions + 3 * v, *normal = mesh->normals + 3 * v;
        position[0] = (float)(p.i * net->terrain->cell);
        position[1] = (float)((net->rows - 1 - p.j) * net->terrain->cell);
        position[2] = (float)ground(net, p.i, p.j);
        double east = slope(net, p, 1, 0), north = slope(net, p, 0, -1),
               length = sqrt(1.0 + east * east + north * north);
        normal[0] = (float)(-east / length);
        normal[1] = (float)(-north / length);
        normal[2] = (float)(1.0 / length);
        if (below == 0)
            continue;
        float *under = mesh->positions + 3 * (below + v);
        under[0] = position[0];
        under[1] = position[1];
        under[2] = (float)(lowest - floor);
        mesh->normals[3 * (below + v) + 2] = -1.0f;
    }
}

static SiltStatus build(const Net *net, double skirt, SiltMesh *out)
{
    Side *border = NULL;
    size_t sides = 0, top = net->vertex_count;
    SiltStatus status = skirt > 0.0 ? find_border(net, &border, &sides) : SILT_OK;
    bool fan = skirt > 0.0 && !net->terrain->nodata; // around the middle, else a mirror of the surface
    uint64_t vertices = skirt > 0.0 ? 2 * (uint64_t)top + fan : top;
    uint64_t triangles =
        net->triangle_count + (skirt > 0.0 ? 2 * sides + (fan ? sides : net->triangle_count) : 0);
    if (status == SILT_OK)
        status = silt_mesh_allocate("a mesh", vertices, triangles, true, out);
    if (status == SILT_OK) {
        place_vertices(net, skirt, skirt > 0.0 ? top : 0, out);
        memcpy(out->indices, net->corners, 3 * net->triangle_count * sizeof *out->indices);
        uint32_t *at = out->indices + 3 * net->triangle_count, below = (uint32_t)top,
                 middle = (uint32_t)(2 * top);
        for (size_t k = 0; k < sides; k++) {
            uint32_t from = border[k].from, to = border[k].to;
            at = add(at, to, from, from + below);
            at = add(at, to, from + below, to + below);
            if (fan)
                at = add(at, to + below, from + below, middle);
        }
        for (size_t t = 0; skirt > 0.0 && !fan && t < net->triangle_count; t++)
            at = add(at, net->corners[3 * t] + below, net->corners[3 * t + 2] + below,
                     net->corners[3 * t + 1] + below);
        if (fan) {
            out->positions[3 * middle] = (float)(0.5 * (net->width - 1) * net->terrain->cell);
            out->positions[3 * middle + 1] = (float)(0.5 * (net->rows - 1) * net->terrain->cell);
            out->positions[3 * middle + 2] = out->positions[3 * top + 2];
            out->normals[3 * middle + 2] = -1.0f;
        }
    }
    silt_free(border);
    return status;
}

// Vertices that no triangle has, below the inner of a block, are left out.
static SiltStatus drop_unused(SiltMesh *mesh)
{
    uint32_t *target, kept = 0;
    SiltStatus status = silt_alloc_for("a mesh", mesh->vertex_count, sizeof *target, (void **)&target);
    if (status != SILT_OK)
        return status;
    for (size_t c = 0; c < 3 * mesh->triangle_count; c++)
        target[mesh->indices[c]] = 1;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (!target[v])
            continue;
        memmove(mesh->positions + 3 * (size_t)kept, mesh->positions + 3 * v, 3 * sizeof(float));
        memmove(mesh->normals + 3 * (size_t)kept, mesh->normals + 3 * v, 3 * sizeof(float));
        target[v] = kept++;
    }
    for (size_t c = 0; c < 3 * mesh->triangle_count; c++)
        mesh->indices[c] = target[mesh->indices[c]];
    mesh->vertex_count = kept;
    silt_free(target);
    return SILT_OK;
}

static SiltStatus make_net(Net *net)
{
    size_t points = (size_t)(net->side + 1) * (size_t)(net->side + 1);
    SiltStatus status = silt_alloc_for("a mesh", points, 1, (void **)&net->cut);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", (size_t)net->width * (size_t)net->rows, sizeof *net->vertex,
                                (void **)&net->vertex);
    if (status != SILT_OK)
        return status;
    for (net->size = 2; net->size <= net->side; net->size *= 2) {
        silt_parallel(net->side / net->size + 1, 1, cut_sides, net);
        silt_parallel(net->side / net->size, 1, cut_squares, net);
    }
    int n = net->side;
    walk(net, (Point){0, 0}, (Point){n, n}, (Point){n, 0});
    walk(net, (Point){n, n}, (Point){0, 0}, (Point){0, n});
    if (net->status == SILT_OK && net->triangle_count == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a mesh needs four neighbouring cells with data, and this terrain has none");
    return net->status;
}

SiltStatus silt_mesh_within(const SiltTerrain *terrain, double skirt, double error, SiltMesh *out)
{
    *out = (SiltMesh){0};
    if (!(error >= 0.0) || !isfinite(error))
        return silt_fail(SILT_BAD_ARGUMENT, "a mesh within %g m: the error must be zero or above", error);
    SiltStatus status = silt_terrain_check_finite(terrain, "height", "a mesh", "it was not made");
    if (status == SILT_OK &&
        (terrain->width < 2 || terrain->height < 2 || silt_terrain_layer(terrain, "change")))
        return silt_mesh_from_terrain(terrain, skirt, out); // which says what is wrong
    if (status != SILT_OK)
        return status;
    Net net = {.terrain = terrain,
               .height = silt_terrain_layer(terrain, "height"),
               .width = terrain->width,
               .rows = terrain->height,
               .side = 1,
               .error = error * (1.0 - 1e-6)}; // vertices are floats
    while (net.side < terrain->width - 1 || net.side < terrain->height - 1)
        net.side *= 2;
    status = make_net(&net);
    if (status == SILT_OK)
        status = build(&net, skirt, out);
    if (status == SILT_OK && skirt > 0.0)
        status = drop_unused(out);
    if (status == SILT_OK)
        silt_mesh_place(terrain, out);
    silt_free(net.cut);
    silt_free(net.vertex);
    silt_free(net.points);
    silt_free(net.corners);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}
