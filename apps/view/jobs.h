// Before and after; and films, which other threads make while the window goes on.
#ifndef SILT_VIEW_JOBS_H
#define SILT_VIEW_JOBS_H

#include "view.h"

// The land before the stage that is picked on the left, as it is on the right; again: no comparison.
void act_compare(View *view, int value);
bool is_compared(const View *view, int value);
// For view_take_news: what player_before has brought; the comparison takes it.
void compare_take(View *view, SiltTerrain *before);
// For view_changed and view_select: another stage is picked, or the recipe is another one.
void compare_follow(View *view);
// For land.c: the line between the two is dragged. In widget pixels; true: taken.
bool compare_press(View *view, double x, double width);
void compare_drag(View *view, double x, double width);
void compare_release(View *view);

// Asks where to and makes a film: of the run from its beginning to where it is, or once round the land. While
// one is made: stops it.
void act_film(View *view, int turntable);
bool is_filming(const View *view, int value);
void jobs_end(View *view); // the window closes: films stop, and are waited for

#define JOB_ACTIONS(G)                                                                                       \
    {G, "compare", "Before and after the picked stage", "y", act_compare, 0, is_compared, NULL},             \
        {G, "film", "Film of the run", "<Control><Shift>f", act_film, 0, is_filming, NULL},                  \
        {G, "turntable", "Film once round the land", "<Control><Shift>t", act_film, 1, NULL, NULL},

#endif
