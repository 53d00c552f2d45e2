#include "couple/heightfield_boundary.h"

#include <math.h>

#include "core/simd.h"

enum { LANES = SILT_SEED_LANES };

// ---- triangles ----

void silt_boundary_shape(SiltHeightfield *field, const int sample[3], int64_t units)
{
    int64_t share[3];
    SiltRelief ground = silt_heightfield_relief(field);
    silt_relief_shape(&ground, sample, units, field->rise, share);
    _Atomic int64_t *to = units > 0 ? field->laid : field->taken;
    for (int k = 0; k < 3; k++)
        silt_heightfield_count(field, to, sample[k], share[k]);
}

// ---- boundary particles ----

typedef struct Triangle {
    int sample[3];
    int first;   // of its seeds
    float area;  // m2 that each stands for
    float along; // m/s of the particle along it
} Triangle;

// The seeds within reach of a particle, triangle by triangle.
typedef struct Seeds {
    int count, triangles;
    float dz[SILT_SEEDS + LANES], r2[SILT_SEEDS + LANES]; // the particle above the seed, and its distance
    float area[SILT_SEEDS + LANES], along[SILT_SEEDS + LANES];
    float settling[SILT_SEEDS + LANES], worn[SILT_SEEDS + LANES]; // share of a load; units, of this step
    Triangle triangle[SILT_SEED_TRIANGLES + 1];
} Seeds;

SILT_INLINE void seed_triangle(const SiltRelief *ground, float spacing, int by_difference,
                               const SiltAsker *at, int i, int j, bool second, Seeds *seeds)
{
    SiltSeedTriangle t;
    int start = seeds->count;
    if (!silt_seed_triangle(ground, spacing, at, i, j, second, &t))
        return;
    for (int b = t.b0; b <= t.b1; b++)
        for (int a = t.a0; a <= t.a1 && seeds->count < SILT_SEEDS; a++) {
            float dz, r2;
            if (!silt_seed_at(&t, ground->cell, at, a, b, &dz, &r2))
                break;
            seeds->dz[seeds->count] = dz;
            seeds->r2[seeds->count] = r2;
            seeds->count += r2 < at->h * at->h;
        }
    if (seeds->count == start || seeds->triangles == SILT_SEED_TRIANGLES) {
        seeds->count = start;
        return;
    }
    Triangle *triangle = &seeds->triangle[seeds->triangles++];
    *triangle = (Triangle){.sample = {t.sample[0], t.sample[1], t.sample[2]}, .first = start};
    silt_seed_measure(&t, ground->cell, at, by_difference, &triangle->area, &triangle->along);
}

float silt_boundary_least_spacing(double support)
{
    return (float)(0.2 * support); // 25 pi seeds on a plane, and twice that in a gorge
}

SILT_CLONES
static void find_seeds(const SiltHeightfield *field, float spacing, int by_difference, const SiltAsker *at,
                       Seeds *seeds)
{
    const SiltRelief ground = silt_heightfield_relief(field);
    SiltSeedCells cells = silt_seed_cells(&ground, at);
    seeds->count = seeds->triangles = 0;
    for (int j = cells.north; j <= cells.south; j++)
        for (int i = cells.west; i <= cells.east; i++)
            if (silt_seed_in_reach(&ground, at, i, j)) {
                seed_triangle(&ground, spacing, by_difference, at, i, j, false, seeds);
                seed_triangle(&ground, spacing, by_difference, at, i, j, true, seeds);
            }
    seeds->triangle[seeds->triangles].first = seeds->count;
    for (int t = 0; t < seeds->triangles; t++)
        for (int k = seeds->triangle[t].first; k < seeds->triangle[t + 1].first; k++) {
            seeds->area[k] = seeds->triangle[t].area;
            seeds->along[k] = seeds->triangle[t].along;
        }
    for (int k = seeds->count; k % LANES; k++) // full vectors: seeds out of reach, of no area
        seeds->dz[k] = 0.0f, seeds->r2[k] = at->h * at->h, seeds->area[k] = seeds->along[k] = 0.0f;
}

// ---- what happens there ----

// What each seed does, and the braking of all together.
SILT_INLINE float weigh(const SiltBoundaryNumbers *boundary, const float power, float h, float pace,
                        float take, Seeds *seeds)
{
    const float shear = boundary->shear, critical = boundary->critical, strength = boundary->strength;
    float lane[LANES] = {0.0f}, sum = 0.0f;
    for (int n = 0; n < seeds->count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int k = n + l;
            SiltSeedWork work = silt_seed_weigh(shear, critical, strength, power, h, pace, take, seeds->r2[k],
                                                seeds->dz[k], seeds->area[k], seeds->along[k]);
            seeds->settling[k] = work.settling;
            seeds->worn[k] = work.worn;
            lane[l] += work.slow;
        }
    }
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

SILT_CLONES
static float weigh_seeds(const SiltBoundaryNumbers *boundary, float h, float pace, float take, Seeds *seeds)
{
    return boundary->power == 0.5f ? weigh(boundary, 0.5f, h, pace, take, seeds)
                                   : weigh(boundary, boundary->power, h, pace, take, seeds);
}

// How soft the rock of a triangle is.
static float softness(const SiltBoundary *boundary, const SiltHeightfield *field, const int sample[3])
{
    if (!boundary->erodibility)
        return 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += silt_field_at(boundary->erodibility, sample[k] % field->width, sample[k] / field->width);
    return silt_seed_softness(sum);
}

// Takes up to `wanted` units off a triangle, as many as there is still room for.
static void wear_triangle(const SiltBoundary *boundary, SiltHeightfield *field, const int sample[3],
                          float wanted, float dither, float *load)
{
    if (!(wanted > 0.0f))
        return;
    float worn =
        silt_seed_worn(wanted, softness(boundary, field, sample), dither, boundary->numbers.most, *load);
    if (worn >= 1.0f) {
        *load += worn;
        silt_boundary_shape(field, sample, -(int64_t)worn);
    }
}

static void exchange_triangle(const SiltBoundary *boundary, SiltHeightfield *field, const Seeds *seeds, int t,
                              const float dither[2], float *load)
{
    const Triangle *triangle = &seeds->triangle[t];
    float share = 0.0f, wanted = 0.0f;
    for (int k = triangle->first; k < triangle[1].first; k++) {
        share += seeds->settling[k];
        wanted += seeds->worn[k];
    }
    float laid = silt_seed_laid(*load, share, dither[0]);
    if (laid >= 1.0f)
        silt_boundary_shape(field, triangle->sample, (int64_t)laid);
    *load -= laid;
    wear_triangle(boundary, field, triangle->sample, wanted, dither[1], load);
}

void silt_boundary_exchange(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i,
                            float dt, float settling)
{
    const SiltSphArrays *a = &sph->now;
    const SiltBoundaryNumbers *b = &boundary->numbers;
    const SiltAsker at = {a->x[i], a->y[i], a->z[i], a->u[i], a->v[i], a->w[i], sph->law.h};
    Seeds seeds;
    find_seeds(field, b->spacing, b->by_difference, &at, &seeds);
    if (seeds.count == 0)
        return;
    float pace = silt_seed_pace(b, dt, settling, (float)sph->config.spacing);
    float take = silt_boundary_take(b, dt, field->unit);
    float slow = weigh_seeds(b, at.h, pace, b->by_wall_law ? 0.0f : take, &seeds);
    float dither[2];
    silt_boundary_dithers(sph->step_index, dither);
    for (int t = 0; b->exchanges && t < seeds.triangles; t++)
        exchange_triangle(boundary, field, &seeds, t, dither, &a->sediment[i]);
    if (!b->by_wall_law) {
        float by = silt_seed_brake(dt, b->friction, slow, a->density[i]);
        a->u[i] *= by, a->v[i] *= by, a->w[i] *= by;
    } else if (b->exchanges) { // the engine brakes
        SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
        float wanted = silt_seed_wall_wear(b, &below, &at, (float)sph->config.spacing,
                                           (float)sph->config.density, sph->steep, sph->rough, take);
        wear_triangle(boundary, field, below.sample, wanted, dither[1], &a->sediment[i]);
    }
}

// ---- numbers of a step ----

float silt_boundary_take(const SiltBoundaryNumbers *boundary, float dt, double unit)
{
    return (float)((double)dt / ((double)boundary->rock * unit));
}

void silt_boundary_dithers(int64_t step, float dither[2])
{
    dither[0] = silt_dither((uint64_t)step, 0x3C6EF373u);
    dither[1] = silt_dither((uint64_t)step, 0xA54FF53Bu);
}
