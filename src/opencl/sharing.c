// Memory that OpenCL and GL both see (cl_khr_gl_sharing). Drivers differ in what of it they do, and nothing
// rests on it: what fails here is said in words, and the device goes on with memory of its own.
#include <stdio.h>
#include <string.h>

#include "opencl/opencl.h"

// A word of a list, whole.
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool silt_cl_has_sharing(cl_device_id id)
{
    size_t bytes = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0)
        return false;
    char *list = silt_alloc(bytes + 1);
    bool has = list && clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, bytes, list, NULL) == CL_SUCCESS &&
               has_word(list, "cl_khr_gl_sharing");
    silt_free(list);
    return has;
}

cl_context silt_cl_share(SiltDevice *device, cl_platform_id platform, const SiltGlContext *gl)
{
    const cl_context_properties wanted[] = {CL_CONTEXT_PLATFORM,
                                            (cl_context_properties)platform,
                                            CL_GL_CONTEXT_KHR,
                                            (cl_context_properties)gl->context,
                                            CL_EGL_DISPLAY_KHR,
                                            (cl_context_properties)gl->display,
                                            0};
    if (!silt_cl_has_sharing(device->id)) {
        snprintf(device->apart, sizeof device->apart, "this driver's OpenCL does not share with GL");
        return NULL;
    }
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(wanted, 1, &device->id, NULL, NULL, &code);
    if (context && code == CL_SUCCESS)
        return context;
    if (context)
        clReleaseContext(context);
    snprintf(device->apart, sizeof device->apart,
             "this driver's OpenCL does not share with the GL that draws the window (OpenCL %d)", (int)code);
    return NULL;
}

const char *silt_device_apart(const SiltDevice *device)
{
    return device->shares ? NULL : device->apart;
}

static SiltStatus refuse(const SiltDevice *device, const char *what, cl_int code)
{
    return silt_fail(SILT_MISSING_FEATURE, "%.100s: %s (OpenCL %d)", device->info.name, what, (int)code);
}

SiltStatus silt_buffer_of_gl(SiltDevice *device, unsigned name, size_t bytes, SiltBuffer **out)
{
    *out = NULL;
    if (device->status != SILT_OK)
        return silt_device_status(device);
    if (!device->shares)
        return silt_fail(SILT_MISSING_FEATURE, "%.100s: %s", device->info.name, device->apart);
    void *block;
    SiltStatus status = silt_alloc_for("a buffer of GL's", 1, sizeof(SiltBuffer), &block);
    if (status != SILT_OK)
        return status;
    SiltBuffer *buffer = block;
    cl_int code = CL_SUCCESS;
    size_t there = 0;
    *buffer = (SiltBuffer){.device = device, .bytes = bytes};
    buffer->memory = clCreateFromGLBuffer(device->context, CL_MEM_READ_WRITE, name, &code);
    if (buffer->memory && code == CL_SUCCESS)
        code = clGetMemObjectInfo(buffer->memory, CL_MEM_SIZE, sizeof there, &there, NULL);
    if (code == CL_SUCCESS && there >= bytes) {
        device->used += bytes > 0 ? (bytes + 63) / 64 * 64 : 64; // as silt_buffer_destroy takes it off
        device->made++;
        *out = buffer;
        return SILT_OK;
    }
    if (buffer->memory)
        clReleaseMemObject(buffer->memory);
    silt_free(buffer);
    return refuse(device, "it does not take a buffer of GL's", code);
}

SiltStatus silt_buffer_show(SiltBuffer *from, SiltBuffer *of_gl, size_t bytes)
{
    SiltDevice *device = from->device;
    if (device->status != SILT_OK)
        return silt_device_status(device);
    cl_int code = clEnqueueAcquireGLObjects(device->queue, 1, &of_gl->memory, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return refuse(device, "it cannot have a buffer of GL's", code);
    code = clEnqueueCopyBuffer(device->queue, from->memory, of_gl->memory, 0, 0, bytes, 0, NULL, NULL);
    cl_int released = clEnqueueReleaseGLObjects(device->queue, 1, &of_gl->memory, 0, NULL, NULL);
    cl_int done = clFinish(device->queue);
    code = code == CL_SUCCESS ? released : code;
    code = code == CL_SUCCESS ? done : code;
    return code == CL_SUCCESS ? SILT_OK : refuse(device, "it cannot write into a buffer of GL's", code);
}
