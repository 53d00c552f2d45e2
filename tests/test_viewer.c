// The renderer of a window, off-screen. Skipped where there is no GL.
#include "gl_help.h"

#include <epoxy/gl.h>

#include "silt/viewer.h"

enum { WIDE = 160, HIGH = 120 };

// A viewer with a context and a framebuffer of the caller's, as a window has them.
typedef struct Window {
    SiltOffscreen offscreen;
    SiltViewer *viewer;
    GLuint frame, colour;
} Window;

static void open_frame(Window *window)
{
    glGenFramebuffers(1, &window->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, window->frame);
    glGenRenderbuffers(1, &window->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, window->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDE, HIGH);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, window->colour);
}

static void open_window(Window *window, const SiltTerrain *terrain)
{
    assert_ok(silt_offscreen_begin(SILT_GL_ANY, &window->offscreen));
    open_frame(window);
    assert_ok(silt_viewer_create(&window->viewer));
    if (terrain)
        assert_ok(silt_viewer_show(window->viewer, &(SiltMotif){.terrain = terrain}));
}

static void close_window(Window *window)
{
    silt_viewer_destroy(window->viewer, true);
    silt_offscreen_end(&window->offscreen);
}

// What the framebuffer holds after drawing, from the top.
static SiltImage look(Window *window, bool best)
{
    SiltImage image = {WIDE, HIGH, calloc(WIDE * HIGH, 4)}, turned = {WIDE, HIGH, calloc(WIDE * HIGH, 4)};
    assert_ok(silt_viewer_draw(window->viewer, window->frame, WIDE, HIGH, best));
    glBindFramebuffer(GL_FRAMEBUFFER, window->frame);
    glReadPixels(0, 0, WIDE, HIGH, GL_RGBA, GL_UNSIGNED_BYTE, turned.rgba);
    for (int j = 0; j < HIGH; j++)
        memcpy(image.rgba + (size_t)j * WIDE * 4, turned.rgba + (size_t)(HIGH - 1 - j) * WIDE * 4, WIDE * 4);
    free(turned.rgba);
    return image;
}

static void come_to_rest(SiltViewer *viewer)
{
    for (int k = 0; k < 1000 && silt_viewer_animate(viewer, 0.1); k++)
        continue;
    assert_false(silt_viewer_animate(viewer, 0.1));
}

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
    free(drawn.rgba);
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
    free(look(&window, false).rgba);
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
    free(look(&window, false).rgba);
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

int main(void)
{
    if (!silt_render_has_gl()) {
        printf("%s\n", silt_message());
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_shows_what_a_picture_shows),
        cmocka_unit_test(what_is_picked_lies_under_the_pixel),
        cmocka_unit_test(zoom_keeps_the_place_under_the_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
