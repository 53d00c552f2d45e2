// silt help [NAME]: a command, a generator, a model, a stage; all from the tables.
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "core/text.h"

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
    printf("  %-28s %s\n", left, option->help);
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
                 : param->type == SILT_TYPE_VECTOR ? "A:B"
                                                   : "VALUE");
        printf("  %-28s %s%s%s%s\n", left, param->help, param->choices ? " (" : "",
               param->choices ? param->choices : "", param->choices ? ")" : "");
    }
}

static void help_workloads(void)
{
    printf("\nworkloads: core (hash statistics percentiles resample-half resample-double drainage), files "
           "(tiff), generators, "
           "models, or the name of one:\n ");
    for (int k = 0; k < silt_generator_count(); k++)
        printf(" %s", silt_generator_at(k)->name);
    for (int k = 0; k < silt_model_count(); k++)
        printf(" %s", silt_model_at(k)->name);
    printf("\n");
}

static void help_command(const Command *command)
{
    printf("silt %s %s: %s\n\noptions\n", command->name, command->words, command->summary);
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(option_at(k), command))
            print_option(option_at(k));
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
}

static void help_all(void)
{
    printf("silt: terrain, and what water does to it\n\nsilt COMMAND ...\n\n");
    for (int k = 0; k < command_count(); k++)
        printf("  %-8s %-12s %s\n", command_at(k)->name, command_at(k)->words, command_at(k)->summary);
    printf("\n'silt help NAME' explains a command, a generator, a model or a stage; 'silt list' lists them.\n"
           "For a start: silt new noise -o hills.tif && silt render hills.tif -o hills.png\n");
}

static void help_part(const char *call, const char *summary, const char *source, const char *how,
                      const SiltParamTable *params)
{
    printf("%s: %s\n", call, summary);
    if (source && source[0])
        printf("source: %s\n", source);
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
        return silt_model_at(index)->name;
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

static int help_name(const char *name)
{
    char call[128];
    const Command *command = command_find(name);
    if (command) {
        help_command(command);
        return 0;
    }
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        if (strcmp(g->name, name) != 0)
            continue;
        snprintf(call, sizeof call, "silt new %s -o OUT", g->name);
        help_part(call, g->summary, g->source, "--set KEY=VALUE", &g->params);
        return 0;
    }
    const SiltVolumeShape *shape = silt_volume_shape_find(name);
    if (shape) {
        snprintf(call, sizeof call, "silt new %s -o OUT", shape->name);
        help_part(call, shape->summary, shape->source, "--set KEY=VALUE", &shape->params);
        return 0;
    }
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        if (strcmp(m->name, name) != 0)
            continue;
        snprintf(call, sizeof call, "silt erode %s IN -o OUT", m->name);
        help_part(call, m->summary, m->source, "--set KEY=VALUE", &m->params);
        return 0;
    }
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *s = silt_stage_at(k);
        if (strcmp(s->name, name) != 0)
            continue;
        snprintf(call, sizeof call, "'%s' in section '%s' of a recipe", s->name, s->section);
        help_part(call, s->summary, NULL, "keys beside it", &s->params);
        return 0;
    }
    if (help_format(name))
        return 0;
    char hint[80];
    int count = command_count() + silt_generator_count() + silt_volume_shape_count() + silt_model_count() +
                silt_stage_count();
    silt_suggestion(silt_nearest_name(name, name_at, NULL, count), hint, sizeof hint);
    fprintf(stderr, "silt: help: nothing is called '%.60s'%s\n", name, hint[0] ? hint : " (see 'silt list')");
    return EXIT_USAGE;
}

int run_help(const Arguments *arguments)
{
    if (arguments->man)
        write_man(stdout);
    else if (arguments->markdown)
        write_markdown(stdout);
    else if (arguments->bash)
        write_bash_completion(stdout);
    else if (arguments->word_count)
        return help_name(arguments->words[0]);
    else
        help_all();
    return 0;
}
