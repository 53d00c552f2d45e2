#include "core/sha256.h"

#include <string.h>

// The first 32 bits behind the point of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], v[8];
    for (int k = 0; k < 16; k++)
        w[k] = (uint32_t)block[4 * k] << 24 | (uint32_t)block[4 * k + 1] << 16 |
               (uint32_t)block[4 * k + 2] << 8 | block[4 * k + 3];
    for (int k = 16; k < 64; k++) {
        uint32_t a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[k - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(v, state, sizeof v);
    for (int k = 0; k < 64; k++) {
        uint32_t e = v[4], a = v[0];
        uint32_t one = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                       round_constants[k] + w[k];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int k = 0; k < 8; k++)
        state[k] += v[k];
}

void silt_sha256_begin(SiltSha256 *sha)
{
    // the square roots of the first eight primes, as above
    *sha = (SiltSha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                  0x1f83d9ab, 0x5be0cd19}};
}

void silt_sha256_add(SiltSha256 *sha, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    size_t used = (size_t)(sha->bytes % 64);
    sha->bytes += bytes;
    if (used > 0) {
        size_t part = bytes < 64 - used ? bytes : 64 - used;
        memcpy(sha->block + used, at, part);
        at += part;
        bytes -= part;
        if (used + part < 64)
            return;
        take_block(sha->state, sha->block);
    }
    for (; bytes >= 64; at += 64, bytes -= 64)
        take_block(sha->state, at);
    memcpy(sha->block, at, bytes);
}

void silt_sha256_end(SiltSha256 *sha, char text[SILT_SHA256_TEXT])
{
    static const unsigned char padding[64] = {0x80};
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = 8 * sha->bytes;
    size_t used = (size_t)(sha->bytes % 64);
    unsigned char length[8];
    for (int k = 0; k < 8; k++)
        length[k] = (unsigned char)(bits >> (56 - 8 * k));
    silt_sha256_add(sha, padding, used < 56 ? 56 - used : 120 - used);
    silt_sha256_add(sha, length, sizeof length);
    for (int k = 0; k < 64; k++)
        text[k] = digits[sha->state[k / 8] >> (28 - 4 * (k % 8)) & 15];
    text[64] = '\0';
}
