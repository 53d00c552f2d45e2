// Rows of a field around the one a phase works on, and the eight neighbours of a cell there.
#ifndef SILT_GRID_ROWS_H
#define SILT_GRID_ROWS_H

#include <stddef.h>
#include <string.h>

#include "core/simd.h"
#include "grid/grid.h"
#include "physics/eight.h"

// From north to south.
typedef struct SiltRows {
    const int32_t *north, *here, *south;
} SiltRows;

typedef struct SiltRealRows {
    const float *north, *here, *south;
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

// What lies before the first and behind the last cell of a row in flight.
static inline void silt_band_pad(const SiltBand *band, int field, int row, int32_t value)
{
    int32_t *cells = silt_band_row(band, field, row);
    cells[-1] = cells[band->width] = value;
}

// The same with the whole row between.
static inline void silt_band_fill(const SiltBand *band, int field, int row, int32_t value)
{
    int32_t *cells = silt_band_row(band, field, row);
    for (int i = -1; i <= band->width; i++)
        cells[i] = value;
}

#endif
