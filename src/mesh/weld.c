#include "mesh/weld.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

static uint64_t hash_of(const float *p)
{
    uint64_t hash = 14695981039346656037u;
    for (int k = 0; k < 3; k++) {
        float value = p[k] + 0.0f; // -0 and 0 are one place
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash ^ hash >> 29;
}

static bool is_same(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

SiltStatus silt_mesh_weld(const char *what, SiltMesh *mesh)
{
    size_t size = 16;
    while (size < 2 * mesh->vertex_count)
        size *= 2;
    uint32_t *table, *target;
    SiltStatus status = silt_alloc_for(what, size, sizeof *table, (void **)&table);
    if (status != SILT_OK)
        return status;
    status = silt_alloc_for(what, mesh->vertex_count, sizeof *target, (void **)&target);
    if (status != SILT_OK) {
        silt_free(table);
        return status;
    }
    uint32_t kept = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->positions + 3 * v;
        size_t at = (size_t)hash_of(p) & (size - 1);
        while (table[at] && !is_same(mesh->positions + 3 * (size_t)(table[at] - 1), p))
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            memmove(mesh->positions + 3 * (size_t)kept, p, 3 * sizeof *p);
            table[at] = ++kept;
        }
        target[v] = table[at] - 1;
    }
    size_t triangles = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t c[3];
        for (size_t k = 0; k < 3; k++)
            c[k] = target[mesh->indices[3 * t + k]];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            continue;
        memcpy(mesh->indices + 3 * triangles++, c, sizeof c);
    }
    mesh->vertex_count = kept;
    mesh->triangle_count = triangles;
    silt_free(mesh->normals);
    silt_free(mesh->colours);
    mesh->normals = NULL;
    mesh->colours = NULL;
    silt_free(table);
    silt_free(target);
    return triangles > 0 ? SILT_OK
                         : silt_fail(SILT_BAD_FILE, "%s: all triangles have two corners in one place", what);
}
