#include "render/beside.h"

#include "core/status.h"

#ifdef SILT_HAS_GL
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string.h>

// As the current one is: of the same kind, version and config, or they could not share.
SiltStatus silt_beside_create(SiltBeside *out)
{
    EGLDisplay display = eglGetCurrentDisplay();
    EGLContext drawing = eglGetCurrentContext(), context = EGL_NO_CONTEXT;
    *out = (SiltBeside){0};
    if (display == EGL_NO_DISPLAY || drawing == EGL_NO_CONTEXT)
        return silt_fail(SILT_MISSING_FEATURE, "the window is drawn without EGL");
    EGLint kind = 0, id = 0, count = 0;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    eglQueryContext(display, drawing, EGL_CONTEXT_CLIENT_TYPE, &kind);
    eglQueryContext(display, drawing, EGL_CONFIG_ID, &id);
    const EGLint wanted[] = {EGL_CONFIG_ID, id, EGL_NONE};
    if (id != 0 && (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1))
        config = EGL_NO_CONFIG_KHR;
    static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                     EGL_NONE};
    static const EGLint embedded[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLenum before = eglQueryAPI();
    if (eglBindAPI((EGLenum)kind))
        context = eglCreateContext(display, config, drawing, kind == EGL_OPENGL_API ? desktop : embedded);
    eglBindAPI(before);
    if (context == EGL_NO_CONTEXT)
        return silt_fail(SILT_MISSING_FEATURE, "the window's GL takes no second context (EGL 0x%x)",
                         (unsigned)eglGetError());
    *out = (SiltBeside){.display = display, .context = context, .kind = (unsigned)kind};
    return SILT_OK;
}

static bool make_current(const SiltBeside *beside)
{
    return eglBindAPI(beside->kind) &&
           eglMakeCurrent(beside->display, EGL_NO_SURFACE, EGL_NO_SURFACE, beside->context);
}

SiltStatus silt_beside_enter(SiltBeside *beside)
{
    return make_current(beside)
               ? SILT_OK
               : silt_fail(SILT_MISSING_FEATURE,
                           "the window's GL works on no second thread without a surface (EGL 0x%x)",
                           (unsigned)eglGetError());
}

// Another may have taken its place on the thread.
void silt_beside_destroy(SiltBeside *beside, const unsigned *buffers, int count)
{
    EGLContext now = eglGetCurrentContext();
    EGLSurface draw = eglGetCurrentSurface(EGL_DRAW), read = eglGetCurrentSurface(EGL_READ);
    EGLDisplay display = eglGetCurrentDisplay();
    bool is_any = false;
    if (!beside->context)
        return;
    for (int k = 0; k < count; k++)
        is_any = is_any || buffers[k];
    if (is_any && make_current(beside))
        for (int k = 0; k < count; k++)
            silt_beside_drop(buffers[k]);
    if (now == EGL_NO_CONTEXT || now == beside->context)
        eglMakeCurrent(beside->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    else if (is_any)
        eglMakeCurrent(display, draw, read, now);
    eglDestroyContext(beside->display, beside->context);
    *beside = (SiltBeside){0};
}

unsigned silt_beside_buffer(size_t bytes)
{
    GLuint buffer = 0;
    while (glGetError() != GL_NO_ERROR)
        continue;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glFinish(); // it is there for everybody
    if (glGetError() == GL_NO_ERROR)
        return buffer;
    glDeleteBuffers(1, &buffer);
    return 0;
}

void silt_beside_drop(unsigned buffer)
{
    GLuint name = buffer;
    if (buffer)
        glDeleteBuffers(1, &name);
}

bool silt_beside_read(unsigned buffer, size_t bytes, void *out)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    const void *there = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (there)
        memcpy(out, there, bytes);
    bool is_whole = there && glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return is_whole;
}

#else

SiltStatus silt_beside_create(SiltBeside *out)
{
    *out = (SiltBeside){0};
    return silt_fail(SILT_MISSING_FEATURE, "this build has no GL");
}

SiltStatus silt_beside_enter(SiltBeside *beside)
{
    (void)beside;
    return silt_fail(SILT_MISSING_FEATURE, "this build has no GL");
}

void silt_beside_destroy(SiltBeside *beside, const unsigned *buffers, int count)
{
    (void)beside;
    (void)buffers;
    (void)count;
}

unsigned silt_beside_buffer(size_t bytes)
{
    (void)bytes;
    return 0;
}

void silt_beside_drop(unsigned buffer)
{
    (void)buffer;
}

bool silt_beside_read(unsigned buffer, size_t bytes, void *out)
{
    (void)buffer;
    (void)bytes;
    (void)out;
    return false;
}

#endif
