CASE(silt_eight_sum, 1, SiltEightReal of; of.e = ANY(0); of.w = ANY(1); of.s = ANY(2); of.n = ANY(3);
     of.se = ANY(4); of.nw = ANY(5); of.sw = ANY(6); of.ne = ANY(7); PUT_F(0, silt_eight_sum(of)))
CASE(silt_eight_total, 1, SiltEight of; of.e = AMOUNT(0, 26); of.w = AMOUNT(1, 26); of.s = AMOUNT(2, 26);
     of.n = AMOUNT(3, 26); of.se = AMOUNT(4, 26); of.nw = AMOUNT(5, 26); of.sw = AMOUNT(6, 26);
     of.ne = AMOUNT(7, 26); PUT_I(0, silt_eight_total(of)))
