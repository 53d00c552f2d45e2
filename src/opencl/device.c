// Finds devices and opens one.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "opencl/opencl.h"
#include "silt/parallel.h"
#include "silt/text.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 32 };

typedef struct Found {
    cl_device_id ids[MOST_DEVICES];
    cl_platform_id platforms[MOST_DEVICES];
    int count;
} Found;

static Found find_devices(void)
{
    Found found = {.count = 0};
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count);
    if (code != CL_SUCCESS || platform_count == 0) {
        silt_fail(SILT_MISSING_FEATURE,
                  "there is no OpenCL on this machine: install a driver of the GPU's maker, or "
                  "pocl-opencl-icd, which computes on the processor");
        return found;
    }
    for (cl_uint p = 0; p < platform_count && p < MOST_PLATFORMS; p++) {
        cl_device_id ids[MOST_DEVICES];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) != CL_SUCCESS)
            continue; // a driver without a device
        for (cl_uint k = 0; k < count && k < MOST_DEVICES && found.count < MOST_DEVICES; k++) {
            found.platforms[found.count] = platforms[p];
            found.ids[found.count++] = ids[k];
        }
    }
    if (found.count == 0)
        silt_fail(SILT_MISSING_FEATURE, "OpenCL is there, and no device: is the GPU's driver loaded?");
    return found;
}

int silt_device_count(void)
{
    return find_devices().count;
}

static void describe(cl_device_id id, cl_platform_id platform, SiltDeviceInfo *out)
{
    char name[64] = "", version[128] = "";
    cl_ulong memory = 0, largest = 0;
    cl_uint units = 0;
    cl_device_type type = 0;
    cl_device_fp_config precise = 0;
    *out = (SiltDeviceInfo){.memory = 0};
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof out->name - 1, out->name, NULL);
    clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof out->driver - 1, out->driver, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
    snprintf(out->platform, sizeof out->platform, "%.60s, %.60s", name, version);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof precise, &precise, NULL);
    out->memory = memory;
    out->largest = largest;
    out->units = (int)units;
    out->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    out->has_double = precise != 0;
}

SiltStatus silt_device_info(int index, SiltDeviceInfo *out)
{
    Found found = find_devices();
    if (index < 0 || index >= found.count)
        return found.count == 0 ? SILT_MISSING_FEATURE
                                : silt_fail(SILT_BAD_ARGUMENT, "there is no device %d", index);
    describe(found.ids[index], found.platforms[index], out);
    return SILT_OK;
}

bool silt_device_shares(int index)
{
    Found found = find_devices();
    return index >= 0 && index < found.count && silt_cl_has_sharing(found.ids[index]);
}

// ---- one of them ----

SiltStatus silt_cl_open(int index, const SiltGlContext *gl, SiltDevice **out)
{
    *out = NULL;
    Found found = find_devices();
    if (index < 0 || index >= found.count)
        return silt_fail(SILT_BAD_ARGUMENT, "there is no device %d", index);
    void *block;
    SiltStatus status = silt_alloc_for("a device", 1, sizeof(SiltDevice), &block);
    if (status != SILT_OK)
        return status;
    SiltDevice *device = block;
    cl_int code = CL_SUCCESS;
    cl_ulong local = 0;
    device->id = found.ids[index];
    describe(found.ids[index], found.platforms[index], &device->info);
    clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    device->local_bytes = (size_t)local;
    size_t parameters = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof parameters, &parameters, NULL);
    device->parameter_bytes = parameters;
    device->context = gl ? silt_cl_share(device, found.platforms[index], gl) : NULL;
    device->shares = device->context != NULL;
    if (!device->context)
        device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    status = silt_cl_check(device, code, "cannot be opened");
    if (status == SILT_OK) {
        device->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
        status = silt_cl_check(device, code, "has no queue of work");
    }
    if (status != SILT_OK) {
        silt_device_close(device);
        return status;
    }
    *out = device;
    return SILT_OK;
}

void silt_device_close(SiltDevice *device)
{
    if (!device)
        return;
    for (int k = 0; k < device->event_count; k++)
        clReleaseEvent(device->events[k]);
    if (device->queue)
        clReleaseCommandQueue(device->queue);
    if (device->context)
        clReleaseContext(device->context);
    silt_free(device);
}

const SiltDeviceInfo *silt_device_of(const SiltDevice *device)
{
    return &device->info;
}

// ---- by name ----

static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t k = 0;
        while (part[k] && tolower((unsigned char)text[k]) == tolower((unsigned char)part[k]))
            k++;
        if (!part[k])
            return true;
    }
    return false;
}

// The index of the device that is meant, or -1 with a message.
static int find_named(const char *name)
{
    int count = silt_device_count();
    char there[512] = "";
    for (int k = 0; k < count; k++) {
        SiltDeviceInfo info;
        if (silt_device_info(k, &info) != SILT_OK)
            continue;
        if (contains(info.name, name) || contains(info.platform, name))
            return k;
        size_t length = strlen(there);
        snprintf(there + length, sizeof there - length, "%s%.100s", length ? "; " : "", info.name);
    }
    if (count > 0)
        silt_fail(SILT_BAD_ARGUMENT, "no device is called '%.60s'; there are: %s", name, there);
    return -1;
}

// The GPU with most memory, or -1 with a message.
static int find_gpu(void)
{
    int count = silt_device_count(), best = -1;
    uint64_t most = 0;
    for (int k = 0; k < count; k++) {
        SiltDeviceInfo info;
        if (silt_device_info(k, &info) == SILT_OK && info.is_gpu && (best < 0 || info.memory > most)) {
            best = k;
            most = info.memory;
        }
    }
    if (count > 0 && best < 0)
        silt_fail(SILT_BAD_ARGUMENT, "there is no GPU; other devices are taken by name: see 'silt list "
                                     "devices'");
    return best;
}

static SiltStatus open_tested(int index, bool inexact, bool afresh, const SiltGlContext *gl, SiltDevice **out)
{
    SiltDevice *device;
    SiltStatus status = silt_cl_open(index, gl, &device);
    if (status != SILT_OK)
        return status;
    status = afresh ? silt_cl_test(device) : silt_cl_trust(device);
    if (status != SILT_OK && inexact && device->status == SILT_OK) {
        silt_warn("%s", silt_message());
        status = SILT_OK;
    }
    if (status != SILT_OK) {
        silt_device_close(device);
        return status;
    }
    *out = device;
    return SILT_OK;
}

SiltStatus silt_device_check(int index)
{
    SiltDevice *device;
    SiltStatus status = open_tested(index, false, true, NULL, &device);
    if (status == SILT_OK)
        silt_device_close(device);
    return status;
}

SiltStatus silt_device_open_sharing(const char *choice, const SiltGlContext *gl, SiltDevice **out)
{
    *out = NULL;
    SiltDeviceChoice chosen;
    SiltStatus status = silt_device_read_choice(choice, &chosen);
    if (status != SILT_OK || chosen.kind == SILT_DEVICE_CPU)
        return status;
    int index = chosen.kind == SILT_DEVICE_NAMED ? find_named(chosen.name) : find_gpu();
    status = index < 0 ? SILT_BAD_ARGUMENT : open_tested(index, chosen.is_inexact, false, gl, out);
    if (status == SILT_OK || chosen.kind != SILT_DEVICE_AUTO)
        return status;
    silt_warn("computing on the processor: %s", silt_message());
    return SILT_OK;
}

SiltStatus silt_device_open(const char *choice, SiltDevice **out)
{
    return silt_device_open_sharing(choice, NULL, out);
}
