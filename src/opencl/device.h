// What the engines that run on a device stand on: memory there, programs made from the sources that are
// embedded in the library, and kernels. Nothing but src/opencl includes OpenCL's own headers.
//
// A step of a model cannot fail, but a device can. So a device remembers its first failure: from then on
// launches and transfers do nothing and give that status again, and silt_device_status says it with the
// device's own message. Work is done in the order in which it was asked for; reading waits for it.
#ifndef SILT_OPENCL_DEVICE_H
#define SILT_OPENCL_DEVICE_H

#include "silt/device.h"

typedef struct SiltBuffer SiltBuffer;
typedef struct SiltProgram SiltProgram;
typedef struct SiltKernel SiltKernel;

typedef enum SiltDeviceKind {
    SILT_DEVICE_CPU,
    SILT_DEVICE_LARGEST, // the GPU with most memory
    SILT_DEVICE_NAMED,
    SILT_DEVICE_AUTO
} SiltDeviceKind;

typedef struct SiltDeviceChoice {
    SiltDeviceKind kind;
    bool is_inexact; // one whose arithmetic differs is taken too
    char name[128];  // of SILT_DEVICE_NAMED: a part of it
} SiltDeviceChoice;

// cpu, gpu, gpu:NAME or auto, with ,inexact behind it or not; else a sentence.
SiltStatus silt_device_read_choice(const char *text, SiltDeviceChoice *out);

// The device that the calling thread's engines are made for: that of the run it works on. NULL: the
// processor.
SiltDevice *silt_device_current(void);
// From here on this one; returns the one before, to be brought back.
SiltDevice *silt_device_choose(SiltDevice *device);

// An engine's own reason why the device cannot go on.
SiltStatus silt_device_fail(SiltDevice *device, SiltStatus status, const char *why);
// Waits until all is done.
SiltStatus silt_device_finish(SiltDevice *device);
// Bytes that buffers take now; compare silt_device_of(device)->memory.
uint64_t silt_device_used(const SiltDevice *device);
// Whether `bytes` more fit, with the largest block of `largest`; else a sentence that begins with `owner`.
SiltStatus silt_device_has_room(const SiltDevice *device, const char *owner, uint64_t bytes,
                                uint64_t largest);

// How often the calling thread has asked a device for memory in vain: then the message says what was missing
// there, and nobody need say that memory is missing here.
unsigned silt_device_refusals(void);
void silt_device_refuse(void);
// How many self-tests it has made.
unsigned silt_device_tests(void);
void silt_device_count_test(void);

// ---- memory ----

// Zeroed, and really there: a device that makes memory only when it is used says so here.
SiltStatus silt_buffer_create(SiltDevice *device, const char *owner, size_t bytes, SiltBuffer **out);
void silt_buffer_destroy(SiltBuffer *buffer); // NULL: nothing
size_t silt_buffer_bytes(const SiltBuffer *buffer);

// The data may be changed as soon as they return.
SiltStatus silt_buffer_write(SiltBuffer *buffer, size_t at, const void *data, size_t bytes);
SiltStatus silt_buffer_read(SiltBuffer *buffer, size_t at, void *data, size_t bytes);
// As silt_buffer_read, but what it brings is there only when another read has returned.
SiltStatus silt_buffer_read_later(SiltBuffer *buffer, size_t at, void *data, size_t bytes);
// `count` rows of `bytes`, `pitch` bytes apart there and `stride` bytes apart here.
SiltStatus silt_buffer_write_rows(SiltBuffer *buffer, size_t at, size_t pitch, const void *data,
                                  size_t stride, size_t bytes, size_t count);
SiltStatus silt_buffer_read_rows(SiltBuffer *buffer, size_t at, size_t pitch, void *data, size_t stride,
                                 size_t bytes, size_t count);
SiltStatus silt_buffer_fill(SiltBuffer *buffer, size_t at, uint32_t word, size_t bytes);
SiltStatus silt_buffer_copy(SiltBuffer *from, size_t from_at, SiltBuffer *to, size_t to_at, size_t bytes);

// ---- memory that GL sees, too ----

// A context of EGL that is current on the calling thread, and stays as long as the device.
typedef struct SiltGlContext {
    void *context, *display;
} SiltGlContext;

// As silt_device_open, with memory shared with that context where the driver can (cl_khr_gl_sharing); else
// without.
SiltStatus silt_device_open_sharing(const char *choice, const SiltGlContext *gl, SiltDevice **out);
// NULL where it shares memory; else why not, in words.
const char *silt_device_apart(const SiltDevice *device);
// Makes a buffer of GL's one of the device, too. A failure here, or below, leaves the device as it was:
// whoever asked does without.
SiltStatus silt_buffer_of_gl(SiltDevice *device, unsigned name, size_t bytes, SiltBuffer **out);
// Copies the first `bytes` into a buffer of GL's, which nobody must read meanwhile, and waits until they are
// there.
SiltStatus silt_buffer_show(SiltBuffer *from, SiltBuffer *of_gl, size_t bytes);

// ---- programs and kernels ----

// Made of `text` ("#include "physics/sph_pair.h" ..." and kernels), whose includes are taken from the sources
// embedded by CMake (silt_device_sources there), by their path below src/. Macros before it: SILT_HAS_DOUBLE
// where the device counts in double precision. What was made before, by this version for this device and
// driver, comes from the user's cache. `owner` begins the message, which ends with the compiler's first
// words. `defines` ("-D EIGHT=1") may be NULL.
SiltStatus silt_program_create(SiltDevice *device, const char *owner, const char *text, const char *defines,
                               SiltProgram **out);
void silt_program_destroy(SiltProgram *program);
// The kernel belongs to the program, and goes with it.
SiltStatus silt_kernel_create(SiltProgram *program, const char *name, SiltKernel **out);

// Arguments stay set from launch to launch.
SiltStatus silt_kernel_set(SiltKernel *kernel, int index, const void *value, size_t bytes);
SiltStatus silt_kernel_set_buffer(SiltKernel *kernel, int index, const SiltBuffer *buffer); // NULL: none
SiltStatus silt_kernel_set_local(SiltKernel *kernel, int index, size_t bytes);
// Launches it over items[0] x items[1] x ..., rounded up to whole groups: kernels ask whether they are
// beyond. `group` NULL: the device chooses, and nothing is rounded.
SiltStatus silt_kernel_run(SiltKernel *kernel, int dimensions, const size_t *items, const size_t *group);
// The most items that a group of it can have.
size_t silt_kernel_group_limit(const SiltKernel *kernel);
size_t silt_device_local_bytes(const SiltDevice *device);
// Bytes that the arguments of a kernel can have, all together.
size_t silt_device_parameter_bytes(const SiltDevice *device);

// A source embedded in the library ("physics/silt_fn.h"), or NULL.
const char *silt_source_find(const char *path);
// `text` with its includes in their places; the caller frees it. NULL: memory is short.
char *silt_source_expand(const char *text);

#endif
