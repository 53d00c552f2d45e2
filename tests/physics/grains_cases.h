CASE(silt_mini, 1, PUT_I(0, silt_mini((silt_i32)BITS(0), (silt_i32)BITS(1))))
CASE(silt_maxi, 1, PUT_I(0, silt_maxi((silt_i32)BITS(0), (silt_i32)BITS(1))))
CASE(silt_clampi, 1, PUT_I(0, silt_clampi((silt_i32)BITS(0), (silt_i32)BITS(1), (silt_i32)BITS(2))))
CASE(silt_grains, 1, PUT_I(0, silt_grains(POSITIVE(0, 127), UNIT(1))))
CASE(silt_grains_moved, 1, PUT_I(0, silt_grains_moved(POSITIVE(0, 127), UNIT(1))))
CASE(silt_grains_over, 1, PUT_I(0, silt_grains_over(GRAINS(0), AMOUNT(1, 31))))
CASE(silt_grains_to_dig, 1, SiltDigging dig; dig.head = 1.0f; dig.share = 0.75f * UNIT(6); dig.free = 0;
     PUT_I(0, silt_grains_to_dig(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4), POSITIVE(7, 28),
                                 dig)))
CASE(silt_grains_to_heap, 1,
     PUT_I(0, silt_grains_to_heap(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4), AMOUNT(5, 26))))
CASE(silt_grains_above, 1, PUT_I(0, silt_grains_above(NEAR(1, 0), GRAINS(1), NEAR(1, 2))))
CASE(silt_grains_worn, 1, PUT_I(0, silt_grains_worn(AMOUNT(0, 31), AMOUNT(1, 31))))
CASE(silt_dither, 1, PUT_F(0, silt_dither((silt_u64)BITS(0) << 32 | BITS(1), BITS(2))))
