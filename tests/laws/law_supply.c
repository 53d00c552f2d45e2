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

// Rock moved with steps of one and of half the length.
static void compare_steps(const char *name, double time, const char *setting, double worst)
{
    double moved[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *land = make_hills(96, 96 * 20.0);
        const char *const settings[] = {k ? "cfl=0.25" : "cfl=0.5", setting, NULL};
        moved[k] =
            run_model(silt_model_find(name), land, (SiltDuration){.time = time}, settings).ledger.rock.moved;
        silt_terrain_destroy(land);
    }
    assert_true(moved[1] > 0.0);
    assert_near(moved[0], moved[1], worst * moved[1]);
}

// While water is still gathering as later, also where what it can carry is evened out over two cells.
static void half_the_step_erodes_as_much_at_all_times(void **state)
{
    (void)state;
    long_law();
    static const double times[] = {60.0, 150.0, 300.0, 900.0};
    for (int k = 0; k < 4; k++)
        compare_steps("pipes", times[k], "reach=40", 0.05);
    for (int k = 0; k < 2; k++)
        compare_steps("newton", times[k], "rain=200", 0.05);
}

// Where water dries up within seconds, steps are shorter than that.
static void half_the_step_dries_as_much(void **state)
{
    (void)state;
    static const char *const kinds[] = {"evaporation_kind=linear", "evaporation_kind=exponential"};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 2; m++) { // `cells` has steps of one length
            double moved[2];
            for (int half = 0; half < 2; half++) {
                SiltTerrain *land = make_mountain(32, 32 * 80.0, 600.0);
                const char *const settings[] = {half ? "cfl=0.25" : "cfl=0.5", kinds[k], "evaporation=0.1",
                                                "rain=100", NULL};
                moved[half] =
                    run_model(silt_model_find(wet_models[m]), land, (SiltDuration){.time = 200.0}, settings)
                        .ledger.rock.moved;
                silt_terrain_destroy(land);
            }
            assert_near(moved[0], moved[1], 0.05 * moved[1]);
        }
}

// Even rain adds up to the grain, in steps of any length.
static void even_rain_is_exact(void **state)
{
    (void)state;
    static const char *const names[] = {"pipes", "cells"};
    for (int m = 0; m < 2; m++) {
        SiltTerrain *land = make_mountain(32, 32 * 20.0, 300.0);
        const char *const settings[] = {"rain=0.7", NULL};
        SiltReport report =
            run_model(silt_model_find(names[m]), land, (SiltDuration){.time = 500.0}, settings);
        double area = 32 * 32 * 20.0 * 20.0, wanted = area * 0.7e-3 / 3600.0 * 500.0;
        assert_near(report.ledger.water.added, wanted, 1.01e-6 * area);
        silt_terrain_destroy(land);
    }
}

// Brought to rest, water is gone and every grain it carried lies on the ground; the books say where all went.
static void rest_brings_everything_down(void **state)
{
    (void)state;
    for (int m = 0; m < WET_MODELS; m++) {
        SiltTerrain *flowing = make_hills(64, 64 * 20.0), *still = make_hills(64, 64 * 20.0);
        const SiltModel *model = silt_model_find(wet_models[m]);
        const char *const plain[] = {"rain=200", "sources=600,600,10,60,0,0,0.1", NULL};
        const char *const rest[] = {"rain=200", "sources=600,600,10,60,0,0,0.1", "rest=on", NULL};
        SiltDuration duration = {.time = 400.0};
        SiltReport before = run_model(model, flowing, duration, plain);
        SiltReport after = run_model(model, still, duration, rest);
        assert_true(layer_sum(flowing, "sediment") > 0.01 * layer_sum(flowing, "wear"));
        assert_true(layer_most(still, "sediment") == 0.0 && layer_most(still, "water") == 0.0);
        assert_true(layer_sum(still, "deposition") > layer_sum(flowing, "deposition"));
        assert_true(after.model_time == 400.0);
        assert_near(after.ledger.water.added, before.ledger.water.added, 1e-9 * before.ledger.water.added);
        assert_true(silt_account_imbalance_fraction(&after.ledger.rock) < 1e-5);
        assert_true(silt_account_imbalance_fraction(&after.ledger.water) < 1e-9);
        assert_sane(still);
        silt_terrain_destroy(flowing);
        silt_terrain_destroy(still);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timed_source_gives_its_volume),
        cmocka_unit_test(time_within_a_window),
        cmocka_unit_test(drops_bring_what_steady_rain_brings),
        cmocka_unit_test(half_the_step_erodes_as_much_at_all_times),
        cmocka_unit_test(half_the_step_dries_as_much),
        cmocka_unit_test(even_rain_is_exact),
        cmocka_unit_test(rest_brings_everything_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
