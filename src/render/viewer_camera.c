// A camera that a hand leads: it turns round a place, and eases to where it shall be.
#include <math.h>
#include <string.h>

#include "render/viewer_state.h"

static const double degree = 3.14159265358979323846 / 180.0;

#define STEEPEST 89.0 // degrees; straight down would leave open where the upper edge points to
#define EASE     11.0 // 1/s

// ---- places ----

// Blocks of cells that are shown as one may reach beyond the southern edge.
static double southern_pad(const SiltShown *shown)
{
    if (!shown->land || shown->pose.is_solid || shown->reduction < 2)
        return 0.0;
    return shown->land->height * shown->land->cell - shown->height * shown->cell;
}

void silt_viewer_to_world(const SiltViewer *viewer, const double place[3], double out[3])
{
    const SiltRange *range = &viewer->shown.range;
    out[0] = place[0] - 0.5 * (range->east - range->west);
    out[1] = place[1] + southern_pad(&viewer->shown) - 0.5 * (range->north - range->south);
    out[2] = (place[2] - range->low) * viewer->options.exaggeration;
}

void silt_viewer_from_world(const SiltViewer *viewer, const double world[3], double out[3])
{
    const SiltRange *range = &viewer->shown.range;
    out[0] = world[0] + 0.5 * (range->east - range->west);
    out[1] = world[1] - southern_pad(&viewer->shown) + 0.5 * (range->north - range->south);
    out[2] = world[2] / viewer->options.exaggeration + range->low;
}

// Half the diagonal of what is shown, m.
static double reach(const SiltViewer *viewer)
{
    const SiltRange *range = &viewer->shown.range;
    double x = range->east - range->west, y = range->north - range->south;
    double z = (range->high - range->low) * viewer->options.exaggeration;
    double half = 0.5 * sqrt(x * x + y * y + fmin(z * z, x * x + y * y));
    return half > 0.0 ? half : 1.0;
}

// ---- the gaze ----

static void look_along(const SiltGaze *gaze, double forward[3])
{
    double turn = gaze->turn * degree, tilt = gaze->tilt * degree;
    forward[0] = sin(turn) * cos(tilt);
    forward[1] = cos(turn) * cos(tilt);
    forward[2] = -sin(tilt);
}

static void eye_of(const SiltViewer *viewer, const SiltGaze *gaze, double eye[3])
{
    double forward[3];
    look_along(gaze, forward);
    silt_viewer_to_world(viewer, gaze->target, eye);
    for (int k = 0; k < 3; k++)
        eye[k] -= gaze->distance * forward[k];
}

static void options_of(const SiltViewer *viewer, const SiltGaze *gaze, SiltRenderOptions *out)
{
    double eye[3];
    *out = silt_viewer_drawn_options(viewer);
    eye_of(viewer, gaze, eye);
    silt_viewer_from_world(viewer, eye, out->eye);
    memcpy(out->target, gaze->target, sizeof out->target);
    out->view = SILT_VIEW_THREE_QUARTER;
    out->turn = 0.0;
    out->fov = gaze->fov;
}

void silt_viewer_as_options(const SiltViewer *viewer, SiltRenderOptions *out)
{
    options_of(viewer, &viewer->now, out);
    out->width = viewer->width;
    out->height = viewer->height;
}

SiltCamera silt_viewer_camera(const SiltViewer *viewer, const SiltGaze *gaze, int width, int height)
{
    SiltRenderOptions options;
    options_of(viewer, gaze, &options);
    options.eye[1] += southern_pad(&viewer->shown);
    options.target[1] += southern_pad(&viewer->shown);
    return silt_camera(NULL, &options, &viewer->shown.range, 0.0, width, height);
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void bound(const SiltViewer *viewer, SiltGaze *gaze)
{
    double far = reach(viewer), flattest = viewer->shown.pose.is_solid ? -STEEPEST : -60.0;
    gaze->tilt = clamp(gaze->tilt, flattest, STEEPEST);
    gaze->turn = fmod(gaze->turn, 360.0);
    gaze->distance = clamp(gaze->distance, 2e-3 * far, 30.0 * far);
    gaze->fov = clamp(gaze->fov, 1.0, 120.0);
}

// From an eye that keeps looking at the target.
static void look_from(const SiltViewer *viewer, const double eye[3], SiltGaze *gaze)
{
    double way[3];
    silt_viewer_to_world(viewer, gaze->target, way);
    for (int k = 0; k < 3; k++)
        way[k] -= eye[k];
    double flat = hypot(way[0], way[1]);
    gaze->distance = hypot(flat, way[2]);
    if (flat > 1e-9 * gaze->distance)
        gaze->turn = atan2(way[0], way[1]) / degree;
    gaze->tilt = atan2(-way[2], flat) / degree;
}

// Metres that the eye is too low, or none.
static double buried(const SiltViewer *viewer, const SiltGaze *gaze)
{
    double eye[3], surface;
    eye_of(viewer, gaze, eye);
    if (!silt_viewer_surface(viewer, eye[0], eye[1], &surface))
        return 0.0;
    return fmax(surface + 2e-3 * reach(viewer) - eye[2], 0.0);
}

// The eye rises out of the ground and goes on looking at its target.
static void lift_eye(const SiltViewer *viewer, SiltGaze *gaze)
{
    double deep = buried(viewer, gaze), eye[3];
    if (!(deep > 0.0))
        return;
    eye_of(viewer, gaze, eye);
    eye[2] += deep;
    look_from(viewer, eye, gaze);
    bound(viewer, gaze);
}

// Takes as the target what the middle of the picture shows; the picture stays.
static void anchor(const SiltViewer *viewer, SiltGaze *gaze)
{
    double eye[3], forward[3], far, place[3];
    eye_of(viewer, gaze, eye);
    look_along(gaze, forward);
    if (!silt_viewer_hit(viewer, eye, forward, &far, NULL) || far < 2e-3 * reach(viewer))
        return;
    for (int k = 0; k < 3; k++)
        place[k] = eye[k] + far * forward[k];
    silt_viewer_from_world(viewer, place, gaze->target);
    gaze->distance = far;
}

SiltGaze silt_viewer_gaze(const SiltViewer *viewer)
{
    return viewer->goal;
}

void silt_viewer_set_gaze(SiltViewer *viewer, const SiltGaze *gaze, bool at_once)
{
    viewer->goal = *gaze;
    bound(viewer, &viewer->goal);
    lift_eye(viewer, &viewer->goal);
    if (at_once)
        viewer->now = viewer->goal;
}

// The view of the options: its camera, and what of its middle is nearest to the middle of the motif.
static void frame(SiltViewer *viewer, int kind)
{
    const SiltShown *shown = &viewer->shown;
    const SiltRange *range = &shown->range;
    SiltRenderOptions options = viewer->options;
    for (int k = 0; k < 3; k++)
        options.eye[k] = options.target[k] = NAN;
    options.turn = 0.0;
    options.view = kind;
    if (!viewer->is_shown)
        return;
    SiltCamera camera = silt_camera(shown->pose.is_solid ? NULL : shown->pose.terrain, &options, range, 0.0,
                                    viewer->width, viewer->height);
    double middle[3] = {0.0, 0.0, 0.4 * (range->high - range->low) * options.exaggeration}, far = 0.0;
    SiltGaze gaze = {.fov = options.fov};
    for (int k = 0; k < 3; k++)
        far += (middle[k] - camera.eye[k]) * camera.forward[k];
    far = fmax(far, 0.1 * reach(viewer));
    for (int k = 0; k < 3; k++)
        middle[k] = camera.eye[k] + far * camera.forward[k];
    silt_viewer_from_world(viewer, middle, gaze.target);
    look_from(viewer, camera.eye, &gaze);
    if (options.view == SILT_VIEW_TOP)
        gaze.turn = 0.0;
    silt_viewer_set_gaze(viewer, &gaze, false);
}

void silt_viewer_frame_as_asked(SiltViewer *viewer)
{
    frame(viewer, viewer->options.view);
}

void silt_viewer_frame_all(SiltViewer *viewer)
{
    frame(viewer, SILT_VIEW_THREE_QUARTER);
}

static double ease(double now, double goal, double share, double done, bool *moves)
{
    if (fabs(goal - now) <= done)
        return goal;
    *moves = true;
    return now + share * (goal - now);
}

bool silt_viewer_animate(SiltViewer *viewer, double seconds)
{
    SiltGaze *now = &viewer->now, *goal = &viewer->goal;
    double share = 1.0 - exp(-EASE * fmax(seconds, 0.0)), pixel = 2e-4 * goal->distance;
    bool moves = false;
    lift_eye(viewer, goal); // the land may have risen
    // the shorter way round
    now->turn += 360.0 * floor((goal->turn - now->turn) / 360.0 + 0.5);
    for (int k = 0; k < 3; k++)
        now->target[k] = ease(now->target[k], goal->target[k], share, pixel, &moves);
    now->distance = ease(now->distance, goal->distance, share, pixel, &moves);
    now->turn = ease(now->turn, goal->turn, share, 0.01, &moves);
    now->tilt = ease(now->tilt, goal->tilt, share, 0.01, &moves);
    now->fov = ease(now->fov, goal->fov, share, 0.01, &moves);
    if (moves)
        lift_eye(viewer, now);
    else
        *now = *goal;
    return moves;
}

// ---- what a hand does ----

// Degrees that a pixel turns: half round by the height of the picture.
static double turn_of(const SiltViewer *viewer, double pixels)
{
    return 180.0 * pixels / viewer->height;
}

void silt_viewer_orbit(SiltViewer *viewer, double dx, double dy)
{
    SiltGaze *goal = &viewer->goal;
    goal->turn += turn_of(viewer, dx);
    goal->tilt += turn_of(viewer, dy);
    bound(viewer, goal);
    lift_eye(viewer, goal);
}

// East and north by so much to the right and ahead, in the world's metres.
static void shift(SiltGaze *gaze, double right, double ahead)
{
    double turn = gaze->turn * degree;
    gaze->target[0] += right * cos(turn) + ahead * sin(turn);
    gaze->target[1] += ahead * cos(turn) - right * sin(turn);
}

// The middle of what is shown does not leave the picture for good.
static void stay_near(const SiltViewer *viewer, SiltGaze *gaze)
{
    const SiltRange *range = &viewer->shown.range;
    double far = 2.0 * reach(viewer);
    gaze->target[0] = clamp(gaze->target[0], -far, range->east - range->west + far);
    gaze->target[1] = clamp(gaze->target[1], -far, range->north - range->south + far);
    gaze->target[2] = clamp(gaze->target[2], range->low - far, range->high + far);
}

void silt_viewer_pan(SiltViewer *viewer, double dx, double dy)
{
    SiltGaze *goal = &viewer->goal;
    double pixel = 2.0 * goal->distance * tan(0.5 * goal->fov * degree) / viewer->height;
    double steep = fmax(fabs(sin(goal->tilt * degree)), 0.2);
    shift(goal, -dx * pixel, dy * pixel / steep);
    stay_near(viewer, goal);
    lift_eye(viewer, goal);
}

void silt_viewer_zoom(SiltViewer *viewer, double x, double y, double factor)
{
    SiltGaze *goal = &viewer->goal;
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, viewer->width, viewer->height);
    double direction[3], far, middle[3], target[3], eye[3], away = 0.0;
    silt_viewer_ray(viewer, &camera, x, y, direction);
    if (!silt_viewer_hit(viewer, camera.eye, direction, &far, NULL))
        far = viewer->now.distance;
    eye_of(viewer, goal, eye);
    for (int k = 0; k < 3; k++) {
        middle[k] = camera.eye[k] + far * direction[k];
        away += (middle[k] - eye[k]) * (middle[k] - eye[k]);
    }
    // distances from that place shrink alike: so it stays where it is in the picture
    double least = 6e-3 * reach(viewer), share = 1.0 / clamp(factor, 0.01, 100.0);
    share = fmax(share, fmin(least / fmax(sqrt(away), 1e-12), 1.0));
    share = fmin(share, fmax(20.0 * reach(viewer) / goal->distance, 1.0));
    silt_viewer_to_world(viewer, goal->target, target);
    for (int k = 0; k < 3; k++)
        target[k] = middle[k] + share * (target[k] - middle[k]);
    silt_viewer_from_world(viewer, target, goal->target);
    goal->distance *= share;
    anchor(viewer, goal);
    bound(viewer, goal);
    lift_eye(viewer, goal);
}

void silt_viewer_fly(SiltViewer *viewer, double right, double forward, double up)
{
    SiltGaze *goal = &viewer->goal;
    shift(goal, right * goal->distance, forward * goal->distance);
    goal->target[2] += up * goal->distance / viewer->options.exaggeration;
    stay_near(viewer, goal);
    goal->target[2] += buried(viewer, goal) / viewer->options.exaggeration;
}

void silt_viewer_look_round(SiltViewer *viewer, double dx, double dy)
{
    SiltGaze *goal = &viewer->goal;
    double eye[3], forward[3], target[3];
    eye_of(viewer, goal, eye);
    goal->turn += turn_of(viewer, dx) * 0.5;
    goal->tilt += turn_of(viewer, dy) * 0.5;
    bound(viewer, goal);
    look_along(goal, forward);
    for (int k = 0; k < 3; k++)
        target[k] = eye[k] + goal->distance * forward[k];
    silt_viewer_from_world(viewer, target, goal->target);
}
