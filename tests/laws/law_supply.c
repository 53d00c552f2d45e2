// Laws of the water that comes and goes, for every model on heightfields.
#include "water.h"

#include "couple/fluid.h"

static const char *const wet_models[] = {"pipes", "newton", "cells"};
enum { WET_MODELS = 3 };

// A source gives its rate times the time it runs, wherever in a step it begins and ends.
static void a_timed_source_gives_its_volume(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        double volume;
    } cases[] = {{"sources=1200,1200,10,100,10,60,0", 500.0},
                 {"sources=1200,1200,10,100,100,400,0", 3000.0},
                 {"sources=1200,1200,10,100,595,0,0", 50.0},
                 {"sources=1200,1200,10,100,0,0.5,0;900,900,2,0,3,4,0", 7.0}};
    for (int m = 0; m < WET_MODELS; m++)
        for (int k = 0; k < 4; k++) {
            SiltTerrain *land = make_mountain(32, 32 * 80.0, 300.0);
            const char *const settings[] = {"rain=0", "evaporation=0", cases[k].setting, NULL};
            SiltReport report =
                run_model(silt_model_find(wet_models[m]), land, (SiltDuration){.time = 600.0}, settings);
            // a grain more or less for each cell of the source
            assert_near(report.ledger.water.added, cases[k].volume, 0.2);
            silt_terrain_destroy(land);
        }
}

static void time_within_a_window(void **state)
{
    (void)state;
    assert_true(silt_time_within(0.3, 0.1, 0.0, 0.0) == 0.1); // not a bit less: 0.3 + 0.1 - 0.3 is
    assert_near(silt_time_within(1.0, 2.0, 1.5, 0.0), 1.5, 1e-12);
    assert_near(silt_time_within(1.0, 2.0, 1.5, 2.5), 1.0, 1e-12);
    assert_near(silt_time_within(1.0, 2.0, 0.0, 1.25), 0.25, 1e-12);
    assert_true(silt_time_within(1.0, 2.0, 3.0, 9.0) == 0.0 && silt_time_within(1.0, 2.0, 0.0, 1.0) == 0.0);
    double sum = 0.0;
    for (int k = 0; k < 100; k++)
        sum += silt_time_within(0.07 * k, 0.07, 1.234, 5.678);
    assert_near(sum, 5.678 - 1.234, 1e-12);
}

// Drops bring what steady rain brings, however long they fall on the same places.
static void drops_bring_what_steady_rain_brings(void **state)
{
    (void)state;
    static const char *const kinds[] = {"drop_interval=1", "drop_interval=600", "drop_interval=3600",
                                        "drop_radius=1000"};
    double wanted = 32 * 32 * 80.0 * 80.0 * 30e-3 / 3600.0 * 1000.0;
    for (int m = 0; m < WET_MODELS; m++)
        for (int k = 0; k < 4; k++) {
            SiltTerrain *land = make_mountain(32, 32 * 80.0, 300.0);
            const char *const settings[] = {"rain=30", "rain_pattern=drops", kinds[k], NULL};
            SiltReport report =
                run_model(silt_model_find(wet_models[m]), land, (SiltDuration){.time = 1000.0}, settings);
            assert_near(report.ledger.water.added, wanted, 1e-3 * wanted);
            silt_terrain_destroy(land);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timed_source_gives_its_volume),
        cmocka_unit_test(time_within_a_window),
        cmocka_unit_test(drops_bring_what_steady_rain_brings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
