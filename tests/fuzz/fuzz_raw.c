#include <string.h>

#include "fuzz.h"

// RAW samples and the header beside them: its text up to the first zero byte, then the samples. The first
// byte chooses the ending; a bit of it leaves the header out.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const endings[] = {"raw", "r16", "r32", "bin"};
    if (bytes < 1)
        return 0;
    unsigned choice = *data++;
    bytes--;
    const uint8_t *zero = memchr(data, 0, bytes);
    size_t text = zero ? (size_t)(zero - data) : bytes, skip = zero ? text + 1 : text;
    char path[64], header[64];
    snprintf(path, sizeof path, "%s/x.%s", fuzz_folder(), endings[choice & 3]);
    snprintf(header, sizeof header, "%s/x.hdr", fuzz_folder());
    fuzz_put(data + skip, bytes - skip, path);
    if (!(choice & 4))
        fuzz_put(data, text, header);
    SiltTerrain *terrain;
    SiltStatus status = silt_terrain_read(path, NULL, &terrain);
    if (status != SILT_OK && !silt_message()[0])
        abort();
    fuzz_end_terrain(status, terrain);
    unlink(path);
    unlink(header);
    return 0;
}
