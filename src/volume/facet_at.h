// What can be said of the surface at one voxel of a block: the facets where edges of the grid that begin
// there pass through it, how far those reach, and which distance a voxel beside it keeps. For C and OpenCL.
//
// A pointer points at the voxel; those beside it are 1, SILT_BLOCK_ROW and SILT_BLOCK_SLAB floats away.
#ifndef SILT_VOLUME_FACET_AT_H
#define SILT_VOLUME_FACET_AT_H

#include "core/both.h"

#ifdef __OPENCL_C_VERSION__ // who includes it says how long a SIDE is
enum { SILT_BLOCK_ROW = SIDE + 3, SILT_BLOCK_SLAB = SILT_BLOCK_ROW * SILT_BLOCK_ROW };
#else
enum { SILT_BLOCK_ROW = 16 + 8, SILT_BLOCK_SLAB = SILT_BLOCK_ROW * (16 + 3) };
#endif

#define SILT_FACET_REACH 4.2f  // voxels: the band, and what an edge stands out between two facets
#define SILT_ON_SURFACE  1e-4f // of a voxel
#define SILT_SHARP       0.3f  // change of the slope within a voxel, of the slope: an edge

typedef struct SiltFacet {
    float at[3];     // voxels from the first one of its brick
    float normal[3]; // into the rock, of length 1
    float bend[6];   // second derivatives of the distance: xx, yy, zz, xy, yz, zx
} SiltFacet;

SILT_INLINE int silt_block_step(int axis)
{
    return axis == 0 ? 1 : axis == 1 ? SILT_BLOCK_ROW : SILT_BLOCK_SLAB;
}

// Where phi is zero along an edge from `at` to the next voxel: the cubic through four voxels, or, if its bend
// changes much, the parabola that bends less (Min and Gibou 2007). *bend takes the second derivative there.
SILT_INLINE float silt_zero_along(SILT_LOCAL const float *at, int step, float *bend)
{
    float from = at[0], rise = at[step] - from;
    float first = at[step] - 2.0f * from + at[-step], last = from - 2.0f * at[step] + at[2 * step];
    if (silt_absf(last - first) > 0.2f * silt_absf(rise)) {
        first = first * last > 0.0f ? silt_absf(first) < silt_absf(last) ? first : last : 0.0f;
        last = first;
    }
    float t = -from / rise;
    for (int k = 0; k < 2; k++) {
        float mean = (first * (2.0f - t) + last * (1.0f + t)) * (1.0f / 3.0f);
        t = (0.5f * t * (1.0f - t) * mean - from) / rise;
        t = t > 0.0f ? silt_minf(t, 1.0f) : 0.0f;
    }
    *bend = first + t * (last - first);
    return t;
}

// phi around the zero of an edge: values between the voxels at its two ends.
SILT_INLINE float silt_between(SILT_LOCAL const float *at, int step, float t)
{
    return at[0] + t * (at[step] - at[0]);
}

// At a sharp edge one of the differences ahead and behind belongs to the same face: a distance has the slope
// 1 there. If neither fits phi is no distance yet, and their mean must do.
SILT_INLINE float silt_slope_on_face(float ahead, float behind, float others)
{
    float with_ahead = silt_absf(others + ahead * ahead - 1.0f),
          with_behind = silt_absf(others + behind * behind - 1.0f);
    float better = with_ahead < with_behind ? ahead : behind;
    return silt_minf(with_ahead, with_behind) < 0.1f ? better : 0.5f * (ahead + behind);
}

// The facet where the edge from `at` along `axis` passes through the surface; false when the surface is
// smooth there and another axis is nearer to its normal, for then the edges along that one are enough.
SILT_INLINE bool silt_facet_along(SILT_LOCAL const float *at, int axis, SiltFacet *out)
{
    const int b = (axis + 1) % 3, c = (axis + 2) % 3, step = silt_block_step(axis), u = silt_block_step(b),
              v = silt_block_step(c);
    float second[3], slope[3], t = silt_zero_along(at, step, &second[axis]);
    float here = silt_between(at, step, t);
    float b_ahead = silt_between(at + u, step, t) - here, b_behind = here - silt_between(at - u, step, t);
    float c_ahead = silt_between(at + v, step, t) - here, c_behind = here - silt_between(at - v, step, t);
    slope[axis] = at[step] - at[0] + (t - 0.5f) * second[axis];
    slope[b] = 0.5f * (b_ahead + b_behind);
    slope[c] = 0.5f * (c_ahead + c_behind);
    second[b] = b_ahead - b_behind;
    second[c] = c_ahead - c_behind;
    float length = silt_sqrtf(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
    float sharpest = silt_maxf(silt_absf(second[0]), silt_maxf(silt_absf(second[1]), silt_absf(second[2])));
    bool is_sharp = sharpest > SILT_SHARP * length;
    if (!is_sharp && silt_absf(slope[axis]) < 0.8f * silt_maxf(silt_absf(slope[b]), silt_absf(slope[c])))
        return false;
    if (is_sharp) {
        float along = slope[axis] * slope[axis];
        slope[b] = silt_slope_on_face(b_ahead, b_behind, along + slope[c] * slope[c]);
        slope[c] = silt_slope_on_face(c_ahead, c_behind, along + slope[b] * slope[b]);
        length = silt_sqrtf(along + slope[b] * slope[b] + slope[c] * slope[c]);
    }
    float by = 1.0f / silt_maxf(length, 1e-6f), bend = is_sharp ? 0.0f : by;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = slope[k] * by;
        out->bend[k] = second[k] * bend;
    }
    SILT_LOCAL const float *to = at + step;
    float mixed = 0.25f * (silt_between(at + u + v, step, t) - silt_between(at + u - v, step, t) -
                           silt_between(at + v - u, step, t) + silt_between(at - u - v, step, t));
    out->bend[3 + axis] = 0.5f * bend * (to[u] - to[-u] - at[u] + at[-u]);
    out->bend[3 + c] = 0.5f * bend * (to[v] - to[-v] - at[v] + at[-v]);
    out->bend[3 + b] = bend * mixed;
    out->at[axis] = t;
    return true;
}

// A voxel on the surface with none beside it on the other side, as at the edge of a box.
SILT_INLINE void silt_facet_touching(SILT_LOCAL const float *at, SiltFacet *out)
{
    SiltFacet level = {.normal = {0.0f, 0.0f, 1.0f}};
    *out = level;
    float slope[3], square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        slope[axis] = at[silt_block_step(axis)] - at[-silt_block_step(axis)];
        square += slope[axis] * slope[axis];
    }
    for (int axis = 0; axis < 3 && square > 1e-6f; axis++)
        out->normal[axis] = slope[axis] / silt_sqrtf(square);
}

// ---- one voxel ----

enum { SILT_ENDS_HERE = 8, SILT_ON_IT = 16 };

// Bits 0 to 2: the edge along that axis passes through the surface; SILT_ENDS_HERE: one that does ends here;
// SILT_ON_IT: the voxel is on the surface.
SILT_INLINE int silt_mark_voxel(SILT_LOCAL const float *at)
{
    int inside = at[0] > 0.0f;
    int other = (inside ^ (at[-1] > 0.0f)) | (inside ^ (at[-SILT_BLOCK_ROW] > 0.0f)) |
                (inside ^ (at[-SILT_BLOCK_SLAB] > 0.0f));
    return (inside ^ (at[1] > 0.0f)) | (inside ^ (at[SILT_BLOCK_ROW] > 0.0f)) << 1 |
           (inside ^ (at[SILT_BLOCK_SLAB] > 0.0f)) << 2 | other << 3 |
           (silt_absf(at[0]) < SILT_ON_SURFACE) << 4;
}

// How many of the nine voxels at x and around it are rock.
SILT_INLINE int silt_count_column(SILT_LOCAL const float *at)
{
    enum { UP = SILT_BLOCK_SLAB, ROW = SILT_BLOCK_ROW };
    return (at[-UP - ROW] > 0.0f) + (at[-UP] > 0.0f) + (at[-UP + ROW] > 0.0f) + (at[-ROW] > 0.0f) +
           (at[0] > 0.0f) + (at[ROW] > 0.0f) + (at[UP - ROW] > 0.0f) + (at[UP] > 0.0f) +
           (at[UP + ROW] > 0.0f);
}

// The distance that a voxel keeps, or zero where the facets know better. `mark` is not zero beside the
// surface, and `is_corner` at other corners of cells that it passes. Where the differences ahead and behind
// disagree there is an edge: a distance has the slope 1 on one side of it at least, and is left alone;
// anything else is divided by the steepest (Russo and Smereka 2000).
SILT_INLINE float silt_keep_voxel(SILT_LOCAL const float *at, int mark, int is_corner, int holds)
{
    float size = silt_absf(at[0]), square = 0.0f, least = 0.0f, most = 0.0f, steepest = 1e-4f,
          sharpest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float ahead = at[silt_block_step(axis)] - at[0], behind = at[0] - at[-silt_block_step(axis)];
        float to = silt_absf(ahead), from = silt_absf(behind), mean = 0.5f * (ahead + behind);
        float long_one = silt_maxf(to, from), short_one = silt_minf(to, from);
        square += mean * mean;
        steepest = silt_maxf(steepest, long_one);
        sharpest = silt_maxf(sharpest, silt_absf(ahead - behind));
        most += long_one * long_one;
        least += ahead * behind > 0.0f ? short_one * short_one : 0.0f;
    }
    int is_held = (most > 0.25f) & (least < 2.25f), is_distance = (least <= 1.02f) & (most >= 0.98f);
    float held = silt_maxf(size, 1e-12f), slope = silt_sqrtf(square),
          over = size / silt_maxf(steepest, slope);
    float at_edge = is_distance ? held : silt_maxf(over, 1e-12f);
    float beside = sharpest > SILT_SHARP * slope ? at_edge : 0.0f;
    beside = holds & is_held ? held : beside;
    float corner = is_corner & is_held ? held : 0.0f;
    return mark ? beside : corner;
}

// The facets that begin at one voxel, which stands at `place` of its brick: three at the most.
SILT_INLINE int silt_facets_at(SILT_LOCAL const float *at, int mark, const int *place, SiltFacet *out)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(mark >> axis & 1))
            continue;
        SiltFacet *facet = out + count;
        bool is_one = axis == 0   ? silt_facet_along(at, 0, facet)
                      : axis == 1 ? silt_facet_along(at, 1, facet)
                                  : silt_facet_along(at, 2, facet);
        for (int k = 0; k < 3; k++)
            facet->at[k] = (float)place[k] + (k == axis ? facet->at[k] : 0.0f);
        count += is_one;
    }
    if (mark == SILT_ON_IT) {
        silt_facet_touching(at, out);
        for (int k = 0; k < 3; k++)
            out->at[k] = (float)place[k];
        count = 1;
    }
    return count;
}

// ---- one facet ----

// Bit n: whether the facet is within SILT_FACET_REACH of a voxel of brick n of the 27 around its own.
SILT_INLINE uint32_t silt_facet_reach_of(const float *at, int side)
{
    const float square = SILT_FACET_REACH * SILT_FACET_REACH;
    float off[3][3];
    for (int axis = 0; axis < 3; axis++) {
        float here = at[axis], beyond = silt_maxf(here - (float)(side - 1), 0.0f);
        off[axis][0] = (here + 1.0f) * (here + 1.0f);
        off[axis][1] = beyond * beyond;
        off[axis][2] = ((float)side - here) * ((float)side - here);
    }
    uint32_t reach = 0;
    for (int n = 0; n < 27; n++)
        reach |= (uint32_t)(off[0][n % 3] + off[1][n / 3 % 3] + off[2][n / 9] < square) << n;
    return reach;
}

// Whether brick n of the 27 around a facet's own has a voxel within the band of it.
SILT_INLINE bool silt_facet_is_within(const float *at, int n, int side_voxels, float band)
{
    const int by[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    float side = (float)side_voxels, off = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float first = side * (float)by[axis],
              beyond = silt_maxf(silt_maxf(first - at[axis], at[axis] - first - side + 1.0f), 0.0f);
        off += beyond * beyond;
    }
    return off < band * band;
}

#endif
