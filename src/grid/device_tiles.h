// A step of a grid as one kernel: each group of items takes a tile of the map and goes down its rows, all
// phases behind one another as a band of the processor does (grid.h), with the rows that they work on in the
// group's own fast memory. The step goes over the device's memory once: it reads the state as it was from one
// set of buffers and writes it as it is to another.
//
// Tiles lie side by side. A group also works on `halo` columns and rows around its own, as far as a step
// looks, and does not write them.
#ifndef SILT_GRID_DEVICE_TILES_H
#define SILT_GRID_DEVICE_TILES_H

#include "grid/device_program.h"

typedef struct SiltTiles {
    int items;        // columns of a group; 0: no group of this device can hold the rows
    int own;          // of these its own
    int cells;        // from row to row there
    int row_count;    // of all fields
    uint64_t loaded;  // bit f: the rows of field f come from the device's memory
    uint64_t stored;  // and go back there
    uint64_t at_ends; // of those loaded: only tiles at the ends of the map need them
    bool ahead;       // rows are read one round before they are needed
    bool is_large;    // a field has more bytes than 32 bits can count
    uint64_t twice;   // into another buffer than they came from
    int newest[SILT_GRID_FIELDS], rows[SILT_GRID_FIELDS], at[SILT_GRID_FIELDS]; // of a field: its first row
} SiltTiles;

// What a step does without: phases and fields.
typedef struct SiltTilesWork {
    uint32_t skipped;
    uint64_t unused;
} SiltTilesWork;
SiltTilesWork silt_tiles_work(const SiltGridTable *table, const void *step);

// For tests: items of a group; 0: as many as it can hold.
extern int silt_device_tile_items;

// `present`: bit f for each field that has a buffer. `local_bytes`, `most_items`: what a group can have.
SiltTiles silt_tiles_plan(const SiltGridTable *table, uint64_t present, size_t local_bytes,
                          size_t most_items);
// Bytes of a group's rows.
size_t silt_tiles_bytes(const SiltTiles *tiles);
// The kernel `silt_tile`, behind what silt_grid_program_begin has written. Its arguments: steps, which of
// them, shape, rows of a tile, phases to skip, fields to do without, partial results, a buffer for each
// field, and another for each that is kept twice. `known`: what the compiler is told of the steps that it is
// for, or NULL.
void silt_tiles_add(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles,
                    const SiltTilesWork *known);
enum { SILT_TILES_STEPS, SILT_TILES_WHICH, SILT_TILES_SHAPE, SILT_TILES_ROWS, SILT_TILES_SKIPPED };
enum { SILT_TILES_UNUSED = SILT_TILES_SKIPPED + 1, SILT_TILES_PARTIALS, SILT_TILES_FIELDS };

#endif
