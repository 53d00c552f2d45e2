// Rock as a level set that particles meet (Weiss 2016, 3.2.1.4 and 3.2.2.4): they never enter it, and what
// they take and leave moves phi.
//
// Particles count in metres from the terrain's north-western corner, voxels from the south-western one:
// silt_voxel_place turns one into the other. Changes of phi are added up in whole numbers, so that the order
// of particles does not matter, and laid on once all have moved.
#ifndef SILT_COUPLE_VOXEL_GROUND_H
#define SILT_COUPLE_VOXEL_GROUND_H

#include <stdatomic.h>

#include "volume/volume.h"

enum { SILT_VOXEL_CONSERVING, SILT_VOXEL_PAPER };

typedef struct SiltVoxelGround {
    SiltVolume *volume;
    float cell;               // m
    float rows;               // j of y = 0
    float base;               // k of z = 0
    int exchange;             // SILT_VOXEL_...
    int32_t *slot;            // of each brick: its place among those that have voxels, or -1
    uint32_t *brick;          // of each slot
    _Atomic int32_t *sums;    // of each voxel of a slot: change of phi in this step
    _Atomic uint8_t *touched; // of each slot: which eighths of it, by height
    size_t slot_count, capacity;
    float *activity;     // of each brick: by how many voxels, at the most, phi has moved since the last look
    float *worn;         // the same since it was last made even
    float *stale;        // of each brick: how far the surface in and around it has moved since phi there was
                         // made a distance
    uint8_t *is_due;     // of each brick: that is done anew after this look
    double *rock;        // of each brick: voxels, as last measured
    float *moved;        // of each brick: by how many voxels phi has moved of late
    float shift;         // for each voxel that phi has moved by, how much more it is moved to level the books
    double corrected;    // m3 that levelling has laid and taken, added up
    _Atomic int64_t cut; // voxels that would have moved by more than half a voxel in one step
} SiltVoxelGround;

// `low` is the height of z = 0 in metres.
SiltStatus silt_voxel_ground_begin(const char *owner, SiltVolume *volume, double low, int exchange,
                                   SiltVoxelGround *out);
void silt_voxel_ground_end(SiltVoxelGround *ground);
// After bricks came or went.
SiltStatus silt_voxel_ground_list(const char *owner, SiltVoxelGround *ground);

static inline void silt_voxel_place(const SiltVoxelGround *ground, float x, float y, float z, float place[3])
{
    place[0] = x / ground->cell - 0.5f;
    place[1] = ground->rows - y / ground->cell;
    place[2] = z / ground->cell + ground->base;
}

// Asks for what lies around a place, if there is rock near it, before it is needed.
void silt_voxel_fetch(const SiltVoxelGround *ground, const float place[3]);
// phi at a place, and the outward unit normal, in voxels' axes; a place where phi has no slope has the normal
// up. `slope` takes |grad phi|.
float silt_voxel_ground_at(const SiltVoxelGround *ground, const float place[3], float normal[3],
                           float *slope);
// The same from phi's gradient there.
void silt_voxel_normal(const float gradient[3], float normal[3], float *slope);

// Brings a place that lies in rock out along the normal; false when a few tries do not do it.
bool silt_voxel_push_out(const SiltVoxelGround *ground, float place[3]);

// A particle's way in one step, in voxels and voxels per step.
typedef struct SiltVoxelPath {
    float place[3];         // where it starts; then where it ends
    float velocity[3];      // then what is left of it
    float phi;              // at the place
    float normal[3], slope; // at the end, as silt_voxel_ground_at has them
    float impact;           // the greatest speed into the rock on the way
    float struck[3];        // where that was, beside the rock, with phi and normal there
    float struck_phi, struck_normal[3], struck_slope;
    bool is_buried; // it started in rock and found no way out
} SiltVoxelPath;

// Algorithm 1 with the outward normal and bounded loops. `by_paper` takes its fixed small steps; else steps
// are as long as phi allows.
void silt_voxel_travel(const SiltVoxelGround *ground, float restitution, bool by_paper, SiltVoxelPath *path);

// The voxels around a place on the surface.
typedef struct SiltVoxelFoot {
    size_t at[8]; // into sums
    float weight[8];
    float area; // cubic voxels of rock that moving phi by a voxel there moves
} SiltVoxelFoot;

// False where rock stays as it is: at the floor, which holds the block, near its ceiling, and away from the
// surface.
bool silt_voxel_foot(const SiltVoxelGround *ground, const float place[3], bool is_taking, SiltVoxelFoot *out);
// Cubic voxels of rock that one particle may take or lay there in one step.
float silt_voxel_most(const SiltVoxelFoot *foot);
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
// Lays so many cubic metres of rock, or takes them (below zero), in proportion to how far water has moved the
// surface of late: what phi, which moves a curved surface and is smoothed and made a distance again, was
// found to be off by.
void silt_voxel_level(SiltVoxelGround *ground, double rock);

#endif
