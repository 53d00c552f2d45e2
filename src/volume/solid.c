// Rock within a closed mesh.
//
// Whether a voxel is rock is counted along its column: each triangle above or below turns the count up or
// down. Places are rounded to 1/65536 of a voxel and compared as integers, so that a column that passes an
// edge is on the same side of it for both triangles. Distances are those to the nearest triangle beside the
// surface; re-initialisation carries them on.
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "mesh/mesh.h"
#include "volume/brick.h"

enum { MARGIN = 6, FINE = 1 << 16 }; // voxels of air around the mesh; units a voxel
enum { LEAST_VOXELS = 4, MOST_VOXELS = SILT_MAX_VOXELS - 2 * MARGIN - 1 };

typedef struct Crossing {
    double z;
    int turn; // +1 where rock begins above
} Crossing;

typedef struct Solid {
    const SiltMesh *mesh;
    SiltVolume *volume;
    double low[3], cell;
    double longest, thinnest; // sides of its box
    size_t *begin;            // of each column: its first crossing
    Crossing *crossings;
} Solid;

// ---- is it closed? ----

typedef struct Place {
    float at[3];
    uint32_t vertex;
} Place;

static int compare_places(const void *a, const void *b)
{
    const Place *p = a, *q = b;
    for (int axis = 0; axis < 3; axis++)
        if (p->at[axis] != q->at[axis])
            return p->at[axis] < q->at[axis] ? -1 : 1;
    return 0;
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

// Of each vertex the number of its place: files often hold a vertex once for every normal it has.
static SiltStatus weld(const SiltMesh *mesh, uint32_t **out)
{
    Place *places = NULL;
    uint32_t *same = NULL, number = 0;
    SiltStatus status = silt_alloc_for("volume", mesh->vertex_count, sizeof *places, (void **)&places);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", mesh->vertex_count, sizeof *same, (void **)&same);
    for (size_t v = 0; v < mesh->vertex_count && status == SILT_OK; v++) {
        memcpy(places[v].at, mesh->positions + 3 * v, sizeof places[v].at);
        places[v].vertex = (uint32_t)v;
    }
    if (status == SILT_OK)
        qsort(places, mesh->vertex_count, sizeof *places, compare_places);
    for (size_t n = 0; n < mesh->vertex_count && status == SILT_OK; n++) {
        number += n > 0 && compare_places(&places[n], &places[n - 1]) != 0;
        same[places[n].vertex] = number;
    }
    silt_free(places);
    *out = same;
    return status;
}

static SiltStatus check_closed(const SiltMesh *mesh)
{
    uint32_t *same = NULL;
    uint64_t *edges = NULL;
    size_t count = 0, open = 0, turned = 0;
    SiltStatus status = weld(mesh, &same);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", 3 * mesh->triangle_count, sizeof *edges, (void **)&edges);
    for (size_t k = 0; k < 3 * mesh->triangle_count && status == SILT_OK; k++) {
        uint64_t from = same[mesh->indices[k]], to = same[mesh->indices[k % 3 == 2 ? k - 2 : k + 1]];
        if (from != to) // a triangle may have shrunk to a line
            edges[count++] = from << 32 | to;
    }
    if (status == SILT_OK)
        qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t k = 0; k < count && status == SILT_OK; k++) {
        uint64_t back = edges[k] << 32 | edges[k] >> 32;
        open += !bsearch(&back, edges, count, sizeof *edges, compare_edges);
        turned +=
            k > 0 && edges[k] == edges[k - 1] && !bsearch(&back, edges, count, sizeof *edges, compare_edges);
    }
    silt_free(same);
    silt_free(edges);
    if (status == SILT_OK && open > 0 && open == 2 * turned) // each of them runs twice the same way
        return silt_fail(SILT_BAD_ARGUMENT,
                         "volume: the winding differs: at %zu edges two triangles face opposite sides; make "
                         "all face outwards first",
                         turned);
    if (status == SILT_OK && open > 0)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "volume: the mesh is open: %zu edges of its triangles have none on their other side; close its "
            "holes first",
            open);
    return status;
}

// ---- columns ----

static void corner_of(const Solid *solid, size_t triangle, int k, double out[3])
{
    size_t vertex = solid->mesh->indices[3 * triangle + (size_t)k];
    for (int axis = 0; axis < 3; axis++)
        out[axis] =
            ((double)solid->mesh->positions[3 * vertex + (size_t)axis] - solid->low[axis]) / solid->cell +
            MARGIN;
}

// Twice the area of a triangle with the column at its tip, in units: the same number for both triangles at
// the edge, but for its sign, and never zero.
static int64_t side_of(const int64_t a[2], const int64_t b[2], int64_t x, int64_t y)
{
    bool is_turned = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    const int64_t *p = is_turned ? b : a, *q = is_turned ? a : b;
    int64_t area = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    area = area == 0 ? 1 : area;
    return is_turned ? -area : area;
}

// Calls back for every column that passes the triangle; counts when there are no crossings to fill yet.
static void cross_columns(Solid *solid, size_t triangle, size_t *at)
{
    double p[3][3];
    int64_t fine[3][2], low[2], high[2];
    for (int k = 0; k < 3; k++) {
        corner_of(solid, triangle, k, p[k]);
        for (int axis = 0; axis < 2; axis++) {
            fine[k][axis] = (int64_t)floor(p[k][axis] * FINE + 0.5);
            low[axis] = k == 0 || fine[k][axis] < low[axis] ? fine[k][axis] : low[axis];
            high[axis] = k == 0 || fine[k][axis] > high[axis] ? fine[k][axis] : high[axis];
        }
    }
    int width = solid->volume->size[0];
    for (int64_t j = (low[1] + FINE - 1) / FINE; j * FINE <= high[1]; j++)
        for (int64_t i = (low[0] + FINE - 1) / FINE; i * FINE <= high[0]; i++) {
            int64_t s[3];
            for (int k = 0; k < 3; k++)
                s[k] = side_of(fine[k], fine[(k + 1) % 3], i * FINE, j * FINE);
            if ((s[0] > 0) != (s[1] > 0) || (s[1] > 0) != (s[2] > 0))
                continue;
            size_t column = (size_t)j * (size_t)width + (size_t)i;
            if (solid->crossings) {
                double a = (double)s[1], b = (double)s[2], c = (double)s[0];
                double z = (a * p[0][2] + b * p[1][2] + c * p[2][2]) / (a + b + c);
                solid->crossings[at[column]] =
                    (Crossing){z, s[0] > 0 ? -1 : 1}; // a face that looks up ends the rock
            }
            at[column]++;
        }
}

static int compare_crossings(const void *a, const void *b)
{
    const Crossing *p = a, *q = b;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return q->turn - p->turn;
}

static SiltStatus find_crossings(Solid *solid)
{
    size_t columns = (size_t)solid->volume->size[0] * (size_t)solid->volume->size[1], *at = NULL;
    SiltStatus status = silt_alloc_for("volume", columns + 1, sizeof *at, (void **)&at);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", columns + 1, sizeof *solid->begin, (void **)&solid->begin);
    for (size_t t = 0; t < solid->mesh->triangle_count && status == SILT_OK; t++)
        cross_columns(solid, t, at);
    for (size_t n = 0; n < columns && status == SILT_OK; n++) {
        solid->begin[n + 1] = solid->begin[n] + at[n];
        at[n] = solid->begin[n];
    }
    if (status == SILT_OK)
        status = silt_alloc_for("volume", solid->begin[columns], sizeof *solid->crossings,
                                (void **)&solid->crossings);
    for (size_t t = 0; t < solid->mesh->triangle_count && status == SILT_OK; t++)
        cross_columns(solid, t, at);
    silt_free(at);
    return status;
}

// Sorts each column and looks whether rock and air take turns: where a mesh passes through itself they do
// not.
static SiltStatus check_turns(Solid *solid)
{
    size_t columns = (size_t)solid->volume->size[0] * (size_t)solid->volume->size[1];
    double rock = 0.0;
    for (size_t k = 0; k < solid->begin[columns]; k++)
        rock -= solid->crossings[k].turn * solid->crossings[k].z;
    int sense = rock < 0.0 ? -1 : 1;
    if (sense < 0)
        silt_warn(
            "volume: the mesh is inside out: its triangles face inwards, and are taken as turned round");
    for (size_t n = 0; n < columns; n++) {
        int depth = 0;
        bool is_wrong = false;
        Crossing *first = solid->crossings + solid->begin[n];
        size_t count = solid->begin[n + 1] - solid->begin[n];
        for (size_t k = 0; k < count; k++)
            first[k].turn *= sense;
        qsort(first, count, sizeof *first, compare_crossings);
        for (size_t k = 0; k < count; k++) {
            depth += first[k].turn;
            bool is_seam = k + 1 < count && first[k + 1].z - first[k].z < 1e-3; // faces that touch
            is_wrong = is_wrong || ((depth < 0 || depth > 1) && !is_seam);
        }
        if (is_wrong || depth != 0)
            return silt_fail(
                SILT_BAD_ARGUMENT,
                "volume: the mesh passes through itself, or parts of it overlap or face inwards; unite them "
                "first");
    }
    return SILT_OK;
}

static bool is_rock(const Solid *solid, int i, int j, int k)
{
    const int *size = solid->volume->size;
    if (i >= size[0] || j >= size[1] || k >= size[2])
        return false;
    size_t column = (size_t)j * (size_t)size[0] + (size_t)i;
    int depth = 0;
    for (size_t n = solid->begin[column]; n < solid->begin[column + 1] && solid->crossings[n].z < k; n++)
        depth += solid->crossings[n].turn;
    return depth > 0;
}

// ---- distances ----

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_square(const double p[3], const double a[3], const double b[3])
{
    double along[3], from[3];
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = b[axis] - a[axis];
        from[axis] = p[axis] - a[axis];
    }
    double length = dot(along, along), t = length > 0.0 ? dot(from, along) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    for (int axis = 0; axis < 3; axis++)
        from[axis] -= t * along[axis];
    return dot(from, from);
}

// The square of the distance to a triangle: to its plane where the foot lies within it, else to its nearest
// side.
static double triangle_square(const double p[3], double c[3][3], const double normal[3])
{
    bool is_above = dot(normal, normal) > 0.0;
    double best = 1e30;
    for (int k = 0; k < 3; k++) {
        const double *a = c[k], *b = c[(k + 1) % 3];
        double side[3], from[3], square = segment_square(p, a, b);
        for (int axis = 0; axis < 3; axis++) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            side[axis] = normal[u] * (b[v] - a[v]) - normal[v] * (b[u] - a[u]);
            from[axis] = p[axis] - a[axis];
        }
        is_above = is_above && dot(side, from) >= 0.0;
        best = square < best ? square : best;
    }
    double from[3] = {p[0] - c[0][0], p[1] - c[0][1], p[2] - c[0][2]}, height = dot(from, normal);
    return is_above ? height * height / dot(normal, normal) : best;
}

typedef SiltStatus (*VoxelFn)(Solid *solid, int i, int j, int k, double c[3][3], const double normal[3]);

static SiltStatus make_brick(Solid *solid, int i, int j, int k, double c[3][3], const double normal[3])
{
    (void)c;
    (void)normal;
    return silt_volume_require(solid->volume, silt_volume_brick(solid->volume, i, j, k));
}

static SiltStatus lower_distance(Solid *solid, int i, int j, int k, double c[3][3], const double normal[3])
{
    SiltVolume *volume = solid->volume;
    const double place[3] = {i, j, k};
    float *phi = volume->table[silt_volume_brick(volume, i, j, k)] + silt_volume_offset(volume, i, j, k);
    float distance = (float)sqrt(triangle_square(place, c, normal));
    *phi = distance < fabsf(*phi) ? distance : fabsf(*phi);
    return SILT_OK;
}

// Every voxel within two of a triangle's box that lies near its plane.
static SiltStatus visit_triangle(Solid *solid, size_t triangle, VoxelFn visit)
{
    double c[3][3], normal[3];
    int low[3], high[3];
    for (int k = 0; k < 3; k++)
        corner_of(solid, triangle, k, c[k]);
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        normal[axis] = (c[1][u] - c[0][u]) * (c[2][v] - c[0][v]) - (c[1][v] - c[0][v]) * (c[2][u] - c[0][u]);
        low[axis] = (int)floor(fmin(c[0][axis], fmin(c[1][axis], c[2][axis]))) - 2;
        high[axis] = (int)ceil(fmax(c[0][axis], fmax(c[1][axis], c[2][axis]))) + 2;
    }
    double length = sqrt(dot(normal, normal));
    SiltStatus status = SILT_OK;
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0] && status == SILT_OK; i++) {
                double from[3] = {i - c[0][0], j - c[0][1], k - c[0][2]};
                if (fabs(dot(from, normal)) <= 2.0 * length)
                    status = visit(solid, i, j, k, c, normal);
            }
    return status;
}

static void sign_brick(const Solid *solid, size_t brick)
{
    SiltVolume *volume = solid->volume;
    SiltBrickAt at = silt_brick_at(volume, brick);
    int side = volume->side;
    if (silt_volume_is_uniform(volume, brick)) {
        bool is_solid = is_rock(solid, at.at[0] * side, at.at[1] * side, at.at[2] * side);
        volume->table[brick] = is_solid ? volume->solid : volume->empty;
        return;
    }
    float *phi = volume->table[brick];
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++, phi++)
                *phi = is_rock(solid, at.at[0] * side + x, at.at[1] * side + y, at.at[2] * side + z)
                           ? fabsf(*phi)
                           : -fabsf(*phi);
}

static SiltStatus fill(Solid *solid)
{
    SiltStatus status = SILT_OK;
    for (size_t t = 0; t < solid->mesh->triangle_count && status == SILT_OK; t++)
        status = visit_triangle(solid, t, make_brick);
    for (size_t t = 0; t < solid->mesh->triangle_count && status == SILT_OK; t++)
        status = visit_triangle(solid, t, lower_distance);
    for (size_t brick = 0; brick < silt_brick_total(solid->volume) && status == SILT_OK; brick++)
        sign_brick(solid, brick);
    return status == SILT_OK ? silt_volume_redistance(solid->volume, SILT_REDISTANCE_ALL) : status;
}

// The area of all triangles, and what they enclose.
static void measure(const SiltMesh *mesh, double *area, double *volume)
{
    *area = *volume = 0.0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double p[3][3], u[3], v[3], normal[3];
        for (int k = 0; k < 3; k++)
            for (size_t axis = 0; axis < 3; axis++)
                p[k][axis] = (double)mesh->positions[3 * (size_t)mesh->indices[3 * t + (size_t)k] + axis] -
                             (double)mesh->positions[axis];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = p[1][axis] - p[0][axis];
            v[axis] = p[2][axis] - p[0][axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            int a = (axis + 1) % 3, b = (axis + 2) % 3;
            normal[axis] = u[a] * v[b] - u[b] * v[a];
        }
        *area += 0.5 * sqrt(dot(normal, normal));
        *volume += dot(p[0], normal) / 6.0;
    }
    *volume = fabs(*volume);
}

// Rock that is thin against a voxel is lost between them.
static SiltStatus check_rock(const Solid *solid, int voxels, double wanted)
{
    double rock = silt_volume_rock(solid->volume), enough = ceil(4.0 * solid->longest / solid->thinnest);
    int more = enough < 2.0 * voxels ? 2 * voxels : enough < MOST_VOXELS ? (int)enough : MOST_VOXELS;
    more = more < MOST_VOXELS ? more : MOST_VOXELS;
    if (!(rock > 0.0))
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "volume: no rock is left of the mesh: it is thinner than a voxel of %.3g m; take more "
            "voxels (%d)",
            solid->cell, more);
    if (fabs(rock - wanted) > 0.1 * wanted)
        silt_warn(
            "volume: the mesh encloses %.4g m3 and its volume holds %.4g m3 of rock: what is thin against "
            "a voxel of %.3g m is lost; take more voxels (%d)",
            wanted, rock, solid->cell, more);
    return SILT_OK;
}

// A grid with this many voxels along the mesh's longest side, and the margins around it.
static SiltStatus begin_volume(Solid *solid, int voxels, int side, double area, const SiltRock *rock,
                               uint64_t seed)
{
    const SiltMesh *mesh = solid->mesh;
    double high[3], longest = 0.0, thinnest = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        solid->low[axis] = high[axis] = (double)mesh->positions[axis];
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            double at = (double)mesh->positions[3 * v + (size_t)axis];
            solid->low[axis] = fmin(solid->low[axis], at);
            high[axis] = fmax(high[axis], at);
        }
        longest = fmax(longest, high[axis] - solid->low[axis]);
        thinnest = fmin(thinnest, high[axis] - solid->low[axis]);
    }
    if (!(longest > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "volume: all vertices of the mesh lie in one place, so it holds no rock");
    if (voxels < LEAST_VOXELS || voxels > MOST_VOXELS)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "volume: %d voxels along the longest side of a mesh; it takes %d to %d", voxels,
                         LEAST_VOXELS, MOST_VOXELS);
    for (int axis = 0; axis < 3; axis++)
        if (!(high[axis] - solid->low[axis] > 1e-6 * longest))
            return silt_fail(SILT_BAD_ARGUMENT,
                             "volume: the mesh is flat: it is %g m long and %g m along %c, "
                             "and holds no rock",
                             longest, high[axis] - solid->low[axis], "xyz"[axis]);
    solid->cell = longest / voxels;
    solid->longest = longest;
    solid->thinnest = thinnest;
    int size[3];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (int)ceil((high[axis] - solid->low[axis]) / solid->cell - 1e-9) + 2 * MARGIN + 1;
    // at least: a surface needs the bricks that it passes straight through
    double brick = side * solid->cell, least = 0.5 * area / (brick * brick);
    SiltStatus status = silt_volume_check_memory(size, side, (uint64_t)fmin(least, 1e15));
    if (status == SILT_OK)
        status = silt_volume_create(size, side, solid->cell, rock, seed, &solid->volume);
    for (int axis = 0; axis < 3 && status == SILT_OK; axis++) {
        solid->volume->origin[axis] = mesh->origin[axis] + solid->low[axis] - MARGIN * solid->cell;
        solid->volume->frame[axis] = mesh->origin[axis];
    }
    return status;
}

SiltStatus silt_volume_from_mesh(const SiltMesh *mesh, int voxels, int side, const SiltRock *rock,
                                 uint64_t seed, SiltVolume **out)
{
    *out = NULL;
    Solid solid = {.mesh = mesh};
    SiltStatus status = silt_mesh_check("volume", mesh);
    if (status == SILT_OK)
        status = check_closed(mesh);
    double area = 0.0, enclosed = 0.0;
    if (status == SILT_OK) {
        measure(mesh, &area, &enclosed);
        status = begin_volume(&solid, voxels, side, area, rock, seed);
    }
    if (status == SILT_OK)
        status = find_crossings(&solid);
    if (status == SILT_OK)
        status = check_turns(&solid);
    if (status == SILT_OK)
        status = fill(&solid);
    if (status == SILT_OK)
        status = check_rock(&solid, voxels, enclosed);
    silt_free(solid.begin);
    silt_free(solid.crossings);
    if (status != SILT_OK) {
        silt_volume_destroy(solid.volume);
        return status;
    }
    *out = solid.volume;
    return SILT_OK;
}
