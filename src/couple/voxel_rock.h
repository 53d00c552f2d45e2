// How a particle travels around rock that is a level set, and which voxels it moves (Weiss 2016, 3.2.1.4 and
// 3.2.2.4). For C and OpenCL.
//
// Particles count in metres from the terrain's north-western corner, voxels from the south-western one:
// silt_voxel_place turns one into the other.
#ifndef SILT_COUPLE_VOXEL_ROCK_H
#define SILT_COUPLE_VOXEL_ROCK_H

#include "couple/voxel_area.h"
#include "volume/rock_view.h"

enum { SILT_VOXEL_CONSERVING, SILT_VOXEL_PAPER };
enum {
    SILT_VOXEL_FINE = 1 << 22, // parts of a voxel in which changes of phi are added up
    SILT_VOXEL_STEPS = 96,
    SILT_VOXEL_PAPER_STEPS = 4000,
    SILT_VOXEL_PUSHES = 12,
    SILT_VOXEL_PAPER_PUSHES = 400
};

typedef struct SiltVoxelFrame {
    float cell; // m
    float rows; // j of y = 0
    float base; // k of z = 0
} SiltVoxelFrame;

static inline void silt_voxel_place(SiltVoxelFrame frame, float x, float y, float z, float *place)
{
    place[0] = x / frame.cell - 0.5f;
    place[1] = frame.rows - y / frame.cell;
    place[2] = z / frame.cell + frame.base;
}

static inline void silt_voxel_metres(SiltVoxelFrame frame, const float *place, float *at)
{
    at[0] = (place[0] + 0.5f) * frame.cell;
    at[1] = (frame.rows - place[1]) * frame.cell;
    at[2] = (place[2] - frame.base) * frame.cell;
}

// ---- where particles may be ----

// The outward unit normal from phi's gradient, in voxels' axes; a place where phi has no slope has the normal
// up. `slope` takes |grad phi|.
static inline void silt_voxel_normal(const float *g, float *normal, float *slope)
{
    float length = silt_sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    bool is_flat = length < 1e-3f;
    *slope = is_flat ? 1.0f : length;
    normal[0] = is_flat ? 0.0f : silt_over(-g[0], *slope);
    normal[1] = is_flat ? 0.0f : silt_over(-g[1], *slope);
    normal[2] = is_flat ? 1.0f : silt_over(-g[2], *slope);
}

// phi at a place, and the normal there.
static inline float silt_voxel_ground_at(const SiltRockView *rock, const float *place, float *normal,
                                         float *slope)
{
    float gradient[3], phi = silt_view_sample(rock, place, gradient);
    silt_voxel_normal(gradient, normal, slope);
    return phi;
}

// Brings a place that lies in rock out along the normal; false when a few tries do not do it. What was pushed
// out stays a thousandth of a voxel away.
static inline bool silt_voxel_push_out(const SiltRockView *rock, float *place)
{
    const float gap_kept = 1e-3f; // voxels
    for (int k = 0; k < SILT_VOXEL_PUSHES; k++) {
        float normal[3], slope, phi = silt_voxel_ground_at(rock, place, normal, &slope);
        if (phi <= 0.0f)
            return true;
        float by = phi / slope * (1.0f + 0.1f * (float)k) + gap_kept;
        for (int axis = 0; axis < 3; axis++)
            place[axis] += by * normal[axis];
    }
    return silt_view_sample(rock, place, 0) <= 0.0f;
}

// The paper's way out: small steps along the normal of the first place.
static inline bool silt_voxel_creep_out(const SiltRockView *rock, float *place)
{
    float normal[3], slope;
    silt_voxel_ground_at(rock, place, normal, &slope);
    for (int k = 0; k < SILT_VOXEL_PAPER_PUSHES; k++) {
        if (silt_view_sample(rock, place, 0) <= 0.0f)
            return true;
        for (int axis = 0; axis < 3; axis++)
            place[axis] += 0.025f * normal[axis];
    }
    return false;
}

// A particle's way in one step, in voxels and voxels per step.
typedef struct SiltVoxelPath {
    float place[3];         // where it starts; then where it ends
    float velocity[3];      // then what is left of it
    float phi;              // at the place
    float normal[3], slope; // at the end, as silt_voxel_ground_at has them
    float impact;           // the greatest speed into the rock on the way
    float struck[3];        // where that was, beside the rock, with phi and normal there
    float struck_phi, struck_normal[3], struck_slope;
    bool is_buried; // it started in rock and found no way out
} SiltVoxelPath;

static inline float silt_voxel_length(const float *v)
{
    return silt_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline void silt_voxel_look_at(const SiltRockView *rock, const float *place, SiltVoxelPath *path)
{
    path->phi = silt_voxel_ground_at(rock, place, path->normal, &path->slope);
}

// Takes the part of the velocity that leads into the rock, or turns some of it back. Returns whether it
// struck harder than before.
static inline bool silt_voxel_bounce(float restitution, SiltVoxelPath *path)
{
    const float *normal = path->normal;
    float out = path->velocity[0] * normal[0] + path->velocity[1] * normal[1] + path->velocity[2] * normal[2];
    if (out >= 0.0f)
        return false;
    bool is_harder = -out > path->impact;
    path->impact = silt_maxf(path->impact, -out);
    for (int axis = 0; axis < 3; axis++)
        path->velocity[axis] -= (1.0f + restitution) * out * normal[axis];
    return is_harder;
}

// Keeps where it struck.
static inline void silt_voxel_mark_strike(const float *place, SiltVoxelPath *path)
{
    path->struck_phi = path->phi;
    path->struck_slope = path->slope;
    for (int axis = 0; axis < 3; axis++) {
        path->struck[axis] = place[axis];
        path->struck_normal[axis] = path->normal[axis];
    }
}

// Algorithm 1 with the outward normal and bounded loops. `by_paper` takes its fixed small steps; else steps
// are as long as phi allows.
static inline void silt_voxel_travel(const SiltRockView *rock, float restitution, bool by_paper,
                                     SiltVoxelPath *path)
{
    float at[3] = {path->place[0], path->place[1], path->place[2]};
    float left = silt_voxel_length(path->velocity); // of the way, voxels
    bool is_seen = false;                           // whether the path knows the normal where it is
    path->impact = 0.0f;
    path->is_buried = path->phi > 0.0f && !silt_voxel_push_out(rock, at);
    if (path->is_buried)
        return;
    for (int k = 0; k < (by_paper ? SILT_VOXEL_PAPER_STEPS : SILT_VOXEL_STEPS) && left > 1e-5f; k++) {
        float speed = silt_voxel_length(path->velocity), next[3];
        // nothing within |phi| is rock; a little less, for phi is not quite a distance between two
        // re-initialisations
        float step = by_paper ? 0.01f : silt_maxf(-0.8f * path->phi - 0.05f, 0.05f);
        step = silt_minf(step, left);
        for (int axis = 0; axis < 3; axis++)
            next[axis] = at[axis] + step / speed * path->velocity[axis];
        left -= step;
        silt_voxel_look_at(rock, next, path);
        is_seen = true;
        if (path->phi > 0.0f) {
            bool is_harder = silt_voxel_bounce(restitution, path);
            left *= silt_voxel_length(path->velocity) / speed;
            is_seen = by_paper ? silt_voxel_creep_out(rock, next) : silt_voxel_push_out(rock, next);
            if (!is_seen)
                break; // it stays at the last place in the air
            silt_voxel_look_at(rock, next, path);
            if (is_harder)
                silt_voxel_mark_strike(next, path);
        }
        for (int axis = 0; axis < 3; axis++)
            at[axis] = next[axis];
    }
    if (!is_seen)
        silt_voxel_look_at(rock, at, path);
    for (int axis = 0; axis < 3; axis++)
        path->place[axis] = at[axis];
}

// ---- rock that moves ----

// The voxels around a place on the surface.
typedef struct SiltVoxelFoot {
    size_t at[8]; // voxels of slots, one slot after the other
    float weight[8];
    float area; // cubic voxels of rock that moving phi by a voxel there moves
} SiltVoxelFoot;

// phi around a cell, and which of the 27 cells about it lie in the grid.
static inline void silt_voxel_read_around(const SiltRockView *rock, const int *cell, float *phi, int *low,
                                          int *high)
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = cell[axis] == 0 ? 1 : 0;
        high[axis] = cell[axis] == rock->size[axis] - 2 ? 1 : 2;
    }
    for (int n = 0; n < SILT_AREA_ROOM; n++) {
        int at[3] = {n % SILT_AREA_SIDE, n / SILT_AREA_SIDE % SILT_AREA_SIDE,
                     n / (SILT_AREA_SIDE * SILT_AREA_SIDE)};
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = at[axis] > low[axis] ? at[axis] : low[axis];
            at[axis] = cell[axis] - 1 + (at[axis] < high[axis] + 1 ? at[axis] : high[axis] + 1);
        }
        phi[n] = silt_view_phi(
            rock, silt_view_brick(rock, at[0], at[1], at[2]))[silt_view_offset(rock, at[0], at[1], at[2])];
    }
}

// False where rock stays as it is: at the floor, which holds the block, near its ceiling, and away from the
// surface. `slot` says where the sums of each brick are.
static inline bool silt_voxel_foot(const SiltRockView *rock, SILT_GLOBAL const int32_t *slot, int exchange,
                                   const float *place, bool is_taking, SiltVoxelFoot *out)
{
    int cell[3], low[3], high[3];
    float rest[3], phi[SILT_AREA_ROOM];
    if (is_taking ? place[2] < 2.0f : place[2] > (float)(rock->size[2] - 4))
        return false;
    for (int axis = 0; axis < 3; axis++)
        silt_view_locate_axis(place[axis], rock->size[axis], &cell[axis], &rest[axis]);
    for (int n = 0; n < 8; n++) {
        float weight = 1.0f;
        int at[3];
        for (int axis = 0; axis < 3; axis++) {
            int far = n >> axis & 1;
            at[axis] = cell[axis] + far;
            weight *= far ? rest[axis] : 1.0f - rest[axis];
        }
        size_t brick = silt_view_brick(rock, at[0], at[1], at[2]);
        if (slot[brick] < SILT_POOL_SHARED)
            return false;
        out->at[n] = ((size_t)slot[brick] << 3 * rock->shift) + silt_view_offset(rock, at[0], at[1], at[2]);
        out->weight[n] = exchange == SILT_VOXEL_PAPER ? 1.0f : weight;
    }
    silt_voxel_read_around(rock, cell, phi, low, high);
    out->area = silt_area_moved(phi, rest, low, high);
    return out->area > 0.02f;
}

// Cubic voxels of rock that one particle may take or lay there in one step: phi moves by a tenth of a voxel.
static inline float silt_voxel_most(const SiltVoxelFoot *foot)
{
    return 0.1f * foot->area;
}

// By how much phi of the foot's voxels moves for `rock` cubic voxels. Algorithm 3 takes the volume off phi of
// all eight; ours moves phi by the volume over the area it moves.
static inline float silt_voxel_change(int exchange, const SiltVoxelFoot *foot, float rock)
{
    return exchange == SILT_VOXEL_PAPER ? rock : rock / foot->area;
}

// That of voxel n, in whole parts of a voxel.
static inline int32_t silt_voxel_fine(const SiltVoxelFoot *foot, float change, int n)
{
    return silt_nearest(change * foot->weight[n] * (float)SILT_VOXEL_FINE);
}

// phi of a voxel that all of them together move by `sum` parts; `kept` takes by how much, voxels, and the
// answer is whether that is less than they wanted.
static inline bool silt_voxel_settled(int32_t sum, float band, float *phi, float *kept)
{
    const float most_in_step = 0.5f; // voxels
    float by = (float)sum * (1.0f / (float)SILT_VOXEL_FINE);
    *kept = silt_clampf(by, -most_in_step, most_in_step);
    *phi = silt_clampf(*phi + *kept, -band, band);
    return *kept != by;
}

#endif
