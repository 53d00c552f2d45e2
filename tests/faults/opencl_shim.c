// LD_PRELOAD=opencl_shim.so SILT_CL_FAULT=CALL:N makes the Nth call of that name fail with what a driver says
// of a device that is short of memory or lost, and every call on the device's queue behind it. "devices" and
// "platforms" are those of a machine that has none, "bits" a device whose arithmetic is not the
// processor's. SILT_FAULT_HIT names a file that tells that it happened.
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char wanted[40];
static long left; // calls until it happens; 0: never
static bool is_lost;

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("SILT_CL_FAULT");
    if (fault && sscanf(fault, "%39[A-Za-z]:%ld", wanted, &left) < 1)
        wanted[0] = '\0';
}

static void tell(void)
{
    const char *path = getenv("SILT_FAULT_HIT");
    int file = path ? open(path, O_CREAT | O_WRONLY, 0600) : -1;
    if (file >= 0)
        close(file);
}

static bool is_its_turn(const char *name)
{
    if (left <= 0 || strcmp(name, wanted) != 0 || --left > 0)
        return false;
    tell();
    return true;
}

// A queue that has failed fails from then on.
static bool fails(const char *name)
{
    is_lost = is_lost || is_its_turn(name);
    return is_lost;
}

#define REAL(result, name, ...)                                                                              \
    static result (*real)(__VA_ARGS__);                                                                      \
    if (!real)                                                                                               \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    REAL(cl_int, clGetPlatformIDs, cl_uint, cl_platform_id *, cl_uint *);
    if (strcmp(wanted, "platforms") != 0)
        return real(room, platforms, count);
    tell();
    return -1001; // CL_PLATFORM_NOT_FOUND_KHR
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                      cl_uint *count)
{
    REAL(cl_int, clGetDeviceIDs, cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    if (strcmp(wanted, "devices") != 0)
        return real(platform, type, room, devices, count);
    tell();
    return CL_DEVICE_NOT_FOUND;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    REAL(cl_mem, clCreateBuffer, cl_context, cl_mem_flags, size_t, void *, cl_int *);
    if (!is_its_turn("clCreateBuffer"))
        return real(context, flags, bytes, host, code);
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *done)(cl_program, void *), void *user)
{
    REAL(cl_int, clBuildProgram, cl_program, cl_uint, const cl_device_id *, const char *,
         void(CL_CALLBACK *)(cl_program, void *), void *);
    return is_its_turn("clBuildProgram") ? CL_BUILD_PROGRAM_FAILURE
                                         : real(program, count, devices, options, done, user);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *items, const size_t *group, cl_uint waits,
                              const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueNDRangeKernel, cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
         const size_t *, cl_uint, const cl_event *, cl_event *);
    return fails("clEnqueueNDRangeKernel")
               ? CL_OUT_OF_RESOURCES
               : real(queue, kernel, dimensions, offset, items, group, waits, wait, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t at, size_t bytes,
                           void *data, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueReadBuffer, cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
         const cl_event *, cl_event *);
    if (fails("clEnqueueReadBuffer"))
        return CL_OUT_OF_RESOURCES;
    cl_int code = real(queue, buffer, blocks, at, bytes, data, waits, wait, event);
    if (strcmp(wanted, "bits") == 0 && bytes == (size_t)1 << 25 &&
        code == CL_SUCCESS) { // that of the self-test
        tell();
        for (size_t k = 0; k < bytes / sizeof(cl_uint); k += 8 * 64)
            ((cl_uint *)data)[k + 3] ^= 1u; // a division off by one in its last place, now and then
    }
    return code;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t at, size_t bytes,
                            const void *data, cl_uint waits, const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueWriteBuffer, cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
         cl_uint, const cl_event *, cl_event *);
    return fails("clEnqueueWriteBuffer") ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                         : real(queue, buffer, blocks, at, bytes, data, waits, wait, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocks, const size_t *there,
                               const size_t *here, const size_t *region, size_t pitch, size_t slice,
                               size_t host_pitch, size_t host_slice, void *data, cl_uint waits,
                               const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueReadBufferRect, cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *,
         const size_t *, size_t, size_t, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *);
    return fails("clEnqueueReadBufferRect") ? CL_OUT_OF_RESOURCES
                                            : real(queue, buffer, blocks, there, here, region, pitch, slice,
                                                   host_pitch, host_slice, data, waits, wait, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocks, const size_t *there,
                                const size_t *here, const size_t *region, size_t pitch, size_t slice,
                                size_t host_pitch, size_t host_slice, const void *data, cl_uint waits,
                                const cl_event *wait, cl_event *event)
{
    REAL(cl_int, clEnqueueWriteBufferRect, cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *,
         const size_t *, size_t, size_t, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *);
    return fails("clEnqueueWriteBufferRect") ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                             : real(queue, buffer, blocks, there, here, region, pitch, slice,
                                                    host_pitch, host_slice, data, waits, wait, event);
}

cl_int clFinish(cl_command_queue queue)
{
    REAL(cl_int, clFinish, cl_command_queue);
    return fails("clFinish") ? CL_OUT_OF_RESOURCES : real(queue);
}
