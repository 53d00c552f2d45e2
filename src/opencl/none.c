// A build without OpenCL: every device is missing, and the message names the package.
#include <string.h>

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

SiltStatus silt_device_check(int index)
{
    (void)index;
    return missing();
}

SiltStatus silt_device_open(const char *choice, SiltDevice **out)
{
    *out = NULL;
    if (strcmp(choice, "cpu") == 0)
        return SILT_OK;
    if (strcmp(choice, "auto") != 0)
        return missing();
    missing();
    silt_warn("computing on the processor: %s", silt_message());
    return SILT_OK;
}

// No device was ever opened: nothing below is reached.

void silt_device_close(SiltDevice *device)
{
    (void)device;
}

const SiltDeviceInfo *silt_device_of(const SiltDevice *device)
{
    (void)device;
    return NULL;
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
