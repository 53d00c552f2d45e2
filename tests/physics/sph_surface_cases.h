#undef DRAW_NORMAL
#define DRAW_NORMAL(n, first)                                                                                \
    SiltSphNormal n;                                                                                         \
    n.x = REAL(first, 1);                                                                                    \
    n.y = REAL(first + 1, 1);                                                                                \
    n.z = REAL(first + 2, 1);                                                                                \
    n.slope = POSITIVE(first + 3, 2)
CASE(silt_sph_normal, 4,
     SiltSphNormal n = silt_sph_normal(REAL(0, 2), REAL(1, 2), REAL(2, 2), POSITIVE(3, 1));
     PUT_F(0, n.x); PUT_F(1, n.y); PUT_F(2, n.z); PUT_F(3, n.slope))
CASE(silt_sph_bend, 2, DRAW_NORMAL(a, 0); DRAW_NORMAL(b, 4);
     SiltSphBend bend = silt_sph_bend(a, b, REAL(8, 2), REAL(9, 2), REAL(10, 2), POSITIVE(11, 3), ANY(12));
     PUT_F(0, bend.turn); PUT_F(1, bend.apart))
CASE(silt_sph_curvature, 1, SiltSphBend sum; sum.turn = REAL(0, 2); sum.apart = REAL(1, 2);
     PUT_F(0, silt_sph_curvature(sum, POSITIVE(2, 1))))
