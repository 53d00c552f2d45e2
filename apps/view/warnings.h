// What the library has to say of a land that it makes all the same: an 8-bit heightmap, a size that is
// guessed, a run without water. Each sentence is shown once for a recipe, after what is said already.
#ifndef SILT_VIEW_WARNINGS_H
#define SILT_VIEW_WARNINGS_H

#include "view.h"

void warnings_begin(View *view);
void warnings_forget(View *view);    // another recipe: all may be said anew
bool warnings_show_next(View *view); // false: nothing waits
// A run whose water never comes looks like one that does not play.
void warnings_watch(View *view, const PlayerState *state);
const char *warnings_last(void); // that was shown; "" before
void warnings_end(View *view);

#endif
