// The renderer of a window: its context, and motifs of all kinds. Skipped where there is no GL.
#include "test.h"

#ifdef SILT_HAS_GL
#include "viewer_help.h"

// ---- the context ----

static void a_lost_context_is_survived(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    SiltImage before = look(&window, true);
    silt_offscreen_end(&window.offscreen);
    silt_viewer_unload(window.viewer, false);
    assert_ok(silt_offscreen_begin(SILT_GL_ANY, &window.offscreen));
    open_frame(&window);
    assert_same(before, look(&window, true));
    silt_viewer_unload(window.viewer, true);
    glance(&window, false);
    silt_offscreen_end(&window.offscreen);
    silt_viewer_destroy(window.viewer, false);
    silt_terrain_destroy(terrain);
}

// What others leave behind changes nothing, and nothing is left behind for them.
static void state_of_the_context_is_clean(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    SiltImage before = look(&window, true);
    glEnable(GL_SCISSOR_TEST);
    glScissor(3, 3, 5, 5);
    glEnable(GL_BLEND);
    glEnable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    assert_same(before, look(&window, true));
    assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDE, HIGH, false));
    GLint frame, program, array, port[4];
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &frame);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    glGetIntegerv(GL_VIEWPORT, port);
    assert_int_equal(frame, window.frame);
    assert_int_equal(program, 0);
    assert_int_equal(array, 0);
    assert_int_equal(port[2], WIDE);
    assert_false(glIsEnabled(GL_DEPTH_TEST) || glIsEnabled(GL_BLEND) || glIsEnabled(GL_SCISSOR_TEST));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void opengl_es_draws_it_too(void **state)
{
    (void)state;
    SiltTerrain *terrain = mountains();
    Window window;
    open_window(&window, terrain);
    SiltImage desktop = look(&window, true), draft = look(&window, false);
    close_window(&window);
    if (silt_offscreen_begin(SILT_GL_EMBEDDED, &window.offscreen) != SILT_OK)
        skip();
    open_frame(&window);
    assert_ok(silt_viewer_create(&window.viewer));
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.terrain = terrain}));
    SiltMark mark = {.kind = SILT_MARK_HANDLE, .places = {{1280.0, 1280.0}}, .radius = 9.0};
    SiltImage embedded = look(&window, true), plain = look(&window, false);
    assert_alike(&embedded, desktop.rgba, "viewer-es");
    assert_alike(&plain, draft.rgba, "viewer-es-draft");
    // a draft has the colours of the picture it stands for
    for (int c = 0; c < 3; c++) {
        double sums[2] = {0.0, 0.0};
        for (int k = 0; k < WIDE * HIGH; k++) {
            sums[0] += draft.rgba[4 * k + c];
            sums[1] += desktop.rgba[4 * k + c];
        }
        assert_near(sums[0] / (WIDE * HIGH), sums[1] / (WIDE * HIGH), 3.0);
    }
    assert_ok(silt_viewer_set_marks(window.viewer, &mark, 1));
    glance(&window, false);
    silt_image_destroy(&desktop);
    silt_image_destroy(&draft);
    silt_image_destroy(&embedded);
    silt_image_destroy(&plain);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// On a slow card a picture takes several calls, and is then the one that silt_render draws.
static void a_picture_that_rests_is_finished(void **state)
{
    (void)state;
    enum { WIDER = 331, HIGHER = 251 };
    static uint8_t turned[HIGHER][WIDER * 4], drawn[HIGHER][WIDER * 4];
    SiltTerrain *terrain = mountains();
    Window window;
    SiltRenderOptions options;
    SiltImage wanted;
    open_window(&window, terrain);
    glBindRenderbuffer(GL_RENDERBUFFER, window.colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDER, HIGHER);
    for (int k = 0; k < 100 && (k == 0 || silt_viewer_is_unfinished(window.viewer)); k++) {
        uint8_t middle[4];
        assert_ok(silt_viewer_draw(window.viewer, window.frame, WIDER, HIGHER, true));
        glReadPixels(WIDER / 2, HIGHER / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, middle);
        assert_true(middle[0] + middle[1] + middle[2] > 60); // the land is always there
    }
    assert_false(silt_viewer_is_unfinished(window.viewer));
    glBindFramebuffer(GL_FRAMEBUFFER, window.frame);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, WIDER, HIGHER, GL_RGBA, GL_UNSIGNED_BYTE, turned);
    for (int j = 0; j < HIGHER; j++)
        memcpy(drawn[j], turned[HIGHER - 1 - j], WIDER * 4);
    silt_viewer_as_options(window.viewer, &options);
    assert_int_equal(options.width, WIDER);
    assert_ok(silt_render(terrain, &options, &wanted));
    assert_alike(&wanted, &drawn[0][0], "viewer-rest");
    silt_image_destroy(&wanted);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

// ---- other motifs ----

static void large_terrains_are_shown_reduced(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    Window window;
    assert_ok(silt_terrain_create(301, 250, 2.0, &terrain));
    SiltField *height = &terrain->layers[0]->field;
    fill_hills(height, 5, 64, 6, 40.0f);
    open_window(&window, NULL);
    silt_viewer_limit(window.viewer, 128);
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.terrain = terrain}));
    assert_int_equal(silt_viewer_reduction(window.viewer), 3);
    glance(&window, false);
    SiltPick pick;
    double at[2];
    assert_true(silt_viewer_pick(window.viewer, 80, 60, &pick));
    assert_true(silt_viewer_project(window.viewer, pick.place, at));
    assert_near(at[1], 60.0, 1e-6);
    assert_near(pick.place[0], 2.0 * (pick.i + 0.5), 1.0);
    assert_near(pick.place[1], 2.0 * (250 - pick.j - 0.5), 1.0);
    assert_near(pick.place[2], silt_field_at(height, pick.i, pick.j), 8.0);
    // all of it anew is the same as having been shown
    SiltImage before = picture_of(&window);
    assert_ok(silt_viewer_update(window.viewer, "height", NULL, height->data, height->stride));
    assert_same(before, picture_of(&window));
    change(&window, terrain, "height", (SiltRect){100, 100, 50, 50}, 9.0f);
    glance(&window, false);
    close_window(&window);
    silt_terrain_destroy(terrain);
}

static void rock_is_picked_as_far_as_clips_leave_it(void **state)
{
    (void)state;
    SiltVolume *ball = shape("sphere", 32);
    Window window;
    SiltPick pick;
    SiltRenderOptions options, taken;
    SiltImage wanted;
    open_window(&window, NULL);
    assert_ok(silt_viewer_show(window.viewer, &(SiltMotif){.volume = ball}));
    SiltImage image = picture_of(&window);
    silt_viewer_as_options(window.viewer, &taken);
    taken.width = WIDE;
    taken.height = HIGH;
    assert_ok(silt_render_motif(&(SiltMotif){.volume = ball}, &taken, &wanted));
    assert_same(image, wanted);
    glance(&window, false);
    SiltGaze gaze = silt_viewer_gaze(window.viewer);
    gaze.turn = 0.0; // from the south
    gaze.tilt = 0.0;
    silt_viewer_set_gaze(window.viewer, &gaze, true);
    assert_false(silt_viewer_pick(window.viewer, 1, 1, &pick));
    assert_true(silt_viewer_pick(window.viewer, WIDE / 2, HIGH / 2, &pick));
    double south = pick.place[1];
    assert_true(pick.normal[1] < -0.9 && south < 4.0);
    options = *silt_viewer_options(window.viewer);
    options.clip_north[0] = 10.0;
    options.clip_north[1] = 1000.0;
    assert_ok(silt_viewer_set_options(window.viewer, &options));
    assert_true(silt_viewer_pick(window.viewer, WIDE / 2, HIGH / 2, &pick));
    assert_near(pick.place[1], 10.0, 1e-6); // the cut, in rock
    assert_near(pick.normal[1], -1.0, 1e-6);
    glance(&window, false);
    glance(&window, true);
    close_window(&window);
    silt_volume_destroy(ball);
}

// What is compared with may go at once, and its rock with it.
static void rock_before_is_the_viewers_own(void **state)
{
    (void)state;
    SiltTerrain *before, *after;
    assert_ok(silt_terrain_from_volume(shape("sphere", 32), &before));
    assert_ok(silt_terrain_from_volume(shape("sphere", 24), &after));
    Window window;
    open_window(&window, after);
    assert_ok(silt_viewer_compare(window.viewer, before, 0.5));
    SiltImage kept = picture_of(&window);
    assert_ok(silt_viewer_compare(window.viewer, before, 0.5));
    silt_terrain_destroy(before);
    assert_same(kept, picture_of(&window));
    glance(&window, false);
    glance(&window, true);
    assert_ok(silt_viewer_compare(window.viewer, after, 0.5));
    glance(&window, false);
    close_window(&window);
    silt_terrain_destroy(after);
}

static void particles_move(void **state)
{
    (void)state;
    SiltTerrain *terrain = plate();
    Heap *heap = new_heap();
    Window window, fresh;
    open_window(&window, NULL);
    SiltMotif motif = {.terrain = terrain, .particles = &heap->particles};
    assert_ok(silt_viewer_show(window.viewer, &motif));
    glance(&window, false);
    for (int k = 0; k < heap->particles.count; k++)
        heap->x[k] += 3.0f;
    assert_ok(silt_viewer_update_particles(window.viewer, &heap->particles));
    glance(&window, false);
    SiltImage moved = picture_of(&window);
    SiltGaze gaze = silt_viewer_gaze(window.viewer);
    assert_ok(silt_viewer_update_particles(window.viewer, NULL));
    glance(&window, true);
    close_window(&window);
    open_window(&fresh, NULL);
    assert_ok(silt_viewer_show(fresh.viewer, &motif));
    silt_viewer_set_gaze(fresh.viewer, &gaze, true);
    assert_same(moved, picture_of(&fresh));
    close_window(&fresh);
    silt_terrain_destroy(terrain);
    free(heap);
}

MAIN_THAT_DRAWS(cmocka_unit_test(a_lost_context_is_survived), cmocka_unit_test(state_of_the_context_is_clean),
                cmocka_unit_test(opengl_es_draws_it_too), cmocka_unit_test(a_picture_that_rests_is_finished),
                cmocka_unit_test(large_terrains_are_shown_reduced),
                cmocka_unit_test(rock_is_picked_as_far_as_clips_leave_it),
                cmocka_unit_test(rock_before_is_the_viewers_own), cmocka_unit_test(particles_move))

#else
MAIN_THAT_CANNOT_DRAW
#endif
