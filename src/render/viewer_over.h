// What lies over a viewer's picture: marks, the legend, and the line of a wipe. A context must be current.
#ifndef SILT_RENDER_VIEWER_OVER_H
#define SILT_RENDER_VIEWER_OVER_H

#include "render/viewer_state.h"

SiltStatus silt_viewer_draw_over(SiltViewer *viewer, unsigned framebuffer);
void silt_viewer_drop_over(SiltViewer *viewer, bool context_is_current);

// The legend that the options ask for, onto a picture; false: there is none, or no room for it.
bool silt_viewer_add_legend(const SiltViewer *viewer, const SiltImage *image, bool dark);

#endif
