// A step of a grid in tiles: each group of items takes a tile of the map and goes down its rows, phases
// behind one another as a band of the processor does (grid.h), with the rows that they work on in the group's
// own fast memory. Where that holds the rows of all phases a step is one kernel, a pass, and goes over the
// device's memory once: it reads the state as it was from one set of buffers and writes it as it is to
// another. Else it is several, each of some phases, and what they hand on lies in the device's memory too.
//
// Tiles lie side by side. A group also works on `halo` columns and rows around its own, as far as the phases
// of the pass look, and does not write them.
#ifndef SILT_GRID_DEVICE_TILES_H
#define SILT_GRID_DEVICE_TILES_H

#include "grid/device_lives.h"
#include "grid/device_program.h"

enum { SILT_TILE_PASSES = 4 };

// A pass: the phases `first` to `end`.
typedef struct SiltTiles {
    int items;            // columns of a group; 0: no group of this device can hold the rows
    int own;              // of these its own
    int cells;            // from row to row there
    int row_count;        // of all fields
    int first, end, halo; // its phases, and how many cells around its own they look at
    int lead, lasts; // phases work in the rounds from `lead` before its first row to `lasts` behind its last,
    int late;        // rows go out until `late`
    int brief_at;    // the rows that phases have one after the other
    SiltTileLife lives[SILT_TILE_LIVES];
    int life_count;
    uint64_t loaded;  // bit f: rows of field f come from the device's memory
    uint64_t stored;  // and go back there
    uint64_t at_ends; // of those loaded: only tiles at the ends of the map need them
    uint64_t handed;  // from or to another pass
    uint64_t twice;   // into another buffer than they came from
    bool ahead;       // rows are read one round before they are needed
    bool is_large;    // a field has more bytes than 32 bits can count
    bool is_given;    // the group's memory is the last argument, not the kernel's own
} SiltTiles;

typedef struct SiltTilePlan {
    int count; // of passes; 0: it cannot be
    SiltTiles passes[SILT_TILE_PASSES];
} SiltTilePlan;

// What a step does without: phases and fields.
typedef struct SiltTilesWork {
    uint32_t skipped;
    uint64_t unused;
} SiltTilesWork;
SiltTilesWork silt_tiles_work(const SiltGridTable *table, const void *step);

// For tests: items of a group; 0: as many as it can hold.
extern int silt_device_tile_items;

// `cuts`: bit p where a pass begins with phase p. `present`: bit f for each field that has a buffer.
// `local_bytes`, `most_items`: what a group can have.
void silt_tiles_plan(const SiltGridTable *table, uint32_t cuts, uint64_t present, size_t local_bytes,
                     size_t most_items, SiltTilePlan *plan);
// The cuts with which rows fit and a step takes least time; false: there are none.
bool silt_tiles_choose(const SiltGridTable *table, uint64_t present, size_t local_bytes, size_t most_items,
                       uint32_t *cuts);
// Bytes of a group's rows, and those of the device's memory that a cell takes.
size_t silt_tiles_bytes(const SiltTiles *tiles);
double silt_tiles_traffic(const SiltTiles *tiles);
// The kernel of a pass, `silt_tile_0` and so on, behind what silt_grid_program_begin has written. Its
// arguments: steps, which of them, shape, rows of a tile, phases to skip, fields to do without, partial
// results, for each field that it loads or stores a buffer, or two where it is kept twice, and
// silt_tiles_given bytes of memory for each group where they are given. `known`: what the compiler is told of
// the steps that it is for, or NULL. `slot`: the first of its partial results.
void silt_tiles_add(SiltText *text, const SiltGridTable *table, const SiltTilePlan *plan, int pass, int slot,
                    const SiltTilesWork *known);
size_t silt_tiles_given(const SiltTiles *tiles);
enum { SILT_TILES_STEPS, SILT_TILES_WHICH, SILT_TILES_SHAPE, SILT_TILES_ROWS, SILT_TILES_SKIPPED };
enum { SILT_TILES_UNUSED = SILT_TILES_SKIPPED + 1, SILT_TILES_PARTIALS, SILT_TILES_FIELDS };

#endif
