// Where a kept file lies: its names, and what must not be there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/status.h"
#include "io/kept.h"

void silt_kept_name(const char *path, SiltKeptNames *out)
{
    struct stat link, info;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(path, &info) == 0;
    char *real = is_link ? realpath(path, NULL) : NULL;
    const char *target = real && strlen(real) < SILT_PATH_SIZE ? real : path;
    static const char *const endings[SILT_KEPT_NAMES] = {"", "~", ".new"};
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        snprintf(out->list[k], sizeof out->list[k], "%.*s%s", SILT_PATH_SIZE - 1, target, endings[k]);
    free(real);
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
                "%s: there is something that is no regular file, and no run is kept in its place",
                k == SILT_KEPT_FILE ? path : names.list[k]);
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
