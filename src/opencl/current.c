// Whose device the calling thread works with, how often it was short of memory, and how often it tested one.
#include "opencl/device.h"

static _Thread_local SiltDevice *current;
static _Thread_local unsigned refusals, tests;

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

unsigned silt_device_tests(void)
{
    return tests;
}

void silt_device_count_test(void)
{
    tests++;
}
