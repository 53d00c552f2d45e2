// Diamond-square: what chance adds at each level, borders, wrapping.
#include "generators.h"

// The largest difference between centres of squares `size` cells wide and the mean of their corners.
static double largest_displacement(const SiltTerrain *terrain, int size)
{
    double largest = 0.0;
    for (int j = 0; j + size < terrain->height; j += size)
        for (int i = 0; i + size < terrain->width; i += size) {
            double mean = 0.25 * (height_at(terrain, i, j) + height_at(terrain, i + size, j) +
                                  height_at(terrain, i, j + size) + height_at(terrain, i + size, j + size));
            largest = fmax(largest, fabs(height_at(terrain, i + size / 2, j + size / 2) - mean));
        }
    return largest;
}

static void chance_falls_by_two_to_the_minus_hurst(void **state)
{
    (void)state;
    const double hursts[] = {0.0, 0.3, 0.7, 1.0};
    for (int k = 0; k < 4; k++) {
        char text[80];
        snprintf(text, sizeof text, "hurst=%g relief=1000 additions=no", hursts[k]);
        SiltTerrain *terrain = make_terrain("diamond-square", 513, 513, 1.0, 5, text);
        for (int size = 2; size <= 8; size *= 2)
            assert_near(log2(largest_displacement(terrain, 2 * size) / largest_displacement(terrain, size)),
                        hursts[k], 0.03);
        silt_terrain_destroy(terrain);
    }
}

static double displacement_at(const SiltTerrain *terrain, int i, int j, double sum, int count)
{
    return fabs(height_at(terrain, i, j) - sum / count);
}

// Middles of the map's own edges are means of three neighbours, and no rougher than the others.
static void borders_are_means_of_three(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("diamond-square", 129, 129, 1.0, 9, "hurst=0.8 relief=1000");
    double inside = 0.0, border = 0.0;
    for (int k = 3; k < 127; k += 2) {
        border = fmax(
            border, displacement_at(t, k, 0,
                                    height_at(t, k - 1, 0) + height_at(t, k + 1, 0) + height_at(t, k, 1), 3));
        border = fmax(
            border,
            displacement_at(t, k, 128,
                            height_at(t, k - 1, 128) + height_at(t, k + 1, 128) + height_at(t, k, 127), 3));
        border = fmax(
            border, displacement_at(t, 0, k,
                                    height_at(t, 0, k - 1) + height_at(t, 0, k + 1) + height_at(t, 1, k), 3));
        border = fmax(
            border,
            displacement_at(t, 128, k,
                            height_at(t, 128, k - 1) + height_at(t, 128, k + 1) + height_at(t, 127, k), 3));
        for (int j = 2; j < 128; j += 2)
            inside = fmax(inside, displacement_at(t, k, j,
                                                  height_at(t, k - 1, j) + height_at(t, k + 1, j) +
                                                      height_at(t, k, j - 1) + height_at(t, k, j + 1),
                                                  4));
    }
    assert_true(border <= 1.01 * inside && border > 0.9 * inside);
    silt_terrain_destroy(t);
}

// Where tiles repeat, the four neighbours of an edge's middle on the seam lie on both sides of it.
static void tiles_fit_each_other(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("diamond-square", 128, 64, 1.0, 9, "hurst=0.8 relief=1000 wrap=yes");
    double inside = 0.0, seam = 0.0;
    for (int j = 0; j < 64; j++)
        for (int i = (j + 1) % 2; i < 128; i += 2) {
            double sum = height_at(t, (i + 127) % 128, j) + height_at(t, (i + 1) % 128, j) +
                         height_at(t, i, (j + 63) % 64) + height_at(t, i, (j + 1) % 64);
            bool on_seam = i == 0 || j == 0 || i == 127 || j == 63;
            double *largest = on_seam ? &seam : &inside;
            *largest = fmax(*largest, displacement_at(t, i, j, sum, 4));
        }
    assert_true(seam <= 1.01 * inside && seam > 0.8 * inside);
    silt_terrain_destroy(t);
}

// Any size wraps: across the seam neighbours differ as they do elsewhere.
static void odd_sizes_wrap_too(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("diamond-square", 150, 101, 1.0, 4, "hurst=0.9 relief=1000 wrap=yes");
    double inside = 0.0, seam = 0.0;
    for (int j = 0; j < 101; j++) {
        for (int i = 0; i + 1 < 150; i++)
            inside = fmax(inside, fabs(height_at(t, i + 1, j) - height_at(t, i, j)));
        seam = fmax(seam, fabs(height_at(t, 0, j) - height_at(t, 149, j)));
    }
    for (int i = 0; i < 150; i++)
        seam = fmax(seam, fabs(height_at(t, i, 0) - height_at(t, i, 100)));
    assert_true(seam <= 1.3 * inside);
    silt_terrain_destroy(t);
}

// Twice the resolution: the same place, sharper. Every second cell is the very same.
static void finer_maps_hold_the_coarse_one(void **state)
{
    (void)state;
    const char *text = "relief=300 feature_size=64 hurst=0.7";
    SiltTerrain *coarse = make_terrain("diamond-square", 97, 65, 2.0, 7, text);
    SiltTerrain *fine = make_terrain("diamond-square", 193, 129, 1.0, 7, text);
    HeightRange range = height_range(coarse);
    // as much was added to one as to the other but for the last level, which relief takes into account
    double middle = 150.0, ratio = (height_at(fine, 0, 0) - middle) / (height_at(coarse, 0, 0) - middle);
    assert_near(ratio, 1.0, 0.02);
    for (int j = 0; j < 65; j++)
        for (int i = 0; i < 97; i++)
            assert_near(height_at(fine, 2 * i, 2 * j), middle + ratio * (height_at(coarse, i, j) - middle),
                        1e-5 * (range.high - range.low));
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(fine);
}

static void relief_is_about_the_one_asked(void **state)
{
    (void)state;
    const char *texts[] = {"", "hurst=0.5", "hurst=0.2", "additions=yes", "feature_size=80", "wrap=yes"};
    for (int k = 0; k < 6; k++) {
        double mean = 0.0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            SiltTerrain *terrain = make_terrain("diamond-square", 256, 256, 10.0, seed, texts[k]);
            HeightRange range = height_range(terrain);
            mean += (range.high - range.low) / 8.0;
            silt_terrain_destroy(terrain);
        }
        assert_near(mean / (0.15 * 2560.0), 1.0, 0.4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_falls_by_two_to_the_minus_hurst),
        cmocka_unit_test(borders_are_means_of_three),
        cmocka_unit_test(tiles_fit_each_other),
        cmocka_unit_test(odd_sizes_wrap_too),
        cmocka_unit_test(finer_maps_hold_the_coarse_one),
        cmocka_unit_test(relief_is_about_the_one_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
