// What a particle and the rock do to each other in a step of `voxel` (Weiss 2016, 3.2.1.4 and 3.2.2), and
// particles among each other what sediment they hand on. For C and OpenCL.
#ifndef SILT_COUPLE_VOXEL_MEET_H
#define SILT_COUPLE_VOXEL_MEET_H

#include "couple/voxel_rock.h"
#include "sph/images.h"

// The numbers of a step.
typedef struct SiltVoxelNumbers {
    double life; // s; 0: for ever
    SiltVoxelFrame frame;
    int exchange, collision; // SILT_VOXEL_CONSERVING or _PAPER
    float dt;                // s
    float restitution;
    float brake;           // speed that is left where water touches
    float layer;           // m from the rock within which water touches it
    float gravity;         // m/s2, upward
    float weight;          // of a unit of sediment, see silt_voxel_weigh
    float capacity;        // units for each m/s
    float normal, tangent; // constants of dissolving times a step
    float deposit, least;  // share of a step, and units
    float flat[2], full;   // cosines; units in a full load
    float per_unit;        // cubic voxels
    float dither;          // of what is exchanged
    float sink_time;       // s that particles have been covered, or not
    int evaporates;        // whether it was looked in this step which are
    // of sediment that sinks, and of cover: a cosine
    float sink_pace, sink_dither, asymmetry, cone;
} SiltVoxelNumbers;

// The plane of the rock below a particle, for the forces, from phi there and its gradient.
// Beyond the band nothing is known of the rock but that it is farther away.
static inline SiltSphPlane silt_voxel_plane(float cell, float band, float phi, const float *gradient)
{
    float normal[3], slope;
    silt_voxel_normal(gradient, normal, &slope);
    SiltSphPlane plane = {normal[0], -normal[1], normal[2], phi > -band ? -phi / slope * cell : INFINITY};
    return plane;
}

// What sediment leaves of a particle's acceleration (eq. 3.28).
static inline float silt_voxel_weigh(float weight, float load)
{
    return 1.0f / (1.0f + weight * load);
}

// ---- sediment that sinks, and the surface ----

// What a particle gains from another `dz` metres below it, or loses to it (eq. 3.36 to 3.38): whole units.
// What goes from i to j is the same number when j asks: both see the same distance.
SILT_INLINE float silt_voxel_gain(float mine, float theirs, float by_full, float dz, float r2, float h2,
                                  float k, float pace, float dither)
{
    float my_room = 1.0f - mine * by_full, their_room = 1.0f - theirs * by_full;
    float down = silt_voxel_sinking(mine, their_room, dz, r2, h2, k, pace, dither);
    float up = silt_voxel_sinking(theirs, my_room, -dz, r2, h2, k, pace, dither);
    return up - down;
}

// Whether one `dz` metres below covers a particle: it lies in the cone around "up" (eq. 3.39).
SILT_INLINE bool silt_voxel_covers(float dz, float r2, float cone)
{
    return (-dz > 0.0f) & (dz * dz > cone * cone * r2);
}

// Only the surface evaporates: `age` counts the time spent there (eq. 3.40). The age of a particle that is
// covered; zero would be its first step again.
static inline float silt_voxel_covered_age(float age, float sink_time)
{
    return silt_maxf(age - sink_time, 1e-6f);
}

// ---- the way around rock ----

// How a particle meets the rock.
typedef struct SiltVoxelContact {
    float place[3], normal[3]; // in voxels' axes
    float into, along;         // m/s across and along it
    float strike;              // m/s across it, less what lying on it brings
    bool is_touching, is_buried;
    bool is_near; // within what phi may change in a step
} SiltVoxelContact;

#define SILT_VOXEL_NEAR 0.75f // voxels: more than phi may change in one step

// Whether a particle is too far from the rock to come near it in this step.
static inline bool silt_voxel_is_far(SILT_STEP const SiltVoxelNumbers *s, const SiltVoxelPath *path)
{
    return s->collision != SILT_VOXEL_PAPER &&
           -path->phi > silt_voxel_length(path->velocity) + SILT_VOXEL_NEAR + 0.5f;
}

// Advection with collision (3.2.1.4) of a particle that was at `from`, `gap` metres from the rock, and would
// be at `at` now: where it comes to lie, its velocity then, and what its velocity was at the rock.
static inline SiltVoxelContact silt_voxel_contact(const SiltRockView *rock,
                                                  SILT_STEP const SiltVoxelNumbers *s, const float *from,
                                                  float gap_before, float *at, float *velocity)
{
    SiltVoxelContact contact = {.is_touching = false, .is_buried = false, .is_near = false};
    SiltVoxelPath path = {.phi = -silt_minf(gap_before / s->frame.cell, rock->band)};
    float to[3], per_step = s->frame.cell / s->dt;
    silt_voxel_place(s->frame, from[0], from[1], from[2], path.place);
    silt_voxel_place(s->frame, at[0], at[1], at[2], to);
    for (int axis = 0; axis < 3; axis++)
        path.velocity[axis] = to[axis] - path.place[axis];
    if (silt_voxel_is_far(s, &path))
        return contact;
    const float before[3] = {velocity[0], -velocity[1], velocity[2]};
    silt_voxel_travel(rock, s->restitution, s->collision == SILT_VOXEL_PAPER, &path);
    contact.is_buried = path.is_buried;
    if (path.is_buried)
        return contact;
    if (path.impact > 0.0f) {
        velocity[0] = path.velocity[0] * per_step;
        velocity[1] = -path.velocity[1] * per_step;
        velocity[2] = path.velocity[2] * per_step;
    }
    silt_voxel_metres(s->frame, path.place, at);
    bool is_struck = path.impact > 0.0f && path.struck_slope > 0.0f; // else where it ends
    const float *n = is_struck ? path.struck_normal : path.normal,
                *foot = is_struck ? path.struck : path.place;
    float out = before[0] * n[0] + before[1] * n[1] + before[2] * n[2];
    float gap = is_struck ? -path.struck_phi / path.struck_slope : -path.phi / path.slope;
    float square = before[0] * before[0] + before[1] * before[1] + before[2] * before[2];
    contact.into = silt_maxf(path.impact * per_step, silt_maxf(-out, 0.0f));
    contact.along = silt_sqrtf(silt_maxf(square - out * out, 0.0f));
    contact.strike = s->exchange == SILT_VOXEL_PAPER
                         ? contact.into
                         : silt_voxel_strike(contact.into, -s->gravity * n[2], s->layer);
    // the thesis exchanges on collisions alone (3.2.2.4)
    contact.is_touching =
        path.impact > 0.0f || (s->exchange != SILT_VOXEL_PAPER && gap * s->frame.cell < s->layer);
    for (int axis = 0; axis < 3; axis++) { // down to the surface, where it struck if it did
        contact.normal[axis] = n[axis];
        contact.place[axis] = foot[axis] - n[axis] * gap;
    }
    contact.is_near = path.phi > -SILT_VOXEL_NEAR;
    return contact;
}

// ---- dissolving and deposition ----

// Units that a particle with `load` would take from the rock (above zero) or lay on it (3.2.2.1 to 3.2.2.3).
static inline float silt_voxel_wanted(const SiltRockView *rock, SILT_STEP const SiltVoxelNumbers *s,
                                      const SiltVoxelContact *contact, float load, float age)
{
    float water = s->life > 0.0 ? silt_clampf(1.0f - silt_over(age, (float)s->life), 0.0f, 1.0f) : 1.0f;
    float speed = silt_sqrtf(contact->into * contact->into + contact->along * contact->along);
    float carried = silt_voxel_capacity(s->capacity, speed, water, s->full);
    if (carried > load) {
        float softness = silt_view_softness(rock, contact->place);
        float units = silt_voxel_dissolved(s->normal * contact->strike, s->tangent * contact->along,
                                           carried - load, softness);
        return silt_floorf(silt_minf(units + s->dither, carried - load));
    }
    if (!(load > 0.0f))
        return 0.0f;
    float flat = silt_smoothstep(s->flat[0], s->flat[1], contact->normal[2]);
    float units = silt_voxel_dropped(load, carried, s->least, s->deposit, flat);
    return -silt_floorf(silt_minf(units + s->dither, load));
}

// How many of these units pass between the two (eq. 3.35), and where.
static inline float silt_voxel_passed(const SiltRockView *rock, SILT_GLOBAL const int32_t *slot,
                                      SILT_STEP const SiltVoxelNumbers *s, const SiltVoxelContact *contact,
                                      float units, SiltVoxelFoot *foot)
{
    bool is_taking = units > 0.0f;
    if (!silt_voxel_foot(rock, slot, s->exchange, contact->place, is_taking, foot))
        return 0.0f;
    float most = silt_floorf(silt_voxel_most(foot) / s->per_unit);
    return silt_clampf(units, -most, most);
}

// ---- rock that grows over particles ----

// Brings a particle out of rock that was laid over it; false when it is buried. Metres are rounded: what they
// say is looked at again.
static inline bool silt_voxel_leave(const SiltRockView *rock, SiltVoxelFrame frame, float *at)
{
    float place[3];
    silt_voxel_place(frame, at[0], at[1], at[2], place);
    for (int k = 0; k < 4; k++) {
        if (silt_view_sample(rock, place, 0) <= 0.0f)
            return true;
        bool is_out = k < 3 && silt_voxel_push_out(rock, place);
        silt_voxel_metres(frame, place, at);
        silt_voxel_place(frame, at[0], at[1], at[2], place);
        if (!is_out)
            return false;
    }
    return true;
}

#endif
