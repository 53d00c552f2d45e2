// What `rmp` and `range` share: many uplifts along one line, each over random polygons of its own.
#ifndef SILT_GENERATE_MASSIF_H
#define SILT_GENERATE_MASSIF_H

#include "generate/uplift.h"
#include "silt/terrain.h"

typedef struct SiltMassif {
    const char *name; // of the generator, for messages and progress
    uint32_t stream;
    double from[2], to[2]; // fractions of the map, eastwards and southwards
    double height;         // m, on the line
    double spread;         // m from the line to the foot
    double sharpness;
    double smooth; // m
    double variation;
    double wander, ridges;
    bool keep_peak; // `from` keeps its height exactly when edges are softened
    int polygons, complexity, iterations;
} SiltMassif;

// Sets the terrain's height.
SiltStatus silt_massif_raise(SiltTerrain *terrain, const SiltMassif *massif, const SiltRun *run);

#endif
