// Gradient noise and what is made of it.
#include "generators.h"
#include "physics/noise.h"

static void every_bit_of_a_number_moves_half_of_its_hash(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    for (int bit = 0; bit < 32; bit++) {
        int flipped = 0;
        for (uint32_t k = 0; k < COUNT; k++)
            flipped += __builtin_popcount(silt_noise_mix(k * 2654435761u) ^
                                          silt_noise_mix((k * 2654435761u) ^ (1u << bit)));
        assert_near((double)flipped / COUNT, 16.0, 0.5);
    }
}

static void noise_is_zero_on_its_lattice_and_bounded(void **state)
{
    (void)state;
    double sum = 0.0, low = 0.0, high = 0.0;
    enum { COUNT = 200000 };
    for (uint32_t k = 0; k < COUNT; k++) {
        float x = (float)(k % 641) * 0.317f, y = (float)(k / 641) * 0.291f;
        double value = (double)silt_noise(7, 9, x, y, 1);
        sum += value;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    assert_near(sum / COUNT, 0.0, 0.01);
    assert_true(low > -0.75 && high < 0.75 && low < -0.5 && high > 0.5);
    for (int i = -5; i < 5; i++)
        assert_near((double)silt_noise(3, 4, (float)i, (float)(2 * i), 5), 0.0, 1e-7);
}

// A lattice point and a float from there: it does not matter which of the lattice points is named.
static void places_have_many_names(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        float x = (float)k * 0.0078125f, y = (float)(k % 37) * 0.015625f; // exact in float
        float here = silt_noise(4294967295u, 100, x + 2.0f, y - 3.0f, 11);
        assert_true(here == silt_noise(1, 97, x, y, 11));
    }
}

static void noise_has_no_steps(void **state)
{
    (void)state;
    float step = 1.0f / 1024.0f;
    for (int k = 0; k < 8192; k++) {
        float x = (float)k * step;
        assert_near((double)silt_noise(0, 0, x, 0.3f, 2), (double)silt_noise(0, 0, x + step, 0.3f, 2), 0.003);
    }
}

static void neighbouring_maps_join(void **state)
{
    (void)state;
    const char *kinds[] = {"fbm", "billow", "ridged"};
    for (int k = 0; k < 3; k++) {
        char west_text[160], east_text[192];
        snprintf(west_text, sizeof west_text, "kind=%s feature_size=150 relief=100 warp=60", kinds[k]);
        snprintf(east_text, sizeof east_text, "%s origin=320,160", west_text);
        SiltTerrain *west = make_terrain("noise", 700, 40, 5.0, 3, west_text);
        SiltTerrain *east = make_terrain("noise", 600, 8, 5.0, 3, east_text);
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < 600; i++)
                assert_near(height_at(east, i, j), height_at(west, i + 64, j + 32), 0.05);
        silt_terrain_destroy(west);
        silt_terrain_destroy(east);
    }
}

static void relief_is_about_the_one_asked(void **state)
{
    (void)state;
    const char *texts[] = {"kind=fbm",           "kind=billow",           "kind=ridged",
                           "kind=fbm octaves=1", "kind=ridged hurst=0.6", "kind=fbm warp=300"};
    for (int k = 0; k < 6; k++) {
        double mean = 0.0, low = 0.0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            SiltTerrain *terrain = make_terrain("noise", 200, 200, 10.0, seed, texts[k]);
            HeightRange range = height_range(terrain);
            mean += (range.high - range.low) / 8.0;
            low += range.low / 8.0;
            silt_terrain_destroy(terrain);
        }
        assert_near(mean, 300.0, 75.0); // 0.15 of 2,000 m
        assert_near(low, 0.0, 75.0);
    }
}

static void too_small_features_warn_and_stay_flat(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain("noise", 20, 20, 100.0, 1, "feature_size=10 relief=50");
    HeightRange range = height_range(terrain);
    assert_near(range.low, 25.0, 1e-3);
    assert_near(range.high, 25.0, 1e-3);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_of_a_number_moves_half_of_its_hash),
        cmocka_unit_test(noise_is_zero_on_its_lattice_and_bounded),
        cmocka_unit_test(places_have_many_names),
        cmocka_unit_test(noise_has_no_steps),
        cmocka_unit_test(neighbouring_maps_join),
        cmocka_unit_test(relief_is_about_the_one_asked),
        cmocka_unit_test(too_small_features_warn_and_stay_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
