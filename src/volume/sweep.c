// Re-initialisation by sweeps (Weiss 2016, 3.1.3, eq. 3.4 and 3.5), as the text has it: a voxel with one of
// another sign among its six neighbours keeps its value, so that the surface stays, and the others find
// |grad phi| = 1 from their neighbours. Where eq. 3.5 walks there in small steps of time, Gauss and Seidel's
// sweeps in the eight directions solve each voxel for what it comes to rest at (Zhao 2005): the resting
// point is the same.
//
// A voxel needs but its six neighbours, so a sweep may take bricks in any order in which those before it in
// the direction come first. Bricks on one diagonal do not touch each other's faces: they are swept together,
// diagonal after diagonal, and every voxel becomes what it would if one thread swept all of the grid.
#include "volume/sweep.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "physics/eikonal.h"
#include "volume/facet_at.h"

enum { SPAN = 4, MOST_ROUNDS = 32 }; // two or three rounds of eight sweeps are the rule
enum { WIDEST = SILT_MAX_BRICK + 2, BLOCK_FLOATS = WIDEST * WIDEST * WIDEST };

typedef struct Sweep {
    SiltVolume *volume;
    const uint32_t *bricks;
    size_t count;
    uint32_t *order; // places in `bricks`, diagonal by diagonal
    uint32_t *first; // of each diagonal, in `order`
    float *before;   // phi of all bricks as it was
    bool *is_reached;
    bool *has_moved; // of each brick: in this round
    int way[3];      // 1 or -1 along each axis
    const uint32_t *diagonal;
} Sweep;

// phi of a brick and of the voxels at its six faces.
typedef struct Block {
    int step[3];   // floats to the next voxel along each axis
    int inside[3]; // voxels of the brick that lie within the grid
    float phi[BLOCK_FLOATS];
} Block;

static float *voxel_of(Block *block, int x, int y, int z)
{
    return block->phi + (z + 1) * block->step[2] + (y + 1) * block->step[1] + x + 1;
}

static float far_away(float phi, float band)
{
    return phi > 0.0f ? band : -band;
}

static void copy_face(const SiltVolume *volume, SiltBrickAt at, int axis, bool up, Block *block)
{
    int side = volume->side, step[3] = {1, side, side * side}, b = (axis + 1) % 3, c = (axis + 2) % 3;
    bool is_edge = at.at[axis] == (up ? volume->bricks[axis] - 1 : 0);
    int to[3] = {axis == 0 ? (up ? 1 : -1) : 0, axis == 1 ? (up ? 1 : -1) : 0, axis == 2 ? (up ? 1 : -1) : 0};
    const float *next = volume->table[silt_brick_beside(volume, at, to[0], to[1], to[2])] +
                        (up ? 0 : (side - 1) * step[axis]);
    float *own = voxel_of(block, 0, 0, 0) + (up ? side - 1 : 0) * block->step[axis];
    int out = up ? block->step[axis] : -block->step[axis];
    for (int v = 0; v < side; v++)
        for (int u = 0; u < side; u++) {
            float *face = own + u * block->step[b] + v * block->step[c];
            face[out] = is_edge ? far_away(face[0], volume->band) : next[u * step[b] + v * step[c]];
        }
}

// Beyond the grid lies nothing that a distance could come from.
static void read_block(const SiltVolume *volume, size_t brick, Block *block)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    const float *phi = volume->table[brick];
    int side = volume->side, wide = side + 2;
    for (int axis = 0; axis < 3; axis++) {
        int left = volume->size[axis] - at.at[axis] * side;
        block->step[axis] = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
        block->inside[axis] = left < side ? left : side;
    }
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++, phi += side)
            memcpy(voxel_of(block, 0, y, z), phi, (size_t)side * sizeof *phi);
    for (int axis = 0; axis < 3; axis++)
        for (int up = 0; up < 2; up++)
            copy_face(volume, at, axis, up, block);
}

static void write_block(const SiltVolume *volume, size_t brick, Block *block)
{
    float *phi = volume->table[brick];
    int side = volume->side;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++, phi += side)
            memcpy(phi, voxel_of(block, 0, y, z), (size_t)side * sizeof *phi);
}

static bool are_apart(float a, float b)
{
    return (a > 0.0f && b < 0.0f) || (a < 0.0f && b > 0.0f);
}

// Whether the surface passes between the voxel and one of its six neighbours, or through it: it stays then.
static bool is_held(const Block *block, const float *at)
{
    bool held = at[0] == 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        int step = block->step[axis];
        held = held || are_apart(at[0], at[step]) || are_apart(at[0], at[-step]);
    }
    return held;
}

// ---- one brick ----

// Gives voxels of the brick that lie beyond the grid what those at its edge have, or, `afar`, no more than
// their sign.
static void extend(const SiltVolume *volume, bool afar, Block *block)
{
    const int *n = block->inside;
    int side = volume->side;
    if (n[0] == side && n[1] == side && n[2] == side)
        return;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = z < n[2] && y < n[1] ? n[0] : 0; x < side; x++) {
                float edge = *voxel_of(block, x < n[0] ? x : n[0] - 1, y < n[1] ? y : n[1] - 1,
                                       z < n[2] ? z : n[2] - 1);
                *voxel_of(block, x, y, z) = afar ? far_away(edge, volume->band) : edge;
            }
}

// Every voxel that is not held forgets all but its sign.
static void start_bricks(void *context, int begin, int end)
{
    const Sweep *sweep = context;
    const SiltVolume *volume = sweep->volume;
    size_t voxels = silt_brick_voxels(volume);
    Block old, block;
    for (int k = begin; k < end; k++) {
        uint32_t place = sweep->diagonal[k], brick = sweep->bricks[place];
        memcpy(sweep->before + place * voxels, volume->table[brick], voxels * sizeof(float));
        read_block(volume, brick, &old);
        extend(volume, true, &old);
        block = old;
        for (int z = 0; z < block.inside[2]; z++)
            for (int y = 0; y < block.inside[1]; y++)
                for (int x = 0; x < block.inside[0]; x++)
                    if (!is_held(&old, voxel_of(&old, x, y, z)))
                        *voxel_of(&block, x, y, z) = far_away(*voxel_of(&old, x, y, z), volume->band);
        write_block(volume, brick, &block);
    }
}

// The smaller distance of two neighbours.
static float nearer(const float *at, int step)
{
    return silt_minf(fabsf(at[-step]), fabsf(at[step]));
}

// One voxel; returns whether a shorter way to the surface was found.
static bool solve_voxel(const Block *block, float *at)
{
    float a = nearer(at, block->step[0]), b = nearer(at, block->step[1]), c = nearer(at, block->step[2]);
    float size = fabsf(at[0]);
    if (silt_minf(a, silt_minf(b, c)) + 0.577f >= size || is_held(block, at)) // no u lies closer: 1/sqrt(3)
        return false;
    float u = silt_eikonal(a, b, c);
    if (!(u < size))
        return false;
    at[0] = at[0] > 0.0f ? u : -u;
    return true;
}

static bool sweep_block(const int way[3], Block *block)
{
    const int *n = block->inside;
    bool moved = false;
    int first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = way[axis] > 0 ? 0 : n[axis] - 1;
        last[axis] = way[axis] > 0 ? n[axis] : -1;
    }
    for (int z = first[2]; z != last[2]; z += way[2])
        for (int y = first[1]; y != last[1]; y += way[1])
            for (int x = first[0]; x != last[0]; x += way[0])
                moved |= solve_voxel(block, voxel_of(block, x, y, z));
    return moved;
}

static void sweep_bricks(void *context, int begin, int end)
{
    const Sweep *sweep = context;
    Block block;
    for (int k = begin; k < end; k++) {
        uint32_t place = sweep->diagonal[k], brick = sweep->bricks[place];
        read_block(sweep->volume, brick, &block);
        if (!sweep_block(sweep->way, &block))
            continue;
        write_block(sweep->volume, brick, &block);
        sweep->has_moved[place] = true;
    }
}

static void end_bricks(void *context, int begin, int end)
{
    const Sweep *sweep = context;
    SiltVolume *volume = sweep->volume;
    size_t voxels = silt_brick_voxels(volume);
    Block block;
    for (int k = begin; k < end; k++) {
        uint32_t place = sweep->diagonal[k], brick = sweep->bricks[place];
        bool is_reached = false;
        read_block(volume, brick, &block);
        for (int z = 0; z < block.inside[2] && !is_reached; z++)
            for (int y = 0; y < block.inside[1] && !is_reached; y++)
                for (int x = 0; x < block.inside[0] && !is_reached; x++) {
                    const float *at = voxel_of(&block, x, y, z);
                    is_reached = fabsf(*at) < volume->band || is_held(&block, at);
                }
        extend(volume, false, &block);
        write_block(volume, brick, &block);
        sweep->is_reached[place] = is_reached;
        if (memcmp(sweep->before + place * voxels, volume->table[brick], voxels * sizeof(float)) != 0)
            volume->flags[brick] |= SILT_BRICK_CHANGED;
    }
}

// ---- all of them ----

// Which diagonal a brick lies on, counted along the sweep's way.
static uint32_t diagonal_of(const Sweep *sweep, uint32_t place)
{
    const SiltVolume *volume = sweep->volume;
    SiltBrickAt at = silt_brick_at(volume, sweep->bricks[place]);
    int sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += sweep->way[axis] > 0 ? at.at[axis] : volume->bricks[axis] - 1 - at.at[axis];
    return (uint32_t)sum;
}

static size_t diagonals(const SiltVolume *volume)
{
    return (size_t)volume->bricks[0] + (size_t)volume->bricks[1] + (size_t)volume->bricks[2] - 2;
}

// Takes all bricks in direction `n` of the eight, those of one diagonal side by side.
static void run_way(Sweep *sweep, int n, SiltLoopFn body)
{
    size_t total = diagonals(sweep->volume);
    for (int axis = 0; axis < 3; axis++)
        sweep->way[axis] = n >> axis & 1 ? -1 : 1;
    memset(sweep->first, 0, (total + 2) * sizeof *sweep->first);
    for (uint32_t k = 0; k < sweep->count; k++)
        sweep->first[diagonal_of(sweep, k) + 2]++;
    for (size_t d = 2; d < total + 2; d++)
        sweep->first[d] += sweep->first[d - 1];
    for (uint32_t k = 0; k < sweep->count; k++)
        sweep->order[sweep->first[diagonal_of(sweep, k) + 1]++] = k;
    for (size_t d = 0; d < total; d++) {
        sweep->diagonal = sweep->order + sweep->first[d];
        silt_parallel((int)(sweep->first[d + 1] - sweep->first[d]), SPAN, body, sweep);
    }
}

static void run_rounds(Sweep *sweep)
{
    bool goes_on = true;
    run_way(sweep, 0, start_bricks);
    for (int round = 0; round < MOST_ROUNDS && goes_on; round++) {
        memset(sweep->has_moved, 0, sweep->count * sizeof *sweep->has_moved);
        for (int n = 0; n < 8; n++)
            run_way(sweep, n, sweep_bricks);
        goes_on = memchr(sweep->has_moved, true, sweep->count * sizeof *sweep->has_moved) != NULL;
    }
    run_way(sweep, 0, end_bricks);
}

SiltStatus silt_sweep_bricks(SiltVolume *volume, const uint32_t *bricks, size_t count, bool *is_reached)
{
    Sweep sweep = {.volume = volume, .bricks = bricks, .count = count, .is_reached = is_reached};
    void *before = NULL;
    SiltStatus status = silt_alloc_for("redistance", count, sizeof *sweep.order, (void **)&sweep.order);
    if (status == SILT_OK)
        status =
            silt_alloc_for("redistance", diagonals(volume) + 2, sizeof *sweep.first, (void **)&sweep.first);
    if (status == SILT_OK)
        status = silt_alloc_for("redistance", count, sizeof *sweep.has_moved, (void **)&sweep.has_moved);
    if (status == SILT_OK)
        status = silt_volume_scratch(volume, count * silt_brick_voxels(volume) * sizeof(float), &before);
    sweep.before = before;
    if (status == SILT_OK && count > 0)
        run_rounds(&sweep);
    silt_free(sweep.order);
    silt_free(sweep.first);
    silt_free(sweep.has_moved);
    return status;
}

uint32_t silt_sweep_reaches(const SiltVolume *volume, size_t brick)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    uint32_t uniform = 0, reaches = 0;
    Block block;
    for (int n = 0; n < 27; n++)
        if (silt_volume_is_uniform(volume,
                                   silt_brick_beside(volume, at, n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)))
            uniform |= 1u << n;
    if (!uniform)
        return 0;
    read_block(volume, brick, &block);
    for (int z = 0; z < block.inside[2]; z++)
        for (int y = 0; y < block.inside[1]; y++)
            for (int x = 0; x < block.inside[0]; x++) {
                const float *here = voxel_of(&block, x, y, z), place[3] = {(float)x, (float)y, (float)z};
                if (!is_held(&block, here))
                    continue;
                // a voxel more: many held ones together lie nearer than the nearest of them
                float reach = volume->band - fabsf(*here) + 1.0f;
                for (int n = 0; n < 27; n++)
                    if (uniform & ~reaches & 1u << n && silt_facet_is_within(place, n, volume->side, reach))
                        reaches |= 1u << n;
            }
    return reaches;
}
