// How easily regions grow in each place: the same for all the polygons drawn there, so that spurs and valleys
// of one region fall on those of the next. Growth runs ahead where it is easy and ridges form there; where
// two branches meet late, a valley is left.
#ifndef SILT_GENERATE_RESISTANCE_H
#define SILT_GENERATE_RESISTANCE_H

#include <stdint.h>

enum { SILT_RESISTANCE_OCTAVES = 4, SILT_RESISTANCE_SIDE = 64 };

typedef struct SiltResistance {
    double strength; // how much slower growth is in the hardest places than in middling ones, and how much
                     // faster in the easiest; 0: alike everywhere
    double turn[SILT_RESISTANCE_OCTAVES][4];  // per cell of the map, to the noise's own axes
    double shift[SILT_RESISTANCE_OCTAVES][2]; // at a place and angle of its own in each octave
    float value[SILT_RESISTANCE_OCTAVES][SILT_RESISTANCE_SIDE][SILT_RESISTANCE_SIDE];
} SiltResistance;

// `size` is the size of the largest features in cells.
void silt_resistance_init(SiltResistance *resistance, double strength, double size, uint64_t seed,
                          uint32_t stream);

// The time it takes to cross a cell at (x, y), in cells: about 1.
double silt_resistance_at(const SiltResistance *resistance, double x, double y);

#endif
