// `newton` cell by cell: slopes, acceleration, how slow water is split, what it can hold.
#include "erode_help.h"

#include "physics/newton_move.h"

// Swift water does not stand in its own way (eq. 13).
static void speed_lowers_the_level(void **state)
{
    (void)state;
    assert_int_equal(silt_newton_level(1000, 400, 0.0f, 0.05f), 1400);
    assert_int_equal(silt_newton_level(1000, 400, 10.0f, 0.05f), 1200);
    assert_int_equal(silt_newton_level(1000, 400, 100.0f, 0.05f), 1000);
}

// A plane has its own slope in every direction.
static void the_slope_of_a_plane_is_exact(void **state)
{
    (void)state;
    for (int x = -40; x <= 40; x += 8)
        for (int y = -40; y <= 40; y += 8) {
            SiltNewtonSlope s =
                silt_newton_slope(0, (SiltEight){-x, x, -y, y, -x - y, x + y, x - y, y - x}, 0);
            assert_near((double)s.x, (double)x, 1e-4);
            assert_near((double)s.y, (double)y, 1e-4);
        }
}

static void a_hollow_pulls_nowhere_and_a_crest_both_ways(void **state)
{
    (void)state;
    assert_true(silt_newton_fall(0, 50, 70) == 0.0f);     // both neighbours higher: no way down
    assert_true(silt_newton_fall(0, -30, -30) == 0.0f);   // a crest: evenly
    assert_true(silt_newton_fall(0, -30, 1000) == 30.0f); // below a cliff: no more than there is to fall
    assert_true(silt_newton_fall(0, SILT_GRAINS_WALL, 20) == 0.0f);
    SiltNewtonSlope pool = silt_newton_slope(7, (SiltEight){9, 9, 9, 9, 9, 9, 9, 9}, 0);
    assert_true(pool.x == 0.0f && pool.y == 0.0f);
}

// The paper's mean over all lower neighbours.
static void the_papers_way_takes_the_mean_of_the_lower(void **state)
{
    (void)state;
    SiltNewtonSlope one = silt_newton_slope(0, (SiltEight){-60, 9, 9, 9, 9, 9, 9, 9}, 1);
    assert_true(one.x == 60.0f && one.y == 0.0f);
    SiltNewtonSlope two = silt_newton_slope(0, (SiltEight){-60, 9, 9, 9, -1, 9, 9, 9}, 1);
    assert_near((double)two.x, 30.5, 1e-4);
}

// eq. 14-18: on a slope s the pull along the slope is g s / sqrt(1 + s^2), and friction keeps its share.
static void gravity_pulls_along_the_slope(void **state)
{
    (void)state;
    double s = 0.75, pull = (double)silt_newton_pull((float)(s * s), 9.81f);
    double along = pull * sqrt(s * s + s * s * s * s); // M = (s, 0, -s^2)
    assert_near(along, 9.81 * 0.6, 1e-4);
    assert_near((double)silt_newton_velocity(2.0f, 3.0f, 0.5f, 0.1f), 1.3, 1e-6);
}

// Never more than a quarter of the difference, nor more than there is.
static void slow_water_is_split_gently(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 5000; k++) {
        SiltRandom random = silt_random(5, SILT_STREAM_TEST, k, 0);
        float drop = (float)(random.word[0] >> 10), fluid = (float)(random.word[1] >> 8);
        float part = fluid / silt_maxf(drop, 1.0f), toward = silt_uniform(random.word[2]) * 4.0f - 2.0f;
        float out = silt_newton_split(drop, part, toward, silt_uniform(random.word[3]));
        assert_true(out >= 0.0f && out <= 0.25f * drop && out <= fluid * 1.0001f);
    }
    assert_true(silt_newton_split(0.0f, 9.0f, 1.0f, 1.0f) == 0.0f);
}

static void water_holds_by_its_speed_and_no_more(void **state)
{
    (void)state;
    assert_near((double)silt_newton_capacity(1000.0f, 2.0f, 0.01f, 0.1f), 20.0, 1e-4);
    assert_near((double)silt_newton_capacity(1000.0f, 50.0f, 0.01f, 0.1f), 100.0, 1e-4);
    assert_true(silt_newton_capacity(0.0f, 50.0f, 0.01f, 0.1f) == 0.0f);
}

// P = 0.2 * 100 + 0.4 * C + 0.1 * the four around, of which the wall in the west counts as the cell itself.
// Slow water of 50 grains could carry 50, so C = 50; it digs for no more than twice its depth.
static void what_water_can_carry_is_evened_out(void **state)
{
    (void)state;
    SiltNewtonRock step = {.capacity = 1.0f,
                           .most_load = 2.0f,
                           .rest = 1000,
                           .dig = {.free = 1},
                           .rates = {.dissolve = 0.5f,
                                     .settle = 0.5f,
                                     .loose = 1.0f,
                                     .per_loose = 1.0f,
                                     .most = SILT_GRAINS_CHANGE},
                           .evening = {0.2f, 0.4f, 0.1f}};
    SiltNewtonBed bed = {0, 0, SILT_GRAINS_WALL, 0, 0};
    SiltAround around = {100.0f, 200.0f, 7.0f, 300.0f, 400.0f};
    SiltNewtonVelocity v = {1.0f, 0.0f, 0.0f};
    SiltNewtonGround rock = {0};
    SiltNewtonEvened evened = silt_newton_dissolve_evenly(rock, 50, v, bed, around, 1.0f, step);
    assert_near((double)evened.could, 50.0, 1e-4);
    assert_near((double)evened.even, 0.2 * 100.0 + 0.4 * 50.0 + 0.1 * (200.0 + 100.0 + 300.0 + 400.0), 1e-3);
    assert_int_equal(evened.cell.wear, 50); // half of twice its depth: less than half of 140
    SiltNewtonGround muddy = {.dissolved = 80};
    evened = silt_newton_dissolve_evenly(muddy, 50, v, bed, (SiltAround){0}, 1.0f, step);
    assert_int_equal(evened.cell.ground, 15); // half of what is beyond C, although P is 20
    assert_near((double)silt_newton_follow(100.0f, 1.5f), 150.0, 1e-4);
    assert_true(silt_newton_follow(9e7f, 4.0f) == SILT_NEWTON_HOLDS);
}

// Half of a difference slips towards where more is dug; what two cells count is the same. Walls and what is
// protected give nothing, and what was dug in this step and is filled again was never worn.
static void banks_slip_to_where_more_is_dug(void **state)
{
    (void)state;
    SiltNewtonRock step = {.banks = {0.2f, 0.4f, 0.1f}, .slip = 0.5f, .per_dt = 2.0f};
    SiltNewtonBed bed = {1000, 1000, SILT_GRAINS_WALL, 1000, 1000};
    SiltNewtonGround cell = {.ground = 994, .deposit = 1, .wear = 50};
    SiltNewtonBank bank = silt_newton_slip(cell, 8, bed, (SiltAround){10.0f, 4.0f, 7.0f, 20.0f, 10.0f}, step);
    assert_int_equal(bank.cell.ground, 994 + 3 - 5);
    assert_int_equal(bank.cell.deposit, 0);
    assert_int_equal(bank.cell.wear, 52);
    assert_int_equal(bank.cell.surface, 992 + 8);
    assert_near((double)bank.dug, 0.2 * 10.0 + 0.4 * 6.0 * 2.0 + 0.1 * (4.0 + 10.0 + 20.0 + 10.0), 1e-5);
    bank = silt_newton_slip(cell, 8, bed, (SiltAround){10.0f, 4.0f, 7.0f, 0.0f, 10.0f}, step);
    assert_int_equal(bank.cell.ground, 994 + 3 + 5);
    assert_int_equal(bank.cell.deposit, 1 + 2);
    assert_int_equal(bank.cell.wear, 50 - 6);
    bank = silt_newton_slip(cell, 8, bed, (SiltAround){10.0f, SILT_NEWTON_FIRM, 7.0f, 10.0f, 10.0f}, step);
    assert_int_equal(bank.cell.ground, 994);
    assert_near((double)bank.dug, 0.2 * 10.0 + 0.4 * 6.0 * 2.0 + 0.1 * 40.0, 1e-5);
    bank = silt_newton_slip(cell, 8, bed, (SiltAround){SILT_NEWTON_FIRM, 1.0f, 7.0f, 10.0f, 10.0f}, step);
    assert_true(bank.cell.ground == 994 && bank.dug == 0.0f);
    assert_int_equal(silt_newton_slips(SILT_GRAINS_FLOOR + 9, 0, 9.0f, 0.0f, step), 0);
    assert_int_equal(silt_newton_slips(0, SILT_GRAINS_WALL - 9, 9.0f, 0.0f, step), 0);
    SiltNewtonGround still = {.ground = 1000};
    for (int k = 0; k < 8; k++) { // from both sides, however it is rounded
        step.rates.dither = 0.125f * (float)k;
        SiltNewtonBed level = {1000, 1000, 1000, 1000, 1000};
        SiltAround low = {3.0f, 8.0f, 3.0f, 3.0f, 3.0f}, high = {8.0f, 8.0f, 3.0f, 8.0f, 8.0f};
        SiltAround north = {3.0f, 3.0f, 3.0f, 8.0f, 3.0f}, south = {8.0f, 8.0f, 8.0f, 8.0f, 3.0f};
        int first = silt_newton_slip(still, 8, level, low, step).cell.ground;
        int other = silt_newton_slip(still, 8, level, high, step).cell.ground;
        assert_true(first + other == 2000 && other > 1000);
        first = silt_newton_slip(still, 8, level, north, step).cell.ground;
        other = silt_newton_slip(still, 8, level, south, step).cell.ground;
        assert_true(first + other == 2000 && other > 1000);
    }
}

// In the paper's way K_D divided by a short step is far above one: then all of a load falls, and can be
// counted.
static void no_more_settles_than_there_is(void **state)
{
    (void)state;
    static const int loads[] = {1000, SILT_GRAINS_LOAD};
    SiltRates rates = {.settle = 1e6f, .loose = 1.0f, .per_loose = 1.0f, .most = SILT_GRAINS_CHANGE};
    for (int k = 0; k < 2; k++) {
        SiltExchange change =
            silt_exchange_rock(0.0f, 10.0f, loads[k], 0, 0, SILT_GRAINS_WALL, 1.0f, 0, rates);
        assert_true(change.ground == loads[k] && change.deposit == loads[k] && change.wear == 0);
    }
}

// Numbers worked out by hand, so that no factor can change unseen.
static void numbers_are_exact(void **state)
{
    (void)state;
    // a drop of 400 grains has 0.1 grains of water for each: 40 grains, of which 0.1 + 400 * 1e-4 move
    assert_near((double)silt_newton_split(400.0f, 0.1f, 0.1f, 1e-4f), 40.0 * 0.14, 1e-4);
    assert_near((double)silt_newton_split(400.0f, 0.1f, -5.0f, 1e-4f), 40.0 * 0.04, 1e-4);
    assert_near((double)silt_newton_split(400.0f, 9.0f, 1.0f, 1.0f), 100.0, 1e-4); // a quarter of the drop
    assert_near((double)silt_newton_climb(100, 150, 0.01f), 0.5, 1e-6);
    assert_near((double)silt_newton_capacity(1000.0f, 3.0f, 0.1f, 9.0f), 300.0, 1e-3);
    assert_near((double)silt_newton_capacity(1000.0f, 3.0f, 0.1f, 0.2f), 200.0, 1e-3);
    SiltEight out = {10, 0, 0, 0, 0, 0, 0, 0}, in = {1, 2, 3, 4, 5, 6, 7, 8}; // 90 stay, 36 come
    SiltEightReal of = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f};
    assert_near((double)silt_newton_mix(100, out, in, 0.5f, of, 126), (90.0 * 0.5 + 204.0) / 126.0, 1e-6);
    assert_int_equal(silt_newton_arrive(100, out, in), 126);
    assert_int_equal(silt_newton_levelled(5000, 4000, 4000, 4000, 0.1f), 100);
    assert_int_equal(silt_newton_levelled(4000, 5000, 4000, 4000, 0.1f), -100);
    assert_int_equal(silt_newton_levelled(5000, 4000, 900, 4000, 0.1f), 0); // no pool in common
    SiltNewtonWet wet = silt_newton_wet(100, 0, 100, 3, 0.1f);
    assert_true(wet.e == 0.1f && wet.w == 0.0f && wet.n == 0.1f && wet.s == 0.0f);
    SiltNewtonWet other = silt_newton_wet(0, 100, 3, 100, 0.1f);
    assert_true(other.e == 0.0f && other.w == 0.1f && other.n == 0.0f && other.s == 0.1f);
    assert_near((double)silt_newton_even(1.0f, 2.0f, 0.0f, 3.0f, 0.0f, 100, wet), 1.3, 1e-6);
}

// Slow water moves by the speed it had and one push a part: not by the push twice.
static void slow_water_is_pushed_once(void **state)
{
    (void)state;
    SiltNewtonStep step = {.courant = 0.1f, .slow = 1.0f, .push = 1e-4f, .keep = 0.9f, .head = 1.0f};
    SiltEight level = {1000, 1100, 1100, 1100, 1100, 1100, 1100, 1100}; // lower to the east alone
    SiltNewtonSides dry = {0, 0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f};
    SiltNewtonVelocity before = {0.5f, 0.0f, 0.0f}, pushed = {0.9f, 0.0f, 0.0f};
    SiltEightReal to = silt_newton_leave(1020, level, 30.0f, dry, before, pushed, step);
    double share = 0.5 * 0.9 * 0.1 + 20.0 * 1e-4; // of the 30 grains
    assert_near((double)to.e, 30.0 * share, 1e-4);
    assert_true(to.w == 0.0f && to.se == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_lowers_the_level),
        cmocka_unit_test(the_slope_of_a_plane_is_exact),
        cmocka_unit_test(a_hollow_pulls_nowhere_and_a_crest_both_ways),
        cmocka_unit_test(the_papers_way_takes_the_mean_of_the_lower),
        cmocka_unit_test(gravity_pulls_along_the_slope),
        cmocka_unit_test(slow_water_is_split_gently),
        cmocka_unit_test(what_water_can_carry_is_evened_out),
        cmocka_unit_test(banks_slip_to_where_more_is_dug),
        cmocka_unit_test(no_more_settles_than_there_is),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(slow_water_is_pushed_once),
        cmocka_unit_test(water_holds_by_its_speed_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
