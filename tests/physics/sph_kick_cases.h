CASE(silt_sph_kick, 8,
     SiltSphKick k = silt_sph_kick(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), ANY(5), ANY(6), ANY(7), ANY(8),
                                   ANY(9), ANY(10));
     PUT_F(0, k.x); PUT_F(1, k.y); PUT_F(2, k.z); PUT_F(3, k.u); PUT_F(4, k.v); PUT_F(5, k.w);
     PUT_F(6, k.speed2); PUT_F(7, k.force2))
CASE(silt_sph_next_density, 1,
     PUT_F(0, silt_sph_next_density(ANY(0), ANY(1), POSITIVE(2, 12), POSITIVE(3, 2))))
