// Distances of voxels to the nearest facet of the surface: a facet reaches the rows within SILT_FACET_REACH
// of it and lowers eight or sixteen of their keys (nearest_at.h) at a time.
#include "volume/nearest_at.h"

#include "volume/facet.h"

enum { BATCH = SILT_FACET_BATCH, LANES = 64 };
enum { MAX_LAYER = SILT_MAX_BRICK * SILT_MAX_BRICK, MAX_VOXELS = SILT_MAX_BRICK * MAX_LAYER };

// Facets that reach a brick, counted from its own first voxel, and the keys of its voxels.
typedef struct Near {
    int count;
    SiltFacet facets[BATCH];
    int32_t keys[MAX_VOXELS];
} Near;

// Keys of a facet in a layer of voxels at its own height, for rows from y0 on.
SILT_INLINE void layer_keys(const float at[3], int number, int y0, int rows, int side, int32_t *out)
{
    const int32_t x_fine = silt_key_finely(at[0]), y_fine = silt_key_finely(at[1]);
    int32_t across[SILT_MAX_BRICK];
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++)
        across[x] = silt_key_across(x, x_fine, number);
    for (int y = 0; y < rows; y++) {
        int32_t up = silt_key_up(y0 + y, y_fine);
        SILT_INDEPENDENT
        for (int x = 0; x < side; x++)
            out[y * side + x] = across[x] + up;
    }
}

// Lowers the keys of all rows that a facet reaches, two rows at a time.
SILT_INLINE void lower_keys(int32_t *keys, const float at[3], int number, int side)
{
    int32_t layer[MAX_LAYER], z_fine = silt_key_finely(at[2]);
    SiltKeyRows r = silt_key_rows(at, side);
    if (r.rows <= 0)
        return;
    layer_keys(at, number, r.y0, r.rows, side, layer);
    for (int z = r.z0; z <= r.z1; z++) {
        int32_t *from = keys + (z * side + r.y0) * side, up = silt_key_up(z, z_fine);
        SILT_INDEPENDENT
        for (int k = 0; k < r.rows / 2 * (2 * side); k++) {
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

SILT_CLONES static void measure_pairs(Pairs *p)
{
    SILT_INDEPENDENT
    for (int i = 0; i < LANES; i++)
        p->distance[i] =
            silt_facet_distance(p->way[0][i], p->way[1][i], p->way[2][i], p->normal[0][i], p->normal[1][i],
                                p->normal[2][i], p->bend[0][i], p->bend[1][i], p->bend[2][i], p->bend[3][i],
                                p->bend[4][i], p->bend[5][i], p->sign[i]);
}

// Which voxels have a facet of this batch nearest to them.
static int list_won(const Near *near, int voxels, int16_t *out)
{
    const int32_t too_far = silt_key_too_far();
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
        near.keys[k] = SILT_FAR_KEY;
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
