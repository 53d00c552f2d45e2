// How much rock there is.
#include <math.h>

#include "core/parallel.h"
#include "volume/brick.h"

enum { PARTS = 4 }; // pieces along each axis of a cell that the surface passes
enum { ROW = SILT_MAX_BRICK + 1, SLAB = ROW * ROW, BLOCK_FLOATS = SLAB * ROW };
static const SiltBlock around = {.below = 0, .above = 1, .row = ROW, .slab = SLAB, .first = 0};

// The part of a cell that is rock. Each of its pieces has that on the rock's side of the plane through it:
// phi and its gradient in the middle tell.
SILT_CLONES static double split_cell(const float c[8])
{
    float part[PARTS * PARTS * PARTS];
    float d0 = c[1] - c[0], d1 = c[3] - c[2], d2 = c[5] - c[4], d3 = c[7] - c[6];
    SILT_INDEPENDENT
    for (int n = 0; n < PARTS * PARTS * PARTS; n++) {
        float x = ((float)(n % PARTS) + 0.5f) * (1.0f / PARTS),
              y = ((float)(n / PARTS % PARTS) + 0.5f) * (1.0f / PARTS),
              z = ((float)(n / (PARTS * PARTS)) + 0.5f) * (1.0f / PARTS);
        float a0 = c[0] + x * d0, a1 = c[2] + x * d1, a2 = c[4] + x * d2, a3 = c[6] + x * d3;
        float b0 = a0 + y * (a1 - a0), b1 = a2 + y * (a3 - a2);
        float e0 = d0 + y * (d1 - d0), e1 = d2 + y * (d3 - d2);
        float gx = e0 + z * (e1 - e0), gy = (a1 - a0) + z * ((a3 - a2) - (a1 - a0)), gz = b1 - b0;
        float phi = b0 + z * (b1 - b0), slope = sqrtf(gx * gx + gy * gy + gz * gz) * (1.0f / PARTS);
        float above = 0.5f + phi / (slope > 1e-20f ? slope : 1e-20f);
        part[n] = above > 0.0f ? above < 1.0f ? above : 1.0f : 0.0f;
    }
    double sum = 0.0;
    for (int n = 0; n < PARTS * PARTS; n++)
        sum += (double)((part[4 * n] + part[4 * n + 1]) + (part[4 * n + 2] + part[4 * n + 3]));
    return sum / (PARTS * PARTS * PARTS);
}

static double cell_rock(const float *at)
{
    static const int step[8] = {0, 1, ROW, ROW + 1, SLAB, SLAB + 1, SLAB + ROW, SLAB + ROW + 1};
    float c[8];
    int inside = 0;
    for (int n = 0; n < 8; n++) {
        c[n] = at[step[n]];
        inside += c[n] > 0.0f;
    }
    return inside == 0 ? 0.0 : inside == 8 ? 1.0 : split_cell(c);
}

// How many voxels of a block are rock: all and none are quickly counted.
SILT_CLONES static int count_inside(const float *block, int side)
{
    int count = 0;
    for (int z = 0; z <= side; z++)
        for (int y = 0; y <= side; y++)
            for (int x = 0; x <= side; x++)
                count += block[z * SLAB + y * ROW + x] > 0.0f;
    return count;
}

static double brick_rock(const SiltVolume *volume, size_t brick)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    int end[3];
    double cells = 1.0;
    bool is_whole = silt_volume_is_uniform(volume, brick);
    for (int axis = 0; axis < 3; axis++) {
        int left = volume->size[axis] - 1 - at.at[axis] * volume->side;
        end[axis] = left < volume->side ? left : volume->side;
        cells *= end[axis];
    }
    for (int n = 1; n < 8; n++)
        is_whole = is_whole && volume->table[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)] ==
                                   volume->table[brick];
    if (is_whole)
        return volume->table[brick] == volume->solid ? cells : 0.0;
    float block[BLOCK_FLOATS];
    double sum = 0.0;
    silt_block_read(volume, brick, &around, block);
    int inside = count_inside(block, volume->side), corners = volume->side + 1;
    if (inside == 0 || inside == corners * corners * corners)
        return inside ? cells : 0.0;
    for (int z = 0; z < end[2]; z++)
        for (int y = 0; y < end[1]; y++)
            for (int x = 0; x < end[0]; x++)
                sum += cell_rock(block + z * SLAB + y * ROW + x);
    return sum;
}

static double bricks_rock(void *context, int begin, int end)
{
    double sum = 0.0;
    for (int brick = begin; brick < end; brick++)
        sum += brick_rock(context, (size_t)brick);
    return sum;
}

double silt_volume_rock(const SiltVolume *volume)
{
    double cells = silt_parallel_sum((int)silt_brick_total(volume), bricks_rock, (void *)(uintptr_t)volume);
    return cells * volume->cell * volume->cell * volume->cell;
}
