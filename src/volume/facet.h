// The surface as small facets: points where edges of the grid pass through it, with the normal and the bend
// there. A voxel's distance is that to the facet nearest to it.
#ifndef SILT_VOLUME_FACET_H
#define SILT_VOLUME_FACET_H

#include "volume/brick.h"
#include "volume/facet_at.h"

typedef struct SiltFacetCount {
    int facets;   // at the most
    bool is_near; // whether there are voxels beside the surface
} SiltFacetCount;

// What silt_facet_find will ask room for.
SiltFacetCount silt_facet_count(const SiltVolume *volume, size_t brick);
// Finds the facets on edges that begin in the brick; returns how many. `fixed` takes for every voxel the
// distance it must have, or zero: those beside sharp edges and, if `holds`, all that are beside the surface.
int silt_facet_find(const SiltVolume *volume, size_t brick, bool holds, SiltFacet *out, float *fixed);
// Bit n of each: whether the facet is within SILT_FACET_REACH of a voxel of brick n of the 27 around its own.
void silt_facet_reach(const SiltFacet *facets, int count, int side, uint32_t *out);

typedef struct SiltFacetList {
    const SiltFacet *facets;
    const uint32_t *reach;
    int count;
} SiltFacetList;

// Distances of all voxels of a brick to the nearest facet of the 27 bricks around it (x fastest), their own
// in the middle; phi tells on which side of the surface a voxel is. Those farther away take the band.
void silt_facet_distances(const SiltVolume *volume, const SiltFacetList lists[27], const float *phi,
                          float *out);

#endif
