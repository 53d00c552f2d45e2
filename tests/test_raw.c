#include "files.h"

static void floats_come_back_bit_for_bit(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        SiltTerrain *hills = make_hills(7, 5, order == 1), *back;
        SiltWriteOptions options = write_options();
        options.raw_order = order;
        const char *path = test_path("float.raw");
        assert_ok(silt_terrain_write(hills, path, &options));
        assert_ok(silt_terrain_read(path, NULL, &back));
        assert_same_heights(back, hills, 0.0);
        assert_same_place(back, hills);
        assert_near(back->cell, 30.0, 0.0);
        silt_terrain_destroy(back);
        silt_terrain_destroy(hills);
    }
}

static void integers_come_back_to_half_a_step(void **state)
{
    (void)state;
    static const struct {
        int bits;
        double levels;
        const char *name;
    } kinds[] = {
        {SILT_BITS_16, 65534.0, "a.raw"}, {SILT_BITS_8, 254.0, "b.bin"}, {SILT_BITS_AUTO, 65534.0, "c.r16"}};
    SiltTerrain *hills = make_hills(9, 8, true), *back;
    SiltFieldStatistics statistics;
    silt_field_statistics(&hills->layers[0]->field, hills->nodata, &statistics);
    for (size_t k = 0; k < 3; k++) {
        SiltWriteOptions options = write_options();
        options.bits = kinds[k].bits;
        options.raw_order = (int)k & 1;
        assert_ok(silt_terrain_write(hills, test_path(kinds[k].name), &options));
        assert_ok(silt_terrain_read(test_path(kinds[k].name), NULL, &back));
        double step = (statistics.maximum - statistics.minimum) / kinds[k].levels;
        assert_same_heights(back, hills, 0.5 * step + 2e-4);
        silt_terrain_destroy(back);
    }
    silt_terrain_destroy(hills);
}

static void header_is_one_that_gdal_reads(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 3, true);
    char text[2048];
    assert_ok(silt_terrain_write(hills, test_path("keys.r16"), NULL));
    get_file(test_path("keys.hdr"), text, sizeof text);
    static const char *const wanted[] = {
        "NROWS          3\n",           "NCOLS          4\n",  "NBITS          16\n",
        "PIXELTYPE      UNSIGNEDINT\n", "BYTEORDER      I\n",  "ULXMAP         355015\n",
        "ULYMAP         3799985.25\n",  "XDIM           30\n", "NODATA         0\n",
        "SILT_CELL      30\n",          "SILT_HEIGHTS   "};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        if (!strstr(text, wanted[k]))
            fail_msg("'%s' is not in\n%s", wanted[k], text);
    silt_terrain_destroy(hills);
}

static void plain_files_take_options_or_are_square(void **state)
{
    (void)state;
    const unsigned char words[] = {0, 0, 1, 0, 0xff, 0xff, 0, 0x80};
    SiltReadOptions options = read_options();
    options.heights[0] = 100.0;
    options.heights[1] = 165.535;
    options.cell = 2.0;
    SiltTerrain *terrain;
    put_file(test_path("plain.raw"), words, sizeof words);
    assert_ok(silt_terrain_read(test_path("plain.raw"), &options, &terrain));
    assert_int_equal(terrain->width, 2);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 1, 0), 100.001, 1e-5);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 0, 1), 165.535, 1e-5);
    assert_false(terrain->geo.placed);
    silt_terrain_destroy(terrain);

    options = read_options();
    options.raw_type = SILT_RAW_I16;
    options.raw_order = 1;
    options.raw_width = 4;
    assert_ok(silt_terrain_read(test_path("plain.raw"), &options, &terrain));
    assert_int_equal(terrain->height, 1);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 1, 0), 256.0, 0.0);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 2, 0), -1.0, 0.0);
    silt_terrain_destroy(terrain);

    options.raw_type = SILT_RAW_U8;
    options.raw_height = 2;
    assert_ok(silt_terrain_read(test_path("plain.raw"), &options, &terrain));
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 3, 1), 1000.0 * 128.0 / 255.0, 1e-3);
    silt_terrain_destroy(terrain);
}

static void wrong_sizes_are_told_with_their_numbers(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltReadOptions options = read_options();
    put_file(test_path("odd.raw"), "123456", 6);
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE,
                 "6 bytes of 2-byte samples");
    options.raw_width = options.raw_height = 5;
    assert_fails(silt_terrain_read(test_path("odd.raw"), &options, &terrain), SILT_BAD_FILE, "5 x 5");
    options.raw_width = options.raw_height = 1;
    assert_fails(silt_terrain_read(test_path("odd.raw"), &options, &terrain), SILT_BAD_FILE,
                 "the file has 6");
    put_text(test_path("odd.hdr"), "NROWS 100000\nNCOLS 100000\nNBITS 32\nPIXELTYPE FLOAT\n");
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE, "40000000000 bytes");
    put_text(test_path("odd.hdr"), "NROWS 3\nNCOLS 0\nNBITS 16\n");
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE, "0 x 3");
    put_text(test_path("odd.hdr"), "NROWS 3\nNCOLS 1\nNBITS 16\n");
    options.raw_width = 7; // wins over the header
    assert_fails(silt_terrain_read(test_path("odd.raw"), &options, &terrain), SILT_BAD_FILE, "7 x 1");
    put_text(test_path("odd.hdr"), "NROWS 3\nNCOLS x\nNBITS 16\n");
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE, "NCOLS");
    put_text(test_path("odd.hdr"), "NROWS 3\nNCOLS 1\nNBITS 12\n");
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE, "12 bits");
    put_text(test_path("odd.hdr"), "NROWS 1\nNCOLS 1\nNBITS 16\nNBANDS 3\n");
    assert_fails(silt_terrain_read(test_path("odd.raw"), NULL, &terrain), SILT_BAD_FILE, "3 bands");
}

static void a_strangers_header_is_not_replaced(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(3, 3, false);
    put_text(test_path("sky.hdr"), "#?RADIANCE\n");
    assert_fails(silt_terrain_write(hills, test_path("sky.raw"), NULL), SILT_BAD_ARGUMENT,
                 "choose another name");
    char text[64];
    get_file(test_path("sky.hdr"), text, sizeof text);
    assert_string_equal(text, "#?RADIANCE\n");
    assert_int_equal(access(test_path("sky.raw"), F_OK), -1);
    SiltWriteOptions options = write_options();
    options.bits = SILT_BITS_32;
    assert_fails(silt_terrain_write(hills, test_path("x.r16"), &options), SILT_BAD_ARGUMENT, "16 bits");
    silt_terrain_destroy(hills);
}

static char last_warning[512];

static void keep_warning(void *user, const char *text)
{
    (void)user;
    snprintf(last_warning, sizeof last_warning, "%s", text);
}

// t.raw and t.r16 would share t.hdr: the second is refused, and nothing reads the first by another's header.
static void two_files_do_not_share_a_header(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 4, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("t.raw"), NULL));
    assert_fails(silt_terrain_write(hills, test_path("t.r16"), NULL), SILT_BAD_ARGUMENT, "t.raw");
    assert_non_null(strstr(silt_message(), "t.r16: its header"));
    assert_non_null(strstr(silt_message(), "choose another name"));
    assert_int_equal(access(test_path("t.r16"), F_OK), -1);
    assert_ok(silt_terrain_write(hills, test_path("t.raw"), NULL)); // its own is its own
    put_file(test_path("t.bin"), "12345678", 8);
    silt_set_warning_handler(keep_warning, NULL);
    SiltReadOptions options = read_options();
    options.cell = 1.0;
    options.raw_type = SILT_RAW_I16;
    assert_ok(silt_terrain_read(test_path("t.bin"), &options, &back));
    assert_int_equal(back->width, 2);
    assert_non_null(strstr(last_warning, "t.raw, not of"));
    silt_terrain_destroy(back);
    silt_set_warning_handler(NULL, NULL);
    assert_int_equal(rename(test_path("t.raw"), test_path("u.r32")), 0); // renamed, it stays a pair
    assert_int_equal(rename(test_path("t.hdr"), test_path("u.hdr")), 0);
    assert_ok(silt_terrain_read(test_path("u.r32"), NULL, &back));
    assert_same_heights(back, hills, 0.0);
    assert_near(back->cell, 30.0, 0.0);
    silt_terrain_destroy(back);
    assert_ok(silt_terrain_write(hills, test_path("u.raw"), NULL)); // whose header it was is gone
    silt_terrain_destroy(hills);
}

static void options_win_over_the_header(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltReadOptions options = read_options();
    put_file(test_path("w.raw"), "\1\0\2\0\3\0\4\0", 8);
    put_text(test_path("w.hdr"), "NROWS 1\nNCOLS 2\nNBITS 32\nPIXELTYPE FLOAT\nSILT_CELL 1\n");
    options.raw_type = SILT_RAW_I16;
    options.raw_width = options.raw_height = 2;
    assert_ok(silt_terrain_read(test_path("w.raw"), &options, &terrain));
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 1, 1), 4.0, 0.0);
    silt_terrain_destroy(terrain);
    options.raw_type = SILT_RAW_U16;
    options.heights[0] = 0.0;
    options.heights[1] = 65535.0;
    assert_ok(silt_terrain_read(test_path("w.raw"), &options, &terrain));
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 0, 1), 3.0, 1e-4);
    silt_terrain_destroy(terrain);
    put_file(test_path("w.raw"), "12345", 5);
    assert_fails(silt_terrain_read(test_path("w.raw"), NULL, &terrain), SILT_BAD_FILE, "w.hdr");
    assert_non_null(strstr(silt_message(), "truncated"));
}

static void a_header_that_is_not_understood_is_told(void **state)
{
    (void)state;
    static const char *const texts[] = {"ENVI\nsamples = 2\nlines = 2\n", ""};
    SiltTerrain *terrain;
    SiltReadOptions options = read_options();
    options.cell = 1.0;
    options.heights[0] = 0.0;
    options.heights[1] = 1.0;
    put_file(test_path("envi.raw"), "12345678", 8);
    silt_set_warning_handler(keep_warning, NULL);
    for (size_t k = 0; k < 2; k++) {
        last_warning[0] = '\0';
        put_text(test_path("envi.hdr"), texts[k]);
        assert_ok(silt_terrain_read(test_path("envi.raw"), &options, &terrain));
        silt_terrain_destroy(terrain);
        assert_non_null(strstr(last_warning, "envi.hdr: not a header"));
    }
    silt_set_warning_handler(NULL, NULL);
    put_file(test_path("odd2.raw"), "123456", 6);
    assert_fails(silt_terrain_read(test_path("odd2.raw"), NULL, &terrain), SILT_BAD_FILE, "give raw_width");
}

static void recorded_metres_win(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 4, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("own.r16"), NULL));
    SiltReadOptions options = read_options();
    options.heights[0] = 0.0;
    options.heights[1] = 4000.0;
    assert_ok(silt_terrain_read(test_path("own.r16"), &options, &back));
    assert_same_heights(back, hills, 0.01);
    silt_terrain_destroy(back);
    silt_terrain_destroy(hills);
}

static void a_failed_write_keeps_the_old_pair(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(3, 3, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("pair.raw"), NULL));
    SiltWriteOptions options = write_options();
    snprintf(options.layer, sizeof options.layer, "water");
    assert_fails(silt_terrain_write(hills, test_path("pair.raw"), &options), SILT_BAD_ARGUMENT, "water");
    assert_ok(silt_terrain_read(test_path("pair.raw"), NULL, &back));
    assert_same_heights(back, hills, 0.0);
    silt_terrain_destroy(back);
    silt_terrain_destroy(hills);
}

// GDAL and GIS programs write headers that name no file, and several endings: whoever has samples beside one
// needs it. Those of nobody, and one's own, are replaced.
static void a_header_without_a_name_stays_with_its_samples(void **state)
{
    (void)state;
    static const char *const others[] = {"g.bil", "g.BIP", "g.flt", "g.img", "g"};
    char header[] = "NROWS 1\nNCOLS 2\nNBITS 16\n", text[64];
    SiltTerrain *hills = make_hills(5, 4, false);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        put_text(test_path("g.hdr"), header);
        put_text(test_path(others[k]), "abcd");
        assert_fails(silt_terrain_write(hills, test_path("g.raw"), NULL), SILT_BAD_ARGUMENT, others[k]);
        get_file(test_path("g.hdr"), text, sizeof text);
        assert_string_equal(text, header);
        assert_int_equal(unlink(test_path(others[k])), 0);
    }
    put_text(test_path("g.tif"), "no samples of it");
    assert_int_equal(silt_terrain_write(hills, test_path("g.raw"), NULL), SILT_OK);
    put_text(test_path("g.hdr"), header);
    assert_int_equal(silt_terrain_write(hills, test_path("g.raw"), NULL), SILT_OK);
    // NAME.raw.hdr may be that of NAME.raw
    put_text(test_path("h.raw"), "abcd");
    put_text(test_path("h.raw.hdr"), header);
    assert_fails(silt_terrain_write(hills, test_path("h.raw.r32"), NULL), SILT_BAD_ARGUMENT, "h.raw");
    silt_terrain_destroy(hills);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, true);
    SiltWriteOptions options = write_options();
    options.bits = SILT_BITS_16;
    sweep_terrain(hills, test_path("sweep.raw"), &options);
    refuse_every_cut(test_path("sweep.raw"), false);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_come_back_bit_for_bit),
        cmocka_unit_test(integers_come_back_to_half_a_step),
        cmocka_unit_test(header_is_one_that_gdal_reads),
        cmocka_unit_test(plain_files_take_options_or_are_square),
        cmocka_unit_test(wrong_sizes_are_told_with_their_numbers),
        cmocka_unit_test(a_strangers_header_is_not_replaced),
        cmocka_unit_test(two_files_do_not_share_a_header),
        cmocka_unit_test(a_header_without_a_name_stays_with_its_samples),
        cmocka_unit_test(options_win_over_the_header),
        cmocka_unit_test(a_header_that_is_not_understood_is_told),
        cmocka_unit_test(recorded_metres_win),
        cmocka_unit_test(a_failed_write_keeps_the_old_pair),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
