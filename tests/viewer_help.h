// A viewer in a window that nobody sees.
#ifndef SILT_TESTS_VIEWER_HELP_H
#define SILT_TESTS_VIEWER_HELP_H

#include "gl_help.h"

#include <epoxy/gl.h>

#include "core/memory.h"
#include "render/viewer_state.h"
#include "silt/particles.h"

enum { WIDE = 160, HIGH = 120 };

// A viewer with a context and a framebuffer of the caller's, as a window has them.
typedef struct Window {
    SiltOffscreen offscreen;
    SiltViewer *viewer;
    GLuint frame, colour;
} Window;

static inline void open_frame(Window *window)
{
    glGenFramebuffers(1, &window->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, window->frame);
    glGenRenderbuffers(1, &window->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, window->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDE, HIGH);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, window->colour);
}

static inline void open_window(Window *window, const SiltTerrain *terrain)
{
    assert_ok(silt_offscreen_begin(SILT_GL_ANY, &window->offscreen));
    open_frame(window);
    assert_ok(silt_viewer_create(&window->viewer));
    if (terrain)
        assert_ok(silt_viewer_show(window->viewer, &(SiltMotif){.terrain = terrain}));
}

static inline void close_window(Window *window)
{
    silt_viewer_destroy(window->viewer, true);
    silt_offscreen_end(&window->offscreen);
}

// What the framebuffer holds after drawing, from the top.
static inline SiltImage look(Window *window, bool best)
{
    SiltImage image = {WIDE, HIGH, NULL};
    static uint8_t turned[HIGH][WIDE * 4];
    assert_ok(silt_alloc_for("a picture", WIDE * HIGH, 4, (void **)&image.rgba));
    assert_ok(silt_viewer_draw(window->viewer, window->frame, WIDE, HIGH, best));
    glBindFramebuffer(GL_FRAMEBUFFER, window->frame);
    glReadPixels(0, 0, WIDE, HIGH, GL_RGBA, GL_UNSIGNED_BYTE, turned);
    for (int j = 0; j < HIGH; j++)
        memcpy(image.rgba + (size_t)j * WIDE * 4, turned[HIGH - 1 - j], WIDE * 4);
    return image;
}

static inline void glance(Window *window, bool best)
{
    SiltImage image = look(window, best);
    silt_image_destroy(&image);
}

static inline void come_to_rest(SiltViewer *viewer)
{
    for (int k = 0; k < 1000 && silt_viewer_animate(viewer, 0.1); k++)
        continue;
    assert_false(silt_viewer_animate(viewer, 0.1));
}

static inline SiltImage picture_of(Window *window)
{
    SiltImage image;
    assert_ok(silt_viewer_picture(window->viewer, WIDE, HIGH, &image));
    return image;
}

static inline void assert_same(SiltImage a, SiltImage b)
{
    assert_memory_equal(a.rgba, b.rgba, WIDE * HIGH * 4);
    silt_image_destroy(&a);
    silt_image_destroy(&b);
}

// Changes a part of a layer of the terrain and tells the viewer.
static inline void change(Window *window, SiltTerrain *terrain, const char *layer, SiltRect rect, float add)
{
    SiltField *field;
    assert_ok(silt_terrain_require(terrain, layer, &field));
    for (int j = rect.j; j < rect.j + rect.height; j++)
        for (int i = rect.i; i < rect.i + rect.width; i++)
            silt_field_row(field, j)[i] += add * (float)(1 + (i * 7 + j * 5) % 4);
    assert_ok(silt_viewer_update(window->viewer, layer, &rect, silt_field_row(field, rect.j) + rect.i,
                                 field->stride));
}

#endif
