// The surface of a heightfield and how a particle meets it, for C and OpenCL: two triangles between each four
// samples.
#ifndef SILT_COUPLE_SURFACE_H
#define SILT_COUPLE_SURFACE_H

#include "sph/motion.h"

typedef struct SiltRelief {
    SILT_GLOBAL const float *heights;  // m, width * height
    SILT_GLOBAL const uint8_t *nodata; // NULL: there are data everywhere
    int width, height;
    float cell; // m
} SiltRelief;

// A place on the surface: the three samples of its triangle with their weights, its height and its normal.
typedef struct SiltSurface {
    int sample[3];
    float weight[3];
    float z;
    float nx, ny, nz;
    bool is_there; // false where a corner has no data
} SiltSurface;

// Sample (i, j) lies at ((i + 1/2) cell, (j + 1/2) cell); beyond the outermost samples the surface goes on
// level.
static inline int silt_relief_interval(float at, float cell, int size, float *share)
{
    float place = at / cell - 0.5f;
    place = place > 0.0f ? place : 0.0f;
    place = place < (float)(size - 1) ? place : (float)(size - 1); // what is far away has no whole number
    int i = (int)place;
    i = i < size - 2 ? i : size - 2;
    float rest = place - (float)i;
    *share = rest < 1.0f ? rest : 1.0f;
    return i;
}

static inline SiltSurface silt_relief_at(const SiltRelief *g, float x, float y)
{
    SiltSurface at;
    float fx, fy;
    int i = silt_relief_interval(x, g->cell, g->width, &fx),
        j = silt_relief_interval(y, g->cell, g->height, &fy);
    int corner = j * g->width + i;
    bool second = fx + fy > 1.0f; // the triangle away from the corner
    at.sample[0] = second ? corner + g->width + 1 : corner;
    at.sample[1] = second ? corner + g->width : corner + 1;
    at.sample[2] = second ? corner + 1 : corner + g->width;
    float a = second ? 1.0f - fx : fx, b = second ? 1.0f - fy : fy;
    float h0 = g->heights[at.sample[0]], h1 = g->heights[at.sample[1]], h2 = g->heights[at.sample[2]];
    at.weight[0] = 1.0f - a - b;
    at.weight[1] = a;
    at.weight[2] = b;
    at.z = h0 + a * (h1 - h0) + b * (h2 - h0);
    float sx = second ? h0 - h1 : h1 - h0, sy = second ? h0 - h2 : h2 - h0;
    float length = silt_sqrtf(sx * sx + sy * sy + g->cell * g->cell);
    at.nx = -sx / length, at.ny = -sy / length, at.nz = g->cell / length;
    at.is_there =
        !g->nodata || !(g->nodata[at.sample[0]] | g->nodata[at.sample[1]] | g->nodata[at.sample[2]]);
    return at;
}

// The plane of the triangle below a place.
static inline SiltSphPlane silt_relief_plane(const SiltRelief *g, float x, float y, float z)
{
    SiltSurface below = silt_relief_at(g, x, y);
    SiltSphPlane plane = {below.nx, below.ny, below.nz, (z - below.z) * below.nz};
    return plane;
}

// The cell a place lies over, as j * width + i.
static inline int silt_relief_cell(const SiltRelief *g, float x, float y)
{
    int i = (int)(x / g->cell), j = (int)(y / g->cell);
    i = i < 0 ? 0 : i >= g->width ? g->width - 1 : i;
    j = j < 0 ? 0 : j >= g->height ? g->height - 1 : j;
    return j * g->width + i;
}

// ---- the way of a particle ----

typedef struct SiltHit {
    float t; // 0 to 1 along the way
    SiltSurface at;
} SiltHit;

// Where along the way the next line of one family is crossed, if that comes before `next`.
static inline float silt_next_line(float t, float start, float step, float next)
{
    const float hair = 1e-5f;
    if (step == 0.0f)
        return next;
    float now = start + (t + hair) * step;
    float line = step > 0.0f ? silt_floorf(now) + 1.0f : SILT_CEIL(now) - 1.0f;
    float at = (line - start) / step;
    return at > t + hair && at < next ? at : next;
}

// The next place beyond t where the way crosses a line of the grid or a diagonal.
static inline float silt_next_edge(float t, float px, float py, float dx, float dy)
{
    float next = silt_next_line(t, px, dx, 1.0f);
    next = silt_next_line(t, py, dy, next);
    return silt_next_line(t, px + py, dx + dy, next);
}

// Where the way from `from` to `to` first passes from above the surface to below it. Between two edges the
// surface is a plane: the height above it runs linearly there.
static inline bool silt_relief_hit(const SiltRelief *g, const float *from, const float *to, SiltHit *hit)
{
    float dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
    float px = from[0] / g->cell - 0.5f, py = from[1] / g->cell - 0.5f;
    float cells_x = dx / g->cell, cells_y = dy / g->cell;
    float t = 0.0f, above = from[2] - silt_relief_at(g, from[0], from[1]).z;
    for (int k = 0; t < 1.0f && k < 4096; k++) {
        float next = silt_next_edge(t, px, py, cells_x, cells_y);
        float x = from[0] + next * dx, y = from[1] + next * dy;
        float later = from[2] + next * dz - silt_relief_at(g, x, y).z;
        if (later < 0.0f) {
            float share = above > 0.0f ? above / (above - later) : 0.0f, middle = 0.5f * (t + next);
            hit->t = t + share * (next - t);
            hit->at = silt_relief_at(g, from[0] + middle * dx, from[1] + middle * dy); // its triangle
            return true;
        }
        above = later;
        t = next;
    }
    return false;
}

// True where a particle, on the way it went in a step of length dt, was higher than `h` above all ground
// around: then nothing happens between the two.
static inline bool silt_relief_is_far(const SiltRelief *g, const SiltSphMotion *m, float h, float dt)
{
    enum { MOST = 4 }; // cells a side worth looking at
    float x = m->at[0], y = m->at[1], z = m->at[2], share;
    float back_x = x - dt * m->velocity[0], back_y = y - dt * m->velocity[1],
          back_z = z - dt * m->velocity[2];
    int west = silt_relief_interval(silt_minf(x, back_x) - h, g->cell, g->width, &share);
    int east = silt_relief_interval(silt_maxf(x, back_x) + h, g->cell, g->width, &share);
    int north = silt_relief_interval(silt_minf(y, back_y) - h, g->cell, g->height, &share);
    int south = silt_relief_interval(silt_maxf(y, back_y) + h, g->cell, g->height, &share);
    if (g->nodata || east - west > MOST || south - north > MOST)
        return false;
    float low = silt_minf(z, back_z) - h;
    bool below = false;
    for (int row = north; row <= south + 1; row++)
        for (int column = west; column <= east + 1; column++)
            below |= g->heights[row * g->width + column] >= low;
    return !below;
}

// Kataev eq. 1.44: the way into the ground ends, and what comes back is bounded by how deep it would have
// gone.
static inline void silt_relief_bounce(SiltSphMotion *m, const SiltSurface *at, float depth, float dt,
                                      float restitution)
{
    float u = m->velocity[0], v = m->velocity[1], w = m->velocity[2];
    float into = u * at->nx + v * at->ny + w * at->nz;
    if (into >= 0.0f)
        return;
    float speed = silt_sqrtf(u * u + v * v + w * w);
    float back = restitution * silt_minf(depth / (dt * speed), 1.0f);
    float by = (1.0f + back) * into;
    m->velocity[0] = u - by * at->nx;
    m->velocity[1] = v - by * at->ny;
    m->velocity[2] = w - by * at->nz;
}

// West, east, north and south of the box.
typedef struct SiltSides {
    float west, east, north, south;
} SiltSides;

// Brings a particle, which the last step moved by dt, back above the ground along the way it came (Kataev
// 4.3, eq. 1.44). True when it touched; `is_there`: whether there is ground below it at all.
static inline bool silt_relief_collide(const SiltRelief *g, SiltSphMotion *m, float dt, float restitution,
                                       SiltSides sides, bool *is_there)
{
    float to[3] = {m->at[0], m->at[1], m->at[2]};
    float from[3] = {to[0] - dt * m->velocity[0], to[1] - dt * m->velocity[1], to[2] - dt * m->velocity[2]};
    float bottom = silt_relief_at(g, from[0], from[1]).z;
    from[2] = from[2] > bottom ? from[2] : bottom; // the ground may have risen
    bool touched = false;
    SiltHit hit;
    for (int k = 0; k < 4 && silt_relief_hit(g, from, to, &hit); k++) {
        touched = true;
        const SiltSurface *at = &hit.at;
        for (int axis = 0; axis < 3; axis++)
            from[axis] += hit.t * (to[axis] - from[axis]);
        // how far the end lies behind the triangle's plane; it goes back there along the normal
        float depth = -((to[0] - from[0]) * at->nx + (to[1] - from[1]) * at->ny + (to[2] - from[2]) * at->nz);
        depth = depth > 0.0f ? depth : 0.0f;
        silt_relief_bounce(m, at, depth, dt, restitution);
        to[0] += depth * at->nx, to[1] += depth * at->ny, to[2] += depth * at->nz;
        bottom = silt_relief_at(g, from[0], from[1]).z;
        from[2] = from[2] > bottom ? from[2] : bottom;
    }
    m->at[0] = silt_clampf(to[0], sides.west, sides.east);
    m->at[1] = silt_clampf(to[1], sides.north, sides.south);
    SiltSurface below = silt_relief_at(g, m->at[0], m->at[1]);
    touched = touched || to[2] <= below.z;
    m->at[2] = to[2] > below.z ? to[2] : below.z;
    *is_there = below.is_there;
    return touched;
}

// After the ground has moved: the height of a particle that it may have risen over.
static inline float silt_relief_lift(const SiltRelief *g, const SiltSphMotion *m, float h, float dt)
{
    if (silt_relief_is_far(g, m, h, dt))
        return m->at[2];
    float ground = silt_relief_at(g, m->at[0], m->at[1]).z;
    return m->at[2] > ground ? m->at[2] : ground;
}

// ---- rock in whole units ----

enum { SILT_RELIEF_FINE = 1 << 20 }; // parts of a cell crossed

// What a particle that went `distance` metres adds to the flow of its cell.
static inline int64_t silt_relief_crossed(float distance, float cell)
{
    return (int64_t)(silt_minf(distance / cell, 1e6f) * (float)SILT_RELIEF_FINE);
}

// Units taken off a triangle, or laid on it, by weight.
static inline void silt_relief_spread(const SiltSurface *at, int64_t units, int64_t *share)
{
    for (int k = 1; k < 3; k++)
        share[k] = (int64_t)((double)units * (double)at->weight[k]);
    share[0] = units - share[1] - share[2];
}

// Units laid on the lowest corners of a triangle first (units > 0), or taken off the highest first
// (units < 0): eq. 1.71. `rise` is what one unit raises a sample, m.
static inline void silt_relief_shape(const SiltRelief *g, const int *sample, int64_t units, double rise,
                                     int64_t *share)
{
    int order[3] = {0, 1, 2}; // in the order they are filled, or worn
    float sign = units > 0 ? 1.0f : -1.0f, h[3];
    for (int k = 0; k < 3; k++)
        h[k] = sign * g->heights[sample[k]];
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2 - k; n++)
            if (h[order[n]] > h[order[n + 1]]) {
                int held = order[n];
                order[n] = order[n + 1];
                order[n + 1] = held;
            }
    int64_t left = units > 0 ? units : -units;
    share[0] = share[1] = share[2] = 0;
    for (int count = 1; count <= 3 && left > 0; count++) {
        double gap = count < 3 ? (double)(h[order[count]] - h[order[count - 1]]) / rise : 1e18;
        double part = gap * count, all = (double)left;
        int64_t each = (int64_t)((part < all ? part : all) / count);
        for (int n = 0; n < count; n++)
            share[order[n]] += each;
        left -= each * count;
    }
    share[order[0]] += left; // what does not divide by three
}

// How soft the rock is at a place, from the softness of the corners.
static inline float silt_surface_softness(const float *weight, float a, float b, float c)
{
    float sum = weight[0] * a;
    sum += weight[1] * b;
    sum += weight[2] * c;
    return sum > 0.0f ? sum : 0.0f;
}

// The books of a sample.
typedef struct SiltSample {
    int64_t change, wear, deposition, loose; // units
} SiltSample;

// After a step in which so many units were taken and laid.
static inline SiltSample silt_sample_settle(SiltSample s, int64_t taken, int64_t laid)
{
    int64_t loose = s.loose - taken;
    s.loose = (loose > 0 ? loose : 0) + laid;
    s.wear += taken;
    s.deposition += laid;
    s.change += laid - taken;
    return s;
}

static inline float silt_sample_height(float base, int64_t change, double rise)
{
    return (float)((double)base + (double)change * rise);
}

// Seconds of a step in which so many particles over a cell count as water standing there.
static inline double silt_sample_wet(int present, double volume, float cell, double dt)
{
    double deep = present * volume / ((double)cell * (double)cell);
    return deep > 1e-3 ? dt : 0.0;
}

static inline double silt_sample_flow(int64_t passed)
{
    return (double)passed / SILT_RELIEF_FINE;
}

#endif
