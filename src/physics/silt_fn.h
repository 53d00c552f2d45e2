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
#define silt_sqrtf     sqrt
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
