CASE(strata_level, 1, PUT_F(0, strata_level(ANY(0), ANY(1), ANY(2))))
CASE(strata_position, 1, PUT_F(0, strata_position(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), ANY(5))))
CASE(strata_pick, 1, PUT_F(0, strata_pick(UNIT(0), UNIT(1), UNIT(2), ANY(3), ANY(4))))
CASE(strata_intrude, 1, PUT_F(0, strata_intrude(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4))))
