// What a viewer shows: copies of the motif, and new values as they come.
#include "silt/viewer.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/viewer_state.h"
#include "render/visible.h"

enum { WIDTH = 1280, HEIGHT = 800, LIMIT = 2048 };

SiltStatus silt_viewer_create(SiltViewer **out)
{
    SiltViewer *viewer;
    *out = NULL;
    SiltStatus status = silt_alloc_for("a viewer", 1, sizeof *viewer, (void **)&viewer);
    if (status != SILT_OK)
        return status;
    status = silt_params_init(&silt_render_params, &viewer->options);
    viewer->limit = LIMIT;
    viewer->width = WIDTH;
    viewer->height = HEIGHT;
    viewer->now = viewer->goal =
        (SiltGaze){.distance = 1.0, .tilt = 33.0, .turn = 28.0, .fov = viewer->options.fov};
    *out = viewer;
    return status;
}

// ---- what is shown ----

static void drop_shown(SiltShown *shown)
{
    silt_columns_destroy(shown->columns);
    silt_pose_end(&shown->pose);
    silt_terrain_destroy(shown->land);
    if (shown->mesh)
        silt_mesh_destroy(shown->mesh);
    silt_free(shown->mesh);
    silt_particles_destroy(shown->drops);
    *shown = (SiltShown){0};
}

void silt_viewer_destroy(SiltViewer *viewer, bool context_is_current)
{
    if (!viewer)
        return;
    silt_viewer_unload(viewer, context_is_current);
    silt_viewer_destroy(viewer->before, false); // which has nothing on the card any more
    silt_terrain_destroy(viewer->before_rock);
    drop_shown(&viewer->shown);
    silt_viewer_drop_light(viewer);
    silt_surface_destroy(viewer->surface);
    silt_free(viewer->marks);
    silt_free(viewer);
}

static SiltRenderOptions drawn_options(const SiltShown *shown, const SiltRenderOptions *wanted)
{
    SiltRenderOptions options = *wanted;
    if (options.look == SILT_LOOK_HILLSHADE)
        options.look = SILT_LOOK_GREY;
    options.view = SILT_VIEW_THREE_QUARTER;
    if (!shown->land || !silt_terrain_layer(shown->land, options.overlay))
        options.overlay[0] = '\0'; // the model that makes it has not begun
    return options;
}

SiltRenderOptions silt_viewer_drawn_options(const SiltViewer *viewer)
{
    return drawn_options(&viewer->shown, &viewer->options);
}

static SiltStatus copy_mesh(const SiltMesh *mesh, SiltMesh **out)
{
    SiltMesh *copy;
    SiltStatus status = silt_alloc_for("a mesh", 1, sizeof *copy, (void **)&copy);
    if (status != SILT_OK)
        return status;
    *out = copy;
    *copy = *mesh;
    copy->positions = copy->normals = NULL;
    copy->indices = NULL;
    status = silt_alloc_for("a mesh", mesh->vertex_count, 3 * sizeof(float), (void **)&copy->positions);
    if (status == SILT_OK && mesh->normals)
        status = silt_alloc_for("a mesh", mesh->vertex_count, 3 * sizeof(float), (void **)&copy->normals);
    if (status == SILT_OK)
        status =
            silt_alloc_for("a mesh", mesh->triangle_count, 3 * sizeof(uint32_t), (void **)&copy->indices);
    if (status != SILT_OK)
        return status;
    memcpy(copy->positions, mesh->positions, mesh->vertex_count * 3 * sizeof(float));
    if (mesh->normals)
        memcpy(copy->normals, mesh->normals, mesh->vertex_count * 3 * sizeof(float));
    memcpy(copy->indices, mesh->indices, mesh->triangle_count * 3 * sizeof(uint32_t));
    return SILT_OK;
}

static SiltStatus copy_terrain(const SiltTerrain *terrain, int limit, SiltShown *shown)
{
    int longest = terrain->width > terrain->height ? terrain->width : terrain->height;
    shown->width = terrain->width;
    shown->height = terrain->height;
    shown->cell = terrain->cell;
    shown->reduction = (longest + limit - 1) / limit;
    if (shown->reduction > 1)
        return silt_viewer_reduce(terrain, shown->reduction, &shown->land);
    SiltStatus status = silt_terrain_clone(terrain, &shown->land);
    if (status == SILT_OK)
        silt_terrain_settle(shown->land);
    return status;
}

static SiltStatus copy_motif(const SiltMotif *motif, int limit, SiltShown *shown)
{
    SiltStatus status = SILT_OK;
    if (motif->terrain)
        status = copy_terrain(motif->terrain, limit, shown);
    shown->volume = motif->volume;
    if (!motif->volume && motif->terrain)
        shown->volume = silt_terrain_volume(motif->terrain);
    shown->of_terrain = shown->volume && !motif->volume;
    if (status == SILT_OK && motif->mesh)
        status = copy_mesh(motif->mesh, &shown->mesh);
    if (status == SILT_OK && motif->particles)
        status = silt_particles_clone(motif->particles, &shown->drops);
    return status;
}

// The pose points into itself: it is made where it stays.
static SiltStatus pose(SiltViewer *viewer, SiltShown *shown)
{
    SiltRenderOptions options = drawn_options(shown, &viewer->options);
    bool by_heights = shown->of_terrain && options.overlay[0];
    SiltMotif motif = {shown->land, shown->mesh, by_heights ? NULL : shown->volume, shown->drops};
    silt_columns_destroy(shown->columns);
    shown->columns = NULL;
    silt_pose_end(&shown->pose);
    SiltStatus status = silt_pose_begin(&motif, &options, &viewer->surface, &shown->pose);
    if (status == SILT_OK)
        status = silt_pose_range(&shown->pose, &options, &shown->range);
    shown->range.most_deposit = shown->range.most_mud = 0.0; // while it flows amounts change in every frame
    shown->own = shown->range;
    if (status == SILT_OK && viewer->is_compared && viewer->before->stale & SILT_STALE_POSE)
        status = silt_viewer_pose(viewer->before);
    if (status == SILT_OK && viewer->is_compared)
        silt_range_include(&shown->range, &viewer->before->shown.own);
    if (status == SILT_OK && shown->pose.is_solid)
        status = silt_columns_create(shown->pose.mesh, &shown->columns);
    return status;
}

SiltStatus silt_viewer_pose(SiltViewer *viewer)
{
    SiltStatus status = pose(viewer, &viewer->shown);
    if (status == SILT_OK)
        viewer->stale &= ~(unsigned)SILT_STALE_POSE;
    viewer->stale |= SILT_STALE_ALL;
    return status;
}

// The same size and place: within what wear takes away from a mesh or volume, and what coarser cells leave
// out.
static bool is_alike(const SiltShown *a, const SiltShown *b)
{
    double wide = a->range.east - a->range.west, away = fabs(a->range.west - b->range.west);
    if (a->land && b->land && !a->pose.is_solid && !b->pose.is_solid)
        return fabs(a->width * a->cell - b->width * b->cell) < 0.05 * wide &&
               fabs(a->height * a->cell - b->height * b->cell) < 0.05 * wide;
    away = fmax(away, fabs(a->range.east - b->range.east));
    away = fmax(away, fabs(a->range.south - b->range.south));
    away = fmax(away, fabs(a->range.north - b->range.north));
    return a->pose.is_solid == b->pose.is_solid && away < 0.1 * wide;
}

// Places count from the corner of a mesh, which may have worn away.
static void move_gaze(SiltGaze *gaze, const SiltRange *from, const SiltRange *to)
{
    gaze->target[0] += from->west - to->west;
    gaze->target[1] += from->south - to->south;
}

SiltStatus silt_viewer_show(SiltViewer *viewer, const SiltMotif *motif)
{
    SiltShown next = {0}, old = viewer->shown;
    SiltStatus status = copy_motif(motif, viewer->limit, &next);
    if (status == SILT_OK)
        status = pose(viewer, &next);
    if (status != SILT_OK) {
        drop_shown(&next);
        return status;
    }
    bool keeps = viewer->is_shown && is_alike(&old, &next);
    viewer->shown = next;
    if (viewer->shown.pose.volume) {
        viewer->shown.pose.mesh = &viewer->shown.pose.own_mesh;
        silt_columns_look_at(viewer->shown.columns, &viewer->shown.pose.own_mesh);
    }
    viewer->is_shown = true;
    silt_viewer_let_go(viewer);
    viewer->stale = SILT_STALE_ALL;
    silt_viewer_drop_light(viewer);
    if (keeps && next.pose.is_solid) {
        move_gaze(&viewer->now, &old.range, &next.range);
        move_gaze(&viewer->goal, &old.range, &next.range);
    } else if (!keeps) {
        silt_viewer_frame_as_asked(viewer);
        viewer->now = viewer->goal;
    }
    drop_shown(&old);
    return SILT_OK;
}

void silt_viewer_limit(SiltViewer *viewer, int longest_side)
{
    viewer->limit = longest_side > 2 ? longest_side : 2;
}

int silt_viewer_reduction(const SiltViewer *viewer)
{
    return viewer->is_shown && viewer->shown.land ? viewer->shown.reduction : 1;
}

static bool differ(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) != 0;
}

// What of other options does not reach the card by itself with the next picture.
static unsigned stale_after(const SiltRenderOptions *a, const SiltRenderOptions *b)
{
    bool other_clips = differ(a->clip_east, b->clip_east, 2) || differ(a->clip_north, b->clip_north, 2) ||
                       differ(a->clip_height, b->clip_height, 2) || differ(a->cut, b->cut, 3) ||
                       differ(a->cut_at, b->cut_at, 3);
    bool other_pose = strcmp(a->overlay, b->overlay) != 0 || differ(&a->sea, &b->sea, 1) ||
                      a->volume != b->volume || a->worn != b->worn || a->water != b->water ||
                      a->ice != b->ice || a->sediment != b->sediment ||
                      a->particle_look != b->particle_look || a->particle_colour != b->particle_colour ||
                      a->particle_size != b->particle_size || a->exaggeration != b->exaggeration;
    bool other_light = a->sun != b->sun || a->sun_height != b->sun_height || a->shadows != b->shadows;
    return (other_pose ? SILT_STALE_POSE : 0u) | (other_clips ? SILT_STALE_ALL : 0u) |
           (other_light ? SILT_STALE_LIGHT | SILT_STALE_SHADE : 0u) | SILT_STALE_PICTURE;
}

SiltStatus silt_viewer_set_options(SiltViewer *viewer, const SiltRenderOptions *options)
{
    SiltStatus status = silt_params_check(&silt_render_params, options, "render");
    if (status != SILT_OK)
        return status;
    if (viewer->is_shown)
        viewer->stale |= stale_after(&viewer->options, options);
    viewer->options = *options;
    return viewer->before ? silt_viewer_set_options(viewer->before, options) : SILT_OK;
}

void silt_viewer_set_dark(SiltViewer *viewer, bool dark)
{
    viewer->is_dark = dark;
}

const SiltRenderOptions *silt_viewer_options(const SiltViewer *viewer)
{
    return &viewer->options;
}
