// All cases of one header as one kernel; SILT_CASES and SILT_HEADER name the files.
#include "physics/cases.h"
#include SILT_HEADER

#define CASE(name, words, body)                                                                              \
    static void case_##name(uint at, __global uint *out)                                                     \
    {                                                                                                        \
        body;                                                                                                \
    }
#include SILT_CASES
#undef CASE

__kernel void run_cases(__global uint *out, uint first, uint count)
{
    uint at = first + (uint)get_global_id(0), item = (uint)get_global_id(0);
#define CASE(name, words, body)                                                                              \
    case_##name(at, out + item * words);                                                                     \
    out += count * words;
#include SILT_CASES
}
