#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
#undef TWO
#undef PUT_TWO
#undef ANGLE
#define TWO(name, slot)                                                                                      \
    SiltTwo name;                                                                                            \
    name.high = SIGNED_DOUBLE(slot, 400);                                                                    \
    name.low = name.high * 0x1p-54 * DOUBLE_ONE(slot + 2)
#define PUT_TWO(value)                                                                                       \
    SiltTwo two = value;                                                                                     \
    PUT_D(0, two.high);                                                                                      \
    PUT_D(2, two.low)
#define ANGLE(name, slot)                                                                                    \
    SiltTwo name;                                                                                            \
    name.high = SIGNED_DOUBLE(slot, 0) * 0.39;                                                               \
    name.low = name.high * 0x1p-54 * DOUBLE_ONE(slot + 2)
CASE(silt_two_sum, 4, PUT_TWO(silt_two_sum(SIGNED_DOUBLE(0, 900), SIGNED_DOUBLE(2, 900))))
CASE(silt_two_product, 4, PUT_TWO(silt_two_product(SIGNED_DOUBLE(0, 400), SIGNED_DOUBLE(2, 400))))
CASE(silt_two_add, 4, TWO(a, 0); TWO(b, 4); PUT_TWO(silt_two_add(a, b)))
CASE(silt_two_times, 4, TWO(a, 0); TWO(b, 4); PUT_TWO(silt_two_times(a, b)))
CASE(silt_front, 2, PUT_D(0, silt_front(SIGNED_DOUBLE(0, 100))))
CASE(silt_half_log, 4, PUT_TWO(silt_half_log(0.70710678118654757 * DOUBLE_ONE(0))))
CASE(silt_parts, 3, SiltParts parts = silt_parts(DOUBLE(0, 1022)); PUT_D(0, parts.m);
     PUT_I(2, parts.exponent))
CASE(silt_log_two, 4, PUT_TWO(silt_log_two(DOUBLE(0, 1022))))
CASE(silt_log_limit, 2, PUT_D(0, silt_log_limit(FLAG(2) ? SIGNED_DOUBLE(0, 1022) : 0.0)))
CASE(silt_log, 2, PUT_D(0, silt_log(FLAG(2) ? DOUBLE(0, 1022) : DOUBLE_ONE(0) - 1.0)))
CASE(silt_log10, 2, PUT_D(0, silt_log10(DOUBLE(0, 1022))))
CASE(silt_angle, 5, SiltAngle angle = silt_angle(SIGNED_DOUBLE(0, 40)); PUT_D(0, angle.rest.high);
     PUT_D(2, angle.rest.low); PUT_I(4, angle.quarter))
CASE(silt_sine_series, 4, ANGLE(x, 0); PUT_TWO(silt_sine_series(x)))
CASE(silt_cosine_series, 4, ANGLE(x, 0); PUT_TWO(silt_cosine_series(x)))
CASE(silt_sine_at, 4, PUT_TWO(silt_sine_at(silt_angle(SIGNED_DOUBLE(0, 30)), FLAG(2))))
CASE(silt_sin, 2, PUT_D(0, silt_sin(SIGNED_DOUBLE(0, 30))))
CASE(silt_cos, 2, PUT_D(0, silt_cos(SIGNED_DOUBLE(0, 30))))
CASE(silt_tan, 2, PUT_D(0, silt_tan(SIGNED_DOUBLE(0, 30))))
CASE(silt_atan, 2, PUT_D(0, silt_atan(SIGNED_DOUBLE(0, 40))))
CASE(silt_atan2, 2, PUT_D(0, silt_atan2(SIGNED_DOUBLE(0, 40), SIGNED_DOUBLE(2, 40))))
CASE(silt_hypot, 2, PUT_D(0, silt_hypot(SIGNED_DOUBLE(0, 400), SIGNED_DOUBLE(2, 400))))
#endif
