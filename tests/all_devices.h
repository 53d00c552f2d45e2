// Every device there is, for laws that hold on each of them.
#ifndef SILT_ALL_DEVICES_H
#define SILT_ALL_DEVICES_H

#include "test.h"

#include "silt/device.h"

static SiltDevice *devices[8];
static int device_count;

// How many there are; what is left out is told.
static inline int open_devices(void)
{
    int found = silt_device_count();
    for (int k = 0; k < found && device_count < 8; k++) {
        SiltDeviceInfo info;
        char choice[160];
        if (silt_device_info(k, &info) != SILT_OK)
            continue;
        snprintf(choice, sizeof choice, "gpu:%s", info.name);
        if (silt_device_open(choice, &devices[device_count]) == SILT_OK)
            device_count++;
        else
            printf("left out: %s\n", silt_message());
    }
    return device_count;
}

static inline void close_devices(void)
{
    for (int d = 0; d < device_count; d++)
        silt_device_close(devices[d]);
}

#endif
