// Brings layers of a coarse grid to a finer one, and bends what they drew: rivers that ran along the eight
// directions of the coarse grid wind.
#ifndef SILT_ERODE_REFINE_H
#define SILT_ERODE_REFINE_H

#include "silt/terrain.h"

typedef struct SiltBend {
    int wave;    // cells of the finer grid over which a shift turns into another
    float reach; // cells of the finer grid that places are shifted by at the most; 0: none
    uint64_t seed;
    uint32_t step; // another one for every grid
} SiltBend;

// A terrain of width x height cells on the same ground with the layers of `coarse` but its height, which is
// zero. Values lie within those around them: nothing overshoots.
SiltStatus silt_terrain_refine(const SiltTerrain *coarse, int width, int height, SiltBend bend,
                               SiltTerrain **out);

#endif
