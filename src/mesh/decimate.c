// Fewer triangles for the same shape: edges collapse in the order of the error they make, measured by
// quadrics (Garland and Heckbert 1997, "Surface simplification using quadric error metrics"). A collapse that
// would fold the surface, or join sheets that only touch, is left out: what is closed stays closed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "core/status.h"
#include "mesh/mesh.h"

enum { NONE = -1, FAN = 256 };

// Squared distance to planes: the upper half of a symmetric 4 x 4 matrix.
typedef struct Quadric {
    double m[10];
} Quadric;

typedef struct Edge {
    double cost;
    int32_t a, b;
    uint32_t stamp; // of both ends together when it was made
} Edge;

typedef struct Work {
    SiltMesh *mesh;
    double (*place)[3];
    Quadric *quadric;
    int32_t *first;             // of each vertex: a corner (3 t + k) it is in, or NONE
    int32_t *next;              // of each corner: the next with the same vertex
    uint32_t *stamp;            // of each vertex: rises when it changes
    uint8_t *is_gone, *is_held; // of triangles; of vertices at a border
    Edge *heap;
    size_t heap_count, heap_capacity, alive;
} Work;

// ---- quadrics ----

static void add_plane(Quadric *q, const double n[3], double d, double weight)
{
    const double p[4] = {n[0], n[1], n[2], d};
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = i; j < 4; j++, k++)
            q->m[k] += weight * p[i] * p[j];
}

static double error_at(const Quadric *q, const double p[3])
{
    const double *m = q->m;
    double x = p[0], y = p[1], z = p[2];
    return m[0] * x * x + 2 * m[1] * x * y + 2 * m[2] * x * z + 2 * m[3] * x + m[4] * y * y +
           2 * m[5] * y * z + 2 * m[6] * y + m[7] * z * z + 2 * m[8] * z + m[9];
}

// The place of least error, or false where planes do not meet in a point.
static bool best_place(const Quadric *q, double out[3])
{
    const double *m = q->m;
    double a = m[4] * m[7] - m[5] * m[5], b = m[2] * m[5] - m[1] * m[7], c = m[1] * m[5] - m[2] * m[4];
    double det = m[0] * a + m[1] * b + m[2] * c, size = m[0] + m[4] + m[7];
    if (!(fabs(det) > 1e-4 * size * size * size))
        return false;
    double d = m[0] * m[7] - m[2] * m[2], e = m[1] * m[2] - m[0] * m[5], f = m[0] * m[4] - m[1] * m[1];
    out[0] = -(a * m[3] + b * m[6] + c * m[8]) / det;
    out[1] = -(b * m[3] + d * m[6] + e * m[8]) / det;
    out[2] = -(c * m[3] + e * m[6] + f * m[8]) / det;
    return true;
}

static Quadric sum_of(const Work *w, int32_t a, int32_t b)
{
    Quadric sum;
    for (int k = 0; k < 10; k++)
        sum.m[k] = w->quadric[a].m[k] + w->quadric[b].m[k];
    return sum;
}

// Where the vertex of a collapsed edge comes to lie; returns the error.
static double choose_place(const Work *w, int32_t a, int32_t b, double out[3])
{
    Quadric sum = sum_of(w, a, b);
    double tried[3][3], best = INFINITY, length2 = 0.0, far2 = 0.0;
    for (int k = 0; k < 3; k++) {
        tried[0][k] = w->place[a][k];
        tried[1][k] = w->place[b][k];
        tried[2][k] = 0.5 * (w->place[a][k] + w->place[b][k]);
        length2 += (w->place[a][k] - w->place[b][k]) * (w->place[a][k] - w->place[b][k]);
    }
    if (best_place(&sum, out)) {
        for (int k = 0; k < 3; k++)
            far2 += (out[k] - tried[2][k]) * (out[k] - tried[2][k]);
        if (far2 < 4.0 * length2)
            return fmax(error_at(&sum, out), 0.0) + 1e-9 * length2;
    }
    for (int n = 0; n < 3; n++) {
        double error = fmax(error_at(&sum, tried[n]), 0.0);
        if (error < best) {
            best = error;
            for (int k = 0; k < 3; k++)
                out[k] = tried[n][k];
        }
    }
    return best + 1e-9 * length2; // of equals the shortest first
}

// ---- the heap: cost, then the ends' numbers, so that the order is the same everywhere ----

static bool is_before(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    return x->cost != y->cost ? x->cost < y->cost : x->a != y->a ? x->a < y->a : x->b < y->b;
}

static SiltStatus push_edge(Work *w, int32_t a, int32_t b)
{
    if (w->is_held[a] || w->is_held[b])
        return SILT_OK;
    if (w->heap_count == w->heap_capacity) {
        size_t wanted = w->heap_capacity ? 2 * w->heap_capacity : 4096;
        void *block = w->heap;
        SiltStatus status = silt_grow("decimation", &block, w->heap_count, wanted, sizeof *w->heap);
        if (status != SILT_OK)
            return status;
        w->heap = block;
        w->heap_capacity = wanted;
    }
    double place[3];
    Edge edge = {.a = a < b ? a : b, .b = a < b ? b : a, .stamp = w->stamp[a] + w->stamp[b]};
    edge.cost = choose_place(w, edge.a, edge.b, place);
    silt_heap_push(w->heap, &w->heap_count, sizeof edge, is_before, &edge);
    return SILT_OK;
}

static Edge pop_edge(Work *w)
{
    Edge top;
    silt_heap_pop(w->heap, &w->heap_count, sizeof top, is_before, &top);
    return top;
}

// ---- collapsing ----

static int32_t corner_vertex(const Work *w, int32_t corner)
{
    return (int32_t)w->mesh->indices[corner];
}

static int32_t other_corner(int32_t corner, int by)
{
    return corner - corner % 3 + (corner + by) % 3;
}

// The vertices around one, each once; -1 when there are too many.
static int fan_of(const Work *w, int32_t vertex, int32_t fan[FAN])
{
    int count = 0;
    for (int32_t corner = w->first[vertex]; corner != NONE; corner = w->next[corner])
        for (int by = 1; by < 3; by++) {
            int32_t other = corner_vertex(w, other_corner(corner, by));
            bool is_new = true;
            for (int k = 0; k < count && is_new; k++)
                is_new = fan[k] != other;
            if (is_new && count == FAN)
                return -1;
            if (is_new)
                fan[count++] = other;
        }
    return count;
}

// Exactly the two vertices across the edge are neighbours of both ends, and neither is left with two edges.
static bool keeps_shape(const Work *w, int32_t a, int32_t b)
{
    int32_t around_a[FAN], around_b[FAN], fan[FAN];
    int count_a = fan_of(w, a, around_a), count_b = fan_of(w, b, around_b), shared = 0;
    if (count_a < 0 || count_b < 0)
        return false;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (around_a[i] == around_b[j]) {
                shared++;
                if (fan_of(w, around_a[i], fan) < 4)
                    return false;
            }
    return shared == 2;
}

static void normal_of(const double a[3], const double b[3], const double c[3], double out[3])
{
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Whether a triangle has no area to speak of, for its size; `normal` is twice its area long.
static bool is_flat(const double a[3], const double b[3], const double c[3], const double normal[3])
{
    double longest = 0.0;
    const double *corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        const double *from = corners[k], *to = corners[(k + 1) % 3];
        double side[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        longest = fmax(longest, dot(side, side));
    }
    return !(dot(normal, normal) > 1e-8 * longest * longest);
}

// Whether the triangles of `vertex`, but those of `other`, keep their side and an area when it moves to
// `place`.
static bool keeps_sides(const Work *w, int32_t vertex, int32_t other, const double place[3])
{
    for (int32_t corner = w->first[vertex]; corner != NONE; corner = w->next[corner]) {
        int32_t b = corner_vertex(w, other_corner(corner, 1)), c = corner_vertex(w, other_corner(corner, 2));
        double before[3], after[3];
        if (b == other || c == other)
            continue;
        normal_of(w->place[vertex], w->place[b], w->place[c], before);
        normal_of(place, w->place[b], w->place[c], after);
        if (is_flat(place, w->place[b], w->place[c], after))
            return false;
        bool had_side = !is_flat(w->place[vertex], w->place[b], w->place[c], before);
        if (had_side && !(dot(before, after) > 0.3 * sqrt(dot(before, before) * dot(after, after))))
            return false;
    }
    return true;
}

// Takes the triangles at the edge out, and gives those of b to a.
static void join_vertices(Work *w, int32_t a, int32_t b)
{
    int32_t *link = &w->first[a];
    while (*link != NONE && w->next[*link] != NONE)
        link = &w->next[*link];
    if (*link == NONE)
        *link = w->first[b];
    else
        w->next[*link] = w->first[b];
    w->first[b] = NONE;
    for (int32_t corner = w->first[a]; corner != NONE; corner = w->next[corner]) {
        int32_t t = corner / 3;
        w->mesh->indices[corner] = (uint32_t)a;
        const uint32_t *v = w->mesh->indices + 3 * t;
        if (!w->is_gone[t] && ((int32_t)v[0] == a) + ((int32_t)v[1] == a) + ((int32_t)v[2] == a) > 1) {
            w->is_gone[t] = 1;
            w->alive--;
        }
    }
}

// Forgets corners of triangles that are gone.
static void clean_list(Work *w, int32_t vertex)
{
    int32_t *link = &w->first[vertex];
    while (*link != NONE)
        if (w->is_gone[*link / 3])
            *link = w->next[*link];
        else
            link = &w->next[*link];
}

// GCC 12 loses (double)(float)x where it vectorises the loop around it; through memory it cannot.
static double as_float(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

static SiltStatus collapse(Work *w, const Edge *edge)
{
    double place[3];
    int32_t a = edge->a, b = edge->b, fan[FAN];
    choose_place(w, a, b, place);
    for (int k = 0; k < 3; k++)
        place[k] = as_float(place[k]); // as the mesh will have it
    if (!keeps_shape(w, a, b) || !keeps_sides(w, a, b, place) || !keeps_sides(w, b, a, place))
        return SILT_OK;
    w->quadric[a] = sum_of(w, a, b);
    for (int k = 0; k < 3; k++)
        w->place[a][k] = place[k];
    join_vertices(w, a, b);
    w->stamp[a]++;
    w->stamp[b] += 1u << 30; // no edge of it counts any more
    clean_list(w, a);
    int count = fan_of(w, a, fan);
    SiltStatus status = SILT_OK;
    for (int k = 0; k < count && status == SILT_OK; k++) {
        clean_list(w, fan[k]);
        status = push_edge(w, a, fan[k]);
    }
    return status;
}

// ---- the whole ----

static SiltStatus make_work(Work *w)
{
    size_t vertices = w->mesh->vertex_count, triangles = w->mesh->triangle_count;
    if (triangles > INT32_MAX / 3)
        return silt_fail(SILT_BAD_ARGUMENT, "decimation: %zu triangles are too many", triangles);
    const struct {
        void **slot;
        size_t count, size;
    } wanted[] = {
        {(void **)&w->place, vertices, sizeof *w->place},
        {(void **)&w->quadric, vertices, sizeof *w->quadric},
        {(void **)&w->first, vertices, sizeof *w->first},
        {(void **)&w->next, 3 * triangles, sizeof *w->next},
        {(void **)&w->stamp, vertices, sizeof *w->stamp},
        {(void **)&w->is_gone, triangles, 1},
        {(void **)&w->is_held, vertices, 1},
    };
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_alloc_for("decimation", wanted[k].count, wanted[k].size, wanted[k].slot);
    return status;
}

static void free_work(Work *w)
{
    void *all[] = {w->place, w->quadric, w->first, w->next, w->stamp, w->is_gone, w->is_held, w->heap};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_free(all[k]);
}

static void begin_work(Work *w)
{
    const SiltMesh *mesh = w->mesh;
    w->alive = mesh->triangle_count;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        w->first[v] = NONE;
        for (int k = 0; k < 3; k++)
            w->place[v][k] = (double)mesh->positions[3 * v + (size_t)k];
    }
    for (int32_t corner = (int32_t)(3 * mesh->triangle_count) - 1; corner >= 0; corner--) {
        int32_t v = corner_vertex(w, corner);
        w->next[corner] = w->first[v];
        w->first[v] = corner;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->indices + 3 * t;
        double n[3];
        normal_of(w->place[v[0]], w->place[v[1]], w->place[v[2]], n);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            n[k] /= length;
        const double *p = w->place[v[0]];
        double d = -(n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
        for (int k = 0; k < 3; k++)
            add_plane(&w->quadric[v[k]], n, d, length); // by area
    }
}

// Edges with one triangle hold their ends: what is open keeps its border.
static void hold_borders(Work *w)
{
    for (int32_t corner = 0; corner < (int32_t)(3 * w->mesh->triangle_count); corner++) {
        int32_t a = corner_vertex(w, corner), b = corner_vertex(w, other_corner(corner, 1));
        bool is_paired = false;
        for (int32_t c = w->first[b]; c != NONE && !is_paired; c = w->next[c])
            is_paired = corner_vertex(w, other_corner(c, 1)) == a;
        if (!is_paired)
            w->is_held[a] = w->is_held[b] = 1;
    }
}

// Triangles without area that the mesh brought along go with one of their edges, the shortest that may.
static SiltStatus clear_flat(Work *w)
{
    SiltStatus status = SILT_OK;
    for (int32_t t = 0; t < (int32_t)w->mesh->triangle_count && status == SILT_OK; t++) {
        uint32_t tried = 0;
        while (!w->is_gone[t] && tried != 7 && status == SILT_OK) {
            double n[3], shortest = INFINITY;
            int32_t v[3], best = 0;
            for (int k = 0; k < 3; k++)
                v[k] = corner_vertex(w, 3 * t + k);
            normal_of(w->place[v[0]], w->place[v[1]], w->place[v[2]], n);
            if (!is_flat(w->place[v[0]], w->place[v[1]], w->place[v[2]], n))
                break;
            for (int k = 0; k < 3; k++) {
                const double *from = w->place[v[k]], *to = w->place[v[(k + 1) % 3]];
                double side[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
                bool is_held = w->is_held[v[k]] || w->is_held[v[(k + 1) % 3]];
                tried |= is_held ? 1u << k : 0;
                if (!(tried >> k & 1) && dot(side, side) < shortest) {
                    shortest = dot(side, side);
                    best = k;
                }
            }
            if (!(shortest < INFINITY)) // none may go, or they have no length that is a number
                break;
            tried |= 1u << best;
            status = collapse(w, &(Edge){.a = v[best], .b = v[(best + 1) % 3]});
        }
    }
    return status;
}

// Triangles and vertices that are left, in their order; normals from the triangles around.
static void compact(Work *w, int32_t *number)
{
    SiltMesh *mesh = w->mesh;
    size_t triangles = 0, vertices = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = w->first[v] == NONE ? NONE : (int32_t)vertices;
        if (w->first[v] == NONE)
            continue;
        for (size_t k = 0; k < 3; k++)
            mesh->positions[3 * vertices + k] = (float)w->place[v][k];
        if (mesh->colours)
            memmove(mesh->colours + 4 * vertices, mesh->colours + 4 * v, 4 * sizeof *mesh->colours);
        vertices++;
    }
    for (size_t k = 0; mesh->normals && k < 3 * vertices; k++)
        mesh->normals[k] = 0.0f;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (w->is_gone[t])
            continue;
        const uint32_t *v = mesh->indices + 3 * t;
        double n[3];
        normal_of(w->place[v[0]], w->place[v[1]], w->place[v[2]], n);
        for (size_t k = 0; k < 3; k++) {
            uint32_t to = (uint32_t)number[v[k]];
            for (size_t axis = 0; mesh->normals && axis < 3; axis++)
                mesh->normals[3 * to + axis] += (float)n[axis];
            mesh->indices[3 * triangles + k] = to;
        }
        triangles++;
    }
    for (size_t v = 0; mesh->normals && v < vertices; v++) {
        float *n = mesh->normals + 3 * v, length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            n[k] = length > 0.0f ? n[k] / length : k == 2 ? 1.0f : 0.0f;
    }
    mesh->triangle_count = triangles;
    mesh->vertex_count = vertices;
}

SiltStatus silt_mesh_decimate(SiltMesh *mesh, double share)
{
    if (!(share > 0.0 && share <= 1.0))
        return silt_fail(SILT_BAD_ARGUMENT, "decimation: a share of %g of the triangles; it takes 0 to 1",
                         share);
    Work w = {.mesh = mesh};
    size_t wanted = (size_t)ceil(share * (double)mesh->triangle_count);
    SiltStatus status = share < 1.0 && mesh->triangle_count > 0 ? make_work(&w) : SILT_OK;
    if (status == SILT_OK && w.place) {
        begin_work(&w);
        hold_borders(&w);
        for (int32_t corner = 0; corner < (int32_t)(3 * mesh->triangle_count) && status == SILT_OK;
             corner++) {
            int32_t a = corner_vertex(&w, corner), b = corner_vertex(&w, other_corner(corner, 1));
            if (a < b) // each edge of a closed mesh runs once in each direction
                status = push_edge(&w, a, b);
        }
        while (w.alive > wanted && w.heap_count > 0 && status == SILT_OK) {
            Edge edge = pop_edge(&w);
            if (edge.stamp == w.stamp[edge.a] + w.stamp[edge.b])
                status = collapse(&w, &edge);
        }
        if (status == SILT_OK)
            status = clear_flat(&w);
        int32_t *number = NULL;
        if (status == SILT_OK)
            status = silt_alloc_for("decimation", mesh->vertex_count, sizeof *number, (void **)&number);
        if (status == SILT_OK)
            compact(&w, number);
        silt_free(number);
    }
    free_work(&w);
    return status;
}
