// The card over the land at the start: one line of help, four doors, what was open before. And the gallery
// behind two of the doors.
#ifndef SILT_VIEW_WELCOME_H
#define SILT_VIEW_WELCOME_H

#include "view.h"

Welcome *welcome_create(View *view);
GtkWidget *welcome_widget(Welcome *welcome);
void welcome_open(Welcome *welcome);
void welcome_close(Welcome *welcome);
bool welcome_is_open(const Welcome *welcome);
void welcome_destroy(Welcome *welcome);

#endif
