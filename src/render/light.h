// What the sun and the sky do to a height field, computed once on the CPU: the same bytes everywhere, and
// both the hill-shade and the GL renderer draw from it.
#ifndef SILT_RENDER_LIGHT_H
#define SILT_RENDER_LIGHT_H

#include "silt/render.h"
#include "terrain/sky.h"

// Towards the light: east, south, up.
typedef struct SiltSun {
    float east, south, up;
} SiltSun;
SiltSun silt_sun(const SiltRenderOptions *options);

// 1 where the sun shines, 0 where the land hides it, and a soft edge between. `rise` scales heights.
SiltStatus silt_light_shadow(const SiltField *height, float cell, float rise, SiltSun sun, SiltField *out);

#endif
