// Where a kept file lies: its names, and what must not be there.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/status.h"
#include "io/kept.h"

// What a link of this name pointed to, where a file that was set aside says so; else false.
static bool find_lost(const char *path, char out[SILT_PATH_SIZE])
{
    char target[SILT_PATH_SIZE], before[SILT_PATH_SIZE + 1];
    struct stat info;
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return false;
    target[length] = '\0';
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    if (snprintf(out, SILT_PATH_SIZE, "%.*s%s", folder, path, target) >= SILT_PATH_SIZE)
        return false;
    snprintf(before, sizeof before, "%s~", out);
    return lstat(before, &info) == 0 && S_ISREG(info.st_mode);
}

void silt_kept_name(const char *path, SiltKeptNames *out)
{
    struct stat link, info;
    char lost[SILT_PATH_SIZE];
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode), leads = stat(path, &info) == 0;
    char *real = is_link && leads ? realpath(path, NULL) : NULL;
    const char *target = real && strlen(real) < SILT_PATH_SIZE ? real : path;
    if (is_link && !leads && find_lost(path, lost))
        target = lost;
    static const char *const endings[SILT_KEPT_NAMES] = {"", "~", ".new"};
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        snprintf(out->list[k], sizeof out->list[k], "%.*s%s", SILT_PATH_SIZE - 1, target, endings[k]);
    free(real);
}

// What a run that was killed leaves begins as a kept file does, or, as heads are written last, with zeros.
static bool is_foreign(const char *path)
{
    char head[64] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = file >= 0 ? read(file, head, sizeof head) : 0;
    bool is = false;
    for (ssize_t k = 0; k < got; k++)
        is = is || head[k] != 0;
    if (file >= 0)
        close(file);
    return is && !silt_kept_recognise(path);
}

SiltStatus silt_kept_check(const char *path)
{
    SiltKeptNames names;
    struct stat info;
    silt_kept_name(path, &names);
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        if (lstat(names.list[k], &info) == 0 && !S_ISREG(info.st_mode))
            return silt_fail(
                SILT_IO_ERROR,
                stat(names.list[k], &info) != 0
                    ? "%s: a link to nothing, and no run is kept in its place"
                    : "%s: there is something that is no regular file, and no run is kept in its place",
                k == SILT_KEPT_FILE ? path : names.list[k]);
    for (int k = SILT_KEPT_BEFORE; k < SILT_KEPT_NAMES; k++)
        if (is_foreign(names.list[k]))
            return silt_fail(SILT_IO_ERROR,
                             "%s: no checkpoint, and a run kept in %s would replace it; choose another name",
                             names.list[k], path);
    return SILT_OK;
}

bool silt_kept_is_free(const char *path)
{
    SiltKeptNames names;
    struct stat info;
    silt_kept_name(path, &names);
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        if (lstat(names.list[k], &info) == 0)
            return false;
    return true;
}

bool silt_kept_writes(const char *path, const char *file)
{
    SiltKeptNames names;
    silt_kept_name(path, &names);
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        if (silt_path_same(names.list[k], file))
            return true;
    return false;
}

SiltStatus silt_kept_try(const char *path, SiltKeptClaim *claim)
{
    static const char block[4096];
    SiltKeptWriter writer;
    SiltStatus status = silt_kept_begin(path, claim, &writer);
    if (status != SILT_OK)
        return status;
    for (size_t done = 0; done < sizeof block && status == SILT_OK;) {
        errno = EIO;
        ssize_t got = pwrite(writer.file, block + done, sizeof block - done, (off_t)done);
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            status = silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(errno));
    }
    silt_kept_abandon(&writer);
    return status;
}

SiltStatus silt_kept_has_room(const char *path, uint64_t bytes)
{
    char folder[SILT_PATH_SIZE];
    struct statvfs disk;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    bool is_full = statvfs(folder, &disk) == 0 && disk.f_blocks > 0 && bytes / disk.f_frsize >= disk.f_bavail;
    return is_full ? silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(ENOSPC)) : SILT_OK;
}
