// Exact places on a map: integers, so that "nearer" and "on this side" have one answer on every machine.
//
// A cell is 2^shift units wide, with shift as large as lets the longer side stay within 2^27 units. Squared
// distances then fit 57 bits, and the value of a line at a point 58.
#ifndef SILT_GENERATE_LATTICE_H
#define SILT_GENERATE_LATTICE_H

#include <stdint.h>

typedef struct SiltLattice {
    int width, height; // cells
    int shift;
} SiltLattice;

// A rectangle of cells: columns i0 to i1 - 1, rows j0 to j1 - 1.
typedef struct SiltWindow {
    int i0, j0, i1, j1;
} SiltWindow;

static inline SiltLattice silt_lattice(int width, int height)
{
    int64_t side = width > height ? width : height;
    SiltLattice lattice = {width, height, 0};
    while (side << (lattice.shift + 1) <= (int64_t)1 << 27)
        lattice.shift++;
    return lattice;
}

// The middle of column or row `k`.
static inline int64_t silt_lattice_centre(const SiltLattice *lattice, int k)
{
    return (((int64_t)k * 2 + 1) << lattice->shift) / 2;
}

// Columns or rows as units.
static inline int64_t silt_lattice_length(const SiltLattice *lattice, int cells)
{
    return (int64_t)cells << lattice->shift;
}

// `word` of 32 random bits, spread evenly over a side of `cells` cells.
static inline int64_t silt_lattice_random(const SiltLattice *lattice, int cells, uint32_t word)
{
    return (int64_t)(((uint64_t)word * (uint64_t)silt_lattice_length(lattice, cells)) >> 32);
}

// Units as cells.
static inline double silt_lattice_cells(const SiltLattice *lattice, double units)
{
    return units / (double)((int64_t)1 << lattice->shift);
}

static inline SiltWindow silt_lattice_window(const SiltLattice *lattice)
{
    return (SiltWindow){0, 0, lattice->width, lattice->height};
}

#endif
