#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
CASE(silt_exp2_near_zero, 2, SiltTwo r; r.high = DOUBLE_ONE(0) - 1.5; r.low = r.high * 0x1p-54;
     PUT_D(0, silt_exp2_near_zero(r)))
CASE(silt_power, 2, PUT_D(0, silt_power(DOUBLE(0, 1022), SIGNED_DOUBLE(2, 10))))
#endif
