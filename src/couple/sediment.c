#include "couple/sediment.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "sph/near.h"

enum { LANES = SILT_SPH_LANES, SPAN = 512 };

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

float silt_sediment_spread(const SiltSediment *s, float dt)
{
    return s->is_printed ? dt * s->diffusion * s->volume / s->density : 2.0f * dt * s->diffusion * s->volume;
}

void silt_sediment_dithers(int64_t step, float dither[2])
{
    dither[0] = silt_dither((uint64_t)step, 0x9E3779B9u);
    dither[1] = silt_dither((uint64_t)step, 0xBB67AE85u);
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
    for (int i = begin; i < end; i++)
        sph->record[i] = (SiltSphRecord){.x = a->x[i],
                                         .y = a->y[i],
                                         .z = a->z[i],
                                         .density = a->sediment[i],
                                         .u = silt_load_pace(*step->sediment, a->sediment[i], step->dt)};
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
        count += loads->sph->now.sediment[i] >= SILT_LOAD_LEAST;
    loads->before[begin / loads->grain] = count;
}

static void number_block(void *context, int begin, int end)
{
    const Loads *loads = context;
    int count = loads->before[begin / loads->grain];
    for (int i = begin; i < end; i++) {
        count += loads->sph->now.sediment[i] >= SILT_LOAD_LEAST;
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
    const float h = step->sph->law.h;
    const float spread = silt_sediment_spread(step->sediment, step->dt);
    const float dither = step->dither[0], spread_dither = step->dither[1];
    const int is_printed = step->sediment->is_printed;
    const float x = me->x, y = me->y, z = me->z, mine = me->density, pace = me->u;
    for (int n = 0; n < count; n += LANES) {
        SILT_INDEPENDENT
        for (int l = 0; l < LANES; l++) {
            int j = n + l;
            lane[l] +=
                silt_load_gain(mine, pace, pack->density[j], pack->u[j], x - pack->x[j], y - pack->y[j],
                               z - pack->z[j], h, is_printed, spread, dither, spread_dither);
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
    bool any = me->density >= SILT_LOAD_LEAST;
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
    Step step = {.sediment = sediment, .sph = sph, .dt = dt};
    silt_sediment_dithers(number, step.dither);
    silt_parallel(sph->count, 4 * SPAN, pace_block, &step);
    silt_parallel(sph->count, SPAN, exchange_block, &step);
    silt_parallel(sph->count, 16 * SPAN, keep_block, sph);
}
