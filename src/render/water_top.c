#include "render/water_top.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "physics/sph_kernels.h"

static const float cone = 0.81915204f; // cosine of 35 degrees, half the opening that voxel has by default

// Of the slope that the colour field has at a surface, about one over how far kernels reach: what is less
// lies inside, and is that of particles out of order.
static const float faint = 0.2f;

// Particles by the cube they lie in, as wide as they look: lists behind the hash of the cube.
typedef struct Cubes {
    const SiltParticles *p;
    float reach;
    uint32_t mask;
    int32_t *first, *next;
} Cubes;

static int32_t cube_of(const Cubes *cubes, float place)
{
    float at = floorf(place / cubes->reach);
    return at > -1e9f && at < 1e9f ? (int32_t)at : 0;
}

static uint32_t hash_of(const Cubes *cubes, int32_t x, int32_t y, int32_t z)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)z * 0xc2b2ae3du;
    return (h ^ h >> 15) & cubes->mask;
}

static bool covers(const Cubes *cubes, int i, int k)
{
    const SiltParticles *p = cubes->p;
    float dx = p->x[k] - p->x[i], dy = p->y[k] - p->y[i], dz = p->z[k] - p->z[i];
    float r2 = dx * dx + dy * dy + dz * dz;
    return dz > 0.0f && r2 <= cubes->reach * cubes->reach && dz * dz > cone * cone * r2;
}

// What tells of a particle from those around it: how many cover it, and the height of its normal (Weiss
// eq. 3.24) where each stands for as much water.
typedef struct Around {
    int covers;
    float normal_z;
} Around;

static Around look_around(const Cubes *cubes, int i)
{
    const SiltParticles *p = cubes->p;
    int32_t x = cube_of(cubes, p->x[i]), y = cube_of(cubes, p->y[i]), z = cube_of(cubes, p->z[i]);
    float apart = 0.5f * cubes->reach, volume = apart * apart * apart;
    Around around = {0, 0.0f};
    uint32_t seen[27];
    for (int n = 0; n < 27; n++) {
        seen[n] = hash_of(cubes, x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1);
        bool again = false; // two cubes may share a list
        for (int m = 0; m < n; m++)
            again = again || seen[m] == seen[n];
        for (int32_t k = again ? -1 : cubes->first[seen[n]]; k >= 0; k = cubes->next[k]) {
            if (k == i)
                continue;
            float dx = p->x[i] - p->x[k], dy = p->y[i] - p->y[k], dz = p->z[i] - p->z[k];
            around.covers += covers(cubes, i, k);
            around.normal_z += volume * silt_poly6_slope(dx * dx + dy * dy + dz * dz, cubes->reach) * dz;
        }
    }
    return around;
}

// Without a spacing, that of as many particles spread evenly.
static float reach_of(const SiltParticles *p)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const float *const axes[] = {p->x, p->y, p->z};
    double volume = 1.0;
    if (p->spacing > 0.0)
        return (float)(2.0 * p->spacing);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < p->count; i++) {
            low[axis] = fminf(low[axis], axes[axis][i]);
            high[axis] = fmaxf(high[axis], axes[axis][i]);
        }
        volume *= fmax((double)(high[axis] - low[axis]), 1e-6);
    }
    return (float)(2.0 * cbrt(volume / p->count));
}

SiltStatus silt_particles_mark_top(const SiltParticles *particles, bool by_normal, SiltParticles **out)
{
    SiltStatus status = silt_particles_clone(particles, out);
    Cubes cubes = {.p = particles, .mask = 1};
    if (status != SILT_OK || particles->count == 0)
        return status;
    while (cubes.mask < (uint32_t)particles->count && cubes.mask < 0x40000000u)
        cubes.mask *= 2;
    size_t lists = cubes.mask--;
    status = silt_alloc_for("particles", lists, sizeof *cubes.first, (void **)&cubes.first);
    if (status == SILT_OK)
        status =
            silt_alloc_for("particles", (size_t)particles->count, sizeof *cubes.next, (void **)&cubes.next);
    if (status == SILT_OK) {
        float *mark = (float *)(*out)->sediment; // of its own
        cubes.reach = reach_of(particles);
        memset(cubes.first, 0xff, lists * sizeof *cubes.first);
        for (int i = 0; i < particles->count; i++) {
            uint32_t hash = hash_of(&cubes, cube_of(&cubes, particles->x[i]),
                                    cube_of(&cubes, particles->y[i]), cube_of(&cubes, particles->z[i]));
            cubes.next[i] = cubes.first[hash];
            cubes.first[hash] = i;
        }
        for (int i = 0; i < particles->count; i++) {
            Around around = look_around(&cubes, i);
            bool is_top = by_normal ? around.normal_z < -faint / cubes.reach : around.covers == 0;
            mark[i] = is_top ? 1.0f : 0.0f;
        }
        (*out)->load = 1.0;
    } else {
        silt_particles_destroy(*out);
        *out = NULL;
    }
    silt_free(cubes.first);
    silt_free(cubes.next);
    return status;
}
