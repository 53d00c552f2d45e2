// The surface as small patches: points where edges of the grid pass through it, with the normal and the bend
// there. A voxel's distance is that to the patch nearest to it.
#ifndef SILT_VOLUME_PATCH_H
#define SILT_VOLUME_PATCH_H

#include "volume/brick.h"

#define SILT_PATCH_REACH 4.2f // voxels: the band, and what an edge stands out between two patches

typedef struct SiltPatch {
    float at[3];     // voxels from the first one of its brick
    float normal[3]; // into the rock, of length 1
    float bend[6];   // second derivatives of the distance: xx, yy, zz, xy, yz, zx
} SiltPatch;

typedef struct SiltPatchCount {
    int patches;  // at the most
    bool is_near; // whether there are voxels beside the surface
} SiltPatchCount;

// What silt_patch_find will ask room for.
SiltPatchCount silt_patch_count(const SiltVolume *volume, size_t brick);
// Finds the patches on edges that begin in the brick; returns how many. `fixed` takes for every voxel the
// distance it must have, or zero: those beside sharp edges and, if `holds`, all that are beside the surface.
int silt_patch_find(const SiltVolume *volume, size_t brick, bool holds, SiltPatch *out, float *fixed);
// Bit n of each: whether the patch is within SILT_PATCH_REACH of a voxel of brick n of the 27 around its own.
void silt_patch_reach(const SiltPatch *patches, int count, int side, uint32_t *out);

typedef struct SiltPatchList {
    const SiltPatch *patches;
    const uint32_t *reach;
    int count;
} SiltPatchList;

// Distances of all voxels of a brick to the nearest patch of the 27 bricks around it (x fastest), their own
// in the middle; phi tells on which side of the surface a voxel is. Those farther away take the band.
void silt_patch_distances(const SiltVolume *volume, const SiltPatchList lists[27], const float *phi,
                          float *out);

#endif
