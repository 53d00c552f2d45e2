// What files about rivers share beyond the public header.
#ifndef SILT_TERRAIN_STREAMS_H
#define SILT_TERRAIN_STREAMS_H

#include "silt/drainage.h"

// Strahler's order of the stream through every cell, 0 where less than channel_area (m2) drains through it.
void silt_stream_orders(const SiltDrainage *drainage, double channel_area, uint8_t *order);

#endif
