// Files that are read and whose place nothing takes: the list that silt_output_begin and silt_file_check ask.
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"

typedef struct Held {
    struct Held *next;
    dev_t device;
    ino_t file;
    char *name, *place; // as it was named; links followed
} Held;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Held *all;

static void free_held(Held *held)
{
    silt_free(held->name);
    silt_free(held->place);
    silt_free(held);
}

static bool is_held(const struct stat *info, const char *place, const Held *held)
{
    // the place too: whoever edits a file puts another in its place
    return (info && info->st_dev == held->device && info->st_ino == held->file) ||
           strcmp(place, held->place) == 0;
}

static SiltStatus hold(const char *path)
{
    struct stat info;
    char place[PATH_MAX];
    void *block;
    // a pipe or a device takes all that is written to it
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || !silt_path_resolve(path, place))
        return SILT_OK;
    SiltStatus status = silt_alloc_for(path, 1, sizeof(Held), &block);
    if (status != SILT_OK)
        return status;
    Held *held = block;
    *held = (Held){.device = info.st_dev, .file = info.st_ino};
    held->name = silt_strdup(path);
    held->place = silt_strdup(place);
    if (!held->name || !held->place) {
        free_held(held);
        return silt_fail_memory(path, (double)strlen(place));
    }
    pthread_mutex_lock(&lock);
    held->next = all;
    all = held;
    pthread_mutex_unlock(&lock);
    return SILT_OK;
}

SiltStatus silt_inputs_hold(const char *path)
{
    char beside[SILT_PATH_SIZE];
    SiltStatus status = hold(path);
    for (int k = 0; status == SILT_OK && silt_path_beside(path, k, beside); k++)
        status = hold(beside);
    return status;
}

void silt_inputs_release(void)
{
    pthread_mutex_lock(&lock);
    while (all) {
        Held *next = all->next;
        free_held(all);
        all = next;
    }
    pthread_mutex_unlock(&lock);
}

bool silt_input_is_held(const struct stat *info)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const Held *held = all; held && !found; held = held->next)
        found = is_held(info, "", held);
    pthread_mutex_unlock(&lock);
    return found;
}

SiltStatus silt_input_spare(const char *path)
{
    struct stat info;
    char place[PATH_MAX] = "";
    SiltStatus status = SILT_OK;
    pthread_mutex_lock(&lock);
    bool is_there = all && stat(path, &info) == 0;
    if (is_there)
        silt_path_resolve(path, place);
    for (const Held *held = is_there ? all : NULL; held && status == SILT_OK; held = held->next)
        if (is_held(&info, place, held))
            status = silt_fail(SILT_BAD_ARGUMENT,
                               "%s: would take the place of what is read, %s; name another file", path,
                               held->name);
    pthread_mutex_unlock(&lock);
    return status;
}

// ---- what lies beside a file ----

bool silt_path_beside(const char *path, int index, char out[SILT_PATH_SIZE])
{
    static const char *const samples[] = {".raw", ".r16", ".r32", ".bin"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    bool has_header = false;
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++)
        has_header = has_header || silt_ends_with(path, samples[k]);
    if (!has_header || index < 0 || index > 1)
        return false;
    int length = index == 0 ? (int)(dot - path) : (int)strlen(path);
    return snprintf(out, SILT_PATH_SIZE, "%.*s.hdr", length, path) < SILT_PATH_SIZE;
}
