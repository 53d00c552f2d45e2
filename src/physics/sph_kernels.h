// The smoothing kernels of particle water: standard (poly6), pressure (spiky), viscosity, and the cubic
// spline. `h` is the support radius: every kernel is zero from there on. A gradient is `slope` times the
// vector from the neighbour to the particle, so that no direction need be known.
#ifndef SILT_PHYSICS_SPH_KERNELS_H
#define SILT_PHYSICS_SPH_KERNELS_H

#include "silt_fn.h"

#define SILT_SPH_PI 3.14159265358979f

// Kataev eq. 1.14
SILT_FN float silt_poly6(float r2, float h)
{
    float h3 = h * h * h, gap = silt_maxf(h * h - r2, 0.0f);
    return 315.0f / (64.0f * SILT_SPH_PI) / (h3 * h3 * h3) * (gap * gap * gap);
}

// eq. 1.15
SILT_FN float silt_poly6_slope(float r2, float h)
{
    float h3 = h * h * h, gap = silt_maxf(h * h - r2, 0.0f);
    return -945.0f / (32.0f * SILT_SPH_PI) / (h3 * h3 * h3) * (gap * gap);
}

// eq. 1.16
SILT_FN float silt_poly6_laplacian(float r2, float h)
{
    float h2 = h * h, h3 = h2 * h, gap = silt_maxf(h2 - r2, 0.0f);
    return -945.0f / (32.0f * SILT_SPH_PI) / (h3 * h3 * h3) * (gap * (3.0f * h2 - 7.0f * r2));
}

// eq. 1.17
SILT_FN float silt_spiky(float r, float h)
{
    float h3 = h * h * h, gap = silt_maxf(h - r, 0.0f);
    return 15.0f / SILT_SPH_PI / (h3 * h3) * (gap * gap * gap);
}

// eq. 1.18; r above zero
SILT_FN float silt_spiky_slope(float r, float h)
{
    float h3 = h * h * h, gap = silt_maxf(h - r, 0.0f);
    return -45.0f / SILT_SPH_PI / (h3 * h3) * (gap * gap) / r;
}

// eq. 1.19; r above zero
SILT_FN float silt_spiky_laplacian(float r, float h)
{
    float h3 = h * h * h, gap = silt_maxf(h - r, 0.0f);
    return -90.0f / SILT_SPH_PI / (h3 * h3) * (gap * (h - 2.0f * r)) / r;
}

// eq. 1.20; r above zero
SILT_FN float silt_viscous(float r, float h)
{
    float q = r / h, h3 = h * h * h;
    float shape = -0.5f * q * q * q + q * q + 0.5f / q - 1.0f;
    return r < h ? 15.0f / (2.0f * SILT_SPH_PI) / h3 * shape : 0.0f;
}

// eq. 1.21; r above zero
SILT_FN float silt_viscous_slope(float r, float h)
{
    float h3 = h * h * h;
    float shape = -1.5f * r / h3 + 2.0f / (h * h) - 0.5f * h / (r * r * r);
    return r < h ? 15.0f / (2.0f * SILT_SPH_PI) / h3 * shape : 0.0f;
}

// eq. 1.22
SILT_FN float silt_viscous_laplacian(float r, float h)
{
    float h3 = h * h * h;
    return 45.0f / SILT_SPH_PI / (h3 * h3) * silt_maxf(h - r, 0.0f);
}

// The cubic spline in q = r / (h/2).
SILT_FN float silt_spline(float r, float h)
{
    float length = 0.5f * h, q = r / length;
    float far = silt_maxf(2.0f - q, 0.0f), near = silt_maxf(1.0f - q, 0.0f);
    return 0.25f / SILT_SPH_PI / (length * length * length) * (far * far * far - 4.0f * near * near * near);
}

// Its derivative by r (eq. 4.19 with the smoothing length h/2, and divided by it): F of eq. 1.64 and 1.68.
SILT_FN float silt_spline_derivative(float r, float h)
{
    float length = 0.5f * h, l2 = length * length, q = r / length;
    float far = silt_maxf(2.0f - q, 0.0f), near = silt_maxf(1.0f - q, 0.0f);
    return -0.75f / SILT_SPH_PI / (l2 * l2) * (far * far - 4.0f * near * near);
}

// d2W/dr2 + 2/r dW/dr; r above zero
SILT_FN float silt_spline_laplacian(float r, float h)
{
    float length = 0.5f * h, l2 = length * length, q = r / length;
    float far = silt_maxf(2.0f - q, 0.0f), near = silt_maxf(1.0f - q, 0.0f);
    float second = 1.5f / SILT_SPH_PI / (l2 * l2 * length) * (far - 4.0f * near);
    return second + 2.0f / r * silt_spline_derivative(r, h);
}

#endif
