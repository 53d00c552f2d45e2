// What a height field leaves open of the sky, and how it slopes: the same bytes everywhere, for pictures,
// masks and the colours of meshes.
#ifndef SILT_TERRAIN_SKY_H
#define SILT_TERRAIN_SKY_H

#include "silt/terrain.h"

// The part of the sky that the surroundings leave open, 0 to 1.
SiltStatus silt_light_sky(const SiltField *height, float cell, float rise, SiltField *out);
// The same for `count` rows from the `first` on.
SiltStatus silt_light_sky_rows(const SiltField *height, float cell, float rise, int first, int count,
                               SiltField *out);

// Rise over run east and south at one cell, by Horn's weights; the border cells repeat outwards.
void silt_light_slope(const SiltField *height, float scale, int i, int j, float *east, float *south);

#endif
