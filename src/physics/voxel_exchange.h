// What a particle of water and the rock it touches do to each other (Weiss 2016, 3.2.2), and how sediment
// sinks from particle to particle. Loads and capacities are in whole units of rock.
#ifndef SILT_PHYSICS_VOXEL_EXCHANGE_H
#define SILT_PHYSICS_VOXEL_EXCHANGE_H

#include "sph_sediment.h"

// eq. 3.34
SILT_FN float silt_smoothstep(float low, float high, float x)
{
    float t = silt_clampf((x - low) / silt_maxf(high - low, 1e-6f), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Units a particle can carry: eq. 3.31, less what has evaporated, and never more than a full load.
SILT_FN float silt_voxel_capacity(float per_speed, float speed, float water, float full)
{
    return silt_minf(per_speed * speed * water, full);
}

// Speed at which water strikes the rock: what lies on it hops within the layer in which it touches, and the
// speed of a fall through that layer is its weight, not a blow. `weight` is the acceleration into the rock.
SILT_FN float silt_voxel_strike(float into, float weight, float layer)
{
    return silt_sqrtf(silt_maxf(into * into - 2.0f * silt_maxf(weight, 0.0f) * layer, 0.0f));
}

// Units dissolved, eq. 3.32: `into` and `along` are the speeds across and along the surface times their
// constants.
SILT_FN float silt_voxel_dissolved(float into, float along, float room, float erodibility)
{
    return silt_maxf((into + along) * room * erodibility, 0.0f);
}

// Units dropped, eq. 3.33 with its sign set right: `flat` says how flat the ground is, `least` keeps the last
// of a load from staying for ever.
SILT_FN float silt_voxel_dropped(float load, float capacity, float least, float share, float flat)
{
    return silt_minf(load, flat * silt_maxf(load - capacity, least) * silt_minf(share, 1.0f));
}

// Phase function of eq. 3.36: how much goes into a direction at an angle to straight down. k = 0: all alike.
SILT_FN float silt_voxel_phase(float k, float cosine)
{
    float narrow = 1.0f - k * cosine;
    return 0.0795774715f * (1.0f - k * k) / (narrow * narrow);
}

// Units that go from a particle with `load` to one at a squared distance of r2, `drop` metres lower, that has
// `room` of a full load left: eq. 3.37, and nothing into what is full. `pace` is dt times beta, a particle's
// volume and the factor of the kernel.
SILT_FN float silt_voxel_sinking(float load, float room, float drop, float r2, float h2, float k, float pace,
                                 float dither)
{
    float r = silt_sqrtf(silt_maxf(r2, 1e-4f * h2)), gap = silt_maxf(h2 - r2, 0.0f);
    float share = pace * room * silt_voxel_phase(k, drop / r) * gap * gap * gap;
    float part = silt_load_part(load, share, dither);
    return room > 0.0f ? part : 0.0f;
}

// Surface that a voxel's hat function covers when it lies `distance` voxels from it: the hat, seen along any
// direction, has the variance of a hat (exact where the surface lies along the grid).
SILT_FN float silt_voxel_area(float distance)
{
    return silt_maxf(1.0f - silt_absf(distance), 0.0f);
}

// The same for a part of a cell with phi in its middle, over phi's slope: `slope` is how much phi grows
// across the part. Parts away from the surface know less of it, the farther the less, by the square of their
// distance: counted over twice the width, that is four times as much, and is taken off.
SILT_FN float silt_voxel_area_of_part(float phi, float slope)
{
    float across = silt_maxf(slope, 1e-3f), far = phi / across;
    float narrow = silt_voxel_area(far), wide = 0.5f * silt_voxel_area(0.5f * far);
    return silt_over(4.0f * narrow - wide, 3.0f * across);
}

// How much phi changes at `x`, along one axis, when it changes by one at `rest`, 0 to 1, and that is spread
// over the voxels at 0 and 1.
SILT_FN float silt_voxel_spread(float x, float rest)
{
    return (1.0f - rest) * silt_voxel_area(x) + rest * silt_voxel_area(x - 1.0f);
}

#endif
