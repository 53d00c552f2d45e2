// Time: how long a step may be, and what it does.
#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "physics/sph_wall.h"
#include "sph/sph.h"

enum { PIECE = 256 }; // particles that stay in the cache between two loops

typedef struct Move {
    SiltSph *sph;
    float dt;
    int grain;
    float fastest2[SILT_REDUCE_BLOCKS], hardest2[SILT_REDUCE_BLOCKS];
} Move;

// Kataev eq. 1.45 and 1.46; a particle's first step is half a kick, which is eq. 1.47. Tells the
// squares of speed and acceleration.
SILT_CLONES
static void kick(SiltSph *sph, int begin, int end, float dt, float *speed2, float *force2)
{
    const SiltSphArrays a = sph->now;
    const float first = sph->config.integrator == SILT_SPH_LEAP_FROG ? 0.5f * dt : dt;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float by = a.age[i] == 0.0f ? first : dt;
        float ax = a.ax[i], ay = a.ay[i], az = a.az[i];
        float u = a.u[i] + by * ax, v = a.v[i] + by * ay, w = a.w[i] + by * az;
        a.u[i] = u, a.v[i] = v, a.w[i] = w;
        a.x[i] += dt * u, a.y[i] += dt * v, a.z[i] += dt * w;
        a.age[i] += dt;
        speed2[i - begin] = u * u + v * v + w * w;
        force2[i - begin] = ax * ax + ay * ay + az * az;
    }
    if (sph->config.density_from != SILT_SPH_CONTINUITY)
        return;
    // a particle that has lost all others keeps its own share; nothing presses water to half its size
    const float rest = (float)sph->config.density, least = 0.1f * rest, most = 2.0f * rest, *rate = sph->rate;
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float next = a.density[i] + dt * rate[i];
        next = next < least ? least : next;
        a.density[i] = next > most ? most : next;
    }
}

// Takes from the speed along a wall with unit normal n, implicitly, so that it never turns round. A particle
// nearer than a spacing belongs to the layer at the wall, whose middle is half a spacing away: each answers
// for the stress on one spacing squared, in a lattice exactly and otherwise on average.
static void brake(SiltSph *sph, int i, const float n[3], float dt)
{
    const SiltSphArrays *a = &sph->now;
    float across = a->u[i] * n[0] + a->v[i] * n[1] + a->w[i] * n[2];
    float u = a->u[i] - across * n[0], v = a->v[i] - across * n[1], w = a->w[i] - across * n[2];
    float drag = silt_wall_drag(sqrtf(u * u + v * v + w * w), sph->steep, sph->rough);
    float part = 1.0f - 1.0f / (1.0f + dt * drag / (float)sph->config.spacing);
    a->u[i] -= part * u, a->v[i] -= part * v, a->w[i] -= part * w;
}

static void stop_at_walls(SiltSph *sph, int i, float dt)
{
    const SiltSphConfig *c = &sph->config;
    const float at[3] = {sph->now.x[i], sph->now.y[i], sph->now.z[i]};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            double gap = side ? c->high[axis] - (double)at[axis] : (double)at[axis] - c->low[axis];
            float normal[3] = {0.0f, 0.0f, 0.0f};
            normal[axis] = 1.0f;
            if (c->face[axis][side] == SILT_SPH_WALL && gap < c->spacing)
                brake(sph, i, normal, dt);
        }
    if (sph->plane_gap && (double)sph->plane_gap[i] < c->spacing)
        brake(sph, i, (float[3]){sph->plane_x[i], sph->plane_y[i], sph->plane_z[i]}, dt);
}

// What a face of the box does to one coordinate; returns whether the particle is still there.
static bool stop_at_faces(const SiltSphConfig *c, int axis, float *at, float *speed)
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

// Faces of the box, fates, and the highest squares.
static void stop_at_box(SiltSph *sph, int i, float speed2, float force2, float most[2])
{
    const SiltSphArrays *a = &sph->now;
    const SiltSphConfig *c = &sph->config;
    if (!isfinite(speed2 + force2 + a->x[i] + a->y[i] + a->z[i] + a->density[i])) {
        sph->fate[i] = SILT_SPH_BAD;
        return;
    }
    bool inside = stop_at_faces(c, 0, &a->x[i], &a->u[i]);
    inside = stop_at_faces(c, 1, &a->y[i], &a->v[i]) && inside;
    bool between = stop_at_faces(c, 2, &a->z[i], &a->w[i]); // floor and roof
    if (c->swiftest > 0.0 && (!between || (double)speed2 > c->swiftest * c->swiftest)) {
        sph->fate[i] = SILT_SPH_FLOWN;
        return;
    }
    if (!inside || !between)
        sph->fate[i] = SILT_SPH_LEFT;
    else if (c->life > 0.0 && (double)a->age[i] >= c->life)
        sph->fate[i] = SILT_SPH_EXPIRED;
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

void silt_sph_move(SiltSph *sph, double dt)
{
    Move move = {.sph = sph, .dt = (float)dt, .grain = silt_reduce_span(sph->count)};
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
