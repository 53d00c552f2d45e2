// silt --complete WORDS: what may stand in place of the last of them. The scripts for shells ask this, so
// that they know recipes, names and choices as they are now.
#include <string.h>

#include "cli.h"

static void offer(const char *partial, const char *before, const char *word, const char *behind)
{
    char text[256];
    snprintf(text, sizeof text, "%s%s%s", before, word, behind);
    if (strncmp(text, partial, strlen(partial)) == 0)
        puts(text);
}

// The choices of a parameter, each behind `before`.
static void offer_choices(const char *partial, const char *before, const SiltParam *param)
{
    char name[SILT_NAME_SIZE];
    if (param->type == SILT_TYPE_CHOICE)
        for (int k = 0; silt_param_choice(param, k, name); k++)
            offer(partial, before, name, "");
    if (param->type == SILT_TYPE_BOOL) {
        offer(partial, before, "yes", "");
        offer(partial, before, "no", "");
    }
    if (param->type == SILT_TYPE_LAYER)
        for (int k = 0; silt_layer_name_at(k); k++)
            offer(partial, before, silt_layer_name_at(k), "");
}

// "key=" of every parameter, or "key=choice" where the key is there.
static void offer_settings(const char *partial, const SiltParamTable *table)
{
    const char *equals = strchr(partial, '=');
    for (int k = 0; table && k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        char before[SILT_NAME_SIZE + 2];
        snprintf(before, sizeof before, "%s=", param->name);
        if (!equals)
            offer(partial, "", before, "");
        else if (strncmp(partial, before, strlen(before)) == 0)
            offer_choices(partial, before, param);
    }
}

static const SiltParamTable *table_of(const char *command, const char *name)
{
    for (int k = 0; strcmp(command, "erode") == 0 && k < silt_model_count(); k++)
        if (strcmp(silt_model_name(silt_model_at(k)), name) == 0)
            return silt_model_params(silt_model_at(k));
    for (int k = 0; strcmp(command, "new") == 0 && k < silt_generator_count(); k++)
        if (strcmp(silt_generator_at(k)->name, name) == 0)
            return &silt_generator_at(k)->params;
    for (int k = 0; strcmp(command, "new") == 0 && k < silt_volume_shape_count(); k++)
        if (strcmp(silt_volume_shape_at(k)->name, name) == 0)
            return &silt_volume_shape_at(k)->params;
    return NULL;
}

// Names that a recipe defines.
static void offer_defines(const char *partial, const char *name)
{
    Arguments arguments = {.words = {name}, .word_count = 1, .trust = true};
    SiltRecipe *recipe;
    char file[SILT_PATH_SIZE];
    recipe_file(&arguments, file);
    if (silt_recipe_read(file, NULL, 0, &recipe) != SILT_OK)
        return;
    for (int k = 0; k < silt_recipe_define_count(recipe); k++)
        offer(partial, "", silt_recipe_define_at(recipe, k).name, "=");
    silt_recipe_destroy(recipe);
}

static void offer_recipe(void *context, const char *name, const char *about)
{
    (void)about;
    offer(context, "", name, "");
}

// ---- options ----

static const struct {
    unsigned bit;
    const SiltParamTable *table;
} tables[] = {{TAKES_READ, &silt_read_params},     {TAKES_WRITE, &silt_write_params},
              {TAKES_RENDER, &silt_render_params}, {TAKES_RIVERS, &silt_river_params},
              {TAKES_VOLUME, &silt_volume_params}, {TAKES_ROCK, &silt_rock_params},
              {TAKES_MASKS, &silt_mask_params},    {TAKES_TILES, &silt_tile_params}};
enum { TABLES = sizeof tables / sizeof tables[0] };
_Static_assert((int)TABLES == (int)TABLE_COUNT, "every table of options is offered");

static void dashed(const char *name, char out[64])
{
    snprintf(out, 64, "--%s", name);
    for (char *c = out + 2; *c; c++)
        *c = *c == '_' ? '-' : *c;
}

static void offer_options(const char *partial, const Command *command)
{
    char name[64];
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(option_at(k), command))
            offer(partial, "", option_at(k)->name, "");
    for (int t = 0; t < TABLES; t++)
        for (int k = 0; (command->tables & tables[t].bit) && k < tables[t].table->count; k++) {
            dashed(tables[t].table->items[k].name, name);
            offer(partial, "", name, "");
        }
}

// The value of an option; false: it takes none.
static bool offer_value(const char *partial, const Command *command, const char *option, const char *subject)
{
    static const char *const devices[] = {"cpu", "gpu", "auto"};
    if (strcmp(option, "--set") == 0)
        offer_settings(partial, table_of(command->name, subject));
    if (strcmp(option, "-D") == 0 || strcmp(option, "--define") == 0)
        offer_defines(partial, subject);
    for (int k = 0; strcmp(option, "--device") == 0 && k < 3; k++)
        offer(partial, "", devices[k], "");
    if (strcmp(option, "--river") == 0)
        offer(partial, "", "largest", "");
    for (int t = 0; t < TABLES; t++)
        for (int k = 0; (command->tables & tables[t].bit) && k < tables[t].table->count; k++) {
            char name[64];
            dashed(tables[t].table->items[k].name, name);
            if (strcmp(name, option) != 0)
                continue;
            offer_choices(partial, "", &tables[t].table->items[k]);
            return true;
        }
    for (int k = 0; k < option_count(); k++) {
        const Option *o = option_at(k);
        if (option_belongs(o, command) &&
            (strcmp(o->name, option) == 0 || strcmp(o->short_name, option) == 0))
            return o->kind != OPTION_FLAG;
    }
    return false;
}

// ---- words ----

static void offer_words(const char *partial, const char *command)
{
    bool helps = strcmp(command, "help") == 0;
    bool cooks =
        strcmp(command, "run") == 0 || strcmp(command, "sweep") == 0 || strcmp(command, "render") == 0;
    for (int k = 0; helps && k < command_count(); k++)
        offer(partial, "", command_at(k)->name, "");
    if (helps || strcmp(command, "new") == 0) {
        for (int k = 0; k < silt_generator_count(); k++)
            offer(partial, "", silt_generator_at(k)->name, "");
        for (int k = 0; k < silt_volume_shape_count(); k++)
            offer(partial, "", silt_volume_shape_at(k)->name, "");
    }
    for (int k = 0; (helps || strcmp(command, "erode") == 0) && k < silt_model_count(); k++)
        offer(partial, "", silt_model_name(silt_model_at(k)), "");
    if (helps || cooks)
        each_recipe(offer_recipe, (void *)(uintptr_t)partial);
    for (int k = 0; helps && silt_layer_name_at(k); k++)
        offer(partial, "", silt_layer_name_at(k), "");
    for (int k = 0; strcmp(command, "list") == 0 && list_kind_at(k); k++)
        offer(partial, "", list_kind_at(k), "");
}

// The first word behind the command that is no option and no option's value.
static const char *find_subject(const Command *command, int count, char **words)
{
    for (int k = 1; k + 1 < count; k++) {
        if (words[k][0] != '-')
            return words[k];
        bool takes = true;
        for (int n = 0; n < option_count(); n++) {
            const Option *o = option_at(n);
            if (option_belongs(o, command) &&
                (strcmp(o->name, words[k]) == 0 || strcmp(o->short_name, words[k]) == 0))
                takes = o->kind != OPTION_FLAG;
        }
        k += takes && !strchr(words[k], '=');
    }
    return "";
}

int complete_words(int count, char **words)
{
    if (count < 1)
        return 0;
    const char *partial = words[count - 1];
    if (count == 1) {
        for (int k = 0; k < command_count(); k++)
            offer(partial, "", command_at(k)->name, "");
        offer(partial, "", "--help", "");
        offer(partial, "", "--version", "");
        return 0;
    }
    const Command *command = command_find(words[0]);
    if (!command)
        return 0;
    const char *subject = find_subject(command, count, words);
    if (count > 2 && words[count - 2][0] == '-' && offer_value(partial, command, words[count - 2], subject))
        return 0;
    if (partial[0] == '-')
        offer_options(partial, command);
    else if (!subject[0])
        offer_words(partial, command->name);
    return 0;
}

// ---- scripts ----

static const char bash_script[] =
    "# bash completion for silt, written by 'silt help --bash'\n"
    "_silt() {\n"
    "    local line=\"${COMP_LINE:0:COMP_POINT}\" word\n"
    "    local -a words\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ \"$line\" == *\" \" ]] && words+=(\"\")\n"
    "    word=\"${words[-1]}\"\n"
    "    mapfile -t COMPREPLY < <(\"${words[0]}\" --complete \"${words[@]:1}\" 2>/dev/null)\n"
    "    # to bash a word begins behind its =\n"
    "    if [[ \"$word\" == *=* ]]; then COMPREPLY=(\"${COMPREPLY[@]#\"${word%%=*}=\"}\"); fi\n"
    "    if [[ \"${COMPREPLY[*]}\" == *= ]]; then compopt -o nospace; fi\n"
    "    if [ ${#COMPREPLY[@]} -eq 0 ]; then compopt -o default; fi\n"
    "}\n"
    "complete -F _silt silt\n";

static const char zsh_script[] =
    "#compdef silt\n"
    "# zsh completion for silt, written by 'silt help --zsh'\n"
    "local -a found\n"
    "found=(${(f)\"$(${words[1]} --complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
    "if (( ${#found} )); then\n"
    "    compadd -- ${found:#*=}\n"
    "    compadd -S '' -- ${(M)found:#*=}\n"
    "else\n"
    "    _files\n"
    "fi\n";

static const char fish_script[] = "# fish completion for silt, written by 'silt help --fish'\n"
                                  "function __silt_complete\n"
                                  "    set -l words (commandline -opc) (commandline -ct)\n"
                                  "    $words[1] --complete $words[2..-1] 2>/dev/null\n"
                                  "end\n"
                                  "complete -c silt -a '(__silt_complete)'\n";

void write_completion(FILE *out, const char *shell)
{
    fputs(shell[0] == 'b' ? bash_script : shell[0] == 'z' ? zsh_script : fish_script, out);
}
