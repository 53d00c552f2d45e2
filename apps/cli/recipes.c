// The recipes that came with Silt: where they lie, what they are called and what they say of themselves.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help.h"

// ---- where ----

// The folders with recipes: in the current one, beside the program, or where `make install` put them.
static bool recipe_folder(int index, char buffer[SILT_PATH_SIZE])
{
    static const char *const folders[] = {"/../recipes", "/../share/silt/recipes"};
    if (index == 0)
        return snprintf(buffer, SILT_PATH_SIZE, "recipes") > 0;
    char program[SILT_PATH_SIZE] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    int used = snprintf(buffer, SILT_PATH_SIZE, "%s%s", program, folders[index - 1]);
    return used > 0 && used < SILT_PATH_SIZE;
}
enum { FOLDER_COUNT = 3 };

// The path of the recipe of that name; false when there is none.
static bool recipe_path(const char *name, char buffer[SILT_PATH_SIZE])
{
    char folder[SILT_PATH_SIZE];
    const char *ending = silt_ends_with(name, ".yaml") ? "" : ".yaml";
    for (int k = 0; k < FOLDER_COUNT; k++) {
        if (!recipe_folder(k, folder))
            continue;
        int used = snprintf(buffer, SILT_PATH_SIZE, "%.3000s/%.900s%s", folder, name, ending);
        if (used > 0 && used < SILT_PATH_SIZE && access(buffer, F_OK) == 0)
            return true;
    }
    return false;
}

// ---- which ----

enum { MAX_RECIPES = 256 };

typedef struct RecipeNames {
    char list[MAX_RECIPES][SILT_NAME_SIZE];
    int count;
} RecipeNames;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_folder(const char *folder, RecipeNames *names)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) && names->count < MAX_RECIPES;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && length < SILT_NAME_SIZE && strcmp(entry->d_name + length - 5, ".yaml") == 0)
            snprintf(names->list[names->count++], SILT_NAME_SIZE, "%.*s", (int)(length - 5), entry->d_name);
    }
    if (entries)
        closedir(entries);
}

static void list_names(RecipeNames *names)
{
    names->count = 0;
    char folder[SILT_PATH_SIZE];
    for (int k = 0; k < FOLDER_COUNT; k++)
        if (recipe_folder(k, folder))
            list_folder(folder, names);
    qsort(names->list, (size_t)names->count, sizeof names->list[0], compare_names);
    int kept = 0;
    for (int k = 0; k < names->count; k++)
        if (kept == 0 || strcmp(names->list[kept - 1], names->list[k]) != 0)
            memmove(names->list[kept++], names->list[k], SILT_NAME_SIZE);
    names->count = kept;
}

static const char *name_at(const void *context, int index)
{
    return ((const RecipeNames *)context)->list[index];
}

void suggest_recipe(const char *name, char hint[80])
{
    RecipeNames names;
    list_names(&names);
    silt_suggestion(silt_nearest_name(name, name_at, &names, names.count), hint, 80);
}

// ---- what they say ----

// The text behind `about:`, which stands on the first line; "" without one.
static void read_about(const char *name, char about[256])
{
    char path[SILT_PATH_SIZE], line[256] = "";
    about[0] = '\0';
    FILE *file = recipe_path(name, path) ? fopen(path, "r") : NULL;
    if (file && fgets(line, sizeof line, file) && strncmp(line, "about:", 6) == 0) {
        const char *text = line + 6 + strspn(line + 6, " \"");
        snprintf(about, 256, "%.*s", (int)strcspn(text, "\"\n"), text);
    }
    if (file)
        fclose(file);
}

// The value that a recipe gives a name of its own; false where it defines none such.
static bool find_define(const char *recipe_name, const char *name, char value[64])
{
    char path[SILT_PATH_SIZE];
    SiltRecipe *recipe = NULL;
    bool found = false;
    if (!recipe_path(recipe_name, path) || silt_recipe_read_unwritten(path, NULL, 0, &recipe) != SILT_OK)
        return false;
    for (int k = 0; k < silt_recipe_define_count(recipe) && !found; k++) {
        SiltDefine define = silt_recipe_define_at(recipe, k);
        found = strcmp(define.name, name) == 0;
        if (found)
            snprintf(value, 64, "%.60s", define.preset);
    }
    silt_recipe_destroy(recipe);
    return found;
}

// A preset is land that somebody's sketch can be the beginning of.
static bool is_preset(const char *name)
{
    char value[64];
    return find_define(name, "sketch", value);
}

void list_recipes(bool presets)
{
    RecipeNames names;
    char about[256];
    list_names(&names);
    if (names.count > 0)
        say("%s (silt run RECIPE)\n", presets ? "presets" : "recipes");
    for (int k = 0; k < names.count; k++) {
        if (presets && !is_preset(names.list[k]))
            continue;
        read_about(names.list[k], about);
        say("  %-28s %s\n", names.list[k], about);
    }
}

void list_recipes_json(SiltText *text, bool presets)
{
    RecipeNames names;
    char about[256];
    list_names(&names);
    bool first = true;
    for (int k = 0; k < names.count; k++) {
        if (presets && !is_preset(names.list[k]))
            continue;
        read_about(names.list[k], about);
        silt_text_add(text, first ? "\n  {\"name\": " : ",\n  {\"name\": ");
        first = false;
        silt_text_add_json(text, names.list[k]);
        silt_text_add(text, ", \"about\": ");
        silt_text_add_json(text, about);
        silt_text_add(text, "}");
    }
}

void each_recipe(void (*tell)(void *context, const char *name, const char *about), void *context)
{
    RecipeNames names;
    char about[256];
    list_names(&names);
    for (int k = 0; k < names.count; k++) {
        read_about(names.list[k], about);
        tell(context, names.list[k], about);
    }
}

bool help_recipe(const char *name)
{
    char path[SILT_PATH_SIZE];
    if (!recipe_path(name, path))
        return false;
    SiltRecipe *recipe;
    begin_part("recipe", name);
    if (silt_recipe_read_unwritten(path, NULL, 0, &recipe) != SILT_OK) {
        say("silt run %s: a recipe that cannot be read as it is: %s\n", name, silt_message());
        return true;
    }
    say("silt run %s: a recipe\n%s\n", name, silt_recipe_about(recipe));
    if (silt_recipe_shows(recipe)[0])
        say("%s\n", silt_recipe_shows(recipe));
    if (silt_recipe_define_count(recipe) > 0)
        say("\nnames it defines (-D NAME=VALUE)\n");
    for (int k = 0; k < silt_recipe_define_count(recipe); k++) {
        SiltDefine define = silt_recipe_define_at(recipe, k);
        say("  %s=%s\n", define.name, define.preset);
    }
    if (silt_recipe_small_count(recipe) > 0)
        say("\nwith --small\n");
    for (int k = 0; k < silt_recipe_small_count(recipe); k++)
        say("  %s\n", silt_recipe_small_at(recipe, k));
    say("\nfiles it writes\n");
    for (int k = 0; k < silt_recipe_output_count(recipe); k++)
        say("  %s\n", silt_recipe_output_at(recipe, k));
    silt_recipe_destroy(recipe);
    return true;
}

bool help_define(const char *name)
{
    RecipeNames names;
    char value[64];
    bool found = false;
    list_names(&names);
    for (int k = 0; k < names.count; k++) {
        if (!find_define(names.list[k], name, value))
            continue;
        if (!found) {
            begin_part("define", name);
            say("a name that recipes define: silt run RECIPE -D %s=VALUE%s\n", name,
                strcmp(name, "sketch") ? "" : ", a grey picture that is bright where the land shall rise");
        }
        found = true;
        say("  %-28s %s=%s\n", names.list[k], name, value);
    }
    return found;
}

bool is_recipe_name(const char *name)
{
    char path[SILT_PATH_SIZE];
    return access(name, F_OK) != 0 && !strchr(name, '/') && recipe_path(name, path);
}

enum { MAX_SMALL = 64 }; // a recipe defines no more

// The text of a run that is gone on with, or done again, goes before what the file has become.
static SiltStatus read_from(const char *path, const Arguments *arguments, const char *const *defines,
                            int count, bool writes, SiltRecipe **out)
{
    const char *kept = arguments->kept ? silt_checkpoint_text(arguments->kept, "recipe") : NULL;
    if (kept && !arguments->told)
        return silt_recipe_read_resumed(path, kept, silt_checkpoint_stage(arguments->kept), defines, count,
                                        out);
    return arguments->told
               ? silt_recipe_read_text(path, arguments->told, defines, count, out)
               : (writes ? silt_recipe_read : silt_recipe_read_unwritten)(path, defines, count, out);
}

// Again, with its smaller values; what the command line defines goes before them.
static SiltStatus read_small(const char *path, const Arguments *arguments, bool writes, SiltRecipe **recipe)
{
    const char *defines[MAX_SMALL + MAX_SETTINGS];
    SiltRecipe *large = *recipe, *small = NULL;
    int count = silt_recipe_small_count(large) < MAX_SMALL ? silt_recipe_small_count(large) : MAX_SMALL;
    if (count == 0) {
        silt_warn("%s: --small changes nothing: the recipe has no section 'small'", path);
        return SILT_OK;
    }
    for (int k = 0; k < count; k++)
        defines[k] = silt_recipe_small_at(large, k);
    for (int k = 0; k < arguments->define_count; k++)
        defines[count++] = arguments->defines[k];
    SiltStatus status = read_from(path, arguments, defines, count, writes, &small);
    silt_recipe_destroy(large);
    *recipe = small;
    return status;
}

void recipe_file(const Arguments *arguments, char path[SILT_PATH_SIZE])
{
    const char *name = arguments->words[0];
    if (access(name, F_OK) == 0 || strchr(name, '/') || !recipe_path(name, path))
        snprintf(path, SILT_PATH_SIZE, "%s", name);
}

RecipeNow recipe_now(const Arguments *arguments)
{
    char path[SILT_PATH_SIZE], block[1 << 14];
    const char *was = silt_checkpoint_text(arguments->kept, "recipe");
    recipe_file(arguments, path);
    FILE *file = was ? fopen(path, "rb") : NULL;
    if (!file)
        return RECIPE_GONE;
    size_t left = strlen(was);
    bool same = true;
    for (size_t got; same && (got = fread(block, 1, sizeof block, file)) > 0; was += got, left -= got)
        same = got <= left && memcmp(block, was, got) == 0;
    same = same && (ferror(file) || left == 0);
    fclose(file);
    return same ? RECIPE_SAME : RECIPE_OTHER;
}

// Whoever runs it chooses by this command line alone where files may lie: neither the recipe's own smaller
// values nor the command of a run that was kept do.
static void distrust_others(const Arguments *arguments, SiltRecipe *recipe)
{
    for (int k = 0; k < silt_recipe_define_count(recipe); k++) {
        const char *name = silt_recipe_define_at(recipe, k).name, *last = NULL;
        for (int n = 0; n < arguments->define_count; n++) {
            size_t length = strcspn(arguments->defines[n], "=");
            if (strlen(name) == length && strncmp(name, arguments->defines[n], length) == 0)
                last = arguments->defines[n];
        }
        if (!last || was_kept(arguments, last))
            silt_recipe_distrust(recipe, name);
    }
    // a kept run says where its recipe lay: that counts where it is found there
    if (arguments->kept && recipe_now(arguments) != RECIPE_SAME)
        silt_recipe_distrust(recipe, NULL);
}

bool recipe_needs_trust(SiltRecipe *recipe)
{
    for (int k = 0; k < silt_recipe_define_count(recipe); k++)
        silt_recipe_distrust(recipe, silt_recipe_define_at(recipe, k).name);
    return silt_recipe_confine(recipe) != SILT_OK;
}

SiltStatus read_recipe(const Arguments *arguments, bool writes, SiltRecipe **out)
{
    *out = NULL;
    char found[SILT_PATH_SIZE], hint[80];
    const char *name = arguments->words[0], *path = name;
    bool is_here = access(name, F_OK) == 0 || arguments->told;
    if (!is_here && !strchr(name, '/') && recipe_path(name, found))
        path = found;
    else if (!is_here && !arguments->kept && !strchr(name, '/') && !silt_ends_with(name, ".yaml")) {
        suggest_recipe(name, hint);
        return silt_fail(SILT_BAD_ARGUMENT, "there is no recipe '%.60s'%s", name,
                         hint[0] ? hint : " (see 'silt list')");
    }
    SiltStatus status = read_from(path, arguments, arguments->defines, arguments->define_count, writes, out);
    if (status == SILT_OK && arguments->small)
        status = read_small(path, arguments, writes, out);
    if (status == SILT_OK)
        distrust_others(arguments, *out);
    if (status == SILT_OK && !arguments->trust && silt_recipe_confine(*out) != SILT_OK) {
        status = silt_fail(SILT_BAD_ARGUMENT, "%s (--trust)", silt_message());
        silt_recipe_destroy(*out);
        *out = NULL;
    }
    if (status == SILT_OK && arguments->again)
        status = silt_recipe_redirect(*out, arguments->again);
    for (int k = 0; status == SILT_OK && arguments->again && k < silt_recipe_output_count(*out); k++)
        status = again_is_free(silt_recipe_output_at(*out, k));
    return status;
}
