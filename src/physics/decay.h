// exp(-x) for x >= 0 without the library's exp, whose last bits differ between machines.
#ifndef SILT_PHYSICS_DECAY_H
#define SILT_PHYSICS_DECAY_H

#include "silt_fn.h"

// (exp(x/8))^-8 with five terms of the series: within 1e-6 for x < 1, never below zero or above one.
SILT_FN float silt_decay(float x)
{
    float z = silt_minf(x, 64.0f) * 0.125f;
    float e = 1.0f + z * (1.0f + z * (0.5f + z * (1.0f / 6.0f + z * (1.0f / 24.0f))));
    float e2 = e * e, e4 = e2 * e2;
    return 1.0f / (e4 * e4);
}

#endif
