// What a step does to one particle: its velocity, place, density and age, walls that brake it, and the faces
// of the box. For C and OpenCL.
#ifndef SILT_SPH_MOTION_H
#define SILT_SPH_MOTION_H

#include "physics/sph_wall.h"
#include "sph/images.h"

typedef struct SiltSphMotion {
    float at[3], velocity[3];
} SiltSphMotion;

// Takes from the speed along a wall with unit normal n, implicitly, so that it never turns round. A particle
// nearer than a spacing belongs to the layer at the wall, whose middle is half a spacing away: each answers
// for the stress on one spacing squared, in a lattice exactly and otherwise on average.
static inline void silt_sph_brake(SILT_STEP const SiltSphNumbers *s, SiltSphMotion *m, float nx, float ny,
                                  float nz, float dt)
{
    float across = m->velocity[0] * nx + m->velocity[1] * ny + m->velocity[2] * nz;
    float u = m->velocity[0] - across * nx, v = m->velocity[1] - across * ny,
          w = m->velocity[2] - across * nz;
    float drag = silt_wall_drag(silt_sqrtf(u * u + v * v + w * w), s->steep, s->rough);
    float part = 1.0f - 1.0f / (1.0f + dt * drag / s->spacing);
    m->velocity[0] -= part * u, m->velocity[1] -= part * v, m->velocity[2] -= part * w;
}

static inline void silt_sph_stop_at_walls(SILT_STEP const SiltSphNumbers *s, SiltSphPlane plane,
                                          SiltSphMotion *m, float dt)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            double gap =
                side ? s->wall_high[axis] - (double)m->at[axis] : (double)m->at[axis] - s->wall_low[axis];
            if (s->face[axis][side] == SILT_SPH_WALL && gap < s->reach)
                silt_sph_brake(s, m, axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f,
                               axis == 2 ? 1.0f : 0.0f, dt);
        }
    if (s->has_planes && (double)plane.gap < s->reach)
        silt_sph_brake(s, m, plane.x, plane.y, plane.z, dt);
}

// What a face of the box does to one coordinate; returns whether the particle is still there.
static inline bool silt_sph_stop_at_faces(SILT_STEP const SiltSphNumbers *s, int axis, float *at,
                                          float *speed)
{
    float low = s->low[axis], high = s->high[axis];
    if (*at >= low && *at <= high)
        return true;
    int side = *at > high;
    if (s->face[axis][side] == SILT_SPH_OPEN)
        return false;
    if (s->face[axis][side] == SILT_SPH_PERIODIC) {
        *at += side ? low - high : high - low;
        *at = *at < low ? low : *at > high ? high : *at;
        return true;
    }
    *at = side ? high : low;
    if (side ? *speed > 0.0f : *speed < 0.0f)
        *speed *= -s->restitution;
    return true;
}

// Faces of the box: the particle's fate, SILT_SPH_STAYS or another. `finite` is any number that is not finite
// where one of the particle's is not.
static inline int silt_sph_stop_at_box(SILT_STEP const SiltSphNumbers *s, SiltSphMotion *m, float finite,
                                       float speed2, float age)
{
    if (!isfinite(finite))
        return SILT_SPH_BAD;
    bool inside = silt_sph_stop_at_faces(s, 0, &m->at[0], &m->velocity[0]);
    inside = silt_sph_stop_at_faces(s, 1, &m->at[1], &m->velocity[1]) && inside;
    bool between = silt_sph_stop_at_faces(s, 2, &m->at[2], &m->velocity[2]); // floor and roof
    if (s->swiftest2 > 0.0 && (!between || (double)speed2 > s->swiftest2))
        return SILT_SPH_FLOWN;
    if (!inside || !between)
        return SILT_SPH_LEFT;
    return s->life > 0.0 && (double)age >= s->life ? SILT_SPH_EXPIRED : SILT_SPH_STAYS;
}

#endif
