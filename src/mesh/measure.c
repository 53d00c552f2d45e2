// What a mesh is like: closed or not, how many pieces, how much rock, and how thin its thinnest wall is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/mesh.h"
#include "physics/power.h"

// ---- edges ----

typedef struct Edge {
    uint32_t low, high;
    int32_t way; // 1 from low to high, -1 back
} Edge;

static int compare_edges(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

// Every edge is passed as often one way as the other, or the surface has a border.
static SiltStatus count_open(const SiltMesh *mesh, size_t *out)
{
    size_t count = 3 * mesh->triangle_count;
    Edge *edges;
    SiltStatus status = silt_alloc_for("a mesh", count, sizeof *edges, (void **)&edges);
    if (status != SILT_OK)
        return status;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t a = mesh->indices[3 * t + k], b = mesh->indices[3 * t + (k + 1) % 3];
            edges[3 * t + k] = a < b ? (Edge){a, b, 1} : (Edge){b, a, -1};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    *out = 0;
    for (size_t k = 0; k < count;) {
        int64_t sum = 0;
        size_t end = k;
        for (; end < count && compare_edges(&edges[k], &edges[end]) == 0; end++)
            sum += edges[end].way;
        *out += (size_t)(sum < 0 ? -sum : sum);
        k = end;
    }
    silt_free(edges);
    return SILT_OK;
}

// ---- shells ----

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static SiltStatus count_shells(const SiltMesh *mesh, int *out)
{
    uint32_t *parent;
    uint8_t *used;
    *out = 0;
    SiltStatus status = silt_alloc_for("a mesh", mesh->vertex_count, sizeof *parent, (void **)&parent);
    if (status != SILT_OK)
        return status;
    status = silt_alloc_for("a mesh", mesh->vertex_count, 1, (void **)&used);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        parent[v] = (uint32_t)v;
    for (size_t c = 0; c < 3 * mesh->triangle_count && status == SILT_OK; c++) {
        uint32_t a = root_of(parent, mesh->indices[c]), b = root_of(parent, mesh->indices[c - c % 3]);
        parent[a > b ? a : b] = a > b ? b : a;
        used[mesh->indices[c]] = 1;
    }
    for (size_t v = 0; v < mesh->vertex_count && status == SILT_OK; v++)
        *out += used[v] && parent[v] == v;
    silt_free(parent);
    silt_free(used);
    return status;
}

// ---- volume, area, bounds ----

static void corner(const SiltMesh *mesh, size_t t, size_t k, double out[3])
{
    const float *p = mesh->positions + 3 * (size_t)mesh->indices[3 * t + k];
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (double)p[axis];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The normal, as long as twice the area.
static void face(const SiltMesh *mesh, size_t t, double a[3], double normal[3])
{
    double b[3], c[3];
    corner(mesh, t, 0, a);
    corner(mesh, t, 1, b);
    corner(mesh, t, 2, c);
    for (int k = 0; k < 3; k++) {
        b[k] -= a[k];
        c[k] -= a[k];
    }
    cross(b, c, normal);
}

static void measure_size(const SiltMesh *mesh, SiltMeshInfo *info)
{
    double middle[3];
    for (int k = 0; k < 3; k++) {
        info->low[k] = INFINITY;
        info->high[k] = -INFINITY;
    }
    for (size_t c = 0; c < 3 * mesh->triangle_count; c++)
        for (int k = 0; k < 3; k++) {
            double value = (double)mesh->positions[3 * (size_t)mesh->indices[c] + (size_t)k];
            info->low[k] = value < info->low[k] ? value : info->low[k];
            info->high[k] = value > info->high[k] ? value : info->high[k];
        }
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (info->low[k] + info->high[k]);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double a[3], normal[3];
        face(mesh, t, a, normal);
        info->area += 0.5 * sqrt(dot(normal, normal));
        for (int k = 0; k < 3; k++)
            a[k] -= middle[k]; // small numbers round less
        info->volume += dot(a, normal) / 6.0;
    }
}

// ---- walls: rays inwards from triangles all over, through a grid of boxes ----

enum { MOST_RAYS = 20000 };

typedef struct Boxes {
    const SiltMesh *mesh;
    double low[3], size; // of a box, m
    int count[3];
    size_t *first;    // of each box: its triangles begin here
    uint32_t *inside; // triangles, box after box
    size_t every;     // one ray for so many triangles
    double *distance; // of each ray
} Boxes;

static size_t box_index(const Boxes *b, const int at[3])
{
    return ((size_t)at[2] * (size_t)b->count[1] + (size_t)at[1]) * (size_t)b->count[0] + (size_t)at[0];
}

static void box_of(const Boxes *b, const double p[3], int out[3])
{
    for (int k = 0; k < 3; k++) {
        int at = (int)floor((p[k] - b->low[k]) / b->size);
        out[k] = at < 0 ? 0 : at >= b->count[k] ? b->count[k] - 1 : at;
    }
}

static void box_range(const Boxes *b, size_t t, int from[3], int to[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, p[3];
    for (size_t c = 0; c < 3; c++) {
        corner(b->mesh, t, c, p);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    box_of(b, low, from);
    box_of(b, high, to);
}

static SiltStatus fill_boxes(Boxes *b, const SiltMeshInfo *info)
{
    double sides[3], volume = 1.0;
    for (int k = 0; k < 3; k++) {
        sides[k] = info->high[k] - info->low[k];
        sides[k] = sides[k] > 0.0 ? sides[k] : 1e-6;
        b->low[k] = info->low[k];
        volume *= sides[k];
    }
    double longest = fmax(sides[0], fmax(sides[1], sides[2]));
    double wanted = fmin(fmax((double)b->mesh->triangle_count, 64.0), 2e6);
    b->size = fmax(silt_power(volume / wanted, 1.0 / 3.0), longest / 512.0);
    for (int k = 0; k < 3; k++)
        b->count[k] = (int)(sides[k] / b->size) + 1;
    size_t boxes = (size_t)b->count[0] * (size_t)b->count[1] * (size_t)b->count[2];
    SiltStatus status = silt_alloc_for("a mesh", boxes + 1, sizeof *b->first, (void **)&b->first);
    for (int pass = 0; pass < 2 && status == SILT_OK; pass++) {
        for (size_t t = b->mesh->triangle_count; t-- > 0;) {
            int from[3], to[3], at[3];
            box_range(b, t, from, to);
            for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
                for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
                    for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
                        size_t box = box_index(b, at);
                        if (pass == 0)
                            b->first[box]++;
                        else
                            b->inside[--b->first[box]] = (uint32_t)t;
                    }
        }
        for (size_t k = 1; pass == 0 && k <= boxes; k++)
            b->first[k] += b->first[k - 1];
        if (pass == 0)
            status = silt_alloc_for("a mesh", b->first[boxes] + 1, sizeof *b->inside, (void **)&b->inside);
    }
    return status;
}

// How far along the ray triangle t is met from within, its wall at most 32 degrees askew; infinity: it is
// not.
static double meets(const SiltMesh *mesh, size_t t, const double from[3], const double way[3])
{
    double a[3], b[3], c[3], p[3], q[3], normal[3], r[3];
    face(mesh, t, a, normal);
    double facing = dot(normal, way), length = sqrt(dot(normal, normal));
    if (!(facing > 0.85 * length))
        return INFINITY;
    corner(mesh, t, 1, b);
    corner(mesh, t, 2, c);
    for (int k = 0; k < 3; k++) {
        p[k] = b[k] - a[k];
        q[k] = c[k] - a[k];
        r[k] = from[k] - a[k];
    }
    double h[3], s[3];
    cross(way, q, h);
    double det = dot(p, h), over = det != 0.0 ? 1.0 / det : 0.0;
    double u = over * dot(r, h);
    cross(r, p, s);
    double v = over * dot(way, s), far = over * dot(q, s);
    return det != 0.0 && u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9 && far > 0.0 ? far : INFINITY;
}

// From box to box along the ray until something is met before the next.
static double through(const Boxes *b, const double from[3], const double way[3])
{
    int at[3], step[3];
    double next[3], each[3], nearest = INFINITY;
    box_of(b, from, at);
    for (int k = 0; k < 3; k++) {
        step[k] = way[k] > 0.0 ? 1 : -1;
        double border = b->low[k] + b->size * (at[k] + (way[k] > 0.0));
        next[k] = way[k] != 0.0 ? (border - from[k]) / way[k] : INFINITY;
        each[k] = way[k] != 0.0 ? b->size / fabs(way[k]) : INFINITY;
    }
    for (;;) {
        size_t box = box_index(b, at);
        for (size_t k = b->first[box]; k < b->first[box + 1]; k++)
            nearest = fmin(nearest, meets(b->mesh, b->inside[k], from, way));
        int axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
        if (nearest <= next[axis])
            return nearest;
        at[axis] += step[axis];
        if (at[axis] < 0 || at[axis] >= b->count[axis])
            return nearest;
        next[axis] += each[axis];
    }
}

static void ray_from(const Boxes *b, size_t ray, double from[3], double way[3])
{
    size_t t = ray * b->every;
    double a[3], normal[3], p[3];
    face(b->mesh, t, a, normal);
    double length = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; k++) {
        from[k] = 0.0;
        way[k] = length > 0.0 ? -normal[k] / length : 0.0;
    }
    for (size_t c = 0; c < 3; c++) {
        corner(b->mesh, t, c, p);
        for (int k = 0; k < 3; k++)
            from[k] += p[k] / 3.0;
    }
}

static void cast_rays(void *context, int begin, int end)
{
    const Boxes *b = context;
    for (int ray = begin; ray < end; ray++) {
        double from[3], way[3];
        ray_from(b, (size_t)ray, from, way);
        b->distance[ray] = dot(way, way) > 0.0 ? through(b, from, way) : INFINITY;
    }
}

static SiltStatus find_thinnest(const SiltMesh *mesh, SiltMeshInfo *info)
{
    Boxes boxes = {.mesh = mesh, .every = 1 + (mesh->triangle_count - 1) / MOST_RAYS};
    int rays = (int)((mesh->triangle_count - 1) / boxes.every + 1);
    SiltStatus status = silt_alloc_for("a mesh", (size_t)rays, sizeof(double), (void **)&boxes.distance);
    if (status == SILT_OK)
        status = fill_boxes(&boxes, info);
    if (status == SILT_OK)
        silt_parallel(rays, 64, cast_rays, &boxes);
    for (int k = 0; k < rays && status == SILT_OK; k++)
        if (boxes.distance[k] < INFINITY && !(boxes.distance[k] >= info->thinnest)) {
            double way[3];
            info->thinnest = boxes.distance[k];
            ray_from(&boxes, (size_t)k, info->thinnest_at, way);
        }
    silt_free(boxes.first);
    silt_free(boxes.inside);
    silt_free(boxes.distance);
    return status;
}

SiltStatus silt_mesh_measure(const SiltMesh *mesh, SiltMeshInfo *out)
{
    *out = (SiltMeshInfo){.thinnest = NAN, .thinnest_at = {NAN, NAN, NAN}};
    SiltStatus status = silt_mesh_check("a mesh", mesh);
    if (status == SILT_OK)
        status = count_open(mesh, &out->open_edges);
    if (status == SILT_OK)
        status = count_shells(mesh, &out->shells);
    if (status != SILT_OK)
        return status;
    measure_size(mesh, out);
    if (out->open_edges == 0)
        status = find_thinnest(mesh, out);
    for (int k = 0; k < 3; k++) {
        out->low[k] += mesh->origin[k];
        out->high[k] += mesh->origin[k];
        out->thinnest_at[k] += mesh->origin[k];
    }
    return status;
}
