// The laws of hillslopes and valley floors in `rivers`: no direction is preferred, nothing stands steeper
// than it may, floors are as wide in small cells as in large ones, and real land is left as it is.
#include "erode_help.h"

#include "silt/drainage.h"
#include "silt/io.h"

static const double pi = 3.14159265358979323846;
#define ln2 0.693147180559945309417

// A disc of land in nothing, that rises everywhere alike.
static SiltTerrain *make_disc(int radius, double cell)
{
    int side = 2 * radius + 9, middle = side / 2;
    SiltTerrain *terrain = make_terrain(side, side, cell);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            terrain->nodata[j * side + i] = hypot(i - middle, j - middle) > radius;
    return terrain;
}

// The mean of cos(waves * direction of the slope), away from the rim and the top: 0 on a cone.
static double lean(const SiltTerrain *terrain, int radius, int waves)
{
    int middle = terrain->width / 2;
    double sum = 0.0, count = 0.0;
    for (int j = 1; j + 1 < terrain->height; j++)
        for (int i = 1; i + 1 < terrain->width; i++) {
            double from = hypot(i - middle, j - middle);
            if (from < 4.0 || from > radius - 4.0)
                continue;
            double x = ground_at(terrain, i + 1, j) - ground_at(terrain, i - 1, j);
            double y = ground_at(terrain, i, j + 1) - ground_at(terrain, i, j - 1);
            sum += cos(waves * atan2(y, x));
            count++;
        }
    return sum / count;
}

// Steep ground that slides, gentle ground that creeps, and cells of several sizes. With the octagon that
// slopes by the steepest of eight neighbours make it is -0.87 for eight waves.
static void a_rising_disc_stays_round(void **state)
{
    (void)state;
    long_law();
    static const struct {
        double cell;
        const char *settings;
    } cases[] = {{10.0, ""},
                 {5.0, ""},
                 {20.0, "uplift=5e-4"},
                 {10.0, "uplift=5e-4 slide_time=0"},
                 {10.0, "diffusion=0.05"},
                 {10.0, "diffusion=0.5"},
                 {10.0, "diffusion=0.15 critical_slope=89"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain = make_disc(60, cases[k].cell);
        char settings[256];
        snprintf(settings, sizeof settings, "strength_variation=0 slide_size=0 step=20000 %s",
                 cases[k].settings);
        erode_steps(terrain, "rivers", settings, 100);
        assert_near(lean(terrain, 60, 8), 0.0, 0.05);
        assert_near(lean(terrain, 60, 4), 0.0, 0.05);
        silt_terrain_destroy(terrain);
    }
}

// At rest D S / (1 - (S / Sc)^2) = U x on a ridge between two valleys, x from its crest (Roering et al.
// 1999), as long as the gain of D is below its bound.
static void a_ridge_has_roerings_shape(void **state)
{
    (void)state;
    enum { L = 41 };
    SiltTerrain *terrain = make_terrain(L, 3, 5.0);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int i = 0; i < L; i++)
        terrain->nodata[i] = terrain->nodata[2 * L + i] = 1;
    erode_steps(
        terrain, "rivers",
        "uplift=1e-4 diffusion=0.02 critical_slope=45 strength_variation=0 step=500 nodata=wall sides=fixed "
        "incision=0",
        4000);
    for (int i = L / 2 + 2; i < L - 2; i++) {
        double x = (i + 0.5 - L / 2) * 5.0, flux = 1e-4 * x / 0.02;
        double slope = (sqrt(1.0 + 4.0 * flux * flux) - 1.0) / (2.0 * flux);
        assert_near((ground_at(terrain, i, 1) - ground_at(terrain, i + 1, 1)) / 5.0, slope,
                    0.03 * slope + 1e-3);
    }
    silt_terrain_destroy(terrain);
}

// A ridge between two planes of slope 0.5 that creeps for 2,000 years: how far its crest comes down. `loose`
// metres of it are loose.
static double crest_lowered(const char *settings, float loose)
{
    enum { L = 61 };
    SiltTerrain *terrain = make_terrain(L, 9, 10.0);
    SiltField *deposit;
    assert_ok(silt_terrain_require(terrain, "deposit", &deposit));
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < L; i++) {
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                500.0f - 5.0f * (float)abs(i - L / 2);
            silt_field_row(deposit, j)[i] = loose;
        }
    char text[256];
    snprintf(text, sizeof text,
             "uplift=0 incision=0 critical_slope=80 diffusion=0.02 step=20 sides=closed %s", settings);
    erode_steps(terrain, "rivers", text, 100);
    double lowered = 500.0 - ground_at(terrain, L / 2, 4);
    silt_terrain_destroy(terrain);
    return lowered;
}

// Rock becomes soil no faster than `weathering`: a crest that would creep away sooner comes down by that much
// a year, and one that creeps more slowly, or is loose, as if all were soil.
static void bare_crests_stay_sharp(void **state)
{
    (void)state;
    double all = crest_lowered("", 0.0f);
    assert_true(all > 1.0);
    assert_near(crest_lowered("weathering=1e-4", 0.0f), 0.2, 0.01);
    assert_near(crest_lowered("weathering=5e-5", 0.0f), 0.1, 0.005);
    assert_near(crest_lowered("weathering=0.1", 0.0f), all, 0.02 * all);
    assert_near(crest_lowered("weathering=1e-4", 50.0f), all, 0.02 * all);
}

// How far the ground around a cell falls to its lowest neighbour, as a slope.
static double steepest(const SiltTerrain *terrain, int i, int j)
{
    double most = 0.0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x || y)
                most = fmax(most, (ground_at(terrain, i, j) - ground_at(terrain, i + x, j + y)) /
                                      (terrain->cell * hypot(x, y)));
    return most;
}

static void nothing_stands_steeper_than_it_may(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(120, 100, 20.0);
    make_rough(terrain, 5, 2000.0f);
    erode_steps(terrain, "rivers",
                "critical_slope=35 strength_variation=0 slide_time=0 uplift=1e-3 step=2000 deposition=0", 60);
    double limit = tan(35.0 * pi / 180.0);
    for (int j = 1; j < 99; j++)
        for (int i = 1; i < 119; i++)
            assert_true(steepest(terrain, i, j) < 1.001 * limit);
    silt_terrain_destroy(terrain);
}

// The share of the land that is gentle and low: floors.
static double floor_share(int side)
{
    SiltTerrain *coarse = make_terrain(9, 9, 640.0), *terrain;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++)
            silt_field_row(silt_terrain_layer(coarse, "height"), j)[i] =
                300.0f * silt_uniform(silt_random(3, SILT_STREAM_TEST, (uint64_t)(j * 9 + i), 0).word[0]);
    assert_ok(silt_terrain_resample(coarse, side, side, &terrain));
    erode(terrain, "rivers", "uplift=5e-4 incision=1.2e-5", (SiltDuration){.time = 1e6});
    double gentle = 0.0;
    int step = side / 128; // the slope over the same length
    for (int j = step; j < side - step; j++)
        for (int i = step; i < side - step; i++) {
            double x = ground_at(terrain, i + step, j) - ground_at(terrain, i - step, j);
            double y = ground_at(terrain, i, j + step) - ground_at(terrain, i, j - step);
            gentle += hypot(x, y) / (2.0 * step * terrain->cell) < 0.15;
        }
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(terrain);
    return gentle / ((double)side * side);
}

static void floors_do_not_depend_on_the_cell(void **state)
{
    (void)state;
    long_law();
    double coarse = floor_share(128), fine = floor_share(256);
    assert_true(coarse > 0.02);
    assert_near(fine, coarse, 0.3 * coarse);
}

// ---- real land ----

// How far the ground four cells around channels, 200 cells of catchment and more, lies above them on average.
static double channel_depth(const SiltTerrain *terrain, const SiltDrainage *channels)
{
    double sum = 0.0, count = 0.0;
    for (int j = 4; j < terrain->height - 4; j++)
        for (int i = 4; i < terrain->width - 4; i++) {
            if (channels->area[j * terrain->width + i] < 200)
                continue;
            for (int k = 0; k < 16; k++)
                sum += ground_at(terrain, i + (int)lround(4.0 * cos(k * pi / 8.0)),
                                 j + (int)lround(4.0 * sin(k * pi / 8.0))) /
                       16.0;
            sum -= ground_at(terrain, i, j);
            count++;
        }
    return sum / count;
}

// 20,000 years at the defaults cut no slots into valleys and fill none up.
static void real_valleys_keep_their_depth(void **state)
{
    (void)state;
    static const char *const crops[] = {"tujunga_crop.tif", "inyo_crop.tif", "ticino_crop.tif",
                                        "jacksboro_crop.tif"};
    for (size_t k = 0; k < sizeof crops / sizeof crops[0]; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", SILT_TEST_DATA, crops[k]);
        SiltTerrain *terrain;
        SiltStatus status = silt_terrain_read(path, NULL, &terrain);
        if (status == SILT_MISSING_FEATURE)
            return;
        assert_ok(status);
        SiltDrainage *channels;
        assert_ok(silt_drainage_create(terrain, NULL, &channels));
        double before = channel_depth(terrain, channels);
        erode(terrain, "rivers", "", (SiltDuration){.time = 20000.0});
        assert_near(channel_depth(terrain, channels), before, 0.2 * before);
        silt_drainage_destroy(channels);
        silt_terrain_destroy(terrain);
    }
}

static void no_warning(void *user, const char *text)
{
    (void)user;
    (void)text;
}

// What wanes is half as much after each half-life, pulses come and go, and all of it is counted, whatever the
// step and however many levels a pyramid has.
static void uplift_wanes_and_comes_in_pulses(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        double years; // of full uplift within 400,000
    } cases[] = {{"wane=1e5", 1e5 / ln2 * (15.0 / 16.0)},
                 {"wane=1e5 step=1e5", 1e5 / ln2 * (15.0 / 16.0)},
                 {"pulse=160000", 480000.0}, // two and a half of them
                 {"pulse=160000 pulse_strength=0.5 step=7000", 440000.0}};
    for (size_t k = 0; k < 4 * sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain = make_terrain(64, 64, 100.0);
        const SiltModel *model = silt_model_find("rivers");
        void *params = silt_alloc(silt_model_params(model)->size);
        assert_ok(silt_params_init(silt_model_params(model), params));
        char text[256], *rest;
        snprintf(text, sizeof text, "uplift=1e-3 sides=closed incision=0 %s", cases[k / 4].settings);
        for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            assert_ok(silt_params_assign(silt_model_params(model), params, "rivers", word));
        SiltReport report;
        silt_set_warning_handler(no_warning, NULL);
        assert_ok(silt_erode_pyramid(model, terrain, params, (SiltDuration){.time = 4e5}, (int)(k % 4), NULL,
                                     &report));
        silt_set_warning_handler(NULL, NULL);
        double raised = report.ledger.rock.added / (6400.0 * 6400.0);
        assert_near(raised, 1e-3 * cases[k / 4].years, 1e-6 * 1e-3 * 4e5);
        silt_params_free(silt_model_params(model), params);
        silt_free(params);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rising_disc_stays_round),
        cmocka_unit_test(a_ridge_has_roerings_shape),
        cmocka_unit_test(bare_crests_stay_sharp),
        cmocka_unit_test(nothing_stands_steeper_than_it_may),
        cmocka_unit_test(floors_do_not_depend_on_the_cell),
        cmocka_unit_test(real_valleys_keep_their_depth),
        cmocka_unit_test(uplift_wanes_and_comes_in_pulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
