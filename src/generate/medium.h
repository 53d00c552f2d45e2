// How easily regions grow in each place: the same for all the polygons drawn there, so that spurs and valleys
// of one region fall on those of the next. Growth runs ahead where it is easy and ridges form there; where
// two branches meet late, a valley is left.
#ifndef SILT_GENERATE_MEDIUM_H
#define SILT_GENERATE_MEDIUM_H

#include <stdint.h>

enum { SILT_MEDIUM_OCTAVES = 4, SILT_MEDIUM_SIDE = 64 };

typedef struct SiltMedium {
    double strength; // how much slower growth is in the hardest places than in middling ones, and how much
                     // faster in the easiest; 0: alike everywhere
    double turn[SILT_MEDIUM_OCTAVES][4];  // per cell of the map, to the noise's own axes
    double shift[SILT_MEDIUM_OCTAVES][2]; // at a place and angle of its own in each octave
    float value[SILT_MEDIUM_OCTAVES][SILT_MEDIUM_SIDE][SILT_MEDIUM_SIDE];
} SiltMedium;

// `size` is the size of the largest features in cells.
void silt_medium_init(SiltMedium *medium, double strength, double size, uint64_t seed, uint32_t stream);

// The time it takes to cross a cell at (x, y), in cells: about 1.
double silt_medium_at(const SiltMedium *medium, double x, double y);

#endif
