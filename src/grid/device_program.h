// The kernels of a grid, as text.
#ifndef SILT_GRID_DEVICE_PROGRAM_H
#define SILT_GRID_DEVICE_PROGRAM_H

#include "grid/grid.h"

enum { SILT_GRID_SLOTS = 64 };

// A number that one phase adds to the books.
typedef struct SiltGridSlot {
    int phase;
    bool most;     // a maximum of int32_t; else a sum of int64_t
    size_t offset; // into the tally
} SiltGridSlot;

// The caller frees it; NULL: memory is short. Kernels are phase_0_rain, phase_1_flux ..., silt_fold and
// silt_gather.
char *silt_grid_program_text(const SiltGridTable *table);
// Whether a field is rows in flight, of which a ring of SILT_RING_ROWS is kept, and not whole.
bool silt_grid_program_rings(const SiltGridTable *table, int field);
// What the phases add, in the order of the kernels' partial results; how many.
int silt_grid_program_slots(const SiltGridTable *table, SiltGridSlot *slots);

#endif
