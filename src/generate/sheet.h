// A sheet of integers that many hands raise at once: integer sums have no order, so any number of threads
// leaves the same sheet.
//
// Raising a run of cells touches two of them: the sheet first holds differences along each row, and
// silt_sheet_settle sums them up.
#ifndef SILT_GENERATE_SHEET_H
#define SILT_GENERATE_SHEET_H

#include "silt/terrain.h"

typedef struct SiltSheet {
    int width, height;
    size_t stride; // cells from row to row: one more than the width, where runs that reach the edge end
    int64_t *data;
} SiltSheet;

SiltStatus silt_sheet_create(int width, int height, SiltSheet *out);
void silt_sheet_destroy(SiltSheet *sheet);

static inline int64_t *silt_sheet_row(const SiltSheet *sheet, int j)
{
    return sheet->data + (size_t)j * sheet->stride;
}

// Raises columns i0 to i1 - 1 of row j; any thread may.
static inline void silt_sheet_raise(const SiltSheet *sheet, int j, int i0, int i1, int64_t amount)
{
    int64_t *row = silt_sheet_row(sheet, j);
    __atomic_fetch_add(row + i0, amount, __ATOMIC_RELAXED);
    __atomic_fetch_sub(row + i1, amount, __ATOMIC_RELAXED);
}

// What has been raised so far, from the differences in `sheet`, into `out` (of the same size, or `sheet`).
void silt_sheet_settle(const SiltSheet *sheet, const SiltSheet *out);

// Softens a settled sheet over about `radius` cells each way, less around the cell `keep` (i and j, or NULL):
// at most half as far as that cell is away, so it keeps its value. No value leaves the range there was.
SiltStatus silt_sheet_smooth(const SiltSheet *sheet, double radius, const int *keep);

// metres * (value / whole), for a settled sheet.
void silt_sheet_write(const SiltSheet *sheet, double metres, double whole, SiltField *out);

#endif
