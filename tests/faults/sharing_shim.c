// PoCL with cl_khr_gl_sharing, where there is none: put before libOpenCL (linked into a test, or by
// LD_PRELOAD), its devices say that they have it. A buffer of GL's is then one of PoCL's that is as large;
// acquiring copies GL's into it, releasing copies it back, in a GL context that shares with the one that was
// given. Whoever uses one that is not acquired, has it in a kernel, gives it up while it is acquired, or
// names a wrong context, is told on stderr and counted.
#define CL_TARGET_OPENCL_VERSION 120
#include "sharing_shim.h"

#include <CL/cl.h>
#include <CL/cl_gl.h>
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_PROPERTIES = 16 };

typedef struct Shared {
    cl_mem memory;
    unsigned name;
    size_t bytes;
    bool is_acquired;
} Shared;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Shared shared[MOST];
static EGLDisplay display;
static EGLContext beside = EGL_NO_CONTEXT; // of the shim's own
static EGLenum kind;
static cl_context sharing; // the last context of OpenCL that shares
static char wanted[20];
static int left;
static atomic_int faults, shown;
static atomic_size_t came;

void sharing_shim_fail(const char *call, int number)
{
    pthread_mutex_lock(&mutex);
    snprintf(wanted, sizeof wanted, "%s", call);
    left = number;
    pthread_mutex_unlock(&mutex);
}

int sharing_shim_faults(void)
{
    return atomic_load(&faults);
}

int sharing_shim_shown(void)
{
    return atomic_load(&shown);
}

size_t sharing_shim_bytes(void)
{
    return atomic_exchange(&came, 0);
}

static bool fails(const char *call)
{
    pthread_mutex_lock(&mutex);
    bool is_it = strcmp(call, wanted) == 0 && (left <= 1);
    left -= strcmp(call, wanted) == 0 && left > 1;
    pthread_mutex_unlock(&mutex);
    return is_it;
}

__attribute__((format(printf, 1, 2))) static void complain(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    fprintf(stderr, "sharing shim: ");
    vfprintf(stderr, form, list);
    fprintf(stderr, "\n");
    va_end(list);
    atomic_fetch_add(&faults, 1);
}

#define REAL(result, name, ...)                                                                              \
    static result (*real)(__VA_ARGS__);                                                                      \
    if (!real)                                                                                               \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static Shared *find(cl_mem memory)
{
    for (int k = 0; memory && k < MOST; k++)
        if (shared[k].memory == memory)
            return &shared[k];
    return NULL;
}

static void check_acquired(cl_mem memory, const char *call)
{
    pthread_mutex_lock(&mutex);
    const Shared *it = find(memory);
    if (it && !it->is_acquired)
        complain("%s has a buffer of GL's that is not acquired", call);
    pthread_mutex_unlock(&mutex);
}

// ---- GL, in a context of the shim's own ----

typedef struct Before {
    EGLDisplay display;
    EGLContext context;
    EGLSurface draw, read;
} Before;

static bool enter(Before *before)
{
    *before = (Before){eglGetCurrentDisplay(), eglGetCurrentContext(), eglGetCurrentSurface(EGL_DRAW),
                       eglGetCurrentSurface(EGL_READ)};
    return eglBindAPI(kind) && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, beside);
}

static void leave(const Before *before)
{
    glFinish();
    if (before->context != EGL_NO_CONTEXT)
        eglMakeCurrent(before->display, before->draw, before->read, before->context);
    else
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

static bool open_beside(EGLDisplay of, EGLContext context)
{
    static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                     EGL_NONE};
    static const EGLint embedded[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLint found = 0, id = 0, count = 0;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (!eglQueryContext(of, context, EGL_CONTEXT_CLIENT_TYPE, &found))
        return false;
    eglQueryContext(of, context, EGL_CONFIG_ID, &id);
    const EGLint its[] = {EGL_CONFIG_ID, id, EGL_NONE};
    if (id != 0 && (!eglChooseConfig(of, its, &config, 1, &count) || count < 1))
        config = EGL_NO_CONFIG_KHR;
    if (beside != EGL_NO_CONTEXT)
        eglDestroyContext(display, beside);
    display = of;
    kind = (EGLenum)found;
    eglBindAPI(kind);
    beside = eglCreateContext(of, config, context, kind == EGL_OPENGL_API ? desktop : embedded);
    return beside != EGL_NO_CONTEXT;
}

// Bytes of a buffer of GL's; 0: there is none.
static size_t size_of(unsigned name)
{
    Before before;
    GLint bytes = 0;
    if (!enter(&before))
        return 0;
    if (glIsBuffer(name)) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name);
        glGetBufferParameteriv(GL_PIXEL_UNPACK_BUFFER, GL_BUFFER_SIZE, &bytes);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    leave(&before);
    return (size_t)bytes;
}

static bool copy_gl(const Shared *it, void *data, bool back)
{
    Before before;
    bool done = false;
    if (!enter(&before))
        return false;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, it->name);
    char *there = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)it->bytes,
                                   back ? GL_MAP_WRITE_BIT : GL_MAP_READ_BIT);
    if (there) {
        memcpy(back ? (void *)there : data, back ? data : (void *)there, it->bytes);
        if (back && strcmp(wanted, "pattern") == 0)
            there[it->bytes / 2] ^= 1;
        done = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    leave(&before);
    return done;
}

// ---- OpenCL ----

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out, size_t *bytes)
{
    static const char more[] = " cl_khr_gl_sharing";
    REAL(cl_int, clGetDeviceInfo, cl_device_id, cl_device_info, size_t, void *, size_t *);
    size_t plain = 0;
    cl_int code = real(device, what, what == CL_DEVICE_EXTENSIONS ? 0 : room,
                       what == CL_DEVICE_EXTENSIONS ? NULL : out, &plain);
    if (what != CL_DEVICE_EXTENSIONS || code != CL_SUCCESS) {
        if (bytes)
            *bytes = plain;
        return code;
    }
    size_t whole = plain + sizeof more - 1;
    if (bytes)
        *bytes = whole;
    if (!out)
        return CL_SUCCESS;
    if (room < whole)
        return CL_INVALID_VALUE;
    code = real(device, what, plain, out, NULL);
    strcat(out, more);
    return code;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                           cl_int *code)
{
    REAL(cl_context, clCreateContext, const cl_context_properties *, cl_uint, const cl_device_id *,
         void(CL_CALLBACK *)(const char *, const void *, size_t, void *), void *, cl_int *);
    cl_context_properties plain[MOST_PROPERTIES] = {0};
    EGLContext context = EGL_NO_CONTEXT;
    EGLDisplay of = EGL_NO_DISPLAY;
    int n = 0;
    for (const cl_context_properties *at = properties; at && *at && n < MOST_PROPERTIES - 2; at += 2)
        if (*at == CL_GL_CONTEXT_KHR) {
            context = (EGLContext)at[1];
        } else if (*at == CL_EGL_DISPLAY_KHR) {
            of = (EGLDisplay)at[1];
        } else {
            plain[n++] = at[0];
            plain[n++] = at[1];
        }
    if (context == EGL_NO_CONTEXT && of == EGL_NO_DISPLAY)
        return real(properties, count, devices, notify, user, code);
    if (eglGetCurrentContext() != context || eglGetCurrentDisplay() != of)
        complain("clCreateContext names a context of GL that is not current on its thread");
    pthread_mutex_lock(&mutex);
    bool is_open = open_beside(of, context);
    pthread_mutex_unlock(&mutex);
    if (!is_open)
        complain("clCreateContext names a context of GL that cannot be shared with");
    if (!is_open || fails("context")) {
        *code = CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
        return NULL;
    }
    return sharing = real(plain, count, devices, notify, user, code);
}

cl_mem clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint name, cl_int *code)
{
    size_t bytes = size_of(name);
    if (context != sharing)
        complain("clCreateFromGLBuffer is given a context that was not made to share");
    *code = bytes > 0 ? CL_SUCCESS : CL_INVALID_GL_OBJECT;
    if (fails("buffer"))
        *code = CL_OUT_OF_RESOURCES;
    cl_mem memory = *code == CL_SUCCESS ? clCreateBuffer(context, flags, bytes, NULL, code) : NULL;
    pthread_mutex_lock(&mutex);
    for (int k = 0; memory && k < MOST; k++)
        if (!shared[k].memory) {
            shared[k] = (Shared){memory, name, bytes, false};
            break;
        }
    pthread_mutex_unlock(&mutex);
    return memory;
}

// One way or the other, for all of them.
static cl_int pass(cl_command_queue queue, cl_uint count, const cl_mem *objects, bool back)
{
    cl_int code = clFinish(queue);
    for (cl_uint k = 0; k < count && code == CL_SUCCESS; k++) {
        pthread_mutex_lock(&mutex);
        Shared *it = find(objects[k]);
        if (!it)
            complain("what is acquired or released is no buffer of GL's");
        else if (it->is_acquired != back)
            complain(back ? "a buffer is released that was not acquired" : "a buffer is acquired twice");
        void *data = it ? malloc(it->bytes) : NULL;
        size_t kept = atomic_load(&came);
        if (!data)
            code = CL_INVALID_GL_OBJECT;
        Shared copy = it ? *it : (Shared){0};
        if (it)
            it->is_acquired = true; // for the copies here
        pthread_mutex_unlock(&mutex);
        if (code == CL_SUCCESS && back)
            code = clEnqueueReadBuffer(queue, copy.memory, CL_TRUE, 0, copy.bytes, data, 0, NULL, NULL);
        atomic_store(&came, kept); // these are the card's own
        pthread_mutex_lock(&mutex);
        if (code == CL_SUCCESS && !copy_gl(&copy, data, back))
            code = CL_INVALID_GL_OBJECT;
        pthread_mutex_unlock(&mutex);
        if (code == CL_SUCCESS && !back)
            code = clEnqueueWriteBuffer(queue, copy.memory, CL_TRUE, 0, copy.bytes, data, 0, NULL, NULL);
        pthread_mutex_lock(&mutex);
        if (it)
            it->is_acquired = !back;
        pthread_mutex_unlock(&mutex);
        free(data);
    }
    return code;
}

cl_int clEnqueueAcquireGLObjects(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                 const cl_event *wait, cl_event *event)
{
    (void)waits, (void)wait, (void)event;
    return fails("acquire") ? CL_OUT_OF_RESOURCES : pass(queue, count, objects, false);
}

cl_int clEnqueueReleaseGLObjects(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                 const cl_event *wait, cl_event *event)
{
    (void)waits, (void)wait, (void)event;
    cl_int code = pass(queue, count, objects, true);
    atomic_fetch_add(&shown, 1);
    return fails("release") ? CL_OUT_OF_RESOURCES : code;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at,
                           size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueCopyBuffer, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
         const cl_event *, cl_event *);
    check_acquired(from, "clEnqueueCopyBuffer");
    check_acquired(to, "clEnqueueCopyBuffer");
    pthread_mutex_lock(&mutex);
    bool is_shared = find(to) != NULL;
    pthread_mutex_unlock(&mutex);
    return is_shared && fails("copy") ? CL_OUT_OF_RESOURCES
                                      : real(queue, from, to, from_at, to_at, bytes, waits, wait, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes,
                           size_t at, size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueFillBuffer, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint,
         const cl_event *, cl_event *);
    check_acquired(memory, "clEnqueueFillBuffer");
    return real(queue, memory, pattern, pattern_bytes, at, bytes, waits, wait, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t at, size_t bytes,
                           void *data, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueReadBuffer, cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
         const cl_event *, cl_event *);
    check_acquired(memory, "clEnqueueReadBuffer");
    atomic_fetch_add(&came, bytes);
    return real(queue, memory, blocks, at, bytes, data, waits, wait, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocks, const size_t *there,
                               const size_t *here, const size_t *region, size_t pitch, size_t slice,
                               size_t host_pitch, size_t host_slice, void *data, cl_uint waits,
                               const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueReadBufferRect, cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *,
         const size_t *, size_t, size_t, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *);
    check_acquired(memory, "clEnqueueReadBufferRect");
    atomic_fetch_add(&came, region[0] * region[1] * region[2]);
    return real(queue, memory, blocks, there, here, region, pitch, slice, host_pitch, host_slice, data, waits,
                wait, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t at, size_t bytes,
                            const void *data, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueWriteBuffer, cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
         cl_uint, const cl_event *, cl_event *);
    check_acquired(memory, "clEnqueueWriteBuffer");
    return real(queue, memory, blocks, at, bytes, data, waits, wait, event);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    REAL(cl_int, clSetKernelArg, cl_kernel, cl_uint, size_t, const void *);
    cl_mem memory = NULL;
    if (value && bytes == sizeof memory)
        memcpy(&memory, value, bytes);
    pthread_mutex_lock(&mutex);
    if (find(memory))
        complain("a kernel is given a buffer of GL's");
    pthread_mutex_unlock(&mutex);
    return real(kernel, index, bytes, value);
}

cl_int clReleaseMemObject(cl_mem memory)
{
    REAL(cl_int, clReleaseMemObject, cl_mem);
    pthread_mutex_lock(&mutex);
    Shared *it = find(memory);
    if (it && it->is_acquired)
        complain("a buffer of GL's is given up while it is acquired");
    if (it)
        *it = (Shared){0};
    pthread_mutex_unlock(&mutex);
    return real(memory);
}
