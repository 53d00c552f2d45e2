// `pipes` cell by cell: fluxes and their limits, what water can carry, what it digs and lays down.
#include "erode_help.h"

#include "physics/pipes_cell.h"

static const SiltPipe pipe = {
    .width = 10.0f, .push = 0.1f, .drag = 0.0f, .depth = 0.0f, .swift = 5.0f, .grain = 0.001f};

static void water_passes_above_the_higher_bed(void **state)
{
    (void)state;
    assert_near((double)silt_pipe_depth(5000, 3000, 1000, 2000, pipe), 3.0, 1e-6);
    assert_true(silt_pipe_depth(5000, 4000, 1000, 6000, pipe) == 0.0f); // the other bed stands higher
    assert_true(silt_pipe_flux(7.0f, 5000, 4000, 0.0f, pipe) == 0.0f);  // and then nothing goes on flowing
}

// eq. 2: without drag a flux grows by push times area times the difference, and its mirror image is minus it.
static void pressure_drives_both_ways_alike(void **state)
{
    (void)state;
    assert_near((double)silt_pipe_flux(0.0f, 1200, 1000, 2.0f, pipe), 0.1 * 20.0 * 200.0, 1e-3);
    for (uint64_t k = 0; k < 5000; k++) {
        SiltRandom random = silt_random(3, SILT_STREAM_TEST, k, 0);
        int32_t a = (int32_t)(random.word[0] >> 8), b = (int32_t)(random.word[1] >> 8);
        float flux = (float)(int32_t)random.word[2] * 1e-6f, depth = silt_uniform(random.word[3]);
        SiltPipe rough = pipe;
        rough.drag = 0.3f;
        float there = silt_pipe_flux(flux, a, b, depth, rough);
        assert_true(there == -silt_pipe_flux(-flux, b, a, depth, rough));
        float bounded = silt_pipe_bound(there, depth, rough);
        assert_true(fabsf(bounded) <= 5.0f * 10.0f * depth * 1.0001f);
    }
}

static void drag_never_turns_the_flow_round(void **state)
{
    (void)state;
    SiltPipe rough = pipe;
    rough.drag = 1e6f;
    float held = silt_pipe_flux(3.0f, 1000, 1000, 0.01f, rough);
    assert_true(held > 0.0f && held < 1e-6f);
}

// eq. 4: a cell never gives more than it holds, whatever the rounding.
static void a_cell_gives_what_it_has(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        SiltRandom random = silt_random(4, SILT_STREAM_TEST, k, 0);
        int32_t held = (int32_t)(random.word[0] >> (random.word[1] % 24 + 4));
        float flux[4], sum = 0.0f;
        for (int d = 0; d < 4; d++)
            sum += flux[d] = (float)(random.word[d] >> 12);
        float share = silt_pipe_share(sum, (float)held);
        float dither = silt_pipe_dither(sum * share, (float)held, 5.0f, 0.99f);
        int64_t gone = 0;
        for (int d = 0; d < 4; d++)
            gone += silt_pipe_grains(flux[d] * share, dither, SILT_GRAINS_MOVE);
        assert_true(gone <= held);
    }
}

static void films_and_thick_mud_carry_less(void **state)
{
    (void)state;
    float deep = silt_pipe_capacity(2.0f, 0.5f, 1.0f, 5.0f, 10.0f);
    assert_near((double)deep, 1.0, 1e-6);
    assert_near((double)silt_pipe_capacity(2.0f, 0.5f, 0.1f, 5.0f, 10.0f), 0.5, 1e-6); // half of the film
    assert_near((double)silt_pipe_capacity(2.0f, 0.5f, 1.0f, 5.0f, 0.3f), 0.3, 1e-6);  // as dense as can be
    assert_true(silt_pipe_vigour(0.0f, 0.0f, 0.0f, 3.0f, 4.0f) == 0.0f);
    assert_near((double)silt_pipe_vigour(1.0f, 0.0f, 0.0f, 3.0f, 4.0f), 5.0 * sqrt(0.5), 1e-5);
    assert_near((double)silt_pipe_vigour(0.0f, 0.0f, 0.1f, 3.0f, 4.0f), 0.5, 1e-5);
}

// Evening out moves nothing in a level field, keeps the sum, and a reach of nothing changes nothing.
static void evening_out_keeps_the_sum(void **state)
{
    (void)state;
    assert_near((double)silt_pipe_even(2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 0.1f, 0.2f), 2.0, 1e-6);
    assert_true(silt_pipe_even(9.0f, 2.0f, 7.0f, 7.0f, 7.0f, 7.0f, 1.0f, 0.0f) == 2.0f);
    float row[7] = {0, 0, 0, 1, 0, 0, 0}, sum = 0.0f;
    for (int i = 1; i < 6; i++)
        sum += silt_pipe_even(row[i], row[i], row[i - 1], row[i + 1], row[i], row[i], 0.1f, 0.2f);
    assert_near((double)sum, 1.0, 1e-6);
    assert_true(silt_pipe_beside(SILT_GRAINS_WALL, 8.0f, 3.0f) == 3.0f);
    assert_true(silt_pipe_beside(12, 8.0f, 3.0f) == 8.0f);
}

static SiltRates rates_of(float rate)
{
    return (SiltRates){rate, rate, 3.0f, 1.0f / 3.0f, 0.0f, 0.0f, SILT_GRAINS_CHANGE};
}

static void deposit_goes_before_rock_and_grains_are_kept(void **state)
{
    (void)state;
    SiltExchange dug = silt_pipe_exchange(1000.0f, 1000.0f, 0, 60, 5000, 5000, 1.0f, rates_of(0.1f));
    assert_int_equal(dug.deposit, -60);     // all of it, for 20 of the 100 wanted
    assert_int_equal(dug.ground, -60 - 80); // and rock for the rest
    assert_int_equal(dug.sediment, -dug.ground);
    SiltExchange hard = silt_pipe_exchange(1000.0f, 1000.0f, 0, 0, 5000, 5000, 0.25f, rates_of(0.1f));
    assert_int_equal(hard.wear, 25);
    SiltExchange tight = silt_pipe_exchange(1000.0f, 1000.0f, 0, 60, 7, 5000, 1.0f, rates_of(0.1f));
    assert_int_equal(tight.wear, 7);
}

// Between what it digs for and what it can hold, water neither digs nor settles.
static void water_settles_beyond_what_it_can_hold(void **state)
{
    (void)state;
    SiltExchange idle = silt_pipe_exchange(100.0f, 300.0f, 200, 0, 5000, 5000, 1.0f, rates_of(0.5f));
    assert_int_equal(idle.ground, 0);
    SiltExchange settles = silt_pipe_exchange(100.0f, 300.0f, 400, 0, 5000, 5000, 1.0f, rates_of(0.5f));
    assert_int_equal(settles.ground, 50);
    assert_int_equal(settles.deposit, 50);
    SiltExchange full = silt_pipe_exchange(0.0f, 0.0f, 400, 0, 5000, 12, 1.0f, rates_of(0.5f));
    assert_int_equal(full.ground, 12); // no higher than the heap may be
}

static void banks_slide_beyond_their_angle(void **state)
{
    (void)state;
    assert_int_equal(silt_pipe_slide(1000, 0, 800.0f, 0.125f), 25);
    assert_int_equal(silt_pipe_slide(0, 1000, 800.0f, 0.125f), -25);
    assert_int_equal(silt_pipe_slide(700, 0, 800.0f, 0.125f), 0);
}

// ---- how deep and how high a step may go (grains.h) ----

static void digging_stops_at_the_lowest_neighbour(void **state)
{
    (void)state;
    assert_int_equal(silt_grains_to_dig(1000, 900, 2000, 1500, 1200), 50);
    assert_int_equal(silt_grains_to_dig(1000, 1000, 2000, 1500, 1200), 0); // a hollow is not dug out
    assert_int_equal(silt_grains_to_dig(1000, SILT_GRAINS_WALL, SILT_GRAINS_WALL, SILT_GRAINS_WALL, 400),
                     300);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_passes_above_the_higher_bed),
        cmocka_unit_test(pressure_drives_both_ways_alike),
        cmocka_unit_test(drag_never_turns_the_flow_round),
        cmocka_unit_test(a_cell_gives_what_it_has),
        cmocka_unit_test(films_and_thick_mud_carry_less),
        cmocka_unit_test(evening_out_keeps_the_sum),
        cmocka_unit_test(deposit_goes_before_rock_and_grains_are_kept),
        cmocka_unit_test(water_settles_beyond_what_it_can_hold),
        cmocka_unit_test(banks_slide_beyond_their_angle),
        cmocka_unit_test(digging_stops_at_the_lowest_neighbour),
        cmocka_unit_test(heaps_rise_to_their_slope),
        cmocka_unit_test(pace_multiplies_what_the_ground_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
