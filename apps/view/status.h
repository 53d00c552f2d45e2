// Below the land: what is going on, and books that balance.
#ifndef SILT_VIEW_STATUS_H
#define SILT_VIEW_STATUS_H

#include "view.h"

Status *status_create(View *view);
GtkWidget *status_widget(Status *status);
void status_refresh(Status *status, const PlayerState *state);
void status_destroy(Status *status);

#endif
