// Bricks and the voxels around them, for the kernels of the upkeep of `voxel`'s rock. SIDE is that of a brick
// in voxels; groups of 128 items do a brick together. For OpenCL.
#ifndef SILT_COUPLE_DEVICE_BLOCKS_H
#define SILT_COUPLE_DEVICE_BLOCKS_H

#include "couple/device_bricks.h"
#include "couple/voxel_upkeep_at.h"
#include "physics/voxel_exchange.h"
#include "volume/nearest_at.h"
#include "volume/rock_piece.h"

enum { GROUP = 128, VOXELS = SIDE * SIDE * SIDE, PER = VOXELS / GROUP };
#define BY_GROUPS __kernel __attribute__((reqd_work_group_size(128, 1, 1))) void

static inline int brick_index(__constant const SiltRockSize *r, int a, int b, int c)
{
    return (c * r->bricks[1] + b) * r->bricks[0] + a;
}

static inline void brick_at(__constant const SiltRockSize *r, int brick, int *at)
{
    at[0] = brick % r->bricks[0];
    at[1] = brick / r->bricks[0] % r->bricks[1];
    at[2] = brick / r->bricks[0] / r->bricks[1];
}

// Brick n of the 27 around one, or the nearest there is.
static inline int beside(__constant const SiltRockSize *r, int brick, int n)
{
    int at[3];
    brick_at(r, brick, at);
    return brick_index(r, clamp(at[0] + n % 3 - 1, 0, r->bricks[0] - 1),
                       clamp(at[1] + n / 3 % 3 - 1, 0, r->bricks[1] - 1),
                       clamp(at[2] + n / 9 - 1, 0, r->bricks[2] - 1));
}

// phi of a voxel, or of the nearest there is.
static inline float phi_at(const SiltRockView *rock, int i, int j, int k)
{
    i = clamp(i, 0, rock->size[0] - 1);
    j = clamp(j, 0, rock->size[1] - 1);
    k = clamp(k, 0, rock->size[2] - 1);
    return silt_view_phi(rock, silt_view_brick(rock, i, j, k))[silt_view_offset(rock, i, j, k)];
}

// A block of `edge` voxels a side that begins `below` before the brick.
static inline void read_block(const SiltRockView *rock, __constant const SiltRockSize *r, int brick,
                              int below, int edge, __local float *block)
{
    int at[3];
    brick_at(r, brick, at);
    for (int n = get_local_id(0); n < edge * edge * edge; n += GROUP)
        block[n] = phi_at(rock, at[0] * SIDE - below + n % edge, at[1] * SIDE - below + n / edge % edge,
                          at[2] * SIDE - below + n / (edge * edge));
}

// The sum of all before an item, and in *all of all of them. There is no loop over barriers, which PoCL takes
// amiss within another.
static inline int scan(__local int *scratch, int value, int *all)
{
    int item = get_local_id(0), before = 0, sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < GROUP; n++) {
        before += n < item ? scratch[n] : 0;
        sum += scratch[n];
    }
    *all = sum;
    return before;
}

#endif
