// The bricks of a volume in the memory of a device: a table that gives each its place in a pool, whose first
// places are shared by all uniform bricks. For C and OpenCL.
#ifndef SILT_COUPLE_DEVICE_BRICKS_H
#define SILT_COUPLE_DEVICE_BRICKS_H

typedef struct SiltRockSize {
    int size[3], bricks[3]; // voxels and bricks along each axis
    int side, shift;
    float band;
    int total; // of bricks
} SiltRockSize;

// What particles have done to rock since the beginning.
enum { SILT_ROCK_TAKEN, SILT_ROCK_LAID, SILT_ROCK_BURIED, SILT_ROCK_CUT, SILT_ROCK_TOTALS };

// What a re-initialisation counts, and what bricks are in it.
enum {
    SILT_REINIT_TORN,    // uniform bricks at which the surface passes
    SILT_REINIT_SOURCES, // bricks whose facets are needed
    SILT_REINIT_DONE,    // that are done again
    SILT_REINIT_FACETS,
    SILT_REINIT_REACHED,  // uniform bricks that the band reaches
    SILT_REINIT_RELEASED, // those that it has left
    SILT_REINIT_MEASURED, // of a measurement: bricks that have changed
    SILT_REINIT_SPREAD,   // of a look for loose rock: whether more was found to be held
    SILT_REINIT_LOOSE,    // voxels that were not
    SILT_REINIT_COUNTERS
};
enum { SILT_ROLE_DONE = 1, SILT_ROLE_SOURCE = 2 };
typedef struct SiltReinitSource {
    int first, count; // of its facets
    unsigned reach;   // bit n: they reach brick n of the 27 around
    int is_near;      // whether voxels beside the surface are in it
} SiltReinitSource;

#ifdef __OPENCL_C_VERSION__
#include "volume/flags.h"
#include "volume/rock_view.h"

#define ROCK                                                                                                 \
    __constant const SiltRockSize *r, __global const int *table, __global const float *phi,                  \
        __global const float *soft
#define ALL_ROCK r, table, phi, soft

static inline SiltRockView silt_rock_view(ROCK)
{
    SiltRockView view = {{r->size[0], r->size[1], r->size[2]},
                         {r->bricks[0], r->bricks[1], r->bricks[2]},
                         r->side,
                         r->shift,
                         r->band,
                         table,
                         phi,
                         soft};
    return view;
}
#endif

#endif
