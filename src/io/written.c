#include "io/written.h"

#include <string.h>

#include "core/memory.h"

static _Thread_local SiltWritten *listening;

void silt_written_begin(SiltWritten *list)
{
    *list = (SiltWritten){.outer = listening};
    listening = list;
}

void silt_written_end(SiltWritten *list)
{
    listening = list->outer;
}

void silt_written_free(SiltWritten *list)
{
    for (int k = 0; k < list->count; k++)
        silt_free(list->paths[k]);
    silt_free(list->paths);
    *list = (SiltWritten){0};
}

static bool has(const SiltWritten *list, const char *path)
{
    for (int k = 0; k < list->count; k++)
        if (strcmp(list->paths[k], path) == 0)
            return true;
    return false;
}

static bool make_room(SiltWritten *list)
{
    if (list->count < list->capacity)
        return true;
    int capacity = list->capacity ? 2 * list->capacity : 16;
    char **paths = silt_alloc((size_t)capacity * sizeof *paths);
    if (!paths)
        return false;
    if (list->count > 0)
        memcpy(paths, list->paths, (size_t)list->count * sizeof *paths);
    silt_free(list->paths);
    list->paths = paths;
    list->capacity = capacity;
    return true;
}

static void add(SiltWritten *list, const char *path)
{
    if (list->paused || list->failed || has(list, path))
        return;
    char *copy = make_room(list) ? silt_strdup(path) : NULL;
    list->failed = !copy;
    if (copy)
        list->paths[list->count++] = copy;
}

void silt_written_note(const char *path)
{
    for (SiltWritten *list = listening; list; list = list->outer)
        add(list, path);
}
