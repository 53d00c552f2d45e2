// Colours and measures of the window, dark and light.
#ifndef SILT_VIEW_THEME_H
#define SILT_VIEW_THEME_H

#include <gtk/gtk.h>
#include <stdbool.h>

void theme_install(bool dark);
void theme_set_dark(bool dark);
bool theme_is_dark(void);

#endif
