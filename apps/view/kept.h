#ifndef SILT_VIEW_KEPT_H
#define SILT_VIEW_KEPT_H

#include "view.h"

// Of a run that was kept the land is shown, which stands still: says so, how far the run had come, and the
// command that goes on with it. Of other files nothing.
void kept_tell(View *view, const char *path);

#endif
