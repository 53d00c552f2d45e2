// Bricks and their neighbours, for the files of this folder.
#ifndef SILT_VOLUME_BRICK_H
#define SILT_VOLUME_BRICK_H

#include <string.h>

#include "core/pack.h"
#include "core/simd.h"
#include "volume/volume.h"

enum { SILT_MAX_BRICK = 16 };

typedef struct SiltBrickAt {
    int at[3]; // in bricks
} SiltBrickAt;

static inline size_t silt_brick_total(const SiltVolume *volume)
{
    return (size_t)volume->bricks[0] * (size_t)volume->bricks[1] * (size_t)volume->bricks[2];
}

static inline size_t silt_brick_voxels(const SiltVolume *volume)
{
    return (size_t)1 << (3 * volume->shift);
}

static inline SiltBrickAt silt_brick_at(const SiltVolume *volume, size_t brick)
{
    size_t row = brick / (size_t)volume->bricks[0];
    return (SiltBrickAt){{(int)(brick % (size_t)volume->bricks[0]), (int)(row % (size_t)volume->bricks[1]),
                          (int)(row / (size_t)volume->bricks[1])}};
}

static inline size_t silt_brick_index(const SiltVolume *volume, int a, int b, int c)
{
    return ((size_t)c * (size_t)volume->bricks[1] + (size_t)b) * (size_t)volume->bricks[0] + (size_t)a;
}

// The brick (a, b, c) further along the axes, or the nearest one there is.
static inline size_t silt_brick_beside(const SiltVolume *volume, SiltBrickAt at, int a, int b, int c)
{
    int step[3] = {a, b, c}, to[3];
    for (int axis = 0; axis < 3; axis++) {
        int last = volume->bricks[axis] - 1, next = at.at[axis] + step[axis];
        to[axis] = next < 0 ? 0 : next > last ? last : next;
    }
    return silt_brick_index(volume, to[0], to[1], to[2]);
}

// Rows of a block of voxels around a brick: voxel (0, 0, 0) of the brick stands at `first`.
typedef struct SiltBlock {
    int below, above; // voxels before the brick and behind it along each axis
    int row, slab;    // floats from one row and one layer to the next
    int first;
} SiltBlock;

// Copies the voxels around a brick into `out`. `near` holds the 27 bricks around it, x fastest.
SILT_INLINE void silt_block_copy(const float *const near[27], int side, const SiltBlock *block, float *out)
{
    for (int z = -block->below; z < side + block->above; z++) {
        int near_z = z < 0 ? 0 : z < side ? 1 : 2;
        for (int y = -block->below; y < side + block->above; y++) {
            int near_y = y < 0 ? 0 : y < side ? 1 : 2;
            const float *const *bricks = near + 9 * near_z + 3 * near_y;
            int from = ((z & (side - 1)) * side + (y & (side - 1))) * side;
            float *to = out + block->first + z * block->slab + y * block->row;
            for (int x = -block->below; x < 0; x++)
                to[x] = bricks[0][from + side + x];
            memcpy(to, bricks[1] + from, (size_t)side * sizeof *to);
            for (int x = 0; x < block->above; x++)
                to[side + x] = bricks[2][from + x];
        }
    }
}

// Whether voxels around the brick, so many before and behind it, lie beyond the grid.
bool silt_block_is_cut(const SiltVolume *volume, SiltBrickAt at, const SiltBlock *block);
// Gives voxels beyond the grid the value at its edge.
void silt_block_extend(const SiltVolume *volume, SiltBrickAt at, const SiltBlock *block, float *values);
typedef void (*SiltBlockCopy)(const float *const near[27], float *out);
// phi around a brick, extended beyond the grid, by copies of which the compiler knows the size (of bricks of
// 8 and of 16).
void silt_block_read_by(const SiltVolume *volume, size_t brick, const SiltBlock *block,
                        const SiltBlockCopy copies[2], float *out);
// The same by a copy for any block.
void silt_block_read(const SiltVolume *volume, size_t brick, const SiltBlock *block, float *out);

// Asks for what silt_volume_sample will read at a place.
void silt_volume_fetch(const SiltVolume *volume, const float place[3]);

// Random values on a cubic lattice, blended in between: 0 to 1.
double silt_rock_noise(uint32_t seed, const double at[3]);
// Erodibility of one voxel before anything wore it.
float silt_rock_at(const SiltVolume *volume, int i, int j, int k);

// silt_volume_redistance for the bricks asked for, and uniform ones that the band reaches from there: what
// lies in the others counts, and stays.
SiltStatus silt_volume_redistance_of(SiltVolume *volume, const uint8_t *is_asked, unsigned how);
// silt_volume_rock, with somebody asked on the way; false: what it is for is to stop.
bool silt_volume_rock_heard(const SiltVolume *volume, double *out);

// silt_volume_rock, to the last bit, when of_brick[] has what an earlier call measured: only bricks that have
// changed since, and those beside them, are measured again.
double silt_volume_rock_again(SiltVolume *volume, double *of_brick);

// Makes bricks for all of `list`; those that are there already stay. They are filled with +-band and their
// rock.
SiltStatus silt_volume_require_all(SiltVolume *volume, const uint32_t *list, size_t count);
// So many bytes to work in, kept for the next call.
SiltStatus silt_volume_scratch(SiltVolume *volume, size_t bytes, void **out);
// Gives the brick's memory back; it is uniform from now on.
void silt_volume_release(SiltVolume *volume, size_t brick, bool is_solid);

void silt_former_destroy(struct SiltFormerRock *former);
// What the rock was, into a block of memory and back.
void silt_former_pack(SiltVolume *volume, SiltPack *pack);
// All of a volume; a block of another size of volume fails. Where memory is short it fails too, and the
// volume is of use only once another block has been read into it.
void silt_volume_pack(SiltVolume *volume, SiltPack *pack);
// A copy that goes on as the volume itself would.
SiltStatus silt_volume_clone(SiltVolume *volume, SiltVolume **out);
// Gives `to` a copy of the volume that `from` carries, if it carries one (silt_terrain_clone leaves it out).
SiltStatus silt_terrain_copy_volume(const SiltTerrain *from, SiltTerrain *to);

// Whether there is memory for so many bricks that are not uniform.
SiltStatus silt_volume_check_memory(const int size[3], int side, uint64_t brick_count);

#endif
