// Menus and lists that open from a widget. GTK 4.8 complains where one opens at a widget that lies on no
// screen, comes to lie there, or outlives what it belongs to.
#ifndef SILT_VIEW_MENUS_H
#define SILT_VIEW_MENUS_H

#include "view.h"

// Before widgets go or shrink that may have a menu open.
void menus_close(View *view);
// What is scrolled stays where it is while a menu of it is open; one that cannot stay there closes.
void menus_watch_scroller(GtkWidget *scroller);
// A key that opens a menu where the keyboard is: what has been scrolled away is brought back first. True: the
// key has been used.
bool menus_take_key(GtkWidget *focus, guint key, GdkModifierType modifiers);
// The same for what is inside a popover, whose keys the window does not hear.
void menus_watch_keys(GtkWidget *popover);
// All windows, dialogs too, those that come later as well. Once.
void menus_watch_windows(void);

#endif
