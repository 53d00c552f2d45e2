// Making, filling and freeing a body of water.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "physics/elementary.h"
#include "physics/power.h"
#include "silt/particles.h"
#include "sph/device_water.h"

enum { PAD = SILT_SPH_LANES, MAX_PARTICLES = 1 << 28, BUCKETS = 257, BLOCKS = 256 };

SiltSphConfig silt_sph_defaults(void)
{
    return (SiltSphConfig){
        .spacing = 0.02,
        .density = 998.29,
        .viscosity = 0.001,
        .artificial = 0.05,
        .diffusion = 0.3,
        .sound = 40.0,
        .gas = 3.0,
        .threshold = 7.0,
        .gravity = {0.0, 0.0, -9.81},
        .high = {1.0, 1.0, 1.0},
        .capacity = 1000,
    };
}

// Eight spacings reach two thousand neighbours; water needs about thirty.
enum { MOST_SPACINGS = 8 };

static SiltStatus check(const char *owner, const SiltSphConfig *c)
{
    double numbers[] = {c->spacing,    c->support,    c->mass,        c->density, c->viscosity, c->artificial,
                        c->diffusion,  c->sound,      c->gas,         c->tension, c->threshold, c->gravity[0],
                        c->gravity[1], c->gravity[2], c->low[0],      c->low[1],  c->low[2],    c->high[0],
                        c->high[1],    c->high[2],    c->restitution, c->life,    c->time_step, c->roughness};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        if (!isfinite(numbers[k]))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: a value of the water is not a finite number", owner);
    if (!(c->spacing > 0.0) || c->support < 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: particles need a spacing above zero, not %g m", owner,
                         c->spacing);
    const double least = 1e-12; // m: cells of much less are beyond counting
    if (c->spacing < least || (c->support > 0.0 && c->support < least))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a spacing of %g m and a support of %g m: particles are %g m apart at the least",
                         owner, c->spacing, c->support, least);
    if (c->support > MOST_SPACINGS * c->spacing)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a support of %g m is larger than %d spacings of %g m: too many neighbours",
                         owner, c->support, MOST_SPACINGS, c->spacing);
    if (!(c->density > 0.0) || c->mass < 0.0 || (c->state == SILT_SPH_TAIT && !(c->sound > 0.0)))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: density, mass and speed of sound must lie above zero",
                         owner);
    double support = c->support > 0.0 ? c->support : 2.0 * c->spacing;
    double apart = c->mass > 0.0 ? silt_power(c->mass / c->density, 1.0 / 3.0) : c->spacing;
    if (support > 2 * MOST_SPACINGS * apart)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: water of particles of %g kg has them %g m apart, and a support of %g m is larger "
            "than %d times that: too many neighbours",
            owner, c->mass, apart, support, 2 * MOST_SPACINGS);
    if (c->viscosity < 0.0 || c->roughness < 0.0)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: viscosity and roughness must not lie below zero", owner);
    for (int axis = 0; axis < 3; axis++)
        if (!(c->high[axis] > c->low[axis]))
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: the box has no size along %c: it reaches from %g to %g m", owner,
                             "xyz"[axis], c -> low[axis], c -> high[axis]);
    for (int axis = 0; axis < 3; axis++)
        if (!(c->high[axis] - c->low[axis] >= c->spacing))
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: a spacing of %g m is larger than the %g m there are; use smaller particles",
                             owner, c->spacing, c->high[axis] - c->low[axis]);
    if (c->capacity < 1 || c->capacity > MAX_PARTICLES)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %d particles; there may be 1 to %d", owner, c->capacity,
                         MAX_PARTICLES);
    return SILT_OK;
}

// What the kernels sum to on a cubic lattice of the spacing: density, first moment of the gradient, second
// moment of the Laplacian. All three would be 1 with many neighbours.
typedef struct Moments {
    double density, gradient, laplacian;
} Moments;

static Moments lattice_moments(double spacing, double support)
{
    Moments sum = {0};
    int reach = (int)ceil(support / spacing);
    float h = (float)support;
    double volume = spacing * spacing * spacing;
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                double x = i * spacing, r2 = (double)(i * i + j * j + k * k) * spacing * spacing;
                float r = (float)sqrt(r2);
                sum.density += volume * (double)silt_poly6((float)r2, h);
                if (!(r > 0.0f) || !(r < h))
                    continue;
                sum.gradient -= volume * x * x * (double)silt_spiky_slope(r, h);
                sum.laplacian += volume * r2 / 6.0 * (double)silt_viscous_laplacian(r, h);
            }
    return sum;
}

// What the layers at the surface of a lattice feel of the colour field's fall from 1 to 0, and how far from
// that surface, half a spacing beyond the outermost, they lie in the mean: tension is to pull them all with
// its whole strength, and by the curvature there. Layers in a drop at rest are not those of a lattice: they
// feel 0.86 of it in one that was a cube and 0.92 to 0.98 in one that was round from the first, of 4 to 10
// spacings.
static void measure_skin(SiltSph *sph)
{
    const SiltSphConfig *c = &sph->config;
    double apart = silt_power(c->mass / c->density, 1.0 / 3.0), all = 0.0, deep = 0.0;
    int reach = (int)ceil(c->support / apart);
    for (int layer = 0; layer < reach; layer++) {
        double slope = 0.0;
        for (int k = -layer; k <= reach; k++)
            for (int j = -reach; j <= reach; j++)
                for (int i = -reach; i <= reach; i++) {
                    double r2 = (double)(i * i + j * j + k * k) * apart * apart;
                    slope -= k * (double)silt_poly6_slope((float)r2, (float)c->support);
                }
        all += slope, deep += slope * (layer + 0.5);
    }
    const double loose = 0.917;
    double volume = apart * apart * apart;
    sph->skin = all > 0.0 ? (float)(1.0 / (loose * all * volume * apart * apart)) : 0.0f;
    sph->depth = all > 0.0 ? (float)(deep / all * apart) : 0.0f;
}

void silt_sph_set_walls(SiltSph *sph, int walls, double roughness)
{
    SiltSphConfig *c = &sph->config;
    double middle = 0.5 * c->spacing, heights = roughness > 0.0 ? 30.0 * middle / roughness : 0.0;
    double share = heights > 0.0 ? 0.4 / fmax(silt_log(heights), 1.0) : 0.0; // u* / u over a rough wall
    c->walls = walls;
    c->roughness = roughness;
    sph->steep = (float)(c->viscosity / (c->density * middle));
    sph->rough = (float)(share * share);
}

// With a mass of their own, particles keep the plain factors of the paper; else the factors make the lattice
// exact: rest density, a linear pressure and a parabolic velocity come out right with few neighbours too.
static void derive(SiltSph *sph)
{
    SiltSphConfig *c = &sph->config;
    Moments lattice = {1.0, 1.0, 1.0};
    if (c->support <= 0.0)
        c->support = 2.0 * c->spacing;
    if (c->mass <= 0.0) {
        c->mass = c->density * c->spacing * c->spacing * c->spacing;
        lattice = lattice_moments(c->spacing, c->support);
    }
    const double pi = 3.14159265358979323846;
    double h = c->support, h3 = h * h * h, h6 = h3 * h3, length = 0.5 * h;
    double spiky = 45.0 / (pi * h6);
    sph->mass = (float)c->mass;
    sph->stiffness = (float)(c->state == SILT_SPH_GAS ? c->gas : c->density * c->sound * c->sound / 7.0);
    silt_sph_set_walls(sph, c->walls, c->roughness);
    sph->law = (SiltSphLaw){
        .h = (float)h,
        .h2 = (float)(h * h),
        .closest2 = (float)(0.01 * length * length),
        .poly6 = (float)(c->mass * 315.0 / (64.0 * pi * h6 * h * h * h) / lattice.density),
        .gradient = (float)(c->mass * spiky / lattice.gradient),
        .laplacian = (float)(c->mass * c->viscosity * spiky / lattice.laplacian),
        .artificial = (float)(c->artificial * c->sound * length / c->density),
        .diffusion = (float)(2.0 * c->diffusion * c->sound * length),
        .still = (float)(c->density / (c->sound * c->sound)),
        .normal = (float)(c->mass * 945.0 / (32.0 * pi * h6 * h * h * h)),
        .means = c->means,
    };
    measure_skin(sph);
}

static void list_picks(SiltSph *sph)
{
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned k = 0, count = 0; k < 8; k++)
            if (byte >> k & 1)
                sph->pick[byte][count++] = (uint8_t)k;
}

static SiltStatus make_floats(const char *owner, size_t count, float **out)
{
    void *block;
    SiltStatus status = silt_alloc_for(owner, count + PAD, sizeof(float), &block);
    *out = block;
    return status;
}

static SiltStatus make_arrays(const char *owner, size_t count, SiltSphArrays *a)
{
    float **all[] = {&a->x,  &a->y,  &a->z,  &a->u,       &a->v,        &a->w,
                     &a->ax, &a->ay, &a->az, &a->density, &a->sediment, &a->age};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof all / sizeof all[0] && status == SILT_OK; k++)
        status = make_floats(owner, count, all[k]);
    void *ids = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, count + PAD, sizeof(int64_t), &ids);
    a->id = ids;
    return status;
}

static void free_arrays(SiltSphArrays *a)
{
    float *all[] = {a->x, a->y, a->z, a->u, a->v, a->w, a->ax, a->ay, a->az, a->density, a->sediment, a->age};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_free(all[k]);
    silt_free(a->id);
}

static SiltStatus make_scratch(const char *owner, SiltSph *sph)
{
    size_t count = (size_t)sph->config.capacity;
    float **floats[] = {&sph->px,   &sph->py,      &sph->pz,      &sph->pressure, &sph->inverse,
                        &sph->rate, &sph->plane_x, &sph->plane_y, &sph->plane_z,  &sph->plane_gap};
    int wanted = sph->config.has_planes ? 10 : 6;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < wanted && status == SILT_OK; k++)
        status = make_floats(owner, count, floats[k]);
    int **ints[] = {&sph->key, &sph->order, &sph->scratch, &sph->block_count, &sph->cells.start};
    sph->cells.capacity = (int)(4 * count + 65536);
    size_t sizes[] = {count, count, count, (size_t)BUCKETS * BLOCKS, (size_t)sph->cells.capacity + 1};
    for (int k = 0; k < 5 && status == SILT_OK; k++) {
        void *block = NULL;
        status = silt_alloc_for(owner, sizes[k], sizeof(int), &block);
        *ints[k] = block;
    }
    void *fates = NULL, *rows = NULL, *records = NULL, *normals = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, count, 1, &fates);
    sph->fate = fates;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, count + 1, sizeof(SiltSphRecord), &records);
    sph->record = records;
    if (status == SILT_OK)
        sph->record[count] = (SiltSphRecord){.x = 1e15f, .density = 1.0f};
    if (status == SILT_OK)
        status = silt_alloc_for(owner, count, sizeof(SiltSphNormal), &normals);
    sph->normal = normals;
    sph->cells.row_capacity = (int)(count / 2 + 65536);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)sph->cells.row_capacity, sizeof(SiltSphRow), &rows);
    sph->cells.row = rows;
    return status;
}

double silt_sph_bytes(const SiltSphConfig *config)
{
    double one = 12.0 * sizeof(float) + sizeof(int64_t);
    return 2.0 * one + (config->has_planes ? 10.0 : 6.0) * sizeof(float) + 7.0 * sizeof(int) +
           0.5 * sizeof(SiltSphRow) + sizeof(SiltSphRecord) + sizeof(SiltSphNormal) + 1.0;
}

SiltStatus silt_sph_create(const char *owner, const SiltSphConfig *config, SiltSph **out)
{
    *out = NULL;
    SiltStatus status = check(owner, config);
    if (status != SILT_OK)
        return status;
    void *block;
    status = silt_alloc_for(owner, 1, sizeof(SiltSph), &block);
    if (status != SILT_OK)
        return status;
    SiltSph *sph = block;
    sph->config = *config;
    derive(sph);
    list_picks(sph);
    size_t count = (size_t)config->capacity;
    status = make_arrays(owner, count, &sph->now);
    if (status == SILT_OK)
        status = make_arrays(owner, count, &sph->other);
    if (status == SILT_OK)
        status = make_scratch(owner, sph);
    if (status != SILT_OK) {
        silt_sph_destroy(sph);
        return status;
    }
    *out = sph;
    return SILT_OK;
}

SiltStatus silt_sph_set(const char *owner, SiltSph *sph, const SiltSphConfig *config)
{
    const SiltSphConfig *now = &sph->config;
    SiltSphConfig next = *config;
    memcpy(next.low, now->low, sizeof next.low);
    memcpy(next.high, now->high, sizeof next.high);
    memcpy(next.face[2], now->face[2], sizeof next.face[2]);
    next.swiftest = now->swiftest;
    next.capacity = now->capacity;
    next.has_planes = now->has_planes;
    SiltStatus status = check(owner, &next);
    if (status != SILT_OK)
        return status;
    sph->config = next;
    derive(sph);
    return SILT_OK;
}

void silt_sph_destroy(SiltSph *sph)
{
    if (!sph)
        return;
    silt_sph_device_destroy(sph->device);
    free_arrays(&sph->now);
    free_arrays(&sph->other);
    void *rest[] = {sph->px,          sph->py,        sph->pz,      sph->pressure, sph->inverse,
                    sph->rate,        sph->plane_x,   sph->plane_y, sph->plane_z,  sph->plane_gap,
                    sph->key,         sph->order,     sph->scratch, sph->fate,     sph->block_count,
                    sph->cells.start, sph->cells.row, sph->record,  sph->normal};
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; k++)
        silt_free(rest[k]);
    silt_free(sph);
}

void silt_sph_swap(SiltSph *sph)
{
    SiltSphArrays held = sph->now;
    sph->now = sph->other;
    sph->other = held;
}

bool silt_sph_add(SiltSph *sph, const float position[3], const float velocity[3])
{
    bool finite = true;
    for (int axis = 0; axis < 3; axis++)
        finite = finite && isfinite(position[axis]) && isfinite(velocity[axis]);
    if (!finite || sph->count >= sph->config.capacity) {
        sph->gone[SILT_SPH_BAD] += !finite;
        return false;
    }
    if (sph->device)
        silt_sph_device_touch(sph->device);
    int i = sph->count++;
    SiltSphArrays *a = &sph->now;
    a->x[i] = position[0], a->y[i] = position[1], a->z[i] = position[2];
    a->u[i] = velocity[0], a->v[i] = velocity[1], a->w[i] = velocity[2];
    a->ax[i] = a->ay[i] = a->az[i] = 0.0f;
    a->density[i] = (float)sph->config.density;
    a->sediment[i] = a->age[i] = 0.0f;
    a->id[i] = sph->next_id++;
    sph->fate[i] = SILT_SPH_STAYS;
    return true;
}

typedef struct Joining {
    SiltSph *sph;
    int newcomer;
} Joining;

static void join(void *context, int j, float r2)
{
    const Joining *joining = context;
    float share = silt_sph_join(joining->sph->law, r2), *density = joining->sph->now.density;
    density[joining->newcomer] += share;
    if (j != joining->newcomer)
        density[j] += share;
}

bool silt_sph_add_drop(SiltSph *sph, const float position[3], const float velocity[3])
{
    int i = sph->count;
    if (!silt_sph_add(sph, position, velocity))
        return false;
    sph->now.density[i] = 0.0f;
    Joining joining = {sph, i};
    silt_sph_visit(sph, position, join, &joining); // itself among them
    return true;
}

int silt_sph_fill(SiltSph *sph, const double low[3], const double high[3], const float velocity[3])
{
    double spacing = sph->config.spacing;
    int size[3], placed = 0;
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (int)fmin(floor((high[axis] - low[axis]) / spacing + 0.001), 1e9);
    const int most = sph->config.capacity;
    for (int k = 0; k < size[2] && sph->count < most; k++)
        for (int j = 0; j < size[1] && sph->count < most; j++)
            for (int i = 0; i < size[0] && sph->count < most; i++) {
                float at[3] = {(float)(low[0] + (i + 0.5) * spacing), (float)(low[1] + (j + 0.5) * spacing),
                               (float)(low[2] + (k + 0.5) * spacing)};
                placed += silt_sph_add(sph, at, velocity);
            }
    return placed;
}

void silt_sph_particles(const SiltSph *sph, SiltParticles *out)
{
    const SiltSphArrays *a = &sph->now;
    *out = (SiltParticles){.count = sph->count,
                           .x = a->x,
                           .y = a->y,
                           .z = a->z,
                           .u = a->u,
                           .v = a->v,
                           .w = a->w,
                           .density = a->density,
                           .sediment = a->sediment,
                           .id = a->id,
                           .load = 1.0,
                           .spacing = sph->config.spacing};
}

uint64_t silt_sph_hash(const SiltSph *sph)
{
    const SiltSphArrays *a = &sph->now;
    const float *all[] = {a->x, a->y, a->z, a->u, a->v, a->w, a->density, a->sediment, a->age};
    uint64_t hash = (uint64_t)sph->count;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (int i = 0; i < sph->count; i++) {
            uint32_t bits;
            memcpy(&bits, &all[k][i], sizeof bits);
            hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
    for (int i = 0; i < sph->count; i++)
        hash = (hash ^ (uint64_t)a->id[i]) * 0x9E3779B97F4A7C15u;
    return hash;
}
