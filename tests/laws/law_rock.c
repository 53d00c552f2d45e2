// Rock with structure under rivers: beds rise with the land, hard ones stand high, and ridges lean as the
// beds do.
#include "erode_help.h"

#include "erode/strata.h"
#include "silt/generate.h"

static SiltTerrain *land(const char *kind, int size, double cell, uint64_t seed, const char *settings)
{
    const SiltGenerator *generator = silt_generator_find(kind);
    assert_non_null(generator);
    void *params = silt_alloc(generator->params.size);
    assert_non_null(params);
    assert_ok(silt_params_init(&generator->params, params));
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(&generator->params, params, kind, word));
    SiltRun run = {.seed = seed};
    SiltTerrain *terrain;
    assert_ok(silt_generate(generator, size, size, cell, params, &run, &terrain));
    silt_params_free(&generator->params, params);
    silt_free(params);
    return terrain;
}

// Low hills above the rock of these settings.
static SiltTerrain *hills_on_rock(int size, double cell, uint64_t seed, const char *settings)
{
    SiltTerrain *terrain = land("rock", size, cell, seed, settings);
    SiltTerrain *hills = land("noise", size, cell, seed, "relief=200");
    silt_field_copy(silt_terrain_layer(hills, "height"), silt_terrain_layer(terrain, "height"));
    silt_terrain_destroy(hills);
    return terrain;
}

static SiltStrata strata_of(const SiltTerrain *terrain)
{
    SiltStrataParams params = {.bed = "bed", .intrusion = "intrusion", .intrusion_erodibility = 0.2};
    SiltStrata strata;
    assert_ok(silt_strata_begin(&params, terrain, "test", &strata));
    return strata;
}

// Land that rises and does not wear has the same rock at its surface ever after.
static void rock_rises_with_the_land(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills_on_rock(64, 100.0, 3, "thickness=20");
    SiltStrata before = strata_of(terrain);
    SiltField bare;
    assert_ok(silt_field_create(64, 64, &bare));
    for (int j = 0; j < 64; j++)
        silt_strata_row(&before, 0, j, 64, silt_field_row(silt_terrain_layer(terrain, "height"), j),
                        silt_field_row(&bare, j));
    erode(
        terrain, "rivers",
        "uplift=0.0005 incision=0 diffusion=0 deposition=0 lateral=0 critical_slope=89 strength_variation=0 "
        "sides=closed lakes=fill step=10000",
        (SiltDuration){.time = 100000.0});
    SiltStrata after = strata_of(terrain);
    int same = 0;
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            assert_near(layer_at(terrain, "raised", i, j), 50.0, 1e-3);
            same += silt_strata_erodibility(&after, i, j, (float)ground_at(terrain, i, j)) ==
                    silt_field_at(&bare, i, j);
        }
    assert_true(same > 4080); // of 4096: at the very edge of a bed rounding decides
    silt_field_destroy(&bare);
    silt_terrain_destroy(terrain);
}

// From one level of a pyramid to the next, and from one stage to the next, rock stays as high as it is.
static void what_has_risen_is_handed_on(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills_on_rock(128, 100.0, 3, "");
    const SiltModel *model = silt_model_find("rivers");
    void *params = silt_alloc(model->params.size);
    assert_non_null(params);
    assert_ok(silt_params_init(&model->params, params));
    for (int stage = 1; stage <= 2; stage++) {
        assert_ok(
            silt_erode_pyramid(model, terrain, params, (SiltDuration){.time = 400000.0}, 2, NULL, NULL));
        silt_terrain_settle(terrain);
        for (int j = 0; j < 128; j += 9)
            for (int i = 0; i < 128; i += 9)
                assert_near(layer_at(terrain, "raised", i, j), 50.0 * stage, 0.01);
    }
    silt_params_free(&model->params, params);
    silt_free(params);
    silt_terrain_destroy(terrain);
}

#define BEDS "faults=0 fold=0 intrusions=0 variation=0 direction=90 thickness=250 hard=0.2 soft=2 "

static void hard_beds_stand_high(void **state)
{
    (void)state;
    long_law();
    SiltTerrain *terrain = hills_on_rock(128, 100.0, 5, BEDS "dip=15");
    erode(terrain, "rivers", "uplift=0.0002", (SiltDuration){.time = 6e6});
    SiltStrata strata = strata_of(terrain);
    double sum[2] = {0.0, 0.0}, count[2] = {0.0, 0.0}; // soft, hard
    for (int j = 8; j < 120; j++)
        for (int i = 8; i < 120; i++) {
            int hard = silt_strata_erodibility(&strata, i, j, (float)ground_at(terrain, i, j)) < 1.0f;
            sum[hard] += ground_at(terrain, i, j);
            count[hard] += 1.0;
        }
    assert_true(count[0] > 1000.0 && count[1] > 1000.0); // both lie bare
    printf("hard beds stand %.0f m above soft ones\n", sum[1] / count[1] - sum[0] / count[0]);
    assert_true(sum[1] / count[1] > sum[0] / count[0] + 60.0);
    silt_terrain_destroy(terrain);
}

// How steep land is that faces west, where beds rise out of the ground, over that of land that faces east,
// with the beds.
static double scarp_ratio(const char *settings)
{
    SiltTerrain *terrain = hills_on_rock(128, 100.0, 5, settings);
    erode(terrain, "rivers", "", (SiltDuration){.time = 6e6});
    double sum[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
    for (int j = 8; j < 120; j++)
        for (int i = 8; i < 120; i++) {
            double east = 0.005 * (ground_at(terrain, i + 1, j) - ground_at(terrain, i - 1, j));
            double south = 0.005 * (ground_at(terrain, i, j + 1) - ground_at(terrain, i, j - 1));
            if (fabs(east) < 2.0 * fabs(south))
                continue;
            sum[east > 0.0] += fabs(east);
            count[east > 0.0] += 1.0;
        }
    silt_terrain_destroy(terrain);
    return (sum[1] / count[1]) / (sum[0] / count[0]);
}

// Cuestas: scarps are steeper than dip slopes, and on level beds neither side is.
static void ridges_lean_as_beds_do(void **state)
{
    (void)state;
    long_law();
    double dipping = scarp_ratio(BEDS "dip=8"), level = scarp_ratio(BEDS "dip=0");
    printf(
        "scarps are %.2f times as steep as dip slopes; on level beds west is %.2f times as steep as east\n",
        dipping, level);
    assert_true(dipping > 1.3);
    assert_true(level > 0.85 && level < 1.18);
}

static void every_model_gives_the_same_bytes_on_any_threads(void **state)
{
    (void)state;
    static const char *const models[] = {"thermal", "cells", "pipes", "newton", "rivers"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        uint64_t wanted = 0, plain = 0;
        for (int k = 0; k < 3; k++) {
            SiltTerrain *terrain = hills_on_rock(96, 10.0, 5, "dikes=3 dip=20 thickness=4");
            silt_field_scale(silt_terrain_layer(terrain, "height"), 2.0f, 0.0f);
            if (k == 2) { // the same without the beds: they must have shown
                silt_terrain_drop(terrain, "bed");
                silt_terrain_drop(terrain, "intrusion");
                terrain->column.count = 0;
            }
            silt_set_threads(k == 0 ? 1 : 5);
            erode_steps(terrain, models[m], "", 20);
            *(k == 2 ? &plain : &wanted) = silt_field_hash(silt_terrain_layer(terrain, "change"));
            if (k == 1)
                assert_true(plain == wanted);
            plain = k == 0 ? wanted : plain;
            silt_terrain_destroy(terrain);
        }
        if (plain == wanted)
            fail_msg("%s does not see the rock", models[m]);
    }
    silt_set_threads(0);
}

// Twice the rain on the eastern half: rivers carry more there, and cut deeper; rain of 1 changes nothing.
static void rivers_cut_by_the_water_they_gather(void **state)
{
    (void)state;
    uint64_t hash[2];
    double worn[2] = {0.0, 0.0}, run_off[2] = {0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = land("noise", 96, 100.0, 2, "relief=400");
        SiltField *rain;
        assert_ok(silt_terrain_require(terrain, "rain", &rain));
        for (int j = 0; j < 96; j++)
            for (int i = 0; i < 96; i++)
                silt_field_row(rain, j)[i] = k < 2 || i < 48 ? 1.0f : 3.0f;
        erode(terrain, "rivers",
              k == 0 ? "diffusion=0 deposition=0 uplift=0"
                     : "diffusion=0 deposition=0 uplift=0 rain_map=rain",
              (SiltDuration){.time = 10000.0});
        if (k < 2)
            hash[k] = silt_field_hash(silt_terrain_layer(terrain, "change"));
        for (int j = 0; k > 0 && j < 96; j++)
            for (int i = 60; i < 96; i++) {
                worn[k - 1] += layer_at(terrain, "wear", i, j);
                run_off[k - 1] += layer_at(terrain, "discharge", i, j);
            }
        silt_terrain_destroy(terrain);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(worn[1] > 1.2 * worn[0]);
    assert_true(run_off[1] > 1.5 * run_off[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_rises_with_the_land),
        cmocka_unit_test(what_has_risen_is_handed_on),
        cmocka_unit_test(hard_beds_stand_high),
        cmocka_unit_test(ridges_lean_as_beds_do),
        cmocka_unit_test(every_model_gives_the_same_bytes_on_any_threads),
        cmocka_unit_test(rivers_cut_by_the_water_they_gather),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
