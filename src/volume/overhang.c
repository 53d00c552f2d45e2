// The parts of a volume's surface that its heights do not show: under a roof of rock.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "volume/volume.h"

typedef struct Roofs {
    const SiltVolume *volume;
    const SiltMesh *mesh;
    uint8_t *is_under; // of each triangle
} Roofs;

// Rock stands above a triangle, or it faces down itself: looked at from a little way off it.
static void find_roofs(void *context, int begin, int end)
{
    const Roofs *roofs = context;
    const SiltVolume *volume = roofs->volume;
    const float up[3] = {0.0f, 0.0f, 1.0f};
    for (int t = begin; t < end; t++) {
        const uint32_t *v = roofs->mesh->indices + 3 * (size_t)t;
        float place[3] = {0.0f, 0.0f, 0.0f}, gradient[3], hit;
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                place[axis] += (float)((double)roofs->mesh->positions[3 * v[k] + (uint32_t)axis] +
                                       roofs->mesh->origin[axis] - volume->origin[axis]) /
                               (float)(3.0 * volume->cell);
        silt_volume_sample(volume, place, gradient);
        float length =
            sqrtf(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]);
        for (int axis = 0; axis < 3 && length > 0.0f; axis++)
            place[axis] -= 0.3f * gradient[axis] / length;
        roofs->is_under[t] = silt_volume_sample(volume, place, NULL) < 0.0f &&
                             silt_volume_ray(volume, place, up, (float)volume->size[2], &hit);
    }
}

static void keep_triangles(const Roofs *roofs, SiltMesh *mesh, int64_t *number)
{
    size_t triangles = 0, vertices = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++)
        number[v] = -1;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t k = 0; roofs->is_under[t] && k < 3; k++)
            number[mesh->indices[3 * t + k]] = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] < 0)
            continue;
        for (size_t k = 0; k < 3; k++) {
            mesh->positions[3 * vertices + k] = mesh->positions[3 * v + k];
            if (mesh->normals)
                mesh->normals[3 * vertices + k] = mesh->normals[3 * v + k];
        }
        number[v] = (int64_t)vertices++;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (!roofs->is_under[t])
            continue;
        for (size_t k = 0; k < 3; k++)
            mesh->indices[3 * triangles + k] = (uint32_t)number[mesh->indices[3 * t + k]];
        triangles++;
    }
    mesh->triangle_count = triangles;
    mesh->vertex_count = vertices;
}

SiltStatus silt_volume_overhangs(SiltVolume *volume, SiltMesh *out)
{
    SiltStatus status = silt_volume_mesh(volume, true, out);
    if (status != SILT_OK)
        return status;
    Roofs roofs = {.volume = volume, .mesh = out};
    int64_t *number = NULL;
    status = silt_alloc_for("overhangs", out->triangle_count + 1, 1, (void **)&roofs.is_under);
    if (status == SILT_OK)
        status = silt_alloc_for("overhangs", out->vertex_count + 1, sizeof *number, (void **)&number);
    if (status == SILT_OK) {
        silt_parallel((int)out->triangle_count, 4096, find_roofs, &roofs);
        keep_triangles(&roofs, out, number);
    } else {
        silt_mesh_destroy(out);
    }
    silt_free(roofs.is_under);
    silt_free(number);
    return status;
}
