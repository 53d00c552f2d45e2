// The renderer of a window, off-screen. Skipped where there is no GL.
#include "test.h"

#ifdef SILT_HAS_GL
#include "viewer_help.h"

static void a_window_shows_what_a_picture_shows(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    SiltImage wanted;
    SiltRenderOptions options;
    open_window(&window, terrain);
    SiltImage drawn = look(&window, true);
    silt_viewer_as_options(window.viewer, &options);
    assert_ok(silt_render(terrain, &options, &wanted));
    assert_memory_equal(drawn.rgba, wanted.rgba, WIDE * HIGH * 4);
    silt_image_destroy(&drawn);
    silt_image_destroy(&wanted);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void what_is_picked_lies_under_the_pixel(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    int hits = 0;
    open_window(&window, terrain);
    glance(&window, false);
    for (int y = 2; y < HIGH; y += 7)
        for (int x = 3; x < WIDE; x += 7) {
            SiltPick pick;
            double at[2];
            if (!silt_viewer_pick(window.viewer, x, y, &pick))
                continue;
            hits++;
            assert_true(silt_viewer_project(window.viewer, pick.place, at));
            assert_near(at[0], x, 1e-6);
            assert_near(at[1], y, 1e-6);
        }
    assert_true(hits > 40); // of 391; the land is a third of the picture
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void zoom_keeps_the_place_under_the_pointer(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    glance(&window, false);
    SiltPick pick;
    double at[2];
    assert_true(silt_viewer_pick(window.viewer, 60, 70, &pick));
    for (int k = 0; k < 6; k++) {
        silt_viewer_zoom(window.viewer, 60, 70, k < 4 ? 1.3 : 0.8);
        silt_viewer_animate(window.viewer, 0.03); // also on the way
        assert_true(silt_viewer_project(window.viewer, pick.place, at));
        assert_near(at[0], 60, 0.01);
        assert_near(at[1], 70, 0.01);
    }
    come_to_rest(window.viewer);
    assert_true(silt_viewer_project(window.viewer, pick.place, at));
    assert_near(at[0], 60, 0.01);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// ---- what changes ----

static void an_update_shows_what_showing_would(void **state)
{
    (void)state;
    static const struct {
        const char *overlay;
        double sea;
    } cases[] = {{"", NAN}, {"flow", NAN}, {"", -100.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain = mountains();
        Window live, fresh;
        SiltField *ice;
        assert_ok(silt_terrain_require(terrain, "ice", &ice));
        open_window(&live, NULL);
        SiltRenderOptions options = *silt_viewer_options(live.viewer);
        strcpy(options.overlay, cases[k].overlay);
        options.sea = cases[k].sea;
        options.sediment = true;
        assert_ok(silt_viewer_set_options(live.viewer, &options));
        assert_ok(silt_viewer_show(live.viewer, &(SiltMotif){.terrain = terrain}));
        glance(&live, false);
        const char *layers[] = {"height", "water", "sediment", "ice", "flow"};
        for (int n = 0; n < 10; n++) {
            change(&live, terrain, layers[n % 5], (SiltRect){5 + 9 * n, 70 - 6 * n, 20 + n, 11}, 3.0f);
            glance(&live, false);
        }
        SiltImage updated = picture_of(&live);
        SiltGaze gaze = silt_viewer_gaze(live.viewer);
        close_window(&live);
        open_window(&fresh, NULL);
        assert_ok(silt_viewer_set_options(fresh.viewer, &options));
        assert_ok(silt_viewer_show(fresh.viewer, &(SiltMotif){.terrain = terrain}));
        silt_viewer_set_gaze(fresh.viewer, &gaze, true);
        assert_same(updated, picture_of(&fresh));
        close_window(&fresh);
        silt_terrain_destroy(terrain);
    }
}

// Drawn before the light has followed, the new slope is seen already, and the light comes by itself.
static void light_follows_in_the_background_of_frames(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    SiltImage before = look(&window, false);
    change(&window, terrain, "height", (SiltRect){40, 40, 40, 40}, 10.0f);
    SiltImage after = look(&window, false);
    assert_true(memcmp(before.rgba, after.rgba, WIDE * HIGH * 4) != 0);
    assert_true(window.viewer->stale & SILT_STALE_LIGHT || window.viewer->daylight.is_busy);
    for (int k = 0; k < 60; k++)
        glance(&window, false);
    assert_false(window.viewer->stale & SILT_STALE_LIGHT || window.viewer->daylight.is_busy);
    silt_image_destroy(&before);
    silt_image_destroy(&after);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void bad_updates_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    const float one = 1.0f;
    open_window(&window, NULL);
    SiltRect rect = {0, 0, 1, 1};
    assert_int_equal(silt_viewer_update(window.viewer, "height", &rect, &one, 1), SILT_BAD_ARGUMENT);
    assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDE, HIGH, true)); // nothing is shown yet
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.terrain = terrain}));
    rect.i = 128;
    assert_int_equal(silt_viewer_update(window.viewer, "height", &rect, &one, 1), SILT_BAD_ARGUMENT);
    rect.i = -1;
    assert_int_equal(silt_viewer_update(window.viewer, "height", &rect, &one, 1), SILT_BAD_ARGUMENT);
    // what cannot be shown leaves what is
    SiltImage before = look(&window, true);
    assert_int_equal(silt_viewer_show(window.viewer, &(SiltMotif){0}), SILT_BAD_ARGUMENT);
    silt_field_row(&terrain->layers[0]->field, 3)[3] = NAN;
    assert_true(silt_viewer_show(window.viewer, &(SiltMotif){.terrain = terrain}) != SILT_OK);
    assert_same(before, look(&window, true));
    assert_ok(silt_viewer_draw(window.viewer, window.frame, 0, 0, true));
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// ---- over the picture ----

static void marks_are_seen_where_they_are(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    SiltPick pick;
    double at[2];
    open_window(&window, terrain);
    SiltImage plain = look(&window, true);
    assert_true(silt_viewer_pick(window.viewer, 80, 55, &pick));
    SiltMark marks[3] = {
        {.kind = SILT_MARK_HANDLE, .radius = 300.0, .colour = {1.0f, 0.0f, 1.0f, 1.0f}},
        {.kind = SILT_MARK_RING, .radius = 500.0, .inner = 0.5f, .colour = {0.0f, 1.0f, 0.0f, 1.0f}},
        {.kind = SILT_MARK_LINE, .places = {{300.0, 300.0}, {2000.0, 2200.0}}, .colour = {1, 1, 0, 1}}};
    for (int k = 0; k < 2; k++)
        memcpy(marks[k].places[0], pick.place, sizeof marks[k].places[0]);
    assert_ok(silt_viewer_set_marks(window.viewer, marks, 3));
    SiltImage marked = look(&window, true);
    assert_true(silt_viewer_project(window.viewer, pick.place, at));
    const uint8_t *knob = marked.rgba + ((size_t)at[1] * WIDE + (size_t)at[0]) * 4;
    assert_true(knob[0] > 230 && knob[1] < 30 && knob[2] > 230);
    int green = 0;
    for (int k = 0; k < WIDE * HIGH; k++)
        green += marked.rgba[4 * k + 1] > marked.rgba[4 * k] + 60 && marked.rgba[4 * k + 3] == 255;
    assert_true(green > 30);
    SiltImage picture = picture_of(&window); // without them
    assert_memory_equal(picture.rgba, plain.rgba, WIDE * HIGH * 4);
    assert_ok(silt_viewer_set_marks(window.viewer, NULL, 0));
    SiltImage unmarked = look(&window, false); // where only marks move, the picture stays as fine as it was
    assert_memory_equal(unmarked.rgba, plain.rgba, WIDE * HIGH * 4);
    assert_same(plain, unmarked);
    silt_image_destroy(&marked);
    silt_image_destroy(&picture);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void a_wipe_shows_before_on_the_left(void **state)
{
    (void)state;
    SiltTerrain *before = mountains(), *after = mountains();
    fill_hills(&after->layers[0]->field, 8, 64, 6, 600.0f);
    Window window;
    SiltRenderOptions options;
    SiltImage wanted;
    open_window(&window, after);
    assert_ok(silt_viewer_compare(window.viewer, before, 0.5));
    SiltImage both = picture_of(&window);
    SiltImage drawn = look(&window, true);
    silt_viewer_as_options(window.viewer, &options);
    options.compare = SILT_COMPARE_WIPE;
    assert_ok(silt_render_pair(before, after, &options, &wanted));
    assert_memory_equal(both.rgba, wanted.rgba, WIDE * HIGH * 4);
    for (int j = 0; j < HIGH; j++) { // but for the line
        size_t row = (size_t)j * WIDE * 4;
        assert_memory_equal(drawn.rgba + row, wanted.rgba + row, (WIDE / 2 - 2) * 4);
        assert_memory_equal(drawn.rgba + row + (WIDE / 2 + 2) * 4, wanted.rgba + row + (WIDE / 2 + 2) * 4,
                            (WIDE / 2 - 2) * 4);
    }
    silt_image_destroy(&both);
    silt_image_destroy(&wanted);
    silt_image_destroy(&drawn);
    close_window(&window);
    silt_terrain_destroy(before);
    silt_terrain_destroy(after);
}

// ---- the camera ----

static void a_hand_leads_the_camera(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    glance(&window, false);
    SiltGaze before = silt_viewer_gaze(window.viewer);
    silt_viewer_orbit(window.viewer, HIGH / 2.0, 0.0); // half the height: a quarter turn
    SiltGaze after = silt_viewer_gaze(window.viewer);
    assert_near(after.turn - before.turn, 90.0, 1e-9);
    assert_near(after.distance, before.distance, 1e-9);
    assert_true(silt_viewer_animate(window.viewer, 0.02)); // eased, not at once
    come_to_rest(window.viewer);
    // what lies under a pixel comes along when it is dragged: its ground moves by as many pixels
    SiltGaze down = silt_viewer_gaze(window.viewer);
    down.tilt = 89.0;
    silt_viewer_set_gaze(window.viewer, &down, true);
    SiltPick pick;
    double at[2];
    assert_true(silt_viewer_pick(window.viewer, 80.0, 60.0, &pick));
    silt_viewer_pan(window.viewer, 12.0, -9.0);
    come_to_rest(window.viewer);
    assert_true(silt_viewer_project(window.viewer, pick.place, at));
    assert_near(at[0], 92.0, 2.5);
    assert_near(at[1], 51.0, 2.5);
    // the eye stays above the ground
    SiltRenderOptions options;
    for (int k = 0; k < 40; k++)
        silt_viewer_fly(window.viewer, 0.05, 0.05, -0.3);
    come_to_rest(window.viewer);
    silt_viewer_as_options(window.viewer, &options);
    int i = (int)(options.eye[0] / 20.0), j = (int)(128 - options.eye[1] / 20.0);
    if (i >= 0 && i < 128 && j >= 0 && j < 128)
        assert_true(options.eye[2] > (double)silt_field_at(&terrain->layers[0]->field, i, j));
    // it may look round, and stays where it is
    SiltRenderOptions turned;
    silt_viewer_look_round(window.viewer, 30.0, 10.0);
    come_to_rest(window.viewer);
    silt_viewer_as_options(window.viewer, &turned);
    for (int k = 0; k < 3; k++)
        assert_near(turned.eye[k], options.eye[k], 1e-6);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// Home: no corner of the land lies outside of the picture, whatever view the recipe has.
static void all_of_the_land_is_framed(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    SiltRenderOptions options = *silt_viewer_options(window.viewer);
    options.view = SILT_VIEW_PANORAMA;
    assert_ok(silt_viewer_set_options(window.viewer, &options));
    glance(&window, false);
    silt_viewer_frame_all(window.viewer);
    come_to_rest(window.viewer);
    for (int k = 0; k < 4; k++) {
        int i = k & 1 ? 127 : 0, j = k & 2 ? 127 : 0;
        double at[2], place[3] = {20.0 * (i + 0.5), 20.0 * (127.5 - j),
                                  (double)silt_field_at(&terrain->layers[0]->field, i, j)};
        assert_true(silt_viewer_project(window.viewer, place, at));
        assert_true(at[0] >= 0.0 && at[0] <= WIDE && at[1] >= 0.0 && at[1] <= HIGH);
    }
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *terrain = plate();
    Window window;
    open_window(&window, NULL);
    SiltStatus status = SILT_NO_MEMORY;
    for (long n = 1; status != SILT_OK; n++) {
        SiltViewer *viewer;
        SiltMark mark = {.kind = SILT_MARK_HANDLE, .places = {{32.0, 32.0}}};
        silt_fail_allocation(n);
        status = silt_viewer_create(&viewer);
        if (status == SILT_OK)
            status = silt_viewer_show(viewer, &(SiltMotif){.terrain = terrain});
        if (status == SILT_OK)
            status = silt_viewer_compare(viewer, terrain, 0.5);
        if (status == SILT_OK)
            status = silt_viewer_set_marks(viewer, &mark, 1);
        if (status == SILT_OK)
            status = silt_viewer_draw(viewer, window.frame, 32, 24, false);
        silt_fail_allocation(0);
        if (status != SILT_OK && status != SILT_NO_MEMORY)
            fail_msg("allocation %ld: %s", n, silt_message());
        silt_viewer_destroy(viewer, true);
    }
    close_window(&window);
    silt_terrain_destroy(terrain);
}

MAIN_THAT_DRAWS(cmocka_unit_test(a_window_shows_what_a_picture_shows),
                cmocka_unit_test(what_is_picked_lies_under_the_pixel),
                cmocka_unit_test(zoom_keeps_the_place_under_the_pointer),
                cmocka_unit_test(an_update_shows_what_showing_would),
                cmocka_unit_test(light_follows_in_the_background_of_frames),
                cmocka_unit_test(bad_updates_are_refused), cmocka_unit_test(marks_are_seen_where_they_are),
                cmocka_unit_test(a_wipe_shows_before_on_the_left), cmocka_unit_test(a_hand_leads_the_camera),
                cmocka_unit_test(all_of_the_land_is_framed), cmocka_unit_test(every_allocation_may_fail))

#else
MAIN_THAT_CANNOT_DRAW
#endif
