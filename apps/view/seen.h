// Which land is seen: the end of the recipe, or what one of its stages leaves. A line over the land says so
// where it is not the end, with the way there; the row of the stage has an eye.
#ifndef SILT_VIEW_SEEN_H
#define SILT_VIEW_SEEN_H

#include "view.h"

Seen *seen_create(View *view);
void seen_destroy(Seen *seen);
GtkWidget *seen_widget(Seen *seen);

// The player was asked for the land after so many stages (-1: all) by the call of this number ...
void seen_ask(View *view, uint64_t number, int stages);
// ... and now it is shown.
void seen_take(View *view, uint64_t number);
// What the line says; a run that is live is seen at its stage.
void seen_refresh(Seen *seen, const PlayerState *state);

// "after stage 5 of 17, rivers" where the land in sight is not the end; NULL: it is. The caller frees it.
char *seen_text(const View *view);
// How many stages the land that is seen has been through; -1: all.
int seen_stages(const View *view);
// Whether nothing that comes after so many stages changes the land.
bool seen_is_end(const View *view, int stages);

#endif
