// x to the power y without the library's pow, whose last bits differ between machines. frexp and ldexp are
// exact everywhere.
#ifndef SILT_PHYSICS_POWER_H
#define SILT_PHYSICS_POWER_H

#include "silt_fn.h"

#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)

// The natural logarithm of m in [1/sqrt(2), sqrt(2)): 2 artanh((m - 1) / (m + 1)), by its series.
SILT_FN double silt_log_near_one(double m)
{
    double t = (m - 1.0) / (m + 1.0), s = t * t, sum = 1.0 / 21.0;
    for (int k = 19; k >= 1; k -= 2)
        sum = sum * s + 1.0 / k;
    return 2.0 * t * sum;
}

// exp(z) for |z| <= ln(2) / 2, by its series.
SILT_FN double silt_exp_near_zero(double z)
{
    double sum = 1.0;
    for (int k = 14; k >= 1; k--)
        sum = 1.0 + z * sum / k;
    return sum;
}

// x above zero; the result is within 1e-14 of it for moderate exponents, and never NaN.
SILT_FN double silt_power(double x, double y)
{
    const double ln2 = 0.693147180559945309417;
    int exponent;
    double m = frexp(x, &exponent); // 0.5 to 1
    if (m < 0.707106781186547524) {
        m *= 2.0;
        exponent--;
    }
    double product = y * ((double)exponent + silt_log_near_one(m) / ln2);
    product = product < -1000.0 ? -1000.0 : product > 1000.0 ? 1000.0 : product;
    double whole = floor(product + 0.5);
    return ldexp(silt_exp_near_zero((product - whole) * ln2), (int)whole);
}

#endif
#endif
