#include "erode_help.h"

#include "physics/ice_cell.h"
#include "terrains.h"

static const SiltModel *model(void)
{
    return silt_model_find("ice");
}

static SiltStatus run_with(SiltTerrain *terrain, const char *key, const char *value)
{
    void *params = silt_alloc(model()->params.size);
    assert_non_null(params);
    assert_ok(silt_params_init(&model()->params, params));
    SiltStatus status = silt_params_set(&model()->params, params, "erode ice", key, value);
    if (status == SILT_OK)
        status = silt_erode(model(), terrain, params, (SiltDuration){.steps = 3}, NULL, NULL);
    silt_params_free(&model()->params, params);
    silt_free(params);
    return status;
}

// ---- one cell ----

static void links_give_what_the_slope_says(void **state)
{
    (void)state;
    IceLink link = ice_link(100.0f, 50.0f, 90.0f, 30.0f, 0.1f);
    assert_near(link.flow, 0.1 * 40.0 * 30.0, 1e-3); // pace * mean thickness * fall
    assert_near(link.from_a * 50.0f - link.from_b * 30.0f, link.flow, 1e-3);
    IceLink back = ice_link(90.0f, 30.0f, 100.0f, 50.0f, 0.1f);
    assert_true(back.flow == -link.flow && back.from_a == link.from_b && back.from_b == link.from_a);
    IceLink bare = ice_link(500.0f, 0.0f, 90.0f, 30.0f, 0.1f); // a wall above a glacier
    assert_true(bare.flow == 0.0f && bare.from_b == 0.0f);
}

static void balance_grows_with_height_and_leaves_walls_bare(void **state)
{
    (void)state;
    assert_near(ice_balance(100.0f, 0.01f, 5.0f, 0.0f, 1.0f), 1.0, 1e-6);
    assert_near(ice_balance(-300.0f, 0.01f, 5.0f, 0.0f, 1.0f), -3.0, 1e-6);
    assert_near(ice_balance(2000.0f, 0.01f, 5.0f, 0.4f, 1.0f), 5.0, 1e-6);
    assert_near(ice_balance(2000.0f, 0.01f, 5.0f, 1.0f, 1.0f), 0.0, 1e-6);
    assert_near(ice_balance(-300.0f, 0.01f, 5.0f, 1.0f, 1.0f), -3.0, 1e-6); // and melt goes on
}

static void paces_follow_glen_and_have_a_limit(void **state)
{
    (void)state;
    float slow = ice_pace(100.0f, 100.0f, 0.01f, 2e-5f, 0.0f, 1e4f);
    assert_near(ice_pace(200.0f, 200.0f, 0.01f, 2e-5f, 0.0f, 1e4f), 16.0f * slow, 1e-3 * (double)slow);
    assert_near(ice_pace(100.0f, 100.0f, 0.04f, 2e-5f, 0.0f, 1e4f), 4.0f * slow, 1e-3 * (double)slow);
    assert_near(ice_pace(1000.0f, 1000.0f, 0.04f, 2e-5f, 1.0f, 500.0f), 2500.0, 1.0);
    assert_true(ice_sliding_share(0.0f, 0.0f, 0.0f, 0.0f) == 0.0f);
    assert_near(ice_sliding_share(100.0f, 100.0f, 0.0f, 1.0f), 1.0, 1e-6);
}

// ---- runs ----

static void bad_input_is_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){20, 20, 100.0, 1500.0f});
    assert_int_equal(run_with(terrain, "gradient", "-1"), SILT_BAD_ARGUMENT);
    assert_non_null(strstr(silt_message(), "gradient"));
    assert_int_equal(run_with(terrain, "balance_map", "snowfall"), SILT_BAD_ARGUMENT);
    assert_non_null(strstr(silt_message(), "no layer 'snowfall'"));
    assert_int_equal(run_with(terrain, "erodibility", "softness"), SILT_BAD_ARGUMENT);
    SiltField *ice;
    assert_ok(silt_terrain_require(terrain, "ice", &ice));
    silt_field_row(ice, 3)[4] = -5.0f;
    assert_int_equal(run_with(terrain, "step", "1"), SILT_BAD_ARGUMENT);
    assert_non_null(strstr(silt_message(), "'ice'"));
    silt_field_row(ice, 3)[4] = NAN;
    assert_int_equal(run_with(terrain, "step", "1"), SILT_BAD_ARGUMENT);
    silt_terrain_destroy(terrain);
}

static void any_size_and_holes_work(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 9}, {2, 3}, {5, 4}, {17, 33}, {40, 40}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = rough_ground((RoughGround){sizes[k][0], sizes[k][1], 100.0, 1500.0f});
        if (k == 5)
            punch(terrain, 12, 20, 9);
        erode_steps(terrain, "ice", k % 2 ? "sides=calving" : "", 40);
        assert_true(layers_finite(terrain));
        if (k == 5)
            assert_true(layer_at(terrain, "ice", 12, 20) == 0.0 &&
                        layer_at(terrain, "change", 12, 20) == 0.0);
        silt_terrain_destroy(terrain);
    }
    SiltTerrain *empty = rough_ground((RoughGround){9, 9, 100.0, 1500.0f});
    punch(empty, 4, 4, 20);
    erode_steps(empty, "ice", "", 3);
    silt_terrain_destroy(empty);
}

static void layers_are_left(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){60, 60, 100.0, 2000.0f});
    erode(terrain, "ice", "", (SiltDuration){.time = 800.0});
    assert_true(layer_sum(terrain, "ice") > 0.0 && layer_sum(terrain, "ice_speed") > 0.0);
    assert_true(layer_sum(terrain, "wear") > 0.0 && layer_sum(terrain, "sediment") > 0.0);
    assert_string_equal(silt_layer_unit("ice"), "m");
    assert_string_equal(silt_layer_unit("ice_speed"), "m/year");
    erode(terrain, "ice", "thaw=true washed=0", (SiltDuration){.time = 20.0});
    assert_true(layer_sum(terrain, "ice") == 0.0 && layer_sum(terrain, "sediment") == 0.0);
    assert_true(layer_sum(terrain, "deposit") > 0.0);
    silt_terrain_destroy(terrain);
}

// Without snow there is no glacier, and nothing happens to land that is not steeper than walls can be.
static void a_warm_climate_leaves_the_land_alone(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 40, 100.0);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 40; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 50.0f * (float)i;
    SiltReport report = erode_steps(terrain, "ice", "ela=9000", 20);
    assert_true(layer_sum(terrain, "ice") == 0.0 && layer_sum(terrain, "change") == 0.0);
    assert_true(report.ledger.water.added == 0.0 && report.ledger.rock.moved == 0.0);
    silt_terrain_destroy(terrain);
}

// Ice that floats breaks off; ice that stands on the ground does not.
static void the_sea_takes_thin_ice(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(30, 10, 100.0);
    SiltField *ice;
    assert_ok(silt_terrain_require(terrain, "ice", &ice));
    silt_field_fill(ice, 100.0f);
    for (int j = 0; j < 10; j++)
        for (int i = 0; i < 30; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = i < 15 ? 0.0f : -200.0f;
    erode(terrain, "ice", "gradient=0 sea_level=0 softness=0 sliding=0 sides=closed",
          (SiltDuration){.time = 5.0});
    assert_near(layer_at(terrain, "ice", 5, 5), 100.0, 1e-3);
    assert_true(layer_at(terrain, "ice", 25, 5) == 0.0);
    silt_terrain_destroy(terrain);
}

// Cold at the beginning and after a whole cycle, warm after half of one.
static void ice_ages_come_and_go(void **state)
{
    (void)state;
    double ice[3];
    static const double times[] = {300.0, 2000.0, 4200.0};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = rough_ground((RoughGround){50, 50, 100.0, 1500.0f});
        erode(terrain, "ice", "cycle=4000 swing=1500", (SiltDuration){.time = times[k]});
        ice[k] = layer_sum(terrain, "ice");
        silt_terrain_destroy(terrain);
    }
    assert_true(ice[1] < 0.05 * ice[0] && ice[2] > 0.5 * ice[0]);
}

static void no_memory_is_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){30, 30, 100.0, 1500.0f});
    SiltErosion *erosion;
    sweep_allocations(silt_erosion_begin(model(), terrain, NULL, NULL, &erosion), silt_erosion_end(erosion));
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_give_what_the_slope_says),
        cmocka_unit_test(balance_grows_with_height_and_leaves_walls_bare),
        cmocka_unit_test(paces_follow_glen_and_have_a_limit),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(any_size_and_holes_work),
        cmocka_unit_test(layers_are_left),
        cmocka_unit_test(a_warm_climate_leaves_the_land_alone),
        cmocka_unit_test(the_sea_takes_thin_ice),
        cmocka_unit_test(ice_ages_come_and_go),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
