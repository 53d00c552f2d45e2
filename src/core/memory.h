// Allocation with overflow checks, for the library's own use.
#ifndef SILT_CORE_MEMORY_H
#define SILT_CORE_MEMORY_H

#include "silt/base.h"

// Zeroed; NULL when count * size overflows or memory is short. count 0 gives a block that may be freed.
void *silt_alloc_array(size_t count, size_t size);

// The same, and sets the message for `what` on failure.
SiltStatus silt_alloc_for(const char *what, size_t count, size_t size, void **out);

// Grows (or makes) an array, keeping its contents; the old block stays valid on failure.
SiltStatus silt_grow(const char *what, void **block, size_t old_count, size_t new_count, size_t size);

// A byte of each page of these bytes of a block stays as it is, but is written: the system clears a page when
// somebody writes there first, which takes as long as a step of a model does.
void silt_touch_pages(void *block, size_t begin, size_t end);

char *silt_strdup(const char *text);

// Tests make the n-th allocation from now on fail (1 = the next one); 0 switches it off.
void silt_fail_allocation(long n);
// How many allocations were made since silt_fail_allocation was last called.
long silt_allocation_count(void);

#endif
