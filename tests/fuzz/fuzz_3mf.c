#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_mesh(&silt_format_3mf, data, bytes);
}
