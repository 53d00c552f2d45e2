// The reference in Markdown and the man page, written from the tables.
#include <string.h>

#include "cli.h"

// A parameter's default, range or choices in words.
static void range_words(const SiltParam *param, char *buffer, size_t size)
{
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    if (param->choices)
        snprintf(buffer, size, "%s%s%s%s", param->type == SILT_TYPE_LIST ? "rows of " : "", param->choices,
                 param->words ? "; the first is one of " : "", param->words ? param->words : "");
    else if (param->type == SILT_TYPE_REAL || param->type == SILT_TYPE_INT || param->type == SILT_TYPE_VECTOR)
        snprintf(buffer, size, "%s to %s", silt_format_number(param->minimum, low),
                 silt_format_number(param->maximum, high));
    else if (param->type == SILT_TYPE_BOOL)
        snprintf(buffer, size, "yes, no");
    else
        snprintf(buffer, size, "%s",
                 param->type == SILT_TYPE_LAYER  ? "a layer"
                 : param->type == SILT_TYPE_PATH ? "a path"
                                                 : "#rrggbb");
}

// ---- Markdown ----

static void markdown_params(FILE *out, const SiltParamTable *table)
{
    if (table->count == 0)
        return;
    fprintf(out, "\n| parameter | default | unit | range | what it does |\n|---|---|---|---|---|\n");
    for (int k = 0; k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        char range[512];
        range_words(param, range, sizeof range);
        char *value = silt_params_default(table, k);
        fprintf(out, "| `%s` | %s | %s | %s | %s%s%s%s |\n", param->name, value && value[0] ? value : " ",
                param->unit, range, param->help, param->paper ? " [paper: " : "",
                param->paper ? param->paper : "", param->paper ? "]" : "");
        silt_free(value);
    }
}

static void markdown_head(FILE *out, const char *name, const char *summary, const char *source)
{
    fprintf(out, "\n### %s\n%c%s.", name,
            summary[0] >= 'a' && summary[0] <= 'z' ? summary[0] - 32 : summary[0], summary + 1);
    if (source && source[0])
        fprintf(out, " After %s.", source);
}

static void markdown_part(FILE *out, const char *name, const char *summary, const char *source,
                          const SiltParamTable *params)
{
    markdown_head(out, name, summary, source);
    fprintf(out, "\n");
    markdown_params(out, params);
}

static void markdown_options(FILE *out, const Command *command)
{
    fprintf(out, "\n### silt %s %s\n%c%s.\n\n| option | what it does |\n|---|---|\n", command->name,
            command->words, command->summary[0] - 32, command->summary + 1);
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (!option_belongs(option, command) || strcmp(option->commands, "*") == 0)
            continue;
        char value[32];
        size_t length = 0;
        for (const char *c = option->value; *c && length + 2 < sizeof value; c++) {
            if (*c == '|')
                value[length++] = '\\';
            value[length++] = *c;
        }
        value[length] = '\0';
        fprintf(out, "| `%s%s%s%s%s` | %s |\n", option->short_name, option->short_name[0] ? ", " : "",
                option->name, value[0] ? " " : "", value, option_help(option));
    }
    if (command->tables)
        fprintf(out, "\nAlso takes, as `--name VALUE`, the parameters of:%s%s%s%s%s%s%s%s.\n",
                command->tables & TAKES_READ ? " [reading](#reading)" : "",
                command->tables & TAKES_WRITE ? " [writing](#writing)" : "",
                command->tables & TAKES_RENDER ? " [pictures](#pictures)" : "",
                command->tables & TAKES_RIVERS ? " [rivers](#rivers-and-lakes)" : "",
                command->tables & TAKES_VOLUME ? " [volumes](#volumes)" : "",
                command->tables & TAKES_ROCK ? " [rock](#rock)" : "",
                command->tables & TAKES_MASKS ? " [masks](#masks)" : "",
                command->tables & TAKES_TILES ? " [tiles](#tiles-and-engines)" : "");
}

void write_markdown(FILE *out)
{
    fprintf(out, "# Reference\n\nWritten by `silt help --markdown` from the tables in the program; `make "
                 "docs` brings it up to "
                 "date.\n\n## Commands\n\nEvery command takes:\n\n| option | what it does |\n|---|---|\n");
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (strcmp(option->commands, "*") == 0)
            fprintf(out, "| `%s%s%s` | %s |\n", option->short_name, option->short_name[0] ? ", " : "",
                    option->name, option_help(option));
    }
    for (int k = 0; k < command_count(); k++)
        markdown_options(out, command_at(k));
    fprintf(out, "\n## Generators\n\n`silt new KIND -o OUT --set KEY=VALUE`\n");
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        markdown_part(out, g->name, g->summary, g->source, &g->params);
    }
    fprintf(out, "\n## Volumes of rock\n\n`silt new KIND -o OUT.siltvol|OUT.glb|OUT.tif --set KEY=VALUE`\n");
    for (int k = 0; k < silt_volume_shape_count(); k++) {
        const SiltVolumeShape *v = silt_volume_shape_at(k);
        markdown_part(out, v->name, v->summary, v->source, &v->params);
    }
    fprintf(out, "\n## Erosion models\n\n`silt erode MODEL IN -o OUT --set KEY=VALUE`\n");
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        markdown_head(out, silt_model_name(m), silt_model_summary(m), silt_model_source(m));
        fprintf(out, " %lld steps without `--steps` or `--time`; its clock counts %s.\n",
                (long long)silt_model_default_steps(m),
                strcmp(silt_model_clock(m), "s") == 0 ? "seconds" : silt_model_clock(m));
        markdown_params(out, silt_model_params(m));
    }
    fprintf(out, "\n## Stages of a recipe\n\nBesides `new` and `erode`; see [recipes](recipes.md).\n");
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *s = silt_stage_at(k);
        markdown_part(out, s->name, s->summary, NULL, &s->params);
    }
    fprintf(out, "\n## Files\n\n### Reading\n");
    markdown_params(out, &silt_read_params);
    fprintf(out, "\n### Writing\n");
    markdown_params(out, &silt_write_params);
    fprintf(out, "\n### Pictures\n");
    markdown_params(out, &silt_render_params);
    fprintf(out, "\n### Rivers and lakes\n");
    markdown_params(out, &silt_river_params);
    fprintf(out, "\n### Volumes\n");
    markdown_params(out, &silt_volume_params);
    fprintf(out, "\n### Rock\n");
    markdown_params(out, &silt_rock_params);
    fprintf(out, "\n### Masks\n");
    markdown_params(out, &silt_mask_params);
    fprintf(out, "\n### Tiles and engines\n");
    markdown_params(out, &silt_tile_params);
}

// ---- man page ----

static void man_text(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '-')
            fputs("\\-", out);
        else if (*c == '\\')
            fputs("\\e", out);
        else
            fputc(*c, out);
    }
}

static void man_entry(FILE *out, const char *head, const char *text)
{
    fputs(".TP\n.B ", out);
    man_text(out, head);
    fputs("\n", out);
    man_text(out, text);
    fputs("\n", out);
}

static void man_params(FILE *out, const SiltParamTable *table)
{
    for (int k = 0; k < table->count; k++) {
        const SiltParam *param = &table->items[k];
        char head[256], range[512], text[1024];
        range_words(param, range, sizeof range);
        char *value = silt_params_default(table, k);
        snprintf(head, sizeof head, "%s=%s%s%s", param->name, value ? value : "",
                 silt_param_unit(param)[0] ? " " : "", silt_param_unit(param));
        snprintf(text, sizeof text, "%s (%s)%s%s%s", param->help, range, param->paper ? " [paper: " : "",
                 param->paper ? param->paper : "", param->paper ? "]" : "");
        man_entry(out, head, text);
        silt_free(value);
    }
}

static void man_part(FILE *out, const char *name, const char *summary, const SiltParamTable *params)
{
    fputs(".SS ", out);
    man_text(out, name);
    fputs("\n", out);
    man_text(out, summary);
    fputs(".\n", out);
    man_params(out, params);
}

void write_man(FILE *out)
{
    fprintf(out,
            ".TH SILT 1 \"\" \"silt %s\" \"User commands\"\n.SH NAME\nsilt \\- terrain, and what water does "
            "to it\n",
            silt_version());
    fputs(".SH SYNOPSIS\n.B silt\nCOMMAND [WORDS] [OPTIONS]\n.SH COMMANDS\n", out);
    for (int k = 0; k < command_count(); k++) {
        char head[96];
        snprintf(head, sizeof head, "%s %s", command_at(k)->name, command_at(k)->words);
        man_entry(out, head, command_at(k)->summary);
    }
    fputs(".SH OPTIONS\n", out);
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        char head[96], text[512];
        snprintf(head, sizeof head, "%s%s%s%s%s", option->short_name, option->short_name[0] ? ", " : "",
                 option->name, option->value[0] ? " " : "", option->value);
        bool all = strcmp(option->commands, "*") == 0;
        snprintf(text, sizeof text, "%s (%s)", option_help(option), all ? "every command" : option->commands);
        man_entry(out, head, text);
    }
    fputs(".SH READING\nOptions of commands that read a terrain.\n", out);
    man_params(out, &silt_read_params);
    fputs(".SH WRITING\nOptions of commands that write a terrain.\n", out);
    man_params(out, &silt_write_params);
    fputs(".SH PICTURES\nOptions of render.\n", out);
    man_params(out, &silt_render_params);
    fputs(".SH RIVERS AND LAKES\nOptions of rivers, and of erode with \\-\\-vectors.\n", out);
    man_params(out, &silt_river_params);
    fputs(".SH VOLUMES\nOptions of new and convert where there is a volume.\n", out);
    man_params(out, &silt_volume_params);
    fputs(".SH ROCK\nHow erodible the rock of a new volume is.\n", out);
    man_params(out, &silt_rock_params);
    fputs(".SH MASKS\nOptions of commands that write masks.\n", out);
    man_params(out, &silt_mask_params);
    fputs(".SH TILES AND ENGINES\nOptions of convert.\n", out);
    man_params(out, &silt_tile_params);
    fputs(".SH GENERATORS\nParameters for \\-\\-set after new.\n", out);
    for (int k = 0; k < silt_generator_count(); k++)
        man_part(out, silt_generator_at(k)->name, silt_generator_at(k)->summary,
                 &silt_generator_at(k)->params);
    fputs(".SH VOLUMES OF ROCK\nParameters for \\-\\-set after new.\n", out);
    for (int k = 0; k < silt_volume_shape_count(); k++)
        man_part(out, silt_volume_shape_at(k)->name, silt_volume_shape_at(k)->summary,
                 &silt_volume_shape_at(k)->params);
    fputs(".SH EROSION MODELS\nParameters for \\-\\-set after erode.\n", out);
    for (int k = 0; k < silt_model_count(); k++)
        man_part(out, silt_model_name(silt_model_at(k)), silt_model_summary(silt_model_at(k)),
                 silt_model_params(silt_model_at(k)));
    fputs(".SH RECIPE STAGES\n", out);
    for (int k = 0; k < silt_stage_count(); k++)
        man_part(out, silt_stage_at(k)->name, silt_stage_at(k)->summary, &silt_stage_at(k)->params);
    fputs(".SH EXAMPLES\n", out);
    for (int k = 0; example_at(k); k++)
        man_entry(out, example_at(k)->line, example_at(k)->about);
    fputs(".SH ENVIRONMENT\n", out);
    man_entry(out, "SILT_CACHE",
              "folder that keeps what stages of recipes left, or off; silt/stages in the user's cache "
              "without it");
    fputs(".SH EXIT STATUS\n0 when all went well, 1 when something failed, 2 for wrong usage, 130 when "
          "stopped by Ctrl\\-C.\n",
          out);
}
