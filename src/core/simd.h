// One binary that is fast everywhere: hot row loops are compiled once for each vector width, and the loader
// picks. All clones give the same bits, because contraction and reassociation are off.
#ifndef SILT_CORE_SIMD_H
#define SILT_CORE_SIMD_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SILT_NO_CLONES)
#define SILT_CLONES     __attribute__((target_clones("avx512f", "avx2", "default")))
#define SILT_HAS_CLONES 1
#else
#define SILT_CLONES
#endif

// For the body of a row loop that is written once and compiled for several constant flags.
#if defined(__GNUC__)
#define SILT_INLINE static inline __attribute__((always_inline))
#else
#define SILT_INLINE static inline
#endif

// Before a loop whose arrays do not overlap: the compiler need not check. (clang checks as it runs, and warns
// about wishes it cannot grant.)
#if defined(__GNUC__) && !defined(__clang__)
#define SILT_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SILT_INDEPENDENT
#endif

// Asks for the cache line at an address that will be needed soon.
#if defined(__GNUC__)
#define SILT_FETCH(address) __builtin_prefetch(address, 0, 2)
#else
#define SILT_FETCH(address) (void)(address)
#endif

#endif
