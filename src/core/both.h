// Words for code that C compilers and those of OpenCL devices read alike: SILT_GLOBAL of pointers into the
// arrays of particles and ground, SILT_STEP of pointers to the numbers of a step, SILT_LOCAL of pointers to
// what a group of items shares. silt_nearest is the nearest whole number, of two the even one. Such code
// counts in double as well: devices that cannot are refused.
#ifndef SILT_CORE_BOTH_H
#define SILT_CORE_BOTH_H

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SILT_GLOBAL     __global
#define SILT_STEP       __constant
#define SILT_LOCAL      __local
#define SILT_INLINE     static inline
#define SILT_CEIL       ceil
#define silt_nearest(x) convert_int_rte(x)
typedef long int64_t;
typedef int int32_t;
typedef uint uint32_t;
typedef uchar uint8_t;
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/simd.h"
#define SILT_GLOBAL
#define SILT_STEP
#define SILT_LOCAL
#define SILT_CEIL       ceilf
#define silt_nearest(x) (int32_t) lrintf(x)
#endif
#include "physics/silt_fn.h"

#endif
