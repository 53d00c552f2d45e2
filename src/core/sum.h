// A checksum of 64 bits: any one word that changes, changes it. Bytes may come in pieces of any size.
#ifndef SILT_CORE_SUM_H
#define SILT_CORE_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct SiltSum {
    uint64_t sum;
    unsigned char rest[8]; // bytes that do not make a word yet
    size_t rest_count;
} SiltSum;

// Of eight bytes, the lowest first.
static inline void silt_sum_word(SiltSum *s, const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    s->sum = (s->sum ^ word) * 0x9E3779B97F4A7C15u;
    s->sum ^= s->sum >> 29;
}

static inline void silt_sum_add(SiltSum *s, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    if (s->rest_count > 0) {
        size_t room = sizeof s->rest - s->rest_count, part = count < room ? count : room;
        memcpy(s->rest + s->rest_count, at, part);
        s->rest_count += part;
        at += part;
        count -= part;
        if (s->rest_count < sizeof s->rest)
            return;
        silt_sum_word(s, s->rest);
        s->rest_count = 0;
    }
    for (; count >= sizeof s->rest; at += sizeof s->rest, count -= sizeof s->rest)
        silt_sum_word(s, at);
    memcpy(s->rest, at, count);
    s->rest_count = count;
}

static inline uint64_t silt_sum_end(SiltSum *s)
{
    uint64_t sum = s->sum;
    for (size_t k = 0; k < s->rest_count; k++)
        sum = (sum ^ s->rest[k]) * 0x100000001B3u;
    return sum ^ s->rest_count;
}

static inline uint64_t silt_sum_of(const void *bytes, size_t count)
{
    SiltSum s = {.sum = 1};
    silt_sum_add(&s, bytes, count);
    return silt_sum_end(&s);
}

#endif
