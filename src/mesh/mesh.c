// Meshes: made, checked and destroyed.
#include "mesh/mesh.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

void silt_mesh_destroy(SiltMesh *mesh)
{
    silt_free(mesh->positions);
    silt_free(mesh->normals);
    silt_free(mesh->indices);
    silt_free(mesh->colours);
    *mesh = (SiltMesh){0};
}

SiltStatus silt_mesh_allocate(const char *what, uint64_t vertex_count, uint64_t triangle_count,
                              bool has_normals, SiltMesh *out)
{
    *out = (SiltMesh){0};
    if (vertex_count > UINT32_MAX || triangle_count > UINT64_C(1) << 40)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %llu vertices; a mesh takes up to 4294967295: crop or resample it first", what,
                         (unsigned long long)vertex_count);
    double bytes = 12.0 * ((double)vertex_count * (has_normals ? 2.0 : 1.0) + (double)triangle_count);
    char shown[SILT_NUMBER_SIZE];
    if (bytes > 1e6 && bytes > (double)silt_memory_available())
        return silt_fail(SILT_NO_MEMORY, "%s: %llu vertices and %llu triangles need %s, more than is free",
                         what, (unsigned long long)vertex_count, (unsigned long long)triangle_count,
                         silt_format_bytes(bytes, shown));
    out->vertex_count = (size_t)vertex_count;
    out->triangle_count = (size_t)triangle_count;
    SiltStatus status =
        silt_alloc_for(what, (size_t)vertex_count, 3 * sizeof *out->positions, (void **)&out->positions);
    if (status == SILT_OK && has_normals)
        status = silt_alloc_for(what, (size_t)vertex_count, 3 * sizeof *out->normals, (void **)&out->normals);
    if (status == SILT_OK)
        status =
            silt_alloc_for(what, (size_t)triangle_count, 3 * sizeof *out->indices, (void **)&out->indices);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}

SiltStatus silt_mesh_check(const char *what, const SiltMesh *mesh)
{
    if (mesh->triangle_count == 0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the mesh has no triangles", what);
    uint32_t largest = 0;
    for (size_t k = 0; k < 3 * mesh->triangle_count; k++)
        largest = mesh->indices[k] > largest ? mesh->indices[k] : largest;
    if (largest >= mesh->vertex_count)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a triangle names vertex %u, and the mesh has %zu", what,
                         largest, mesh->vertex_count);
    bool is_finite = true;
    for (size_t k = 0; k < 3 * mesh->vertex_count; k++)
        is_finite = is_finite && isfinite(mesh->positions[k]);
    if (!is_finite)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the mesh has a vertex that is not a finite number", what);
    return SILT_OK;
}
