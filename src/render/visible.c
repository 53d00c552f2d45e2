#include "render/visible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

typedef struct Box {
    double low[3], high[3]; // in the motif's own coordinates
} Box;

static const double *clip_along(const SiltRenderOptions *options, int axis)
{
    const double *clips[3] = {options->clip_east, options->clip_north, options->clip_height};
    return clips[axis];
}

// What the clips leave of the whole; returns the axis along which nothing is left, or -1.
static int cut_box(const SiltRenderOptions *options, const SiltRange *range, Box *box)
{
    double from[3] = {range->west, range->south, 0.0}; // counted from the edges, and from sea level
    for (int k = 0; k < 3; k++) {
        const double *clip = clip_along(options, k);
        if (isnan(clip[0]))
            continue;
        box->low[k] = fmax(box->low[k], from[k] + clip[0]);
        box->high[k] = fmin(box->high[k], from[k] + clip[1]);
        if (!(box->low[k] < box->high[k]))
            return k;
    }
    return -1;
}

static bool meets(const float *corners[3], double lift, const Box *box)
{
    for (int k = 0; k < 3; k++) {
        double a = (double)corners[0][k], b = (double)corners[1][k], c = (double)corners[2][k];
        double add = k == 2 ? lift : 0.0;
        if (fmax(a, fmax(b, c)) + add < box->low[k] || fmin(a, fmin(b, c)) + add > box->high[k])
            return false;
    }
    return true;
}

// Whether the vertical line over (x, y) goes through the triangle above z.
static bool is_above(const float *corners[3], double lift, double x, double y, double z)
{
    double side[3], sum = 0.0, height = 0.0;
    for (int k = 0; k < 3; k++) {
        const float *a = corners[(k + 1) % 3], *b = corners[(k + 2) % 3];
        side[k] = ((double)a[0] - x) * ((double)b[1] - y) - ((double)a[1] - y) * ((double)b[0] - x);
        sum += side[k];
        height += side[k] * ((double)corners[k][2] + lift);
    }
    bool inside = (side[0] > 0.0) == (side[1] > 0.0) && (side[1] > 0.0) == (side[2] > 0.0) && sum != 0.0;
    return inside && height / sum > z;
}

bool silt_is_cut(const SiltRenderOptions *options)
{
    return !isnan(options->clip_east[0]) || !isnan(options->clip_north[0]) ||
           !isnan(options->clip_height[0]) || !isnan(options->cut[0]);
}

void silt_cut_place(const SiltRenderOptions *options, const SiltRange *range, double out[3])
{
    bool given = !isnan(options->cut_at[0]);
    out[0] = given ? range->west + options->cut_at[0] : 0.5 * (range->west + range->east);
    out[1] = given ? range->south + options->cut_at[1] : 0.5 * (range->south + range->north);
    out[2] = given ? options->cut_at[2] : 0.5 * (range->low + range->high);
}

// Rock on the near side of a cut reaches furthest from it in a corner of its surface.
static SiltStatus check_cut(const SiltPose *pose, const SiltRenderOptions *options, const SiltRange *range)
{
    double at[3];
    const double *cut = options->cut;
    silt_cut_place(options, range, at);
    if (cut[0] == 0.0 && cut[1] == 0.0 && cut[2] == 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "render: cut = 0,0,0 is no direction; 1,0,0 takes the east away");
    for (size_t v = 0; v < pose->mesh->vertex_count; v++) {
        const float *place = pose->mesh->positions + 3 * v;
        if (((double)place[0] - at[0]) * cut[0] + ((double)place[1] - at[1]) * cut[1] +
                ((double)place[2] + pose->mesh->origin[2] - at[2]) * cut[2] <
            0.0)
            return SILT_OK;
    }
    return silt_fail(SILT_BAD_ARGUMENT, "render: nothing is left to draw: all rock lies beyond the cut");
}

// Some of the surface lies in the box, or the box lies wholly in rock.
static bool holds_rock(const SiltMesh *mesh, const Box *box)
{
    // off the middle, where no edge of a grid is met
    double x = box->low[0] + 0.5017 * (box->high[0] - box->low[0]);
    double y = box->low[1] + 0.4981 * (box->high[1] - box->low[1]), z = 0.5 * (box->low[2] + box->high[2]);
    bool inside = false;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const float *corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = mesh->positions + 3 * (size_t)mesh->indices[3 * t + (size_t)k];
        if (meets(corners, mesh->origin[2], box))
            return true;
        inside ^= is_above(corners, mesh->origin[2], x, y, z);
    }
    return inside;
}

static SiltStatus check_clips(const SiltPose *pose, const SiltRenderOptions *options, const SiltRange *range)
{
    static const char *const names[3] = {"clip-east", "clip-north", "clip-height"};
    bool is_cut = false;
    for (int k = 0; k < 3; k++) {
        const double *clip = clip_along(options, k);
        is_cut = is_cut || !isnan(clip[0]);
        if (clip[0] > clip[1])
            return silt_fail(SILT_BAD_ARGUMENT,
                             "render: %s goes from %g down to %g m; name the smaller number first", names[k],
                             clip[0], clip[1]);
    }
    if (pose->is_solid && !isnan(options->cut[0])) {
        SiltStatus status = check_cut(pose, options, range);
        if (status != SILT_OK)
            return status;
    }
    if (!is_cut || !pose->is_solid)
        return SILT_OK;
    Box whole = {{range->west, range->south, range->low}, {range->east, range->north, range->high}};
    Box box = whole;
    int empty = cut_box(options, range, &box);
    if (empty >= 0) {
        double from = empty == 2 ? 0.0 : whole.low[empty];
        return silt_fail(SILT_BAD_ARGUMENT,
                         "render: nothing is left to draw: %s keeps %g to %g m, and there is rock from %g "
                         "to %g m",
                         names[empty], clip_along(options, empty)[0], clip_along(options, empty)[1],
                         whole.low[empty] - from, whole.high[empty] - from);
    }
    return holds_rock(pose->mesh, &box)
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "render: nothing is left to draw: what the clips keep is air");
}

SiltStatus silt_visible_check(const SiltPose *pose, const SiltRenderOptions *options, const SiltRange *range)
{
    if (!isnan(options->eye[0]) && memcmp(options->eye, options->target, sizeof options->eye) == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "render: eye and target are the same place, so the camera looks nowhere");
    return check_clips(pose, options, range);
}

SiltStatus silt_overlay_check(const SiltTerrain *terrain, const SiltTerrain *other, const char *overlay)
{
    if (!overlay[0] || (terrain && silt_terrain_layer(terrain, overlay)) ||
        (other && silt_terrain_layer(other, overlay)))
        return SILT_OK;
    char names[256] = "";
    for (int k = 0; terrain && k < terrain->layer_count; k++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s",
                 k ? ", " : "; there is: ", terrain->layers[k]->name);
    }
    bool alone = terrain && terrain->layer_count == 1;
    return silt_fail(SILT_BAD_ARGUMENT, "render: there is no layer '%s' to lay over the picture%s%s", overlay,
                     names, alone ? " (maps in an .exr file keep all the layers)" : "");
}
