// Random numbers as a function of (seed, stream, index, step): no state, so any thread may ask for any of
// them. Philox-4x32 with ten rounds (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
#ifndef SILT_PHYSICS_RANDOM_H
#define SILT_PHYSICS_RANDOM_H

#include "silt_fn.h"

typedef struct SiltRandom {
    silt_u32 word[4];
} SiltRandom;

SILT_FN SiltRandom silt_random(silt_u64 seed, silt_u32 stream, silt_u64 index, silt_u32 step)
{
    silt_u32 c0 = (silt_u32)index, c1 = (silt_u32)(index >> 32), c2 = step, c3 = stream;
    silt_u32 k0 = (silt_u32)seed, k1 = (silt_u32)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        silt_u64 a = (silt_u64)0xD2511F53u * c0, b = (silt_u64)0xCD9E8D57u * c2;
        silt_u32 n0 = (silt_u32)(b >> 32) ^ c1 ^ k0;
        silt_u32 n2 = (silt_u32)(a >> 32) ^ c3 ^ k1;
        c1 = (silt_u32)b;
        c3 = (silt_u32)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    SiltRandom random;
    random.word[0] = c0;
    random.word[1] = c1;
    random.word[2] = c2;
    random.word[3] = c3;
    return random;
}

// Uniform in [0, 1): 24 bits, exact in float.
SILT_FN float silt_uniform(silt_u32 word)
{
    return (float)(word >> 8) * (1.0f / 16777216.0f);
}

// Uniform in [-1, 1).
SILT_FN float silt_symmetric(silt_u32 word)
{
    return (float)((silt_i32)(word >> 8) - 8388608) * (1.0f / 8388608.0f);
}

#endif
