// What a command reads stays as it is: outputs that would take its place are refused before the work.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// -o itself, and the header beside samples.
static bool output_writes(const char *path, const char *file)
{
    char beside[SILT_PATH_SIZE];
    return silt_path_same(path, file) || (silt_path_beside(path, 0, beside) && silt_path_same(beside, file));
}

// What an option names: a file, or a folder that gets files of some names.
typedef struct Target {
    const char *path, *option;
    bool (*takes)(const Arguments *arguments, const char *name); // NULL: it is a file
    bool (*writes)(const char *path, const char *file);          // NULL: that file alone
} Target;

// How many frames there will be nobody knows: what a link leads to is refused when it is its turn.
static bool may_be_left(const Target *target, const char *name)
{
    char path[SILT_PATH_SIZE];
    struct stat info;
    return target->takes == is_frame && snprintf(path, sizeof path, "%s/%s", target->path, name) > 0 &&
           lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

enum { KEPT_TARGET = 7, TARGET_COUNT };

// Where the run is kept, as it is told to be or goes on; NULL: it may never be.
static const char *kept_in(const Arguments *arguments)
{
    return arguments->checkpoint ? arguments->checkpoint : arguments->resume;
}

static void list_targets(const Arguments *arguments, const char *output, Target out[TARGET_COUNT])
{
    const Target targets[TARGET_COUNT] = {
        {output, "-o", NULL, output_writes},
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
           (target->takes && silt_path_lies_in(file, target->path, name) && target->takes(arguments, name) &&
            !may_be_left(target, name));
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

SiltStatus maps_differ(const Arguments *arguments, const SiltTerrain *terrain)
{
    Target targets[TARGET_COUNT];
    list_targets(arguments, arguments->output, targets);
    bool is_folder = arguments->maps && !silt_ends_with(arguments->maps, ".exr");
    for (int k = 0; is_folder && k < terrain->layer_count; k++) {
        char file[SILT_PATH_SIZE];
        snprintf(file, sizeof file, "%.900s/%s.tif", arguments->maps, terrain->layers[k]->name);
        for (int n = 0; n < TARGET_COUNT; n++)
            if (targets[n].path != arguments->maps && target_writes(arguments, &targets[n], file))
                return silt_fail(SILT_BAD_ARGUMENT,
                                 "--maps would write over %.200s, which %s writes; name another place", file,
                                 targets[n].option);
    }
    return SILT_OK;
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

static bool keeps_file(const char *command, const Arguments *arguments, const char *input)
{
    Target targets[TARGET_COUNT];
    list_targets(arguments, arguments->output, targets);
    for (int n = 0; n < TARGET_COUNT; n++)
        if (!keeps(command, arguments, &targets[n], input))
            return false;
    return true;
}

bool input_stays(const char *command, const Arguments *arguments, const char *input)
{
    char file[SILT_PATH_SIZE], beside[SILT_PATH_SIZE];
    double range[2];
    if (silt_split_range(input, file, range) != SILT_OK || access(file, F_OK) != 0)
        return true; // nothing is read: whoever reads it says so
    bool stays = keeps_file(command, arguments, file);
    for (int k = 0; stays && silt_path_beside(file, k, beside); k++)
        stays = access(beside, F_OK) != 0 || keeps_file(command, arguments, beside);
    if (stays && silt_inputs_hold(file) != SILT_OK)
        stays = report_failure(SILT_NO_MEMORY) == 0;
    return stays;
}

bool recipe_inputs_stay(const char *command, const Arguments *arguments, const SiltRecipe *recipe)
{
    char file[SILT_PATH_SIZE];
    recipe_file(arguments, file);
    bool stay = input_stays(command, arguments, file);
    for (int k = 0; stay && k < silt_recipe_input_count(recipe); k++)
        stay = input_stays(command, arguments, silt_recipe_input_at(recipe, k));
    return stay;
}

// ---- what a command line reads ----

// Whether the command takes a file to read as this word, by how `silt help` has its words.
static bool word_is_read(const Command *command, int index)
{
    static const char *const names[] = {"IN", "[IN]", "FILE", "RECIPE", "REPORT"};
    const char *word = command->words;
    for (; index > 0 && *word; index--) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    size_t length = strcspn(word, " ");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strlen(names[k]) == length && strncmp(word, names[k], length) == 0)
            return true;
    return false;
}

// What parameters of the generator or the model name by --set.
static const SiltParamTable *params_of(const Command *command, const Arguments *arguments)
{
    const char *kind = arguments->words[0];
    const SiltGenerator *generator = command->run == run_new ? silt_generator_find(kind) : NULL;
    const SiltModel *model = command->run == run_erode ? silt_model_find(kind) : NULL;
    return generator ? &generator->params : model ? silt_model_params(model) : NULL;
}

static bool settings_stay(const Command *command, const Arguments *arguments)
{
    const SiltParamTable *table = params_of(command, arguments);
    bool stay = true;
    for (int k = 0; table && stay && k < arguments->setting_count; k++)
        for (int n = 0; stay && n < table->count; n++) {
            const SiltParam *param = &table->items[n];
            size_t length = strlen(param->name);
            const char *setting = arguments->settings[k];
            if (param->type == SILT_TYPE_PATH && strncmp(setting, param->name, length) == 0 &&
                setting[length] == '=')
                stay = input_stays(command->name, arguments, setting + length + 1);
        }
    return stay;
}

static bool options_stay(const Command *command, const Arguments *arguments)
{
    bool stay = true;
    for (int k = 0; stay && k < option_count(); k++) {
        const Option *option = option_at(k);
        const char *const *file =
            (const char *const *)(const void *)((const char *)arguments + option->offset);
        if (option->kind == OPTION_INPUT && option_belongs(option, command) && *file &&
            *file != arguments->resume) // a run goes on in the file it was kept in
            stay = input_stays(command->name, arguments, *file);
    }
    for (int k = 0; stay && k < arguments->layer_count; k++) {
        const char *equals = strchr(arguments->layers[k], '=');
        stay = !equals || input_stays(command->name, arguments, equals + 1);
    }
    return stay;
}

bool inputs_stay(const Command *command, const Arguments *arguments)
{
    Target targets[TARGET_COUNT];
    bool stay = true;
    for (int k = 0; stay && k < arguments->word_count; k++)
        if (word_is_read(command, k))
            stay = input_stays(command->name, arguments, arguments->words[k]);
    stay = stay && options_stay(command, arguments) && settings_stay(command, arguments);
    list_targets(arguments, arguments->output, targets);
    for (int n = 0; stay && n < TARGET_COUNT; n++)
        stay = n == KEPT_TARGET || keeps(command->name, arguments, &targets[n], arguments->resume);
    return stay;
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

SiltStatus record_input_was(const Arguments *arguments, SiltRecorder *recorder, const char *path, bool *known)
{
    char hash[SILT_HASH_SIZE];
    uint64_t bytes;
    *known = arguments->kept && silt_checkpoint_input(arguments->kept, path, hash, &bytes);
    return *known ? silt_recorder_input_was(recorder, path, hash, bytes) : SILT_OK;
}
