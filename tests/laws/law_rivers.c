// The laws of `rivers`: what the stream power equation says of slopes and knickpoints, books that balance,
// and independence of threads, rotation and resolution.
#include "erode_help.h"

#include "silt/drainage.h"

// A plane that falls to the south by `slope`, with a little roughness so that rivers can form.
static SiltTerrain *make_ramp(int width, int height, double cell, float slope, float rough)
{
    SiltTerrain *terrain = make_terrain(width, height, cell);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            uint64_t index = (uint64_t)j * 65536 + (uint64_t)i;
            float noise = silt_uniform(silt_random(4, SILT_STREAM_TEST, index, 0).word[0]);
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                slope * (float)((height - 1 - j) * cell) + rough * noise;
        }
    return terrain;
}

// log S = log ks - theta log A over all land cells; K = U / ks^n.
static void slope_area_fit(SiltTerrain *terrain, double *theta, double *steepness)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int j = 1; j + 1 < terrain->height; j++)
        for (int i = 1; i + 1 < terrain->width; i++) {
            double area = layer_at(terrain, "drainage", i, j), slope = layer_at(terrain, "slope", i, j);
            if (!(slope > 0.0))
                continue;
            double a = log(area), s = log(slope);
            n++, x += a, y += s, xx += a * a, xy += a * s;
        }
    double fall = (n * xy - x * y) / (n * xx - x * x);
    *theta = -fall;
    *steepness = exp((y - fall * x) / n);
}

// At rest K A^m S^n = U everywhere.
static void steady_slopes_give_back_the_law(void **state)
{
    (void)state;
    long_law();
    static const struct {
        const char *settings;
        double m, n;
    } cases[] = {{"area_exponent=0.5 slope_exponent=1 incision=1e-5", 0.5, 1.0},
                 {"area_exponent=0.4 slope_exponent=1 incision=3e-5", 0.4, 1.0},
                 {"area_exponent=0.9 slope_exponent=2 incision=1e-7", 0.9, 2.0},
                 {"area_exponent=0.35 slope_exponent=0.7 incision=3e-5", 0.35, 0.7}};
    static const double k[] = {1e-5, 3e-5, 1e-7, 3e-5};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        SiltTerrain *terrain = make_ramp(80, 60, 100.0, 0.001f, 1.0f);
        char settings[256];
        snprintf(
            settings, sizeof settings,
            "%s deposition=0 diffusion=0 source_area=0 critical_slope=89 uplift=1e-3 step=6e4 sides=fixed",
            cases[c].settings);
        erode_steps(terrain, "rivers", settings, 170);
        double theta, steepness;
        slope_area_fit(terrain, &theta, &steepness);
        assert_near(theta, cases[c].m / cases[c].n, 0.01);
        double incision = 1e-3 / pow(steepness, cases[c].n);
        assert_near(incision, k[c], 0.02 * k[c]);
        silt_terrain_destroy(terrain);
    }
}

// With deposition, K A^m S^n = (1 + G) U: of what comes, G / A is laid down again.
static void deposition_steepens_rivers(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_ramp(80, 60, 100.0, 0.001f, 1.0f);
    erode_steps(terrain, "rivers",
                "area_exponent=0.5 incision=1e-5 deposition=1 diffusion=0 source_area=0 critical_slope=89 "
                "uplift=1e-3 step=2e4 sides=fixed",
                600);
    double sum = 0.0, count = 0.0;
    for (int j = 1; j < 59; j++)
        for (int i = 1; i < 79; i++) {
            double area = layer_at(terrain, "drainage", i, j);
            if (area < 50.0 * 1e4)
                continue;
            sum += 1e-5 * sqrt(area) * layer_at(terrain, "slope", i, j) / 1e-3;
            count++;
        }
    assert_true(count > 20.0);
    assert_near(sum / count, 2.0, 0.05);
    silt_terrain_destroy(terrain);
}

// A canal with a step in it: the knickpoint travels up at K A^m, whatever its height.
static void a_knickpoint_moves_at_its_speed(void **state)
{
    (void)state;
    enum { L = 600 };
    SiltTerrain *terrain = make_terrain(L, 3, 50.0);
    SiltField *height = silt_terrain_layer(terrain, "height");
    // only row 1 is land; m = 0 makes the speed K everywhere
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int i = 0; i < L; i++) {
        terrain->nodata[i] = terrain->nodata[2 * L + i] = 1;
        silt_field_row(height, 1)[i] = (i > 0 ? 100.0f : 0.0f) + 0.01f * (float)i;
    }
    double speed = 0.02, years = 1e6; // m/year: 20 km of 30
    erode(terrain, "rivers",
          "area_exponent=0 incision=0.02 deposition=0 diffusion=0 source_area=0 critical_slope=89 uplift=0 "
          "step=500 nodata=wall lakes=fill sides=fixed",
          (SiltDuration){.time = years});
    int front = 0;
    while (front < L - 1 && ground_at(terrain, front, 1) < 50.0 + 0.01 * front)
        front++;
    assert_near(front * 50.0, speed * years, 0.02 * speed * years);
    silt_terrain_destroy(terrain);
}

// uplifted = left + stored - initial, and no more leaves than is worn.
static void books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "",
        "lakes=fill",
        "sides=fixed",
        "sides=fixed lakes=fill uplift=-1e-4",
        "uplift=-1e-4",
        "deposition=3 lakes=fill",
        "sides=falling diffusion=1",
        "sides=closed sea_level=200",
        "sides=closed",
        "slope_exponent=1.5 incision=1e-6",
        "sea_level=250 lakes=fill uplift=-1e-4",
        "routing=steepest deposition=10",
        "multiple=1.1 lakes=fill",
    };
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(150, 110, 30.0);
        make_rough(terrain, k, 600.0f);
        double before = ground_sum(terrain);
        SiltReport report = erode_steps(terrain, "rivers", settings[k], 25);
        const SiltAccount *rock = &report.ledger.rock;
        double after = ground_sum(terrain);
        assert_near(rock->initial, before * 900.0, 1e-9 * rock->initial);
        assert_near(rock->stored, after * 900.0, 1e-9 * rock->stored);
        assert_true(silt_account_imbalance_fraction(rock) < 1e-6);
        assert_true(rock->moved > 0.0 && layers_finite(terrain));
        if (strcmp(settings[k], "sides=closed") == 0) // nothing leaves
            assert_near(rock->removed, 0.0, 1e-6 * rock->moved);
        silt_terrain_destroy(terrain);
    }
}

static void carving_leaves_no_depression(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        SiltTerrain *terrain = make_terrain(200, 150, 20.0);
        make_rough(terrain, seed, 500.0f);
        SiltDrainageStatistics before, after;
        assert_ok(silt_drainage_statistics(terrain, &before));
        erode_steps(terrain, "rivers", seed == 2 ? "lakes=carve deposition=5 diffusion=1" : "lakes=carve", 5);
        silt_terrain_settle(terrain);
        assert_ok(silt_drainage_statistics(terrain, &after));
        assert_true(before.pit_fraction > 0.1);
        assert_true(after.pit_fraction == 0.0);
        silt_terrain_destroy(terrain);
    }
}

// The edge wears as the land inside does: where the map has been worn down by more than it stands above its
// lows, no wall is left around it, and no ramp.
static void open_sides_leave_no_wall(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "area_exponent=0.5 source_area=1e4 uplift=0 incision=1e-4",
        "area_exponent=0.5 source_area=1e4 uplift=1e-4 incision=1e-4",
        "area_exponent=0.5 source_area=1e4 uplift=0 incision=1e-4 sides=fixed"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *coarse = make_ramp(9, 9, 320.0, 0.0f, 400.0f), *terrain;
        assert_ok(silt_terrain_resample(coarse, 128, 128, &terrain));
        erode_steps(terrain, "rivers", settings[k], 60);
        double wall = 0.0;
        for (int n = 10; n < 118; n++)
            wall += ground_at(terrain, n, 0) - ground_at(terrain, n, 6) + ground_at(terrain, 0, n) -
                    ground_at(terrain, 6, n) + ground_at(terrain, n, 127) - ground_at(terrain, n, 121) +
                    ground_at(terrain, 127, n) - ground_at(terrain, 121, n);
        wall /= 4.0 * 108.0;
        assert_true(k == 2 ? wall > 40.0 : fabs(wall) < 15.0);
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(terrain);
    }
}

// Level land drains to all sides alike, and rivers that have nowhere to fall cut nothing.
static void level_land_has_no_favourite_side(void **state)
{
    (void)state;
    enum { SIDE = 256 };
    for (int lakes = 0; lakes < 2; lakes++) {
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, 20.0);
        silt_field_fill(silt_terrain_layer(terrain, "height"), 100.0f);
        erode_steps(terrain, "rivers", lakes ? "uplift=0 lakes=carve" : "uplift=0 lakes=fill", 12);
        double left[4] = {0}, side = 0.0;
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                assert_near(ground_at(terrain, i, j), 100.0, 1e-9);
        erode_steps(terrain, "rivers", lakes ? "lakes=carve" : "lakes=fill", 25);
        for (int n = 0; n < SIDE; n++) {
            double gone[] = {layer_at(terrain, "drainage", n, 0), layer_at(terrain, "drainage", n, SIDE - 1),
                             layer_at(terrain, "drainage", 0, n), layer_at(terrain, "drainage", SIDE - 1, n)};
            for (int k = 0; k < 4; k++)
                left[k] += gone[k];
        }
        for (int k = 0; k < 4; k++)
            side += left[k] / 4.0;
        for (int k = 0; k < 4; k++)
            assert_near(left[k], side, 0.15 * side);
        silt_terrain_destroy(terrain);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "lakes=fill sea_level=150 slope_exponent=1.3 incision=1e-6",
                                           "multiple=1.1"};
    for (int s = 0; s < 3; s++)
        same_on_any_threads("rivers", settings[s], (SiltDuration){.steps = 8},
                            (RoughGround){211, 160, 25.0, 500.0f});
}

// How many cells of `after`, a run on turned or mirrored ground, differ from where they came from.
static double share_that_differs(const SiltTerrain *before, const SiltTerrain *after, bool mirror)
{
    double differ = 0.0;
    for (int j = 0; j < before->height; j++)
        for (int i = 0; i < before->width; i++) {
            double there = mirror ? ground_at(after, before->width - 1 - i, j)
                                  : ground_at(after, before->height - 1 - j, i);
            differ += fabs(ground_at(before, i, j) - there) > 0.5;
        }
    return differ / ((double)before->width * before->height);
}

// The same rock everywhere: what is drawn by seed does not turn with the map.
static const char *all_alike(const char *settings, char text[256])
{
    snprintf(text, 256, "%s strength_variation=0 slide_size=0 wander=0", settings);
    return text;
}

// Straight lines, creep, slides and banks included.
static void turned_and_mirrored_ground_give_the_same(void **state)
{
    (void)state;
    static const char *const settings[] = {"lakes=carve", "lakes=carve routing=steepest",
                                           "lakes=carve multiple=1",
                                           "lakes=carve sides=falling deposition=0"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_ramp(90, 70, 50.0, 0.05f, 30.0f), *mirror;
        SiltTerrain *turn = turned(terrain);
        assert_ok(silt_terrain_flip(terrain, true, false, &mirror));
        SiltTerrain *all[] = {terrain, turn, mirror};
        char text[256];
        for (int n = 0; n < 3; n++)
            erode_steps(all[n], "rivers", all_alike(settings[k], text), 20);
        double turns = share_that_differs(terrain, turn, false),
               mirrors = share_that_differs(terrain, mirror, true);
        assert_true(turns < 0.01 && mirrors < 0.01); // ties aside
        for (int n = 0; n < 3; n++)
            silt_terrain_destroy(all[n]);
    }
}

// Not by a millimetre does land full of pits differ: which way each is let out is a matter of geometry.
static void turned_pits_are_let_out_the_same_way(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(150, 110, 20.0);
    make_rough(terrain, 3, 500.0f);
    SiltTerrain *turn = turned(terrain);
    char text[256];
    erode_steps(terrain, "rivers", all_alike("lakes=carve lateral=0", text), 20);
    erode_steps(turn, "rivers", text, 20);
    for (int j = 0; j < 110; j++)
        for (int i = 0; i < 150; i++)
            assert_near(ground_at(terrain, i, j), ground_at(turn, 109 - j, i), 1e-3);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(turn);
}

// The same place in twice as many cells, with the defaults: 2.56 km of smooth hills, two million years. Where
// slides fall is a matter of chance: the mean of twelve seeds is known to 1 %. (Streams that enter a floor
// run along it for a while before they join, which coarse cells do not show: they have 8 % less of them.)
static void resolution_keeps_relief_and_density(void **state)
{
    (void)state;
    long_law();
    enum { SEEDS = 12 };
    double relief[2] = {0.0, 0.0}, density[2] = {0.0, 0.0};
    for (int k = 0; k < 2 * SEEDS; k++) {
        int fine = k % 2, side = fine ? 256 : 128;
        SiltTerrain *coarse = make_ramp(8, 8, 320.0, 0.0f, 300.0f), *terrain;
        assert_ok(silt_terrain_resample(coarse, side, side, &terrain));
        assert_ok(silt_erode(silt_model_find("rivers"), terrain, NULL, (SiltDuration){.time = 2e6},
                             &(SiltRun){.seed = (uint64_t)(k / 2)}, NULL));
        silt_terrain_settle(terrain);
        SiltDrainageStatistics s;
        SiltFieldStatistics heights;
        assert_ok(silt_drainage_statistics(terrain, &s));
        silt_field_statistics(silt_terrain_layer(terrain, "height"), NULL, &heights);
        relief[fine] += heights.mean - heights.minimum;
        density[fine] += s.drainage_density;
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(terrain);
    }
    assert_near(relief[0], relief[1], 0.05 * relief[1]);
    assert_near(density[0], density[1], 0.08 * density[1]);
}

// Water on a cone runs in every direction alike, not along the eight of the grid: a ring far out gets the
// same share of water in each of 16 sectors.
static void directions_on_a_cone_are_even(void **state)
{
    (void)state;
    enum { SIDE = 401, MIDDLE = 200, SECTORS = 16 };
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 10.0);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(5000.0 - hypot(i - MIDDLE, j - MIDDLE));
    for (int straight = 0; straight < 2; straight++) {
        SiltDrainageOptions options = {.straight = straight};
        SiltDrainage *d;
        assert_ok(silt_drainage_create(terrain, &options, &d));
        // the way from each cell of a small ring out to radius 190, as the turn of direction on the way
        double worst = 0.0, mean = 0.0;
        int count = 0;
        for (int k = 0; k < 720; k++) {
            double angle = k * acos(-1.0) / 360.0;
            int i = MIDDLE + (int)lround(40.0 * cos(angle)), j = MIDDLE + (int)lround(40.0 * sin(angle));
            double from = atan2(j - MIDDLE, i - MIDDLE);
            while (hypot(i - MIDDLE, j - MIDDLE) < 190.0) {
                int32_t to = d->receiver[j * SIDE + i];
                i = to % SIDE;
                j = to / SIDE;
            }
            double turn = remainder(atan2(j - MIDDLE, i - MIDDLE) - from, 2.0 * acos(-1.0));
            worst = fmax(worst, fabs(turn));
            mean += fabs(turn);
            count++;
        }
        mean /= count;
        if (straight)
            assert_true(mean < 0.04 && worst < 0.2);
        else
            assert_true(mean > 0.06); // what it is good for
        silt_drainage_destroy(d);
    }
    silt_terrain_destroy(terrain);
}

static void any_parameters_stay_finite(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("rivers");
    void *params = silt_alloc(silt_model_params(model)->size);
    for (uint64_t seed = 0; seed < 60; seed++) {
        SiltTerrain *terrain = make_terrain(33, 29, seed % 3 == 0 ? 0.01 : 30.0);
        make_rough(terrain, seed, seed % 2 ? 3000.0f : 1.0f);
        draw_params(silt_model_params(model), params, seed);
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 12}, NULL, &report));
        assert_true(layers_finite(terrain));
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-6);
        silt_params_free(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

// A lake that rivers have filled, behind a sill that they do not cut, is a plain they cross, not a table: but
// for its shores and its outlet it falls the way its water goes, and as a fan does.
static void a_filled_lake_falls_to_its_outlet(void **state)
{
    (void)state;
    enum { SIDE = 64, LAKE = 12 };
    static bool lake[SIDE][SIDE];
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 40.0);
    SiltField *height = silt_terrain_layer(terrain, "height"), *erodibility, filled = {0};
    SiltDrainage *drainage;
    assert_ok(silt_terrain_require(terrain, "erodibility", &erodibility));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            silt_field_row(erodibility, j)[i] = i <= 12 ? 0.0f : 1.0f;
            double x = i - 24.0, y = j - 0.5 * SIDE, r = sqrt(x * x + y * y);
            double bowl = r < LAKE ? 20.0 * (LAKE - r) : 0.0;
            silt_field_row(height, j)[i] = (float)(8.0 * i + 2.0 * fabs(y) - bowl);
        }
    assert_ok(silt_field_create(SIDE, SIDE, &filled));
    assert_ok(silt_terrain_fill(terrain, &filled));
    int cells = 0, falls = 0, inner = 0, inner_falls = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            cells += lake[j][i] = silt_field_at(&filled, i, j) > silt_field_at(height, i, j) + 5.0f;
    assert_true(cells > 100);
    erode(terrain, "rivers", "uplift=0 lakes=fill diffusion=0.02 incision=2e-4 lateral=0 step=20000",
          (SiltDuration){.time = 20000.0});
    assert_ok(silt_drainage_create(terrain, NULL, &drainage));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int to = drainage->receiver[j * SIDE + i];
            double fall = ground_at(terrain, i, j) - ground_at(terrain, to % SIDE, to / SIDE);
            bool is_fan = lake[j][i] && fall > 0.003 * 40.0 && fall < 0.012 * 57.0, is_inner = lake[j][i];
            for (int n = 0; n < 9 && is_inner; n++)
                is_inner = lake[j + n / 3 - 1][i + n % 3 - 1];
            falls += is_fan, inner += is_inner, inner_falls += is_inner && is_fan;
        }
    if (falls < 0.82 * cells || inner_falls < 0.9 * inner)
        fail_msg("%d of %d cells fall as a fan does, %d of %d away from the shores", falls, cells,
                 inner_falls, inner);
    silt_drainage_destroy(drainage);
    silt_field_destroy(&filled);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_slopes_give_back_the_law),
        cmocka_unit_test(deposition_steepens_rivers),
        cmocka_unit_test(a_knickpoint_moves_at_its_speed),
        cmocka_unit_test(books_balance),
        cmocka_unit_test(a_filled_lake_falls_to_its_outlet),
        cmocka_unit_test(carving_leaves_no_depression),
        cmocka_unit_test(open_sides_leave_no_wall),
        cmocka_unit_test(level_land_has_no_favourite_side),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(turned_and_mirrored_ground_give_the_same),
        cmocka_unit_test(turned_pits_are_let_out_the_same_way),
        cmocka_unit_test(resolution_keeps_relief_and_density),
        cmocka_unit_test(directions_on_a_cone_are_even),
        cmocka_unit_test(any_parameters_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
