// What a command reads stays as it is: outputs that would take its place are refused before the work.
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return a && b && stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// Whether the file lies in the folder; `name` is then what it is called there.
static bool lies_in(const char *file, const char *folder, const char **name)
{
    char above[SILT_PATH_SIZE];
    const char *slash = strrchr(file, '/');
    struct stat first, second;
    *name = slash ? slash + 1 : file;
    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
    return stat(above, &first) == 0 && stat(folder, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool is_stem(const char *name, const char *stem, size_t length)
{
    return strncmp(name, stem, length) == 0 && strcmp(name + length, ".tif") == 0;
}

// Whether a folder of maps gets a file of this name: one of a layer that Silt knows, or that --map brings.
static bool is_map_name(const Arguments *arguments, const char *name)
{
    for (int k = 0; silt_layer_name_at(k); k++)
        if (is_stem(name, silt_layer_name_at(k), strlen(silt_layer_name_at(k))))
            return true;
    for (int k = 0; k < arguments->layer_count; k++)
        if (is_stem(name, arguments->layers[k], strcspn(arguments->layers[k], "=")))
            return true;
    return false;
}

static bool is_replaced(const Arguments *arguments, const char *input, const char **option)
{
    const struct {
        const char *path, *option;
    } files[] = {{arguments->output, "-o"},
                 {arguments->report, "--report"},
                 {arguments->vectors, "--vectors"},
                 {arguments->maps, "--maps"},
                 {arguments->lakes, "--lakes"}};
    const char *name;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        if (is_same_file(files[k].path, input)) {
            *option = files[k].option;
            return true;
        }
    *option = "--maps";
    if (arguments->maps && lies_in(input, arguments->maps, &name) && is_map_name(arguments, name))
        return true;
    *option = "--masks";
    if (arguments->masks && lies_in(input, arguments->masks, &name))
        return true;
    *option = "--frames";
    return arguments->frames && lies_in(input, arguments->frames, &name) && is_frame_name(name);
}

// NAME of NAME.tif, NAME_x0_y0.png and NAME_0_0.r16.
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    for (size_t at = length; at > 0; at--) {
        int x, y, used = 0;
        if (name[at - 1] == '_' &&
            (sscanf(name + at - 1, "_x%d_y%d%n", &x, &y, &used) == 2 ||
             sscanf(name + at - 1, "_%d_%d%n", &x, &y, &used) == 2) &&
            at - 1 + (size_t)used == length)
            return at - 1;
    }
    return length;
}

bool is_of_tiles(const char *input, const char *output)
{
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(output, '/'), *wanted = slash ? slash + 1 : output, *name;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
    if (!lies_in(input, folder, &name))
        return false;
    const char *dot = strrchr(wanted, '.');
    size_t length = dot ? (size_t)(dot - wanted) : strlen(wanted);
    bool same_ending = !dot || (strrchr(name, '.') && strcmp(strrchr(name, '.'), dot) == 0);
    return same_ending && stem_length(name) == length && strncmp(name, wanted, length) == 0;
}

bool outputs_keep(const char *command, const Arguments *arguments, const char *const *inputs, int count)
{
    for (int k = 0; k < count; k++) {
        const char *option;
        if (inputs[k] && is_replaced(arguments, inputs[k], &option)) {
            report_usage(command, "%s would write over %.200s, which is read; name another place", option,
                         inputs[k]);
            return false;
        }
    }
    return true;
}
