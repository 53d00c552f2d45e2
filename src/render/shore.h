// How far the rock is from each place of the sea: what foam needs to know.
#ifndef SILT_RENDER_SHORE_H
#define SILT_RENDER_SHORE_H
#ifdef SILT_HAS_GL

#include "render/clip.h"
#include "render/facets.h"

// A map of metres over the clip's box, at the height of its sea, which the clip then knows of.
SiltStatus silt_shore_set(GLuint *map, const SiltFacets *facets, SiltClip *clip);

#endif
#endif
