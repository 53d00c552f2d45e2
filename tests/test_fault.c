// Faults: what a single cut does, and that the rows are put together right.
#include "generators.h"

// How often the sign changes along row j, and after which column it did last.
static int sign_changes(const SiltTerrain *terrain, int j, int *last)
{
    int changes = 0;
    for (int i = 0; i + 1 < terrain->width; i++)
        if (height_at(terrain, i, j) * height_at(terrain, i + 1, j) < 0.0) {
            changes++;
            *last = i;
        }
    return changes;
}

static void one_line_cuts_the_map_in_two(void **state)
{
    (void)state;
    int cut_maps = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        SiltTerrain *t = make_terrain("fault", 1500, 60, 1.0, seed, "count=1 step=7 edge=0 decay=0");
        int at[60], crossed = 0;
        for (int j = 0; j < 60; j++) {
            for (int i = 0; i < 1500; i++)
                assert_near(fabs(height_at(t, i, j)), 7.0, 1e-6);
            int changes = sign_changes(t, j, &at[j]);
            assert_true(changes <= 1);
            crossed += changes;
        }
        for (int j = 1; crossed == 60 && j + 1 < 60; j++) // straight, to the cell
            assert_true(abs(at[j + 1] - 2 * at[j] + at[j - 1]) <= 1);
        cut_maps += crossed > 0;
        silt_terrain_destroy(t);
    }
    assert_true(cut_maps > 15); // lines cross the disc around the map, and so not always a narrow map
}

static void one_circle_is_one_sided(void **state)
{
    (void)state;
    int cut_maps = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        SiltTerrain *t = make_terrain("fault", 120, 90, 1.0, seed, "shape=circles count=1 step=7 edge=0");
        int last, crossed = 0;
        for (int j = 0; j < 90; j++) {
            int changes = sign_changes(t, j, &last);
            assert_true(changes <= 2);
            crossed += changes;
        }
        cut_maps += crossed > 0;
        silt_terrain_destroy(t);
    }
    assert_true(cut_maps > 15);
}

// A soft edge is the cliff, rounded: equal far from it, and nowhere steeper than 3 step / edge.
static void edges_are_as_soft_as_asked(void **state)
{
    (void)state;
    const char *shapes[] = {"lines", "circles"};
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            char text[96];
            snprintf(text, sizeof text, "shape=%s count=1 step=10 edge=20 radius=40", shapes[k]);
            SiltTerrain *t = make_terrain("fault", 150, 150, 1.0, seed, text);
            for (int j = 0; j < 149; j++)
                for (int i = 0; i < 149; i++) {
                    double dx = height_at(t, i + 1, j) - height_at(t, i, j);
                    double dy = height_at(t, i, j + 1) - height_at(t, i, j);
                    assert_true(fabs(dx) <= 3.0 * 10.0 / 20.0 + 1e-5);
                    assert_true(fabs(dy) <= 3.0 * 10.0 / 20.0 + 1e-5);
                    assert_true(fabs(height_at(t, i, j)) <= 10.0 + 1e-5);
                }
            silt_terrain_destroy(t);
        }
}

// Many cuts on three times as many cells: the same land. Rows of 3,003 cells are done in parts.
static void finer_maps_are_the_same_land(void **state)
{
    (void)state;
    const char *texts[] = {"count=60 step=5 edge=30", "shape=circles count=60 step=5 edge=30 radius=300"};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *coarse = make_terrain("fault", 1001, 11, 3.0, 5, texts[k]);
        SiltTerrain *fine = make_terrain("fault", 3003, 33, 1.0, 5, texts[k]);
        for (int j = 0; j < 11; j++)
            for (int i = 0; i < 1001; i++)
                assert_near(height_at(fine, 3 * i + 1, 3 * j + 1), height_at(coarse, i, j), 1e-4);
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(fine);
    }
}

static void decay_takes_the_last_step_away(void **state)
{
    (void)state;
    SiltTerrain *one = make_terrain("fault", 50, 50, 1.0, 5, "count=1 step=3 decay=0");
    SiltTerrain *two = make_terrain("fault", 50, 50, 1.0, 5, "count=2 step=3 decay=1");
    SiltTerrain *none = make_terrain("fault", 50, 50, 1.0, 5, "count=0");
    for (int j = 0; j < 50; j++)
        for (int i = 0; i < 50; i++) {
            assert_near(height_at(one, i, j), height_at(two, i, j), 1e-9);
            assert_true(height_at(none, i, j) == 0.0);
        }
    silt_terrain_destroy(one);
    silt_terrain_destroy(two);
    silt_terrain_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_cuts_the_map_in_two),   cmocka_unit_test(one_circle_is_one_sided),
        cmocka_unit_test(edges_are_as_soft_as_asked),     cmocka_unit_test(finer_maps_are_the_same_land),
        cmocka_unit_test(decay_takes_the_last_step_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
