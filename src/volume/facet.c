// Where the surface passes through the edges of the grid, and which voxels beside it keep what they have.
#include "volume/facet.h"

#include <math.h>

enum { ROW = SILT_BLOCK_ROW, SLAB = SILT_BLOCK_SLAB, FIRST = SLAB + ROW + 4 };
enum { BLOCK_FLOATS = SLAB * (SILT_MAX_BRICK + 3) + 8 };
static const SiltBlock around = {.below = 1, .above = 2, .row = ROW, .slab = SLAB, .first = FIRST};
static const int step_of[3] = {1, ROW, SLAB};

// ---- how many ----

// Both sides of the surface, or a voxel on it: one at an edge of a box has none beside it on the other side.
SILT_CLONES static bool has_both_signs(const float *phi, size_t voxels)
{
    int inside = 0, on = 0;
    for (size_t k = 0; k < voxels; k++) {
        inside += phi[k] > 0.0f;
        on += fabsf(phi[k]) < SILT_ON_SURFACE;
    }
    return on != 0 || (inside != 0 && inside != (int)voxels);
}

// Whether a face of the brick beside has voxels on the other side of the surface.
static bool has_other_sign(const float *face, int side, int axis, bool inside)
{
    int step[3] = {1, side, side * side}, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
    int others = 0;
    for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++)
            others += (face[a * u + b * v] > 0.0f) != inside;
    return others > 0;
}

// Whether the surface lies neither in the brick nor at its border: a quick answer for bricks farther out.
static bool is_one_sided(const SiltVolume *volume, size_t brick)
{
    const float *phi = volume->table[brick];
    if (has_both_signs(phi, silt_brick_voxels(volume)))
        return false;
    SiltBrickAt at = silt_brick_at(volume, brick);
    int side = volume->side, step[3] = {1, side, side * side};
    for (int n = 0; n < 6; n++) {
        int beside[3] = {0}, axis = n / 2;
        beside[axis] = n % 2 ? 1 : -1;
        const float *next = volume->table[silt_brick_beside(volume, at, beside[0], beside[1], beside[2])];
        if (has_other_sign(next + (n % 2 ? 0 : (side - 1) * step[axis]), side, axis, phi[0] > 0.0f))
            return false;
    }
    return true;
}

// Edges within the brick that pass through the surface, and voxels on it.
SILT_INLINE int count_within(const float *phi, int side)
{
    int count = 0, layer = side * side, voxels = side * layer;
    for (int k = 0; k < voxels; k++)
        count += fabsf(phi[k]) < SILT_ON_SURFACE;
    for (int k = 0; k < voxels - layer; k++)
        count += (phi[k] > 0.0f) != (phi[k + layer] > 0.0f);
    for (int z = 0; z < side; z++)
        for (int k = z * layer; k < (z + 1) * layer - side; k++)
            count += (phi[k] > 0.0f) != (phi[k + side] > 0.0f);
    for (int k = 0; k < voxels - 1; k++)
        count += ((phi[k] > 0.0f) != (phi[k + 1] > 0.0f)) & (k % side != side - 1);
    return count;
}

SILT_CLONES static int count_8(const float *phi)
{
    return count_within(phi, 8);
}

SILT_CLONES static int count_16(const float *phi)
{
    return count_within(phi, 16);
}

static int count_between(const float *last, const float *next, int side, int axis)
{
    int step[3] = {1, side, side * side}, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3], count = 0;
    for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++)
            count += (last[a * u + b * v] > 0.0f) != (next[a * u + b * v] > 0.0f);
    return count;
}

// What lies beyond the grid goes on as at its edge.
static int count_cut(const SiltVolume *volume, size_t brick)
{
    float block[BLOCK_FLOATS];
    int count = 0;
    silt_block_read(volume, brick, &around, block);
    for (int z = 0; z < volume->side; z++)
        for (int y = 0; y < volume->side; y++)
            for (int x = 0; x < volume->side; x++) {
                const float *at = block + FIRST + z * SLAB + y * ROW + x;
                count += fabsf(at[0]) < SILT_ON_SURFACE;
                for (int axis = 0; axis < 3; axis++)
                    count += (at[0] > 0.0f) != (at[step_of[axis]] > 0.0f);
            }
    return count;
}

SiltFacetCount silt_facet_count(const SiltVolume *volume, size_t brick)
{
    if (is_one_sided(volume, brick))
        return (SiltFacetCount){0};
    int side = volume->side, step[3] = {1, side, side * side};
    SiltBrickAt at = silt_brick_at(volume, brick);
    if (silt_block_is_cut(volume, at, &around))
        return (SiltFacetCount){count_cut(volume, brick), true};
    const float *phi = volume->table[brick];
    SiltFacetCount found = {side == 8 ? count_8(phi) : count_16(phi), true};
    for (int axis = 0; axis < 3; axis++) {
        size_t next = silt_brick_beside(volume, at, axis == 0, axis == 1, axis == 2);
        found.facets += count_between(phi + (side - 1) * step[axis], volume->table[next], side, axis);
    }
    return found;
}

// ---- all of a brick ----

// The distances that voxels of a row keep.
SILT_INLINE void keep_row(const float *row, const int *mark, const int *is_corner, bool holds, int side,
                          float *fixed)
{
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++)
        fixed[x] = silt_keep_voxel(row + x, mark[x], is_corner[x], holds);
}

// Which voxels of a row are corners of a cell that the surface passes: they shape it even where none of their
// own edges crosses it, as at the foot of a step.
SILT_INLINE void mark_corners(const float *row, int side, int *out)
{
    int column[SILT_MAX_BRICK + 2];
    SILT_INDEPENDENT
    for (int x = 0; x < side + 2; x++)
        column[x] = silt_count_column(row + x - 1);
    for (int x = 0; x < side; x++) {
        int inside = column[x] + column[x + 1] + column[x + 2];
        out[x] = inside != 0 && inside != 27;
    }
}

SILT_INLINE int mark_beside(const float *row, int side, int *out)
{
    int any = 0;
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++)
        out[x] = silt_mark_voxel(row + x);
    for (int x = 0; x < side; x++)
        any |= out[x];
    return any;
}

SILT_INLINE int find_all(const float *block, bool holds, int side, SiltFacet *out, float *fixed)
{
    int count = 0;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++, fixed += side) {
            const float *row = block + FIRST + z * SLAB + y * ROW;
            int mark[SILT_MAX_BRICK], is_corner[SILT_MAX_BRICK] = {0};
            int any = mark_beside(row, side, mark);
            if (holds)
                mark_corners(row, side, is_corner);
            if (any || holds)
                keep_row(row, mark, is_corner, holds, side, fixed);
            else
                memset(fixed, 0, (size_t)side * sizeof *fixed);
            for (int x = 0; x < side && any; x++)
                if (mark[x] & ~SILT_ENDS_HERE)
                    count += silt_facets_at(row + x, mark[x], (const int[3]){x, y, z}, out + count);
        }
    return count;
}

SILT_CLONES static void copy_8(const float *const near[27], float *out)
{
    silt_block_copy(near, 8, &around, out);
}

SILT_CLONES static void copy_16(const float *const near[27], float *out)
{
    silt_block_copy(near, 16, &around, out);
}

static const SiltBlockCopy copies[2] = {copy_8, copy_16};

SILT_CLONES static int find_8(const float *block, bool holds, SiltFacet *out, float *fixed)
{
    return find_all(block, holds, 8, out, fixed);
}

SILT_CLONES static int find_16(const float *block, bool holds, SiltFacet *out, float *fixed)
{
    return find_all(block, holds, 16, out, fixed);
}

int silt_facet_find(const SiltVolume *volume, size_t brick, bool holds, SiltFacet *out, float *fixed)
{
    float block[BLOCK_FLOATS];
    silt_block_read_by(volume, brick, &around, copies, block);
    return volume->side == 8 ? find_8(block, holds, out, fixed) : find_16(block, holds, out, fixed);
}

SILT_CLONES void silt_facet_reach(const SiltFacet *facets, int count, int side, uint32_t *out)
{
    for (int k = 0; k < count; k++)
        out[k] = silt_facet_reach_of(facets[k].at, side);
}
