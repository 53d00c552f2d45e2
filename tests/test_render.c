// Maps drawn on the CPU, and what all pictures share: light, scales, cameras, comparison, films.
#include "test.h"

#include <sys/stat.h>

#include "files.h"
#include "io/picture.h"
#include "render/camera.h"
#include "render/legend.h"
#include "render/light.h"
#include "silt/render.h"
#include "terrains.h"

static SiltRenderOptions map_options(void)
{
    SiltRenderOptions options;
    assert_ok(silt_params_init(&silt_render_params, &options));
    options.view = SILT_VIEW_MAP;
    return options;
}

static size_t image_bytes(const SiltImage *image)
{
    return (size_t)image->width * (size_t)image->height * 4;
}

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

// ---- overlays ----

static void scales_follow_the_values(void **state)
{
    (void)state;
    SiltField field = {0};
    SiltScale scale;
    assert_ok(silt_field_create(100, 100, &field));
    for (int k = 0; k < 10000; k++) // powers of ten from 1 to a million
        silt_field_row(&field, k / 100)[k % 100] = powf(10.0f, 6.0f * powf((float)k / 9999.0f, 4.0f));
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_LOG);
    for (int k = 0; k < 10000; k++)
        silt_field_row(&field, k / 100)[k % 100] = (float)(k - 3000);
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_DIVERGING);
    assert_near(silt_scale_place(&scale, 0.0f), 0.5, 1e-6);
    silt_field_scale(&field, 1.0f, 20000.0f);
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_LINEAR);
    for (float value = 15000.0f; value < 30000.0f; value += 100.0f)
        assert_true(silt_scale_place(&scale, value) <= silt_scale_place(&scale, value + 100.0f));
    assert_near(silt_scale_place(&scale, NAN), 0.0, 0.0);
    silt_field_fill(&field, 7.0f); // all alike
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_true(scale.high > scale.low);
    double ticks[5];
    assert_int_equal(silt_scale_ticks(&scale, 5, ticks), 1); // and the legend names the one value
    assert_near(ticks[0], 7.0, 0.0);
    silt_field_row(&field, 0)[0] = 9.0f; // few whole numbers have no halves between them
    silt_field_row(&field, 0)[1] = 8.0f;
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(silt_scale_ticks(&scale, 5, ticks), 3);
    assert_near(ticks[1], 8.0, 0.0);
    silt_field_destroy(&field);
}

static void ticks_are_round_and_inside(void **state)
{
    (void)state;
    const SiltScale scales[] = {{SILT_SCALE_LINEAR, 0.0, 1.0},
                                {SILT_SCALE_LINEAR, 315.0, 2295.0},
                                {SILT_SCALE_DIVERGING, -0.3, 0.3},
                                {SILT_SCALE_LOG, 0.02, 31000.0},
                                {SILT_SCALE_LINEAR, -9e-5, -1e-5}};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        double ticks[5], slack = 1e-9 * (scales[s].high - scales[s].low);
        int count = silt_scale_ticks(&scales[s], 5, ticks);
        assert_in_range(count, 2, 5);
        for (int k = 0; k < count; k++) {
            assert_true(ticks[k] >= scales[s].low - slack && ticks[k] <= scales[s].high + slack);
            assert_true(k == 0 || ticks[k] > ticks[k - 1]);
        }
    }
}

static void the_legend_stays_in_its_corner(void **state)
{
    (void)state;
    enum { WIDTH = 400, HEIGHT = 300 };
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    SiltImage image = {WIDTH, HEIGHT, pixels};
    SiltScale scale = {SILT_SCALE_LOG, 0.01, 1e7};
    memset(pixels, 0, sizeof pixels);
    silt_legend_draw(&image, "velocity_x", "m3/s", &scale);
    int inside = 0;
    for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++) {
            bool corner = i > WIDTH / 4 && j > HEIGHT / 2, drawn = pixels[(j * WIDTH + i) * 4 + 3] > 0;
            assert_true(corner || !drawn);
            inside += drawn;
        }
    assert_true(inside > 1000);
    SiltImage tiny = {20, 20, pixels};
    memset(pixels, 0, sizeof pixels);
    silt_legend_draw(&tiny, "flow", "m3/s", &scale);
    for (int k = 0; k < 20 * 20 * 4; k++)
        assert_int_equal(pixels[k], 0);
}

// ---- cameras ----

static void project(const float matrix[16], const double at[3], double out[2])
{
    double clip[4];
    for (int r = 0; r < 4; r++)
        clip[r] = matrix[r] * at[0] + matrix[4 + r] * at[1] + matrix[8 + r] * at[2] + matrix[12 + r];
    out[0] = clip[0] / clip[3];
    out[1] = clip[1] / clip[3];
}

static void the_whole_terrain_is_in_the_picture(void **state)
{
    (void)state;
    const int sizes[][2] = {{64, 64}, {200, 20}, {20, 200}};
    for (size_t s = 0; s < 3; s++) {
        SiltTerrain *terrain = hills(sizes[s][0], sizes[s][1], 3);
        for (int turn = 0; turn < 360; turn += 30)
            for (int view = SILT_VIEW_THREE_QUARTER; view <= SILT_VIEW_TOP; view++) {
                SiltRenderOptions options = map_options();
                SiltRange range;
                options.view = view;
                assert_ok(silt_range_of(terrain, &options, &range));
                SiltCamera camera = silt_camera(terrain, &options, &range, turn, 320, 200);
                SiltTile whole = {0, 0, 320, 200};
                float matrix[16];
                silt_camera_matrix(&camera, 320, 200, &whole, matrix);
                double widest = 0.0;
                for (int k = 0; k < 8; k++) {
                    double corner[3] = {(k & 1 ? 5.0 : -5.0) * terrain->width,
                                        (k & 2 ? 5.0 : -5.0) * terrain->height,
                                        k & 4 ? range.high - range.low : 0.0};
                    double at[2];
                    project(matrix, corner, at);
                    assert_true(fabs(at[0]) < 1.0 && fabs(at[1]) < 1.0);
                    widest = fmax(widest, fmax(fabs(at[0]), fabs(at[1])));
                }
                assert_true(widest > 0.85); // and fills it
            }
        silt_terrain_destroy(terrain);
    }
}

static void tiles_are_parts_of_the_picture(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(64, 64, 3);
    SiltRenderOptions options = map_options();
    SiltRange range;
    options.view = SILT_VIEW_THREE_QUARTER;
    assert_ok(silt_range_of(terrain, &options, &range));
    SiltCamera camera = silt_camera(terrain, &options, &range, 0.0, 300, 200);
    SiltTile whole = {0, 0, 300, 200}, tile = {100, 50, 64, 32};
    float all[16], part[16];
    silt_camera_matrix(&camera, 300, 200, &whole, all);
    silt_camera_matrix(&camera, 300, 200, &tile, part);
    double place[3] = {30.0, -70.0, 50.0}, in_all[2], in_part[2];
    project(all, place, in_all);
    project(part, place, in_part);
    assert_near(100.0 + (in_part[0] + 1.0) * 32.0, (in_all[0] + 1.0) * 150.0, 1e-3);
    assert_near(50.0 + (in_part[1] + 1.0) * 16.0, (in_all[1] + 1.0) * 100.0, 1e-3);
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

// ---- files ----

static void pictures_come_back_from_files(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(33, 21, 3);
    SiltRenderOptions options = map_options();
    assert_ok(silt_render_file(terrain, &options, test_path("a.ppm")));
    struct stat info;
    assert_int_equal(stat(test_path("a.ppm"), &info), 0);
    assert_int_equal(info.st_size, (off_t)strlen("P6\n33 21\n255\n") + 33 * 21 * 3);
    assert_fails(silt_render_file(terrain, &options, test_path("a.jpg")), SILT_BAD_ARGUMENT,
                 "ends in .png or .ppm");
    assert_fails(silt_render_file(terrain, &options, test_path("no/where/a.ppm")), SILT_IO_ERROR,
                 "no/where/a.ppm");
#ifdef SILT_HAS_PNG
    SiltImage image;
    int width, height;
    uint8_t *rgba;
    assert_ok(silt_render(terrain, &options, &image));
    assert_ok(silt_image_write(&image, test_path("a.png")));
    assert_ok(silt_png_read_rgba(test_path("a.png"), &width, &height, &rgba));
    assert_int_equal(width, 33);
    assert_int_equal(height, 21);
    assert_memory_equal(rgba, image.rgba, image_bytes(&image));
    silt_free(rgba);
    silt_image_destroy(&image);
#endif
    silt_terrain_destroy(terrain);
}

static void films_can_be_numbered_pictures(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    SiltRenderOptions options = map_options();
    SiltFilm *film;
    assert_ok(silt_film_begin(test_path("f%03d.ppm"), &options, 25.0, &film));
    for (int k = 0; k < 3; k++)
        assert_ok(silt_film_add(film, k == 0 ? terrain : NULL, 0.0));
    assert_int_equal(silt_film_frame_count(film), 3);
    assert_ok(silt_film_end(film, SILT_OK));
    assert_int_equal(access(test_path("f000.ppm"), R_OK), 0);
    assert_int_equal(access(test_path("f002.ppm"), R_OK), 0);
    assert_int_not_equal(access(test_path("f003.ppm"), R_OK), 0);
    assert_fails(silt_film_begin(test_path("f.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT, "%d or %04d");
    assert_fails(silt_film_begin(test_path("f%d%d.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "%d or %04d");
    assert_fails(silt_film_begin(test_path("f%s.ppm"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "%d or %04d");
    assert_fails(silt_film_begin(test_path("f.avi"), &options, 25.0, &film), SILT_BAD_ARGUMENT,
                 "a film ends in .mp4");
    assert_fails(silt_film_begin(test_path("f%d.ppm"), &options, 0.0, &film), SILT_BAD_ARGUMENT, "fps = 0");
    silt_terrain_destroy(terrain);
}

// Puts a shell script in the place of ffmpeg; NULL takes ffmpeg away.
static char *old_path;

static void pretend_ffmpeg(const char *script)
{
    char folder[512];
    assert_non_null(getcwd(folder, 256));
    strcat(folder, "/");
    strcat(folder, test_folder);
    if (script) {
        put_file(test_path("ffmpeg"), script, strlen(script));
        assert_int_equal(chmod(test_path("ffmpeg"), 0755), 0);
    } else {
        remove(test_path("ffmpeg"));
    }
    if (!old_path)
        old_path = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
}

static int forget_ffmpeg(void **state)
{
    (void)state;
    if (old_path)
        setenv("PATH", old_path, 1);
    free(old_path);
    old_path = NULL;
    remove(test_path("ffmpeg"));
    return 0;
}

static SiltStatus film_of(const SiltTerrain *terrain, const char *path, int frames)
{
    SiltRenderOptions options = map_options();
    SiltFilm *film;
    SiltStatus status = silt_film_begin(path, &options, 25.0, &film);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < frames && status == SILT_OK; k++)
        status = silt_film_add(film, terrain, 0.0);
    return silt_film_end(film, status);
}

static void a_missing_ffmpeg_is_named(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    pretend_ffmpeg(NULL);
    assert_fails(film_of(terrain, test_path("f.mp4"), 2), SILT_MISSING_FEATURE, "install the package ffmpeg");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    silt_terrain_destroy(terrain);
}

static void an_ffmpeg_that_dies_is_quoted_and_leaves_nothing(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(300, 300, 3);
    int before = count_files(test_folder);
    pretend_ffmpeg("#!/bin/sh\necho 'the codec is out of tea' >&2\nexit 3\n");
    assert_fails(film_of(terrain, test_path("f.mp4"), 50), SILT_IO_ERROR,
                 "f.mp4: ffmpeg failed: the codec is out of tea");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    pretend_ffmpeg("#!/bin/sh\nread line\nkill -9 $$\n");
    assert_fails(film_of(terrain, test_path("f.mp4"), 50), SILT_IO_ERROR, "f.mp4: ffmpeg was killed");
    assert_int_not_equal(access(test_path("f.mp4"), F_OK), 0);
    remove(test_path("ffmpeg"));
    assert_int_equal(count_files(test_folder), before);
    silt_terrain_destroy(terrain);
}

static void a_content_ffmpeg_leaves_a_film(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(16, 16, 3);
    // writes what it reads to its last word
    pretend_ffmpeg("#!/bin/sh\nfor to; do :; done\nexec /bin/cat >\"$to\"\n");
    assert_ok(film_of(terrain, test_path("f.mp4"), 3));
    struct stat info;
    assert_int_equal(stat(test_path("f.mp4"), &info), 0);
    assert_int_equal(info.st_size, 3 * 16 * 16 * 4);
    assert_fails(film_of(terrain, test_path("f.mp4/where/f.mp4"), 3), SILT_IO_ERROR, "f.mp4: cannot make");
    remove(test_path("f.mp4"));
    silt_terrain_destroy(terrain);
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
        cmocka_unit_test(the_sea_stands_up_to_its_height),
        cmocka_unit_test(maps_keep_their_cells_beside_a_legend),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(scales_follow_the_values),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(the_legend_stays_in_its_corner),
        cmocka_unit_test(the_whole_terrain_is_in_the_picture),
        cmocka_unit_test(tiles_are_parts_of_the_picture),
        cmocka_unit_test(two_terrains_share_a_picture),
        cmocka_unit_test(pictures_come_back_from_files),
        cmocka_unit_test(films_can_be_numbered_pictures),
        cmocka_unit_test_teardown(a_missing_ffmpeg_is_named, forget_ffmpeg),
        cmocka_unit_test_teardown(an_ffmpeg_that_dies_is_quoted_and_leaves_nothing, forget_ffmpeg),
        cmocka_unit_test_teardown(a_content_ffmpeg_leaves_a_film, forget_ffmpeg),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
