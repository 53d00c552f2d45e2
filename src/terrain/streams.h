// What files about rivers share beyond the public header.
#ifndef SILT_TERRAIN_STREAMS_H
#define SILT_TERRAIN_STREAMS_H

#include "silt/drainage.h"
#include "silt/rivers.h"

// Cells above a channel where none are asked for: 0.1 km2, but at least 25 cells and at most a hundredth of
// the land.
double silt_channel_cells(const SiltDrainage *drainage);

// Strahler's order of the stream through every cell, 0 where less than channel_area (m2; NaN: as above)
// drains through it.
void silt_stream_orders(const SiltDrainage *drainage, double channel_area, uint8_t *order);

// How many streams come into each cell: 0 at a source, 2 and more at a confluence.
void silt_stream_joining(const SiltDrainage *drainage, const uint8_t *order, uint8_t *joining);
// Whether a line of its own begins at the cell: a source or a confluence that is no mouth.
static inline bool silt_reach_begins(const SiltDrainage *d, const uint8_t *order, const uint8_t *joining,
                                     int32_t c)
{
    return order[c] > 0 && joining[c] != 1 && d->receiver[c] != c;
}
// The next confluence or mouth downstream of the cell that it begins at.
int32_t silt_reach_end(const SiltDrainage *drainage, const uint8_t *joining, int32_t first);

// Metres from a cell to where it drains; 0 at an outlet.
double silt_stream_step(const SiltDrainage *drainage, int32_t cell);
static inline double silt_drainage_surface(const SiltDrainage *d, int32_t c)
{
    return (double)silt_field_at(&d->surface, c % d->width, c / d->width);
}

// chi of every cell with data, m: the integral of (A0 / A)^theta from its outlet up to it, where A between
// two cells is that of the upper one: what joins at the lower one has not joined yet.
void silt_stream_chi(const SiltDrainage *drainage, const SiltRiverOptions *options, double *chi);
// Steepness of a way downstream from one cell to another: the slope of height over chi times A0^theta; NaN
// where chi does not change.
double silt_reach_steepness(const SiltDrainage *drainage, const SiltRiverOptions *options, const double *chi,
                            int32_t first, int32_t last);

#endif
