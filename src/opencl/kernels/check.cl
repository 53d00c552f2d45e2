// What the self-test computes on a device: the operations that results rest on, each result a word.
#include "opencl/check.h"

__kernel void check(__global silt_u32 *out, silt_u32 first)
{
    silt_u32 at = get_global_id(0);
    silt_u32 words[CHECK_WORDS];
    SILT_CHECK(words, first + at);
    for (int k = 0; k < CHECK_WORDS; k++)
        out[at * CHECK_WORDS + k] = words[k];
}
