// Numbers in files, byte by byte: the same on machines of either byte order.
#ifndef SILT_IO_BYTES_H
#define SILT_IO_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t silt_load_u16(const void *from, bool big)
{
    const unsigned char *b = from;
    return (uint16_t)(big ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

static inline uint32_t silt_load_u32(const void *from, bool big)
{
    const unsigned char *b = from;
    return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | (uint32_t)b[0];
}

static inline float silt_load_f32(const void *from, bool big)
{
    uint32_t bits = silt_load_u32(from, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double silt_load_f64(const void *from, bool big)
{
    const unsigned char *b = from;
    uint64_t high = silt_load_u32(big ? b : b + 4, big), low = silt_load_u32(big ? b + 4 : b, big);
    uint64_t bits = high << 32 | low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline char *silt_store_u16(char *to, uint16_t value, bool big)
{
    to[0] = (char)(big ? value >> 8 : value & 255);
    to[1] = (char)(big ? value & 255 : value >> 8);
    return to + 2;
}

static inline char *silt_store_u32(char *to, uint32_t value, bool big)
{
    for (int k = 0; k < 4; k++)
        to[k] = (char)(value >> (8 * (big ? 3 - k : k)) & 255);
    return to + 4;
}

static inline char *silt_store_f32(char *to, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return silt_store_u32(to, bits, big);
}

#endif
