// Boundary particles (seeds) on the triangles of a heightfield, and what water does there (Kataev 1.5.1,
// 4.6), for C and OpenCL.
#ifndef SILT_COUPLE_SEEDS_H
#define SILT_COUPLE_SEEDS_H

#include "couple/surface.h"
#include "physics/power.h"
#include "physics/sph_sediment.h"

// Room for all within reach of a support of twelve cells (2 pi 12^2 triangles); wider ones are refused.
enum { SILT_SEEDS = 1536, SILT_SEED_TRIANGLES = 1024, SILT_SEED_LANES = 8, SILT_SEED_CELLS = 12 };
#define SILT_SEED_AT 0.4f // where in its part a seed lies

typedef struct SiltBoundaryNumbers {
    float spacing;                   // m between boundary particles
    float friction;                  // eq. 1.53
    float shear, critical, strength; // eq. 1.54, 1.56
    float rock;                      // kg/m3
    float most;                      // units in a full particle
    float settle;                    // factor of eq. 1.64 that makes a lattice exact
    float power;                     // n of eq. 1.54
    int by_difference;               // speed along the ground by eq. 4.22
    int exchanges;                   // whether rock moves at all
    int by_wall_law;                 // stress by the law of the wall instead of eq. 1.53 and 1.54
} SiltBoundaryNumbers;

// Who asks.
typedef struct SiltAsker {
    float x, y, z, u, v, w, h;
} SiltAsker;

// A triangle whose sides at the right angle are cut into n1 and n2 parts, no longer than the spacing, and
// those of its seeds that can lie within reach.
typedef struct SiltSeedTriangle {
    int sample[3];
    float x0, y0, h0, rise1, rise2, turn;
    int n1, n2;
    int a0, a1, b0, b1;
} SiltSeedTriangle;

// The first and last of n parts of a side that lie within reach; `from` and `to` in sides.
SILT_INLINE void silt_seed_reach(float from, float to, int n, int *first, int *last)
{
    float low = silt_floorf(from * (float)n - SILT_SEED_AT), high = SILT_CEIL(to * (float)n - SILT_SEED_AT);
    *first = low > 0.0f ? (int)silt_minf(low, (float)n) : 0;
    *last = high < (float)(n - 1) ? (int)silt_maxf(high, -1.0f) : n - 1;
}

// How many seeds a triangle has whose sides are cut into n1 and n2 parts.
SILT_INLINE int silt_seed_count(int n1, int n2)
{
    int count = 0;
    for (int b = 0; b < n2; b++) {
        float room = (1.0f - ((float)b + SILT_SEED_AT) / (float)n2) * (float)n1 - SILT_SEED_AT;
        count += room > 0.0f ? (int)SILT_CEIL(room) : 0;
    }
    return count > 0 ? count : 1;
}

SILT_INLINE int silt_seed_parts(float side, float spacing)
{
    float wanted = SILT_CEIL(side / spacing);
    return wanted < 1.0f ? 1 : wanted > 256.0f ? 256 : (int)wanted;
}

// False where there is no ground, so no rock to wear.
SILT_INLINE bool silt_seed_triangle(const SiltRelief *g, float spacing, const SiltAsker *at, int i, int j,
                                    bool second, SiltSeedTriangle *t)
{
    int corner = j * g->width + i;
    float cell = g->cell, h = at->h;
    t->turn = second ? -1.0f : 1.0f;
    t->sample[0] = second ? corner + g->width + 1 : corner;
    t->sample[1] = second ? corner + g->width : corner + 1;
    t->sample[2] = second ? corner + 1 : corner + g->width;
    if (g->nodata && (g->nodata[t->sample[0]] | g->nodata[t->sample[1]] | g->nodata[t->sample[2]]))
        return false;
    t->x0 = ((float)i + (second ? 1.5f : 0.5f)) * cell, t->y0 = ((float)j + (second ? 1.5f : 0.5f)) * cell;
    t->h0 = g->heights[t->sample[0]];
    t->rise1 = g->heights[t->sample[1]] - t->h0, t->rise2 = g->heights[t->sample[2]] - t->h0;
    t->n1 = silt_seed_parts(silt_sqrtf(cell * cell + t->rise1 * t->rise1), spacing);
    t->n2 = silt_seed_parts(silt_sqrtf(cell * cell + t->rise2 * t->rise2), spacing);
    float px = t->turn * (at->x - t->x0) / cell, py = t->turn * (at->y - t->y0) / cell;
    silt_seed_reach(px - h / cell, px + h / cell, t->n1, &t->a0, &t->a1);
    silt_seed_reach(py - h / cell, py + h / cell, t->n2, &t->b0, &t->b1);
    return true;
}

// Seed (a, b), near the middle of its part: how far the particle lies above it, and the square of its
// distance. False beyond the triangle.
SILT_INLINE bool silt_seed_at(const SiltSeedTriangle *t, float cell, const SiltAsker *at, int a, int b,
                              float *dz, float *r2)
{
    float p = ((float)a + SILT_SEED_AT) / (float)t->n1, q = ((float)b + SILT_SEED_AT) / (float)t->n2;
    if (p + q >= 1.0f)
        return false;
    float dx = at->x - (t->x0 + t->turn * p * cell), dy = at->y - (t->y0 + t->turn * q * cell);
    *dz = at->z - (t->h0 + p * t->rise1 + q * t->rise2);
    *r2 = dx * dx + dy * dy + *dz * *dz;
    return true;
}

// The share of the triangle that each seed stands for, m2, and the speed of the particle along it.
SILT_INLINE void silt_seed_measure(const SiltSeedTriangle *t, float cell, const SiltAsker *at,
                                   int by_difference, float *area, float *along)
{
    float length = silt_sqrtf(cell * cell + t->rise1 * t->rise1 + t->rise2 * t->rise2), up = cell / length;
    float nx = -t->turn * t->rise1 / length, ny = -t->turn * t->rise2 / length;
    float into = at->u * nx + at->v * ny + at->w * up;
    float speed2 = at->u * at->u + at->v * at->v + at->w * at->w;
    *area = 0.5f * cell * length / (float)silt_seed_count(t->n1, t->n2);
    *along = by_difference ? silt_sqrtf(speed2) - silt_absf(into) // eq. 4.22
                           : silt_sqrtf(silt_maxf(speed2 - into * into, 0.0f));
    *along = silt_maxf(*along, 0.0f);
}

SILT_INLINE int silt_seed_clamp(float place, int size)
{
    int i = (int)silt_maxf(place, 0.0f);
    return i < size - 2 ? i : size - 2;
}

// The cells whose ground can lie within reach.
typedef struct SiltSeedCells {
    int west, east, north, south;
} SiltSeedCells;

SILT_INLINE SiltSeedCells silt_seed_cells(const SiltRelief *g, const SiltAsker *at)
{
    float cell = g->cell, h = at->h;
    SiltSeedCells cells = {silt_seed_clamp((at->x - h) / cell - 0.5f, g->width),
                           silt_seed_clamp((at->x + h) / cell - 0.5f, g->width),
                           silt_seed_clamp((at->y - h) / cell - 0.5f, g->height),
                           silt_seed_clamp((at->y + h) / cell - 0.5f, g->height)};
    return cells;
}

// Whether any of a cell's ground can.
SILT_INLINE bool silt_seed_in_reach(const SiltRelief *ground, const SiltAsker *at, int i, int j)
{
    SILT_GLOBAL const float *g = ground->heights + j * ground->width + i, *s = g + ground->width;
    float top = silt_maxf(silt_maxf(g[0], g[1]), silt_maxf(s[0], s[1]));
    float bottom = silt_minf(silt_minf(g[0], g[1]), silt_minf(s[0], s[1]));
    float x = ((float)i + 0.5f) * ground->cell, y = ((float)j + 0.5f) * ground->cell;
    float dx = silt_maxf(silt_maxf(x - at->x, at->x - x - ground->cell), 0.0f);
    float dy = silt_maxf(silt_maxf(y - at->y, at->y - y - ground->cell), 0.0f);
    float dz = silt_maxf(silt_maxf(at->z - top, bottom - at->z), 0.0f);
    return dx * dx + dy * dy + dz * dz < at->h * at->h;
}

// ---- what happens there ----

// A shear rate to a power other than 1/2.
SILT_INLINE float silt_seed_power(float rate, float power)
{
    return rate > 0.0f ? (float)silt_power((double)rate, (double)power) : 0.0f;
}

typedef struct SiltSeedWork {
    float settling; // share of a load that settles on it (eq. 1.69, a seed standing for a layer of water)
    float worn;     // units that shear wears off it (eq. 1.54 to 1.57)
    float slow;     // braking of no-slip friction (eq. 1.52, 1.53), in 1/m3 times m2
} SiltSeedWork;

// With a power of 1/2, which is the usual one, loops over it run in vectors.
SILT_INLINE SiltSeedWork silt_seed_weigh(float shear, float critical, float strength, const float power,
                                         float h, float pace, float take, float r2, float dz, float area,
                                         float along)
{
    SiltSeedWork work;
    float r = silt_maxf(silt_sqrtf(r2), 0.1f * h);
    float share = pace * area * silt_spline_fall(r, h) * dz;
    float root = power == 0.5f ? silt_sqrtf(along / r) : silt_seed_power(along / r, power);
    float rate = silt_shear_erosion(root, shear, critical, strength);
    work.settling = silt_clampf(share, 0.0f, 1.0f / 512.0f);
    work.worn = take * rate * area;
    work.slow = area * silt_viscous_laplacian(r, h);
    return work;
}

// How fast a load settles on seeds, per m2 of them and of eq. 1.64's F / r dz.
SILT_INLINE float silt_seed_pace(const SiltBoundaryNumbers *b, float dt, float settling, float spacing)
{
    return dt * settling * spacing * b->settle;
}

// How soft the rock of a triangle is, from the sum over its corners.
SILT_INLINE float silt_seed_softness(float sum)
{
    return silt_maxf(sum / 3.0f, 0.0f);
}

// Whole units that settle of a load on a triangle whose seeds want this share of it, right on average over
// the steps. No particle gives more than it has.
SILT_INLINE float silt_seed_laid(float load, float share, float dither)
{
    return load >= 512.0f ? silt_floorf(silt_minf(silt_minf(share, 0.5f) * load + dither, load)) : 0.0f;
}

// Whole units worn off a triangle of this softness, as many as there is still room for.
SILT_INLINE float silt_seed_worn(float wanted, float softness, float dither, float most, float load)
{
    wanted = silt_minf(wanted * softness, 1e7f);
    return wanted > 0.0f ? silt_floorf(silt_minf(wanted + dither, most - load)) : 0.0f;
}

// The speed that is left: implicit, so that it brakes and never turns round.
SILT_INLINE float silt_seed_brake(float dt, float friction, float slow, float density)
{
    return 1.0f / (1.0f + dt * friction * slow / density);
}

// Wear where the stress is that of the law of the wall: a particle nearer than a spacing is the layer at the
// ground and answers for one spacing squared of it, as in sph/motion.h. Units wanted off the surface below.
SILT_INLINE float silt_seed_wall_wear(const SiltBoundaryNumbers *b, const SiltSurface *at,
                                      const SiltAsker *who, float spacing, float density, float steep,
                                      float rough, float take)
{
    if (!at->is_there || (who->z - at->z) * at->nz >= spacing)
        return 0.0f;
    float into = who->u * at->nx + who->v * at->ny + who->w * at->nz;
    float speed2 = who->u * who->u + who->v * who->v + who->w * who->w - into * into;
    float speed = silt_sqrtf(silt_maxf(speed2, 0.0f));
    float stress = density * speed * silt_wall_drag(speed, steep, rough);
    float rate = b->strength * silt_maxf(stress - b->critical, 0.0f); // eq. 1.56
    return take * rate * spacing * spacing;
}

#endif
