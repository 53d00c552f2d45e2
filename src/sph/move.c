// Time: how long a step may be, and what it does.
#include <math.h>

#include "core/parallel.h"
#include "sph/sph.h"

typedef struct Move {
    SiltSph *sph;
    float dt;
    int grain;
    float fastest2[SILT_REDUCE_BLOCKS], hardest2[SILT_REDUCE_BLOCKS];
} Move;

// Kataev eq. 1.45 and 1.46; a particle's first step is half a kick, which is eq. 1.47.
static void kick(SiltSph *sph, int i, float dt)
{
    const SiltSphArrays *a = &sph->now;
    bool first = sph->config.integrator == SILT_SPH_LEAP_FROG && a->age[i] == 0.0f;
    float by = first ? 0.5f * dt : dt;
    a->u[i] += by * a->ax[i];
    a->v[i] += by * a->ay[i];
    a->w[i] += by * a->az[i];
    a->x[i] += dt * a->u[i];
    a->y[i] += dt * a->v[i];
    a->z[i] += dt * a->w[i];
    a->age[i] += dt;
    if (sph->config.density_from == SILT_SPH_CONTINUITY) {
        float rest = (float)sph->config.density, next = a->density[i] + dt * sph->rate[i];
        // a particle that has lost all others keeps its own share; nothing presses water to half its size
        float least = 0.1f * rest;
        a->density[i] = next < least ? least : next > 2.0f * rest ? 2.0f * rest : next;
    }
}

// What a face of the box does to one coordinate; returns whether the particle is still there.
static bool meet_faces(const SiltSphConfig *c, int axis, float *at, float *speed)
{
    float low = (float)c->low[axis], high = (float)c->high[axis];
    if (*at >= low && *at <= high)
        return true;
    int side = *at > high;
    if (c->face[axis][side] == SILT_SPH_OPEN)
        return false;
    if (c->face[axis][side] == SILT_SPH_PERIODIC) {
        *at += side ? low - high : high - low;
        *at = *at < low ? low : *at > high ? high : *at;
        return true;
    }
    *at = side ? high : low;
    if (side ? *speed > 0.0f : *speed < 0.0f)
        *speed *= -(float)c->restitution;
    return true;
}

static void move_block(void *context, int begin, int end)
{
    Move *move = context;
    SiltSph *sph = move->sph;
    const SiltSphArrays *a = &sph->now;
    const SiltSphConfig *c = &sph->config;
    float fastest2 = 0.0f, hardest2 = 0.0f;
    for (int i = begin; i < end; i++) {
        kick(sph, i, move->dt);
        float speed2 = a->u[i] * a->u[i] + a->v[i] * a->v[i] + a->w[i] * a->w[i];
        float force2 = a->ax[i] * a->ax[i] + a->ay[i] * a->ay[i] + a->az[i] * a->az[i];
        if (!isfinite(speed2) || !isfinite(force2) ||
            !isfinite(a->x[i] + a->y[i] + a->z[i] + a->density[i])) {
            sph->fate[i] = SILT_SPH_BAD;
            continue;
        }
        bool inside = meet_faces(c, 0, &a->x[i], &a->u[i]);
        inside = meet_faces(c, 1, &a->y[i], &a->v[i]) && inside;
        inside = meet_faces(c, 2, &a->z[i], &a->w[i]) && inside;
        if (!inside)
            sph->fate[i] = SILT_SPH_LEFT;
        else if (c->life > 0.0 && (double)a->age[i] >= c->life)
            sph->fate[i] = SILT_SPH_EXPIRED;
        fastest2 = speed2 > fastest2 ? speed2 : fastest2;
        hardest2 = force2 > hardest2 ? force2 : hardest2;
    }
    move->fastest2[begin / move->grain] = fastest2;
    move->hardest2[begin / move->grain] = hardest2;
}

void silt_sph_move(SiltSph *sph, double dt)
{
    Move move = {.sph = sph, .dt = (float)dt, .grain = silt_reduce_grain(sph->count)};
    silt_parallel(sph->count, move.grain, move_block, &move);
    float fastest2 = 0.0f, hardest2 = 0.0f;
    for (int block = 0; block * move.grain < sph->count; block++) {
        fastest2 = fmaxf(fastest2, move.fastest2[block]);
        hardest2 = fmaxf(hardest2, move.hardest2[block]);
    }
    sph->fastest = sqrt((double)fastest2);
    sph->hardest = sqrt((double)hardest2);
    sph->last_step = dt;
    sph->time += dt;
    sph->step_index++;
}

// CFL, viscosity and force conditions (Monaghan 1992; Morris, Fox and Zhu 1997) for the smoothing length h/2.
double silt_sph_time_step(const SiltSph *sph)
{
    const SiltSphConfig *c = &sph->config;
    if (c->time_step > 0.0)
        return c->time_step;
    double length = 0.5 * c->support;
    double sound = c->state == SILT_SPH_GAS ? sqrt(c->gas) : c->sound;
    double gravity =
        sqrt(c->gravity[0] * c->gravity[0] + c->gravity[1] * c->gravity[1] + c->gravity[2] * c->gravity[2]);
    double dt = 0.4 * length / (sound + sph->fastest);
    double hardest = fmax(sph->hardest, gravity);
    if (hardest > 0.0)
        dt = fmin(dt, 0.25 * sqrt(length / hardest));
    if (c->viscosity > 0.0)
        dt = fmin(dt, 0.125 * length * length * c->density / c->viscosity);
    return dt;
}

double silt_sph_step(SiltSph *sph, double limit)
{
    silt_sph_sort(sph);
    silt_sph_forces(sph);
    double dt = silt_sph_time_step(sph);
    dt = dt < limit ? dt : limit;
    silt_sph_move(sph, dt);
    return dt;
}
