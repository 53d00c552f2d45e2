// The line a range rises along: a straight one, or one that wanders.
#ifndef SILT_GENERATE_CREST_H
#define SILT_GENERATE_CREST_H

#include <stdint.h>

enum { SILT_CREST_POINTS = 33 };

typedef struct SiltCrestLine {
    double x[SILT_CREST_POINTS], y[SILT_CREST_POINTS]; // cells
} SiltCrestLine;

// From (x0, y0) to (x1, y1), in cells, by halving: each new middle point moves across the line by at most
// `wander` times the length of the piece.
void silt_crest_init(SiltCrestLine *crest, double x0, double y0, double x1, double y1, double wander,
                     uint64_t seed, uint32_t stream, uint64_t number);

#endif
