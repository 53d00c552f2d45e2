// Maps drawn on the CPU: no GL, the same bytes everywhere.
#ifndef SILT_RENDER_HILLSHADE_H
#define SILT_RENDER_HILLSHADE_H

#include "render/scale.h"
#include "silt/render.h"

// What two pictures of one place share, so that they can be compared.
typedef struct SiltRange {
    double low, high;                // heights in metres
    double west, east, south, north; // edges in metres, in the motif's own coordinates
    SiltScale scale;                 // of the overlay, if there is one
    SiltScale particle_scale;        // of the particles' colours, if they mean a quantity
    double particle_size;            // metres across; 0: there are none
    double most_deposit, most_mud;   // metres that are shown all red and all green; 0: not graded
} SiltRange;

SiltStatus silt_range_of(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltRange *out);

// Makes it wide enough for both.
void silt_range_include(SiltRange *range, const SiltRange *other);

// Snow lies above this many metres: as the options say, or on the upper part of mountains, or nowhere.
double silt_snow_line(const SiltRenderOptions *options, const SiltRange *range);

// The image is one pixel a cell and already allocated.
SiltStatus silt_hillshade(const SiltTerrain *terrain, const SiltRenderOptions *options,
                          const SiltRange *range, SiltImage *image);

#endif
