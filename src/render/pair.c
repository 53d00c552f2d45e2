// The same place before and after.
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/lettering.h"
#include "render/studio.h"
#include "render/visible.h"

static void copy_columns(const SiltImage *from, int first, int count, const SiltImage *to, int at)
{
    for (int j = 0; j < from->height && j < to->height; j++)
        memcpy(to->rgba + ((size_t)j * (size_t)to->width + (size_t)at) * 4,
               from->rgba + ((size_t)j * (size_t)from->width + (size_t)first) * 4, (size_t)count * 4);
}

static SiltStatus put_together(const SiltImage *before, const SiltImage *after, int compare, SiltImage *out)
{
    static const SiltColour white = {1.0f, 1.0f, 1.0f};
    if (before->width != after->width || before->height != after->height)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "render: before is a picture of %d x %d pixels and after one of %d x %d; maps of two "
            "terrains need the same shape",
            before->width, before->height, after->width, after->height);
    bool side = compare == SILT_COMPARE_SIDE;
    int width = before->width, half = width / 2;
    SiltImage both = {side ? 2 * width : width, before->height, NULL};
    SiltStatus status =
        silt_alloc_for("a picture", (size_t)both.width * (size_t)both.height, 4, (void **)&both.rgba);
    if (status != SILT_OK)
        return status;
    copy_columns(before, 0, side ? width : half, &both, 0);
    copy_columns(after, side ? 0 : half, side ? width : width - half, &both, side ? width : half);
    double line = both.height / 400.0 + 1.0;
    silt_image_fill(&both, 0.5 * both.width - 0.5 * line, 0.0, line, both.height, white, 0.9);
    *out = both;
    return SILT_OK;
}

static SiltStatus shoot_both(const SiltPose *before, const SiltPose *after, SiltRenderOptions options,
                             SiltImage *out)
{
    SiltStudio studio = {0};
    SiltRange range, after_range;
    SiltImage images[2] = {{0}, {0}};
    SiltStatus status = silt_pose_range(before, &options, &range);
    if (status == SILT_OK)
        status = silt_pose_range(after, &options, &after_range);
    if (status == SILT_OK)
        status = silt_visible_check(after, &options, &after_range);
    if (status == SILT_OK) {
        silt_range_include(&range, &after_range);
        status = silt_studio_begin(&options, false, &studio);
    }
    bool legend = options.legend;
    studio.leaves_room = legend && options.overlay[0];
    options.legend = false; // one is enough
    if (status == SILT_OK)
        status = silt_studio_shoot(&studio, before, &options, &range, 0.0, &images[0]);
    options.legend = legend;
    if (status == SILT_OK)
        status = silt_studio_shoot(&studio, after, &options, &range, 0.0, &images[1]);
    if (status == SILT_OK)
        status = put_together(&images[0], &images[1], options.compare, out);
    silt_image_destroy(&images[0]);
    silt_image_destroy(&images[1]);
    silt_studio_end(&studio);
    return status;
}

SiltStatus silt_render_pair(const SiltTerrain *before, const SiltTerrain *after,
                            const SiltRenderOptions *options, SiltImage *out)
{
    *out = (SiltImage){0};
    SiltRenderOptions defaults;
    SiltStatus status = silt_params_init(&silt_render_params, &defaults);
    options = options ? options : &defaults;
    if (status == SILT_OK)
        status = silt_params_check(&silt_render_params, options, "render");
    if (status == SILT_OK)
        status = silt_overlay_check(after, before, options->overlay);
    SiltPose poses[2] = {{0}, {0}};
    if (status == SILT_OK)
        status = silt_pose_begin(&(SiltMotif){.terrain = before}, options, NULL, &poses[0]);
    if (status == SILT_OK)
        status = silt_pose_begin(&(SiltMotif){.terrain = after}, options, NULL, &poses[1]);
    if (status == SILT_OK)
        status = shoot_both(&poses[0], &poses[1], *options, out);
    silt_pose_end(&poses[0]);
    silt_pose_end(&poses[1]);
    return status;
}
