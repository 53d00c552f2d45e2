CASE(silt_random, 4,
     SiltRandom random = silt_random((silt_u64)BITS(0) << 32 | BITS(1), BITS(2),
                                     (silt_u64)BITS(3) << 32 | BITS(4), BITS(5));
     PUT_U(0, random.word[0]); PUT_U(1, random.word[1]); PUT_U(2, random.word[2]); PUT_U(3, random.word[3]))
CASE(silt_uniform, 1, PUT_F(0, silt_uniform(BITS(0))))
CASE(silt_symmetric, 1, PUT_F(0, silt_symmetric(BITS(0))))
