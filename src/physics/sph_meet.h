// A particle of water, or its image beyond a wall, asks one neighbour: what that adds to its sums.
#ifndef SILT_PHYSICS_SPH_MEET_H
#define SILT_PHYSICS_SPH_MEET_H

#include "sph_pair.h"

#ifdef __OPENCL_C_VERSION__
#define SILT_FOURS __attribute__((aligned(16))) // read by four floats at a time
#else
#define SILT_FOURS
#endif

// What pairs read of a particle, in one place.
typedef struct SILT_FOURS SiltSphRecord {
    float x, y, z, density;
    float u, v, w;  // that the forces see
    float pressure; // over the square of the density
} SiltSphRecord;

// What pairs read of a particle that has so many times the mass of the others: its density over that, so that
// its volume and its pressure count as often.
SILT_FN SiltSphRecord silt_sph_weigh(SiltSphRecord r, float heft)
{
    float by = silt_maxf(heft, 1e-3f);
    r.density = r.density / by;
    r.pressure = r.pressure * (by * by);
    return r;
}

// A place that asks around: a particle (`self`), or an image of one (self = -1) in a plane that lies `gap`
// before it: neighbours behind the plane do not count.
typedef struct SiltSphPlace {
    float x, y, z;
    int self;
    float nx, ny, nz, gap;
} SiltSphPlace;

// Who asks there.
typedef struct SiltSphQuery {
    SiltSphPlace at;
    float u, v, w;
    float slip_u, slip_v, slip_w; // velocity that viscosity compares with
    float pressure, density;
    float weight; // g.n: pressure grows so with depth behind the plane
} SiltSphQuery;

typedef struct SiltSphSums {
    float ax, ay, az, rate;
    float bx, by, bz;        // viscosity, apart
    float nx, ny, nz, curve; // surface
} SiltSphSums;

typedef struct SiltSphPull {
    float x, y, z; // m/s2
} SiltSphPull;

// `is_before`: the neighbour stands before the one that asks. The last four sums are there with `surface`.
SILT_FN SiltSphSums silt_sph_meet(SiltSphLaw law, SiltSphPull g, SiltSphQuery q, SiltSphRecord b,
                                  int is_before, const int image, const int surface)
{
    SiltSphSums sums;
    float dx = q.at.x - b.x, dy = q.at.y - b.y, dz = q.at.z - b.z;
    float r2 = dx * dx + dy * dy + dz * dz, inverse = 1.0f / b.density;
    float fall = -(g.x * dx + g.y * dy + g.z * dz), press = q.pressure + b.pressure;
    if (law.means)
        press = silt_sph_mean_pressure(q.pressure, b.pressure, q.density, b.density);
    if (image) {
        // dx.n = -(gap_i + gap_j); behind the wall water weighs on
        float ahead = -(q.at.nx * dx + q.at.ny * dy + q.at.nz * dz) - q.at.gap;
        float more = -2.0f * q.weight * ahead * inverse;
        int weighs = (b.pressure > 0.0f) & (more > 0.0f);
        press += weighs ? more : 0.0f;
        fall -= 2.0f * q.at.gap * q.weight; // from the particle itself
    } else {
        // of two at one place the later stands aside, so that they part
        float aside = is_before ? 1e-4f : -1e-4f;
        dx = r2 > 0.0f ? dx : aside * law.h;
    }
    float du = q.u - b.u, dv = q.v - b.v, dw = q.w - b.w;
    float vd = du * dx + dv * dy + dw * dz;
    float near2 = r2 > law.closest2 ? r2 : law.closest2;
    SiltSphPair pair = silt_sph_pair(law, near2, vd, fall, press, b.density - q.density, inverse);
    sums.ax = pair.push * dx;
    sums.ay = pair.push * dy;
    sums.az = pair.push * dz;
    sums.rate = pair.rate;
    sums.bx = pair.drag * (b.u - q.slip_u);
    sums.by = pair.drag * (b.v - q.slip_v);
    sums.bz = pair.drag * (b.w - q.slip_w);
    if (surface) {
        float inside = silt_maxf(law.h2 - r2, 0.0f), gap = inside * inverse;
        float slope = -gap * inside;
        sums.nx = slope * dx;
        sums.ny = slope * dy;
        sums.nz = slope * dz;
        sums.curve = -(gap * (3.0f * law.h2 - 7.0f * r2));
    }
    return sums;
}

// Density by summation (Kataev eq. 1.25): what a neighbour at (dx, dy, dz) adds, if it lies within the
// support and before the plane of an image.
SILT_FN float silt_sph_share(SiltSphPlace at, float dx, float dy, float dz, float h2)
{
    float side = at.nx * dx + at.ny * dy + at.nz * dz + at.gap;
    float gap = h2 - (dx * dx + dy * dy + dz * dz);
    int counts = (gap > 0.0f) & (side <= 0.0f);
    return counts ? gap * gap * gap : 0.0f;
}

// What one of two particles at this distance, within the support, adds to the density of the other.
SILT_FN float silt_sph_join(SiltSphLaw law, float r2)
{
    float gap = law.h2 - r2;
    return law.poly6 * gap * gap * gap;
}

#endif
