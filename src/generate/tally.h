// A tally of integers that many hands raise at once: integer sums have no order, so any number of threads
// leaves the same tally.
//
// Raising a run of cells touches two of them: the tally first holds differences along each row, and
// silt_tally_settle sums them up.
#ifndef SILT_GENERATE_TALLY_H
#define SILT_GENERATE_TALLY_H

#include "silt/terrain.h"

typedef struct SiltTally {
    int width, height;
    size_t stride; // cells from row to row: one more than the width, where runs that reach the edge end
    int64_t *data;
} SiltTally;

SiltStatus silt_tally_create(int width, int height, SiltTally *out);
void silt_tally_destroy(SiltTally *tally);

static inline int64_t *silt_tally_row(const SiltTally *tally, int j)
{
    return tally->data + (size_t)j * tally->stride;
}

// Raises columns i0 to i1 - 1 of row j; any thread may.
static inline void silt_tally_raise(const SiltTally *tally, int j, int i0, int i1, int64_t amount)
{
    int64_t *row = silt_tally_row(tally, j);
    __atomic_fetch_add(row + i0, amount, __ATOMIC_RELAXED);
    __atomic_fetch_sub(row + i1, amount, __ATOMIC_RELAXED);
}

// What has been raised so far, from the differences in `tally`, into `out` (of the same size, or `tally`).
void silt_tally_settle(const SiltTally *tally, const SiltTally *out);

// Softens a settled tally over about `radius` cells each way, less around the cell `keep` (i and j, or NULL):
// at most half as far as that cell is away, so it keeps its value. No value leaves the range there was.
SiltStatus silt_tally_smooth(const SiltTally *tally, double radius, const int *keep);

// metres * (value / whole), for a settled tally.
void silt_tally_write(const SiltTally *tally, double metres, double whole, SiltField *out);

#endif
