// Which rows of which fields a kernel of several phases must hold, found from what the phases say they read
// and write. A field may have several lives in a step: what is written anew has nothing to do with what was
// there before.
#ifndef SILT_GRID_DEVICE_LIVES_H
#define SILT_GRID_DEVICE_LIVES_H

#include "grid/grid.h"

enum { SILT_TILE_LIVES = 96 };

// Rows of a field from when they come in, or are made, to when they were last looked at.
typedef struct SiltTileLife {
    int field;
    int first, last;    // the phases between which it lies
    int newest, oldest; // rows behind the newest of a round: where it begins and ends
    bool loaded;        // it comes from the device's memory
    bool stored;        // and goes back there
    bool handed;        // between kernels: with what lies beyond the ends of the map
    bool brief;         // one row, of one phase, in which each item works on its own cell alone
    int rows, at;       // how many are held, and where the first of them is
} SiltTileLife;

// How a phase uses a field.
typedef struct SiltUse {
    bool reads, writes;
    bool anew;        // whatever was there before
    int north, south; // rows beyond its own
    int around;       // columns
} SiltUse;

SiltUse silt_phase_use(const SiltGridTable *table, int phase, int field);
// Whether the items of a group must have done the first phase, all of them, before any begins the second:
// where what one looks at around its cell the other writes.
bool silt_phase_must_wait(const SiltGridTable *table, int first, int second);
// How many cells around those it is for the phases `first` to `end` look; needs[phase]: how many of them the
// phase works on.
int silt_phases_look(const SiltGridTable *table, int first, int end, int *needs);
// The lives of all fields while these phases work; `present`: bit f for each field that has a buffer. -1:
// this cannot be.
int silt_phases_lives(const SiltGridTable *table, int first, int end, uint64_t present, SiltTileLife *lives);

#endif
