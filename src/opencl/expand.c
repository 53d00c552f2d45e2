// Puts what a program for a device includes in its place.
#include <stdio.h>
#include <string.h>

#include "opencl/device.h"
#include "opencl/sources.h"
#include "silt/text.h"

enum { DEEPEST = 16 };

const char *silt_source_find(const char *path)
{
    for (int k = 0; k < silt_source_count; k++)
        if (strcmp(silt_sources[k].path, path) == 0)
            return silt_sources[k].text;
    return NULL;
}

// The path between the quotes of an include, as it is or beside the file that includes it; else NULL.
static const char *find_included(const char *line, const char *folder, char path[SILT_PATH_SIZE])
{
    static const char word[] = "#include \"";
    if (strncmp(line, word, sizeof word - 1) != 0)
        return NULL;
    const char *name = line + sizeof word - 1;
    int length = (int)strcspn(name, "\"\n");
    snprintf(path, SILT_PATH_SIZE, "%.*s", length, name);
    const char *text = silt_source_find(path);
    if (text)
        return text;
    snprintf(path, SILT_PATH_SIZE, "%s%.*s", folder, length, name);
    return silt_source_find(path);
}

// Headers keep themselves from being read twice, so each include may be put in its place.
static void expand(SiltText *out, const char *text, const char *folder, int depth)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char path[SILT_PATH_SIZE];
        const char *included = depth < DEEPEST ? find_included(text, folder, path) : NULL;
        if (included) {
            char below[SILT_PATH_SIZE];
            const char *slash = strrchr(path, '/');
            snprintf(below, sizeof below, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
            expand(out, included, below, depth + 1);
        } else {
            silt_text_addf(out, "%.*s\n", (int)length, text);
        }
        text += length + (text[length] == '\n');
    }
}

char *silt_source_expand(const char *text)
{
    SiltText out = {0};
    expand(&out, text, "", 0);
    return silt_text_take(&out);
}
