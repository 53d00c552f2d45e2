CASE(silt_eikonal, 1, PUT_F(0, silt_eikonal(POSITIVE(0, 3), POSITIVE(1, 3), POSITIVE(2, 3))))
