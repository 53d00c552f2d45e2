// Pictures in three dimensions, off-screen: terrains. Skipped where there is no GL.
#include "golden.h"

static void pictures_look_as_they_did(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int look, view;
        const char *overlay;
        double sun_height;
    } pictures[] = {
        {"land", SILT_LOOK_LAND, SILT_VIEW_THREE_QUARTER, "", 38.0},
        {"evening", SILT_LOOK_LAND, SILT_VIEW_LOW, "", 12.0},
        {"contours", SILT_LOOK_CONTOURS, SILT_VIEW_TOP, "", 38.0},
        {"flow", SILT_LOOK_GREY, SILT_VIEW_THREE_QUARTER, "flow", 38.0},
        {"map", SILT_LOOK_LAND, SILT_VIEW_MAP, "", 38.0},
    };
    SiltTerrain *terrain = mountains();
    for (size_t k = 0; k < sizeof pictures / sizeof pictures[0]; k++) {
        SiltRenderOptions options = small_options();
        options.look = pictures[k].look;
        options.view = pictures[k].view;
        options.sun_height = pictures[k].sun_height;
        strcpy(options.overlay, pictures[k].overlay);
        check_golden(&(SiltMotif){.terrain = terrain}, &options, pictures[k].name);
    }
    silt_terrain_destroy(terrain);
}

// ---- laws ----

static void the_same_picture_twice(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRenderOptions options = small_options();
    SiltImage one, three;
    silt_set_threads(1);
    assert_ok(silt_render(terrain, &options, &one));
    silt_set_threads(3);
    assert_ok(silt_render(terrain, &options, &three));
    silt_set_threads(0);
    assert_memory_equal(one.rgba, three.rgba, 160 * 120 * 4);
    silt_image_destroy(&one);
    silt_image_destroy(&three);
    silt_terrain_destroy(terrain);
}

static const uint8_t *pixel(const SiltImage *image, int i, int j)
{
    return image->rgba + ((size_t)j * (size_t)image->width + (size_t)i) * 4;
}

static void north_is_up_from_above(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(64, 64, 10.0, &terrain));
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) // high in the north, a little in the east
            silt_field_row(&terrain->layers[0]->field, j)[i] =
                (float)(j < 32 ? 50 : 0) + (float)(i < 32 ? 0 : 10);
    SiltRenderOptions options = small_options();
    SiltImage image;
    options.view = SILT_VIEW_TOP;
    options.look = SILT_LOOK_TINT;
    options.shadows = false;
    assert_ok(silt_render(terrain, &options, &image));
    // the tint is green below and brown above: red against green tells heights apart
    const uint8_t *high = pixel(&image, 60, 40), *low = pixel(&image, 60, 80);
    assert_true(high[0] - high[1] > low[0] - low[1] + 10);
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
}

// Without bloom nothing glows, and the lower the light that counts as white the more does (Fritz 3.7.2).
static double light_with(const SiltTerrain *terrain, double bloom, double white)
{
    SiltRenderOptions options = small_options();
    options.bloom = bloom;
    options.bloom_white = white;
    SiltImage image;
    assert_ok(silt_render(terrain, &options, &image));
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)image.width * (size_t)image.height * 4; k++)
        sum += image.rgba[k];
    silt_image_destroy(&image);
    return sum;
}

static void bright_places_glow(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    double none = light_with(terrain, 0.0, NAN), some = light_with(terrain, 1.0, NAN),
           more = light_with(terrain, 1.0, 1.0);
    assert_true(some > none * 1.0005);
    assert_true(more > some * 1.005);
    silt_terrain_destroy(terrain);
}

static void the_background_can_be_clear(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRenderOptions options = small_options();
    SiltImage image;
    options.transparent = true;
    options.view = SILT_VIEW_TOP;
    punch(terrain, 64, 64, 12);
    assert_ok(silt_render(terrain, &options, &image));
    assert_int_equal(pixel(&image, 0, 0)[3], 0);
    assert_int_equal(pixel(&image, 80, 60)[3], 0); // the hole
    assert_int_equal(pixel(&image, 60, 40)[3], 255);
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
}

// A picture wider than a tile has no seams: neighbours across a cut differ no more than others.
static void tiles_have_no_seams(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRenderOptions options = small_options();
    SiltImage image;
    options.width = 2304;
    options.height = 48;
    options.view = SILT_VIEW_CLOSE;
    assert_ok(silt_render(terrain, &options, &image));
    double worst = 0.0, all = 0.0;
    for (int i = 1; i < image.width; i++) {
        double sum = 0.0;
        for (int j = 0; j < image.height; j++)
            for (int c = 0; c < 3; c++)
                sum += abs(pixel(&image, i, j)[c] - pixel(&image, i - 1, j)[c]);
        all += sum;
        if (i % 1024 == 0)
            worst = sum > worst ? sum : worst;
    }
    assert_true(worst < 3.0 * all / (image.width - 1));
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
}

static void odd_terrains_are_drawn(void **state)
{
    (void)state;
    const int sizes[][2] = {{1, 1}, {2, 1}, {1, 40}, {33, 34}, {300, 3}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int view = SILT_VIEW_TOP; view <= SILT_VIEW_LOW; view++) {
            SiltTerrain *terrain;
            SiltRenderOptions options = small_options();
            SiltImage image;
            options.width = 32;
            options.height = 24;
            options.view = view;
            options.transparent = true;
            assert_ok(silt_terrain_create(sizes[k][0], sizes[k][1], 10.0, &terrain));
            assert_ok(silt_render(terrain, &options, &image));
            int solid = 0;
            for (int n = 0; n < 32 * 24; n++)
                solid += image.rgba[4 * n + 3] > 0;
            assert_true(solid > 0 || k > 0); // one cell fills the picture; a thin strip may miss the pixels
            silt_image_destroy(&image);
            if (k == 3) { // nothing but holes
                punch(terrain, 16, 16, 100);
                assert_ok(silt_render(terrain, &options, &image));
                silt_image_destroy(&image);
            }
            silt_terrain_destroy(terrain);
        }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRenderOptions options = small_options();
    options.width = 32;
    options.height = 24;
    SiltStatus status = SILT_NO_MEMORY;
    for (long n = 1; status != SILT_OK; n++) {
        SiltImage image;
        silt_fail_allocation(n);
        status = silt_render(terrain, &options, &image);
        silt_fail_allocation(0);
        if (status != SILT_OK && status != SILT_NO_MEMORY)
            fail_msg("allocation %ld: %s", n, silt_message());
        assert_true((image.rgba != NULL) == (status == SILT_OK));
        silt_image_destroy(&image);
    }
    silt_terrain_destroy(terrain);
}

MAIN_THAT_DRAWS(cmocka_unit_test(pictures_look_as_they_did), cmocka_unit_test(the_same_picture_twice),
                cmocka_unit_test(north_is_up_from_above), cmocka_unit_test(the_background_can_be_clear),
                cmocka_unit_test(tiles_have_no_seams), cmocka_unit_test(odd_terrains_are_drawn),
                cmocka_unit_test(every_allocation_may_fail), cmocka_unit_test(bright_places_glow))
