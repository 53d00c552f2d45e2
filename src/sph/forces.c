// Density, pressure and accelerations, gathered by each particle from the nine runs of particles it can see.
// The sums run in a fixed number of lanes that are folded in a fixed order, so they are the same for every
// vector width.
//
// Walls and periodic faces are images: water beyond a wall is the mirror image of the water before it. Rather
// than reflecting the neighbours, the particle itself is reflected, asks around there, and the answer is
// reflected back.
#include <math.h>

#include "core/parallel.h"
#include "sph/near.h"

enum { LANES = SILT_SPH_LANES, SPAN = 512 };

// A particle, or an image of it, that asks around.
typedef struct Query {
    SiltSphPlace at;
    float u, v, w;
    float slip_u, slip_v, slip_w; // velocity that viscosity compares with
    float pressure, density;
    float weight; // g.n: pressure grows so with depth behind the plane
} Query;

typedef struct Lanes {
    float ax[LANES], ay[LANES], az[LANES], rate[LANES];
    float bx[LANES], by[LANES], bz[LANES];               // viscosity, apart
    float nx[LANES], ny[LANES], nz[LANES], curve[LANES]; // surface
} Lanes;

typedef struct Sums {
    float ax, ay, az, rate, bx, by, bz, nx, ny, nz, curve;
} Sums;

static float fold(const float *lane)
{
    float half[LANES / 2];
    for (int l = 0; l < LANES / 2; l++)
        half[l] = lane[l] + lane[l + LANES / 2];
    return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// ---- density by summation (Kataev eq. 1.25) ----

SILT_INLINE void sum_density(const SiltSph *sph, const Query *q, const SiltSphRuns *runs, float *lane)
{
    const float *x = sph->now.x, *y = sph->now.y, *z = sph->now.z;
    const float h2 = sph->law.h2;
    for (int n = 0; n < runs->count; n++)
        for (int k = runs->begin[n], end = runs->end[n]; k < end; k += LANES) {
            SILT_INDEPENDENT
            for (int l = 0; l < LANES; l++) {
                float dx = q->at.x - x[k + l], dy = q->at.y - y[k + l], dz = q->at.z - z[k + l];
                float side = q->at.nx * dx + q->at.ny * dy + q->at.nz * dz + q->at.gap;
                float gap = h2 - (dx * dx + dy * dy + dz * dz);
                bool counts = (k + l < end) & (gap > 0.0f) & (side <= 0.0f);
                lane[l] += counts ? gap * gap * gap : 0.0f;
            }
        }
}

// ---- forces ----

SILT_INLINE void sum_pack(const SiltSph *sph, const Query *q, const SiltSphNear *near,
                          const SiltSphPack *pack, const bool image, const bool surface, Lanes *lanes)
{
    const SiltSphLaw law = sph->law;
    const float gx = (float)sph->config.gravity[0], gy = (float)sph->config.gravity[1],
                gz = (float)sph->config.gravity[2];
    const SiltSphPlace at = q->at;
    for (int n = 0; n < near->count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int j = n + l;
            float dx = at.x - pack->x[j], dy = at.y - pack->y[j], dz = at.z - pack->z[j];
            float r2 = dx * dx + dy * dy + dz * dz, inverse = 1.0f / pack->density[j];
            float fall = -(gx * dx + gy * dy + gz * dz), press = q->pressure + pack->pressure[j];
            if (image) {
                // dx.n = -(gap_i + gap_j); behind the wall water weighs on
                float ahead = -(at.nx * dx + at.ny * dy + at.nz * dz) - at.gap;
                float more = -2.0f * q->weight * ahead * inverse;
                bool weighs = (pack->pressure[j] > 0.0f) & (more > 0.0f);
                press += weighs ? more : 0.0f;
                fall -= 2.0f * at.gap * q->weight; // from the particle itself
            } else {
                // of two at one place the later stands aside, so that they part
                float aside = near->index[j] < at.self ? 1e-4f : -1e-4f;
                dx = r2 > 0.0f ? dx : aside * law.h;
            }
            float du = q->u - pack->u[j], dv = q->v - pack->v[j], dw = q->w - pack->w[j];
            float vd = du * dx + dv * dy + dw * dz;
            float near2 = r2 > law.closest2 ? r2 : law.closest2;
            SiltSphPair pair =
                silt_sph_pair(law, near2, vd, fall, press, pack->density[j] - q->density, inverse);
            lanes->ax[l] += pair.push * dx;
            lanes->ay[l] += pair.push * dy;
            lanes->az[l] += pair.push * dz;
            lanes->rate[l] += pair.rate;
            lanes->bx[l] += pair.drag * (pack->u[j] - q->slip_u);
            lanes->by[l] += pair.drag * (pack->v[j] - q->slip_v);
            lanes->bz[l] += pair.drag * (pack->w[j] - q->slip_w);
            if (surface) {
                float inside = silt_maxf(law.h2 - r2, 0.0f), gap = inside * inverse;
                float slope = -gap * inside;
                lanes->nx[l] += slope * dx;
                lanes->ny[l] += slope * dy;
                lanes->nz[l] += slope * dz;
                lanes->curve[l] -= gap * (3.0f * law.h2 - 7.0f * r2);
            }
        }
    }
}

SILT_INLINE void sum_forces(const SiltSph *sph, const Query *q, const bool image, const bool surface,
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

// ---- images ----

typedef struct Mirror {
    float nx, ny, nz, gap; // a plane, or
    float shift_x, shift_y, shift_z;
    bool periodic;
} Mirror;

static void reflect(const Mirror *m, float *x, float *y, float *z)
{
    float twice = 2.0f * (m->nx * *x + m->ny * *y + m->nz * *z);
    *x -= twice * m->nx;
    *y -= twice * m->ny;
    *z -= twice * m->nz;
}

// The faces and planes within reach of particle i.
static int find_mirrors(const SiltSph *sph, int i, Mirror *mirrors)
{
    const SiltSphConfig *c = &sph->config;
    const float at[3] = {sph->now.x[i], sph->now.y[i], sph->now.z[i]};
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            float gap = side ? (float)c->high[axis] - at[axis] : at[axis] - (float)c->low[axis];
            if (c->face[axis][side] == SILT_SPH_OPEN || gap >= sph->law.h)
                continue;
            float normal[3] = {0.0f, 0.0f, 0.0f}, shift[3] = {0.0f, 0.0f, 0.0f};
            bool periodic = c->face[axis][side] == SILT_SPH_PERIODIC;
            if (periodic)
                shift[axis] = (float)(c->high[axis] - c->low[axis]) * (side ? -1.0f : 1.0f);
            else
                normal[axis] = side ? -1.0f : 1.0f;
            mirrors[count++] =
                (Mirror){normal[0], normal[1], normal[2], gap, shift[0], shift[1], shift[2], periodic};
        }
    if (sph->plane_gap && sph->plane_gap[i] < sph->law.h)
        mirrors[count++] = (Mirror){
            .nx = sph->plane_x[i], .ny = sph->plane_y[i], .nz = sph->plane_z[i], .gap = sph->plane_gap[i]};
    return count;
}

// The image of `q` in a mirror. Gaps below zero (a particle a hair behind its plane) count as zero.
static Query image_of(const SiltSph *sph, const Query *q, const Mirror *m)
{
    Query image = *q;
    image.at.self = -1;
    if (m->periodic) {
        image.at.x += m->shift_x, image.at.y += m->shift_y, image.at.z += m->shift_z;
        return image;
    }
    float gap = m->gap > 0.0f ? m->gap : 0.0f;
    image.at.x -= 2.0f * gap * m->nx, image.at.y -= 2.0f * gap * m->ny, image.at.z -= 2.0f * gap * m->nz;
    reflect(m, &image.u, &image.v, &image.w);
    reflect(m, &image.slip_u, &image.slip_v, &image.slip_w);
    if (sph->config.walls == SILT_SPH_NO_SLIP)
        image.slip_u = -q->slip_u, image.slip_v = -q->slip_v, image.slip_w = -q->slip_w;
    image.at.nx = m->nx, image.at.ny = m->ny, image.at.nz = m->nz, image.at.gap = gap;
    image.weight = (float)sph->config.gravity[0] * m->nx + (float)sph->config.gravity[1] * m->ny +
                   (float)sph->config.gravity[2] * m->nz;
    return image;
}

static void add_reflected(const SiltSph *sph, const Mirror *chain, int length, Sums *part, Sums *sum)
{
    for (int k = length; k-- > 0;) {
        if (chain[k].periodic)
            continue;
        reflect(&chain[k], &part->ax, &part->ay, &part->az);
        reflect(&chain[k], &part->nx, &part->ny, &part->nz);
        if (sph->config.walls == SILT_SPH_NO_SLIP)
            part->bx = -part->bx, part->by = -part->by, part->bz = -part->bz;
        else
            reflect(&chain[k], &part->bx, &part->by, &part->bz);
    }
    sum->ax += part->ax, sum->ay += part->ay, sum->az += part->az, sum->rate += part->rate;
    sum->bx += part->bx, sum->by += part->by, sum->bz += part->bz;
    sum->nx += part->nx, sum->ny += part->ny, sum->nz += part->nz, sum->curve += part->curve;
}

static Sums fold_all(const Lanes *lanes)
{
    return (Sums){fold(lanes->ax), fold(lanes->ay), fold(lanes->az),   fold(lanes->rate),
                  fold(lanes->bx), fold(lanes->by), fold(lanes->bz),   fold(lanes->nx),
                  fold(lanes->ny), fold(lanes->nz), fold(lanes->curve)};
}

typedef void (*AskFn)(const SiltSph *sph, const Query *q, Sums *sums);

// Asks at the place itself and at all its images: each mirror, and each pair and triple of them.
static void ask_everywhere(const SiltSph *sph, const Query *q, const Mirror *mirrors, int count, AskFn ask,
                           Sums *sum)
{
    for (unsigned subset = 1; subset < 1u << count; subset++) {
        Mirror chain[7];
        Query image = *q;
        int length = 0;
        bool clash = false;
        for (int k = 0; k < count; k++)
            if (subset >> k & 1) {
                // two faces of one axis make no corner
                for (int n = 0; n < length; n++)
                    clash = clash ||
                            fabsf(chain[n].nx * mirrors[k].nx + chain[n].ny * mirrors[k].ny +
                                  chain[n].nz * mirrors[k].nz) > 0.99f ||
                            chain[n].shift_x * mirrors[k].shift_x + chain[n].shift_y * mirrors[k].shift_y +
                                    chain[n].shift_z * mirrors[k].shift_z !=
                                0.0f;
                chain[length++] = mirrors[k];
                image = image_of(sph, &image, &mirrors[k]);
            }
        if (clash)
            continue;
        Sums part;
        ask(sph, &image, &part);
        add_reflected(sph, chain, length, &part, sum);
    }
}

SILT_CLONES
static void ask_density(const SiltSph *sph, const Query *q, Sums *sums)
{
    SiltSphRuns runs;
    float lane[LANES] = {0.0f};
    silt_sph_runs(sph, q->at.x, q->at.y, q->at.z, &runs);
    sum_density(sph, q, &runs, lane);
    *sums = (Sums){.rate = fold(lane)};
}

SILT_CLONES
static void ask_image(const SiltSph *sph, const Query *q, Sums *sums)
{
    Lanes lanes = {0};
    if (sph->config.tension > 0.0)
        sum_forces(sph, q, true, true, &lanes);
    else
        sum_forces(sph, q, true, false, &lanes);
    *sums = fold_all(&lanes);
}

SILT_CLONES
static void ask_water(const SiltSph *sph, const Query *q, Sums *sums)
{
    Lanes lanes;
    memset(&lanes, 0, offsetof(Lanes, nx));
    sum_forces(sph, q, false, false, &lanes);
    *sums = (Sums){.ax = fold(lanes.ax),
                   .ay = fold(lanes.ay),
                   .az = fold(lanes.az),
                   .rate = fold(lanes.rate),
                   .bx = fold(lanes.bx),
                   .by = fold(lanes.by),
                   .bz = fold(lanes.bz)};
}

SILT_CLONES
static void ask_surface(const SiltSph *sph, const Query *q, Sums *sums)
{
    Lanes lanes = {0};
    sum_forces(sph, q, false, true, &lanes);
    *sums = fold_all(&lanes);
}

// ---- the loops over particles ----

static void density_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    Mirror mirrors[7];
    for (int i = begin; i < end; i++) {
        Query q = {.at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i}};
        Sums sums;
        ask_density(sph, &q, &sums);
        int count = find_mirrors(sph, i, mirrors);
        if (count > 0)
            ask_everywhere(sph, &q, mirrors, count, ask_density, &sums);
        sph->now.density[i] = sums.rate * sph->law.poly6;
    }
}

// What the pairs read. The velocity is that at the time of the positions (eq. 1.48). Where density follows
// its rate, it is the one that will carry the particles on: pressure answers to motion as in a spring, and
// with a velocity that lags behind sound waves would grow.
SILT_INLINE void prepare(SiltSph *sph, int begin, int end, const bool gas, const bool pulls)
{
    const SiltSphArrays a = sph->now;
    const SiltSphConfig *c = &sph->config;
    float *px = sph->px, *py = sph->py, *pz = sph->pz, *pressure = sph->pressure, *inverse = sph->inverse;
    float ahead = c->density_from == SILT_SPH_CONTINUITY ? (float)sph->last_step
                  : c->integrator == SILT_SPH_LEAP_FROG  ? (float)(0.5 * sph->last_step)
                                                         : 0.0f;
    const float rest = (float)c->density, stiffness = sph->stiffness;
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

// Surface tension (eq. 1.37 to 1.41) as an acceleration.
static void add_tension(const SiltSph *sph, const Sums *sums, float inverse, float *a)
{
    float factor = sph->law.normal;
    float nx = factor * sums->nx, ny = factor * sums->ny, nz = factor * sums->nz;
    float length = sqrtf(nx * nx + ny * ny + nz * nz);
    if (length < (float)sph->config.threshold)
        return;
    float pull = -(float)sph->config.tension * factor * sums->curve / length * inverse;
    a[0] += pull * nx, a[1] += pull * ny, a[2] += pull * nz;
}

static void force_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    Mirror mirrors[7];
    bool surface = sph->config.tension > 0.0;
    for (int i = begin; i < end; i++) {
        Query q = {.at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i},
                   .u = sph->px[i],
                   .v = sph->py[i],
                   .w = sph->pz[i],
                   .slip_u = sph->px[i],
                   .slip_v = sph->py[i],
                   .slip_w = sph->pz[i],
                   .pressure = sph->pressure[i],
                   .density = sph->now.density[i]};
        Sums sums;
        if (surface)
            ask_surface(sph, &q, &sums);
        else
            ask_water(sph, &q, &sums);
        int count = find_mirrors(sph, i, mirrors);
        if (count > 0)
            ask_everywhere(sph, &q, mirrors, count, ask_image, &sums);
        float inverse = sph->inverse[i];
        float a[3] = {sums.ax + sums.bx * inverse, sums.ay + sums.by * inverse, sums.az + sums.bz * inverse};
        if (surface)
            add_tension(sph, &sums, inverse, a);
        sph->now.ax[i] = a[0] + (float)sph->config.gravity[0];
        sph->now.ay[i] = a[1] + (float)sph->config.gravity[1];
        sph->now.az[i] = a[2] + (float)sph->config.gravity[2];
        sph->rate[i] = sums.rate;
    }
}

void silt_sph_forces(SiltSph *sph)
{
    if (sph->config.density_from == SILT_SPH_SUMMATION)
        silt_parallel(sph->count, SPAN, density_block, sph);
    silt_parallel(sph->count, 4 * SPAN, prepare_block, sph);
    silt_parallel(sph->count, SPAN, force_block, sph);
}
