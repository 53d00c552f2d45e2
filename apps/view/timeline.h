// The time line: play, step, reset, pace, and the steps of a live run with the moments that were kept.
#ifndef SILT_VIEW_TIMELINE_H
#define SILT_VIEW_TIMELINE_H

#include "view.h"

Timeline *timeline_create(View *view);
void timeline_destroy(Timeline *timeline);
GtkWidget *timeline_widget(Timeline *timeline);
void timeline_refresh(Timeline *timeline, const PlayerState *state);
void timeline_change_pace(Timeline *timeline, int direction); // slower below 0, faster above

#endif
