// Where the window computes: on the processor or on a device, as `--device` has it, remembered from start to
// start.
#ifndef SILT_VIEW_DEVICES_H
#define SILT_VIEW_DEVICES_H

#include "view.h"

// `choice` is what the command line says; NULL: what was chosen before.
void devices_begin(View *view, const char *choice);

#endif
