// Rock as a place sees it: phi between the voxels, its gradient, and how soft the rock is there (Weiss 2016,
// 3.1.2 and programs 1 to 3). For C and OpenCL.
//
// Seven cells in eight squared lie within one brick of 8 and need one look-up; cells between bricks need one
// for each of the bricks they touch. An apron around every brick would spare the second kind and cost 42 %
// more memory and a second write for every change at a border.
#ifndef SILT_VOLUME_ROCK_VIEW_H
#define SILT_VOLUME_ROCK_VIEW_H

#include "core/both.h"

// The bricks: on the processor the volume itself, whose table points at them; on a device numbers of places
// in a pool, the first of which are shared by all uniform bricks. SILT_POOL_SHARED is how many.
#ifdef __OPENCL_C_VERSION__
enum { SILT_POOL_EMPTY, SILT_POOL_SOLID, SILT_POOL_SHARED };
typedef struct SiltRockView {
    int size[3], bricks[3];
    int side, shift;
    float band;
    __global const int *table;
    __global const float *phi, *soft;
} SiltRockView;

static inline __global const float *silt_view_phi(const SiltRockView *view, size_t brick)
{
    return view->phi + ((size_t)view->table[brick] << 3 * view->shift);
}

static inline __global const float *silt_view_soft(const SiltRockView *view, size_t brick)
{
    return view->soft + ((size_t)view->table[brick] << 3 * view->shift);
}

static inline bool silt_view_is_empty(const SiltRockView *view, size_t brick)
{
    return view->table[brick] == SILT_POOL_EMPTY;
}
#else
#include "volume/volume.h"
enum { SILT_POOL_SHARED = 0 };
typedef SiltVolume SiltRockView;

SILT_INLINE const float *silt_view_phi(const SiltRockView *view, size_t brick)
{
    return view->table[brick];
}

SILT_INLINE const float *silt_view_soft(const SiltRockView *view, size_t brick)
{
    return view->table[brick] + ((size_t)1 << 3 * view->shift);
}

SILT_INLINE bool silt_view_is_empty(const SiltRockView *view, size_t brick)
{
    return view->table[brick] == view->empty;
}
#endif

SILT_INLINE size_t silt_view_brick(const SiltRockView *view, int i, int j, int k)
{
    size_t a = (size_t)(i >> view->shift), b = (size_t)(j >> view->shift), c = (size_t)(k >> view->shift);
    return (c * (size_t)view->bricks[1] + b) * (size_t)view->bricks[0] + a;
}

SILT_INLINE size_t silt_view_offset(const SiltRockView *view, int i, int j, int k)
{
    size_t mask = (size_t)view->side - 1;
    return ((((size_t)k & mask) << view->shift | ((size_t)j & mask)) << view->shift) | ((size_t)i & mask);
}

// The eight corners of the cell around a place, and where in the cell it is.
typedef struct SiltRockCell {
    bool is_inside;  // all corners lie in one brick
    size_t brick;    // that of the first corner
    uint32_t offset; // of the first corner in it
    int i, j, k;
    float x, y, z;
} SiltRockCell;

SILT_INLINE void silt_view_locate_axis(float place, int size, int *cell, float *rest)
{
    float last = (float)(size - 1);
    float clamped = place > 0.0f ? place : 0.0f; // NaN becomes 0
    clamped = clamped < last ? clamped : last;
    int low = (int)clamped;
    low = low < size - 2 ? low : size - 2;
    *cell = low;
    *rest = clamped - (float)low;
}

SILT_INLINE SiltRockCell silt_view_locate(const SiltRockView *view, const float *place)
{
    SiltRockCell cell;
    silt_view_locate_axis(place[0], view->size[0], &cell.i, &cell.x);
    silt_view_locate_axis(place[1], view->size[1], &cell.j, &cell.y);
    silt_view_locate_axis(place[2], view->size[2], &cell.k, &cell.z);
    int mask = view->side - 1;
    cell.is_inside = (cell.i & mask) != mask && (cell.j & mask) != mask && (cell.k & mask) != mask;
    cell.offset = (uint32_t)silt_view_offset(view, cell.i, cell.j, cell.k);
    cell.brick = silt_view_brick(view, cell.i, cell.j, cell.k);
    return cell;
}

// Of phi, or of how soft the rock is.
SILT_INLINE void silt_view_corners(const SiltRockView *view, const SiltRockCell *cell, bool soft, float *c)
{
    if (cell->is_inside) {
        SILT_GLOBAL const float *at =
            (soft ? silt_view_soft(view, cell->brick) : silt_view_phi(view, cell->brick)) + cell->offset;
        size_t row = (size_t)view->side, slab = row * row;
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
        size_t brick = silt_view_brick(view, i, j, k), offset = silt_view_offset(view, i, j, k);
        c[n] = soft ? silt_view_soft(view, brick)[offset] : silt_view_phi(view, brick)[offset];
    }
}

// `gradient` may be NULL.
SILT_INLINE float silt_view_blend(const SiltRockCell *cell, const float *c, float *gradient)
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

// phi at a place, and its gradient, which may be NULL.
SILT_INLINE float silt_view_sample(const SiltRockView *view, const float *place, float *gradient)
{
    SiltRockCell cell = silt_view_locate(view, place);
    float c[8];
    silt_view_corners(view, &cell, false, c);
    return silt_view_blend(&cell, c, gradient);
}

SILT_INLINE float silt_view_softness(const SiltRockView *view, const float *place)
{
    SiltRockCell cell = silt_view_locate(view, place);
    float c[8];
    silt_view_corners(view, &cell, true, c);
    return silt_view_blend(&cell, c, 0);
}

// Layers from the floor to the highest surface of a column, or NaN.
static inline double silt_view_top(const SiltRockView *view, int i, int j)
{
    float above = -1.0f;
    for (int k = view->size[2] - 1; k >= 0; k--) {
        size_t brick = silt_view_brick(view, i, j, k);
        if (silt_view_is_empty(view, brick) && (k & (view->side - 1)) != 0) {
            k &= ~(view->side - 1); // the lowest voxel of an empty brick stands for the others
            above = -view->band;
            continue;
        }
        float phi = silt_view_phi(view, brick)[silt_view_offset(view, i, j, k)];
        if (phi > 0.0f)
            return k == view->size[2] - 1 ? k : k + (double)phi / ((double)phi - (double)above);
        above = phi;
    }
    return NAN;
}

#endif
