// What a device says when it fails, and how long it worked.
#include <stdio.h>
#include <string.h>

#include "opencl/opencl.h"
#include "silt/text.h"

const char *silt_cl_error(cl_int code)
{
    switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
        return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE:
        return "the driver has no compiler";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return "no memory is left on the device";
    case CL_OUT_OF_RESOURCES:
        return "the device ran out of resources, or was lost";
    case CL_OUT_OF_HOST_MEMORY:
        return "the driver has no memory left";
    case CL_BUILD_PROGRAM_FAILURE:
        return "the program does not build";
    case CL_INVALID_BUFFER_SIZE:
        return "the block is larger than the device can hold";
    case CL_INVALID_WORK_GROUP_SIZE:
        return "the group of items is too large";
    case CL_INVALID_KERNEL_ARGS:
        return "an argument is not set";
    case CL_INVALID_COMMAND_QUEUE:
        return "the device was lost";
    default:
        return "failure";
    }
}

SiltStatus silt_cl_check(SiltDevice *device, cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return SILT_OK;
    bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                  code == CL_INVALID_BUFFER_SIZE;
    SiltStatus status = silt_fail(memory ? SILT_NO_MEMORY : SILT_IO_ERROR, "%.100s: %s: %s (OpenCL %d)",
                                  device->info.name, what, silt_cl_error(code), (int)code);
    if (memory)
        silt_device_refuse();
    if (device->status == SILT_OK) {
        device->status = status;
        snprintf(device->message, sizeof device->message, "%s", silt_message());
    }
    return status;
}

SiltStatus silt_device_fail(SiltDevice *device, SiltStatus status, const char *why)
{
    if (device->status == SILT_OK) {
        device->status = status;
        snprintf(device->message, sizeof device->message, "%.100s: %s", device->info.name, why);
    }
    return silt_device_status(device);
}

SiltStatus silt_device_status(SiltDevice *device)
{
    if (device->status == SILT_OK)
        return SILT_OK;
    silt_device_refuse(); // whatever is asked of it from here on
    return silt_fail(device->status, "%s", device->message);
}

SiltStatus silt_device_finish(SiltDevice *device)
{
    return device->status == SILT_OK ? silt_cl_check(device, clFinish(device->queue), "work was not done")
                                     : silt_device_status(device);
}

uint64_t silt_device_used(const SiltDevice *device)
{
    return device->used;
}

size_t silt_device_local_bytes(const SiltDevice *device)
{
    return device->local_bytes;
}

size_t silt_device_parameter_bytes(const SiltDevice *device)
{
    return device->parameter_bytes;
}

SiltStatus silt_device_has_room(const SiltDevice *device, const char *owner, uint64_t bytes, uint64_t largest)
{
    char needed[SILT_NUMBER_SIZE], there[SILT_NUMBER_SIZE];
    uint64_t left = device->info.memory > device->used ? device->info.memory - device->used : 0;
    if (bytes > left || largest > device->info.largest)
        silt_device_refuse();
    if (bytes > left)
        return silt_fail(SILT_NO_MEMORY, "%s: it needs %s on %.100s, which has %s; take a smaller size",
                         owner, silt_format_bytes((double)bytes, needed), device->info.name,
                         silt_format_bytes((double)left, there));
    if (largest > device->info.largest)
        return silt_fail(SILT_NO_MEMORY,
                         "%s: it needs a block of %s, and the largest on %.100s has %s; take a smaller size",
                         owner, silt_format_bytes((double)largest, needed), device->info.name,
                         silt_format_bytes((double)device->info.largest, there));
    return SILT_OK;
}

// ---- time ----

void silt_cl_collect(SiltDevice *device)
{
    for (int k = 0; k < device->event_count; k++) {
        cl_ulong begin = 0, end = 0;
        clWaitForEvents(1, &device->events[k]);
        if (clGetEventProfilingInfo(device->events[k], CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                    NULL) == CL_SUCCESS &&
            clGetEventProfilingInfo(device->events[k], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ==
                CL_SUCCESS) {
            SiltKernelTime *time = &device->times[device->launched[k]];
            time->seconds += (double)(end - begin) * 1e-9;
            time->launches++;
            device->seconds += (double)(end - begin) * 1e-9;
        }
        clReleaseEvent(device->events[k]);
    }
    device->event_count = 0;
}

// A queue that times is another one, and slower.
SiltStatus silt_device_watch(SiltDevice *device, bool is_timed)
{
    cl_int code;
    if (silt_device_finish(device) != SILT_OK || device->is_timed == is_timed)
        return silt_device_status(device);
    silt_cl_collect(device);
    cl_command_queue queue =
        clCreateCommandQueue(device->context, device->id, is_timed ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    if (silt_cl_check(device, code, "has no queue of work") != SILT_OK)
        return silt_device_status(device);
    clReleaseCommandQueue(device->queue);
    device->queue = queue;
    device->is_timed = is_timed;
    return SILT_OK;
}

double silt_device_seconds(SiltDevice *device)
{
    silt_device_finish(device);
    silt_cl_collect(device);
    double seconds = device->seconds;
    device->seconds = 0.0;
    return seconds;
}

int silt_device_times(SiltDevice *device, SiltKernelTime *out, int room)
{
    silt_device_finish(device);
    silt_cl_collect(device);
    int count = device->time_count < room ? device->time_count : room;
    memcpy(out, device->times, (size_t)count * sizeof *out);
    device->time_count = 0;
    return count;
}

double silt_device_copy_rate(SiltDevice *device)
{
    uint64_t most = device->info.largest / 4;
    size_t bytes = most < (uint64_t)1 << 30 ? (size_t)most : (size_t)1 << 30;
    SiltBuffer *a = NULL, *b = NULL;
    double best = 0.0;
    bytes = device->info.is_gpu || bytes < (size_t)64 << 20 ? bytes : (size_t)64 << 20;
    if (silt_buffer_create(device, "copy", bytes, &a) == SILT_OK &&
        silt_buffer_create(device, "copy", bytes, &b) == SILT_OK) {
        for (int k = 0; k < 12; k++) {
            cl_event event;
            cl_ulong begin = 0, end = 0;
            if (clEnqueueCopyBuffer(device->queue, a->memory, b->memory, 0, 0, bytes, 0, NULL, &event) !=
                CL_SUCCESS)
                break;
            clWaitForEvents(1, &event);
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
            clReleaseEvent(event);
            double rate = end > begin ? 2.0 * (double)bytes / ((double)(end - begin) * 1e-9) : 0.0;
            best = k > 1 && rate > best ? rate : best;
        }
    }
    silt_buffer_destroy(a);
    silt_buffer_destroy(b);
    return best;
}
