// Re-initialisation: phi becomes a distance again and the surface stays (Weiss 2016, 3.1.3).
//
// A voxel with a neighbour across the surface takes phi / |grad phi| (Russo and Smereka 2000, "A remark on
// computing distance functions"); one where |grad phi| is 1 within 0.9 % keeps its phi to the last bit,
// so that doing it again moves nothing. Farther voxels solve |grad phi| = 1 upwind (Godunov's scheme) from
// their nearer neighbours: rows at once along x, in sweeps along y and z, brick by brick from the neighbours'
// last values, until no brick changes. Values only fall, so the end is the same whoever was first.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/brick.h"

enum { CHANGED = 64 };
enum { GRAIN = 8, ROUNDS = 64, SWEEPS = 40 };
enum { ROW = SILT_MAX_BRICK + 8, SLAB = ROW * (SILT_MAX_BRICK + 2), FIRST = SLAB + ROW + 4 };
enum {
    BLOCK_FLOATS = SLAB * (SILT_MAX_BRICK + 2) + 8,
    MAX_VOXELS = SILT_MAX_BRICK * SILT_MAX_BRICK * SILT_MAX_BRICK
};
#define ON_SURFACE 1e-4f // of a voxel
#define LEAST_FALL 5e-4f // of a voxel: less than this would go on for long in the last bits
static const SiltBlock around = {.below = 1, .above = 1, .row = ROW, .slab = SLAB, .first = FIRST};

typedef struct Job {
    SiltVolume *volume;
    uint32_t *list;     // bricks to do, in order
    size_t count, done; // done: bricks whose values have begun
    int32_t *slot;      // of each brick: its place in the list, or -1
    float *values;      // two sets a listed brick: distances, those of fixed voxels negative
    uint8_t *turn;      // which of the two is the latest
    uint8_t *active;    // whether a neighbour changed in the last round
    uint8_t
        *changed; // CHANGED and a bit a face in the last round; in the end whether the band reaches the brick
    uint8_t *has_fixed; // whether voxels beside the surface are in it
    size_t capacity;    // of the arrays of listed bricks
    bool holds;         // voxels beside the surface
} Job;

static float *values_of(const Job *job, size_t n, int turn)
{
    size_t voxels = silt_brick_voxels(job->volume);
    return job->values + (2 * n + (size_t)turn) * voxels;
}

// ---- the voxels beside the surface ----

SILT_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

SILT_INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

// How far a voxel beside the surface is from it. Where the differences ahead and behind disagree there is an
// edge: a distance has the slope 1 on one side of it at least, and is left alone. Else |phi| over the slope,
// with the bend of phi along the normal taken in: phi - G s + 1/2 phi_nn s^2 = 0 at a distance s.
SILT_INLINE float distance_at(const float *at, bool holds)
{
    float here = at[0], square = 0.0f, least = 0.0f, most = 0.0f, steepest = 1e-4f, slope[3], bend = 0.0f;
    const int step[3] = {1, ROW, SLAB};
    for (int axis = 0; axis < 3; axis++) {
        float ahead = at[step[axis]] - here, behind = here - at[-step[axis]];
        float long_one = larger(fabsf(ahead), fabsf(behind)),
              short_one = smaller(fabsf(ahead), fabsf(behind));
        slope[axis] = 0.5f * (ahead + behind);
        square += slope[axis] * slope[axis];
        steepest = larger(steepest, long_one);
        most += long_one * long_one;
        least += ahead * behind > 0.0f ? short_one * short_one : 0.0f;
        bend += slope[axis] * slope[axis] * (ahead - behind);
    }
    float central = sqrtf(square), size = fabsf(here);
    if (holds && most > 0.25f && least < 2.25f)
        return size;
    if (least < 0.64f * most) {
        bool is_distance = least <= 1.02f && most >= 0.98f;
        return is_distance ? size : size / larger(steepest, central);
    }
    if (central > 0.991f && central < 1.006f)
        return size;
    for (int axis = 0; axis < 3; axis++) {
        int u = step[axis], v = step[(axis + 1) % 3];
        float mixed = 0.25f * ((at[u + v] - at[u - v]) - (at[v - u] - at[-u - v]));
        bend += 2.0f * slope[axis] * slope[(axis + 1) % 3] * mixed;
    }
    float curve = 2.0f * here * bend / (square * square); // 2 phi phi_nn / G^2
    curve = curve < 0.5f ? larger(curve, -0.5f) : 0.5f;
    return 2.0f * size / (central * (1.0f + sqrtf(1.0f - curve)));
}

// Whether phi is near enough to a distance to be left alone.
SILT_INLINE bool is_kept(const float *at)
{
    float here = at[0], least = 0.0f, most = 0.0f;
    const int step[3] = {1, ROW, SLAB};
    for (int axis = 0; axis < 3; axis++) {
        float ahead = at[step[axis]] - here, behind = here - at[-step[axis]];
        float long_one = larger(fabsf(ahead), fabsf(behind)),
              short_one = smaller(fabsf(ahead), fabsf(behind));
        most += long_one * long_one;
        least += ahead * behind > 0.0f ? short_one * short_one : 0.0f;
    }
    return most > 0.25f && least < 2.25f;
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

// Which voxels of a row have a neighbour on the other side of the surface, or lie on it; returns whether any
// does.
SILT_INLINE int mark_beside(const float *row, int side, int *out)
{
    int any = 0;
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++) {
        int inside = row[x] > 0.0f;
        int same = (row[x + 1] > 0.0f) + (row[x - 1] > 0.0f) + (row[x + ROW] > 0.0f) + (row[x - ROW] > 0.0f) +
                   (row[x + SLAB] > 0.0f) + (row[x - SLAB] > 0.0f);
        out[x] = (same != 6 * inside) | (fabsf(row[x]) < ON_SURFACE);
    }
    for (int x = 0; x < side; x++)
        any |= out[x];
    return any;
}

// Both sides of the surface, or a voxel on it: one at an edge of a box has none beside it on the other side.
static bool has_both_signs(const float *phi, size_t voxels)
{
    size_t inside = 0, on = 0;
    for (size_t k = 0; k < voxels; k++) {
        inside += phi[k] > 0.0f;
        on += fabsf(phi[k]) < ON_SURFACE;
    }
    return on != 0 || (inside != 0 && inside != voxels);
}

// Whether a face of the brick beside has voxels on the other side of the surface.
static bool has_other_sign(const float *face, int side, int axis, bool inside)
{
    int step[3] = {1, side, side * side}, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
    for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++)
            if ((face[a * u + b * v] > 0.0f) != inside)
                return true;
    return false;
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

// Distances of the voxels beside the surface, negative; returns whether there are any.
SILT_INLINE bool fix_voxels(const float *block, float band, bool holds, bool corners, int side, float *to)
{
    bool has_any = false;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++, to += side) {
            const float *row = block + FIRST + z * SLAB + y * ROW;
            int is_beside[SILT_MAX_BRICK], is_corner[SILT_MAX_BRICK] = {0};
            bool has_beside = mark_beside(row, side, is_beside);
            has_any |= has_beside;
            if (corners)
                mark_corners(row, side, is_corner);
            for (int x = 0; x < side && (has_beside || corners); x++)
                if (is_beside[x])
                    to[x] = -larger(smaller(distance_at(row + x, holds), band), 1e-12f);
                else if (is_corner[x] && is_kept(row + x)) {
                    to[x] = -larger(smaller(fabsf(row[x]), band), 1e-12f);
                    has_any = true;
                }
        }
    return has_any;
}

SILT_CLONES static bool fix_voxels_8(const float *block, float band, bool holds, bool corners, float *to)
{
    return fix_voxels(block, band, holds, corners, 8, to);
}

SILT_CLONES static bool fix_voxels_16(const float *block, float band, bool holds, bool corners, float *to)
{
    return fix_voxels(block, band, holds, corners, 16, to);
}

static void begin_values(void *context, int begin, int end)
{
    Job *job = context;
    const SiltVolume *volume = job->volume;
    float block[BLOCK_FLOATS];
    size_t voxels = silt_brick_voxels(volume);
    for (int n = (int)job->done + begin; n < (int)job->done + end; n++) {
        float *to = values_of(job, (size_t)n, 0);
        for (size_t k = 0; k < voxels; k++)
            to[k] = volume->band;
        job->turn[n] = job->has_fixed[n] = 0;
        if (is_one_sided(volume, job->list[n]))
            continue;
        silt_block_read(volume, job->list[n], &around, block);
        bool corners = job->holds && !(volume->flags[job->list[n]] & SILT_BRICK_WORN);
        job->has_fixed[n] = volume->side == 8 ? fix_voxels_8(block, volume->band, job->holds, corners, to)
                                              : fix_voxels_16(block, volume->band, job->holds, corners, to);
    }
}

// ---- the voxels farther out ----

// The distance whose upwind differences to the nearer neighbours along the axes are those of |grad| = 1.
SILT_INLINE float upwind(float a, float b, float c)
{
    float low = smaller(a, b), high = larger(a, b);
    float first = smaller(low, c), rest = larger(low, c);
    float second = smaller(high, rest) - first, third = larger(high, rest) - first;
    float sum = second + third;
    float two = 0.5f * (second + sqrtf(larger(2.0f - second * second, 0.0f)));
    float three = (sum + sqrtf(larger(sum * sum - 3.0f * (second * second + third * third - 1.0f), 0.0f))) *
                  (1.0f / 3.0f);
    float rise = second >= 1.0f ? 1.0f : two <= third ? two : three;
    return first + rise;
}

// `fall` keeps the largest change of each column: a maximum within a row would have to be taken one by one.
SILT_INLINE void relax_row(float *row, const float *least, float *fall, int side)
{
    float next[SILT_MAX_BRICK];
    SILT_INDEPENDENT
    for (int x = 0; x < side; x++) {
        float a = smaller(row[x - 1], row[x + 1]);
        float b = smaller(row[x - ROW], row[x + ROW]);
        float c = smaller(row[x - SLAB], row[x + SLAB]);
        float wanted = larger(upwind(a, b, c), least[x]);
        next[x] = smaller(row[x], wanted);
        fall[x] = larger(fall[x], row[x] - next[x]);
    }
    memcpy(row, next, (size_t)side * sizeof *row);
}

// Sweeps back and forth until nothing falls any more; returns whether anything did. A layer whose own rows
// and those beside it have not changed since it was last done would come out the same and is left out.
SILT_INLINE bool sweep(float *block, const float *least, int side)
{
    bool changed = false;
    int now = 1, done[SILT_MAX_BRICK] = {0}, fell[SILT_MAX_BRICK + 2];
    for (int z = 0; z < side + 2; z++)
        fell[z] = now; // when layer z - 1 last changed; those beyond the brick never do again
    for (int round = 0; round < SWEEPS; round++) {
        float most = 0.0f;
        for (int c = 0; c < side; c++) {
            int z = round & 1 ? side - 1 - c : c;
            if (fell[z] <= done[z] && fell[z + 1] <= done[z] && fell[z + 2] <= done[z])
                continue;
            float fall[SILT_MAX_BRICK] = {0}, here = 0.0f;
            done[z] = now++;
            for (int b = 0; b < side; b++) {
                int y = b < side / 2 ? 2 * b
                                     : 2 * b - side + 1; // even rows, then odd: none waits for the one before
                relax_row(block + FIRST + z * SLAB + y * ROW, least + (z * side + y) * side, fall, side);
            }
            for (int x = 0; x < side; x++)
                here = larger(here, fall[x]);
            fell[z + 1] = here > 0.0f ? now : fell[z + 1];
            most = larger(most, here);
        }
        if (!(most > LEAST_FALL))
            break;
        changed = true;
    }
    return changed;
}

SILT_INLINE void read_latest(const Job *job, size_t n, int side, float *block)
{
    const SiltVolume *volume = job->volume;
    SiltBrickAt at = silt_brick_at(volume, job->list[n]);
    const float *near[27];
    for (int k = 0; k < 27; k++) {
        size_t brick = silt_brick_beside(volume, at, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        int32_t slot = job->slot[brick];
        near[k] = slot >= 0 ? values_of(job, (size_t)slot, job->turn[slot]) : volume->table[brick];
    }
    silt_block_copy(near, side, &around, block);
    if (silt_block_is_cut(volume, at, &around))
        silt_block_extend(volume, at, &around, block);
}

// Splits a block into distances and the least each may become: its own for a fixed voxel.
SILT_INLINE void split_block(float *block, float *least, int side)
{
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++) {
            const float *row = block + FIRST + z * SLAB + y * ROW;
            float *to = least + (z * side + y) * side;
            SILT_INDEPENDENT
            for (int x = 0; x < side; x++)
                to[x] = row[x] < 0.0f ? -row[x] : 0.0f;
        }
    for (int z = -1; z <= side; z++)
        for (int y = -1; y <= side; y++) {
            float *row = block + FIRST + z * SLAB + y * ROW - 1;
            for (int x = 0; x < side + 2; x++)
                row[x] = fabsf(row[x]);
        }
}

// Puts the distances back, fixed ones negative; returns a bit for each of the six faces whose voxels differ:
// the neighbour there must look again.
SILT_INLINE unsigned store_block(const float *block, const float *least, const float *from, float *to,
                                 int side)
{
    int differs[6] = {0};
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++) {
            int k = (z * side + y) * side, any = 0;
            const float *row = block + FIRST + z * SLAB + y * ROW;
            int other[SILT_MAX_BRICK];
            SILT_INDEPENDENT
            for (int x = 0; x < side; x++) {
                float value = least[k + x] > 0.0f ? -row[x] : row[x];
                other[x] = value != from[k + x];
                to[k + x] = value;
            }
            for (int x = 0; x < side; x++)
                any |= other[x];
            differs[0] |= other[0];
            differs[1] |= other[side - 1];
            differs[2] |= y == 0 ? any : 0;
            differs[3] |= y == side - 1 ? any : 0;
            differs[4] |= z == 0 ? any : 0;
            differs[5] |= z == side - 1 ? any : 0;
        }
    unsigned faces = 0;
    for (unsigned face = 0; face < 6; face++)
        faces |= differs[face] ? 1u << face : 0;
    return faces;
}

SILT_INLINE void relax_brick(Job *job, size_t n, int side)
{
    float block[BLOCK_FLOATS], least[MAX_VOXELS];
    read_latest(job, n, side, block);
    split_block(block, least, side);
    if (!sweep(block, least, side))
        return;
    unsigned faces =
        store_block(block, least, values_of(job, n, job->turn[n]), values_of(job, n, 1 - job->turn[n]), side);
    job->changed[n] = (uint8_t)(CHANGED | faces);
}

SILT_CLONES static void relax_brick_8(Job *job, size_t n)
{
    relax_brick(job, n, 8);
}

SILT_CLONES static void relax_brick_16(Job *job, size_t n)
{
    relax_brick(job, n, 16);
}

static void relax_bricks(void *context, int begin, int end)
{
    Job *job = context;
    for (int n = begin; n < end; n++) {
        job->changed[n] = 0;
        if (!job->active[n])
            continue;
        if (job->volume->side == 8)
            relax_brick_8(job, (size_t)n);
        else
            relax_brick_16(job, (size_t)n);
    }
}

static void choose_active(void *context, int begin, int end)
{
    Job *job = context;
    for (int n = begin; n < end; n++) {
        SiltBrickAt at = silt_brick_at(job->volume, job->list[n]);
        bool is_active = false;
        for (int k = 0; k < 6; k++) {
            int step[3] = {0};
            step[k / 2] = k % 2 ? 1 : -1;
            int32_t slot = job->slot[silt_brick_beside(job->volume, at, step[0], step[1], step[2])];
            is_active = is_active || (slot >= 0 && slot != n && (job->changed[slot] >> (k ^ 1) & 1));
        }
        job->active[n] = is_active;
    }
}

// At first only bricks with fixed voxels, and those beside bricks that are not done again, have news.
static void choose_first(void *context, int begin, int end)
{
    Job *job = context;
    for (int n = (int)job->done + begin; n < (int)job->done + end; n++) {
        SiltBrickAt at = silt_brick_at(job->volume, job->list[n]);
        job->active[n] = job->has_fixed[n];
        for (int k = 0; k < 6; k++) {
            int step[3] = {0};
            step[k / 2] = k % 2 ? 1 : -1;
            size_t beside = silt_brick_beside(job->volume, at, step[0], step[1], step[2]);
            // a brick that came later starts beside values that are there already
            if (job->done > 0 || (job->slot[beside] < 0 && !silt_volume_is_uniform(job->volume, beside)))
                job->active[n] = 1;
        }
    }
}

static bool finish_round(Job *job)
{
    bool any = false;
    for (size_t n = 0; n < job->count; n++) {
        job->turn[n] ^= job->changed[n] != 0;
        any = any || job->changed[n];
    }
    silt_parallel((int)job->count, 64, choose_active, job);
    return any;
}

// ---- which bricks ----

static SiltStatus grow(void **block, size_t old_count, size_t count, size_t size)
{
    return silt_grow("redistance", block, old_count, count, size);
}

static SiltStatus reserve(Job *job, size_t wanted)
{
    if (wanted <= job->capacity)
        return SILT_OK;
    size_t larger_one = 2 * job->capacity > wanted ? 2 * job->capacity : wanted;
    SiltStatus status = grow((void **)&job->list, job->count, larger_one, sizeof *job->list);
    if (status == SILT_OK)
        job->capacity = larger_one;
    return status;
}

static SiltStatus list_add(Job *job, size_t brick)
{
    if (job->slot[brick] >= 0)
        return SILT_OK;
    SiltStatus status = reserve(job, job->count + 1);
    if (status != SILT_OK)
        return status;
    job->slot[brick] = (int32_t)job->count;
    job->list[job->count++] = (uint32_t)brick;
    return SILT_OK;
}

// Bricks that share a face and lie on different sides of the surface must both have voxels of their own.
static bool is_torn(const SiltVolume *volume, size_t brick)
{
    SiltBrickAt at = silt_brick_at(volume, brick);
    for (int k = 0; k < 6; k++) {
        int step[3] = {0};
        step[k / 2] = k % 2 ? 1 : -1;
        const float *beside = volume->table[silt_brick_beside(volume, at, step[0], step[1], step[2])];
        if ((beside == volume->solid || beside == volume->empty) && beside != volume->table[brick])
            return true;
    }
    return false;
}

// Bricks without voxels stay so unless the surface passes between them and the next.
static SiltStatus list_if_near(Job *job, size_t brick)
{
    const SiltVolume *volume = job->volume;
    bool is_wanted = !silt_volume_is_uniform(volume, brick) || is_torn(volume, brick);
    return is_wanted ? list_add(job, brick) : SILT_OK;
}

static SiltStatus list_region(Job *job, bool everywhere)
{
    enum { BESIDE_TOUCHED = 128 }; // among the flags while this runs
    SiltVolume *volume = job->volume;
    size_t total = silt_brick_total(volume);
    SiltStatus status = SILT_OK;
    for (size_t brick = 0; brick < total && !everywhere; brick++) {
        if (!(volume->flags[brick] & SILT_BRICK_TOUCHED))
            continue;
        SiltBrickAt at = silt_brick_at(volume, brick);
        for (int k = 0; k < 27; k++)
            volume->flags[silt_brick_beside(volume, at, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)] |=
                BESIDE_TOUCHED;
    }
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        bool is_listed = everywhere || (volume->flags[brick] & BESIDE_TOUCHED);
        volume->flags[brick] &= (uint8_t)~BESIDE_TOUCHED;
        if (is_listed)
            status = list_if_near(job, brick);
    }
    return status;
}

// The least distance on one face of a listed brick.
static float least_on_face(const Job *job, size_t n, int face)
{
    int side = job->volume->side, step[3] = {1, side, side * side}, axis = face / 2;
    const float *at = values_of(job, n, job->turn[n]) + (face % 2 ? (side - 1) * step[axis] : 0);
    int u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
    float least = job->volume->band;
    for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++)
            least = smaller(least, fabsf(at[a * u + b * v]));
    return least;
}

static void find_reach(void *context, int begin, int end)
{
    Job *job = context;
    const SiltVolume *volume = job->volume;
    for (int n = begin; n < end; n++) {
        SiltBrickAt at = silt_brick_at(volume, job->list[n]);
        job->changed[n] = 0;
        for (int face = 0; face < 6; face++) {
            int step[3] = {0};
            step[face / 2] = face % 2 ? 1 : -1;
            size_t beside = silt_brick_beside(volume, at, step[0], step[1], step[2]);
            // the next voxel is at least 1 / sqrt 3 farther, if the surface passes along the cube's diagonal
            if (job->slot[beside] < 0 && silt_volume_is_uniform(volume, beside) &&
                least_on_face(job, (size_t)n, face) < volume->band - 0.57f)
                job->changed[n] |= (uint8_t)(1u << face);
        }
    }
}

// Lists the bricks without voxels that the band reaches from listed ones.
static SiltStatus list_reached(Job *job)
{
    SiltStatus status = SILT_OK;
    silt_parallel((int)job->count, 64, find_reach, job);
    for (size_t n = 0, count = job->count; n < count && status == SILT_OK; n++) {
        SiltBrickAt at = silt_brick_at(job->volume, job->list[n]);
        for (int face = 0; face < 6 && status == SILT_OK; face++) {
            int step[3] = {0};
            step[face / 2] = face % 2 ? 1 : -1;
            if (job->changed[n] >> face & 1)
                status = list_add(job, silt_brick_beside(job->volume, at, step[0], step[1], step[2]));
        }
    }
    return status;
}

// Gives bricks that were listed since the last call voxels, and arrays to work in.
static SiltStatus admit(Job *job)
{
    SiltStatus status = silt_volume_require_all(job->volume, job->list, job->count);
    if (status == SILT_OK)
        status = silt_volume_scratch(job->volume, job->done, job->count, &job->values);
    if (status == SILT_OK)
        status = grow((void **)&job->turn, job->done, job->count, 1);
    if (status == SILT_OK)
        status = grow((void **)&job->active, job->done, job->count, 1);
    if (status == SILT_OK)
        status = grow((void **)&job->changed, job->done, job->count, 1);
    if (status == SILT_OK)
        status = grow((void **)&job->has_fixed, job->done, job->count, 1);
    if (status != SILT_OK)
        return status;
    silt_parallel((int)(job->count - job->done), GRAIN, begin_values, job);
    memset(job->active, 0, job->done);
    silt_parallel((int)(job->count - job->done), 64, choose_first, job);
    job->done = job->count;
    return SILT_OK;
}

static SiltStatus list_first(Job *job, bool everywhere)
{
    size_t total = silt_brick_total(job->volume);
    SiltStatus status = silt_alloc_for("redistance", total, sizeof *job->slot, (void **)&job->slot);
    for (size_t brick = 0; status == SILT_OK && brick < total; brick++)
        job->slot[brick] = -1;
    return status == SILT_OK ? list_region(job, everywhere) : status;
}

// Distances spread until nothing changes and no brick is missing.
static SiltStatus spread(Job *job)
{
    SiltStatus status = SILT_OK;
    while (job->done < job->count && status == SILT_OK) {
        status = admit(job);
        for (int round = 0; round < ROUNDS && status == SILT_OK; round++) {
            silt_parallel((int)job->count, GRAIN, relax_bricks, job);
            if (!finish_round(job))
                break;
        }
        if (status == SILT_OK)
            status = list_reached(job);
    }
    return status;
}

// ---- and back ----

// phi with its old sign. Bit 0: the band reaches the brick; bit 1: something changed.
SILT_CLONES static int store_phi(const float *from, size_t voxels, float band, float *phi)
{
    int found = 0;
    for (size_t k = 0; k < voxels; k++) {
        float distance = smaller(fabsf(from[k]), band);
        float next = phi[k] > 0.0f ? distance : -distance;
        found |= (distance < band) | (next != phi[k]) << 1;
        phi[k] = next;
    }
    return found;
}

static void store_values(void *context, int begin, int end)
{
    Job *job = context;
    SiltVolume *volume = job->volume;
    size_t voxels = silt_brick_voxels(volume);
    for (int n = begin; n < end; n++) {
        const float *from = values_of(job, (size_t)n, job->turn[n]);
        float *phi = volume->table[job->list[n]];
        int found = store_phi(from, voxels, volume->band, phi);
        job->changed[n] = found & 1;
        volume->flags[job->list[n]] |= found & 2 ? SILT_BRICK_REMESH : 0;
    }
}

static void release_bricks(Job *job)
{
    SiltVolume *volume = job->volume;
    for (size_t n = 0; n < job->count; n++)
        if (!job->changed[n])
            silt_volume_release(volume, job->list[n], volume->table[job->list[n]][0] > 0.0f);
    size_t total = silt_brick_total(volume);
    for (size_t brick = 0; brick < total; brick++)
        volume->flags[brick] &= (uint8_t)~SILT_BRICK_TOUCHED;
}

SiltStatus silt_volume_redistance(SiltVolume *volume, unsigned how)
{
    Job job = {.volume = volume, .holds = how & SILT_REDISTANCE_HOLD};
    SiltStatus status = list_first(&job, how & SILT_REDISTANCE_ALL);
    if (status == SILT_OK)
        status = spread(&job);
    if (status == SILT_OK) {
        silt_parallel((int)job.count, GRAIN, store_values, &job);
        release_bricks(&job);
    }
    silt_free(job.list);
    silt_free(job.slot);
    silt_free(job.turn);
    silt_free(job.active);
    silt_free(job.changed);
    silt_free(job.has_fixed);
    return status;
}
