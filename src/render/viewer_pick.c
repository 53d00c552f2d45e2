// What lies under a pixel, by rays over the heights: the two triangles of every cell that the ground is drawn
// with.
#include <math.h>

#include "render/light.h"
#include "render/viewer_state.h"
#include "render/visible.h"

static const double degree = 3.14159265358979323846 / 180.0;

// ---- heights ----

typedef struct Heights {
    const SiltTerrain *terrain;
    const SiltField *height, *water; // water may be NULL
} Heights;

static bool heights_of(const SiltViewer *viewer, Heights *out)
{
    const SiltPose *pose = &viewer->shown.pose;
    if (!viewer->is_shown || pose->is_solid || !pose->terrain)
        return false;
    bool has_drops = pose->particles && pose->particles->count > 0;
    *out = (Heights){pose->terrain, silt_terrain_layer(pose->terrain, "height"), NULL};
    if (viewer->options.water && !has_drops)
        out->water = silt_terrain_layer(pose->terrain, "water");
    return true;
}

static double height_at(const Heights *heights, int i, int j)
{
    double height = (double)silt_field_at(heights->height, i, j);
    return heights->water ? height + (double)silt_field_at(heights->water, i, j) : height;
}

// Between the middles of four cells; a, b run from 0 to 1 east and south.
static double height_in(const Heights *heights, int i, int j, double a, double b)
{
    double nw = height_at(heights, i, j), se = height_at(heights, i + 1, j + 1);
    double sw = height_at(heights, i, j + 1), ne = height_at(heights, i + 1, j);
    return a <= b ? nw + b * (sw - nw) + a * (se - sw) : nw + a * (ne - nw) + b * (se - ne);
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

bool silt_viewer_surface(const SiltViewer *viewer, double x, double y, double *out)
{
    Heights heights;
    if (!heights_of(viewer, &heights))
        return false;
    const SiltTerrain *terrain = heights.terrain;
    double u = x / terrain->cell + 0.5 * (terrain->width - 1);
    double v = 0.5 * (terrain->height - 1) - y / terrain->cell;
    if (u < 0.0 || v < 0.0 || u > terrain->width - 1 || v > terrain->height - 1)
        return false;
    int i = clamp((int)u, 0, terrain->width - 2), j = clamp((int)v, 0, terrain->height - 2);
    double height = height_in(&heights, i, j, u - i, v - j);
    *out = (height - viewer->shown.range.low) * viewer->options.exaggeration;
    return true;
}

// A ray in columns, rows and metres of height.
typedef struct GridRay {
    double from[3], way[3];
} GridRay;

static double above(const Heights *heights, const GridRay *ray, int i, int j, double t)
{
    double a = ray->from[0] + t * ray->way[0] - i, b = ray->from[1] + t * ray->way[1] - j;
    a = fmin(fmax(a, 0.0), 1.0);
    b = fmin(fmax(b, 0.0), 1.0);
    return ray->from[2] + t * ray->way[2] - height_in(heights, i, j, a, b);
}

static bool is_hole(const SiltTerrain *terrain, int i, int j)
{
    return silt_terrain_is_nodata(terrain, i, j) || silt_terrain_is_nodata(terrain, i + 1, j) ||
           silt_terrain_is_nodata(terrain, i, j + 1) || silt_terrain_is_nodata(terrain, i + 1, j + 1);
}

// Within one cell, from `t` to `end`: straight over each of its triangles.
static bool hit_cell(const Heights *heights, const GridRay *ray, int i, int j, double t, double end,
                     double *out)
{
    if (is_hole(heights->terrain, i, j))
        return false;
    double cuts[3] = {t, end, end};
    double a = ray->from[0] - i, b = ray->from[1] - j, turn = ray->way[1] - ray->way[0];
    double diagonal = turn != 0.0 ? (a - b) / turn : t; // where a = b
    if (diagonal > t && diagonal < end)
        cuts[1] = diagonal;
    double before = above(heights, ray, i, j, t);
    for (int k = 1; k < 3; k++) {
        double after = above(heights, ray, i, j, cuts[k]);
        if (before >= 0.0 && after < 0.0) {
            *out = cuts[k - 1] + (cuts[k] - cuts[k - 1]) * before / (before - after);
            return true;
        }
        before = after;
    }
    return false;
}

// Where a ray is between two planes.
static bool clip_span(double from, double way, double low, double high, double span[2])
{
    if (way == 0.0)
        return from >= low && from <= high;
    double a = (low - from) / way, b = (high - from) / way;
    span[0] = fmax(span[0], fmin(a, b));
    span[1] = fmin(span[1], fmax(a, b));
    return span[0] < span[1];
}

// From cell to cell along the ray.
static bool hit_heights(const Heights *heights, const GridRay *ray, double *out)
{
    int width = heights->terrain->width, height = heights->terrain->height;
    double span[2] = {0.0, INFINITY};
    if (!clip_span(ray->from[0], ray->way[0], 0.0, width - 1, span) ||
        !clip_span(ray->from[1], ray->way[1], 0.0, height - 1, span))
        return false;
    double t = span[0];
    double u = ray->from[0] + t * ray->way[0], v = ray->from[1] + t * ray->way[1];
    int cell[2] = {clamp((int)floor(u), 0, width - 2), clamp((int)floor(v), 0, height - 2)};
    const int most[2] = {width - 2, height - 2};
    if (above(heights, ray, cell[0], cell[1], t) < 0.0)
        return false; // through the wall at the edge
    while (true) {
        double next = span[1];
        int axis = -1;
        for (int k = 0; k < 2; k++) {
            double way = ray->way[k];
            if (way == 0.0)
                continue;
            double edge = (cell[k] + (way > 0.0 ? 1 : 0) - ray->from[k]) / way;
            if (edge < next) {
                next = edge;
                axis = k;
            }
        }
        if (!isfinite(next)) { // straight down
            double deep = above(heights, ray, cell[0], cell[1], t) / -ray->way[2];
            *out = t + deep;
            return deep >= 0.0 && !is_hole(heights->terrain, cell[0], cell[1]);
        }
        if (next > t && hit_cell(heights, ray, cell[0], cell[1], t, next, out))
            return true;
        if (axis < 0)
            return false;
        cell[axis] += ray->way[axis] > 0.0 ? 1 : -1;
        if (cell[axis] < 0 || cell[axis] > most[axis])
            return false;
        t = fmax(next, t);
    }
}

static bool pick_heights(const SiltViewer *viewer, const Heights *heights, const double from[3],
                         const double direction[3], double *out)
{
    const SiltTerrain *terrain = heights->terrain;
    double rise = viewer->options.exaggeration;
    GridRay ray = {{from[0] / terrain->cell + 0.5 * (terrain->width - 1),
                    0.5 * (terrain->height - 1) - from[1] / terrain->cell,
                    from[2] / rise + viewer->shown.range.low},
                   {direction[0] / terrain->cell, -direction[1] / terrain->cell, direction[2] / rise}};
    return hit_heights(heights, &ray, out);
}

static void normal_of_heights(const Heights *heights, double x, double y, double normal[3])
{
    const SiltTerrain *terrain = heights->terrain;
    int i = (int)(x / terrain->cell + 0.5 * terrain->width);
    int j = (int)(0.5 * terrain->height - y / terrain->cell);
    float east, south;
    silt_light_slope(heights->height, (float)(1.0 / terrain->cell), clamp(i, 0, terrain->width - 1),
                     clamp(j, 0, terrain->height - 1), &east, &south);
    double length = sqrt(1.0 + (double)(east * east + south * south));
    normal[0] = (double)-east / length;
    normal[1] = (double)south / length;
    normal[2] = 1.0 / length;
}

// ---- meshes and volumes, as far as clips leave them ----

// In the motif's own metres.
typedef struct Ray {
    double from[3], way[3];
    double begin, end; // what the clips leave of it
    double face[3];    // towards the eye, of the cut it begins at
    bool is_cut;
} Ray;

// Leaves the part of a ray on the near side of a plane: where `out` times (place - at) is below zero.
static void cut_ray(Ray *ray, const double out[3], const double at[3])
{
    double beyond = 0.0, way = 0.0;
    for (int k = 0; k < 3; k++) {
        beyond += out[k] * (ray->from[k] - at[k]);
        way += out[k] * ray->way[k];
    }
    if (way == 0.0) {
        ray->end = beyond > 0.0 ? -1.0 : ray->end;
    } else if (way > 0.0) {
        ray->end = fmin(ray->end, -beyond / way);
    } else if (-beyond / way > ray->begin) {
        ray->begin = -beyond / way;
        for (int k = 0; k < 3; k++)
            ray->face[k] = out[k];
        ray->is_cut = true;
    }
}

static void clip_ray(const SiltViewer *viewer, Ray *ray)
{
    const SiltRenderOptions *options = &viewer->options;
    const SiltRange *range = &viewer->shown.range;
    const double *clips[3] = {options->clip_east, options->clip_north, options->clip_height};
    const double zero[3] = {range->west, range->south, 0.0};
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2 && !isnan(clips[k][0]); side++) {
            double out[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0};
            out[k] = side ? 1.0 : -1.0;
            at[k] = zero[k] + clips[k][side];
            cut_ray(ray, out, at);
        }
    if (!isnan(options->cut[0])) {
        double at[3];
        silt_cut_place(options, range, at);
        cut_ray(ray, options->cut, at);
    }
}

static bool pick_mesh(const SiltViewer *viewer, const double from[3], const double direction[3], double *out,
                      double normal[3])
{
    const SiltRange *range = &viewer->shown.range;
    double rise = viewer->options.exaggeration, face[3], facing = 0.0;
    Ray ray = {.end = INFINITY,
               .from = {from[0] + 0.5 * (range->west + range->east),
                        from[1] + 0.5 * (range->south + range->north), from[2] / rise + range->low},
               .way = {direction[0], direction[1], direction[2] / rise}};
    clip_ray(viewer, &ray);
    if (ray.begin >= ray.end ||
        !silt_columns_ray(viewer->shown.columns, ray.from, ray.way, ray.begin, out, face))
        return false;
    for (int k = 0; k < 3; k++)
        facing += face[k] * ray.way[k];
    bool is_inside = ray.is_cut && facing > 0.0; // it leaves rock next: the cut goes through rock
    if (!is_inside && *out > ray.end)
        return false;
    *out = is_inside ? ray.begin : *out;
    const double *seen = is_inside ? ray.face : face;
    double length = sqrt(seen[0] * seen[0] + seen[1] * seen[1] + seen[2] * seen[2]);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0.0 ? seen[k] / length : (double)(k == 2);
    return true;
}

// ---- any motif ----

bool silt_viewer_hit(const SiltViewer *viewer, const double from[3], const double direction[3], double *out,
                     double normal[3])
{
    Heights heights;
    double unused[3], *towards = normal ? normal : unused;
    if (viewer->is_shown && viewer->shown.columns)
        return pick_mesh(viewer, from, direction, out, towards);
    if (!heights_of(viewer, &heights) || !pick_heights(viewer, &heights, from, direction, out))
        return false;
    if (normal)
        normal_of_heights(&heights, from[0] + *out * direction[0], from[1] + *out * direction[1], normal);
    return true;
}

void silt_viewer_ray(const SiltViewer *viewer, const SiltCamera *camera, double x, double y,
                     double direction[3])
{
    double right = (2.0 * x / viewer->width - 1.0) * camera->slope * viewer->width / viewer->height;
    double up = (1.0 - 2.0 * y / viewer->height) * camera->slope;
    for (int k = 0; k < 3; k++)
        direction[k] = camera->forward[k] + right * camera->right[k] + up * camera->up[k];
}

bool silt_viewer_pick(const SiltViewer *viewer, double x, double y, SiltPick *out)
{
    *out = (SiltPick){.i = -1, .j = -1};
    if (!viewer->is_shown)
        return false;
    const SiltShown *shown = &viewer->shown;
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, viewer->width, viewer->height);
    double direction[3], far, at[3];
    silt_viewer_ray(viewer, &camera, x, y, direction);
    if (!silt_viewer_hit(viewer, camera.eye, direction, &far, out->normal))
        return false;
    for (int k = 0; k < 3; k++)
        at[k] = camera.eye[k] + far * direction[k];
    silt_viewer_from_world(viewer, at, out->place);
    out->slope = atan2(hypot(out->normal[0], out->normal[1]), out->normal[2]) / degree;
    if (shown->land) {
        out->i = clamp((int)floor(out->place[0] / shown->cell), 0, shown->width - 1);
        out->j = clamp((int)floor(shown->height - out->place[1] / shown->cell), 0, shown->height - 1);
    }
    return true;
}

bool silt_viewer_project(const SiltViewer *viewer, const double place[3], double out[2])
{
    SiltCamera camera = silt_viewer_camera(viewer, &viewer->now, viewer->width, viewer->height);
    double way[3], right = 0.0, up = 0.0, ahead = 0.0;
    silt_viewer_to_world(viewer, place, way);
    for (int k = 0; k < 3; k++) {
        way[k] -= camera.eye[k];
        right += way[k] * camera.right[k];
        up += way[k] * camera.up[k];
        ahead += way[k] * camera.forward[k];
    }
    if (!(ahead > 1e-9))
        return false;
    out[0] = 0.5 * viewer->width + 0.5 * viewer->height * right / (ahead * camera.slope);
    out[1] = 0.5 * viewer->height - 0.5 * viewer->height * up / (ahead * camera.slope);
    return true;
}
