// How a particle of water goes on in a step.
#ifndef SILT_PHYSICS_SPH_KICK_H
#define SILT_PHYSICS_SPH_KICK_H

#include "silt_fn.h"

typedef struct SiltSphKick {
    float x, y, z, u, v, w;
    float speed2, force2; // squares of speed and acceleration
} SiltSphKick;

// Kataev eq. 1.45 and 1.46; `by` is dt, but half of it in the first step of a particle that leaps, which is
// eq. 1.47.
SILT_FN SiltSphKick silt_sph_kick(float x, float y, float z, float u, float v, float w, float ax, float ay,
                                  float az, float by, float dt)
{
    SiltSphKick k;
    k.u = u + by * ax, k.v = v + by * ay, k.w = w + by * az;
    k.x = x + dt * k.u, k.y = y + dt * k.v, k.z = z + dt * k.w;
    k.speed2 = k.u * k.u + k.v * k.v + k.w * k.w;
    k.force2 = ax * ax + ay * ay + az * az;
    return k;
}

// A particle that has lost all others keeps its own share; nothing presses water to half its size.
SILT_FN float silt_sph_next_density(float density, float rate, float rest, float dt)
{
    float least = 0.1f * rest, most = 2.0f * rest, next = density + dt * rate;
    next = next < least ? least : next;
    return next > most ? most : next;
}

#endif
