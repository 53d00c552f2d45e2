#include "files.h"

#include <locale.h>

static void heights_and_place_come_back(void **state)
{
    (void)state;
    for (int holes = 0; holes < 2; holes++) {
        SiltTerrain *hills = make_hills(13, 9, holes), *back;
        const char *path = test_path("hills.asc");
        assert_ok(silt_terrain_write(hills, path, NULL));
        assert_ok(silt_terrain_read(path, NULL, &back));
        assert_same_heights(back, hills, 0.0);
        assert_same_place(back, hills);
        silt_terrain_destroy(back);
        silt_terrain_destroy(hills);
    }
}

static void heights_of_minus_9999_are_heights(void **state)
{
    (void)state;
    SiltTerrain *terrain, *back;
    assert_ok(silt_terrain_create(3, 1, 1.0, &terrain));
    const float heights[] = {-9999.0f, 5.0f, -1e-30f};
    memcpy(terrain->layers[0]->field.data, heights, sizeof heights);
    assert_ok(silt_terrain_write(terrain, test_path("low.asc"), NULL));
    assert_ok(silt_terrain_read(test_path("low.asc"), NULL, &back));
    assert_same_heights(back, terrain, 0.0);
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
}

static SiltStatus read_text(const char *text, SiltTerrain **out)
{
    put_text(test_path("text.asc"), text);
    return silt_terrain_read(test_path("text.asc"), NULL, out);
}

static void any_layout_is_read(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    setlocale(LC_ALL, "de_DE.UTF-8"); // where there is one, its decimal comma must not matter
    assert_ok(read_text("\r\n NCOLS\t3 nrows 2\nXLLCENTER 10.5 YLLCENTER -3\nDX 2 DY 2 NODATA_VALUE 7\r\n"
                        "1 2e1\n-3.5e-2 \t 7 +5\n\n6.25",
                        &terrain));
    setlocale(LC_ALL, "C");
    assert_int_equal(terrain->width, 3);
    assert_near(terrain->geo.x, 9.5, 0.0);
    assert_near(terrain->geo.y, -4.0 + 4.0, 0.0);
    assert_near(terrain->cell, 2.0, 0.0);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 2, 0), (double)-0.035f, 0.0);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 2, 1), 6.25, 0.0);
    assert_true(silt_terrain_is_nodata(terrain, 0, 1));
    silt_terrain_destroy(terrain);
    assert_ok(read_text("\xef\xbb\xbfncols 1\nnrows 1\ncellsize 5\n42", &terrain)); // Notepad's mark
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 0, 0), 42.0, 0.0);
    silt_terrain_destroy(terrain);
    assert_ok(read_text("ncols 1 nrows 1 cellsize 5 42", &terrain));
    assert_false(terrain->geo.placed);
    silt_terrain_destroy(terrain);
}

static void bad_grids_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"ncols 2 nrows 2 cellsize 1\n10 20 30", "row 2, column 2"},
        {"ncols 2 nrows 2 cellsize 1\n1 2 3 4 5", "more follows"},
        {"ncols 2 nrows 2 cellsize 1\n1 2 x 4", "row 2, column 1"},
        {"ncols 100000 nrows 100000 cellsize 1\n1 2 3 4", "truncated"},
        {"ncols 0 nrows 5 cellsize 1\n", "0 x 5"},
        {"ncols 2.5 nrows 5 cellsize 1\n1", "number of cells"},
        {"ncols -2 nrows 5 cellsize 1\n1", "number of cells"},
        {"ncols 2 nrows 1 cellsize -1\n1 2", "not a size"},
        {"ncols 2 nrows 1 dx 1 dy 2\n1 2", "not square"},
        {"ncols 2 cellsize 1\n1 2", "no nrows"},
        {"ncols 2 nrows 1 colour 3\n1 2", "'colour'"},
        {"ncols 2 nrows 1 cellsize 1\nnan nan", "no cell has a height"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain;
        assert_fails(read_text(cases[k].text, &terrain), SILT_BAD_FILE, cases[k].words);
        assert_null(terrain);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, true);
    sweep_terrain(hills, test_path("sweep.asc"), NULL);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_and_place_come_back), cmocka_unit_test(heights_of_minus_9999_are_heights),
        cmocka_unit_test(any_layout_is_read),          cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
