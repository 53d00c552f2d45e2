// Which polygons touch, and regions that grow over them.
#ifndef SILT_GENERATE_REGION_H
#define SILT_GENERATE_REGION_H

#include "generate/lattice.h"
#include "silt/base.h"

// Polygon k touches neighbour[start[k]] to neighbour[start[k + 1] - 1]: sorted, each once, both ways.
typedef struct SiltNeighbours {
    int count;
    int *start, *neighbour;
} SiltNeighbours;

// From pairs of polygons that touch; pairs may repeat.
SiltStatus silt_neighbours_create(int count, const int32_t (*pairs)[2], size_t pair_count,
                                  SiltNeighbours *out);
// From a map of labels: polygons touch where cells of the one lie beside or below cells of the other.
SiltStatus silt_neighbours_from_labels(int count, const int32_t *labels, int width, int height,
                                       SiltNeighbours *out);
void silt_neighbours_destroy(SiltNeighbours *neighbours);

// A region grows from its sources (arrival 0) from neighbour to neighbour: stepping into polygon q takes as
// long as the way between the two middles, times weight[q]. `arrival` is negative for polygons that are not
// reached within `reach`, and comes in with 0 for the sources and -1 for all others.
SiltStatus silt_region_grow(const SiltNeighbours *neighbours, const double *x, const double *y,
                            const float *weight, double reach, double *arrival);

#endif
