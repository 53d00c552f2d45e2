#undef DRAW_LAW
#define DRAW_LAW(law)                                                                                        \
    SiltSphLaw law;                                                                                          \
    law.h = POSITIVE(0, 2);                                                                                  \
    law.h2 = law.h * law.h;                                                                                  \
    law.closest2 = POSITIVE(1, 0);                                                                           \
    law.poly6 = ANY(2);                                                                                      \
    law.gradient = ANY(3);                                                                                   \
    law.laplacian = ANY(4);                                                                                  \
    law.artificial = ANY(5);                                                                                 \
    law.diffusion = ANY(6);                                                                                  \
    law.still = ANY(7);                                                                                      \
    law.normal = ANY(8);                                                                                     \
    law.means = FLAG(9)
#undef DRAW_PLACE
#define DRAW_PLACE(p)                                                                                        \
    SiltSphPlace p;                                                                                          \
    p.x = REAL(10, 2);                                                                                       \
    p.y = REAL(11, 2);                                                                                       \
    p.z = REAL(12, 2);                                                                                       \
    p.self = 0;                                                                                              \
    p.nx = REAL(13, 0);                                                                                      \
    p.ny = REAL(14, 0);                                                                                      \
    p.nz = REAL(15, 0);                                                                                      \
    p.gap = POSITIVE(16, 1)
#undef PUT_SUMS
#define PUT_SUMS(sums)                                                                                       \
    PUT_F(0, sums.ax);                                                                                       \
    PUT_F(1, sums.ay);                                                                                       \
    PUT_F(2, sums.az);                                                                                       \
    PUT_F(3, sums.rate);                                                                                     \
    PUT_F(4, sums.bx);                                                                                       \
    PUT_F(5, sums.by);                                                                                       \
    PUT_F(6, sums.bz);                                                                                       \
    PUT_F(7, sums.nx);                                                                                       \
    PUT_F(8, sums.ny);                                                                                       \
    PUT_F(9, sums.nz);                                                                                       \
    PUT_F(10, sums.curve)
CASE(silt_sph_meet, 11, DRAW_LAW(law); DRAW_PLACE(place); SiltSphPull g; g.x = ANY(20); g.y = ANY(21);
     g.z = ANY(22); SiltSphQuery q; q.at = place; q.u = ANY(23); q.v = ANY(24); q.w = ANY(25);
     q.slip_u = ANY(26); q.slip_v = ANY(27); q.slip_w = ANY(28); q.pressure = ANY(29); q.density = ANY(30);
     q.weight = ANY(31); SiltSphRecord b; b.x = REAL(32, 2); b.y = REAL(33, 2); b.z = REAL(34, 2);
     b.density = ANY(35); b.u = ANY(36); b.v = ANY(37); b.w = ANY(38); b.pressure = ANY(39);
     SiltSphSums sums = silt_sph_meet(law, g, q, b, FLAG(40), FLAG(41), 1); PUT_SUMS(sums))
CASE(silt_sph_share, 1, DRAW_PLACE(place);
     PUT_F(0, silt_sph_share(place, REAL(20, 2), REAL(21, 2), REAL(22, 2), POSITIVE(23, 3))))
CASE(silt_sph_join, 1, DRAW_LAW(law); PUT_F(0, silt_sph_join(law, POSITIVE(20, 2))))
CASE(silt_sph_weigh, 2, SiltSphRecord r; r.x = r.y = r.z = r.u = r.v = r.w = 0.0f; r.density = ANY(0);
     r.pressure = ANY(1); r = silt_sph_weigh(r, ANY(2)); PUT_F(0, r.density); PUT_F(1, r.pressure))
