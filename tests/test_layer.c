// Painted masks become layers: black is 0 and white 1, unless FILE@MIN:MAX says otherwise.
#include "raster_test.h"

#include "silt/erode.h"

#ifndef SILT_HAS_PNG
int main(void)
{
    return 77;
}
#else
#include <png.h>

// A grey picture as a painting program leaves it: nothing but samples, `sample(k)` of the k-th cell.
static void paint(const char *path, int width, int height, int bits, unsigned (*sample)(int k))
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    unsigned char row[1024];
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            unsigned value = sample(j * width + i);
            row[bits == 16 ? 2 * i : i] = (unsigned char)(bits == 16 ? value >> 8 : value);
            if (bits == 16)
                row[2 * i + 1] = (unsigned char)(value & 255);
        }
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static unsigned every_value(int k)
{
    return (unsigned)k;
}

static SiltTerrain *flat(int width, int height)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, 10.0, &terrain));
    return terrain;
}

static void every_level_of_a_picture_is_its_share(void **state)
{
    (void)state;
    raster_listen();
    paint("mask_8.png", 16, 16, 8, every_value);
    paint("mask_16.png", 256, 256, 16, every_value);
    for (int wide = 0; wide < 2; wide++) {
        int side = wide ? 256 : 16;
        SiltTerrain *terrain = flat(side, side);
        assert_ok(silt_terrain_read_layer(terrain, "erodibility", wide ? "mask_16.png" : "mask_8.png", NULL));
        const SiltField *field = silt_terrain_layer(terrain, "erodibility");
        for (int k = 0; k < side * side; k++) {
            float wanted = (float)((double)k / (wide ? 65535.0 : 255.0));
            assert_memory_equal(&(float){silt_field_at(field, k % side, k / side)}, &wanted, sizeof wanted);
        }
        silt_terrain_destroy(terrain);
    }
    assert_string_equal(raster_warnings, "");
}

static void a_range_behind_the_name_says_otherwise(void **state)
{
    (void)state;
    paint("mask_8.png", 16, 16, 8, every_value);
    SiltTerrain *terrain = flat(16, 16);
    assert_ok(silt_terrain_read_layer(terrain, "uplift", "mask_8.png@-0.5:2", NULL));
    const SiltField *field = silt_terrain_layer(terrain, "uplift");
    for (int k = 0; k < 256; k++)
        assert_near((double)silt_field_at(field, k % 16, k / 16), -0.5 + 2.5 * k / 255.0, 1e-6);
    raster_listen();
    assert_ok(silt_terrain_read_layer(terrain, "rain", "mask_8.png", NULL));
    assert_warned("taking 0 to 1 mm/h (mask_8.png@MIN:MAX says otherwise)");
    // a float is what it is, and 0 to 1 of it become MIN to MAX too
    SiltWriteOptions options = raster_write_options();
    silt_field_fill(silt_terrain_layer(terrain, "height"), 0.25f);
    assert_ok(silt_terrain_write(terrain, "quarter.exr", &options));
    assert_ok(silt_terrain_read_layer(terrain, "mask", "quarter.exr@0:8", NULL));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "mask"), 3, 3), 2.0, 0.0);
    silt_terrain_destroy(terrain);
}

static void a_mask_painted_over_heights_is_a_mask(void **state)
{
    (void)state;
    SiltTerrain *terrain = flat(8, 8);
    SiltField *height = silt_terrain_layer(terrain, "height");
    for (int k = 0; k < 64; k++)
        silt_field_row(height, k / 8)[k % 8] = (float)(k * 40); // 0 to 2520 m, which the file records
    assert_ok(silt_terrain_write(terrain, "heights.png", NULL));
    assert_ok(silt_terrain_read_layer(terrain, "erodibility", "heights.png", NULL));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "erodibility"), 7, 7), 1.0, 0.0);
    // and where metres are wanted, they are metres
    assert_ok(silt_terrain_read_layer(terrain, "bed", "heights.png", NULL));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "bed"), 7, 7), 2520.0, 1e-3);
    assert_ok(silt_terrain_read_layer(terrain, "height", "heights.png", NULL));
    assert_near((double)silt_field_at(height, 7, 7), 2520.0, 1e-3);
    silt_terrain_destroy(terrain);
}

static void bad_words_and_sizes_are_refused(void **state)
{
    (void)state;
    paint("mask_8.png", 16, 16, 8, every_value);
    paint("one.png", 1, 1, 8, every_value);
    SiltTerrain *terrain = flat(16, 16);
    static const char *const words[][2] = {{"mask_8.png@1:0", "MIN must be below MAX"},
                                           {"mask_8.png@1:1", "MIN must be below MAX"},
                                           {"mask_8.png@:1", "MIN:MAX"},
                                           {"mask_8.png@1:1e400", "MAX of MIN:MAX is too far from 0"},
                                           {"mask_8.png@nan:1", "MIN:MAX"},
                                           {"one.png", "1 x 1 cells, but the terrain has 16 x 16"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        assert_fails(silt_terrain_read_layer(terrain, "mask", words[k][0], NULL), SILT_BAD_ARGUMENT,
                     words[k][1]);
    assert_null(silt_terrain_layer(terrain, "mask"));
    assert_ok(silt_terrain_fit_layer(terrain, "mask", "one.png@0.5:1", NULL,
                                     0.25)); // any size, where it is asked for
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "mask"), 9, 9), 0.5, 0.0);
    silt_terrain_destroy(terrain);
}

static unsigned half_white(int k)
{
    return k % 48 < 24 ? 255u : 0u;
}

// Where the mask is 1 the rock stays as it is, whatever wears the rest; and the books balance.
static void protected_ground_is_not_worn(void **state)
{
    (void)state;
    static const char *const models[] = {"thermal", "pipes", "newton", "cells", "ice", "rivers"};
    static const char *const settings[] = {"strength=20", NULL, NULL, NULL, NULL, "lakes=fill"};
    paint("half.png", 48, 48, 8, half_white);
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        SiltTerrain *terrain = flat(48, 48);
        for (int k = 0; k < 48 * 48; k++) // slopes of up to 40 degrees
            silt_field_row(silt_terrain_layer(terrain, "height"), k / 48)[k % 48] =
                (float)(500.0 + 50.0 * cos(k % 48 / 6.0) * sin(k / 48 / 7.0));
        const SiltModel *model = silt_model_find(models[m]);
        void *params = silt_params_new(silt_model_params(model));
        if (strcmp(models[m], "rivers") == 0)
            assert_ok(silt_params_assign(silt_model_params(model), params, "test", "uplift=0"));
        if (settings[m])
            assert_ok(silt_params_assign(silt_model_params(model), params, "test", settings[m]));
        assert_ok(silt_model_choose_layer(model, params, "protect"));
        assert_ok(silt_terrain_read_layer(terrain, "protect", "half.png", NULL));
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 30}, NULL, &report));
        // what came down on it may be taken up again; the rock below may not
        const SiltField *change = silt_terrain_layer(terrain, "change"),
                        *deposit = silt_terrain_layer(terrain, "deposit");
        double kept = 0.0, worn = 0.0;
        for (int k = 0; k < 48 * 48; k++) {
            double lost = (double)silt_field_at(deposit, k % 48, k / 48) -
                          (double)silt_field_at(change, k % 48, k / 48);
            double *most = k % 48 < 24 ? &kept : &worn;
            *most = lost > *most ? lost : *most;
        }
        if (!(worn > 0.0) || kept > 1e-3 * worn)
            fail_msg("%s wore %g m of protected and %g m of other ground", models[m], kept, worn);
        assert_null(silt_terrain_layer(terrain, "protect"));
        silt_params_delete(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
}

static unsigned two_springs(int k)
{
    return k == 100 ? 255u : k == 200 ? 51u : 0u;
}

// Painted springs give what sources_rate says together, each by its brightness.
static void painted_springs_give_their_rate(void **state)
{
    (void)state;
    static const char *const models[] = {"pipes", "newton", "cells"};
    paint("springs.png", 16, 16, 8, two_springs);
    for (size_t m = 0; m < 3; m++) {
        SiltTerrain *terrain = flat(16, 16);
        const SiltModel *model = silt_model_find(models[m]);
        const SiltParamTable *table = silt_model_params(model);
        void *params = silt_params_new(table);
        assert_ok(silt_model_choose_layer(model, params, "sources"));
        assert_ok(silt_params_assign(table, params, "test", "rain=0"));
        assert_ok(silt_params_assign(table, params, "test", "sources_rate=3"));
        assert_ok(silt_terrain_read_layer(terrain, "sources", "springs.png", NULL));
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.time = 20.0}, NULL, &report));
        assert_near(report.ledger.water.added, 60.0, 1e-3 * 60.0);
        silt_field_fill(silt_terrain_layer(terrain, "sources"), 0.0f);
        assert_fails(silt_erode(model, terrain, params, (SiltDuration){.steps = 1}, NULL, &report),
                     SILT_BAD_ARGUMENT, "no spring is painted");
        silt_params_delete(table, params);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_of_a_picture_is_its_share),
        cmocka_unit_test(a_range_behind_the_name_says_otherwise),
        cmocka_unit_test(a_mask_painted_over_heights_is_a_mask),
        cmocka_unit_test(bad_words_and_sizes_are_refused),
        cmocka_unit_test(protected_ground_is_not_worn),
        cmocka_unit_test(painted_springs_give_their_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
