// A coloured hill-shade drawn on the CPU: no GL, the same bytes everywhere.
#ifndef SILT_RENDER_HILLSHADE_H
#define SILT_RENDER_HILLSHADE_H

#include "silt/render.h"

// The image is one pixel a cell and already allocated.
SiltStatus silt_hillshade(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *image);

#endif
