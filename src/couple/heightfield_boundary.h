// Boundary particles on the triangles of a heightfield (Kataev 1.5.1, 4.6), and what water does there. They
// are not stored: where they lie follows from the triangle and its spacing, so each particle of water finds
// those within its reach, always on the ground as it is now and only where there is water.
#ifndef SILT_COUPLE_HEIGHTFIELD_BOUNDARY_H
#define SILT_COUPLE_HEIGHTFIELD_BOUNDARY_H

#include "couple/heightfield.h"
#include "couple/seeds.h"

typedef struct SiltBoundary {
    SiltBoundaryNumbers numbers;
    const SiltField *erodibility; // multiplies the strength's work; NULL: 1 everywhere
} SiltBoundary;

// Closer than this, a particle would have more seeds within its support than it can look at.
float silt_boundary_least_spacing(double support);

// Friction, deposition and erosion between particle i and the ground in a step of length dt. `settling` is
// its speed of settling in m/s.
void silt_boundary_exchange(const SiltBoundary *boundary, SiltHeightfield *field, SiltSph *sph, int i,
                            float dt, float settling);

// Units that a kg/m2/s wears off a m2 in a step; and the dithers of settling and of wear.
float silt_boundary_take(const SiltBoundaryNumbers *boundary, float dt, double unit);
void silt_boundary_dithers(int64_t step, float dither[2]);

// Lays units on the lowest corners of a triangle first (units > 0), or takes them off the highest first
// (units < 0): eq. 1.71.
void silt_boundary_shape(SiltHeightfield *field, const int sample[3], int64_t units);

#endif
