// Time: how long a step may be, and what it does.
#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "physics/sph_kick.h"
#include "sph/device_water.h"
#include "sph/motion.h"

enum { PIECE = 256 }; // particles that stay in the cache between two loops

typedef struct Move {
    SiltSph *sph;
    float dt;
    int grain;
    float fastest2[SILT_REDUCE_BLOCKS], hardest2[SILT_REDUCE_BLOCKS];
} Move;

// Tells the squares of speed and acceleration.
SILT_CLONES
static void kick(SiltSph *sph, int begin, int end, float dt, float *speed2, float *force2)
{
    const SiltSphArrays a = sph->now;
    const float first = sph->config.integrator == SILT_SPH_LEAP_FROG ? 0.5f * dt : dt;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float by = a.age[i] == 0.0f ? first : dt;
        SiltSphKick k =
            silt_sph_kick(a.x[i], a.y[i], a.z[i], a.u[i], a.v[i], a.w[i], a.ax[i], a.ay[i], a.az[i], by, dt);
        a.u[i] = k.u, a.v[i] = k.v, a.w[i] = k.w;
        a.x[i] = k.x, a.y[i] = k.y, a.z[i] = k.z;
        a.age[i] += dt;
        speed2[i - begin] = k.speed2;
        force2[i - begin] = k.force2;
    }
    if (sph->config.density_from != SILT_SPH_CONTINUITY)
        return;
    const float rest = sph->numbers.rest, *rate = sph->rate;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++)
        a.density[i] = silt_sph_next_density(a.density[i], rate[i], rest, dt);
}

static void stop_at_walls(SiltSph *sph, int i, float dt)
{
    const SiltSphArrays *a = &sph->now;
    SiltSphMotion m = {{a->x[i], a->y[i], a->z[i]}, {a->u[i], a->v[i], a->w[i]}};
    SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
    if (sph->plane_gap)
        plane = (SiltSphPlane){sph->plane_x[i], sph->plane_y[i], sph->plane_z[i], sph->plane_gap[i]};
    silt_sph_stop_at_walls(&sph->numbers, plane, &m, dt);
    a->u[i] = m.velocity[0], a->v[i] = m.velocity[1], a->w[i] = m.velocity[2];
}

// Faces of the box, fates, and the highest squares.
static void stop_at_box(SiltSph *sph, int i, float speed2, float force2, float most[2])
{
    const SiltSphArrays *a = &sph->now;
    SiltSphMotion m = {{a->x[i], a->y[i], a->z[i]}, {a->u[i], a->v[i], a->w[i]}};
    float finite = speed2 + force2 + a->x[i] + a->y[i] + a->z[i] + a->density[i];
    int fate = silt_sph_stop_at_box(&sph->numbers, &m, finite, speed2, a->age[i]);
    a->x[i] = m.at[0], a->y[i] = m.at[1], a->z[i] = m.at[2];
    a->u[i] = m.velocity[0], a->v[i] = m.velocity[1], a->w[i] = m.velocity[2];
    if (fate != SILT_SPH_STAYS)
        sph->fate[i] = (uint8_t)fate;
    if (fate == SILT_SPH_BAD || fate == SILT_SPH_FLOWN)
        return;
    most[0] = speed2 > most[0] ? speed2 : most[0];
    most[1] = force2 > most[1] ? force2 : most[1];
}

static void move_block(void *context, int begin, int end)
{
    Move *move = context;
    float speed2[PIECE], force2[PIECE], most[2] = {0.0f, 0.0f};
    for (int first = begin; first < end; first += PIECE) {
        int last = end - first < PIECE ? end : first + PIECE;
        kick(move->sph, first, last, move->dt, speed2, force2);
        if (move->sph->config.walls == SILT_SPH_WALL_LAW)
            for (int i = first; i < last; i++)
                stop_at_walls(move->sph, i, move->dt);
        for (int i = first; i < last; i++)
            stop_at_box(move->sph, i, speed2[i - first], force2[i - first], most);
    }
    move->fastest2[begin / move->grain] = most[0];
    move->hardest2[begin / move->grain] = most[1];
}

// Tells the highest squares of speed and acceleration.
static void move_all(SiltSph *sph, float dt, float most[2])
{
    Move move = {.sph = sph, .dt = dt, .grain = silt_reduce_span(sph->count)};
    silt_parallel(sph->count, move.grain, move_block, &move);
    most[0] = most[1] = 0.0f;
    for (int block = 0; block * move.grain < sph->count; block++) {
        most[0] = fmaxf(most[0], move.fastest2[block]);
        most[1] = fmaxf(most[1], move.hardest2[block]);
    }
}

void silt_sph_move(SiltSph *sph, double dt)
{
    silt_sph_count_numbers(sph);
    float most[2];
    if (sph->device)
        silt_sph_device_move(sph->device, (float)dt, most);
    else
        move_all(sph, (float)dt, most);
    sph->fastest = sqrt((double)most[0]);
    sph->hardest = sqrt((double)most[1]);
    sph->last_step = dt;
    sph->time += dt;
    sph->step_index++;
}

// CFL, viscosity and force conditions (Monaghan 1992; Morris, Fox and Zhu 1997) for the smoothing length h/2.
double silt_sph_stable_step(const SiltSph *sph)
{
    const SiltSphConfig *c = &sph->config;
    double length = 0.5 * c->support;
    double sound = c->state == SILT_SPH_GAS ? sqrt(c->gas) : c->sound;
    double gravity =
        sqrt(c->gravity[0] * c->gravity[0] + c->gravity[1] * c->gravity[1] + c->gravity[2] * c->gravity[2]);
    double dt = 0.4 * length / (sound + sph->fastest);
    double hardest = fmax(sph->hardest, gravity);
    if (hardest > 0.0)
        dt = fmin(dt, 0.25 * sqrt(length / hardest));
    // where density is summed it is low at a surface, and what is light is slowed the sooner
    double light = c->density_from == SILT_SPH_SUMMATION ? 0.25 : 1.0;
    if (c->viscosity > 0.0)
        dt = fmin(dt, 0.125 * light * length * length * c->density / c->viscosity);
    return dt;
}

double silt_sph_time_step(const SiltSph *sph)
{
    return sph->config.time_step > 0.0 ? sph->config.time_step : silt_sph_stable_step(sph);
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
