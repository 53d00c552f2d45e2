// A mountain where it was asked for, as high as it was asked for, from both kinds of polygons.
#include "generators.h"

#include "core/streams.h"
#include "generate/uplift.h"
#include "generate/voronoi.h"

static void assert_peak(const SiltTerrain *terrain, int i, int j, double height)
{
    assert_near(height_at(terrain, i, j), (double)(float)height, 0.0);
    HeightRange range = height_range(terrain);
    assert_near(range.high, (double)(float)height, 0.0);
    assert_true(range.low >= 0.0);
}

static void the_peak_is_where_and_as_high_as_asked(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        int i, j;
    } places[] = {
        {"place=0.5,0.5", 60, 40}, {"place=0,0", 0, 0}, {"place=1,1", 119, 79}, {"place=0.13,0.9", 15, 72}};
    const double heights[] = {1500.0, 1234.5678, 0.1, 8848.86};
    const char *more[] = {"",
                          "cells=graph",
                          "complexity=16 spread=0",
                          "cells=graph complexity=7 smooth=0",
                          "sharpness=3 ridges=4 smooth=300",
                          "complexity=1",
                          "iterations=7 smooth=0"};
    for (size_t m = 0; m < sizeof more / sizeof more[0]; m++)
        for (size_t k = 0; k < 4; k++) {
            char text[200];
            snprintf(text, sizeof text, "%s height=%.10g %s", places[k].place, heights[k],
                     m == 6 ? more[m] : "iterations=20");
            SiltTerrain *terrain;
            if (m < 6)
                snprintf(text + strlen(text), sizeof text - strlen(text), " %s", more[m]);
            terrain = make_terrain("rmp", 120, 80, 50.0, k, text);
            assert_peak(terrain, places[k].i, places[k].j, heights[k]);
            silt_terrain_destroy(terrain);
        }
}

// spread=0 raises the polygon that holds the peak and nothing else (Fritz 3.3.2).
static void without_spread_one_polygon_rises(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(
        "rmp", 90, 70, 10.0, 4, "spread=0 iterations=1 complexity=12 smooth=0 place=0.4,0.6 height=100");
    SiltVoronoi v;
    static int32_t labels[90 * 70];
    assert_ok(silt_voronoi_draw(silt_lattice(90, 70), 12, 4, SILT_STREAM_RMP, 0, &v));
    assert_ok(silt_voronoi_label(&v, silt_lattice_window(&v.lattice), labels));
    int32_t peak = labels[42 * 90 + 36];
    for (int j = 0; j < 70; j++)
        for (int i = 0; i < 90; i++)
            assert_near(height_at(terrain, i, j), labels[j * 90 + i] == peak ? 100.0 : 0.0, 0.0);
    silt_voronoi_destroy(&v);
    silt_terrain_destroy(terrain);
}

static void more_spread_raises_more(void **state)
{
    (void)state;
    const char *cells[] = {"voronoi", "graph"};
    for (int c = 0; c < 2; c++) {
        double before = 0.0;
        for (int spread = 0; spread <= 3000; spread += 500) {
            char text[120];
            snprintf(text, sizeof text, "spread=%d iterations=40 complexity=300 cells=%s", spread, cells[c]);
            SiltTerrain *terrain = make_terrain("rmp", 128, 128, 50.0, 1, text);
            double volume = silt_field_sum(silt_terrain_layer(terrain, "height"));
            assert_true(volume > before);
            before = volume;
            silt_terrain_destroy(terrain);
        }
    }
}

// Symmetric in law: over many seeds the mean mountain leans nowhere. Its first moments and its quarters are
// held against their own scatter from seed to seed.
static void mountains_lean_nowhere_in_the_mean(void **state)
{
    (void)state;
    enum { SIDE = 65, SEEDS = 200, MOMENTS = 4 };
    const char *cells[] = {"voronoi", "graph"};
    for (int c = 0; c < 2; c++) {
        double sum[MOMENTS] = {0}, squares[MOMENTS] = {0};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            char text[100];
            snprintf(text, sizeof text, "iterations=8 complexity=60 spread=2500 cells=%s", cells[c]);
            SiltTerrain *terrain = make_terrain("rmp", SIDE, SIDE, 100.0, seed, text);
            double moment[MOMENTS] = {0};
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++) {
                    double h = height_at(terrain, i, j), x = i - SIDE / 2, y = j - SIDE / 2;
                    moment[0] += h * x;
                    moment[1] += h * y;
                    moment[2] += h * (x * x - y * y);
                    moment[3] += h * x * y;
                }
            for (int k = 0; k < MOMENTS; k++) {
                sum[k] += moment[k];
                squares[k] += moment[k] * moment[k];
            }
            silt_terrain_destroy(terrain);
        }
        for (int k = 0; k < MOMENTS; k++) {
            double mean = sum[k] / SEEDS, error = sqrt((squares[k] / SEEDS - mean * mean) / SEEDS);
            if (fabs(mean) > 3.5 * error)
                fail_msg("%s: moment %d is %g, %g times its error", cells[c], k, mean, mean / error);
        }
    }
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    const char *cells[] = {"iterations=30", "iterations=30 cells=graph"};
    const int threads[] = {1, 2, 3, 8};
    for (int c = 0; c < 2; c++) {
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            silt_set_threads(threads[t]);
            SiltTerrain *terrain = make_terrain("rmp", 200, 150, 20.0, 11, cells[c]);
            uint64_t hash = silt_field_hash(silt_terrain_layer(terrain, "height"));
            first = t == 0 ? hash : first;
            assert_int_equal(hash, first);
            silt_terrain_destroy(terrain);
        }
        silt_set_threads(0);
    }
}

static void the_seed_fixes_the_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t hash;
    } cases[] = {{"rmp", "iterations=50", 0x1be79c96d35e82e3},
                 {"rmp", "iterations=50 cells=graph", 0xa1b312a7893e4d15},
                 {"range", "iterations=50", 0xc65a9abb2b3dcc86}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain = make_terrain(cases[k].name, 250, 190, 10.0, 7, cases[k].text);
        assert_int_equal(silt_field_hash(silt_terrain_layer(terrain, "height")), cases[k].hash);
        silt_terrain_destroy(terrain);
    }
}

static void odd_maps_work(void **state)
{
    (void)state;
    const int sizes[][2] = {{1, 1}, {4096, 3}, {3, 1000}, {1, 7}};
    const char *cells[] = {"iterations=5 height=1500", "iterations=5 height=1500 cells=graph"};
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 2; c++) {
            SiltTerrain *terrain = make_terrain("rmp", sizes[k][0], sizes[k][1], 10.0, 1, cells[c]);
            assert_peak(terrain, sizes[k][0] / 2, sizes[k][1] / 2, 1500.0);
            silt_terrain_destroy(terrain);
        }
}

static void what_cannot_be_is_refused_in_a_sentence(void **state)
{
    (void)state;
    const SiltGenerator *rmp = silt_generator_find("rmp");
    void *params = generator_params(rmp, "");
    assert_fails(silt_params_assign(&rmp->params, params, "new rmp", "place=1.2,0.5"), SILT_BAD_ARGUMENT,
                 "new rmp: place");
    assert_fails(silt_params_assign(&rmp->params, params, "new rmp", "complexity=1000000000"),
                 SILT_BAD_ARGUMENT, "complexity = 1e+09 is above its maximum");
    assert_fails(silt_params_assign(&rmp->params, params, "new rmp", "iterations=-1"), SILT_BAD_ARGUMENT,
                 "below its minimum 1");
    silt_free(params);
}

// Half the cells, the same land: the polygons are places on the map, and the spread is in metres.
static void finer_maps_show_the_same_mountain(void **state)
{
    (void)state;
    SiltTerrain *coarse = make_terrain("rmp", 64, 64, 100.0, 3, "iterations=60 complexity=200");
    SiltTerrain *fine = make_terrain("rmp", 128, 128, 50.0, 3, "iterations=60 complexity=200");
    double difference = 0.0, whole = 0.0;
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            double mean = 0.25 * (height_at(fine, 2 * i, 2 * j) + height_at(fine, 2 * i + 1, 2 * j) +
                                  height_at(fine, 2 * i, 2 * j + 1) + height_at(fine, 2 * i + 1, 2 * j + 1));
            difference += fabs(mean - height_at(coarse, i, j));
            whole += mean;
        }
    assert_true(difference < 0.1 * whole);
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(fine);
}

static void cuts_follow_the_caterer(void **state)
{
    (void)state;
    assert_int_equal(silt_cuts_for_polygons(1), 0);
    assert_int_equal(silt_cuts_for_polygons(7), 3);
    assert_int_equal(silt_cuts_for_polygons(11), 4);
    assert_int_equal(silt_cuts_for_polygons(16), 5);
    assert_int_equal(silt_cuts_for_polygons(20101), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_peak_is_where_and_as_high_as_asked),
        cmocka_unit_test(without_spread_one_polygon_rises),
        cmocka_unit_test(more_spread_raises_more),
        cmocka_unit_test(mountains_lean_nowhere_in_the_mean),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(the_seed_fixes_the_bytes),
        cmocka_unit_test(odd_maps_work),
        cmocka_unit_test(what_cannot_be_is_refused_in_a_sentence),
        cmocka_unit_test(finer_maps_show_the_same_mountain),
        cmocka_unit_test(cuts_follow_the_caterer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
