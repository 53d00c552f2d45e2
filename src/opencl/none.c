// A build without OpenCL: every device is missing, and the message names the package.
#include "core/status.h"
#include "opencl/device.h"

static SiltStatus missing(void)
{
    return silt_fail(SILT_MISSING_FEATURE,
                     "this build knows no GPU: install ocl-icd-opencl-dev and build again");
}

int silt_device_count(void)
{
    missing();
    return 0;
}

SiltStatus silt_device_info(int index, SiltDeviceInfo *out)
{
    (void)index;
    *out = (SiltDeviceInfo){.memory = 0};
    return missing();
}

bool silt_device_shares(int index)
{
    (void)index;
    return false;
}

SiltStatus silt_device_check(int index)
{
    (void)index;
    return missing();
}

SiltStatus silt_device_open_sharing(const char *choice, const SiltGlContext *gl, SiltDevice **out)
{
    (void)gl;
    *out = NULL;
    SiltDeviceChoice chosen;
    SiltStatus status = silt_device_read_choice(choice, &chosen);
    if (status != SILT_OK || chosen.kind == SILT_DEVICE_CPU)
        return status;
    if (chosen.kind != SILT_DEVICE_AUTO)
        return missing();
    missing();
    silt_warn("computing on the processor: %s", silt_message());
    return SILT_OK;
}

SiltStatus silt_device_open(const char *choice, SiltDevice **out)
{
    return silt_device_open_sharing(choice, NULL, out);
}

// No device was ever opened: nothing below is reached.

const char *silt_device_apart(const SiltDevice *device)
{
    (void)device;
    return "there is no device";
}

SiltStatus silt_buffer_of_gl(SiltDevice *device, unsigned name, size_t bytes, SiltBuffer **out)
{
    (void)device;
    (void)name;
    (void)bytes;
    *out = NULL;
    return missing();
}

SiltStatus silt_buffer_show(SiltBuffer *from, SiltBuffer *of_gl, size_t bytes)
{
    (void)from;
    (void)of_gl;
    (void)bytes;
    return missing();
}

void silt_device_close(SiltDevice *device)
{
    (void)device;
}

const SiltDeviceInfo *silt_device_of(const SiltDevice *device)
{
    (void)device;
    return NULL;
}

SiltStatus silt_device_watch(SiltDevice *device, bool is_timed)
{
    (void)device;
    (void)is_timed;
    return missing();
}

double silt_device_seconds(SiltDevice *device)
{
    (void)device;
    return 0.0;
}

double silt_device_copy_rate(SiltDevice *device)
{
    (void)device;
    return 0.0;
}

// What engines would ask of one.

SiltStatus silt_device_status(SiltDevice *device)
{
    (void)device;
    return missing();
}

SiltStatus silt_device_finish(SiltDevice *device)
{
    (void)device;
    return missing();
}

uint64_t silt_device_used(const SiltDevice *device)
{
    (void)device;
    return 0;
}

SiltStatus silt_device_has_room(const SiltDevice *device, const char *owner, uint64_t bytes, uint64_t largest)
{
    (void)device;
    (void)owner;
    (void)bytes;
    (void)largest;
    return missing();
}

SiltStatus silt_buffer_create(SiltDevice *device, const char *owner, size_t bytes, SiltBuffer **out)
{
    (void)device;
    (void)owner;
    (void)bytes;
    *out = NULL;
    return missing();
}

void silt_buffer_destroy(SiltBuffer *buffer)
{
    (void)buffer;
}

size_t silt_buffer_bytes(const SiltBuffer *buffer)
{
    (void)buffer;
    return 0;
}

SiltStatus silt_buffer_write(SiltBuffer *buffer, size_t at, const void *data, size_t bytes)
{
    (void)buffer;
    (void)at;
    (void)data;
    (void)bytes;
    return missing();
}

SiltStatus silt_buffer_read(SiltBuffer *buffer, size_t at, void *data, size_t bytes)
{
    (void)buffer;
    (void)at;
    (void)data;
    (void)bytes;
    return missing();
}

SiltStatus silt_buffer_read_later(SiltBuffer *buffer, size_t at, void *data, size_t bytes)
{
    return silt_buffer_read(buffer, at, data, bytes);
}

SiltStatus silt_buffer_write_rows(SiltBuffer *buffer, size_t at, size_t pitch, const void *data,
                                  size_t stride, size_t bytes, size_t count)
{
    (void)buffer;
    (void)at;
    (void)pitch;
    (void)data;
    (void)stride;
    (void)bytes;
    (void)count;
    return missing();
}

SiltStatus silt_buffer_read_rows(SiltBuffer *buffer, size_t at, size_t pitch, void *data, size_t stride,
                                 size_t bytes, size_t count)
{
    (void)buffer;
    (void)at;
    (void)pitch;
    (void)data;
    (void)stride;
    (void)bytes;
    (void)count;
    return missing();
}

SiltStatus silt_buffer_fill(SiltBuffer *buffer, size_t at, uint32_t word, size_t bytes)
{
    (void)buffer;
    (void)at;
    (void)word;
    (void)bytes;
    return missing();
}

SiltStatus silt_buffer_copy(SiltBuffer *from, size_t from_at, SiltBuffer *to, size_t to_at, size_t bytes)
{
    (void)from;
    (void)from_at;
    (void)to;
    (void)to_at;
    (void)bytes;
    return missing();
}

SiltStatus silt_program_create(SiltDevice *device, const char *owner, const char *text, const char *defines,
                               SiltProgram **out)
{
    (void)device;
    (void)owner;
    (void)text;
    (void)defines;
    *out = NULL;
    return missing();
}

void silt_program_destroy(SiltProgram *program)
{
    (void)program;
}

SiltStatus silt_kernel_create(SiltProgram *program, const char *name, SiltKernel **out)
{
    (void)program;
    (void)name;
    *out = NULL;
    return missing();
}

SiltStatus silt_kernel_set(SiltKernel *kernel, int index, const void *value, size_t bytes)
{
    (void)kernel;
    (void)index;
    (void)value;
    (void)bytes;
    return missing();
}

SiltStatus silt_kernel_set_buffer(SiltKernel *kernel, int index, const SiltBuffer *buffer)
{
    (void)kernel;
    (void)index;
    (void)buffer;
    return missing();
}

SiltStatus silt_kernel_set_local(SiltKernel *kernel, int index, size_t bytes)
{
    (void)kernel;
    (void)index;
    (void)bytes;
    return missing();
}

SiltStatus silt_kernel_run(SiltKernel *kernel, int dimensions, const size_t *items, const size_t *group)
{
    (void)kernel;
    (void)dimensions;
    (void)items;
    (void)group;
    return missing();
}

size_t silt_kernel_group_limit(const SiltKernel *kernel)
{
    (void)kernel;
    return 0;
}

size_t silt_device_local_bytes(const SiltDevice *device)
{
    (void)device;
    return 0;
}

size_t silt_device_parameter_bytes(const SiltDevice *device)
{
    (void)device;
    return 0;
}

const char *silt_source_find(const char *path)
{
    (void)path;
    return NULL;
}

char *silt_source_expand(const char *text)
{
    (void)text;
    return NULL;
}

SiltStatus silt_device_fail(SiltDevice *device, SiltStatus status, const char *why)
{
    (void)device;
    return silt_fail(status, "%s", why);
}

int silt_device_times(SiltDevice *device, SiltKernelTime *out, int room)
{
    (void)device;
    (void)out;
    (void)room;
    return 0;
}
