// The surface of particle water: where the colour field, 1 in water and 0 beyond, falls off, and how much
// that place bends. Tension then pulls by the curvature (Brackbill, Kothe and Zemach 1992; Morris 2000), so
// that in a drop of radius R stands Laplace's pressure 2 sigma / R.
#ifndef SILT_PHYSICS_SPH_SURFACE_H
#define SILT_PHYSICS_SPH_SURFACE_H

#include "sph_meet.h"

typedef struct SILT_FOURS SiltSphNormal {
    float x, y, z; // unit vector into the water; zero inside it
    float slope;   // 1/m: of the colour field
} SiltSphNormal;

// Two sums over neighbours: how far normals turn along the surface, and how far apart they stand there.
typedef struct SiltSphBend {
    float turn, apart;
} SiltSphBend;

// From the gradient of the colour field. One shorter than `threshold` is that of particles out of order.
SILT_FN SiltSphNormal silt_sph_normal(float nx, float ny, float nz, float threshold)
{
    SiltSphNormal n = {0.0f, 0.0f, 0.0f, 0.0f};
    float length = silt_sqrtf(nx * nx + ny * ny + nz * nz);
    if (length > 0.0f && length >= threshold) {
        n.x = nx / length;
        n.y = ny / length;
        n.z = nz / length;
        n.slope = length;
    }
    return n;
}

// What a neighbour with normal b, at (dx, dy, dz) before the particle with normal a, adds. Only what lies
// along the surface counts: across it there is water on one side alone, and normals do not turn.
SILT_FN SiltSphBend silt_sph_bend(SiltSphNormal a, SiltSphNormal b, float dx, float dy, float dz, float h2,
                                  float volume)
{
    SiltSphBend bend;
    float inside = silt_maxf(h2 - (dx * dx + dy * dy + dz * dz), 0.0f);
    float weight = inside * inside * volume * b.slope;
    float across = dx * a.x + dy * a.y + dz * a.z;
    float tx = dx - across * a.x, ty = dy - across * a.y, tz = dz - across * a.z;
    bend.turn = weight * ((b.x - a.x) * tx + (b.y - a.y) * ty + (b.z - a.z) * tz);
    bend.apart = weight * (tx * tx + ty * ty + tz * tz);
    return bend;
}

// Curvature in 1/m, 2 / R of a ball, at the surface that lies `depth` beyond the particle.
SILT_FN float silt_sph_curvature(SiltSphBend sum, float depth)
{
    float bent = sum.apart > 0.0f ? sum.turn / sum.apart : 0.0f;
    return 2.0f * bent / silt_maxf(1.0f + bent * depth, 0.5f);
}

#endif
