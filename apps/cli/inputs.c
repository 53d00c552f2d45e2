// What a command reads stays as it is: outputs that would take its place are refused before the work.
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

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

static bool is_mask_name(const Arguments *arguments, const char *name)
{
    char path[SILT_PATH_SIZE];
    return snprintf(path, sizeof path, "%s/%s", arguments->masks, name) < SILT_PATH_SIZE &&
           silt_masks_writes(arguments->masks, &arguments->mask, path);
}

static bool is_frame(const Arguments *arguments, const char *name)
{
    return is_frame_name(name) || (arguments->statistics && strcmp(name, "statistics.csv") == 0);
}

// What an option names: a file, or a folder that gets files of some names.
typedef struct Target {
    const char *path, *option;
    bool (*takes)(const Arguments *arguments, const char *name); // NULL: it is a file
    bool (*writes)(const char *path, const char *file);          // NULL: that file alone
} Target;

enum { KEPT_TARGET = 7, TARGET_COUNT };

// Where the run is kept, as it is told to be or goes on; NULL: it may never be.
static const char *kept_in(const Arguments *arguments)
{
    return arguments->checkpoint ? arguments->checkpoint : arguments->resume;
}

static void list_targets(const Arguments *arguments, const char *output, Target out[TARGET_COUNT])
{
    const Target targets[TARGET_COUNT] = {
        {output, "-o", NULL, NULL},
        {arguments->report, "--report", NULL, NULL},
        {arguments->vectors, "--vectors", NULL, NULL},
        {arguments->lakes, "--lakes", NULL, NULL},
        {arguments->maps, "--maps", is_map_name, NULL},
        {arguments->masks, "--masks", is_mask_name, NULL},
        {arguments->frames, "--frames", is_frame, NULL},
        [KEPT_TARGET] = {kept_in(arguments), "--checkpoint", NULL, silt_checkpoint_writes},
    };
    memcpy(out, targets, sizeof targets);
}

// Whether it writes this file, as its own or into its folder.
static bool target_writes(const Arguments *arguments, const Target *target, const char *file)
{
    char name[SILT_PATH_SIZE];
    if (!target->path || !file || !file[0])
        return false;
    return (target->writes ? target->writes : silt_path_same)(target->path, file) ||
           (target->takes && silt_path_lies_in(file, target->path, name) && target->takes(arguments, name));
}

bool outputs_differ(const char *command, const Arguments *arguments, const char *output)
{
    Target targets[TARGET_COUNT];
    list_targets(arguments, output, targets);
    for (int k = 0; k < TARGET_COUNT; k++)
        for (int n = 0; n < TARGET_COUNT; n++) {
            const Target *one = &targets[k], *other = &targets[n];
            if (k == n || !one->path || !other->path)
                continue;
            if (strcmp(one->path, other->path) == 0 || silt_path_same(one->path, other->path)) {
                report_usage(command, "'%.200s' is named for two outputs", one->path);
                return false;
            }
            if (!one->takes && target_writes(arguments, other, one->path)) {
                report_usage(command, "%s would write over %.200s, which %s writes; name another place",
                             other->option, one->path, one->option);
                return false;
            }
        }
    return true;
}

bool tiles_differ(const char *command, const Arguments *arguments, const char *output)
{
    static const char *const endings[] = {"json", "png", "tif", "exr"};
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    const Target masks = {arguments->masks, "--masks", is_mask_name, NULL};
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        char file[SILT_PATH_SIZE];
        snprintf(file, sizeof file, "%.*s.%s", dot ? (int)(dot - output) : 1000, output, endings[k]);
        if (target_writes(arguments, &masks, file) &&
            silt_tiles_writes(output, &arguments->tile, &arguments->write, file)) {
            report_usage(command, "--masks would write over %.200s, which is written too; name another place",
                         file);
            return false;
        }
    }
    return true;
}

// A file that is there and does not begin as JSON does is no earlier report.
static bool is_other_file(const char *path)
{
    struct stat info;
    int first = EOF;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return false;
    FILE *file = fopen(path, "rb");
    if (file) {
        first = getc(file);
        fclose(file);
    }
    return file && first != '{';
}

static bool keeps(const char *command, const Arguments *arguments, const Target *target, const char *input)
{
    if (!target_writes(arguments, target, input))
        return true;
    report_usage(command, "%s would write over %.200s, which is read; name another place", target->option,
                 input);
    return false;
}

bool outputs_keep(const char *command, const Arguments *arguments, const char *const *inputs, int count)
{
    Target targets[TARGET_COUNT];
    list_targets(arguments, arguments->output, targets);
    for (int k = 0; k < count; k++)
        for (int n = 0; n < TARGET_COUNT; n++)
            if (!keeps(command, arguments, &targets[n], inputs[k]))
                return false;
    for (int n = 0; n < TARGET_COUNT; n++) // a run goes on in the file it was kept in
        if (n != KEPT_TARGET && !keeps(command, arguments, &targets[n], arguments->resume))
            return false;
    return true;
}

// Whether the recipe writes the file that the run is kept in, or the one before it.
static bool recipe_takes_kept(const SiltRecipe *recipe, const char *path)
{
    for (int k = 0; k < silt_recipe_output_count(recipe); k++)
        if (silt_checkpoint_writes(path, silt_recipe_output_at(recipe, k)))
            return true;
    return silt_recipe_writes(recipe, path);
}

bool checkpoint_is_free(const char *command, const Arguments *arguments, const SiltRecipe *recipe)
{
    const char *path = kept_in(arguments);
    if (!path || !recipe_takes_kept(recipe, path))
        return true;
    report_usage(command, "--checkpoint: %.200s is an output of the recipe; name another place", path);
    return false;
}

bool report_is_free(const char *command, const Arguments *arguments, const SiltRecipe *recipe)
{
    const char *path = arguments->report;
    if (path && recipe && silt_recipe_writes(recipe, path))
        report_usage(command, "'%.200s' is named for two outputs", path);
    else if (path && is_other_file(path))
        report_usage(command, "--report: %.200s is there and no report; choose another name", path);
    else
        return true;
    return false;
}
