#include "couple/heightfield_boundary.h"

#include <math.h>

#include "core/simd.h"
#include "physics/sph_sediment.h"

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

typedef struct Seed {
    float dz, r; // height of the particle above the seed, and its distance
    float area;
    float nx, ny, nz;
    int sample[3];
} Seed;

enum { MAX_SEEDS = 96 };
#define SEED_AT 0.4f // where in its part a seed lies

typedef struct Seeds {
    int count;
    Seed seed[MAX_SEEDS];
} Seeds;

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
SILT_INLINE void seed_triangle(const SiltHeightfield *field, float spacing, const float at[3], float h, int i,
                               int j, bool second, Seeds *seeds)
{
    int corner = j * field->width + i;
    float cell = field->cell, turn = second ? -1.0f : 1.0f;
    int s0 = second ? corner + field->width + 1 : corner, s1 = second ? corner + field->width : corner + 1;
    int s2 = second ? corner + 1 : corner + field->width;
    float x0 = ((float)i + (second ? 1.5f : 0.5f)) * cell, y0 = ((float)j + (second ? 1.5f : 0.5f)) * cell;
    float h0 = field->ground[s0], rise1 = field->ground[s1] - h0, rise2 = field->ground[s2] - h0;
    int n1 = parts(sqrtf(cell * cell + rise1 * rise1), spacing);
    int n2 = parts(sqrtf(cell * cell + rise2 * rise2), spacing);
    float length = sqrtf(cell * cell + rise1 * rise1 + rise2 * rise2);
    float area = 0.5f * cell * length / (float)seed_count(n1, n2);
    float px = turn * (at[0] - x0) / cell, py = turn * (at[1] - y0) / cell;
    int a0, a1, b0, b1;
    reach(px - h / cell, px + h / cell, n1, &a0, &a1);
    reach(py - h / cell, py + h / cell, n2, &b0, &b1);
    for (int b = b0; b <= b1; b++)
        for (int a = a0; a <= a1 && seeds->count < MAX_SEEDS; a++) {
            float p = ((float)a + SEED_AT) / (float)n1, q = ((float)b + SEED_AT) / (float)n2;
            if (p + q >= 1.0f)
                break;
            float dx = at[0] - (x0 + turn * p * cell), dy = at[1] - (y0 + turn * q * cell);
            float dz = at[2] - (h0 + p * rise1 + q * rise2), r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= h * h)
                continue;
            seeds->seed[seeds->count++] = (Seed){.dz = dz,
                                                 .r = silt_maxf(sqrtf(r2), 0.1f * h),
                                                 .area = area,
                                                 .nx = -turn * rise1 / length,
                                                 .ny = -turn * rise2 / length,
                                                 .nz = cell / length,
                                                 .sample = {s0, s1, s2}};
        }
}

SILT_INLINE int clamp_to(float place, int size)
{
    int i = (int)silt_maxf(place, 0.0f);
    return i < size - 2 ? i : size - 2;
}

SILT_CLONES
static void find_seeds(const SiltHeightfield *field, float spacing, const float at[3], float h, Seeds *seeds)
{
    float cell = field->cell;
    int west = clamp_to((at[0] - h) / cell - 0.5f, field->width),
        east = clamp_to((at[0] + h) / cell - 0.5f, field->width);
    int north = clamp_to((at[1] - h) / cell - 0.5f, field->height),
        south = clamp_to((at[1] + h) / cell - 0.5f, field->height);
    seeds->count = 0;
    for (int j = north; j <= south; j++)
        for (int i = west; i <= east; i++)
            for (int half = 0; half < 2; half++)
                seed_triangle(field, spacing, at, h, i, j, half == 1, seeds);
}

// ---- what happens there ----

// No-slip friction, eq. 1.52 and 1.53: implicit, so that it brakes and never turns round.
static void brake(const SiltBoundary *boundary, SiltSph *sph, int i, float dt, const Seeds *seeds)
{
    const SiltSphArrays *a = &sph->now;
    float sum = 0.0f;
    for (int k = 0; k < seeds->count; k++)
        sum += seeds->seed[k].area * silt_viscous_laplacian(seeds->seed[k].r, sph->law.h);
    float by = 1.0f / (1.0f + dt * boundary->friction * sum / a->density[i]);
    a->u[i] *= by, a->v[i] *= by, a->w[i] *= by;
}

// Grains that settle onto the ground: eq. 1.69, a seed standing for a layer of water of its area.
static void deposit(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i, float dt,
                    float settling, const Seeds *seeds)
{
    float *load = &sph->now.sediment[i], start = *load;
    float dither = silt_dither((uint64_t)sph->step_index, 0x3C6EF373u);
    for (int k = 0; k < seeds->count; k++) {
        const Seed *seed = &seeds->seed[k];
        float layer = seed->area * (float)sph->config.spacing;
        float pace = dt * settling * layer * boundary->settle;
        float units = silt_settling(start, seed->dz, silt_spline_fall(seed->r, sph->law.h), pace, dither);
        units = silt_minf(units, *load);
        if (units >= 1.0f) {
            *load -= units;
            silt_boundary_shape(field, seed->sample, (int64_t)units);
        }
    }
}

// Shear over the critical stress: eq. 1.54 to 1.57. No particle takes up more than it can hold.
static void wear(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i, float dt,
                 const Seeds *seeds)
{
    const SiltSphArrays *a = &sph->now;
    float *load = &a->sediment[i], u = a->u[i], v = a->v[i], w = a->w[i];
    float dither = silt_dither((uint64_t)sph->step_index, 0xA54FF53Bu);
    float per_mass = (float)(1.0 / ((double)boundary->rock * field->unit));
    for (int k = 0; k < seeds->count; k++) {
        const Seed *seed = &seeds->seed[k];
        float into = u * seed->nx + v * seed->ny + w * seed->nz;
        float along2 = silt_maxf(u * u + v * v + w * w - into * into, 0.0f);
        float rate = silt_shear_erosion(silt_sqrtf(along2), seed->r, boundary->shear, boundary->critical,
                                        boundary->strength);
        float wanted = rate * seed->area * dt * per_mass, room = boundary->most - *load;
        float units = floorf(silt_minf(silt_minf(wanted, 1e7f) + dither, room));
        if (wanted > 0.0f && units >= 1.0f) {
            *load += units;
            silt_boundary_shape(field, seed->sample, -(int64_t)units);
        }
    }
}

void silt_boundary_exchange(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i,
                            float dt, float settling)
{
    const float at[3] = {sph->now.x[i], sph->now.y[i], sph->now.z[i]};
    Seeds seeds;
    find_seeds(field, boundary->spacing, at, sph->law.h, &seeds);
    if (seeds.count == 0)
        return;
    if (boundary->exchanges) {
        deposit(boundary, field, sph, i, dt, settling, &seeds);
        wear(boundary, field, sph, i, dt, &seeds);
    }
    brake(boundary, sph, i, dt, &seeds);
}
