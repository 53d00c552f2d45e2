#include "io/written.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/company.h"
#include "core/memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of all lists: blocks of a loop share one

static atomic_bool any;
static _Thread_local bool hiding;

bool silt_written_any(void)
{
    return atomic_load(&any);
}

void silt_written_begin(SiltWritten *list)
{
    *list = (SiltWritten){.outer = silt_company()};
    silt_company_set(list);
}

void silt_written_end(SiltWritten *list)
{
    silt_company_set(list->outer);
}

void silt_written_free(SiltWritten *list)
{
    for (int k = 0; k < list->count; k++)
        silt_free(list->paths[k]);
    silt_free(list->paths);
    *list = (SiltWritten){0};
}

// Where a path is, or would come.
static int place_of(const SiltWritten *list, const char *path)
{
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(list->paths[middle], path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
    int at = place_of(list, path);
    if (list->paused || list->failed || (at < list->count && strcmp(list->paths[at], path) == 0))
        return;
    char *copy = make_room(list) ? silt_strdup(path) : NULL;
    list->failed = !copy;
    if (!copy)
        return;
    memmove(list->paths + at + 1, list->paths + at, (size_t)(list->count - at) * sizeof *list->paths);
    list->paths[at] = copy;
    list->count++;
}

void silt_written_say(void)
{
    if (!hiding)
        atomic_store(&any, true);
}

void silt_written_add(SiltWritten *list, const char *path)
{
    pthread_mutex_lock(&lock);
    add(list, path);
    pthread_mutex_unlock(&lock);
}

void silt_written_note(const char *path)
{
    silt_written_say();
    pthread_mutex_lock(&lock);
    for (SiltWritten *list = silt_company(); list; list = list->outer)
        add(list, path);
    pthread_mutex_unlock(&lock);
}

SiltWritten *silt_written_hide(void)
{
    hiding = true;
    return silt_company_set(NULL);
}

void silt_written_show(SiltWritten *hidden)
{
    hiding = false;
    silt_company_set(hidden);
}
