// Where a run was begun: its files are named from there. And what lies in the place where one is to be kept.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

// ---- where it was begun ----

SiltStatus keep_folder(SiltCheckpoint *checkpoint)
{
    char *folder = realpath(".", NULL);
    SiltStatus status = folder ? silt_checkpoint_set_text(checkpoint, "folder", folder) : SILT_OK;
    free(folder);
    return status;
}

const char *begun_elsewhere(const Arguments *arguments)
{
    const char *folder = arguments->kept ? silt_checkpoint_text(arguments->kept, "folder") : NULL;
    struct stat then, now;
    if (!folder || folder[0] != '/' || stat(folder, &then) != 0 || !S_ISDIR(then.st_mode) ||
        stat(".", &now) != 0)
        return NULL;
    return then.st_dev == now.st_dev && then.st_ino == now.st_ino ? NULL : folder;
}

// The file by a name that leads to it from the folder.
static void add_path_from(SiltText *text, const char *folder, const char *path)
{
    char *file = realpath(path, NULL), *top = realpath(folder, NULL);
    size_t length = top ? strlen(top) : 0;
    bool is_below = file && top && strncmp(file, top, length) == 0 && file[length] == '/';
    silt_text_add_shell(text, is_below ? file + length + 1 : file ? file : path);
    free(file);
    free(top);
}

// What the recipe would write there, outside that folder; or NULL. One that is refused here is read once
// more.
static const char *recipe_writes_outside(const Arguments *arguments, const char *folder,
                                         char place[2 * SILT_PATH_SIZE])
{
    Arguments trusting = *arguments;
    SiltRecipe *recipe = NULL;
    const char *outside = NULL;
    trusting.trust = true;
    bool is_read = read_recipe(&trusting, false, &recipe) == SILT_OK;
    for (int k = 0; is_read && !outside && k < silt_recipe_output_count(recipe); k++) {
        const char *path = silt_recipe_output_at(recipe, k);
        snprintf(place, 2 * SILT_PATH_SIZE, "%s%s%s", path[0] == '/' ? "" : folder, path[0] == '/' ? "" : "/",
                 path);
        outside = silt_path_is_below(place, folder) ? NULL : place;
    }
    silt_recipe_destroy(recipe);
    return outside;
}

static void tell_elsewhere(const char *command, const Arguments *arguments, const char *folder,
                           const char *file, const char *option)
{
    SiltText text = {0};
    silt_text_addf(&text, "%s: the run was begun in ", command);
    silt_text_add_shell(&text, folder);
    silt_text_add(&text, ", and ");
    if (file)
        silt_text_add_shell(&text, file);
    else
        silt_text_add(&text, "its recipe");
    silt_text_add(&text, " is named from there; ");
    if (option)
        silt_text_addf(&text, "give %s anew, or ", option);
    silt_text_add(&text, "go on there: cd ");
    silt_text_add_shell(&text, folder);
    silt_text_addf(&text, " && silt %s --resume ", command);
    add_path_from(&text, folder, arguments->resume);
    char place[2 * SILT_PATH_SIZE];
    const char *outside = written_outside(command_find(command), arguments, folder, true);
    if (!outside && strcmp(command, "run") == 0)
        outside = recipe_writes_outside(arguments, folder, place);
    if (outside) { // whose place is told: the file may be a stranger's
        silt_text_add(&text, " --trust # it writes ");
        silt_text_add_shell(&text, outside);
    }
    complain("%s", text.failed ? "not enough memory" : text.data);
    silt_text_free(&text);
}

bool lies_here(const char *command, const Arguments *arguments, const char *file, const char *option)
{
    const char *folder = file && file[0] && file[0] != '/' ? begun_elsewhere(arguments) : NULL;
    if (folder)
        tell_elsewhere(command, arguments, folder, file, option);
    return !folder;
}

bool options_lie_here(const Command *command, const Arguments *arguments)
{
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (!option_writes(option) || !option_belongs(option, command))
            continue;
        const char *path = *(const char *const *)((const char *)arguments + option->offset);
        if (path && was_kept(arguments, path) &&
            !lies_here(command->name, arguments, path,
                       option->short_name[0] ? option->short_name : option->name))
            return false;
    }
    return true;
}

bool recipe_lies_here(const Arguments *arguments, const SiltRecipe *recipe)
{
    const char *folder = recipe ? NULL : begun_elsewhere(arguments);
    if (folder)
        tell_elsewhere("run", arguments, folder, NULL, NULL);
    bool here = !folder;
    for (int k = 0; here && recipe && k < silt_recipe_output_count(recipe); k++)
        here = lies_here("run", arguments, silt_recipe_output_at(recipe, k), NULL);
    for (int k = 0; here && recipe && k < silt_recipe_input_count(recipe); k++)
        here = lies_here("run", arguments, silt_recipe_input_at(recipe, k), NULL);
    return here;
}

// ---- what lies where a run is to be kept ----

static bool is_no_checkpoint(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
           !silt_path_is_checkpoint(path);
}

// Which command goes on with it is known of those of this version.
static void tell_unfinished(const char *path, const char *what)
{
    SiltText text = {0};
    SiltCheckpoint *kept = NULL;
    const char *command =
        silt_checkpoint_open(path, &kept) == SILT_OK ? silt_checkpoint_text(kept, "command") : NULL;
    silt_text_addf(&text, "%s holds %s", path, what);
    if (command) {
        SiltText name = {0};
        silt_text_add_shell(&name, path);
        const char *quote = name.data && strcmp(name.data, path) == 0 ? "'" : ""; // not round another
        silt_text_addf(&text, ": %ssilt %s --resume %s%s goes on with it", quote,
                       strncmp(command, "run\n", 4) == 0 ? "run" : "erode", name.data ? name.data : path,
                       quote);
        silt_text_free(&name);
    }
    complain("%s; remove it or name another file to begin anew",
             text.failed ? "not enough memory" : text.data);
    silt_checkpoint_destroy(kept);
    silt_text_free(&text);
}

// Of what a link points to, as the file itself.
static void name_before(const char *path, char before[PATH_MAX + 1])
{
    struct stat info;
    char *real = lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? realpath(path, NULL) : NULL;
    snprintf(before, PATH_MAX + 1, "%.*s~", PATH_MAX - 1, real ? real : path);
    free(real);
}

bool checkpoint_spares(const char *command, const Arguments *arguments)
{
    const char *path = arguments->checkpoint;
    char before[PATH_MAX + 1], why[SILT_PATH_SIZE + 256] = "", *what = NULL;
    if (!path || (arguments->resume && silt_checkpoint_writes(path, arguments->resume)))
        return true;
    if (is_no_checkpoint(path)) {
        report_usage(command, "--checkpoint: %.200s is there and no checkpoint; choose another name", path);
        return false;
    }
    // a pipe would be waited for
    bool is_there = silt_path_is_checkpoint(path);
    SiltStatus status = is_there ? silt_checkpoint_unfinished(path, &what) : SILT_OK;
    if (status == SILT_BAD_FILE)
        snprintf(why, sizeof why, "%s", silt_message());
    if (status == SILT_BAD_FILE || !is_there) { // the one before it may be all there is
        name_before(path, before);
        path = before;
        status = silt_path_is_checkpoint(path) ? silt_checkpoint_unfinished(path, &what) : SILT_OK;
        if (status == SILT_BAD_FILE && !why[0])
            snprintf(why, sizeof why, "%s", silt_message());
    }
    if (what)
        tell_unfinished(path, what);
    else if (status == SILT_NO_MEMORY)
        complain("%s", silt_message());
    else if (why[0]) // or of a later version: nobody knows that it is worth nothing
        complain("%s; remove it or name another file to begin anew", why);
    bool spares = !what && status != SILT_NO_MEMORY && !why[0];
    silt_free(what);
    return spares;
}
