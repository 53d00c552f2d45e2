// Marks as triangles in pixels of the picture, from its upper left.
#ifndef SILT_RENDER_VIEWER_MARKS_H
#define SILT_RENDER_VIEWER_MARKS_H

#include "render/viewer_state.h"

// Those of the viewer as it stands now.
SiltStatus silt_viewer_ink(const SiltViewer *viewer, SiltInk *ink);

#endif
