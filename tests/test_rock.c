// The rock below: beds dip, fold and are offset as asked, and more cells show the same rock.
#include "generators.h"

#define PLAIN "faults=0 fold=0 intrusions=0 variation=0 "

static double layer_at(const SiltTerrain *terrain, const char *layer, int i, int j)
{
    return (double)silt_field_at(silt_terrain_layer(terrain, layer), i, j);
}

static void dip_is_the_one_asked(void **state)
{
    (void)state;
    static const double dips[] = {0.0, 6.0, 30.0, 75.0}, directions[] = {0.0, 90.0, 200.0, -45.0};
    for (int d = 0; d < 4; d++)
        for (int k = 0; k < 4; k++) {
            char text[160];
            snprintf(text, sizeof text, PLAIN "dip=%g direction=%g level=300", dips[d], directions[k]);
            SiltTerrain *t = make_terrain("rock", 33, 21, 10.0, 5, text);
            double east = (layer_at(t, "bed", 32, 10) - layer_at(t, "bed", 0, 10)) / 320.0;
            double south = (layer_at(t, "bed", 16, 20) - layer_at(t, "bed", 16, 0)) / 200.0;
            double fall = tan(dips[d] * 3.14159265358979 / 180.0),
                   turn = directions[k] * 3.14159265358979 / 180.0;
            assert_near(east, -fall * sin(turn), 1e-5 + 1e-5 * fall);
            assert_near(south, fall * cos(turn), 1e-5 + 1e-5 * fall);
            assert_near(layer_at(t, "bed", 16, 10), 300.0, 1e-3); // the middle of the map
            silt_terrain_destroy(t);
        }
}

// The largest step between two neighbours, and where it is.
static double largest_step(const SiltTerrain *t, int *at_i, int *at_j)
{
    double most = -1.0;
    *at_i = *at_j = 0;
    for (int j = 0; j + 1 < t->height; j++)
        for (int i = 0; i + 1 < t->width; i++) {
            double here = layer_at(t, "bed", i, j);
            double step =
                fmax(fabs(layer_at(t, "bed", i + 1, j) - here), fabs(layer_at(t, "bed", i, j + 1) - here));
            if (step > most) {
                most = step;
                *at_i = i;
                *at_j = j;
            }
        }
    return most;
}

static void a_fault_offsets_beds_by_its_throw(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        SiltTerrain *t =
            make_terrain("rock", 200, 200, 10.0, seed,
                         "faults=1 fold=0 dip=0 intrusions=0 variation=0 throw=80 fault_length=1200 "
                         "crushed=3 crush_width=60");
        int i, j;
        assert_near(largest_step(t, &i, &j), 80.0, 1.5);
        assert_near(layer_at(t, "erodibility", i, j), 2.6, 0.4); // crushed there, whole elsewhere
        double whole = 0.0, offset = 0.0;
        for (int y = 0; y + 1 < 200; y++)
            for (int x = 0; x + 1 < 200; x++) {
                whole += layer_at(t, "erodibility", x, y) == 1.0;
                double right = fabs(layer_at(t, "bed", x + 1, y) - layer_at(t, "bed", x, y));
                double below = fabs(layer_at(t, "bed", x, y + 1) - layer_at(t, "bed", x, y));
                offset += right > 4.0 || below > 4.0;
            }
        assert_true(whole > 0.9 * 199 * 199);
        assert_true(offset > 80 && offset < 260); // cells along 1200 m, tips aside, and none beyond
        silt_terrain_destroy(t);
    }
}

static void folds_have_their_height_and_spacing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        SiltTerrain *t =
            make_terrain("rock", 300, 120, 10.0, seed,
                         "faults=0 dip=0 intrusions=0 fold=100 fold_spacing=500 fold_length=1500");
        HeightRange range = height_range(t);
        assert_true(range.high - range.low <= 100.001 && range.high - range.low > 60.0);
        int crests = 0;
        for (int i = 1; i + 1 < 300; i++)
            crests += height_at(t, i, 60) > height_at(t, i - 1, 60) &&
                      height_at(t, i, 60) >= height_at(t, i + 1, 60);
        assert_true(crests >= 4 && crests <= 8); // 3000 m of six folds, that bend
        silt_terrain_destroy(t);
    }
}

// A place in one cell of the coarse map is four in the fine one; only where a fault passes may it differ.
static void more_cells_show_the_same_rock(void **state)
{
    (void)state;
    SiltTerrain *coarse = make_terrain("rock", 100, 80, 20.0, 3, ""),
                *fine = make_terrain("rock", 200, 160, 10.0, 3, "");
    static const char *const layers[] = {"bed", "intrusion", "erodibility"};
    static const double close[] = {0.5, 12.0, 0.05};
    for (int k = 0; k < 3; k++) {
        int same = 0;
        for (int j = 0; j < 80; j++)
            for (int i = 0; i < 100; i++) {
                double mean = 0.25 * (layer_at(fine, layers[k], 2 * i, 2 * j) +
                                      layer_at(fine, layers[k], 2 * i + 1, 2 * j) +
                                      layer_at(fine, layers[k], 2 * i, 2 * j + 1) +
                                      layer_at(fine, layers[k], 2 * i + 1, 2 * j + 1));
                double here =
                    layer_at(coarse, layers[k], i, j); // intrusions are none where they lie kilometres deep
                same += fabs(mean - here) < close[k] || (mean < -1000.0 && here < -1000.0);
            }
        if (same < 7500) // of 8000
            fail_msg("%s: %d of 8000 places are the same", layers[k], same);
    }
    assert_memory_equal(&coarse->column, &fine->column, sizeof coarse->column);
    silt_terrain_destroy(coarse);
    silt_terrain_destroy(fine);
}

static void beds_are_hard_and_soft_in_turn(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("rock", 8, 8, 10.0, 9, "beds=20 thickness=30 hard=0.2 soft=2");
    const SiltColumn *column = &t->column;
    assert_int_equal(column->count, 20);
    double sum = 0.0;
    for (int k = 0; k < 20; k++) {
        sum += column->thickness[k];
        assert_true(column->thickness[k] > 5.0 && column->thickness[k] < 100.0);
        assert_true(column->erodibility[k] >= 0.2 && column->erodibility[k] <= 2.0);
        assert_true((column->erodibility[k] > 1.1) == (k % 2 == 1));
    }
    assert_near(sum, 600.0, 1e-9);
    silt_terrain_destroy(t);
    SiltTerrain *none = make_terrain("rock", 8, 8, 10.0, 9, "beds=0");
    assert_int_equal(none->column.count, 0);
    silt_terrain_destroy(none);
}

static void intrusions_reach_their_roof(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        SiltTerrain *t =
            make_terrain("rock", 200, 200, 10.0, seed, "intrusions=1 intrusion_size=600 roof=250");
        double top = -INFINITY;
        int wide = 0;
        for (int j = 0; j < 200; j++)
            for (int i = 0; i < 200; i++) {
                top = fmax(top, layer_at(t, "intrusion", i, j));
                wide += layer_at(t, "intrusion", i, j) > 250.0 - 0.35 * 300.0;
            }
        assert_near(top, 250.0, 0.5);
        double width = sqrt(wide * 100.0 * 4.0 / 3.14159265358979); // of a disc as large
        assert_true(width > 450.0 && width < 750.0);
        silt_terrain_destroy(t);
    }
}

// What is known of the rock goes where the terrain goes.
static void the_column_goes_along(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("rock", 16, 16, 10.0, 1, ""), *made[3];
    assert_ok(silt_terrain_clone(t, &made[0]));
    assert_ok(silt_terrain_crop(t, 2, 2, 8, 8, &made[1]));
    assert_ok(silt_terrain_resample(t, 32, 32, &made[2]));
    for (int k = 0; k < 3; k++) {
        assert_true(t->column.count > 0);
        assert_memory_equal(&t->column, &made[k]->column, sizeof t->column);
        silt_terrain_destroy(made[k]);
    }
    silt_terrain_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dip_is_the_one_asked),
        cmocka_unit_test(a_fault_offsets_beds_by_its_throw),
        cmocka_unit_test(folds_have_their_height_and_spacing),
        cmocka_unit_test(more_cells_show_the_same_rock),
        cmocka_unit_test(beds_are_hard_and_soft_in_turn),
        cmocka_unit_test(intrusions_reach_their_roof),
        cmocka_unit_test(the_column_goes_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
