// Menus and lists that open from a widget. GTK 4.8 complains where one opens at a widget that lies on no
// screen, comes to lie there, or outlives what it belongs to.
#ifndef SILT_VIEW_MENUS_H
#define SILT_VIEW_MENUS_H

#include "view.h"

// Closes all that is open in the window: before widgets shrink, or another window opens.
void menus_close(View *view);
// Before the widgets of a part of the window go: nothing of them is open, and none has the keyboard, which
// GTK would leave there until the next picture.
void menus_leave(View *view, GtkWidget *part);
bool menus_have_keyboard(const View *view, GtkWidget *part);
// As though the button of a menu or list had been pressed: not where no screen shows it, and what has been
// scrolled away is brought back first.
void menus_open(GtkWidget *button);
// What is scrolled stays where it is while a menu of it is open; one that cannot stay there closes.
void menus_watch_scroller(GtkWidget *scroller);
// A key that opens a menu where the keyboard is: what has been scrolled away is brought back first. True: the
// key has been used.
bool menus_take_key(GtkWidget *focus, guint key, GdkModifierType modifiers);
// The same for what is inside a popover, whose keys the window does not hear.
void menus_watch_keys(GtkWidget *popover);
// A button whose menu or list has no tail: one is black where the screen cannot blend windows.
void menus_cut_tail(GtkWidget *button);
// All windows, dialogs too, those that come later as well. Once.
void menus_watch_windows(void);

#endif
