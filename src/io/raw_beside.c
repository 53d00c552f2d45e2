// Whose header NAME.hdr is, where it does not say so: those that GDAL and GIS programs write name no file.
#include <dirent.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/samples.h"

// Endings of files whose samples such a header tells of.
static bool is_of_samples(const char *ending)
{
    static const char *const endings[] = {"raw", "r16", "r32", "bin", "bil", "bip", "bsq", "flt", "img",
                                          "dem", "dat", "hgt", "bt",  "grd", "f32", "u16", "i16", "s16"};
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        if (strcasecmp(ending, endings[k]) == 0)
            return true;
    return false;
}

bool silt_samples_beside(const char *hdr, const char *path, char other[SILT_PATH_SIZE])
{
    const char *slash = strrchr(hdr, '/'), *name = slash ? slash + 1 : hdr;
    size_t stem = strlen(name) - strlen(".hdr");
    char folder[SILT_PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(name - hdr) : 2, slash ? hdr : "./");
    DIR *entries = opendir(folder);
    bool found = false;
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        const char *rest = entry->d_name + stem; // NAME alone is a grid too, or NAME.raw of NAME.raw.hdr
        if (strncmp(entry->d_name, name, stem) != 0 ||
            !(*rest == '\0' || (*rest == '.' && is_of_samples(rest + 1))) ||
            snprintf(other, SILT_PATH_SIZE, "%s%s", slash ? folder : "", entry->d_name) >= SILT_PATH_SIZE)
            continue;
        struct stat info;
        found = stat(other, &info) == 0 && S_ISREG(info.st_mode) && !silt_path_same(other, path);
    }
    if (entries)
        closedir(entries);
    return found;
}
