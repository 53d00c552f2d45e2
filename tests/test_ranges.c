// Ranges of uplift: where they run, how fast they rise, and that they are not all alike.
#include "generators.h"

static double uplift_at(const SiltTerrain *t, int i, int j)
{
    return (double)silt_field_at(silt_terrain_layer(t, "uplift"), i, j);
}

static void uplift_lies_between_basin_and_rate(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        SiltTerrain *t = make_terrain("ranges", 120, 120, 100.0, seed, "rate=0.002 basin=-0.0003");
        double low = INFINITY, high = -INFINITY;
        for (int j = 0; j < 120; j++)
            for (int i = 0; i < 120; i++) {
                low = fmin(low, uplift_at(t, i, j));
                high = fmax(high, uplift_at(t, i, j));
            }
        assert_near(low, -0.0003, 1e-9); // basins are there
        assert_true(high > 0.001 && high <= 0.002 + 1e-9);
        silt_terrain_destroy(t);
    }
}

// Across the strike land changes over a width, along it over a segment.
static void ranges_run_along_their_strike(void **state)
{
    (void)state;
    static const double strikes[] = {0.0, 45.0, 90.0, 135.0};
    for (int k = 0; k < 4; k++) {
        char text[80];
        snprintf(text, sizeof text, "strike=%g wander=0.1 offset=0.1", strikes[k]);
        SiltTerrain *t = make_terrain("ranges", 160, 160, 100.0, 4, text);
        double turn = strikes[k] * 3.14159265358979 / 180.0, along = 0.0, across = 0.0;
        for (int j = 1; j < 159; j++)
            for (int i = 1; i < 159; i++) {
                double east = height_at(t, i + 1, j) - height_at(t, i - 1, j);
                double south = height_at(t, i, j + 1) - height_at(t, i, j - 1);
                double a = east * sin(turn) - south * cos(turn), b = east * cos(turn) + south * sin(turn);
                along += a * a;
                across += b * b;
            }
        assert_true(across > 5.0 * along);
        silt_terrain_destroy(t);
    }
}

// Of a range that runs north, the eastern flank is on the right.
static void the_flank_on_the_right_is_the_longer(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[120];
        snprintf(text, sizeof text, "strike=0 wander=0 offset=0 variation=0 asymmetry=%g", 0.5 * sign);
        SiltTerrain *t = make_terrain("ranges", 200, 200, 100.0, 2, text);
        double rises = 0.0, falls = 0.0; // cells from west to east
        for (int j = 0; j < 200; j++)
            for (int i = 0; i + 1 < 200; i++) {
                double step = height_at(t, i + 1, j) - height_at(t, i, j);
                rises += step > 0.01;
                falls += step < -0.01;
            }
        assert_true(sign > 0 ? falls > 1.8 * rises : rises > 1.8 * falls);
        silt_terrain_destroy(t);
    }
}

static void crests_vary_along_their_way(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("ranges", 160, 320, 100.0, 6, "strike=0 segment=6000");
    double low = INFINITY, high = 0.0;
    for (int j = 0; j < 320; j++) {
        double crest = 0.0;
        for (int i = 0; i < 160; i++)
            crest = fmax(crest, height_at(t, i, j));
        low = fmin(low, crest);
        high = fmax(high, crest);
    }
    assert_true(low < 0.85 * high && low > 0.2 * high); // saddles, and no gaps through all ranges at once
    silt_terrain_destroy(t);
}

static void more_cells_show_the_same_ranges(void **state)
{
    (void)state;
    SiltTerrain *coarse = make_terrain("ranges", 100, 80, 200.0, 3, ""),
                *fine = make_terrain("ranges", 200, 160, 100.0, 3, "");
    double relief = height_range(fine).high;
    for (int j = 0; j < 80; j++)
        for (int i = 0; i < 100; i++) {
            double mean = 0.25 * (height_at(fine, 2 * i, 2 * j) + height_at(fine, 2 * i + 1, 2 * j) +
                                  height_at(fine, 2 * i, 2 * j + 1) + height_at(fine, 2 * i + 1, 2 * j + 1));
            assert_near(mean, height_at(coarse, i, j), 0.01 * relief);
        }
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uplift_lies_between_basin_and_rate),
        cmocka_unit_test(ranges_run_along_their_strike),
        cmocka_unit_test(the_flank_on_the_right_is_the_longer),
        cmocka_unit_test(crests_vary_along_their_way),
        cmocka_unit_test(more_cells_show_the_same_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
