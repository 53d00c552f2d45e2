#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "silt/base.h"

// The pipes that were read so far. A pipe has one end of data: who opens it again wants the same.
enum { MOST = 16 };
static struct {
    dev_t device;
    ino_t inode;
    FILE *copy;
} spools[MOST];
static int spool_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// A pipe without end must not fill the disk or the memory.
static bool copy_all(int from, FILE *to)
{
    static char bytes[1 << 16];
    uint64_t room = silt_memory_available(), length = 0;
    for (;;) {
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            return fflush(to) == 0;
        length += (uint64_t)got;
        if (length > room) {
            errno = EFBIG;
            return false;
        }
        if (fwrite(bytes, 1, (size_t)got, to) != (size_t)got)
            return false;
    }
}

static FILE *make_copy(const char *path)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return NULL;
    FILE *copy = tmpfile();
    bool whole = copy && copy_all(from, copy);
    int error = errno;
    close(from);
    if (whole)
        return copy;
    if (copy)
        fclose(copy);
    errno = error;
    return NULL;
}

// A view of its own on the copy, with a place of its own.
static FILE *look_at(FILE *copy)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(copy));
    return fopen(name, "rb");
}

FILE *silt_spool_open(const char *path, const struct stat *info)
{
    FILE *copy = NULL;
    pthread_mutex_lock(&lock);
    for (int k = 0; k < spool_count && !copy; k++)
        if (spools[k].device == info->st_dev && spools[k].inode == info->st_ino)
            copy = spools[k].copy;
    if (!copy && (copy = make_copy(path)) && spool_count < MOST) {
        spools[spool_count].device = info->st_dev;
        spools[spool_count].inode = info->st_ino;
        spools[spool_count++].copy = copy;
    }
    FILE *view = copy ? look_at(copy) : NULL;
    pthread_mutex_unlock(&lock);
    return view;
}
