#ifndef SILT_VIEW_KEPT_H
#define SILT_VIEW_KEPT_H

#include "view.h"

// The recipe of a run that was kept, and the stage at hand; NULL where the file is none, or its run cannot go
// on in a window.
SiltStack *kept_open(const char *path, int *stage);
// Says that such a run waits, and how far it had come.
void kept_tell_run(View *view, const char *path);
// Of one that cannot go on here the land is shown, which stands still: says so, how far the run had come, and
// the command that goes on with it. Of other files nothing.
void kept_tell_land(View *view, const char *path);

#endif
