// Prefix sums and stable sorting on a device, for engines whose particles lie there.
#ifndef SILT_OPENCL_SORT_H
#define SILT_OPENCL_SORT_H

#include "opencl/device.h"

typedef struct SiltSorter SiltSorter;

// For up to `most` values of a prefix sum (one more than cells of a sort), and `items` of a sort.
SiltStatus silt_sorter_create(SiltDevice *device, const char *owner, int most, int items, SiltSorter **out);
void silt_sorter_destroy(SiltSorter *sorter); // NULL: nothing

// Each of the first `count` ints becomes the sum of those before it.
SiltStatus silt_sorter_scan(SiltSorter *sorter, SiltBuffer *values, int count);

// Items with keys (int, 0 to cells - 1; any other: left out) by cell, and within a cell by id (int64_t), then
// as they stood: the first of cell c is order[start[c]], and start[cells] how many there are. Of those beyond
// the first `crowd` of a cell marks[item] becomes `mark`.
typedef struct SiltSortJob {
    SiltBuffer *keys, *ids, *marks; // of the items: int, int64_t, uint8_t
    int count, cells, crowd;
    uint8_t mark;
    SiltBuffer *start, *order; // int: cells + 1, and items
} SiltSortJob;
// Waits for the device; says how many items were sorted in, and how many were marked.
SiltStatus silt_sorter_run(SiltSorter *sorter, const SiltSortJob *job, int *sorted, int *marked);

#endif
