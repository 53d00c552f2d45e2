// Rain on windward slopes: nothing is lost in the air, windward gets more than lee, and any grid gives the
// same.
#include "erode_help.h"
#include "terrain/rain.h"

static SiltRainOptions options_with(const char *settings)
{
    SiltRainOptions options;
    assert_ok(silt_params_init(&silt_rain_params, &options));
    char text[200];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(&silt_rain_params, &options, "rain", word));
    return options;
}

// A ridge that runs north, 1500 m high and 6 km to its foot on either side, in the middle of 24 km.
static SiltTerrain *ridge(int width, int height)
{
    SiltTerrain *t = make_terrain(width, height, 24000.0 / width);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            double r = fabs((i + 0.5) * t->cell - 12000.0) / 6000.0;
            silt_field_row(silt_terrain_layer(t, "height"), j)[i] =
                r < 1.0 ? (float)(1500.0 * (1.0 - r)) : 0.0f;
        }
    return t;
}

static SiltField *rain_on(SiltTerrain *t, const char *settings)
{
    SiltRainOptions options = options_with(settings);
    SiltField *rain;
    assert_ok(silt_terrain_require(t, "rain", &rain));
    assert_ok(silt_rain_map(t, silt_terrain_layer(t, "height"), &options, rain));
    return rain;
}

static double mean_of(const SiltField *rain, int from, int to)
{
    double sum = 0.0;
    for (int j = 0; j < rain->height; j++)
        for (int i = from; i < to; i++)
            sum += (double)silt_field_at(rain, i, j);
    return sum / ((double)(to - from) * rain->height);
}

static void what_falls_is_what_the_air_has_lost(void **state)
{
    (void)state;
    SiltRainOptions options = options_with("cloud=2000 fall=1500 reach=50000");
    SiltAir air = silt_air_arrives(&options);
    double before = air.vapour + air.cloud + air.drops, fallen = 0.0;
    for (int k = 0; k < 1000; k++) {
        double rise =
            900.0 * (double)silt_symmetric(silt_random(1, SILT_STREAM_TEST, (uint64_t)k, 0).word[0]);
        double rain = silt_air_moves(&air, &options, rise, 100.0);
        assert_true(rain >= 0.0 && air.vapour >= 0.0 && air.cloud >= 0.0 && air.drops >= 0.0);
        fallen += rain;
        assert_near(air.vapour + air.cloud + air.drops + fallen, before, 1e-12);
    }
    assert_true(fallen > 0.1);
}

// Over flat land rain is that of the air: a share of 1 / reach a metre, which lasts.
static void flat_land_gets_the_same_everywhere(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain(60, 40, 100.0);
    const SiltField *rain = rain_on(t, "mean=3 reach=1e7");
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 60; i++)
            assert_near((double)silt_field_at(rain, i, j), 3.0, 0.01);
    silt_terrain_destroy(t);
}

static void windward_gets_more_than_lee(void **state)
{
    (void)state;
    static const char *const winds[] = {"wind=270 mean=2 cloud=1500 fall=1500",
                                        "wind=90 mean=2 cloud=1500 fall=1500"};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *t = ridge(240, 40);
        const SiltField *rain = rain_on(t, winds[k]);
        double west = mean_of(rain, 60, 120), east = mean_of(rain, 120, 180);
        double far_west = mean_of(rain, 0, 60), far_east = mean_of(rain, 180, 240);
        double windward = k == 0 ? west : east, lee = k == 0 ? east : west;
        double before = k == 0 ? far_west : far_east, behind = k == 0 ? far_east : far_west;
        assert_true(windward > 1.4 * lee && windward > 2.0 * before);
        assert_true(behind < 0.9 * before); // a shadow
        assert_near(mean_of(rain, 0, 240), 2.0, 1e-5);
        silt_terrain_destroy(t);
    }
}

// Along a ridge the wind climbs nothing.
static void wind_along_a_ridge_brings_no_more(void **state)
{
    (void)state;
    SiltTerrain *t = ridge(120, 120);
    const SiltField *rain = rain_on(t, "wind=0 spread=0 reach=1e7");
    assert_near(mean_of(rain, 30, 60), 1.0, 0.01);
    assert_near(mean_of(rain, 0, 30), 1.0, 0.01);
    silt_terrain_destroy(t);
}

static void more_cells_get_the_same_rain(void **state)
{
    (void)state;
    SiltTerrain *coarse = ridge(96, 64), *fine = ridge(384, 256);
    const SiltField *a = rain_on(coarse, "wind=250"), *b = rain_on(fine, "wind=250");
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 96; i++)
            assert_near((double)silt_field_at(b, 4 * i + 2, 4 * j + 2), (double)silt_field_at(a, i, j), 0.08);
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(fine);
}

static void turned_land_in_turned_wind_gets_turned_rain(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain(90, 70, 200.0);
    make_rough(t, 4, 1500.0f);
    SiltTerrain *quarter = turned(t);
    rain_on(t, "wind=290");
    rain_on(quarter, "wind=20"); // 290 and 90
    for (int j = 0; j < 70; j++)
        for (int i = 0; i < 90; i++)
            assert_near(layer_at(quarter, "rain", 69 - j, i), layer_at(t, "rain", i, j), 1e-4);
    silt_terrain_destroy(t);
    silt_terrain_destroy(quarter);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    uint64_t hash[3];
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        silt_set_threads(threads[k]);
        SiltTerrain *t = make_terrain(150, 110, 400.0);
        make_rough(t, 4, 1500.0f);
        hash[k] = silt_field_hash(rain_on(t, "wind=233"));
        silt_terrain_destroy(t);
    }
    silt_set_threads(0);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// Cells without data lie at zero in memory; they are no cliff for the wind.
static void no_data_is_no_cliff(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain(80, 40, 400.0);
    assert_ok(silt_terrain_require_nodata(t));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 80; i++) {
            t->nodata[j * 80 + i] = i < 20 || i >= 60;
            silt_field_row(silt_terrain_layer(t, "height"), j)[i] = i < 20 || i >= 60 ? 0.0f : 2000.0f;
        }
    const SiltField *rain = rain_on(t, "reach=1e7");
    for (int j = 0; j < 40; j++)
        for (int i = 20; i < 60; i++)
            assert_near((double)silt_field_at(rain, i, j), 1.0, 0.01);
    silt_terrain_destroy(t);
}

static void bad_heights_are_refused(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain(8, 8, 10.0);
    SiltRainOptions options = options_with("");
    SiltField *rain;
    assert_ok(silt_terrain_require(t, "rain", &rain));
    silt_field_row(silt_terrain_layer(t, "height"), 3)[4] = INFINITY;
    assert_fails(silt_rain_map(t, silt_terrain_layer(t, "height"), &options, rain), SILT_BAD_ARGUMENT,
                 "1 cells have");
    silt_terrain_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_is_what_the_air_has_lost),
        cmocka_unit_test(flat_land_gets_the_same_everywhere),
        cmocka_unit_test(windward_gets_more_than_lee),
        cmocka_unit_test(wind_along_a_ridge_brings_no_more),
        cmocka_unit_test(more_cells_get_the_same_rain),
        cmocka_unit_test(turned_land_in_turned_wind_gets_turned_rain),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(no_data_is_no_cliff),
        cmocka_unit_test(bad_heights_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
