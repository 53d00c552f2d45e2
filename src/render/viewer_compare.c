// How it was before, beside how it is: a viewer within the viewer, which looks from the same place.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/lettering.h"
#include "render/viewer_state.h"
#include "volume/brick.h"

void silt_viewer_wipe(SiltViewer *viewer, double wipe)
{
    viewer->wipe = fmin(fmax(wipe, 0.0), 1.0);
}

// A terrain that carries a volume, with it: a viewer copies the heights alone. NULL: it carries none.
static SiltStatus copy_rock(const SiltTerrain *from, SiltTerrain **out)
{
    *out = NULL;
    if (!silt_terrain_volume(from))
        return SILT_OK;
    SiltStatus status = silt_terrain_clone(from, out);
    if (status == SILT_OK)
        status = silt_terrain_copy_volume(from, *out);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        *out = NULL;
    }
    return status;
}

SiltStatus silt_viewer_compare(SiltViewer *viewer, const SiltTerrain *before, double wipe)
{
    silt_viewer_wipe(viewer, wipe);
    if (viewer->is_shown)
        viewer->stale |= SILT_STALE_POSE; // both have colours over the range of both
    if (!before) {
        viewer->is_compared = false;
        return SILT_OK;
    }
    SiltStatus status = viewer->before ? SILT_OK : silt_viewer_create(&viewer->before);
    if (status != SILT_OK)
        return status;
    viewer->before->limit = viewer->limit;
    viewer->before->options = viewer->options;
    SiltTerrain *rock;
    status = copy_rock(before, &rock);
    if (status == SILT_OK)
        status = silt_viewer_show(viewer->before, &(SiltMotif){.terrain = rock ? rock : before});
    viewer->is_compared = status == SILT_OK;
    silt_terrain_destroy(status == SILT_OK ? viewer->before_rock : rock); // what is not shown
    if (status == SILT_OK)
        viewer->before_rock = rock;
    return status;
}

#ifdef SILT_HAS_GL
#include "render/gl.h"

// Columns that show how it was.
static int columns_of(const SiltViewer *viewer, int width)
{
    return (int)floor(viewer->wipe * width + 0.5);
}

// The same view in the same colours.
static void follow(SiltViewer *viewer)
{
    SiltViewer *before = viewer->before;
    SiltRange *range = &before->shown.range;
    before->now = before->goal = viewer->now;
    if (memcmp(range, &viewer->shown.range, sizeof *range) == 0)
        return;
    *range = viewer->shown.range;
    const SiltTerrain *land = before->shown.land;
    before->overlays = (SiltRect){0, 0, land->width, land->height};
    before->stale |= SILT_STALE_PART;
}

// The range that `before` found for itself is not the one it is drawn in.
static SiltStatus settle(SiltViewer *viewer)
{
    SiltViewer *before = viewer->before;
    SiltStatus status = before->stale & SILT_STALE_POSE ? silt_viewer_pose(before) : SILT_OK;
    if (status == SILT_OK)
        follow(viewer);
    return status;
}

SiltStatus silt_viewer_draw_before(SiltViewer *viewer, const int size[2], bool best, unsigned framebuffer)
{
    int columns = columns_of(viewer, size[0]);
    if (columns < 1)
        return SILT_OK;
    viewer->before->width = size[0]; // as finely as what it lies beside
    viewer->before->height = size[1];
    SiltStatus status = settle(viewer);
    if (status == SILT_OK)
        status = silt_viewer_frame(&viewer->left, size);
    if (status == SILT_OK)
        status = silt_viewer_draw_motif(viewer->before, size, best, viewer->left.frame);
    if (status != SILT_OK)
        return status;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, viewer->left.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, columns, size[1], 0, 0, columns, size[1], GL_COLOR_BUFFER_BIT, GL_NEAREST);
    int wide = size[1] / 400 + 1;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glEnable(GL_SCISSOR_TEST);
    glScissor(columns - wide / 2, 0, wide, size[1]);
    glClearColor(1.0f, 1.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    return SILT_OK;
}

SiltStatus silt_viewer_add_before(SiltViewer *viewer, const SiltImage *image)
{
    static const SiltColour white = {1.0f, 1.0f, 1.0f};
    SiltImage left = {image->width, image->height, NULL};
    SiltStatus status =
        silt_alloc_for("a picture", (size_t)left.width * (size_t)left.height, 4, (void **)&left.rgba);
    int columns = columns_of(viewer, image->width);
    if (status == SILT_OK)
        status = settle(viewer);
    if (status == SILT_OK)
        status = silt_viewer_take_picture(viewer->before, &left);
    for (int j = 0; j < image->height && status == SILT_OK; j++) {
        size_t row = (size_t)j * (size_t)image->width * 4;
        memcpy(image->rgba + row, left.rgba + row, (size_t)columns * 4);
    }
    double wide = image->height / 400.0 + 1.0;
    if (status == SILT_OK)
        silt_image_fill(image, columns - 0.5 * wide, 0.0, wide, image->height, white, 0.9);
    silt_image_destroy(&left);
    return status;
}

#endif
