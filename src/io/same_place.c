// Whether two names lead to one file, though it need not be there yet.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/output.h"

// Appends what of a path is not there, without "." and slashes that say nothing; false where it climbs.
static bool add_rest(const char *rest, char out[PATH_MAX])
{
    size_t used = strlen(out);
    while (*(rest += strspn(rest, "/"))) {
        size_t length = strcspn(rest, "/");
        if (length == 2 && strncmp(rest, "..", 2) == 0)
            return false;
        if (used + length + 2 > PATH_MAX)
            return false;
        if (length != 1 || *rest != '.')
            used += (size_t)snprintf(out + used, PATH_MAX - used, "%s%.*s",
                                     used > 0 && out[used - 1] == '/' ? "" : "/", (int)length, rest);
        rest += length;
    }
    return true;
}

bool silt_path_resolve(const char *path, char out[PATH_MAX])
{
    char there[SILT_PATH_SIZE];
    snprintf(there, sizeof there, "%s", path);
    struct stat info;
    while (there[0] && lstat(there, &info) != 0) {
        char *slash = strrchr(there, '/');
        if (!slash)
            slash = there;
        if (slash == there && there[0] == '/' && there[1])
            slash++;
        *slash = '\0';
    }
    return realpath(there[0] ? there : ".", out) && add_rest(path + strlen(there), out);
}

static bool is_one_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           (S_ISREG(first.st_mode) || S_ISDIR(first.st_mode)) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool silt_path_same(const char *a, const char *b)
{
    char first[PATH_MAX], second[PATH_MAX];
    if (!a[0] || !b[0])
        return false;
    struct stat info;
    if (stat(a, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return false; // a pipe or a terminal takes all that is written to it
    return strcmp(a, b) == 0 || is_one_file(a, b) ||
           (silt_path_resolve(a, first) && silt_path_resolve(b, second) && strcmp(first, second) == 0);
}

// Whether a link in the folder, of either kind, leads to the file. Others are told apart without a look at
// each: a folder may have a hundred thousand pictures.
static bool find_link(const char *file, const char *folder, char name[SILT_PATH_SIZE])
{
    struct stat info, other;
    DIR *entries = stat(file, &info) == 0 && S_ISREG(info.st_mode) ? opendir(folder) : NULL;
    bool found = false;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = (entry->d_type != DT_REG || entry->d_ino == info.st_ino) &&
                fstatat(dirfd(entries), entry->d_name, &other, 0) == 0 && other.st_dev == info.st_dev &&
                other.st_ino == info.st_ino && snprintf(name, SILT_PATH_SIZE, "%s", entry->d_name) > 0;
    if (entries)
        closedir(entries);
    return found;
}

bool silt_path_lies_in(const char *file, const char *folder, char name[SILT_PATH_SIZE])
{
    char inside[PATH_MAX], around[PATH_MAX];
    if (!file[0] || !folder[0] || !silt_path_resolve(file, inside) || !silt_path_resolve(folder, around))
        return false;
    char *slash = strrchr(inside, '/');
    size_t above = slash == inside ? 1 : (size_t)(slash - inside); // of "/x" it is "/"
    if (strlen(around) != above || strncmp(inside, around, above) != 0)
        return find_link(file, folder, name);
    return snprintf(name, SILT_PATH_SIZE, "%s", slash + 1) < SILT_PATH_SIZE;
}

bool silt_path_is_below(const char *path, const char *folder)
{
    char inside[PATH_MAX], around[PATH_MAX];
    if (!silt_path_resolve(path, inside) || !realpath(folder, around))
        return false;
    size_t length = strcmp(around, "/") == 0 ? 0 : strlen(around);
    return strncmp(inside, around, length) == 0 && (inside[length] == '/' || inside[length] == '\0');
}
