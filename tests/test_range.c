// Ranges between two points.
#include "generators.h"

#include "core/streams.h"
#include "generate/voronoi.h"

// Raised alike, a straight crest has the height asked for all along.
static void a_crest_raised_alike_is_level(void **state)
{
    (void)state;
    const char *cells[] = {"voronoi", "graph"};
    for (int c = 0; c < 2; c++) {
        char text[200];
        snprintf(text, sizeof text,
                 "from=0.1,0.5 to=0.9,0.5 wander=0 raise=alike smooth=0 iterations=20 height=777.7 cells=%s",
                 cells[c]);
        SiltTerrain *terrain = make_terrain("range", 200, 100, 30.0, 5, text);
        for (int i = 20; i <= 180; i++)
            assert_near(height_at(terrain, i, 50), (double)777.7f, 0.0);
        HeightRange range = height_range(terrain);
        assert_near(range.high, (double)777.7f, 0.0);
        assert_near(range.low, 0.0, 0.0);
        silt_terrain_destroy(terrain);
    }
}

// One iteration without spread raises exactly the polygons that the line crosses (Fritz fig. 4.7).
static void the_polygons_under_the_line_rise(void **state)
{
    (void)state;
    enum { W = 120, H = 90, COUNT = 60 };
    SiltTerrain *terrain =
        make_terrain("range", W, H, 10.0, 8,
                     "from=0.1,0.4 to=0.95,0.4 wander=0 raise=alike spread=0 smooth=0 iterations=1 "
                     "complexity=60 height=50");
    static int32_t labels[W * H];
    static bool crossed[COUNT];
    SiltVoronoi v;
    assert_ok(silt_voronoi_draw(silt_lattice(W, H), COUNT, 8, SILT_STREAM_RANGE, 0, &v));
    assert_ok(silt_voronoi_label(&v, silt_lattice_window(&v.lattice), labels));
    for (int i = 12; i <= 114; i++)
        crossed[labels[36 * W + i]] = true;
    for (int k = 0; k < W * H; k++)
        assert_near(height_at(terrain, k % W, k / W), crossed[labels[k]] ? 50.0 : 0.0, 0.0);
    silt_voronoi_destroy(&v);
    silt_terrain_destroy(terrain);
}

// Each polygon by its own amount (Fritz fig. 4.9): tops vary, and about the height asked for.
static void a_crest_of_own_amounts_varies_about_its_height(void **state)
{
    (void)state;
    double sum = 0.0, squares = 0.0;
    int count = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        SiltTerrain *terrain =
            make_terrain("range", 100, 60, 50.0, seed,
                         "from=0.1,0.5 to=0.9,0.5 wander=0 raise=random variation=1 smooth=0 "
                         "iterations=30 height=1000");
        for (int i = 10; i <= 90; i++, count++) {
            sum += height_at(terrain, i, 30);
            squares += height_at(terrain, i, 30) * height_at(terrain, i, 30);
        }
        silt_terrain_destroy(terrain);
    }
    double mean = sum / count, deviation = sqrt(squares / count - mean * mean);
    assert_near(mean, 1000.0, 15.0);
    assert_near(deviation, 1000.0 / sqrt(3.0 * 30.0), 30.0); // of 30 amounts even in 0..2
}

// Both sides of a straight range are alike in the mean: neither flank holds more.
static void flanks_are_alike_in_the_mean(void **state)
{
    (void)state;
    enum { SEEDS = 100 };
    double sum = 0.0, squares = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SiltTerrain *terrain =
            make_terrain("range", 80, 61, 100.0, seed,
                         "from=0.2,0.5 to=0.8,0.5 wander=0 iterations=8 complexity=80 spread=1500");
        double lean = 0.0;
        for (int j = 0; j < 61; j++)
            for (int i = 0; i < 80; i++)
                lean += (j - 30) * height_at(terrain, i, j);
        sum += lean;
        squares += lean * lean;
        silt_terrain_destroy(terrain);
    }
    double mean = sum / SEEDS, error = sqrt((squares / SEEDS - mean * mean) / SEEDS);
    assert_true(fabs(mean) < 3.5 * error);
}

static void a_range_of_no_length_is_a_mountain(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(
        "range", 50, 50, 50.0, 2, "from=0.3,0.3 to=0.3,0.3 raise=alike smooth=0 iterations=10 height=90");
    assert_near(height_at(terrain, 15, 15), 90.0, 0.0);
    silt_terrain_destroy(terrain);
}

static void a_wandering_crest_still_joins_its_ends(void **state)
{
    (void)state;
    SiltTerrain *terrain =
        make_terrain("range", 160, 160, 20.0, 6,
                     "from=0.1,0.2 to=0.8,0.9 wander=0.5 raise=alike smooth=0 iterations=10 "
                     "height=300");
    assert_near(height_at(terrain, 16, 32), 300.0, 0.0);
    assert_near(height_at(terrain, 128, 144), 300.0, 0.0);
    silt_terrain_destroy(terrain);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int t = 0; t < 4; t++) {
        silt_set_threads(threads[t]);
        SiltTerrain *terrain = make_terrain("range", 150, 200, 20.0, 11, "iterations=30");
        uint64_t hash = silt_field_hash(silt_terrain_layer(terrain, "height"));
        first = t == 0 ? hash : first;
        assert_int_equal(hash, first);
        silt_terrain_destroy(terrain);
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crest_raised_alike_is_level),
        cmocka_unit_test(the_polygons_under_the_line_rise),
        cmocka_unit_test(a_crest_of_own_amounts_varies_about_its_height),
        cmocka_unit_test(flanks_are_alike_in_the_mean),
        cmocka_unit_test(a_range_of_no_length_is_a_mountain),
        cmocka_unit_test(a_wandering_crest_still_joins_its_ends),
        cmocka_unit_test(threads_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
