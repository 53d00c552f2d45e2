// What device_grid.c and device_pass.c know of a grid on a device.
#ifndef SILT_GRID_DEVICE_OWN_H
#define SILT_GRID_DEVICE_OWN_H

#include "grid/device_grid.h"
#include "grid/device_tiles.h"

enum { SILT_DEVICE_GROUP = 128, SILT_DEVICE_ROWS_EACH = 8 };

// As in device_band.h.
typedef struct SiltDeviceShape {
    int32_t width, height, pitch, groups, ring, unused;
    int64_t origin;
    int32_t map_width, map_height, i, j, west, east, north, south;
} SiltDeviceShape;

// A program for the fields that have buffers, and for what its compiler knows of a step (SiltGridSetting).
typedef struct SiltDeviceVariant {
    SiltProgram *program; // NULL: none yet
    uint64_t made_for;    // bit f: field f has a buffer
    char *settings;       // as silt_grid_program_settings leaves them; NULL: it reads them from the step
    SiltTilesWork work;   // in tiles, where it knows settings: of these steps
    SiltTilePlan plan;
    SiltKernel *phases[SILT_GRID_PHASES], *tiles[SILT_TILE_PASSES], *fold, *gather;
} SiltDeviceVariant;

enum { SILT_DEVICE_VARIANTS = 8 };

// How long steps take with tiles of several heights: device_tune.c. Passes try theirs one after the other.
typedef struct SiltTuning {
    bool runs;
    int pass;                      // that tries
    int choices[SILT_TILE_PASSES]; // of each pass
    int looks, best;               // how often the one that is tried, so far; the best of those before
    int made;                      // programs, before the pass over the map
    double began, least, shortest;
} SiltTuning;

struct SiltDeviceGrid {
    SiltDevice *device;
    const SiltGridTable *table;
    bool tiled;             // a tile at a time, in one pass or several; else phase after phase
    uint32_t cuts;          // where passes begin
    uint64_t handed, twice; // fields that passes hand on; fields of which there are two buffers
    bool knows;             // whether programs are made for the settings of a step
    char *known;            // these
    SiltDeviceVariant variants[SILT_DEVICE_VARIANTS];
    int variant, next_variant; // the one at work; the one to give up for another
    SiltTilePlan plan;         // of the one at work
    SiltTuning tuning;
    int made_programs;           // so far
    struct {                     // of each pass
        int rows, count, groups; // rows of a tile, and how many lie one below the other; tiles
    } cut[SILT_TILE_PASSES];
    SiltKernel *gather; // of the one at work
    SiltBuffer *fields[SILT_GRID_FIELDS];
    SiltBuffer *next[SILT_GRID_FIELDS]; // where a pass over tiles leaves those it changes
    SiltBuffer *steps, *partials, *sums, *maxima, *nothing, *places, *found;
    int32_t place_count;
    const SiltGridPlace *watched;
    uint32_t *seen;
    SiltField made; // rows that the processor makes
    float *ends[4]; // of those the outermost cells: north, south, west, east
    char *step_copies;
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int slot_count;
    SiltDeviceShape shape;
    int ring_rows, block_rows, block_count;
    bool pushed;                         // whether the device has had the state as it is
    bool worked;                         // whether its buffers have been written to
    bool is_newer[SILT_GRID_FIELDS];     // the device's than the processor's
    bool is_older[SILT_GRID_FIELDS];     // it goes over before the next step
    bool needs_layer[SILT_GRID_FIELDS];  // the processor's layer is newer
    uint64_t versions[SILT_GRID_FIELDS]; // of what the processor made
};

bool silt_device_grid_has_state(const SiltDeviceGrid *grid, int field);
size_t silt_device_grid_plane(const SiltDeviceGrid *grid, int field); // bytes
SiltStatus silt_device_grid_write(SiltDeviceGrid *grid, int field, const SiltField *from, int first,
                                  int count);
// What the processor has changed goes over.
SiltStatus silt_device_grid_bring(SiltDeviceGrid *grid);
// How a group's rows lie in its fast memory where these fields have buffers, and how the map is cut into
// tiles; whether that is another way than before.
void silt_device_grid_plan(const SiltDeviceGrid *grid, uint64_t present, SiltTilePlan *plan);
bool silt_device_grid_cut(SiltDeviceGrid *grid);
// The first steps of a run try tiles of several heights: before and after a pass.
void silt_device_tuning_start(SiltDeviceGrid *grid);
void silt_device_tuning_begin(SiltDeviceGrid *grid);
void silt_device_tuning_end(SiltDeviceGrid *grid, int steps);
// The map is cut anew.
SiltStatus silt_device_grid_reshape(SiltDeviceGrid *grid);
// Whether programs are made for the settings of a step.
bool silt_device_grid_should_know(const SiltDeviceGrid *grid);
// The program for the buffers that there are now and the settings of this step: one that is there already, or
// a new one.
SiltStatus silt_device_grid_build(SiltDeviceGrid *grid, const void *step);
void silt_device_variant_free(SiltDeviceVariant *variant);
static inline SiltDeviceVariant *silt_device_grid_variant(SiltDeviceGrid *grid)
{
    return &grid->variants[grid->variant];
}

#endif
