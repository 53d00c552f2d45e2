// phi between the voxels, and its gradient (Weiss 2016, 3.1.2 and programs 1 to 3).
//
// Seven cells in eight squared lie within one brick of 8 and need one look-up; cells between bricks need one
// for each of the bricks they touch. An apron around every brick would spare the second kind and cost 42 %
// more memory and a second write for every change at a border.
#include <math.h>

#include "volume/brick.h"

enum { AHEAD = 16 }; // places looked up together, so that their bricks are on the way from memory at once

// The eight corners of the cell around a place, and where in the cell it is.
typedef struct Cell {
    const float *brick; // when all corners lie in one
    uint32_t offset;    // of the first corner in it
    int i, j, k;
    float x, y, z;
} Cell;

SILT_INLINE void locate_axis(float place, int size, int *cell, float *rest)
{
    float last = (float)(size - 1);
    float clamped = place > 0.0f ? place : 0.0f; // NaN becomes 0
    clamped = clamped < last ? clamped : last;
    int low = (int)clamped;
    low = low < size - 2 ? low : size - 2;
    *cell = low;
    *rest = clamped - (float)low;
}

SILT_INLINE Cell locate(const SiltVolume *volume, const float place[3])
{
    Cell cell;
    locate_axis(place[0], volume->size[0], &cell.i, &cell.x);
    locate_axis(place[1], volume->size[1], &cell.j, &cell.y);
    locate_axis(place[2], volume->size[2], &cell.k, &cell.z);
    int mask = volume->side - 1;
    bool is_inside = (cell.i & mask) != mask && (cell.j & mask) != mask && (cell.k & mask) != mask;
    cell.offset = (uint32_t)silt_volume_offset(volume, cell.i, cell.j, cell.k);
    cell.brick = is_inside ? volume->table[silt_volume_brick(volume, cell.i, cell.j, cell.k)] : NULL;
    return cell;
}

SILT_INLINE void corners(const SiltVolume *volume, const Cell *cell, float c[8], size_t skip)
{
    if (cell->brick) {
        const float *at = cell->brick + skip + cell->offset;
        size_t row = (size_t)volume->side, slab = row * row;
        c[0] = at[0];
        c[1] = at[1];
        c[2] = at[row];
        c[3] = at[row + 1];
        c[4] = at[slab];
        c[5] = at[slab + 1];
        c[6] = at[slab + row];
        c[7] = at[slab + row + 1];
        return;
    }
    for (int n = 0; n < 8; n++) {
        int i = cell->i + (n & 1), j = cell->j + (n >> 1 & 1), k = cell->k + (n >> 2);
        c[n] = volume->table[silt_volume_brick(volume, i, j, k)][skip + silt_volume_offset(volume, i, j, k)];
    }
}

SILT_INLINE float interpolate(const Cell *cell, const float c[8], float *gradient)
{
    float x = cell->x, y = cell->y, z = cell->z;
    float d0 = c[1] - c[0], d1 = c[3] - c[2], d2 = c[5] - c[4], d3 = c[7] - c[6];
    float a0 = c[0] + x * d0, a1 = c[2] + x * d1, a2 = c[4] + x * d2, a3 = c[6] + x * d3;
    float b0 = a0 + y * (a1 - a0), b1 = a2 + y * (a3 - a2);
    if (gradient) {
        float e0 = d0 + y * (d1 - d0), e1 = d2 + y * (d3 - d2);
        gradient[0] = e0 + z * (e1 - e0);
        gradient[1] = (a1 - a0) + z * ((a3 - a2) - (a1 - a0));
        gradient[2] = b1 - b0;
    }
    return b0 + z * (b1 - b0);
}

float silt_volume_sample(const SiltVolume *volume, const float place[3], float gradient[3])
{
    Cell cell = locate(volume, place);
    float c[8];
    corners(volume, &cell, c, 0);
    return interpolate(&cell, c, gradient);
}

float silt_volume_erodibility(const SiltVolume *volume, const float place[3])
{
    Cell cell = locate(volume, place);
    float c[8];
    corners(volume, &cell, c, silt_brick_voxels(volume));
    return interpolate(&cell, c, NULL);
}

SILT_INLINE void fetch(const SiltVolume *volume, const Cell *cell)
{
    if (cell->brick) {
        SILT_FETCH(cell->brick + cell->offset);
        SILT_FETCH(cell->brick + cell->offset + ((size_t)1 << (2 * volume->shift)));
        return;
    }
    for (int n = 0; n < 8; n++) {
        int i = cell->i + (n & 1), j = cell->j + (n >> 1 & 1), k = cell->k + (n >> 2);
        SILT_FETCH(&volume->table[silt_volume_brick(volume, i, j, k)][silt_volume_offset(volume, i, j, k)]);
    }
}

void silt_volume_fetch(const SiltVolume *volume, const float place[3])
{
    Cell cell = locate(volume, place);
    fetch(volume, &cell);
}

void silt_volume_sample_many(const SiltVolume *volume, size_t count, const float *places, float *phi,
                             float *gradients)
{
    for (size_t begin = 0; begin < count; begin += AHEAD) {
        size_t end = count - begin < AHEAD ? count : begin + AHEAD;
        Cell cells[AHEAD];
        for (size_t n = begin; n < end; n++) {
            cells[n - begin] = locate(volume, places + 3 * n);
            fetch(volume, &cells[n - begin]);
        }
        for (size_t n = begin; n < end; n++) {
            float c[8];
            corners(volume, &cells[n - begin], c, 0);
            phi[n] = interpolate(&cells[n - begin], c, gradients ? gradients + 3 * n : NULL);
        }
    }
}
