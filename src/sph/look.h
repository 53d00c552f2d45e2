// Looking around on a device: the runs of particles that a place can see, and those of them that count, in
// the order and the lanes of near.c and forces.c. For OpenCL.
#ifndef SILT_SPH_LOOK_H
#define SILT_SPH_LOOK_H

#include "physics/sph_cells.h"
#include "sph/numbers.h"

typedef struct SiltSphRuns {
    int count;
    int begin[10], end[10];
} SiltSphRuns;

// As silt_sph_runs.
static inline void silt_look_runs(SILT_STEP const SiltSphGrid *g, SILT_GLOBAL const SiltSphRow *rows,
                                  SILT_GLOBAL const int *start, float x, float y, float z, SiltSphRuns *runs)
{
    runs->count = 0;
    if (g->count == 0)
        return;
    double px = silt_cell_scaled(x, g->low[0], g->inverse[0], g->size[0]);
    double py = silt_cell_scaled(y, g->low[1], g->inverse[1], g->size[1]);
    double pz = silt_cell_scaled(z, g->low[2], g->inverse[2], g->size[2]);
    int i = silt_cell_whole(px), j = silt_cell_whole(py), k = silt_cell_whole(pz);
    float share_x = (float)(px - i), share_y = (float)(py - j), share_z = (float)(pz - k);
    for (int n = 0; n < 9; n++) {
        int column = n % 3, layer = n / 3, jj = j + column - 1, kk = k + layer - 1;
        if (jj < 0 || jj >= g->size[1] || kk < 0 || kk >= g->size[2])
            continue;
        float dy = ((column == 2 ? 1.0f : 0.0f) + (float)(1 - column) * share_y) * g->side[1];
        float dz = ((layer == 2 ? 1.0f : 0.0f) + (float)(1 - layer) * share_z) * g->side[2];
        SiltCellReach reach = silt_cell_reach(share_x, dy, dz, g->h2, g->scale);
        SiltSphRow row = rows[kk * g->size[1] + jj];
        int from = i + reach.from, to = i + reach.to;
        from = from > row.low ? from : row.low;
        to = to < row.high ? to : row.high;
        if (from > to)
            continue;
        int begin = start[row.base + from - row.low], end = start[row.base + to - row.low + 1];
        runs->begin[runs->count] = begin;
        runs->end[runs->count] = end;
        runs->count += begin < end;
    }
}

// Whether particle n, at (dx, dy, dz) from the place, counts there.
static inline bool silt_look_counts(const SiltSphPlace *at, int n, float dx, float dy, float dz, float h2)
{
    bool counts = n != at->self && dx * dx + dy * dy + dz * dz < h2;
    return counts && (at->self >= 0 || at->nx * dx + at->ny * dy + at->nz * dz + at->gap <= 0.0f);
}

#endif
