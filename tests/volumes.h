// What tests of volumes share: shapes to fill them with, and what makes a mesh a closed surface.
#ifndef SILT_TEST_VOLUMES_H
#define SILT_TEST_VOLUMES_H

#include "test.h"

#include "volume/volume.h"

// A sphere of this radius in the middle of a cube of voxels.
static inline SiltVolume *make_sphere(int size, int side, double radius)
{
    const int sizes[3] = {size, size, size};
    const SiltVolumeShape *shape = silt_volume_shape_find("sphere");
    char value[32];
    void *params = calloc(1, shape->params.size);
    assert_ok(silt_params_init(&shape->params, params));
    snprintf(value, sizeof value, "%.17g", radius / (size - 1));
    assert_ok(silt_params_set(&shape->params, params, "sphere", "radius", value));
    SiltVolume *volume;
    assert_ok(silt_volume_make(shape, sizes, side, 1.0, params, NULL, 0, &volume));
    free(params);
    return volume;
}

static inline SiltVolume *make_shape(const char *name, int x, int y, int z, int side)
{
    const int sizes[3] = {x, y, z};
    SiltVolume *volume;
    assert_ok(silt_volume_make(silt_volume_shape_find(name), sizes, side, 1.0, NULL, NULL, 0, &volume));
    return volume;
}

typedef struct MeshFacts {
    bool is_closed; // every directed edge has its opposite, and no edge appears twice
    long euler;     // vertices that are used - edges + triangles
    double area, volume;
} MeshFacts;

typedef struct Edge {
    uint32_t from, to;
} Edge;

static inline int compare_edges(const void *a, const void *b)
{
    const Edge *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

static inline void measure_triangle(const SiltMesh *mesh, const uint32_t *corner, MeshFacts *facts)
{
    double p[3][3], n[3];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            p[k][axis] = (double)mesh->positions[3 * corner[k] + (uint32_t)axis];
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        n[axis] = (p[1][u] - p[0][u]) * (p[2][v] - p[0][v]) - (p[1][v] - p[0][v]) * (p[2][u] - p[0][u]);
    }
    facts->area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    facts->volume += (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 6.0;
}

static inline MeshFacts measure_mesh(const SiltMesh *mesh)
{
    MeshFacts facts = {.is_closed = true};
    size_t count = 3 * mesh->triangle_count;
    Edge *edges = malloc((count + 1) * sizeof *edges);
    uint8_t *used = calloc(mesh->vertex_count + 1, 1);
    for (size_t k = 0; k < count; k++) {
        size_t next = k % 3 == 2 ? k - 2 : k + 1;
        edges[k] = (Edge){mesh->indices[k], mesh->indices[next]};
        used[mesh->indices[k]] = 1;
        if (k % 3 == 0)
            measure_triangle(mesh, mesh->indices + k, &facts);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t k = 0; k < count; k++) {
        Edge back = {edges[k].to, edges[k].from};
        bool is_twice = k > 0 && compare_edges(&edges[k], &edges[k - 1]) == 0;
        if (is_twice || edges[k].from == edges[k].to ||
            !bsearch(&back, edges, count, sizeof *edges, compare_edges))
            facts.is_closed = false;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++)
        facts.euler += used[v];
    facts.euler += (long)mesh->triangle_count - (long)count / 2;
    free(edges);
    free(used);
    return facts;
}

#endif
