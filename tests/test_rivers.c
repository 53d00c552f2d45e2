#include "erode_help.h"

#include "physics/rivers_cell.h"
#include "silt/drainage.h"
#include "silt/rivers.h"

static char warned[512];

static void keep_warning(void *user, const char *text)
{
    (void)user;
    snprintf(warned, sizeof warned, "%s", text);
}

static const SiltModel *rivers(void)
{
    return silt_model_find("rivers");
}

static void powers_are_right(void **state)
{
    (void)state;
    static const double x[] = {1e-9, 0.3, 0.70710678, 1.0, 1.5, 12345.678, 3e17};
    static const double y[] = {-2.5, 0.0, 0.4, 1.0, 3.3};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        for (size_t j = 0; j < sizeof y / sizeof y[0]; j++) {
            double wanted = pow(x[i], y[j]);
            assert_near(silt_power(x[i], y[j]), wanted, 1e-13 * wanted);
        }
}

// What is left of a drop solves x + f x^n = drop.
static void drops_solve_their_equation(void **state)
{
    (void)state;
    static const double n[] = {0.2, 0.5, 1.0, 1.5, 5.0}, f[] = {1e-12, 0.1, 3.0, 1e9};
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
        for (size_t j = 0; j < sizeof f / sizeof f[0]; j++)
            for (double drop = 1e-6; drop < 1e5; drop *= 31.0) {
                double x = rivers_drop(drop, f[j], n[i]);
                assert_true(x > 0.0 && x <= drop);
                assert_near(x + f[j] * pow(x, n[i]), drop, 1e-9 * drop);
            }
    assert_true(rivers_drop(-3.0, 1.0, 1.0) == -3.0);
    assert_true(rivers_drop(3.0, 0.0, 2.0) == 3.0);
}

static SiltTerrain *bowl(void)
{
    SiltTerrain *terrain = make_terrain(60, 50, 20.0);
    for (int j = 0; j < 50; j++)
        for (int i = 0; i < 60; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)((i - 30) * (i - 30) + (j - 25) * (j - 25));
    return terrain;
}

static void a_bowl_without_outlet_fills_and_says_so(void **state)
{
    (void)state;
    silt_set_warning_handler(keep_warning, NULL);
    warned[0] = '\0';
    SiltTerrain *terrain = bowl();
    double before = ground_sum(terrain);
    SiltReport report = erode_steps(terrain, "rivers", "sides=closed uplift=0 incision=1e-4", 50);
    silt_set_warning_handler(NULL, NULL);
    assert_non_null(strstr(warned, "no outlet"));
    assert_near(ground_sum(terrain), before, 1e-6 * before);
    assert_near(report.ledger.rock.removed, 0.0, 1e-6 * report.ledger.rock.moved);
    assert_true(ground_at(terrain, 30, 25) > 10.0);
    assert_near(ground_at(terrain, 30, 25), ground_at(terrain, 31, 26), 1.0); // a level floor
    silt_terrain_destroy(terrain);
}

static void flat_land_stays_flat_and_rises(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 30, 50.0);
    erode_steps(terrain, "rivers", "uplift=0", 10);
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            assert_true(ground_at(terrain, i, j) == 0.0);
    erode_steps(terrain, "rivers", "uplift=1e-3", 10);
    assert_true(ground_at(terrain, 20, 15) > 10.0 && ground_at(terrain, 0, 15) < 0.1);
    silt_terrain_destroy(terrain);
}

static void below_the_sea_nothing_wears(void **state)
{
    (void)state;
    silt_set_warning_handler(keep_warning, NULL);
    warned[0] = '\0';
    SiltTerrain *terrain = bowl();
    erode_steps(terrain, "rivers", "sea_level=5000 uplift=0 diffusion=0", 5);
    silt_set_warning_handler(NULL, NULL);
    assert_non_null(strstr(warned, "sea_level"));
    assert_true(layer_sum(terrain, "wear") == 0.0);
    silt_terrain_destroy(terrain);
}

// Land above the sea wears down to it and no further, and what comes makes the sea shallower.
static void deltas_grow_up_to_the_sea(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(80, 40, 50.0);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 80; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = i < 40 ? -20.0f : 4.0f * (float)i;
    erode_steps(terrain, "rivers", "sea_level=0 uplift=0 incision=1e-4 sides=closed", 30);
    double shallowed = 0.0;
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 80; i++) {
            assert_true(i >= 40 ? ground_at(terrain, i, j) >= -0.2 : ground_at(terrain, i, j) <= 0.1);
            shallowed += i < 40 ? ground_at(terrain, i, j) + 20.0 : 0.0;
        }
    assert_true(shallowed > 100.0);
    silt_terrain_destroy(terrain);
}

static void nodata_is_an_outlet_or_a_wall(void **state)
{
    (void)state;
    double removed[2];
    for (int wall = 0; wall < 2; wall++) {
        SiltTerrain *terrain = bowl();
        assert_ok(silt_terrain_require_nodata(terrain));
        for (int j = 20; j < 30; j++)
            for (int i = 25; i < 35; i++)
                terrain->nodata[j * 60 + i] = 1;
        SiltReport report = erode_steps(
            terrain, "rivers", wall ? "sides=closed nodata=wall uplift=0" : "sides=closed uplift=0", 5);
        removed[wall] = report.ledger.rock.removed;
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-6);
        assert_true(layer_at(terrain, "change", 30, 25) == 0.0);
        silt_terrain_destroy(terrain);
    }
    assert_true(removed[0] > 0.0);
    assert_near(removed[1], 0.0, 1.0);
}

static void uplift_comes_from_a_layer(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(60, 60, 100.0);
    SiltField *map;
    assert_ok(silt_terrain_require(terrain, "uplift", &map));
    for (int j = 20; j < 40; j++)
        for (int i = 20; i < 40; i++)
            silt_field_row(map, j)[i] = 1e-3f;
    SiltReport report = erode_steps(
        terrain, "rivers",
        "uplift=0 uplift_map=uplift uplift_scale=2 step=1000 incision=1e-7 diffusion=0 lakes=fill", 10);
    assert_near(report.ledger.rock.added, 400.0 * 2e-3 * 1e4 * 1e4, 100.0);
    assert_true(ground_at(terrain, 30, 30) > 15.0 && ground_at(terrain, 5, 5) < 1.0);
    silt_terrain_destroy(terrain);
}

static void hard_rock_stands(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(100, 60, 50.0);
    SiltField *soft;
    assert_ok(silt_terrain_require(terrain, "erodibility", &soft));
    for (int j = 0; j < 60; j++)
        for (int i = 0; i < 100; i++)
            silt_field_row(soft, j)[i] = i < 50 ? 0.1f : 1.0f;
    erode_steps(terrain, "rivers", "uplift=1e-3 incision=5e-5", 100);
    double hard = 0.0, other = 0.0;
    for (int j = 0; j < 60; j++)
        for (int i = 0; i < 100; i++)
            *(i < 50 ? &hard : &other) += ground_at(terrain, i, j);
    assert_true(hard > 2.0 * other);
    silt_terrain_destroy(terrain);
}

static SiltStatus try_settings(const char *key, const char *value)
{
    const SiltModel *model = rivers();
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    SiltStatus status = silt_params_set(silt_model_params(model), params, "erode rivers", key, value);
    SiltTerrain *terrain = make_terrain(20, 20, 10.0);
    if (status == SILT_OK)
        status = silt_erode(model, terrain, params, (SiltDuration){.steps = 1}, NULL, NULL);
    silt_terrain_destroy(terrain);
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    return status;
}

// A wall of rock across a valley that nothing wears, with lakes cut open all around it: not a grain of it
// goes, and what the river brings fills up the lake behind.
static void protected_dams_are_not_carved(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(48, 40, 30.0);
    SiltField *height = silt_terrain_layer(terrain, "height"), *erodibility;
    assert_ok(silt_terrain_require(terrain, "erodibility", &erodibility));
    silt_field_fill(erodibility, 1.0f);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 48; i++) {
            bool dam = i == 30 || i == 31;
            float valley = 2.0f * (float)(48 - i) + 3.0f * fabsf((float)(j - 20));
            silt_field_row(height, j)[i] = dam ? valley + 40.0f : valley;
            if (dam)
                silt_field_row(erodibility, j)[i] = 0.0f;
        }
    SiltField before;
    assert_ok(silt_field_create(48, 40, &before));
    silt_field_copy(height, &before);
    erode_steps(terrain, "rivers", "lakes=carve incision=1e-4 uplift=0", 60);
    double filled = 0.0, worn = 0.0;
    for (int j = 1; j < 39; j++)
        for (int i = 1; i < 47; i++) {
            double change = ground_at(terrain, i, j) - (double)silt_field_at(&before, i, j);
            if (i == 30 || i == 31)
                assert_true(change >= -1e-3);
            filled += i < 30 && change > 0.0 ? change : 0.0;
            worn -= change < 0.0 ? change : 0.0;
        }
    assert_true(filled > 1.0 && worn > 100.0);
    silt_field_destroy(&before);
    silt_terrain_destroy(terrain);
}

static void bad_input_is_refused_in_a_sentence(void **state)
{
    (void)state;
    assert_fails(try_settings("incision", "-1e-6"), SILT_BAD_ARGUMENT, "incision");
    assert_fails(try_settings("slope_exponent", "0"), SILT_BAD_ARGUMENT, "slope_exponent");
    assert_fails(try_settings("uplift_map", "granite"), SILT_BAD_ARGUMENT, "no layer 'granite'");
    assert_fails(try_settings("erodibility", "granite"), SILT_BAD_ARGUMENT, "no layer 'granite'");
    SiltTerrain *terrain = make_terrain(20, 20, 10.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 3)[4] = NAN;
    assert_fails(silt_erode(rivers(), terrain, NULL, (SiltDuration){.steps = 1}, NULL, NULL),
                 SILT_BAD_ARGUMENT, "not finite");
    silt_terrain_destroy(terrain);
}

static void the_maps_say_where_water_runs(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(120, 90, 50.0);
    make_rough(terrain, 1, 300.0f);
    erode_steps(terrain, "rivers", "channel_area=1e5 precipitation=2 sides=fixed", 20);
    double arrived = 0.0, most = 0.0;
    for (int j = 0; j < 90; j++)
        for (int i = 0; i < 120; i++) {
            double area = layer_at(terrain, "drainage", i, j),
                   order = layer_at(terrain, "stream_order", i, j);
            bool edge = i == 0 || j == 0 || i == 119 || j == 89;
            arrived += edge ? area : 0.0;
            most = fmax(most, order);
            assert_true((order > 0.0) == (area >= 1e5));
            assert_near(layer_at(terrain, "discharge", i, j), area * 2.0 / (365.25 * 86400.0), 1e-5 * area);
            assert_true(layer_at(terrain, "basin", i, j) >= 1.0 && layer_at(terrain, "slope", i, j) >= 0.0);
        }
    assert_near(arrived, 120.0 * 90.0 * 2500.0, 1.0);
    assert_true(most >= 3.0);
    silt_terrain_destroy(terrain);
}

static void a_pyramid_keeps_its_books(void **state)
{
    (void)state;
    static const char *const names[] = {"rivers", "thermal", "pipes"};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(150, 130, 20.0);
        make_rough(terrain, 8, 400.0f);
        double before = ground_sum(terrain);
        SiltReport report;
        SiltDuration duration = {.time = k == 0 ? 2e5 : 100.0};
        assert_ok(silt_erode_pyramid(silt_model_find(names[k]), terrain, NULL, duration, 2, NULL, &report));
        const SiltAccount *rock = &report.ledger.rock;
        assert_near(rock->initial, before * 400.0, 1e-9 * rock->initial);
        double held = ground_sum(terrain) + layer_sum(terrain, "sediment");
        assert_near(rock->stored, held * 400.0, 1e-7 * rock->stored);
        assert_near(rock->initial + rock->added - rock->removed, rock->stored, 1e-6 * rock->stored);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-6);
        assert_true(rock->moved > 0.0 && layers_finite(terrain));
        assert_near(report.model_time, duration.time, 1e-9 * duration.time);
        silt_terrain_destroy(terrain);
    }
}

// Tiles fit one another: a fixed side stays where it was, to the bit, on the way through all levels too.
// Lakes that lie below the side are not let out through it.
static void a_pyramid_keeps_fixed_sides(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(150, 130, 20.0);
    make_rough(terrain, 8, 400.0f);
    for (int j = 0; j < 10; j++)
        silt_field_row(silt_terrain_layer(terrain, "height"), j + 1)[20] = -50.0f; // below all of the edge
    const SiltModel *model = rivers();
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    assert_ok(silt_params_set(silt_model_params(model), params, "erode rivers", "sides", "fixed"));
    assert_ok(silt_erode_pyramid(model, terrain, params, (SiltDuration){.time = 2e5}, 2, NULL, NULL));
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    double inside = 0.0;
    for (int j = 0; j < 130; j++)
        for (int i = 0; i < 150; i++) {
            double change = layer_at(terrain, "change", i, j);
            if (i == 0 || j == 0 || i == 149 || j == 129)
                assert_true(change == 0.0);
            inside += fabs(change);
        }
    assert_true(inside > 1000.0);
    silt_terrain_destroy(terrain);
}

static void failed_allocations_are_clean(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(80, 70, 20.0);
    make_rough(terrain, 8, 400.0f);
    for (long n = 1;; n++) {
        silt_fail_allocation(n);
        SiltStatus status =
            silt_erode_pyramid(rivers(), terrain, NULL, (SiltDuration){.steps = 4}, 1, NULL, NULL);
        silt_fail_allocation(0);
        if (status == SILT_OK)
            break;
        assert_int_equal(status, SILT_NO_MEMORY);
        assert_true(n < 1000);
    }
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_right),
        cmocka_unit_test(drops_solve_their_equation),
        cmocka_unit_test(a_bowl_without_outlet_fills_and_says_so),
        cmocka_unit_test(flat_land_stays_flat_and_rises),
        cmocka_unit_test(below_the_sea_nothing_wears),
        cmocka_unit_test(deltas_grow_up_to_the_sea),
        cmocka_unit_test(nodata_is_an_outlet_or_a_wall),
        cmocka_unit_test(uplift_comes_from_a_layer),
        cmocka_unit_test(hard_rock_stands),
        cmocka_unit_test(protected_dams_are_not_carved),
        cmocka_unit_test(bad_input_is_refused_in_a_sentence),
        cmocka_unit_test(the_maps_say_where_water_runs),
        cmocka_unit_test(a_pyramid_keeps_its_books),
        cmocka_unit_test(a_pyramid_keeps_fixed_sides),
        cmocka_unit_test(failed_allocations_are_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
