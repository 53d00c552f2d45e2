#include "render/camera.h"

#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180.0;

enum { MOST_RISE = 6 }; // heights that are framed, as times half the longer side

typedef struct Box {
    double half_x, half_y, foot, top; // the terrain reaches from -half to half, and from foot to top
} Box;

double silt_foot(double span, double side)
{
    return -fmax(0.12 * fmin(span, 0.5 * MOST_RISE * side), 0.025 * side);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double v[3])
{
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

// Looks along `forward`, the picture's upper edge as level as can be; straight down, north is up.
static void aim(SiltCamera *camera, const double forward[3], double azimuth)
{
    double sky[3] = {0.0, 0.0, 1.0};
    memcpy(camera->forward, forward, sizeof camera->forward);
    normalise(camera->forward);
    if (fabs(camera->forward[2]) > 0.9999) {
        sky[0] = sin(azimuth);
        sky[1] = cos(azimuth);
        sky[2] = 0.0;
    }
    cross(camera->forward, sky, camera->right);
    normalise(camera->right);
    cross(camera->right, camera->forward, camera->up);
}

// From `azimuth` (clockwise from north, where the camera looks to) and `pitch` below the horizon, as near as
// the whole box with a margin fits the picture.
static void frame(SiltCamera *camera, const Box *box, double azimuth, double pitch, double aspect)
{
    double forward[3] = {sin(azimuth) * cos(pitch), cos(azimuth) * cos(pitch), -sin(pitch)};
    aim(camera, forward, azimuth);
    double slope_y = 0.94 * camera->slope, slope_x = slope_y * aspect;
    // every corner c must lie inside: |(c - eye).right| <= slope * (c - eye).forward. With the eye at
    // a right + b up - d forward each side gives one bound on d and one on a or b; the two bounds that bind
    // meet in the middle.
    double left = -INFINITY, right = -INFINITY, bottom = -INFINITY, top = -INFINITY;
    for (int k = 0; k < 8; k++) {
        double c[3] = {k & 1 ? box->half_x : -box->half_x, k & 2 ? box->half_y : -box->half_y,
                       k & 4 ? box->top : box->foot};
        double x = dot(c, camera->right), y = dot(c, camera->up), z = dot(c, camera->forward);
        right = fmax(right, x / slope_x - z);
        left = fmax(left, -x / slope_x - z);
        top = fmax(top, y / slope_y - z);
        bottom = fmax(bottom, -y / slope_y - z);
    }
    double wide = 0.5 * (left + right), high = 0.5 * (top + bottom), distance = fmax(wide, high);
    double a = 0.5 * (right - left) * slope_x, b = 0.5 * (top - bottom) * slope_y;
    for (int k = 0; k < 3; k++)
        camera->eye[k] = a * camera->right[k] + b * camera->up[k] - distance * camera->forward[k];
}

// Height of the ground at a place in the world, in the world's metres.
static double ground(const SiltTerrain *terrain, const SiltRenderOptions *options, const SiltRange *range,
                     double x, double y)
{
    const SiltField *height = silt_terrain_layer(terrain, "height");
    int i = (int)floor(x / terrain->cell + 0.5 * terrain->width);
    int j = (int)floor(0.5 * terrain->height - y / terrain->cell);
    i = i < 0 ? 0 : i >= terrain->width ? terrain->width - 1 : i;
    j = j < 0 ? 0 : j >= terrain->height ? terrain->height - 1 : j;
    return (silt_field_at(height, i, j) - range->low) * options->exaggeration;
}

// Stands at distance `back` from the middle, `above` the highest ground on the first part of its way, and
// looks `pitch` down.
static void stand(SiltCamera *camera, const SiltTerrain *terrain, const SiltRenderOptions *options,
                  const SiltRange *range, const double place[5])
{
    double azimuth = place[0], back = place[1], above = place[2], pitch = place[3], side = place[4];
    double x = -back * sin(azimuth) + side * cos(azimuth), y = -back * cos(azimuth) - side * sin(azimuth);
    double highest = 0.0;
    for (int k = 0; k <= 24; k++) {
        double way = 0.35 * back * k / 24.0;
        highest =
            fmax(highest, ground(terrain, options, range, x + way * sin(azimuth), y + way * cos(azimuth)));
    }
    camera->eye[0] = x;
    camera->eye[1] = y;
    camera->eye[2] = highest + above;
    double forward[3] = {sin(azimuth) * cos(pitch), cos(azimuth) * cos(pitch), -sin(pitch)};
    aim(camera, forward, azimuth);
}

// From the air before the terrain's edge: its near part fills the picture, and its far edge lies below the
// sky.
static void fly(SiltCamera *camera, double azimuth, double size, double top)
{
    double pitch = 21.5 * degree, back = 1.5 * size;
    double forward[3] = {sin(azimuth) * cos(pitch), cos(azimuth) * cos(pitch), -sin(pitch)};
    camera->eye[0] = -back * sin(azimuth);
    camera->eye[1] = -back * cos(azimuth);
    camera->eye[2] = 0.44 * size + top;
    aim(camera, forward, azimuth);
}

static void preset(SiltCamera *camera, const SiltTerrain *terrain, const SiltRenderOptions *options,
                   const SiltRange *range, double turn, double aspect)
{
    Box box = {.half_x = 0.5 * (range->east - range->west),
               .half_y = 0.5 * (range->north - range->south),
               .top = (range->high - range->low) * options->exaggeration};
    double size = fmin(box.half_x, box.half_y);
    if (terrain) // needles reach out of the picture, so that the land around them is seen
        box.top = fmin(box.top, MOST_RISE * fmax(box.half_x, box.half_y));
    box.foot = terrain ? silt_foot(box.top, 2.0 * size) : 0.0;
    if (options->view == SILT_VIEW_TOP) {
        frame(camera, &box, turn * degree, 90.0 * degree, aspect);
    } else if (!terrain) {
        double pitch = options->view == SILT_VIEW_LOW ? 6.0 : options->view == SILT_VIEW_CLOSE ? 16.0 : 27.0;
        frame(camera, &box, (28.0 + turn) * degree, pitch * degree, aspect);
        if (options->view == SILT_VIEW_CLOSE)
            for (int k = 0; k < 3; k++)
                camera->eye[k] = 0.62 * camera->eye[k] + 0.38 * (k == 2 ? 0.45 * box.top : 0.0);
    } else if (options->view == SILT_VIEW_PANORAMA) {
        fly(camera, (10.0 + turn) * degree, size, box.top);
    } else if (options->view == SILT_VIEW_LOW) {
        double place[5] = {(30.0 + turn) * degree, 0.92 * size, 0.05 * size + 0.06 * box.top, 7.0 * degree,
                           0.0};
        stand(camera, terrain, options, range, place);
    } else if (options->view == SILT_VIEW_CLOSE) {
        double place[5] = {(30.0 + turn) * degree, 0.75 * size, 0.10 * size + 0.05 * box.top, 14.0 * degree,
                           0.0};
        stand(camera, terrain, options, range, place);
    } else {
        frame(camera, &box, (28.0 + turn) * degree, 33.0 * degree, aspect);
    }
}

// Turns a place round the middle of the terrain, clockwise seen from above.
static void turn_place(double place[3], double angle)
{
    double x = place[0], y = place[1];
    place[0] = x * cos(angle) + y * sin(angle);
    place[1] = y * cos(angle) - x * sin(angle);
}

SiltCamera silt_camera(const SiltTerrain *terrain, const SiltRenderOptions *options, const SiltRange *range,
                       double turn, int width, int height)
{
    SiltCamera camera = {.slope = tan(0.5 * options->fov * degree)};
    double aspect = (double)width / height, half_x = 0.5 * (range->east - range->west);
    double half_y = 0.5 * (range->north - range->south), span = range->high - range->low;
    preset(&camera, terrain, options, range, options->turn + turn, aspect);
    double target[3] = {0.0, 0.0, 0.4 * span * options->exaggeration};
    bool has_eye = !isnan(options->eye[0]), has_target = !isnan(options->target[0]);
    if (has_eye)
        for (int k = 0; k < 3; k++)
            camera.eye[k] = k == 0   ? options->eye[0] - half_x
                            : k == 1 ? options->eye[1] - half_y
                                     : (options->eye[2] - range->low) * options->exaggeration;
    if (has_target)
        for (int k = 0; k < 3; k++)
            target[k] = k == 0   ? options->target[0] - half_x
                        : k == 1 ? options->target[1] - half_y
                                 : (options->target[2] - range->low) * options->exaggeration;
    if (has_eye || has_target) {
        if (has_eye)
            turn_place(camera.eye, -(options->turn + turn) * degree);
        double forward[3];
        for (int k = 0; k < 3; k++)
            forward[k] = target[k] - camera.eye[k];
        if (dot(forward, forward) > 0.0)
            aim(&camera, forward, 0.0);
    }
    double rise = span * options->exaggeration, away = sqrt(dot(camera.eye, camera.eye));
    double shown = fmin(rise, MOST_RISE * fmax(half_x, half_y));
    double reach = sqrt(half_x * half_x + half_y * half_y + rise * rise);
    double close = sqrt(half_x * half_x + half_y * half_y + shown * shown);
    camera.far = away + 1.5 * reach;
    camera.near = fmax(away - 1.5 * reach, 2e-4 * close);
    return camera;
}

void silt_world_place(const SiltRange *range, double exaggeration, const double place[3], double out[3])
{
    out[0] = place[0] - 0.5 * (range->west + range->east);
    out[1] = place[1] - 0.5 * (range->south + range->north);
    out[2] = (place[2] - range->low) * exaggeration;
}

void silt_camera_matrix(const SiltCamera *camera, int width, int height, const SiltTile *tile,
                        float matrix[16])
{
    double aspect = (double)width / height, near = camera->near, far = camera->far;
    // rows of the clip coordinates: x and y of the whole picture, then stretched so that the tile fills -1 to
    // 1
    double scale_x = (double)width / tile->width, scale_y = (double)height / tile->height;
    double shift_x = (width - 2.0 * tile->x) / tile->width - 1.0;
    double shift_y = (height - 2.0 * tile->y) / tile->height - 1.0;
    double rows[4][4];
    for (int k = 0; k < 3; k++) {
        rows[0][k] = scale_x * camera->right[k] / (camera->slope * aspect) + shift_x * camera->forward[k];
        rows[1][k] = scale_y * camera->up[k] / camera->slope + shift_y * camera->forward[k];
        rows[2][k] = (far + near) / (far - near) * camera->forward[k];
        rows[3][k] = camera->forward[k];
    }
    for (int r = 0; r < 4; r++)
        rows[r][3] = -dot(rows[r], camera->eye);
    rows[2][3] -= 2.0 * far * near / (far - near);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            matrix[4 * c + r] = (float)rows[r][c];
}
