// A binary heap of items of any size; `before` decides, and where it is a constant the compiler makes one
// code of both.
#ifndef SILT_CORE_HEAP_H
#define SILT_CORE_HEAP_H

#include <string.h>

#include "core/simd.h"
#include "silt/base.h"

typedef bool (*SiltBeforeFn)(const void *a, const void *b);

// Puts `item` among *count others; there must be room for one more.
SILT_INLINE void silt_heap_push(void *heap, size_t *count, size_t size, SiltBeforeFn before, const void *item)
{
    char *items = heap;
    size_t at = (*count)++;
    for (; at > 0 && before(item, items + (at - 1) / 2 * size); at = (at - 1) / 2)
        memcpy(items + at * size, items + (at - 1) / 2 * size, size);
    memcpy(items + at * size, item, size);
}

// Takes the first out, into `out`.
SILT_INLINE void silt_heap_pop(void *heap, size_t *count, size_t size, SiltBeforeFn before, void *out)
{
    char *items = heap;
    memcpy(out, items, size);
    const char *last = items + --*count * size;
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < *count; at = child) {
        child += child + 1 < *count && before(items + (child + 1) * size, items + child * size);
        if (!before(items + child * size, last))
            break;
        memcpy(items + at * size, items + child * size, size);
    }
    memmove(items + at * size, last, size);
}

#endif
