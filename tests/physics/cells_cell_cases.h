#undef STEP
#undef SIDE
#define STEP                                                                                                 \
    SiltCellsStep step;                                                                                      \
    step.per_metre = POSITIVE(40, 20);                                                                       \
    step.over_two = POSITIVE(41, 0);                                                                         \
    step.rate = POSITIVE(42, 14);                                                                            \
    step.capacity = POSITIVE(43, 13);                                                                        \
    step.least = UNIT(44);                                                                                   \
    step.loose = 1.0f + POSITIVE(45, 6);                                                                     \
    step.still = UNIT(46);                                                                                   \
    step.rain_dither = UNIT(47);                                                                             \
    step.rock_dither = UNIT(48);                                                                             \
    step.load_dither = UNIT(49);                                                                             \
    step.loss_dither = UNIT(50);                                                                             \
    step.dt = POSITIVE(51, 10);                                                                              \
    step.volume = POSITIVE(52, 10);                                                                          \
    step.top_speed = POSITIVE(53, 10);                                                                       \
    step.wet = AMOUNT(54, 20);                                                                               \
    step.fan = AMOUNT(55, 26);                                                                               \
    step.most = UNIT(58);                                                                                    \
    step.dig.head = 1e-3f;                                                                                   \
    step.dig.free = 0;                                                                                       \
    step.dig.share = 0.75f * UNIT(57)
#define SIDE(name, height, slot)                                                                             \
    SiltCellsSide name;                                                                                      \
    name.altitude = height;                                                                                  \
    name.flow.share = POSITIVE(slot, 0);                                                                     \
    name.flow.even = POSITIVE(slot + 1, 20);                                                                 \
    name.load = UNIT(slot + 2);                                                                              \
    name.dither = UNIT(slot + 3)
CASE(silt_cells_rain, 3, STEP;
     SiltCellsRained rained = silt_cells_rain(GRAINS(0) / 2, AMOUNT(1, 29), POSITIVE(2, 10), step);
     PUT_I(0, rained.water); PUT_I(1, rained.taken); PUT_I(2, rained.full))
CASE(silt_cells_rise, 1, PUT_F(0, silt_cells_rise(GRAINS(0), NEAR(0, 1), NEAR(0, 2), ANY(3))))
CASE(silt_cells_fall, 1, PUT_F(0, silt_cells_fall(GRAINS(0), NEAR(0, 1), NEAR(0, 2), ANY(3))))
CASE(silt_cells_steepness, 1, PUT_F(0, silt_cells_steepness(ANY(0), ANY(1), ANY(2))))
CASE(silt_cells_calm, 1, PUT_F(0, silt_cells_calm(ANY(0), ANY(1), ANY(2))))
CASE(silt_cells_calm_of, 1, STEP;
     PUT_F(0, silt_cells_calm_of(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4), step)))
CASE(silt_cells_holds, 1, PUT_F(0, silt_cells_holds(ANY(0), ANY(1))))
CASE(silt_cells_dissolve, 2,
     SiltCellsDissolved dissolved = silt_cells_dissolve(POSITIVE(0, 40), AMOUNT(1, 30), AMOUNT(2, 30),
                                                        1.0f + POSITIVE(3, 6), POSITIVE(4, 7), UNIT(5));
     PUT_I(0, dissolved.deposit); PUT_I(1, dissolved.rock))
CASE(silt_cells_wear, 4, STEP;
     SiltCellsGround after = silt_cells_wear(GRAINS(0) / 2, NEAR(0, 1) / 2, NEAR(0, 2) / 2, NEAR(0, 3) / 2,
                                             NEAR(0, 4) / 2, AMOUNT(5, 29), AMOUNT(6, 27), AMOUNT(7, 29),
                                             POSITIVE(8, 7), UNIT(9), step);
     PUT_I(0, after.ground); PUT_I(1, after.sediment); PUT_I(2, after.deposit); PUT_I(3, after.altitude))
CASE(silt_cells_worn, 1, PUT_I(0, silt_cells_worn(AMOUNT(0, 31), AMOUNT(1, 30), AMOUNT(2, 30))))
CASE(silt_cells_bring, 1, STEP;
     PUT_I(0, silt_cells_bring(GRAINS(0), AMOUNT(1, 27), POSITIVE(2, 10), POSITIVE(3, 0) + 1e-6f, step)))
CASE(silt_cells_flow, 2,
     SiltCellsFlow flow = silt_cells_flow(POSITIVE(0, 31), POSITIVE(1, 33), POSITIVE(2, 33),
                                          (float)AMOUNT(3, 3), UNIT(4), FLAG(5));
     PUT_F(0, flow.share); PUT_F(1, flow.even))
CASE(silt_cells_drop, 1, PUT_I(0, silt_cells_drop(GRAINS(0), NEAR(0, 1))))
CASE(silt_cells_drops, 2,
     SiltCellsDrops drops = silt_cells_drops(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4));
     PUT_F(0, drops.sum); PUT_F(1, drops.count))
CASE(silt_cells_part, 4, STEP;
     SiltCellsDrops straight = silt_cells_drops(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3), NEAR(0, 4));
     SiltCellsDrops diagonal = silt_cells_drops(GRAINS(0), NEAR(0, 5), NEAR(0, 6), NEAR(0, 7), NEAR(0, 8));
     SiltCellsSide side = silt_cells_part(GRAINS(0), straight, diagonal, AMOUNT(9, 30), AMOUNT(10, 28),
                                          FLAG(11), FLAG(12), step);
     PUT_F(0, side.flow.share); PUT_F(1, side.flow.even); PUT_F(2, side.load); PUT_F(3, side.dither))
CASE(silt_cells_gain, 1, SIDE(own, GRAINS(0), 2); SIDE(other, NEAR(0, 1), 6);
     PUT_I(0, silt_cells_gain(own.altitude, other.altitude, own.flow, other.flow, UNIT(10), UNIT(11))))
CASE(silt_cells_carry, 1,
     PUT_I(0, silt_cells_carry(AMOUNT(0, 20) - AMOUNT(1, 20), POSITIVE(2, 10), POSITIVE(3, 10), UNIT(4),
                               UNIT(5))))
CASE(silt_cells_exchange, 3, SIDE(own, GRAINS(0), 2); SIDE(other, NEAR(0, 1), 6); SiltCellsNet net;
     net.water = AMOUNT(10, 28); net.sediment = AMOUNT(11, 28); net.given = AMOUNT(12, 28);
     net = silt_cells_exchange(net, own, other, SILT_CELLS_ACROSS, 1.0f / 9.0f); PUT_I(0, net.water);
     PUT_I(1, net.sediment); PUT_I(2, net.given))
CASE(silt_cells_shares, 2, SiltCellsShares shares = silt_cells_shares(UNIT(0), UNIT(1));
     PUT_F(0, shares.straight); PUT_F(1, shares.diagonal))
CASE(silt_cells_trade, 3, SiltCellsGiver own; own.altitude = GRAINS(0); own.share = UNIT(2) / 9.0f;
     own.load = UNIT(3); own.dither = UNIT(4); SiltCellsGiver other; other.altitude = NEAR(0, 1);
     other.share = UNIT(5) / 9.0f; other.load = UNIT(6); other.dither = UNIT(7); SiltCellsNet net;
     net.water = AMOUNT(10, 28); net.sediment = AMOUNT(11, 28); net.given = AMOUNT(12, 28);
     net = silt_cells_trade(net, own, other); PUT_I(0, net.water); PUT_I(1, net.sediment);
     PUT_I(2, net.given))
CASE(silt_cells_to_fill, 1, PUT_I(0, silt_cells_to_fill(GRAINS(0), NEAR(0, 1))))
CASE(silt_cells_dry, 5, STEP; SiltCellsGround cell; cell.ground = GRAINS(0) / 2; cell.sediment = 0;
     cell.deposit = AMOUNT(1, 28); cell.altitude = 0;
     SiltCellsDone done = silt_cells_dry(cell, AMOUNT(2, 29), AMOUNT(3, 29), AMOUNT(4, 28), AMOUNT(5, 28),
                                         UNIT(6), UNIT(7), step);
     PUT_I(0, done.ground); PUT_I(1, done.water); PUT_I(2, done.sediment); PUT_I(3, done.deposit);
     PUT_I(4, done.dried))
CASE(silt_cells_surplus, 1, PUT_I(0, silt_cells_surplus(AMOUNT(0, 31))))
