// One line of air on its way over a terrain.
#ifndef SILT_TERRAIN_RAIN_H
#define SILT_TERRAIN_RAIN_H

#include "silt/rain.h"

// Water in a column of air, as a share of the vapour it arrives with.
typedef struct SiltAir {
    double vapour, cloud, drops;
} SiltAir;

// Air as it has come over flat land.
SiltAir silt_air_arrives(const SiltRainOptions *options);

// Takes the air `step` metres on, over ground that rises by `rise` metres; returns the share that rains out.
// Nothing is lost: it is what the air has less.
double silt_air_moves(SiltAir *air, const SiltRainOptions *options, double rise, double step);

#endif
