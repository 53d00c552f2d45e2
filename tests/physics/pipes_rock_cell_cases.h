#define BANK(slot)                                                                                           \
    SiltPipesBank bank;                                                                                      \
    bank.rest = POSITIVE(slot, 30);                                                                          \
    bank.rate = UNIT(slot + 1);                                                                              \
    bank.none = 0.0f;                                                                                        \
    bank.wet = AMOUNT(slot + 2, 20)
#define END(name, height, depth)                                                                             \
    SiltPipesEnd name;                                                                                       \
    name.ground = (height);                                                                                  \
    name.water = (depth)
#define EITHER_WAY(slot) (FLAG(slot + 30) ? -AMOUNT(slot, 26) : AMOUNT(slot, 26))
#define SOME(slot)       POSITIVE(slot, 1)
#define SOME_LOAD(slot)  SOME(slot + 11)
#define EIGHT(name, draw)                                                                                    \
    name.east = draw(0);                                                                                     \
    name.west = draw(1);                                                                                     \
    name.south = draw(2);                                                                                    \
    name.north = draw(3);                                                                                    \
    name.south_east = draw(4);                                                                               \
    name.north_west = draw(5);                                                                               \
    name.south_west = draw(6);                                                                               \
    name.north_east = draw(7)
#define GROUND(slot)                                                                                         \
    SiltPipesGround ground;                                                                                  \
    ground.here = GRAINS(slot);                                                                              \
    ground.east = NEAR(slot, slot + 1);                                                                      \
    ground.west = NEAR(slot, slot + 2);                                                                      \
    ground.south = NEAR(slot, slot + 3);                                                                     \
    ground.north = NEAR(slot, slot + 4)
#define AROUND(slot)                                                                                         \
    SiltAround around;                                                                                       \
    around.here = ANY(slot);                                                                                 \
    around.east = ANY(slot + 1);                                                                             \
    around.west = ANY(slot + 2);                                                                             \
    around.south = ANY(slot + 3);                                                                            \
    around.north = ANY(slot + 4)
#define PUT_FIVE(put, name)                                                                                  \
    put(0, name.here);                                                                                       \
    put(1, name.east);                                                                                       \
    put(2, name.west);                                                                                       \
    put(3, name.south);                                                                                      \
    put(4, name.north)
#define ROCK(slot)                                                                                           \
    SiltPipesRock rock;                                                                                      \
    rock.ground = GRAINS(slot) / 2;                                                                          \
    rock.deposit = AMOUNT(slot + 1, 29);                                                                     \
    rock.wear = AMOUNT(slot + 2, 31)
#define PUT_ROCK(name)                                                                                       \
    PUT_I(0, name.ground);                                                                                   \
    PUT_I(1, name.deposit);                                                                                  \
    PUT_I(2, name.wear)
#define CARRYING(slot)                                                                                       \
    SiltPipesCarrying c;                                                                                     \
    c.slope_square = ANY(slot);                                                                              \
    c.least_square = ANY(slot + 1);                                                                          \
    c.per_film = ANY(slot + 2);                                                                              \
    c.capacity = ANY(slot + 3);                                                                              \
    c.densest = ANY(slot + 4);                                                                               \
    c.one = 1.0f;                                                                                            \
    c.buried = POSITIVE(slot + 5, 29);                                                                       \
    c.buried_deep = UNIT(slot + 6);                                                                          \
    c.evening.keep = UNIT(slot + 7);                                                                         \
    c.evening.blend = UNIT(slot + 8);                                                                        \
    c.evening.spread = UNIT(slot + 9);                                                                       \
    c.fan = AMOUNT(slot + 10, 28);                                                                           \
    c.dig.head = 1e-3f;                                                                                      \
    c.dig.free = 0;                                                                                          \
    c.dig.share = 0.75f * UNIT(slot + 21)
CASE(silt_pipes_slide, 1, BANK(0); PUT_I(0, silt_pipes_slide(GRAINS(3), NEAR(3, 4), bank)))
CASE(silt_pipes_slides, 1, BANK(0); END(a, GRAINS(3), AMOUNT(4, 29)); END(b, NEAR(3, 5), AMOUNT(6, 29));
     PUT_I(0, silt_pipes_slides(a, b, bank)))
CASE(silt_pipes_out, 1, SiltPipesGrains g; EIGHT(g, EITHER_WAY); PUT_I(0, silt_pipes_out(g, FLAG(8))))
CASE(silt_pipes_give_way, 3, SiltPipesGrains g; EIGHT(g, EITHER_WAY); ROCK(8);
     rock = silt_pipes_give_way(rock, g, FLAG(11)); PUT_ROCK(rock))
CASE(silt_pipes_vigour, 1, PUT_F(0, silt_pipes_vigour(ANY(0), ANY(1), ANY(2))))
CASE(silt_pipes_capacity, 1, PUT_F(0, silt_pipes_capacity(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), 1.0f)))
CASE(silt_pipes_ground_beside, 1, PUT_I(0, silt_pipes_ground_beside(GRAINS(0), NEAR(0, 1))))
CASE(silt_pipes_around_walled, 5, GROUND(0); AROUND(5); around = silt_pipes_around_walled(around, ground);
     PUT_FIVE(PUT_F, around))
CASE(silt_pipes_ground_walled, 5, GROUND(0); ground = silt_pipes_ground_walled(ground);
     PUT_FIVE(PUT_I, ground))
CASE(silt_pipes_to_bury, 1, PUT_I(0, silt_pipes_to_bury(POSITIVE(0, 30), POSITIVE(1, 29), UNIT(2))))
CASE(silt_pipes_weigh, 5, GROUND(0); AROUND(5); CARRYING(10);
     SiltPipesWeighed weighed = silt_pipes_weigh(ground, NEAR(0, 21), around, POSITIVE(22, 30),
                                                 POSITIVE(23, 30), c, FLAG(24));
     PUT_I(0, weighed.room); PUT_I(1, weighed.heap); PUT_F(2, weighed.carries.even);
     PUT_F(3, weighed.carries.digs_for); PUT_F(4, weighed.carries.holds))
CASE(silt_pipes_exchange, 5, ROCK(0); SiltRates rates; rates.dissolve = UNIT(3); rates.settle = UNIT(4);
     rates.loose = 1.0f + POSITIVE(5, 6); rates.per_loose = 1.0f / rates.loose; rates.dither = UNIT(6);
     rates.none = 0.0f; rates.most = SILT_GRAINS_CHANGE; SiltPipesWeighed weighed;
     weighed.room = AMOUNT(7, 28); weighed.heap = AMOUNT(8, 28); weighed.carries.even = 0.0f;
     weighed.carries.digs_for = POSITIVE(9, 40); weighed.carries.holds = POSITIVE(10, 40);
     SiltPipesExchanged after = silt_pipes_exchange(rock, AMOUNT(11, 29), AMOUNT(12, 30), weighed,
                                                    REAL(13, 7), FLAG(14), rates, SILT_PIPES_STAY(8),
                                                    SILT_GRAINS_MOVE, 1.0f);
     PUT_ROCK(after.rock); PUT_I(3, after.muddy); PUT_F(4, after.load))
CASE(silt_pipes_silted, 1, PUT_I(0, silt_pipes_silted(GRAINS(0), POSITIVE(1, 40), UNIT(2))))
CASE(silt_pipes_carried, 1, PUT_I(0, silt_pipes_carried(EITHER_WAY(0), SOME(1), SOME(2), UNIT(3))))
CASE(silt_pipes_carry, 1, SiltPipesGrains grains; EIGHT(grains, EITHER_WAY); SiltPipesLoads load;
     EIGHT(load, SOME_LOAD); load.here = SOME(8); PUT_I(0, silt_pipes_carry(grains, load, UNIT(9), FLAG(10))))
CASE(silt_pipes_drift, 2, SiltPipesGrains grains; EIGHT(grains, EITHER_WAY); SiltPipesLoads load;
     EIGHT(load, SOME_LOAD); load.here = SOME(8);
     SiltPipesDrift drift = silt_pipes_drift(grains, load, EITHER_WAY(9), UNIT(10)); PUT_I(0, drift.net);
     PUT_I(1, drift.south))
CASE(silt_pipes_velocity, 2, SiltPipesPassing passing; passing.x = ANY(0); passing.y = ANY(1);
     SiltPipesVelocity velocity = silt_pipes_velocity(passing, ANY(2), ANY(3), ANY(4), ANY(5));
     PUT_F(0, velocity.x); PUT_F(1, velocity.y))
CASE(silt_pipes_upstream, 1, PUT_F(0, silt_pipes_upstream(ANY(0), ANY(1))))
CASE(silt_pipes_trace, 1, SiltPipesVelocity upstream; upstream.x = UNIT(0) * 2.0f - 1.0f;
     upstream.y = UNIT(1) * 2.0f - 1.0f; PUT_I(0, silt_pipes_trace(upstream, AMOUNT(2, 30), AMOUNT(3, 30),
                                                                   AMOUNT(4, 30), AMOUNT(5, 30), UNIT(6))))
