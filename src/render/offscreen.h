// A GL context without a window.
#ifndef SILT_RENDER_OFFSCREEN_H
#define SILT_RENDER_OFFSCREEN_H

#include "silt/base.h"

typedef struct SiltOffscreen {
    void *display, *context;         // EGL's
    void *old_display, *old_context; // what was current before
    void *old_draw, *old_read;
} SiltOffscreen;

typedef enum SiltGlKind {
    SILT_GL_ANY, // OpenGL 3.3 core, or OpenGL ES 3.0 where there is no other
    SILT_GL_DESKTOP,
    SILT_GL_EMBEDDED
} SiltGlKind;

// Makes a context current on the calling thread.
SiltStatus silt_offscreen_begin(SiltGlKind kind, SiltOffscreen *out);
// Gives back the context and makes current again what was.
void silt_offscreen_end(SiltOffscreen *offscreen);

#endif
