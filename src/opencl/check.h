// The operations that results rest on, as C and as OpenCL C: a device must give the same bits. Read by both.
#ifndef SILT_OPENCL_CHECK_H
#define SILT_OPENCL_CHECK_H

#include "physics/silt_fn.h"

enum { CHECK_WORDS = 8 };

typedef union SiltCheckWord {
    silt_u32 bits;
    float value;
} SiltCheckWord;

// Any bits, among them denormals, infinities and numbers near each other.
SILT_FN silt_u32 silt_check_draw(silt_u32 at, silt_u32 stream)
{
    silt_u32 x = at * 0x9E3779B9u + stream * 0x85EBCA6Bu;
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    x ^= x >> 16;
    if ((at & 7u) == 1u) // a denormal
        x &= 0x807FFFFFu;
    else if ((at & 7u) == 2u) // near one
        x = (x & 0x807FFFFFu) | 0x3F800000u;
    else if ((at & 7u) >= 4u) // of middling size
        x = (x & 0x8FFFFFFFu) + 0x38000000u;
    return x;
}

SILT_FN float silt_check_float(silt_u32 bits)
{
    SiltCheckWord word;
    word.bits = bits;
    return word.value;
}

// What is no number has many shapes, and none of them counts.
SILT_FN silt_u32 silt_check_bits(float value)
{
    SiltCheckWord word;
    word.value = value;
    return value == value ? word.bits : 0x7FC00000u;
}

// Of integers beyond 32 bits, too: the books are kept in them.
SILT_FN silt_u32 silt_check_whole(silt_u32 a, silt_u32 b)
{
    silt_i64 sum = (silt_i64)(silt_i32)a * (silt_i64)(silt_i32)b + (silt_i64)b;
    return (silt_u32)(sum >> 32) ^ (silt_u32)sum;
}

// As text in a macro, since a function could not write through a pointer that both compilers know.
#define SILT_CHECK(out, at)                                                                                  \
    do {                                                                                                     \
        silt_u32 a_ = silt_check_draw(at, 1u), b_ = silt_check_draw(at, 2u);                                 \
        float x_ = silt_check_float(a_), y_ = silt_check_float(b_);                                          \
        (out)[0] = silt_check_bits(x_ + y_);                                                                 \
        (out)[1] = silt_check_bits(x_ - y_);                                                                 \
        (out)[2] = silt_check_bits(x_ * y_);                                                                 \
        (out)[3] = silt_check_bits(x_ / y_);                                                                 \
        (out)[4] = silt_check_bits(silt_sqrtf(silt_absf(x_)));                                               \
        (out)[5] = silt_check_bits(silt_floorf(x_));                                                         \
        (out)[6] = silt_check_bits(x_ * y_ + x_);                                                            \
        (out)[7] = silt_check_whole(a_, b_) ^ (x_ < y_ ? 1u : 0u);                                           \
    } while (0)

#endif
