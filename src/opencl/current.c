// Whose device the calling thread works with, and how often it was short of memory.
#include "opencl/device.h"

static _Thread_local SiltDevice *current;
static _Thread_local unsigned refusals;

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

unsigned silt_device_refusals(void)
{
    return refusals;
}

void silt_device_refuse(void)
{
    refusals++;
}
