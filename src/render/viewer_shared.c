// Values of a live run that lie in a buffer on the card: which pictures are drawn from there, and when they
// are brought to the processor after all.
#include <math.h>

#include "core/status.h"
#include "render/scene.h"
#include "render/viewer_state.h"

bool silt_viewer_takes_shared(const SiltViewer *viewer, double *exaggeration)
{
    const SiltShown *shown = &viewer->shown;
    const SiltRenderOptions *options = &viewer->options;
    *exaggeration = options->exaggeration;
    bool is_plain = viewer->is_shown && shown->land && shown->reduction == 1 && !shown->pose.is_solid &&
                    !shown->pose.own_terrain && shown->pose.terrain == shown->land;
    bool is_alone = isnan(options->sea) && !options->overlay[0] && !options->sediment && options->water &&
                    !(options->ice && shown->land && silt_terrain_layer(shown->land, "ice"));
    return is_plain && is_alone && !viewer->is_compared && !viewer->is_thrifty && !viewer->refuses_shared;
}

SiltStatus silt_viewer_update_shared(SiltViewer *viewer, const SiltSharedLand *land)
{
    SiltRange *range = &viewer->shown.range;
    silt_viewer_let_go(viewer);
    if (!land)
        return SILT_OK;
    if (!viewer->shown.land || land->width != viewer->shown.width || land->height != viewer->shown.height)
        return silt_fail(SILT_BAD_ARGUMENT, "view: a buffer of %d x %d cells is none of what is shown",
                         land->width, land->height);
    viewer->there = *land;
    viewer->has_there = true;
    viewer->stale |= SILT_STALE_THERE | SILT_STALE_LIGHT | SILT_STALE_RANGE;
    if (land->low < (float)range->low) // as those of values that come to the processor
        range->low = (double)land->low;
    if (land->high > (float)range->high)
        range->high = (double)land->high;
    return SILT_OK;
}

void silt_viewer_let_go(SiltViewer *viewer)
{
    viewer->has_there = false;
    viewer->stale &= ~(unsigned)SILT_STALE_THERE;
}

#ifdef SILT_HAS_GL
#include "render/gl.h"

SiltStatus silt_viewer_bring(SiltViewer *viewer)
{
    const SiltSharedLand land = viewer->there;
    if (!viewer->has_there)
        return SILT_OK;
    silt_viewer_let_go(viewer);
    size_t plane = (size_t)land.width * (size_t)land.height * 4;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, land.buffer);
    const char *there = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0,
                                         (GLsizeiptr)(land.has_water ? 4 * plane : plane), GL_MAP_READ_BIT);
    SiltStatus status = SILT_OK;
    if (there)
        status = silt_viewer_update(viewer, "height", NULL, (const void *)(there + land.heights),
                                    (size_t)land.width);
    if (there && status == SILT_OK && land.has_water)
        status =
            silt_viewer_update(viewer, "water", NULL, (const void *)(there + land.water), (size_t)land.width);
    if (there)
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (!there) // what was shown stays until the run brings others
        silt_gl_check("a buffer");
    return status;
}

// Whether the processor needs the values before this picture: all it is made of, new light, or a pose.
static bool is_needed_here(const SiltViewer *viewer, SiltSending how)
{
    const unsigned here = SILT_STALE_POSE | SILT_STALE_ALL | SILT_STALE_PART;
    double exaggeration;
    bool begins_light = !viewer->daylight.is_busy && viewer->stale & SILT_STALE_LIGHT;
    if (how != SILT_SEND_SOME || viewer->stale & here || begins_light)
        return true;
    if (!silt_viewer_takes_shared(viewer, &exaggeration))
        return true;
    const SiltTerrain *land = viewer->shown.land;
    return viewer->there.rise != (float)exaggeration / (float)land->cell;
}

SiltStatus silt_viewer_bring_needed(SiltViewer *viewer, SiltSending how)
{
    return viewer->has_there && is_needed_here(viewer, how) ? silt_viewer_bring(viewer) : SILT_OK;
}

SiltStatus silt_viewer_send_there(SiltViewer *viewer)
{
    if (!viewer->has_there || !(viewer->stale & SILT_STALE_THERE))
        return SILT_OK;
    SiltStatus status = silt_scene_update_shared(viewer->scene, &viewer->shown.range, &viewer->there);
    if (status != SILT_OK) { // drawn as ever, now and from here on
        viewer->refuses_shared = true;
        return silt_viewer_bring(viewer);
    }
    viewer->drawn_there++;
    return SILT_OK;
}

#endif
