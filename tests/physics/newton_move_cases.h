#undef STEP
#undef SPEED
#undef GIFTS
#undef VALUES
#undef CELL
#undef POOL
#undef BED
#undef PUT_CELL
#define STEP                                                                                                 \
    SiltNewtonRock step;                                                                                     \
    step.capacity = POSITIVE(40, 10);                                                                        \
    step.most_load = POSITIVE(41, 10);                                                                       \
    step.rest = AMOUNT(42, 26);                                                                              \
    step.dig.head = 1e-3f;                                                                                   \
    step.dig.free = 0;                                                                                       \
    step.dig.share = 0.75f * UNIT(55);                                                                       \
    step.rates.dissolve = UNIT(43);                                                                          \
    step.rates.settle = UNIT(44);                                                                            \
    step.rates.loose = 1.0f + POSITIVE(45, 6);                                                               \
    step.rates.per_loose = 1.0f / step.rates.loose;                                                          \
    step.rates.dither = UNIT(46);                                                                            \
    step.rates.none = 0.0f;                                                                                  \
    step.rates.most = SILT_GRAINS_CHANGE;                                                                    \
    step.evening.keep = UNIT(56);                                                                            \
    step.evening.blend = UNIT(57);                                                                           \
    step.evening.spread = UNIT(58);                                                                          \
    step.banks = step.evening;                                                                               \
    step.slip = POSITIVE(59, 6);                                                                             \
    step.per_dt = POSITIVE(60, 6);                                                                           \
    step.share = 0.25f * UNIT(47);                                                                           \
    step.loss_dither = UNIT(48);                                                                             \
    step.dry = AMOUNT(49, 20);                                                                               \
    step.film_loss = POSITIVE(50, 31);                                                                       \
    step.grain = POSITIVE(51, 0);                                                                            \
    step.cell = POSITIVE(52, 10);                                                                            \
    step.dt = POSITIVE(53, 6)
#define SPEED(name, slot)                                                                                    \
    SiltNewtonVelocity name;                                                                                 \
    name.x = REAL(slot, 10);                                                                                 \
    name.y = REAL(slot + 1, 10);                                                                             \
    name.z = REAL(slot + 2, 10)
#define GIFTS(name, slot)                                                                                    \
    SiltEight name;                                                                                          \
    name.e = AMOUNT(slot, 25);                                                                               \
    name.w = AMOUNT(slot + 1, 25);                                                                           \
    name.s = AMOUNT(slot + 2, 25);                                                                           \
    name.n = AMOUNT(slot + 3, 25);                                                                           \
    name.se = AMOUNT(slot + 4, 25);                                                                          \
    name.nw = AMOUNT(slot + 5, 25);                                                                          \
    name.sw = AMOUNT(slot + 6, 25);                                                                          \
    name.ne = AMOUNT(slot + 7, 25)
#define VALUES(name, slot, most)                                                                             \
    SiltEightReal name;                                                                                      \
    name.e = POSITIVE(slot, most);                                                                           \
    name.w = POSITIVE(slot + 1, most);                                                                       \
    name.s = POSITIVE(slot + 2, most);                                                                       \
    name.n = POSITIVE(slot + 3, most);                                                                       \
    name.se = POSITIVE(slot + 4, most);                                                                      \
    name.nw = POSITIVE(slot + 5, most);                                                                      \
    name.sw = POSITIVE(slot + 6, most);                                                                      \
    name.ne = POSITIVE(slot + 7, most)
#define CELL                                                                                                 \
    SiltNewtonGround cell;                                                                                   \
    cell.ground = GRAINS(0) / 2;                                                                             \
    cell.deposit = AMOUNT(1, 29);                                                                            \
    cell.dissolved = AMOUNT(2, 28);                                                                          \
    cell.wear = AMOUNT(3, 31);                                                                               \
    cell.surface = 0;                                                                                        \
    cell.load = 0.0f
// Loads are such that eight gifts can be counted, as they are in a step.
#define POOL(name, slot)                                                                                     \
    SiltNewtonPool name;                                                                                     \
    name.surface = NEAR(0, slot) / 2;                                                                        \
    name.fluid = AMOUNT(slot + 1, 28);                                                                       \
    name.load = POSITIVE(slot + 2, 2)
#define BED(slot)                                                                                            \
    SiltNewtonBed bed;                                                                                       \
    bed.here = cell.ground;                                                                                  \
    bed.east = NEAR(0, slot) / 2;                                                                            \
    bed.west = NEAR(0, slot + 1) / 2;                                                                        \
    bed.south = NEAR(0, slot + 2) / 2;                                                                       \
    bed.north = NEAR(0, slot + 3) / 2
#define PUT_CELL(found)                                                                                      \
    SiltNewtonGround after = found;                                                                          \
    PUT_I(0, after.ground);                                                                                  \
    PUT_I(1, after.deposit);                                                                                 \
    PUT_I(2, after.dissolved);                                                                               \
    PUT_I(3, after.wear);                                                                                    \
    PUT_I(4, after.surface);                                                                                 \
    PUT_F(5, after.load)
CASE(silt_newton_arrive, 1, GIFTS(out_, 0); GIFTS(in, 8);
     PUT_I(0, silt_newton_arrive(AMOUNT(16, 30), out_, in)))
CASE(silt_newton_mix, 1, GIFTS(out_, 0); GIFTS(in, 8); VALUES(v, 16, 20);
     PUT_F(0, silt_newton_mix(AMOUNT(24, 30), out_, in, REAL(25, 20), v, AMOUNT(26, 30))))
CASE(silt_newton_carried, 1, PUT_I(0, silt_newton_carried(AMOUNT(0, 26), POSITIVE(1, 30), UNIT(2))))
CASE(silt_newton_carried_out, 1, GIFTS(out_, 0);
     PUT_I(0, silt_newton_carried_out(out_, POSITIVE(8, 3), UNIT(9))))
CASE(silt_newton_carried_in, 1, GIFTS(in, 0); VALUES(load, 8, 3); VALUES(dither, 16, 0);
     PUT_I(0, silt_newton_carried_in(in, load, dither)))
CASE(silt_newton_capacity, 1, PUT_F(0, silt_newton_capacity(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_newton_measure, 2, CELL; SiltNewtonGround after = silt_newton_measure(cell, AMOUNT(4, 29));
     PUT_I(0, after.surface); PUT_F(1, after.load))
CASE(silt_newton_follow, 1, PUT_F(0, silt_newton_follow(ANY(0), ANY(1))))
CASE(silt_newton_wear, 6, CELL; STEP; BED(8); SiltEvened carries; carries.even = 0.0f;
     carries.digs_for = POSITIVE(4, 40); carries.holds = POSITIVE(5, 40);
     PUT_CELL(silt_newton_wear(cell, AMOUNT(7, 29), POSITIVE(6, 10), carries, bed, POSITIVE(12, 7), step)))
CASE(silt_newton_dissolve, 6, CELL; STEP; SPEED(v, 4); BED(8);
     PUT_CELL(silt_newton_dissolve(cell, AMOUNT(7, 29), v, bed, POSITIVE(12, 7), step)))
CASE(silt_newton_dissolve_evenly, 8, CELL; STEP; SPEED(v, 4); BED(8); SiltAround around;
     around.here = POSITIVE(13, 28); around.east = POSITIVE(14, 28); around.west = POSITIVE(15, 28);
     around.south = POSITIVE(16, 28); around.north = POSITIVE(17, 28);
     SiltNewtonEvened evened = silt_newton_dissolve_evenly(cell, AMOUNT(7, 29), v, bed, around,
                                                           POSITIVE(12, 7), step);
     PUT_CELL(evened.cell); PUT_F(6, evened.could); PUT_F(7, evened.even))
CASE(silt_newton_gives_way, 1,
     PUT_I(0, silt_newton_gives_way(GRAINS(0), GRAINS(1), REAL(2, 127), REAL(3, 127))))
CASE(silt_newton_slips, 1, STEP;
     PUT_I(0, silt_newton_slips(GRAINS(0) / 2, NEAR(0, 1) / 2, REAL(2, 28), REAL(3, 28), step)))
CASE(silt_newton_beside, 1, PUT_F(0, silt_newton_beside(GRAINS(0), GRAINS(1), REAL(2, 127), REAL(3, 127))))
CASE(silt_newton_slip, 7, CELL; STEP; BED(8); SiltAround dug; dug.here = REAL(13, 28);
     dug.east = REAL(14, 28); dug.west = REAL(15, 28); dug.south = REAL(16, 28); dug.north = REAL(17, 28);
     SiltNewtonBank bank = silt_newton_slip(cell, AMOUNT(7, 29), bed, dug, step); PUT_CELL(bank.cell);
     PUT_F(6, bank.dug))
CASE(silt_newton_surplus, 1, PUT_I(0, silt_newton_surplus(AMOUNT(0, 31))))
CASE(silt_newton_relieve, 5, CELL; cell.dissolved = AMOUNT(2, 31); cell.deposit = AMOUNT(1, 20);
     SiltNewtonGround after = silt_newton_relieve(cell, AMOUNT(4, 28)); PUT_I(0, after.ground);
     PUT_I(1, after.deposit); PUT_I(2, after.dissolved); PUT_I(3, after.surface); PUT_F(4, after.load))
CASE(silt_newton_levelled, 1,
     PUT_I(0, silt_newton_levelled(GRAINS(0) / 2, NEAR(0, 1) / 2, AMOUNT(2, 29), AMOUNT(3, 29),
                                   0.25f * UNIT(4))))
CASE(silt_newton_taken_along, 1,
     PUT_I(0, silt_newton_taken_along(AMOUNT(0, 25) - AMOUNT(1, 25), POSITIVE(2, 4), POSITIVE(3, 4))))
CASE(silt_newton_smooth, 3, STEP; POOL(own, 1); POOL(e, 4); POOL(w, 7); POOL(s, 10); POOL(n, 13);
     SiltNewtonSmoothed smoothed = silt_newton_smooth(own, e, w, s, n, UNIT(16), step);
     PUT_I(0, smoothed.fluid); PUT_I(1, smoothed.gone); PUT_I(2, smoothed.taken))
CASE(silt_newton_wet, 4,
     SiltNewtonWet wet = silt_newton_wet(AMOUNT(0, 6), AMOUNT(1, 6), AMOUNT(2, 6), AMOUNT(3, 6), ANY(4));
     PUT_F(0, wet.e); PUT_F(1, wet.w); PUT_F(2, wet.n); PUT_F(3, wet.s))
CASE(silt_newton_even, 1,
     SiltNewtonWet wet = silt_newton_wet(AMOUNT(7, 6), AMOUNT(8, 6), AMOUNT(9, 6), AMOUNT(10, 6), ANY(6));
     PUT_F(0, silt_newton_even(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), AMOUNT(5, 10), wet)))
CASE(silt_newton_remember, 3, STEP; SPEED(v, 0);
     SiltNewtonPassed passed = silt_newton_remember(v, AMOUNT(3, 30), step); PUT_F(0, passed.flow);
     PUT_F(1, passed.wetness); PUT_F(2, passed.square))
