// Rock as a level set that particles meet (Weiss 2016, 3.2.1.4 and 3.2.2.4): they never enter it, and what
// they take and leave moves phi.
//
// What a particle does there stands in voxel_rock.h and voxel_meet.h. Changes of phi are added up in whole
// numbers, so that the order of particles does not matter, and laid on once all have moved.
#ifndef SILT_COUPLE_VOXEL_GROUND_H
#define SILT_COUPLE_VOXEL_GROUND_H

#include <stdatomic.h>

#include "couple/voxel_rock.h"

typedef struct SiltVoxelGround {
    SiltVolume *volume;
    SiltVoxelFrame frame;     // from metres to voxels
    int exchange;             // SILT_VOXEL_...
    unsigned redistance;      // SILT_REDISTANCE_..., how phi becomes a distance again
    int32_t *slot;            // of each brick: its place among those that have voxels, or -1
    uint32_t *brick;          // of each slot
    _Atomic int32_t *sums;    // of each voxel of a slot: change of phi in this step
    _Atomic uint8_t *touched; // of each slot: which eighths of it, by height
    size_t slot_count, capacity;
    float *activity;  // of each brick: by how many voxels, at the most, phi has moved since the last look
    float *worn;      // the same since it was last made even
    float *stale;     // of each brick: how far the surface in and around it has moved since phi there was
                      // made a distance
    uint8_t *is_due;  // of each brick: that is done anew after this look
    double *rock;     // of each brick: voxels, as last measured
    double *kept;     // of each brick: voxels before it is smoothed and made a distance again
    float *moved;     // of each brick: by how many voxels phi has moved of late
    float shift;      // for each voxel that phi has moved by, how much more it is moved to level the books
    double corrected; // m3 that levelling has laid and taken, added up
    struct SiltVoxelDevice *device; // where the rock is; NULL: here
    _Atomic int64_t cut;            // voxels that would have moved by more than half a voxel in one step
} SiltVoxelGround;

// `low` is the height of z = 0 in metres.
SiltStatus silt_voxel_ground_begin(const char *owner, SiltVolume *volume, double low, int exchange,
                                   SiltVoxelGround *out);
void silt_voxel_ground_end(SiltVoxelGround *ground);
// After bricks came or went.
SiltStatus silt_voxel_ground_list(const char *owner, SiltVoxelGround *ground);

// Asks for what lies around a place, if there is rock near it, before it is needed.
void silt_voxel_fetch(const SiltVoxelGround *ground, const float place[3]);
// Lays so many cubic voxels of rock there, or takes them (below zero).
void silt_voxel_move(SiltVoxelGround *ground, const SiltVoxelFoot *foot, float rock);
// Moves phi by what was added up.
void silt_voxel_settle(SiltVoxelGround *ground);

// ---- voxel_upkeep.c: every few steps, where the surface has moved by more than a little ----

SiltStatus silt_voxel_upkeep_begin(const char *owner, SiltVoxelGround *ground);
void silt_voxel_upkeep_end(SiltVoxelGround *ground);
// Finds out where that is: there the following work, all in this order.
void silt_voxel_look(SiltVoxelGround *ground);
// Smooths the surface in proportion to how far it moved.
SiltStatus silt_voxel_smooth(SiltVoxelGround *ground, double amount);
// Cubic metres of rock there are.
double silt_voxel_rock(SiltVoxelGround *ground);
// Makes phi a distance again.
SiltStatus silt_voxel_redistance(SiltVoxelGround *ground);
// Smoothing and re-initialisation keep the rock of each brick: it is noted before, and what they moved is
// given back after.
void silt_voxel_note(SiltVoxelGround *ground);
void silt_voxel_give_back(SiltVoxelGround *ground);
// Lays so many cubic metres of rock, or takes them (below zero), in proportion to how far water has moved the
// surface of late: what phi, which moves a curved surface and is smoothed and made a distance again, was
// found to be off by.
void silt_voxel_level(SiltVoxelGround *ground, double rock);

#endif
