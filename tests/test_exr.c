#include "raster_test.h"

#ifndef SILT_HAS_EXR
int main(void)
{
    SiltTerrain *terrain;
    return silt_terrain_read(SILT_TEST_DATA "/huge.exr", NULL, &terrain) == SILT_MISSING_FEATURE ? 0 : 1;
}
#else

#define SEEDS SILT_SOURCE_DIR "/tests/fuzz/corpus/exr/"

static void floats_come_back_exactly(void **state)
{
    (void)state;
    for (int holes = 0; holes < 2; holes++) {
        SiltTerrain *terrain = raster_make(301, 143, holes);
        SiltWriteOptions options = raster_write_options();
        raster_listen();
        raster_round_trip(terrain, "exr_zip.exr", &options, 0.0);
        options.compression = SILT_COMPRESS_NONE;
        raster_round_trip(terrain, "exr_none.exr", &options, 0.0);
        assert_string_equal(raster_warnings, "");
        silt_terrain_destroy(terrain);
    }
}

static void sizes_down_to_one_come_back(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {17, 16}, {3, 1030}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = raster_make(sizes[k][0], sizes[k][1], false);
        raster_round_trip(terrain, "exr_size.exr", NULL, 0.0);
        silt_terrain_destroy(terrain);
    }
}

// The bytes of the file do not depend on the number of threads that packed it.
static void threads_change_no_byte(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(203, 777, true);
    char *one, *many;
    silt_set_threads(1);
    assert_ok(silt_terrain_write(terrain, "exr_threads.exr", NULL));
    size_t one_count = raster_load("exr_threads.exr", &one);
    silt_set_threads(5);
    assert_ok(silt_terrain_write(terrain, "exr_threads.exr", NULL));
    size_t many_count = raster_load("exr_threads.exr", &many);
    silt_set_threads(0);
    assert_int_equal(one_count, many_count);
    assert_memory_equal(one, many, one_count);
    free(one);
    free(many);
    unlink("exr_threads.exr");
    silt_terrain_destroy(terrain);
}

static void all_layers_are_channels(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(50, 37, true), *back;
    terrain->nodata_value = 1.0;
    SiltField *water, *mask;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    assert_ok(silt_terrain_require(terrain, "mask", &mask));
    silt_field_fill(mask, 1.0f); // in other layers the nodata value of heights is a number like any other
    for (int i = 0; i < 50; i++)
        silt_field_row(water, 12)[i] = 0.25f * (float)i;
    SiltWriteOptions options = raster_write_options();
    strcpy(options.layer, "all");
    assert_ok(silt_terrain_write(terrain, "exr_all.exr", &options));
    assert_ok(silt_terrain_read("exr_all.exr", NULL, &back));
    raster_same(terrain, back, 0.0);
    assert_int_equal(back->layer_count, 3);
    assert_true(silt_field_hash(silt_terrain_layer(back, "water")) == silt_field_hash(water));
    assert_true(silt_field_hash(silt_terrain_layer(back, "mask")) == silt_field_hash(mask));
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
    unlink("exr_all.exr");
}

// Files of the OpenEXR library: value i + 16 j in every way of packing, type, and in tiles with levels.
static void files_of_others_are_read(void **state)
{
    (void)state;
    static const char *const names[] = {"half_piz", "float_rle", "float_pxr24",
                                        "uint_zip", "half_dwaa", "tiled_zip"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[512];
        snprintf(path, sizeof path, SEEDS "%s.exr", names[k]);
        SiltTerrain *terrain;
        assert_ok(silt_terrain_read(path, NULL, &terrain));
        assert_int_equal(terrain->width, 16);
        assert_int_equal(terrain->height, 14);
        for (int j = 0; j < 14; j++)
            for (int i = 0; i < 16; i++)
                assert_true(silt_field_at(&terrain->layers[0]->field, i, j) == (float)(i + 16 * j));
        silt_terrain_destroy(terrain);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    raster_refused(SEEDS "rgb.exr", SILT_BAD_FILE, "3 channels");
    raster_refused(SILT_TEST_DATA "/huge.exr", SILT_BAD_FILE, "far too few");
    raster_refused(SILT_TEST_DATA "/zero.exr", SILT_BAD_FILE, "damaged");
    raster_refused("exr_missing.exr", SILT_IO_ERROR, "no such file");
    raster_save("exr_text.exr", "not a picture", 13);
    raster_refused("exr_text.exr", SILT_BAD_FILE, "OpenEXR");
    unlink("exr_text.exr");
    SiltTerrain *terrain = raster_make(21, 13, true);
    SiltWriteOptions options = raster_write_options();
    assert_ok(silt_terrain_write(terrain, "exr_damage.exr", &options));
    raster_survives_damage("exr_damage.exr");
    options.bits = SILT_BITS_16;
    assert_fails(silt_terrain_write(terrain, "exr_damage.exr", &options), SILT_BAD_ARGUMENT,
                 "no samples of 16 bits");
    unlink("exr_damage.exr");
    silt_terrain_destroy(terrain);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(21, 40, true);
    raster_survives_no_memory(terrain, "exr_memory.exr", NULL);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_come_back_exactly), cmocka_unit_test(sizes_down_to_one_come_back),
        cmocka_unit_test(threads_change_no_byte),   cmocka_unit_test(all_layers_are_channels),
        cmocka_unit_test(files_of_others_are_read), cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
