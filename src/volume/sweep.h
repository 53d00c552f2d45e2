// Re-initialisation by sweeps: distances that are handed on from voxel to voxel.
#ifndef SILT_VOLUME_SWEEP_H
#define SILT_VOLUME_SWEEP_H

#include "volume/brick.h"

// Bit n: sweeps from the surface in this brick may bring distances within the band to brick n of the 27
// around it, which is uniform.
uint32_t silt_sweep_reaches(const SiltVolume *volume, size_t brick);

// Makes phi of these bricks, which have voxels, a distance again: |grad phi| = 1 with the sign of phi (Weiss
// 2016, eq. 3.4), where voxels beside the surface and all bricks that are not in the list keep what they
// have. is_reached[] takes of each whether the band reaches it.
SiltStatus silt_sweep_bricks(SiltVolume *volume, const uint32_t *bricks, size_t count, bool *is_reached);

#endif
