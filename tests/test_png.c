#include "raster_test.h"

#include "io/picture.h"

#ifndef SILT_HAS_PNG
int main(void)
{
    SiltTerrain *terrain;
    return silt_terrain_read(SILT_TEST_DATA "/huge.png", NULL, &terrain) == SILT_MISSING_FEATURE ? 0 : 1;
}
#else

#define SEEDS SILT_SOURCE_DIR "/tests/fuzz/corpus/png/"

static void metres_come_back(void **state)
{
    (void)state;
    for (int holes = 0; holes < 2; holes++) {
        SiltTerrain *terrain = raster_make(61, 43, holes);
        SiltWriteOptions options = raster_write_options();
        raster_listen();
        raster_round_trip(terrain, "png_16.png", &options, raster_span(terrain) / 65534.0 * 0.51);
        assert_string_equal(raster_warnings, "");
        options.bits = SILT_BITS_8;
        raster_round_trip(terrain, "png_8.png", &options, raster_span(terrain) / 254.0 * 0.51);
        assert_warned("8-bit image, 256 height levels; terraces will show (use 16-bit PNG, TIFF or EXR)");
        silt_terrain_destroy(terrain);
    }
}

static void one_cell_comes_back(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(1, 1, false);
    raster_round_trip(terrain, "png_one.png", NULL, 1e-4);
    silt_terrain_destroy(terrain);
}

static float first_height(const char *path, const SiltReadOptions *options, int i)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(path, options, &terrain));
    float height = silt_field_at(&terrain->layers[0]->field, i, 0);
    silt_terrain_destroy(terrain);
    return height;
}

static void options_give_metres(void **state)
{
    (void)state;
    raster_listen();
    SiltReadOptions options = raster_read_options();
    options.heights[0] = -100.0;
    options.heights[1] = 65435.0; // a metre a step
    options.cell = 3.0;
    assert_near((double)first_height(SEEDS "grey16.png", &options, 5), -100.0 + 7.0 * 25.0, 1e-2);
    assert_string_equal(raster_warnings, "");
    first_height(SEEDS "grey16.png", NULL, 0);
    assert_warned("taking 0 to 1000 m");
    assert_warned("taking 1 m");
}

// ... to files that have none of their own.
static void recorded_metres_win(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(21, 13, false), *back;
    SiltReadOptions options = raster_read_options();
    options.heights[0] = 0.0;
    options.heights[1] = 4000.0;
    assert_ok(silt_terrain_write(terrain, "png_own.png", NULL));
    assert_ok(silt_terrain_read("png_own.png", &options, &back));
    raster_same(terrain, back, raster_span(terrain) / 65534.0 * 0.51);
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
    unlink("png_own.png");
}

// What is refused says why, and nothing else.
static void refused_pictures_do_not_warn(void **state)
{
    (void)state;
    raster_listen();
    raster_refused(SEEDS "rgb.png", SILT_BAD_FILE, "a colour picture");
    assert_string_equal(raster_warnings, "");
}

static uint64_t hash_of(const char *path)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(path, NULL, &terrain));
    uint64_t hash = silt_field_hash(&terrain->layers[0]->field);
    silt_terrain_destroy(terrain);
    return hash;
}

static void every_kind_of_grey_is_read(void **state)
{
    (void)state;
    raster_listen();
    assert_true(hash_of(SEEDS "grey16.png") == hash_of(SEEDS "grey16_interlaced.png"));
    assert_true(hash_of(SEEDS "grey16.png") == hash_of(SEEDS "grey_alpha16.png"));
    assert_warned("the alpha channel is not used");
    assert_true(hash_of(SEEDS "grey8.png") == hash_of(SEEDS "rgb_grey.png"));
    assert_warned("a colour image whose channels are all the same");
    // palette entry k is k * 10 of 255, in a range of 1000 m
    assert_near((double)first_height(SEEDS "palette.png", NULL, 3), 1000.0 * 30.0 / 255.0, 1e-3);
    assert_near((double)first_height(SEEDS "grey2.png", NULL, 1), 1000.0 / 3.0, 1e-3);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    raster_refused(SEEDS "rgb.png", SILT_BAD_FILE, "colour picture");
    raster_refused(SILT_TEST_DATA "/huge.png", SILT_BAD_FILE, "far too few");
    raster_refused(SILT_TEST_DATA "/zero.png", SILT_BAD_FILE, "damaged");
    raster_refused("png_missing.png", SILT_IO_ERROR, "no such file");
    raster_refused(SILT_TEST_DATA, SILT_IO_ERROR, "directory");
    raster_save("png_empty.png", "", 0);
    raster_refused("png_empty.png", SILT_BAD_FILE, "empty");
    raster_save("png_text.png", "not a picture", 13);
    raster_refused("png_text.png", SILT_BAD_FILE, "PNG");
    unlink("png_empty.png");
    unlink("png_text.png");
    SiltTerrain *terrain = raster_make(21, 13, true);
    assert_ok(silt_terrain_write(terrain, "png_damage.png", NULL));
    raster_survives_damage("png_damage.png");
    unlink("png_damage.png");
    SiltWriteOptions options = raster_write_options();
    options.bits = SILT_BITS_32;
    assert_fails(silt_terrain_write(terrain, "png_32.png", &options), SILT_BAD_ARGUMENT, "TIFF or EXR");
    assert_int_equal(access("png_32.png", F_OK), -1);
    silt_terrain_destroy(terrain);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(21, 13, true);
    raster_survives_no_memory(terrain, "png_memory.png", NULL);
    silt_terrain_destroy(terrain);
}

static void pictures_come_back(void **state)
{
    (void)state;
    enum { W = 19, H = 11 };
    uint8_t pixels[W * H * 4], *back;
    int width, height;
    for (int k = 0; k < W * H * 4; k++)
        pixels[k] = (uint8_t)(k * 37 + k / 7);
    for (int alpha = 0; alpha < 2; alpha++) {
        assert_ok(silt_png_write_rgba("png_picture.png", W, H, pixels, alpha));
        assert_ok(silt_png_read_rgba("png_picture.png", &width, &height, &back));
        assert_int_equal(width, W);
        assert_int_equal(height, H);
        for (int k = 0; k < W * H * 4; k++)
            assert_int_equal(back[k], alpha || k % 4 < 3 ? pixels[k] : 255);
        silt_free(back);
    }
    unlink("png_picture.png");
    assert_ok(silt_png_read_rgba(SEEDS "palette.png", &width, &height, &back));
    assert_int_equal(back[4 * 3], 30);
    silt_free(back);
    assert_fails(silt_png_read_rgba(SILT_TEST_DATA "/huge.png", &width, &height, &back), SILT_BAD_FILE,
                 "far too few");
    assert_null(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metres_come_back),
        cmocka_unit_test(one_cell_comes_back),
        cmocka_unit_test(options_give_metres),
        cmocka_unit_test(recorded_metres_win),
        cmocka_unit_test(refused_pictures_do_not_warn),
        cmocka_unit_test(every_kind_of_grey_is_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(pictures_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
