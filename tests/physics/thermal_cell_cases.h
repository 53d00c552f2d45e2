CASE(thermal_excess, 1, PUT_I(0, thermal_excess((silt_i32)GRAINS(0), AMOUNT(1, 30))))
CASE(thermal_gain, 1,
     PUT_I(0, thermal_gain(GRAINS(0), NEAR(0, 1), -FLAG(2), AMOUNT(3, 30), UNIT(4), UNIT(5), UNIT(6))))
CASE(thermal_corner, 2,
     ThermalCorner corner = thermal_corner(GRAINS(0) / 2, NEAR(0, 1) / 2, NEAR(0, 2) / 2, NEAR(0, 3) / 2,
                                           POSITIVE(4, 30), 0.25f * UNIT(5));
     PUT_I(0, corner.west); PUT_I(1, corner.north))
CASE(thermal_height_factor, 1, PUT_F(0, thermal_height_factor(GRAINS(0), ANY(1))))
CASE(thermal_rate, 1, PUT_F(0, thermal_rate(AMOUNT(0, 31), AMOUNT(1, 31), UNIT(2), ANY(3))))
