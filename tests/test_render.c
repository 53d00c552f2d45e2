// Maps drawn on the CPU, the light in all pictures, and two terrains in one.
#include "render_help.h"

#include "render/light.h"
#include "render/scale.h"

// ---- light ----

// A pillar throws a shadow as long as its height over the tangent of the sun's, away from the sun.
static void shadows_are_as_long_as_they_should(void **state)
{
    (void)state;
    enum { SIDE = 129, MIDDLE = 64 };
    const double tall = 40.0, cell = 2.0;
    SiltRenderOptions options = map_options();
    SiltTerrain *terrain;
    SiltField lit = {0};
    assert_ok(silt_terrain_create(SIDE, SIDE, cell, &terrain));
    assert_ok(silt_field_create(SIDE, SIDE, &lit));
    for (int j = MIDDLE - 4; j <= MIDDLE + 4; j++)
        for (int i = MIDDLE - 4; i <= MIDDLE + 4; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)tall;
    options.sun_height = 45.0;
    for (int turn = 0; turn < 16; turn++) {
        options.sun = 22.5 * turn;
        SiltSun sun = silt_sun(&options);
        assert_ok(silt_light_shadow(&terrain->layers[0]->field, (float)cell, 1.0f, sun, &lit));
        double flat = sqrt(sun.east * sun.east + sun.south * sun.south);
        double reach = tall / tan(45.0 * 3.14159265358979 / 180.0) / cell;
        double away_i = -sun.east / flat, away_j = -sun.south / flat;
        for (int side = -1; side <= 1; side += 2) { // in its shadow, and on the side of the sun
            int i = (int)lround(MIDDLE + side * away_i * (0.6 * reach + 4.0));
            int j = (int)lround(MIDDLE + side * away_j * (0.6 * reach + 4.0));
            assert_near(silt_field_at(&lit, i, j), side > 0 ? 0.0 : 1.0, 0.05);
        }
        int i = (int)lround(MIDDLE + away_i * (1.4 * reach + 6.0)),
            j = (int)lround(MIDDLE + away_j * (1.4 * reach + 6.0));
        assert_near(silt_field_at(&lit, i, j), 1.0, 0.05);
    }
    silt_field_destroy(&lit);
    silt_terrain_destroy(terrain);
}

static void the_sky_is_open_on_plains_and_narrow_in_pits(void **state)
{
    (void)state;
    SiltField height = {0}, sky = {0};
    assert_ok(silt_field_create(64, 64, &height));
    assert_ok(silt_field_create(64, 64, &sky));
    silt_field_fill(&height, 100.0f);
    assert_ok(silt_light_sky(&height, 10.0f, 1.0f, &sky));
    assert_near(silt_field_at(&sky, 20, 20), 1.0, 1e-6);
    silt_field_row(&height, 30)[30] = 0.0f;
    assert_ok(silt_light_sky(&height, 10.0f, 1.0f, &sky));
    assert_true(silt_field_at(&sky, 30, 30) < 0.1f);
    assert_near(silt_field_at(&sky, 10, 50), 1.0, 1e-6);
    silt_field_destroy(&height);
    silt_field_destroy(&sky);
}

// ---- maps ----

static void maps_do_not_depend_on_threads(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(150, 97, 3);
    for (int look = SILT_LOOK_LAND; look <= SILT_LOOK_TINT; look++) {
        SiltRenderOptions options = map_options();
        SiltImage one, three;
        options.look = look;
        silt_set_threads(1);
        assert_ok(silt_render(terrain, &options, &one));
        silt_set_threads(3);
        assert_ok(silt_render(terrain, &options, &three));
        assert_int_equal(one.width, 150);
        assert_int_equal(one.height, 97);
        assert_memory_equal(one.rgba, three.rgba, image_bytes(&one));
        silt_image_destroy(&one);
        silt_image_destroy(&three);
    }
    silt_set_threads(0);
    silt_terrain_destroy(terrain);
}

static void cells_without_data_are_clear(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(40, 40, 3);
    SiltRenderOptions options = map_options();
    SiltImage image;
    punch(terrain, 20, 10, 5);
    assert_ok(silt_render(terrain, &options, &image));
    assert_int_equal(image.rgba[(10 * 40 + 20) * 4 + 3], 0);
    assert_int_equal(image.rgba[(30 * 40 + 20) * 4 + 3], 255);
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
}

static void the_change_since_is_drawn(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(40, 40, 3), *settled;
    SiltRenderOptions options = map_options();
    SiltImage image, same;
    SiltField *change;
    assert_ok(silt_terrain_require(terrain, "change", &change));
    for (int k = 0; k < 20; k++)
        silt_field_row(change, 20)[k] = 30.0f;
    assert_ok(silt_terrain_clone(terrain, &settled));
    silt_terrain_settle(settled);
    assert_ok(silt_render(terrain, &options, &image));
    assert_ok(silt_render(settled, &options, &same));
    assert_memory_equal(image.rgba, same.rgba, image_bytes(&image));
    assert_non_null(silt_terrain_layer(terrain, "change")); // the terrain itself stays as it was
    silt_image_destroy(&image);
    silt_image_destroy(&same);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(settled);
}

static void maps_have_the_size_asked_for(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(80, 40, 3);
    const int asked[][4] = {{0, 0, 80, 40}, {40, 0, 40, 20}, {0, 10, 20, 10}, {60, 10, 60, 10}, {1, 0, 1, 1}};
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        SiltRenderOptions options = map_options();
        SiltImage image;
        options.width = asked[k][0];
        options.height = asked[k][1];
        assert_ok(silt_render(terrain, &options, &image));
        assert_int_equal(image.width, asked[k][2]);
        assert_int_equal(image.height, asked[k][3]);
        silt_image_destroy(&image);
    }
    silt_terrain_destroy(terrain);
}

static float grey_at(const SiltImage *image, int i, int j)
{
    const uint8_t *at = image->rgba + ((size_t)j * (size_t)image->width + (size_t)i) * 4;
    return (float)(at[0] + at[1] + at[2]) / 765.0f;
}

// Slopes turned from the light keep some of it, those turned to it do not run out into white.
static void maps_are_neither_black_nor_blown_out(void **state)
{
    (void)state;
    for (int look = SILT_LOOK_LAND; look <= SILT_LOOK_TINT; look++) {
        SiltTerrain *terrain = hills(64, 64, 5);
        SiltRenderOptions options = map_options();
        SiltImage image;
        options.look = look;
        options.exaggeration = 3.0;
        assert_ok(silt_render(terrain, &options, &image));
        for (int k = 0; k < 64 * 64; k++) {
            float grey = grey_at(&image, k % 64, k / 64);
            assert_true(grey > 0.10f && grey < 0.995f);
        }
        silt_image_destroy(&image);
        silt_terrain_destroy(terrain);
    }
}

// On level ground an overlay has the colour of the legend, whatever the look.
static void overlays_have_the_colours_of_the_legend(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltField *layer;
    SiltRenderOptions options = map_options();
    SiltImage image;
    assert_ok(silt_terrain_create(40, 40, 10.0, &terrain));
    assert_ok(silt_terrain_require(terrain, "flow", &layer));
    for (int k = 0; k < 1600; k++)
        silt_field_row(layer, k / 40)[k % 40] = 0.5f + (float)(k % 40);
    options.snow = -100.0;
    options.legend = false;
    strcpy(options.overlay, "flow");
    assert_ok(silt_render(terrain, &options, &image));
    SiltScale scale;
    assert_ok(silt_scale_choose(layer, NULL, &scale));
    for (int i = 0; i < 40; i++) {
        SiltColour wanted = silt_scale_colour(&scale, silt_scale_place(&scale, 0.5f + (float)i));
        const uint8_t *at = image.rgba + 4 * (20 * 40 + i);
        assert_near(at[0] / 255.0, wanted.r, 0.01);
        assert_near(at[1] / 255.0, wanted.g, 0.01);
        assert_near(at[2] / 255.0, wanted.b, 0.01);
    }
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
}

// Red is what lies there, and not what was laid down once and taken away again.
static void deposits_are_red_where_they_lie(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltField *deposit, *deposition;
    SiltRenderOptions options = map_options();
    SiltImage bare, passed, laid;
    assert_ok(silt_terrain_create(8, 8, 10.0, &terrain));
    options.sediment = true;
    assert_ok(silt_render(terrain, &options, &bare));
    assert_ok(silt_terrain_require(terrain, "deposition", &deposition));
    assert_ok(silt_terrain_require(terrain, "deposit", &deposit));
    silt_field_fill(deposition, 2.25f);
    assert_ok(silt_render(terrain, &options, &passed));
    assert_memory_equal(bare.rgba, passed.rgba, 8 * 8 * 4);
    silt_field_fill(deposit, 0.5f);
    assert_ok(silt_render(terrain, &options, &laid));
    const uint8_t *before = bare.rgba + 4 * 36, *after = laid.rgba + 4 * 36;
    assert_true(after[0] - after[1] > before[0] - before[1] + 40);
    silt_image_destroy(&bare);
    silt_image_destroy(&passed);
    silt_image_destroy(&laid);
    silt_terrain_destroy(terrain);
}

// The more lies there, the redder, in even steps up to the round number that the legend ends with; soil below
// it is bare earth.
static void deposits_are_graded_by_amount(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltField *deposit;
    SiltRenderOptions options = map_options();
    SiltImage image;
    int redness[8];
    assert_ok(silt_terrain_create(8, 8, 10.0, &terrain));
    assert_ok(silt_terrain_require(terrain, "deposit", &deposit));
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            silt_field_row(deposit, j)[i] = 0.5f * (float)i; // 0 to 3.5 m, shown up to 5
    options.sediment = true;
    options.look = SILT_LOOK_SOIL;
    assert_ok(silt_render(terrain, &options, &image));
    for (int i = 0; i < 8; i++)
        redness[i] = image.rgba[4 * (32 + i)] - image.rgba[4 * (32 + i) + 1];
    for (int i = 1; i < 7; i++) {
        assert_true(redness[i] > redness[i - 1] + 2);
        assert_near(redness[i], 0.5 * (redness[i - 1] + redness[i + 1]), 3.0);
    }
    silt_image_destroy(&image);
    // in a picture that has room, a legend covers part of the sky, and `legend` takes it away
    options.width = options.height = 400;
    SiltImage plain;
    assert_ok(silt_render(terrain, &options, &image));
    options.legend = false;
    assert_ok(silt_render(terrain, &options, &plain));
    assert_true(memcmp(image.rgba, plain.rgba, image_bytes(&image)) != 0);
    silt_image_destroy(&image);
    silt_image_destroy(&plain);
    silt_terrain_destroy(terrain);
}

// The drier, the redder, and nothing is green.
static void dry_land_is_red(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(48, 48, 3);
    double redness[3];
    for (int k = 0; k < 3; k++) {
        SiltRenderOptions options = map_options();
        SiltImage image;
        options.arid = 0.5 * k;
        assert_ok(silt_render(terrain, &options, &image));
        double sum = 0.0;
        for (size_t n = 0; n < image_bytes(&image); n += 4)
            sum += image.rgba[n] - image.rgba[n + 1];
        redness[k] = sum / (48.0 * 48.0);
        silt_image_destroy(&image);
    }
    assert_true(redness[1] > redness[0] + 3.0 && redness[2] > redness[1] + 3.0);
    silt_terrain_destroy(terrain);
}

// A sea covers what lies below it, and nothing else.
static void the_sea_stands_up_to_its_height(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltRenderOptions options = map_options();
    SiltImage dry, wet;
    assert_ok(silt_terrain_create(40, 40, 10.0, &terrain));
    SiltField *height = silt_terrain_layer(terrain, "height");
    for (int k = 0; k < 1600; k++)
        silt_field_row(height, k / 40)[k % 40] = (float)(k % 40) - 20.0f;
    assert_ok(silt_render(terrain, &options, &dry));
    options.sea = 0.0;
    assert_ok(silt_render(terrain, &options, &wet));
    for (int i = 0; i < 40; i++) {
        bool same = memcmp(dry.rgba + 4 * i, wet.rgba + 4 * i, 4) == 0;
        assert_int_equal(same, i >= 20);
    }
    silt_image_destroy(&dry);
    silt_image_destroy(&wet);
    silt_terrain_destroy(terrain);
}

// The legend stands below the map and covers nothing of it.
static void maps_keep_their_cells_beside_a_legend(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(300, 200, 3);
    SiltRenderOptions options = map_options();
    SiltImage bare, with;
    strcpy(options.overlay, "height");
    options.legend = false;
    assert_ok(silt_render(terrain, &options, &bare));
    options.legend = true;
    assert_ok(silt_render(terrain, &options, &with));
    assert_int_equal(with.width, 300);
    assert_true(with.height > 240);
    assert_memory_equal(bare.rgba, with.rgba, 300 * 200 * 4);
    silt_image_destroy(&bare);
    silt_image_destroy(&with);
    silt_terrain_destroy(terrain);
}

static void wrong_options_are_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(20, 20, 3);
    SiltRenderOptions options = map_options();
    SiltImage image;
    strcpy(options.overlay, "floww");
    assert_fails(silt_render(terrain, &options, &image), SILT_BAD_ARGUMENT,
                 "render: there is no layer 'floww' to lay over the picture; there is: height");
    assert_null(image.rgba);
    options = map_options();
    options.fov = 500.0;
    assert_fails(silt_render(terrain, &options, &image), SILT_BAD_ARGUMENT,
                 "fov = 500 deg is above its maximum");
    silt_terrain_destroy(terrain);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(30, 30, 3);
    SiltRenderOptions options = map_options();
    SiltField *flow;
    options.width = 20;
    options.sun = 80.0; // the sweep that needs more memory
    strcpy(options.overlay, "flow");
    assert_ok(silt_terrain_require(terrain, "flow", &flow));
    silt_field_row(flow, 3)[3] = 1.0f;
    SiltStatus status = SILT_NO_MEMORY;
    int count = 0;
    for (long n = 1; status != SILT_OK; n++) {
        SiltImage image;
        silt_fail_allocation(n);
        status = silt_render(terrain, &options, &image);
        silt_fail_allocation(0);
        if (status != SILT_OK) {
            assert_int_equal(status, SILT_NO_MEMORY);
            assert_null(image.rgba);
            count++;
        }
        silt_image_destroy(&image);
    }
    assert_true(count > 5);
    silt_terrain_destroy(terrain);
}

// ---- before and after ----

static void two_terrains_share_a_picture(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(40, 30, 3), *other = hills(30, 40, 3);
    SiltRenderOptions options = map_options();
    SiltImage side, wipe, alone;
    assert_ok(silt_render_pair(terrain, terrain, &options, &side));
    assert_int_equal(side.width, 80);
    assert_memory_equal(side.rgba + 40, side.rgba + 160 + 40, 100);
    silt_image_destroy(&side);
    options.compare = SILT_COMPARE_WIPE;
    assert_ok(silt_render_pair(terrain, terrain, &options, &wipe));
    assert_ok(silt_render(terrain, &options, &alone));
    assert_int_equal(wipe.width, 40);
    assert_memory_equal(wipe.rgba, alone.rgba, 18 * 4);
    assert_fails(silt_render_pair(terrain, other, &options, &side), SILT_BAD_ARGUMENT, "need the same shape");
    silt_image_destroy(&wipe);
    silt_image_destroy(&alone);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_are_as_long_as_they_should),
        cmocka_unit_test(the_sky_is_open_on_plains_and_narrow_in_pits),
        cmocka_unit_test(maps_do_not_depend_on_threads),
        cmocka_unit_test(cells_without_data_are_clear),
        cmocka_unit_test(the_change_since_is_drawn),
        cmocka_unit_test(maps_have_the_size_asked_for),
        cmocka_unit_test(maps_are_neither_black_nor_blown_out),
        cmocka_unit_test(overlays_have_the_colours_of_the_legend),
        cmocka_unit_test(deposits_are_red_where_they_lie),
        cmocka_unit_test(deposits_are_graded_by_amount),
        cmocka_unit_test(dry_land_is_red),
        cmocka_unit_test(the_sea_stands_up_to_its_height),
        cmocka_unit_test(maps_keep_their_cells_beside_a_legend),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(two_terrains_share_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
