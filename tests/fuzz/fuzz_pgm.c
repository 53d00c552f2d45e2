#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_raster(&silt_format_pgm, data, bytes);
}
