// Where particles of a source of `voxel` appear: anywhere in a box that is air (Weiss 2016, 3.2.1.5). For C
// and OpenCL.
#ifndef SILT_COUPLE_VOXEL_POUR_H
#define SILT_COUPLE_VOXEL_POUR_H

#include "couple/voxel_rock.h"
#include "physics/random.h"

enum { SILT_POUR_TRIES = 16 };

typedef struct SiltPour {
    double corner[3], size[3]; // m: of the box
    double low[3], high[3];    // m: where particles may be at all
    double taken2;             // m2: a place is taken where another particle lies nearer
    silt_u64 seed;
    SiltVoxelFrame frame;
    float velocity[3]; // m/s
    float units;       // of sediment in a particle
    int stream;
} SiltPour;

// A point of the box, given in parts of its sides; false where no particle may be or there is rock.
static inline bool silt_pour_point(const SiltRockView *rock, SILT_STEP const SiltPour *p, const double *part,
                                   float *at)
{
    float place[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (float)(p->corner[axis] + part[axis] * p->size[axis]);
    for (int axis = 0; axis < 3; axis++)
        if ((double)at[axis] < p->low[axis] || (double)at[axis] > p->high[axis])
            return false;
    silt_voxel_place(p->frame, at[0], at[1], at[2], place);
    return silt_view_sample(rock, place, 0) < 0.0f;
}

// Try number k of particle number n.
static inline bool silt_pour_try(const SiltRockView *rock, SILT_STEP const SiltPour *p, silt_u64 n,
                                 silt_u32 k, float *at)
{
    SiltRandom random = silt_random(p->seed, (silt_u32)p->stream, n, k);
    double part[3];
    for (int axis = 0; axis < 3; axis++)
        part[axis] = (double)silt_uniform(random.word[axis]);
    return silt_pour_point(rock, p, part, at);
}

#endif
