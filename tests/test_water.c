// Water in a box, as programs that use the library see it (silt/fluid.h).
#include "test.h"

#include "core/parallel.h"
#include "silt/fluid.h"

static SiltWaterOptions usual(void)
{
    SiltWaterOptions options;
    assert_ok(silt_params_init(&silt_water_params, &options));
    options.spacing = 0.05;
    options.particles = 2000;
    return options;
}

static const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.4, 0.4, 0.4};

static void water_falls_and_comes_to_rest_with_its_volume(void **state)
{
    (void)state;
    SiltWaterOptions options = usual();
    options.high[0] = options.high[1] = 0.4;
    SiltWater *water;
    assert_ok(silt_water_create(&options, &water));
    assert_int_equal(silt_water_fill(water, low, high, NULL), 512);
    silt_water_advance(water, 1.0);
    assert_near(silt_water_time(water), 1.0, 1e-6);
    SiltParticles now;
    silt_water_particles(water, &now);
    double middle = 0.0;
    for (int i = 0; i < now.count; i++)
        middle += (double)now.z[i] / now.count;
    assert_int_equal(now.count, 512);
    assert_near(2.0 * middle, 0.4, 0.03 * 0.4);
    assert_int_equal(silt_water_gone(water), 0);
    silt_water_destroy(water);
}

// Open sides let water go, periodic ones bring it back, and the way there is the same on any threads.
static void sides_do_what_they_say(void **state)
{
    (void)state;
    const double along[3] = {1.0, 0.0, 0.0};
    for (int side = SILT_SIDE_OPEN; side <= SILT_SIDE_PERIODIC; side++) {
        double sum[2];
        for (int k = 0; k < 2; k++) {
            SiltWaterOptions options = usual();
            options.west = options.east = side;
            options.sound = 15.0;
            SiltWater *water;
            assert_ok(silt_water_create(&options, &water));
            silt_set_threads(k ? 3 : 1);
            silt_water_fill(water, low, high, along);
            silt_water_advance(water, 0.5);
            SiltParticles now;
            silt_water_particles(water, &now);
            sum[k] = now.count;
            for (int i = 0; i < now.count; i++)
                sum[k] += (double)(now.x[i] * now.u[i]) * (double)(i + 1);
            assert_int_equal(now.count + silt_water_gone(water), 512);
            assert_true((side == SILT_SIDE_OPEN) == (now.count < 512));
            silt_water_destroy(water);
        }
        assert_true(sum[0] == sum[1]);
    }
    silt_set_threads(0);
}

static void bad_options_get_a_sentence(void **state)
{
    (void)state;
    SiltWater *water;
    SiltWaterOptions options = usual();
    options.spacing = -1.0;
    assert_fails(silt_water_create(&options, &water), SILT_BAD_ARGUMENT, "spacing");
    options = usual();
    options.spacing = 7.0;
    assert_fails(silt_water_create(&options, &water), SILT_BAD_ARGUMENT, "larger than the 1 m");
    options = usual();
    options.high[1] = -1.0;
    assert_fails(silt_water_create(&options, &water), SILT_BAD_ARGUMENT,
                 "water: the box has no size along y: it reaches from 0 to -1 m");
    options = usual();
    options.viscosity = NAN;
    assert_fails(silt_water_create(&options, &water), SILT_BAD_ARGUMENT, "viscosity");
    options = usual();
    options.east = SILT_SIDE_PERIODIC;
    assert_fails(silt_water_create(&options, &water), SILT_BAD_ARGUMENT, "the one across");
}

static void what_makes_no_sense_does_nothing(void **state)
{
    (void)state;
    SiltWater *water;
    assert_ok(silt_water_create(NULL, &water));
    const double nowhere[3] = {NAN, 0.0, 0.0}, away[3] = {5.0, 0.5, 0.5}, endless[3] = {1e300, 1e300, 1e300};
    const double inside[3] = {0.5, 0.5, 0.5}, wild[3] = {INFINITY, 0.0, 0.0};
    assert_false(silt_water_add(water, nowhere, NULL));
    assert_false(silt_water_add(water, away, NULL));
    assert_false(silt_water_add(water, inside, wild));
    assert_int_equal(silt_water_fill(water, nowhere, high, NULL), 0);
    assert_int_equal(silt_water_fill(water, low, high, wild), 0);
    assert_true(silt_water_add(water, inside, NULL));
    assert_int_equal(silt_water_fill(water, low, endless, NULL), 99999); // all there may be
    assert_true(silt_water_step(water, NAN) == 0.0 && silt_water_step(water, -1.0) == 0.0);
    silt_water_advance(water, INFINITY);
    assert_true(silt_water_time(water) == 0.0);
    silt_water_destroy(water);
    silt_water_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_falls_and_comes_to_rest_with_its_volume),
        cmocka_unit_test(sides_do_what_they_say),
        cmocka_unit_test(bad_options_get_a_sentence),
        cmocka_unit_test(what_makes_no_sense_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
