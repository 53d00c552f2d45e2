// Where water runs and what it fills, on a grid with a frame of one cell around it: neighbours need no
// bounds.
#ifndef SILT_TERRAIN_FLOOD_H
#define SILT_TERRAIN_FLOOD_H

#include "silt/drainage.h"

enum {
    SILT_CELL_WALL = 1, // the frame, and cells without data
    SILT_CELL_FRAME = 64,
    SILT_CELL_OUTLET = 2, // water leaves the grid here
    SILT_CELL_DONE = 8,   // of pits: their level is final
    SILT_CELL_LAKE = 16,  // it lies below its level
    SILT_CELL_READY = 32, // of pits: seen in a search
};

// Where a cell drains to: 0 to 7 are the neighbours as in silt_flood_steps.
enum {
    SILT_WAY_NONE = 8, // nowhere: a pit, or a flat. In the upper four bits: the way out of its basin
    SILT_WAY_OUT = 9,
    SILT_WAY_WALL = 10,
    SILT_WAY_BETWEEN = 16, // plus k: between k and k + 1, until straight.c has chosen
};

// Of how far a descent leads aside for a step ahead: 1 as a whole number.
enum { SILT_LEAN_ONE = 1 << 16 };

// All arrays are framed.
typedef struct SiltFlood {
    int width, height, stride; // stride: width + 2
    float *ground;             // infinite at walls
    float *level;              // the filled surface
    uint8_t *state, *way;
    int32_t *label;    // the pit a cell drains to, 0 for those that drain to an outlet
    int32_t *queue;    // cells of basins around pits, basin after basin
    int32_t pit_cells; // how many there are
    int32_t *first, *link,
        *place; // of a pit: its first in the queue, where its way out begins, heap place + 1
    uint64_t *heap;
    uint8_t *donors; // how many may drain to a cell
    int32_t heap_count;
    bool landlocked; // a piece of land had no outlet; its lowest cell became one
} SiltFlood;

SiltStatus silt_flood_create(int width, int height, SiltFlood *out);
void silt_flood_destroy(SiltFlood *flood);

// Takes height + change, times `sign`, as the ground and marks walls and outlets. Fails when a cell with data
// is not finite.
SiltStatus silt_flood_load(SiltFlood *flood, const SiltTerrain *terrain, const SiltDrainageOptions *options,
                           float sign);
// Finds the ways down the ground and raises every cell to the lowest level at which it can drain. Cannot
// fail, does not allocate. False, here and below: somebody wants the run to stop that this is for, and it was
// left.
bool silt_flood_run(SiltFlood *flood, bool straight);
// After that: turns the ways between each pit and the way out of its basin round, so that pits drain.
void silt_flood_carve(SiltFlood *flood);

// The way down `surface` for every cell (descent.c): to the steepest neighbour, or along the steepest descent
// in straight lines.
bool silt_flood_descend(SiltFlood *flood, const float *surface, bool straight);

// Ways over level ground to the nearest cell from which water falls, for the cells that have none (flats.c);
// what is left without a way is the floor of a pit. The queue is used up. False, here and below: somebody
// wants the run to stop.
bool silt_flood_cross_flats(SiltFlood *flood);

// Chooses where descent.c left the way open. The lean of each cell is in `place`; `heap` and `queue` are
// used up.
bool silt_flood_straighten(SiltFlood *flood);

// Where a look around a cell begins: differs from cell to cell, so that among equals no direction is
// favoured.
static inline int silt_first_look(uint32_t cell)
{
    return (int)((cell * 0x9E3779B1u) >> 29);
}

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

// Fills drainage->flow (multiple.c); `donors` and `waiting` are scratch, one for each cell.
void silt_drainage_spread(SiltDrainage *drainage, double power, uint8_t *donors, int32_t *waiting);

// From a cell to where it drains, in cells.
static inline float silt_drainage_step(const SiltDrainage *drainage, int32_t cell)
{
    int32_t apart = drainage->receiver[cell] - cell;
    bool direct = apart == 1 || apart == -1 || apart == drainage->width || apart == -drainage->width;
    return apart == 0 ? 0.0f : direct ? 1.0f : 1.41421356f;
}

// Whether water may leave the grid at a cell: at the sides or beside a cell without data, unless told
// otherwise.
bool silt_flood_is_edge(const SiltTerrain *terrain, const SiltDrainageOptions *options, int i, int j);

// The ground of a terrain as everything measures it.
static inline float silt_terrain_ground(const float *height, const float *change, int i)
{
    return change ? height[i] + change[i] : height[i];
}

#endif
