// The maps every model leaves behind, under one naming.
#ifndef SILT_ERODE_MAPS_H
#define SILT_ERODE_MAPS_H

#include "silt/terrain.h"

// What SiltModel.makes says of a model that leaves them all.
#define SILT_MAPS_MADE "water sediment deposit wear deposition flow speed wetness"

typedef struct SiltMaps {
    SiltField *change;     // m: what became of the ground
    SiltField *water;      // m deep now
    SiltField *sediment;   // m of rock in the water now
    SiltField *deposit;    // m of loose material on the rock
    SiltField *wear;       // m taken off in the run, all told
    SiltField *deposition; // m laid down in the run, all told
    SiltField *flow;       // m3/s through the cell, mean over the run
    SiltField *speed;      // m/s of the water now
    SiltField *wetness;    // s under more than a millimetre of water
} SiltMaps;

// Finds the layers, making those that are missing.
SiltStatus silt_maps_require(SiltTerrain *terrain, SiltMaps *maps);

#endif
