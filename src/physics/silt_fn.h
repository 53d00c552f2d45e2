// What the headers in physics/ stand on: they are read by C17 compilers and by OpenCL C 1.2 compilers alike.
// Plain functions of values, + - * / sqrt and floor only, no pointers and no globals: then both give the same
// bits.
#ifndef SILT_PHYSICS_SILT_FN_H
#define SILT_PHYSICS_SILT_FN_H

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#define SILT_FN static inline
typedef uint silt_u32;
typedef int silt_i32;
typedef ulong silt_u64;
typedef long silt_i64;
#if defined(__NV_CL_C_VERSION) && !defined(SILT_ZEROS_APART)
#define SILT_ZEROS_APART
#endif
#ifdef SILT_ZEROS_APART
#define silt_sqrtf silt_root
#else
#define silt_sqrtf sqrt
#endif
#define silt_floorf    floor
#define silt_absf      fabs
#define silt_copysignf copysign
#else
#include <math.h>
#include <stdint.h>
#ifdef __GNUC__
#define SILT_FN static inline __attribute__((always_inline)) // whole cells, too, go into the loops over rows
#else
#define SILT_FN static inline
#endif
typedef uint32_t silt_u32;
typedef int32_t silt_i32;
typedef uint64_t silt_u64;
typedef int64_t silt_i64;
#define silt_sqrtf     sqrtf
#define silt_floorf    floorf
#define silt_absf      fabsf
#define silt_copysignf copysignf
#endif

#ifdef SILT_ZEROS_APART
// NVIDIA's devices have a short way for roots and quotients, which zeros leave: one item that goes the long
// way takes all around it along. The bits are the same.
SILT_FN float silt_root(float square)
{
    float root = sqrt(square == 0.0f ? 1.0f : square);
    return square == 0.0f ? square : root;
}

SILT_FN float silt_over(float part, float whole)
{
    float quotient = (part == 0.0f ? 0x1p-30f : part) / whole;
    return part == 0.0f ? part * quotient : quotient;
}

SILT_FN float silt_share(float part, float whole, float one)
{
    float share = silt_over(part, whole == 0.0f ? 1.0f : whole);
    share = whole == 0.0f ? part * copysign(INFINITY, whole) : share;
    return share < one ? share : one;
}
#else
// part / whole, of which the part is often nothing.
SILT_FN float silt_over(float part, float whole)
{
    return part / whole;
}

// The same up to one, and one of nothing; the whole is often nothing too.
SILT_FN float silt_share(float part, float whole, float one)
{
    float share = part / whole;
    return share < one ? share : one;
}
#endif

// written so, not as fminf and fmaxf: compilers turn these into one vector instruction
SILT_FN float silt_minf(float a, float b)
{
    return a < b ? a : b;
}

SILT_FN float silt_maxf(float a, float b)
{
    return a > b ? a : b;
}

SILT_FN float silt_clampf(float value, float low, float high)
{
    return silt_minf(silt_maxf(value, low), high);
}

#endif
