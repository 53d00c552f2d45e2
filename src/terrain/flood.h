// Filling depressions, on a grid with a frame of one cell around it: neighbours need no bounds.
#ifndef SILT_TERRAIN_FLOOD_H
#define SILT_TERRAIN_FLOOD_H

#include "silt/drainage.h"

enum {
    SILT_CELL_WALL = 1,   // the frame, and cells without data
    SILT_CELL_OUTLET = 2, // water leaves the grid here
    SILT_CELL_DONE = 8,   // its level is final
    SILT_CELL_LAKE = 16,  // it was reached from below its brim
    SILT_CELL_READY = 32, // for the users of a flood: it has its receiver
};

typedef struct SiltFlood {
    int width, height, stride; // stride: width + 2
    float *level;              // framed; the ground at first, then the filled surface; infinite at walls
    uint8_t *state;            // framed
    int32_t *parent;           // framed; the cell each was reached from, itself at outlets; or NULL
    int32_t *queue;            // as many as framed cells
    uint64_t *heap;
    bool landlocked; // a piece of land had no outlet; its lowest cell became one
} SiltFlood;

SiltStatus silt_flood_create(int width, int height, SiltFlood *out);
SiltStatus silt_flood_require_parents(SiltFlood *flood);
void silt_flood_destroy(SiltFlood *flood);

// Takes height + change, times `sign`, as the ground and marks walls and outlets. Fails when a cell with data
// is not finite.
SiltStatus silt_flood_load(SiltFlood *flood, const SiltTerrain *terrain, const SiltDrainageOptions *options,
                           float sign);
// Raises every cell to the lowest level at which it can drain. Cannot fail, does not allocate.
void silt_flood_run(SiltFlood *flood);

static inline size_t silt_flood_at(const SiltFlood *flood, int i, int j)
{
    return (size_t)(j + 1) * (size_t)flood->stride + (size_t)i + 1;
}

// The eight neighbours as steps in the framed grid: east, south-east, south, ... clockwise.
static inline void silt_flood_steps(const SiltFlood *flood, int32_t steps[8])
{
    int32_t s = flood->stride;
    int32_t around[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    for (int k = 0; k < 8; k++)
        steps[k] = around[k];
}

// The ground of a terrain as everything measures it.
static inline float silt_terrain_ground(const float *height, const float *change, int i)
{
    return change ? height[i] + change[i] : height[i];
}

#endif
