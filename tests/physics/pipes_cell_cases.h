#define PIPE(slot)                                                                                           \
    SiltPipe pipe;                                                                                           \
    pipe.push = ANY(slot);                                                                                   \
    pipe.drag = POSITIVE(slot + 1, 30);                                                                      \
    pipe.thick = 1.0f + POSITIVE(slot + 2, 4);                                                               \
    pipe.swift = ANY(slot + 3);                                                                              \
    pipe.full = POSITIVE(slot + 4, 26)
#define END(name, height, depth)                                                                             \
    SiltPipesEnd name;                                                                                       \
    name.ground = (height);                                                                                  \
    name.water = name.ground == SILT_GRAINS_WALL ? 0 : silt_mini(depth, SILT_GRAINS_WALL - 1 - name.ground)
#define EIGHT(name, draw)                                                                                    \
    name.east = draw(0);                                                                                     \
    name.west = draw(1);                                                                                     \
    name.south = draw(2);                                                                                    \
    name.north = draw(3);                                                                                    \
    name.south_east = draw(4);                                                                               \
    name.north_west = draw(5);                                                                               \
    name.south_west = draw(6);                                                                               \
    name.north_east = draw(7)
#define EITHER_WAY(slot) (FLAG(slot + 20) ? -AMOUNT(slot, 26) : AMOUNT(slot, 26))
#define FLUXES                                                                                               \
    SiltPipesFluxes flux;                                                                                    \
    EIGHT(flux, ANY)
#define BACK(slot) ANY(slot + 40)
#define PASSING(slot)                                                                                        \
    SiltPipesPassing passing;                                                                                \
    passing.x = ANY(slot);                                                                                   \
    passing.y = ANY(slot + 1)
#define MOTION(slot)                                                                                         \
    SiltPipesMotion motion;                                                                                  \
    motion.per_width = ANY(slot);                                                                            \
    motion.shallow = 1.0f + POSITIVE(slot + 1, 20);                                                          \
    motion.fastest_square = ANY(slot + 2);                                                                   \
    motion.loss = UNIT(slot + 3);                                                                            \
    motion.most_dried = 1e9f;                                                                                \
    motion.loss_dither = UNIT(slot + 4)
#define MEMORY(slot)                                                                                         \
    SiltPipesMemory memory;                                                                                  \
    memory.grain = ANY(slot);                                                                                \
    memory.shallow = ANY(slot + 1);                                                                          \
    memory.seconds = ANY(slot + 2);                                                                          \
    memory.metre_seconds = ANY(slot + 3)
CASE(silt_pipes_rain, 3,
     SiltPipesRained rained = silt_pipes_rain(GRAINS(0), AMOUNT(1, 30), POSITIVE(2, 40), UNIT(3));
     PUT_I(0, rained.water); PUT_I(1, rained.added); PUT_I(2, rained.over))
CASE(silt_pipes_depth, 1, PUT_I(0, silt_pipes_depth(GRAINS(0), NEAR(0, 1), NEAR(0, 2), NEAR(0, 3))))
CASE(silt_pipes_flow, 1, PIPE(4); PUT_F(0, silt_pipes_flow(ANY(0), (silt_i32)BITS(1), ANY(2), ANY(3), pipe)))
CASE(silt_pipes_flux, 2, PIPE(0); END(a, GRAINS(5), AMOUNT(6, 29)); END(b, NEAR(5, 7), AMOUNT(8, 29));
     SiltPipesFlow flow = silt_pipes_flux(a, b, ANY(9), pipe, FLAG(10)); PUT_F(0, flow.flux);
     PUT_I(1, flow.swift))
CASE(silt_pipes_outflows, 3, PIPE(0); END(a, GRAINS(5), AMOUNT(6, 29)); END(b, NEAR(5, 7), AMOUNT(8, 29));
     SiltPipesOutflows flows = silt_pipes_outflows(a, b, ANY(9), ANY(10), pipe, FLAG(11));
     PUT_F(0, flows.forth); PUT_F(1, flows.back); PUT_I(2, flows.swift))
CASE(silt_pipes_overfall, 1, PUT_F(0, silt_pipes_overfall(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_pipes_leaves, 1, SiltPipesBorder border; border.grain = ANY(0); border.cell = ANY(1);
     border.gravity = ANY(2); border.friction = ANY(3); border.fastest = ANY(4);
     END(here, GRAINS(5), AMOUNT(6, 29)); PUT_F(0, silt_pipes_leaves(here, NEAR(5, 7), NEAR(5, 8), border)))
CASE(silt_pipes_spare, 1, PUT_F(0, silt_pipes_spare(ANY(0), ANY(1), 0.0f)))
CASE(silt_pipes_wish, 3, FLUXES;
     SiltPipesWish wish = silt_pipes_wish(flux, ANY(8), AMOUNT(9, 30), ANY(10), 0.0f, FLAG(11), FLAG(12));
     PUT_F(0, wish.wanted); PUT_F(1, wish.held); PUT_F(2, wish.spare))
CASE(silt_pipes_wish_two, 3, FLUXES; SiltPipesFluxes back; EIGHT(back, BACK);
     SiltPipesWish wish = silt_pipes_wish_two(flux, back, ANY(8), AMOUNT(9, 30), ANY(10), 0.0f, FLAG(11),
                                              FLAG(12));
     PUT_F(0, wish.wanted); PUT_F(1, wish.held); PUT_F(2, wish.spare))
CASE(silt_pipes_share, 1, PUT_F(0, silt_pipes_share(ANY(0), ANY(1), 1.0f)))
CASE(silt_pipes_grains, 1, PUT_I(0, silt_pipes_grains(REAL(0, 30), UNIT(1))))
CASE(silt_pipes_scale, 2,
     SiltPipesScaled scaled = silt_pipes_scale(REAL(0, 20), UNIT(1), UNIT(2), POSITIVE(3, 10), UNIT(4));
     PUT_F(0, scaled.flux); PUT_I(1, scaled.grains))
CASE(silt_pipes_scale_two, 3,
     SiltPipesScaledTwo scaled = silt_pipes_scale_two(REAL(0, 20), POSITIVE(5, 18), UNIT(1), UNIT(2),
                                                      POSITIVE(3, 9), UNIT(4));
     PUT_F(0, scaled.flux); PUT_F(1, scaled.back); PUT_I(2, scaled.grains))
CASE(silt_pipes_net, 1, SiltPipesGrains g; EIGHT(g, EITHER_WAY); PUT_I(0, silt_pipes_net(g, FLAG(8))))
CASE(silt_pipes_passing, 2, FLUXES; SiltPipesPassing passing = silt_pipes_passing(flux, FLAG(8));
     PUT_F(0, passing.x); PUT_F(1, passing.y))
CASE(silt_pipes_speed_square, 1, PASSING(0); PUT_F(0, silt_pipes_speed_square(passing, ANY(2), ANY(3))))
CASE(silt_pipes_move, 4, PASSING(0); MOTION(2);
     SiltPipesMoved moved = silt_pipes_move(AMOUNT(7, 29), EITHER_WAY(8), passing, motion);
     PUT_I(0, moved.water); PUT_I(1, moved.dried); PUT_F(2, moved.depth); PUT_F(3, moved.speed_square))
CASE(silt_pipes_dry, 1, PUT_I(0, silt_pipes_dry(AMOUNT(0, 30), UNIT(1), UNIT(2))))
CASE(silt_pipes_flowed, 1, MEMORY(0); PUT_F(0, silt_pipes_flowed(AMOUNT(4, 30), ANY(5), memory)))
CASE(silt_pipes_soaked, 1, MEMORY(0); PUT_F(0, silt_pipes_soaked(AMOUNT(4, 30), memory)))
