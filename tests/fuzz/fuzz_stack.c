// Holds the bytes as a recipe in hand and does to it all that can be done.
#include "fuzz.h"

#include "../stack_shake.h"
#include "core/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 1 << 14 || memchr(data, 0, size))
        return 0; // each deed reads all of it anew
    char *text = silt_alloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    shake(text);
    silt_free(text);
    return 0;
}
