// What the cases of physics/ are made of, for C and for OpenCL C alike. A file NAME_cases.h holds one line
// for each function of src/physics/NAME.h,
//
//     CASE(silt_grains, 1, PUT_I(0, silt_grains(POSITIVE(0, 40), UNIT(1))))
//
// its name, how many words it gives, and how: inputs are drawn by their kind and a number of their own, and
// are a function of the case's index `at` alone. The kinds hold denormals, zeros of both signs and the limits
// far more often than chance would.
#ifndef SILT_TESTS_PHYSICS_CASES_H
#define SILT_TESTS_PHYSICS_CASES_H

#include "physics/grains.h"

#ifdef __OPENCL_C_VERSION__
#define CASE_OUT                  __global
#define CASE_BITS(value)          as_uint(value)
#define CASE_REAL(word)           as_float(word)
#define CASE_SEEN(at, slot, word) (word)
#else
#define CASE_OUT
static inline silt_u32 CASE_BITS(float value)
{
    union {
        float value;
        silt_u32 word;
    } both = {value};
    return both.word;
}

static inline float CASE_REAL(silt_u32 word)
{
    union {
        silt_u32 word;
        float value;
    } both = {word};
    return both.value;
}

silt_u32 case_seen(silt_u32 at, silt_u32 slot, silt_u32 word); // for the words of a difference
#define CASE_SEEN(at, slot, word) case_seen(at, slot, word)
#endif

SILT_FN silt_u32 case_word(silt_u32 at, silt_u32 slot)
{
    silt_u32 word = at * 0x9E3779B9u + slot * 0x85EBCA6Bu + 0x6A09E667u;
    word = (word ^ (word >> 16)) * 0x7FEB352Du;
    word = (word ^ (word >> 15)) * 0x846CA68Bu;
    word ^= word >> 16;
    word = (word ^ (word >> 17)) * 0xED5AD4BBu;
    return word ^ (word >> 14);
}

// A second word of the same slot, for what kind of number the first becomes.
SILT_FN silt_u32 case_choice(silt_u32 at, silt_u32 slot)
{
    return case_word(at, slot + 1000u);
}

// Any bits at all: NaN and infinities too.
SILT_FN silt_u32 case_any(silt_u32 word, silt_u32 choice)
{
    if (choice % 8u != 0u)
        return word;
    silt_u32 sign = word & 0x80000000u;
    switch (choice / 8u % 8u) {
    case 0:
        return sign;
    case 1:
        return sign | 1u; // the smallest denormal
    case 2:
        return sign | 0x007FFFFFu; // the largest
    case 3:
        return sign | 0x00800000u;
    case 4:
        return sign | 0x7F7FFFFFu; // the largest float
    case 5:
        return sign | 0x7F800000u;
    case 6:
        return 0x7FC00000u;
    default:
        return sign | 0x3F800000u;
    }
}

// 0 <= x < 2^most: half of all within 24 binary orders of the limit, half down to the denormals.
SILT_FN silt_u32 case_below(silt_u32 word, silt_u32 choice, int most)
{
    silt_u32 top = (silt_u32)(127 + most), range = choice & 64u && top > 24u ? 24u : top;
    silt_u32 exponent = top - range + (choice >> 8) % range;
    if (choice % 16u == 0u)
        return choice & 32u ? 0u : choice & 128u ? top * 0x00800000u - 1u : 1u;
    return exponent << 23 | word >> 9;
}

SILT_FN silt_i32 case_amount(silt_u32 word, silt_u32 choice, int bits)
{
    silt_u32 most = 0xFFFFFFFFu >> (32 - bits);
    if (choice % 16u == 0u)
        return choice & 16u ? 0 : (silt_i32)most;
    return (silt_i32)(word >> (32u - 1u - (choice >> 8) % (silt_u32)bits));
}

// Heights: from the floor to the wall, which is itself one of sixteen.
SILT_FN silt_i32 case_grains(silt_u32 word, silt_u32 choice)
{
    if (choice % 16u == 0u)
        return choice & 16u ? SILT_GRAINS_WALL : choice & 32u ? 0 : SILT_GRAINS_FLOOR;
    silt_i32 size = case_amount(word, choice, 30);
    return choice & 64u ? -size : size;
}

SILT_FN silt_i32 case_near(silt_i32 middle, silt_u32 word, silt_u32 choice)
{
    if (choice % 16u == 0u)
        return choice & 16u ? SILT_GRAINS_WALL : middle;
    silt_i32 away = case_amount(word, choice, 28);
    return silt_clampi(middle + (choice & 64u ? -away : away), SILT_GRAINS_FLOOR, SILT_GRAINS_WALL - 1);
}

// What a function gives for no number is no number, whatever its bits.
SILT_FN silt_u32 case_result(float value)
{
    return value != value ? 0x7FC00000u : CASE_BITS(value);
}

#define CASE_DRAWN(slot, word) CASE_SEEN(at, slot, word)
#define BITS(slot)             CASE_DRAWN(slot, case_any(case_word(at, slot), case_choice(at, slot)))
#define ANY(slot)              CASE_REAL(BITS(slot))
// 0 <= x < 2^most, and |x| < 2^most
#define POSITIVE(slot, most)                                                                                 \
    CASE_REAL(CASE_DRAWN(slot, case_below(case_word(at, slot), case_choice(at, slot), most)))
#define REAL(slot, most)                                                                                     \
    CASE_REAL(CASE_DRAWN(slot, case_below(case_word(at, slot), case_choice(at, slot), most) |                \
                                   (case_word(at, slot) << 31)))
#define UNIT(slot)                                                                                           \
    ((float)(CASE_DRAWN(slot, case_any(case_word(at, slot), case_choice(at, slot))) >> 8) / 16777216.0f)
#define FLAG(slot) ((int)(CASE_DRAWN(slot, case_word(at, slot) & 1u)))
// 0 <= n < 2^bits
#define AMOUNT(slot, bits)                                                                                   \
    ((silt_i32)CASE_DRAWN(slot, (silt_u32)case_amount(case_word(at, slot), case_choice(at, slot), bits)))
#define GRAINS(slot)                                                                                         \
    ((silt_i32)CASE_DRAWN(slot, (silt_u32)case_grains(case_word(at, slot), case_choice(at, slot))))
// a height like that of another slot, or a wall
#define NEAR(other, slot)                                                                                    \
    ((silt_i32)CASE_DRAWN(slot,                                                                              \
                          (silt_u32)case_near(case_grains(case_word(at, other), case_choice(at, other)),     \
                                              case_word(at, slot), case_choice(at, slot))))

// doubles, of two slots: 2^-most < x < 2^most, and 1 <= x < 2
#if !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64)
#ifdef __OPENCL_C_VERSION__
#define CASE_LONG(value)  as_ulong(value)
#define CASE_DOUBLE(word) as_double(word)
#else
static inline silt_u64 CASE_LONG(double value)
{
    union {
        double value;
        silt_u64 word;
    } both = {value};
    return both.word;
}

static inline double CASE_DOUBLE(silt_u64 word)
{
    union {
        silt_u64 word;
        double value;
    } both = {word};
    return both.value;
}
#endif

SILT_FN double case_double(silt_u32 high, silt_u32 low, silt_u32 choice, silt_u32 most)
{
    silt_u32 exponent = most == 0u ? 1023u : 1023u - most + choice % (2u * most);
    return CASE_DOUBLE((silt_u64)exponent << 52 | (silt_u64)(high >> 12) << 32 | low);
}

SILT_FN silt_u64 case_long(double value)
{
    return value != value ? (silt_u64)0x7FF8u << 48 : CASE_LONG(value);
}

#define DOUBLE(slot, most)                                                                                   \
    case_double(CASE_DRAWN(slot, case_word(at, slot)), CASE_DRAWN(slot + 1, case_word(at, slot + 1)),        \
                case_choice(at, slot), most)
#define DOUBLE_ONE(slot)          DOUBLE(slot, 0)
#define SIGNED_DOUBLE(slot, most) (case_word(at, slot) & 1u ? -DOUBLE(slot, most) : DOUBLE(slot, most))
#define PUT_D(n, value)                                                                                      \
    do {                                                                                                     \
        silt_u64 bits_ = case_long(value);                                                                   \
        out[n] = (silt_u32)bits_;                                                                            \
        out[n + 1] = (silt_u32)(bits_ >> 32);                                                                \
    } while (0)
#endif

#define PUT_U(n, value) out[n] = (value)
#define PUT_I(n, value) out[n] = (silt_u32)(value)
#define PUT_F(n, value) out[n] = case_result(value)

#endif
