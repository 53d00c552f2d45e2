// Before and after, and what is written from what is seen: pictures, films, turntables.
#ifndef SILT_VIEW_JOBS_H
#define SILT_VIEW_JOBS_H

#include "view.h"

void act_compare(View *view, int value);
bool is_compared(const View *view, int value);
void act_film(View *view, int turntable); // asks where to, and films from then on; again: ends the film
void act_screenshot(View *view, int value);

// For land.c: the wipe of a comparison under the pointer is dragged. True: taken.
bool compare_press(View *view, double x, double width);
void compare_drag(View *view, double x, double width);
void compare_release(View *view);
// For view_take_news: a frame of the film, when one is being made and the land has changed.
void jobs_take_frame(View *view);
void jobs_end(View *view); // the window closes

#endif
