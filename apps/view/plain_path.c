#include "plain_path.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

static bool fits_any(const char *path, const char *patterns)
{
    char **each = g_strsplit(patterns, " ", 0), *name = g_ascii_strdown(path, -1);
    bool fits = false;
    for (int k = 0; each[k] && !fits; k++)
        fits = each[k][0] && g_pattern_match_simple(each[k], name);
    g_strfreev(each);
    g_free(name);
    return fits;
}

char *plain_path(const char *path, const char *offered, const char *patterns)
{
    if (!offered || !offered[0] || !g_str_has_suffix(path, offered))
        return g_strdup(path);
    char *shorter = g_strndup(path, strlen(path) - strlen(offered));
    if (patterns && fits_any(shorter, patterns) && !g_file_test(shorter, G_FILE_TEST_EXISTS))
        return shorter;
    g_free(shorter);
    return g_strdup(path);
}
