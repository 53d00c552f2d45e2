CASE(silt_cell_reach, 2,
     SiltCellReach reach = silt_cell_reach(UNIT(0), REAL(1, 4), REAL(2, 4), POSITIVE(3, 3), UNIT(4));
     PUT_I(0, reach.from); PUT_I(1, reach.to))
#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
CASE(silt_cell_scaled, 2,
     PUT_D(0, silt_cell_scaled(REAL(0, 20), SIGNED_DOUBLE(1, 20), DOUBLE(3, 10), (int)(BITS(5) >> 12))))
CASE(silt_cell_whole, 1,
     PUT_I(0, silt_cell_whole(silt_cell_scaled(REAL(0, 20), SIGNED_DOUBLE(1, 20), DOUBLE(3, 10),
                                               (int)(BITS(5) >> 12)))))
CASE(silt_cell_of, 1,
     PUT_I(0, silt_cell_of(REAL(0, 20), SIGNED_DOUBLE(1, 20), DOUBLE(3, 10), 1 + (int)(BITS(5) >> 12))))
#endif
