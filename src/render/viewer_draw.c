// A viewer's pictures: what has changed goes to the graphics card, then the scene is drawn.
#include "core/memory.h"
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

static SiltStatus make_ready(SiltViewer *viewer, bool best)
{
    SiltStatus status = viewer->scene ? SILT_OK : silt_scene_create(&viewer->scene);
    if (best && viewer->stale & SILT_STALE_LIGHT)
        viewer->stale |= SILT_STALE_POSE;
    if (status == SILT_OK && viewer->stale & SILT_STALE_POSE)
        status = silt_viewer_pose(viewer);
    if (status != SILT_OK)
        return status;
    SiltRenderOptions options = silt_viewer_drawn_options(viewer);
    if (viewer->stale & SILT_STALE_ALL)
        status = silt_scene_set(viewer->scene, &viewer->shown.pose, &options, &viewer->shown.range);
    else if (viewer->stale & SILT_STALE_HEIGHTS)
        silt_scene_set_heights(viewer->scene, viewer->shown.pose.terrain);
    if (status == SILT_OK)
        viewer->stale &= viewer->stale & SILT_STALE_ALL ? 0u : (unsigned)SILT_STALE_LIGHT;
    return status;
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
        status = make_ready(viewer, best);
        SiltRenderOptions options = silt_viewer_drawn_options(viewer);
        SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, width, height);
        if (status == SILT_OK) {
            silt_scene_set_quick(viewer->scene, !best);
            status = silt_scene_draw(viewer->scene, &camera, &options, width, height, framebuffer);
        }
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
    if (status == SILT_OK)
        status = make_ready(viewer, true);
    if (status == SILT_OK) {
        SiltRenderOptions options = silt_viewer_drawn_options(viewer);
        SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, width, height);
        silt_scene_set_quick(viewer->scene, false);
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
