// What a run on a device shows of itself without a way through the processor.
#ifndef SILT_ERODE_LOOK_THERE_H
#define SILT_ERODE_LOOK_THERE_H

#include "opencl/device.h"
#include "silt/erode.h"

typedef struct SiltLookThere SiltLookThere;

// Whether the run lies on a device and its "height" can be shown there; *water: its "water" too.
bool silt_erosion_can_look_there(const SiltErosion *erosion, bool *water);
// "height" or "water" as silt_erosion_view gives it, into memory of the run's device, from byte `at` on, row
// after row.
SiltStatus silt_erosion_look_there(SiltErosion *erosion, const char *layer, SiltBuffer *to, size_t at);
// 1 for cells without data: a byte each, as long as the run lasts.
SiltStatus silt_erosion_holes_there(SiltErosion *erosion, SiltBuffer **out);
void silt_look_there_destroy(SiltLookThere *there); // NULL: nothing

#endif
