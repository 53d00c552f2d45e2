// The laws of `thermal`: the volume stays, no slope above the talus is left, and neither threads, rotation
// nor the way steps are grouped make a difference.
#include "erode_help.h"
#include "physics/thermal_cell.h"

static void volume_stays(void **state)
{
    (void)state;
    static const char *const settings[] = {"",
                                           "rock=1",
                                           "mode=height-aware rock=0.1",
                                           "neighbours=rotated talus=10",
                                           "neighbours=eight",
                                           "talus=0 amount=0.37"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(280, 110, 5.0);
        make_rough(terrain, k, 900.0f);
        double before = ground_sum(terrain);
        SiltReport report = erode_steps(terrain, "thermal", settings[k], 43);
        assert_near(ground_sum(terrain), before, 1e-9 * before);
        assert_true(report.ledger.rock.moved > 1e5);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-7);
        silt_terrain_destroy(terrain);
    }
}

static double steepest(const SiltTerrain *terrain, bool straight)
{
    static const int away[4][2] = {{1, 1}, {-1, 1}, {1, 0}, {0, 1}};
    double most = 0.0;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            for (int k = 0; k < (straight ? 4 : 2); k++) {
                int x = i + away[k][0], y = j + away[k][1];
                if (x < 0 || x >= terrain->width || y >= terrain->height)
                    continue;
                double drop = fabs(ground_at(terrain, i, j) - ground_at(terrain, x, y));
                most = fmax(most, drop / (terrain->cell * (k < 2 ? sqrt(2.0) : 1.0)));
            }
    return most;
}

static void no_slope_above_the_talus_is_left(void **state)
{
    (void)state;
    static const char *const settings[] = {"talus=30 strength=0", "talus=30 strength=0 neighbours=eight",
                                           "talus=30 strength=0 rock=1",
                                           "talus=30 strength=0 neighbours=rotated"};
    double talus = tan(30.0 * acos(-1.0) / 180.0);
    for (int k = 0; k < 4; k++) {
        SiltTerrain *terrain = make_terrain(16, 14, 3.0);
        make_rough(terrain, 5, 30.0f);
        assert_true(steepest(terrain, k < 3) > 3.0 * talus);
        erode_steps(terrain, "thermal", settings[k], 3000);
        assert_near(steepest(terrain, k < 3), talus, 1e-5); // reached somewhere, and exceeded nowhere
        silt_terrain_destroy(terrain);
    }
}

// Bare rock stands up to its strength, hard rock steeper; what has broken off lies no steeper than the talus.
static void rock_stands_up_to_its_strength(void **state)
{
    (void)state;
    static const double erodibilities[] = {1.0, 0.25};
    double degree = acos(-1.0) / 180.0, height[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(90, 12, 2.0);
        SiltField *erodibility;
        assert_ok(silt_terrain_require(terrain, "erodibility", &erodibility));
        silt_field_fill(erodibility, (float)erodibilities[k]);
        for (int j = 0; j < 12; j++) // flanks of 50 and of 70 degrees
            for (int i = 0; i < 90; i++)
                silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                    (float)fmax(0.0, fmin(60.0, fmin((i - 20) * 2.0 * tan(50.0 * degree),
                                                     (75 - i) * 2.0 * tan(70.0 * degree))));
        erode_steps(terrain, "thermal", "talus=33 strength=55", 4000);
        double gentle = 0.0, steep = 0.0;
        for (int i = 22; i < 44; i++)
            gentle = fmax(gentle, fabs(layer_at(terrain, "change", i, 6)));
        for (int i = 55; i < 85; i++) {
            double drop = ground_at(terrain, i, 6) - ground_at(terrain, i + 1, 6);
            steep = fmax(steep, drop / 2.0);
            if (layer_at(terrain, "deposit", i, 6) > 0.5)
                assert_true(drop / 2.0 < tan(33.5 * degree));
        }
        assert_true(gentle == 0.0); // 50 degrees stand
        height[k] = steep;
        silt_terrain_destroy(terrain);
    }
    assert_true(height[0] < tan(57.0 * degree) && height[0] > tan(45.0 * degree));
    assert_near(height[1], tan(70.0 * degree), 0.01); // 2 tan(55) is 70.7 degrees: a cliff of hard rock stays
}

// The foot of a tower's heap lies at the same distance in all directions, and its flanks have the talus.
static void heaps_are_cones(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(61, 61, 1.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 30)[30] = 4000.0f;
    erode_steps(terrain, "thermal", "talus=30 strength=30 rock=1", 2500);
    double talus = tan(30.0 * acos(-1.0) / 180.0), top = ground_at(terrain, 30, 30);
    for (int j = 0; j < 61; j++)
        for (int i = 0; i < 61; i++) {
            double cone = fmax(top - talus * hypot(i - 30.0, j - 30.0), 0.0);
            assert_near(ground_at(terrain, i, j), cone, 0.06 * top);
        }
    silt_terrain_destroy(terrain);
}

static void gentle_ground_stays(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(50, 40, 10.0);
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 50; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 4.0f * (float)i + 3.0f * (float)j;
    erode_steps(terrain, "thermal", "talus=27", 100); // the plane falls by 0.5, 26.6 degrees
    assert_true(layer_sum(terrain, "wear") == 0.0);
    erode_steps(terrain, "thermal", "talus=26 strength=0", 100);
    assert_true(layer_sum(terrain, "wear") > 0.0);
    silt_terrain_destroy(terrain);
}

// A leap does many steps in one pass over memory; here they are done one by one.
static uint64_t step_by_step(const char *setting, int64_t steps, RoughGround ground)
{
    SiltTerrain *terrain = rough_ground(ground);
    const SiltModel *model = silt_model_find("thermal");
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    assert_ok(silt_params_assign(silt_model_params(model), params, "thermal", setting));
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(model, terrain, params, NULL, &erosion));
    for (int64_t step = 0; step < steps; step++)
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 1}));
    assert_ok(silt_erosion_store(erosion));
    silt_erosion_end(erosion);
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    uint64_t hash = layers_hash(terrain);
    silt_terrain_destroy(terrain);
    return hash;
}

static void threads_and_leaps_change_nothing(void **state)
{
    (void)state;
    static const char *const settings[] = {"rock=0.5", "rock=1"};
    RoughGround ground = {280, 110, 4.0, 500.0f};
    for (int s = 0; s < 2; s++)
        assert_true(same_on_any_threads("thermal", settings[s], (SiltDuration){.steps = 19}, ground) ==
                    step_by_step(settings[s], 19, ground));
}

static void rotation_rotates(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "neighbours=rotated", "neighbours=eight",
                                           "mode=height-aware rock=0.2"};
    for (int k = 0; k < 4; k++) {
        SiltTerrain *terrain = make_terrain(61, 50, 4.0);
        make_rough(terrain, 11, 300.0f);
        SiltTerrain *other = turned(terrain);
        erode_steps(terrain, "thermal", settings[k], 50);
        erode_steps(other, "thermal", settings[k], 50);
        assert_true(is_turned(terrain, other, "change"));
        assert_true(is_turned(terrain, other, "wear"));
        assert_true(is_turned(terrain, other, "deposit"));
        silt_terrain_destroy(terrain);
        silt_terrain_destroy(other);
    }
}

// A ridge of constant shape in metres, on grids of two resolutions, for the same time.
static double worn_volume(int side)
{
    SiltTerrain *terrain = make_terrain(side, side, 1024.0 / side);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = ((double)i + 0.5) * terrain->cell, y = ((double)j + 0.5) * terrain->cell;
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(100.0 * sin(x / 70.0) * sin(y / 50.0 + x / 300.0));
        }
    erode(terrain, "thermal", "talus=30 rate=10", (SiltDuration){.time = 60.0});
    double worn = layer_sum(terrain, "wear") * terrain->cell * terrain->cell;
    silt_terrain_destroy(terrain);
    return worn;
}

static void twice_the_resolution_is_the_same_place(void **state)
{
    (void)state;
    double coarse = worn_volume(96), fine = worn_volume(192);
    assert_true(coarse > 1000.0);
    assert_near(coarse, fine, 0.1 * fine);
}

static void halving_the_step_changes_little(void **state)
{
    (void)state;
    static const char *const settings[] = {"amount=1 rate=10", "amount=0.5 rate=10"};
    double worn[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(100, 100, 8.0);
        make_rough(terrain, 2, 400.0f);
        erode(terrain, "thermal", settings[k], (SiltDuration){.time = 200.0});
        worn[k] = 0.0;
        for (int j = 0; j < 100; j++)
            for (int i = 0; i < 100; i++)
                worn[k] += fmax(-layer_at(terrain, "change", i, j), 0.0);
        silt_terrain_destroy(terrain);
    }
    assert_near(worn[0], worn[1], 0.05 * worn[1]);
}

// A wall of cells without data: what stands on one side never comes to the other.
static void no_data_passes_nothing(void **state)
{
    (void)state;
    static const char *const settings[] = {"talus=10", "talus=10 rock=1", "talus=10 neighbours=rotated"};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(60, 40, 1.0);
        assert_ok(silt_terrain_require_nodata(terrain));
        SiltField *height = silt_terrain_layer(terrain, "height");
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 60; i++) {
                terrain->nodata[j * 60 + i] = i == 30;
                silt_field_row(height, j)[i] = i < 30 ? 100.0f : i > 30 ? 0.0f : NAN;
            }
        silt_field_row(height, 20)[10] = 150.0f;
        erode_steps(terrain, "thermal", settings[k], 300);
        for (int j = 0; j < 40; j++)
            for (int i = 30; i < 60; i++)
                assert_true(layer_at(terrain, "change", i, j) == 0.0);
        assert_true(layer_at(terrain, "wear", 10, 20) > 10.0);
        assert_true(terrain->nodata[20 * 60 + 30] == 1);
        silt_terrain_destroy(terrain);
    }
}

static void any_parameters_stay_finite(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("thermal");
    void *params = silt_alloc(silt_model_params(model)->size);
    for (uint64_t seed = 0; seed < 300; seed++) {
        SiltTerrain *terrain = make_terrain(33, 29, seed % 3 == 0 ? 0.01 : 30.0);
        make_rough(terrain, seed, seed % 2 ? 3000.0f : 1.0f);
        draw_params(silt_model_params(model), params, seed);
        double before = ground_sum(terrain);
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 40}, NULL, &report));
        assert_true(layers_finite(terrain));
        assert_near(ground_sum(terrain), before, 1e-9 * before);
        for (int j = 0; j < 29; j++)
            for (int i = 0; i < 33; i++)
                assert_true(layer_at(terrain, "deposit", i, j) >= 0.0 &&
                            layer_at(terrain, "wear", i, j) >= 0.0);
        silt_params_free(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

// Across a corner slides the share by which the slope exceeds the talus: half of it at twice the talus.
static void a_corner_gives_its_share_of_the_excess(void **state)
{
    (void)state;
    SiltThermalCorner steep = silt_thermal_corner(0, 1000, 0, 1000, -1, 1000.0f, 0.25f);
    assert_int_equal(steep.west, 250);
    assert_int_equal(steep.north, 0);
    SiltThermalCorner gentle = silt_thermal_corner(0, 1000, 0, 1000, -1, 2000.0f, 0.25f);
    assert_int_equal(gentle.west, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_gives_its_share_of_the_excess),
        cmocka_unit_test(volume_stays),
        cmocka_unit_test(no_slope_above_the_talus_is_left),
        cmocka_unit_test(rock_stands_up_to_its_strength),
        cmocka_unit_test(heaps_are_cones),
        cmocka_unit_test(gentle_ground_stays),
        cmocka_unit_test(threads_and_leaps_change_nothing),
        cmocka_unit_test(rotation_rotates),
        cmocka_unit_test(twice_the_resolution_is_the_same_place),
        cmocka_unit_test(halving_the_step_changes_little),
        cmocka_unit_test(no_data_passes_nothing),
        cmocka_unit_test(any_parameters_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
