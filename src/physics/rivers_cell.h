// Rivers and hillslopes in one cell. Stream power: dh/dt = U - K A^m S^n, with the slope taken at the end of
// the step. Slopes: soil creeps by D S / (1 - (S / Sc)^2) and what stands steeper than Sc comes down (Roering
// et al. 1999).
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

// What multiplies D on a slope S, of which s = (S / Sc)^2: 1 / (1 - s), up to four times. Nearer to the
// critical slope the ground fails, and no diffusivity says how much goes (rivers_cone).
SILT_FN double rivers_creep_gain(double s)
{
    return 1.0 / (1.0 - (s < 0.75 ? s : 0.75));
}

// How high a cell may stand above the two next to it on one side, `direct` and the lower of its two
// neighbours, `oblique`, so that no line between them rises to it by more than `rise` a cell: the least of
// all (1 - t) direct + t oblique + rise sqrt(1 + t^2), t from 0 to 1. Heights may be infinite.
SILT_FN double rivers_cone(double direct, double oblique, double rise)
{
    const double root_half = 0.70710678118654752440;
    double fall = direct - oblique, rest = rise * rise - fall * fall;
    double between = direct + sqrt(rest > 0.0 ? rest : 0.0), aside = oblique + rise / root_half;
    double within = fall < rise * root_half ? between : aside;
    return fall <= 0.0 ? direct + rise : within;
}

#endif
#endif
