// The settings: a GKeyFile that is read at every question and written at every change, so that two windows
// agree.
#include "settings.h"

#include <string.h>

#define GROUP "window"

static char *settings_path(void)
{
    return g_build_filename(g_get_user_config_dir(), "silt", "window.ini", NULL);
}

static GKeyFile *open_settings(void)
{
    GKeyFile *file = g_key_file_new();
    char *path = settings_path();
    g_key_file_load_from_file(file, path, G_KEY_FILE_KEEP_COMMENTS, NULL); // none yet: an empty one
    g_free(path);
    return file;
}

// Settings that cannot be written (a full disk, a folder of someone else's) are lost without a word: nobody's
// work hangs on them.
static void close_settings(GKeyFile *file)
{
    char *path = settings_path(), *folder = g_path_get_dirname(path);
    if (g_mkdir_with_parents(folder, 0700) == 0)
        g_key_file_save_to_file(file, path, NULL);
    g_free(folder);
    g_free(path);
    g_key_file_free(file);
}

static int number(GKeyFile *file, const char *key, int low, int high, int usual)
{
    GError *error = NULL;
    int value = g_key_file_get_integer(file, GROUP, key, &error);
    if (error) {
        g_error_free(error);
        return usual;
    }
    return CLAMP(value, low, high);
}

void settings_load(View *view)
{
    GKeyFile *file = open_settings();
    int width = number(file, "width", 480, 16384, 1280), height = number(file, "height", 360, 16384, 800);
    gtk_window_set_default_size(view->window, width, height);
    if (g_key_file_get_boolean(file, GROUP, "maximized", NULL))
        gtk_window_maximize(view->window);
    view->look.look = number(file, "look", 0, SILT_LOOK_SOIL, SILT_LOOK_LAND);
    view->look.shadows = number(file, "shadows", 0, 1, 1) != 0;
    view->look.legend = number(file, "legend", 0, 1, 1) != 0;
    g_key_file_free(file);
}

void settings_store(View *view)
{
    GKeyFile *file = open_settings();
    int width, height;
    bool maximized = gtk_window_is_maximized(view->window) || gtk_window_is_fullscreen(view->window);
    gtk_window_get_default_size(view->window, &width, &height);
    if (!maximized && width > 0 && height > 0) {
        g_key_file_set_integer(file, GROUP, "width", width);
        g_key_file_set_integer(file, GROUP, "height", height);
    }
    g_key_file_set_boolean(file, GROUP, "maximized", gtk_window_is_maximized(view->window));
    g_key_file_set_integer(file, GROUP, "look", view->look.look);
    g_key_file_set_integer(file, GROUP, "shadows", view->look.shadows);
    g_key_file_set_integer(file, GROUP, "legend", view->look.legend);
    close_settings(file);
}

bool settings_is_dark(void)
{
    GKeyFile *file = open_settings();
    char *theme = g_key_file_get_string(file, GROUP, "theme", NULL);
    bool dark = !theme || strcmp(theme, "light") != 0;
    g_free(theme);
    g_key_file_free(file);
    return dark;
}

void settings_set_dark(bool dark)
{
    GKeyFile *file = open_settings();
    g_key_file_set_string(file, GROUP, "theme", dark ? "dark" : "light");
    close_settings(file);
}

char **settings_recent(void)
{
    GKeyFile *file = open_settings();
    char **paths = g_key_file_get_string_list(file, GROUP, "recent", NULL, NULL);
    g_key_file_free(file);
    return paths ? paths : g_new0(char *, 1);
}

void settings_add_recent(const char *path)
{
    char **before = settings_recent(), *full = g_canonicalize_filename(path, NULL);
    const char *paths[MOST_RECENT] = {full};
    gsize count = 1;
    for (int k = 0; before[k] && count < MOST_RECENT; k++)
        if (strcmp(before[k], full) != 0)
            paths[count++] = before[k];
    GKeyFile *file = open_settings();
    g_key_file_set_string_list(file, GROUP, "recent", paths, count);
    close_settings(file);
    g_strfreev(before);
    g_free(full);
}

bool settings_flag(const char *name)
{
    GKeyFile *file = open_settings();
    bool value = g_key_file_get_boolean(file, GROUP, name, NULL);
    g_key_file_free(file);
    return value;
}

void settings_set_flag(const char *name, bool value)
{
    GKeyFile *file = open_settings();
    g_key_file_set_boolean(file, GROUP, name, value);
    close_settings(file);
}

char *settings_text(const char *name)
{
    GKeyFile *file = open_settings();
    char *text = g_key_file_get_string(file, GROUP, name, NULL);
    g_key_file_free(file);
    return text;
}

void settings_set_text(const char *name, const char *text)
{
    GKeyFile *file = open_settings();
    g_key_file_set_string(file, GROUP, name, text);
    close_settings(file);
}
