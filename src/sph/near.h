// Neighbours side by side. Of the particles in the runs that a place can see only one in five lies within the
// support, and pairs cost too much to be worked out in vain: so the indices of those that count are picked
// first, in order, and then loops run over full vectors of them.
#ifndef SILT_SPH_NEAR_H
#define SILT_SPH_NEAR_H

#include <string.h>

#include "core/simd.h"
#include "sph/sph.h"

enum { SILT_NEAR_ROOM = SILT_NEAR_MOST + 2 * SILT_SPH_LANES };

typedef struct SiltSphNear {
    SiltSphRuns runs;
    int run, next; // where picking goes on
    int count;     // picked; up to the next full vector index[] repeats sph->config.capacity
    int index[SILT_NEAR_ROOM];
} SiltSphNear;

// Begins at a place.
void silt_near_begin(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near);
// The next of them; false when there are no more.
bool silt_near_pick(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near);
// What it does where there are no wide registers: the same batches, without the end that fills a vector.
void silt_near_pick_plain(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near);

// ---- the records of those picked, field by field ----

typedef struct SiltSphPack {
    float x[SILT_NEAR_ROOM], y[SILT_NEAR_ROOM], z[SILT_NEAR_ROOM], density[SILT_NEAR_ROOM];
    float u[SILT_NEAR_ROOM], v[SILT_NEAR_ROOM], w[SILT_NEAR_ROOM], pressure[SILT_NEAR_ROOM];
} SiltSphPack;

typedef float SiltFour __attribute__((vector_size(16)));

// Four rows of four floats become four columns.
SILT_INLINE void silt_near_turn(const float *const row[4], float *const column[4])
{
    SiltFour m[4], low[2], high[2];
    for (int k = 0; k < 4; k++)
        memcpy(&m[k], row[k], sizeof m[k]);
    for (int k = 0; k < 2; k++) {
        low[k] = __builtin_shufflevector(m[2 * k], m[2 * k + 1], 0, 4, 1, 5);
        high[k] = __builtin_shufflevector(m[2 * k], m[2 * k + 1], 2, 6, 3, 7);
    }
    m[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
    m[2] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
    m[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
    for (int k = 0; k < 4; k++)
        memcpy(column[k], &m[k], sizeof m[k]);
}

SILT_INLINE void silt_near_fetch(const SiltSph *sph, const SiltSphNear *near, SiltSphPack *pack)
{
    const SiltSphRecord *record = sph->record;
    for (int n = 0; n < near->count; n += SILT_SPH_LANES)
        for (int k = n; k < n + SILT_SPH_LANES; k += 4) {
            const SiltSphRecord *a = &record[near->index[k]], *b = &record[near->index[k + 1]],
                                *c = &record[near->index[k + 2]], *d = &record[near->index[k + 3]];
            silt_near_turn((const float *const[4]){&a->x, &b->x, &c->x, &d->x},
                           (float *const[4]){pack->x + k, pack->y + k, pack->z + k, pack->density + k});
            silt_near_turn((const float *const[4]){&a->u, &b->u, &c->u, &d->u},
                           (float *const[4]){pack->u + k, pack->v + k, pack->w + k, pack->pressure + k});
        }
}

#endif
