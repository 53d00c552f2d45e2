#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
CASE(rivers_root, 2, PUT_D(0, rivers_root(DOUBLE(0, 40), DOUBLE(2, 40), DOUBLE_ONE(4), DOUBLE(6, 40))))
CASE(rivers_drop, 2,
     PUT_D(0, rivers_drop(FLAG(6) ? DOUBLE(0, 40) : -1.0, DOUBLE(2, 40), FLAG(7) ? 1.0 : DOUBLE(4, 2))))
CASE(rivers_creep_gain, 2, PUT_D(0, rivers_creep_gain(DOUBLE(0, 4))))
CASE(rivers_cone, 2, PUT_D(0, rivers_cone(DOUBLE(0, 10), DOUBLE(2, 10), DOUBLE(4, 10))))
#endif
