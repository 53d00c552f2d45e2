CASE(silt_stokes_speed, 1, PUT_F(0, silt_stokes_speed(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4))))
CASE(silt_grain_speed, 1, PUT_F(0, silt_grain_speed(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4))))
CASE(silt_load_part, 1, PUT_F(0, silt_load_part(POSITIVE(0, 39), ANY(1), UNIT(2))))
CASE(silt_spline_fall, 1, PUT_F(0, silt_spline_fall(ANY(0), ANY(1))))
CASE(silt_settling, 1,
     PUT_F(0, silt_settling(POSITIVE(0, 39), REAL(1, 4), REAL(2, 30), POSITIVE(3, 0), UNIT(4))))
CASE(silt_diffusion, 1, PUT_F(0, silt_diffusion(POSITIVE(0, 39), REAL(1, 30), POSITIVE(2, 0), UNIT(3))))
CASE(silt_shear_erosion, 1, PUT_F(0, silt_shear_erosion(ANY(0), ANY(1), ANY(2), ANY(3))))
