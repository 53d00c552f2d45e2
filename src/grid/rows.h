// Rows of a field around the one a phase works on, and the eight neighbours of a cell there.
//
// Row code is C17 and OpenCL C 1.2 as well: on a device a band has one column, `begin` makes what that column
// needs, `cells` works on it, and `end` counts it. So row code
// - says SILT_GLOBAL of pointers to cells and SILT_STEP of pointers to the step, whose structs hold numbers,
//   and pointers into the processor's memory as SILT_HOST alone;
// - loops over whole rows in `begin` from silt_band_from to silt_band_to, and writes what lies beyond both
//   ends with silt_band_pad, silt_band_fill or silt_band_ends;
// - reads those members of the step that seldom change by SILT_SET;
// - has tables as SILT_TABLE outside functions, and counts in double precision only where SILT_HAS_DOUBLE is
//   defined, with step numbers of type SiltDouble;
// - reads neighbours of those fields only that its phase does not write.
#ifndef SILT_GRID_ROWS_H
#define SILT_GRID_ROWS_H

#ifdef __OPENCL_C_VERSION__
#ifdef SILT_TILES
#define SILT_GLOBAL __local // a group holds the rows it works on: device_tiles.h
#else
#define SILT_GLOBAL __global
#endif
#ifdef SILT_KNOWS // a kernel is given its step, not where it lies
#define SILT_STEP  __private
#define SILT_KNOWN __constant
#else
#define SILT_STEP  __constant
#define SILT_KNOWN SILT_STEP
#endif
#define SILT_TABLE __constant
// A setting of the step (SiltGridSetting), which the compiler may know; pointers to some are SILT_KNOWN.
#ifdef SILT_KNOWS
#define SILT_SET(step, member) (((SILT_KNOWN const SILT_STEP_TYPE *)silt_settings)->member)
#else
#define SILT_SET(step, member) ((step)->member)
#endif
// Before functions that other files of row code know: on a device all is one program.
#define SILT_ROW_FN     static
#define SILT_UNROLL     _Pragma("unroll")
#define SILT_HOST(type) ulong
// Both ends of the columns first to last, or all of them.
#define SILT_EACH_END(band, i, first, last, all)                                                             \
    for (int i = (band)->column; !(band)->inside && i == (band)->column && i >= (first) && i <= (last) &&    \
                                 ((all) || i == (first) || i == (last));                                     \
         i++)
#include "grid/device_band.h"
#else
#include <stddef.h>
#include <string.h>

#include "core/simd.h"
#include "grid/grid.h"
#include "physics/eight.h"

#define SILT_GLOBAL
#define SILT_STEP
#define SILT_KNOWN
#define SILT_TABLE             static const
#define SILT_SET(step, member) ((step)->member)
#define SILT_ROW_FN
// Before a loop that picks fields or members of a job by number: a device must know which.
#define SILT_UNROLL
#define SILT_HOST(type) const type *
#define SILT_EACH_END(band, i, first, last, all)                                                             \
    for (int i = (first); i <= (last); i += (all) || (last) <= (first) ? 1 : (last) - (first))
typedef double SiltDouble;

static inline int silt_band_from(const SiltBand *band)
{
    (void)band;
    return 0;
}

static inline int silt_band_to(const SiltBand *band)
{
    return band->width;
}

static inline SiltRegion silt_band_region(const SiltBand *band)
{
    return *silt_grid_region(band->grid);
}

// A job that begins with `bytes` of pointers to cells of a row, from column `begin` on: a loop over many rows
// that counts from zero needs fewer registers.
static inline void silt_rows_move_to(void *job, size_t bytes, int begin)
{
    for (size_t at = 0; at < bytes; at += sizeof(char *)) {
        char *row;
        memcpy(&row, (char *)job + at, sizeof row);
        row += (ptrdiff_t)begin * 4;
        memcpy((char *)job + at, &row, sizeof row);
    }
}
#endif

// From north to south.
typedef struct SiltRows {
    SILT_GLOBAL const int32_t *north, *here, *south;
} SiltRows;

typedef struct SiltRealRows {
    SILT_GLOBAL const float *north, *here, *south;
} SiltRealRows;

static inline SiltRows silt_rows_around(const SiltBand *band, int field, int row)
{
    return (SiltRows){silt_band_row(band, field, row - 1), silt_band_row(band, field, row),
                      silt_band_row(band, field, row + 1)};
}

static inline SiltRealRows silt_real_rows_around(const SiltBand *band, int field, int row)
{
    return (SiltRealRows){silt_band_row(band, field, row - 1), silt_band_row(band, field, row),
                          silt_band_row(band, field, row + 1)};
}

SILT_INLINE SiltEight silt_rows_eight(SiltRows at, int i)
{
    return (SiltEight){at.here[i + 1],  at.here[i - 1],  at.south[i],     at.north[i],
                       at.south[i + 1], at.north[i - 1], at.south[i - 1], at.north[i + 1]};
}

SILT_INLINE SiltEightReal silt_real_rows_eight(SiltRealRows at, int i)
{
    return (SiltEightReal){at.here[i + 1],  at.here[i - 1],  at.south[i],     at.north[i],
                           at.south[i + 1], at.north[i - 1], at.south[i - 1], at.north[i + 1]};
}

// What lies before the first and behind the last cell of a row in flight.
static inline void silt_band_ends(const SiltBand *band, SILT_GLOBAL int32_t *cells, int32_t before,
                                  int32_t behind)
{
    if (silt_band_from(band) == 0)
        cells[-1] = before;
    if (silt_band_to(band) == band->width)
        cells[band->width] = behind;
}

static inline void silt_band_pad(const SiltBand *band, int field, int row, int32_t value)
{
    silt_band_ends(band, (SILT_GLOBAL int32_t *)silt_band_row(band, field, row), value, value);
}

// The same with the whole row between.
static inline void silt_band_fill(const SiltBand *band, int field, int row, int32_t value)
{
    SILT_GLOBAL int32_t *cells = (SILT_GLOBAL int32_t *)silt_band_row(band, field, row);
    for (int i = silt_band_from(band); i < silt_band_to(band); i++)
        cells[i] = value;
    silt_band_ends(band, cells, value, value);
}

#endif
