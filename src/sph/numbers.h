// The numbers of a body of water that its steps read: what follows from a SiltSphConfig, as plain floats. For
// C and OpenCL.
#ifndef SILT_SPH_NUMBERS_H
#define SILT_SPH_NUMBERS_H

#include "core/both.h"
#include "physics/sph_surface.h"

enum { SILT_SPH_TAIT, SILT_SPH_GAS }; // equation of state
// Surface tension: by the curvature of the surface, which gives Laplace's pressure; or by the Laplacian of
// the colour field (Kataev eq. 1.37), which does not.
enum { SILT_SPH_CURVATURE, SILT_SPH_COLOUR };
enum { SILT_SPH_CONTINUITY, SILT_SPH_SUMMATION };         // where the density comes from
enum { SILT_SPH_LEAP_FROG, SILT_SPH_EULER };              // integrator
enum { SILT_SPH_OPEN, SILT_SPH_WALL, SILT_SPH_PERIODIC }; // what a face of the box is

// How walls hold water that runs along them: not at all; by the viscous forces of water beyond that runs the
// other way, right where the boundary layer is many particles thick; or by the law of the wall, for boundary
// layers thinner than a particle (physics/sph_wall.h).
enum { SILT_SPH_SLIP, SILT_SPH_NO_SLIP, SILT_SPH_WALL_LAW };

// Why a particle goes at the next sort; 0: it stays.
enum {
    SILT_SPH_STAYS,
    SILT_SPH_LEFT,
    SILT_SPH_EXPIRED,
    SILT_SPH_BAD,
    SILT_SPH_CROWDED,
    SILT_SPH_FLOWN, // faster than `swiftest`, or out through a roof or a floor no water gets to
    SILT_SPH_FATES
};

// Whether it is nowhere any more, so that it meets no ground.
SILT_INLINE bool silt_sph_is_out(int fate)
{
    return fate == SILT_SPH_LEFT || fate == SILT_SPH_BAD || fate == SILT_SPH_FLOWN;
}

enum {
    SILT_SPH_LANES = 16,  // sums over neighbours run in so many lanes, whatever the processor has
    SILT_NEAR_MOST = 112, // neighbours picked at once; who has more takes them in turns
};

typedef struct SiltSphNumbers {
    double wall_low[3], wall_high[3]; // the box
    double reach;                     // m from a wall within which it brakes
    double life;                      // s; 0: for ever
    double swiftest2;                 // m2/s2; 0: any speed may be
    SiltSphLaw law;
    SiltSphPull gravity;
    float low[3], high[3]; // the box
    float period[3];       // its size
    int face[3][2];
    int walls;
    int has_planes;
    int is_bare; // no images in walls and planes
    int weighs;  // whether particles press by their own mass, silt_sph_heft
    float by_load, by_age;
    int gas, pulls, sums_density, leaps;
    float rest, stiffness;
    int curved; // whether tension goes by curvature
    float tension, threshold;
    float skin, depth; // of the layers at a surface
    float restitution, spacing;
    float steep, rough; // of the law of the wall at the middle of the first layer
    float ahead;        // s by which the velocity that forces see lies ahead
} SiltSphNumbers;

enum { SILT_CELL_WIDTHS = 22 }; // that cells can have, each twice the one before: 2^20 columns at the most

// A row of cells along x.
typedef struct SiltSphRow {
    int low, high; // columns of its first and last particle; high < low: none
    int base;      // number of its first cell
} SiltSphRow;

// The grid of SiltSphCells, as device_water.c fills it.
typedef struct SiltSphGrid {
    double low[3], inverse[3];
    float side[3], scale, h2; // m; cells to a metre along x; the support's square and a little more
    int size[3], count;       // of cells along each axis, and of all
    int sorted;               // particles in them
} SiltSphGrid;

#endif
