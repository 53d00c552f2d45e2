#undef STEP
#undef AROUND
#undef SPEED
// A step's constants from slot 40 on; the levels around slot 0; velocities.
#define STEP                                                                                                 \
    SiltNewtonStep step;                                                                                     \
    step.per_metre = POSITIVE(40, 20);                                                                       \
    step.rain_dither = UNIT(41);                                                                             \
    step.influence = UNIT(42);                                                                               \
    step.per_cell = POSITIVE(43, 0);                                                                         \
    step.gravity = POSITIVE(44, 7);                                                                          \
    step.keep = UNIT(45);                                                                                    \
    step.gain = POSITIVE(46, 6);                                                                             \
    step.swift = POSITIVE(47, 10);                                                                           \
    step.courant = POSITIVE(48, 4);                                                                          \
    step.slow = POSITIVE(49, 7);                                                                             \
    step.push = UNIT(50);                                                                                    \
    step.head = POSITIVE(51, 20);                                                                            \
    step.fluid_dither = UNIT(52);                                                                            \
    step.load_dither = UNIT(53);                                                                             \
    step.along = FLAG(54)
#define AROUND                                                                                               \
    SiltEight around;                                                                                        \
    around.e = NEAR(0, 1);                                                                                   \
    around.w = NEAR(0, 2);                                                                                   \
    around.s = NEAR(0, 3);                                                                                   \
    around.n = NEAR(0, 4);                                                                                   \
    around.se = NEAR(0, 5);                                                                                  \
    around.nw = NEAR(0, 6);                                                                                  \
    around.sw = NEAR(0, 7);                                                                                  \
    around.ne = NEAR(0, 8)
#define SPEED(name, slot)                                                                                    \
    SiltNewtonVelocity name;                                                                                 \
    name.x = REAL(slot, 10);                                                                                 \
    name.y = REAL(slot + 1, 10);                                                                             \
    name.z = REAL(slot + 2, 10)
CASE(silt_newton_square, 1, SPEED(v, 0); PUT_F(0, silt_newton_square(v)))
CASE(silt_newton_level, 1,
     PUT_I(0, silt_newton_level(GRAINS(0) / 2, AMOUNT(1, 29), POSITIVE(2, 10), UNIT(3))))
CASE(silt_newton_rain, 3, STEP; SPEED(v, 3);
     SiltNewtonRained rained = silt_newton_rain(GRAINS(0) / 2, AMOUNT(1, 29), POSITIVE(2, 10), v, step);
     PUT_I(0, rained.fluid); PUT_I(1, rained.level); PUT_I(2, rained.added))
CASE(silt_newton_bring, 1, STEP; PUT_I(0, silt_newton_bring(GRAINS(0), AMOUNT(1, 29), POSITIVE(2, 10), step)))
CASE(silt_newton_drop, 1, PUT_F(0, silt_newton_drop(GRAINS(0), NEAR(0, 1))))
CASE(silt_newton_drops, 2, AROUND; SiltEightReal drops = silt_newton_drops(GRAINS(0), around);
     PUT_F(0, (drops.e - drops.w) + (drops.s - drops.n));
     PUT_F(1, (drops.se - drops.nw) + (drops.sw - drops.ne)))
CASE(silt_newton_is_lower, 1, PUT_F(0, silt_newton_is_lower(ANY(0))))
CASE(silt_newton_fall, 1, PUT_F(0, silt_newton_fall(GRAINS(0), NEAR(0, 1), NEAR(0, 2))))
CASE(silt_newton_slope, 2, AROUND; SiltNewtonSlope slope = silt_newton_slope(GRAINS(0), around, FLAG(9));
     PUT_F(0, slope.x); PUT_F(1, slope.y))
CASE(silt_newton_pull, 1, PUT_F(0, silt_newton_pull(ANY(0), ANY(1))))
CASE(silt_newton_velocity, 1, PUT_F(0, silt_newton_velocity(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_newton_push, 4, AROUND; STEP; SPEED(v, 10);
     SiltNewtonPushed pushed = silt_newton_push(GRAINS(0), around, v, FLAG(9), step);
     PUT_F(0, pushed.velocity.x); PUT_F(1, pushed.velocity.y); PUT_F(2, pushed.velocity.z);
     PUT_I(3, pushed.bounded))
CASE(silt_newton_split, 1, PUT_F(0, silt_newton_split(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_newton_climb, 1, PUT_F(0, silt_newton_climb(GRAINS(0), NEAR(0, 1), ANY(2))))
CASE(silt_newton_at_side, 1, PUT_F(0, silt_newton_at_side(ANY(0), ANY(1), AMOUNT(2, 10))))
CASE(silt_newton_to, 1, PUT_F(0, silt_newton_to(GRAINS(0), FLAG(1), ANY(2), ANY(3))))
CASE(silt_newton_share, 1, PUT_F(0, silt_newton_share(ANY(0), ANY(1))))
CASE(silt_newton_dither, 1, PUT_F(0, silt_newton_dither(ANY(0), ANY(1), ANY(2))))
#undef SIDES
#define SIDES                                                                                                \
    SiltNewtonSides side;                                                                                    \
    side.wet_e = AMOUNT(20, 30);                                                                             \
    side.wet_w = AMOUNT(21, 30);                                                                             \
    side.wet_s = AMOUNT(22, 30);                                                                             \
    side.wet_n = AMOUNT(23, 30);                                                                             \
    side.x_e = REAL(24, 10);                                                                                 \
    side.x_w = REAL(25, 10);                                                                                 \
    side.y_s = REAL(26, 10);                                                                                 \
    side.y_n = REAL(27, 10)
CASE(silt_newton_leave, 8, AROUND; STEP; SIDES; SPEED(before, 10); SPEED(v, 13);
     SiltEightReal to = silt_newton_leave(GRAINS(0), around, (float)AMOUNT(16, 30), side, before, v, step);
     PUT_F(0, to.e); PUT_F(1, to.w); PUT_F(2, to.s); PUT_F(3, to.n); PUT_F(4, to.se); PUT_F(5, to.nw);
     PUT_F(6, to.sw); PUT_F(7, to.ne))
CASE(silt_newton_spread, 10, AROUND; STEP; SIDES; SPEED(before, 10); SPEED(v, 13);
     SiltNewtonSpread spread = silt_newton_spread(GRAINS(0), around, AMOUNT(16, 30), side, AMOUNT(17, 28),
                                                  before, v, step);
     PUT_I(0, spread.out.e); PUT_I(1, spread.out.w); PUT_I(2, spread.out.s); PUT_I(3, spread.out.n);
     PUT_I(4, spread.out.se); PUT_I(5, spread.out.nw); PUT_I(6, spread.out.sw); PUT_I(7, spread.out.ne);
     PUT_F(8, spread.load); PUT_F(9, spread.load_dither))
