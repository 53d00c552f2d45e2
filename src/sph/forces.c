// Density, pressure and accelerations, gathered by each particle from the nine runs of particles it can see.
// The sums run in a fixed number of lanes that are folded in a fixed order, so they are the same for every
// vector width.
#include <math.h>

#include "core/parallel.h"
#include "sph/device_water.h"
#include "sph/images.h"
#include "sph/near.h"

enum { LANES = SILT_SPH_LANES, SPAN = 512 };

// The colour field falls off by about 1 / support at a surface; a slope of so much of that is none.
static const double FAINT = 0.3;

typedef struct Lanes {
    float ax[LANES], ay[LANES], az[LANES], rate[LANES];
    float bx[LANES], by[LANES], bz[LANES];               // viscosity, apart
    float nx[LANES], ny[LANES], nz[LANES], curve[LANES]; // surface
} Lanes;

static float fold(const float *lane)
{
    float half[LANES / 2];
    for (int l = 0; l < LANES / 2; l++)
        half[l] = lane[l] + lane[l + LANES / 2];
    return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// ---- density by summation (Kataev eq. 1.25) ----

SILT_INLINE void sum_density(const SiltSph *sph, const SiltSphQuery *q, const SiltSphRuns *runs,
                             const bool weighs, float *lane)
{
    const float *x = sph->now.x, *y = sph->now.y, *z = sph->now.z;
    const float *load = sph->now.sediment, *age = sph->now.age;
    const float by_load = sph->numbers.by_load, by_age = sph->numbers.by_age;
    const float h2 = sph->law.h2;
    const SiltSphPlace at = q->at;
    for (int n = 0; n < runs->count; n++)
        for (int k = runs->begin[n], end = runs->end[n]; k < end; k += LANES) {
            SILT_INDEPENDENT
            for (int l = 0; l < LANES; l++) {
                float share = silt_sph_share(at, at.x - x[k + l], at.y - y[k + l], at.z - z[k + l], h2);
                if (weighs)
                    share *= silt_sph_heft(load[k + l], age[k + l], by_load, by_age);
                lane[l] += k + l < end ? share : 0.0f;
            }
        }
}

// ---- forces ----

SILT_INLINE void sum_pack(const SiltSph *sph, const SiltSphQuery *q, const SiltSphNear *near,
                          const SiltSphPack *pack, const bool image, const bool surface, Lanes *lanes)
{
    const SiltSphLaw law = sph->law;
    const SiltSphPull gravity = sph->numbers.gravity;
    const SiltSphQuery asks = *q;
    for (int n = 0; n < near->count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int j = n + l;
            SiltSphRecord other = {pack->x[j], pack->y[j], pack->z[j], pack->density[j],
                                   pack->u[j], pack->v[j], pack->w[j], pack->pressure[j]};
            SiltSphSums sums =
                silt_sph_meet(law, gravity, asks, other, near->index[j] < asks.at.self, image, surface);
            lanes->ax[l] += sums.ax, lanes->ay[l] += sums.ay, lanes->az[l] += sums.az;
            lanes->rate[l] += sums.rate;
            lanes->bx[l] += sums.bx, lanes->by[l] += sums.by, lanes->bz[l] += sums.bz;
            if (surface) {
                lanes->nx[l] += sums.nx, lanes->ny[l] += sums.ny, lanes->nz[l] += sums.nz;
                lanes->curve[l] += sums.curve;
            }
        }
    }
}

SILT_INLINE void sum_forces(const SiltSph *sph, const SiltSphQuery *q, const bool image, const bool surface,
                            Lanes *lanes)
{
    SiltSphNear near;
    SiltSphPack pack;
    silt_near_begin(sph, &q->at, &near);
    while (silt_near_pick(sph, &q->at, &near)) {
        silt_near_fetch(sph, &near, &pack);
        sum_pack(sph, q, &near, &pack, image, surface, lanes);
    }
}

static SiltSphSums fold_all(const Lanes *lanes)
{
    return (SiltSphSums){fold(lanes->ax), fold(lanes->ay), fold(lanes->az),   fold(lanes->rate),
                         fold(lanes->bx), fold(lanes->by), fold(lanes->bz),   fold(lanes->nx),
                         fold(lanes->ny), fold(lanes->nz), fold(lanes->curve)};
}

typedef void (*AskFn)(const SiltSph *sph, const SiltSphQuery *q, SiltSphSums *sums);

// Asks at all images of a place: in each mirror, and in each pair and triple of them.
static void ask_everywhere(const SiltSph *sph, const SiltSphQuery *q, const SiltSphMirror *mirrors, int count,
                           AskFn ask, SiltSphSums *sum)
{
    for (uint32_t subset = 1; subset < 1u << count; subset++) {
        SiltSphMirror chain[SILT_SPH_MIRRORS];
        SiltSphQuery image;
        SiltSphSums part;
        int length;
        if (!silt_sph_image_in(&sph->numbers, q, mirrors, count, subset, &image, chain, &length))
            continue;
        ask(sph, &image, &part);
        silt_sph_add_reflected(&sph->numbers, chain, length, &part, sum);
    }
}

static int find_mirrors(const SiltSph *sph, int i, SiltSphMirror *mirrors)
{
    const float at[3] = {sph->now.x[i], sph->now.y[i], sph->now.z[i]};
    SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
    if (sph->plane_gap)
        plane = (SiltSphPlane){sph->plane_x[i], sph->plane_y[i], sph->plane_z[i], sph->plane_gap[i]};
    return silt_sph_mirrors(&sph->numbers, at, plane, mirrors);
}

SILT_CLONES
static void ask_density(const SiltSph *sph, const SiltSphQuery *q, SiltSphSums *sums)
{
    SiltSphRuns runs;
    float lane[LANES] = {0.0f};
    silt_sph_runs(sph, q->at.x, q->at.y, q->at.z, &runs);
    if (sph->numbers.weighs)
        sum_density(sph, q, &runs, true, lane);
    else
        sum_density(sph, q, &runs, false, lane);
    *sums = (SiltSphSums){.rate = fold(lane)};
}

SILT_CLONES
static void ask_image(const SiltSph *sph, const SiltSphQuery *q, SiltSphSums *sums)
{
    Lanes lanes = {0};
    if (sph->numbers.tension > 0.0f)
        sum_forces(sph, q, true, true, &lanes);
    else
        sum_forces(sph, q, true, false, &lanes);
    *sums = fold_all(&lanes);
}

SILT_CLONES
static void ask_water(const SiltSph *sph, const SiltSphQuery *q, SiltSphSums *sums)
{
    Lanes lanes;
    memset(&lanes, 0, offsetof(Lanes, nx));
    sum_forces(sph, q, false, false, &lanes);
    *sums = (SiltSphSums){.ax = fold(lanes.ax),
                          .ay = fold(lanes.ay),
                          .az = fold(lanes.az),
                          .rate = fold(lanes.rate),
                          .bx = fold(lanes.bx),
                          .by = fold(lanes.by),
                          .bz = fold(lanes.bz)};
}

SILT_CLONES
static void ask_surface(const SiltSph *sph, const SiltSphQuery *q, SiltSphSums *sums)
{
    Lanes lanes = {0};
    sum_forces(sph, q, false, true, &lanes);
    *sums = fold_all(&lanes);
}

// ---- the loops over particles ----

static void density_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    SiltSphMirror mirrors[SILT_SPH_MIRRORS];
    for (int i = begin; i < end; i++) {
        SiltSphQuery q = {.at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i}};
        SiltSphSums sums;
        ask_density(sph, &q, &sums);
        int count = find_mirrors(sph, i, mirrors);
        if (count > 0)
            ask_everywhere(sph, &q, mirrors, count, ask_density, &sums);
        sph->now.density[i] = sums.rate * sph->law.poly6;
    }
}

// What the pairs read, with the velocity of silt_sph_count_numbers.
SILT_INLINE void prepare(SiltSph *sph, int begin, int end, const bool gas, const bool pulls)
{
    const SiltSphArrays a = sph->now;
    float *px = sph->px, *py = sph->py, *pz = sph->pz, *pressure = sph->pressure, *inverse = sph->inverse;
    const float ahead = sph->numbers.ahead, rest = sph->numbers.rest, stiffness = sph->stiffness;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        px[i] = a.u[i] + ahead * a.ax[i];
        py[i] = a.v[i] + ahead * a.ay[i];
        pz[i] = a.w[i] + ahead * a.az[i];
        pressure[i] = silt_sph_pressure(a.density[i], rest, stiffness, gas, pulls);
        inverse[i] = 1.0f / a.density[i];
    }
    for (int i = begin; i < end; i++)
        sph->record[i] =
            (SiltSphRecord){a.x[i], a.y[i], a.z[i], a.density[i], px[i], py[i], pz[i], pressure[i]};
    for (int i = begin; i < end && sph->numbers.weighs; i++)
        sph->record[i] =
            silt_sph_weigh(sph->record[i],
                           silt_sph_heft(a.sediment[i], a.age[i], sph->numbers.by_load, sph->numbers.by_age));
}

SILT_CLONES
static void prepare_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    bool gas = sph->config.state == SILT_SPH_GAS;
    if (sph->config.pulls)
        prepare(sph, begin, end, gas, true);
    else if (gas)
        prepare(sph, begin, end, true, false);
    else
        prepare(sph, begin, end, false, false);
}

static void force_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    SiltSphMirror mirrors[SILT_SPH_MIRRORS];
    bool surface = sph->numbers.tension > 0.0f;
    for (int i = begin; i < end; i++) {
        SiltSphQuery q = {.at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i},
                          .u = sph->px[i],
                          .v = sph->py[i],
                          .w = sph->pz[i],
                          .slip_u = sph->px[i],
                          .slip_v = sph->py[i],
                          .slip_w = sph->pz[i],
                          .pressure = sph->pressure[i],
                          .density = sph->now.density[i]};
        SiltSphSums sums;
        if (surface)
            ask_surface(sph, &q, &sums);
        else
            ask_water(sph, &q, &sums);
        int count = find_mirrors(sph, i, mirrors);
        if (count > 0)
            ask_everywhere(sph, &q, mirrors, count, ask_image, &sums);
        float a[3];
        silt_sph_accelerate(&sph->numbers, &sums, sph->inverse[i], 1.0f / sph->record[i].density, a);
        sph->now.ax[i] = a[0], sph->now.ay[i] = a[1], sph->now.az[i] = a[2];
        sph->rate[i] = sums.rate;
        if (surface && sph->numbers.curved)
            sph->normal[i] = silt_sph_find_normal(&sph->numbers, &sums);
    }
}

// ---- surface tension by curvature ----

static void add_bend(const SiltSph *sph, const SiltSphPlace *at, SiltSphNormal mine, SiltSphBend *sum)
{
    SiltSphRuns runs;
    silt_sph_runs(sph, at->x, at->y, at->z, &runs);
    for (int n = 0; n < runs.count; n++)
        silt_sph_bend_along(&sph->numbers, sph->record, sph->normal, at, mine, runs.begin[n], runs.end[n],
                            sum);
}

// Asked by the particles at the surface alone, once all have their normals.
static void tension_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    SiltSphMirror mirrors[SILT_SPH_MIRRORS], chain[SILT_SPH_MIRRORS];
    for (int i = begin; i < end; i++) {
        SiltSphNormal mine = sph->normal[i];
        if (mine.slope == 0.0f)
            continue;
        SiltSphQuery q = {.at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i}},
                     image;
        SiltSphBend sum = {0.0f, 0.0f};
        int count = find_mirrors(sph, i, mirrors), length;
        for (uint32_t subset = 0; subset < 1u << count; subset++) // without a mirror first
            if (silt_sph_image_in(&sph->numbers, &q, mirrors, count, subset, &image, chain, &length))
                add_bend(sph, &image.at, silt_sph_turn_normal(mine, chain, length), &sum);
        float pull = silt_sph_pull(&sph->numbers, mine, sum, sph->inverse[i]);
        sph->now.ax[i] += pull * mine.x, sph->now.ay[i] += pull * mine.y, sph->now.az[i] += pull * mine.z;
    }
}

// The velocity that forces see is that at the time of the positions (eq. 1.48). Where density follows its
// rate, it is the one that will carry the particles on: pressure answers to motion as in a spring, and with a
// velocity that lags behind sound waves would grow.
static float see_ahead(const SiltSph *sph)
{
    if (sph->config.density_from == SILT_SPH_CONTINUITY)
        return (float)sph->last_step;
    return sph->config.integrator == SILT_SPH_LEAP_FROG ? (float)(0.5 * sph->last_step) : 0.0f;
}

void silt_sph_count_numbers(SiltSph *sph)
{
    const SiltSphConfig *c = &sph->config;
    SiltSphNumbers *n = &sph->numbers;
    *n = (SiltSphNumbers){
        .reach = c->spacing,
        .life = c->life,
        .swiftest2 = c->swiftest > 0.0 ? c->swiftest * c->swiftest : 0.0,
        .law = sph->law,
        .gravity = {(float)c->gravity[0], (float)c->gravity[1], (float)c->gravity[2]},
        .walls = c->walls,
        .has_planes = sph->plane_gap != NULL,
        .is_bare = c->is_bare,
        .weighs = sph->weighs && c->means && c->density_from == SILT_SPH_SUMMATION,
        .by_load = sph->by_load,
        .by_age = c->life > 0.0 ? (float)(1.0 / c->life) : 0.0f,
        .gas = c->state == SILT_SPH_GAS,
        .pulls = c->pulls,
        .sums_density = c->density_from == SILT_SPH_SUMMATION,
        .leaps = c->integrator == SILT_SPH_LEAP_FROG,
        .rest = (float)c->density,
        .stiffness = sph->stiffness,
        .curved = c->surface == SILT_SPH_CURVATURE,
        .tension = (float)c->tension,
        .threshold = c->surface == SILT_SPH_CURVATURE ? (float)(FAINT / c->support) : (float)c->threshold,
        .skin = sph->skin,
        .depth = sph->depth,
        .restitution = (float)c->restitution,
        .spacing = (float)c->spacing,
        .steep = sph->steep,
        .rough = sph->rough,
        .ahead = see_ahead(sph),
    };
    for (int axis = 0; axis < 3; axis++) {
        n->wall_low[axis] = c->low[axis], n->wall_high[axis] = c->high[axis];
        n->low[axis] = (float)c->low[axis], n->high[axis] = (float)c->high[axis];
        n->period[axis] = (float)(c->high[axis] - c->low[axis]);
        n->face[axis][0] = c->face[axis][0], n->face[axis][1] = c->face[axis][1];
    }
}

void silt_sph_forces(SiltSph *sph)
{
    silt_sph_count_numbers(sph);
    if (sph->device) {
        silt_sph_device_forces(sph->device);
        return;
    }
    if (sph->config.density_from == SILT_SPH_SUMMATION)
        silt_parallel(sph->count, SPAN, density_block, sph);
    silt_parallel(sph->count, 4 * SPAN, prepare_block, sph);
    silt_parallel(sph->count, SPAN, force_block, sph);
    if (sph->numbers.curved && sph->numbers.tension > 0.0f)
        silt_parallel(sph->count, SPAN, tension_block, sph);
}
