// `pipes` cell by cell: fluxes and their limits, what water can carry, what it digs and lays down.
#include "erode_help.h"

#include "physics/pipes_rock_cell.h"

// A grain is a millimetre, the pipe ten metres wide.
static const SiltPipe pipe = {.push = 0.001f, .drag = 1e-3f, .thick = 1.0f, .swift = 0.05f, .full = 1e8f};

static float flux_of(float before, int32_t fall, float depth, SiltPipe of)
{
    return depth * silt_pipes_flow(before, fall, depth, depth, of);
}

static void water_passes_above_the_higher_bed(void **state)
{
    (void)state;
    assert_int_equal(silt_pipes_depth(5000, 3000, 1000, 2000), 3000);
    assert_int_equal(silt_pipes_depth(6000, 4000, 6000, 1000), 0); // the other bed stands higher
    assert_true(flux_of(7.0f, 1000, 0.0f, pipe) == 0.0f);          // and then nothing goes on flowing
}

// eq. 2: without drag a flux grows by push times depth times the difference, and its mirror image is minus
// it.
static void pressure_drives_both_ways_alike(void **state)
{
    (void)state;
    assert_near((double)flux_of(0.0f, 200, 2000.0f, pipe), 0.001 * 2000.0 * 200.0, 1e-3);
    for (uint64_t k = 0; k < 5000; k++) {
        SiltRandom random = silt_random(3, SILT_STREAM_TEST, k, 0);
        int32_t fall = (int32_t)random.word[0] >> 2;
        float flux = (float)(int32_t)random.word[2] * 1e-6f, depth = (float)(random.word[3] >> 12);
        SiltPipe rough = pipe;
        rough.drag = 300.0f;
        float there = silt_pipes_flow(flux, fall, depth, depth, rough);
        assert_true(there == -silt_pipes_flow(-flux, -fall, depth, depth, rough));
    }
}

// A pipe asked from its other end says minus the same, never brings more than its speed allows, and nothing
// comes out of a dry cell.
static void a_pipe_has_no_first_end(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 5000; k++) {
        SiltRandom random = silt_random(6, SILT_STREAM_TEST, k, 0);
        SiltPipesEnd a = {(int32_t)random.word[0] >> 8, (int32_t)(random.word[1] >> 12)};
        SiltPipesEnd b = {(int32_t)random.word[2] >> 8, (int32_t)(random.word[3] >> 12)};
        float before = (float)(int32_t)random.word[1] * 1e-6f;
        for (int fixed = 0; fixed < 2; fixed++) {
            SiltPipesFlow there = silt_pipes_flux(a, b, before, pipe, fixed);
            SiltPipesFlow back = silt_pipes_flux(b, a, -before, pipe, fixed);
            assert_true(there.flux == -back.flux && there.swift == back.swift);
            float depth = (float)silt_pipes_depth(a.ground + a.water, b.ground + b.water, a.ground, b.ground);
            assert_true(fabsf(there.flux) <= pipe.swift * depth * 1.000001f);
        }
        a.water = 0;
        if (a.ground > b.ground + b.water)
            assert_true(silt_pipes_flux(a, b, before, pipe, false).flux == 0.0f);
    }
}

static void rain_stops_at_the_wall(void **state)
{
    (void)state;
    SiltPipesRained rained = silt_pipes_rain(1000, 50, 7.6f, 0.5f);
    assert_int_equal(rained.water, 58);
    assert_int_equal(rained.added, 8);
    rained = silt_pipes_rain(SILT_GRAINS_WALL - 100, 98, 7.6f, 0.5f);
    assert_int_equal(rained.added, 1);
    rained = silt_pipes_rain(SILT_GRAINS_WALL - 100, 130, 7.6f, 0.5f); // deposit has raised its bed
    assert_int_equal(rained.over, 31);
    assert_int_equal(rained.water, 99);
    assert_int_equal(silt_pipes_rain(SILT_GRAINS_WALL, 0, 7.6f, 0.5f).water, 0);
}

// Over a border goes what stands above the sill, faster where the ground falls towards it.
static void borders_hold_back_what_is_below_the_sill(void **state)
{
    (void)state;
    const SiltPipesBorder border = {0.001f, 10.0f, 9.81f, 0.1f, 10.0f};
    SiltPipesEnd here = {5000, 400};
    assert_true(silt_pipes_leaves(here, 5400, 5000, border) == 0.0f);
    assert_near((double)silt_pipes_leaves(here, 5000, 5000, border), 0.4 * sqrt(9.81 * 0.4) * 10.0, 1e-4);
    assert_true(silt_pipes_leaves(here, 5000, 9000, border) > silt_pipes_leaves(here, 5000, 5000, border));
    assert_true(silt_pipes_leaves(here, 5000, SILT_GRAINS_WALL, border) ==
                silt_pipes_leaves(here, 5000, 5000, border));
}

static void drag_never_turns_the_flow_round(void **state)
{
    (void)state;
    SiltPipe rough = pipe;
    rough.drag = 1e9f;
    float held = flux_of(3.0f, 0, 10.0f, rough);
    assert_true(held > 0.0f && held < 1e-6f);
}

// eq. 4: a cell never gives more than it holds, whatever the rounding, and all but a few grains if asked to.
static void a_cell_gives_what_it_has(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        SiltRandom random = silt_random(4, SILT_STREAM_TEST, k, 0);
        int32_t held = (int32_t)(random.word[0] >> (random.word[1] % 24 + 4));
        float flux[4], sum = 0.0f;
        for (int d = 0; d < 4; d++)
            sum += flux[d] = (float)(random.word[d] >> 12);
        float share = silt_pipes_share(sum, silt_pipes_spare((float)held, SILT_PIPES_STAY(4), 0.0f), 1.0f);
        int64_t gone = 0;
        for (int d = 0; d < 4; d++)
            gone += silt_pipes_grains(flux[d] * share, 0.99f);
        assert_true(gone <= held);
        assert_true(sum <= (float)held || (double)gone >= (double)held * (1.0 - 2e-6) - 10.0);
    }
    assert_true(silt_pipes_share(0.0f, 0.0f, 1.0f) == 1.0f); // who gives nothing is not held back
    assert_int_equal(silt_pipes_grains(-2.75f, 0.5f), -silt_pipes_grains(2.75f, 0.5f));
}

static void films_and_thick_mud_carry_less(void **state)
{
    (void)state;
    float deep = silt_pipes_capacity(2.0f, 0.5f, 1.0f, 5.0f, 10.0f, 1.0f);
    assert_near((double)deep, 1.0, 1e-6);
    assert_near((double)silt_pipes_capacity(2.0f, 0.5f, 0.1f, 5.0f, 10.0f, 1.0f), 0.5, 1e-6); // half the film
    assert_near((double)silt_pipes_capacity(2.0f, 0.5f, 1.0f, 5.0f, 0.3f, 1.0f), 0.3,
                1e-6); // as dense as can be
    float speed = silt_pipes_speed_square((SiltPipesPassing){6.0f, 8.0f}, 0.5f, 100.0f);
    assert_near((double)speed, 25.0, 1e-5);
    assert_true(silt_pipes_speed_square((SiltPipesPassing){6.0f, 8.0f}, 0.5f, 16.0f) == 16.0f);
    assert_true(silt_pipes_vigour(0.0f, 0.0f, speed) == 0.0f);
    assert_near((double)silt_pipes_vigour(1.0f, 0.0f, speed), 5.0 * sqrt(0.5), 1e-5);
    assert_near((double)silt_pipes_vigour(0.0f, 0.01f, speed), 0.5, 1e-5);
}

// Evening out moves nothing in a level field, keeps the sum, and a reach of nothing changes nothing.
static void evening_out_keeps_the_sum(void **state)
{
    (void)state;
    const SiltEvening evening = {0.1f, 0.1f, 0.2f}, none = {0.0f, 1.0f, 0.0f};
    assert_near((double)silt_exchange_even(2.0f, 2.0f, 8.0f, evening), 2.0, 1e-6);
    assert_true(silt_exchange_even(9.0f, 2.0f, 28.0f, none) == 2.0f);
    float row[7] = {0, 0, 0, 1, 0, 0, 0}, sum = 0.0f;
    for (int i = 1; i < 6; i++)
        sum += silt_exchange_even(row[i], row[i], row[i - 1] + row[i + 1] + row[i] + row[i], evening);
    assert_near((double)sum, 1.0, 1e-6);
    assert_true(silt_exchange_beside(SILT_GRAINS_WALL, 8.0f, 3.0f) == 3.0f);
    assert_true(silt_exchange_beside(12, 8.0f, 3.0f) == 8.0f);
}

static SiltRates rates_of(float rate)
{
    return (SiltRates){rate, rate, 3.0f, 1.0f / 3.0f, 0.0f, 0.0f, SILT_GRAINS_CHANGE};
}

static void deposit_goes_before_rock_and_grains_are_kept(void **state)
{
    (void)state;
    SiltExchange dug = silt_exchange_rock(1000.0f, 1000.0f, 0, 60, 5000, 5000, 1.0f, false, rates_of(0.1f));
    assert_int_equal(dug.deposit, -60);     // all of it, for 20 of the 100 wanted
    assert_int_equal(dug.ground, -60 - 80); // and rock for the rest
    assert_int_equal(dug.wear, -dug.ground);
    SiltExchange hard = silt_exchange_rock(1000.0f, 1000.0f, 0, 0, 5000, 5000, 0.25f, false, rates_of(0.1f));
    assert_int_equal(hard.wear, 25);
    SiltExchange tight = silt_exchange_rock(1000.0f, 1000.0f, 0, 60, 7, 5000, 1.0f, false, rates_of(0.1f));
    assert_int_equal(tight.wear, 7);
}

// Between what it digs for and what it can hold, water neither digs nor settles.
static void water_settles_beyond_what_it_can_hold(void **state)
{
    (void)state;
    SiltExchange idle = silt_exchange_rock(100.0f, 300.0f, 200, 0, 5000, 5000, 1.0f, false, rates_of(0.5f));
    assert_int_equal(idle.ground, 0);
    SiltExchange settles =
        silt_exchange_rock(100.0f, 300.0f, 400, 0, 5000, 5000, 1.0f, false, rates_of(0.5f));
    assert_int_equal(settles.ground, 50);
    assert_int_equal(settles.deposit, 50);
    SiltExchange full = silt_exchange_rock(0.0f, 0.0f, 400, 0, 5000, 12, 1.0f, false, rates_of(0.5f));
    assert_int_equal(full.ground, 12); // no higher than the heap may be
}

static void banks_slide_beyond_their_angle(void **state)
{
    (void)state;
    const SiltPipesBank bank = {.rest = 800.0f, .rate = 0.125f, .wet = 20};
    assert_int_equal(silt_pipes_slide(1000, 0, bank), 25);
    assert_int_equal(silt_pipes_slide(0, 1000, bank), -25);
    assert_int_equal(silt_pipes_slide(700, 0, bank), 0);
    SiltPipesEnd top = {1000, 0}, wet_foot = {0, 21}, dry_foot = {0, 20}, wall = {SILT_GRAINS_WALL, 0};
    assert_int_equal(silt_pipes_slides(top, wet_foot, bank), 25);
    assert_int_equal(silt_pipes_slides(wet_foot, top, bank), -25);
    assert_int_equal(silt_pipes_slides(top, dry_foot, bank), 0);
    assert_int_equal(silt_pipes_slides(wall, wet_foot, bank), 0);
    SiltPipesRock rock = {1000, 30, 7};
    SiltPipesGrains slid = {.east = 40, .north = 15};
    rock = silt_pipes_give_way(rock, slid, false);
    assert_int_equal(rock.ground, 975); // less what goes east, and what comes from the north
    assert_int_equal(rock.deposit, 15); // all 30 went first; what has come lies loose
    assert_int_equal(rock.wear, 47);
}

// ---- a ring of four cells ----

// What one cell loses others gain, of water and of sediment: the sum of all is zero to the grain.
static void what_leaves_a_cell_arrives_in_the_next(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 2000; k++) {
        SiltRandom a = silt_random(7, SILT_STREAM_TEST, k, 0), b = silt_random(7, SILT_STREAM_TEST, k, 1);
        int32_t pipes[4], water = 0, sediment = 0;
        float loads[4];
        for (int n = 0; n < 4; n++) {
            pipes[n] = (int32_t)a.word[n] >> 6;
            loads[n] = (float)b.word[n] * 0x1p-36f;
        }
        for (int n = 0; n < 4; n++) { // to the east it is round
            int west = (n + 3) % 4, east = (n + 1) % 4;
            SiltPipesGrains g = {.east = pipes[n], .west = pipes[west]};
            SiltPipesGrains mud = {.east = silt_pipes_carried(g.east, loads[n], loads[east], 0.3f),
                                   .west = silt_pipes_carried(g.west, loads[west], loads[n], 0.3f)};
            water += silt_pipes_net(g, false);
            sediment += silt_pipes_net(mud, false);
        }
        assert_int_equal(water, 0);
        assert_int_equal(sediment, 0);
    }
    SiltPipesGrains falls = {.south_east = 100, .north_west = 30};
    assert_int_equal(silt_pipes_net(falls, true), 70);
    assert_int_equal(silt_pipes_net(falls, false), 0);
    assert_int_equal(silt_pipes_carried(100, 0.5f, 0.1f, 0.0f), 50);
    assert_int_equal(silt_pipes_carried(-100, 0.5f, 0.1f, 0.0f), -10);
}

// eq. 14: water that stands keeps its own, water that comes a whole cell has what was there.
static void the_way_back_ends_between_four_cells(void **state)
{
    (void)state;
    SiltPipesVelocity still = {0.0f, 0.0f}, corner = {-1.0f, 1.0f}, half = {0.5f, 0.0f};
    assert_int_equal(silt_pipes_trace(still, 100, 200, 300, 400, 0.0f), 100);
    assert_int_equal(silt_pipes_trace(corner, 100, 200, 300, 400, 0.0f), 400);
    assert_int_equal(silt_pipes_trace(half, 100, 200, 300, 400, 0.0f), 150);
    assert_true(silt_pipes_upstream(3.0f, 1.0f) == -1.0f);
    SiltPipesVelocity fast = silt_pipes_velocity((SiltPipesPassing){80.0f, -2.0f}, 4.0f, 1.0f, 1.0f, 10.0f);
    assert_true(fast.x == 10.0f && fast.y == -0.5f);
}

// Numbers worked out by hand, so that no factor can change unseen.
static void numbers_are_exact(void **state)
{
    (void)state;
    SiltPipe rough = {.push = 0.01f, .drag = 50.0f, .thick = 1.2f, .swift = 1e9f, .full = 1e9f};
    assert_near((double)silt_pipes_flow(3.0f, 20, 100.0f, 100.0f, rough), (3.0 + 0.01 * 100.0 * 20.0) / 170.0,
                1e-6);
    assert_near((double)silt_pipes_overfall(0.5f, 0.0f, 9.81f, 0.1f), 0.5 * sqrt(9.81 * 0.5),
                1e-5); // it falls
    assert_near((double)silt_pipes_overfall(0.5f, 0.4f, 9.81f, 0.1f), 0.5 * 9.81 * 0.5 * 0.4 / 0.2,
                1e-5); // it runs
}

// ---- how deep and how high a step may go (grains.h) ----

static void digging_stops_at_the_lowest_neighbour(void **state)
{
    (void)state;
    const SiltDigging half = {0.0f, 0.5f, 0}, swift = {0.1f, 0.5f, 0};
    const silt_i32 wall = SILT_GRAINS_WALL, bottom = SILT_GRAINS_FLOOR;
    assert_int_equal(silt_grains_to_dig(1000, 900, 2000, 1500, 1200, 400.0f, half), 50);
    assert_int_equal(silt_grains_to_dig(1000, 1000, 2000, 1500, 1200, 400.0f, half),
                     0); // a hollow is not dug out,
    assert_int_equal(silt_grains_to_dig(1000, 1000, 2000, 1500, 1200, 400.0f, swift),
                     20); // but a level bed is scoured,
    assert_int_equal(silt_grains_to_dig(1000, 1040, 2000, 1500, 1200, 400.0f, swift),
                     0); // no deeper than that
    assert_int_equal(silt_grains_to_dig(1000, wall, wall, wall, 400, 0.0f, half), 300);
    // below the bottom nothing is dug that the speed does not lift
    assert_int_equal(silt_grains_to_dig(bottom - 7, bottom, bottom, bottom, bottom, 0.0f, half), 0);
}

static void heaps_rise_to_their_slope(void **state)
{
    (void)state;
    assert_int_equal(silt_grains_to_heap(1000, 900, 2000, 1500, 1200, 300), 200);
    assert_int_equal(silt_grains_to_heap(1000, 600, 2000, 1500, 1200, 300), 0);
    int32_t walled = silt_grains_to_heap(1000, SILT_GRAINS_WALL, SILT_GRAINS_WALL, SILT_GRAINS_WALL,
                                         SILT_GRAINS_WALL, 300);
    assert_true(walled > 0 && 1000 + walled < SILT_GRAINS_WALL);
}

static void wear_stops_at_what_can_be_counted(void **state)
{
    (void)state;
    assert_int_equal(silt_grains_worn(1000, 7), 1007);
    assert_int_equal(silt_grains_worn(INT32_MAX - 3, 7), INT32_MAX);
}

// ---- pace ----

static double moved(const char *model, const char *setting)
{
    SiltTerrain *terrain = make_terrain(48, 48, 10.0);
    make_rough(terrain, 2, 20.0f);
    SiltReport report = erode(terrain, model, setting, (SiltDuration){.time = 60.0});
    silt_terrain_destroy(terrain);
    return report.ledger.rock.moved;
}

// Twice the pace does twice as much, as long as it is little.
static void pace_multiplies_what_the_ground_does(void **state)
{
    (void)state;
    static const char *const models[] = {"pipes", "newton", "cells"};
    for (int k = 0; k < 3; k++) {
        double one = moved(models[k], "pace=4"), two = moved(models[k], "pace=8");
        assert_true(one > 0.0);
        assert_near(two, 2.0 * one, 0.1 * one);
    }
    assert_true(moved("pipes", "time_scaling=paper pace=7") == moved("pipes", "time_scaling=paper"));
}

// A bed rises with the depth of its water, and below a film as much as if it were a little deeper.
static void deep_water_is_buried_slowly(void **state)
{
    (void)state;
    assert_int_equal(silt_pipes_to_bury(0.0f, 30.0f, 0.25f), 30);
    assert_int_equal(silt_pipes_to_bury(2000.0f, 30.0f, 0.25f), 530);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_water_is_buried_slowly),
        cmocka_unit_test(water_passes_above_the_higher_bed),
        cmocka_unit_test(pressure_drives_both_ways_alike),
        cmocka_unit_test(a_pipe_has_no_first_end),
        cmocka_unit_test(rain_stops_at_the_wall),
        cmocka_unit_test(borders_hold_back_what_is_below_the_sill),
        cmocka_unit_test(what_leaves_a_cell_arrives_in_the_next),
        cmocka_unit_test(the_way_back_ends_between_four_cells),
        cmocka_unit_test(drag_never_turns_the_flow_round),
        cmocka_unit_test(a_cell_gives_what_it_has),
        cmocka_unit_test(films_and_thick_mud_carry_less),
        cmocka_unit_test(evening_out_keeps_the_sum),
        cmocka_unit_test(deposit_goes_before_rock_and_grains_are_kept),
        cmocka_unit_test(water_settles_beyond_what_it_can_hold),
        cmocka_unit_test(banks_slide_beyond_their_angle),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(digging_stops_at_the_lowest_neighbour),
        cmocka_unit_test(heaps_rise_to_their_slope),
        cmocka_unit_test(wear_stops_at_what_can_be_counted),
        cmocka_unit_test(pace_multiplies_what_the_ground_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
