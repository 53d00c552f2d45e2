#include "couple/heightfield_boundary.h"

#include <math.h>

#include "core/simd.h"
#include "physics/sph_sediment.h"
#include "physics/sph_wall.h"

enum { LANES = 8 };

// ---- triangles ----

void silt_boundary_shape(SiltHeightfield *field, const int sample[3], int64_t units)
{
    int order[3] = {0, 1, 2}; // in the order they are filled, or worn
    float sign = units > 0 ? 1.0f : -1.0f, h[3];
    for (int k = 0; k < 3; k++)
        h[k] = sign * field->ground[sample[k]];
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2 - k; n++)
            if (h[order[n]] > h[order[n + 1]]) {
                int held = order[n];
                order[n] = order[n + 1];
                order[n + 1] = held;
            }
    int64_t left = units > 0 ? units : -units, share[3] = {0, 0, 0};
    for (int count = 1; count <= 3 && left > 0; count++) {
        double gap = count < 3 ? (double)(h[order[count]] - h[order[count - 1]]) / field->rise : 1e18;
        double part = fmin((double)left, gap * count);
        int64_t each = (int64_t)(part / count);
        for (int n = 0; n < count; n++)
            share[order[n]] += each;
        left -= each * count;
    }
    share[order[0]] += left; // what does not divide by three
    _Atomic int64_t *to = units > 0 ? field->laid : field->taken;
    for (int k = 0; k < 3; k++)
        silt_heightfield_count(field, to, sample[k], share[k]);
}

// ---- boundary particles ----

enum { MAX_SEEDS = 192, MAX_TRIANGLES = 128 };
#define SEED_AT 0.4f // where in its part a seed lies

typedef struct Triangle {
    int sample[3];
    int first;   // of its seeds
    float area;  // m2 that each stands for
    float along; // m/s of the particle along it
} Triangle;

// The seeds within reach of a particle, triangle by triangle.
typedef struct Seeds {
    int count, triangles;
    float dz[MAX_SEEDS + LANES], r[MAX_SEEDS + LANES]; // the particle above the seed, and its distance, m
    float area[MAX_SEEDS + LANES], along[MAX_SEEDS + LANES];
    float settling[MAX_SEEDS + LANES], worn[MAX_SEEDS + LANES]; // share of a load; units, both of this step
    Triangle triangle[MAX_TRIANGLES + 1];
} Seeds;

// Who asks.
typedef struct Asker {
    float x, y, z, u, v, w, h;
} Asker;

// The first and last of n parts of a side that lie within reach; `from` and `to` in sides.
SILT_INLINE void reach(float from, float to, int n, int *first, int *last)
{
    float low = floorf(from * (float)n - SEED_AT), high = ceilf(to * (float)n - SEED_AT);
    *first = low > 0.0f ? (int)silt_minf(low, (float)n) : 0;
    *last = high < (float)(n - 1) ? (int)silt_maxf(high, -1.0f) : n - 1;
}

// How many seeds a triangle has whose sides are cut into n1 and n2 parts.
SILT_INLINE int seed_count(int n1, int n2)
{
    int count = 0;
    for (int b = 0; b < n2; b++) {
        float room = (1.0f - ((float)b + SEED_AT) / (float)n2) * (float)n1 - SEED_AT;
        count += room > 0.0f ? (int)ceilf(room) : 0;
    }
    return count > 0 ? count : 1;
}

SILT_INLINE int parts(float side, float spacing)
{
    float wanted = ceilf(side / spacing);
    return wanted < 1.0f ? 1 : wanted > 256.0f ? 256 : (int)wanted;
}

// The seeds of one triangle, near the middles of the parts that the two sides at its right angle are cut
// into, no further apart than the spacing. Each stands for its share of the triangle.
SILT_INLINE void seed_triangle(const SiltHeightfield *field, float spacing, const Asker *at, int i, int j,
                               bool second, Seeds *seeds)
{
    int corner = j * field->width + i, start = seeds->count;
    float cell = field->cell, turn = second ? -1.0f : 1.0f, h = at->h;
    int s0 = second ? corner + field->width + 1 : corner, s1 = second ? corner + field->width : corner + 1;
    int s2 = second ? corner + 1 : corner + field->width;
    const uint8_t *nodata = field->terrain->nodata;
    if (nodata && (nodata[s0] | nodata[s1] | nodata[s2])) // no ground, so no rock to wear
        return;
    float x0 = ((float)i + (second ? 1.5f : 0.5f)) * cell, y0 = ((float)j + (second ? 1.5f : 0.5f)) * cell;
    float h0 = field->ground[s0], rise1 = field->ground[s1] - h0, rise2 = field->ground[s2] - h0;
    int n1 = parts(sqrtf(cell * cell + rise1 * rise1), spacing);
    int n2 = parts(sqrtf(cell * cell + rise2 * rise2), spacing);
    float px = turn * (at->x - x0) / cell, py = turn * (at->y - y0) / cell;
    int a0, a1, b0, b1;
    reach(px - h / cell, px + h / cell, n1, &a0, &a1);
    reach(py - h / cell, py + h / cell, n2, &b0, &b1);
    for (int b = b0; b <= b1; b++)
        for (int a = a0; a <= a1 && seeds->count < MAX_SEEDS; a++) {
            float p = ((float)a + SEED_AT) / (float)n1, q = ((float)b + SEED_AT) / (float)n2;
            if (p + q >= 1.0f)
                break;
            float dx = at->x - (x0 + turn * p * cell), dy = at->y - (y0 + turn * q * cell);
            float dz = at->z - (h0 + p * rise1 + q * rise2), r2 = dx * dx + dy * dy + dz * dz;
            seeds->dz[seeds->count] = dz;
            seeds->r[seeds->count] = r2;
            seeds->count += r2 < h * h;
        }
    if (seeds->count == start || seeds->triangles == MAX_TRIANGLES) {
        seeds->count = start;
        return;
    }
    float length = sqrtf(cell * cell + rise1 * rise1 + rise2 * rise2), up = cell / length;
    float nx = -turn * rise1 / length, ny = -turn * rise2 / length;
    float into = at->u * nx + at->v * ny + at->w * up;
    float speed2 = at->u * at->u + at->v * at->v + at->w * at->w;
    seeds->triangle[seeds->triangles++] = (Triangle){.sample = {s0, s1, s2},
                                                     .first = start,
                                                     .area = 0.5f * cell * length / (float)seed_count(n1, n2),
                                                     .along = sqrtf(silt_maxf(speed2 - into * into, 0.0f))};
}

SILT_INLINE int clamp_to(float place, int size)
{
    int i = (int)silt_maxf(place, 0.0f);
    return i < size - 2 ? i : size - 2;
}

// Whether any of a cell's ground can lie within reach.
SILT_INLINE bool cell_in_reach(const SiltHeightfield *field, const Asker *at, int i, int j)
{
    const float *g = field->ground + j * field->width + i, *s = g + field->width;
    float top = silt_maxf(silt_maxf(g[0], g[1]), silt_maxf(s[0], s[1]));
    float bottom = silt_minf(silt_minf(g[0], g[1]), silt_minf(s[0], s[1]));
    float x = ((float)i + 0.5f) * field->cell, y = ((float)j + 0.5f) * field->cell;
    float dx = silt_maxf(silt_maxf(x - at->x, at->x - x - field->cell), 0.0f);
    float dy = silt_maxf(silt_maxf(y - at->y, at->y - y - field->cell), 0.0f);
    float dz = silt_maxf(silt_maxf(at->z - top, bottom - at->z), 0.0f);
    return dx * dx + dy * dy + dz * dz < at->h * at->h;
}

float silt_boundary_least_spacing(double support)
{
    return (float)(0.2 * support); // 25 pi seeds on a plane, and twice that in a gorge
}

SILT_CLONES
static void find_seeds(const SiltHeightfield *field, float spacing, const Asker *at, Seeds *seeds)
{
    float cell = field->cell, h = at->h;
    int west = clamp_to((at->x - h) / cell - 0.5f, field->width),
        east = clamp_to((at->x + h) / cell - 0.5f, field->width);
    int north = clamp_to((at->y - h) / cell - 0.5f, field->height),
        south = clamp_to((at->y + h) / cell - 0.5f, field->height);
    seeds->count = seeds->triangles = 0;
    for (int j = north; j <= south; j++)
        for (int i = west; i <= east; i++)
            if (cell_in_reach(field, at, i, j)) {
                seed_triangle(field, spacing, at, i, j, false, seeds);
                seed_triangle(field, spacing, at, i, j, true, seeds);
            }
    seeds->triangle[seeds->triangles].first = seeds->count;
    for (int t = 0; t < seeds->triangles; t++)
        for (int k = seeds->triangle[t].first; k < seeds->triangle[t + 1].first; k++) {
            seeds->area[k] = seeds->triangle[t].area;
            seeds->along[k] = seeds->triangle[t].along;
        }
    for (int k = seeds->count; k % LANES; k++) // full vectors: seeds out of reach, of no area
        seeds->dz[k] = 0.0f, seeds->r[k] = h * h, seeds->area[k] = seeds->along[k] = 0.0f;
}

// ---- what happens there ----

// For each seed the share of a load that settles on it (eq. 1.69, a seed standing for a layer of water of its
// area) and the units that shear wears off it (eq. 1.54 to 1.57); for all together the braking of no-slip
// friction (eq. 1.52, 1.53), in 1/m3 times m2.
SILT_CLONES
static float weigh_seeds(const SiltBoundary *boundary, float h, float pace, float take, Seeds *seeds)
{
    const float shear = boundary->shear, critical = boundary->critical, near = 0.1f * h;
    float lane[LANES] = {0.0f}, sum = 0.0f;
    for (int n = 0; n < seeds->count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int k = n + l;
            float r = silt_maxf(silt_sqrtf(seeds->r[k]), near), area = seeds->area[k];
            float share = pace * area * silt_spline_fall(r, h) * seeds->dz[k];
            float rate = silt_shear_erosion(seeds->along[k], r, shear, critical, boundary->strength);
            seeds->settling[k] = silt_clampf(share, 0.0f, 1.0f / 512.0f);
            seeds->worn[k] = take * rate * area;
            lane[l] += area * silt_viscous_laplacian(r, h);
        }
    }
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

// How soft the rock of a triangle is.
static float softness(const SiltBoundary *boundary, const SiltHeightfield *field, const int sample[3])
{
    if (!boundary->erodibility)
        return 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += silt_field_at(boundary->erodibility, sample[k] % field->width, sample[k] / field->width);
    return silt_maxf(sum / 3.0f, 0.0f);
}

// Takes up to `wanted` units off a triangle, as many as there is still room for.
static void wear_triangle(const SiltBoundary *boundary, SiltHeightfield *field, const int sample[3],
                          float wanted, float dither, float *load)
{
    if (!(wanted > 0.0f))
        return;
    wanted = silt_minf(wanted * softness(boundary, field, sample), 1e7f);
    float worn = wanted > 0.0f ? floorf(silt_minf(wanted + dither, boundary->most - *load)) : 0.0f;
    if (worn >= 1.0f) {
        *load += worn;
        silt_boundary_shape(field, sample, -(int64_t)worn);
    }
}

// Whole units, right on average over the steps. No particle gives more than it has, or takes up more than it
// can hold.
static void exchange_triangle(const SiltBoundary *boundary, SiltHeightfield *field, const Seeds *seeds, int t,
                              const float dither[2], float *load)
{
    const Triangle *triangle = &seeds->triangle[t];
    float share = 0.0f, wanted = 0.0f, start = *load;
    for (int k = triangle->first; k < triangle[1].first; k++) {
        share += seeds->settling[k];
        wanted += seeds->worn[k];
    }
    float laid =
        start >= 512.0f ? floorf(silt_minf(silt_minf(share, 0.5f) * start + dither[0], start)) : 0.0f;
    if (laid >= 1.0f)
        silt_boundary_shape(field, triangle->sample, (int64_t)laid);
    *load -= laid;
    wear_triangle(boundary, field, triangle->sample, wanted, dither[1], load);
}

// Wear where the stress is that of the law of the wall: a particle nearer than a spacing is the layer at the
// ground and answers for one spacing squared of it, as in sph/move.c.
static void wear_by_wall_law(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i,
                             float take, float dither)
{
    const SiltSphArrays *a = &sph->now;
    const float spacing = (float)sph->config.spacing;
    SiltSurface at = silt_heightfield_at(field, a->x[i], a->y[i]);
    if (!at.is_there || (a->z[i] - at.z) * at.nz >= spacing)
        return;
    float into = a->u[i] * at.nx + a->v[i] * at.ny + a->w[i] * at.nz;
    float speed2 = a->u[i] * a->u[i] + a->v[i] * a->v[i] + a->w[i] * a->w[i] - into * into;
    float speed = silt_sqrtf(silt_maxf(speed2, 0.0f));
    float stress = (float)sph->config.density * speed * silt_wall_drag(speed, sph->steep, sph->rough);
    float rate = boundary->strength * silt_maxf(stress - boundary->critical, 0.0f); // eq. 1.56
    wear_triangle(boundary, field, at.sample, take * rate * spacing * spacing, dither, &a->sediment[i]);
}

void silt_boundary_exchange(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i,
                            float dt, float settling)
{
    const SiltSphArrays *a = &sph->now;
    const Asker at = {a->x[i], a->y[i], a->z[i], a->u[i], a->v[i], a->w[i], sph->law.h};
    Seeds seeds;
    find_seeds(field, boundary->spacing, &at, &seeds);
    if (seeds.count == 0)
        return;
    float pace = dt * settling * (float)sph->config.spacing * boundary->settle;
    float take = (float)((double)dt / ((double)boundary->rock * field->unit));
    float slow = weigh_seeds(boundary, at.h, pace, boundary->by_wall_law ? 0.0f : take, &seeds);
    const float dither[2] = {silt_dither((uint64_t)sph->step_index, 0x3C6EF373u),
                             silt_dither((uint64_t)sph->step_index, 0xA54FF53Bu)};
    for (int t = 0; boundary->exchanges && t < seeds.triangles; t++)
        exchange_triangle(boundary, field, &seeds, t, dither, &a->sediment[i]);
    if (boundary->by_wall_law) { // the engine brakes
        if (boundary->exchanges)
            wear_by_wall_law(boundary, field, sph, i, take, dither[1]);
        return;
    }
    // implicit, so that it brakes and never turns round
    float by = 1.0f / (1.0f + dt * boundary->friction * slow / a->density[i]);
    a->u[i] *= by, a->v[i] *= by, a->w[i] *= by;
}
