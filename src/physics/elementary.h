// Logarithms, sines and roots of sums without the library's, whose last bits differ between machines: of
// + - * / sqrt floor and of frexp and ldexp, which are exact. In double, for what is worked out once before
// the steps; a device without double does not see them. Each says how far it is from the true value, in units
// of the result's last place (ulp); tests/test_elementary.c measures it.
#ifndef SILT_PHYSICS_ELEMENTARY_H
#define SILT_PHYSICS_ELEMENTARY_H

#include "silt_fn.h"

#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)

// ---- numbers of twice the digits: high + low, with a low that is far smaller ----

typedef struct SiltTwo {
    double high, low;
} SiltTwo;

// a + b, exactly (Knuth).
SILT_FN SiltTwo silt_two_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    SiltTwo out = {sum, (a - (sum - part)) + (b - part)};
    return out;
}

// a * b, exactly (Dekker, Veltkamp): both are cut into halves whose products fit. |a|, |b| < 2^990.
SILT_FN SiltTwo silt_two_product(double a, double b)
{
    const double cut = 134217729.0; // 2^27 + 1
    double a1 = a * cut - (a * cut - a), a2 = a - a1;
    double b1 = b * cut - (b * cut - b), b2 = b - b1;
    double product = a * b;
    SiltTwo out = {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
    return out;
}

// These two are right to about 2^-102 of the result.
SILT_FN SiltTwo silt_two_add(SiltTwo a, SiltTwo b)
{
    SiltTwo sum = silt_two_sum(a.high, b.high);
    return silt_two_sum(sum.high, sum.low + (a.low + b.low));
}

SILT_FN SiltTwo silt_two_times(SiltTwo a, SiltTwo b)
{
    SiltTwo product = silt_two_product(a.high, b.high);
    return silt_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// ---- logarithms ----

// The first 26 digits of x: two such numbers have an exact product. (A trip through float would do as well,
// but GCC 12 leaves it out where it works on two numbers at once.)
SILT_FN double silt_front(double x)
{
    union {
        double value;
        silt_u64 bits;
    } word;
    word.value = x;
    word.bits &= 0xFFFFFFFFF8000000u;
    return word.value;
}

// artanh(t) = t + t (t^2/3 + t^4/5 + ...) with t = (m - 1) / (m + 1), for m in [1/sqrt(2), sqrt(2)): half of
// the natural logarithm of m. |t| < 0.1716. Right to 2^-64 of itself: every product that matters is one of
// fronts, and what is left of each is small enough for one double.
SILT_FN SiltTwo silt_half_log(double m)
{
    const double third = 0x1.555556p-2, third_rest = -0x1.5555555555555p-27;
    double f = m - 1.0, per = 1.0 / (m + 1.0), t = f * per;
    double t1 = silt_front(t), f1 = silt_front(f);
    double t2 = (((f - 2.0 * t1) - t1 * f1) - t1 * (f - f1)) * per; // f = t (2 + f)
    double square = t1 * t1, square_rest = t2 * (2.0 * t1 + t2), s = square + square_rest, s2 = s * s;
    double a = 1.0 / 5.0 + s * (1.0 / 7.0), b = 1.0 / 9.0 + s * (1.0 / 11.0),
           c = 1.0 / 13.0 + s * (1.0 / 15.0);
    double d = 1.0 / 17.0 + s * (1.0 / 19.0), e = 1.0 / 21.0 + s * (1.0 / 23.0) + s2 * (1.0 / 25.0);
    double tail = (a + s2 * b) + (s2 * s2) * ((c + s2 * d) + (s2 * s2) * e);
    double s1 = silt_front(s), u = s1 * third; // u + v = s/3 + s^2 tail
    double v = s1 * third_rest + ((square - s1) + square_rest) * (1.0 / 3.0) + s2 * tail;
    double u1 = silt_front(u + v), first = t1 * u1, high = t1 + first;
    double low = (first - (high - t1)) + (t2 + (t1 * ((u - u1) + v) + t2 * (u + v)));
    SiltTwo out = {high, low};
    return out;
}

// x = m 2^exponent with m in [1/sqrt(2), sqrt(2)); x above zero and finite.
typedef struct SiltParts {
    double m;
    int exponent;
} SiltParts;

SILT_FN SiltParts silt_parts(double x)
{
    SiltParts out;
    out.m = frexp(x, &out.exponent); // 0.5 to 1
    if (out.m < 0.707106781186547524) {
        out.m *= 2.0;
        out.exponent--;
    }
    return out;
}

// The natural logarithm of an x above zero and finite.
SILT_FN SiltTwo silt_log_two(double x)
{
    const SiltTwo ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    SiltParts parts = silt_parts(x);
    SiltTwo exponent = {(double)parts.exponent, 0.0};
    SiltTwo artanh = silt_half_log(parts.m), log_m = {2.0 * artanh.high, 2.0 * artanh.low};
    return silt_two_add(silt_two_times(ln2, exponent), log_m);
}

// What the logarithm of a number is that has none: minus infinity for 0, infinity for itself, NaN below.
SILT_FN double silt_log_limit(double x)
{
    return x == 0.0 ? -1.0 / (x * x) : x > 0.0 ? x : (x - x) / (x - x);
}

// Within 0.51 ulp.
SILT_FN double silt_log(double x)
{
    return x > 0.0 && x - x == 0.0 ? silt_log_two(x).high : silt_log_limit(x);
}

// Within 0.51 ulp.
SILT_FN double silt_log10(double x)
{
    const SiltTwo per_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    return x > 0.0 && x - x == 0.0 ? silt_two_times(silt_log_two(x), per_ln10).high : silt_log_limit(x);
}

// ---- angles, in radians ----

// The angle less the nearest multiple of a quarter turn, and which multiple it was, modulo 4.
typedef struct SiltAngle {
    SiltTwo rest; // within an eighth of a turn
    int quarter;
} SiltAngle;

// pi / 2 comes in three parts of 30 digits, whose products with up to 2^20 are exact, and a fourth. An angle
// beyond 2^20 is brought below a turn first, roughly: there the last digit of the angle itself is worth more.
SILT_FN SiltAngle silt_angle(double x)
{
    if (!(x >= -1048576.0 && x <= 1048576.0)) {
        double turn = 6.28318530717958648;
        x = x - turn * floor(x / turn);
        x = x > 0.0 ? (x < turn ? x : turn) : 0.0;
    }
    double k = floor(x * 0.636619772367581343 + 0.5);
    SiltTwo rest = silt_two_sum(x - k * 0x1.921fb548p+0, k * 0x1.de973dc8p-31);
    SiltTwo third = {k * 0x1.9d9cceb8p-62, 0.0}, fourth = {k * 0x1.1fc8f8cbb5bf7p-93, 0.0};
    SiltAngle out = {silt_two_add(silt_two_add(rest, third), fourth), (int)(k - 4.0 * floor(0.25 * k))};
    return out;
}

// The two series for angles within an eighth of a turn. What follows the first term, or the first two, is at
// most a tenth of the result, and so its rounding errors count a tenth.
SILT_FN SiltTwo silt_sine_series(SiltTwo x)
{
    double z = x.high * x.high, p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return silt_two_sum(x.high, x.high * (p * z) + x.low * (1.0 - 0.5 * z));
}

SILT_FN SiltTwo silt_cosine_series(SiltTwo x)
{
    SiltTwo square = silt_two_product(x.high, x.high), first = silt_two_sum(1.0, -0.5 * square.high);
    double z = square.high, p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    return silt_two_sum(first.high, first.low + (p * z * z - (0.5 * square.low + x.high * x.low)));
}

// The sine of an angle plus so many quarter turns.
SILT_FN SiltTwo silt_sine_at(SiltAngle angle, int more)
{
    int quarter = (angle.quarter + more) & 3;
    SiltTwo s = quarter & 1 ? silt_cosine_series(angle.rest) : silt_sine_series(angle.rest);
    SiltTwo back = {-s.high, -s.low};
    return quarter & 2 ? back : s;
}

// Within 0.8 ulp for |x| <= 2^20; beyond, something between -1 and 1. So for the cosine.
SILT_FN double silt_sin(double x)
{
    return x - x == 0.0 ? silt_sine_at(silt_angle(x), 0).high : (x - x) / (x - x);
}

SILT_FN double silt_cos(double x)
{
    return x - x == 0.0 ? silt_sine_at(silt_angle(x), 1).high : (x - x) / (x - x);
}

// Within 0.9 ulp for |x| <= 2^20.
SILT_FN double silt_tan(double x)
{
    if (x - x != 0.0)
        return (x - x) / (x - x);
    SiltAngle angle = silt_angle(x);
    SiltTwo up = silt_sine_at(angle, 0), down = silt_sine_at(angle, 1);
    double ratio = up.high / down.high;
    SiltTwo back = silt_two_product(ratio, down.high);
    return ratio + (((up.high - back.high) - back.low) + (up.low - ratio * down.low)) / down.high;
}

// ---- lengths ----

// The root of x^2 + y^2, within 1.2 ulp where the squares are neither too large nor too small for a double
// (lengths of 1e-140 to 1e150).
SILT_FN double silt_hypot(double x, double y)
{
    return sqrt(x * x + y * y);
}

#endif
// The angle whose tangent is x, within 5 ulp: halved twice, then by its series.
SILT_FN double silt_atan(double x)
{
    double size = x < 0.0 ? -x : x;
    double t = size > 1.0 ? 1.0 / size : size;
    if (size < 1e-8)
        return x;
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    double square = t * t, sum = 0.0;
    for (int k = 25; k >= 1; k -= 2)
        sum = 1.0 / k - square * sum;
    double angle = 4.0 * (t * sum);
    angle = size > 1.0 ? 1.5707963267948966 - angle : angle;
    return x < 0.0 ? -angle : angle;
}

// The direction of (x, y), from -pi to pi; 0 for both zero.
SILT_FN double silt_atan2(double y, double x)
{
    const double pi = 3.14159265358979323846;
    if (x == 0.0)
        return y > 0.0 ? 0.5 * pi : y < 0.0 ? -0.5 * pi : 0.0;
    double angle = silt_atan(y / x);
    return x > 0.0 ? angle : y < 0.0 ? angle - pi : angle + pi;
}

#endif
