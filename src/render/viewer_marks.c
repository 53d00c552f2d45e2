// Marks on the ground: draped over it on the CPU, and handed on as triangles in pixels.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/viewer_marks.h"

enum { RING = 128, STRETCH = 96, FIRST_ROOM = 4096 };

SiltStatus silt_viewer_set_marks(SiltViewer *viewer, const SiltMark *marks, int count)
{
    SiltMark *copy = NULL;
    if (count > viewer->mark_room) {
        SiltStatus status = silt_alloc_for("marks", (size_t)count, sizeof *copy, (void **)&copy);
        if (status != SILT_OK)
            return status;
        silt_free(viewer->marks);
        viewer->marks = copy;
        viewer->mark_room = count;
    }
    if (count > 0)
        memcpy(viewer->marks, marks, (size_t)count * sizeof *marks);
    viewer->mark_count = count > 0 ? count : 0;
    return SILT_OK;
}

// ---- triangles ----

static SiltInkDrop *add(SiltInk *ink, int count)
{
    if (ink->status != SILT_OK)
        return NULL;
    if (ink->count + count > ink->room) {
        int room = ink->room * 2 > FIRST_ROOM ? ink->room * 2 : FIRST_ROOM;
        room = room > ink->count + count ? room : ink->count + count;
        SiltInkDrop *drops;
        ink->status = silt_alloc_for("marks", (size_t)room, sizeof *drops, (void **)&drops);
        if (ink->status != SILT_OK)
            return NULL;
        if (ink->count > 0)
            memcpy(drops, ink->drops, (size_t)ink->count * sizeof *drops);
        silt_free(ink->drops);
        ink->drops = drops;
        ink->room = room;
    }
    ink->count += count;
    return ink->drops + ink->count - count;
}

static SiltInkDrop drop_at(double x, double y, double across, double along, double half, bool is_disc,
                           const float tint[4], double cover)
{
    return (SiltInkDrop){
        {(float)x, (float)y},
        {(float)across, (float)along, (float)half, is_disc ? 1.0f : 0.0f},
        {tint[0], tint[1], tint[2], (float)((double)tint[3] * cover)},
    };
}

static void add_disc(SiltInk *ink, const double at[2], double radius, const float tint[4], double cover)
{
    static const int corners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
    SiltInkDrop *to = add(ink, 6);
    double wide = radius + 1.0;
    for (int k = 0; to && k < 6; k++) {
        double x = corners[k][0] * wide, y = corners[k][1] * wide;
        to[k] = drop_at(at[0] + x, at[1] + y, x, y, radius, true, tint, cover);
    }
}

// A place of a line in the picture.
typedef struct Spot {
    double at[2];
    double cover; // fainter where the land hides it
    bool is_seen; // false: the line is broken here
} Spot;

static void direction(const Spot *a, const Spot *b, double out[2])
{
    out[0] = b->at[0] - a->at[0];
    out[1] = b->at[1] - a->at[1];
    double length = hypot(out[0], out[1]);
    out[0] = length > 1e-9 ? out[0] / length : 0.0;
    out[1] = length > 1e-9 ? out[1] / length : 0.0;
}

// To the right of a line at one of its spots.
static void across(const Spot *spots, int count, bool is_closed, int k, double out[2])
{
    int before = k > 0 ? k - 1 : is_closed ? count - 2 : 0;
    int after = k < count - 1 ? k + 1 : is_closed ? 1 : count - 1;
    double a[2], b[2];
    direction(spots[before].is_seen ? &spots[before] : &spots[k], &spots[k], a);
    direction(&spots[k], spots[after].is_seen ? &spots[after] : &spots[k], b);
    double x = a[0] + b[0], y = a[1] + b[1], length = hypot(x, y);
    out[0] = length > 1e-9 ? -y / length : 0.0;
    out[1] = length > 1e-9 ? x / length : 1.0;
}

static void add_line(SiltInk *ink, const Spot *spots, int count, double wide, const float tint[4])
{
    bool is_closed = spots[0].is_seen && spots[count - 1].is_seen &&
                     memcmp(spots[0].at, spots[count - 1].at, sizeof spots[0].at) == 0;
    double half = 0.5 * wide, reach = half + 1.0;
    for (int k = 0; k + 1 < count; k++) {
        if (!spots[k].is_seen || !spots[k + 1].is_seen)
            continue;
        SiltInkDrop sides[4], *to = add(ink, 6);
        if (!to)
            return;
        for (int n = 0; n < 4; n++) {
            const Spot *spot = &spots[k + n / 2];
            double out[2], side = n % 2 ? reach : -reach;
            across(spots, count, is_closed, k + n / 2, out);
            sides[n] = drop_at(spot->at[0] + side * out[0], spot->at[1] + side * out[1], side, 0.0, half,
                               false, tint, spot->cover);
        }
        const int order[6] = {0, 1, 2, 2, 1, 3};
        for (int n = 0; n < 6; n++)
            to[n] = sides[order[n]];
    }
}

// ---- on the ground ----

// From above, on whatever is drawn there.
static bool drape(const SiltViewer *viewer, const double place[2], double world[3])
{
    const SiltRange *range = &viewer->shown.range;
    double at[3] = {place[0], place[1], range->high}, far;
    silt_viewer_to_world(viewer, at, world);
    if (silt_viewer_surface(viewer, world[0], world[1], &world[2]))
        return true;
    double high = (range->high - range->low) * viewer->options.exaggeration;
    double from[3] = {world[0], world[1], 1.1 * high + 1.0}, down[3] = {0.0, 0.0, -1.0};
    if (!viewer->shown.pose.is_solid || !silt_viewer_hit(viewer, from, down, &far, NULL))
        return false;
    world[2] = from[2] - far;
    return true;
}

static bool is_hidden(const SiltViewer *viewer, const SiltCamera *camera, const double world[3])
{
    double way[3], far;
    for (int k = 0; k < 3; k++)
        way[k] = world[k] - camera->eye[k];
    return silt_viewer_hit(viewer, camera->eye, way, &far, NULL) && far < 0.99;
}

static Spot spot_at(const SiltViewer *viewer, const SiltCamera *camera, const double place[2])
{
    Spot spot = {.cover = 1.0};
    double world[3], at[3];
    if (!drape(viewer, place, world))
        return spot;
    silt_viewer_from_world(viewer, world, at);
    spot.is_seen = silt_viewer_project(viewer, at, spot.at);
    if (spot.is_seen && is_hidden(viewer, camera, world))
        spot.cover = 0.25;
    return spot;
}

typedef struct Pen {
    const SiltViewer *viewer;
    SiltCamera camera;
    double size; // pixels of a line
    SiltInk *ink;
} Pen;

static const float dark[4] = {0.02f, 0.03f, 0.04f, 0.45f}, white[4] = {1.0f, 1.0f, 1.0f, 0.95f};

// A dark edge makes it stand out on snow.
static void draw_line(const Pen *pen, const Spot *spots, int count, double wide, const float colour[4])
{
    add_line(pen->ink, spots, count, wide + 2.0 * pen->size, dark);
    add_line(pen->ink, spots, count, wide, colour);
}

static void draw_ring(const Pen *pen, const double middle[2], double radius, double wide,
                      const float colour[4])
{
    Spot spots[RING + 1];
    for (int k = 0; k < RING; k++) {
        double angle = 2.0 * 3.14159265358979323846 * k / RING;
        double place[2] = {middle[0] + radius * sin(angle), middle[1] + radius * cos(angle)};
        spots[k] = spot_at(pen->viewer, &pen->camera, place);
    }
    spots[RING] = spots[0];
    draw_line(pen, spots, RING + 1, wide, colour);
}

static void draw_knob(const Pen *pen, const double place[2], bool chosen, const float colour[4])
{
    Spot spot = spot_at(pen->viewer, &pen->camera, place);
    double radius = (chosen ? 7.5 : 5.5) * pen->size;
    if (!spot.is_seen)
        return;
    spot.cover = fmax(spot.cover, 0.5);
    add_disc(pen->ink, spot.at, radius + 3.0 * pen->size, dark, spot.cover);
    add_disc(pen->ink, spot.at, radius + 1.5 * pen->size, white, spot.cover);
    add_disc(pen->ink, spot.at, radius, colour, spot.cover);
}

static void draw_stretch(const Pen *pen, const SiltMark *mark, double wide)
{
    Spot spots[STRETCH + 1];
    for (int k = 0; k <= STRETCH; k++) {
        double t = (double)k / STRETCH, place[2];
        for (int c = 0; c < 2; c++)
            place[c] = (1.0 - t) * mark->places[0][c] + t * mark->places[1][c];
        spots[k] = spot_at(pen->viewer, &pen->camera, place);
    }
    draw_line(pen, spots, STRETCH + 1, wide, mark->colour);
    draw_knob(pen, mark->places[0], false, mark->colour);
    draw_knob(pen, mark->places[1], false, mark->colour);
}

// Its outline: a ring around its middle that faces the eye.
static void draw_ball(const Pen *pen, const SiltMark *mark, double wide)
{
    Spot spots[RING + 1];
    double place[3] = {mark->places[0][0], mark->places[0][1], mark->height}, middle[3], world[3], at[3];
    silt_viewer_to_world(pen->viewer, place, middle);
    for (int k = 0; k < RING; k++) {
        double angle = 2.0 * 3.14159265358979323846 * k / RING;
        for (int c = 0; c < 3; c++)
            world[c] = middle[c] +
                       mark->radius * (sin(angle) * pen->camera.right[c] + cos(angle) * pen->camera.up[c]);
        silt_viewer_from_world(pen->viewer, world, at);
        spots[k] = (Spot){.cover = 1.0};
        spots[k].is_seen = silt_viewer_project(pen->viewer, at, spots[k].at);
    }
    spots[RING] = spots[0];
    draw_line(pen, spots, RING + 1, wide, mark->colour);
}

static void draw_mark(const Pen *pen, const SiltMark *mark)
{
    double wide = (mark->chosen ? 3.2 : 2.0) * pen->size;
    const float *c = mark->colour;
    const float faint[4] = {c[0], c[1], c[2], 0.6f * c[3]};
    if (mark->kind == SILT_MARK_LINE) {
        draw_stretch(pen, mark, wide);
        return;
    }
    if (mark->kind == SILT_MARK_BALL) {
        draw_ball(pen, mark, wide);
        return;
    }
    if (mark->radius > 0.0)
        draw_ring(pen, mark->places[0], mark->radius, wide, mark->colour);
    if (mark->kind == SILT_MARK_RING && mark->radius > 0.0 && mark->inner > 0.0f)
        draw_ring(pen, mark->places[0], mark->radius * (double)mark->inner, 1.2 * pen->size, faint);
    if (mark->kind == SILT_MARK_HANDLE)
        draw_knob(pen, mark->places[0], mark->chosen, mark->colour);
}

SiltStatus silt_viewer_ink(const SiltViewer *viewer, SiltInk *ink)
{
    int least = viewer->width < viewer->height ? viewer->width : viewer->height;
    Pen pen = {viewer, silt_viewer_camera(viewer, &viewer->now, viewer->width, viewer->height),
               fmax(1.0, least / 900.0), ink};
    ink->count = 0;
    ink->status = SILT_OK;
    for (int k = 0; k < viewer->mark_count; k++)
        draw_mark(&pen, &viewer->marks[k]);
    return ink->status;
}
