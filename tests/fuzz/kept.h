// Files made of parts with checksums, whose sums are made right again, so that what is behind them is
// reached: whoever means harm can do it too.
#ifndef SILT_FUZZ_KEPT_H
#define SILT_FUZZ_KEPT_H

#include <stdint.h>
#include <string.h>

#include "core/sum.h"

static inline void kept_mend(uint8_t *file, size_t bytes)
{
    uint64_t length = bytes, sum, parts, at = 64;
    uint64_t chain = 0;
    if (bytes < 64)
        return;
    memcpy(file + 32, &length, 8);
    memcpy(&parts, file + 40, 8);
    sum = silt_sum_of(file, 56);
    memcpy(file + 56, &sum, 8);
    for (uint64_t k = 0; k < parts && k < 32 && bytes - at >= 48; k++) {
        uint64_t count;
        memcpy(&count, file + at + 24, 8);
        if (count > bytes - at - 48)
            return;
        sum = silt_sum_of(file + at + 48, count);
        memcpy(file + at + 32, &sum, 8);
        SiltSum head = {.sum = 1};
        silt_sum_add(&head, file + at, 40);
        silt_sum_add(&head, &chain, 8);
        chain = silt_sum_end(&head);
        memcpy(file + at + 40, &chain, 8);
        at += 48 + count + (-count & 7);
        if (at > bytes)
            return;
    }
}

#endif
