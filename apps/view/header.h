// The bar at the top: menu, stages, undo, title, looks and export.
#ifndef SILT_VIEW_HEADER_H
#define SILT_VIEW_HEADER_H

#include "view.h"

void header_make(View *view);
void header_refresh(View *view); // what undo and redo would do

#endif
