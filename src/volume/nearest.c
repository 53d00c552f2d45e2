// Distances of voxels to the nearest facet of the surface.
//
// Which one is nearest is found in whole numbers: the square of the distance in 64ths of a voxel, and below
// it the facet's number, so that the least of such keys is both. A facet reaches the rows within REACH of it
// and lowers eight or sixteen keys at a time. The distance is then that to the facet's own surface, which
// bends.
#include <math.h>

#include "volume/facet.h"

enum { NUMBER_BITS = 10, BATCH = (1 << NUMBER_BITS) - 1, FINE = 64, FAR_KEY = INT32_MAX };
enum { LANES = 64 };
enum { MAX_LAYER = SILT_MAX_BRICK * SILT_MAX_BRICK, MAX_VOXELS = SILT_MAX_BRICK * MAX_LAYER };
#define WIDE   7.9f // voxels: farther off than this is all the same
#define SPREAD 0.8f // square of the way from any place on the surface to the next facet, at the most

// Facets that reach a brick, counted from its own first voxel, and the keys of its voxels.
typedef struct Near {
    int count;
    SiltFacet facets[BATCH];
    int32_t keys[MAX_VOXELS];
} Near;

SILT_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

SILT_INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

// In 64ths of a voxel.
SILT_INLINE int32_t finely(float voxels)
{
    return (int32_t)(voxels * (float)FINE);
}

SILT_INLINE int32_t square_key(int32_t fine)
{
    return (fine * fine) << NUMBER_BITS;
}

SILT_INLINE int first_within(float at, float reach)
{
    int first = (int)(at - reach + 16.0f) - 15; // rounds up, or one too far up at whole numbers: as good
    return first > 0 ? first : 0;
}

SILT_INLINE int last_within(float at, float reach, int side)
{
    int last = (int)(at + reach + 16.0f) - 16;
    return last < side ? last : side - 1;
}

// Keys of a facet in a layer of voxels at its own height, for rows from y0 on.
SILT_INLINE void layer_keys(const float at[3], int number, int y0, int rows, int side, int32_t *out)
{
    const int32_t wide = finely(WIDE), x0 = finely(at[0]), y_fine = finely(at[1]);
    int32_t across[SILT_MAX_BRICK];
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++) {
        int32_t off = FINE * x - x0;
        off = off < wide ? off : wide;
        across[x] = square_key(off > -wide ? off : -wide) + number;
    }
    for (int y = 0; y < rows; y++) {
        int32_t up = square_key(FINE * (y0 + y) - y_fine);
        SILT_INDEPENDENT
        for (int x = 0; x < side; x++)
            out[y * side + x] = across[x] + up;
    }
}

SILT_INLINE float off_brick(float at, int side)
{
    float beyond = larger(larger(-at, at - (float)(side - 1)), 0.0f);
    return beyond * beyond;
}

// Lowers the keys of all rows that a facet reaches, two rows at a time.
SILT_INLINE void lower_keys(int32_t *keys, const float at[3], int number, int side)
{
    int32_t layer[MAX_LAYER], z_fine = finely(at[2]);
    float left = SILT_FACET_REACH * SILT_FACET_REACH - off_brick(at[0], side);
    float reach_y = sqrtf(larger(left - off_brick(at[2], side), 0.0f)),
          reach_z = sqrtf(larger(left - off_brick(at[1], side), 0.0f));
    int y0 = first_within(at[1], reach_y) & ~1, rows = (last_within(at[1], reach_y, side) | 1) + 1 - y0;
    int z0 = first_within(at[2], reach_z), z1 = last_within(at[2], reach_z, side);
    if (rows <= 0)
        return;
    layer_keys(at, number, y0, rows, side, layer);
    for (int z = z0; z <= z1; z++) {
        int32_t *from = keys + (z * side + y0) * side, up = square_key(FINE * z - z_fine);
        SILT_INDEPENDENT
        for (int k = 0; k < rows / 2 * (2 * side); k++) {
            int32_t key = layer[k] + up;
            from[k] = key < from[k] ? key : from[k];
        }
    }
}

SILT_CLONES static void lower_8(Near *near)
{
    for (int n = 0; n < near->count; n++)
        lower_keys(near->keys, near->facets[n].at, n, 8);
}

SILT_CLONES static void lower_16(Near *near)
{
    for (int n = 0; n < near->count; n++)
        lower_keys(near->keys, near->facets[n].at, n, 16);
}

// ---- the distance ----

// Voxels with the facets nearest to them, side by side: the way from the facet, its normal and bend.
typedef struct Pairs {
    float way[3][LANES], normal[3][LANES], bend[6][LANES], sign[LANES], distance[LANES];
} Pairs;

SILT_INLINE void put_pair(Pairs *pairs, int lane, const SiltFacet *facet, const float place[3], float phi)
{
    for (int axis = 0; axis < 3; axis++) {
        pairs->way[axis][lane] = place[axis] - facet->at[axis];
        pairs->normal[axis][lane] = facet->normal[axis];
        pairs->bend[axis][lane] = facet->bend[axis];
        pairs->bend[3 + axis][lane] = facet->bend[3 + axis];
    }
    pairs->sign[lane] = phi > 0.0f ? 1.0f : -1.0f;
}

// The distance is s along the facet's normal, and what the surface falls away from its plane in between:
// D = s + 1/2 k t^2 / (1 + s k), with the bend k along the way t aside. It is no more than that to the
// facet's point, and no less than if the foot lay as far from it as it may between facets.
SILT_CLONES static void measure_pairs(Pairs *p)
{
    SILT_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        float x = p->way[0][i], y = p->way[1][i], z = p->way[2][i];
        float s = p->normal[0][i] * x + p->normal[1][i] * y + p->normal[2][i] * z;
        float square = x * x + y * y + z * z;
        float a = x - s * p->normal[0][i], b = y - s * p->normal[1][i], c = z - s * p->normal[2][i];
        float fall = p->bend[0][i] * a * a + p->bend[1][i] * b * b + p->bend[2][i] * c * c +
                     2.0f * (p->bend[3][i] * a * b + p->bend[4][i] * b * c + p->bend[5][i] * c * a);
        float aside = larger(square - s * s, 1e-9f), ratio = larger(1.0f + s * fall / aside, 0.25f);
        float distance = larger(p->sign[i] * (s + 0.5f * fall / ratio), 0.0f);
        float wide = larger(ratio, 1.0f), least = sqrtf(larger(square - SPREAD * wide * wide, 0.0f));
        p->distance[i] = smaller(larger(distance, least), sqrtf(square));
    }
}

// Which voxels have a facet of this batch nearest to them.
static int list_won(const Near *near, int voxels, int16_t *out)
{
    const int32_t too_far = (int32_t)(SILT_FACET_REACH * SILT_FACET_REACH * (float)(FINE * FINE))
                            << NUMBER_BITS;
    int count = 0;
    for (int k = 0; k < voxels; k++) {
        out[count] = (int16_t)k;
        count += (near->keys[k] < too_far) & ((near->keys[k] & BATCH) != BATCH);
    }
    return count;
}

static void take_batch(const SiltVolume *volume, Near *near, const float *phi, float *out)
{
    int voxels = (int)silt_brick_voxels(volume), side = volume->side, shift = volume->shift;
    int16_t won[MAX_VOXELS];
    Pairs pairs = {0};
    if (side == 8)
        lower_8(near);
    else
        lower_16(near);
    int count = list_won(near, voxels, won);
    for (int first = 0; first < count; first += LANES) {
        int lanes = count - first < LANES ? count - first : LANES;
        for (int n = 0; n < lanes; n++) {
            int k = won[first + n];
            float place[3] = {(float)(k & (side - 1)), (float)(k >> shift & (side - 1)),
                              (float)(k >> 2 * shift)};
            put_pair(&pairs, n, &near->facets[near->keys[k] & BATCH], place, phi[k]);
        }
        measure_pairs(&pairs);
        for (int n = 0; n < lanes; n++)
            out[won[first + n]] = pairs.distance[n];
    }
    for (int k = 0; k < voxels; k++)
        near->keys[k] |= BATCH; // numbers of the next batch begin anew
    near->count = 0;
}

// Which of the next facets of a list reach brick `to` of the 27 around their own; returns how many.
static int choose_facets(const SiltFacetList *list, int first, int to, int16_t *out)
{
    int count = 0, last = list->count - first < BATCH ? list->count - first : BATCH;
    for (int k = 0; k < last; k++) {
        out[count] = (int16_t)k;
        count += (int)(list->reach[first + k] >> to & 1u);
    }
    return count;
}

SILT_INLINE void move_facet(const SiltFacet *facet, const float shift[3], SiltFacet *out)
{
    *out = *facet;
    for (int axis = 0; axis < 3; axis++)
        out->at[axis] += shift[axis];
}

void silt_facet_distances(const SiltVolume *volume, const SiltFacetList lists[27], const float *phi,
                          float *out)
{
    Near near;
    near.count = 0;
    size_t voxels = silt_brick_voxels(volume);
    float side = (float)volume->side;
    for (size_t k = 0; k < voxels; k++) {
        near.keys[k] = FAR_KEY;
        out[k] = volume->band;
    }
    for (int n = 0; n < 27; n++) {
        float shift[3] = {side * (float)(n % 3 - 1), side * (float)(n / 3 % 3 - 1),
                          side * (float)(n / 9 - 1)};
        for (int first = 0; first < lists[n].count; first += BATCH) {
            int16_t chosen[BATCH];
            int count = choose_facets(&lists[n], first, 26 - n, chosen);
            if (near.count + count > BATCH)
                take_batch(volume, &near, phi, out);
            for (int k = 0; k < count; k++)
                move_facet(&lists[n].facets[first + chosen[k]], shift, &near.facets[near.count++]);
        }
    }
    take_batch(volume, &near, phi, out);
}
