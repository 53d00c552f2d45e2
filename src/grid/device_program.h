// The kernels of a grid, as text.
#ifndef SILT_GRID_DEVICE_PROGRAM_H
#define SILT_GRID_DEVICE_PROGRAM_H

#include "core/text.h"
#include "grid/grid.h"

enum { SILT_GRID_SLOTS = 64 };

// A number that one phase adds to the books.
typedef struct SiltGridSlot {
    int phase;
    bool most;        // a maximum of int32_t; else a sum of int64_t
    size_t offset;    // into the tally
    const char *name; // of the member there
} SiltGridSlot;

// The row code, and what comes behind the kernels: silt_fold and silt_gather.
// `settings`: those that its compiler knows, or NULL: they are read from the step.
void silt_grid_program_begin(SiltText *text, const SiltGridTable *table, const char *settings);
void silt_grid_program_end(SiltText *text, const SiltGridTable *table);
// The settings of a step, where they lie in it, and nothing of its other members: out[step_bytes].
void silt_grid_program_settings(const SiltGridProgram *program, const void *step, char *out);
// A kernel for each phase: phase_0_rain, phase_1_flux ...
void silt_grid_program_phases(SiltText *text, const SiltGridTable *table);
// Whether a field is rows in flight, of which a ring is kept, and not whole.
bool silt_grid_program_rings(const SiltGridTable *table, int field);
// What the phases add, in the order of the kernels' partial results; how many.
int silt_grid_program_slots(const SiltGridTable *table, SiltGridSlot *slots);
// The same where one kernel does the phases `first` to `end`: each member of the tally once.
int silt_grid_program_members(const SiltGridTable *table, int first, int end, SiltGridSlot *slots);

#endif
