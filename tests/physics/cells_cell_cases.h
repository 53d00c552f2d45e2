CASE(cells_flow, 2,
     SiltCellsFlow flow = cells_flow(POSITIVE(0, 31), POSITIVE(1, 33), POSITIVE(2, 33), (float)AMOUNT(3, 3),
                                     UNIT(4), FLAG(5));
     PUT_F(0, flow.share); PUT_F(1, flow.even))
CASE(cells_gain, 1, SiltCellsFlow own; SiltCellsFlow other; own.share = POSITIVE(2, 0);
     own.even = POSITIVE(3, 30); other.share = POSITIVE(4, 0); other.even = POSITIVE(5, 30);
     PUT_I(0, cells_gain(GRAINS(0), NEAR(0, 1), own, other, UNIT(6), UNIT(7))))
CASE(cells_carry, 1,
     PUT_I(0, cells_carry(AMOUNT(0, 20) - AMOUNT(1, 20), POSITIVE(2, 10), POSITIVE(3, 10), UNIT(4), UNIT(5))))
CASE(cells_steepness, 1, PUT_F(0, cells_steepness(ANY(0), ANY(1), ANY(2))))
CASE(cells_calm, 1, PUT_F(0, cells_calm(ANY(0), ANY(1), ANY(2))))
CASE(cells_holds, 1, PUT_F(0, cells_holds(ANY(0), ANY(1))))
CASE(cells_dissolve, 2,
     SiltCellsDissolved dissolved = cells_dissolve(POSITIVE(0, 40), AMOUNT(1, 30), AMOUNT(2, 30),
                                                   1.0f + POSITIVE(3, 6), POSITIVE(4, 7), UNIT(5));
     PUT_I(0, dissolved.deposit); PUT_I(1, dissolved.rock))
