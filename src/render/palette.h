// Colour ramps as textures.
#ifndef SILT_RENDER_PALETTE_H
#define SILT_RENDER_PALETTE_H
#ifdef SILT_HAS_GL

#include "render/gl.h"
#include "render/scale.h"

// The colours of a scale in linear light, and how much they cover; without a scale those of heights in an
// atlas.
void silt_palette_upload(GLuint *texture, const SiltScale *scale);
// From clear water to water full of mud.
void silt_palette_water(GLuint *texture);

#endif
#endif
