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

// What `main` returns: of a group of tests that all look at devices.
#define run_on_devices(tests) run_tests_on_devices(#tests, tests, sizeof(tests) / sizeof(tests)[0])

static inline int run_tests_on_devices(const char *name, const struct CMUnitTest *tests, size_t count)
{
    if (open_devices() == 0) {
        printf("skipped: %s\n", silt_message());
        return 77;
    }
    int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    close_devices();
    return failed;
}

#endif
