// silt help [[COMMAND] NAME]: a command, a generator, a model, a stage, a recipe, a parameter; all from the
// tables.
#include <string.h>
#include <strings.h>

#include "help.h"

static void print_option(const Option *option)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", option->short_name, option->short_name[0] ? ", " : "",
             option->name, option->value[0] ? " " : "", option->value);
    say("  %-28s %s\n", left, option_help(option));
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
        say(" [%s%s%s", has_value ? value : "", has_value && unit[0] ? " " : "", unit);
    if (has_range)
        say("%s%s to %s", has_value || unit[0] ? ", " : "", silt_format_number(param->minimum, low),
            silt_format_number(param->maximum, high));
    say("%s\n", has_value || unit[0] || has_range ? "]" : "");
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
        say("  %-28s %s%s%s%s", left, param->help, param->choices ? " (" : "",
            param->choices ? param->choices : "", param->choices ? ")" : "");
        print_bounds(table, k);
    }
}

static void help_workloads(void)
{
    say("\nworkloads: core (arithmetic hash statistics percentiles resample-half resample-double "
        "drainage), files "
        "(tiff), live, render, drawing (pictures of the scenes of Weiss's table 4.1), generators, "
        "models, or the name of one:\n ");
    for (int k = 0; k < silt_generator_count(); k++)
        say(" %s", silt_generator_at(k)->name);
    for (int k = 0; k < silt_model_count(); k++)
        say(" %s", silt_model_name(silt_model_at(k)));
    say("\n");
}

static char *options_json(const Command *command)
{
    SiltText text = {0};
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (!option_belongs(option, command))
            continue;
        silt_text_add(&text, text.length ? ",\n  {" : "[{");
        add_member(&text, "name", option->name);
        add_member(&text, "short", option->short_name[0] ? option->short_name : NULL);
        add_member(&text, "value", option->value[0] ? option->value : NULL);
        add_member(&text, "help", option_help(option));
        silt_text_add(&text, "}");
    }
    silt_text_add(&text, text.length ? "]" : "[]");
    return silt_text_take(&text);
}

// The library's tables that commands take as options.
static const struct {
    unsigned bit;
    const char *key, *title;
    const SiltParamTable *table;
} tables[] = {{TAKES_READ, "reading", "reading", &silt_read_params},
              {TAKES_WRITE, "writing", "writing", &silt_write_params},
              {TAKES_RENDER, "picture", "picture", &silt_render_params},
              {TAKES_RIVERS, "rivers", "rivers", &silt_river_params},
              {TAKES_VOLUME, "volumes", "volumes", &silt_volume_params},
              {TAKES_ROCK, "rock", "rock of volumes", &silt_rock_params},
              {TAKES_MASKS, "masks", "masks", &silt_mask_params},
              {TAKES_TILES, "tiles", "tiles and engines", &silt_tile_params}};

static void help_command(const Command *command)
{
    begin_part("command", command->name);
    add_fact("summary", command->summary);
    add_facts("options", options_json(command));
    say("silt %s %s: %s\n\noptions\n", command->name, command->words, command->summary);
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(option_at(k), command))
            print_option(option_at(k));
    for (int k = 0, told = 0; example_at(k); k++)
        if (strcmp(example_at(k)->command, command->name) == 0)
            say("%s  %s\n      %s\n", told++ ? "" : "\nexamples\n", example_at(k)->line,
                example_at(k)->about);
    if (strcmp(command->name, "bench") == 0)
        help_workloads();
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        if (!(command->tables & tables[k].bit))
            continue;
        add_facts(tables[k].key, silt_params_describe_json(tables[k].table));
        say("\n%s\n", tables[k].title);
        print_table_options(tables[k].table);
    }
}

static void help_all(void)
{
    SiltText commands = {0};
    for (int k = 0; k < command_count(); k++) {
        silt_text_add(&commands, k ? ",\n  {" : "[{");
        add_member(&commands, "name", command_at(k)->name);
        add_member(&commands, "words", command_at(k)->words);
        add_member(&commands, "summary", command_at(k)->summary);
        silt_text_add(&commands, "}");
    }
    silt_text_add(&commands, "]");
    begin_part("program", "silt");
    add_facts("commands", silt_text_take(&commands));
    say("silt: terrain, and what water does to it\n\nsilt COMMAND ...\n\n");
    for (int k = 0; k < command_count(); k++)
        say("  %-8s %-12s %s\n", command_at(k)->name, command_at(k)->words, command_at(k)->summary);
    say("\n'silt help NAME' explains a command, a generator, a model, a stage, a recipe or a parameter; "
        "'silt list' lists them.\n"
        "For a start: silt new noise -o hills.tif && silt render hills.tif -o hills.png\n");
}

static void help_head(const char *kind, const char *name, const char *call, const char *summary,
                      const char *source)
{
    begin_part(kind, name);
    add_fact("call", call);
    add_fact("summary", summary);
    add_fact("source", source);
    say("%s: %s\n", call, summary);
    if (source && source[0])
        say("source: %s\n", source);
}

static void help_params(const char *how, const SiltParamTable *params)
{
    if (params->count == 0)
        return;
    say("\nparameters (%s)\n", how);
    tell_params("parameters", params);
    for (int k = 0; k < params->count; k++) {
        if (params->items[k].flags & SILT_LIVE) {
            say("\n'live' ones may change while a run goes on.\n");
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
        begin_part("format", f.name);
        say("%s (.%s): a %s format; docs/formats.md says what it holds\n", f.name, f.endings,
            f.is_mesh ? "mesh" : "raster");
        if (!f.reads || !f.writes)
            say("missing in this build: install %s and build again\n", f.package);
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
        help_head("generator", g->name, call, g->summary, g->source);
        help_params("--set KEY=VALUE", &g->params);
        return true;
    }
    const SiltVolumeShape *shape = silt_volume_shape_find(name);
    if (shape) {
        snprintf(call, sizeof call, "silt new %s -o OUT", shape->name);
        help_head("volume", shape->name, call, shape->summary, shape->source);
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
        help_head("model", silt_model_name(m), call, silt_model_summary(m), silt_model_source(m));
        say("a run: %lld steps without --steps or --time; its clock counts %s\n",
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
        help_head("stage", s->name, call, s->summary, NULL);
        help_params("keys beside it", &s->params);
        found = true;
    }
    return found;
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
    bool is_layer = help_layer(name); // and a parameter or an option may be called as it is
    bool is_option = help_option(name);
    if (found || help_parameter(name) || is_layer || is_option || help_symbol(name) || help_choice(name) ||
        help_topic(name) || help_define(name))
        return 0;
    char hint[80];
    int count = command_count() + silt_generator_count() + silt_volume_shape_count() + silt_model_count() +
                silt_stage_count();
    const char *nearest = silt_nearest_name(name, name_at, NULL, count);
    bool is_begun = nearest && strncmp(nearest, name, strlen(name)) == 0;
    if (is_begun && strcmp(nearest + strlen(name), "s") == 0)
        return help_name(nearest); // a cave, caves
    if (!is_begun && help_search(name))
        return 0;
    silt_suggestion(nearest, hint, sizeof hint);
    if (!hint[0])
        suggest_recipe(name, hint);
    complain("help: nothing is called '%.60s'%s", name, hint[0] ? hint : " (see 'silt list')");
    return EXIT_USAGE;
}

int explain(const char *command, const char *name)
{
    if (name && help_what_command_takes(command, name)) {
        say("\n'silt help %s' explains the options of the command.\n", command);
        return end_page(0);
    }
    return end_page(help_name(command));
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
    bool is_page =
        arguments->man || arguments->markdown || arguments->bash || arguments->zsh || arguments->fish;
    if (is_page && arguments->json)
        return report_usage("help", "pages and completion scripts have a form of their own: no --json");
    if (arguments->man)
        write_man(stdout);
    else if (arguments->markdown)
        write_markdown(stdout);
    else if (is_page)
        write_completion(stdout, arguments->bash ? "bash" : arguments->zsh ? "zsh" : "fish");
    else if (arguments->word_count)
        return end_page(arguments->word_count == 1 ? help_name(arguments->words[0])
                                                   : help_both(arguments->words[0], arguments->words[1]));
    else
        help_all();
    return end_page(0);
}
