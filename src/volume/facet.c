// Where the surface passes through the edges of the grid, and which voxels beside it keep what they have.
#include "volume/facet.h"

#include <math.h>

enum { ROW = SILT_MAX_BRICK + 8, SLAB = ROW * (SILT_MAX_BRICK + 3), FIRST = SLAB + ROW + 4 };
enum { BLOCK_FLOATS = SLAB * (SILT_MAX_BRICK + 3) + 8 };
#define ON_SURFACE 1e-4f // of a voxel
#define SHARP      0.3f  // change of the slope within a voxel, of the slope: an edge
static const SiltBlock around = {.below = 1, .above = 2, .row = ROW, .slab = SLAB, .first = FIRST};
static const int step_of[3] = {1, ROW, SLAB};

SILT_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

SILT_INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

// ---- how many ----

// Both sides of the surface, or a voxel on it: one at an edge of a box has none beside it on the other side.
SILT_CLONES static bool has_both_signs(const float *phi, size_t voxels)
{
    int inside = 0, on = 0;
    for (size_t k = 0; k < voxels; k++) {
        inside += phi[k] > 0.0f;
        on += fabsf(phi[k]) < ON_SURFACE;
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
        count += fabsf(phi[k]) < ON_SURFACE;
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
                count += fabsf(at[0]) < ON_SURFACE;
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

// ---- a facet ----

// Where phi is zero along an edge from `at` to the next voxel: the cubic through four voxels, or, if its bend
// changes much, the parabola that bends less (Min and Gibou 2007). *bend takes the second derivative there.
SILT_INLINE float zero_along(const float *at, int step, float *bend)
{
    float from = at[0], rise = at[step] - from;
    float first = at[step] - 2.0f * from + at[-step], last = from - 2.0f * at[step] + at[2 * step];
    if (fabsf(last - first) > 0.2f * fabsf(rise)) {
        first = first * last > 0.0f ? fabsf(first) < fabsf(last) ? first : last : 0.0f;
        last = first;
    }
    float t = -from / rise;
    for (int k = 0; k < 2; k++) {
        float mean = (first * (2.0f - t) + last * (1.0f + t)) * (1.0f / 3.0f);
        t = (0.5f * t * (1.0f - t) * mean - from) / rise;
        t = t > 0.0f ? smaller(t, 1.0f) : 0.0f;
    }
    *bend = first + t * (last - first);
    return t;
}

// phi around the zero of an edge: values between the voxels at its two ends.
SILT_INLINE float between(const float *at, int step, float t)
{
    return at[0] + t * (at[step] - at[0]);
}

// At a sharp edge one of the differences ahead and behind belongs to the same face: a distance has the slope
// 1 there. If neither fits phi is no distance yet, and their mean must do.
SILT_INLINE float slope_on_face(float ahead, float behind, float others)
{
    float with_ahead = fabsf(others + ahead * ahead - 1.0f),
          with_behind = fabsf(others + behind * behind - 1.0f);
    float better = with_ahead < with_behind ? ahead : behind;
    return smaller(with_ahead, with_behind) < 0.1f ? better : 0.5f * (ahead + behind);
}

// The facet where the edge from `at` along `axis` passes through the surface; false when the surface is
// smooth there and another axis is nearer to its normal, for then the edges along that one are enough.
SILT_INLINE bool find_facet(const float *at, int axis, SiltFacet *out)
{
    const int b = (axis + 1) % 3, c = (axis + 2) % 3, step = step_of[axis], u = step_of[b], v = step_of[c];
    float second[3], slope[3], t = zero_along(at, step, &second[axis]);
    float here = between(at, step, t);
    float b_ahead = between(at + u, step, t) - here, b_behind = here - between(at - u, step, t);
    float c_ahead = between(at + v, step, t) - here, c_behind = here - between(at - v, step, t);
    slope[axis] = at[step] - at[0] + (t - 0.5f) * second[axis];
    slope[b] = 0.5f * (b_ahead + b_behind);
    slope[c] = 0.5f * (c_ahead + c_behind);
    second[b] = b_ahead - b_behind;
    second[c] = c_ahead - c_behind;
    float length = sqrtf(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
    float sharpest = larger(fabsf(second[0]), larger(fabsf(second[1]), fabsf(second[2])));
    bool is_sharp = sharpest > SHARP * length;
    if (!is_sharp && fabsf(slope[axis]) < 0.8f * larger(fabsf(slope[b]), fabsf(slope[c])))
        return false;
    if (is_sharp) {
        float along = slope[axis] * slope[axis];
        slope[b] = slope_on_face(b_ahead, b_behind, along + slope[c] * slope[c]);
        slope[c] = slope_on_face(c_ahead, c_behind, along + slope[b] * slope[b]);
        length = sqrtf(along + slope[b] * slope[b] + slope[c] * slope[c]);
    }
    float by = 1.0f / larger(length, 1e-6f), bend = is_sharp ? 0.0f : by;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = slope[k] * by;
        out->bend[k] = second[k] * bend;
    }
    const float *to = at + step;
    float mixed = 0.25f * (between(at + u + v, step, t) - between(at + u - v, step, t) -
                           between(at + v - u, step, t) + between(at - u - v, step, t));
    out->bend[3 + axis] = 0.5f * bend * (to[u] - to[-u] - at[u] + at[-u]);
    out->bend[3 + c] = 0.5f * bend * (to[v] - to[-v] - at[v] + at[-v]);
    out->bend[3 + b] = bend * mixed;
    out->at[axis] = t;
    return true;
}

// A voxel on the surface with none beside it on the other side, as at the edge of a box.
static void touch_facet(const float *at, SiltFacet *out)
{
    *out = (SiltFacet){.normal = {0.0f, 0.0f, 1.0f}};
    float slope[3], square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        slope[axis] = at[step_of[axis]] - at[-step_of[axis]];
        square += slope[axis] * slope[axis];
    }
    for (int axis = 0; axis < 3 && square > 1e-6f; axis++)
        out->normal[axis] = slope[axis] / sqrtf(square);
}

// ---- voxels beside the surface ----

// The distances that voxels of a row keep, or zero where the facets know better. `mark` is not zero beside
// the surface, and `is_corner` at other corners of cells that it passes. Where the differences ahead and
// behind disagree there is an edge: a distance has the slope 1 on one side of it at least, and is left alone;
// anything else is divided by the steepest (Russo and Smereka 2000).
SILT_INLINE void keep_row(const float *row, const int *mark, const int *is_corner, bool holds, int side,
                          float *fixed)
{
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++) {
        float size = fabsf(row[x]), square = 0.0f, least = 0.0f, most = 0.0f, steepest = 1e-4f,
              sharpest = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            float ahead = row[x + step_of[axis]] - row[x], behind = row[x] - row[x - step_of[axis]];
            float to = fabsf(ahead), from = fabsf(behind), mean = 0.5f * (ahead + behind);
            float long_one = larger(to, from), short_one = smaller(to, from);
            square += mean * mean;
            steepest = larger(steepest, long_one);
            sharpest = larger(sharpest, fabsf(ahead - behind));
            most += long_one * long_one;
            least += ahead * behind > 0.0f ? short_one * short_one : 0.0f;
        }
        int is_held = (most > 0.25f) & (least < 2.25f), is_distance = (least <= 1.02f) & (most >= 0.98f);
        float held = larger(size, 1e-12f), slope = sqrtf(square), over = size / larger(steepest, slope);
        float at_edge = is_distance ? held : larger(over, 1e-12f);
        float beside = sharpest > SHARP * slope ? at_edge : 0.0f;
        beside = holds & is_held ? held : beside;
        float corner = is_corner[x] & is_held ? held : 0.0f;
        fixed[x] = mark[x] ? beside : corner;
    }
}

// Which voxels of a row are corners of a cell that the surface passes: they shape it even where none of their
// own edges crosses it, as at the foot of a step.
SILT_INLINE void mark_corners(const float *row, int side, int *out)
{
    int column[SILT_MAX_BRICK + 2];
    SILT_INDEPENDENT
    for (int x = 0; x < side + 2; x++) {
        const float *at = row + x - 1;
        column[x] = (at[-SLAB - ROW] > 0.0f) + (at[-SLAB] > 0.0f) + (at[-SLAB + ROW] > 0.0f) +
                    (at[-ROW] > 0.0f) + (at[0] > 0.0f) + (at[ROW] > 0.0f) + (at[SLAB - ROW] > 0.0f) +
                    (at[SLAB] > 0.0f) + (at[SLAB + ROW] > 0.0f);
    }
    for (int x = 0; x < side; x++) {
        int inside = column[x] + column[x + 1] + column[x + 2];
        out[x] = inside != 0 && inside != 27;
    }
}

enum { ENDS_HERE = 8, ON_IT = 16 };

// Bits 0 to 2: the edge along that axis passes through the surface; ENDS_HERE: one that does ends here;
// ON_IT: the voxel is on the surface.
SILT_INLINE int mark_beside(const float *row, int side, int *out)
{
    int any = 0;
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++) {
        int inside = row[x] > 0.0f;
        int other = (inside ^ (row[x - 1] > 0.0f)) | (inside ^ (row[x - ROW] > 0.0f)) |
                    (inside ^ (row[x - SLAB] > 0.0f));
        out[x] = (inside ^ (row[x + 1] > 0.0f)) | (inside ^ (row[x + ROW] > 0.0f)) << 1 |
                 (inside ^ (row[x + SLAB] > 0.0f)) << 2 | other << 3 | (fabsf(row[x]) < ON_SURFACE) << 4;
    }
    for (int x = 0; x < side; x++)
        any |= out[x];
    return any;
}

// The facets that begin at one voxel.
SILT_INLINE int find_at(const float *at, int mark, const int place[3], SiltFacet *out)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(mark >> axis & 1))
            continue;
        SiltFacet *facet = out + count;
        bool is_one = axis == 0   ? find_facet(at, 0, facet)
                      : axis == 1 ? find_facet(at, 1, facet)
                                  : find_facet(at, 2, facet);
        for (int k = 0; k < 3; k++)
            facet->at[k] = (float)place[k] + (k == axis ? facet->at[k] : 0.0f);
        count += is_one;
    }
    if (mark == ON_IT) {
        touch_facet(at, out);
        for (int k = 0; k < 3; k++)
            out->at[k] = (float)place[k];
        count = 1;
    }
    return count;
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
                if (mark[x] & ~ENDS_HERE)
                    count += find_at(row + x, mark[x], (const int[3]){x, y, z}, out + count);
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
    const float square = SILT_FACET_REACH * SILT_FACET_REACH;
    for (int k = 0; k < count; k++) {
        float off[3][3];
        for (int axis = 0; axis < 3; axis++) {
            float at = facets[k].at[axis], beyond = larger(at - (float)(side - 1), 0.0f);
            off[axis][0] = (at + 1.0f) * (at + 1.0f);
            off[axis][1] = beyond * beyond;
            off[axis][2] = ((float)side - at) * ((float)side - at);
        }
        uint32_t reach = 0;
        for (int n = 0; n < 27; n++)
            reach |= (uint32_t)(off[0][n % 3] + off[1][n / 3 % 3] + off[2][n / 9] < square) << n;
        out[k] = reach;
    }
}
