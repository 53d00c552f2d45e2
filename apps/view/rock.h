// The surface of a volume that is shown, kept so that it can leave as a mesh.
#ifndef SILT_VIEW_ROCK_H
#define SILT_VIEW_ROCK_H

#include "view.h"

// Keeps a copy of what a run shows, once a second at the most; NULL: there is no volume any more.
void rock_keep(View *view, const SiltMesh *surface);
// A copy for a thread that writes it. False: there is no volume, or no memory.
bool rock_copy(const View *view, SiltMesh *out);

#endif
