// What files about rivers share beyond the public header.
#ifndef SILT_TERRAIN_STREAMS_H
#define SILT_TERRAIN_STREAMS_H

#include "silt/drainage.h"

// Cells above a channel where none are asked for: 0.1 km2, but at least 25 cells and at most a hundredth of
// the land.
double silt_channel_cells(const SiltDrainage *drainage);

// Strahler's order of the stream through every cell, 0 where less than channel_area (m2; NaN: as above)
// drains through it.
void silt_stream_orders(const SiltDrainage *drainage, double channel_area, uint8_t *order);

#endif
