// Rock that is cut open, to look into caves: from the east, the north or above. By sliders under Look, and by
// balls in the cuts that are dragged.
#ifndef SILT_VIEW_CUT_H
#define SILT_VIEW_CUT_H

#include "view.h"

bool cut_has_rock(const View *view); // there is a volume, at rest or as it runs
GtkWidget *cut_sliders(View *view);
// A share of the land is cut away from the side of an axis: 0 east, 1 north, 2 above.
void cut_set(View *view, int axis, double share);
void cut_forget(View *view);         // another recipe has its own look
void act_cut(View *view, int value); // cuts it open towards the eye, or closes it again
bool is_cut(const View *view, int value);

// Balls in the cuts there are; how many.
int cut_marks(const View *view, SiltMark *marks, int room);
// By pixels of the land's picture. False: no ball is there.
bool cut_press(View *view, double x, double y);
void cut_drag(View *view, double x, double y);

#endif
