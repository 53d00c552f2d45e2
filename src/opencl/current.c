// Whose device the calling thread works with.
#include "opencl/device.h"

static _Thread_local SiltDevice *current;

SiltDevice *silt_device_current(void)
{
    return current;
}

SiltDevice *silt_device_choose(SiltDevice *device)
{
    SiltDevice *before = current;
    current = device;
    return before;
}
