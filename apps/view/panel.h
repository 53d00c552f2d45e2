// The parameters of the picked entry, made from their tables.
#ifndef SILT_VIEW_PANEL_H
#define SILT_VIEW_PANEL_H

#include "param_row.h"
#include "view.h"

Panel *panel_create(View *view);
GtkWidget *panel_widget(Panel *panel);
// The values as they are now; other rows where another entry is picked.
void panel_refresh(Panel *panel);
// Brings a parameter into sight and the keyboard to it.
bool panel_reveal(Panel *panel, const char *name);
ParamRow *panel_row(Panel *panel, const char *name); // NULL: there is none
// A live parameter was changed in the run that plays: shown in place of the recipe's value.
void panel_forget_live(Panel *panel);
void panel_destroy(Panel *panel);

#endif
