#include "couple/sediment.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "physics/power.h"
#include "physics/sph_sediment.h"
#include "sph/near.h"

enum { LANES = SILT_SPH_LANES, SPAN = 512 };

#define LEAST 512.0f // units that move at all (silt_load_part)

// Half the sum of V dz2/r |F| over all neighbours: what falls reaches only those below.
float silt_sediment_factor(double spacing, double support)
{
    double sum = 0.0, volume = spacing * spacing * spacing;
    int reach = (int)ceil(support / spacing);
    for (int k = 1; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                double r = sqrt((double)(i * i + j * j + k * k)) * spacing, dz = k * spacing;
                if (r < support)
                    sum -= volume * dz * dz / r * (double)silt_spline_derivative((float)r, (float)support);
            }
    return (float)(1.0 / sum);
}

// Seeds cover the ground, so the sum of -F / r over them is 2 pi W(dz) for a particle dz above it.
float silt_sediment_ground_factor(double spacing, double support)
{
    double sum = 0.0;
    for (double dz = 0.5 * spacing; dz < support; dz += spacing)
        sum += 2.0 * 3.14159265358979 * dz * (double)silt_spline((float)dz, (float)support);
    return (float)(1.0 / (spacing * spacing * sum));
}

float silt_sediment_speed(const SiltSediment *s, float load)
{
    double share = (double)(load / s->full); // C / C_max
    if (share >= 1.0)
        return 0.0f;
    if (share <= 0.0)
        return s->stokes;
    double left = s->hindering == SILT_HINDERED_PAPER
                      ? 1.0 - silt_power(share, (double)s->exponent)
                      : silt_power(1.0 - share * (double)s->most, (double)s->exponent);
    return s->stokes * (float)left;
}

typedef struct Step {
    const SiltSediment *sediment;
    SiltSph *sph;
    float dt;
    float dither[2]; // of settling and of diffusion
} Step;

// What pairs read: the load stands in place of a density, and in place of a velocity the pace of settling
// onto the particle.
static void pace_block(void *context, int begin, int end)
{
    const Step *step = context;
    SiltSph *sph = step->sph;
    const SiltSphArrays *a = &sph->now;
    float factor = step->dt * step->sediment->volume * step->sediment->settle;
    for (int i = begin; i < end; i++)
        sph->record[i] = (SiltSphRecord){.x = a->x[i],
                                         .y = a->y[i],
                                         .z = a->z[i],
                                         .density = a->sediment[i],
                                         .u = factor * silt_sediment_speed(step->sediment, a->sediment[i])};
}

typedef struct Loads {
    SiltSph *sph;
    int grain;
    int before[SILT_REDUCE_BLOCKS]; // of each block: how many there are in it, then before it
} Loads;

static void count_block(void *context, int begin, int end)
{
    Loads *loads = context;
    int count = 0;
    for (int i = begin; i < end; i++)
        count += loads->sph->now.sediment[i] >= LEAST;
    loads->before[begin / loads->grain] = count;
}

static void number_block(void *context, int begin, int end)
{
    const Loads *loads = context;
    int count = loads->before[begin / loads->grain];
    for (int i = begin; i < end; i++) {
        count += loads->sph->now.sediment[i] >= LEAST;
        loads->sph->key[i] = count;
    }
}

// In sph->key: how many of the particles up to each have enough rock for some of it to move.
static int count_loads(SiltSph *sph)
{
    Loads loads = {.sph = sph, .grain = silt_reduce_span(sph->count)};
    silt_parallel(sph->count, loads.grain, count_block, &loads);
    int total = 0;
    for (int block = 0; block * (int64_t)loads.grain < sph->count; block++) {
        int count = loads.before[block];
        loads.before[block] = total;
        total += count;
    }
    if (total > 0)
        silt_parallel(sph->count, loads.grain, number_block, &loads);
    return total;
}

static bool has_load(const SiltSph *sph, int begin, int end)
{
    return sph->key[end - 1] > (begin > 0 ? sph->key[begin - 1] : 0);
}

// What particle i gains from those packed and loses to them, in units: whole numbers, so exact in any order.
SILT_INLINE void sum_loads(const Step *step, const SiltSphRecord *me, const SiltSphPack *pack, int count,
                           float *lane)
{
    const float h = step->sph->law.h, near = 0.1f * h;
    const float spread = 2.0f * step->dt * step->sediment->diffusion * step->sediment->volume;
    const float dither = step->dither[0], spread_dither = step->dither[1];
    for (int n = 0; n < count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int j = n + l;
            float dx = me->x - pack->x[j], dy = me->y - pack->y[j], dz = me->z - pack->z[j];
            float r = silt_maxf(silt_sqrtf(dx * dx + dy * dy + dz * dz), near);
            float mine = me->density, theirs = pack->density[j], gap = theirs - mine;
            float fall = silt_spline_fall(r, h);
            float down = silt_settling(mine, dz, fall, pack->u[j], dither); // from me to those below
            float up = silt_settling(theirs, -dz, fall, me->u, dither);     // from those above
            float flow = silt_diffusion(silt_absf(gap), fall, spread, spread_dither);
            lane[l] += up - down + (gap > 0.0f ? 1.0f : -1.0f) * flow;
        }
    }
}

SILT_CLONES
static float exchange(const Step *step, int i)
{
    const SiltSph *sph = step->sph;
    const SiltSphRecord *me = &sph->record[i];
    SiltSphPlace at = {.x = me->x, .y = me->y, .z = me->z, .self = i};
    SiltSphNear near;
    SiltSphPack pack;
    float lane[LANES] = {0.0f}, sum = 0.0f;
    silt_near_begin(sph, &at, &near);
    bool any = me->density >= LEAST;
    for (int n = 0; n < near.runs.count && !any; n++)
        any = has_load(sph, near.runs.begin[n], near.runs.end[n]);
    while (any && silt_near_pick(sph, &at, &near)) {
        silt_near_fetch(sph, &near, &pack);
        sum_loads(step, me, &pack, near.count, lane);
    }
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static void exchange_block(void *context, int begin, int end)
{
    const Step *step = context;
    SiltSph *sph = step->sph;
    for (int i = begin; i < end; i++)
        sph->other.sediment[i] = sph->now.sediment[i] + exchange(step, i);
}

static void keep_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    memcpy(sph->now.sediment + begin, sph->other.sediment + begin, (size_t)(end - begin) * sizeof(float));
}

void silt_sediment_step(const SiltSediment *sediment, SiltSph *sph, float dt, int64_t number)
{
    if (count_loads(sph) == 0)
        return;
    uint64_t n = (uint64_t)number;
    Step step = {sediment, sph, dt, {silt_dither(n, 0x9E3779B9u), silt_dither(n, 0xBB67AE85u)}};
    silt_parallel(sph->count, 4 * SPAN, pace_block, &step);
    silt_parallel(sph->count, SPAN, exchange_block, &step);
    silt_parallel(sph->count, 16 * SPAN, keep_block, sph);
}
