#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
CASE(silt_log_near_one, 2, PUT_D(0, silt_log_near_one(0.70710678118654757 * DOUBLE_ONE(0))))
CASE(silt_exp_near_zero, 2, PUT_D(0, silt_exp_near_zero((DOUBLE_ONE(0) - 1.5) * 0.6931471805599453)))
CASE(silt_power, 2, PUT_D(0, silt_power(DOUBLE(0, 1022), DOUBLE(2, 10))))
#endif
