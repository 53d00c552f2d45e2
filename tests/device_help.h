// What the tests of devices share: any device will do, PoCL's too.
#ifndef SILT_DEVICE_HELP_H
#define SILT_DEVICE_HELP_H

#include "test.h"

#include "silt/device.h"

// NULL: there is none, or none of them passes the self-test.
static inline SiltDevice *open_any_device(void)
{
    SiltDevice *device = NULL;
    for (int k = 0; k < silt_device_count() && !device; k++) {
        SiltDeviceInfo info;
        char choice[160];
        if (silt_device_info(k, &info) != SILT_OK)
            continue;
        snprintf(choice, sizeof choice, "gpu:%s", info.name);
        if (silt_device_open(choice, &device) != SILT_OK)
            device = NULL;
    }
    return device;
}

#endif
