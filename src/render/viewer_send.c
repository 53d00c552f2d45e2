// Brings the graphics card up to date with what a viewer shows.
#include "silt/base.h"

#ifdef SILT_HAS_GL
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "render/facets.h"
#include "render/scene.h"
#include "render/viewer_state.h"

#define SHADE_EVERY 0.5       // s
#define LIGHT_EVERY 3.0       // s, of land that plays where no card draws: valleys deepen slowly
enum { AT_ONCE = 600 * 600 }; // cells whose light is made before they are shown

// ---- the land ----

static SiltRect whole_of(const SiltTerrain *terrain)
{
    return (SiltRect){0, 0, terrain->width, terrain->height};
}

static bool is_large_mesh(const SiltViewer *viewer)
{
    const SiltPose *pose = &viewer->shown.pose;
    return pose->is_solid && pose->mesh->triangle_count > SILT_MANY_TRIANGLES;
}

bool silt_viewer_is_large(const SiltViewer *viewer)
{
    const SiltTerrain *land = viewer->shown.land;
    if (viewer->shown.pose.is_solid)
        return is_large_mesh(viewer);
    return land && (int64_t)land->width * land->height > AT_ONCE;
}

bool silt_viewer_has_too_many(const SiltViewer *viewer)
{
    double all = (double)silt_scene_triangles(viewer->scene, false);
    return all > SILT_MANY_TRIANGLES && all > 0.025 * viewer->pace.triangle_rate;
}

static bool is_dim(const SiltViewer *viewer)
{
    return viewer->stale & SILT_STALE_LIGHT || viewer->daylight.is_busy;
}

// Goes on with the land's light for so many seconds; once it is there, the whole surface is new.
static SiltStatus go_on_with_light(SiltViewer *viewer, double seconds)
{
    SiltStatus status;
    SiltDaylight *light = &viewer->daylight;
    if (!silt_viewer_make_light(viewer, seconds, &status))
        return status;
    viewer->lit_at = silt_wall_clock();
    silt_scene_exchange_light(viewer->scene, &light->sky, &light->shadow);
    viewer->heights = whole_of(viewer->shown.pose.terrain);
    viewer->stale |= SILT_STALE_PART;
    return SILT_OK;
}

static SiltStatus send_light(SiltViewer *viewer, SiltSending how)
{
    SiltStatus status = SILT_OK;
    if (viewer->shown.pose.is_solid || !viewer->shown.pose.terrain) {
        viewer->stale &= ~(unsigned)SILT_STALE_LIGHT;
        return SILT_OK;
    }
    bool is_early =
        viewer->is_thrifty && !viewer->daylight.is_busy && silt_wall_clock() - viewer->lit_at < LIGHT_EVERY;
    if (how == SILT_SEND_SOME && is_early)
        return SILT_OK;
    if (how != SILT_SEND_ALL)
        return go_on_with_light(viewer, how == SILT_SEND_SOME ? 0.0025 : 0.02);
    while (status == SILT_OK && is_dim(viewer))
        status = go_on_with_light(viewer, 1.0);
    return status;
}

// Of an overlay that changes, now and then; small changes leave the colours as they are.
static SiltStatus rescale(SiltViewer *viewer)
{
    const SiltTerrain *terrain = viewer->shown.pose.terrain;
    SiltScale *old = &viewer->shown.range.scale, better = *old;
    double now = silt_wall_clock();
    const SiltField *field = silt_terrain_layer(terrain, viewer->options.overlay);
    if (!field || (old->kind != SILT_SCALE_FLAT && now - viewer->scaled_at < 1.0))
        return SILT_OK;
    viewer->scaled_at = now;
    SiltStatus status = silt_scale_choose(field, terrain->nodata, &better);
    double span = old->high - old->low, away = fabs(better.high - old->high) + fabs(better.low - old->low);
    if (status != SILT_OK || (better.kind == old->kind && away <= 0.25 * span))
        return status;
    *old = better;
    viewer->overlays = whole_of(terrain);
    return SILT_OK;
}

// While values change the range only grows; now it is what they have.
static void find_range(SiltViewer *viewer, const SiltRenderOptions *options)
{
    SiltShown *shown = &viewer->shown;
    SiltRange range;
    viewer->stale &= ~(unsigned)SILT_STALE_RANGE;
    if (shown->pose.is_solid || silt_pose_range(&shown->pose, options, &range) != SILT_OK)
        return;
    range.most_deposit = range.most_mud = 0.0;
    shown->own = range;
    if (viewer->is_compared)
        silt_range_include(&range, &viewer->before->shown.own);
    shown->range = range;
    viewer->stale |= SILT_STALE_PART;
    if (options->overlay[0])
        viewer->overlays = whole_of(shown->pose.terrain);
}

static SiltStatus send_parts(SiltViewer *viewer, SiltSending how, const SiltRenderOptions *options)
{
    SiltStatus status = SILT_OK;
    if (how == SILT_SEND_SOME && viewer->overlays.width > 0)
        status = rescale(viewer);
    SiltChange change = {viewer->heights, viewer->waters, viewer->covers, viewer->overlays, false};
    if (status == SILT_OK)
        status =
            silt_scene_update(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range, &change);
    viewer->ground_is_new = true;
    return status;
}

// Nothing but water has come since the ground was drawn that is still seen.
static bool is_wash(const SiltViewer *viewer, SiltSending how)
{
    return how == SILT_SEND_SOME && viewer->is_thrifty && !viewer->ground_is_new &&
           !(viewer->stale & SILT_STALE_PICTURE) && viewer->heights.width == 0 &&
           viewer->overlays.width == 0 && viewer->covers.width > 0 && silt_scene_can_wash(viewer->scene);
}

// For the next picture alone: the parts wait for one with new ground, or of another kind.
static SiltStatus send_wash(SiltViewer *viewer, const SiltRenderOptions *options)
{
    SiltChange change = {.cover = viewer->covers, .is_wash = true};
    return silt_scene_update(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range, &change);
}

// Blocks of cells along a side that a pixel is as wide as, where the camera looks at.
static int cells_of_pixel(const SiltViewer *viewer, const int size[2])
{
    const SiltTerrain *land = viewer->shown.pose.terrain;
    double pixel = 2.0 * tan(0.5 * viewer->now.fov * 3.14159265358979323846 / 180.0) * viewer->now.distance /
                   (silt_viewer_scale(viewer) * size[1]);
    int side = 1;
    while (side < 8 && 2 * side * land->cell < 1.4 * pixel)
        side *= 2;
    return side;
}

// A land that changes all over from frame to frame is sent by as few cells as are seen; one that rests by
// all.
static void choose_cells(SiltViewer *viewer, const int size[2], SiltSending how)
{
    const SiltTerrain *land = viewer->shown.pose.terrain;
    if (!land || viewer->shown.pose.is_solid)
        return;
    SiltRect all = whole_of(land);
    bool is_all = viewer->heights.width == land->width && viewer->heights.height == land->height;
    bool is_frame = how == SILT_SEND_SOME;
    if (is_frame && !(viewer->is_thrifty && is_all))
        return;
    if (!silt_scene_set_thin(viewer->scene, is_frame ? cells_of_pixel(viewer, size) : 1))
        return;
    viewer->heights = viewer->waters = viewer->covers = viewer->overlays = all;
    viewer->stale |= SILT_STALE_PART;
}

static void forget_parts(SiltViewer *viewer)
{
    viewer->heights = viewer->waters = viewer->covers = viewer->overlays = (SiltRect){0};
}

// ---- shadows of what is no height field ----

static void shade_is_made(SiltViewer *viewer, bool best)
{
    viewer->shaded_at = silt_wall_clock();
    viewer->stale |= best ? 0u : (unsigned)SILT_STALE_COARSE;
    viewer->version++;
}

// A little of it: those of many triangles take longer than a frame may.
static SiltStatus shade_in_turn(SiltViewer *viewer, const SiltRenderOptions *options, bool best, bool begins)
{
    SiltStatus status = SILT_OK;
    bool done = false;
    if (begins && (!viewer->shades || (best && !viewer->shades_best))) {
        status = silt_scene_begin_shade(viewer->scene, options, !best);
        viewer->shades = status == SILT_OK;
        viewer->shades_best = best;
        viewer->stale &= ~(unsigned)(SILT_STALE_SHADE | SILT_STALE_COARSE);
    }
    if (status == SILT_OK && viewer->shades)
        status = silt_scene_go_on_with_shade(viewer->scene, best ? 0.03 : 0.008, &done);
    if (done && viewer->shades) {
        viewer->shades = false;
        shade_is_made(viewer, viewer->shades_best);
    }
    return status;
}

// Where it changes all the time, now and then.
static SiltStatus shade(SiltViewer *viewer, const SiltRenderOptions *options, SiltSending how)
{
    bool best = how != SILT_SEND_SOME;
    const unsigned old = SILT_STALE_SHADE | (best ? SILT_STALE_COARSE : 0);
    bool has_shade = viewer->shown.pose.is_solid || viewer->shown.pose.particles;
    bool is_early = silt_wall_clock() - viewer->shaded_at < SHADE_EVERY;
    bool is_due = viewer->stale & old && !(has_shade && !best && is_early);
    if (how != SILT_SEND_ALL && is_large_mesh(viewer))
        return shade_in_turn(viewer, options, best, is_due);
    if (!is_due)
        return SILT_OK;
    SiltStatus status = silt_scene_shade(viewer->scene, options, !best);
    viewer->stale &= ~(unsigned)(SILT_STALE_SHADE | SILT_STALE_COARSE);
    viewer->shades = false;
    if (has_shade)
        shade_is_made(viewer, best);
    return status;
}

// ---- all of it ----

static SiltStatus send_all(SiltViewer *viewer, SiltSending how, const SiltRenderOptions *options)
{
    bool is_later = how != SILT_SEND_ALL && silt_viewer_is_large(viewer);
    silt_scene_set_live(viewer->scene, is_later);
    SiltStatus status =
        silt_scene_set_unshaded(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range);
    if (status != SILT_OK)
        return status;
    viewer->stale = SILT_STALE_SHADE | (is_later ? SILT_STALE_LIGHT : 0u);
    viewer->daylight.is_busy = false;
    viewer->ground_is_new = true;
    forget_parts(viewer);
    return SILT_OK;
}

static SiltStatus send_changes(SiltViewer *viewer, const int size[2], SiltSending how,
                               const SiltRenderOptions *options)
{
    SiltStatus status = send_light(viewer, how);
    if (status == SILT_OK && viewer->stale & SILT_STALE_PART) // new light lies on heights that are here
        status = silt_viewer_bring(viewer);
    if (status == SILT_OK)
        status = silt_viewer_send_there(viewer);
    if (status == SILT_OK && is_wash(viewer, how)) {
        viewer->version++;
        return send_wash(viewer, options);
    }
    choose_cells(viewer, size, how);
    if (status == SILT_OK && how != SILT_SEND_SOME && viewer->stale & SILT_STALE_RANGE)
        find_range(viewer, options);
    if (status == SILT_OK && viewer->stale & SILT_STALE_PART)
        status = send_parts(viewer, how, options);
    if (status == SILT_OK && viewer->stale & SILT_STALE_DROPS)
        status = silt_scene_set_particles(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range);
    if (status != SILT_OK)
        return status;
    forget_parts(viewer);
    const unsigned sent = SILT_STALE_PART | SILT_STALE_DROPS | SILT_STALE_PICTURE | SILT_STALE_THERE;
    viewer->ground_is_new |= (viewer->stale & sent) != 0;
    viewer->version += (viewer->stale & sent) != 0;
    viewer->stale &= ~sent;
    return SILT_OK;
}

SiltStatus silt_viewer_send(SiltViewer *viewer, const int size[2], SiltSending how,
                            SiltRenderOptions *options)
{
    SiltStatus status = SILT_OK;
    how = viewer->lights_now ? SILT_SEND_ALL : how;
    viewer->lights_now = false;
    if (!viewer->scene) {
        status = silt_scene_create(&viewer->scene);
        viewer->stale |= SILT_STALE_ALL;
    }
    if (status == SILT_OK)
        status = silt_viewer_bring_needed(viewer, how);
    if (status == SILT_OK && viewer->stale & SILT_STALE_POSE)
        status = silt_viewer_pose(viewer);
    if (status != SILT_OK)
        return status;
    *options = silt_viewer_drawn_options(viewer);
    options->width = size[0];
    options->height = size[1];
    bool is_new = viewer->stale & SILT_STALE_ALL;
    if (is_new)
        status = send_all(viewer, how, options);
    else
        status = send_changes(viewer, size, how, options);
    silt_scene_set_coarse(viewer->scene, how != SILT_SEND_ALL && silt_viewer_has_too_many(viewer));
    if (status == SILT_OK)
        status = shade(viewer, options, how);
    viewer->version += is_new;
    viewer->waits = how == SILT_SEND_IN_TURN && (is_dim(viewer) || viewer->shades);
    return status;
}

#endif
