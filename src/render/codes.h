// Numbers as textures hold them, of one cell: read by C compilers and by those of OpenCL devices.
#ifndef SILT_RENDER_CODES_H
#define SILT_RENDER_CODES_H

#include "physics/silt_fn.h"

#ifdef __OPENCL_C_VERSION__
#define silt_code_bits(value) as_uint(value)
#else
#include <string.h>
static inline silt_u32 silt_code_bits(float value)
{
    silt_u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
#endif

// The sixteen bits of a half float; what is too small becomes zero.
SILT_FN silt_u32 silt_code_half(float value)
{
    silt_u32 bits = silt_code_bits(value);
    silt_u32 sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    silt_u32 rounded = magnitude + 0x1000u;
    silt_u32 half_ = rounded < 0x38800000u    ? 0u
                     : rounded >= 0x47800000u ? 0x7bffu
                                              : (rounded - 0x38000000u) >> 13;
    return sign | half_;
}

SILT_FN silt_u32 silt_code_byte(float value)
{
    return (silt_u32)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

// value / (value + half): fine near zero, never full
SILT_FN float silt_code_saturating(float value, float half_)
{
    return value > 0.0f ? value / (value + half_) : 0.0f;
}

#endif
