#include "terrains.h"

static SiltTerrain *ramp(int width, int height)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, 10.0, &terrain));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = 500.0f + 3.0f * (float)i - 2.0f * (float)j;
    terrain->geo =
        (SiltGeoreference){.placed = true, .x = 1000.0, .y = 9000.0, .step_x = 10.0, .step_y = -10.0};
    return terrain;
}

// The height a ramp has at the centre of a new cell.
static double ramp_at(const SiltTerrain *old, const SiltTerrain *made, int i, int j)
{
    double x = (i + 0.5) * old->width / made->width - 0.5, y = (j + 0.5) * old->height / made->height - 0.5;
    return 500.0 + 3.0 * x - 2.0 * y;
}

// Exact where cells become more, or fewer by a whole factor. Otherwise an old cell is cut, and each part
// counts with the cell's own height: off by at most an eighth of an old cell's rise on either axis.
static double ramp_tolerance(const SiltTerrain *old, const SiltTerrain *made)
{
    double x = made->width < old->width && old->width % made->width ? 3.0 / 8.0 : 0.0;
    double y = made->height < old->height && old->height % made->height ? 2.0 / 8.0 : 0.0;
    return x + y + 6e-5;
}

static void ramps_stay_ramps(void **state)
{
    (void)state;
    static const int sizes[][2] = {{96, 64}, {97, 130}, {24, 16}, {31, 21}, {48, 64}, {300, 7},
                                   {5, 200}, {1, 1},    {48, 32}, {1, 320}, {480, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *old = ramp(48, 32), *made;
        assert_ok(silt_terrain_resample(old, sizes[k][0], sizes[k][1], &made));
        assert_int_equal(made->width, sizes[k][0]);
        assert_int_equal(made->height, sizes[k][1]);
        for (int j = 0; j < made->height; j++)
            for (int i = 0; i < made->width; i++)
                assert_near((double)silt_field_at(&made->layers[0]->field, i, j), ramp_at(old, made, i, j),
                            ramp_tolerance(old, made));
        silt_terrain_destroy(old);
        silt_terrain_destroy(made);
    }
}

static void tiny_terrains_grow(void **state)
{
    (void)state;
    for (int side = 1; side <= 5; side++) {
        SiltTerrain *old = ramp(side, side), *made;
        assert_ok(silt_terrain_resample(old, 13, 17, &made));
        for (int j = 0; j < 17 && side > 1; j++)
            for (int i = 0; i < 13; i++)
                assert_near((double)silt_field_at(&made->layers[0]->field, i, j), ramp_at(old, made, i, j),
                            6e-5);
        if (side == 1)
            assert_true(silt_field_at(&made->layers[0]->field, 12, 16) == 500.0f);
        silt_terrain_destroy(old);
        silt_terrain_destroy(made);
    }
}

static void fewer_cells_keep_the_mean(void **state)
{
    (void)state;
    static const int sizes[][2] = {{64, 64}, {50, 37}, {127, 128}, {1, 1}, {3, 128}};
    SiltTerrain *old = hills(128, 128, 6);
    double mean = silt_field_sum(&old->layers[0]->field) / (128.0 * 128.0);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *made;
        assert_ok(silt_terrain_resample(old, sizes[k][0], sizes[k][1], &made));
        double cells = (double)sizes[k][0] * sizes[k][1];
        assert_near(silt_field_sum(&made->layers[0]->field) / cells, mean, 2e-6);
        silt_terrain_destroy(made);
    }
    silt_terrain_destroy(old);
}

static void same_size_is_the_same_bits(void **state)
{
    (void)state;
    SiltTerrain *old = hills(45, 67, 6), *made;
    assert_ok(silt_terrain_resample(old, 45, 67, &made));
    assert_same_field(&old->layers[0]->field, &made->layers[0]->field);
    silt_terrain_destroy(old);
    silt_terrain_destroy(made);
}

// A smooth hill, twice as fine and back.
static void bicubic_is_close_to_smooth_ground(void **state)
{
    (void)state;
    SiltTerrain *old, *made;
    assert_ok(silt_terrain_create(64, 64, 10.0, &old));
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            silt_field_row(&old->layers[0]->field, j)[i] = (float)(100.0 * sin(i * 0.2) * cos(j * 0.15));
    assert_ok(silt_terrain_resample(old, 192, 192, &made));
    for (int j = 6; j < 186; j++) {
        for (int i = 6; i < 186; i++) {
            double x = (i + 0.5) / 3.0 - 0.5, y = (j + 0.5) / 3.0 - 0.5;
            assert_near((double)silt_field_at(&made->layers[0]->field, i, j),
                        100.0 * sin(x * 0.2) * cos(y * 0.15), 0.07);
        }
    }
    silt_terrain_destroy(old);
    silt_terrain_destroy(made);
}

static int warnings;
static void count_warning(void *user, const char *text)
{
    (void)user;
    assert_non_null(strstr(text, "stretches"));
    warnings++;
}

static void place_and_cell_follow(void **state)
{
    (void)state;
    SiltTerrain *old = ramp(48, 32), *made;
    silt_set_warning_handler(count_warning, NULL);
    assert_ok(silt_terrain_resample(old, 24, 16, &made));
    assert_int_equal(warnings, 0);
    assert_true(made->cell == 20.0 && made->geo.step_x == 20.0 && made->geo.step_y == -20.0);
    assert_true(made->geo.x == 1000.0 && made->geo.y == 9000.0);
    silt_terrain_destroy(made);
    assert_ok(silt_terrain_resample(old, 48, 8, &made));
    assert_int_equal(warnings, 1);
    assert_true(made->cell == 20.0 && made->geo.step_x == 10.0 && made->geo.step_y == -40.0);
    silt_terrain_destroy(made);
    silt_set_warning_handler(NULL, NULL);
    assert_ok(silt_terrain_crop(old, 5, 7, 20, 10, &made));
    assert_true(made->geo.x == 1050.0 && made->geo.y == 8930.0 && made->cell == 10.0);
    for (int j = 0; j < 10; j++)
        for (int i = 0; i < 20; i++)
            assert_true(silt_field_at(&made->layers[0]->field, i, j) ==
                        silt_field_at(&old->layers[0]->field, i + 5, j + 7));
    silt_terrain_destroy(made);
    silt_terrain_destroy(old);
}

static void crop_stays_inside(void **state)
{
    (void)state;
    SiltTerrain *old = ramp(10, 8), *made;
    static const int wrong[][4] = {{-1, 0, 5, 5}, {0, 0, 11, 8}, {5, 5, 5, 4},  {0, 0, 0, 5},
                                   {10, 0, 1, 1}, {0, 8, 1, 1},  {0, 0, 5, -3}, {9, 0, INT32_MAX, 1}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_fails(silt_terrain_crop(old, wrong[k][0], wrong[k][1], wrong[k][2], wrong[k][3], &made),
                     SILT_BAD_ARGUMENT, "do not lie within 10 x 8");
        assert_null(made);
    }
    assert_fails(silt_terrain_resample(old, 0, 5, &made), SILT_BAD_ARGUMENT, "0 x 5");
    assert_ok(silt_terrain_crop(old, 0, 0, 10, 8, &made));
    assert_same_field(&old->layers[0]->field, &made->layers[0]->field);
    silt_terrain_destroy(made);
    silt_terrain_destroy(old);
}

static void flips_mirror(void **state)
{
    (void)state;
    SiltTerrain *old = hills(37, 21, 9), *made, *back;
    punch(old, 10, 8, 3);
    for (int kind = 1; kind < 4; kind++) {
        bool across = kind & 1, down = kind & 2;
        assert_ok(silt_terrain_flip(old, across, down, &made));
        for (int j = 0; j < 21; j++) {
            for (int i = 0; i < 37; i++) {
                int x = across ? 36 - i : i, y = down ? 20 - j : j;
                assert_true(silt_field_at(&made->layers[0]->field, i, j) ==
                            silt_field_at(&old->layers[0]->field, x, y));
                assert_int_equal(silt_terrain_is_nodata(made, i, j), silt_terrain_is_nodata(old, x, y));
            }
        }
        assert_false(made->geo.placed);
        assert_ok(silt_terrain_flip(made, across, down, &back));
        assert_same_field(&back->layers[0]->field, &old->layers[0]->field);
        silt_terrain_destroy(back);
        silt_terrain_destroy(made);
    }
    silt_terrain_destroy(old);
}

static void a_quarter_turn_is_clockwise(void **state)
{
    (void)state;
    SiltTerrain *old = hills(70, 41, 9), *made;
    punch(old, 10, 8, 3);
    assert_ok(silt_terrain_rotate(old, 1, &made));
    assert_int_equal(made->width, 41);
    assert_int_equal(made->height, 70);
    for (int j = 0; j < 41; j++) {
        for (int i = 0; i < 70; i++) { // north goes east: (i, j) to (40 - j, i)
            assert_true(silt_field_at(&made->layers[0]->field, 40 - j, i) ==
                        silt_field_at(&old->layers[0]->field, i, j));
            assert_int_equal(silt_terrain_is_nodata(made, 40 - j, i), silt_terrain_is_nodata(old, i, j));
        }
    }
    silt_terrain_destroy(made);
    silt_terrain_destroy(old);
}

static void four_turns_are_none(void **state)
{
    (void)state;
    SiltTerrain *old = hills(70, 41, 9);
    for (int turn = -3; turn <= 3; turn += 2) {
        SiltTerrain *at;
        assert_ok(silt_terrain_clone(old, &at));
        for (int k = 0; k < 4; k++) {
            SiltTerrain *made;
            assert_ok(silt_terrain_rotate(at, turn, &made));
            silt_terrain_destroy(at);
            at = made;
        }
        assert_same_field(&at->layers[0]->field, &old->layers[0]->field);
        silt_terrain_destroy(at);
    }
    SiltTerrain *half, *flipped;
    assert_ok(silt_terrain_rotate(old, 2, &half));
    assert_ok(silt_terrain_flip(old, true, true, &flipped));
    assert_same_field(&half->layers[0]->field, &flipped->layers[0]->field);
    silt_terrain_destroy(half);
    silt_terrain_destroy(flipped);
    silt_terrain_destroy(old);
}

// What lies in a hole (here: a huge number) never leaks out, and a flat stays flat beside it.
static void holes_do_not_leak(void **state)
{
    (void)state;
    static const int sizes[][2] = {{80, 80}, {20, 20}, {33, 57}, {90, 13}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *old, *made;
        assert_ok(silt_terrain_create(40, 40, 1.0, &old));
        silt_field_fill(&old->layers[0]->field, 100.0f);
        punch(old, 20, 20, 8);
        for (int c = 0; c < 1600; c++)
            if (old->nodata[c])
                silt_field_row(&old->layers[0]->field, c / 40)[c % 40] = 1e30f;
        assert_ok(silt_terrain_resample(old, sizes[k][0], sizes[k][1], &made));
        int holes = 0;
        for (int j = 0; j < made->height; j++) {
            for (int i = 0; i < made->width; i++) {
                bool hole = silt_terrain_is_nodata(made, i, j);
                holes += hole;
                assert_near((double)silt_field_at(&made->layers[0]->field, i, j), hole ? 0.0 : 100.0, 2e-5);
            }
        }
        double share = 0.0;
        for (int c = 0; c < 1600; c++)
            share += old->nodata[c] / 1600.0;
        assert_near(holes / (double)(made->width * made->height), share, 0.03);
        silt_terrain_destroy(made);
        silt_terrain_destroy(old);
    }
}

static void less_than_half_is_none(void **state)
{
    (void)state;
    SiltTerrain *old, *made;
    const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    old = from_numbers(4, 2, 1.0, numbers);
    assert_ok(silt_terrain_require_nodata(old));
    old->nodata[0] = old->nodata[1] = old->nodata[4] = 1; // of the left four, only 6 is left
    old->nodata[2] = old->nodata[7] = 1;                  // of the right four, 4 and 7
    assert_ok(silt_terrain_resample(old, 2, 1, &made));
    assert_true(silt_terrain_is_nodata(made, 0, 0));
    assert_false(silt_terrain_is_nodata(made, 1, 0));
    assert_true(silt_field_at(&made->layers[0]->field, 1, 0) == 5.5f);
    silt_terrain_destroy(made);
    assert_ok(silt_terrain_crop(old, 3, 0, 1, 1, &made)); // no hole left: no mask
    assert_null(made->nodata);
    silt_terrain_destroy(made);
    silt_terrain_destroy(old);
}

static void every_layer_goes_along(void **state)
{
    (void)state;
    SiltTerrain *old = hills(40, 40, 3), *made;
    SiltField *water, *change;
    assert_ok(silt_terrain_require(old, "water", &water));
    assert_ok(silt_terrain_require(old, "change", &change));
    for (int j = 0; j < 40; j++) {
        for (int i = 0; i < 40; i++) {
            silt_field_row(water, j)[i] = i > 20 ? 3.0f : 0.0f;
            silt_field_row(change, j)[i] = -1e-6f * (float)i;
        }
    }
    assert_ok(silt_terrain_resample(old, 100, 100, &made));
    assert_int_equal(made->layer_count, 3);
    SiltFieldStatistics s;
    silt_field_statistics(silt_terrain_layer(made, "water"), NULL, &s);
    assert_true(s.minimum == 0.0 && s.maximum >= 3.0); // never below zero beside the step
    assert_near((double)silt_field_at(silt_terrain_layer(made, "change"), 50, 50), -1e-6 * (50.5 * 0.4 - 0.5),
                1e-11);
    assert_true(silt_field_at(silt_terrain_layer(made, "change"), 0, 0) > 0.0f); // it may be of either sign
    silt_terrain_destroy(made);
    silt_terrain_destroy(old);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    SiltTerrain *old = hills(500, 300, 3);
    punch(old, 100, 100, 40);
    static const int threads[] = {1, 2, 3, 8}, sizes[][2] = {{777, 999}, {123, 77}, {777, 77}, {123, 999}};
    for (int size = 0; size < 4; size++) {
        uint64_t hash = 0;
        for (int k = 0; k < 4; k++) {
            SiltTerrain *made, *turned;
            silt_set_threads(threads[k]);
            assert_ok(silt_terrain_resample(old, sizes[size][0], sizes[size][1], &made));
            assert_ok(silt_terrain_rotate(made, 1, &turned));
            uint64_t now = silt_field_hash(&turned->layers[0]->field);
            assert_true(k == 0 || now == hash);
            hash = now;
            silt_terrain_destroy(made);
            silt_terrain_destroy(turned);
        }
    }
    silt_set_threads(0);
    silt_terrain_destroy(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps_stay_ramps),
        cmocka_unit_test(tiny_terrains_grow),
        cmocka_unit_test(fewer_cells_keep_the_mean),
        cmocka_unit_test(same_size_is_the_same_bits),
        cmocka_unit_test(bicubic_is_close_to_smooth_ground),
        cmocka_unit_test(place_and_cell_follow),
        cmocka_unit_test(crop_stays_inside),
        cmocka_unit_test(flips_mirror),
        cmocka_unit_test(a_quarter_turn_is_clockwise),
        cmocka_unit_test(four_turns_are_none),
        cmocka_unit_test(holes_do_not_leak),
        cmocka_unit_test(less_than_half_is_none),
        cmocka_unit_test(every_layer_goes_along),
        cmocka_unit_test(same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
