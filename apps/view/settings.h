// What the window remembers from one start to the next, in a small file in the user's configuration folder.
#ifndef SILT_VIEW_SETTINGS_H
#define SILT_VIEW_SETTINGS_H

#include "view.h"

enum { MOST_RECENT = 10 };

// Sizes, theme and look of a new window.
void settings_load(View *view);
void settings_store(View *view);
// "dark" or "light".
bool settings_is_dark(void);
void settings_set_dark(bool dark);
// Paths of the last recipes and terrains, newest first; the caller frees it with g_strfreev.
char **settings_recent(void);
void settings_add_recent(const char *path);
// "shown": whether the welcome was closed for good.
bool settings_flag(const char *name);
void settings_set_flag(const char *name, bool value);
// "device": where models work; NULL where nothing was chosen. The caller frees it.
char *settings_text(const char *name);
void settings_set_text(const char *name, const char *text);

#endif
