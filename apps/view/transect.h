// A line drawn on the land, and heights, water and what lies over the land along it, plotted.
#ifndef SILT_VIEW_TRANSECT_H
#define SILT_VIEW_TRANSECT_H

#include "view.h"

typedef struct Transect Transect;

Transect *transect_create(View *view);
void transect_destroy(Transect *transect);
GtkWidget *transect_widget(Transect *transect); // lies over the land; hidden until there is a line
// From place to place, metres east and north of the south-western corner.
void transect_set(Transect *transect, const double from[2], const double to[2]);
void transect_clear(Transect *transect);
bool transect_line(const Transect *transect, double from[2], double to[2]); // false: there is none
void transect_fit(Transect *transect, int room);                            // pixels that there are for it
void transect_refresh(Transect *transect);                                  // the land has changed

#endif
