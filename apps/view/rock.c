// The surface of a volume, as the last news had it.
#include "rock.h"

#include <string.h>

enum { SECONDS_BETWEEN = 1 };

static void *copy_of(const void *from, size_t bytes)
{
    void *to = from ? silt_alloc(bytes) : NULL;
    if (to)
        memcpy(to, from, bytes);
    return to;
}

static bool copy_mesh(const SiltMesh *from, SiltMesh *to)
{
    *to = *from;
    to->positions = copy_of(from->positions, 3 * from->vertex_count * sizeof(float));
    to->normals = copy_of(from->normals, 3 * from->vertex_count * sizeof(float));
    to->indices = copy_of(from->indices, 3 * from->triangle_count * sizeof(uint32_t));
    bool fine = to->positions && to->indices && (to->normals || !from->normals);
    if (!fine)
        silt_mesh_destroy(to);
    return fine;
}

void rock_keep(View *view, const SiltMesh *surface)
{
    gint64 now = g_get_monotonic_time();
    if (surface && view->has_surface && now - view->surface_kept < SECONDS_BETWEEN * G_USEC_PER_SEC)
        return;
    if (view->has_surface)
        silt_mesh_destroy(&view->surface);
    view->has_surface = surface && copy_mesh(surface, &view->surface);
    view->surface_kept = now;
}

bool rock_copy(const View *view, SiltMesh *out)
{
    return view->has_surface && copy_mesh(&view->surface, out);
}
