#include "io/stale.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "silt/base.h"

void silt_stale_mark(int descriptor)
{
    flock(descriptor, LOCK_EX | LOCK_NB); // where there are no locks, nothing is removed but what is old
}

static bool is_temporary(const char *name)
{
    const size_t whole = sizeof SILT_TEMPORARY - 1, head = whole - 6;
    size_t length = strlen(name);
    return length > whole && strncmp(name + length - whole, SILT_TEMPORARY, head) == 0;
}

// Whoever writes it has locked it; a moment passes between making and locking it.
static bool is_abandoned(int folder, const char *name)
{
    enum { MOMENT = 2 };
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
        time(NULL) - info.st_ctime < MOMENT)
        return false;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool is_free = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    return is_free;
}

static void clear_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_temporary(entry->d_name) && is_abandoned(dirfd(entries), entry->d_name))
            unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
}

void silt_stale_remove(const char *path)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char last[SILT_PATH_SIZE];
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
    pthread_mutex_lock(&lock);
    bool is_new = strcmp(folder, last) != 0;
    if (is_new)
        strcpy(last, folder);
    pthread_mutex_unlock(&lock);
    if (is_new)
        clear_folder(folder);
}
