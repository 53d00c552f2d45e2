// What the sun and the sky do to a height field, computed once on the CPU: the same bytes everywhere, and
// both the hill-shade and the GL renderer draw from it.
#ifndef SILT_RENDER_LIGHT_H
#define SILT_RENDER_LIGHT_H

#include "silt/render.h"

// Towards the light: east, south, up.
typedef struct SiltSun {
    float east, south, up;
} SiltSun;
SiltSun silt_sun(const SiltRenderOptions *options);

// 1 where the sun shines, 0 where the land hides it, and a soft edge between. `rise` scales heights.
SiltStatus silt_light_shadow(const SiltField *height, float cell, float rise, SiltSun sun, SiltField *out);

// The part of the sky that the surroundings leave open, 0 to 1.
SiltStatus silt_light_sky(const SiltField *height, float cell, float rise, SiltField *out);
// The same for `count` rows from the `first` on.
SiltStatus silt_light_sky_rows(const SiltField *height, float cell, float rise, int first, int count,
                               SiltField *out);

// Rise over run east and south at one cell, by Horn's weights; the border cells repeat outwards.
void silt_light_slope(const SiltField *height, float scale, int i, int j, float *east, float *south);

#endif
