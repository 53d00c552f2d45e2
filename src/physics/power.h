// x to the power y without the library's pow, whose last bits differ between machines.
#ifndef SILT_PHYSICS_POWER_H
#define SILT_PHYSICS_POWER_H

#include "elementary.h"

#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)

// 2 to the power r.high + r.low for |r| <= 1/2: exp(z) = 1 + z + z^2 (1/2 + z/6 + ...) with z = r ln(2).
SILT_FN double silt_exp2_near_zero(SiltTwo r)
{
    const double ln2 = 0.693147180559945309, ln2_front = 0x1.62e43p-1, ln2_rest = -0x1.05c610ca86c39p-29;
    double r1 = silt_front(r.high), z1 = r1 * ln2_front;
    double z2 = r1 * ln2_rest + ((r.high - r1) + r.low) * ln2, z = z1 + z2, zz = z * z, z4 = zz * zz;
    double a = 1.0 / 2.0 + z * (1.0 / 6.0), b = 1.0 / 24.0 + z * (1.0 / 120.0);
    double c = 1.0 / 720.0 + z * (1.0 / 5040.0), d = 1.0 / 40320.0 + z * (1.0 / 362880.0);
    double e = 1.0 / 3628800.0 + z * (1.0 / 39916800.0), f = 1.0 / 479001600.0 + z * (1.0 / 6227020800.0);
    double p = (a + zz * b) + z4 * ((c + zz * d) + z4 * (e + zz * f));
    double first = 1.0 + z1, low = z1 - (first - 1.0);
    return first + (low + (z2 + p * zz));
}

// x above zero and finite. Within 0.8 ulp; results beyond 2^-1000 and 2^1000 are held there, and none is NaN.
SILT_FN double silt_power(double x, double y)
{
    const double per_half_ln2 = 2.88539008177792681, front = 0x1.715476p+1, rest = 0x1.4ae0bf85ddf44p-25;
    SiltParts parts = silt_parts(x);
    SiltTwo artanh = silt_half_log(parts.m);
    double h1 = silt_front(artanh.high), whole_part = (double)parts.exponent, fraction = h1 * front;
    double base = whole_part + fraction; // x = 2^(base + base_rest)
    double base_rest =
        (fraction - (base - whole_part)) + (h1 * rest + ((artanh.high - h1) + artanh.low) * per_half_ln2);
    double rough = y * (base + base_rest);
    if (!(rough > -1000.0 && rough < 1000.0))
        return rough > 0.0 ? 0x1p+1000 : 0x1p-1000;
    if (rough == 0.0)
        return 1.0;
    double y1 = silt_front(y), b1 = silt_front(base), product = y1 * b1, whole = floor(product + 0.5);
    double left = (base - b1) + base_rest;
    SiltTwo r = {product - whole, y1 * left + (y - y1) * (b1 + left)};
    return ldexp(silt_exp2_near_zero(r), (int)whole);
}

#endif
#endif
