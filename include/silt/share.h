// silt/share.h — what a device works out goes to a viewer's pictures without a way through the processor,
// where the device's OpenCL shares memory with GL (cl_khr_gl_sharing). Everywhere else nothing is lost:
// silt_share_why says why not, and layers are looked at as ever (silt_erosion_view).
//
//     silt_share_create(&share);                        // the thread that draws, its context current
//     silt_share_open(share, "gpu", &run.device);       // from here on the thread that runs the model
//     ...
//     if (silt_share_show(share, slot, run, exaggeration, &land) == SILT_OK)
//         hand_over(&land);                             // to silt_viewer_update_shared, on the thread that
//         draws
//
// There are SILT_SHARE_SLOTS places, each with a buffer of GL: one is written, one waits, one is shown. Who
// writes a place must know that it is not shown: a viewer reads it in silt_viewer_draw alone, up to the next
// call of silt_viewer_update_shared, and has done with it when that returns.
#ifndef SILT_SHARE_H
#define SILT_SHARE_H

#include "silt/device.h"
#include "silt/erode.h"
#include "silt/viewer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltShare SiltShare;

enum { SILT_SHARE_SLOTS = 3 };

// With the context that draws current (of EGL): makes one beside it, for the thread that runs the model.
SILT_API SiltStatus silt_share_create(SiltShare **out);
// On the thread that opened a device with it, after that was closed; NULL: nothing. Viewers have let go of
// it.
SILT_API void silt_share_destroy(SiltShare *share);

// silt_device_open, with memory that GL sees too. That it does is tried with a pattern, which the device
// writes and GL reads. Where it does not the device is opened all the same, and silt_share_why says why.
SILT_API SiltStatus silt_share_open(SiltShare *share, const char *choice, SiltDevice **out);
// Before silt_device_close of that device, when no run of it is left.
SILT_API void silt_share_close(SiltShare *share);
// NULL: it shares. Else why not, in words that go on after "draws by way of the processor: ".
SILT_API const char *silt_share_why(const SiltShare *share);

// Brings ground and water of a run on that device into a place, as a viewer of this exaggeration needs them.
// Fails where the run is none that can (silt_share_can), or where the driver does: then it shares no more.
SILT_API SiltStatus silt_share_show(SiltShare *share, int slot, SiltErosion *run, double exaggeration,
                                    SiltSharedLand *out);
SILT_API bool silt_share_can(const SiltShare *share, const SiltErosion *run);

#ifdef __cplusplus
}
#endif
#endif
