#include "io/stale.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/output.h"

// Waits only while somebody who clears the folder holds it.
static bool lock(int descriptor, int kind)
{
    int failed;
    do
        failed = flock(descriptor, kind);
    while (failed && errno == EINTR);
    return !failed;
}

bool silt_stale_mark(int descriptor)
{
    struct stat info;
    return !lock(descriptor, LOCK_EX) || fstat(descriptor, &info) != 0 || info.st_nlink > 0;
}

int silt_stale_keep(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0 || lock(descriptor, LOCK_SH))
        return descriptor;
    close(descriptor);
    return -1;
}

static bool is_temporary(const char *name)
{
    const size_t whole = sizeof SILT_TEMPORARY - 1, head = whole - 6;
    size_t length = strlen(name);
    return length > whole && strncmp(name + length - whole, SILT_TEMPORARY, head) == 0;
}

// Whoever writes it has locked it. Where there are no locks, nothing is removed.
static void remove_abandoned(int folder, const char *name)
{
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
        silt_input_is_held(&info)) // whose work was lost may look what is in it
        return;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

static void clear_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    bool is_kept = flock(dirfd(entries), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    for (struct dirent *entry; !is_kept && (entry = readdir(entries));)
        if (is_temporary(entry->d_name))
            remove_abandoned(dirfd(entries), entry->d_name);
    closedir(entries);
}

void silt_stale_remove(const char *path)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char last[SILT_PATH_SIZE];
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
    pthread_mutex_lock(&mutex);
    bool is_new = strcmp(folder, last) != 0;
    if (is_new)
        strcpy(last, folder);
    pthread_mutex_unlock(&mutex);
    if (is_new)
        clear_folder(folder);
}
