#include "couple/sediment.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "physics/power.h"
#include "physics/sph_sediment.h"

enum { LANES = SILT_SPH_LANES, GRAIN = 512 };

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

float silt_sediment_speed(const SiltSediment *s, float load)
{
    double share = (double)(load / s->full); // C / C_max
    if (share >= 1.0)
        return 0.0f;
    double left = s->hindering == SILT_HINDERED_PAPER
                      ? 1.0 - (share > 0.0 ? silt_power(share, (double)s->exponent) : 0.0)
                      : silt_power(1.0 - share * (double)s->most, (double)s->exponent);
    return s->stokes * (float)left;
}

typedef struct Step {
    const SiltSediment *sediment;
    SiltSph *sph;
    float dt;
    float dither[2]; // of settling and of diffusion
} Step;

// The pace of settling onto each particle, in sph->rate (density's rate is done with).
static void pace_block(void *context, int begin, int end)
{
    const Step *step = context;
    SiltSph *sph = step->sph;
    float factor = step->dt * step->sediment->volume * step->sediment->settle;
    for (int i = begin; i < end; i++)
        sph->rate[i] = factor * silt_sediment_speed(step->sediment, sph->now.sediment[i]);
}

// In sph->key: how many of the particles up to each have enough rock for some of it to move.
static int count_loads(SiltSph *sph)
{
    int count = 0;
    for (int i = 0; i < sph->count; i++) {
        count += sph->now.sediment[i] >= LEAST;
        sph->key[i] = count;
    }
    return count;
}

static bool has_load(const SiltSph *sph, int begin, int end)
{
    return sph->key[end - 1] > (begin > 0 ? sph->key[begin - 1] : 0);
}

// What particle i gains and loses, in units: whole numbers, so exact in any order.
SILT_CLONES
static float exchange(const Step *step, int i)
{
    const SiltSph *sph = step->sph;
    const float *x = sph->now.x, *y = sph->now.y, *z = sph->now.z, *load = sph->now.sediment,
                *pace = sph->rate;
    const float h = sph->law.h, spread = 2.0f * step->dt * step->sediment->diffusion * step->sediment->volume;
    const float near = 0.1f * h, xi = x[i], yi = y[i], zi = z[i], mine = load[i], my_pace = pace[i];
    const float dither = step->dither[0], spread_dither = step->dither[1];
    float lane[LANES] = {0.0f};
    SiltSphRuns runs;
    silt_sph_runs(sph, xi, yi, zi, &runs);
    for (int n = 0; n < runs.count; n++) {
        if (mine < LEAST && !has_load(sph, runs.begin[n], runs.end[n]))
            continue;
        for (int k = runs.begin[n], end = runs.end[n]; k < end; k += LANES) {
            SILT_INDEPENDENT
            for (int l = 0; l < LANES; l++) {
                int j = k + l;
                float dx = xi - x[j], dy = yi - y[j], dz = zi - z[j], theirs = load[j];
                float r = silt_maxf(silt_sqrtf(dx * dx + dy * dy + dz * dz), near);
                bool counts = (j < end) & (j != i) & (r < h);
                float fall = silt_spline_fall(r, h), gap = theirs - mine;
                float down = silt_settling(mine, dz, fall, pace[j], dither);  // from me to those below
                float up = silt_settling(theirs, -dz, fall, my_pace, dither); // from those above
                float flow = silt_diffusion(silt_absf(gap), fall, spread, spread_dither);
                float net = up - down + (gap > 0.0f ? flow : -flow);
                lane[l] += counts ? net : 0.0f;
            }
        }
    }
    float sum = 0.0f;
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

void silt_sediment_step(const SiltSediment *sediment, SiltSph *sph, float dt, int64_t number)
{
    if (count_loads(sph) == 0)
        return;
    uint64_t n = (uint64_t)number;
    Step step = {sediment, sph, dt, {silt_dither(n, 0x9E3779B9u), silt_dither(n, 0xBB67AE85u)}};
    silt_parallel(sph->count, 4 * GRAIN, pace_block, &step);
    silt_parallel(sph->count, GRAIN, exchange_block, &step);
    memcpy(sph->now.sediment, sph->other.sediment, (size_t)sph->count * sizeof(float));
}
