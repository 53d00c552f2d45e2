// The first rock along a ray: bricks of air are passed in one step, cells without a corner of rock in
// another, and in the rest the interpolated phi is searched for its zero.
#include <math.h>

#include "volume/brick.h"

enum { PARTS = 8, HALVINGS = 24 };

typedef struct Ray {
    const SiltVolume *volume;
    double from[3], way[3], inverse[3];
} Ray;

// The part of the ray within a box, no wider than before; false when there is none.
static bool clip(const Ray *ray, const double low[3], const double high[3], double *begin, double *end)
{
    for (int axis = 0; axis < 3; axis++) {
        if (ray->way[axis] == 0.0) {
            if (ray->from[axis] < low[axis] || ray->from[axis] > high[axis])
                return false;
            continue;
        }
        double a = (low[axis] - ray->from[axis]) * ray->inverse[axis];
        double b = (high[axis] - ray->from[axis]) * ray->inverse[axis];
        *begin = fmax(*begin, a < b ? a : b);
        *end = fmin(*end, a < b ? b : a);
    }
    return *begin <= *end;
}

static float phi_at(const Ray *ray, double t)
{
    float place[3];
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (float)(ray->from[axis] + t * ray->way[axis]);
    return silt_volume_sample(ray->volume, place, NULL);
}

static bool has_rock(const SiltVolume *volume, const int cell[3])
{
    for (int n = 0; n < 8; n++)
        if (silt_volume_at(volume, cell[0] + (n & 1), cell[1] + (n >> 1 & 1), cell[2] + (n >> 2)) > 0.0f)
            return true;
    return false;
}

// Whether air becomes rock between two places in one cell.
static bool search_cell(const Ray *ray, double begin, double end, double *hit)
{
    double last = begin;
    for (int n = 0; n <= PARTS; n++) {
        double t = begin + (end - begin) * n / PARTS;
        if (!(phi_at(ray, t) > 0.0f)) {
            last = t;
            continue;
        }
        for (int k = 0; n > 0 && k < HALVINGS; k++) {
            double middle = 0.5 * (last + t);
            *(phi_at(ray, middle) > 0.0f ? &t : &last) = middle;
        }
        *hit = t;
        return true;
    }
    return false;
}

// Where the ray leaves the block of cells with this first corner and side.
static double leave(const Ray *ray, const int first[3], int side)
{
    double out = INFINITY;
    for (int axis = 0; axis < 3; axis++)
        if (ray->way[axis] != 0.0) {
            double wall = first[axis] + (ray->way[axis] > 0.0 ? side : 0);
            out = fmin(out, (wall - ray->from[axis]) * ray->inverse[axis]);
        }
    return out;
}

// The cell a place lies in; on a border the one the ray goes on into.
static void cell_at(const Ray *ray, double t, int cell[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double place = ray->from[axis] + t * ray->way[axis], whole = floor(place);
        if (ray->way[axis] < 0.0 && place == whole)
            whole -= 1.0;
        int last = ray->volume->size[axis] - 2;
        cell[axis] = whole < 0.0 ? 0 : whole > last ? last : (int)whole;
    }
}

// Whether all voxels of the cells of the brick around a cell are air, those on its far faces too.
static bool is_air(const SiltVolume *volume, const int cell[3])
{
    SiltBrickAt at = {{cell[0] >> volume->shift, cell[1] >> volume->shift, cell[2] >> volume->shift}};
    for (int n = 0; n < 8; n++)
        if (volume->table[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)] != volume->empty)
            return false;
    return true;
}

bool silt_volume_ray(const SiltVolume *volume, const float from[3], const float direction[3], float length,
                     float *out)
{
    Ray ray = {.volume = volume};
    double low[3] = {0}, high[3], begin = 0.0, end = (double)length;
    for (int axis = 0; axis < 3; axis++) {
        ray.from[axis] = (double)from[axis];
        ray.way[axis] = (double)direction[axis];
        ray.inverse[axis] = 1.0 / ray.way[axis];
        high[axis] = volume->size[axis] - 1;
    }
    if (!clip(&ray, low, high, &begin, &end) || !(length >= 0.0f))
        return false;
    double speed = fabs(ray.way[0]) + fabs(ray.way[1]) + fabs(ray.way[2]);
    while (begin <= end && speed > 0.0) {
        int cell[3];
        double hit;
        cell_at(&ray, begin, cell);
        bool is_empty = is_air(volume, cell);
        int mask = is_empty ? ~(volume->side - 1) : ~0;
        const int first[3] = {cell[0] & mask, cell[1] & mask, cell[2] & mask};
        double next = leave(&ray, first, is_empty ? volume->side : 1);
        if (!is_empty && has_rock(volume, cell) && search_cell(&ray, begin, fmin(next, end), &hit)) {
            *out = (float)hit;
            return true;
        }
        begin = fmax(next, begin + 1e-7 / speed); // never stands still, whatever rounding does
    }
    return false;
}
