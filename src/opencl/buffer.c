// Memory of a device, and what goes to and fro.
#include <string.h>

#include "opencl/opencl.h"

SiltStatus silt_buffer_create(SiltDevice *device, const char *owner, size_t bytes, SiltBuffer **out)
{
    *out = NULL;
    if (device->status != SILT_OK)
        return silt_device_status(device);
    size_t whole = bytes > 0 ? (bytes + 63) / 64 * 64 : 64;
    SiltStatus status = silt_device_has_room(device, owner, whole, whole);
    void *block;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, 1, sizeof(SiltBuffer), &block);
    if (status != SILT_OK)
        return status;
    SiltBuffer *buffer = block;
    cl_int code = CL_SUCCESS;
    cl_uint nothing = 0;
    buffer->device = device;
    buffer->bytes = bytes;
    buffer->memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE, whole, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(device->queue, buffer->memory, &nothing, sizeof nothing, 0, whole, 0, NULL,
                                   NULL);
    if (code == CL_SUCCESS)
        code = clFinish(device->queue);
    if (code != CL_SUCCESS) { // the device itself is well: others may ask for less
        if (buffer->memory)
            clReleaseMemObject(buffer->memory);
        silt_free(buffer);
        silt_device_refuse();
        return silt_fail(SILT_NO_MEMORY, "%s: %.100s: %zu bytes: %s (OpenCL %d)", owner, device->info.name,
                         bytes, silt_cl_error(code), (int)code);
    }
    device->used += whole;
    device->made++;
    *out = buffer;
    return SILT_OK;
}

void silt_buffer_destroy(SiltBuffer *buffer)
{
    if (!buffer)
        return;
    buffer->device->used -= buffer->bytes > 0 ? (buffer->bytes + 63) / 64 * 64 : 64;
    clReleaseMemObject(buffer->memory);
    silt_free(buffer);
}

size_t silt_buffer_bytes(const SiltBuffer *buffer)
{
    return buffer->bytes;
}

// Little is copied aside and goes when its turn comes; what was copied before has gone when a read returns.
SiltStatus silt_buffer_write(SiltBuffer *buffer, size_t at, const void *data, size_t bytes)
{
    SiltDevice *device = buffer->device;
    if (device->status != SILT_OK || bytes == 0)
        return silt_device_status(device);
    bool waits = bytes > SILT_STAGED_MOST;
    if (!waits && device->staged + bytes > SILT_STAGING) {
        if (silt_device_finish(device) != SILT_OK)
            return silt_device_status(device);
        device->staged = 0;
    }
    if (!waits) {
        data = memcpy(device->staging + device->staged, data, bytes);
        device->staged += (bytes + 63) / 64 * 64;
    }
    return silt_cl_check(device,
                         clEnqueueWriteBuffer(device->queue, buffer->memory, waits ? CL_TRUE : CL_FALSE, at,
                                              bytes, data, 0, NULL, NULL),
                         "nothing can be brought to it");
}

static SiltStatus read(SiltBuffer *buffer, size_t at, void *data, size_t bytes, cl_bool waits)
{
    SiltDevice *device = buffer->device;
    if (device->status != SILT_OK || bytes == 0)
        return silt_device_status(device);
    SiltStatus status = silt_cl_check(
        device, clEnqueueReadBuffer(device->queue, buffer->memory, waits, at, bytes, data, 0, NULL, NULL),
        "nothing can be fetched from it");
    if (waits)
        device->staged = 0; // all that was asked for before is done
    return status;
}

SiltStatus silt_buffer_read(SiltBuffer *buffer, size_t at, void *data, size_t bytes)
{
    return read(buffer, at, data, bytes, CL_TRUE);
}

SiltStatus silt_buffer_read_later(SiltBuffer *buffer, size_t at, void *data, size_t bytes)
{
    return read(buffer, at, data, bytes, CL_FALSE);
}

SiltStatus silt_buffer_write_rows(SiltBuffer *buffer, size_t at, size_t pitch, const void *data,
                                  size_t stride, size_t bytes, size_t count)
{
    SiltDevice *device = buffer->device;
    if (device->status != SILT_OK || bytes == 0 || count == 0)
        return silt_device_status(device);
    const size_t there[3] = {at % pitch, at / pitch, 0}, here[3] = {0, 0, 0}, region[3] = {bytes, count, 1};
    return silt_cl_check(device,
                         clEnqueueWriteBufferRect(device->queue, buffer->memory, CL_TRUE, there, here, region,
                                                  pitch, 0, stride, 0, data, 0, NULL, NULL),
                         "nothing can be brought to it");
}

SiltStatus silt_buffer_read_rows(SiltBuffer *buffer, size_t at, size_t pitch, void *data, size_t stride,
                                 size_t bytes, size_t count)
{
    SiltDevice *device = buffer->device;
    if (device->status != SILT_OK || bytes == 0 || count == 0)
        return silt_device_status(device);
    const size_t there[3] = {at % pitch, at / pitch, 0}, here[3] = {0, 0, 0}, region[3] = {bytes, count, 1};
    return silt_cl_check(device,
                         clEnqueueReadBufferRect(device->queue, buffer->memory, CL_TRUE, there, here, region,
                                                 pitch, 0, stride, 0, data, 0, NULL, NULL),
                         "nothing can be fetched from it");
}

SiltStatus silt_buffer_fill(SiltBuffer *buffer, size_t at, uint32_t word, size_t bytes)
{
    SiltDevice *device = buffer->device;
    cl_uint pattern = word;
    if (device->status != SILT_OK || bytes == 0)
        return silt_device_status(device);
    return silt_cl_check(device,
                         clEnqueueFillBuffer(device->queue, buffer->memory, &pattern, sizeof pattern, at,
                                             bytes, 0, NULL, NULL),
                         "memory cannot be filled");
}

SiltStatus silt_buffer_copy(SiltBuffer *from, size_t from_at, SiltBuffer *to, size_t to_at, size_t bytes)
{
    SiltDevice *device = from->device;
    if (device->status != SILT_OK || bytes == 0)
        return silt_device_status(device);
    return silt_cl_check(
        device,
        clEnqueueCopyBuffer(device->queue, from->memory, to->memory, from_at, to_at, bytes, 0, NULL, NULL),
        "memory cannot be copied");
}
