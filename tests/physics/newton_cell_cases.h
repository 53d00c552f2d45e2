CASE(newton_level, 1, PUT_I(0, newton_level(GRAINS(0) / 2, AMOUNT(1, 29), POSITIVE(2, 10), UNIT(3))))
CASE(newton_drop, 1, PUT_F(0, newton_drop(GRAINS(0), NEAR(0, 1))))
CASE(newton_is_lower, 1, PUT_F(0, newton_is_lower(ANY(0))))
CASE(newton_sum, 1, PUT_F(0, newton_sum(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), ANY(5), ANY(6), ANY(7))))
CASE(newton_fall, 1, PUT_F(0, newton_fall(GRAINS(0), NEAR(0, 1), NEAR(0, 2))))
CASE(newton_slope, 2,
     NewtonSlope slope = newton_slope(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4), NEAR(0, 5),
                                      NEAR(0, 6), NEAR(0, 7), NEAR(0, 8), FLAG(9));
     PUT_F(0, slope.x); PUT_F(1, slope.y))
CASE(newton_pull, 1, PUT_F(0, newton_pull(ANY(0), ANY(1))))
CASE(newton_velocity, 1, PUT_F(0, newton_velocity(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(newton_split, 1, PUT_F(0, newton_split(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(newton_climb, 1, PUT_F(0, newton_climb(GRAINS(0), NEAR(0, 1), ANY(2))))
CASE(newton_share, 1, PUT_F(0, newton_share(ANY(0), ANY(1))))
CASE(newton_dither, 1, PUT_F(0, newton_dither(ANY(0), ANY(1), ANY(2))))
CASE(newton_carried, 1, PUT_I(0, newton_carried(AMOUNT(0, 26), POSITIVE(1, 30), UNIT(2))))
CASE(newton_capacity, 1, PUT_F(0, newton_capacity(ANY(0), ANY(1), ANY(2), ANY(3))))
