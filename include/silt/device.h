// silt/device.h — GPUs and other devices that OpenCL finds. A run whose SiltRun names one works there, and
// gives the bytes that it gives on the processor.
#ifndef SILT_DEVICE_H
#define SILT_DEVICE_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltDevice SiltDevice;

typedef struct SiltDeviceInfo {
    char name[128];     // as the device calls itself
    char platform[128]; // whose OpenCL it is, and its version
    char driver[64];
    bool is_gpu;
    bool has_double;  // counts in double precision too
    uint64_t memory;  // bytes
    uint64_t largest; // bytes of the largest block
    int units;        // that compute at the same time
} SiltDeviceInfo;

// Those that OpenCL finds; none where there is no OpenCL, and then silt_message() says why.
SILT_API int silt_device_count(void);
SILT_API SiltStatus silt_device_info(int index, SiltDeviceInfo *out);

// Whether its driver says that it shares memory with GL; a window that opens it tries (silt/share.h).
SILT_API bool silt_device_shares(int index);

// `choice` is "cpu", "gpu" (the GPU with most memory), "gpu:NAME" (the first device in whose name or platform
// NAME occurs, whatever it is) or "auto" (a GPU that passes the test below; else the processor, with a
// warning that says so). Gives NULL for the processor. A device must give the bits of the processor for
// + - * / sqrt and floor on a million inputs, else it is refused by name; ",inexact" behind the choice takes
// it all the same. That it does is kept in the user's cache for this device, driver and version of Silt, and
// not tried again. The device stays open until silt_device_close, and runs must have ended before.
SILT_API SiltStatus silt_device_open(const char *choice, SiltDevice **out);
SILT_API void silt_device_close(SiltDevice *device); // NULL: nothing
SILT_API const SiltDeviceInfo *silt_device_of(const SiltDevice *device);

// The first failure since the device was opened, with its message; SILT_OK: none. From it on the device does
// nothing more: who goes on opens it again, or works on the processor.
SILT_API SiltStatus silt_device_status(SiltDevice *device);

// The self-test alone, made in any case, whatever is kept: SILT_OK, or how the device fails.
SILT_API SiltStatus silt_device_check(int index);

// Whether kernels are timed from here on; at first they are not, for it takes time.
SILT_API SiltStatus silt_device_watch(SiltDevice *device, bool is_timed);
// Seconds that the device has worked on kernels that were timed since it was last asked, by its own clock.
SILT_API double silt_device_seconds(SiltDevice *device);
// The same kernel by kernel: how many there are, at most `room`. A model's are those of its phases, in order.
typedef struct SiltKernelTime {
    char name[40];
    int launches;
    double seconds;
} SiltKernelTime;
SILT_API int silt_device_times(SiltDevice *device, SiltKernelTime *out, int room);
// Bytes per second of a copy within its memory, both ways counted; 0 when it fails.
SILT_API double silt_device_copy_rate(SiltDevice *device);

#ifdef __cplusplus
}
#endif
#endif
