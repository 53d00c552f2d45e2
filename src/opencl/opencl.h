// What the files of src/opencl share: OpenCL itself, every call of which is checked.
#ifndef SILT_OPENCL_OPENCL_H
#define SILT_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_gl.h>

#include "core/memory.h"
#include "core/status.h"
#include "opencl/device.h"

enum { SILT_MOST_EVENTS = 256, SILT_MOST_KERNELS = 64 };
enum { SILT_STAGING = 1 << 16, SILT_STAGED_MOST = 4096 }; // bytes for small writes that nobody waits for

struct SiltDevice {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    SiltDeviceInfo info;
    size_t local_bytes;
    size_t parameter_bytes; // of all arguments of a kernel
    uint64_t used;
    SiltStatus status; // of the first failure
    char message[512];
    double seconds; // of kernels
    cl_event events[SILT_MOST_EVENTS];
    int launched[SILT_MOST_EVENTS]; // which of `times` they belong to
    SiltKernelTime times[SILT_MOST_KERNELS];
    int time_count;
    int event_count;
    bool is_timed;   // whether kernels are timed
    unsigned made;   // buffers so far: a new one may have the handle of one that is gone
    bool shares;     // memory with GL
    char apart[200]; // why it does not
    size_t staged;   // of the bytes below
    unsigned char staging[SILT_STAGING];
};

struct SiltBuffer {
    SiltDevice *device;
    cl_mem memory;
    size_t bytes;
};

enum { SILT_KNOWN_ARGS = 40, SILT_KNOWN_BYTES = 16 }; // of arguments whose value is remembered

struct SiltKernel {
    SiltProgram *program;
    cl_kernel kernel;
    char name[64];
    SiltKernel *next;
    // arguments as they were set last, and of how many bytes; 0: not remembered
    unsigned char known[SILT_KNOWN_ARGS][SILT_KNOWN_BYTES];
    size_t known_bytes[SILT_KNOWN_ARGS];
    unsigned known_at; // device->made then
};

struct SiltProgram {
    SiltDevice *device;
    cl_program program;
    char owner[64];
    SiltKernel *kernels;
};

// Fails where `code` is an error, and the device with it: "DEVICE: WHAT: out of memory on the device".
SiltStatus silt_cl_check(SiltDevice *device, cl_int code, const char *what);
const char *silt_cl_error(cl_int code);

// The device of an index (`gl` NULL: its memory is its own), and whether it gives the processor's bits. That
// it does is kept in the cache, for silt_cl_trust, which tests only where nothing is kept.
SiltStatus silt_cl_open(int index, const SiltGlContext *gl, SiltDevice **out);
SiltStatus silt_cl_test(SiltDevice *device);
SiltStatus silt_cl_trust(SiltDevice *device);
// Takes the times of the kernels that have ended.
void silt_cl_collect(SiltDevice *device);

// ---- sharing.c ----
bool silt_cl_has_sharing(cl_device_id id);
// A context that shares memory with GL; NULL: it cannot be, and device->apart says why.
cl_context silt_cl_share(SiltDevice *device, cl_platform_id platform, const SiltGlContext *gl);

// ---- cache.c ----
uint64_t silt_cache_key(const SiltDevice *device, const char *text, const char *options);
// A binary that was kept, which the caller frees; NULL: none that is whole.
unsigned char *silt_cache_read(uint64_t key, size_t *bytes);
void silt_cache_write(uint64_t key, const unsigned char *binary, size_t bytes);
// Whether these very words were kept.
bool silt_cache_has_note(uint64_t key, const char *note);
void silt_cache_forget(uint64_t key);

#endif
