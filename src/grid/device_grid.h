// A grid whose fields lie in the memory of a device and whose phases are kernels there. grid.c hands over to
// it when a grid is made for a device; models do not know.
#ifndef SILT_GRID_DEVICE_GRID_H
#define SILT_GRID_DEVICE_GRID_H

#include "grid/grid.h"
#include "opencl/device.h"

typedef struct SiltDeviceGrid SiltDeviceGrid;

// Tests change these.
extern int silt_device_in_tiles; // whether steps go over the map once; -1: on GPUs
extern int silt_device_cuts;     // bit p where a pass over tiles begins with phase p; -1: as suits the device
extern int silt_device_reads_ahead; // whether tiles read rows one round before they are needed; -1: on GPUs
extern int silt_device_tile_rows;   // of a tile; 0: as suits the device
extern int silt_device_tunes;       // whether the first steps find what suits; -1: on GPUs
extern int silt_device_knows_settings; // whether programs are made for the settings of a step; -1: on GPUs
extern int silt_device_ring_rows;      // phase after phase: a power of two, at least 16

// The table must stay. Fails where it has no program, or does not fit.
SiltStatus silt_device_grid_create(SiltDevice *device, const SiltGridTable *table, const SiltTerrain *terrain,
                                   SiltDeviceGrid **out);
void silt_device_grid_destroy(SiltDeviceGrid *grid);
// Tallies of the steps come one after the other, `stride` bytes apart. A failure stays with the device.
void silt_device_grid_pass(SiltDeviceGrid *grid, const void *const *steps, int count, char *tallies,
                           size_t stride);
// See silt_grid_fetch, silt_grid_push and silt_grid_renew.
SiltStatus silt_device_grid_fetch(SiltDeviceGrid *grid, const char *names, int first, int count);
SiltStatus silt_device_grid_push(SiltDeviceGrid *grid, int first, int count);
void silt_device_grid_renew(SiltDeviceGrid *grid);
SiltStatus silt_device_grid_watch(SiltDeviceGrid *grid, const SiltGridPlace *places, int count);
SiltStatus silt_device_grid_look(SiltDeviceGrid *grid);
SiltStatus silt_device_grid_there(SiltDeviceGrid *grid, const char *name, SiltGridThere *out);

#endif
