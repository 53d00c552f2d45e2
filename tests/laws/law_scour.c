// Laws of what water does to the bed in `pipes` and `newton`, whatever the ground and the step.
#include "test.h"

#include "erode/model.h"
#include "erode/pipes.h"
#include "water.h"

extern const SiltModel silt_model_pipes, silt_model_newton;

// A level canal with a spring at its western end: what flows through it wears its bed, although no cell of it
// lies higher than another. (The least tilt of Mei eq. 10 is there for this.)
static double dug_from_level(const SiltModel *model, const char *more)
{
    SiltTerrain *canal = make_land(48, 12, 2.0);
    const char *settings[] = {"rain=0",       "evaporation=0",
                              "north=closed", "south=closed",
                              "west=closed",  "sources=12,12,40,6,0,0,0",
                              more,           NULL};
    SiltReport report = run_model(model, canal, (SiltDuration){.time = 120.0}, settings);
    double depth = report.ledger.rock.moved / (48.0 * 12.0 * 4.0);
    silt_terrain_destroy(canal);
    return depth;
}

static void level_ground_is_dug(void **state)
{
    (void)state;
    assert_true(dug_from_level(&silt_model_pipes, "bank_rate=0") > 0.02);
    assert_true(dug_from_level(&silt_model_newton, "pace=200") > 0.02);
}

// And no deeper than water of its speed gets out of: standing water digs nothing, and a pit in a level bed
// ends.
static void no_pit_is_deeper_than_water_climbs(void **state)
{
    (void)state;
    const SiltDigging dig = {0.5f / (9.81f * 1e-6f), 0.5f, 0}; // grains of a micrometre
    int32_t ground = 1000000, around = 1000000;
    for (int k = 0; k < 60; k++)
        ground -= silt_grains_to_dig(ground, around, around, around, around, 1.0f, dig);
    assert_near(1e-6 * (around - ground), 1.0 / (2.0 * 9.81), 1e-4); // m, at 1 m/s
    assert_int_equal(silt_grains_to_dig(around, around, around, around, around, 0.0f, dig), 0);
}

// How fast is no matter of how time is cut.
static double share_of_a_second(double dt)
{
    SiltDigging dig = silt_digging(false, 9.81, 1e-6, 10.0, dt);
    int32_t ground = 1000000;
    for (double t = 0.0; t < 1.0 - 1e-9; t += dt)
        ground -= silt_grains_to_dig(ground, 0, ground, ground, ground, 0.0f, dig);
    return 1.0 - 1e-6 * ground;
}

static void half_the_step_may_dig_as_much(void **state)
{
    (void)state;
    double whole = share_of_a_second(0.02), half = share_of_a_second(0.01);
    assert_near(half, whole, 0.01 * whole);
}

// The map of speed has what the model reckons with, and it is told how often that was bounded.
static void the_map_of_speed_keeps_the_bound(void **state)
{
    (void)state;
    SiltTerrain *land = make_mountain(48, 480.0, 200.0);
    static const char *const settings[] = {"rain=500", "pipe_area=100", "fastest=10", "friction=0", NULL};
    SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.steps = 600}, settings);
    assert_true(layer_most(land, "speed") <= 10.0 * (1.0 + 1e-6));
    assert_true(layer_most(land, "speed") > 5.0);
    assert_true(report.counters.limited[PIPES_LIMIT_VELOCITY] > 0);
    silt_terrain_destroy(land);
}

// In the paper's way rates go by the step, which nothing but the user changes: not by the sub-steps that
// stability asks for.
static double worn_by_the_paper(const char *cfl)
{
    SiltTerrain *land = make_mountain(48, 480.0, 120.0);
    const char *settings[] = {
        "rain=300", "time_scaling=paper", "step=1", "dissolve=0.001", "settle=0.001", cfl, NULL};
    SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.time = 60.0}, settings);
    silt_terrain_destroy(land);
    return report.ledger.rock.moved;
}

static void the_paper_s_rates_do_not_go_by_the_sub_step(void **state)
{
    (void)state;
    double few = worn_by_the_paper("cfl=0.6"), many = worn_by_the_paper("cfl=0.15");
    assert_near(many, few, 0.15 * few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_ground_is_dug),
        cmocka_unit_test(no_pit_is_deeper_than_water_climbs),
        cmocka_unit_test(half_the_step_may_dig_as_much),
        cmocka_unit_test(the_map_of_speed_keeps_the_bound),
        cmocka_unit_test(the_paper_s_rates_do_not_go_by_the_sub_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
