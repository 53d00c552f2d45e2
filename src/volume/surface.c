// Marching cubes over all bricks, watertight across their borders (Weiss 2016, 3.3.1.1).
//
// A brick owns the edges that begin at its voxels, and the cubes whose low corner it holds. It keeps one bit
// for each of its edges along x, y and z that the surface cuts, and one for each voxel that is a corner of
// the block's walls; the number of a vertex is the count of bits before its own. So a cube finds the vertices
// of the bricks beside it without a table of edges. Triangles name a vertex by the brick it is in, one of the
// eight from here upwards along the axes, and its number there.
#include "volume/volume.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/mesh.h"
#include "volume/surface.h"

enum { SPAN = 16 };

static SiltStatus begin_surface(SiltVolume *volume, bool is_open, SiltRockSurface **out)
{
    *out = NULL;
    SiltRockSurface *surface = NULL;
    size_t total = silt_brick_total(volume);
    SiltStatus status = silt_alloc_for("surface", 1, sizeof *surface, (void **)&surface);
    if (status != SILT_OK)
        return status;
    surface->volume = volume;
    surface->total = total;
    surface->is_open = is_open;
    status = silt_alloc_for("surface", total, sizeof *surface->skins, (void **)&surface->skins);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *surface->redo, (void **)&surface->redo);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *surface->failed, (void **)&surface->failed);
    if (status != SILT_OK) {
        silt_surface_destroy(surface);
        return status;
    }
    *out = surface;
    return SILT_OK;
}

SiltStatus silt_surface_create(SiltVolume *volume, bool is_open, SiltRockSurface **out)
{
    SiltStatus status = begin_surface(volume, is_open, out);
    for (size_t brick = 0; status == SILT_OK && brick < (*out)->total; brick++)
        volume->flags[brick] |= SILT_BRICK_REMESH;
    return status;
}

bool silt_surface_is_of(const SiltRockSurface *surface, const SiltVolume *volume)
{
    return surface && surface->volume == volume && surface->total == silt_brick_total(volume);
}

void silt_surface_destroy(SiltRockSurface *surface)
{
    if (!surface)
        return;
    for (size_t brick = 0; surface->skins && brick < surface->total; brick++) {
        silt_skin_clear_vertices(&surface->skins[brick]);
        silt_skin_clear_triangles(&surface->skins[brick]);
    }
    silt_free(surface->skins);
    silt_free(surface->redo);
    silt_free(surface->failed);
    silt_free(surface);
}

// A vertex depends on its brick and those around it (normals look one voxel back), a triangle on where the
// vertices of the bricks above are.
static void choose_bricks(void *context, int begin, int end)
{
    SiltRockSurface *surface = context;
    const SiltVolume *volume = surface->volume;
    for (int brick = begin; brick < end; brick++) {
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        surface->redo[brick] = surface->is_fresh ? REDO_VERTICES | REDO_TRIANGLES : 0;
        if (surface->is_fresh)
            continue;
        for (int n = 0; n < 64; n++) {
            int step[3] = {n % 4 - 1, n / 4 % 4 - 1, n / 16 - 1};
            if (!(volume->flags[silt_brick_beside(volume, at, step[0], step[1], step[2])] &
                  SILT_BRICK_REMESH))
                continue;
            surface->redo[brick] |= REDO_TRIANGLES;
            if (step[0] < 2 && step[1] < 2 && step[2] < 2)
                surface->redo[brick] |= REDO_VERTICES;
        }
    }
}

SiltStatus silt_surface_update(SiltRockSurface *surface, size_t *redone)
{
    SiltVolume *volume = surface->volume;
    size_t total = silt_brick_total(volume), count = 0;
    memset(surface->failed, 0, total);
    silt_parallel((int)total, 256, choose_bricks, surface);
    silt_parallel((int)total, SPAN, silt_skin_vertices, surface);
    bool has_failed = false;
    for (size_t brick = 0; brick < total; brick++)
        has_failed = has_failed || surface->failed[brick];
    if (!has_failed)
        silt_parallel((int)total, 4 * SPAN, silt_skin_triangles, surface);
    for (size_t brick = 0; brick < total; brick++) {
        has_failed = has_failed || surface->failed[brick];
        count += surface->redo[brick] != 0;
    }
    if (has_failed)
        return silt_fail(SILT_NO_MEMORY, "surface: not enough memory for the triangles of %zu bricks", count);
    for (size_t brick = 0; brick < total && !surface->is_fresh; brick++)
        volume->flags[brick] &= (uint8_t)~SILT_BRICK_REMESH;
    if (redone)
        *redone = count;
    return SILT_OK;
}

typedef struct Gathering {
    const SiltRockSurface *surface;
    const uint64_t *vertices, *triangles; // before each brick
    SiltMesh *mesh;
} Gathering;

static void gather_bricks(void *context, int begin, int end)
{
    const Gathering *gathering = context;
    const SiltVolume *volume = gathering->surface->volume;
    float cell = (float)volume->cell, low = (float)volume->origin[2];
    for (int brick = begin; brick < end; brick++) {
        const Skin *skin = &gathering->surface->skins[brick];
        float *position = gathering->mesh->positions + 3 * gathering->vertices[brick];
        float *normal = gathering->mesh->normals + 3 * gathering->vertices[brick];
        for (uint32_t v = 0; v < skin->vertex_count; v++)
            for (int axis = 0; axis < 3; axis++) {
                *position++ = skin->vertices[6 * (size_t)v + (size_t)axis] * cell + (axis == 2 ? low : 0.0f);
                *normal++ = skin->vertices[6 * (size_t)v + 3 + (size_t)axis];
            }
        if (!skin->triangle_count)
            continue;
        uint32_t first[8];
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        for (int n = 0; n < 8; n++)
            first[n] =
                (uint32_t)gathering->vertices[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)];
        uint32_t *to = gathering->mesh->indices + 3 * gathering->triangles[brick];
        for (size_t k = 0; k < 3 * (size_t)skin->triangle_count; k++)
            to[k] = first[skin->triangles[k] >> 16] + (skin->triangles[k] & 0xFFFFu);
    }
}

SiltStatus silt_surface_mesh(const SiltRockSurface *surface, SiltMesh *out)
{
    *out = (SiltMesh){0};
    size_t total = silt_brick_total(surface->volume);
    uint64_t *vertices = NULL, *triangles = NULL, vertex_count = 0, triangle_count = 0;
    SiltStatus status = silt_alloc_for("surface", total, sizeof *vertices, (void **)&vertices);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *triangles, (void **)&triangles);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        vertices[brick] = vertex_count;
        triangles[brick] = triangle_count;
        vertex_count += surface->skins[brick].vertex_count;
        triangle_count += surface->skins[brick].triangle_count;
    }
    if (status == SILT_OK)
        status = silt_mesh_allocate("surface", vertex_count, triangle_count, true, out);
    if (status == SILT_OK) {
        Gathering gathering = {surface, vertices, triangles, out};
        memcpy(out->origin, surface->volume->origin, 2 * sizeof *out->origin); // z is the true height
        silt_parallel((int)total, SPAN, gather_bricks, &gathering);
    }
    silt_free(vertices);
    silt_free(triangles);
    return status;
}

void silt_volume_place_mesh(const SiltVolume *volume, SiltMesh *mesh)
{
    for (int axis = 0; axis < 3; axis++) {
        double shift = mesh->origin[axis] - volume->frame[axis];
        mesh->origin[axis] = volume->frame[axis];
        for (size_t v = 0; v < mesh->vertex_count && shift != 0.0; v++)
            mesh->positions[3 * v + (size_t)axis] =
                (float)((double)mesh->positions[3 * v + (size_t)axis] + shift);
    }
}

SiltStatus silt_volume_mesh(SiltVolume *volume, bool is_open, SiltMesh *out)
{
    *out = (SiltMesh){0};
    SiltRockSurface *surface;
    SiltStatus status = begin_surface(volume, is_open, &surface);
    if (status != SILT_OK)
        return status;
    surface->is_fresh = true;
    status = silt_surface_update(surface, NULL);
    if (status == SILT_OK)
        status = silt_surface_mesh(surface, out);
    silt_surface_destroy(surface);
    return status;
}
