// Files in and out of the window: opening, saving, exporting, what is kept in case of a crash, and the
// recipes that came with Silt.
#ifndef SILT_VIEW_FILES_H
#define SILT_VIEW_FILES_H

#include "view.h"

// Opens a recipe, a recipe's name or a terrain. False: it was said why, and the old land stays.
bool files_open(View *view, const char *path);
// Writes the recipe. False: it was said why.
bool files_save(View *view, const char *path);
// Asks once whether work that is not saved may go, and then does `then`.
void files_guard(View *view, void (*then)(View *view));
// Writes the land as a file by its ending, in a thread of its own; says when it is done.
void files_export(View *view, const char *path);
// A picture of the land as it is seen.
bool files_picture(View *view, const char *path, int width, int height);
void files_accept_drops(View *view);
// "alps.png" for the recipe alps.yaml; the caller frees it.
char *files_suggest_name(const View *view, const char *ending);

// ---- reach.c: what a recipe that is opened may read ----

// Whether it keeps to the current folder and its own, or is trusted; else silt_message() says what it reads.
bool reach_allows(View *view, const SiltStack *stack, const char *path);
// Asks whether the recipe that was not opened for that may read there all the same, and opens it then.
void reach_offer(View *view);

// ---- autosave.c ----

void autosave_begin(View *view);
void autosave_end(View *view); // all is saved, or may go
void autosave_write(View *view);
// What a crash has left behind; the caller frees it. NULL: nothing.
char *autosave_find(void);
// Opens it and takes it over, or throws it away.
bool autosave_recover(View *view, const char *path);
void autosave_discard(const char *path);
// A line over the window that offers it, where there is something.
void autosave_offer(View *view);

// ---- recipes that came with Silt ----

// A folder of what was installed ("recipes", "gallery"), or NULL; the caller frees it.
char *files_data_folder(const char *name);
// The path of such a recipe by its name; the caller frees it; NULL: there is none.
char *files_recipe_path(const char *name);

#endif
