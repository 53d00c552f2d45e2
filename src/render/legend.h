// What the colours of an overlay mean.
#ifndef SILT_RENDER_LEGEND_H
#define SILT_RENDER_LEGEND_H

#include "render/scale.h"
#include "silt/render.h"

// A bar with round numbers, in the lower right corner; pictures too small for it stay as they are (false).
bool silt_legend_draw(const SiltImage *image, const char *layer, const char *unit, const SiltScale *scale,
                      bool dark);
// The same in the upper right corner, below `row` others.
bool silt_legend_draw_below(const SiltImage *image, const char *layer, const char *unit,
                            const SiltScale *scale, int row);

// Rows of pixels that a legend and the space around it take in a picture of this size; 0: there is no room.
int silt_legend_strip(int width, int height);

#endif
