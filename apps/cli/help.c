// silt help [[COMMAND] NAME]: a command, a generator, a model, a stage, a recipe, a parameter; all from the
// tables.
#include <string.h>
#include <strings.h>

#include "cli.h"

static void print_params(const SiltParamTable *params)
{
    char *text = silt_params_help(params);
    if (text)
        fputs(text, stdout);
    silt_free(text);
}

static void print_option(const Option *option)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", option->short_name, option->short_name[0] ? ", " : "",
             option->name, option->value[0] ? " " : "", option->value);
    printf("  %-28s %s\n", left, option_help(option));
}

// "[38 deg, 1 to 90]": what it is when not given, its unit, and what it may be.
static void print_bounds(const SiltParamTable *table, int index)
{
    const SiltParam *param = &table->items[index];
    const char *unit = silt_param_unit(param);
    char *value = silt_params_default(table, index), low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    bool has_value = value && value[0] && strncmp(value, "none", 4) != 0;
    bool has_range = !param->choices && (param->type == SILT_TYPE_REAL || param->type == SILT_TYPE_INT ||
                                         param->type == SILT_TYPE_VECTOR);
    if (has_value || unit[0] || has_range)
        printf(" [%s%s%s", has_value ? value : "", has_value && unit[0] ? " " : "", unit);
    if (has_range)
        printf("%s%s to %s", has_value || unit[0] ? ", " : "", silt_format_number(param->minimum, low),
               silt_format_number(param->maximum, high));
    printf("%s\n", has_value || unit[0] || has_range ? "]" : "");
    silt_free(value);
}

static void print_table_options(const SiltParamTable *table)
{
    for (int k = 0; k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        char name[64], left[80];
        snprintf(name, sizeof name, "--%s", param->name);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? '-' : *c;
        snprintf(left, sizeof left, "%s %s", name,
                 param->choices                    ? "CHOICE"
                 : param->type != SILT_TYPE_VECTOR ? "VALUE"
                 : param->size == 3                ? "A,B,C"
                                                   : "MIN:MAX");
        printf("  %-28s %s%s%s%s", left, param->help, param->choices ? " (" : "",
               param->choices ? param->choices : "", param->choices ? ")" : "");
        print_bounds(table, k);
    }
}

static void help_workloads(void)
{
    printf("\nworkloads: core (arithmetic hash statistics percentiles resample-half resample-double "
           "drainage), files "
           "(tiff), generators, "
           "models, or the name of one:\n ");
    for (int k = 0; k < silt_generator_count(); k++)
        printf(" %s", silt_generator_at(k)->name);
    for (int k = 0; k < silt_model_count(); k++)
        printf(" %s", silt_model_name(silt_model_at(k)));
    printf("\n");
}

// A name may have several parts to tell of: a line between them.
static void begin_part(void)
{
    static bool is_next;
    printf("%s", is_next ? "\n" : "");
    is_next = true;
}

static void help_command(const Command *command)
{
    begin_part();
    printf("silt %s %s: %s\n\noptions\n", command->name, command->words, command->summary);
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(option_at(k), command))
            print_option(option_at(k));
    for (int k = 0, told = 0; example_at(k); k++)
        if (strcmp(example_at(k)->command, command->name) == 0)
            printf("%s  %s\n      %s\n", told++ ? "" : "\nexamples\n", example_at(k)->line,
                   example_at(k)->about);
    if (strcmp(command->name, "bench") == 0)
        help_workloads();
    if (command->tables & TAKES_READ) {
        printf("\nreading\n");
        print_table_options(&silt_read_params);
    }
    if (command->tables & TAKES_WRITE) {
        printf("\nwriting\n");
        print_table_options(&silt_write_params);
    }
    if (command->tables & TAKES_RENDER) {
        printf("\npicture\n");
        print_table_options(&silt_render_params);
    }
    if (command->tables & TAKES_RIVERS) {
        printf("\nrivers\n");
        print_table_options(&silt_river_params);
    }
    if (command->tables & TAKES_VOLUME) {
        printf("\nvolumes\n");
        print_table_options(&silt_volume_params);
    }
    if (command->tables & TAKES_ROCK) {
        printf("\nrock of volumes\n");
        print_table_options(&silt_rock_params);
    }
    if (command->tables & TAKES_MASKS) {
        printf("\nmasks\n");
        print_table_options(&silt_mask_params);
    }
    if (command->tables & TAKES_TILES) {
        printf("\ntiles and engines\n");
        print_table_options(&silt_tile_params);
    }
}

static void help_all(void)
{
    printf("silt: terrain, and what water does to it\n\nsilt COMMAND ...\n\n");
    for (int k = 0; k < command_count(); k++)
        printf("  %-8s %-12s %s\n", command_at(k)->name, command_at(k)->words, command_at(k)->summary);
    printf("\n'silt help NAME' explains a command, a generator, a model, a stage, a recipe or a parameter; "
           "'silt list' lists them.\n"
           "For a start: silt new noise -o hills.tif && silt render hills.tif -o hills.png\n");
}

static void help_head(const char *call, const char *summary, const char *source)
{
    begin_part();
    printf("%s: %s\n", call, summary);
    if (source && source[0])
        printf("source: %s\n", source);
}

static void help_params(const char *how, const SiltParamTable *params)
{
    if (params->count == 0)
        return;
    printf("\nparameters (%s)\n", how);
    print_params(params);
    for (int k = 0; k < params->count; k++) {
        if (params->items[k].flags & SILT_LIVE) {
            printf("\n'live' ones may change while a run goes on.\n");
            break;
        }
    }
}

static const char *name_at(const void *context, int index)
{
    (void)context;
    if (index < command_count())
        return command_at(index)->name;
    index -= command_count();
    if (index < silt_generator_count())
        return silt_generator_at(index)->name;
    index -= silt_generator_count();
    if (index < silt_volume_shape_count())
        return silt_volume_shape_at(index)->name;
    index -= silt_volume_shape_count();
    if (index < silt_model_count())
        return silt_model_name(silt_model_at(index));
    return silt_stage_at(index - silt_model_count())->name;
}

// A file format by its name or one of its endings.
static bool help_format(const char *name)
{
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo f = silt_format_at(k);
        const char *at = strstr(f.endings, name + (name[0] == '.'));
        bool is_ending = at && name[0] && (at == f.endings || at[-1] == ' ') &&
                         strchr(" ", at[strlen(name + (name[0] == '.'))]);
        if (!is_ending && strcasecmp(f.name, name) != 0)
            continue;
        printf("%s (.%s): a %s format; docs/formats.md says what it holds\n", f.name, f.endings,
               f.is_mesh ? "mesh" : "raster");
        if (!f.reads || !f.writes)
            printf("missing in this build: install %s and build again\n", f.package);
        return true;
    }
    return false;
}

static bool help_generator(const char *name)
{
    char call[128];
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        if (strcmp(g->name, name) != 0)
            continue;
        snprintf(call, sizeof call, "silt new %s -o OUT", g->name);
        help_head(call, g->summary, g->source);
        help_params("--set KEY=VALUE", &g->params);
        return true;
    }
    const SiltVolumeShape *shape = silt_volume_shape_find(name);
    if (shape) {
        snprintf(call, sizeof call, "silt new %s -o OUT", shape->name);
        help_head(call, shape->summary, shape->source);
        help_params("--set KEY=VALUE", &shape->params);
    }
    return shape != NULL;
}

static bool help_model(const char *name)
{
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        char call[128];
        if (strcmp(silt_model_name(m), name) != 0)
            continue;
        snprintf(call, sizeof call, "silt erode %s IN -o OUT", silt_model_name(m));
        help_head(call, silt_model_summary(m), silt_model_source(m));
        printf("a run: %lld steps without --steps or --time; its clock counts %s\n",
               (long long)silt_model_default_steps(m),
               strcmp(silt_model_clock(m), "s") == 0 ? "seconds" : silt_model_clock(m));
        help_params("--set KEY=VALUE", silt_model_params(m));
        return true;
    }
    return false;
}

static bool help_stage(const char *name)
{
    bool found = false;
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *s = silt_stage_at(k);
        char call[128];
        if (strcmp(s->name, name) != 0)
            continue;
        snprintf(call, sizeof call, "'%s' in section '%s' of a recipe", s->name, s->section);
        help_head(call, s->summary, NULL);
        help_params("keys beside it", &s->params);
        found = true;
    }
    return found;
}

// ---- one parameter ----

typedef struct Owner {
    const char *kind, *name; // "silt erode", "pipes"
    const SiltParamTable *table;
} Owner;

// Everything that has parameters, one after the other; false behind the last.
static bool owner_at(int index, Owner *out)
{
    if (index < silt_generator_count()) {
        const SiltGenerator *g = silt_generator_at(index);
        *out = (Owner){"silt new", g->name, &g->params};
        return true;
    }
    index -= silt_generator_count();
    if (index < silt_volume_shape_count()) {
        const SiltVolumeShape *shape = silt_volume_shape_at(index);
        *out = (Owner){"silt new", shape->name, &shape->params};
        return true;
    }
    index -= silt_volume_shape_count();
    if (index < silt_model_count()) {
        const SiltModel *m = silt_model_at(index);
        *out = (Owner){"silt erode", silt_model_name(m), silt_model_params(m)};
        return true;
    }
    index -= silt_model_count();
    if (index < silt_stage_count()) {
        const SiltStage *s = silt_stage_at(index);
        *out = (Owner){"the stage", s->name, &s->params};
        return true;
    }
    index -= silt_stage_count();
    const Owner options[] = {
        {"reading", "files", &silt_read_params},     {"writing", "files", &silt_write_params},
        {"silt", "render", &silt_render_params},     {"silt", "rivers", &silt_river_params},
        {"volumes of", "rock", &silt_volume_params}, {"the hardness of", "rock", &silt_rock_params}};
    if (index >= (int)(sizeof options / sizeof options[0]))
        return false;
    *out = options[index];
    return true;
}

static const SiltParam *param_of(const Owner *owner, const char *name)
{
    int index = silt_params_find(owner->table, name);
    return index < 0 ? NULL : &owner->table->items[index];
}

static bool says_the_same(const SiltParam *a, const SiltParam *b)
{
    return strcmp(a->help, b->help) == 0 && strcmp(a->unit, b->unit) == 0 && a->number[0] == b->number[0];
}

// A parameter by its name: its text once, with all that have it so.
static bool help_parameter(const char *name)
{
    Owner owner, other;
    bool found = false;
    for (int k = 0; owner_at(k, &owner); k++) {
        const SiltParam *param = param_of(&owner, name);
        bool is_told = !param;
        for (int n = 0; n < k && !is_told; n++)
            is_told =
                owner_at(n, &other) && param_of(&other, name) && says_the_same(param, param_of(&other, name));
        if (is_told)
            continue;
        begin_part();
        printf("a parameter of %s %s", owner.kind, owner.name);
        for (int n = k + 1; owner_at(n, &other); n++)
            if (param_of(&other, name) && says_the_same(param, param_of(&other, name)))
                printf(", %s %s", other.kind, other.name);
        printf("\n");
        SiltParamTable one = {param, 1, owner.table->size};
        print_params(&one);
        found = true;
    }
    return found;
}

// ---- layers, symbols and everything else ----

static bool help_layer(const char *name)
{
    const char *about = silt_layer_about(name), *unit = silt_layer_unit(name);
    if (!about[0])
        return false;
    begin_part();
    printf("a layer: %s: %s%s%s%s\n", name, about, unit[0] && strcmp(unit, "1") ? " [" : "",
           strcmp(unit, "1") ? unit : "", unit[0] && strcmp(unit, "1") ? "]" : "");
    bool first = true;
    for (int k = 0; k < silt_model_count(); k++) {
        const char *made = silt_model_makes(silt_model_at(k));
        size_t length = strlen(name);
        for (const char *at = made; (at = strstr(at, name)); at += length)
            if ((at == made || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
                printf("%s %s", first ? "models that make it:" : ",", silt_model_name(silt_model_at(k)));
                first = false;
                break;
            }
    }
    printf("%s", first ? "" : "\n");
    return true;
}

// "K" of a parameter whose help begins with "K: ", as papers write it.
static bool help_symbol(const char *symbol)
{
    Owner owner;
    bool found = false;
    size_t length = strlen(symbol);
    for (int k = 0; length <= 8 && owner_at(k, &owner); k++)
        for (int n = 0; n < owner.table->count; n++) {
            const SiltParam *param = &owner.table->items[n];
            bool is_it = strncmp(param->help, symbol, length) == 0 &&
                         (param->help[length] == ':' || strncmp(param->help + length, " =", 2) == 0 ||
                          param->help[length] == ',');
            if (!is_it)
                continue;
            begin_part();
            printf("%s is the parameter %s of %s %s\n", symbol, param->name, owner.kind, owner.name);
            print_params(&(SiltParamTable){param, 1, owner.table->size});
            found = true;
        }
    return found;
}

static bool mentions(const char *text, const char *word)
{
    return text && strcasestr(text, word) != NULL;
}

typedef struct Search {
    const char *word;
    int found;
} Search;

static void tell_match(Search *search, const char *call, const char *name, const char *about)
{
    if (!mentions(name, search->word) && !mentions(about, search->word))
        return;
    if (search->found++ == 0)
        printf("nothing is called '%s'; these speak of it:\n", search->word);
    char left[96];
    snprintf(left, sizeof left, "%s%s", call, name);
    printf("  %-32s %s\n", left, about);
}

static void tell_recipe(void *context, const char *name, const char *about)
{
    tell_match(context, "silt run ", name, about);
}

// Everything whose name or summary has the word in it.
static bool help_search(const char *word)
{
    Search search = {.word = word};
    Owner owner;
    if (strlen(word) < 3)
        return false;
    for (int k = 0; k < command_count(); k++)
        tell_match(&search, "silt ", command_at(k)->name, command_at(k)->summary);
    for (int k = 0; k < silt_generator_count(); k++)
        tell_match(&search, "silt new ", silt_generator_at(k)->name, silt_generator_at(k)->summary);
    for (int k = 0; k < silt_volume_shape_count(); k++)
        tell_match(&search, "silt new ", silt_volume_shape_at(k)->name, silt_volume_shape_at(k)->summary);
    for (int k = 0; k < silt_model_count(); k++)
        tell_match(&search, "silt erode ", silt_model_name(silt_model_at(k)),
                   silt_model_summary(silt_model_at(k)));
    each_recipe(tell_recipe, &search);
    for (int k = 0; k < silt_stage_count(); k++)
        tell_match(&search, "stage ", silt_stage_at(k)->name, silt_stage_at(k)->summary);
    for (int k = 0; silt_layer_name_at(k); k++)
        tell_match(&search, "layer ", silt_layer_name_at(k), silt_layer_about(silt_layer_name_at(k)));
    for (int k = 0; owner_at(k, &owner); k++)
        for (int n = 0; n < owner.table->count; n++) {
            char call[64];
            snprintf(call, sizeof call, "%s of %s ", "parameter", owner.name);
            tell_match(&search, call, owner.table->items[n].name, owner.table->items[n].help);
        }
    return search.found > 0;
}

static bool help_what_command_takes(const char *command, const char *name)
{
    return strcmp(command, "new") == 0     ? help_generator(name)
           : strcmp(command, "erode") == 0 ? help_model(name)
           : strcmp(command, "run") == 0   ? help_recipe(name)
                                           : false;
}

// Everything of that name: a command and a model may share one.
static int help_name(const char *name)
{
    bool (*const kinds[])(const char *) = {help_generator, help_model, help_stage, help_recipe, help_format};
    const Command *command = command_find(name);
    if (command)
        help_command(command);
    bool found = command != NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        found = kinds[k](name) || found;
    bool is_layer = help_layer(name); // and a parameter may be called as it is
    if (found || help_parameter(name) || is_layer || help_symbol(name))
        return 0;
    char hint[80];
    int count = command_count() + silt_generator_count() + silt_volume_shape_count() + silt_model_count() +
                silt_stage_count();
    const char *nearest = silt_nearest_name(name, name_at, NULL, count);
    bool is_begun = nearest && strncmp(nearest, name, strlen(name)) == 0;
    if (!is_begun && help_search(name))
        return 0;
    silt_suggestion(nearest, hint, sizeof hint);
    if (!hint[0])
        suggest_recipe(name, hint);
    char text[200];
    snprintf(text, sizeof text, "help: nothing is called '%.60s'%s", name,
             hint[0] ? hint : " (see 'silt list')");
    complain(text);
    return EXIT_USAGE;
}

int explain(const char *command, const char *name)
{
    if (name && help_what_command_takes(command, name)) {
        printf("\n'silt help %s' explains the options of the command.\n", command);
        return 0;
    }
    return help_name(command);
}

// silt help COMMAND NAME
static int help_both(const char *command, const char *name)
{
    if (!command_find(command))
        return help_name(command);
    if (help_what_command_takes(command, name))
        return 0;
    return help_name(name);
}

int run_help(const Arguments *arguments)
{
    if (arguments->man)
        write_man(stdout);
    else if (arguments->markdown)
        write_markdown(stdout);
    else if (arguments->bash || arguments->zsh || arguments->fish)
        write_completion(stdout, arguments->bash ? "bash" : arguments->zsh ? "zsh" : "fish");
    else if (arguments->word_count)
        return arguments->word_count == 1 ? help_name(arguments->words[0])
                                          : help_both(arguments->words[0], arguments->words[1]);
    else
        help_all();
    return 0;
}
