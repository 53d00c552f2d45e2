#define PIPE(slot)                                                                                           \
    SiltPipe pipe;                                                                                           \
    pipe.push = ANY(slot);                                                                                   \
    pipe.drag = POSITIVE(slot + 1, 30);                                                                      \
    pipe.thick = 1.0f + POSITIVE(slot + 2, 4);                                                               \
    pipe.swift = ANY(slot + 3);                                                                              \
    pipe.full = POSITIVE(slot + 4, 26)
CASE(silt_pipe_depth, 1, PUT_I(0, silt_pipe_depth(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3))))
CASE(silt_pipe_flow, 1, PIPE(4); PUT_F(0, silt_pipe_flow(ANY(0), (silt_i32)BITS(1), ANY(2), ANY(3), pipe)))
CASE(silt_pipe_bound, 1, PIPE(4); PUT_F(0, silt_pipe_bound(ANY(0), pipe)))
CASE(silt_pipe_overfall, 1, PUT_F(0, silt_pipe_overfall(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_pipe_spare, 1, PUT_F(0, silt_pipe_spare(ANY(0), ANY(1), 0.0f)))
CASE(silt_pipe_share, 1, PUT_F(0, silt_pipe_share(ANY(0), ANY(1), 1.0f)))
CASE(silt_pipe_grains, 1, PUT_I(0, silt_pipe_grains(REAL(0, 30), UNIT(1))))
CASE(silt_pipe_speed_square, 1, PUT_F(0, silt_pipe_speed_square(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_pipe_vigour, 1, PUT_F(0, silt_pipe_vigour(ANY(0), ANY(1), ANY(2))))
CASE(silt_pipe_capacity, 1, PUT_F(0, silt_pipe_capacity(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), 1.0f)))
CASE(silt_pipe_even, 1, SiltEvening evening; evening.keep = UNIT(3); evening.blend = UNIT(4);
     evening.spread = UNIT(5); PUT_F(0, silt_pipe_even(ANY(0), ANY(1), ANY(2), evening)))
CASE(silt_pipe_digs_for, 1, PUT_F(0, silt_pipe_digs_for(ANY(0), ANY(1), ANY(2))))
CASE(silt_pipe_beside, 1, PUT_F(0, silt_pipe_beside(GRAINS(0), ANY(1), ANY(2))))
CASE(silt_pipe_exchange, 3, SiltRates rates; rates.dissolve = UNIT(0); rates.settle = UNIT(1);
     rates.loose = 1.0f + POSITIVE(2, 6); rates.per_loose = 1.0f / rates.loose; rates.dither = UNIT(3);
     rates.none = 0.0f; rates.most = SILT_GRAINS_CHANGE;
     SiltExchange change = silt_pipe_exchange(POSITIVE(4, 40), POSITIVE(5, 40), AMOUNT(6, 29), AMOUNT(7, 30),
                                              AMOUNT(8, 30), AMOUNT(9, 30), REAL(10, 7), FLAG(11), rates);
     PUT_I(0, change.ground); PUT_I(1, change.deposit); PUT_I(2, change.wear))
CASE(silt_pipe_to_bury, 1, PUT_I(0, silt_pipe_to_bury(POSITIVE(0, 30), POSITIVE(1, 29), UNIT(2))))
CASE(silt_pipe_slide, 1, PUT_I(0, silt_pipe_slide(GRAINS(0), NEAR(0, 1), POSITIVE(2, 30), UNIT(3), 0.0f)))
