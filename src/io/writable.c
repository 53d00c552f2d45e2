// Whether a file or folder can be written where it is named, asked before the work. Makes nothing.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/status.h"
#include "io/output.h"

// Cuts `path` down to its nearest part that exists: "" is the current folder.
static void nearest_existing(char *path)
{
    struct stat info;
    while (path[0] && stat(path, &info) != 0) {
        char *slash = strrchr(path, '/');
        if (slash == path)
            slash++; // the root stays
        if (!slash || *slash == '\0')
            slash = path;
        *slash = '\0';
    }
}

SiltStatus silt_folder_check(const char *path)
{
    struct stat info;
    char folder[SILT_PATH_SIZE];
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "the name of a file or folder to write belongs here");
    snprintf(folder, sizeof folder, "%s", path);
    nearest_existing(folder);
    const char *there = folder[0] ? folder : ".";
    if (stat(there, &info) != 0 || !S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: %s is not a folder", path, there);
    if (access(there, W_OK | X_OK) != 0)
        return silt_fail(SILT_IO_ERROR, "%s: cannot write in %s: %s", path, there, strerror(errno));
    return SILT_OK;
}

SiltStatus silt_file_check(const char *path)
{
    struct stat info;
    if (path[0] == '\0' || stat(path, &info) != 0)
        return silt_folder_check(path);
    if (S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: is a directory, not a file to write", path);
    if (access(path, W_OK) != 0)
        return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(errno));
    return silt_input_spare(path);
}
