// The complete list of keys, made from the table of actions.
#ifndef SILT_VIEW_KEYS_H
#define SILT_VIEW_KEYS_H

#include "view.h"

void keys_open(View *view);
void keys_close(View *view);
GtkWidget *keys_card(const View *view); // NULL: they are not shown
bool keys_are_open(const View *view);

#endif
