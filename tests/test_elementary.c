// The functions of our own against the library's in long double, whose 64 digits are enough to tell.
#include "test.h"

#include <float.h>

#include "core/streams.h"
#include "physics/power.h"
#include "physics/random.h"

static double uniform(uint64_t k, uint32_t what)
{
    SiltRandom random = silt_random(3, SILT_STREAM_TEST, k, what);
    return ((double)random.word[0] * 4294967296.0 + random.word[1]) * 0x1p-64;
}

// Any finite double above zero, denormals included: all patterns of bits are as likely.
static double any_positive(uint64_t k, uint32_t what)
{
    SiltRandom random = silt_random(3, SILT_STREAM_TEST, k, what);
    uint64_t bits = ((uint64_t)random.word[0] << 31 | random.word[1] >> 1) % UINT64_C(0x7FF0000000000000);
    double value;
    bits = bits ? bits : 1;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// How far `got` is from the true value, in units of its last place.
static double ulps(double got, long double wanted)
{
    int exponent;
    frexpl(fabsl(wanted), &exponent);
    exponent = exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent;
    return (double)ldexpl(fabsl((long double)got - wanted), DBL_MANT_DIG - exponent);
}

#define assert_within(worst, most)                                                                           \
    do {                                                                                                     \
        double worst_ = (worst);                                                                             \
        if (!(worst_ <= (most)))                                                                             \
            fail_msg("%s: off by %g ulp, where %g are allowed", #worst, worst_, (double)(most));             \
    } while (0)

typedef double (*Ours)(double);
typedef long double (*Theirs)(long double);

static double worst_of(Ours ours, Theirs theirs, double (*input)(uint64_t, uint32_t))
{
    double worst = 0.0;
    for (uint64_t k = 0; k < 400000; k++) {
        double x = input(k, 0), away = ulps(ours(x), theirs((long double)x));
        if (!(away <= INFINITY)) // not a number
            return INFINITY;
        worst = away > worst ? away : worst;
    }
    return worst;
}

static double moderate(uint64_t k, uint32_t what)
{
    return 0.3 + 3.0 * uniform(k, what);
}

static double close_to_one(uint64_t k, uint32_t what)
{
    return 1.0 + ldexp(uniform(k, what) - 0.5, -(int)(k % 50));
}

static void logarithms_are_within_half_an_ulp_and_a_bit(void **state)
{
    (void)state;
    double (*const inputs[])(uint64_t, uint32_t) = {any_positive, moderate, close_to_one};
    for (int n = 0; n < 3; n++) {
        assert_within(worst_of(silt_log, logl, inputs[n]), 0.51);
        assert_within(worst_of(silt_log10, log10l, inputs[n]), 0.51);
    }
    assert_true(silt_log(1.0) == 0.0 && silt_log10(1.0) == 0.0 && silt_log10(1000.0) == 3.0);
    assert_true(silt_log(0.0) == -INFINITY && silt_log(INFINITY) == INFINITY);
    assert_true(isnan(silt_log(-1.0)) && isnan(silt_log10(NAN)) && isnan(silt_log(-INFINITY)));
}

static double small_angle(uint64_t k, uint32_t what)
{
    return 14.0 * (uniform(k, what) - 0.5);
}

static double tiny_angle(uint64_t k, uint32_t what)
{
    return ldexp(uniform(k, what) - 0.5, -(int)(k % 1100));
}

static double large_angle(uint64_t k, uint32_t what)
{
    return 2097152.0 * (uniform(k, what) - 0.5);
}

// Where the sine, the cosine or the tangent vanishes, or nearly so.
static double near_quarters(uint64_t k, uint32_t what)
{
    double quarters = floor(600000.0 * uniform(k, what) * uniform(k, what + 1));
    return quarters * 1.57079632679489662 * (1.0 + (double)((int)(k % 9) - 4) * 0x1p-53);
}

static double degrees(uint64_t k, uint32_t what)
{
    (void)what;
    return (double)((int64_t)k % 2881 - 1440) * 0.25 * (3.14159265358979323846 / 180.0);
}

static void angles_are_within_an_ulp(void **state)
{
    (void)state;
    double (*const inputs[])(uint64_t, uint32_t) = {small_angle, tiny_angle, large_angle, near_quarters,
                                                    degrees};
    for (int n = 0; n < 5; n++) {
        assert_within(worst_of(silt_sin, sinl, inputs[n]), 0.8);
        assert_within(worst_of(silt_cos, cosl, inputs[n]), 0.8);
        assert_within(worst_of(silt_tan, tanl, inputs[n]), 0.9);
        assert_within(worst_of(silt_atan, atanl, inputs[n]), 5.0);
    }
    assert_true(silt_sin(0.0) == 0.0 && silt_cos(0.0) == 1.0 && silt_tan(0.0) == 0.0);
    for (uint64_t k = 0; k < 10000; k++) { // beyond: whatever it is, it is a sine
        double x = any_positive(k, 0) * (k % 2 ? 1.0 : -1.0);
        assert_true(fabs(silt_sin(x)) <= 1.0 && fabs(silt_cos(x)) <= 1.0 && !isnan(silt_tan(x)));
    }
    assert_true(isnan(silt_sin(INFINITY)) && isnan(silt_cos(NAN)) && isnan(silt_tan(-INFINITY)));
}

static void powers_are_within_an_ulp(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t k = 0; k < 600000; k++) {
        double x = k % 3 == 0 ? any_positive(k, 0) : k % 3 == 1 ? moderate(k, 0) : close_to_one(k, 0);
        double span = fabs(log2(x)) > 1e-300 ? 2000.0 / fabs(log2(x)) : 1.0;
        double y = (k % 2 ? 6.0 : span < 1e15 ? span : 1e15) * (uniform(k, 1) - 0.5);
        long double wanted = powl((long double)x, (long double)y);
        if (wanted < 0x1p-999L || wanted > 0x1p+999L)
            continue;
        double away = ulps(silt_power(x, y), wanted);
        assert_true(away < INFINITY);
        worst = away > worst ? away : worst;
    }
    assert_within(worst, 0.8);
    for (int n = 1; n < 20; n++) // whole powers that a double holds are exact
        assert_true(silt_power(3.0, n) == floor(pow(3.0, n) + 0.5) && silt_power(2.0, -n) == ldexp(1.0, -n));
    assert_true(silt_power(10.0, 15.0) == 1e15 && silt_power(7.5, 0.0) == 1.0 &&
                silt_power(1.0, 1e300) == 1.0);
}

static void powers_beyond_what_they_are_made_for_are_held(void **state)
{
    (void)state;
    assert_true(silt_power(2.0, 5000.0) == 0x1p+1000 && silt_power(2.0, -5000.0) == 0x1p-1000);
    assert_true(silt_power(1e300, 1e300) == 0x1p+1000 && silt_power(1e300, -1e300) == 0x1p-1000);
    assert_true(silt_power(0x1p-1074, 1.0) == 0x1p-1000 && silt_power(0x1p-1074, 0.5) == 0x1p-537);
}

static void lengths_are_within_an_ulp_and_a_fifth(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t k = 0; k < 1000000; k++) {
        int scale = (int)(k % 900) - 450;
        double x = ldexp(uniform(k, 0), scale), y = ldexp(uniform(k, 1), scale - (int)(k % 7));
        double away = ulps(silt_hypot(x, -y), hypotl((long double)x, (long double)y));
        assert_true(away < INFINITY);
        worst = away > worst ? away : worst;
    }
    assert_within(worst, 1.2);
    assert_true(silt_hypot(3.0, -4.0) == 5.0 && silt_hypot(0.0, 0.0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_within_half_an_ulp_and_a_bit),
        cmocka_unit_test(angles_are_within_an_ulp),
        cmocka_unit_test(powers_are_within_an_ulp),
        cmocka_unit_test(powers_beyond_what_they_are_made_for_are_held),
        cmocka_unit_test(lengths_are_within_an_ulp_and_a_fifth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
