#include "terrains.h"

#include "silt/landforms.h"

enum { SIDE = 128 };

// A terrain of one tile from a function of the place, in cells of 40 m.
static SiltLandforms measure(double (*height)(double x, double y))
{
    SiltTerrain *terrain;
    SiltLandforms forms;
    assert_ok(silt_terrain_create(SIDE, SIDE, 40.0, &terrain));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)height(i, j);
    assert_ok(silt_landforms_measure(terrain, &forms));
    silt_terrain_destroy(terrain);
    assert_int_equal(forms.tile_count, 1);
    assert_near(forms.cell, 40.0, 0.0);
    return forms;
}

static double plane(double x, double y)
{
    return 20.0 * x + 9.0 * y;
}

// Windows of n cells are n - 1 steps wide, and on a plane relief grows with them.
static void a_plane_is_one_slope(void **state)
{
    (void)state;
    SiltLandforms forms = measure(plane);
    assert_near(forms.value[SILT_RELIEF_GROWTH_4], log2(7.0 / 3.0), 1e-5);
    assert_near(forms.value[SILT_RELIEF_GROWTH_8], log2(15.0 / 7.0), 1e-5);
    assert_near(forms.value[SILT_RELIEF_GROWTH_16], log2(31.0 / 15.0), 1e-5);
    assert_near(forms.value[SILT_SLOPE_SPREAD], 0.0, 1e-4);
    assert_near(forms.value[SILT_SLOPE_VARIATION], 0.0, 1e-4);
    assert_near(forms.value[SILT_SLOPE_SHARE], 1.0, 0.0);
    assert_near(forms.value[SILT_RIDGE_SHARE] + forms.value[SILT_VALLEY_SHARE], 0.0, 0.0);
    assert_near(forms.value[SILT_FLAT_WIDTH], 0.0, 0.0);
    assert_string_equal(silt_landforms_verdict(&forms), "not real");
}

enum { HALF = 16 }; // from a valley's axis to the ridge beside it, in cells

static double across(double x)
{
    return fabs(fmod(x, 2.0 * HALF) - HALF);
}

// Valleys side by side that fall by 2 m a cell, their walls by 20.
static double gables(double x, double y)
{
    return 20.0 * across(x) + 2.0 * y;
}

static double troughs(double x, double y)
{
    return 2.0 * across(x) * across(x) + 2.0 * y;
}

// From every distance up to HALF cells water runs straight down into the axis.
static void slopes_are_as_long_as_they_were_made(void **state)
{
    (void)state;
    SiltLandforms forms = measure(gables);
    double mean = 0.5 * (1 + HALF), deviation = sqrt((HALF * HALF - 1) / 12.0);
    assert_near(forms.value[SILT_HILLSLOPE_LENGTH], mean, 0.5);
    assert_near(forms.value[SILT_HILLSLOPE_LENGTH_SPREAD], deviation / mean, 0.05);
    assert_near(forms.value[SILT_CHANNEL_SLOPE_SCATTER], 0.0, 0.01);
    // each ridge and axis is a line, a few cells wide for eyes that look eight cells far
    assert_near(forms.value[SILT_RIDGE_SHARE], forms.value[SILT_VALLEY_SHARE], 0.03);
    assert_true(forms.value[SILT_RIDGE_SHARE] > 0.05);
}

// Height above the channel goes with the distance, and with its square. A blur of one cell raises the bottom
// of a V by sqrt(2 / pi) of its slope and leaves a parabola one.
static void valleys_are_told_apart_by_their_profile(void **state)
{
    (void)state;
    assert_near(measure(troughs).value[SILT_VALLEY_PROFILE], 2.0, 0.05);
    double raised = sqrt(2.0 / 3.14159265358979);
    assert_near(measure(gables).value[SILT_VALLEY_PROFILE], log2((4.0 - raised) / (2.02 - raised)), 0.1);
}

// Two rivers that come down the diagonals meet in the middle and leave to the south; ground rises beside
// them, and along them from the outlet.
static double fork(double x, double y)
{
    double dx = fabs(x - 64.0), dy = 64.0 - y;
    double off = dy < 0.0 ? dx : fabs(dx - dy) / sqrt(2.0);
    double along = dy < 0.0 ? 64.0 + dy : 64.0 + (dx + dy) / sqrt(2.0);
    return 40.0 * off + along;
}

static void rivers_meet_at_the_angle_they_were_drawn_with(void **state)
{
    (void)state;
    SiltLandforms forms = measure(fork);
    assert_near(forms.value[SILT_JUNCTION_ANGLE], 90.0, 6.0); // slopes 50 cells long end as small ones
    assert_near(forms.value[SILT_JUNCTIONS_BELOW_30], 0.0, 0.0);
}

static double noise(double x, double y)
{
    return (double)lattice(5, (int)x, (int)y, 0);
}

static double twice_as_rough_by_steps(double x, double y)
{
    return noise(x, y) * (x < 64 ? 1.0 : exp(2.0));
}

// Many independent numbers added up are normal; a half that is e^2 times as rough is two apart in the
// logarithm, one on either side of the mean.
static void roughness_is_compared_between_places(void **state)
{
    (void)state;
    SiltLandforms even = measure(noise), halves = measure(twice_as_rough_by_steps);
    assert_near(even.value[SILT_CURVATURE_KURTOSIS], 0.0, 0.2);
    assert_true(even.value[SILT_ROUGHNESS_VARIATION] < 0.1);
    assert_near(halves.value[SILT_ROUGHNESS_VARIATION], 1.0, 0.05);
    assert_near(halves.value[SILT_SLOPE_VARIATION], 1.0, 0.05);
    assert_true(halves.value[SILT_CURVATURE_KURTOSIS] > 1.5);
}

// Tables 24 cells wide with walls of 16 cells between them, 8 down and 8 up.
static double tables(double x, double y)
{
    double at = fmod(x + 26.0, 40.0); // walls at the edges of the tile
    return 40.0 * (at < 24.0 ? 8.0 : fabs(at - 32.0)) + 0.2 * y;
}

static void flats_are_as_wide_as_tables(void **state)
{
    (void)state;
    SiltLandforms forms = measure(tables);
    assert_near(forms.value[SILT_FLAT_WIDTH], 12.0, 2.0);
    assert_near(forms.value[SILT_VALLEY_FLOOR_SHARE], 4.0 / SIDE,
                0.01); // the blurred lines between walls: tables are flat, but high
}

// A change since, a hole, and holes everywhere.
static void what_is_missing_is_left_out(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(256, 256, 3), *settled;
    SiltLandforms forms, same;
    SiltField *change;
    terrain->cell = 40.0;
    assert_ok(silt_terrain_require(terrain, "change", &change));
    fill_hills(change, 9, 16, 2, 30.0f);
    assert_ok(silt_landforms_measure(terrain, &forms));
    assert_int_equal(forms.tile_count, 9);
    assert_ok(silt_terrain_clone(terrain, &settled));
    silt_terrain_settle(settled);
    assert_ok(silt_landforms_measure(settled, &same));
    assert_memory_equal(&forms, &same, sizeof forms);
    punch(terrain, 10, 10, 5);
    assert_ok(silt_landforms_measure(terrain, &forms));
    assert_int_equal(forms.tile_count, 8);
    punch(terrain, 128, 128, 10);
    assert_fails(silt_landforms_measure(terrain, &forms), SILT_BAD_ARGUMENT, "no tile");
    silt_terrain_destroy(settled);
    silt_terrain_destroy(terrain);
    terrain = hills(100, 300, 1);
    assert_fails(silt_landforms_measure(terrain, &forms), SILT_BAD_ARGUMENT, "100 x 300 cells");
    silt_terrain_destroy(terrain);
}

static void ranges_have_names_and_json_all_of_them(void **state)
{
    (void)state;
    SiltLandforms forms = measure(gables);
    char *json = silt_landforms_json(&forms);
    assert_non_null(json);
    for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
        const SiltLandformRange *range = silt_landform_range((SiltLandform)k);
        assert_true(range->low < range->median && range->median < range->high);
        assert_non_null(strstr(json, range->name));
        assert_true(silt_landform_is_within((SiltLandform)k, range->median));
        assert_false(silt_landform_is_within((SiltLandform)k, NAN));
    }
    assert_non_null(strstr(json, "\"verdict\": \"noise\"")); // gables have no rivers that get gentler
    silt_free(json);
}

static double pyramid(double x, double y)
{
    double u = fabs(x - 0.5 * (SIDE - 1)), v = fabs(y - 0.5 * (SIDE - 1));
    return -10.0 * (u > v ? u : v);
}

// The edge of a plane is as high as its middle on average; that of a pyramid is its foot, and its mean height
// a third.
static void an_edge_that_lies_low_is_found(void **state)
{
    (void)state;
    assert_near(measure(plane).edge_below, 0.0, 1e-4);
    assert_near(measure(pyramid).edge_below, 1.0 / 3.0, 0.01);
}

// Tiles overlap by half; what is said of a whole map is their median.
static void tiles_are_listed_one_by_one(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltLandforms forms;
    double *values;
    int tiles;
    assert_ok(silt_terrain_create(2 * SIDE, SIDE, 40.0, &terrain));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < 2 * SIDE; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)gables(i < SIDE ? i : 0.5 * i, j);
    assert_ok(silt_landforms_tiles(terrain, &values, &tiles));
    assert_ok(silt_landforms_measure(terrain, &forms));
    assert_int_equal(tiles, 3);
    assert_int_equal(forms.tile_count, 3);
    double first = values[SILT_HILLSLOPE_LENGTH],
           last = values[2 * SILT_LANDFORM_COUNT + SILT_HILLSLOPE_LENGTH];
    assert_true(last > 1.5 * first);
    assert_true(forms.value[SILT_HILLSLOPE_LENGTH] > first && forms.value[SILT_HILLSLOPE_LENGTH] < last);
    silt_free(values);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_is_one_slope),
        cmocka_unit_test(slopes_are_as_long_as_they_were_made),
        cmocka_unit_test(valleys_are_told_apart_by_their_profile),
        cmocka_unit_test(rivers_meet_at_the_angle_they_were_drawn_with),
        cmocka_unit_test(roughness_is_compared_between_places),
        cmocka_unit_test(flats_are_as_wide_as_tables),
        cmocka_unit_test(what_is_missing_is_left_out),
        cmocka_unit_test(ranges_have_names_and_json_all_of_them),
        cmocka_unit_test(an_edge_that_lies_low_is_found),
        cmocka_unit_test(tiles_are_listed_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
