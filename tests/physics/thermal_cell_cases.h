#undef FOUR
#undef CORNER
#undef CORNERS
// Slots 1 to 12, around the height of slot 0.
#define FOUR                                                                                                 \
    SiltThermalFour four;                                                                                    \
    four.ground[0] = NEAR(0, 1) / 2;                                                                         \
    four.ground[1] = NEAR(0, 2) / 2;                                                                         \
    four.ground[2] = NEAR(0, 3) / 2;                                                                         \
    four.ground[3] = NEAR(0, 4) / 2;                                                                         \
    four.open[0] = -FLAG(5);                                                                                 \
    four.open[1] = -FLAG(6);                                                                                 \
    four.open[2] = -FLAG(7);                                                                                 \
    four.open[3] = -FLAG(8);                                                                                 \
    four.rate[0] = UNIT(9) / 8.0f;                                                                           \
    four.rate[1] = UNIT(10) / 8.0f;                                                                          \
    four.rate[2] = UNIT(11) / 8.0f;                                                                          \
    four.rate[3] = UNIT(12) / 8.0f
#define CORNER(of, slot)                                                                                     \
    of.west = AMOUNT(slot, 27) - AMOUNT(slot + 1, 27);                                                       \
    of.north = AMOUNT(slot + 2, 27) - AMOUNT(slot + 3, 27)
#define CORNERS                                                                                              \
    SiltThermalCorners corners;                                                                              \
    CORNER(corners.north_west, 0);                                                                           \
    CORNER(corners.north_east, 4);                                                                           \
    CORNER(corners.south_west, 8);                                                                           \
    CORNER(corners.south_east, 12)
CASE(silt_thermal_excess, 1, PUT_I(0, silt_thermal_excess(GRAINS(0), AMOUNT(1, 30))))
CASE(silt_thermal_gain, 1,
     PUT_I(0, silt_thermal_gain(GRAINS(0), NEAR(0, 1), -FLAG(2), AMOUNT(3, 30), UNIT(4), UNIT(5), UNIT(6))))
CASE(silt_thermal_lost, 1, PUT_I(0, silt_thermal_lost(GRAINS(0))))
CASE(silt_thermal_corner, 2,
     SiltThermalCorner corner = silt_thermal_corner(GRAINS(0) / 2, NEAR(0, 1) / 2, NEAR(0, 2) / 2,
                                                    NEAR(0, 3) / 2, -FLAG(6), POSITIVE(4, 30),
                                                    0.25f * UNIT(5));
     PUT_I(0, corner.west); PUT_I(1, corner.north))
CASE(silt_thermal_slower, 1, PUT_F(0, silt_thermal_slower(ANY(0), ANY(1), GRAINS(2))))
CASE(silt_thermal_hold, 2, SiltThermalCorner corner; CORNER(corner, 0);
     SiltThermalCorner held = silt_thermal_hold(corner, UNIT(4), UNIT(5), UNIT(6), UNIT(7), 1.0f, 1.0f);
     PUT_I(0, held.west); PUT_I(1, held.north))
CASE(silt_thermal_gain_across, 1, CORNERS; PUT_I(0, silt_thermal_gain_across(corners)))
CASE(silt_thermal_lost_across, 1, CORNERS; PUT_I(0, silt_thermal_lost_across(corners)))
CASE(silt_thermal_gain_four, 1, FOUR;
     PUT_I(0, silt_thermal_gain_four(GRAINS(0) / 2, UNIT(13) / 8.0f, four, AMOUNT(14, 28), 0.5f)))
CASE(silt_thermal_lost_four, 1, FOUR;
     PUT_I(0, silt_thermal_lost_four(GRAINS(0) / 2, four, AMOUNT(14, 28), 0.5f, UNIT(13) / 8.0f)))
CASE(silt_thermal_rate, 1,
     PUT_F(0, silt_thermal_rate(AMOUNT(0, 31), AMOUNT(1, 30), AMOUNT(2, 30), UNIT(3), UNIT(4), REAL(5, 0))))
CASE(silt_thermal_slide, 3,
     SiltThermalSlid slid = silt_thermal_slide(AMOUNT(0, 30), AMOUNT(1, 30), AMOUNT(2, 30) - AMOUNT(3, 30));
     PUT_I(0, slid.ground); PUT_I(1, slid.bed); PUT_I(2, slid.risen))
CASE(silt_thermal_steepest, 1, FOUR; PUT_F(0, silt_thermal_steepest(GRAINS(0) / 2, four, four)))
CASE(silt_thermal_limit, 1, PUT_F(0, silt_thermal_limit(POSITIVE(0, 30), POSITIVE(1, 30), UNIT(2))))
CASE(silt_thermal_breaks, 1, PUT_F(0, silt_thermal_breaks(POSITIVE(0, 30), POSITIVE(1, 30), POSITIVE(2, 30))))
