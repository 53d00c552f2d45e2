// The laws of `cells`: books that balance, lakes that rest, and nothing that depends on threads or direction.
#include "erode_help.h"
#include "silt/generate.h"

static const char closed[] = " north=closed east=closed south=closed west=closed";

static void books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "neighbours=four spread=even",
                                           "rain=5000 capacity=0.5 dissolve=1", "rain_pattern=drops",
                                           "sources=200,200,5,20,0,0,0.3"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(70, 66, 5.0);
        make_rough(terrain, k, 200.0f);
        double before = ground_sum(terrain) * 25.0;
        SiltReport report = erode_steps(terrain, "cells", settings[k], 150);
        assert_true(report.ledger.rock.moved > 1.0 && report.ledger.water.added > 1.0);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-5);
        // counted in the layers, not in the model
        double after = (ground_sum(terrain) + layer_sum(terrain, "sediment")) * 25.0;
        const SiltAccount *rock = &report.ledger.rock;
        assert_near(after, before + rock->added - rock->removed, 1e-5 * rock->moved + 1e-9 * before);
        assert_near(layer_sum(terrain, "water") * 25.0, report.ledger.water.stored,
                    1e-6 * report.ledger.water.stored);
        silt_terrain_destroy(terrain);
    }
}

static void a_lake_at_rest_stays_at_rest(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(50, 40, 2.0);
    make_rough(terrain, 3, 8.0f);
    SiltField *height = silt_terrain_layer(terrain, "height"), *water;
    silt_field_row(height, 20)[25] = 12.0f; // an island
    assert_ok(silt_terrain_require(terrain, "water", &water));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 50; i++)
            silt_field_row(water, j)[i] = fmaxf(10.0f - silt_field_at(height, i, j), 0.0f);
    char settings[160];
    snprintf(settings, sizeof settings, "rain=0 evaporation=0 dissolve=0%s", closed);
    erode_steps(terrain, "cells", settings, 600);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 50; i++) {
            assert_true(layer_at(terrain, "speed", i, j) <= 1e-6);
            if (i != 25 || j != 20)
                assert_near(layer_at(terrain, "height", i, j) + layer_at(terrain, "water", i, j), 10.0, 1e-5);
        }
    silt_terrain_destroy(terrain);
}

static void water_levels_out(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(16, 12, 2.0);
    make_rough(terrain, 3, 2.0f);
    SiltField *water;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    silt_field_row(water, 3)[3] = 16.0f * 12.0f * 5.0f;
    char settings[160];
    snprintf(settings, sizeof settings, "rain=0 evaporation=0 dissolve=0%s", closed);
    erode_steps(terrain, "cells", settings, 4000);
    double low = INFINITY, high = -INFINITY;
    for (int j = 0; j < 12; j++)
        for (int i = 0; i < 16; i++) {
            double level = layer_at(terrain, "height", i, j) + layer_at(terrain, "water", i, j);
            low = fmin(low, level);
            high = fmax(high, level);
        }
    assert_true(high - low < 0.01);
    silt_terrain_destroy(terrain);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    same_on_any_threads("cells", "strata=10,1,5;5,0.1,5", (SiltDuration){.steps = 40},
                        (RoughGround){90, 200, 4.0, 200.0f});
}

static void rotation_rotates(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "neighbours=four", "spread=even dissolve=1"};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(71, 90, 4.0);
        make_rough(terrain, 11, 100.0f);
        SiltTerrain *other = turned(terrain);
        erode_steps(terrain, "cells", settings[k], 60);
        erode_steps(other, "cells", settings[k], 60);
        assert_true(layer_sum(terrain, "wear") > 0.0);
        static const char *const layers[] = {"change",  "wear", "water", "sediment",
                                             "deposit", "flow", "speed"};
        for (size_t n = 0; n < sizeof layers / sizeof layers[0]; n++)
            assert_true(is_turned(terrain, other, layers[n]));
        silt_terrain_destroy(terrain);
        silt_terrain_destroy(other);
    }
}

static double worn(int side, const char *settings)
{
    SiltTerrain *terrain = make_terrain(side, side, 640.0 / side);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = ((double)i + 0.5) * terrain->cell, y = ((double)j + 0.5) * terrain->cell;
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(30.0 * sin(x / 70.0) * sin(y / 50.0 + x / 300.0) + 0.2 * x);
        }
    erode(terrain, "cells", settings, (SiltDuration){.time = 2000.0});
    double volume = layer_sum(terrain, "wear") * terrain->cell * terrain->cell;
    silt_terrain_destroy(terrain);
    return volume;
}

static void twice_the_resolution_is_the_same_place(void **state)
{
    (void)state;
    long_law();
    double coarse = worn(64, ""), fine = worn(128, "");
    assert_near(coarse, fine, 0.1 * fine);
}

// A wall of cells without data: rain on one side never comes to the other.
static void no_data_passes_nothing(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(60, 40, 1.0);
    assert_ok(silt_terrain_require_nodata(terrain));
    SiltField *height = silt_terrain_layer(terrain, "height"), *rain;
    assert_ok(silt_terrain_require(terrain, "rain", &rain));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 60; i++) {
            terrain->nodata[j * 60 + i] = i == 30;
            silt_field_row(height, j)[i] = i < 30 ? 10.0f : i > 30 ? 0.0f : NAN;
            silt_field_row(rain, j)[i] = i < 30 ? 1000.0f : 0.0f;
        }
    erode_steps(terrain, "cells", "rain_map=rain", 300);
    assert_true(layer_at(terrain, "water", 29, 20) > 0.0);
    for (int j = 0; j < 40; j++)
        for (int i = 30; i < 60; i++)
            assert_true(layer_at(terrain, "water", i, j) == 0.0 && layer_at(terrain, "change", i, j) == 0.0);
    silt_terrain_destroy(terrain);
}

static void any_parameters_stay_sane(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("cells");
    void *params = silt_alloc(silt_model_params(model)->size);
    for (uint64_t seed = 0; seed < 300; seed++) {
        SiltTerrain *terrain = make_terrain(33, 29, seed % 3 == 0 ? 0.01 : 30.0);
        make_rough(terrain, seed, seed % 2 ? 3000.0f : 1.0f);
        draw_params(silt_model_params(model), params, seed);
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 40}, NULL, &report));
        assert_true(layers_finite(terrain));
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-6);
        for (int j = 0; j < 29; j++)
            for (int i = 0; i < 33; i++)
                assert_true(
                    layer_at(terrain, "water", i, j) >= 0.0 && layer_at(terrain, "sediment", i, j) >= 0.0 &&
                    layer_at(terrain, "deposit", i, j) >= 0.0 && layer_at(terrain, "wear", i, j) >= 0.0);
        silt_params_free(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

// How far a cell stands above the highest of its four neighbours.
static double needle(const SiltTerrain *terrain, int i, int j)
{
    double beside = fmax(ground_at(terrain, i - 1, j), ground_at(terrain, i + 1, j));
    double across = fmax(ground_at(terrain, i, j - 1), ground_at(terrain, i, j + 1));
    return ground_at(terrain, i, j) - fmax(beside, across);
}

// The top of a pyramid is as steep as its flanks, though the ground is as high on one side of it as on the
// other: rain wears it at least half as fast as what lies below.
static void summits_are_worn(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(41, 41, 10.0);
    for (int j = 0; j < 41; j++)
        for (int i = 0; i < 41; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(100.0 - 5.0 * fmax(abs(i - 20), abs(j - 20)));
    erode_steps(terrain, "cells", "", 100);
    assert_true(layer_at(terrain, "wear", 22, 20) > 0.001);
    assert_true(layer_at(terrain, "wear", 20, 20) > 0.5 * layer_at(terrain, "wear", 22, 20));
    silt_terrain_destroy(terrain);
}

// What settles makes no towers: hardly a cell in a thousand comes to stand 5 m above all around it, and none
// by more than half its width.
static void no_needles_grow(void **state)
{
    (void)state;
    const SiltGenerator *noise = silt_generator_find("noise");
    void *params = silt_alloc(noise->params.size);
    assert_ok(silt_params_init(&noise->params, params));
    SiltTerrain *terrain;
    assert_ok(silt_generate(noise, 128, 128, 20.0, params, &(SiltRun){.seed = 7}, &terrain));
    erode_steps(terrain, "cells", "pace=100", 1500);
    int count = 0;
    for (int j = 1; j < 127; j++)
        for (int i = 1; i < 127; i++) {
            assert_true(needle(terrain, i, j) < 10.0);
            count += needle(terrain, i, j) > 5.0;
        }
    assert_true(count <= 16);
    silt_terrain_destroy(terrain);
    silt_params_free(&noise->params, params);
    silt_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_balance),          cmocka_unit_test(a_lake_at_rest_stays_at_rest),
        cmocka_unit_test(water_levels_out),       cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(rotation_rotates),       cmocka_unit_test(twice_the_resolution_is_the_same_place),
        cmocka_unit_test(no_data_passes_nothing), cmocka_unit_test(any_parameters_stay_sane),
        cmocka_unit_test(summits_are_worn),       cmocka_unit_test(no_needles_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
