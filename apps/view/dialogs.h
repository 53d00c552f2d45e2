// Dialogs that ask for a file.
#ifndef SILT_VIEW_DIALOGS_H
#define SILT_VIEW_DIALOGS_H

#include "view.h"

// The dialog for what `accept` says ("_Open"); the program keeps it, with its folder and what was added to
// it. NULL: it is open already.
GtkFileChooserNative *dialogs_file(View *view, const char *title, GtkFileChooserAction action,
                                   const char *accept);
bool dialogs_is_new(GtkFileChooserNative *dialog); // it has not been shown yet
// Where it is new.
void dialogs_add_filter(GtkFileChooserNative *dialog, const char *name, const char *patterns);
// Shows it; `answer(dialog, response, user)` comes once, unless `owner` has gone by then.
void dialogs_ask(GtkFileChooserNative *dialog, GCallback answer, gpointer user, GObject *owner);
// Offers a name for a file to be written whose name may end with any of the patterns ("*.obj *.ply").
void dialogs_suggest(GtkFileChooserNative *dialog, const char *name, const char *patterns);
// The path that was chosen, if it was; the caller frees it.
char *dialogs_path(GtkNativeDialog *dialog, int response);

// A question of a sentence or two, to which buttons are added, and its end.
GtkWidget *dialogs_question(View *view, const char *title, const char *text);
void dialogs_end_question(GtkDialog *dialog);

// What GTK 4.8 must not be given in a list of files. Its menu opens at the row that is picked, wherever that
// has been scrolled to, also when the right button is pressed where there is no row; and Ctrl+F opens a
// second search inside the list, which GTK hangs into the wrong place. Typing searches.
bool dialogs_refuse_click(GtkWidget *window, GtkWidget *at, double x, double y);
bool dialogs_refuse_key(GtkWidget *focus, guint key, GdkModifierType modifiers);

#endif
