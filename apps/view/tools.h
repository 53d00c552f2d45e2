// What a hand can do on the land: brushes, lines for ridges and rivers, sources with handles, a transect. On
// a live run it goes to the player; else into a `brush` stage of the recipe.
#ifndef SILT_VIEW_TOOLS_H
#define SILT_VIEW_TOOLS_H

#include "view.h"

// Brushes are tools too: SiltBrush from 0 on.
enum { TOOL_NONE = -1, TOOL_SOURCE = 64, TOOL_TRANSECT };

Tools *tools_create(View *view);
void tools_destroy(Tools *tools);
GtkWidget *tools_bar(Tools *tools); // lies over the land, at the bottom in the middle
void tools_choose(Tools *tools, int tool);
int tools_chosen(const Tools *tools);
bool tools_cancel(Tools *tools); // Escape; true: it let go of something
void tools_refresh(Tools *tools, const PlayerState *state);

// Places in pixels of the picture, as silt_viewer_pick has them. True: taken, the camera stays. Pressure is
// that of a pen, 0 to 1; 1 for a mouse.
bool tools_press(Tools *tools, double x, double y, GdkModifierType keys, double pressure);
void tools_move(Tools *tools, double x, double y, double pressure);
void tools_release(Tools *tools, double x, double y);
void tools_hover(Tools *tools, double x, double y, bool inside);
// Ctrl: the radius; Shift: the strength, or the rate of the source under the pointer. Up makes more.
bool tools_scroll(Tools *tools, double dy, GdkModifierType keys);
// Removes the source that is chosen; false: none is.
bool tools_delete(Tools *tools);
// Marks of the brush, the sources and the line; called after something else has changed under them.
void tools_mark(Tools *tools);

#endif
