CASE(silt_stroke_along, 1, PUT_F(0, silt_stroke_along(REAL(0, 5), REAL(1, 5), REAL(2, 5), REAL(3, 5))))
CASE(silt_stroke_weight, 1, PUT_F(0, silt_stroke_weight(POSITIVE(0, 5), POSITIVE(1, 5), UNIT(2))))
CASE(silt_stroke_cell, 1,
     PUT_F(0, silt_stroke_cell(REAL(0, 5), REAL(1, 5), REAL(2, 5), REAL(3, 5), POSITIVE(4, 5), UNIT(5))))
CASE(silt_stroke_towards, 1, PUT_F(0, silt_stroke_towards(REAL(0, 4), REAL(1, 4), UNIT(2))))
CASE(silt_stroke_ridge, 1, PUT_F(0, silt_stroke_ridge(REAL(0, 4), REAL(1, 4), REAL(2, 4), UNIT(3), UNIT(4))))
CASE(silt_stroke_bed, 1, PUT_F(0, silt_stroke_bed(REAL(0, 4), REAL(1, 4), REAL(2, 4), UNIT(3), UNIT(4))))
CASE(silt_stroke_factor, 1, PUT_F(0, silt_stroke_factor(POSITIVE(0, 3), UNIT(1))))
CASE(silt_stroke_drop, 1, PUT_F(0, silt_stroke_drop(POSITIVE(0, 3), BITS(1))))
