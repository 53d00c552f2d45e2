#include "render/offscreen.h"

#include "core/status.h"

#ifdef SILT_HAS_GL

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/text.h"

// libepoxy ends the program when a library it opens is not there, so look first.
static bool library_is_there(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library)
        dlclose(library);
    return library != NULL;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool start(EGLDisplay display)
{
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL);
}

// No window system first (Mesa, in software or on a GPU), then a GPU's own, then whatever there is.
static EGLDisplay open_display(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDisplay display = EGL_NO_DISPLAY;
    if (!has_word(extensions, "EGL_EXT_platform_base"))
        return start(display = eglGetDisplay(EGL_DEFAULT_DISPLAY)) ? display : EGL_NO_DISPLAY;
    if (has_word(extensions, "EGL_MESA_platform_surfaceless")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (start(display))
            return display;
    }
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (has_word(extensions, "EGL_EXT_platform_device") &&
        has_word(extensions, "EGL_EXT_device_enumeration") && !eglQueryDevicesEXT(16, devices, &count))
        count = 0;
    for (EGLint k = 0; k < count; k++) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL);
        if (start(display))
            return display;
    }
    return start(display = eglGetDisplay(EGL_DEFAULT_DISPLAY)) ? display : EGL_NO_DISPLAY;
}

static EGLContext open_context(EGLDisplay display, SiltGlKind kind)
{
    static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                     EGL_NONE};
    static const EGLint embedded[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLContext context = EGL_NO_CONTEXT;
    if (kind != SILT_GL_EMBEDDED && (library_is_there("libOpenGL.so.0") || library_is_there("libGL.so.1")) &&
        eglBindAPI(EGL_OPENGL_API))
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, desktop);
    if (kind != SILT_GL_DESKTOP && context == EGL_NO_CONTEXT && library_is_there("libGLESv2.so.2") &&
        eglBindAPI(EGL_OPENGL_ES_API))
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, embedded);
    return context;
}

static bool has_float_targets(void)
{
    return epoxy_is_desktop_gl() || epoxy_has_gl_extension("GL_EXT_color_buffer_float") ||
           epoxy_has_gl_extension("GL_EXT_color_buffer_half_float");
}

// Under `ulimit -v` Mesa does not fail where it finds no room: it says that drivers are missing, or LLVM in
// it ends the program. So look first. Its libraries and shaders take less than half a gigabyte of addresses;
// each of its threads, one a processor and 32 at most, a stack of 8 MiB and an arena of 128.
static SiltStatus check_room(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SILT_OK;
    long processors = sysconf(_SC_NPROCESSORS_ONLN), threads = processors < 32 ? processors : 32;
    double need = (512.0 + 136.0 * (double)threads) * 1048576.0, left = (double)silt_memory_available();
    char wanted[SILT_NUMBER_SIZE], there[SILT_NUMBER_SIZE];
    if (left >= need)
        return SILT_OK;
    return silt_fail(SILT_MISSING_FEATURE,
                     "render: to draw in 3-D takes %s of address space, and %s are left below the limit of "
                     "this process (ulimit -v)",
                     silt_format_bytes(need, wanted), silt_format_bytes(left, there));
}

SiltStatus silt_offscreen_begin(SiltGlKind kind, SiltOffscreen *out)
{
    *out = (SiltOffscreen){0};
    SiltStatus status = check_room();
    if (status != SILT_OK)
        return status;
    if (!library_is_there("libEGL.so.1"))
        return silt_fail(
            SILT_MISSING_FEATURE,
            "render: there is no EGL to draw off-screen with; install libegl1 and libgl1-mesa-dri");
    SiltOffscreen made = {.old_display = eglGetCurrentDisplay(),
                          .old_context = eglGetCurrentContext(),
                          .old_draw = eglGetCurrentSurface(EGL_DRAW),
                          .old_read = eglGetCurrentSurface(EGL_READ)};
    made.display = open_display();
    if (made.display == EGL_NO_DISPLAY)
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: EGL finds nothing to draw with; install libegl-mesa0 and libgl1-mesa-dri");
    made.context = open_context(made.display, kind);
    if (made.context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(made.display, EGL_NO_SURFACE, EGL_NO_SURFACE, made.context)) {
        if (made.context != EGL_NO_CONTEXT)
            eglDestroyContext(made.display, made.context);
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: this machine has neither OpenGL 3.3 nor OpenGL ES 3.0; "
                         "install libgl1-mesa-dri to draw in software");
    }
    *out = made;
    if (has_float_targets())
        return SILT_OK;
    silt_offscreen_end(out);
    return silt_fail(SILT_MISSING_FEATURE, "render: this OpenGL ES draws no floating-point pictures; install "
                                           "libgl1-mesa-dri to draw in software");
}

void silt_offscreen_end(SiltOffscreen *offscreen)
{
    if (!offscreen->context)
        return;
    if (offscreen->old_context != EGL_NO_CONTEXT)
        eglMakeCurrent(offscreen->old_display, offscreen->old_draw, offscreen->old_read,
                       offscreen->old_context);
    else
        eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(offscreen->display, offscreen->context);
    *offscreen = (SiltOffscreen){0};
}

#else

SiltStatus silt_offscreen_begin(SiltGlKind kind, SiltOffscreen *out)
{
    (void)kind;
    *out = (SiltOffscreen){0};
    return silt_fail(
        SILT_MISSING_FEATURE,
        "render: this build draws maps only; install libepoxy-dev and libegl-dev and build again");
}

void silt_offscreen_end(SiltOffscreen *offscreen)
{
    (void)offscreen;
}

#endif
