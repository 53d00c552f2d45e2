// Stream power in one cell: dh/dt = U - K A^m S^n, with the slope taken at the end of the step.
#ifndef SILT_PHYSICS_RIVERS_CELL_H
#define SILT_PHYSICS_RIVERS_CELL_H

#include "power.h"

#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)

// The z above zero with a z + b z^p = d, for p >= 1 and d > 0. The left side is convex and rises, so Newton's
// method from above comes down to the root and never passes it.
SILT_FN double rivers_root(double a, double b, double p, double d)
{
    double z = d / a;
    if (b > 0.0) {
        double other = silt_power(d / b, 1.0 / p);
        z = other < z ? other : z;
    }
    for (int k = 0; k < 60; k++) {
        double power = silt_power(z, p - 1.0), excess = a * z + b * power * z - d;
        double next = z - excess / (a + p * b * power);
        if (!(next < z * (1.0 - 1e-13)))
            break;
        z = next;
    }
    return z;
}

// What is left after a step of a height `above` its receiver's new one: x + f x^n = above, where f is K A^m
// dt / d^n. Below 1 the unknown is x^n instead, which makes it convex again.
SILT_FN double rivers_drop(double above, double f, double n)
{
    if (!(above > 0.0) || !(f > 0.0))
        return above;
    if (n == 1.0)
        return above / (1.0 + f);
    if (n > 1.0)
        return rivers_root(1.0, f, n, above);
    double left = silt_power(rivers_root(f, 1.0, 1.0 / n, above), 1.0 / n);
    return left < above ? left : above;
}

#endif
#endif
