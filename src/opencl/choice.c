// What --device says, alike in builds with and without OpenCL.
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "opencl/device.h"

SiltStatus silt_device_read_choice(const char *text, SiltDeviceChoice *out)
{
    *out = (SiltDeviceChoice){.kind = SILT_DEVICE_NAMED};
    char word[sizeof out->name];
    snprintf(word, sizeof word, "%s", text);
    char *comma = strrchr(word, ',');
    out->is_inexact = comma && strcmp(comma, ",inexact") == 0;
    if (out->is_inexact)
        *comma = '\0';
    if (strcmp(word, "cpu") == 0)
        out->kind = SILT_DEVICE_CPU;
    else if (strcmp(word, "auto") == 0)
        out->kind = SILT_DEVICE_AUTO;
    else if (strcmp(word, "gpu") == 0)
        out->kind = SILT_DEVICE_LARGEST;
    else if (strncmp(word, "gpu:", 4) == 0 && word[4])
        memmove(out->name, word + 4, strlen(word + 4) + 1);
    else
        return silt_fail(SILT_BAD_ARGUMENT,
                         "there is no device '%.60s': it is cpu, gpu, gpu:NAME (see 'silt list devices') or "
                         "auto",
                         text);
    return SILT_OK;
}
