// Where windows lie on the screen, as far as programs can know (X11). GTK 4.8 complains of whatever opens at
// a place that no screen shows.
#ifndef SILT_VIEW_SCREEN_H
#define SILT_VIEW_SCREEN_H

#include <stdbool.h>

#include <gtk/gtk.h>

// A part of the widget that is at least a pixel wide lies on a screen; true where nobody can know.
bool screen_shows(GtkWidget *widget);
// Where nobody manages windows GTK drags them itself, as far beyond the edge as the pointer goes: they stay
// on the screen, dialogs too. Once.
void screen_keep_windows(void);

#endif
