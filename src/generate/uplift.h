// One step of "repeated magnification and probing" (Fritz 2016, 3.3 and 3.6.2): the map is cut into random
// polygons, and those around a place or along a line are raised.
#ifndef SILT_GENERATE_UPLIFT_H
#define SILT_GENERATE_UPLIFT_H

#include "generate/crest.h"
#include "generate/lattice.h"
#include "generate/resistance.h"
#include "generate/tally.h"
#include "silt/base.h"

enum { SILT_POLYGONS_VORONOI, SILT_POLYGONS_GRAPH }; // "voronoi graph"

enum { SILT_MAX_POLYGONS = 1000000 };

typedef struct SiltUplift {
    int polygons; // SILT_POLYGONS_VORONOI ...
    int count;    // polygons on the map
    uint64_t seed;
    uint32_t stream;
    uint32_t draw;    // which of the stream's draws: each has polygons of its own
    double reach;     // how far beyond the polygons of the line the region grows, in cells
    int64_t amount;   // how much the tally is raised
    double variation; // each polygon by its own amount, within this fraction of `amount` more or less
    const SiltResistance *resistance;
} SiltUplift;

// Raises `tally` (and each cell of `counts` by one, unless NULL) along `crest`, whose parts beyond the map
// are moved to its edge. The polygons that the crest crosses are always raised. Any thread may.
SiltStatus silt_uplift(const SiltLattice *lattice, const SiltUplift *uplift, const SiltCrestLine *crest,
                       const SiltTally *tally, const SiltTally *counts);

// How far the region of one uplift grows, as a fraction of the spread. With q even in 0..1, many uplifts
// leave the height (1 - d) / (1 + (s - 1) d) at the distance d: a cone for sharpness s = 1, a spire above, a
// dome below.
static inline double silt_uplift_reach(double q, double sharpness)
{
    return q / (q + sharpness * (1.0 - q));
}

// How many lines cut the map into `polygons` polygons at the most: the smallest n with
// (n^2 + n + 2) / 2 >= polygons (Fritz eq. 4.1).
int silt_cuts_for_polygons(int polygons);

#endif
