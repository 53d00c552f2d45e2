#include "files.h"

static void heights_come_back_to_half_a_step(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        SiltTerrain *hills = make_hills(11, 7, kind & 1), *back;
        SiltWriteOptions options = write_options();
        options.bits = kind & 2 ? SILT_BITS_8 : SILT_BITS_16;
        assert_ok(silt_terrain_write(hills, test_path("hills.pgm"), &options));
        assert_ok(silt_terrain_read(test_path("hills.pgm"), NULL, &back));
        SiltFieldStatistics statistics;
        silt_field_statistics(&hills->layers[0]->field, hills->nodata, &statistics);
        double step = (statistics.maximum - statistics.minimum) / (kind & 2 ? 254.0 : 65534.0);
        assert_same_heights(back, hills, 0.5 * step + 2e-4);
        assert_near(back->cell, 30.0, 0.0);
        silt_terrain_destroy(back);
        silt_terrain_destroy(hills);
    }
}

static void text_and_comments_are_read(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltReadOptions options = read_options();
    options.heights[0] = 0.0;
    options.heights[1] = 100.0;
    put_text(test_path("text.pgm"), "P2 # by hand\n2 # columns\n 2\n10\n0 10 # half way\n5\n1");
    assert_ok(silt_terrain_read(test_path("text.pgm"), &options, &terrain));
    const SiltField *field = &terrain->layers[0]->field;
    assert_near((double)silt_field_at(field, 1, 0), 100.0, 1e-4);
    assert_near((double)silt_field_at(field, 0, 1), 50.0, 1e-4);
    assert_near((double)silt_field_at(field, 1, 1), 10.0, 1e-4);
    silt_terrain_destroy(terrain);
}

static void bad_pictures_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"P5\n100000 100000\n255\nabc", "10000000000 bytes"},
        {"P2\n100000 100000\n255\n1 2 3", "truncated"},
        {"P5\n0 3\n255\n", "0 x 3"},
        {"P5\n3 3\n0\n", "header"},
        {"P5\n3 3\n70000\n", "header"},
        {"P5\nx", "header"},
        {"P2\n2 2\n9\n1 2 3 x", "row 2"},
        {"P2\n2 2\n9\n1 2 3 10", "row 2 has a sample above 9"},
        {"P5\n2 2\n100\nabce", "row 2 has a sample above 100"},
        {"P5\n1 2\n25000\naaba", "row 2 has a sample above 25000"},
        {"P5\n4 1\n65535\nabcdefg", "8 bytes"},
        {"P6\n1 1\n255\nabc", "something else"},
        {"P5\n9999999999 1\n255\nabc", "side has at most"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain;
        put_text(test_path("bad.pgm"), cases[k].text);
        assert_fails(silt_terrain_read(test_path("bad.pgm"), NULL, &terrain), SILT_BAD_FILE, cases[k].words);
        assert_null(terrain);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, true);
    sweep_terrain(hills, test_path("sweep.pgm"), NULL);
    refuse_every_cut(test_path("sweep.pgm"), false);
    silt_terrain_destroy(hills);
}

static void recorded_metres_win(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("own.pgm"), NULL));
    SiltReadOptions options = read_options();
    options.heights[0] = 0.0;
    options.heights[1] = 4000.0;
    assert_ok(silt_terrain_read(test_path("own.pgm"), &options, &back));
    assert_same_heights(back, hills, 0.01);
    silt_terrain_destroy(back);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_come_back_to_half_a_step), cmocka_unit_test(text_and_comments_are_read),
        cmocka_unit_test(bad_pictures_are_refused),         cmocka_unit_test(recorded_metres_win),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
