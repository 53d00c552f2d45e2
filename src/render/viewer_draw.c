// A viewer's pictures: what has changed goes to the graphics card, then the scene is drawn.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "render/scene.h"
#include "render/viewer_state.h"

#ifdef SILT_HAS_GL
#include "render/gl.h"

void silt_viewer_unload(SiltViewer *viewer, bool context_is_current)
{
    if (context_is_current)
        silt_scene_destroy(viewer->scene);
    else
        silt_scene_forget(viewer->scene);
    viewer->scene = NULL;
    viewer->stale |= SILT_STALE_ALL;
}

// The land's light, made in the background of frames: once it is there, the whole surface is sent.
static SiltStatus fetch_light(SiltViewer *viewer)
{
    SiltStatus status;
    SiltDaylight *light = &viewer->daylight;
    if (!silt_viewer_make_light(viewer, &status))
        return status;
    silt_scene_exchange_light(viewer->scene, &light->sky, &light->shadow);
    viewer->heights = (SiltRect){0, 0, viewer->shown.pose.terrain->width, viewer->shown.pose.terrain->height};
    viewer->stale |= SILT_STALE_PART;
    return SILT_OK;
}

// Of an overlay that changes, now and then; small changes leave the colours as they are.
static SiltStatus rescale(SiltViewer *viewer)
{
    const SiltTerrain *terrain = viewer->shown.pose.terrain;
    SiltScale *old = &viewer->shown.range.scale, new = *old;
    double now = silt_wall_clock();
    const SiltField *field = silt_terrain_layer(terrain, viewer->options.overlay);
    if (!field || (old->kind != SILT_SCALE_FLAT && now - viewer->scaled_at < 1.0))
        return SILT_OK;
    viewer->scaled_at = now;
    SiltStatus status = silt_scale_choose(field, terrain->nodata, &new);
    double span = old->high - old->low, away = fabs(new.high - old->high) + fabs(new.low - old->low);
    if (status != SILT_OK || (new.kind == old->kind &&away <= 0.25 * span))
        return status;
    *old = new;
    viewer->overlays = (SiltRect){0, 0, terrain->width, terrain->height};
    return SILT_OK;
}

static SiltStatus send_parts(SiltViewer *viewer, const SiltRenderOptions *options)
{
    SiltStatus status = viewer->overlays.width > 0 ? rescale(viewer) : SILT_OK;
    SiltChange change = {viewer->heights, viewer->waters, viewer->covers, viewer->overlays};
    if (status == SILT_OK)
        status =
            silt_scene_update(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range, &change);
    return status;
}

static void forget_parts(SiltViewer *viewer)
{
    viewer->heights = viewer->waters = viewer->covers = viewer->overlays = (SiltRect){0};
}

// All of it, in the best light.
static SiltStatus send_all(SiltViewer *viewer, SiltRenderOptions *options, bool best)
{
    silt_scene_set_live(viewer->scene);
    SiltStatus status = silt_scene_set(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range);
    if (status != SILT_OK)
        return status;
    viewer->stale = best ? 0 : SILT_STALE_SHADE;
    viewer->daylight.is_busy = false;
    forget_parts(viewer);
    return SILT_OK;
}

// Brings the card up to date; where the picture shall be the best, wholly.
static SiltStatus make_ready(SiltViewer *viewer, SiltRenderOptions *options, bool best)
{
    SiltStatus status = SILT_OK;
    if (!viewer->scene) {
        status = silt_scene_create(&viewer->scene);
        viewer->stale |= SILT_STALE_ALL;
    }
    if (best)
        silt_viewer_relight(viewer);
    if (status == SILT_OK && viewer->stale & SILT_STALE_POSE)
        status = silt_viewer_pose(viewer);
    if (status != SILT_OK)
        return status;
    *options = silt_viewer_drawn_options(viewer);
    silt_scene_set_quick(viewer->scene, !best);
    if (viewer->stale & SILT_STALE_ALL)
        return send_all(viewer, options, best);
    status = fetch_light(viewer);
    if (status == SILT_OK && viewer->stale & SILT_STALE_PART)
        status = send_parts(viewer, options);
    if (status == SILT_OK && viewer->stale & SILT_STALE_DROPS)
        status = silt_scene_set_particles(viewer->scene, &viewer->shown.pose, options, &viewer->shown.range);
    if (status == SILT_OK && viewer->stale & SILT_STALE_SHADE && best)
        status = silt_scene_shade(viewer->scene, options, false);
    if (status != SILT_OK)
        return status;
    forget_parts(viewer);
    viewer->stale &= SILT_STALE_LIGHT | (best ? 0u : (unsigned)SILT_STALE_SHADE);
    return SILT_OK;
}

// What others may have left in the context, and what they expect to find.
static void begin_state(void)
{
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static void end_state(GLuint framebuffer, int width, int height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

SiltStatus silt_viewer_draw(SiltViewer *viewer, unsigned framebuffer, int width, int height, bool best)
{
    if (width < 1 || height < 1)
        return SILT_OK;
    viewer->width = width;
    viewer->height = height;
    begin_state();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    SiltStatus status = SILT_OK;
    if (viewer->is_shown) {
        SiltRenderOptions options;
        status = make_ready(viewer, &options, best);
        SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, width, height);
        if (status == SILT_OK)
            status = silt_scene_draw(viewer->scene, &camera, &options, width, height, framebuffer);
    }
    end_state(framebuffer, width, height);
    return status;
}

SiltStatus silt_viewer_picture(SiltViewer *viewer, int width, int height, SiltImage *out)
{
    *out = (SiltImage){width, height, NULL};
    if (!viewer->is_shown)
        return silt_fail(SILT_BAD_ARGUMENT, "view: there is nothing to take a picture of");
    SiltStatus status = silt_alloc_for("a picture", (size_t)width * (size_t)height, 4, (void **)&out->rgba);
    begin_state();
    SiltRenderOptions options;
    if (status == SILT_OK)
        status = make_ready(viewer, &options, true);
    if (status == SILT_OK) {
        SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, width, height);
        status = silt_scene_picture(viewer->scene, &camera, &options, out);
    }
    end_state(0, viewer->width, viewer->height);
    if (status != SILT_OK)
        silt_image_destroy(out);
    return status;
}

#else

void silt_viewer_unload(SiltViewer *viewer, bool context_is_current)
{
    (void)viewer, (void)context_is_current;
}

static SiltStatus refuse(void)
{
    return silt_fail(SILT_MISSING_FEATURE,
                     "view: this build draws maps only; install libepoxy-dev and libegl-dev and build again");
}

SiltStatus silt_viewer_draw(SiltViewer *viewer, unsigned framebuffer, int width, int height, bool best)
{
    (void)viewer, (void)framebuffer, (void)width, (void)height, (void)best;
    return refuse();
}

SiltStatus silt_viewer_picture(SiltViewer *viewer, int width, int height, SiltImage *out)
{
    (void)viewer;
    *out = (SiltImage){width, height, NULL};
    return refuse();
}

#endif
