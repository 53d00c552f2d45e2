// Which facet of the surface is nearest to a voxel, and how far the surface is there. For C and OpenCL.
//
// The nearest is found in whole numbers: the square of the distance in 64ths of a voxel, and below it the
// facet's number, so that the least of such keys is both. The distance is then that to the facet's own
// surface, which bends.
#ifndef SILT_VOLUME_NEAREST_AT_H
#define SILT_VOLUME_NEAREST_AT_H

#include "volume/facet_at.h"

enum {
    SILT_NUMBER_BITS = 10,
    SILT_FACET_BATCH = (1 << SILT_NUMBER_BITS) - 1, // facets that numbers are enough for
    SILT_KEY_FINE = 64,
    SILT_FAR_KEY = 0x7FFFFFFF
};
#define SILT_KEY_WIDE 7.9f // voxels: farther off than this is all the same
#define SILT_FACETS_APART                                                                                    \
    0.8f // square of the way from any place on the surface to the next facet, at the most

// In 64ths of a voxel.
SILT_INLINE int32_t silt_key_finely(float voxels)
{
    return (int32_t)(voxels * (float)SILT_KEY_FINE);
}

SILT_INLINE int32_t silt_key_square(int32_t fine)
{
    return (fine * fine) << SILT_NUMBER_BITS;
}

// The part of a key that voxel x of a row brings, and the facet's number.
SILT_INLINE int32_t silt_key_across(int x, int32_t facet_x, int number)
{
    const int32_t wide = silt_key_finely(SILT_KEY_WIDE);
    int32_t off = SILT_KEY_FINE * x - facet_x;
    off = off < wide ? off : wide;
    return silt_key_square(off > -wide ? off : -wide) + number;
}

// That of the row or layer y.
SILT_INLINE int32_t silt_key_up(int y, int32_t facet_y)
{
    return silt_key_square(SILT_KEY_FINE * y - facet_y);
}

// Keys beyond this are farther away than a facet reaches.
SILT_INLINE int32_t silt_key_too_far(void)
{
    return (int32_t)(SILT_FACET_REACH * SILT_FACET_REACH * (float)(SILT_KEY_FINE * SILT_KEY_FINE))
           << SILT_NUMBER_BITS;
}

SILT_INLINE int silt_first_within(float at, float reach)
{
    int first = (int)(at - reach + 16.0f) - 15; // rounds up, or one too far up at whole numbers: as good
    return first > 0 ? first : 0;
}

SILT_INLINE int silt_last_within(float at, float reach, int side)
{
    int last = (int)(at + reach + 16.0f) - 16;
    return last < side ? last : side - 1;
}

SILT_INLINE float silt_off_brick(float at, int side)
{
    float beyond = silt_maxf(silt_maxf(-at, at - (float)(side - 1)), 0.0f);
    return beyond * beyond;
}

// The rows and layers of a brick that a facet reaches; rows two at a time, and none where rows <= 0.
typedef struct SiltKeyRows {
    int y0, rows, z0, z1;
} SiltKeyRows;

SILT_INLINE SiltKeyRows silt_key_rows(const float *at, int side)
{
    float left = SILT_FACET_REACH * SILT_FACET_REACH - silt_off_brick(at[0], side);
    float reach_y = silt_sqrtf(silt_maxf(left - silt_off_brick(at[2], side), 0.0f)),
          reach_z = silt_sqrtf(silt_maxf(left - silt_off_brick(at[1], side), 0.0f));
    SiltKeyRows r;
    r.y0 = silt_first_within(at[1], reach_y) & ~1;
    r.rows = (silt_last_within(at[1], reach_y, side) | 1) + 1 - r.y0;
    r.z0 = silt_first_within(at[2], reach_z);
    r.z1 = silt_last_within(at[2], reach_z, side);
    return r;
}

// The distance at (x, y, z) from a facet is s along the facet's normal, and what the surface falls away from
// its plane in between: D = s + 1/2 k t^2 / (1 + s k), with the bend k along the way t aside. It is no more
// than that to the facet's point, and no less than if the foot lay as far from it as it may between facets.
// `sign` is 1 in rock and -1 in air.
SILT_INLINE float silt_facet_distance(float x, float y, float z, float nx, float ny, float nz, float xx,
                                      float yy, float zz, float xy, float yz, float zx, float sign)
{
    float s = nx * x + ny * y + nz * z;
    float square = x * x + y * y + z * z;
    float a = x - s * nx, b = y - s * ny, c = z - s * nz;
    float fall = xx * a * a + yy * b * b + zz * c * c + 2.0f * (xy * a * b + yz * b * c + zx * c * a);
    float aside = silt_maxf(square - s * s, 1e-9f), ratio = silt_maxf(1.0f + s * fall / aside, 0.25f);
    float distance = silt_maxf(sign * (s + 0.5f * fall / ratio), 0.0f);
    float wide = silt_maxf(ratio, 1.0f),
          least = silt_sqrtf(silt_maxf(square - SILT_FACETS_APART * wide * wide, 0.0f));
    return silt_minf(silt_maxf(distance, least), silt_sqrtf(square));
}

// phi of a voxel that lies `distance` from the surface, with its old sign. `fixed` above zero is the distance
// it keeps; one that is right within a thousandth stays to the last bit.
SILT_INLINE float silt_phi_of(float phi, float distance, float fixed, float band)
{
    const float right = 1e-3f; // of a voxel
    float size = silt_absf(phi);
    distance = silt_maxf(distance, 1e-12f);
    distance = silt_absf(distance - size) < right ? silt_maxf(size, 1e-12f) : distance;
    distance = fixed > 0.0f ? fixed : distance;
    distance = distance < band ? distance : band;
    return phi > 0.0f ? distance : -distance;
}

#endif
