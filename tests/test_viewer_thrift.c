// A window without a card, while a run plays: pictures of few cells, read from memory.
#include "test.h"

#ifdef SILT_HAS_GL
#include "render/scene_inside.h"
#include "viewer_help.h"

// ---- blocks of cells ----

static SiltTerrain *uneven_land(int width, int height, bool with_holes)
{
    SiltTerrain *land;
    SiltField *water;
    assert_ok(silt_terrain_create(width, height, 10.0, &land));
    assert_ok(silt_terrain_require(land, "water", &water));
    if (with_holes)
        assert_ok(silt_terrain_require_nodata(land));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            silt_field_row(silt_terrain_layer(land, "height"), j)[i] = (float)((i * 37 + j * 91) % 101);
            silt_field_row(water, j)[i] = (float)((i * 11 + j * 5) % 7);
            if (with_holes && (i * 7 + j * 3) % 5 < 2)
                land->nodata[(size_t)j * (size_t)width + (size_t)i] = 1;
        }
    return land;
}

static SiltPack pack_of(const SiltTerrain *land, const SiltField *sky)
{
    return (SiltPack){.terrain = land,
                      .height = silt_terrain_layer(land, "height"),
                      .water = silt_terrain_layer(land, "water"),
                      .sky = sky,
                      .rise = 1.0f};
}

static double mean_of(const SiltTerrain *land, const char *layer, int side, int i, int j)
{
    double sum = 0.0;
    int count = 0;
    for (int y = j * side; y < (j + 1) * side && y < land->height; y++)
        for (int x = i * side; x < (i + 1) * side && x < land->width; x++)
            if (!silt_terrain_is_nodata(land, x, y)) {
                sum += (double)silt_field_at(silt_terrain_layer(land, layer), x, y);
                count++;
            }
    return count ? sum / count : 0.0;
}

// Of any size, with and without holes; and a part that changes leaves what a whole would.
static void a_block_is_the_mean_of_its_cells(void **state)
{
    (void)state;
    static const int sides[] = {2, 3, 4, 8};
    for (int n = 0; n < 4; n++)
        for (int holes = 0; holes < 2; holes++) {
            SiltTerrain *land = uneven_land(61, 43, holes);
            const SiltField *sky = silt_terrain_layer(land, "height");
            int side = sides[n];
            SiltFew few = {.side = side};
            SiltRect none = {0}, part = {17, 9, 13, 20};
            SiltPack pack = pack_of(land, sky);
            assert_ok(silt_few_take(&few, &pack, &none, &none, &none)); // the first is of everything
            for (int j = part.j; j < part.j + part.height; j++)
                for (int i = part.i; i < part.i + part.width; i++)
                    silt_field_row(silt_terrain_layer(land, "water"), j)[i] += 9.0f;
            pack = pack_of(land, sky);
            assert_ok(silt_few_take(&few, &pack, &none, &part, &none));
            assert_near((double)pack.rise, 1.0 / side, 1e-6);
            assert_int_equal(pack.terrain->width, (61 + side - 1) / side);
            for (int j = 0; j < pack.terrain->height; j++)
                for (int i = 0; i < pack.terrain->width; i++) {
                    assert_near((double)silt_field_at(pack.height, i, j), mean_of(land, "height", side, i, j),
                                1e-4);
                    assert_near((double)silt_field_at(pack.water, i, j), mean_of(land, "water", side, i, j),
                                1e-4);
                }
            silt_few_end(&few);
            silt_terrain_destroy(land);
        }
}

// ---- pictures ----

static void play_on(Window *window, SiltTerrain *terrain, int frames)
{
    SiltRect all = {0, 0, terrain->width, terrain->height};
    for (int k = 0; k < frames; k++) {
        int drawn[2];
        change(window, terrain, "height", all, 0.25f);
        change(window, terrain, "water", all, 0.01f);
        assert_ok(silt_viewer_draw_apart(window->viewer, WIDE, HIGH, false, drawn));
    }
}

static SiltImage read_apart_of(Window *window, int wide, int drawn[2])
{
    SiltImage image;
    assert_ok(silt_viewer_draw_apart(window->viewer, wide, HIGH, false, drawn));
    image = (SiltImage){drawn[0], drawn[1], NULL};
    assert_ok(silt_alloc_for("a picture", (size_t)(drawn[0] * drawn[1]), 4, (void **)&image.rgba));
    glReadPixels(0, 0, drawn[0], drawn[1], GL_RGBA, GL_UNSIGNED_BYTE, image.rgba);
    return image;
}

static SiltImage read_apart(Window *window, int drawn[2])
{
    return read_apart_of(window, WIDE, drawn);
}

// Half as large, of fewer cells, and the same land.
static void a_thrifty_picture_looks_alike(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltImage images[2];
    for (int thrifty = 0; thrifty < 2; thrifty++) {
        Window window;
        int drawn[2];
        SiltTerrain *own;
        assert_ok(silt_terrain_clone(terrain, &own));
        open_window(&window, own);
        glance(&window, false);
        window.viewer->pace = (SiltPace){.level = 3, .is_known = true};
        silt_viewer_set_thrifty(window.viewer, thrifty);
        play_on(&window, own, 3);
        change(&window, own, "height", (SiltRect){0, 0, own->width, own->height}, 0.25f);
        images[thrifty] = read_apart(&window, drawn);
        assert_true(drawn[0] == WIDE / 2 && drawn[1] == HIGH / 2);
        close_window(&window);
        silt_terrain_destroy(own);
    }
    double sum = 0.0;
    int count = images[0].width * images[0].height * 4;
    for (int k = 0; k < count; k++)
        sum += abs(images[0].rgba[k] - images[1].rgba[k]);
    assert_true(sum > 0.0);         // it is of fewer cells
    assert_true(sum / count < 6.0); // of 255
    silt_image_destroy(&images[0]);
    silt_image_destroy(&images[1]);
    silt_terrain_destroy(terrain);
}

static double away(const SiltImage *a, const SiltImage *b)
{
    double sum = 0.0;
    int count = a->width * a->height * 4;
    assert_true(a->width == b->width && a->height == b->height);
    for (int k = 0; k < count; k++)
        sum += abs(a->rgba[k] - b->rgba[k]);
    return sum / count;
}

// What plays until its light is that of the land it shows: from then on, new water alone is new.
static void play_until_lit(Window *window, SiltTerrain *terrain)
{
    int drawn[2];
    play_on(window, terrain, 2);
    for (int k = 0;
         k < 1000 && (window->viewer->stale & SILT_STALE_LIGHT || window->viewer->daylight.is_busy); k++)
        assert_ok(silt_viewer_draw_apart(window->viewer, WIDE, HIGH, false, drawn));
    assert_ok(silt_viewer_draw_apart(window->viewer, WIDE, HIGH, false, drawn));
}

// Water that has come is in the next picture, over the ground of the one before; it looks as it does where
// all is drawn anew; and what is drawn anew has the new ground.
static void new_water_lies_over_the_old_ground(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    SiltRect all = {0, 0, terrain->width, terrain->height}, none = {0};
    SiltRect lake = {terrain->width / 4, terrain->height / 4, terrain->width / 2, terrain->height / 2};
    Window window;
    int drawn[2];
    open_window(&window, terrain);
    glance(&window, false);
    silt_viewer_set_thrifty(window.viewer, true);
    play_until_lit(&window, terrain);
    SiltImage before = read_apart(&window, drawn);
    change(&window, terrain, "water", lake, 3.0f);
    SiltImage washed = read_apart(&window, drawn);
    assert_true(memcmp(&window.viewer->heights, &none, sizeof none) == 0);
    assert_true(silt_scene_can_wash(window.viewer->scene));
    assert_false(window.viewer->ground_is_new);
    assert_true(window.viewer->covers.width > 0); // it waits for a picture of another kind
    assert_true(away(&before, &washed) > 1.0);
    change(&window, terrain, "height", all, 0.0f);
    SiltImage anew = read_apart(&window, drawn);
    assert_true(away(&washed, &anew) < 0.3);
    assert_true(away(&washed, &anew) < 0.1 * away(&before, &washed));
    change(&window, terrain, "height", lake, 40.0f);
    SiltImage risen = read_apart(&window, drawn);
    assert_true(away(&risen, &anew) > 1.0);
    silt_image_destroy(&before);
    silt_image_destroy(&washed);
    silt_image_destroy(&anew);
    silt_image_destroy(&risen);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// Where something else than water has changed, a picture of old ground would be a wrong one: each of these is
// held against one whose ground was drawn for it.
static void old_ground_is_left_when_it_does_not_fit(void **state)
{
    (void)state;
    enum { TURNS, RISES, SEA, SUN, LOOK, SHRINKS, CHANGES };
    for (int what = 0; what < CHANGES; what++) {
        SiltTerrain *terrain = mountains();
        SiltRect lake = {terrain->width / 4, terrain->height / 4, terrain->width / 2, terrain->height / 2};
        Window window;
        int drawn[2], wide = WIDE;
        open_window(&window, terrain);
        glance(&window, false);
        silt_viewer_set_thrifty(window.viewer, true);
        play_until_lit(&window, terrain);
        SiltImage before = read_apart(&window, drawn);
        change(&window, terrain, "water", lake, 0.5f);
        SiltRenderOptions options = window.viewer->options;
        SiltGaze gaze = silt_viewer_gaze(window.viewer);
        gaze.turn += what == TURNS ? 40.0 : 0.0;
        silt_viewer_set_gaze(window.viewer, &gaze, true);
        if (what == RISES)
            change(&window, terrain, "height", lake, 30.0f); // by hand
        options.sea = what == SEA ? window.viewer->shown.own.low + 60.0 : options.sea;
        options.sun = what == SUN ? 120.0 : options.sun;
        options.look = what == LOOK ? SILT_LOOK_CONTOURS : options.look;
        if (memcmp(&options, &window.viewer->options, sizeof options) != 0)
            assert_ok(silt_viewer_set_options(window.viewer, &options));
        wide = what == SHRINKS ? WIDE - 40 : WIDE;
        SiltImage washed = read_apart_of(&window, wide, drawn);
        window.viewer->ground_is_new = true;
        window.viewer->stale |= SILT_STALE_PICTURE;
        SiltImage anew = read_apart_of(&window, wide, drawn);
        assert_true(what == SHRINKS || away(&before, &washed) > 1.0);
        assert_true(away(&washed, &anew) < 0.3);
        silt_image_destroy(&before);
        silt_image_destroy(&washed);
        silt_image_destroy(&anew);
        close_window(&window);
        silt_terrain_destroy(terrain);
    }
}

// A mark appears over a land that plays: a picture of another kind, for which nothing waits that came as
// water alone.
static void a_mark_over_new_water_has_all_of_it(void **state)
{
    (void)state;
    SiltMark mark = {
        .kind = SILT_MARK_RING, .places = {{300.0, 300.0}}, .radius = 100.0, .colour = {1, 1, 1, 1}};
    SiltImage images[2];
    for (int played = 0; played < 2; played++) {
        SiltTerrain *terrain = mountains();
        SiltRect lake = {terrain->width / 4, terrain->height / 4, terrain->width / 2, terrain->height / 2};
        Window window;
        int drawn[2];
        open_window(&window, terrain);
        glance(&window, false);
        silt_viewer_set_thrifty(window.viewer, true);
        play_until_lit(&window, terrain);
        change(&window, terrain, "water", lake, 3.0f);
        if (played)
            assert_ok(silt_viewer_draw_apart(window.viewer, WIDE, HIGH, false, drawn)); // water alone
        assert_ok(silt_viewer_set_marks(window.viewer, &mark, 1));
        window.viewer->pace = (SiltPace){.level = 3, .is_known = true}; // whatever else the machine does
        images[played] = read_apart(&window, drawn);
        assert_true(drawn[0] == WIDE && drawn[1] == HIGH);
        assert_int_equal(window.viewer->covers.width, 0);
        assert_int_equal(window.viewer->waters.width, 0);
        close_window(&window);
        silt_terrain_destroy(terrain);
    }
    assert_true(away(&images[0], &images[1]) < 0.3); // light may have come meanwhile
    silt_image_destroy(&images[0]);
    silt_image_destroy(&images[1]);
}

static void what_rests_is_as_though_there_had_been_no_thrift(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window live, fresh;
    open_window(&live, terrain);
    glance(&live, false);
    silt_viewer_set_thrifty(live.viewer, true);
    play_on(&live, terrain, 3);
    assert_true(silt_ground_thin(&live.viewer->scene->ground) > 1);
    change(&live, terrain, "water", (SiltRect){10, 10, 9, 5}, 3.0f); // a hand, meanwhile
    glance(&live, false);
    silt_viewer_set_thrifty(live.viewer, false);
    SiltImage rested = picture_of(&live);
    assert_int_equal(silt_ground_thin(&live.viewer->scene->ground), 1);
    SiltGaze gaze = silt_viewer_gaze(live.viewer);
    close_window(&live);
    open_window(&fresh, terrain);
    silt_viewer_set_gaze(fresh.viewer, &gaze, true);
    assert_same(rested, picture_of(&fresh));
    close_window(&fresh);
    silt_terrain_destroy(terrain);
}

// What lies over a picture is as sharp as ever: then it is drawn as large as it is seen, and the same.
static void marks_are_never_small(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    int drawn[2];
    open_window(&window, terrain);
    SiltMark mark = {
        .kind = SILT_MARK_RING, .places = {{300.0, 300.0}}, .radius = 100.0, .colour = {1, 1, 1, 1}};
    assert_ok(silt_viewer_set_marks(window.viewer, &mark, 1));
    glance(&window, false);
    silt_viewer_set_thrifty(window.viewer, true);
    SiltImage image = read_apart(&window, drawn);
    assert_true(drawn[0] == WIDE && drawn[1] == HIGH);
    static uint8_t same[WIDE * HIGH * 4];
    assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDE, HIGH, false));
    glBindFramebuffer(GL_FRAMEBUFFER, window.frame);
    glReadPixels(0, 0, WIDE, HIGH, GL_RGBA, GL_UNSIGNED_BYTE, same);
    assert_memory_equal(same, image.rgba, sizeof same);
    silt_image_destroy(&image);
    assert_ok(silt_viewer_draw_apart(window.viewer, 0, 10, false, drawn)); // a window of no size
    assert_true(drawn[0] == 0 && drawn[1] == 0);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

MAIN_THAT_DRAWS(cmocka_unit_test(a_block_is_the_mean_of_its_cells),
                cmocka_unit_test(a_thrifty_picture_looks_alike),
                cmocka_unit_test(new_water_lies_over_the_old_ground),
                cmocka_unit_test(old_ground_is_left_when_it_does_not_fit),
                cmocka_unit_test(a_mark_over_new_water_has_all_of_it),
                cmocka_unit_test(what_rests_is_as_though_there_had_been_no_thrift),
                cmocka_unit_test(marks_are_never_small))

#else

int main(void)
{
    return 77;
}

#endif
