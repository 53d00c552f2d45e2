// What device_grid.c and device_pass.c know of a grid on a device.
#ifndef SILT_GRID_DEVICE_OWN_H
#define SILT_GRID_DEVICE_OWN_H

#include "grid/device_grid.h"
#include "grid/device_tiles.h"

enum { SILT_DEVICE_GROUP = 128, SILT_DEVICE_ROWS_EACH = 4 };

// As in device_band.h.
typedef struct SiltDeviceShape {
    int32_t width, height, pitch, groups, ring, unused;
    int64_t origin;
    int32_t map_width, map_height, i, j, west, east, north, south;
} SiltDeviceShape;

struct SiltDeviceGrid {
    SiltDevice *device;
    const SiltGridTable *table;
    SiltProgram *program;
    bool tiled;                // all phases in one kernel, a tile at a time; else one after the other
    SiltTiles tiles;           // as the program has them
    uint64_t made_for;         // the fields that have buffers: when these are others, the program is too
    int tile_rows, tile_count; // rows of a tile, and how many lie one below the other
    SiltKernel *phases[SILT_GRID_PHASES], *tile, *fold, *gather;
    SiltBuffer *fields[SILT_GRID_FIELDS];
    SiltBuffer *next[SILT_GRID_FIELDS]; // where a step in tiles leaves those it changes
    SiltBuffer *steps, *partials, *sums, *maxima, *nothing, *places, *found;
    int32_t place_count;
    const SiltGridPlace *watched;
    uint32_t *seen;
    SiltField made; // rows that the processor makes
    char *step_copies;
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int slot_count;
    SiltDeviceShape shape;
    int ring_rows, block_rows, block_count;
    bool pushed;                         // whether the device has had the state
    bool is_newer[SILT_GRID_FIELDS];     // the device's than the processor's
    bool needs_layer[SILT_GRID_FIELDS];  // the processor's layer is newer
    uint64_t versions[SILT_GRID_FIELDS]; // of what the processor made
};

bool silt_device_grid_has_state(const SiltDeviceGrid *grid, int field);
size_t silt_device_grid_plane(const SiltDeviceGrid *grid, int field); // bytes
SiltStatus silt_device_grid_write(SiltDeviceGrid *grid, int field, const SiltField *from, int first,
                                  int count);
// The program for the buffers that there are now.
SiltStatus silt_device_grid_build(SiltDeviceGrid *grid);

#endif
