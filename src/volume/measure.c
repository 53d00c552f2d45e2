// How much rock there is.
#include "core/parallel.h"
#include "volume/brick.h"
#include "volume/rock_piece.h"

enum { ROW = SILT_MAX_BRICK + 1, SLAB = ROW * ROW, BLOCK_FLOATS = SLAB * ROW };
static const SiltBlock around = {.below = 0, .above = 1, .row = ROW, .slab = SLAB, .first = 0};

SILT_CLONES static double split_cell(const float c[8])
{
    float part[SILT_PIECES];
    SILT_INDEPENDENT
    for (int n = 0; n < SILT_PIECES; n++)
        part[n] = silt_rock_piece(c, n);
    double sum = 0.0;
    for (int n = 0; n < SILT_PIECES; n += 4)
        sum += (double)((part[n] + part[n + 1]) + (part[n + 2] + part[n + 3]));
    return sum / SILT_PIECES;
}

static double cell_rock(const float *at, int inside)
{
    const float c[8] = {at[0],    at[1],        at[ROW],        at[ROW + 1],
                        at[SLAB], at[SLAB + 1], at[SLAB + ROW], at[SLAB + ROW + 1]};
    return inside == 8 ? 1.0 : split_cell(c);
}

// How many corners of each cell of a row are rock; returns whether any is.
SILT_CLONES static bool count_corners(const float *row, int cells, int *out)
{
    int column[SILT_MAX_BRICK + 1], any = 0;
    for (int x = 0; x <= cells; x++)
        column[x] =
            (row[x] > 0.0f) + (row[x + ROW] > 0.0f) + (row[x + SLAB] > 0.0f) + (row[x + SLAB + ROW] > 0.0f);
    for (int x = 0; x < cells; x++) {
        out[x] = column[x] + column[x + 1];
        any |= out[x];
    }
    return any != 0;
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

SILT_CLONES static void copy_8(const float *const near[27], float *out)
{
    silt_block_copy(near, 8, &around, out);
}

SILT_CLONES static void copy_16(const float *const near[27], float *out)
{
    silt_block_copy(near, 16, &around, out);
}

static const SiltBlockCopy copies[2] = {copy_8, copy_16};

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
    silt_block_read_by(volume, brick, &around, copies, block);
    int inside = count_inside(block, volume->side), corners = volume->side + 1;
    if (inside == 0 || inside == corners * corners * corners)
        return inside ? cells : 0.0;
    for (int z = 0; z < end[2]; z++)
        for (int y = 0; y < end[1]; y++) {
            const float *row = block + z * SLAB + y * ROW;
            int corner_count[SILT_MAX_BRICK];
            if (!count_corners(row, end[0], corner_count))
                continue;
            for (int x = 0; x < end[0]; x++)
                if (corner_count[x] > 0)
                    sum += cell_rock(row + x, corner_count[x]);
        }
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

bool silt_volume_rock_heard(const SiltVolume *volume, double *out)
{
    double cells, cell = volume->cell;
    int bricks = (int)silt_brick_total(volume);
    bool all = silt_parallel_sum_heard(bricks, bricks_rock, (void *)(uintptr_t)volume, &cells);
    *out = all ? cells * cell * cell * cell : 0.0;
    return all;
}

// ---- only what has changed ----

typedef struct Again {
    SiltVolume *volume;
    double *of_brick;
} Again;

// A brick's cells reach to the first voxels of the bricks behind it.
static void measure_rows(void *context, int begin, int end)
{
    const Again *again = context;
    const SiltVolume *volume = again->volume;
    int wide = volume->bricks[0];
    for (int row = begin; row < end; row++) {
        SiltBrickAt at = {{0, row % volume->bricks[1], row / volume->bricks[1]}};
        const uint8_t *flags[4];
        for (int n = 0; n < 4; n++)
            flags[n] = volume->flags + silt_brick_beside(volume, at, 0, n & 1, n >> 1);
        for (int a = 0; a < wide; a++) {
            int next = a + 1 < wide ? a + 1 : a;
            int changed = (flags[0][a] | flags[1][a] | flags[2][a] | flags[3][a]) |
                          (flags[0][next] | flags[1][next] | flags[2][next] | flags[3][next]);
            size_t brick = (size_t)row * (size_t)wide + (size_t)a;
            if (changed & SILT_BRICK_MEASURE)
                again->of_brick[brick] = brick_rock(volume, brick);
        }
    }
}

static double sum_bricks(void *context, int begin, int end)
{
    const Again *again = context;
    double sum = 0.0;
    for (int brick = begin; brick < end; brick++)
        sum += again->of_brick[brick];
    return sum;
}

double silt_volume_rock_again(SiltVolume *volume, double *of_brick)
{
    Again again = {volume, of_brick};
    size_t total = silt_brick_total(volume);
    silt_parallel(volume->bricks[1] * volume->bricks[2], 8, measure_rows, &again);
    for (size_t brick = 0; brick < total; brick++)
        volume->flags[brick] &= (uint8_t)~SILT_BRICK_MEASURE;
    return silt_parallel_sum((int)total, sum_bricks, &again) * volume->cell * volume->cell * volume->cell;
}
