// Random cells: every cell of the grid belongs to its nearest seed, ties to the seed of lower index. Exact:
// places are integers.
#ifndef SILT_GENERATE_VORONOI_H
#define SILT_GENERATE_VORONOI_H

#include "generate/lattice.h"
#include "silt/base.h"

typedef struct SiltVoronoi {
    SiltLattice lattice;
    int count;
    int32_t *x, *y; // seeds, in units of the lattice, within the map
    // seeds by square buckets of 2^bucket_shift units: those of bucket k are bucket_seed[bucket_start[k]] to
    // bucket_seed[bucket_start[k + 1] - 1], in the order of their index
    int bucket_shift, bucket_columns, bucket_rows;
    int *bucket_start, *bucket_seed;
} SiltVoronoi;

// `count` seeds spread evenly at random: draw number `draw` of a stream.
SiltStatus silt_voronoi_draw(SiltLattice lattice, int count, uint64_t seed, uint32_t stream, uint32_t draw,
                             SiltVoronoi *out);
// Given seeds.
SiltStatus silt_voronoi_create(SiltLattice lattice, int count, const int32_t *x, const int32_t *y,
                               SiltVoronoi *out);
void silt_voronoi_destroy(SiltVoronoi *voronoi);

// The nearest seed of every cell of the window, row after row.
SiltStatus silt_voronoi_label(const SiltVoronoi *voronoi, SiltWindow window, int32_t *labels);

#endif
