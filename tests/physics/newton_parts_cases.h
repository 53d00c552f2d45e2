// A step's constants from slot 43 and 54 on; the levels around slot 0; velocities.
#define STEP                                                                                                 \
    SiltNewtonStep step;                                                                                     \
    step.per_cell = POSITIVE(43, 0);                                                                         \
    step.gravity = POSITIVE(44, 7);                                                                          \
    step.keep = UNIT(45);                                                                                    \
    step.gain = POSITIVE(46, 6);                                                                             \
    step.swift = POSITIVE(47, 10);                                                                           \
    step.courant = POSITIVE(48, 0);                                                                          \
    step.slow = POSITIVE(49, 7);                                                                             \
    step.fluid_dither = UNIT(52);                                                                            \
    step.load_dither = UNIT(53)
#define ROCK                                                                                                 \
    SiltNewtonRock rock;                                                                                     \
    rock.capacity = POSITIVE(54, 10);                                                                        \
    rock.rates.dissolve = UNIT(55);                                                                          \
    rock.rates.settle = UNIT(56);                                                                            \
    rock.rates.dither = UNIT(57);                                                                            \
    rock.share = 0.2f * UNIT(58);                                                                            \
    rock.loss_dither = UNIT(59);                                                                             \
    rock.dry = AMOUNT(60, 20)
#define SPEED(name, slot)                                                                                    \
    SiltNewtonVelocity name;                                                                                 \
    name.x = REAL(slot, 10);                                                                                 \
    name.y = REAL(slot + 1, 10);                                                                             \
    name.z = REAL(slot + 2, 10)
#define GIVER                                                                                                \
    SiltNewtonGiver giver;                                                                                   \
    SPEED(before, 10);                                                                                       \
    giver.level = GRAINS(0);                                                                                 \
    giver.around.e = NEAR(0, 1);                                                                             \
    giver.around.w = NEAR(0, 2);                                                                             \
    giver.around.s = NEAR(0, 3);                                                                             \
    giver.around.n = NEAR(0, 4);                                                                             \
    giver.around.se = NEAR(0, 5);                                                                            \
    giver.around.nw = NEAR(0, 6);                                                                            \
    giver.around.sw = NEAR(0, 7);                                                                            \
    giver.around.ne = NEAR(0, 8);                                                                            \
    giver.fluid = (float)AMOUNT(13, 29);                                                                     \
    giver.load = POSITIVE(14, 2);                                                                            \
    giver.v = before
#define POOL(name, slot)                                                                                     \
    SiltNewtonPool name;                                                                                     \
    name.surface = NEAR(0, slot) / 2;                                                                        \
    name.fluid = AMOUNT(slot + 1, 28);                                                                       \
    name.load = POSITIVE(slot + 2, 1)
CASE(silt_newton_down, 3, STEP; SPEED(v, 0);
     SiltNewtonVelocity after = silt_newton_down(v, REAL(3, 20), REAL(4, 20), step); PUT_F(0, after.x);
     PUT_F(1, after.y); PUT_F(2, after.z))
CASE(silt_newton_parts, 1, STEP; GIVER; PUT_I(0, silt_newton_parts(giver, step)))
CASE(silt_newton_part, 4, STEP; GIVER;
     SiltNewtonPart part = silt_newton_part(giver, AMOUNT(15, 3), FLAG(16) ? 8 : 1, step);
     PUT_F(0, part.share); PUT_F(1, part.v.x); PUT_F(2, part.v.y); PUT_F(3, part.v.z))
CASE(silt_newton_weight, 1, PUT_F(0, silt_newton_weight(ANY(0), ANY(1), AMOUNT(2, 2) - 1, AMOUNT(3, 2) - 1)))
CASE(silt_newton_give, 5, STEP; ROCK; GIVER; SiltNewtonArrived sum; SPEED(push, 20);
     sum.fluid = POSITIVE(23, 20); sum.push = push; sum.ground = REAL(24, 20);
     sum = silt_newton_give(sum, giver, AMOUNT(25, 2) - 1, AMOUNT(26, 2) - 1, step, rock);
     PUT_F(0, sum.fluid); PUT_F(1, sum.push.x); PUT_F(2, sum.push.y); PUT_F(3, sum.push.z);
     PUT_F(4, sum.ground))
CASE(silt_newton_send, 10, STEP; GIVER;
     SiltNewtonSpread spread = silt_newton_send(giver, AMOUNT(17, 28), step); PUT_I(0, spread.out.e);
     PUT_I(1, spread.out.w); PUT_I(2, spread.out.s); PUT_I(3, spread.out.n); PUT_I(4, spread.out.se);
     PUT_I(5, spread.out.nw); PUT_I(6, spread.out.sw); PUT_I(7, spread.out.ne); PUT_F(8, spread.load);
     PUT_F(9, spread.load_dither))
CASE(silt_newton_exchange, 6, ROCK; SiltNewtonGround cell; cell.ground = GRAINS(0) / 2;
     cell.deposit = AMOUNT(1, 28); cell.dissolved = AMOUNT(2, 27); cell.wear = AMOUNT(3, 30);
     cell.surface = 0; cell.load = 0.0f;
     cell = silt_newton_exchange(cell, AMOUNT(4, 28), REAL(5, 30), POSITIVE(6, 7), rock);
     PUT_I(0, cell.ground); PUT_I(1, cell.deposit); PUT_I(2, cell.dissolved); PUT_I(3, cell.wear);
     PUT_I(4, cell.surface); PUT_F(5, cell.load))
CASE(silt_newton_diffused, 1,
     PUT_I(0, silt_newton_diffused(POSITIVE(0, 29), POSITIVE(1, 29), GRAINS(2), 0.2f * UNIT(3))))
CASE(silt_newton_held, 1, POOL(own, 1); PUT_F(0, silt_newton_held(own)))
CASE(silt_newton_diffuse, 3, ROCK; POOL(own, 1); POOL(e, 4); POOL(w, 7); POOL(s, 10); POOL(n, 13);
     SiltNewtonSmoothed smoothed = silt_newton_diffuse(own, e, w, s, n, UNIT(16), rock);
     PUT_I(0, smoothed.fluid); PUT_I(1, smoothed.gone); PUT_I(2, smoothed.taken))
CASE(silt_newton_blur, 1, PUT_F(0, silt_newton_blur(ANY(0), ANY(1), GRAINS(2), ANY(3))))
