// SHA-256 (FIPS 180-4): what a report says of files, so that `sha256sum` can look after it.
#ifndef SILT_CORE_SHA256_H
#define SILT_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SILT_SHA256_TEXT = 65 }; // 64 digits and the closing zero

typedef struct SiltSha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64]; // what does not fill a block yet
} SiltSha256;

void silt_sha256_begin(SiltSha256 *sha);
void silt_sha256_add(SiltSha256 *sha, const void *data, size_t bytes);
void silt_sha256_end(SiltSha256 *sha, char text[SILT_SHA256_TEXT]);

#endif
