CASE(silt_sph_pair, 3, SiltSphLaw law; law.h = POSITIVE(0, 2); law.h2 = law.h * law.h;
     law.closest2 = POSITIVE(1, 0); law.poly6 = ANY(2); law.gradient = ANY(3); law.laplacian = ANY(4);
     law.artificial = ANY(5); law.diffusion = ANY(6); law.still = ANY(7); law.normal = ANY(8); law.means = 0;
     SiltSphPair pair = silt_sph_pair(law, POSITIVE(9, 2), ANY(10), ANY(11), ANY(12), ANY(13), ANY(14));
     PUT_F(0, pair.push); PUT_F(1, pair.drag); PUT_F(2, pair.rate))
CASE(silt_sph_pressure, 1, PUT_F(0, silt_sph_pressure(ANY(0), ANY(1), ANY(2), FLAG(3), FLAG(4))))
CASE(silt_sph_mean_pressure, 1, PUT_F(0, silt_sph_mean_pressure(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_sph_heft, 1, PUT_F(0, silt_sph_heft(ANY(0), ANY(1), ANY(2), ANY(3))))
