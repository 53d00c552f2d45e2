// Laws of what water does to the bed in `pipes` and `newton`, whatever the ground and the step.
#include "test.h"

#include "erode/model.h"
#include "erode/newton.h"
#include "erode/pipes.h"
#include "erode/run.h"
#include "physics/sph_sediment.h"
#include "water.h"

extern const SiltModel silt_model_pipes, silt_model_newton, silt_model_cells;

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

// How fast is no matter of how time is cut: in a second all the way but for 1/e.
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
    assert_near(half, 1.0 - exp(-1.0), 0.01);
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
static SiltReport run_by_the_paper(const SiltModel *model, const char *cfl)
{
    SiltTerrain *land = make_mountain(48, 480.0, 120.0);
    const char *settings[] = {"rain=300", "time_scaling=paper", "step=4", "dissolve=0.01", "settle=0.01", cfl,
                              NULL};
    SiltReport report = run_model(model, land, (SiltDuration){.time = 60.0}, settings);
    silt_terrain_destroy(land);
    return report;
}

// Nor does a step that the user leaves open follow the water: there are as many whatever rains.
static int64_t steps_by_the_paper(const SiltModel *model, const char *rain)
{
    SiltTerrain *land = make_mountain(48, 480.0, 120.0);
    const char *settings[] = {rain, "time_scaling=paper", "capacity=0", NULL};
    SiltReport report = run_model(model, land, (SiltDuration){.time = 60.0}, settings);
    silt_terrain_destroy(land);
    return report.steps;
}

static void the_paper_s_rates_do_not_go_by_the_sub_step(void **state)
{
    (void)state;
    const SiltModel *const models[] = {&silt_model_pipes, &silt_model_newton};
    for (int m = 0; m < 2; m++) {
        SiltReport few = run_by_the_paper(models[m], "cfl=0.6"),
                   many = run_by_the_paper(models[m], "cfl=0.1");
        assert_true(many.counters.substeps > 2 * few.counters.substeps);
        assert_near(many.ledger.rock.moved, few.ledger.rock.moved, 0.15 * few.ledger.rock.moved);
        int64_t steps = steps_by_the_paper(models[m], "rain=10");
        assert_true(steps > 10 && steps == steps_by_the_paper(models[m], "rain=1000"));
    }
}

// A plane, one in ten, under half a metre of water with so many metres of rock in it.
static SiltTerrain *make_sheet(float rock)
{
    SiltTerrain *land = make_land(24, 24, 20.0);
    SiltField *water, *sediment;
    assert_ok(silt_terrain_require(land, "water", &water));
    assert_ok(silt_terrain_require(land, "sediment", &sediment));
    silt_field_fill(water, 0.5f);
    silt_field_fill(sediment, rock);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++)
            silt_field_row(silt_terrain_layer(land, "height"), j)[i] = 60.0f - 2.0f * (float)j;
    return land;
}

// One step of a sheet that runs down a plane, from rest: eq. 19 to 23 give what it digs and drops, also where
// K_S and K_D divided by the step are above one.
static void the_rates_of_the_paper_have_no_bound(void **state)
{
    (void)state;
    static const double steps[] = {1.0, 0.1, 0.02};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *land = make_sheet(0.0f);
        char step[32], capacity[32];
        snprintf(step, sizeof step, "step=%g", steps[k]);
        snprintf(capacity, sizeof capacity, "capacity=%g", 0.1 * steps[k]);
        const char *const settings[] = {
            "paper=on", "transfer=sides", "rain=0", "evaporation=0", "dissolve=0.3", "cfl=0.9",
            step,       capacity,         NULL};
        run_model(&silt_model_newton, land, (SiltDuration){.steps = 1}, settings);
        double speed = (double)silt_field_at(silt_terrain_layer(land, "speed"), 12, 12);
        double wanted = 0.3 / steps[k] * (0.1 * 0.5 * speed);
        assert_true(speed > 0.0);
        assert_near(-(double)silt_field_at(silt_terrain_layer(land, "change"), 12, 12), wanted,
                    0.02 * wanted);
        silt_terrain_destroy(land);
        // eq. 20: a little more than it holds, of which K_D / step is dropped
        land = make_sheet((float)((1.0 + 0.5 * steps[k]) * 0.1 * 0.5 * speed));
        run_model(&silt_model_newton, land, (SiltDuration){.steps = 1}, settings);
        wanted = 0.5 / steps[k] * (0.5 * steps[k] * 0.1 * 0.5 * speed);
        assert_near((double)silt_field_at(silt_terrain_layer(land, "change"), 12, 12), wanted, 0.1 * wanted);
        silt_terrain_destroy(land);
    }
}

// Beds are looked up below the loose material: rock that nothing wears keeps its height, whatever lay on it,
// also where water wants more in a step than lies loose.
static double deepest_into_beds(const SiltModel *model, const char *pace)
{
    SiltTerrain *land = make_mountain(48, 480.0, 200.0);
    SiltField *bed, *deposit, *height = silt_terrain_layer(land, "height");
    assert_ok(silt_terrain_require(land, "bed", &bed)); // the first bed begins at the surface
    assert_ok(silt_terrain_require(land, "deposit", &deposit));
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++) {
            silt_field_row(bed, j)[i] = silt_field_at(height, i, j);
            silt_field_row(deposit, j)[i] = 0.1f;
        }
    const char *settings[] = {"rain=1000", "strata=0.08,1,0;1000,0,0", "loose=1", pace, NULL};
    run_model(model, land, (SiltDuration){.time = 60.0}, settings);
    const SiltField *change = silt_terrain_layer(land, "change");
    double deepest = 0.0;
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++)
            deepest = fmax(deepest, -(double)silt_field_at(change, i, j));
    silt_terrain_destroy(land);
    return deepest;
}

static void beds_lie_below_the_deposit(void **state)
{
    (void)state;
    const SiltModel *const models[] = {&silt_model_pipes, &silt_model_newton, &silt_model_cells};
    for (int m = 0; m < 3; m++)
        for (int hasty = 0; hasty < 2; hasty++) {
            double deepest = deepest_into_beds(models[m], hasty ? "pace=10000" : NULL);
            assert_true(deepest > 0.05); // the loose material goes
            assert_true(deepest < 0.1 + 1e-4);
        }
}

// Water that runs off a slope onto a plain runs on along the plain: none of its speed goes on into the
// ground.
static void water_turns_at_the_foot_of_a_slope(void **state)
{
    (void)state;
    SiltTerrain *land = make_land(64, 8, 2.0);
    SiltField *height = silt_terrain_layer(land, "height");
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 64; i++)
            silt_field_row(height, j)[i] = i < 32 ? (float)(2 * (32 - i)) : 0.0f; // 45 degrees, then level
    const char *settings[] = {"rain=0",     "evaporation=0", "north=closed",          "south=closed",
                              "capacity=0", "friction=0.05", "sources=4,8,4,3,0,0,0", NULL};
    void *params = silt_params_new(&silt_model_newton.params);
    for (int k = 0; settings[k]; k++)
        assert_ok(silt_params_assign(&silt_model_newton.params, params, "newton", settings[k]));
    SiltErosion *run;
    assert_ok(silt_erosion_begin(&silt_model_newton, land, params, NULL, &run));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.time = 60.0}));
    const Newton *n = run->state;
    double down = 0.0, along = 0.0;
    for (int i = 40; i < 60; i++) {
        down = fmax(down, fabs((double)silt_field_at(&n->velocity_z, i, 4)));
        along = fmax(along, (double)silt_field_at(&n->velocity_x, i, 4));
    }
    assert_true(along > 2.0);
    assert_true(down < 0.05 * along);
    for (int i = 10; i < 25; i++) // and on the slope it falls as the slope does
        assert_near((double)silt_field_at(&n->velocity_z, i, 4), -(double)silt_field_at(&n->velocity_x, i, 4),
                    0.1);
    silt_erosion_end(run);
    silt_params_delete(&silt_model_newton.params, params);
    silt_terrain_destroy(land);
}

// Slow water is pushed once a step: from rest each part, shared out by the drops, goes by a t^2 (Neidhold eq.
// 3 and 4), with a = g times its own slope. One wet cell on a plane that falls to the east, one step.
static void slow_water_from_rest_goes_by_one_push(void **state)
{
    (void)state;
    SiltTerrain *plane = make_land(9, 9, 10.0);
    SiltField *wet;
    assert_ok(silt_terrain_require(plane, "water", &wet));
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++)
            silt_field_row(silt_terrain_layer(plane, "height"), j)[i] = (float)(9 - i);
    silt_field_row(wet, 4)[4] = 0.1f;
    static const char *const settings[] = {"rain=0",     "evaporation=0", "dry=0",
                                           "capacity=0", "step=0.5",      NULL};
    run_model(&silt_model_newton, plane, (SiltDuration){.steps = 1}, settings);
    const SiltField *water = silt_terrain_layer(plane, "water");
    double drops = 3 * 1.1 + 2 * 0.1; // m, to the east, and to cells as high beside its surface
    double part = 0.1 * 1.1 / drops, along = 9.81 * (1.1 / 10.0) * 0.5 * 0.5 / 10.0; // cells
    assert_near((double)silt_field_at(water, 5, 4), part * along, 0.02 * part * along);
    assert_near((double)silt_field_at(water, 5, 5), 0.5 * part * along, 0.02 * part * along);
    assert_true(silt_field_at(water, 3, 4) == 0.0f);
    silt_terrain_destroy(plane);
}

// A stream in a straight channel between dry banks is as swift whether velocities even out or not: dry ground
// is not water that stands.
static double speed_of_a_stream(const char *diffusion)
{
    SiltTerrain *plane = make_land(96, 24, 2.0);
    SiltField *height = silt_terrain_layer(plane, "height");
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 96; i++) // two cells wide
            silt_field_row(height, j)[i] = (float)(0.1 * 2.0 * (96 - i) + (j == 11 || j == 12 ? 0.0 : 4.0));
    const char *settings[] = {"rain=0",
                              "evaporation=0",
                              "north=closed",
                              "south=closed",
                              "capacity=0",
                              "source_shape=box",
                              "sources=6,24,0.8,2,0,0,0",
                              diffusion,
                              NULL};
    run_model(&silt_model_newton, plane, (SiltDuration){.time = 120.0}, settings);
    double speed = 0.0;
    for (int i = 70; i < 90; i++)
        speed += (double)silt_field_at(silt_terrain_layer(plane, "speed"), i, 11) / 20.0;
    silt_terrain_destroy(plane);
    return speed;
}

static void dry_ground_does_not_brake(void **state)
{
    (void)state;
    double free = speed_of_a_stream("diffusion=0"), evened = speed_of_a_stream("diffusion=1");
    assert_true(free > 1.0);
    assert_near(evened, free, 0.1 * free);
}

// Grains of any size settle as measured: silt as Stokes says, sand of 0.6 mm at 8 cm/s (Ferguson and Church
// 2004), pebbles as their drag alone has it, sqrt(R g D / 0.75).
static void grains_settle_at_their_speed(void **state)
{
    (void)state;
    const float rock = 2650.0f, water = 1000.0f, viscosity = 1e-3f, gravity = 9.81f;
    double silt = (double)silt_grain_speed(2e-6f, rock, water, viscosity, gravity);
    assert_near(silt, (double)silt_stokes_speed(2e-6f, rock, water, viscosity, gravity), 0.005 * silt);
    assert_near((double)silt_grain_speed(3e-4f, rock, water, viscosity, gravity), 0.0842, 0.001);
    double pebble = (double)silt_grain_speed(0.05f, rock, water, viscosity, gravity);
    assert_near(pebble, sqrt(1.65 * 9.81 * 0.1 / 0.75), 0.01 * pebble);
}

// What water can carry, evened out, is what it could carry where that is the same all around.
static void what_is_even_stays_as_it_is(void **state)
{
    (void)state;
    const SiltEvening evening = {0.3f, 0.5f, 0.05f};
    assert_near((double)silt_exchange_even(7.0f, 7.0f, 28.0f, evening), 7.0, 1e-5);
    assert_near((double)silt_exchange_even(1.0f, 3.0f, 10.0f, evening), 0.3 + 1.5 + 0.5, 1e-6);
}

// Evaporation by altitude: as Neidhold prints it peaks dry fastest, and as he gives its reason valleys do.
static double left_at(const char *kind, double height)
{
    SiltTerrain *land = make_land(8, 8, 10.0);
    SiltField *ground = silt_terrain_layer(land, "height"), *water;
    assert_ok(silt_terrain_require(land, "water", &water));
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            silt_field_row(ground, j)[i] = i < 4 ? (float)height : 2000.0f;
            silt_field_row(water, j)[i] = j == 4 && i == 2 ? 0.5f : 0.0f;
        }
    const char *settings[] = {"rain=0",       "evaporation=0.01", kind,
                              "north=closed", "south=closed",     "east=closed",
                              "west=closed",  "capacity=0",       NULL};
    SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.time = 20.0}, settings);
    silt_terrain_destroy(land);
    return 1.0 - report.ledger.water.removed / (0.5 * 100.0);
}

static void heights_dry_as_the_kind_says(void **state)
{
    (void)state;
    assert_near(left_at("evaporation_kind=altitude", 500.0), exp(-0.01 * 20.0 * 0.5), 0.01);
    assert_near(left_at("evaporation_kind=altitude", 1500.0), exp(-0.01 * 20.0 * 1.5), 0.01);
    assert_near(left_at("evaporation_kind=cold-heights", 500.0), exp(-0.01 * 20.0 * 1.5), 0.01);
    assert_near(left_at("evaporation_kind=cold-heights", 1500.0), exp(-0.01 * 20.0 * 0.5), 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_ground_is_dug),
        cmocka_unit_test(no_pit_is_deeper_than_water_climbs),
        cmocka_unit_test(half_the_step_may_dig_as_much),
        cmocka_unit_test(the_map_of_speed_keeps_the_bound),
        cmocka_unit_test(the_paper_s_rates_do_not_go_by_the_sub_step),
        cmocka_unit_test(the_rates_of_the_paper_have_no_bound),
        cmocka_unit_test(beds_lie_below_the_deposit),
        cmocka_unit_test(water_turns_at_the_foot_of_a_slope),
        cmocka_unit_test(slow_water_from_rest_goes_by_one_push),
        cmocka_unit_test(dry_ground_does_not_brake),
        cmocka_unit_test(grains_settle_at_their_speed),
        cmocka_unit_test(what_is_even_stays_as_it_is),
        cmocka_unit_test(heights_dry_as_the_kind_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
